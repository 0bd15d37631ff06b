//! "`corner-labels`".

use super::spaces::octile;
use super::{Arrays, Cell, Map, number, numbers, sees_on};
use std::collections::HashMap;

/// Corners, and the labels that they have.
pub(super) struct CornerLabels<'a> {
    arrays: &'a Arrays,
    /// Of a straight and of a diagonal step.
    pub(super) costs: [u64; 2],
    corners: Vec<Cell>,
    /// For each corner, hub and distance of its entries.
    labels: Vec<Vec<(u64, u64)>>,
    /// For each corner, the places in its label where the middle begins and ends.
    middles: Vec<(usize, usize)>,
}

impl CornerLabels<'_> {
    pub(super) fn new<'a>(map: &Map, arrays: &'a Arrays) -> CornerLabels<'a> {
        let header = numbers(&arrays[0], 4);
        assert_eq!((header[6], header[10]), (8, 2));
        let costs = [number(&arrays[0], 0, 8), number(&arrays[0], 8, 8)];
        let record = |corner: usize, place: usize| number(&arrays[1], 56 * corner + 4 * place, 4);
        let count = arrays[1].len() / 56 - 1;
        let corners: Vec<Cell> =
            (0..count).map(|corner| (record(corner, 0) as i64, record(corner, 1) as i64)).collect();
        let (entries, turns) = (numbers(&arrays[2], 8), numbers(&arrays[3], 4));
        let field = |entry: u64, from: u64, bits: u64| entry >> from & ((1 << bits) - 1);
        let read = |at: u64| {
            let entry = entries[at as usize];
            let (hub, place, turn) = (header[7], header[8], header[9]);
            let rest = entry >> (hub + place + turn);
            (field(entry, 0, hub), field(entry, hub, place), field(entry, hub + place, turn), rest)
        };
        let mut hubs = HashMap::new();
        for (corner, &here) in corners.iter().enumerate() {
            for at in record(corner, 2)..record(corner + 1, 2) {
                let (hub, place, turn, distance) = read(at);
                assert!(distance <= number(&arrays[0], 16, 8));
                if distance == 0 {
                    assert_eq!(hubs.insert(hub, corner), None);
                    continue;
                }
                let turn = turns[(record(corner, 5) + turn) as usize];
                let (next, there) = (turn as usize / 2, corners[turn as usize / 2]);
                assert!(if turn % 2 == 1 { sees_on(map, there, here) } else { sees_on(map, here, there) });
                let (same_hub, _, _, rest) = read(record(next, 2) + place);
                assert_eq!((same_hub, rest + octile(costs, here, there)), (hub, distance));
            }
        }
        assert_eq!(hubs.len(), count);
        let label = |corner: usize| {
            let entries = record(corner, 2)..record(corner + 1, 2);
            entries.map(|at| (read(at).0, read(at).3)).collect()
        };
        let middle = |corner: usize| {
            let place = |number: usize| (record(corner, number) - record(corner, 2)) as usize;
            (place(3), place(4))
        };
        let (labels, middles) = ((0..count).map(label).collect(), (0..count).map(middle).collect());
        CornerLabels { arrays, costs, corners, labels, middles }
    }

    /// The corners that a cell lists, and their sides.
    fn listed(&self, map: &Map, cell: Cell) -> Vec<(usize, u64)> {
        let block = (cell.1 >> 4) * ((map.width >> 4) + 1) + (cell.0 >> 4);
        let block = number(&self.arrays[4], 4 * block as usize, 4);
        let square = 16 * block as usize + ((cell.1 >> 2 & 3) * 4 + (cell.0 >> 2 & 3)) as usize;
        let (first, end) =
            (number(&self.arrays[5], 4 * square, 4), number(&self.arrays[5], 4 * square + 4, 4));
        let bit = (cell.1 & 3) * 4 + (cell.0 & 3);
        let is_own = |at: &u64| number(&self.arrays[7], 2 * *at as usize, 2) >> bit & 1 == 1;
        let member = |at: u64| number(&self.arrays[6], 2 * at as usize, 2);
        (first..end).filter(is_own).map(|at| (member(at) as usize / 4, member(at) % 4)).collect()
    }

    /// By hub, the least way to it from a cell; by corner, that to those that no other follows.
    fn ways(&self, map: &Map, from: Cell) -> HashMap<(bool, u64), u64> {
        let mut ways = HashMap::new();
        let mut add = |key: (bool, u64), way: u64| {
            let least = ways.entry(key).or_insert(way);
            *least = way.min(*least);
        };
        for (corner, side) in self.listed(map, from) {
            assert!(sees_on(map, from, self.corners[corner]));
            let (way, (begin, end)) = (octile(self.costs, from, self.corners[corner]), self.middles[corner]);
            add((true, corner as u64), way);
            let label = &self.labels[corner];
            let half = [&label[..end], &label[begin..], label, &[]][side as usize];
            half.iter().for_each(|&(hub, distance)| add((false, hub), way + distance));
        }
        ways
    }

    pub(super) fn cost(&self, map: &Map, from: Cell, to: Cell) -> Option<u64> {
        let octile = |a: Cell, b: Cell| octile(self.costs, a, b);
        let is_seen = |&(corner, _): &(usize, u64)| {
            let cell = self.corners[corner];
            octile(from, cell) + octile(cell, to) == octile(from, to) && sees_on(map, to, cell)
        };
        let sees = sees_on(map, from, to) || sees_on(map, to, from);
        if sees || self.listed(map, from).iter().any(is_seen) {
            return Some(octile(from, to));
        }
        let (ways, back) = (self.ways(map, from), self.ways(map, to));
        ways.iter().filter_map(|(key, way)| Some(way + back.get(key)?)).min()
    }
}

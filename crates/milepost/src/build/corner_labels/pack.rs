//! The arrays of the index.

use super::contract::Hierarchy;
use super::graph::{Corners, Edge};
use super::labels::Labels;
use super::lists::Lists;
use super::turns::{SHARED, group};
use super::ways::Way;
use super::{Between, Parts};
use crate::index::corner_labels::{
    Corner, Fields, Header, LANDMARKS, LabelEntry, Listed, NO_MIDDLE, Word, bits_of, fits, sum_bits,
};
use crate::index::{Bytes, SectionWriter, curve};

/// Labels as they are stored.
#[derive(Default)]
struct Packed {
    /// By new number, the first entry, the borders of the halves, the first turn; then where all end.
    firsts: Vec<(u32, [u32; 2], u32)>,
    entries: Vec<LabelEntry>,
    turns: Vec<u32>,
    longest: u32,
    most_turns: u32,
}

/// Bytes of an edge of a hierarchy.
pub(super) const EDGE_BYTES: u64 = 12;

/// The edges of a hierarchy as they are stored.
#[derive(Default)]
struct PackedEdges {
    targets: Vec<u32>,
    middles: Vec<u32>,
    excesses: Vec<u64>,
}

pub(super) fn pack(parts: &Parts<'_>, is_wide: bool) -> Bytes {
    let Parts { corners, costs, landmarks, between, lists, .. } = parts;
    // Along a curve, so that what is read together lies together; in the order of cells where they are looked for.
    let mut order: Vec<u32> = (0..corners.count() as u32).collect();
    if lists.is_some() {
        let levels = bits_of(corners.grid.width().max(corners.grid.height()).into());
        order.sort_by_cached_key(|&corner| {
            let (column, row) = corners.cell(corner);
            curve::place(levels, column, row, 0).0
        });
    }
    let mut renumbered = vec![0_u32; order.len()];
    for (new, &old) in order.iter().enumerate() {
        renumbered[old as usize] = new as u32;
    }
    let mut header = Header {
        costs: *costs,
        farthest: parts.farthest,
        entry_bytes: 0,
        hub_bits: 0,
        place_bits: 0,
        turn_bits: 0,
        list_bytes: match lists {
            None => 0,
            Some(_) if order.len() <= 1 << 14 => 2,
            Some(_) => 4,
        },
        mark_shift: landmarks.shift,
    };
    let (packed, edges) = match between {
        Between::Labels(labels, ways) => {
            (Packed::labels(corners, labels, ways, &order, &renumbered), PackedEdges::default())
        }
        Between::Hierarchy(hierarchy) => Packed::edges(parts, hierarchy, &order, &renumbered),
    };
    let mut fields = Fields::default();
    if let Between::Labels(..) = between {
        header.farthest = packed.entries.iter().map(|entry| entry.distance).max().unwrap_or(0);
        let largest = |count: u32| u64::from(count.saturating_sub(1));
        fields = Fields {
            hub: bits_of(largest(order.len() as u32)),
            place: bits_of(largest(packed.longest)),
            turn: bits_of(largest(packed.most_turns)),
        };
        let sums = sum_bits(*costs, header.farthest, corners.grid);
        let is_narrow = !is_wide && fits::<u64>(fields, sums, packed.entries.len());
        header.entry_bytes = if is_narrow { 8 } else { 16 };
        (header.hub_bits, header.place_bits, header.turn_bits) = (fields.hub, fields.place, fields.turn);
    }
    let mut records: Vec<Corner> = Vec::with_capacity(order.len() + 1);
    for (number, &(first, halves, first_turn)) in packed.firsts.iter().enumerate() {
        let old = order.get(number).map(|&old| old as usize);
        let (column, row) = old.map_or((0, 0), |old| corners.cells[old]);
        let marks = old.map_or([0; LANDMARKS], |old| landmarks.marks[old]);
        records.push(Corner { column, row, first, halves, first_turn, marks });
    }
    let mut writer = SectionWriter::default();
    writer.push(&[header]).push(&records);
    match header.entry_bytes {
        8 => writer.push(&words::<u64>(fields, &packed.entries)),
        16 => writer.push(&words::<u128>(fields, &packed.entries)),
        _ => writer.push::<u64>(&[]),
    };
    writer.push(&packed.turns);
    push_lists(&mut writer, lists.as_ref(), &renumbered, header.list_bytes);
    writer.push(&edges.targets);
    if let Between::Hierarchy(_) = between {
        writer.push(&edges.middles);
        writer.push(&edges.excesses.iter().map(|&excess| excess as u32).collect::<Vec<u32>>());
    }
    if edges.excesses.iter().any(|&excess| excess > u64::from(u32::MAX)) {
        writer.push(&edges.excesses.iter().map(|&excess| (excess >> 32) as u32).collect::<Vec<u32>>());
    }
    writer.finish()
}

fn words<W: Word>(fields: Fields, entries: &[LabelEntry]) -> Vec<W> {
    entries.iter().map(|&entry| fields.pack(entry)).collect()
}

impl Packed {
    /// The edges of each corner, in the order of their ends.
    fn edges(
        parts: &Parts<'_>,
        hierarchy: &Hierarchy,
        order: &[u32],
        renumbered: &[u32],
    ) -> (Packed, PackedEdges) {
        let Parts { corners, costs, .. } = parts;
        let (mut packed, mut edges) = (Packed::default(), PackedEdges::default());
        for &corner in order {
            let first = edges.targets.len() as u32;
            packed.firsts.push((first, [first; 2], 0));
            let mut sorted: Vec<&Edge> = hierarchy.up[corner as usize].iter().collect();
            sorted.sort_unstable_by_key(|edge| renumbered[edge.to as usize]);
            for edge in sorted {
                let octile = costs.octile(corners.cell(corner), corners.cell(edge.to));
                edges.targets.push(renumbered[edge.to as usize]);
                let is_leg = edge.first == edge.to;
                edges.middles.push(if is_leg { NO_MIDDLE } else { renumbered[edge.first as usize] });
                edges.excesses.push(edge.cost - octile);
            }
        }
        let end = edges.targets.len() as u32;
        packed.firsts.push((end, [end; 2], 0));
        (packed, edges)
    }

    /// Labels by first direction, clockwise from the first blocked diagonal, so that what an arrival can go on with is one
    /// contiguous half; the corner itself is in both.
    fn labels(
        corners: &Corners<'_>,
        labels: &Labels,
        ways: &[Option<Way>],
        order: &[u32],
        renumbered: &[u32],
    ) -> Packed {
        let mut packed = Packed::default();
        // By entry, its place in its label.
        let mut places = vec![0_u32; ways.len()];
        let mut sorted: Vec<(usize, u32)> = Vec::new();
        for &corner in order {
            let group_of = |entry: usize, way: &Way| {
                let is_hub = labels.entries[entry].distance == 0;
                if is_hub { SHARED } else { group(corners.kind(corner), way.first) }
            };
            sorted.clear();
            sorted.extend(
                labels
                    .range(corner)
                    .filter_map(|entry| ways[entry].as_ref().map(|way| (group_of(entry, way), entry as u32))),
            );
            sorted.sort_unstable();
            let first = packed.entries.len() as u32;
            let border = |group: usize| first + sorted.partition_point(|&(of, _)| of < group) as u32;
            let first_turn = packed.turns.len();
            packed.firsts.push((first, [border(SHARED), border(SHARED + 1)], first_turn as u32));
            for (place, &(_, entry)) in sorted.iter().enumerate() {
                places[entry as usize] = place as u32;
                let (hub, way) = (&labels.entries[entry as usize], ways[entry as usize].expect("it stays"));
                let mut turn = 0;
                if hub.distance > 0 {
                    let packed_turn = renumbered[way.next as usize] << 1 | u32::from(way.is_seen);
                    let known = packed.turns[first_turn..].iter().position(|&turn| turn == packed_turn);
                    turn = known.unwrap_or_else(|| {
                        packed.turns.push(packed_turn);
                        packed.turns.len() - 1 - first_turn
                    });
                }
                // The entry ahead, until all have their places.
                packed.entries.push(LabelEntry {
                    hub: hub.hub,
                    place: way.ahead,
                    turn: turn as u32,
                    distance: hub.distance,
                });
            }
            packed.longest = packed.longest.max(sorted.len() as u32);
            packed.most_turns = packed.most_turns.max((packed.turns.len() - first_turn) as u32);
        }
        let end = packed.entries.len() as u32;
        packed.firsts.push((end, [end; 2], packed.turns.len() as u32));
        packed.entries.iter_mut().for_each(|entry| entry.place = places[entry.place as usize]);
        packed
    }
}

/// The lists of blocks that have any; block 0 of these is the one of all that have none.
fn push_lists(writer: &mut SectionWriter, lists: Option<&Lists>, renumbered: &[u32], bytes: u32) {
    let (mut blocks, mut starts, mut listed, mut masks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    if let Some(lists) = lists {
        starts.extend([0_u32; 16]);
        for block in 0..lists.len() / 16 {
            let squares = block * 16..block * 16 + 16;
            if squares.clone().all(|square| lists.list(square).is_empty()) {
                blocks.push(0_u32);
                continue;
            }
            blocks.push(starts.len() as u32 / 16);
            for square in squares {
                starts.push(listed.len() as u32);
                let new = |&(old, mask): &(Listed, u16)| {
                    (Listed::new(renumbered[old.corner() as usize], old.side()), mask)
                };
                let mut members: Vec<(Listed, u16)> = lists.list(square).iter().map(new).collect();
                members.sort_unstable_by_key(|(listed, _)| (listed.side() == Listed::NO_OTHER, *listed));
                for (corner, mask) in members {
                    listed.push(corner.0);
                    masks.push(mask);
                }
            }
        }
        starts.push(listed.len() as u32);
    }
    writer.push(&blocks).push(&starts);
    if bytes == 2 {
        writer.push(&listed.iter().map(|&listed| listed as u16).collect::<Vec<u16>>());
    } else {
        writer.push(&listed);
    }
    writer.push(&masks);
}

//! Agents of both worlds, their saves, and saves that were changed and whose checksum was put right again.
//!
//! Knows the layout of a save as far as its header, its checksum and its numbers go: see `agent/base/save.rs`.

use super::drawn;
use super::journeys::{supported, with_indexes};
use super::journeys_by_sight::{HiddenMap, hidden_graph, kinds};
use milepost::agent::{Limits, SavedAgentError, SensorRange};
use milepost::catalog::{self, AnyAgentKind};
use milepost::{Agent, Atlas, Budget, Edge, Edit, Graph, Point, Rng, Rule, Scratch, Space, StateId, Step};
use std::ops::RangeInclusive;
use xxhash_rust::xxh3::xxh3_64;

const CHECKSUM: usize = 8;

/// Where the content of a save begins: behind `MPAG`, the layout and the name.
pub fn content(save: &[u8]) -> usize {
    6 + usize::from(save[5])
}

/// The same save with other content, and the checksum of that.
pub fn with_content(save: &[u8], content_bytes: &[u8]) -> Vec<u8> {
    let mut bytes = [&save[..content(save)], content_bytes].concat();
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes
}

/// The content of a save.
pub fn content_of(save: &[u8]) -> &[u8] {
    &save[content(save)..save.len() - CHECKSUM]
}

/// The save with some numbers or bytes of its content changed at random, and its checksum put right.
pub fn forged(save: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = content_of(save).to_vec();
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(bytes.len() as u32) as usize;
        match rng.below(6) {
            0 => bytes[at] = rng.below(256) as u8,
            1 => bytes[at] ^= 1 << rng.below(8),
            2 => bytes[at] = bytes[at].wrapping_add([1, 255, 2, 254][rng.below(4) as usize]),
            3 => {
                let other = rng.below(bytes.len() as u32) as usize;
                bytes.swap(at, other);
            }
            // A number that other bytes follow.
            4 => {
                let value = [0, 1, 2, 127, 128, 0xffff, 0x7fff_ffff, u32::MAX.into(), u64::MAX];
                let number = varint(value[rng.below(9) as usize]);
                bytes.splice(at..=at, number);
            }
            _ => {
                bytes.remove(at);
                bytes.insert(at / 2, rng.below(128) as u8);
            }
        }
    }
    with_content(save, &bytes)
}

/// A number as `postcard` writes it: seven bits in each byte, the lowest first.
pub fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// Where the number lies that begins at a place.
pub fn varint_at(bytes: &[u8], at: usize) -> RangeInclusive<usize> {
    let end = bytes[at..].iter().take(10).position(|byte| byte & 0x80 == 0);
    at..=at + end.unwrap_or(0)
}

/// The same save with another number for its layout, and the checksum put right.
pub fn with_layout(save: &[u8], layout: u8) -> Vec<u8> {
    let mut bytes = save[..save.len() - CHECKSUM].to_vec();
    bytes[4] = layout;
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes
}

/// Where agents are saved: a map that they know, or one that they see with a sensor.
#[derive(Clone, Debug)]
pub enum World {
    Known { label: &'static str, atlas: Atlas },
    Unknown { label: &'static str, hidden_map: HiddenMap },
}

const YARD: &str =
    "............ .@@@@@@@@@.. .@......@@.. .@.@@@@....@ .@.@..@.@@.@ .@.@@@@.@@.. .@......@... ............";

/// A bag that opens to the side where the goal is not, and pillars.
const GOLDEN: &str = "...................... .@@@@@@@@@@@..@..@.... ...........@.......... .@@.@......@..@..@@@@. \
    .@..@.@@@..@.......... .@..@...@..@..@..@..@. .@@@@@@.@..@.......... ........@..@..@..@..@. \
    .@@@@@@@@@@@.......... ......................";

/// A small world of each sort that agents work in; some moves of the second known one cannot be undone.
pub fn worlds() -> Vec<World> {
    let ends = [Edge { from: StateId::new(0), to: StateId::new(1), cost: 3 }];
    let ring = |node: u32| {
        let (from, to) = (StateId::new(node), StateId::new(if node == 9 { 1 } else { node + 1 }));
        [Edge { from, to, cost: 2 + node }, Edge { from: to, to: from, cost: 2 + node }]
    };
    let edges: Vec<Edge> = ends.into_iter().chain((1..10).flat_map(ring)).collect();
    let one_way = Graph::from_edges(10, &edges, Vec::new()).expect("a sound graph");
    let two_way = hidden_graph(10, &edges[1..], (0..10).map(|node| node != 5).collect());
    let yard = drawn(YARD, Rule::Octile);
    let link = |from: (i64, i64), to: (i64, i64), cost| Edit::Link {
        from: Point::new(from.0, from.1),
        to: Point::new(to.0, to.1),
        cost,
    };
    // Without indexes, for agents that do without.
    let linked = drawn(YARD, Rule::Four).edited(&[link((0, 0), (4, 4), 3), link((4, 4), (2, 2), 1)]);
    let linked = linked.expect("inside");
    // The last cell can be reached by a link alone, which begins in a corner.
    let hole = drawn(YARD, Rule::Octile14).edited(&[
        Edit::close(Point::new(10, 7)),
        Edit::close(Point::new(10, 6)),
        Edit::close(Point::new(11, 6)),
        link((0, 7), (11, 7), 2),
        link((11, 7), (0, 7), 2),
        link((3, 0), (4, 4), 1),
    ]);
    let hole = hole.expect("inside").space().clone();
    vec![
        World::Known { label: "known", atlas: with_indexes(yard.clone()) },
        World::Known { label: "known-graph", atlas: with_indexes(Atlas::new(one_way)) },
        World::Known { label: "known-bare", atlas: linked },
        World::Unknown { label: "unknown", hidden_map: HiddenMap::of(yard.space().clone()) },
        World::Unknown {
            label: "unknown-lines",
            hidden_map: HiddenMap::of(drawn(YARD, Rule::OctileCutting).space().clone())
                .seen(SensorRange::Lines),
        },
        World::Unknown { label: "unknown-graph", hidden_map: two_way },
        World::Unknown { label: "unknown-links", hidden_map: HiddenMap::of(hole) },
    ]
}

/// Where golden saves are made.
pub fn golden_worlds() -> [World; 2] {
    let map = drawn(GOLDEN, Rule::Octile);
    let hidden_map = HiddenMap::of(map.space().clone());
    [
        World::Known { label: "known", atlas: with_indexes(map) },
        World::Unknown { label: "unknown", hidden_map },
    ]
}

impl World {
    pub fn label(&self) -> &'static str {
        match self {
            World::Known { label, .. } | World::Unknown { label, .. } => label,
        }
    }

    fn space(&self) -> &Space {
        match self {
            World::Known { atlas, .. } => atlas.space(),
            World::Unknown { hidden_map, .. } => &hidden_map.truth,
        }
    }

    /// Every agent of the catalog that works here, on its way from a state at a quarter of all to the last one. Those by
    /// sight come with other parameters too.
    fn agents(&self) -> Vec<(&'static str, Box<dyn Agent>)> {
        let states: Vec<StateId> = self.space().free_states().collect();
        let (from, to) = (states[states.len() / 4], states[states.len() - 1]);
        match self {
            World::Known { atlas, .. } => {
                let start = |(name, kind): (_, AnyAgentKind)| (name, kind.start(atlas, from, to));
                supported(atlas).into_iter().map(start).collect()
            }
            World::Unknown { hidden_map, .. } => {
                let sensor = hidden_map.sensor();
                let kinds = kinds().into_iter().filter(|(_, kind)| kind.refusal(&sensor).is_none());
                kinds.map(|(name, kind)| (name, kind.start(&sensor, from, to))).collect()
            }
        }
    }

    /// The saves of every agent after so many steps, with all that a step may take, and with the least: then it is saved in
    /// the midst of what it does.
    pub fn saves(&self, steps: &[usize]) -> Vec<(&'static str, Vec<u8>)> {
        let mut saves = self.saves_with(steps, |_| u64::MAX);
        saves.extend(self.saves_of_least_steps(steps));
        saves.sort();
        saves.dedup();
        saves
    }

    /// The same with the least alone.
    pub fn saves_of_least_steps(&self, steps: &[usize]) -> Vec<(&'static str, Vec<u8>)> {
        self.saves_with(steps, |limits| limits.min_units)
    }

    fn saves_with(&self, steps: &[usize], units: impl Fn(Limits) -> u64) -> Vec<(&'static str, Vec<u8>)> {
        let mut scratch = Scratch::new();
        let mut saves = Vec::new();
        for (name, mut agent) in self.agents() {
            for step in 0..=steps.last().copied().unwrap_or(0) {
                if steps.contains(&step) {
                    saves.push((name, agent.to_bytes()));
                }
                let units = units(agent.limits());
                self.step(&mut *agent, &mut scratch, &mut Budget::units(units));
            }
        }
        saves
    }

    pub fn step(&self, agent: &mut dyn Agent, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        match self {
            World::Known { atlas, .. } => agent.step(atlas, scratch, budget),
            World::Unknown { hidden_map, .. } => agent.step(&hidden_map.sensor(), scratch, budget),
        }
    }

    pub fn restore(&self, bytes: &[u8]) -> Result<Box<dyn Agent>, SavedAgentError> {
        match self {
            World::Known { atlas, .. } => catalog::restore(bytes, atlas.into()),
            World::Unknown { hidden_map, .. } => catalog::restore(bytes, (&hidden_map.sensor()).into()),
        }
    }

    /// Lets an agent walk that may have been restored from a forged save: no step takes more than is stated, and every
    /// move is one of the map.
    pub fn walk_forged(&self, bytes: &[u8], scratch: &mut Scratch, most_steps: usize) {
        let Ok(mut agent) = self.restore(bytes) else { return };
        for _ in 0..most_steps {
            let (before, limits) = (agent.state(), agent.limits());
            let mut budget = Budget::unlimited();
            let step = self.step(&mut *agent, scratch, &mut budget);
            assert!(
                limits.max_units.is_none_or(|most| budget.spent() <= most),
                "{}: {} units, {limits:?}",
                self.label(),
                budget.spent()
            );
            match step {
                Step::Move(to) => {
                    let is_move = self.space().step_cost(before, to, None).is_some();
                    assert!(is_move, "{}: {before} to {to}: {agent:?}", self.label());
                }
                Step::Thinking => {}
                _ => return,
            }
        }
    }
}

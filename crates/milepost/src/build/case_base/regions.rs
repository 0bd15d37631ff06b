//! Divides a space into regions all of whose states are a greedy walk away from a centre, there and back.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, R. Lawrence: Case-based subgoaling in real-time heuristic search for video game
//! pathfinding, JAIR 2010, section 10: the coverage of random pairs is uneven, so partitions are proposed "with all their
//! states reachable from each other by LRTA* without scrubbing", and paths compressed "only between neighboring regions".
//!
//! # How
//! The space is cut into pieces (squares of a grid, ranges of a graph's nodes), each of which is divided by itself: take
//! the states that no region has yet and that hang together with the first of them, make the one nearest to their middle
//! the centre of a new region, and give it all of them from which one climbs to the centre and to which one climbs from
//! it. The rest is looked at again. Every state ends up in a region, if need be in one of its own.
//!
//! # Guarantees
//! Every state is in one region, and a walk of at most [`LONGEST_CLIMB`] steps from its centre, and the centre from it. If
//! a move leads from one region to another, there is a way from the one's centre to the other's. A space that takes more
//! than [`MOST_REGIONS`] regions is not divided at all.

use super::walker::Walker;
use super::{Bench, BuildError, Case, Passage, Solver};
use crate::build::parallel;
use crate::core::StateId;
use crate::index::IndexKind;
use crate::index::case_base::nearest::{arrange, place_on};
use crate::index::case_base::{LONGEST_CLIMB, Leg, MOST_LEGS, MOST_NEIGHBOURS, MOST_REGIONS};
use crate::space::{Grid, Space};
use std::collections::BTreeMap;
use std::time::Instant;

/// Columns and rows of a square that is divided by itself.
const SIDE: u32 = 128;

/// Nodes of a graph that are divided by themselves.
const NODES: u32 = 1 << 12;

/// A piece that takes more regions than this for each of its states is a sign that climbing leads nowhere here.
const MOST_OF: usize = 8;
const FEW: usize = 64;

/// States of the pieces that an estimate divides, and ways between regions that it finds.
const TRIED_STATES: usize = 1 << 15;
const MOST_WAYS: usize = 512;

/// What regions and the ways between them would take.
pub(super) struct RegionsEstimate {
    pub(super) bytes: u64,
    pub(super) seconds: f64,
}

/// The regions of a space.
pub(super) struct Regions {
    /// In the order of the index.
    pub(super) centres: Vec<StateId>,
    /// Which region each state belongs to, by its id; unused ids are of no region.
    owners: Vec<u16>,
}

const NO_REGION: u16 = u16::MAX;
const _: () = assert!(MOST_REGIONS < NO_REGION as usize);

impl Regions {
    /// The regions of a space, if it can be divided.
    pub(super) fn of(solver: &Solver<'_>) -> Result<Regions, BuildError> {
        let space = solver.space;
        let pieces = pieces(solver);
        let divided: Vec<_> = parallel::map_list(&pieces, |piece| Division::of(solver, piece));
        // The first state of each is its centre.
        let mut regions: Vec<(u32, Vec<StateId>)> = (0..).zip(all(divided)?).collect();
        if regions.len() > MOST_REGIONS {
            return Err(undivided(format!("{} regions, and {MOST_REGIONS} are possible", regions.len())));
        }
        if let Some(grid) = space.as_grid() {
            let place = |region: &(u32, Vec<StateId>)| place_on(grid, region.1[0], region.1[0]);
            arrange(&mut regions, &place, &|region| region.0);
        }
        let mut owners = vec![NO_REGION; space.id_bound()];
        for (number, (_, members)) in (0..).zip(&regions) {
            members.iter().for_each(|member| owners[member.index()] = number);
        }
        Ok(Regions { centres: regions.iter().map(|(_, members)| members[0]).collect(), owners })
    }

    pub(super) fn none() -> Regions {
        Regions { centres: Vec::new(), owners: Vec::new() }
    }

    /// What regions would take, from those of some pieces and the ways between them. Where one piece is not divided the
    /// space is not.
    pub(super) fn estimate(solver: &Solver<'_>) -> Result<RegionsEstimate, BuildError> {
        let begin = Instant::now();
        let (pieces, states) = (pieces(solver), solver.states.len());
        let tried = sample(&pieces);
        let tried_states: usize = tried.iter().map(|piece| piece.states.len()).sum();
        let share = states as f64 / tried_states.max(1) as f64;
        let divided: Vec<_> = parallel::map_list(&tried, |piece| Division::of(solver, piece));
        let seconds = begin.elapsed().as_secs_f64() * share;
        let regions = all(divided)?;
        let count = regions.len() as f64 * share;
        if count > MOST_REGIONS as f64 || regions.len() > MOST_REGIONS {
            return Err(undivided(format!("about {count:.0} regions, and {MOST_REGIONS} are possible")));
        }
        let mut owners = vec![NO_REGION; solver.space.id_bound()];
        for (number, members) in (0..).zip(&regions) {
            members.iter().for_each(|member| owners[member.index()] = number);
        }
        let part = Regions { centres: regions.iter().map(|members| members[0]).collect(), owners };
        // Between pieces that lie apart there are no ways, so that some are overlooked at their rims.
        let pairs = part.neighbours(solver);
        let legs = pairs.len() as f64 * share;
        check_legs(&pairs, legs)?;
        let begin = Instant::now();
        let some: Vec<(u16, u16)> = pairs.iter().step_by((pairs.len() / MOST_WAYS).max(1)).copied().collect();
        let ways = part.passages(solver, &some);
        let of_all = legs / some.len().max(1) as f64;
        let seconds = seconds + begin.elapsed().as_secs_f64() * of_all;
        let subgoals: usize = ways.iter().map(|way| way.case.subgoals.len()).sum();
        let of_region = 2.0 * size_of::<u32>() as f64;
        let of_ways = (size_of::<u32>() + size_of::<Leg>()) as f64 * legs
            + (subgoals * size_of::<u32>()) as f64 * of_all;
        Ok(RegionsEstimate { bytes: (count * of_region + of_ways) as u64, seconds })
    }

    /// With a way for each two regions of a strong component between which a move leads, in the order of their numbers.
    pub(super) fn with_legs(self, solver: &Solver<'_>) -> Result<(Regions, Vec<Passage>), BuildError> {
        let pairs = self.neighbours(solver);
        check_legs(&pairs, pairs.len() as f64)?;
        let passages = self.passages(solver, &pairs);
        Ok((self, passages))
    }

    /// The ways between these regions.
    fn passages(&self, solver: &Solver<'_>, pairs: &[(u16, u16)]) -> Vec<Passage> {
        let passage = |bench: &mut Bench, (from, to): (u16, u16)| {
            let (start, end) = (self.centres[usize::from(from)], self.centres[usize::from(to)]);
            let cost = solver.path(start, end, bench)?;
            let case: Case = solver.case(bench);
            Some(Passage { from: from.into(), to: to.into(), cost, case })
        };
        let passages: Vec<Option<Passage>> =
            parallel::map_list_with(pairs, Bench::default, |bench, &pair| passage(bench, pair));
        passages.into_iter().flatten().collect()
    }

    fn neighbours(&self, solver: &Solver<'_>) -> Vec<(u16, u16)> {
        let owner = |state: StateId| self.owners.get(state.index()).copied().unwrap_or(NO_REGION);
        let neighbours = parallel::map_chunks(&solver.states, 1 << 14, |states| {
            let mut pairs = Vec::new();
            for &state in states {
                solver.walker.successors(state, |next| {
                    let pair = (owner(state), owner(next));
                    if pair.0 != pair.1 && pairs.last() != Some(&pair) {
                        pairs.push(pair);
                    }
                });
            }
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        });
        let mut pairs: Vec<(u16, u16)> = neighbours.into_iter().flatten().collect();
        pairs.sort_unstable();
        pairs.dedup();
        let component = |region: u16| solver.space.component(self.centres[usize::from(region)]);
        pairs.retain(|&(from, to)| from != NO_REGION && to != NO_REGION && component(from) == component(to));
        pairs
    }
}

/// The regions of all pieces, or why the first piece that was not divided was not.
fn all(divided: Vec<Result<Vec<Vec<StateId>>, BuildError>>) -> Result<Vec<Vec<StateId>>, BuildError> {
    let divided: Result<Vec<_>, _> = divided.into_iter().collect();
    Ok(divided?.into_iter().flatten().collect())
}

/// Why there are no regions.
fn undivided(what: String) -> BuildError {
    let why = format!("its states are too hard to reach by greedy walks: it takes {what}");
    BuildError::DoesNotPay { kind: IndexKind::CASE_BASE, why }
}

/// Whether so many ways between regions, of which these are some, are possible. Pairs are sorted.
fn check_legs(pairs: &[(u16, u16)], legs: f64) -> Result<(), BuildError> {
    if legs > MOST_LEGS as f64 {
        return Err(undivided(format!("about {legs:.0} ways between regions, and {MOST_LEGS} are possible")));
    }
    let most = pairs.chunk_by(|a, b| a.0 == b.0).map(<[_]>::len).max().unwrap_or(0);
    if most > MOST_NEIGHBOURS {
        return Err(undivided(format!(
            "a region with {most} neighbours, and {MOST_NEIGHBOURS} are possible"
        )));
    }
    Ok(())
}

/// The states of a piece, and where each of them stands among all places of it.
struct Piece<'a> {
    grid: Option<&'a Grid>,
    /// On grids the first column and row, on graphs the first node.
    corner: (u32, u32),
    states: Vec<StateId>,
}

fn pieces<'a>(solver: &Solver<'a>) -> Vec<Piece<'a>> {
    let grid = solver.space.as_grid();
    let corner = |state: StateId| match grid {
        Some(grid) => {
            let (column, row) = grid.column_and_row(state);
            (row / SIDE * SIDE, column / SIDE * SIDE)
        }
        None => (0, state.number() / NODES * NODES),
    };
    let mut pieces: BTreeMap<(u32, u32), Vec<StateId>> = BTreeMap::new();
    for states in solver.states.chunk_by(|a, b| corner(*a) == corner(*b)) {
        pieces.entry(corner(states[0])).or_default().extend_from_slice(states);
    }
    let piece = |((row, column), states)| Piece { grid, corner: (column, row), states };
    pieces.into_iter().map(piece).collect()
}

/// Some pieces, spread over all.
fn sample<'a, 'p>(pieces: &'p [Piece<'a>]) -> Vec<&'p Piece<'a>> {
    let states: usize = pieces.iter().map(|piece| piece.states.len()).sum();
    let some = (pieces.len() * TRIED_STATES / states.max(1)).clamp(1, pieces.len().max(1)).min(pieces.len());
    (0..some).map(|index| &pieces[(2 * index + 1) * pieces.len() / (2 * some)]).collect()
}

impl Piece<'_> {
    fn places(&self) -> usize {
        if self.grid.is_some() { (SIDE * SIDE) as usize } else { NODES as usize }
    }

    /// The place of a state; `None` for those of other pieces.
    fn place(&self, state: StateId) -> Option<usize> {
        let (columns, rows, width) = match self.grid {
            Some(grid) => {
                let (column, row) = grid.column_and_row(state);
                (column.checked_sub(self.corner.0)?, row.checked_sub(self.corner.1)?, SIDE)
            }
            None => (state.number().checked_sub(self.corner.0)?, 0, NODES),
        };
        (columns < width && rows < width).then_some((rows * width + columns) as usize)
    }
}

/// A piece that is being divided.
struct Division<'a> {
    space: &'a Space,
    walker: Walker<'a>,
    piece: &'a Piece<'a>,
    /// Whether the state at a place is in no region yet.
    is_left: Vec<bool>,
    /// By place: the last flood that came there.
    seen: Vec<u32>,
}

impl Division<'_> {
    /// The regions of a piece, each with its centre first, unless they are too many.
    fn of(solver: &Solver<'_>, piece: &Piece<'_>) -> Result<Vec<Vec<StateId>>, BuildError> {
        let mut division = Division {
            space: solver.space,
            walker: solver.walker,
            piece,
            is_left: vec![false; piece.places()],
            seen: vec![0; piece.places()],
        };
        for place in piece.states.iter().filter_map(|&state| piece.place(state)) {
            division.is_left[place] = true;
        }
        let mut regions = Vec::new();
        for &state in &piece.states {
            while division.has_left(state) {
                if regions.len() >= FEW.max(piece.states.len() / MOST_OF) {
                    let states = piece.states.len();
                    let what =
                        format!("more than {} regions for {states} states in one part of it", regions.len());
                    return Err(undivided(what));
                }
                regions.push(division.next_region(state, regions.len() as u32 + 1));
            }
        }
        Ok(regions)
    }

    fn has_left(&self, state: StateId) -> bool {
        self.piece.place(state).is_some_and(|place| self.is_left[place])
    }

    /// A region of states that hang together with this one, its centre first.
    fn next_region(&mut self, first: StateId, flood: u32) -> Vec<StateId> {
        let states = self.hanging_together(first, flood);
        let centre = self.middle(&states);
        let mut members = vec![centre];
        members.extend(states.iter().filter(|&&state| state != centre && self.is_near(state, centre)));
        for place in members.iter().filter_map(|&member| self.piece.place(member)) {
            self.is_left[place] = false;
        }
        members
    }

    /// The states of the piece in no region that moves lead to from one of them, by way of each other.
    fn hanging_together(&mut self, first: StateId, flood: u32) -> Vec<StateId> {
        let Division { walker, piece, is_left, seen, .. } = self;
        let mut enter = |state: StateId, found: &mut Vec<StateId>| {
            if let Some(place) = piece.place(state).filter(|&place| is_left[place] && seen[place] != flood) {
                seen[place] = flood;
                found.push(state);
            }
        };
        let mut found = Vec::new();
        enter(first, &mut found);
        let mut next = 0;
        while let Some(&state) = found.get(next) {
            next += 1;
            walker.successors(state, |neighbour| enter(neighbour, &mut found));
        }
        found
    }

    /// The state nearest to the middle of these; of equals the one with the least number.
    fn middle(&self, states: &[StateId]) -> StateId {
        let points = || states.iter().map(|&state| self.space.point(state));
        let count = states.len() as i64;
        let (x, y) = points().fold((0, 0), |(x, y), point| (x + point.x, y + point.y));
        let square = |value: i64| i128::from(value) * i128::from(value);
        let apart = |state: StateId| {
            let point = self.space.point(state);
            square(point.x - x / count) + square(point.y - y / count)
        };
        states.iter().copied().min_by_key(|&state| (apart(state), state)).unwrap_or(StateId::NONE)
    }

    /// Whether one climbs from a state to the centre, and from the centre to it.
    fn is_near(&self, state: StateId, centre: StateId) -> bool {
        let climbs = |from, to| self.walker.reaches(from, to, LONGEST_CLIMB);
        climbs(centre, state) && climbs(state, centre)
    }
}

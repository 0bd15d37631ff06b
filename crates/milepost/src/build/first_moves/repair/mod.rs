//! Repairs a table of first moves when its space changes, so that it need not be built anew.
//!
//! 1. [`versions`]: the space before and after an edit, and whose edges have changed.
//! 2. Which moves are wrong now: [`exact`], with distances from an [`oracle`]; or as [`printed`] in lecture notes.
//! 3. [`write`]: the table with these moves corrected.
//!
//! Edits are made together if they make edges dearer, or cheaper, but not both; else one after another. Where a repair
//! would take longer than a rebuild, or cannot be made, the table is built anew, and the report says why.

mod exact;
mod near;
mod oracle;
mod printed;
mod versions;
mod write;

use super::Method;
use super::blocks::Plan;
use super::distances::Distances;
use crate::build::{BuildError, Progress, build, cell_flood, jump_table, jumping_grid};
use crate::core::StateId;
use crate::core::debug_as_sentence;
use crate::index::first_moves::{Head, LANES_ARRAY, RAW, SQUARES};
use crate::index::{Atlas, Bytes, IndexKind, JumpTable, LegCosts, Section, SectionKey};
use crate::space::{Edit, EditError, Grid, Space, SpaceKind};
use exact::{Repair, TooMuch, Work};
use oracle::{FloodOracle, JumpOracle, Oracle};
use std::collections::BTreeSet;
use thiserror::Error;
use versions::Versions;

/// How a table is repaired.
///
/// Shown by [`repair`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RepairMethod {
    /// Every move is optimal afterwards.
    #[default]
    Exact,
    /// As lecture notes print it: rows that should have been looked at may stay as they were. For raw tables.
    Printed,
}

/// What a repair did.
///
/// Shown by [`repair`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RepairReport {
    /// The states whose rows were looked at, in the order of their ids; of a table that was built anew all.
    pub examined: Vec<StateId>,
    /// Those whose rows were worked out anew towards all targets.
    pub rebuilt: Vec<StateId>,
    /// Those whose rows name another move to some target now.
    pub changed: Vec<StateId>,
    /// Pairs of a state and a target that were looked at beside the rebuilt rows.
    pub pairs: u64,
    /// Why the table was built anew instead.
    pub built_anew: Option<&'static str>,
    /// The printed method: its list of open nodes at the beginning and after every row.
    pub open_lists: Vec<Vec<StateId>>,
}

/// Why a table cannot be repaired.
///
/// Shown by [`repair`].
#[derive(Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RepairError {
    /// There is nothing to repair.
    #[error("there is no index `first-moves`")]
    NoIndex,
    /// The printed method works on raw tables.
    #[error(
        "the printed method is for raw tables, which only spaces of up to 256 states have; use the exact one"
    )]
    NotRaw,
    /// An edit cannot be made.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The new version cannot have such a table.
    #[error(transparent)]
    Build(#[from] BuildError),
}

debug_as_sentence!(RepairError);

/// The atlas after some edits, with its first moves repaired and no other index, and what was done.
///
/// ```
/// use milepost::build::{RepairError, RepairMethod, RepairReport, SILENT, repair};
/// use milepost::index::IndexKind;
/// use milepost::{Atlas, Edit, Grid, Point, Rule};
///
/// let grid = Grid::new(30, 20, Rule::Octile, |x, y| x % 7 != 3 || y % 5 == 1)?;
/// let atlas = Atlas::build(&grid, IndexKind::FIRST_MOVES)?;
/// let edits = [Edit::close(Point::new(3, 1))]; // a door closes
/// let (repaired, report) = repair(&atlas, &edits, RepairMethod::Exact, SILENT)?;
/// assert!(repaired.has(IndexKind::FIRST_MOVES)); // where `Atlas::edited` would have dropped it
/// let RepairReport { changed, .. } = report;
/// println!("{} states have another first move to some goal", changed.len());
/// let error = repair(&Atlas::new(grid), &edits, RepairMethod::Exact, SILENT).unwrap_err();
/// assert_eq!(error, RepairError::NoIndex);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn repair(
    atlas: &Atlas,
    edits: &[Edit],
    method: RepairMethod,
    progress: Progress<'_>,
) -> Result<(Atlas, RepairReport), RepairError> {
    let section = atlas.section(IndexKind::FIRST_MOVES).ok_or(RepairError::NoIndex)?;
    if method == RepairMethod::Printed && form(section) != RAW {
        return Err(RepairError::NotRaw);
    }
    let space = atlas.space().edited(edits)?;
    let mut touched = Touched::default();
    let mut work = Work { done: 0, most: limit(atlas.space()) };
    let bytes = match step(atlas, &space, method, &mut work, &mut touched)? {
        Err(Obstacle::Mixed) => edit_by_edit(atlas, edits, &mut work, &mut touched)?,
        done => done,
    };
    let repaired = Atlas::new(space);
    match bytes {
        Ok(bytes) => {
            let repaired = with_moves(&repaired, bytes)?;
            let report = touched.report(repaired.space());
            Ok((repaired, report))
        }
        Err(obstacle) => {
            let repaired = build(&repaired, IndexKind::FIRST_MOVES, progress)?;
            let all: Vec<StateId> = repaired.space().free_states().collect();
            let built_anew = Some(obstacle.text());
            let report = RepairReport {
                examined: all.clone(),
                rebuilt: all.clone(),
                changed: all,
                built_anew,
                ..RepairReport::default()
            };
            Ok((repaired, report))
        }
    }
}

/// Edits one after another, where together they make some edges dearer and others cheaper.
fn edit_by_edit(
    atlas: &Atlas,
    edits: &[Edit],
    work: &mut Work,
    touched: &mut Touched,
) -> Result<Result<Bytes, Obstacle>, RepairError> {
    let mut current = atlas.clone();
    for (place, edit) in edits.iter().enumerate() {
        let at_its_place = |error| EditError { place, ..error };
        let space = current.space().edited(std::slice::from_ref(edit)).map_err(at_its_place)?;
        match step(&current, &space, RepairMethod::Exact, work, touched)? {
            Ok(bytes) => current = with_moves(&Atlas::new(space), bytes)?,
            Err(obstacle) => return Ok(Err(obstacle)),
        }
    }
    let section = current.section(IndexKind::FIRST_MOVES).ok_or(RepairError::NoIndex)?;
    Ok(Ok(Bytes::copied(section.bytes())))
}

/// Why a table is built anew.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Obstacle {
    Empty,
    Form,
    Scale,
    Links,
    Lanes,
    Components,
    Costs,
    Work,
    /// Only while edits are made together.
    Mixed,
}

impl Obstacle {
    fn text(self) -> &'static str {
        match self {
            Obstacle::Empty => "there is nothing to repair",
            Obstacle::Form => "a table of this size has another form",
            Obstacle::Scale => "costs are measured in other units now",
            Obstacle::Links => "the map has links now, or has none any more",
            Obstacle::Lanes => "states share their rows in another way now",
            Obstacle::Components => "strong components are others now",
            Obstacle::Costs => "paths were too long for the costs that are exact now",
            Obstacle::Work => "a repair would take longer",
            Obstacle::Mixed => "an edit makes some edges dearer and others cheaper",
        }
    }
}

fn with_moves(atlas: &Atlas, bytes: Bytes) -> Result<Atlas, BuildError> {
    Ok(atlas.with_shared(SectionKey::plain(IndexKind::FIRST_MOVES), bytes)?)
}

fn form(section: &Section) -> u32 {
    section.array::<Head>(0).first().copied().unwrap_or_default().form
}

/// Pairs that may be looked at before a rebuild is quicker. Looking at one takes as long as a build takes for some 100
/// where it jumps, and for a few where it floods.
fn limit(space: &Space) -> u64 {
    let pairs = u64::from(space.states()).pow(2);
    let of_build = if jumping_grid(space, IndexKind::FIRST_MOVES).is_ok() { 100 } else { 4 };
    (pairs / of_build).max(1 << 17)
}

/// The states that repairs have touched so far.
#[derive(Default)]
struct Touched {
    examined: BTreeSet<StateId>,
    rebuilt: BTreeSet<StateId>,
    changed: BTreeSet<StateId>,
    pairs: u64,
    open_lists: Vec<Vec<StateId>>,
}

impl Touched {
    fn report(self, space: &Space) -> RepairReport {
        let listed = |set: BTreeSet<StateId>| set.into_iter().filter(|&state| space.is_free(state)).collect();
        RepairReport {
            examined: listed(self.examined),
            rebuilt: listed(self.rebuilt),
            changed: listed(self.changed),
            pairs: self.pairs,
            built_anew: None,
            open_lists: self.open_lists,
        }
    }
}

/// The table after one edit, or why it has to be built anew.
fn step(
    atlas: &Atlas,
    new: &Space,
    method: RepairMethod,
    work: &mut Work,
    touched: &mut Touched,
) -> Result<Result<Bytes, Obstacle>, RepairError> {
    let old = atlas.space();
    let (section, stored) = match (atlas.section(IndexKind::FIRST_MOVES), atlas.first_moves()) {
        (Some(section), Some(stored)) => (section, stored),
        _ => return Err(RepairError::NoIndex),
    };
    let old_order = stored.order();
    let plan = Plan::numbered(new, form(section) == RAW, kept_order(new, &old_order))?;
    if let Some(obstacle) = obstacle(old, section, &plan) {
        return Ok(Err(obstacle));
    }
    let arrays = if plan.form == SQUARES { Method::tables(&plan)?.0 } else { None };
    let distances = match (&arrays, new.as_grid()) {
        (Some(arrays), Some(grid)) => {
            Distances::new(grid, JumpTable::of(grid, &arrays.squares, &arrays.entries)).ok()
        }
        _ => None,
    };
    let distances = distances.filter(|distances| is_exact_for(old, distances.graph.costs));
    let costs = distances.as_ref().map(|distances| distances.graph.costs);
    let versions = Versions::new((old, &old_order), (new, &plan.order), costs);
    let changes = versions.changes();
    let named = |numbers: &[u32]| -> Vec<StateId> {
        numbers.iter().map(|&number| plan.order[number as usize]).collect()
    };
    if method == RepairMethod::Printed {
        let wave = printed::repair(&versions, &changes, &stored);
        touched.examined.extend(named(&wave.closed));
        touched.rebuilt.extend(named(&wave.closed));
        touched.changed.extend(named(&wave.changed));
        touched.open_lists = wave.open_lists;
        return Ok(Ok(write::write(&plan, &versions, &stored, &wave.corrections)?));
    }
    if changes.grows && changes.shrinks {
        return Ok(Err(Obstacle::Mixed));
    }
    let old_arrays = match old.as_grid().filter(|_| costs.is_some() && changes.shrinks) {
        Some(grid) => Some(jump_table::table(grid)?),
        None => None,
    };
    let (oracle, old_oracle) = match (distances, old.as_grid(), &old_arrays) {
        (Some(distances), Some(grid), Some((squares, entries))) => {
            let old = Distances::new(grid, JumpTable::of(grid, squares, entries)).ok();
            match old.filter(|old| Some(old.graph.costs) == costs) {
                Some(old) => (jumps(distances), Some(jumps(old))),
                None => return Ok(Err(Obstacle::Costs)),
            }
        }
        (Some(distances), ..) => (jumps(distances), None),
        _ => {
            let old_floods = changes.shrinks.then(|| floods(&versions.old_network));
            (floods(&versions.new_network), old_floods)
        }
    };
    // Where paths can jump, every step can be taken back.
    let backwards = oracle.floods().then(|| versions.new_network.reversed());
    let towards = stored.towards(plan.order[0]);
    let mut repair =
        Repair { versions: &versions, changes: &changes, stored, towards, backwards, oracle, old_oracle };
    let Ok(wave) = charge(&versions, work).and_then(|()| repair.run(work)) else {
        return Ok(Err(Obstacle::Work));
    };
    let numbers = |flags: &[bool]| -> Vec<u32> {
        (0..).zip(flags).filter(|(_, is_set)| **is_set).map(|(number, _)| number).collect()
    };
    touched.examined.extend(named(&numbers(&wave.is_examined)));
    touched.rebuilt.extend(named(&changes.near));
    touched.changed.extend(named(&numbers(&wave.is_changed)));
    touched.pairs += wave.pairs;
    Ok(Ok(write::write(&plan, &versions, &stored, &wave.corrections)?))
}

/// What every edit costs before its wave begins: the versions, distances between jump points, and rows written anew.
fn charge(versions: &Versions<'_>, work: &mut Work) -> Result<(), TooMuch> {
    work.take(8 * versions.new_order.len() as u64)
}

fn jumps(distances: Distances<'_>) -> Oracle<'_> {
    Oracle::Jumps(Box::new(JumpOracle::new(distances)))
}

fn floods<'a>(network: &crate::build::network::Network) -> Oracle<'a> {
    Oracle::Floods(Box::new(FloodOracle::new(network)))
}

/// Whether costs that are exact in the new version are so in the old one.
fn is_exact_for(old: &Space, costs: LegCosts) -> bool {
    let least = old.as_grid().and_then(cell_flood::costs);
    least.is_some_and(|least| least.straight <= costs.straight)
}

/// States keep their order; those that appear come last. Cells of a grid lie along the curve: they have no order of
/// their own.
fn kept_order(new: &Space, old_order: &[StateId]) -> Vec<StateId> {
    if new.as_grid().is_some() {
        return Vec::new();
    }
    let mut order: Vec<StateId> = old_order.iter().copied().filter(|&state| new.is_free(state)).collect();
    let mut is_known = vec![false; new.id_bound()];
    order.iter().for_each(|state| is_known[state.index()] = true);
    order.extend(new.free_states().filter(|state| !is_known[state.index()]));
    order
}

/// Why a table cannot be repaired to this plan, if so.
fn obstacle(old: &Space, section: &Section, plan: &Plan<'_>) -> Option<Obstacle> {
    let (new, form) = (plan.space, form(section));
    let scale = |space: &Space| space.as_grid().map(Grid::scale);
    let links = |space: &Space| space.as_grid().is_some_and(|grid| !grid.links().is_empty());
    if new.states() == 0 || old.states() == 0 {
        return Some(Obstacle::Empty);
    }
    if form != plan.form {
        return Some(Obstacle::Form);
    }
    if scale(old) != scale(new) {
        return Some(Obstacle::Scale);
    }
    if form == RAW {
        return None;
    }
    if links(old) != links(new) {
        return Some(Obstacle::Links);
    }
    if form != SQUARES
        && (section.array::<u32>(LANES_ARRAY) != plan.first_lanes || old.states() != new.states())
    {
        return Some(Obstacle::Lanes);
    }
    // What cannot be reached has any symbol where that is known without the table.
    let is_directed = links(new) || new.walked_graph().is_some();
    let has_moved = |state: StateId| component(old, state) != component(new, state);
    (is_directed && new.free_states().any(has_moved)).then_some(Obstacle::Components)
}

fn component(space: &Space, state: StateId) -> Option<u32> {
    space.is_free(state).then(|| space.component(state)).flatten()
}

#[cfg(test)]
mod tests;

//! D* Lite over connected components of 8 x 8 blocks of what the agent believes, a slice of it at every step, refined to
//! cells by floods of one word. Our own; the best we know for unknown terrain.
//!
//! # Paper
//! S. Koenig, M. Likhachev: D* Lite, AAAI 2002, the final version (Figure 4), is the search. What it searches, and what
//! the agent does while it is not ready, is ours.
//!
//! | file | what it holds |
//! |---|---|
//! | `search` | D* Lite |
//! | `repair` | divides a block into components, when it is met and when the belief about it has changed |
//! | `choice` | the next component among equal ones |
//! | `refine` | from components to cells |
//! | `interim` | moves while the search is not ready |
//! | `blocks` | blocks and components, and which of them are joined |
//! | `masks` | sets of cells of a block as words |
//! | `queue` | the open list |
//! | `arena`, `meter` | records in pages; units |
//! | `saved` | the search as it is saved |
//!
//! # A step
//! 1. Look. Blocks that the search has met and of which something was seen otherwise than believed become stale.
//! 2. Divide stale blocks into components again. A *component* is a connected set of cells of a block that are not known to
//!    be blocked; two components of neighbouring blocks are joined if one move leads from one to the other.
//! 3. Expand components until the cost of the one where the agent stands is settled, or the units are spent.
//! 4. Settled: of the next components by which it costs the same, choose one. Go straight there if nothing lies in between;
//!    if not, a flood from its border over the own component says for every cell where to go.
//! 5. Not settled yet: if a way is known at all, try it; else follow the wall, for some moves after every discovery; else
//!    step aside and back again. It never stands still.
//!
//! # Symbols
//! | paper | here |
//! |---|---|
//! | g(s), rhs(s), k_m, U | `g`, `rhs`, `km`, `queue` |
//! | the argument of the minimum in rhs(s) | `successor`; unknown while it has to be found out |
//! | s_start, s_goal, s_last | `start`, `goal`, `origin` |
//! | CalculateKey, UpdateVertex, ComputeShortestPath | `key`, `update`, `compute_shortest_path` |
//!
//! # Guarantees
//! *Work*: no step takes more than its units, whatever the map, and every unit is constant work: components are examined
//! eight to a unit, joined or not, as a state is expanded with eight successors; a component that is flooded, expanded or
//! given up is a unit, and so is a cell whose belief changes, a key that is out of date, a move with a look at where it
//! leads, and each step of the flood over a component. The open list takes five words whatever is in it. All of it stops
//! anywhere and goes on in the next step.
//!
//! *Complete*: on a map that holds still there are finitely many discoveries. After the last one it makes finitely many
//! moves that are not settled; then it stays with its component until the search is settled, which it becomes since nothing
//! changes any more. From there every component that it comes to is strictly cheaper than the one before, down to the goal.
//! If nothing is open and the cost is still infinite, no way leads through anything not seen blocked: there is none. That
//! takes no clock: an agent that cannot reach the goal is told so.
//!
//! *Memory*: blocks that the search has met and those that were seen, about 32 bytes for each component. No table over the
//! map.
//!
//! # Deviations
//! 1. States are components, not cells: 64 times fewer. A step from component to component costs 5, over a corner 7,
//!    whatever their cells; the estimate is the same measure between blocks, and so consistent.
//! 2. Keys are rounded down to a range that no step is cheaper than; in a range those come first that may become dearer,
//!    else costs of components that lead nowhere could chase each other upwards.
//! 3. A component that loses its `successor` is put into the open list with the old cost as a bound, and finds out the new
//!    one when its turn comes. The paper finds it out at once, in the middle of an expansion.
//! 4. A change divides a block into components anew. What lies in an old component goes on as that component; others are
//!    new, and those that went by a border that has changed are asked.
//! 5. The agent does not wait for the search. Moves that are not settled are counted from discovery to discovery, because
//!    counted from one settled search to the next they can lead in circles.
//! 6. Of equally good neighbours it goes by one with a known wall, and of those by the nearest to the line to the goal.
//!
//! What was tried without gain is in `docs/unknown-terrain.md`.

mod arena;
mod blocks;
mod choice;
mod interim;
mod masks;
mod meter;
mod queue;
mod refine;
mod repair;
mod saved;
mod search;
#[cfg(test)]
mod tests;

use self::blocks::BelievedGrid;
use self::interim::InterimMoves;
use self::meter::Meter;
use self::refine::{Field, FieldAnswer, Route};
use self::search::{DStar, Progress};
use crate::agent::base::{
    About, Algorithm, Change, Decision, Limits, Memory, Parameter, Ranks, Situation, SpaceLimits, Terrain,
};
use crate::core::StateId;
use crate::space::{Direction, GridGeometry, PriorMap};
use serde::{Deserialize, Serialize};

/// D* Lite over components of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct BlockDStar {
    /// Units that a step may take.
    units: u32,
}

/// What a step takes at least.
const LEAST_UNITS: u32 = 16;

/// A cell and its neighbours.
const NEAR: u64 = 9;

/// Moves on paths that are not settled that a discovery allows.
const MOST_UNSETTLED_MOVES: u32 = 16;

/// Moves along a wall that a discovery allows.
const MOST_WALL_MOVES: u32 = 4;

/// What an agent remembers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct BlockDStarMemory {
    /// None before the first step and after a new goal.
    search: Option<Box<DStar>>,
    /// Where to go in the component where it stands.
    field: Option<Field>,
    interim: InterimMoves,
    /// Moves since something was discovered or the search began.
    idle: u64,
}

impl Algorithm for BlockDStar {
    const ABOUT: About = About {
        name: "block-dstar",
        summary: "D* Lite over connected pieces of 8 x 8 blocks, a slice of it at every step, refined cell by cell; our own",
        guarantee: "complete; never stands still",
        memory: "costs of the blocks that its search has met",
        graphs: false,
        ranks: Ranks { by_sight: Some(1), ..Ranks::NONE },
        ..About::BY_SIGHT
    };
    const DEFAULT: BlockDStar = BlockDStar { units: 64 };
    const PARAMETERS: &'static [Parameter<BlockDStar>] = &[Parameter::count(
        "",
        "units a step",
        "a number of units",
        (LEAST_UNITS, u32::MAX),
        |block_dstar| &mut block_dstar.units,
        "what a step may take, beside a unit for every eight cells that it sees",
    )];
    type Memory = BlockDStarMemory;

    /// The look and what it shows nearby are among the units of a step; those for the cells that it tells of come beside them.
    fn limits(&self, _: SpaceLimits) -> Limits {
        let after_look = |units: u32| u64::from(units).saturating_sub(1 + NEAR);
        let (min_units, max_units) = (after_look(LEAST_UNITS), after_look(self.units));
        Limits { min_units, max_units: Some(max_units), max_thinking: 0 }
    }

    fn decide(&self, memory: &mut BlockDStarMemory, here: &mut Situation<'_>) -> Decision {
        let Terrain::Believed(&PriorMap::Grid(geometry), belief) = here.terrain else {
            return Decision::NoPath;
        };
        // What was seen is part of the step, and so is the move, with a look at where it leads. A wide view leaves as much as one
        // of the neighbours.
        let spent = 1 + NEAR.min(here.changes.len() as u64);
        let units = here.budget.left().min(u64::from(self.units).saturating_sub(spent)).saturating_sub(1);
        let mut meter = Meter::new(units);
        let direction = memory.advance(BelievedGrid { geometry, belief }, here, &mut meter);
        here.budget.charge(units - meter.left() + u64::from(direction.is_some()));
        direction
            .map_or(Decision::NoPath, |direction| Decision::Move(neighbour(geometry, here.at, direction)))
    }

    fn map_changed(&self, _: &mut BlockDStarMemory, _: Change<'_>) {
        // The decision marks blocks as stale, and repairs them as far as its units go.
    }

    fn take_in(&self, memory: &mut BlockDStarMemory, here: &mut Situation<'_>) {
        if let Terrain::Believed(&PriorMap::Grid(geometry), belief) = here.terrain {
            memory.mark_stale(BelievedGrid { geometry, belief }, here);
        }
    }

    fn page_bytes(&self, memory: &BlockDStarMemory, space: SpaceLimits) -> usize {
        DStar::page_bytes(memory.search.as_deref(), self.units as usize, space.view as usize + 1)
    }
}

/// A search that begins on a map of this size settles, and its way is walked to the end, in fewer moves than this if
/// nothing is discovered: sixteen for each cell are more than all its components take with the fewest units. An agent that
/// needs more was restored from a forged save, and begins anew.
fn restart_after(geometry: GridGeometry) -> u64 {
    1024 + 16 * u64::from(geometry.width()) * u64::from(geometry.height())
}

impl BlockDStarMemory {
    /// 1. Blocks of which something was seen otherwise than believed become stale.
    fn mark_stale(&mut self, believed: BelievedGrid<'_>, here: &Situation<'_>) {
        self.interim.wall_moves = 0;
        self.interim.unsettled_moves = 0;
        self.idle = 0;
        let search = begun(&mut self.search, &mut self.field, believed, here);
        for (cell, _) in here.changes {
            search.mark_stale(believed, *cell);
        }
    }

    /// Finds the direction of the move that is best now; none if there is no path.
    fn advance(
        &mut self,
        believed: BelievedGrid<'_>,
        here: &mut Situation<'_>,
        meter: &mut Meter,
    ) -> Option<usize> {
        let geometry = believed.geometry;
        if self.idle > restart_after(geometry) {
            self.forget();
        }
        // 2. and 3. Away from home it goes on with the search from there.
        let home = match self.interim.back.filter(|_| self.interim.is_away) {
            Some(back) => neighbour(geometry, here.at, back),
            None => here.at,
        };
        let BlockDStarMemory { search, field, interim, idle } = self;
        let search = begun(search, field, believed, here);
        search.move_start(believed, home);
        let units = meter.left();
        let progress = search.compute_shortest_path(believed, believed.locate(home).1, meter);
        if meter.left() < units {
            here.count_search();
        }
        let legal = believed.directions(here.at).bits();
        if progress == Progress::NoPath || legal == 0 {
            return None;
        }
        // 4. and 5. A path is known, be it settled or not.
        let cell = believed.locate(here.at).1;
        let is_unsettled = progress == Progress::Busy
            && interim.unsettled_moves < MOST_UNSETTLED_MOVES
            && search.has_unsettled_path();
        let mut direction = None;
        if home == here.at && (progress == Progress::Ready || is_unsettled) {
            if progress == Progress::Ready && !search.has_chosen(field.as_ref()) {
                search.choose(believed, meter);
            }
            direction = next_direction(search, field, believed, cell, meter)
                .filter(|direction| legal >> direction & 1 == 1);
            interim.unsettled_moves += u32::from(is_unsettled);
        }
        // 5. No path is known yet.
        let direction = match direction {
            Some(direction) => {
                interim.back = None;
                direction
            }
            None if progress == Progress::Busy
                && interim.back.is_none()
                && interim.wall_moves < MOST_WALL_MOVES =>
            {
                interim.follow_wall(legal)
            }
            None => {
                let inside =
                    if search.start.is_some() { search.components[search.start].cells } else { u64::MAX };
                interim.step_aside(legal, cell, inside)
            }
        };
        interim.heading = direction;
        *idle += 1;
        Some(direction)
    }
}

/// The search; a new one from where the agent stands, if there is none or its keys have come near their bound.
fn begun<'s>(
    search: &'s mut Option<Box<DStar>>,
    field: &mut Option<Field>,
    believed: BelievedGrid<'_>,
    here: &Situation<'_>,
) -> &'s mut DStar {
    if search.as_ref().is_some_and(|search| search.keys_near_overflow()) {
        (*search, *field) = (None, None);
    }
    search.get_or_insert_with(|| Box::new(DStar::new(believed, here.at, here.goal)))
}

/// The next cell in a direction.
fn neighbour(geometry: GridGeometry, at: StateId, direction: usize) -> StateId {
    geometry.neighbour(at, Direction::from_number(direction))
}

/// Where to go from a cell to come to the next component.
fn next_direction(
    search: &mut DStar,
    field: &mut Option<Field>,
    believed: BelievedGrid<'_>,
    cell: u64,
    meter: &mut Meter,
) -> Option<usize> {
    let start = &search.components[search.start];
    let block = search.blocks.at(start.block);
    let route = if search.start == search.goal {
        Some(Route::to_cell(block, start, search.target.1))
    } else {
        let successor = start.successor.is_some().then(|| &search.components[start.successor]);
        successor.and_then(|successor| {
            let direction = search.blocks.direction(start.block, successor.block)?;
            Some(Route::to_component(block, start, direction, successor))
        })
    };
    let answer = route.map_or(FieldAnswer::Nowhere, |route| {
        let kept = field.take().filter(|field| field.route == route);
        field.insert(kept.unwrap_or_else(|| Field::new(route))).direction(believed, cell, meter)
    });
    match answer {
        FieldAnswer::Go(direction) => Some(direction),
        FieldAnswer::Later => None,
        FieldAnswer::Nowhere => {
            // The components of a forged save need not be joined.
            *field = None;
            search.invalidate(search.start);
            None
        }
    }
}

impl Memory for BlockDStarMemory {
    fn is_sound(&mut self, terrain: Terrain<'_>, _: StateId, _: StateId) -> bool {
        terrain.unseen_grid().is_some_and(|geometry| {
            self.interim.is_sound()
                && self.field.is_none_or(|field| field.is_sound(geometry))
                && self.search.as_ref().is_none_or(|search| search.geometry == geometry)
        })
    }

    fn bytes(&self) -> usize {
        self.search.as_ref().map_or(0, |search| size_of::<DStar>() + search.bytes())
    }
}

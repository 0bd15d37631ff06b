//! D* Lite over connected pieces of 8 x 8 blocks of what the scout believes, a slice of it at every step, refined to cells
//! by floods of one word. Our own; the best we know for unknown terrain.
//!
//! # Paper
//! S. Koenig, M. Likhachev: D* Lite, AAAI 2002, the final version (Figure 4), is the search. What it searches, and what
//! the scout does while it is not ready, is ours.
//!
//! | file | what it holds |
//! |---|---|
//! | `search` | D* Lite |
//! | `repair` | divides a block into pieces, when it is met and when the belief about it has changed |
//! | `choice` | the next piece among equal ones |
//! | `refine` | from pieces to cells |
//! | `gait` | moves while the search is not ready |
//! | `blocks` | blocks and pieces, and which of them are joined |
//! | `masks` | sets of cells of a block as words |
//! | `queue` | the open list |
//! | `arena`, `meter` | records in pages; units |
//! | `saved` | the scout as bytes |
//!
//! # A step
//! 1. Look. Blocks that the search has met and of which something was seen otherwise than believed become stale.
//! 2. Divide stale blocks into pieces again. A *piece* is a connected set of cells of a block that are not known to be
//!    blocked; two pieces of neighbouring blocks are joined if one move leads from one to the other.
//! 3. Expand pieces until the cost of the one where the scout stands is settled, or the units are spent.
//! 4. Settled: of the next pieces by which it costs the same, choose one. Go straight there if nothing lies in between; if
//!    not, a flood from its border over the own piece says for every cell where to go.
//! 5. Not settled yet: if a way is known at all, try it; else follow the wall, for some moves after every discovery; else
//!    step aside and back again. It never stands still.
//!
//! # Symbols
//! | paper | here |
//! |---|---|
//! | g(s), rhs(s), k_m, U | `g`, `rhs`, `km`, `queue` |
//! | the argument of the minimum in rhs(s) | `via`; unknown while it has to be found out |
//! | s_start, s_goal, s_last | `start`, `goal`, `origin` |
//! | CalculateKey, UpdateVertex, ComputeShortestPath | `key`, `update`, `think` |
//!
//! # Guarantees
//! *Work*: no step takes more than its units, whatever the map, and every unit is constant work: pieces are examined eight
//! to a unit, joined or not, as a state is expanded with eight successors; a piece that is flooded, expanded or given up
//! is a unit, and so is a cell whose belief changes, a key that is out of date, a move with a glance at where it leads, and
//! each step of the flood over a piece. The open list takes five words whatever is in it. All of it stops anywhere and goes
//! on in the next step.
//!
//! *Complete*: on a map that holds still there are finitely many discoveries. After the last one it makes finitely many
//! moves that are not settled; then it stays with its piece until the search is settled, which it becomes since nothing
//! changes any more. From there every piece that it comes to is strictly cheaper than the one before, down to the goal. If
//! nothing is open and the cost is still infinite, no way leads through anything not seen blocked: there is none. Steps of
//! this kind need no clock: whoever cannot reach the goal is told so.
//!
//! *Memory*: blocks that the search has met and those that were seen, about 32 bytes for each piece. No table over the map.
//!
//! # Deviations
//! 1. States are pieces, not cells: 64 times fewer. A step from piece to piece costs 5, over a corner 7, whatever their
//!    cells; the estimate is the same measure between blocks, and so consistent.
//! 2. Keys are rounded down to a range that no step is cheaper than; in a range those come first that may become dearer,
//!    else costs of pieces that lead nowhere could chase each other upwards.
//! 3. Who loses its `via` is put into the open list with the old cost as a bound, and finds out the new one when its turn
//!    comes. The paper finds it out at once, in the middle of an expansion.
//! 4. A change divides a block into pieces anew. What lies in an old piece goes on as that piece; others are new, and those
//!    who went by a border that has changed are asked.
//! 5. The scout does not wait for the search. Moves that are not settled are counted from discovery to discovery, because
//!    counted from one settled search to the next they can lead in circles.
//! 6. Of equally good neighbours it goes by one with a known wall, and of those by the nearest to the line to the goal.
//!
//! # Tried without gain
//! On other maps than those of `docs/unknown-terrain.md`, as mean ratios of costs, at 64 units unless said otherwise.
//! - Steps into blocks with known walls that cost 2 % to 40 % more: 1.012 to 1.017; 80 % more: 1.054. In the order of
//!   equal ways alone such blocks do well if they come first (0.992), and badly if they come last (1.007).
//! - Among equal ways the one without a turn: 1.016; the diagonal ones first: 1.016; ways that cost up to 3
//!   more allowed: 1.034, on the maps of that page.
//! - Estimates to where the scout is from 2 blocks on: dearer at both 16 and 64 units; from 6 on: 0.998 and 1.002; from 8
//!   on: dearer.
//! - 2 to 16 moves along a wall for a discovery: 0.994 to 0.999 at 16 units; none: dearer. No hopeful moves: 0.999.
//! - One unit in eight kept for the way to the next piece: 1.007 at 16 units.
//! - A field kept when cells were closed that its way does not pass: the same moves, hardly fewer units.

mod arena;
mod blocks;
mod choice;
mod gait;
mod masks;
mod meter;
mod queue;
mod refine;
mod repair;
mod saved;
mod search;
#[cfg(test)]
mod tests;

use self::blocks::Terrain;
use self::gait::Gait;
use self::meter::Meter;
use self::refine::{Field, Route, Turn};
use self::search::{DStar, Progress};
use super::errand::Errand;
use super::{Limits, Refused, Restoring, SavedAgentError, Saving, Scout, ScoutKind, Sensor, Step, Traveller};
use crate::core::{Budget, StateId};
use crate::plan::{Refusal, Scratch};
use crate::space::{BeliefChange, GridGeometry, PriorMap};

/// Scouts that search among pieces of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockDStar {
    /// Units that a step may take.
    units: u32,
}

impl BlockDStar {
    /// What a step takes at least.
    pub const LEAST_UNITS: u32 = 16;
    /// What a step takes unless it is told otherwise.
    pub const UNITS: u32 = 64;

    /// With so many units a step; none if they are too few.
    pub fn new(units: u32) -> Option<BlockDStar> {
        (units >= BlockDStar::LEAST_UNITS).then_some(BlockDStar { units })
    }

    /// A scout on this ground.
    pub fn start(&self, ground: PriorMap<'_>, from: StateId, to: StateId) -> BlockDStarScout {
        BlockDStarScout {
            kind: *self,
            errand: Errand::new(ground, from, to),
            search: None,
            field: None,
            gait: Gait::default(),
            idle: 0,
            searches: 0,
        }
    }
}

impl ScoutKind for BlockDStar {
    fn limits(&self) -> Limits {
        let min_units = u64::from(BlockDStar::LEAST_UNITS);
        Limits { min_units, max_units: self.units.into(), max_thinking: 0 }
    }

    fn refusal(&self, ground: PriorMap<'_>) -> Option<Refusal> {
        match ground {
            PriorMap::Graph(_) => Some(Refusal::Graph),
            PriorMap::Grid(_) => Refusal::of_scouts(ground),
        }
    }
}

/// A cell and its neighbours.
const NEAR: usize = 9;

/// Moves on ways that are not settled that a discovery allows.
const HOPEFUL: u32 = 16;

/// Moves along a wall that a discovery allows.
const ALONG_WALL: u32 = 4;

/// A scout that searches among pieces of blocks.
#[derive(Clone, Debug)]
pub struct BlockDStarScout {
    kind: BlockDStar,
    errand: Errand,
    /// None before the first step and after a new goal.
    search: Option<Box<DStar>>,
    /// Where to go in the piece where it stands.
    field: Option<Field>,
    gait: Gait,
    /// Moves since something was discovered or the search began.
    idle: u64,
    /// Steps that searched.
    searches: u64,
}

/// A search that begins on a map of this size settles, and its way is walked to the end, in fewer moves than this if nothing
/// is discovered: sixteen for each cell are more than all its pieces take with the fewest units. Whoever needs more was
/// restored from bytes that somebody has changed, and begins anew.
fn patience(outline: GridGeometry) -> u64 {
    1024 + 16 * u64::from(outline.width()) * u64::from(outline.height())
}

impl BlockDStarScout {
    pub(crate) fn restore(bytes: &mut Restoring<'_>) -> Result<BlockDStarScout, SavedAgentError> {
        saved::restore(bytes)
    }

    /// No way leads through what is believed to be free. Whoever asks again lets it begin anew.
    fn give_up(&mut self) -> Step {
        self.begin_anew();
        self.errand.give_up()
    }

    /// Drops the search and whatever follows from it.
    fn begin_anew(&mut self) {
        (self.search, self.field, self.gait, self.idle) = (None, None, Gait::default(), 0);
    }

    /// Takes in what is seen, and makes the move that is best now.
    fn advance(&mut self, sensor: &dyn Sensor, outline: GridGeometry, budget: &mut Budget) -> Step {
        let ground = PriorMap::Grid(outline);
        // Half of a step for what is new leaves half of it to think about it.
        self.errand.look(sensor, (budget.left() as usize / 2).max(NEAR), budget);
        if self.idle > patience(outline) {
            self.begin_anew();
        }
        let Errand { at, goal, ref belief, ref news, .. } = self.errand;
        let terrain = Terrain { outline, belief };
        if !news.is_empty() {
            self.gait.along_wall = 0;
            self.gait.hopeful = 0;
            self.idle = 0;
        }
        if self.search.as_ref().is_some_and(|search| search.is_worn_out()) {
            self.search = None;
        }
        if !self.errand.is_possible(ground) {
            return self.give_up();
        }
        if at == goal {
            return Step::Arrived;
        }
        let search = self.search.get_or_insert_with(|| Box::new(DStar::new(terrain, at, goal)));
        for (cell, _) in news {
            search.note(terrain, *cell);
        }
        // Away from home it goes on with the search from there.
        let home = match self.gait.back.filter(|_| self.gait.is_away) {
            Some(back) => stepped(outline, at, back),
            None => at,
        };
        search.stand(terrain, home);
        let legal = self.errand.moves(ground).directions(outline, at).bits();
        // One unit is for the move, with a glance.
        let units = budget.left() - 1;
        let mut meter = Meter::new(units);
        let progress = search.think(terrain, terrain.block(home).1, &mut meter);
        self.searches += u64::from(meter.left() < units);
        if progress == Progress::NoPath || legal == 0 {
            budget.charge(units - meter.left());
            return self.give_up();
        }
        let cell = terrain.block(at).1;
        let is_hopeful = progress == Progress::Busy && self.gait.hopeful < HOPEFUL && search.is_hopeful();
        let mut way = None;
        if home == at && (progress == Progress::Ready || is_hopeful) {
            if progress == Progress::Ready && !search.has_chosen(self.field.as_ref()) {
                search.choose(terrain, &mut meter);
            }
            way = next_way(search, &mut self.field, terrain, cell, &mut meter)
                .filter(|way| legal >> way & 1 == 1);
            self.gait.hopeful += u32::from(is_hopeful);
        }
        budget.charge(units - meter.left() + 1);
        let way = match way {
            Some(way) => {
                self.gait.back = None;
                way
            }
            None if progress == Progress::Busy
                && self.gait.back.is_none()
                && self.gait.along_wall < ALONG_WALL =>
            {
                self.gait.follow_wall(legal)
            }
            None => {
                let inside =
                    if search.start.is_some() { search.pieces[search.start].cells } else { u64::MAX };
                self.gait.step_aside(legal, cell, inside)
            }
        };
        self.gait.heading = way;
        self.idle += 1;
        self.errand.at = stepped(outline, at, way);
        Step::Move(self.errand.at)
    }
}

/// The next cell in a direction.
fn stepped(outline: GridGeometry, at: StateId, way: usize) -> StateId {
    let (dx, dy) = masks::offset(way);
    StateId::new(at.number().wrapping_add((dy * i64::from(outline.stride()) + dx) as u32))
}

/// Where to go from a cell to come to the next piece.
fn next_way(
    search: &mut DStar,
    field: &mut Option<Field>,
    terrain: Terrain<'_>,
    cell: u64,
    meter: &mut Meter,
) -> Option<usize> {
    let start = &search.pieces[search.start];
    let route = if search.start == search.goal {
        Some(Route::to_cell(start, search.target.1))
    } else {
        let via = start.via.is_some().then(|| &search.pieces[start.via]);
        via.and_then(|via| Some(Route::to_piece(start, search.blocks.way(start.place, via.place)?, via)))
    };
    let turn = route.map_or(Turn::Nowhere, |route| {
        let kept = field.take().filter(|field| field.route == route);
        field.insert(kept.unwrap_or_else(|| Field::new(route))).way(terrain, cell, meter)
    });
    match turn {
        Turn::Go(way) => Some(way),
        Turn::Later => None,
        Turn::Nowhere => {
            // Cannot be, unless somebody has changed the bytes that this was restored from.
            *field = None;
            search.doubt(search.start);
            None
        }
    }
}

impl Scout for BlockDStarScout {
    fn step(&mut self, sensor: &dyn Sensor, _: &mut Scratch, budget: &mut Budget) -> Step {
        let ground = sensor.ground();
        if let Err(refused) = self.errand.check(ground, self.kind.limits(), budget) {
            return Step::Refused(refused);
        }
        if let Some(refusal) = self.kind.refusal(ground) {
            return Step::Refused(Refused::Unable(refusal));
        }
        let Some(outline) = ground.as_grid() else { return Step::Refused(Refused::Unable(Refusal::Graph)) };
        let mut own = Budget::units(budget.left().min(self.kind.units.into()));
        let step = self.advance(sensor, outline, &mut own);
        budget.charge(own.spent());
        step
    }
}

impl Traveller for BlockDStarScout {
    fn retarget(&mut self, goal: StateId) {
        self.errand.goal = goal;
        self.begin_anew();
    }

    fn state(&self) -> StateId {
        self.errand.at
    }

    fn goal(&self) -> StateId {
        self.errand.goal
    }

    fn limits(&self) -> Limits {
        self.kind.limits()
    }

    /// Of a scout that sees its neighbours: who sees farther also allocates for what it sees.
    fn page_bytes(&self) -> usize {
        let units = self.kind.units as usize;
        let news = 4 * units * size_of::<(StateId, BeliefChange)>();
        self.errand.page_bytes() + news + DStar::page_bytes(self.search.as_deref(), units)
    }

    fn bytes(&self) -> usize {
        let search = self.search.as_ref().map_or(0, |search| size_of::<DStar>() + search.bytes());
        size_of::<BlockDStarScout>() + self.errand.bytes() + search
    }

    fn remembered(&self) -> u64 {
        self.errand.belief.states()
    }

    fn searches(&self) -> Option<u64> {
        Some(self.searches)
    }

    fn save(&self, saving: &mut Saving) {
        saved::save(self, saving);
    }
}

//! Plans a path over corners while it walks: a few hundred units of a search in a small hierarchy with every move, until
//! the path is there, which is after one or two.
//!
//! # Paper
//! Ours. It keeps the promise of real-time search (work per move bounded whatever the map: V. Bulitko, Y. Björnsson,
//! R. Lawrence: Case-based subgoaling in real-time heuristic search for video game pathfinding, JAIR 2010) by the means of
//! the planner [`CornerHierarchy`](crate::plan::CornerHierarchy), cut into slices.
//!
//! # Symbols
//! `s` where the agent stood when the plan was begun, `t` its goal. A cell *sees* another if the run of diagonal steps
//! first, then straight ones, is free.
//!
//! # The phases
//! 1. *Seed*: the corners listed for the blocks of `s` and of `t` are put into the open lists; those that not all cells of
//!    the block see are only perhaps seen.
//! 2. *Search* in the hierarchy from both ends. A corner that is perhaps seen is *looked* at when it would be expanded.
//! 3. *Climb* down from where both sides met: the path, as edges of the hierarchy.
//! 4. Unless the path is as short as an octile run: does `s` *see* `t`, or `t` see `s`?
//! 5. If both are near each other, *A\** over cells finds what is shorter still, if it does not take too long.
//! 6. *Walk*: the next few edges are unpacked to runs, and followed.
//!
//! Before the path is there the agent walks towards the corner that a table of hints names, then towards the first corner
//! of the path; it remembers how it went. Once the path is there it makes for its first corner if that is seen from where
//! it stands, else goes back the way it came. If the goal is near it stands and thinks instead, for up to
//! [`MOST_THINKING`] steps.
//!
//! # Guarantees
//! *Complete.* If neither of `s` and `t` sees the other there are corners at which a path from `s` may turn, and such a
//! corner for `t` (see the planner); the list of a block holds one such corner at least for each of its cells that has
//! any; and in the graph all corners of a component are connected. So the search finds a path, by edges each of which
//! stands for free runs; the agent comes back to where the path begins if need be, and follows it. That a path was
//! promised and is not there, or leads through a wall, means that an index or a saved agent was tampered with: then it
//! plans anew, and after [`MOST_FAILURES`] times it is [`Step::Stopped`].
//!
//! *Bounded.* No step takes more than `UNITS`, the move included: every loop asks the budget before each turn and keeps
//! its place when it says no. The search cannot come to more corners than lie above those of both lists, which the
//! builder has counted and keeps below [`MOST_LABELS`](crate::index::corner_hierarchy::MOST_LABELS).
//!
//! *Cost.* The path over the lists is within a thousandth or so of the shortest one from the cells and for the goals that
//! the lists were made for, and what was walked before it was there comes on top: no promise, but measured.
//!
//! *Memory.* While it plans, 16 bytes for each slot of a table of labels, 2,048 slots or less on most maps and never more
//! than 16,384; with near goals 2,048 more; and 12 bytes for each entry of the open lists. All of that is given back when
//! the path is there; then it holds two kilobytes or so, edges still to be unpacked. A step allocates nothing once the
//! plan is begun, but where open lists or paths are longer than is usual.
//!
//! # Deviations
//! From the planner: 1. it knows the corners of lists alone, not all that are seen; 2. it begins where it stood, and has
//! moved when it is done.

mod near;
mod planning;
mod saving;
mod walking;

use super::journey::{Ground, Journey};
use super::{Agent, AgentKind, Limits, Refused, Restoring, SavedAgentError, Saving, Step, Traveller};
use crate::core::{Budget, StateId};
use crate::index::{Atlas, CornerHierarchy, IndexKind, IndexSpec, Spot};
use crate::plan::corner_search::Chain;
use crate::plan::{Refusal, Scratch};
use crate::space::{Cell, Grid, Reach, Space, SpaceKind};
use planning::{Phase, Planned, Planning};
use walking::{Leg, Walked};

/// Agents that plan over corners while they walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CornerWalk {
    /// No step takes more units. At least [`CornerWalk::LEAST_UNITS`].
    pub units: u64,
}

impl Default for CornerWalk {
    fn default() -> CornerWalk {
        CornerWalk { units: 500 }
    }
}

/// Steps in a row in which it only thinks.
pub(crate) const MOST_THINKING: u64 = 3;

/// Goals up to so many columns and rows away are worth thinking about before the first move: farther ones are not, since
/// a move or two in a wrong direction cost less than a hundredth.
const THINKING_DISTANCE: u32 = 192;

/// Plans that lead nowhere before it stops.
pub(crate) const MOST_FAILURES: u32 = 3;

impl CornerWalk {
    /// With less no step could begin a plan: that takes up to 72 pages of tables.
    pub const LEAST_UNITS: u64 = 96;

    /// An agent on a map. Whether it can work there is found out when it is stepped.
    pub fn start(&self, atlas: &Atlas, from: StateId, to: StateId) -> CornerWalkAgent {
        CornerWalkAgent {
            units: self.units.max(CornerWalk::LEAST_UNITS),
            journey: Journey::new(atlas, from, to),
            phase: Phase::Fresh,
            start: Spot::default(),
            planning: None,
            chain: Chain::default(),
            legs: Vec::new(),
            has_ended: false,
            unpacked: 0,
            steps: Vec::new(),
            trail: Vec::new(),
            lean: (0, 0),
            line: None,
            thinking: 0,
            failures: 0,
            searches: 0,
        }
    }
}

impl AgentKind for CornerWalk {
    fn limits(&self) -> Limits {
        let max_units = self.units.max(CornerWalk::LEAST_UNITS);
        Limits { min_units: CornerWalk::LEAST_UNITS, max_units, max_thinking: MOST_THINKING }
    }

    fn is_optimal(&self, _: &Space) -> bool {
        false
    }

    fn needs(&self) -> Option<IndexSpec> {
        Some(IndexKind::CORNER_HIERARCHY.into())
    }

    fn refusal(&self, atlas: &Atlas) -> Option<Refusal> {
        let index = IndexKind::CORNER_HIERARCHY;
        let missing = || (!atlas.has(index)).then(|| Refusal::NoIndex(index.into()));
        Refusal::of_jumping(atlas.space()).or_else(missing)
    }
}

/// A plan begins with all that it needs: a table of at most 16,384 labels of 16 bytes, two heaps, and the table and the heap
/// of the search near the goal. Together they are less than this.
const PAGE_BYTES: usize = 512 << 10;

/// An agent that plans over corners while it walks.
#[derive(Clone, Debug)]
pub struct CornerWalkAgent {
    units: u64,
    journey: Journey,
    phase: Phase,
    /// Where the plan begins.
    start: Spot,
    /// What is needed only until the path is there.
    planning: Option<Box<Planning>>,
    /// The path: runs, the next one first; then edges to be unpacked; then, unless `has_ended`, the goal.
    legs: Vec<Leg>,
    chain: Chain,
    has_ended: bool,
    unpacked: u32,
    /// Or the path step by step, as directions, the next one last.
    steps: Vec<u8>,
    /// How it came from where the path begins to where it stands, as directions.
    trail: Vec<u8>,
    /// Where it walks to while there is no path.
    lean: Cell,
    /// All of the trail lies on the run from where the path begins to this cell.
    line: Option<Cell>,
    /// Steps in a row in which it has only thought.
    thinking: u64,
    failures: u32,
    searches: u64,
}

/// The map and what is known about it.
#[derive(Clone, Copy)]
struct Known<'a> {
    grid: &'a Grid,
    index: CornerHierarchy<'a>,
}

impl CornerWalkAgent {
    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<CornerWalkAgent, SavedAgentError> {
        saving::restore(saved)
    }

    /// Drops the plan.
    fn forget(&mut self) {
        self.phase = Phase::Fresh;
        self.planning = None;
        self.chain.edges.clear();
        self.legs.clear();
        self.steps.clear();
        self.trail.clear();
        self.line = None;
        (self.has_ended, self.unpacked) = (false, 0);
    }

    fn goal_spot(&self, grid: &Grid) -> Spot {
        Spot::of(grid, self.journey.goal)
    }

    /// One step, within the budget, on a map with its index.
    fn act(&mut self, known: Known<'_>, budget: &mut Budget) -> Step {
        let (at, goal) = (self.journey.at, self.journey.goal);
        budget.charge(1);
        if !known.grid.is_free(at) || !known.grid.is_free(goal) {
            return Step::NoPath;
        }
        if at == goal {
            return Step::Arrived;
        }
        if self.phase == Phase::Fresh {
            budget.charge(2);
            if known.grid.reach(at, goal) != Reach::Always {
                return Step::NoPath;
            }
            if self.failures > MOST_FAILURES {
                return Step::Stopped;
            }
            self.begin(known, budget);
        }
        if self.phase != Phase::Walk {
            self.searches += 1;
            match self.plan(known, budget) {
                Planned::Ready => {}
                Planned::Suspended => return self.bridge(known),
                Planned::Failed => return self.fail(known),
            }
        }
        match self.walk(known, budget) {
            Walked::To(place) => self.go(known.grid, place),
            Walked::NotYet => self.bridge(known),
            Walked::Broken => self.fail(known),
        }
    }

    /// The plan leads nowhere.
    fn fail(&mut self, known: Known<'_>) -> Step {
        self.failures += 1;
        self.forget();
        self.lean = place(self.goal_spot(known.grid));
        if self.failures > MOST_FAILURES { Step::Stopped } else { self.bridge(known) }
    }

    /// Does something sensible until the plan can be followed.
    fn bridge(&mut self, known: Known<'_>) -> Step {
        let apart = self.start.to(self.goal_spot(known.grid));
        let is_near = apart.0.unsigned_abs().max(apart.1.unsigned_abs()) <= THINKING_DISTANCE;
        if self.thinking < MOST_THINKING && is_near {
            self.thinking += 1;
            return Step::Thinking;
        }
        match self.lean_on(known.grid) {
            Some(place) => self.go(known.grid, place),
            // A cell without neighbours has no path to anywhere.
            None => Step::NoPath,
        }
    }

    #[inline]
    fn go(&mut self, grid: &Grid, (column, row): Cell) -> Step {
        self.journey.at = Spot::new(column, row).state(grid.stride());
        self.thinking = 0;
        Step::Move(self.journey.at)
    }
}

fn place(spot: Spot) -> Cell {
    (spot.column(), spot.row())
}

impl Agent for CornerWalkAgent {
    fn step(&mut self, atlas: &Atlas, _: &mut Scratch, budget: &mut Budget) -> Step {
        if let Err(refused) = self.journey.check(atlas, self.limits(), budget) {
            return Step::Refused(refused);
        }
        let units = self.units;
        let unable = || {
            let refusal = CornerWalk { units }.refusal(atlas);
            Step::Refused(Refused::Unable(
                refusal.unwrap_or(Refusal::NoIndex(IndexKind::CORNER_HIERARCHY.into())),
            ))
        };
        // The index is for no other spaces.
        let (Some(grid), true) = (atlas.space().as_grid(), atlas.has(IndexKind::CORNER_HIERARCHY)) else {
            return unable();
        };
        if self.journey.begin(atlas) == Ground::Edited {
            self.forget();
            self.failures = 0;
        } else if let Some(place) = self.stride(grid) {
            budget.charge(1);
            return self.go(grid, place);
        }
        let Some(index) = atlas.corner_hierarchy() else { return unable() };
        let mut work = Budget::units(self.units.min(budget.left()));
        let step = self.act(Known { grid, index }, &mut work);
        budget.charge(work.spent());
        step
    }
}

impl Traveller for CornerWalkAgent {
    fn retarget(&mut self, goal: StateId) {
        self.journey.goal = goal;
        self.forget();
        self.failures = 0;
    }

    fn state(&self) -> StateId {
        self.journey.at
    }

    fn goal(&self) -> StateId {
        self.journey.goal
    }

    fn limits(&self) -> Limits {
        CornerWalk { units: self.units }.limits()
    }

    fn page_bytes(&self) -> usize {
        PAGE_BYTES
    }

    fn bytes(&self) -> usize {
        size_of::<CornerWalkAgent>()
            + self.planning.as_ref().map_or(0, |planning| planning.bytes())
            + self.chain.edges.capacity() * size_of::<(u32, u32)>()
            + self.legs.capacity() * size_of::<Leg>()
            + self.steps.capacity()
            + self.trail.capacity()
    }

    fn remembered(&self) -> u64 {
        self.planning.as_ref().map_or(0, |planning| planning.labels() as u64)
    }

    fn searches(&self) -> Option<u64> {
        Some(self.searches)
    }

    fn save(&self, saving: &mut Saving) {
        saving::save(self, saving);
    }
}

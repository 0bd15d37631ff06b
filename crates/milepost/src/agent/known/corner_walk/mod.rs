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
//! plans anew, and after [`MOST_FAILURES`] times it stops.
//!
//! *Bounded.* No step takes more than `UNITS`, the move included: every loop asks the budget before each turn and keeps
//! its place when it says no. The search cannot come to more corners than lie above those of both lists, which the
//! builder has counted and keeps below [`MOST_LABELS`](crate::index::corner_hierarchy::MOST_LABELS).
//!
//! *Cost.* The path over the lists is within a thousandth or so of the shortest one from the cells and for the goals that
//! the lists were made for, and what was walked before it was there comes on top: no promise, but measured.
//!
//! *Memory.* While it plans, 24 bytes for each slot of two tables of labels, 2,048 slots or less on most maps and never more
//! than 16,384; with near goals 2,048 more; and 24 bytes for each entry of the open lists. All of that is given back when
//! the path is there, tables to the scratch for the next plan; then it holds two kilobytes or so, edges still to be unpacked. A step allocates nothing once the
//! plan is begun, but where open lists or paths are longer than is usual, or after it was restored.
//!
//! # Deviations
//! From the planner: 1. it knows the corners of lists alone, not all that are seen; 2. it begins where it stood, and has
//! moved when it is done.

mod near;
mod planning;
mod walking;

use crate::agent::base::{
    About, Algorithm, Decision, Limits, Memory, Parameter, Ranks, Situation, SpaceLimits, Terrain,
};
#[cfg(feature = "observe")]
use crate::agent::base::{Asked, Held};
use crate::core::{Budget, StateId};
use crate::index::{CornerHierarchy, IndexKind, IndexSpec};
use crate::plan::Refusal;
use crate::plan::parts::corner_search::Chain;
use crate::space::{Cell, Grid, Rule, Space};
use planning::{Phase, Planned, Planning};
use serde::{Deserialize, Serialize};
use walking::{AHEAD, Leg, Walked};

/// Agents that plan over corners while they walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct CornerWalk {
    /// No step takes more units.
    pub units: u32,
}

/// With less no step could begin a plan: that takes up to 72 units for pages of tables.
const LEAST_UNITS: u32 = 96;

/// Steps in a row in which it only thinks.
const MOST_THINKING: u64 = 3;

/// Goals up to so many columns and rows away are worth thinking about before the first move: farther ones are not, since
/// a move or two in a wrong direction cost less than a hundredth.
const THINKING_DISTANCE: u32 = 192;

/// Plans that lead nowhere before it stops.
const MOST_FAILURES: u32 = 3;

/// A plan begins with all that it needs: tables of at most 16,384 labels of 24 bytes, two heaps, and the table and the heap
/// of the search near the goal. Together they are less than this.
const PAGE_BYTES: usize = 512 << 10;

/// The plan, and how far the agent has come with it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct CornerWalkMemory {
    phase: Phase,
    /// Where the plan begins.
    start: Cell,
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
    interim_target: Cell,
    /// All of the trail lies on the run from where the path begins to this cell.
    trail_target: Option<Cell>,
    /// Steps in a row in which it has only thought.
    thinking: u64,
    failures: u32,
}

/// The map and what is known about it, and where the agent is on it.
#[derive(Clone, Copy)]
struct Known<'a> {
    grid: &'a Grid,
    index: CornerHierarchy<'a>,
    at: Cell,
    goal: Cell,
}

impl Algorithm for CornerWalk {
    const ABOUT: About = About {
        name: "corner-walk",
        summary: "plans over a hierarchy of corners, in slices, while it walks",
        guarantee: "complete; mostly within 0.1 % of the optimum where paths are long",
        memory: "while it plans tables of up to 16,384 labels of 24 bytes, usually 2,048; then about 2 KiB",
        rules: &[Rule::Octile, Rule::Octile14],
        graphs: false,
        ranks: Ranks { on_map: Some(1), on_file: Some(2), by_sight: None },
        ..About::USUAL
    };
    const DEFAULT: CornerWalk = CornerWalk { units: 500 };
    #[rustfmt::skip]
    const PARAMETERS: &'static [Parameter<CornerWalk>] = &[
        Parameter::count("", "UNITS", "a number of units", (LEAST_UNITS, 1_000_000), |walk| &mut walk.units,
            "the most that a step may take"),
    ];
    type Memory = CornerWalkMemory;

    fn limits(&self, _: SpaceLimits) -> Limits {
        // The chassis takes one of them.
        let (min_units, max_units) = (u64::from(LEAST_UNITS) - 1, u64::from(self.units) - 1);
        Limits { min_units, max_units: Some(max_units), max_thinking: MOST_THINKING }
    }

    fn decide(&self, memory: &mut CornerWalkMemory, here: &mut Situation<'_>) -> Decision {
        // The index is for no other spaces.
        let atlas = here.terrain.atlas();
        let Some((atlas, grid)) = atlas.and_then(|atlas| Some((atlas, atlas.space().as_grid()?))) else {
            return Decision::IndexDamaged;
        };
        let at = grid.column_and_row(here.at);
        if let Some(next) = memory.stride(grid, at) {
            return memory.go(grid, next);
        }
        let Some(index) = atlas.corner_hierarchy() else { return Decision::IndexDamaged };
        let known = Known { grid, index, at, goal: grid.column_and_row(here.goal) };
        let mut work = Budget::units(here.budget.left().min(u64::from(self.units) - 1));
        let decision = memory.plan_and_walk(known, here, &mut work);
        here.budget.charge(work.spent());
        decision
    }

    fn needs(&self) -> Option<IndexSpec> {
        Some(IndexKind::CORNER_HIERARCHY.into())
    }

    fn refusal(&self, space: &Space) -> Option<Refusal> {
        Refusal::of_jumping(space)
    }

    fn page_bytes(&self, _: &CornerWalkMemory, _: SpaceLimits) -> usize {
        PAGE_BYTES
    }
}

impl CornerWalkMemory {
    fn plan_and_walk(&mut self, known: Known<'_>, here: &mut Situation<'_>, budget: &mut Budget) -> Decision {
        if self.phase == Phase::Fresh {
            budget.charge(2);
            if self.failures > MOST_FAILURES {
                return Decision::Stop;
            }
            self.begin(known, &mut here.scratch.spare_labels, budget);
        }
        if self.phase != Phase::Walk {
            here.count_search();
            match self.plan(known, &mut here.scratch.spare_labels, budget) {
                Planned::Ready => {}
                Planned::Suspended => return self.interim_move(known),
                Planned::Failed => return self.fail(known),
            }
        }
        match self.walk(known, budget) {
            Walked::To(place) => self.go(known.grid, place),
            Walked::NotYet => self.interim_move(known),
            Walked::Broken => self.fail(known),
        }
    }

    /// The plan leads nowhere.
    fn fail(&mut self, known: Known<'_>) -> Decision {
        self.failures += 1;
        self.drop_plan();
        self.interim_target = known.goal;
        if self.failures > MOST_FAILURES { Decision::Stop } else { self.interim_move(known) }
    }

    /// Does something sensible until the plan can be followed.
    fn interim_move(&mut self, known: Known<'_>) -> Decision {
        let is_near = self.apart(known) <= THINKING_DISTANCE;
        if self.thinking < MOST_THINKING && is_near {
            self.thinking += 1;
            return Decision::Think;
        }
        match self.walk_ahead(known) {
            Some(place) => self.go(known.grid, place),
            // A cell without neighbours has no path to anywhere.
            None => Decision::NoPath,
        }
    }

    #[inline]
    fn go(&mut self, grid: &Grid, to: Cell) -> Decision {
        self.thinking = 0;
        Decision::Move(grid.geometry().state(to))
    }

    fn drop_plan(&mut self) {
        self.phase = Phase::Fresh;
        self.planning = None;
        self.chain.edges.clear();
        self.legs.clear();
        self.steps.clear();
        self.trail.clear();
        self.trail_target = None;
        (self.has_ended, self.unpacked) = (false, 0);
    }
}

impl Memory for CornerWalkMemory {
    fn forget(&mut self) {
        // How long it has thought is not forgotten: a new goal at every step would let it think for ever.
        self.drop_plan();
        self.failures = 0;
    }

    fn is_sound(&mut self, terrain: Terrain<'_>, _: StateId, _: StateId) -> bool {
        // On other spaces it makes no step.
        let Some(grid) = terrain.atlas().and_then(|atlas| atlas.space().as_grid()) else { return true };
        let is_inside = |cell: Cell| cell.0 <= grid.width() && cell.1 <= grid.height();
        let is_free = |cell: Cell| is_inside(cell) && grid.has_free(cell.0 as i32, cell.1 as i32);
        let side = match self.phase {
            Phase::Seed { side, .. } | Phase::Look { side, .. } | Phase::Climb { side, .. } => side,
            _ => 0,
        };
        side < 2
            && (self.phase == Phase::Fresh || is_free(self.start))
            && self.planning.as_ref().is_none_or(|planning| planning.is_sound(grid))
            && self.legs.len() <= AHEAD
            && self.legs.iter().all(|leg| is_inside(leg.to))
            && is_inside(self.interim_target)
            && self.trail_target.is_none_or(is_inside)
            && self.failures <= MOST_FAILURES + 1
    }

    fn bytes(&self) -> usize {
        self.planning.as_ref().map_or(0, |planning| planning.bytes())
            + self.chain.edges.capacity() * size_of::<(u32, u32)>()
            + self.legs.capacity() * size_of::<Leg>()
            + self.steps.capacity()
            + self.trail.capacity()
    }

    fn remembered(&self) -> u64 {
        self.planning.as_ref().map_or(0, |planning| planning.labels() as u64)
    }

    #[cfg(feature = "observe")]
    fn tell(&self, asked: &Asked<'_>, tell: &mut dyn FnMut(Held)) {
        let Some(grid) = asked.terrain.atlas().and_then(|atlas| atlas.space().as_grid()) else { return };
        let ends = self.legs.iter().map(|leg| grid.geometry().state(leg.to));
        ends.for_each(|end| tell(Held::Plan(end)));
    }
}

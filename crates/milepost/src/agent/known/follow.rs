//! Follows any planner: plans a whole path in slices, one in each step, walks along it, and plans again when the map or the goal
//! is another.
//!
//! # Paper
//! None of its own: the planner's file names its paper. Planning in slices while units wait for their paths is told by M. Buckland:
//! Programming game AI by example, 2005, chapter 8, "Time-sliced path planning".
//!
//! # Symbols
//! `UNITS` the most that a step takes (`units`).
//!
//! # Guarantees
//! *Complete*, and as good as its planner: the journey is the planner's path, whatever the slices, and on a map and with a goal that
//! stay it costs what that path costs. Where the planner refuses another version of the map, or an overlay, the fastest exact
//! planner that does not refuse them [stands in](crate::agent::Agent::stand_in) for it, and the planner itself plans again as soon as
//! it can.
//!
//! *Bounded*: a slice is cut so that what the planner may take beyond its budget ([`Planner::overrun`]) fits into the step. Most
//! planners state no most for a whole query, so the agent does: a planner that has taken 16 units for each state of the map, and
//! 4,096, is given up for [`Dijkstra`], which takes at most 10 for each, all by the units of an expansion. From these and the least
//! slice, a tenth of `UNITS`, follows how long it may think. As in any query, writing the path is not counted.
//!
//! *Memory*: the first slice works in the scratch that the step is lent; if that is enough, as it nearly always is with labels,
//! the agent never owns a search. Else it begins anew in a scratch of its own, which asks the system for a node for each id at
//! once and gets it page by page as states are touched. When it has its path it gives that back: 4 bytes for each state of the path
//! are left.
//!
//! *Saving*: a save in the midst of planning holds the units that were spent, not the search. However a query is cut, it does the
//! same work in the same order, so restoring spends them again, in one call: at most what is said above. That is a few
//! bytes in a saved game instead of megabytes, for any planner there will be. Under an overlay, which is not saved, a restored
//! agent plans anew, with the same moves.
//!
//! # Deviations
//! 1. There one path manager shares the cycles of a frame among the searches of all units; here each agent cuts its own search by
//!    the budget of its step.

use crate::agent::base::{
    About, Algorithm, Change, Decision, Limits, Memory, Parameter, Ranks, Situation, SpaceLimits, Terrain,
};
#[cfg(feature = "observe")]
use crate::agent::base::{Asked, Held};
use crate::core::{Budget, StateId};
use crate::index::{Atlas, IndexSpec};
use crate::plan::{
    Dijkstra, NamedPlanner, Outcome, PLANNERS, Planner, Query, Refusal, Scratch, fastest_for,
    fastest_is_optimal_from_state_to_state,
};
use crate::space::{Overlay, Space};
use serde::{Deserialize, Serialize};

/// Fewer units would leave nothing for a slice beside what planners take beyond their budgets.
const LEAST_UNITS: u32 = 96;
const MOST_UNITS: u32 = 1_000_000;
/// What is kept back for that, also where less would do: so that a kind of agent states what holds on every usual map.
const RESERVE: u32 = 64;
/// Units after which a planner is given up: for each state, and beside them.
const UNITS_FOR_STATE: u64 = 16;
const UNITS_BESIDE: u64 = 4096;
/// The one that is taken then.
const PLAIN: Dijkstra = Dijkstra { bounds: false, nodes: None };
const PLAIN_NAME: &str = "dijkstra";
/// What no step allocates more of: for each id, and beside them.
const PAGE_BYTES_FOR_ID: usize = 512;
const PAGE_BYTES_BESIDE: usize = 1 << 16;

/// The path of a planner, step by step.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Follow {
    /// What a step takes at most.
    units: u32,
    /// The planner that was named; else the fastest of each atlas.
    planner: Option<NamedPlanner>,
}

/// What an agent is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
enum Phase {
    /// There is no plan.
    #[default]
    Start,
    /// It plans, and has spent so many units on it.
    Planning { spent: u64 },
    /// It walks, and stands at this place of its path.
    Walking { place: u32 },
}

/// The planner of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
enum Chosen {
    /// The one that was named.
    #[default]
    Named,
    /// The fastest one, by its place in the registry.
    Fastest(u8),
    /// [`PLAIN`], after another was given up.
    Plain,
}

/// The plan, or the search for it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct FollowMemory {
    phase: Phase,
    chosen: Chosen,
    /// Every state from where the plan was made to the goal.
    path: Vec<StateId>,
    /// Whether it has ever planned, or seen the map change.
    has_begun: bool,
    /// Where the planner works while it has not found the path.
    #[serde(skip)]
    search: Option<Box<Scratch>>,
}

/// What comes of planning in a step.
enum Planned {
    Ready,
    NotYet,
    NoPath,
    Damaged,
}

impl Algorithm for Follow {
    const ABOUT: About = About {
        name: "follow",
        summary: "plans by any planner, in slices, walks, and plans again when map or goal are others",
        guarantee: "complete; optimal if its planner is",
        memory: "while it plans a search of its own, unless one slice is enough; then its path, 4 bytes a state",
        crosses: true,
        calls_planners: true,
        obeys_overlays: true,
        ranks: Ranks { on_file: Some(0), ..Ranks::NONE },
        ..About::USUAL
    };
    const DEFAULT: Follow = Follow { units: 500, planner: None };
    #[rustfmt::skip]
    const PARAMETERS: &'static [Parameter<Follow>] = &[
        Parameter::count("", "UNITS", "a number of units", (LEAST_UNITS, MOST_UNITS), |follow| &mut follow.units,
            "the most that a step may take"),
        Parameter::planner(|follow| &mut follow.planner),
    ];
    type Memory = FollowMemory;

    fn limits(&self, space: SpaceLimits) -> Limits {
        let beside = u64::from(space.expansion) + u64::from(space.overrun.max(RESERVE));
        let min_units = self.least_slice() + beside;
        // One slice in the scratch that was lent; then those until the planner is given up, and those of the plain one.
        let slices = |units: u64| units.div_ceil(self.least_slice());
        let max_thinking = 1 + slices(most_spent(space)) + slices(most_plain(space));
        // The chassis takes one of them.
        let max_units = u64::from(self.units - 1).max(min_units);
        Limits { min_units, max_units: Some(max_units), max_thinking }
    }

    fn decide(&self, memory: &mut FollowMemory, here: &mut Situation<'_>) -> Decision {
        // By sight it is refused.
        let Some(atlas) = here.terrain.atlas() else { return Decision::NoPath };
        if !matches!(memory.phase, Phase::Walking { .. }) {
            here.count_search();
            memory.has_begun = true;
            match self.plan(memory, atlas, here) {
                Planned::Ready => {}
                Planned::NotYet => return Decision::Think,
                Planned::NoPath => {
                    memory.forget();
                    return Decision::NoPath;
                }
                Planned::Damaged => {
                    memory.forget();
                    return Decision::IndexDamaged;
                }
            }
        }
        here.budget.charge(here.expansion_units());
        match memory.next(atlas.space(), here.at) {
            Some(next) => Decision::Move(next),
            // Only an index that was changed gives a path that cannot be walked.
            None => {
                memory.forget();
                Decision::IndexDamaged
            }
        }
    }

    fn map_changed(&self, memory: &mut FollowMemory, _: Change<'_>) {
        memory.forget();
        memory.has_begun = true;
    }

    fn needs(&self) -> Option<IndexSpec> {
        self.all_needs().first().copied()
    }

    fn all_needs(&self) -> Vec<IndexSpec> {
        self.planner.as_ref().map_or_else(Vec::new, |named| named.planner().needs().to_vec())
    }

    fn refusal_on(&self, atlas: &Atlas) -> Option<Refusal> {
        self.planner.as_ref()?.planner().refusal(atlas)
    }

    fn is_optimal(&self, space: &Space) -> bool {
        self.planner.as_ref().map_or_else(
            || fastest_is_optimal_from_state_to_state(space),
            |named| named.planner().is_optimal_from_state_to_state(space),
        )
    }

    fn restored(&self, memory: &mut FollowMemory, terrain: Terrain<'_>, (at, goal): (StateId, StateId)) {
        let (Phase::Planning { spent: spent @ 1.. }, Some(atlas)) = (memory.phase, terrain.atlas()) else {
            return;
        };
        let (query, mut search) = (Query::new(at, goal), Box::<Scratch>::default());
        let planner = self.planner(memory.chosen);
        if planner.plan(atlas, &query, &mut search, &mut Budget::units(spent)) == Outcome::OutOfBudget {
            memory.search = Some(search);
        }
    }

    fn stand_in(&self, memory: &FollowMemory) -> Option<&'static str> {
        self.planner.as_ref().and(match memory.chosen {
            Chosen::Named => None,
            Chosen::Fastest(place) => PLANNERS.get(usize::from(place)).map(|entry| entry.name),
            Chosen::Plain => Some(PLAIN_NAME),
        })
    }

    fn page_bytes(&self, _: &FollowMemory, space: SpaceLimits) -> usize {
        PAGE_BYTES_FOR_ID * space.ids as usize + PAGE_BYTES_BESIDE
    }
}

/// Units after which a planner is given up.
fn most_spent(space: SpaceLimits) -> u64 {
    UNITS_BESIDE + UNITS_FOR_STATE * u64::from(space.expansion) * u64::from(space.states)
}

/// Units that [`PLAIN`] takes at most: every state is expanded once, and taken from the open list as often as a move leads there.
fn most_plain(space: SpaceLimits) -> u64 {
    2 + (8 + 2 * u64::from(space.expansion)) * u64::from(space.states)
}

impl Follow {
    /// What planning may take in every step that is not starved.
    fn least_slice(&self) -> u64 {
        u64::from(self.units.div_ceil(10))
    }

    fn planner(&self, chosen: Chosen) -> &dyn Planner {
        match chosen {
            Chosen::Named => self.planner.as_ref().map_or(&PLAIN, NamedPlanner::planner),
            Chosen::Fastest(place) => PLANNERS.get(usize::from(place)).map_or(&PLAIN, |entry| entry.planner),
            Chosen::Plain => &PLAIN,
        }
    }

    /// The planner for a query: the one that was named, unless it refuses the map or the overlay.
    fn choose(&self, atlas: &Atlas, query: &Query<'_>) -> Chosen {
        let answers = |planner: &dyn Planner| {
            planner.refusal(atlas).is_none() && (query.overlay.is_none() || planner.obeys_overlays())
        };
        if self.planner.as_ref().is_some_and(|named| answers(named.planner())) {
            return Chosen::Named;
        }
        let name = fastest_for(atlas, query).name;
        let place = PLANNERS.iter().position(|entry| entry.name == name);
        place.and_then(|place| u8::try_from(place).ok()).map_or(Chosen::Plain, Chosen::Fastest)
    }

    /// A slice of planning.
    fn plan(&self, memory: &mut FollowMemory, atlas: &Atlas, here: &mut Situation<'_>) -> Planned {
        let query = query((here.at, here.goal), here.overlay);
        let is_new = memory.phase == Phase::Start;
        match memory.phase {
            Phase::Planning { spent }
                if spent >= most_spent(here.space) && memory.chosen != Chosen::Plain =>
            {
                (memory.chosen, memory.search) = (Chosen::Plain, None);
            }
            Phase::Planning { .. } => {}
            _ => memory.chosen = self.choose(atlas, &query),
        }
        let planner = self.planner(memory.chosen);
        let most = self.limits(here.space).max_units.unwrap_or(u64::MAX).min(here.budget.left());
        let mut slice =
            Budget::units(most.saturating_sub(here.expansion_units() + planner.overrun(atlas)).max(1));
        let outcome = match (&mut memory.search, memory.phase) {
            (Some(search), _) => planner.resume(atlas, &query, search, &mut slice),
            (None, Phase::Start) => planner.plan(atlas, &query, here.scratch, &mut slice),
            (None, _) => {
                memory.phase = Phase::Planning { spent: 0 };
                planner.plan(atlas, &query, memory.search.insert(Box::new(here.scratch.beside())), &mut slice)
            }
        };
        here.budget.charge(slice.spent());
        match (outcome, memory.phase) {
            (Outcome::Found { .. }, _) => {
                let search = memory.search.take();
                let path = search.as_deref().unwrap_or(&*here.scratch).path();
                atlas.space().write_cells(path, &mut memory.path);
                memory.phase = Phase::Walking { place: 0 };
                let ends = (memory.path.first().copied(), memory.path.last().copied());
                if ends == (Some(here.at), Some(here.goal)) { Planned::Ready } else { Planned::Damaged }
            }
            (Outcome::OutOfBudget, Phase::Planning { spent }) => {
                memory.phase = Phase::Planning { spent: spent + slice.spent() };
                Planned::NotYet
            }
            (Outcome::OutOfBudget, _) => {
                memory.phase = Phase::Planning { spent: 0 };
                Planned::NotYet
            }
            (Outcome::IndexDamaged, _) => Planned::Damaged,
            // The indexes are others than when it began: it chooses again.
            (Outcome::Refused(_), _) if !is_new => {
                memory.forget();
                Planned::NotYet
            }
            (Outcome::Refused(_) | Outcome::Unreachable | Outcome::Partial { .. }, _) => Planned::NoPath,
        }
    }
}

fn query((at, goal): (StateId, StateId), overlay: Option<&Overlay>) -> Query<'_> {
    Query { overlay, ..Query::new(at, goal) }
}

impl FollowMemory {
    /// The next state of the path, if a move leads there.
    fn next(&mut self, space: &Space, at: StateId) -> Option<StateId> {
        let Phase::Walking { place } = &mut self.phase else { return None };
        let next = *self.path.get(*place as usize + 1)?;
        *place += 1;
        space.step_cost(at, next, None).map(|_| next)
    }
}

impl Memory for FollowMemory {
    fn forget(&mut self) {
        (self.phase, self.chosen, self.search) = (Phase::Start, Chosen::Named, None);
        self.path.clear();
    }

    fn is_sound(&mut self, terrain: Terrain<'_>, at: StateId, goal: StateId) -> bool {
        let Some(atlas) = terrain.atlas() else { return self.phase == Phase::Start };
        let space = atlas.space();
        let is_listed = |place: u8| usize::from(place) < PLANNERS.len();
        let is_chosen = match self.chosen {
            Chosen::Fastest(place) => is_listed(place),
            Chosen::Named | Chosen::Plain => true,
        };
        is_chosen
            && match self.phase {
                Phase::Start => self.path.is_empty(),
                Phase::Planning { spent } => {
                    // What was given up was so after a slice, which is cut by the map's limits or the agent's.
                    let limits = SpaceLimits::of_space(space);
                    let most = most_spent(limits).max(most_plain(limits)) + u64::from(MOST_UNITS);
                    self.path.is_empty() && spent <= most
                }
                Phase::Walking { place } => {
                    let is_move = |pair: &[StateId]| space.step_cost(pair[0], pair[1], None).is_some();
                    self.path.get(place as usize) == Some(&at)
                        && self.path.last() == Some(&goal)
                        && self.path.windows(2).all(is_move)
                }
            }
    }

    fn has_begun(&self) -> bool {
        self.has_begun
    }

    fn bytes(&self) -> usize {
        let search = self.search.as_ref();
        let search = search.map_or(0, |search| size_of::<Scratch>() + search.bytes() + search.open_bytes());
        self.path.capacity() * size_of::<StateId>() + search
    }

    fn remembered(&self) -> u64 {
        let expanded = self.search.as_ref().map_or(0, |search| search.search().expanded());
        self.path.len() as u64 + expanded
    }

    #[cfg(feature = "observe")]
    fn tell(&self, asked: &Asked<'_>, tell: &mut dyn FnMut(Held)) {
        let Phase::Walking { place } = self.phase else { return };
        let ahead = self.path.iter().skip(place as usize + 1).filter(|state| **state != asked.at);
        ahead.for_each(|state| tell(Held::Plan(*state)));
    }
}

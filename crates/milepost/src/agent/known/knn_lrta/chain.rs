//! When no record fits: from region to region, each time by the way that the case base has between two neighbours.
//!
//! The agent looks for regions to whose centres it can climb, and for regions from whose centres it can climb to the goal;
//! then A* finds the cheapest chain from one of the first to one of the second, over the regions alone.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, R. Lawrence: Case-based subgoaling in real-time heuristic search for video game
//! pathfinding, JAIR 2010, section 10 proposes such regions to cover a map evenly; how an agent uses them is ours.
//!
//! # Guarantees
//! Every state is within a climb of the centre of its region, and so is found unless [`MOST_TRIED`] centres are nearer
//! and cannot be climbed to. Regions of one strong component are joined by ways in both directions, so then there is a
//! chain. The search is over [`MOST_REGIONS`](crate::index::case_base::MOST_REGIONS) regions at most, whatever the map, and
//! each is expanded once, since the estimate is consistent: from a centre it is that of the space, which no path undercuts, rounded
//! down where the costs of legs are rounded up. Links of a grid may undercut it: there the estimate is none, and regions
//! are expanded in the order of their cost.

use super::{Cases, KnnLrta, Trial};
use crate::agent::base::Situation;
use crate::core::open::{Heap, OpenList};
use crate::core::{Budget, Cost, Expander, Goal, KeyRange, Search, StateId, Status};
use crate::index::case_base::nearest::{Nearest, Problem};
use crate::index::case_base::{CaseBase, LONGEST_CLIMB, MOST_NEIGHBOURS};
use crate::space::Climber;

/// Centres that are looked up at once.
const PAGE: usize = 16;

/// Centres that are tried for each end of the chain.
const MOST_TRIED: u32 = 128;

/// As many centres are enough for each end.
const ENOUGH: usize = 4;

/// Units that all of it takes at most.
pub(super) fn most_units(regions: u64, legs: u64, expansion_units: u64) -> u64 {
    let tried = u64::from(MOST_TRIED);
    let looks = tried.div_ceil(PAGE as u64) * (2 * regions + 1);
    let climbs = tried * (u64::from(LONGEST_CLIMB) * expansion_units + 2);
    // Each region is expanded once and names its legs, each entry is taken out; the chain is traced by its regions' legs.
    let search = (regions + 2) + 2 * (legs + 2 * ENOUGH as u64);
    2 * (looks + climbs) + search + legs + regions
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Stage {
    /// Centres near the agent are looked up, and tried.
    #[default]
    AskStarts,
    TryStarts,
    /// Centres near the goal are.
    AskEnds,
    TryEnds,
    /// The cheapest chain is searched for, and traced back from this region.
    Search,
    Trace,
}

/// A chain that is being looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    stage: Stage,
    nearest: Nearest,
    place: usize,
    tried: u32,
    /// Regions, and the estimated cost from the agent to the centre or from the centre to the goal.
    starts: Vec<(u32, Cost)>,
    ends: Vec<(u32, Cost)>,
    search: Option<Box<Search<Heap>>>,
    /// The region that is traced back from.
    region: u32,
    /// The last one first.
    legs: Vec<u32>,
}

impl Chain {
    fn ask(&mut self, stage: Stage) {
        (self.stage, self.place, self.tried) = (stage, 0, 0);
        self.nearest.best.clear();
        self.nearest.pending.clear();
    }

    /// Whether there is a chain; `None` when there is nothing left to work with.
    pub(super) fn advance(
        &mut self,
        kind: &KnnLrta,
        cases: &Cases<'_>,
        here: &mut Situation<'_>,
        trial: &mut Option<Trial>,
    ) -> Option<bool> {
        if cases.base.regions() == 0 {
            return Some(false);
        }
        loop {
            match self.stage {
                Stage::AskStarts => self.look_up(kind, cases, here, Stage::TryStarts)?,
                Stage::AskEnds => self.look_up(kind, cases, here, Stage::TryEnds)?,
                Stage::TryStarts => {
                    if self.try_centres(cases, here, trial)? {
                        if self.starts.is_empty() {
                            return Some(false);
                        }
                        self.ask(Stage::AskEnds);
                    }
                }
                Stage::TryEnds => {
                    if self.try_centres(cases, here, trial)? {
                        if self.ends.is_empty() {
                            return Some(false);
                        }
                        self.stage = Stage::Search;
                    }
                }
                Stage::Search => {
                    if !self.find(cases, here)? {
                        return Some(false);
                    }
                    self.stage = Stage::Trace;
                }
                Stage::Trace => {
                    self.trace(cases, here)?;
                    return Some(true);
                }
            }
        }
    }

    /// Looks up the centres nearest to the agent or to the goal, of those that have not been tried.
    fn look_up(
        &mut self,
        kind: &KnnLrta,
        cases: &Cases<'_>,
        here: &mut Situation<'_>,
        next: Stage,
    ) -> Option<()> {
        if self.nearest.pending.is_empty() {
            let after = self.nearest.best.last().copied();
            self.nearest.begin(cases.base.regions(), PAGE, after, kind.kdtree && cases.is_grid());
        }
        let at = if next == Stage::TryStarts { here.at } else { here.goal };
        let problem = Problem::new(cases.space, &cases.climber, at, at);
        let ends = |region| (cases.base.centre(region), cases.base.centre(region));
        if !self.nearest.advance(&problem, ends, PAGE, here.budget) {
            return None;
        }
        (self.stage, self.place) = (next, 0);
        Some(())
    }

    /// Tries the centres that were looked up. True once there are enough, or no others.
    fn try_centres(
        &mut self,
        cases: &Cases<'_>,
        here: &mut Situation<'_>,
        trial: &mut Option<Trial>,
    ) -> Option<bool> {
        let is_start = self.stage == Stage::TryStarts;
        let (s, t) = (here.at, here.goal);
        while let Some(&(_, region)) = self.nearest.best.get(self.place) {
            let centre = cases.base.centre(region);
            let (from, to) = if is_start { (s, centre) } else { (centre, t) };
            let climbs = cases.climbs(here, trial, from, to, LONGEST_CLIMB)?;
            let found = if is_start { &mut self.starts } else { &mut self.ends };
            if climbs {
                found.reserve_exact(ENOUGH);
                found.push((region, cases.climber.estimate(from, to)));
            }
            self.place += 1;
            self.tried += 1;
            if found.len() >= ENOUGH || self.tried >= MOST_TRIED {
                return Some(true);
            }
        }
        let found = if is_start { &self.starts } else { &self.ends };
        if !found.is_empty() || self.place < PAGE {
            return Some(true);
        }
        // Another page.
        self.stage = if is_start { Stage::AskStarts } else { Stage::AskEnds };
        Some(false)
    }

    /// Whether there is a chain.
    fn find(&mut self, cases: &Cases<'_>, here: &mut Situation<'_>) -> Option<bool> {
        let regions = Regions::new(cases, here.goal, (&self.starts, &self.ends));
        let search = self.search.get_or_insert_with(|| {
            let mut search = Box::new(Search::new());
            search.begin(&regions, &regions, regions.source());
            search
        });
        // The last expansion may take more than its unit.
        let mut budget = Budget::units(here.budget.left().checked_sub(MOST_NEIGHBOURS as u64)?);
        let status = search.run(&regions, &regions, &mut budget);
        here.budget.charge(budget.spent());
        match status {
            Status::Suspended => None,
            Status::Exhausted => Some(false),
            Status::Reached(sink) => {
                self.region = search.parent(sink).map_or(0, StateId::number);
                Some(true)
            }
        }
    }

    /// Writes the legs of the chain down.
    fn trace(&mut self, cases: &Cases<'_>, here: &mut Situation<'_>) -> Option<()> {
        let base = cases.base;
        while let Some(before) =
            self.search.as_ref().and_then(|search| search.parent(StateId::new(self.region)))
        {
            if before.index() >= base.regions() {
                break;
            }
            let legs = base.legs(before.number());
            if here.budget.left() < legs.len() as u64 {
                return None;
            }
            here.budget.charge(legs.len() as u64);
            let leg = { legs }.find(|&(_, to, _)| to == self.region);
            self.legs.extend(leg.map(|(number, ..)| number));
            self.region = before.number();
        }
        self.search = None;
        Some(())
    }

    /// The first region, and the legs of the chain, the last one first.
    pub(super) fn take_legs(&mut self) -> (u32, Vec<u32>) {
        (self.region, std::mem::take(&mut self.legs))
    }

    /// Memory held, itself included.
    pub(super) fn bytes(&self) -> usize {
        let search = self.search.as_ref();
        size_of::<Chain>()
            + self.nearest.bytes()
            + (self.starts.capacity() + self.ends.capacity()) * size_of::<(u32, Cost)>()
            + self.legs.capacity() * size_of::<u32>()
            + search.map_or(0, |search| size_of::<Search<Heap>>() + search.bytes() + search.open().bytes())
    }

    /// What a step allocates at most among so many regions with so many legs, itself included: a node for each region, an
    /// entry for each leg, and the chain, each twice as much while it grows.
    pub(super) fn page_bytes((regions, legs): (usize, usize)) -> usize {
        let searches = size_of::<Chain>() + size_of::<Search<Heap>>();
        Nearest::most_bytes(PAGE) + searches + 1024 + 32 * (regions + legs + 16)
    }
}

/// Regions at one end of the chain, each with an estimated cost.
type Found<'a> = &'a [(u32, Cost)];

/// The regions as something to search in: the agent stands before the first, the goal lies behind the last.
struct Regions<'a> {
    base: &'a CaseBase<'a>,
    climber: &'a Climber<'a>,
    t: StateId,
    /// No path is cheaper than the estimate.
    is_guided: bool,
    starts: Found<'a>,
    ends: Found<'a>,
}

impl<'a> Regions<'a> {
    fn new(cases: &'a Cases<'a>, t: StateId, (starts, ends): (Found<'a>, Found<'a>)) -> Regions<'a> {
        let is_guided = cases.space.as_grid().is_none_or(|grid| grid.links().is_empty());
        Regions { base: &cases.base, climber: &cases.climber, t, is_guided, starts, ends }
    }

    fn source(&self) -> StateId {
        StateId::new(self.base.regions() as u32)
    }

    fn sink(&self) -> StateId {
        StateId::new(self.base.regions() as u32 + 1)
    }

    /// Rounded up, as the costs of legs are.
    fn cost(&self, cost: Cost) -> Cost {
        Cost::new(cost.units().div_ceil(1 << self.base.cost_shift()))
    }
}

impl Expander for Regions<'_> {
    fn id_bound(&self) -> usize {
        self.base.regions() + 2
    }

    fn keys(&self) -> KeyRange {
        KeyRange { cheapest: Cost::new(1), bound: Cost::new(1 << 50) }
    }

    fn expand(&self, state: StateId, _: Option<StateId>, mut visit: impl FnMut(StateId, Cost)) -> u64 {
        if state == self.source() {
            for &(region, cost) in self.starts {
                visit(StateId::new(region), self.cost(cost));
            }
            return 0;
        }
        let legs = self.base.legs(state.number());
        let count = legs.len() as u64 + 1;
        for (_, to, cost) in legs {
            visit(StateId::new(to), Cost::new(cost.into()));
        }
        if let Some(&(_, cost)) = self.ends.iter().find(|(region, _)| *region == state.number()) {
            visit(self.sink(), self.cost(cost));
        }
        // More than eight successors count one by one.
        if count > 8 { count - 1 } else { 0 }
    }
}

impl Goal for Regions<'_> {
    fn is_reached(&self, state: StateId) -> bool {
        state == self.sink()
    }

    fn estimate(&self, state: StateId) -> Cost {
        if state.index() >= self.base.regions() || !self.is_guided {
            return Cost::ZERO;
        }
        // Rounded down: since costs are rounded up, it stays consistent.
        let h = self.climber.estimate(self.base.centre(state.number()), self.t);
        Cost::new(h.units() >> self.base.cost_shift())
    }
}

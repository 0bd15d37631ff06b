//! From a start and a goal to a path, in slices.

use super::near::{Near, Searched as NearSearched};
use super::walking::Leg;
use super::{CornerWalkMemory, Known};
use crate::core::{Budget, StateId};
use crate::index::corner_hierarchy::INFINITE;
use crate::plan::parts::corner_search::{Between, CornerSearch, Searched, SpareLabels};
use crate::space::{Cell, Grid, LineOfSight};
use serde::{Deserialize, Serialize};

/// How far the plan has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) enum Phase {
    /// There is none.
    #[default]
    Fresh,
    /// The lists are read: of this side, from this number on.
    Seed {
        side: u32,
        number: u32,
    },
    Search,
    /// Does the end of this side see this corner?
    Look {
        side: u32,
        corner: u32,
    },
    /// Down from where both sides met, on this side, at this corner.
    Climb {
        side: u32,
        corner: u32,
    },
    /// Does the start see the goal?
    Forward,
    /// Does the goal see the start?
    Backward,
    /// A* over cells.
    Near,
    /// Back over these cells, from the goal on.
    NearBack {
        cell: u32,
    },
    /// The path is there.
    Walk,
}

/// What came of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Planned {
    Ready,
    Suspended,
    /// There is no path, though there should be one.
    Failed,
}

/// Ends so near each other that lists made for far goals are not good enough: each is also given the other's list.
const BOTH_LISTS: u32 = 100;

/// Ends so near each other that a search over cells may be worth it.
const NEAR: u32 = 64;

/// Bytes of 256 labels: to make room for so many takes a unit.
const LABEL_PAGE: usize = 256 * 24;

/// Entries of an open list, and edges of a path, that there is room for from the beginning.
const ENTRIES: usize = 512;
const EDGES: usize = 128;

/// What is needed until the path is there.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Planning {
    pub(super) search: CornerSearch,
    pub(super) sight: LineOfSight,
    pub(super) near: Near,
}

impl Planning {
    pub(super) fn bytes(&self) -> usize {
        size_of::<Planning>() + self.search.bytes() + self.near.bytes()
    }

    /// Gives its tables back.
    fn end(self, spare: &mut SpareLabels) {
        let Planning { search: CornerSearch { labels, .. }, near, .. } = self;
        labels.into_iter().chain([near.labels]).for_each(|table| spare.take_back(table));
    }

    pub(super) fn labels(&self) -> usize {
        self.search.reached() + self.near.labels.len()
    }

    /// Whether this can have been restored on a grid: every way leads back to one of the ends.
    pub(super) fn is_sound(&self, grid: &Grid) -> bool {
        let is_inside = |cell: Cell| cell.0 <= grid.width() && cell.1 <= grid.height();
        self.search.is_sound()
            && self.near.is_sound(grid)
            && is_inside(self.sight.at)
            && is_inside(self.sight.to)
    }
}

fn state(grid: &Grid, cell: Cell) -> StateId {
    grid.geometry().state(cell)
}

impl CornerWalkMemory {
    /// Begins a plan from where the agent stands.
    pub(super) fn begin(&mut self, known: Known<'_>, spare: &mut SpareLabels, budget: &mut Budget) {
        let (start, goal) = (known.at, known.goal);
        self.drop_plan();
        self.start = start;
        let mut planning = Box::new(Planning::default());
        let labels_of_side = known.index.header.most_labels.div_ceil(2) as usize;
        planning.search.labels = [(); 2].map(|()| spare.lend(labels_of_side));
        planning.search.begin(INFINITE);
        planning.search.open.iter_mut().for_each(|open| open.reserve(ENTRIES));
        if self.apart(known) <= NEAR {
            planning.near.reserve(spare);
        }
        // What a plan usually needs, so that later steps allocate nothing.
        self.chain.edges.reserve(EDGES);
        self.legs.reserve(super::walking::AHEAD + 1);
        self.trail.reserve(super::walking::MOST_TRAIL);
        let labels = planning.search.label_bytes() + planning.near.labels.bytes();
        budget.charge((labels / LABEL_PAGE) as u64);
        self.planning = Some(planning);
        let hint = known.index.hint(known.grid, start, goal).map(|corner| known.index.place(corner));
        self.interim_target = hint.filter(|&cell| cell != start).unwrap_or(goal);
        self.phase = Phase::Seed { side: 0, number: 0 };
    }

    /// Columns or rows between the ends, whichever are more.
    pub(super) fn apart(&self, known: Known<'_>) -> u32 {
        let (start, goal) = (self.start, known.goal);
        start.0.abs_diff(goal.0).max(start.1.abs_diff(goal.1))
    }

    /// Goes on with the plan.
    pub(super) fn plan(&mut self, known: Known<'_>, spare: &mut SpareLabels, budget: &mut Budget) -> Planned {
        let Some(mut planning) = self.planning.take() else { return Planned::Failed };
        loop {
            let done = self.turn(&mut planning, known, budget);
            match done {
                Some(Planned::Suspended) => {
                    self.planning = Some(planning);
                    return Planned::Suspended;
                }
                Some(done) => {
                    planning.end(spare);
                    return done;
                }
                None => {}
            }
        }
    }

    /// One phase, or what the budget allows of it.
    fn turn(&mut self, planning: &mut Planning, known: Known<'_>, budget: &mut Budget) -> Option<Planned> {
        let (start, goal) = (self.start, known.goal);
        let graph = Between { index: &known.index, ends: [start, goal] };
        match self.phase {
            Phase::Fresh => return Some(Planned::Failed),
            Phase::Walk => return Some(Planned::Ready),
            Phase::Seed { side, number } => return self.seed(planning, known, budget, side, number),
            Phase::Search => match planning.search.run(&graph, budget) {
                Searched::Suspended => return Some(Planned::Suspended),
                Searched::Done => {
                    planning.sight = LineOfSight::new(start, goal);
                    self.phase = match planning.search.meeting {
                        Some(corner) => Phase::Climb { side: 1, corner },
                        None => Phase::Forward,
                    };
                }
                Searched::Look { side, corner } => {
                    planning.sight = LineOfSight::new(graph.ends[side], known.index.place(corner));
                    self.phase = Phase::Look { side: side as u32, corner };
                }
            },
            Phase::Look { side, corner } => match planning.sight.advance(known.grid, budget) {
                None => return Some(Planned::Suspended),
                Some(is_seen) => {
                    if is_seen {
                        let g = graph.first_leg(side as usize, corner);
                        planning.search.seed(&graph, side as usize, corner, g);
                    }
                    self.phase = Phase::Search;
                }
            },
            Phase::Climb { side, corner } => return self.climb(planning, known, budget, side, corner),
            Phase::Forward => match planning.sight.advance(known.grid, budget) {
                None => return Some(Planned::Suspended),
                Some(true) => self.run_to_goal(known, true),
                Some(false) => {
                    planning.sight = LineOfSight::new(goal, start);
                    self.phase = Phase::Backward;
                }
            },
            Phase::Backward => match planning.sight.advance(known.grid, budget) {
                None => return Some(Planned::Suspended),
                Some(true) => self.run_to_goal(known, false),
                Some(false) if self.apart(known) <= NEAR => {
                    planning.near.begin(state(known.grid, start), known.index.octile(start, goal));
                    self.phase = Phase::Near;
                }
                Some(false) => return Some(self.settle()),
            },
            Phase::Near => {
                let (best, costs) = (planning.search.best, known.index.costs);
                let to = state(known.grid, goal);
                match planning.near.run(known.grid, costs, to, best, budget) {
                    NearSearched::Suspended => return Some(Planned::Suspended),
                    NearSearched::NothingBetter => return Some(self.settle()),
                    NearSearched::Found => {
                        (self.has_ended, self.trail_target) = (true, None);
                        self.steps.reserve(planning.near.labels.len());
                        self.legs.clear();
                        self.chain.edges.clear();
                        self.phase = Phase::NearBack { cell: to.number() };
                    }
                }
            }
            Phase::NearBack { cell } => return self.near_back(planning, known, budget, cell),
        }
        None
    }

    /// The path over corners it is, if there is one.
    fn settle(&mut self) -> Planned {
        if self.legs.is_empty() {
            return Planned::Failed;
        }
        self.phase = Phase::Walk;
        Planned::Ready
    }

    /// The path is one run.
    fn run_to_goal(&mut self, known: Known<'_>, is_diagonal_first: bool) {
        let to = known.goal;
        self.chain.edges.clear();
        self.legs.clear();
        self.legs.push(Leg { to, is_diagonal_first });
        self.has_ended = true;
        self.phase = Phase::Walk;
    }

    fn seed(
        &mut self,
        planning: &mut Planning,
        known: Known<'_>,
        budget: &mut Budget,
        side: u32,
        mut number: u32,
    ) -> Option<Planned> {
        let search = &mut planning.search;
        let this = side as usize;
        let graph = Between { index: &known.index, ends: [self.start, known.goal] };
        let own = known.index.list(known.grid, graph.ends[this]);
        let other = known.index.list(known.grid, graph.ends[1 - this]);
        let count = own.len + if self.apart(known) <= BOTH_LISTS { other.len } else { 0 };
        while number < count {
            if !budget.take() {
                self.phase = Phase::Seed { side, number };
                return Some(Planned::Suspended);
            }
            let (corner, is_sure) = if number < own.len {
                known.index.listed(own, number)
            } else {
                (known.index.listed(other, number - own.len).0, false)
            };
            let g = graph.first_leg(this, corner);
            if is_sure {
                search.seed(&graph, this, corner, g);
            } else {
                search.seed_unsure(&graph, this, corner, g);
            }
            number += 1;
        }
        self.phase = if this == 0 { Phase::Seed { side: 1, number: 0 } } else { Phase::Search };
        None
    }

    /// One unit for each edge, and on the goal's side one more, since they come in the wrong order.
    fn climb(
        &mut self,
        planning: &mut Planning,
        known: Known<'_>,
        budget: &mut Budget,
        side: u32,
        mut corner: u32,
    ) -> Option<Planned> {
        let search = &planning.search;
        let this = side as usize;
        loop {
            if budget.left() < 2 {
                self.phase = Phase::Climb { side, corner };
                return Some(Planned::Suspended);
            }
            budget.charge(1 + this as u64);
            let Some(parent) = search.parent(this, corner) else { return Some(Planned::Failed) };
            if parent == corner {
                break;
            }
            self.chain.edges.push(if this == 1 { (corner, parent) } else { (parent, corner) });
            corner = parent;
        }
        if this == 1 {
            self.chain.edges.reverse();
            let Some(meeting) = search.meeting else { return Some(Planned::Failed) };
            self.phase = Phase::Climb { side: 0, corner: meeting };
            return None;
        }
        self.interim_target = known.index.place(corner);
        self.legs.push(Leg { to: self.interim_target, is_diagonal_first: true });
        if search.best <= known.index.octile(self.start, known.goal) {
            self.phase = Phase::Walk;
            return Some(Planned::Ready);
        }
        self.phase = Phase::Forward;
        None
    }

    fn near_back(
        &mut self,
        planning: &mut Planning,
        known: Known<'_>,
        budget: &mut Budget,
        mut cell: u32,
    ) -> Option<Planned> {
        loop {
            if !budget.take() {
                self.phase = Phase::NearBack { cell };
                return Some(Planned::Suspended);
            }
            let Some((parent, direction)) = planning.near.step_to(known.grid, cell) else {
                return Some(Planned::Failed);
            };
            if parent == cell {
                self.phase = Phase::Walk;
                return Some(Planned::Ready);
            }
            self.steps.push(direction);
            cell = parent;
        }
    }
}

//! The tree of subgoals of one goal, worked out when it is needed: a flood from the goal, cut into slices of any size.
//!
//! # Paper
//! C. Hernández, J. Baier: Fast subgoaling for pathfinding via real-time search, ICAPS 2011, Algorithm 2. What it decides is in
//! `subgoaling.rs`; here is its flood, lines 1 to 8 and 22.
//!
//! # Symbols
//! `s_goal` the goal, `Sub(s)` what a state heads for ([`SubgoalTree::subgoal`]), `Tree` the subgoals and what comes next
//! ([`SubgoalTree::next`]), `g(s)` the cost from a state to the goal ([`SubgoalTree::cost`]).
//!
//! # Guarantees
//! The same tree as that of the index `subgoal-trees:as-printed` for this goal, whatever the slices. A unit is a state that is
//! taken from the open list, one whose steps are looked at, or an arc that a map with links or a graph has. States are settled in
//! the order of their costs, so that everything that leads from a state to the goal is known as soon as the state is settled.
//! Memory follows what was touched, in pages: about 32 bytes a state.

use super::arcs_back::ArcsBack;
use super::subgoaling::{Labels, generate, settle};
use crate::core::{Budget, Cost, Goal, KeptSearch, RadixMap, StateId, StateList, Version};
use crate::space::{AnyTarget, Space, Successors};
use serde::{Deserialize, Serialize};

/// The tree of subgoals of one goal. It is [advanced](SubgoalTree::advance) until it is ready, and then asked: each state heads
/// for a [subgoal](SubgoalTree::subgoal), which seems as far away as it is, and from there for the [next](SubgoalTree::next) one,
/// until that is the goal.
///
/// ```
/// use milepost::{Budget, Grid, Point, Rule, Space, SubgoalTree};
///
/// let grid = Grid::from_ascii("........\n........\n...@..@.\n..@@..@.\n...@..@.", Rule::Four)?;
/// let at = |x, y| grid.state_at(Point::new(x, y)).unwrap();
/// let (d2, b3, e6) = (at(1, 3), at(2, 1), at(5, 4));
/// let space = Space::from(grid.clone());
///
/// let mut tree = SubgoalTree::towards(e6);
/// // Ten units a frame.
/// let mut frames = 1;
/// while !tree.advance(&space, &mut Budget::units(10)) {
///     frames += 1;
/// }
/// assert!(frames > 3);
/// // One walks from D2 to B3, and from there to the goal.
/// assert_eq!((tree.subgoal(d2), tree.next(b3)), (Some(b3), Some(e6)));
/// # Ok::<(), milepost::GridError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SubgoalTree {
    goal: StateId,
    /// Of the space that it was begun on.
    version: Option<Version>,
    back: ArcsBack,
    labels: KeptLabels,
    /// The state whose children are being named, if some have not been.
    expanding: Option<Expansion>,
    is_ready: bool,
}

/// What is known of states while the flood goes on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct KeptLabels {
    /// g, the open list and parents.
    search: KeptSearch,
    /// Sub by state that was settled; of a state of the tree, what comes next.
    sub: RadixMap<u32>,
    /// The states of the tree, and the same in the order in which they came in.
    is_subgoal: RadixMap<()>,
    subgoals: StateList,
}

/// A state whose children are being named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Expansion {
    state: StateId,
    /// The arc that was taken down and is named next; none if only steps are left.
    arc: Option<u32>,
}

impl Labels for KeptLabels {
    type State = StateId;

    #[inline]
    fn g(&self, state: StateId) -> u64 {
        self.search.cost(state).unwrap_or(Cost::ZERO).units()
    }

    #[inline]
    fn sub(&self, state: StateId) -> StateId {
        if self.is_subgoal.get(key(state)).is_some() {
            return state;
        }
        self.sub.get(key(state)).map_or(state, StateId::new)
    }

    #[inline]
    fn set_sub(&mut self, state: StateId, sub: StateId) {
        self.sub.insert(key(state), sub.number());
    }

    fn push(&mut self, state: StateId) {
        self.is_subgoal.insert(key(state), ());
        self.subgoals.push(state);
    }

    #[inline]
    fn reach(&mut self, state: StateId, g: u64, parent: StateId) -> bool {
        self.search.reach_over(parent, state, Cost::new(g))
    }
}

impl SubgoalTree {
    /// The tree of this goal, of which nothing is known yet.
    pub fn towards(goal: StateId) -> SubgoalTree {
        SubgoalTree {
            goal,
            version: None,
            back: ArcsBack::default(),
            labels: KeptLabels::default(),
            expanding: None,
            is_ready: false,
        }
    }

    /// Where all subgoals lead.
    pub fn goal(&self) -> StateId {
        self.goal
    }

    /// Goes on while the budget lasts, which the last piece of work may exceed by what one expansion takes. Says whether the tree is
    /// ready. On another version of its space it begins anew.
    pub fn advance(&mut self, space: &Space, budget: &mut Budget) -> bool {
        self.advance_to(space, None, budget)
    }

    /// The same, but ends as soon as everything is known that leads from a state to the goal.
    pub(crate) fn advance_to(&mut self, space: &Space, from: Option<StateId>, budget: &mut Budget) -> bool {
        if self.version != Some(space.version()) {
            self.begin(space);
        }
        if self.is_ready || !self.back.take_down(space, budget) {
            return self.is_ready;
        }
        loop {
            if from.is_some_and(|from| self.leads_from(from)) {
                return true;
            }
            if self.expanding.is_none() {
                if !budget.take() {
                    return false;
                }
                // Alg. 2, l. 7-11.
                let Some((s, parent)) = self.labels.search.settle() else {
                    self.is_ready = true;
                    return true;
                };
                settle(&mut self.labels, s, parent);
                self.expanding = Some(Expansion { state: s, arc: self.back.first(s) });
            }
            if !self.expand(space, budget) {
                return false;
            }
        }
    }

    /// Alg. 2, l. 1-6.
    fn begin(&mut self, space: &Space) {
        self.forget();
        self.version = Some(space.version());
        self.is_ready = !space.is_free(self.goal);
        if !self.is_ready {
            self.labels.search.begin_flood(self.goal);
        }
    }

    /// Forgets everything but the goal.
    fn forget(&mut self) {
        self.back.forget();
        self.labels.search.forget();
        self.labels.sub.forget();
        self.labels.is_subgoal.forget();
        self.labels.subgoals.forget();
        (self.version, self.expanding, self.is_ready) = (None, None, false);
    }

    /// Alg. 2, l. 12-22 for the state that was settled last. Says whether all its children were named.
    fn expand(&mut self, space: &Space, budget: &mut Budget) -> bool {
        let mut target: Option<AnyTarget<'_>> = None;
        while let Some(Expansion { state: s, arc }) = self.expanding {
            if !budget.take() {
                return false;
            }
            let labels = &mut self.labels;
            // What its children are estimated to: a state that is in the tree asks for no estimate.
            let sub = labels.sub(s);
            let target = *target.get_or_insert_with(|| {
                budget.charge(space.goal_units());
                space.towards(sub, Successors::All).target
            });
            let mut name = |child: StateId, cost: Cost| {
                generate(labels, s, (child, cost.units()), |_| target.estimate(child).units());
            };
            match arc.and_then(|arc| self.back.arc(arc)) {
                // Links come first: of those to where a step leads only cheaper ones were taken down.
                Some((child, cost, next)) => {
                    name(child, cost);
                    self.expanding = Some(Expansion { state: s, arc: next });
                    if next.is_some() || space.as_grid().is_some() {
                        continue;
                    }
                }
                None => budget.charge(ArcsBack::steps(space, s, name)),
            }
            self.expanding = None;
        }
        true
    }

    /// Whether everything is known.
    pub fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Whether everything is known that leads from this state to the goal; false where no path does.
    pub fn leads_from(&self, state: StateId) -> bool {
        let is_expanding = self.expanding.is_some_and(|expansion| expansion.state == state);
        self.labels.sub.get(key(state)).is_some() && !is_expanding
    }

    /// `Sub(s)`: what a state heads for, a subgoal or the goal; of a subgoal, what comes next. `None` if the flood has not come
    /// there.
    pub fn subgoal(&self, state: StateId) -> Option<StateId> {
        self.labels.sub.get(key(state)).map(StateId::new)
    }

    /// What comes after a subgoal: the next one, or the goal. `None` if the state is no subgoal.
    pub fn next(&self, subgoal: StateId) -> Option<StateId> {
        self.labels.is_subgoal.get(key(subgoal))?;
        self.subgoal(subgoal)
    }

    /// The subgoals, in the order in which they were found: each after the next one. The goal is not among them.
    pub fn subgoals(&self) -> impl Iterator<Item = StateId> {
        self.labels.subgoals.iter()
    }

    /// The subgoal that was found after so many others.
    pub(crate) fn found(&self, place: usize) -> Option<StateId> {
        self.labels.subgoals.get(place)
    }

    /// How many subgoals were found.
    pub fn len(&self) -> usize {
        self.labels.subgoals.len()
    }

    /// Whether no subgoal was found.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the best path from a state to the goal costs, if the flood has come there.
    pub fn cost(&self, state: StateId) -> Option<Cost> {
        self.labels.sub.get(key(state))?;
        self.labels.search.cost(state)
    }

    /// Memory held, itself not included.
    pub fn bytes(&self) -> usize {
        let KeptLabels { search, sub, is_subgoal, subgoals } = &self.labels;
        self.back.bytes() + search.bytes() + sub.bytes() + is_subgoal.bytes() + subgoals.bytes()
    }

    /// States that something is known of.
    pub(crate) fn remembered(&self) -> u64 {
        self.labels.search.touched()
    }

    /// What a slice of so many units allocates at most, where an expansion exceeds it by so many.
    pub(crate) fn page_bytes(&self, (units, expansion): (usize, usize)) -> usize {
        let KeptLabels { search, sub, is_subgoal, subgoals } = &self.labels;
        // A unit pays for eight arcs, or eight children.
        let touched = 8 * (units + expansion);
        self.back.page_bytes(touched)
            + search.page_bytes(touched)
            + sub.page_bytes(units + 1)
            + is_subgoal.page_bytes(units + 1)
            + subgoals.page_bytes(units + 1)
    }

    /// Whether this can have been made on a space, as far as every question is answered and no chain of subgoals leads in a circle.
    pub(crate) fn is_sound(&self, space: &Space) -> bool {
        if self.version != Some(space.version()) {
            // The next slice begins anew; until then nothing may be known.
            return self.version.is_none()
                && self.remembered() == 0
                && self.labels.sub.len() == 0
                && self.is_empty();
        }
        let KeptLabels { search, sub, is_subgoal, subgoals } = &self.labels;
        let g = |state: StateId| search.cost(state);
        // What a state heads for is nearer to the goal.
        let leads_on = |(state, sub): &(u64, u32)| {
            let (state, sub) = (StateId::new(*state as u32), StateId::new(*sub));
            state == self.goal && sub == state || g(sub).is_some() && g(sub) < g(state)
        };
        let is_settled = |state: StateId| sub.get(key(state)).is_some();
        search.touched_states().all(|state| space.is_free(state))
            && sub.sorted().iter().all(leads_on)
            && is_subgoal.len() == subgoals.len() as u64
            && subgoals.iter().all(|state| is_settled(state) && is_subgoal.get(key(state)).is_some())
            && self.expanding.is_none_or(|expansion| is_settled(expansion.state))
            && self.back.is_sound(space)
    }
}

fn key(state: StateId) -> u64 {
    state.number().into()
}

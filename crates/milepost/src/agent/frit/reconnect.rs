//! The reconnection: Algorithm 3 with the search of Algorithm 4, one step at a time.

use super::wall::{OrderedMoves, Reach, expansion_units};
use super::{FritScout, Phase, Terms, Tree};
use crate::agent::Step;
use crate::agent::laps::Laps;
use crate::agent::learning_scout::cost_bound;
use crate::agent::lookahead::{Answer, Found, LookAhead, Values};
use crate::core::{Budget, Cost, Goal, Local, Sparse, StateId};
use crate::space::{Ground, GroundTarget};

/// How far the tree seems: nothing is estimated, or the distance to the goal is.
#[derive(Clone, Copy)]
struct ToTree<'a>(Option<GroundTarget<'a>>);

impl Goal for ToTree<'_> {
    fn is_reached(&self, state: StateId) -> bool {
        self.0.as_ref().is_some_and(|goal| goal.is_reached(state))
    }

    #[inline]
    fn estimate(&self, state: StateId) -> Cost {
        self.0.as_ref().map_or(Cost::ZERO, |goal| goal.estimate(state))
    }
}

/// What was learned about how far the tree is.
struct Distances<'a> {
    ground: Ground<'a>,
    values: &'a mut Sparse<u64>,
}

impl Values for Distances<'_> {
    #[inline]
    fn table(&self) -> &Sparse<u64> {
        self.values
    }

    #[inline]
    fn table_mut(&mut self) -> &mut Sparse<u64> {
        self.values
    }

    #[inline]
    fn key(&self, state: StateId) -> u64 {
        self.ground.key(state)
    }

    fn key_of_square(&self, square: u32) -> u64 {
        u64::from(square) << 6
    }
}

impl FritScout {
    /// How much of the budget goes to the search, and how much to in-tree steps.
    fn shares(&self, budget: &Budget) -> (u64, u64) {
        let Terms { expansion, hop, .. } = self.kind.terms(self.errand.widest, self.errand.is_on_grid());
        let (k, in_tree) = (u64::from(self.kind.lookahead), u64::from(self.kind.in_tree));
        // What is left for the plan, after the look.
        let left = budget.left().saturating_sub(2 * hop + 2);
        let all = k * expansion + in_tree * hop;
        if left >= all {
            return (k, in_tree);
        }
        let least = 2 * hop;
        let k = (u128::from(left) * u128::from(k) / u128::from(all)).max(1) as u64;
        let k = k.min(left.saturating_sub(least) / expansion).max(1);
        (k, (left.saturating_sub(k * expansion) / hop).min(in_tree))
    }

    /// Algorithm 3, lines 9 and 10: a step of the way to s_next.
    fn follow_plan(&mut self, ground: Ground<'_>, budget: &mut Budget) -> Option<Step> {
        let (s, next) = (self.errand.at, self.plan.pop()?);
        budget.charge(self.errand.expansion_units());
        if !self.errand.moves(ground).allows(s, next) {
            self.plan.clear();
            return None;
        }
        // Deviation 1.
        budget.charge(1);
        if self.kind.as_printed || self.chains.is_lost(ground, s) {
            self.pointers.set(ground, s, next);
        }
        self.errand.at = next;
        Some(Step::Move(next))
    }

    /// Algorithm 1, line 10.
    pub(super) fn reconnect(&mut self, ground: Ground<'_>, local: &mut Local, budget: &mut Budget) -> Step {
        let (k, mut hops) = self.shares(budget);
        let s = self.errand.at;
        let before = hops;
        // Deviation 5; where the plan ends the search asks.
        let is_connected = !self.plan.is_empty()
            && !self.kind.as_printed
            && self.in_tree(ground, s, &mut hops) == Answer::Yes;
        if is_connected {
            self.charge_hops(before - hops, budget);
            return self.go_on_in_tree(ground, budget);
        }
        if let Some(step) = self.follow_plan(ground, budget) {
            self.charge_hops(before - hops, budget);
            return step;
        }
        let found = self.look_ahead(ground, k, local, &mut hops, budget);
        self.charge_hops(before - hops, budget);
        let along_walls = matches!(self.phase, Phase::Reconnecting { along_walls: true });
        let may_turn = self.kind.walls && along_walls && !self.kind.as_printed;
        match found {
            Found::End(0) => self.go_on_in_tree(ground, budget),
            Found::End(next) | Found::Border(next) => {
                self.plan_to(next, local, budget);
                self.follow_plan(ground, budget).unwrap_or(Step::NoPath)
            }
            // As printed it would go round for ever.
            Found::Hopeless(_) if self.kind.as_printed => Step::Stopped,
            // Deviation 6.
            Found::Hopeless(next) if self.is_kept => {
                self.forget_distances();
                self.plan_to(next, local, budget);
                self.follow_plan(ground, budget).unwrap_or(Step::NoPath)
            }
            // Deviation 3.
            Found::Hopeless(_) | Found::Exhausted { is_known: true } if may_turn => self.leave_walls(),
            Found::Exhausted { is_known: false } if may_turn => self.bide_time(ground, local, budget),
            Found::Hopeless(_) | Found::Exhausted { .. } => self.give_up(),
        }
    }

    fn charge_hops(&self, hops: u64, budget: &mut Budget) {
        budget.charge(hops * expansion_units(self.errand.widest, self.errand.is_on_grid(), false));
    }

    /// The state where it stands is in the tree: the reconnection is over.
    fn go_on_in_tree(&mut self, ground: Ground<'_>, budget: &mut Budget) -> Step {
        self.phase = Phase::Following(Laps::from(self.errand.at));
        self.plan.clear();
        if let Some(step) = self.follow_pointer(ground, budget) {
            return step;
        }
        // Colours may say yes of a chain that is cut, and never look again.
        if self.kind.as_printed {
            return Step::Stopped;
        }
        // So may chains that somebody has tampered with.
        self.begin_reconnection();
        Step::Thinking
    }

    /// Nothing is left along the wall that was not looked at, but not everything was found out: a step along the wall, while
    /// the in-tree tests go on.
    fn bide_time(&mut self, ground: Ground<'_>, local: &Local, budget: &mut Budget) -> Step {
        let next = local.nodes().iter().find(|node| node.parent == 0).map(|node| node.state);
        match next {
            Some(next) => {
                self.plan.push(next);
                self.follow_plan(ground, budget).unwrap_or(Step::NoPath)
            }
            None => self.leave_walls(),
        }
    }

    /// From now on this reconnection uses all moves.
    fn leave_walls(&mut self) -> Step {
        self.phase = Phase::Reconnecting { along_walls: false };
        self.forget_distances();
        Step::Thinking
    }

    /// Algorithm 3, lines 4 to 8.
    fn look_ahead(
        &mut self,
        ground: Ground<'_>,
        k: u64,
        local: &mut Local,
        hops: &mut u64,
        budget: &mut Budget,
    ) -> Found {
        let reach = match self.phase {
            Phase::Reconnecting { along_walls: true } if self.kind.as_printed && self.kind.walls => {
                Reach::PrintedWalls
            }
            Phase::Reconnecting { along_walls: true } if self.kind.walls => Reach::Walls,
            _ => Reach::Everywhere,
        };
        self.searches += 1;
        let goal = self.errand.goal;
        let moves = OrderedMoves {
            ground,
            belief: &self.errand.belief,
            order: self.kind.order,
            reach,
            bound: cost_bound(ground, Some(k + self.learned.len() as u64)),
        };
        let h_0 = ToTree(self.kind.towards_goal.then(|| ground.target(&goal)));
        let ahead = LookAhead { moves: &moves, cells: Some(&moves), h_0: &h_0, k, avoids: self.kind.avoids };
        let tree = Tree::of(&self.errand, ground, self.kind.order, &self.pointers);
        let (chains, colours, as_printed) = (&mut self.chains, &mut self.colours, self.kind.as_printed);
        let in_tree = |state| {
            if as_printed { colours.ask(&tree, state, hops) } else { chains.ask(&tree, state, hops) }
        };
        let mut distances = Distances { ground, values: &mut self.learned };
        ahead.run(self.errand.at, &mut distances, local, in_tree, budget)
    }

    /// Decides to walk to a node of the local space, from the first one.
    fn plan_to(&mut self, node: u32, local: &Local, budget: &mut Budget) {
        self.plan.clear();
        let mut at = &local.nodes()[node as usize];
        while let Some(parent) = local.nodes().get(at.parent as usize) {
            budget.charge(1);
            self.plan.push(at.state);
            at = parent;
        }
    }
}

//! FRIT_RT and p-FRIT_RT: follows a tree of pointers that would lead to the goal if nothing were blocked, and where a wall
//! cuts the tree, looks for a state that is still connected, a little at a time; p-FRIT_RT looks along walls alone.
//!
//! # Paper
//! N. Rivera, L. Illanes, J. A. Baier: Real-time pathfinding in unknown terrain via reconnection with an ideal tree,
//! IBERAMIA 2014: Algorithm 1 here, 2 and 5 in `in_tree.rs`, 3 and 4 in `lookahead.rs` and `wall.rs`; 5 to the letter in
//! `printed.rs`. FRIT_RT is a family: the reconnection is searched by RTAA*, or by daRTAA* (`lookahead.rs` says which).
//!
//! # Symbols
//! `s` where the scout stands, `g` the goal, `p(s)` the pointer of s ([`Tree::parent`]), computed when asked; `k` the
//! lookahead, `h` how far the tree seems; `c`, the colour, is a new one whenever [`Chains`] forget.
//!
//! # Guarantees
//! *Complete.* While the scout follows pointers, they are those of a chain that was proved to end at the goal (of the ideal
//! tree of a grid that is known), and no pointer of such a chain changes: so it never comes anywhere twice, but to the goal
//! or to a wall that it had not seen, of which there are finitely many. In a reconnection values rise wherever it goes and
//! every in-tree step counts, so that a connected state is recognised in the end, or some value is one that no path can
//! cost. Then p-FRIT_RT has been all along the wall, which on maps that are not *nice* (section 3.1) may not be enough,
//! and goes on with all moves; and if it used all, there is no path. A chain that was tampered with and leads in a circle is
//! noticed within three laps.
//!
//! *Bounded*: k expansions, with a value and a step of the plan each, and so many in-tree steps; a look, and one record for
//! each piece of news (five where diagonal steps may not pass corners).
//!
//! # Deviations
//! As printed, p-FRIT_RT walks in circles for ever on most problems; `p-frit-rt:K:as-printed` shows it, and stops.
//! 1. Algorithm 3, line 10 sets the pointers of all states that the scout comes through. States that are connected, but
//!    were not recognised for want of time, lose their way to the goal so. Here p(s) is set only if s is known not to be in
//!    the tree.
//! 2. Colours give wrong answers: a chain that was followed in part stays painted. Here chains know how far they were
//!    followed, share it, and forget it when an obstacle is seen on one of them (`in_tree.rs`). Line 11 of Algorithm 5 is
//!    off by one.
//! 3. An empty Open list (Algorithm 3, line 5) means no solution only if all moves were used; along walls it means that the
//!    in-tree tests are not finished, or that the wall is not enough.
//! 4. Algorithm 4, line 10 looks at the obstacles beside a move from one end, and under strict corners cannot go round
//!    any: here a move goes along a wall if both its ends touch the same obstacle. On graphs: a blocked node.
//! 5. While it walks to s_next the scout spends its in-tree steps on the states that it comes to.
//! 6. The estimate is forgotten between reconnections: the tree is another one. It is never lowered.
//! 7. On graphs the ideal pointer is the edge with the least cost and estimate; such pointers need not make a tree, so a
//!    scout begins with a reconnection there.

mod in_tree;
mod pointers;
mod printed;
mod wall;

pub(super) use in_tree::Chains;
pub use pointers::Order;
pub(super) use pointers::{Pointers, Tree};

use super::errand::Errand;
use super::laps::Laps;
use super::learning::Learned;
use super::learning_scout::cost_bound;
use super::lookahead::{Answer, Found, LookAhead, cost_of_expansion};
use super::{Limits, Refused, Restoring, SavedAgentError, Saving, Scout, ScoutKind, Sensor, Step, Traveller};
use crate::core::{Budget, Cost, Goal, Local, StateId};
use crate::plan::{Refusal, Scratch};
use crate::space::{Ground, GroundTarget, News};
use printed::Colours;
use wall::{OrderedMoves, Reach, expansion_units};

/// Scouts that reconnect with an ideal tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frit {
    /// States that a search expands.
    pub lookahead: u32,
    /// In-tree steps that go with a move, 2 at least.
    pub in_tree: u32,
    /// p-FRIT_RT: reconnections go along walls.
    pub walls: bool,
    /// Whether a reconnection is guided by the distance to the goal; else by nothing.
    pub towards_goal: bool,
    /// The order of successors.
    pub order: Order,
    /// Whether reconnections are searched by daRTAA*.
    pub avoids: bool,
    /// Algorithms 3, 4 and 5 to the letter.
    pub as_printed: bool,
}

/// What a name may ask for.
pub(crate) const LOOKAHEAD: std::ops::RangeInclusive<u32> = 1..=100_000;
pub(crate) const IN_TREE: std::ops::RangeInclusive<u32> = 2..=1_000_000;

/// What a step takes, part by part.
#[derive(Clone, Copy, Debug)]
struct Terms {
    /// The look, the records that news touch, the pointer, the plan, and the first state of a search.
    beside: u64,
    expansion: u64,
    hop: u64,
}

impl Frit {
    fn terms(&self, widest: u32, is_grid: bool) -> Terms {
        let plain = expansion_units(widest, is_grid, false);
        let records = if is_grid { 5 } else { 1 };
        let expansion = expansion_units(widest, is_grid, self.walls);
        Terms {
            beside: Errand::look_units(widest) + records * (u64::from(widest) + 1) + 3 * plain + 2,
            expansion: cost_of_expansion(expansion, widest.into(), self.avoids),
            hop: plain,
        }
    }

    fn limits_on(&self, widest: u32, is_grid: bool) -> Limits {
        let Terms { beside, expansion, hop } = self.terms(widest, is_grid);
        let units = |k: u32, in_tree: u32| beside + u64::from(k) * expansion + u64::from(in_tree) * hop;
        // A scout that turns from walls to all moves does so before it moves.
        let max_thinking = u64::from(self.walls);
        Limits { min_units: units(1, 2), max_units: units(self.lookahead, self.in_tree), max_thinking }
    }

    /// A scout on this ground.
    pub fn start(&self, ground: Ground<'_>, from: StateId, to: StateId) -> FritScout {
        let errand = Errand::new(ground, from, to);
        let phase = Phase::first(&errand);
        FritScout {
            kind: *self,
            errand,
            pointers: Pointers::default(),
            chains: Chains::default(),
            colours: Colours::default(),
            learned: Learned::default(),
            phase,
            plan: Vec::new(),
            searches: 0,
        }
    }
}

impl ScoutKind for Frit {
    fn limits(&self) -> Limits {
        self.limits_on(8, true)
    }

    fn refusal(&self, ground: Ground<'_>) -> Option<Refusal> {
        Refusal::of_scouts(ground)
    }
}

/// What a scout is doing.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// It follows pointers.
    Following(Laps),
    /// It looks for the tree: along walls, or everywhere.
    Reconnecting { along_walls: bool },
}

impl Phase {
    /// The pointers of a grid are known to lead to the goal.
    fn first(errand: &Errand) -> Phase {
        if errand.is_on_grid() {
            Phase::Following(Laps::from(errand.at))
        } else {
            Phase::Reconnecting { along_walls: true }
        }
    }
}

/// A scout that reconnects with an ideal tree.
#[derive(Clone, Debug)]
pub struct FritScout {
    kind: Frit,
    errand: Errand,
    pointers: Pointers,
    chains: Chains,
    colours: Colours,
    /// `h`.
    learned: Learned,
    phase: Phase,
    /// The way to s_next, the next state last.
    plan: Vec<StateId>,
    searches: u64,
}

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

/// All values are about one goal: to be in the tree again.
const TREE: StateId = StateId::new(0);

impl FritScout {
    /// Its parameters.
    pub fn kind(&self) -> Frit {
        self.kind
    }

    /// c <- c + 1; the reconnection begins.
    fn begin_reconnection(&mut self) {
        self.phase = Phase::Reconnecting { along_walls: true };
        self.forget_search();
    }

    /// Forgets what was found out about the tree and the way to it.
    fn forget_search(&mut self) {
        self.chains.forget();
        self.colours.forget();
        self.learned.forget();
        self.plan.clear();
    }

    fn give_up(&mut self) -> Step {
        self.forget_search();
        self.pointers.forget();
        self.phase = Phase::first(&self.errand);
        self.errand.give_up()
    }

    /// Algorithm 1, lines 6-7. Arcs that lead to obstacles are pruned by what is believed; chains that such an arc belongs
    /// to are to be followed anew.
    fn prune(&mut self, ground: Ground<'_>, budget: &mut Budget) {
        if self.errand.has_opened {
            // What was in nobody's reach may be so now.
            match self.phase {
                Phase::Following(_) => {}
                Phase::Reconnecting { .. } => self.begin_reconnection(),
            }
        }
        let mut is_cut = false;
        for (state, news) in &self.errand.news {
            if *news != News::Blocked {
                continue;
            }
            budget.charge(1);
            is_cut |= self.chains.has_met(*state);
            if let Some(outline) = ground.as_grid().filter(|outline| !outline.rule().cuts_corners()) {
                // A diagonal arc past the obstacle joins two of the cells beside it.
                budget.charge(4);
                let (column, row) = outline.column_and_row(*state);
                let beside = [(column, row - 1), (column + 1, row), (column, row + 1), (column - 1, row)];
                let met = beside.map(|(column, row)| {
                    let cell = outline.cell(column, row);
                    cell == self.errand.goal || self.chains.has_met(cell)
                });
                is_cut |= (0..4).any(|side| met[side] && met[(side + 1) % 4]);
            }
        }
        if is_cut && !self.kind.as_printed {
            self.chains.forget();
        }
    }

    /// Whether s is in the tree.
    fn in_tree(&mut self, ground: Ground<'_>, s: StateId, hops: &mut u64) -> Answer {
        let tree = Tree::of(&self.errand, ground, self.kind.order, &self.pointers);
        if self.kind.as_printed { self.colours.ask(&tree, s, hops) } else { self.chains.ask(&tree, s, hops) }
    }

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

    /// Algorithm 1, line 11, in a chain that leads to the goal; `None` if it is cut.
    fn follow_pointer(&mut self, ground: Ground<'_>, budget: &mut Budget) -> Option<Step> {
        let Phase::Following(mut laps) = self.phase else { return None };
        let tree = Tree::of(&self.errand, ground, self.kind.order, &self.pointers);
        budget.charge(self.errand.expansion_units());
        let next = tree.parent(self.errand.at)?;
        if !self.errand.news.is_empty() {
            laps = Laps::from(self.errand.at);
        }
        if laps.come_round(next) {
            // Nothing was seen all the way, so nothing will be: the pointers lead in a circle.
            return self.kind.as_printed.then_some(Step::Stopped);
        }
        self.phase = Phase::Following(laps);
        self.errand.at = next;
        Some(Step::Move(next))
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
        if self.kind.as_printed || self.chains.is_lost(s) {
            self.pointers.set(s, next);
        }
        self.errand.at = next;
        Some(Step::Move(next))
    }

    /// Algorithm 1, line 10.
    fn reconnect(&mut self, ground: Ground<'_>, local: &mut Local, budget: &mut Budget) -> Step {
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
        self.learned.forget();
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
            bound: cost_bound(ground, Some(k + self.learned.len())),
        };
        let h_0 = ToTree(self.kind.towards_goal.then(|| ground.target(&goal)));
        let ahead = LookAhead { moves: &moves, h_0: &h_0, k, avoids: self.kind.avoids, target: TREE };
        let tree = Tree::of(&self.errand, ground, self.kind.order, &self.pointers);
        let (chains, colours, as_printed) = (&mut self.chains, &mut self.colours, self.kind.as_printed);
        let in_tree = |state| {
            if as_printed { colours.ask(&tree, state, hops) } else { chains.ask(&tree, state, hops) }
        };
        ahead.run(self.errand.at, &mut self.learned, local, in_tree, budget)
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

impl Scout for FritScout {
    fn step(&mut self, sensor: &dyn Sensor, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        let ground = sensor.ground();
        if let Err(refused) = self.errand.check(ground, self.limits(), budget) {
            return Step::Refused(refused);
        }
        if let Some(refusal) = self.kind.refusal(ground) {
            return Step::Refused(Refused::Unable(refusal));
        }
        // Alg. 1, l. 5-7.
        self.errand.look_around(sensor, budget);
        self.prune(ground, budget);
        if !self.errand.is_possible(ground) {
            return self.give_up();
        }
        // l. 4.
        if self.errand.at == self.errand.goal {
            return Step::Arrived;
        }
        // l. 8-11.
        if let Phase::Following(_) = self.phase {
            if let Some(step) = self.follow_pointer(ground, budget) {
                return step;
            }
            self.begin_reconnection();
        }
        self.reconnect(ground, &mut scratch.local, budget)
    }
}

impl Traveller for FritScout {
    fn retarget(&mut self, goal: StateId) {
        self.errand.goal = goal;
        self.forget_search();
        self.pointers.forget();
        self.phase = Phase::first(&self.errand);
    }

    fn state(&self) -> StateId {
        self.errand.at
    }

    fn goal(&self) -> StateId {
        self.errand.goal
    }

    fn limits(&self) -> Limits {
        self.kind.limits_on(self.errand.widest, self.errand.is_on_grid())
    }

    fn page_bytes(&self) -> usize {
        let (k, hops) = (self.kind.lookahead as usize, self.kind.in_tree as usize);
        // A hop writes two links at most, and marks another.
        let tables = k * Learned::PAGE_BYTES + 3 * hops * Chains::PAGE_BYTES + Pointers::PAGE_BYTES;
        self.errand.page_bytes() + tables + 2 * (k + 1).next_power_of_two() * size_of::<StateId>()
    }

    fn bytes(&self) -> usize {
        let tables =
            self.pointers.bytes() + self.chains.bytes() + self.colours.bytes() + self.learned.bytes();
        size_of::<FritScout>() + self.errand.bytes() + tables + self.plan.capacity() * size_of::<StateId>()
    }

    fn remembered(&self) -> u64 {
        let tables = self.pointers.len() + self.chains.len() + self.colours.len() + self.learned.len();
        self.errand.belief.states() + tables
    }

    fn searches(&self) -> Option<u64> {
        Some(self.searches)
    }

    fn save(&self, saving: &mut Saving) {
        saving.u32(self.kind.lookahead);
        saving.u32(self.kind.in_tree);
        let flags = [
            self.kind.walls,
            self.kind.towards_goal,
            self.kind.order == Order::CounterClockwise,
            self.kind.avoids,
            self.kind.as_printed,
        ];
        saving.u32(flags.iter().rev().fold(0, |bits, flag| bits << 1 | u32::from(*flag)));
        self.errand.save(saving);
        self.pointers.save(saving);
        self.chains.save(saving);
        self.colours.save(saving);
        self.learned.save(saving);
        match self.phase {
            Phase::Following(laps) => {
                saving.u32(0);
                laps.save(saving);
            }
            Phase::Reconnecting { along_walls } => saving.u32(1 + u32::from(along_walls)),
        }
        saving.states(&self.plan);
        saving.u64(self.searches);
    }
}

impl FritScout {
    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<FritScout, SavedAgentError> {
        let (lookahead, in_tree, flags) = (saved.u32()?, saved.u32()?, saved.u32()?);
        if !LOOKAHEAD.contains(&lookahead) || !IN_TREE.contains(&in_tree) || flags >> 5 != 0 {
            return Err(SavedAgentError::Damaged);
        }
        let flag = |bit: u32| flags >> bit & 1 == 1;
        let order = if flag(2) { Order::CounterClockwise } else { Order::Clockwise };
        let kind = Frit {
            lookahead,
            in_tree,
            walls: flag(0),
            towards_goal: flag(1),
            order,
            avoids: flag(3),
            as_printed: flag(4),
        };
        let errand = Errand::restore(saved)?;
        let pointers = Pointers::restore(saved)?;
        let (chains, colours) = (Chains::restore(saved)?, Colours::restore(saved)?);
        let learned = Learned::restore(saved)?;
        let phase = match saved.u32()? {
            0 => Phase::Following(Laps::restore(saved)?),
            code @ 1..=2 => Phase::Reconnecting { along_walls: code == 2 },
            _ => return Err(SavedAgentError::Damaged),
        };
        let (plan, searches) = (saved.states()?, saved.u64()?);
        Ok(FritScout { kind, errand, pointers, chains, colours, learned, phase, plan, searches })
    }
}

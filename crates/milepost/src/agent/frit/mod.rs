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
//! cost, if it was learned in this reconnection alone. Then p-FRIT_RT has been all along the wall, which on maps that are
//! not *nice* (section 3.1) may not be enough, and goes on with all moves; and if it used all, there is no path. A chain
//! that was tampered with and leads in a circle is noticed within three laps.
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
//! 6. The tree of the next reconnection is another one, which may be nearer. What was learned is kept all the same, so that
//!    the scout goes where it has not been; but a value that no path can cost proves nothing then: all are forgotten, and
//!    the reconnection goes on with new ones. They are also forgotten if something opens.
//! 7. On graphs the ideal pointer is the edge with the least cost and estimate; such pointers need not make a tree, so a
//!    scout begins with a reconnection there.

mod in_tree;
mod pointers;
mod printed;
mod reconnect;
mod saved;
mod wall;

pub(super) use in_tree::Chains;
pub use pointers::Order;
pub(super) use pointers::{Pointers, Tree};

use super::errand::Errand;
use super::laps::Laps;
use super::lookahead::{Answer, cost_of_expansion};
use super::{Limits, Refused, Saving, Scout, ScoutKind, Sensor, Step, Traveller};
use crate::core::{Budget, Sparse, StateId};
use crate::plan::{Refusal, Scratch};
use crate::space::{BeliefChange, PriorMap};
use printed::Colours;
use wall::expansion_units;

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
    pub fn start(&self, ground: PriorMap<'_>, from: StateId, to: StateId) -> FritScout {
        let errand = Errand::new(ground, from, to);
        let phase = Phase::first(&errand);
        FritScout {
            kind: *self,
            errand,
            pointers: Pointers::default(),
            chains: Chains::default(),
            colours: Colours::default(),
            learned: Sparse::new(),
            phase,
            plan: Vec::new(),
            searches: 0,
            is_kept: false,
        }
    }
}

impl ScoutKind for Frit {
    fn limits(&self) -> Limits {
        self.limits_on(8, true)
    }

    fn refusal(&self, ground: PriorMap<'_>) -> Option<Refusal> {
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
    learned: Sparse<u64>,
    phase: Phase,
    /// The way to s_next, the next state last.
    plan: Vec<StateId>,
    searches: u64,
    /// Whether some of `h` was learned in an earlier reconnection.
    is_kept: bool,
}

impl FritScout {
    /// Its parameters.
    pub fn kind(&self) -> Frit {
        self.kind
    }

    /// c <- c + 1; the reconnection begins.
    fn begin_reconnection(&mut self) {
        self.phase = Phase::Reconnecting { along_walls: true };
        self.chains.forget();
        self.colours.forget();
        self.plan.clear();
        // Deviation 6.
        self.is_kept = self.learned.len() > 0;
        if self.kind.as_printed {
            self.forget_distances();
        }
    }

    /// Nothing is known of how far the tree is.
    fn forget_distances(&mut self) {
        self.learned.forget();
        self.is_kept = false;
    }

    /// Forgets what was found out about the tree and the way to it.
    fn forget_search(&mut self) {
        self.chains.forget();
        self.colours.forget();
        self.forget_distances();
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
    fn prune(&mut self, ground: PriorMap<'_>, budget: &mut Budget) {
        if self.errand.has_opened {
            // What was in nobody's reach may be so now.
            match self.phase {
                Phase::Following(_) => {}
                Phase::Reconnecting { .. } => {
                    self.phase = Phase::Reconnecting { along_walls: true };
                    self.forget_search();
                }
            }
        }
        let mut is_cut = false;
        for (state, news) in &self.errand.news {
            if *news != BeliefChange::Blocked {
                continue;
            }
            budget.charge(1);
            is_cut |= self.chains.has_met(ground, *state);
            if let Some(outline) = ground.as_grid().filter(|outline| !outline.rule().cuts_corners()) {
                // A diagonal arc past the obstacle joins two of the cells beside it.
                budget.charge(4);
                let (column, row) = outline.cell(*state);
                let beside = [(column, row - 1), (column + 1, row), (column, row + 1), (column - 1, row)];
                let met = beside.map(|(column, row)| {
                    let cell = outline.state((column, row));
                    cell == self.errand.goal || self.chains.has_met(ground, cell)
                });
                is_cut |= (0..4).any(|side| met[side] && met[(side + 1) % 4]);
            }
        }
        if is_cut && !self.kind.as_printed {
            self.chains.forget();
        }
    }

    /// Whether s is in the tree.
    fn in_tree(&mut self, ground: PriorMap<'_>, s: StateId, hops: &mut u64) -> Answer {
        let tree = Tree::of(&self.errand, ground, self.kind.order, &self.pointers);
        if self.kind.as_printed { self.colours.ask(&tree, s, hops) } else { self.chains.ask(&tree, s, hops) }
    }

    /// Algorithm 1, line 11, in a chain that leads to the goal; `None` if it is cut.
    fn follow_pointer(&mut self, ground: PriorMap<'_>, budget: &mut Budget) -> Option<Step> {
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
        let chains = self.chains.page_bytes(hops).max(self.colours.page_bytes(hops));
        let tables = self.learned.page_bytes(k) + chains + self.pointers.page_bytes();
        self.errand.page_bytes() + tables + 2 * (k + 1).next_power_of_two() * size_of::<StateId>()
    }

    fn bytes(&self) -> usize {
        let tables =
            self.pointers.bytes() + self.chains.bytes() + self.colours.bytes() + self.learned.bytes();
        size_of::<FritScout>() + self.errand.bytes() + tables + self.plan.capacity() * size_of::<StateId>()
    }

    fn remembered(&self) -> u64 {
        let tables = self.pointers.len() + self.chains.len() + self.colours.len() + self.learned.len() as u64;
        self.errand.belief.states() + tables
    }

    fn searches(&self) -> Option<u64> {
        Some(self.searches)
    }

    fn save(&self, saving: &mut Saving) {
        self.write(saving);
    }
}

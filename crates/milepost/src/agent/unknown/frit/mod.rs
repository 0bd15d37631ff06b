//! FRIT_RT and p-FRIT_RT: follows a tree of pointers that would lead to the goal if nothing were blocked, and where a wall
//! cuts the tree, looks for a state that is still connected, a little at a time; p-FRIT_RT looks along walls alone.
//!
//! # Paper
//! N. Rivera, L. Illanes, J. A. Baier: Real-time pathfinding in unknown terrain via reconnection with an ideal tree,
//! IBERAMIA 2014: Algorithm 1 here, 2 and 5 in `in_tree.rs`, 3 and 4 in `lookahead.rs` and `wall.rs`; 2 and 5 to the letter
//! in `printed.rs`. FRIT_RT is a family: the reconnection is searched by RTAA*, or by daRTAA* (`lookahead.rs` says which).
//!
//! # Symbols
//! `s` where the agent stands, `g` the goal, `p(s)` the pointer of s ([`Tree::parent`]), computed when asked; `k` the
//! lookahead, `h` how far the tree seems; `c`, the colour, is a new one whenever [`Chains`] forget.
//!
//! # Guarantees
//! *Complete.* While the agent follows pointers, they are those of a chain that was proved to end at the goal (of the ideal
//! tree of a grid that is known), and no pointer of such a chain changes: so it never comes anywhere twice, but to the goal
//! or to a wall that it had not seen, of which there are finitely many. In a reconnection values rise wherever it goes and
//! every in-tree step counts, so that a connected state is recognised in the end, or some value is one that no path can
//! cost, if it was learned in this reconnection alone. Then p-FRIT_RT has been all along the wall, which on maps that are
//! not *nice* (section 3.1) may not be enough, and goes on with all moves; and if it used all, there is no path.
//!
//! *Bounded*: k expansions, with a value and a step of the plan each, and so many in-tree steps; a look, and one record for
//! each cell that is other than believed (five where diagonal steps may not pass corners). With B = `inf` in-tree tests are
//! finished within the step, which no number bounds then; where a budget does, they go on in the next step.
//!
//! # Deviations
//! As printed, p-FRIT_RT walks in circles for ever on many problems; `p-frit-rt:K:as-printed` shows it, and stops. FRIT_RT as
//! printed, Algorithms 1, 2 and 3 with their colours, arrives later, and goes round for ever where no path leads:
//! `frit-rt:K:as-printed` stops then.
//! 1. Algorithm 3, line 10 sets the pointers of all states that the agent comes through. States that are connected, but
//!    were not recognised for want of time, lose their way to the goal so. Here p(s) is set only if s is known not to be in
//!    the tree.
//! 2. Colours give wrong answers: a chain that was followed in part stays painted. Here chains know how far they were
//!    followed, share it, and forget it when an obstacle is seen on one of them (`in_tree.rs`). Line 11 of Algorithm 5 is
//!    off by one.
//! 3. An empty Open list (Algorithm 3, line 5) means no solution only if all moves were used; along walls it means that the
//!    in-tree tests are not finished, or that the wall is not enough.
//! 4. Algorithm 4, line 10 looks at the obstacles beside a move from one end, and under strict corners cannot go round
//!    any: here a move goes along a wall if both its ends touch the same obstacle. On graphs: a blocked node.
//! 5. While it walks to s_next the agent spends its in-tree steps on the states that it comes to.
//! 6. The tree of the next reconnection is another one, which may be nearer. What was learned is kept all the same, so that
//!    the agent goes where it has not been; but a value that no path can cost proves nothing then: all are forgotten, and
//!    the reconnection goes on with new ones. They are also forgotten if something opens.
//! 7. On graphs the ideal pointer is the edge with the least cost and estimate; such pointers need not make a tree, so an
//!    agent begins with a reconnection there.
//! 8. Algorithm 4, line 6 asks each open state with the least f whether it is in the tree. Where in-tree steps are counted they
//!    are spent on the first of them alone, which is expanded next; with B = `inf` each is asked.

mod in_tree;
mod pointers;
mod printed;
mod reconnect;
mod wall;

pub(super) use pointers::Order;
pub(super) use pointers::{Pointers, Tree};

use in_tree::Chains;

use crate::agent::base::cycles::CycleDetector;
use crate::agent::base::lookahead::cost_of_expansion;
use crate::agent::base::{
    About, Algorithm, Change, Count, Decision, Derived, Limits, Memory, Parameter, Situation, SpaceLimits,
    Terrain, Value,
};
#[cfg(feature = "observe")]
use crate::agent::base::{Asked, Held};
#[cfg(feature = "observe")]
use crate::core::Cost;
use crate::core::{RadixMap, StateId};
use crate::space::{BeliefChange, BeliefMoves, Direction, PriorMap};
use printed::Colours;
use serde::{Deserialize, Serialize};

/// In-tree steps that are not counted.
const UNBOUNDED: u32 = u32::MAX;

/// FRIT_RT.
pub(crate) type FritRt = FritFamily<false>;

/// p-FRIT_RT.
pub(crate) type PFritRt = FritFamily<true>;

/// Agents that reconnect with an ideal tree: everywhere, or along walls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct FritFamily<const ALONG_WALLS: bool>(Frit);

/// The parameters of both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Frit {
    /// States that a search expands.
    lookahead: u32,
    /// In-tree steps that go with a move, 2 at least; 0 stands for eight times the lookahead, [`UNBOUNDED`] for as many as
    /// it takes.
    in_tree: u32,
    /// p-FRIT_RT: reconnections go along walls.
    walls: bool,
    /// Whether a reconnection is guided by the distance to the goal; else by nothing.
    towards_goal: bool,
    /// The order of successors.
    order: Order,
    /// Whether reconnections are searched by daRTAA*.
    avoids: bool,
    /// Algorithms 2 and 3, or 3, 4 and 5, to the letter.
    as_printed: bool,
}

/// What an agent is doing.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
enum Phase {
    /// Nothing yet.
    #[default]
    Start,
    /// It follows pointers.
    Following(CycleDetector),
    /// It looks for the tree: along walls, or everywhere.
    Reconnecting { along_walls: bool },
}

/// The tree, and what was found out about it. Whatever it says, pointers are followed only where moves allow it, and the
/// in-tree test counts its steps.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct FritMemory {
    pointers: Pointers,
    chains: Chains,
    colours: Colours,
    /// `h`.
    learned: RadixMap<u64>,
    /// Whether some of `h` was learned in an earlier reconnection.
    is_kept: bool,
    phase: Phase,
    /// Whether its last decision was to think.
    has_thought: bool,
    /// The way to s_next, the next state last.
    plan: Vec<StateId>,
}

impl<const ALONG_WALLS: bool> Algorithm for FritFamily<ALONG_WALLS> {
    const ABOUT: About = About {
        name: if ALONG_WALLS { "p-frit-rt" } else { "frit-rt" },
        summary: if ALONG_WALLS {
            "follows a tree that leads to the goal; where walls cut it, looks for it along the wall"
        } else {
            "follows a tree that leads to the goal; where walls cut it, looks for it all around"
        },
        guarantee: "complete; `as-printed` may stop",
        memory: "pointers, and what it has found out about them and learned since it was cut off",
        is_tedious: true,
        ..About::BY_SIGHT
    };
    const DEFAULT: Self = FritFamily(Frit {
        lookahead: 16,
        in_tree: 0,
        walls: ALONG_WALLS,
        towards_goal: false,
        order: Order::Clockwise,
        avoids: false,
        as_printed: false,
    });
    const PARAMETERS: &'static [Parameter<Self>] = &[
        Parameter::count(
            "",
            "K",
            "a number of states",
            (1, 100_000),
            |frit| &mut frit.0.lookahead,
            "states that one search expands",
        ),
        Parameter {
            key: "",
            meaning: "in-tree steps that go with a move; `inf`: all that it takes, and no bound on a step",
            value: Value::CountUnlessGiven(
                Count {
                    letter: "B",
                    noun: "a number of in-tree steps",
                    range: (2, 1_000_000),
                    field: |frit| &mut frit.0.in_tree,
                },
                Derived { default: "8 K", word: ("inf", UNBOUNDED) },
            ),
        },
        Parameter {
            key: "",
            meaning: "the listings to the letter, which may walk in circles; a circle that is proved ends it",
            value: Value::Flag(&["as-printed"], |frit| &mut frit.0.as_printed),
        },
        Parameter {
            key: "h",
            meaning: "what guides a reconnection: nothing, or the distance to the goal",
            value: Value::Words {
                words: &["zero", "octile"],
                get: |frit| frit.0.towards_goal as usize,
                set: |frit, word| frit.0.towards_goal = word == 1,
            },
        },
        Parameter {
            key: "order",
            meaning: "successors from the east on, with the clock or against it",
            value: Value::Words {
                words: &["cw", "ccw"],
                get: |frit| frit.0.order as usize,
                set: |frit, word| {
                    frit.0.order = if word == 0 { Order::Clockwise } else { Order::CounterClockwise };
                },
            },
        },
        Parameter {
            key: "search",
            meaning: "the search that a reconnection uses",
            value: Value::Words {
                words: &["rtaa", "da-rtaa"],
                get: |frit| frit.0.avoids as usize,
                set: |frit, word| frit.0.avoids = word == 1,
            },
        },
    ];
    type Memory = FritMemory;

    fn limits(&self, space: SpaceLimits) -> Limits {
        let StepUnits { beside, expansion, hop } = self.0.units(space);
        let units = |k: u32, in_tree: u64| beside + u64::from(k) * expansion + in_tree * hop;
        // An agent that turns from walls to all moves does so before it moves.
        let max_thinking = u64::from(self.0.walls);
        let max_units = self.0.in_tree().map(|in_tree| units(self.0.lookahead, in_tree));
        Limits { min_units: units(1, 2), max_units, max_thinking }
    }

    fn decide(&self, memory: &mut FritMemory, here: &mut Situation<'_>) -> Decision {
        let Some((prior, moves)) = here.terrain.believed() else { return Decision::NoPath };
        let decision = FritStep { frit: self.0, memory, here, prior, moves }.advance();
        memory.has_thought = decision == Decision::Think;
        decision
    }

    fn map_changed(&self, _: &mut FritMemory, _: Change<'_>) {
        // Arcs that are blocked are pruned as the change is taken in, which is charged.
    }

    fn take_in(&self, memory: &mut FritMemory, here: &mut Situation<'_>) {
        if let Some((prior, moves)) = here.terrain.believed() {
            FritStep { frit: self.0, memory, here, prior, moves }.prune();
        }
    }

    fn units_of_change(&self, space: SpaceLimits) -> u64 {
        // The obstacle, and the cells beside it.
        if space.is_grid { 5 } else { 1 }
    }

    fn page_bytes(&self, memory: &FritMemory, _: SpaceLimits) -> usize {
        let Some(hops) = self.0.in_tree() else { return usize::MAX };
        let (k, hops) = (self.0.lookahead as usize, hops as usize);
        let chains = memory.chains.page_bytes(hops).max(memory.colours.page_bytes(hops));
        let tables = memory.learned.page_bytes(k) + chains + memory.pointers.page_bytes();
        tables + 2 * (k + 1).next_power_of_two() * size_of::<StateId>()
    }
}

/// What a step takes, part by part.
#[derive(Clone, Copy, Debug)]
struct StepUnits {
    /// The pointer, the plan, and the first state of a search.
    beside: u64,
    expansion: u64,
    hop: u64,
}

impl Frit {
    /// In-tree steps that go with a move; `None` if they are not bounded.
    fn in_tree(&self) -> Option<u64> {
        match self.in_tree {
            0 => Some(self.usual_in_tree()),
            UNBOUNDED => None,
            given => Some(given.into()),
        }
    }

    /// In-tree steps that go with a move if no number of them is given.
    fn usual_in_tree(&self) -> u64 {
        8 * u64::from(self.lookahead)
    }

    fn units(&self, space: SpaceLimits) -> StepUnits {
        let (hop, neighbours) = (u64::from(space.expansion), u64::from(space.neighbours));
        StepUnits {
            beside: 3 * hop + 2,
            expansion: cost_of_expansion(wall::expansion_units(space, self.walls), neighbours, self.avoids),
            hop,
        }
    }
}

/// A step of an agent.
struct FritStep<'s, 'a> {
    frit: Frit,
    memory: &'s mut FritMemory,
    here: &'s mut Situation<'a>,
    prior: &'a PriorMap<'a>,
    moves: BeliefMoves<'a>,
}

impl FritStep<'_, '_> {
    /// Algorithm 1, the body of its loop after a look.
    fn advance(&mut self) -> Decision {
        // l. 1-3: the pointers of a grid are known to lead to the goal.
        if let Phase::Start = self.memory.phase {
            self.memory.phase = if self.here.space.is_grid {
                Phase::Following(CycleDetector::from(self.here.at))
            } else {
                Phase::Reconnecting { along_walls: true }
            };
        }
        // l. 8-11.
        if let Phase::Following(cycles) = self.memory.phase {
            if let Some(decision) = self.follow_pointer(cycles) {
                return decision;
            }
            self.memory.begin_reconnection(self.frit.as_printed);
        }
        self.reconnect()
    }

    /// Algorithm 1, lines 5-7. Arcs that lead to obstacles are pruned by what is believed; chains that such an arc belongs
    /// to are to be followed anew.
    fn prune(&mut self) {
        let has_opened = self.here.changes.iter().any(|(_, change)| *change == BeliefChange::Freed);
        if has_opened && let Phase::Reconnecting { .. } = self.memory.phase {
            // What was out of reach may be within it now. An agent that has just turned from walls to all moves goes on with
            // all until it has moved, else doors that open one after the other would keep it thinking.
            self.memory.phase = Phase::Reconnecting { along_walls: !self.memory.has_thought };
            self.memory.forget_search();
        }
        let (prior, chains, budget) = (self.prior, &mut self.memory.chains, &mut self.here.budget);
        let mut is_cut = false;
        for (state, _) in self.here.changes.iter().filter(|(_, change)| *change == BeliefChange::Blocked) {
            budget.charge(1);
            is_cut |= chains.has_met(prior, *state);
            if let Some(geometry) = prior.geometry().filter(|geometry| geometry.rule().has_strict_corners()) {
                // A diagonal arc past the obstacle joins two of the cells beside it.
                budget.charge(4);
                let met =
                    [Direction::North, Direction::East, Direction::South, Direction::West].map(|side| {
                        let cell = geometry.neighbour(*state, side);
                        cell == self.here.goal || chains.has_met(prior, cell)
                    });
                is_cut |= (0..4).any(|side| met[side] && met[(side + 1) % 4]);
            }
        }
        if is_cut && !self.frit.as_printed {
            chains.forget();
        }
        if let Phase::Following(cycles) = &mut self.memory.phase
            && !self.here.changes.is_empty()
        {
            *cycles = CycleDetector::from(self.here.at);
        }
    }

    /// Algorithm 1, line 11, in a chain that leads to the goal; `None` if it is cut.
    fn follow_pointer(&mut self, mut cycles: CycleDetector) -> Option<Decision> {
        self.here.budget.charge(self.here.expansion_units());
        let FritStep { frit, prior, moves, .. } = *self;
        let goal = self.here.goal;
        let tree = Tree { prior, moves, goal, order: frit.order, pointers: &self.memory.pointers };
        let next = tree.parent(self.here.at)?;
        if cycles.is_cycle(next) {
            // Nothing was seen all the way, so nothing will be: the pointers lead in a circle.
            return self.frit.as_printed.then_some(Decision::Stop);
        }
        self.memory.phase = Phase::Following(cycles);
        Some(Decision::Move(next))
    }
}

impl FritMemory {
    /// c <- c + 1; the reconnection begins.
    fn begin_reconnection(&mut self, as_printed: bool) {
        self.phase = Phase::Reconnecting { along_walls: true };
        self.chains.forget();
        self.colours.forget();
        self.plan.clear();
        // Deviation 6.
        self.is_kept = self.learned.len() > 0;
        if as_printed {
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
}

impl Memory for FritMemory {
    fn forget(&mut self) {
        self.forget_search();
        self.pointers.forget();
        self.phase = Phase::Start;
        self.has_thought = false;
    }

    fn is_sound(&mut self, terrain: Terrain<'_>, _: StateId, _: StateId) -> bool {
        // Pointers and the plan are asked for among the moves of a state.
        self.chains.is_sound(|state| terrain.is_state(state))
    }

    fn bytes(&self) -> usize {
        let tables =
            self.pointers.bytes() + self.chains.bytes() + self.colours.bytes() + self.learned.bytes();
        tables + self.plan.capacity() * size_of::<StateId>()
    }

    fn remembered(&self) -> u64 {
        self.pointers.len() + self.chains.len() + self.colours.len() + self.learned.len()
    }

    #[cfg(feature = "observe")]
    fn tell(&self, asked: &Asked<'_>, tell: &mut dyn FnMut(Held)) {
        if let Some((prior, _)) = asked.terrain.believed() {
            self.pointers.tell(prior, asked.at, tell);
            tell(Held::Values { count: self.learned.len(), target: asked.goal });
            for &state in asked.about {
                if let Some(value) = self.learned.get(prior.key(state)).map(Cost::new) {
                    tell(Held::Learned { state, value });
                }
            }
        }
        self.plan.iter().rev().for_each(|state| tell(Held::Plan(*state)));
    }
}

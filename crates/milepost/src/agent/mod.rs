//! One move at a time, each with a hard bound on its work. One file for each agent.
//!
//! This room knows spaces, indexes and planners. It must not know how indexes are built, nor any file, thread or clock.
//!
//! | file | what it holds |
//! |---|---|
//! | `step` | what comes of a step |
//! | `journey` | what agents that know the map share: where they stand, where they want to be, on which map |
//! | `errand` | the same of those that do not, and what they have seen |
//! | `sensor` | what those are shown |
//! | `guided` | somebody who sees a part of a known map |
//! | `crossing` | finds ways where moves cannot be undone |
//! | `lookahead` | the search of RTAA*, which several share |
//! | `laps` | notices that an agent walks in a circle |
//! | `saved` | agents as bytes |
//! | the others | one agent each |
//!
//! Agents ([`Agent`]) know the map; scouts ([`Scout`]) see what a [`Sensor`] shows, so that the types keep hidden walls from
//! those who must not know them. Both are travellers ([`Traveller`]).
//!
//! A *kind* of agent is a small value of parameters ([`AgentKind`]); an agent ([`Agent`]) is made from it, stands
//! somewhere and wants to be somewhere else. It owns what it remembers, and is shown the map anew at every step:
//!
//! ```
//! use milepost::build::{SILENT, build};
//! use milepost::index::IndexKind;
//! use milepost::maps::TileMap;
//! use milepost::{Agent, Atlas, Budget, Point, Rule, Scratch, Step, Traveller};
//!
//! let map = TileMap::from_ascii(
//!     ".....
//!      .@@@.
//!      ...@.",
//! )?;
//! let atlas = build(&Atlas::new(map.grid(Rule::Octile)?), IndexKind::FIRST_MOVES, SILENT)?;
//! let cell = |x, y| atlas.state_at(Point::new(x, y)).expect("inside the map");
//! let mut scratch = Scratch::new(); // one for each thread
//! let mut agent = atlas.agent("first-moves", cell(2, 2), cell(4, 2))?;
//! let mut moves = 0;
//! loop {
//!     let mut frame = Budget::units(100); // what this frame can spend on the agent
//!     match agent.step(&atlas, &mut scratch, &mut frame) {
//!         Step::Move(_) => moves += 1,   // draw it there
//!         Step::Thinking => continue,    // in the next frame, then
//!         Step::Arrived => break,
//!         other => panic!("{other:?}"),  // there is no way, or the agent refuses
//!     }
//! }
//! assert_eq!(moves, 10);
//! agent.retarget(cell(0, 0)); // a new goal, from where it stands
//! assert_eq!(agent.step(&atlas, &mut scratch, &mut Budget::unlimited()), Step::Move(cell(4, 1)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block_dstar;
mod bug2;
mod carrier;
mod corner_walk;
mod crossing;
mod d_lrta;
mod errand;
mod first_moves;
mod frit;
mod frit_bfs;
mod guided;
mod journey;
mod knn_lrta;
mod laps;
mod learning;
mod learning_scout;
mod lookahead;
mod replan;
mod saved;
mod sensor;
mod step;
mod subgoal_trees;
mod tba;

pub use block_dstar::{BlockDStar, BlockDStarScout};
pub use bug2::{Bug2, Bug2Scout, Turn};
pub use carrier::Carrier;
pub use corner_walk::{CornerWalk, CornerWalkAgent};
pub use d_lrta::{DLrta, DLrtaAgent};
pub use first_moves::{FirstMoves, FirstMovesAgent};
pub use frit::{Frit, FritScout, Order};
pub use frit_bfs::{FritBfs, FritBfsScout};
pub use guided::Guided;
pub use knn_lrta::{Choose, Fallback, KnnLrta, KnnLrtaAgent};
pub use learning::{Learning, LearningAgent};
pub use learning_scout::{LearningScout, LearningUnknown};
pub use replan::{Replan, ReplanScout};
pub use saved::{SavedAgentError, Saving};
pub use sensor::{Eyes, Sensor, Sight};
pub use step::{Refused, Step};
pub use subgoal_trees::{SubgoalTrees, SubgoalTreesAgent, Variant};
pub use tba::{Tba, TbaAgent};

pub(crate) use frit::{IN_TREE, LOOKAHEAD};
pub(crate) use learning::{EXPANSIONS, G_MAX, K, UNLIMITED};
pub(crate) use saved::{Restoring, finish, open};
pub(crate) use tba::{RATIO, SLICE};

use crate::core::{Budget, StateId};
use crate::index::{Atlas, IndexSpec};
use crate::plan::{Refusal, Scratch};
use crate::space::{Ground, Space};

/// What a step of an agent takes at most, whatever the map's size. A [`Budget`] can only lower it. Of a kind of agent: on
/// maps without links; where states have more than eight successors, or moves cannot be undone, it may be more, and the
/// agent says how much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// With less a step is [refused](Refused::TooFewUnits).
    pub min_units: u64,
    /// No step takes more units of the budget.
    pub max_units: u64,
    /// Not more steps in a row than this are [`Step::Thinking`].
    pub max_thinking: u64,
}

/// A kind of agent: a small value of parameters.
pub trait AgentKind {
    /// What a step takes.
    fn limits(&self) -> Limits;

    /// Whether its journeys cost what the best paths cost, on a map and with a goal that stay.
    fn is_optimal(&self, space: &Space) -> bool;

    /// The index that it reads.
    fn needs(&self) -> Option<IndexSpec> {
        None
    }

    /// Why it cannot work on this atlas, if it cannot. Stepped anyway, its agents answer [`Refused::Unable`].
    fn refusal(&self, atlas: &Atlas) -> Option<Refusal> {
        self.needs().filter(|index| !atlas.has(*index)).map(Refusal::NoIndex)
    }
}

/// Somebody who stands at a state and wants to be at another, and makes one move at a time.
///
/// The same traveller with the same maps and budgets makes the same moves on every machine, also after it was cloned, or
/// saved and restored in between.
pub trait Traveller: Send {
    /// Takes a new goal, from where it stands.
    fn retarget(&mut self, goal: StateId);

    /// Where it stands.
    fn state(&self) -> StateId;

    /// Where it wants to be.
    fn goal(&self) -> StateId;

    /// Where it heads for on its way to the goal, if it is led by subgoals and heads for one.
    fn subgoal(&self) -> Option<StateId> {
        None
    }

    /// What a step takes.
    fn limits(&self) -> Limits;

    /// What no step allocates more of, in bytes, once its scratch is warm.
    fn page_bytes(&self) -> usize {
        0
    }

    /// Memory held, itself included.
    fn bytes(&self) -> usize;

    /// States that it remembers something about: learned, opened or seen.
    fn remembered(&self) -> u64 {
        0
    }

    /// Steps so far that searched; `None` for those who never search.
    fn searches(&self) -> Option<u64> {
        None
    }

    /// Writes what it is made of, so that it can go on later.
    fn save(&self, saving: &mut Saving);
}

/// A traveller who knows the map and shares it with all others; what it remembers is its own.
pub trait Agent: Traveller {
    /// Does what the budget allows, at most one move. The atlas is of the map that the agent was made on; if the map was
    /// edited meanwhile, the agent goes on from what still holds.
    fn step(&mut self, atlas: &Atlas, scratch: &mut Scratch, budget: &mut Budget) -> Step;
}

/// A traveller in unknown terrain: it sees what a sensor shows, and remembers it.
pub trait Scout: Traveller {
    /// Does what the budget allows, at most one move. The true map may have changed since the last step; the scout goes on
    /// from what it believes and from what it sees now. A sensor of a map of another size or rule is refused.
    fn step(&mut self, sensor: &dyn Sensor, scratch: &mut Scratch, budget: &mut Budget) -> Step;
}

/// A kind of scout: a small value of parameters.
pub trait ScoutKind {
    /// What a step takes.
    fn limits(&self) -> Limits;

    /// Why it cannot work on this ground, if it cannot. Stepped anyway, its scouts answer [`Refused::Unable`].
    fn refusal(&self, ground: Ground<'_>) -> Option<Refusal>;
}

//! What comes of a step.

use crate::core::StateId;
use crate::plan::Refusal;
use std::fmt;

/// What a step of an agent takes, whatever the map's size; a [`Budget`](crate::Budget) can only lower it. What a kind of
/// agent states holds for maps without links, and by sight for one that sees its neighbours. Where states have more than eight
/// successors, moves cannot be undone or a [`Sensor`](crate::Sensor) shows more, it may be more: the agent says how much.
///
/// ```
/// use milepost::agent::Limits;
/// use milepost::{Atlas, Grid, Point, Rule};
///
/// let atlas = Atlas::new(Grid::from_ascii("....", Rule::Octile)?);
/// let agent = atlas.agent("lss-lrta", Point::new(0, 0), Point::new(3, 0))?;
/// let Limits { min_units, max_units, .. } = agent.limits();
/// // A thousand of them take at most a thousand times this in a frame.
/// println!("a step takes at least {min_units} units, and at most {max_units:?}");
/// assert!(max_units.is_some_and(|most| min_units <= most));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// With less the agent is [starved](Step::Starved).
    pub min_units: u64,
    /// No step takes more units of the budget; `None` if a step that is given enough makes a whole search, or
    /// follows a whole chain of a tree.
    pub max_units: Option<u64>,
    /// Not more steps in a row than this are [`Step::Thinking`], those of a look that does not fit the budget among them. An agent that makes whole searches thinks where the budget
    /// cuts them: it counts from the last change of the map that it saw, and states for its map how long that takes; a kind
    /// of such agents states what holds for searches that are not cut. So does one by sight on a map with links while it looks
    /// for what it has not seen.
    pub max_thinking: u64,
}

/// What an agent did in a step.
///
/// ```
/// use milepost::{Atlas, Budget, Grid, Point, Rule, Scratch, Step};
///
/// let atlas = Atlas::new(Grid::from_ascii("....", Rule::Octile)?);
/// let mut agent = atlas.agent("lss-lrta", Point::new(0, 0), Point::new(3, 0))?;
/// match agent.step(&atlas, &mut Scratch::new(), &mut Budget::units(700)) {
///     Step::Move(state) => println!("draw it at {}", atlas.space().point(state)),
///     Step::Thinking => println!("no move in this frame; step again in the next"),
///     Step::Arrived => println!("take a new goal: agent.retarget(goal)"),
///     Step::NoPath => println!("the goal cannot be reached, as the map is now"),
///     Step::Starved { min_units } => println!("a step takes at least {min_units} units"),
///     Step::Stopped => println!("it walks in a circle, and gives up"),
///     Step::Refused(reason) => println!("{reason}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// It went to this state, next to the one where it stood.
    Move(StateId),
    /// It stayed where it is and goes on thinking in the next step. How many of these may follow each other is bounded:
    /// [`Limits::max_thinking`].
    Thinking,
    /// The budget is too small for any step of this agent. Nothing has changed, and it is not thinking: with so many units
    /// it goes on.
    Starved {
        /// What it takes.
        min_units: u64,
    },
    /// It stands at its goal.
    Arrived,
    /// No way leads to the goal from where it stands. On another version of the map, or with another goal, it may.
    NoPath,
    /// It has proved that it walks in a circle, and does not go on.
    Stopped,
    /// It did not move. But for [`Refused::IndexDamaged`] nothing has changed.
    Refused(Refused),
}

/// Why an agent did nothing. Its text is a sentence; [`Refused::said_of`] names the agent in it.
///
/// ```
/// use milepost::agent::Refused;
/// use milepost::index::IndexKind;
/// use milepost::{Atlas, Budget, Edit, Grid, Point, Rule, Scratch, Step};
///
/// let atlas = Atlas::build(&Grid::from_ascii("...\n...", Rule::Octile)?, IndexKind::FIRST_MOVES)?;
/// let mut agent = atlas.agent("first-moves", Point::new(0, 0), Point::new(2, 0))?;
/// let edited = atlas.edited(&[Edit::close(Point::new(1, 0))])?; // drops the index
/// let step = agent.step(&edited, &mut Scratch::new(), &mut Budget::units(10));
/// let Step::Refused(refused) = step else { panic!("{step:?}") };
/// assert!(matches!(refused, Refused::Unable(_)));
/// let said = refused.said_of("`first-moves`");
/// assert!(said.starts_with("`first-moves` needs the index `first-moves`, which is not there")); // and how to build it
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refused {
    /// What it is shown is another map, or this one under another rule.
    OtherMap,
    /// The agent cannot work on what it is shown.
    Unable(Refusal),
    /// An index says what cannot be: it was changed. `milepost verify` tells more.
    IndexDamaged,
}

impl Refused {
    /// The reason as a sentence about an agent: ``refused.said_of("`tba:100`")``.
    pub fn said_of(&self, who: &str) -> String {
        match self {
            Refused::OtherMap => format!(
                "{who} was made for another map or rule, or to be shown another view (the map, or what a sensor sees)"
            ),
            Refused::Unable(refusal) => refusal.said_of(who),
            Refused::IndexDamaged => format!("{who} was led nowhere by an index that was changed"),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.said_of("this agent"))
    }
}

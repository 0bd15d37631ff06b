//! What every agent can be asked, and what it is shown.

#[cfg(feature = "observe")]
use super::held::Held;
use super::sensor::Sensor;
use super::step::{Limits, Step};
use crate::core::{Budget, StateId};
use crate::index::Atlas;
use crate::plan::{Refusal, Scratch};
use crate::space::{Overlay, Place, Space};
use std::fmt::Debug;
use std::sync::Arc;

/// Shows an agent the map: all of it, or what a sensor sees. By a sensor an algorithm is handed the believed map alone, so
/// that the types keep hidden walls from it.
///
/// ```
/// use milepost::agent::{MapSensor, SensorRange, View};
/// use milepost::{Agent, Atlas, Budget, Grid, Point, Rule, Scratch, Step};
///
/// /// A step of any unit of the game: those that know the map, and those that see around them.
/// fn step(agent: &mut dyn Agent, atlas: &Atlas, knows_map: bool, scratch: &mut Scratch) -> Step {
///     let sensor = MapSensor::new(atlas.space(), SensorRange::Radius(3));
///     let view = if knows_map { View::Map(atlas) } else { View::Sensor(&sensor) };
///     agent.step_in(view, scratch, &mut Budget::units(1000))
/// }
///
/// let atlas = Atlas::new(Grid::from_ascii("...", Rule::Octile)?);
/// let mut agent = atlas.agent("tba", Point::new(0, 0), Point::new(2, 0))?;
/// assert!(matches!(step(&mut *agent, &atlas, true, &mut Scratch::new()), Step::Move(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// The whole map.
    Map(&'a Atlas),
    /// What is around the agent.
    Sensor(&'a dyn Sensor),
}

impl<'a> From<&'a Atlas> for View<'a> {
    fn from(atlas: &'a Atlas) -> View<'a> {
        View::Map(atlas)
    }
}

impl<'a> From<&'a dyn Sensor> for View<'a> {
    fn from(sensor: &'a dyn Sensor) -> View<'a> {
        View::Sensor(sensor)
    }
}

impl<'a, S: Sensor> From<&'a S> for View<'a> {
    fn from(sensor: &'a S) -> View<'a> {
        View::Sensor(sensor)
    }
}

/// An agent stands at a state, wants to be at another, and makes one move at a time.
///
/// The same agent with the same maps and budgets makes the same moves on every machine, also after it was cloned, or saved
/// and restored in between.
///
/// ```
/// use milepost::{Agent, Atlas, Budget, Grid, Point, Rule, Scratch, Step};
///
/// let atlas = Atlas::new(Grid::from_ascii(".....\n.@@@.\n...@.", Rule::Octile)?);
/// let mut agent: Box<dyn Agent> = atlas.agent("tba", Point::new(2, 2), Point::new(4, 2))?;
/// let (mut scratch, mut moves) = (Scratch::new(), 0);
/// loop {
///     match agent.step(&atlas, &mut scratch, &mut Budget::units(300)) { // once a frame
///         Step::Move(_) => moves += 1,
///         Step::Thinking => {}
///         end => break assert_eq!(end, Step::Arrived),
///     }
/// }
/// assert!(moves >= 10);
/// agent.retarget_to(atlas.space(), Point::new(0, 0)); // a new goal, from where it stands
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Agent: Debug + Send + Sync {
    /// Does what the budget allows, at most one move. The map is the one that the agent was made on; if it has changed
    /// meanwhile, the agent goes on from what still holds.
    ///
    /// This is [`step`](#method.step) for code that holds a [`View`].
    fn step_in(&mut self, view: View<'_>, scratch: &mut Scratch, budget: &mut Budget) -> Step;

    /// From the next step on costs are multiplied by the factors of an overlay, or by none. That counts as an edit of the map. An
    /// algorithm that does not obey overlays refuses, and nothing has changed; an overlay that was made for another map is
    /// refused by the next step. It is not saved: a restored agent is given it again.
    ///
    /// This is [`set_overlay`](#method.set_overlay) without the names of those that obey.
    fn put_overlay(&mut self, overlay: Option<Arc<Overlay>>) -> Result<(), Refusal>;

    /// Takes a new goal, from where it stands.
    fn retarget(&mut self, goal: StateId);

    /// The name of its algorithm, without parameters.
    fn name(&self) -> &'static str;

    /// Where it stands.
    fn state(&self) -> StateId;

    /// Where it wants to be.
    fn goal(&self) -> StateId;

    /// The planner that stands in for the one that its name says, if that refuses the version of the map or the overlay for
    /// which its plan was made.
    fn stand_in(&self) -> Option<&'static str> {
        None
    }

    /// Where it heads for on its way to the goal, if it is led by subgoals and heads for one.
    fn subgoal(&self) -> Option<StateId>;

    /// Tells of every state that it has seen, shown the map as in its last step, whether it believes that it is free. What
    /// it has not seen it takes for free. An agent that knows the map tells of none.
    fn each_seen(&self, _view: View<'_>, _tell: &mut dyn FnMut(StateId, bool)) {}

    /// Names what it remembers, shown the map as in its last step: of what was learned and seen that of the states which are asked about.
    #[cfg(feature = "observe")]
    fn tell_held(&self, _view: View<'_>, _about: &[StateId], _tell: &mut dyn FnMut(Held)) {}

    /// What a step takes, on what the agent was shown last.
    fn limits(&self) -> Limits;

    /// What a step takes on what the agent is shown next: after an edit that added links, perhaps more than before.
    fn limits_in(&self, view: View<'_>) -> Limits;

    /// What no step allocates more of, in bytes, once its scratch is warm.
    fn page_bytes(&self) -> usize;

    /// Memory held, itself included.
    fn bytes(&self) -> usize;

    /// States that it remembers something about: learned, opened or seen.
    fn remembered(&self) -> u64;

    /// Steps so far that searched; `None` if its algorithm never searches.
    fn searches(&self) -> Option<u64>;

    /// The agent as bytes (feature `saves`), from which [`restore`](crate::catalog::restore) makes one that goes on as this one would.
    #[cfg(feature = "saves")]
    fn to_bytes(&self) -> Vec<u8>;

    /// A copy.
    fn boxed(&self) -> Box<dyn Agent>;
}

impl dyn Agent + '_ {
    /// Does what the budget allows, at most one move. The agent is shown the whole map (`&Atlas`), or what is around it (a
    /// [`Sensor`]), as when it was made.
    pub fn step<'v>(
        &mut self,
        view: impl Into<View<'v>>,
        scratch: &mut Scratch,
        budget: &mut Budget,
    ) -> Step {
        self.step_in(view.into(), scratch, budget)
    }

    /// Takes a new goal that may be a point of the space it walks on, from where it stands: of the polygons that hold the point
    /// the first that can be reached, else the first. To a point beyond a grid there is no path, and [`Agent::goal`] is
    /// [`StateId::NONE`]: ask [`Space::why_no_path`] with the point itself.
    pub fn retarget_to(&mut self, space: &Space, goal: impl Into<Place>) {
        let (_, goal) = space.states_between(Place::State(self.state()), goal.into());
        self.retarget(goal);
    }
}

impl Clone for Box<dyn Agent> {
    fn clone(&self) -> Box<dyn Agent> {
        (**self).boxed()
    }
}

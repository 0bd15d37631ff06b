//! Scouts by name: agents of unknown terrain.

use super::{Given, NameError, Parameter};
use crate::agent::{
    self, Eyes, Guided, Limits, Replan, ReplanScout, Restoring, SavedAgentError, Saving, Scout, ScoutKind,
    Sensor, Sight, Step, Traveller,
};
use crate::core::{Budget, StateId};
use crate::index::Atlas;
use crate::plan::{Refusal, Scratch};
use crate::space::{Ground, Rule};

/// A kind of scout as users see it. What its steps take, [`ScoutKind::limits`] says.
#[derive(Clone, Copy, Debug)]
pub struct ScoutEntry {
    /// The name users give.
    pub name: &'static str,
    /// The file in `agent/` that holds it.
    pub module: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// What it promises.
    pub guarantee: &'static str,
    /// What a scout remembers.
    pub memory: &'static str,
    /// The rules it works under.
    pub rules: &'static [Rule],
    /// Whether it works on graphs, too.
    pub graphs: bool,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    make: fn(&mut Given<'_>) -> Result<AnyScoutKind, NameError>,
    restore: fn(&mut Restoring<'_>) -> Result<AnyScout, SavedAgentError>,
}

/// The rules under which scouts work.
const OCTILE: [Rule; 3] = [Rule::Octile, Rule::Octile14, Rule::OctileCutting];

/// Every kind of scout, the best first.
pub const SCOUTS: &[ScoutEntry] = &[ScoutEntry {
    name: "replan",
    module: "replan",
    summary: "plans a whole path through what it has not seen blocked, and anew when it is",
    guarantee: "complete; not real-time",
    memory: "what it has seen, and its plan",
    rules: &OCTILE,
    graphs: true,
    parameters: &[],
    make: |_| Ok(AnyScoutKind::Replan(Replan)),
    restore: |saved| ReplanScout::restore(saved).map(AnyScout::Replan),
}];

/// The closed lists of scouts and their kinds: each kind has one variant in both, and a name.
macro_rules! any_scout {
    ($($variant:ident($kind:ty, $scout:ty) = $name:literal),+ $(,)?) => {
        /// Any kind of scout.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs)]
        pub enum AnyScoutKind {
            $($variant($kind)),+
        }

        impl AnyScoutKind {
            fn inner(&self) -> &dyn ScoutKind {
                match self {
                    $(AnyScoutKind::$variant(kind) => kind),+
                }
            }

            /// A scout of this kind. Whether it can work there [`ScoutKind::refusal`] says.
            pub fn start(&self, ground: Ground<'_>, from: StateId, to: StateId) -> AnyScout {
                match self {
                    $(AnyScoutKind::$variant(kind) => AnyScout::$variant(kind.start(ground, from, to))),+
                }
            }
        }

        /// Any scout.
        #[derive(Clone, Debug)]
        #[allow(missing_docs)]
        pub enum AnyScout {
            $($variant($scout)),+
        }

        impl AnyScout {
            /// The name of its kind, without parameters.
            pub fn name(&self) -> &'static str {
                match self {
                    $(AnyScout::$variant(_) => $name),+
                }
            }

            fn inner(&self) -> &dyn Scout {
                match self {
                    $(AnyScout::$variant(scout) => scout),+
                }
            }

            fn inner_mut(&mut self) -> &mut dyn Scout {
                match self {
                    $(AnyScout::$variant(scout) => scout),+
                }
            }
        }
    };
}

any_scout! {
    Replan(Replan, ReplanScout) = "replan",
}

impl AnyScoutKind {
    /// Why it cannot work on the map of this atlas, if it cannot.
    pub fn refusal_on(&self, atlas: &Atlas) -> Option<Refusal> {
        let eyes = Eyes::new(atlas.space(), Sight::default());
        Refusal::of_unseen(atlas.space()).or_else(|| self.refusal(eyes.ground()))
    }

    /// A scout on the map of an atlas, of which it sees a part.
    pub fn start_on(&self, atlas: &Atlas, sight: Sight, from: StateId, to: StateId) -> Guided<AnyScout> {
        let eyes = Eyes::new(atlas.space(), sight);
        Guided { scout: self.start(eyes.ground(), from, to), sight }
    }
}

impl ScoutKind for AnyScoutKind {
    fn limits(&self) -> Limits {
        self.inner().limits()
    }

    fn refusal(&self, ground: Ground<'_>) -> Option<Refusal> {
        self.inner().refusal(ground)
    }
}

impl AnyScout {
    /// The scout as bytes, from which [`AnyScout::restore`] makes one that goes on as this one would.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut saving = Saving::new(self.name());
        self.save(&mut saving);
        agent::finish(saving)
    }

    /// The scout that was saved. Its sensor must be of the map that it was saved on.
    pub fn restore(bytes: &[u8]) -> Result<AnyScout, SavedAgentError> {
        let (name, mut saved) = agent::open(bytes)?;
        let unknown = || SavedAgentError::Unknown { name: name.to_owned() };
        let entry = SCOUTS.iter().find(|entry| entry.name == name).ok_or_else(unknown)?;
        let scout = (entry.restore)(&mut saved)?;
        saved.end().map(|()| scout)
    }
}

impl Scout for AnyScout {
    fn step(&mut self, sensor: &dyn Sensor, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        self.inner_mut().step(sensor, scratch, budget)
    }
}

impl Traveller for AnyScout {
    fn retarget(&mut self, goal: StateId) {
        self.inner_mut().retarget(goal);
    }

    fn state(&self) -> StateId {
        self.inner().state()
    }

    fn goal(&self) -> StateId {
        self.inner().goal()
    }

    fn limits(&self) -> Limits {
        self.inner().limits()
    }

    fn bytes(&self) -> usize {
        // What is inside counts itself; around it there may be room for others.
        size_of::<AnyScout>() - size_of_val(self.inner()) + self.inner().bytes()
    }

    fn remembered(&self) -> u64 {
        self.inner().remembered()
    }

    fn searches(&self) -> Option<u64> {
        self.inner().searches()
    }

    fn save(&self, saving: &mut Saving) {
        self.inner().save(saving);
    }
}

/// The kind of scout that a text names.
pub fn scout(text: &str) -> Result<AnyScoutKind, NameError> {
    let (entry, mut given) = Given::read("scout", text, SCOUTS, |entry| (entry.name, entry.parameters))?;
    let kind = (entry.make)(&mut given)?;
    given.nothing_left().map(|()| kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Outline;

    #[test]
    fn every_entry_is_a_scout_with_its_defaults_and_its_name() {
        let ground = Ground::Grid(Outline::new(2, 1, Rule::Octile));
        for entry in SCOUTS {
            let kind = scout(entry.name).expect(entry.name);
            let limits = kind.limits();
            assert!(limits.min_units <= limits.max_units, "{}", entry.name);
            let scout = kind.start(ground, StateId::NONE, StateId::NONE);
            assert_eq!(scout.name(), entry.name);
            assert!(scout.bytes() >= size_of::<AnyScout>());
        }
    }

    #[test]
    fn scouts_can_be_cloned_and_sent_to_another_thread() {
        fn check<T: Clone + Send + Sync + 'static>() {}
        check::<AnyScout>();
        check::<AnyScoutKind>();
    }
}

//! Scouts by name: agents of unknown terrain.

use super::{Given, NameError, Parameter, Values};
use crate::agent::{
    self, BlockDStar, BlockDStarScout, Bug2, Bug2Scout, Carrier, Eyes, Frit, FritBfs, FritBfsScout,
    FritScout, Guided, Learning, LearningScout, LearningUnknown, Limits, Order, Replan, ReplanScout,
    Restoring, SavedAgentError, Saving, Scout, ScoutKind, Sensor, Sight, Step, Traveller, Turn,
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

/// The parameters of reconnections.
const RECONNECTION: [Parameter; 3] = [
    Parameter {
        key: "h",
        values: Values::Text("zero|octile"),
        default: "zero",
        meaning: "what guides a reconnection: nothing, or the distance to the goal",
    },
    Parameter {
        key: "order",
        values: Values::Text("cw|ccw"),
        default: "cw",
        meaning: "successors from the east on, with the clock or against it",
    },
    Parameter {
        key: "search",
        values: Values::Text("rtaa|da-rtaa"),
        default: "rtaa",
        meaning: "the search that a reconnection uses",
    },
];

const LOOKAHEAD: Parameter = Parameter {
    key: "",
    values: Values::Text("K in 1..100000"),
    default: "16",
    meaning: "states that one search expands",
};

/// RTAA* and daRTAA*.
const RTAA: Parameter = Parameter {
    key: "",
    values: Values::Text("K in 1..100000, or inf"),
    default: "16",
    meaning: "states that one search expands; `inf`: not real-time",
};

/// Every kind of scout, the best first.
pub const SCOUTS: &[ScoutEntry] = &[
    ScoutEntry {
        name: "block-dstar",
        module: "block_dstar",
        summary: "D* Lite over connected pieces of 8 x 8 blocks, a slice of it at every step, refined cell by cell; our own",
        guarantee: "complete; never stands still",
        memory: "what it has seen, and costs of the blocks that its search has met",
        rules: &OCTILE,
        graphs: false,
        parameters: &[Parameter {
            key: "",
            values: Values::Text("units a step, from 16"),
            default: "64",
            meaning: "what a step may take",
        }],
        make: |given| {
            let (text, value) = given.take("").unwrap_or(("64", "64"));
            let kind = value.parse().ok().and_then(BlockDStar::new);
            kind.map(AnyScoutKind::BlockDStar)
                .ok_or_else(|| given.bad_value(text, "a number of units from 16 on"))
        },
        restore: |saved| BlockDStarScout::restore(saved).map(AnyScout::BlockDStar),
    },
    ScoutEntry {
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
    },
    ScoutEntry {
        name: "frit-bfs",
        module: "frit_bfs",
        summary: "follows a tree that leads to the goal; where walls cut it, looks for the nearest state still in it",
        guarantee: "complete; not real-time",
        memory: "what it has seen, and a pointer for each state that it came through while it was cut off",
        rules: &OCTILE,
        graphs: true,
        parameters: &[],
        make: |_| Ok(AnyScoutKind::FritBfs(FritBfs)),
        restore: |saved| FritBfsScout::restore(saved).map(AnyScout::FritBfs),
    },
    ScoutEntry {
        name: "bug2",
        module: "bug2",
        summary: "walks straight to the goal, and round what is in the way with one hand on the wall",
        guarantee: "complete",
        memory: "what it has seen",
        rules: &OCTILE,
        graphs: false,
        parameters: &[Parameter {
            key: "",
            values: Values::Text("left|right"),
            default: "left",
            meaning: "where to turn at a wall",
        }],
        make: |given| {
            let turn = match given.take("") {
                None | Some((_, "left")) => Turn::Left,
                Some((_, "right")) => Turn::Right,
                Some((text, _)) => return Err(given.bad_value(text, "left or right")),
            };
            Ok(AnyScoutKind::Bug2(Bug2 { turn }))
        },
        restore: |saved| Bug2Scout::restore(saved).map(AnyScout::Bug2),
    },
    ScoutEntry {
        name: "p-frit-rt",
        module: "frit",
        summary: "follows a tree that leads to the goal; where walls cut it, looks for it along the wall",
        guarantee: "complete; `as-printed` may stop",
        memory: "what it has seen, pointers, and what it has found out about them and learned since it was cut off",
        rules: &OCTILE,
        graphs: true,
        parameters: &[
            LOOKAHEAD,
            Parameter {
                key: "",
                values: Values::Text("B in 2..1000000, or as-printed"),
                default: "8 K",
                meaning: "in-tree steps that go with a move; `as-printed`: the listing to the letter",
            },
            RECONNECTION[0],
            RECONNECTION[1],
            RECONNECTION[2],
        ],
        make: |given| frit(given, true).map(AnyScoutKind::PFritRt),
        restore: |saved| restore_frit(saved, true).map(AnyScout::PFritRt),
    },
    ScoutEntry {
        name: "frit-rt",
        module: "frit",
        summary: "follows a tree that leads to the goal; where walls cut it, looks for it all around",
        guarantee: "complete",
        memory: "what it has seen, pointers, and what it has found out about them and learned since it was cut off",
        rules: &OCTILE,
        graphs: true,
        parameters: &[
            LOOKAHEAD,
            Parameter {
                key: "",
                values: Values::Text("B in 2..1000000"),
                default: "8 K",
                meaning: "in-tree steps that go with a move",
            },
            RECONNECTION[0],
            RECONNECTION[1],
            RECONNECTION[2],
        ],
        make: |given| frit(given, false).map(AnyScoutKind::FritRt),
        restore: |saved| restore_frit(saved, false).map(AnyScout::FritRt),
    },
    ScoutEntry {
        name: "da-rtaa",
        module: "learning_scout",
        summary: "a small A* search, after which all its states know more; then to where it has learned least",
        guarantee: "complete",
        memory: "what it has seen, and a value for each state that its searches had taken for nearer",
        rules: &OCTILE,
        graphs: true,
        parameters: &[RTAA],
        make: |given| {
            let expansions = given.expansions()?;
            Ok(AnyScoutKind::DaRtaa(LearningUnknown(Learning::DaRtaa { expansions })))
        },
        restore: |saved| LearningScout::restore("da-rtaa", saved).map(AnyScout::DaRtaa),
    },
    ScoutEntry {
        name: "rtaa",
        module: "learning_scout",
        summary: "a small A* search, after which all its states know more; then to the best state of its border",
        guarantee: "complete",
        memory: "what it has seen, and a value for each state that its searches had taken for nearer",
        rules: &OCTILE,
        graphs: true,
        parameters: &[RTAA],
        make: |given| {
            let expansions = given.expansions()?;
            Ok(AnyScoutKind::Rtaa(LearningUnknown(Learning::Rtaa { expansions })))
        },
        restore: |saved| LearningScout::restore("rtaa", saved).map(AnyScout::Rtaa),
    },
    ScoutEntry {
        name: "lss-lrta",
        module: "learning_scout",
        summary: "as the agent `lss-lrta`, on what it believes",
        guarantee: "complete",
        memory: "what it has seen, and a value for each state that its searches had taken for nearer",
        rules: &OCTILE,
        graphs: true,
        parameters: &[Parameter {
            key: "",
            values: Values::Text("N in 1..1000"),
            default: "32",
            meaning: "states that one search expands",
        }],
        make: |given| {
            let expansions = given.count("32", agent::EXPANSIONS, "a number of states from 1 to 1000")?;
            Ok(AnyScoutKind::LssLrta(LearningUnknown(Learning::LssLrta { expansions })))
        },
        restore: |saved| LearningScout::restore("lss-lrta", saved).map(AnyScout::LssLrta),
    },
    ScoutEntry {
        name: "lrta-k",
        module: "learning_scout",
        summary: "as the agent `lrta-k`, on what it believes",
        guarantee: "complete",
        memory: "what it has seen, and a value for each state where it went wrong",
        rules: &OCTILE,
        graphs: true,
        parameters: &[Parameter {
            key: "",
            values: Values::Text("K in 1..1000"),
            default: "16",
            meaning: "states whose values are looked at, at each move",
        }],
        make: |given| {
            let k = given.count("16", agent::K, "a number of states from 1 to 1000")?;
            Ok(AnyScoutKind::LrtaK(LearningUnknown(Learning::LrtaK { k })))
        },
        restore: |saved| LearningScout::restore("lrta-k", saved).map(AnyScout::LrtaK),
    },
    ScoutEntry {
        name: "lrta",
        module: "learning_scout",
        summary: "as the agent `lrta`, on what it believes",
        guarantee: "complete",
        memory: "what it has seen, and a value for each state where it went wrong",
        rules: &OCTILE,
        graphs: true,
        parameters: &[Parameter {
            key: "",
            values: Values::Text("G in 1..10"),
            default: "1",
            meaning: "how far it looks ahead, in straight steps; below 2 at the next states",
        }],
        make: |given| {
            let g_max =
                given.thousandths("1", agent::G_MAX, "a distance from 1 to 10, at most three decimals")?;
            Ok(AnyScoutKind::Lrta(LearningUnknown(Learning::Lrta { g_max })))
        },
        restore: |saved| LearningScout::restore("lrta", saved).map(AnyScout::Lrta),
    },
];

impl Given<'_> {
    /// The lookahead of RTAA* and daRTAA*.
    fn expansions(&mut self) -> Result<u32, NameError> {
        if self.take_word("inf") {
            return Ok(agent::UNLIMITED);
        }
        self.count("16", agent::LOOKAHEAD, "a number of states from 1 to 100000, or inf")
    }

    /// One of two words, and whether it is the second.
    fn is_second(
        &mut self,
        key: &'static str,
        words: [&'static str; 2],
        expected: &'static str,
    ) -> Result<bool, NameError> {
        match self.take(key) {
            None => Ok(false),
            Some((_, word)) if word == words[0] => Ok(false),
            Some((_, word)) if word == words[1] => Ok(true),
            Some((text, _)) => Err(self.bad_value(text, expected)),
        }
    }
}

/// The parameters of `frit-rt` and `p-frit-rt`.
fn frit(given: &mut Given<'_>, walls: bool) -> Result<Frit, NameError> {
    let towards_goal = given.is_second("h", ["zero", "octile"], "h=zero or h=octile")?;
    let is_counter = given.is_second("order", ["cw", "ccw"], "order=cw or order=ccw")?;
    let avoids = given.is_second("search", ["rtaa", "da-rtaa"], "search=rtaa or search=da-rtaa")?;
    let as_printed = walls && given.take_word("as-printed");
    let lookahead = given.count("16", agent::LOOKAHEAD, "a number of states from 1 to 100000")?;
    let in_tree = if !as_printed && given.has_plain_value() {
        given.count("16", agent::IN_TREE, "a number of in-tree steps from 2 to 1000000, or as-printed")?
    } else {
        8 * lookahead
    };
    let order = if is_counter { Order::CounterClockwise } else { Order::Clockwise };
    Ok(Frit { lookahead, in_tree, walls, towards_goal, order, avoids, as_printed })
}

/// Two names share one scout.
fn restore_frit(saved: &mut Restoring<'_>, walls: bool) -> Result<FritScout, SavedAgentError> {
    let scout = FritScout::restore(saved)?;
    if scout.kind().walls == walls { Ok(scout) } else { Err(SavedAgentError::Damaged) }
}

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
    BlockDStar(BlockDStar, BlockDStarScout) = "block-dstar",
    Replan(Replan, ReplanScout) = "replan",
    FritBfs(FritBfs, FritBfsScout) = "frit-bfs",
    Bug2(Bug2, Bug2Scout) = "bug2",
    PFritRt(Frit, FritScout) = "p-frit-rt",
    FritRt(Frit, FritScout) = "frit-rt",
    DaRtaa(LearningUnknown, LearningScout) = "da-rtaa",
    Rtaa(LearningUnknown, LearningScout) = "rtaa",
    LssLrta(LearningUnknown, LearningScout) = "lss-lrta",
    LrtaK(LearningUnknown, LearningScout) = "lrta-k",
    Lrta(LearningUnknown, LearningScout) = "lrta",
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

impl Carrier for AnyScout {
    fn carried(&self) -> &dyn Traveller {
        self.inner()
    }

    fn carried_mut(&mut self) -> &mut dyn Traveller {
        self.inner_mut()
    }

    fn bytes_around(&self) -> usize {
        // There may be room for others.
        size_of::<AnyScout>() - size_of_val(self.inner())
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
    use crate::space::GridGeometry;

    #[test]
    fn every_entry_is_a_scout_with_its_defaults_and_its_name() {
        let ground = Ground::Grid(GridGeometry::new(2, 1, Rule::Octile));
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

//! What a benchmark runs: the planners and agents of a list, what they read built first, and what was left out and why.

use crate::agents::{self, NamedAgent};
use crate::args::{ContestantArgs, Sight};
use crate::edits::Schedule;
use crate::failure::Failure;
use crate::names::{self, Named, cannot_build};
use crate::numbers::{count, seconds};
use crate::world::World;
use milepost::index::IndexSpec;
use milepost::plan::Refusal;
use serde::Serialize;

/// What runs, and what does not.
#[derive(Debug, Default)]
pub(crate) struct Contestants {
    pub(crate) planners: Vec<Named>,
    pub(crate) agents: Vec<NamedAgent>,
    pub(crate) left_out: Vec<LeftOut>,
}

/// A planner or an agent that a list stands for and that was left out.
#[derive(Serialize, Clone, Debug)]
pub(crate) struct LeftOut {
    pub(crate) name: String,
    /// In words.
    pub(crate) reason: String,
    /// `planner` or `agent`.
    pub(crate) kind: &'static str,
    /// An index file lacks what it reads, and could be left for its map.
    #[serde(skip)]
    pub(crate) wants_map: bool,
}

/// A planner or an agent that may run.
pub(crate) trait Candidate: Clone {
    const KIND: &'static str;

    fn name(&self) -> &str;

    /// The indexes that it reads.
    fn needs(&self) -> Vec<IndexSpec>;

    /// Why it does not work on a world, if it does not.
    fn refusal(&self, world: &World) -> Option<Refusal>;

    /// Refuses a world where it does not work, naming others that do.
    fn check(&self, world: &World) -> Result<(), Failure>;

    /// The names of its sort that work on a world as it is, and are shown as much of it.
    fn others(&self, world: &World) -> Vec<&'static str>;

    /// Whether it works without the index that it reads.
    fn does_without(&self) -> bool {
        false
    }

    /// Whether it does not work for want of an index.
    fn lacks_index(&self, world: &World) -> bool {
        matches!(self.refusal(world), Some(Refusal::NoIndex(_)))
    }

    /// Whether an index that it reads is not there, and it works without.
    fn goes_without(&self, world: &World) -> bool {
        let is_there = |index: &IndexSpec| world.atlas.has(*index);
        self.does_without() && self.refusal(world).is_none() && !self.needs().iter().all(is_there)
    }
}

/// What a list names.
pub(crate) enum Choice<C> {
    /// Every name, and what it reads where that is built within a minute.
    All,
    /// What runs if nothing is named.
    Default,
    Named(C),
}

/// Instead of names.
const ALL: &str = "all";
const DEFAULT: &str = "default";

/// An index that is not named is built for `all` if that is estimated to take at most so many seconds.
const PATIENCE: f64 = 60.0;

/// What the lists of a command line name.
pub(crate) struct Asked {
    planners: Vec<Choice<Named>>,
    agents: Vec<Choice<NamedAgent>>,
    sight: Option<Sight>,
}

impl Asked {
    /// Reads both lists: if only one is given, nothing of the other sort runs; if none is, the default of both.
    pub(crate) fn new(args: &ContestantArgs, sight: Option<Sight>) -> Result<Asked, Failure> {
        let nothing: &[String] = &[];
        let default = [DEFAULT.to_owned()];
        let (planners, agents) = match (&args.planners, &args.agents) {
            (None, None) => (&default[..], &default[..]),
            (planners, agents) => {
                (planners.as_deref().unwrap_or(nothing), agents.as_deref().unwrap_or(nothing))
            }
        };
        Ok(Asked {
            planners: choices(planners, |text| names::planner_of(text, names::Asked::InList))?,
            agents: choices(agents, |text| agents::agent_of(text, sight, names::Asked::InList))?,
            sight,
        })
    }

    /// What runs on a world; its indexes are built. What was named must be possible, of the rest what is not is left out.
    pub(crate) fn prepare(self, world: &mut World, schedule: &Schedule) -> Result<Contestants, Failure> {
        let mut ring =
            Ring { kinds: schedule.kinds_of_worlds(world)?, world, left_out: Vec::new(), patience: PATIENCE };
        let planners = names::all().map(|named| (named, None)).collect();
        let planners = ring.admit_all(self.planners, planners)?;
        let (agents, misfits) = agents::all_with_reasons(ring.world, self.sight);
        let wants_agents = self.agents.iter().any(|choice| !matches!(choice, Choice::Named(_)));
        let agents = ring.admit_all(self.agents, agents)?;
        let mut left_out = ring.left_out;
        left_out.extend(misfits.into_iter().filter(|_| wants_agents));
        Ok(Contestants { planners, agents, left_out })
    }
}

fn choices<C>(
    list: &[String],
    named: impl Fn(&str) -> Result<C, Failure>,
) -> Result<Vec<Choice<C>>, Failure> {
    // Names may stand with blanks between them, as in "astar, jps".
    let choice = |text: &String| match text.trim() {
        ALL => Ok(Choice::All),
        DEFAULT => Ok(Choice::Default),
        text => named(text).map(Choice::Named),
    };
    list.iter().map(choice).collect()
}

/// Where contestants are let in.
struct Ring<'a> {
    world: &'a mut World,
    /// What edits make of it.
    kinds: Vec<World>,
    left_out: Vec<LeftOut>,
    /// Seconds that an index may take for what was not named.
    patience: f64,
}

impl Ring<'_> {
    /// Those of a list. All candidates there are come with the reason for which they are left out by default, if any.
    fn admit_all<C: Candidate>(
        &mut self,
        choices: Vec<Choice<C>>,
        candidates: Vec<(C, Option<String>)>,
    ) -> Result<Vec<C>, Failure> {
        let is_named = |name: &str, choices: &[Choice<C>]| {
            choices.iter().any(|choice| matches!(choice, Choice::Named(named) if named.name() == name))
        };
        let unnamed: Vec<&(C, Option<String>)> =
            candidates.iter().filter(|(candidate, _)| !is_named(candidate.name(), &choices)).collect();
        let mut admitted = Vec::new();
        for choice in &choices {
            if let Choice::Named(named) = choice {
                self.admit_named(named)?;
                admitted.push(named.clone());
                continue;
            }
            let takes_all = matches!(choice, Choice::All);
            for (candidate, by_default) in &unnamed {
                let result = match by_default {
                    Some(reason) if !takes_all => Err(reason.clone()),
                    _ => self.admit(candidate, takes_all),
                };
                match result {
                    Ok(()) => admitted.push(candidate.clone()),
                    Err(reason) => {
                        let name = candidate.name().to_owned();
                        let wants_map = self.world.is_file && candidate.lacks_index(self.world);
                        self.left_out.push(LeftOut { name, reason, kind: C::KIND, wants_map });
                    }
                }
            }
        }
        Ok(admitted)
    }

    /// Builds what was named, and refuses what does not work.
    fn admit_named(&mut self, named: &impl Candidate) -> Result<(), Failure> {
        check_edits(named, &self.kinds)?;
        let wants_index = named.lacks_index(self.world) || named.goes_without(self.world);
        if wants_index && !self.world.is_file {
            self.world.build(&named.needs()).map_err(|error| cannot_build(self.world, &error))?;
        }
        named.check(self.world)
    }

    /// Builds what was not named if that is worth it; else says why it is left out.
    fn admit(&mut self, candidate: &impl Candidate, takes_all: bool) -> Result<(), String> {
        let world = &mut *self.world;
        let needs = candidate.needs();
        let listed = |needs: &[IndexSpec]| names::indexes_to_build(world, needs);
        if !self.kinds.is_empty() && needs.iter().any(is_dropped) && !candidate.does_without() {
            let listed = names::without_needs(&needs);
            return Err(format!("it needs the index `{listed}`, which edits drop"));
        }
        if candidate.lacks_index(world) {
            let listed = listed(&needs);
            if world.is_file {
                return Err(format!("it needs the index `{listed}`, which {} lacks", world.file_name));
            }
            if !takes_all && !names::is_built_unasked(world, &needs) {
                return Err(format!(
                    "it needs the index `{listed}`, which takes a flood from each of {} states; name it to have it \
                     built, or say `{ALL}`",
                    count(world.space().states().into())
                ));
            }
            if takes_all {
                let estimate = names::estimated_seconds(world, &needs).map_err(|error| error.to_string())?;
                if estimate > self.patience {
                    let estimate = seconds(estimate);
                    return Err(format!(
                        "it needs the index `{listed}`, which would take about {estimate} to build; name it to have \
                         it built"
                    ));
                }
            }
            world.build(&needs).map_err(|error| error.to_string())?;
        }
        if candidate.goes_without(world) && !world.is_file {
            let is_quick = || names::estimated_seconds(world, &needs).is_ok_and(|most| most <= self.patience);
            if names::is_built_unasked(world, &needs) || takes_all && is_quick() {
                world.build(&needs).map_err(|error| error.to_string())?;
            }
        }
        let edited = self.kinds.iter().filter(|world| !candidate.lacks_index(world));
        let worlds = std::iter::once(&*world).chain(edited);
        match worlds.filter_map(|world| candidate.refusal(world)).next() {
            Some(refusal) => Err(refusal.said_of("it")),
            None => Ok(()),
        }
    }
}

/// Whether an edit drops an index; what reads one that outlasts edits can also do without.
fn is_dropped(index: &IndexSpec) -> bool {
    !index.kind.entry().outlasts_dearer
}

/// Refuses what does not work on a map that is edited: most indexes are gone after an edit, and weights or links may come.
pub(crate) fn check_edits(named: &impl Candidate, kinds: &[World]) -> Result<(), Failure> {
    let needs = named.needs();
    if let Some(edited) = kinds.first()
        && needs.iter().any(is_dropped)
        && !named.does_without()
    {
        let message = format!(
            "`{}` needs the index `{}`, which --edits drop; without an index work {}",
            named.name(),
            names::without_needs(&needs),
            named.others(edited).join(", ")
        );
        return Err(Failure::usage("no_index", message));
    }
    // An index that outlasts edits may not have been built yet.
    kinds.iter().filter(|world| !named.lacks_index(world)).try_for_each(|world| named.check(world))
}

#[cfg(test)]
mod tests {
    use super::*;
    use milepost::Rule;
    use milepost_maps::TileMap;

    #[test]
    fn what_would_take_too_long_to_build_is_left_out_with_the_estimate_unless_it_is_named() {
        let map = TileMap::filled(30, 30, b'.').expect("a small map");
        let mut world = World::new("open.map".as_ref(), &map, Rule::Octile).expect("a small map");
        let all = || names::all().map(|named| (named, None)).collect::<Vec<(Named, Option<String>)>>();
        let mut ring = Ring { world: &mut world, kinds: Vec::new(), left_out: Vec::new(), patience: -1.0 };
        let named = names::planner("jps-plus").expect("a name");
        let admitted = ring.admit_all(vec![Choice::All, Choice::Named(named)], all()).expect("it is built");
        let admitted: Vec<&str> = admitted.iter().map(Candidate::name).collect();
        assert!(admitted.contains(&"astar") && admitted.last() == Some(&"jps-plus"), "{admitted:?}");
        let left: Vec<&LeftOut> = ring.left_out.iter().collect();
        assert!(left.iter().any(|left| left.name == "first-moves"), "{left:?}");
        for left in left {
            assert!(left.reason.contains("would take about"), "{left:?}");
            assert!(!admitted.contains(&left.name.as_str()));
        }
    }
}

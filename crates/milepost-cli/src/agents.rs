//! From the names that users give to kinds of agents.

use crate::args::Sight;
use crate::failure::Failure;
use crate::names::{self, cannot_build};
use crate::world::World;
use milepost::AgentKind;
use milepost::catalog::{self, AGENTS, AgentEntry, AnyAgentKind};
use milepost::plan::Refusal;

/// A kind of agent and the very text that named it.
#[derive(Clone, Debug)]
pub(crate) struct NamedAgent {
    pub(crate) name: String,
    pub(crate) kind: AnyAgentKind,
}

impl NamedAgent {
    /// Refuses to show an agent less than it knows.
    pub(crate) fn check_sight(&self, sight: Option<Sight>) -> Result<(), Failure> {
        match sight {
            None | Some(Sight::All) => Ok(()),
            Some(less) => {
                let message = format!(
                    "--sight {less}: `{}` knows the whole map; leave --sight out or say --sight all",
                    self.name
                );
                Err(Failure::usage("not_for_this_agent", message))
            }
        }
    }

    /// Refuses an agent that does not work on this map, naming those that do.
    fn check(&self, world: &World) -> Result<(), Failure> {
        let Some(refusal) = self.kind.refusal(&world.atlas) else { return Ok(()) };
        let able: Vec<&str> = able(world).map(|entry| entry.name).collect();
        Err(names::refused(world, &self.name, self.kind.needs(), refusal, &able))
    }

    /// Builds what the agent reads, where that may be done, and checks that it works here.
    pub(crate) fn prepare(&self, world: &mut World) -> Result<(), Failure> {
        if self.lacks_index(world) && !world.is_file {
            world.build(self.kind.needs()).map_err(|error| cannot_build(world, &error))?;
        }
        self.check(world)
    }

    fn lacks_index(&self, world: &World) -> bool {
        matches!(self.kind.refusal(&world.atlas), Some(Refusal::NoIndex(_)))
    }
}

/// The kind of agent that a text names.
pub(crate) fn agent(text: &str) -> Result<NamedAgent, Failure> {
    let kind = catalog::agent(text).map_err(|error| Failure::name(error.to_string()))?;
    Ok(NamedAgent { name: text.to_owned(), kind })
}

/// All kinds of agents with their defaults, the best first.
fn all() -> impl Iterator<Item = NamedAgent> {
    AGENTS.iter().filter_map(|entry| agent(entry.name).ok())
}

/// Who walks if nobody is named: the best one that works on the map as it is, else the best one that would with its
/// index.
pub(crate) fn best(world: &World) -> Result<NamedAgent, Failure> {
    let as_it_is = all().find(|named| named.kind.refusal(&world.atlas).is_none());
    as_it_is
        .or_else(|| all().find(|named| named.lacks_index(world)))
        .or_else(|| all().next())
        .ok_or_else(|| Failure::usage("not_for_this_map", format!("no agent works on {}", world.file_name)))
}

/// The kinds that work on the map as it is, with their defaults.
pub(crate) fn able(world: &World) -> impl Iterator<Item = &'static AgentEntry> {
    AGENTS
        .iter()
        .filter(|entry| catalog::agent(entry.name).is_ok_and(|kind| kind.refusal(&world.atlas).is_none()))
}

/// Builds the indexes that agents read. One that was asked for by name must be possible; of the others those that do
/// not pay on this map are left out.
pub(crate) fn prepare(
    world: &mut World,
    asked: Option<Vec<NamedAgent>>,
    sight: Option<Sight>,
) -> Result<Vec<NamedAgent>, Failure> {
    if let Some(agents) = asked {
        for named in &agents {
            named.prepare(world)?;
        }
        return Ok(agents);
    }
    let mut agents = Vec::new();
    for named in all() {
        let is_dear = named.lacks_index(world) && !names::is_built_unasked(world, named.kind.needs());
        if !is_dear && named.check_sight(sight).is_ok() && named.prepare(world).is_ok() {
            agents.push(named);
        }
    }
    Ok(agents)
}

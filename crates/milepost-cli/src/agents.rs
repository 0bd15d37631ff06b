//! From the names that users give to kinds of agents and scouts.

use crate::args::Sight;
use crate::failure::Failure;
use crate::names::{self, cannot_build};
use crate::world::World;
use milepost::agent::{self, AgentKind, Carrier, Guided};
use milepost::catalog::{self, AGENTS, AnyAgent, AnyAgentKind, AnyScout, AnyScoutKind, NameError, SCOUTS};
use milepost::index::IndexSpec;
use milepost::plan::Refusal;
use milepost::{Agent, Atlas, Budget, Scratch, StateId, Step, Traveller};

/// A kind of agent and the very text that named it.
#[derive(Clone, Debug)]
pub(crate) struct NamedAgent {
    pub(crate) name: String,
    kind: Kind,
}

/// Somebody who knows the map, or somebody who sees a part of it.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Agent(AnyAgentKind),
    Scout(AnyScoutKind, agent::Sight),
}

impl NamedAgent {
    /// The indexes that it reads.
    pub(crate) fn needs(&self) -> Vec<IndexSpec> {
        match self.kind {
            Kind::Agent(kind) => kind.needs().into_iter().collect(),
            Kind::Scout(..) => Vec::new(),
        }
    }

    /// Whether its journeys cost what the best paths cost.
    pub(crate) fn is_optimal(&self, world: &World) -> bool {
        match self.kind {
            Kind::Agent(kind) => kind.is_optimal(world.space()),
            Kind::Scout(..) => false,
        }
    }

    /// One of its kind.
    pub(crate) fn start(&self, world: &World, from: StateId, to: StateId) -> Walker {
        match self.kind {
            Kind::Agent(kind) => Walker::Agent(Box::new(kind.start(&world.atlas, from, to))),
            Kind::Scout(kind, sight) => Walker::Scout(Box::new(kind.start_on(&world.atlas, sight, from, to))),
        }
    }

    fn refusal(&self, world: &World) -> Option<Refusal> {
        match self.kind {
            Kind::Agent(kind) => kind.refusal(&world.atlas),
            Kind::Scout(kind, _) => kind.refusal_on(&world.atlas),
        }
    }

    /// Refuses an agent that does not work on this map, naming those that do.
    fn check(&self, world: &World) -> Result<(), Failure> {
        let sees_neighbours = |sight| sight == agent::Sight::default();
        if matches!(self.kind, Kind::Scout(_, sight) if !sees_neighbours(sight)) && world.graph().is_some() {
            let message = "--sight: on a graph one sees the neighbours; leave it out or say --sight 1";
            return Err(Failure::usage("not_for_this_map", message));
        }
        let Some(refusal) = self.refusal(world) else { return Ok(()) };
        let able: Vec<&str> = match self.kind {
            Kind::Agent(_) => able(world),
            Kind::Scout(..) => able_scouts(world),
        };
        Err(names::refused(world, &self.name, &self.needs(), refusal, &able))
    }

    /// Builds what the agent reads, where that may be done, and checks that it works here.
    pub(crate) fn prepare(&self, world: &mut World) -> Result<(), Failure> {
        if self.lacks_index(world) && !world.is_file {
            world.build(&self.needs()).map_err(|error| cannot_build(world, &error))?;
        }
        self.check(world)
    }

    fn lacks_index(&self, world: &World) -> bool {
        matches!(self.refusal(world), Some(Refusal::NoIndex(_)))
    }
}

/// The kind of agent that a text names, for those who see this much. A name that both an agent and a scout have is that of
/// the scout if less than the whole map is seen.
pub(crate) fn agent(text: &str, sight: Option<Sight>) -> Result<NamedAgent, Failure> {
    let name = text.split(':').next().unwrap_or_default();
    let is_agent = AGENTS.iter().any(|entry| entry.name == name);
    let is_scout = SCOUTS.iter().any(|entry| entry.name == name);
    let named = |kind: Result<Kind, NameError>| {
        let kind = kind.map_err(|error| Failure::name(error.to_string()))?;
        Ok(NamedAgent { name: text.to_owned(), kind })
    };
    let scout = |sight| named(catalog::scout(text).map(|kind| Kind::Scout(kind, sight)));
    let misfit = |message: String| Err(Failure::usage("not_for_this_agent", message));
    match (is_agent, is_scout, sight) {
        (false, false, _) => {
            let known = AGENTS.iter().map(|entry| entry.name).chain(scouts_alone()).collect::<Vec<_>>();
            let known = known.join(", ");
            Err(Failure::name(format!("there is no agent `{name}`; there are {known}")))
        }
        (true, _, None | Some(Sight::All)) => named(catalog::agent(text).map(Kind::Agent)),
        (_, true, Some(Sight::Radius(radius))) => scout(agent::Sight::Radius(radius)),
        (_, true, Some(Sight::Lines)) => scout(agent::Sight::Lines),
        (_, true, None) => scout(agent::Sight::default()),
        (_, true, Some(Sight::All)) => misfit(format!(
            "--sight all: `{text}` finds its way by what it sees; say --sight R or --sight los, or take an agent that \
             knows the map"
        )),
        (_, false, Some(less)) => misfit(format!(
            "--sight {less}: `{text}` knows the whole map; leave --sight out or say --sight all"
        )),
    }
}

/// The names that only scouts have.
fn scouts_alone() -> impl Iterator<Item = &'static str> {
    let is_agent = |name: &str| AGENTS.iter().any(|entry| entry.name == name);
    SCOUTS.iter().map(|entry| entry.name).filter(move |name| !is_agent(name))
}

/// Whose journeys may be hundreds of times longer than the best ones, or whose steps may be whole searches: they race
/// unasked on small maps alone.
const TEDIOUS: [&str; 10] =
    ["tba", "lss-lrta", "lrta-k", "lrta", "replan", "frit-bfs", "p-frit-rt", "frit-rt", "da-rtaa", "rtaa"];

/// Maps with more states are not small.
const SMALL: u32 = 500;

/// Everybody who races if nobody is named.
fn racers(world: &World, sight: Option<Sight>) -> Vec<NamedAgent> {
    let scouts = scouts_alone().filter(|_| sight.is_none()).filter_map(|name| agent(name, None).ok());
    let is_quick =
        |named: &NamedAgent| world.space().states() <= SMALL || !TEDIOUS.contains(&named.name.as_str());
    all(sight).chain(scouts).filter(is_quick).collect()
}

/// All kinds with their defaults for those who see this much, the best first.
fn all(sight: Option<Sight>) -> impl Iterator<Item = NamedAgent> {
    let agents = AGENTS.iter().map(|entry| entry.name).filter(move |_| knows_the_map(sight));
    let scouts = SCOUTS.iter().map(|entry| entry.name).filter(move |_| !knows_the_map(sight));
    agents.chain(scouts).filter_map(move |name| agent(name, sight).ok())
}

fn knows_the_map(sight: Option<Sight>) -> bool {
    matches!(sight, None | Some(Sight::All))
}

/// Who walks if nobody is named: the best one that works here, with its index where that can be built quickly. On a file
/// that holds no agent's index, the best one that would work with one: its user is told what to build.
pub(crate) fn best(world: &World, sight: Option<Sight>) -> Result<NamedAgent, Failure> {
    let works = |named: &NamedAgent| named.refusal(world).is_none();
    let works_by_index = |named: &NamedAgent| works(named) && !named.needs().is_empty();
    let can_have_index = |named: &NamedAgent| {
        named.lacks_index(world) && !world.is_file && names::is_built_unasked(world, &named.needs())
    };
    all(sight)
        .find(|named| works_by_index(named) || can_have_index(named))
        .or_else(|| all(sight).find(|named| world.is_file && named.lacks_index(world)))
        .or_else(|| all(sight).find(works))
        .or_else(|| all(sight).next())
        .ok_or_else(|| Failure::usage("not_for_this_map", format!("no agent works on {}", world.file_name)))
}

/// The agents that work on the map as it is, with their defaults.
pub(crate) fn able(world: &World) -> Vec<&'static str> {
    let works = |name: &str| catalog::agent(name).is_ok_and(|kind| kind.refusal(&world.atlas).is_none());
    AGENTS.iter().map(|entry| entry.name).filter(|name| works(name)).collect()
}

/// The scouts that work on the map.
fn able_scouts(world: &World) -> Vec<&'static str> {
    let works = |name: &str| catalog::scout(name).is_ok_and(|kind| kind.refusal_on(&world.atlas).is_none());
    SCOUTS.iter().map(|entry| entry.name).filter(|name| works(name)).collect()
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
    for named in racers(world, sight) {
        let is_dear = named.lacks_index(world) && !names::is_built_unasked(world, &named.needs());
        if !is_dear && named.prepare(world).is_ok() {
            agents.push(named);
        }
    }
    Ok(agents)
}

/// Somebody on a journey.
#[derive(Clone, Debug)]
pub(crate) enum Walker {
    Agent(Box<AnyAgent>),
    Scout(Box<Guided<AnyScout>>),
}

impl Walker {
    fn inner(&self) -> &dyn Agent {
        match self {
            Walker::Agent(agent) => agent.as_ref(),
            Walker::Scout(scout) => scout.as_ref(),
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Agent {
        match self {
            Walker::Agent(agent) => agent.as_mut(),
            Walker::Scout(scout) => scout.as_mut(),
        }
    }
}

impl Agent for Walker {
    fn step(&mut self, atlas: &Atlas, scratch: &mut Scratch, budget: &mut Budget) -> Step {
        self.inner_mut().step(atlas, scratch, budget)
    }
}

impl Carrier for Walker {
    fn carried(&self) -> &dyn Traveller {
        self.inner()
    }

    fn carried_mut(&mut self) -> &mut dyn Traveller {
        self.inner_mut()
    }

    fn bytes_around(&self) -> usize {
        0
    }
}

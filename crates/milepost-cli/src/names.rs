//! From the names that users give to planners.

use crate::contestants::Candidate;
use crate::failure::Failure;
use crate::numbers::count;
use crate::output;
use crate::world::World;
use milepost::build::BuildError;
use milepost::catalog::{self, AGENTS, NameError, PLANNERS, PlannerEntry};
use milepost::index::{IndexNameError, IndexSpec};
use milepost::plan::{Dijkstra, Refusal};
use milepost::space::Nodes;
use milepost::{AnyPlanner, Atlas, Heuristic, Indexes};

/// A planner and the very text that named it.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) planner: AnyPlanner,
}

impl Candidate for Named {
    const KIND: &'static str = "planner";

    fn name(&self) -> &str {
        &self.name
    }

    fn needs(&self) -> Vec<IndexSpec> {
        self.planner.needs().to_vec()
    }

    fn refusal(&self, world: &World) -> Option<Refusal> {
        self.planner.refusal(&world.atlas)
    }

    fn check(&self, world: &World) -> Result<(), Failure> {
        let Some(refusal) = self.refusal(world) else { return Ok(()) };
        Err(refused(world, &self.name, &self.needs(), refusal, &self.others(world)))
    }

    fn others(&self, world: &World) -> Vec<&'static str> {
        able(world).map(|entry| entry.name).collect()
    }
}

/// All planners with their defaults.
pub(crate) fn all() -> impl Iterator<Item = Named> {
    PLANNERS.iter().filter_map(|entry| planner(entry.name).ok())
}

impl Named {
    /// Refuses a planner that does not obey overlays, naming those that do.
    pub(crate) fn check_overlays(&self, world: &World) -> Result<(), Failure> {
        if self.planner.obeys_overlays() {
            return Ok(());
        }
        let obeys = |entry: &&PlannerEntry| entry.planner.obeys_overlays();
        let able: Vec<&str> = able(world).filter(obeys).map(|entry| entry.name).collect();
        let message = format!("`{}` does not obey overlays; try {}", self.name, able.join(", "));
        Err(Failure::usage("refused", message))
    }
}

/// Why a planner or an agent does not work on this map, and what to do: what works here, or what to build.
pub(crate) fn refused(
    world: &World,
    name: &str,
    needs: &[IndexSpec],
    refusal: Refusal,
    able: &[&str],
) -> Failure {
    let kind = match refusal {
        Refusal::Estimate(heuristic) => return no_such_estimate(name, heuristic, world),
        Refusal::NoIndex(_) => {
            let (file, index) = (&world.file_name, indexes_to_build(world, needs));
            let (map, stem) = (&world.file_name, &world.name);
            let map = if map.contains(char::is_whitespace) { "MAP" } else { map };
            // A file that is there already keeps what it has.
            let output =
                if world.is_file { format!("{stem}-2.milepost") } else { format!("{stem}.milepost") };
            let message = format!(
                "`{name}` needs the index `{index}`, which {file} lacks; build it: \
                 milepost build {map} --index {index} -o {output}; and give {output} instead of {file}"
            );
            return Failure::usage("no_index", message);
        }
        Refusal::Rule(_) => "not_for_this_rule",
        _ => "not_for_this_map",
    };
    let instead =
        if able.is_empty() { "none works here".to_owned() } else { format!("try {}", able.join(", ")) };
    Failure::usage(kind, format!("{}; {instead}", refusal.said_of(&format!("`{name}`"))))
}

/// What must be built of these indexes, without what comes along with them.
pub(crate) fn indexes_to_build(world: &World, needs: &[IndexSpec]) -> String {
    let missing: Vec<IndexSpec> = needs.iter().filter(|index| !world.atlas.has(**index)).copied().collect();
    without_needs(&missing)
}

/// These indexes as a list, without those that come along with another of them.
pub(crate) fn without_needs(indexes: &[IndexSpec]) -> String {
    let comes_along =
        |index: &IndexSpec| indexes.iter().any(|other| other.kind.needs().contains(&index.kind));
    let names = indexes.iter().filter(|index| !comes_along(index)).map(IndexSpec::to_string);
    names.collect::<Vec<String>>().join(",")
}

/// How long it would take to build what is missing of these indexes.
pub(crate) fn estimated_seconds(world: &World, needs: &[IndexSpec]) -> Result<f64, BuildError> {
    let mut missing: Vec<IndexSpec> = needs.iter().flat_map(|index| index.with_needs()).collect();
    missing.sort_unstable();
    missing.dedup();
    missing.retain(|index| !world.atlas.has(*index));
    missing
        .iter()
        .map(|&index| milepost::build::estimate(&world.atlas, index).map(|found| found.seconds))
        .sum()
}

fn no_such_estimate(name: &str, heuristic: Heuristic, world: &World) -> Failure {
    let known = Heuristic::NAMED.iter().filter(|(_, heuristic)| world.space().knows(*heuristic));
    let known: Vec<String> = known.map(|(name, _)| format!("h={name}")).collect();
    let estimate = match heuristic {
        Heuristic::PNorm(power) => format!("p={}", power.value()),
        named => {
            let name =
                Heuristic::NAMED.iter().find(|(_, other)| *other == named).map_or("?", |(name, _)| name);
            format!("h={name}")
        }
    };
    let (kind, place) = match world.rule() {
        Some(rule) => ("not_for_this_rule", format!("under the rule `{rule}`")),
        None => ("not_for_this_map", format!("on {}", world.kind())),
    };
    let message =
        format!("`{name}`: the estimate {estimate} means nothing {place}; try {}", known.join(", "));
    Failure::usage(kind, message)
}

/// Instead of a list of indexes: none, the map alone.
const NO_INDEX: &str = "none";

/// The indexes that a list names, each once; the standard ones if it is empty.
pub(crate) fn indexes(list: &[String]) -> Result<Indexes, Failure> {
    let mut indexes: Vec<IndexSpec> = Vec::new();
    if list.is_empty() {
        return Ok(Indexes::standard());
    }
    let list: Vec<&str> = list.iter().map(|text| text.trim()).collect();
    if list == [NO_INDEX] {
        return Ok(indexes.into());
    }
    for text in list {
        let index = IndexSpec::from_text(text).map_err(|error| match error {
            IndexNameError::Unknown { name, mut known, mut hint } => {
                if let Some(entry) = PLANNERS.iter().find(|entry| entry.name == name) {
                    hint = index_of_planner(entry);
                }
                known += &format!(", or {NO_INDEX} alone, for the map without an index");
                Failure::name(IndexNameError::Unknown { name, known, hint }.to_string())
            }
            IndexNameError::Gone { .. } | IndexNameError::BadParameter { .. } => {
                Failure::name(error.to_string())
            }
        })?;
        if !indexes.contains(&index) {
            indexes.push(index);
        }
    }
    Ok(indexes.into())
}

/// Which of the indexes that were asked for are meant on a world. A note tells the user if there is no standard one.
pub(crate) fn indexes_on(world: &World, asked: &Indexes) -> Vec<IndexSpec> {
    let indexes = asked.on(world.space());
    if indexes.is_empty() && *asked == Indexes::standard() {
        output::note(&format!(
            "note: no index is standard here: what could be built takes a flood from each of {} states, or may not fit; name one \
             with --index to have it, or {NO_INDEX}",
            count(world.space().states().into())
        ));
    }
    indexes
}

/// Why an index cannot be built, and which planners work all the same: by indexes whose builders say that they can be
/// built, or without any. What was built before the refusal does not count: `build` and `estimate` say the same.
pub(crate) fn cannot_build(world: &World, error: &BuildError) -> Failure {
    let bare = Atlas::new(world.space().clone());
    let names = |works: &dyn Fn(&PlannerEntry) -> bool| -> String {
        let entries = PLANNERS.iter().filter(|entry| works(entry));
        entries.map(|entry| entry.name).collect::<Vec<&str>>().join(", ")
    };
    let mut message = error.to_string();
    let instead = error.alternatives(&bare);
    if !instead.is_empty() {
        let indexes: Vec<&str> = instead.iter().map(|kind| kind.name()).collect();
        message += &format!("; what can be built here: {}", indexes.join(", "));
    }
    let standard = Indexes::standard().on(world.space());
    if standard.iter().all(|index| instead.contains(&index.kind)) && !standard.is_empty() {
        message += &format!("; without --index is built {}", without_needs(&standard));
    }
    let with = names(&|entry| {
        let lacks_index = matches!(entry.planner.refusal(&bare), Some(Refusal::NoIndex(_)));
        lacks_index && entry.planner.needs().iter().all(|index| instead.contains(&index.kind))
    });
    if !with.is_empty() {
        message += &format!("; with these work {with}");
    }
    let without = names(&|entry| entry.planner.refusal(&bare).is_none());
    if !without.is_empty() {
        message += &format!("; without an index work {without}");
    }
    Failure::usage("cannot_build", message)
}

/// What is wrong with the name of a planner or an agent; one that is the other's is answered by the command that takes it. An
/// agent's name may hold a planner's.
pub(crate) fn no_such_name(mut error: NameError, asked: Asked) -> Failure {
    // What to type for a planner, and for an agent.
    let (plan, walk) = match asked {
        Asked::Alone => ("milepost path MAP --planner", "milepost walk MAP --agent"),
        Asked::InList => ("--planners", "--agents"),
    };
    match &mut error {
        NameError::Unknown { what: "agent", name, hint, .. }
            if PLANNERS.iter().any(|entry| entry.name == name) =>
        {
            *hint = format!("; `{name}` is a planner: {plan} {name}, or follow it: {walk} follow:{name}");
        }
        NameError::Unknown { what: "planner", name, hint, .. } if is_agent(name) => {
            *hint = format!("; `{name}` is an agent: {walk} {name}");
        }
        _ => {}
    }
    Failure::name(error.to_string())
}

/// Where a user names a planner or an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asked {
    /// One, to `path` or `walk`.
    Alone,
    /// Several, to `bench` or `demo`.
    InList,
}

fn is_agent(name: &str) -> bool {
    AGENTS.iter().any(|entry| entry.about.name == name)
}

/// What to build where a planner was named instead of its index.
fn index_of_planner(entry: &PlannerEntry) -> String {
    let needs = without_needs(entry.planner.needs());
    let read =
        if needs.is_empty() { "reads no index".to_owned() } else { format!("reads the index `{needs}`") };
    format!("; `{}` is a planner, which {read}", entry.name)
}

/// The planner that a text names.
pub(crate) fn planner(text: &str) -> Result<Named, Failure> {
    planner_of(text, Asked::Alone)
}

/// The same, and where it is named.
pub(crate) fn planner_of(text: &str, asked: Asked) -> Result<Named, Failure> {
    let planner = catalog::planner(text).map_err(|error| no_such_name(error, asked))?;
    Ok(Named { name: text.to_owned(), planner })
}

/// Dijkstra's algorithm over the centres of the polygons of a mesh.
pub(crate) fn over_centres() -> Dijkstra {
    Dijkstra { nodes: Some(Nodes::Centres), ..Dijkstra::default() }
}

/// The fastest exact planner for an atlas, perhaps under an overlay.
pub(crate) fn fastest(atlas: &Atlas, has_overlay: bool) -> Result<Named, Failure> {
    let fastest = atlas.fastest();
    let obeys = |entry: &&PlannerEntry| entry.preference.is_some() && entry.planner.obeys_overlays();
    let preferred = PLANNERS.iter().filter(obeys).min_by_key(|entry| entry.preference);
    let entry = if has_overlay { preferred.unwrap_or(fastest) } else { fastest };
    planner(entry.name)
}

/// The planners that work on the map as it is, with their defaults.
pub(crate) fn able(world: &World) -> impl Iterator<Item = &'static PlannerEntry> {
    PLANNERS.iter().filter(|entry| entry.planner.refusal(&world.atlas).is_none())
}

/// Indexes that take a flood from every state are built unasked only where there are no more states than this: on maps
/// of some ten thousand it takes seconds, on large ones hours.
const MOST_FLOODS: u32 = 5_000;

/// Whether indexes are built for a planner or an agent that the user has not named.
pub(crate) fn is_built_unasked(world: &World, needs: &[IndexSpec]) -> bool {
    world.space().states() <= MOST_FLOODS || !needs.iter().any(|index| index.kind.entry().floods)
}

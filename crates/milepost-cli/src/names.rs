//! From the names that users give to planners.

use crate::failure::Failure;
use crate::world::World;
use milepost::build::BuildError;
use milepost::catalog::{self, PLANNERS, PlannerEntry};
use milepost::index::{IndexNameError, IndexSpec};
use milepost::plan::Refusal;
use milepost::{AnyPlanner, Atlas, Heuristic};

/// A planner and the very text that named it.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) planner: AnyPlanner,
}

impl Named {
    /// The indexes that it reads.
    pub(crate) fn needs(&self) -> Vec<IndexSpec> {
        self.planner.needs().iter().map(|kind| IndexSpec::from(*kind)).collect()
    }

    /// Refuses a planner that does not work on this map, naming those that do.
    pub(crate) fn check(&self, world: &World) -> Result<(), Failure> {
        let Some(refusal) = self.planner.refusal(&world.atlas) else { return Ok(()) };
        let able: Vec<&str> = able(world).map(|entry| entry.name).collect();
        Err(refused(world, &self.name, &self.needs(), refusal, &able))
    }

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
    let (kind, message) = match refusal {
        Refusal::Estimate(heuristic) => return no_such_estimate(name, heuristic, world),
        Refusal::NoIndex(_) => {
            let (file, index) = (&world.file_name, indexes_to_build(world, needs));
            let message = format!(
                "`{name}` needs the index `{index}`, which {file} lacks; build it: \
                 milepost build MAP --index {index} -o FILE.milepost"
            );
            return Failure::usage("no_index", message);
        }
        Refusal::Rule(_) => ("not_for_this_rule", refusal.to_string()),
        _ => ("not_for_this_map", refusal.to_string()),
    };
    let instead =
        if able.is_empty() { "none works here".to_owned() } else { format!("try {}", able.join(", ")) };
    Failure::usage(kind, format!("`{name}` {message}; {instead}"))
}

/// What must be built of these indexes, without what comes along with them.
fn indexes_to_build(world: &World, needs: &[IndexSpec]) -> String {
    let missing: Vec<IndexSpec> = needs.iter().filter(|index| !world.atlas.has(**index)).copied().collect();
    let comes_along =
        |index: &IndexSpec| missing.iter().any(|other| other.kind.pulls_in().contains(&index.kind));
    let names = missing.iter().filter(|index| !comes_along(index)).map(IndexSpec::to_string);
    names.collect::<Vec<String>>().join(",")
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
        None => ("not_for_this_map", "on a graph".to_owned()),
    };
    let message =
        format!("`{name}`: the estimate {estimate} means nothing {place}; try {}", known.join(", "));
    Failure::usage(kind, message)
}

/// Instead of a list of indexes: none, the map alone.
const NO_INDEX: &str = "none";

/// The indexes that a list names, each once.
pub(crate) fn indexes(list: &[String]) -> Result<Vec<IndexSpec>, Failure> {
    let mut indexes = Vec::new();
    if list == [NO_INDEX] {
        return Ok(indexes);
    }
    for text in list {
        let index = IndexSpec::from_text(text).map_err(|error| match error {
            IndexNameError::Unknown { .. } => Failure::name(format!("{error}, or {NO_INDEX} alone")),
            IndexNameError::BadParameter { .. } => Failure::name(error.to_string()),
        })?;
        if !indexes.contains(&index) {
            indexes.push(index);
        }
    }
    Ok(indexes)
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
    let with = names(&|entry| {
        let lacks_index = matches!(entry.planner.refusal(&bare), Some(Refusal::NoIndex(_)));
        lacks_index && entry.planner.needs().iter().all(|kind| instead.contains(kind))
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

/// The planner that a text names.
pub(crate) fn planner(text: &str) -> Result<Named, Failure> {
    let planner = catalog::planner(text).map_err(|error| Failure::name(error.to_string()))?;
    Ok(Named { name: text.to_owned(), planner })
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

/// Builds the indexes that planners read. One that was asked for by name must be possible; of the others those that do
/// not pay on this map are left out.
pub(crate) fn prepare(world: &mut World, asked: Option<Vec<Named>>) -> Result<Vec<Named>, Failure> {
    if let Some(planners) = asked {
        for named in &planners {
            if matches!(named.planner.refusal(&world.atlas), Some(Refusal::NoIndex(_))) && !world.is_file {
                world.build(&named.needs()).map_err(|error| cannot_build(world, &error))?;
            }
            named.check(world)?;
        }
        return Ok(planners);
    }
    let mut planners = Vec::new();
    for entry in PLANNERS {
        let named = planner(entry.name)?;
        let lacks_index = matches!(named.planner.refusal(&world.atlas), Some(Refusal::NoIndex(_)));
        if lacks_index && !is_built_unasked(world, &named.needs()) {
            continue;
        }
        if lacks_index && !world.is_file && world.build(&named.needs()).is_err() {
            continue;
        }
        if named.planner.refusal(&world.atlas).is_none() {
            planners.push(named);
        }
    }
    Ok(planners)
}

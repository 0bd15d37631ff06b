//! Whether working anything out between jump points pays on a map. The decision depends on the map alone, not on the
//! machine.

use super::JumpPointGraph;
use super::first_jump_points::Leg;
use super::flat::NO_POINT;
use super::flood::Flood;
use super::packed_distances::DistanceWord;
use super::tree::MOST_HOPS;
use crate::build::{BuildError, parallel};
use crate::core::vectorized;
use crate::index::JumpTable;
use crate::space::{Grid, SpaceKind};

/// Jump points in a hundred cells beyond which nothing is tried: a fifth of the map.
const MOST_PERCENT: u64 = 20;

/// Maps with fewer jump points are served whatever they look like.
const FEW: u64 = 1000;

/// Refuses maps of which too many cells are jump points.
pub(crate) fn check_share(
    grid: &Grid,
    table: &JumpTable<'_>,
    refuse: impl Fn(String) -> BuildError,
) -> Result<(), BuildError> {
    let (corners, cells) = (table.jump_points() as u64, u64::from(grid.states()));
    if corners * 100 > cells * MOST_PERCENT && corners > FEW {
        let percent = corners * 100 / cells.max(1);
        return Err(refuse(format!("{corners} of its {cells} free cells are corners ({percent} %)")));
    }
    Ok(())
}

/// Sources that are flooded from to see whether they have too many hops: those that may have most.
const MOST_TRIED: usize = 64;

/// Refuses maps on which some jump point sees more others than there are numbers for hops. A flood from it tells; but only
/// sources are asked that may have as many.
pub(crate) fn check_hops(
    graph: &JumpPointGraph<'_>,
    refuse: impl Fn(String) -> BuildError,
) -> Result<(), BuildError> {
    let room = || Seeing { is_there: vec![false; graph.points.len()], points: Vec::new() };
    let hops =
        parallel::map_with(graph.points.len(), room, |seeing, source| seeing.most_hops(graph, source as u32));
    let mut crowded: Vec<(usize, u32)> = hops.into_iter().zip(0..).collect();
    crowded.retain(|(count, _)| *count > MOST_HOPS);
    crowded.sort_unstable_by(|a, b| b.cmp(a));
    crowded.truncate(MOST_TRIED);
    let has_too_many = if graph.is_narrow() {
        any_has_too_many::<u32>(graph, &crowded)
    } else {
        any_has_too_many::<u64>(graph, &crowded)
    };
    if has_too_many {
        return Err(refuse(format!("some corner sees more than {MOST_HOPS} others")));
    }
    Ok(())
}

fn any_has_too_many<W: DistanceWord>(graph: &JumpPointGraph<'_>, sources: &[(usize, u32)]) -> bool {
    let has_too_many = |flood: &mut Flood<W>, source: u32| !vectorized!(flood.run(graph, source..source + 1));
    let fits = |flood: &mut Flood<W>, number: usize| match has_too_many(flood, sources[number].1) {
        true => Err(()),
        false => Ok(()),
    };
    parallel::try_map_with(sources.len(), || Flood::<W>::new(graph), fits).is_err()
}

/// The jump points that see a source.
struct Seeing {
    is_there: Vec<bool>,
    points: Vec<u32>,
}

impl Seeing {
    /// How many hops a source has at most. Those that see it have a parent, and are none, if one of their first jump points
    /// lies on the way and sees it too.
    fn most_hops(&mut self, graph: &JumpPointGraph<'_>, source: u32) -> usize {
        let Seeing { is_there, points } = self;
        points.drain(..).for_each(|point| is_there[point as usize] = false);
        graph.seen_from(source, |spot| {
            let point = graph.flat.cell(spot).point;
            if point != NO_POINT && !std::mem::replace(&mut is_there[point as usize], true) {
                points.push(point);
            }
        });
        if points.len() <= MOST_HOPS {
            return points.len();
        }
        let left =
            |point: u32| graph.costs.octile(graph.points[point as usize], graph.points[source as usize]);
        let has_parent = |point: u32| {
            let leads_on = |leg: &Leg| {
                leg.point != source
                    && is_there[leg.point as usize]
                    && leg.cost + left(leg.point) == left(point)
            };
            graph.links.list(point as usize).iter().any(leads_on)
        };
        points.iter().filter(|&&point| !has_parent(point)).count()
    }
}

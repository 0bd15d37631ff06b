//! Builds [`subgoal-trees`](crate::index::subgoal_trees): one backward search from every goal, on all threads.
//!
//! 1. [`terrain`]: numbered states, edges, estimates.
//! 2. The tree of one goal: [`greedy`], or [`printed`].
//! 3. [`sharing`]: what changes from one goal to the next; [`pack`]: from changes to arrays.
//!
//! # Paper
//! C. Hernández, J. Baier: Fast subgoaling for pathfinding via real-time search, ICAPS 2011, Algorithm 2.
//!
//! # Guarantees
//! Every greedy tree leads from every state with a path to the goal there, at least cost, by walks that need nothing but
//! estimates. O(n^2) for n states. The same bytes with any number of threads: goals are cut into the same parts.

mod flood;
mod greedy;
mod pack;
mod printed;
mod sharing;
mod terrain;
mod tree;

use super::first_moves::numbering;
use super::{BuildError, Progress};
use crate::core::StateId;
use crate::index::Bytes;
use crate::space::{Grid, Heuristic, OctileMetric, OtherMetric, Space, ZeroMetric};
use greedy::GreedyTrees;
use printed::PrintedTrees;
use rayon::prelude::*;
use sharing::{Shared, Sharing};
use std::sync::atomic::{AtomicU64, Ordering};
use terrain::{Estimates, GraphEstimates, GridEstimates, Terrain};
use tree::TreeMaker;

/// Which trees: the parameter of the section.
pub(crate) const GREEDY: u32 = 0;
/// As Algorithm 2 is printed.
pub(crate) const PRINTED: u32 = 1;

/// Goals that are worked through one after another by the same thread.
const PART: usize = 256;

/// The trees of a space.
pub(super) fn build(space: &Space, parameter: u32, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    let numbering = numbering(space)?;
    let goals: Vec<u32> = (0..numbering.order.len() as u32).collect();
    let parts = shared(space, &numbering.order, &goals, parameter, progress);
    Ok(pack::section(&numbering.order, &parts, |writer| numbering.push_places(space, writer)))
}

/// The trees of these goals.
fn shared(
    space: &Space,
    order: &[StateId],
    goals: &[u32],
    parameter: u32,
    progress: Progress<'_>,
) -> Vec<Shared> {
    match space {
        Space::Grid(grid) => of_grid(space, grid, order, goals, parameter, progress),
        Space::Graph(graph) => {
            let estimates = GraphEstimates { graph, states: order };
            of_terrain(&Terrain::new(space, order, estimates), goals, parameter, progress)
        }
    }
}

fn of_grid(
    space: &Space,
    grid: &Grid,
    order: &[StateId],
    goals: &[u32],
    parameter: u32,
    progress: Progress<'_>,
) -> Vec<Shared> {
    let heuristic = space.tightest_heuristic();
    let (scale, cheapest) = (grid.scale(), grid.cheapest());
    let (straight, diagonal) = (scale.straight() * cheapest, scale.diagonal() * cheapest);
    match OtherMetric::new(heuristic, grid.rule(), straight) {
        None => {
            let estimates = GridEstimates::new(grid, order, ZeroMetric);
            of_terrain(&Terrain::new(space, order, estimates), goals, parameter, progress)
        }
        Some(_) if heuristic == Heuristic::Octile && grid.rule().is_octile() => {
            let estimates = GridEstimates::new(grid, order, OctileMetric::new(straight, diagonal));
            of_terrain(&Terrain::new(space, order, estimates), goals, parameter, progress)
        }
        Some(metric) => {
            let estimates = GridEstimates::new(grid, order, metric);
            of_terrain(&Terrain::new(space, order, estimates), goals, parameter, progress)
        }
    }
}

fn of_terrain<E: Estimates>(
    terrain: &Terrain<E>,
    goals: &[u32],
    parameter: u32,
    progress: Progress<'_>,
) -> Vec<Shared> {
    match parameter {
        PRINTED => in_parts(terrain, goals, true, PrintedTrees::new, progress),
        _ => in_parts(terrain, goals, false, GreedyTrees::new, progress),
    }
}

/// All goals, on all threads.
fn in_parts<E: Estimates, T: TreeMaker<E>>(
    terrain: &Terrain<E>,
    goals: &[u32],
    is_exact: bool,
    maker: impl Fn(&Terrain<E>) -> T + Sync,
    progress: Progress<'_>,
) -> Vec<Shared> {
    let (all, done) = (goals.len() as u64, AtomicU64::new(0));
    progress(0, all);
    let part = |maker: &mut T, goals: &[u32]| {
        maker.forget();
        let mut sharing = Sharing::new(terrain.states(), goals[0], is_exact);
        for &goal in goals {
            sharing.add(terrain, maker.make(terrain, goal));
        }
        progress(done.fetch_add(goals.len() as u64, Ordering::Relaxed) + goals.len() as u64, all);
        sharing.finish()
    };
    goals.par_chunks(PART).map_init(|| maker(terrain), part).collect()
}

#[cfg(test)]
mod measure {
    use super::*;
    use crate::index::{Atlas, IndexKind, Section, SectionKey, SubgoalTrees};
    #[test]
    #[ignore]
    fn measure() {
        let maps = std::env::var("TREES").unwrap_or("bg-original/012,bg-original/516,bg-original/603,bg-original/701,dao/lak303d".into());
        for name in maps.split(',') {
            for parameter in [GREEDY, PRINTED] {
                if std::env::var("ONLY").is_ok_and(|only| only != parameter.to_string()) { continue; }
                let text = std::fs::read(format!("/work/shared/maps/{name}.map")).unwrap();
                let map = crate::maps::movingai::read(&text).unwrap();
                let space: Space = map.grid(crate::space::Rule::Octile).unwrap().into();
                let begin = std::time::Instant::now();
                let bytes = build(&space, parameter, super::super::SILENT).unwrap();
                let time = begin.elapsed().as_secs_f64();
                let key = SectionKey { kind: IndexKind::SubgoalTrees, parameter, view: 0 };
                let section = Section::open(key, bytes).unwrap();
                SubgoalTrees::check(&space, &section).unwrap();
                let trees = SubgoalTrees::new(&space, &section);
                let n = f64::from(space.states());
                println!("{name} {parameter}: {:?} S {} runs/goal {:.2} arcs/goal {:.2} surpl {} lists/goal {:.2} bytes/goal {:.2} time {time:.2} ns/pair {:.1}", trees.sizes(), trees.subgoals(), trees.runs() as f64 / n, trees.all_arcs().count() as f64 / n, section.array::<u64>(7).len(), section.array::<u16>(9).len() as f64 / n, trees.bytes_per_goal(), time * 1e9 / n / n);
            }
        }
        let _ = Atlas::has;
    }
}

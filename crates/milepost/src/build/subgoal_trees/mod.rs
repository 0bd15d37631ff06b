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

mod estimate;
mod flood;
mod greedy;
mod pack;
mod printed;
mod sharing;
mod terrain;
mod tree;
mod verify;

pub(super) use estimate::estimate;
pub(super) use verify::verify;

use super::numbering::numbering;
use super::{BuildError, Progress, parallel};
use crate::core::StateId;
use crate::index::Bytes;
use crate::space::{Estimates, EstimatesVisitor, Space};
use greedy::GreedyTrees;
use printed::PrintedTrees;
use sharing::{Shared, Sharing};
use std::sync::atomic::{AtomicU64, Ordering};
use terrain::Terrain;
use tree::TreeMaker;

/// The parameter of the section for trees as Algorithm 2 makes them; any other is for greedy ones.
const PRINTED: u32 = 1;

/// Goals that are worked through one after another by the same thread.
const PART: usize = 256;

/// The trees of a space.
pub(super) fn build(space: &Space, parameter: u32, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    let numbering = numbering(space)?;
    let goals: Vec<u32> = (0..numbering.order.len() as u32).collect();
    let work = Sharers { goals: &goals, part: PART, parameter, progress };
    let parts = visit_terrain(space, &numbering.order, work);
    Ok(pack::section(&numbering.order, &parts, |writer| numbering.push(space, writer)))
}

/// Something to be done on the terrain of a space.
trait TerrainVisitor {
    /// What comes of it.
    type Answer;

    fn visit<E: Estimates>(self, terrain: &Terrain<E>) -> Self::Answer;
}

/// Does something on the terrain of a space with the estimates that agents use there.
fn visit_terrain<V: TerrainVisitor>(space: &Space, order: &[StateId], visitor: V) -> V::Answer {
    space.visit_estimates(order, Numbered { space, order, visitor })
}

/// Work on the terrain, once estimates are there.
struct Numbered<'a, V> {
    space: &'a Space,
    order: &'a [StateId],
    visitor: V,
}

impl<V: TerrainVisitor> EstimatesVisitor for Numbered<'_, V> {
    type Answer = V::Answer;

    fn visit<E: Estimates>(self, estimates: E) -> V::Answer {
        self.visitor.visit(&Terrain::new(self.space, self.order, estimates))
    }
}

/// Makes trees, and takes note of what changes from one to the next.
struct Sharers<'a> {
    goals: &'a [u32],
    /// Goals that are worked through one after another by the same thread.
    part: usize,
    parameter: u32,
    progress: Progress<'a>,
}

impl TerrainVisitor for Sharers<'_> {
    type Answer = Vec<Shared>;

    fn visit<E: Estimates>(self, terrain: &Terrain<E>) -> Vec<Shared> {
        match self.parameter {
            PRINTED => self.in_parts(terrain, PrintedTrees::new),
            _ => self.in_parts(terrain, GreedyTrees::new),
        }
    }
}

impl Sharers<'_> {
    /// All goals, on all threads.
    fn in_parts<E: Estimates, T: TreeMaker<E>>(
        &self,
        terrain: &Terrain<E>,
        maker: impl Fn(&Terrain<E>) -> T + Sync,
    ) -> Vec<Shared> {
        let (all, done) = (self.goals.len() as u64, AtomicU64::new(0));
        (self.progress)(0, all);
        let part = |maker: &mut T, goals: &[u32]| {
            maker.forget();
            let mut sharing = Sharing::new(terrain.states(), goals[0], self.parameter == PRINTED);
            for &goal in goals {
                sharing.add(terrain, maker.make(terrain, goal));
            }
            let count = goals.len() as u64;
            (self.progress)(done.fetch_add(count, Ordering::Relaxed) + count, all);
            sharing.finish()
        };
        let parts: Vec<_> = self.goals.chunks(self.part).collect();
        parallel::map_list_with(&parts, || maker(terrain), |maker, goals| part(maker, goals))
    }
}

#[cfg(test)]
mod tests;

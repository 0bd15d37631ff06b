//! Why a planner or an agent cannot work on an atlas.

use crate::index::{Atlas, IndexKind, IndexSpec};
use crate::space::{Grid, Ground, Heuristic, Rule, Space};
use std::fmt;

/// Why a planner or an agent cannot work on an atlas. Its text completes the sentence "this planner ...".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// It works on grids, and this is a graph.
    Graph,
    /// It does not know this rule.
    Rule(Rule),
    /// Cells have weights, and it takes all straight steps for equal.
    Weights,
    /// There are links, and it knows steps alone.
    Links,
    /// The atlas lacks an index, or lost it by an edit.
    NoIndex(IndexSpec),
    /// The estimate it was told to use means nothing on this space.
    Estimate(Heuristic),
}

impl Refusal {
    /// For planners and agents that jump over uniform ground: `octile` and `octile14`, no weights, no links.
    pub(crate) fn of_jumping(space: &Space) -> Option<Refusal> {
        match space {
            Space::Graph(_) => Some(Refusal::Graph),
            Space::Grid(grid) => Refusal::of_jumping_on(grid),
        }
    }

    /// For planners that read indexes.
    pub(crate) fn of_missing(atlas: &Atlas, needs: &[IndexKind]) -> Option<Refusal> {
        needs.iter().find(|&&kind| !atlas.has(kind)).map(|&kind| Refusal::NoIndex(kind.into()))
    }

    /// For scouts: graphs, and grids with straight and diagonal steps.
    pub(crate) fn of_scouts(ground: Ground<'_>) -> Option<Refusal> {
        ground.as_grid().map(|outline| outline.rule()).filter(|rule| !rule.is_octile()).map(Refusal::Rule)
    }

    /// For scouts on a map that somebody else knows: what they cannot see must not matter.
    pub(crate) fn of_unseen(space: &Space) -> Option<Refusal> {
        match space {
            Space::Grid(grid) if grid.is_weighted() => Some(Refusal::Weights),
            Space::Grid(grid) if !grid.links().is_empty() => Some(Refusal::Links),
            _ => None,
        }
    }

    /// For planners that can be told which estimate to use.
    pub(super) fn of_estimate(atlas: &Atlas, heuristic: Option<Heuristic>) -> Option<Refusal> {
        heuristic.filter(|heuristic| !atlas.space().knows(*heuristic)).map(Refusal::Estimate)
    }

    fn of_jumping_on(grid: &Grid) -> Option<Refusal> {
        if !grid.rule().has_strict_corners() {
            Some(Refusal::Rule(grid.rule()))
        } else if grid.is_weighted() {
            Some(Refusal::Weights)
        } else if !grid.links().is_empty() {
            Some(Refusal::Links)
        } else {
            None
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Graph => write!(out, "works on maps of cells, and this is a graph"),
            Refusal::Rule(rule) => write!(out, "does not work under the rule `{rule}`"),
            Refusal::Weights => write!(out, "does not work on maps with weights"),
            Refusal::Links => write!(out, "does not work on maps with links"),
            Refusal::NoIndex(index) => write!(out, "needs the index `{index}`, which is not there"),
            Refusal::Estimate(_) => write!(out, "was given an estimate that means nothing here"),
        }
    }
}

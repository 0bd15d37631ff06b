//! What can be said about a map: in a line of text, and in JSON documents.

use super::World;
use crate::numbers::{count, counted};
use milepost::{CostScale, Graph, Grid};
use serde::Serialize;

/// The map in JSON documents.
#[derive(Serialize, Debug)]
pub(crate) struct MapFacts {
    pub(crate) name: String,
    /// None for a graph that is no tree, as is the height.
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
    /// Free cells, or nodes.
    pub(crate) states: u32,
    /// Of a graph only.
    pub(crate) edges: Option<usize>,
    pub(crate) components: u32,
    /// 16 hexadecimal digits.
    pub(crate) hash: String,
    pub(crate) scale: ScaleFacts,
}

/// What costs are measured in.
#[derive(Serialize, Debug)]
pub(crate) struct ScaleFacts {
    /// Units of a straight step.
    straight: u64,
    /// Units of a diagonal step.
    diagonal: u64,
    /// Units of a cost of 1.0.
    one: u64,
    exact: bool,
}

impl ScaleFacts {
    fn new(scale: CostScale) -> ScaleFacts {
        ScaleFacts {
            straight: scale.straight(),
            diagonal: scale.diagonal(),
            one: scale.one(),
            exact: scale.is_exact(),
        }
    }

    /// The scale in a few words.
    pub(crate) fn describe(&self) -> String {
        let exact = if self.exact { "exact" } else { "exact on these integers only" };
        if self.straight == self.diagonal {
            let parts = self.one / self.straight.max(1);
            let numbers = match parts {
                1 => "whole numbers".to_owned(),
                2 => "halves".to_owned(),
                parts => format!("1/{parts} of a unit"),
            };
            return format!("{numbers}, {exact}");
        }
        // An upper convergent p/q of the square root of 2 is larger than it by a share of 1/(4 q^2).
        let digits = (4.0 * (self.straight as f64).powi(2)).log10().floor();
        let diagonal = match self.diagonal * 10 == self.straight * 14 {
            true => "1.4".to_owned(),
            false => format!("the square root of 2 to {digits} digits"),
        };
        format!("a diagonal costs {diagonal}; comparing costs is {exact}")
    }
}

impl World {
    /// What JSON documents say about the map.
    pub(crate) fn facts(&self) -> MapFacts {
        let space = self.space();
        let extent = self.graph().and_then(Graph::extent);
        MapFacts {
            name: self.name.clone(),
            width: self.grid().map(Grid::width).or(extent.map(|extent| extent.width)),
            height: self.grid().map(Grid::height).or(extent.map(|extent| extent.height)),
            states: space.states(),
            edges: self.graph().map(Graph::edge_count),
            components: space.component_count(),
            hash: format!("{:016x}", space.hash()),
            scale: ScaleFacts::new(self.scale()),
        }
    }

    /// What it is.
    pub(crate) fn kind(&self) -> &'static str {
        match self.space() {
            space if space.as_grid().is_some() => "a map of cells",
            space if space.as_mesh().is_some() => "a mesh",
            _ => "a graph",
        }
    }

    /// The map in one line.
    pub(crate) fn headline(&self) -> String {
        let components = counted(self.space().component_count().into(), "component");
        let states = u64::from(self.space().states());
        match (self.space().as_grid(), self.space().as_graph()) {
            (Some(grid), _) => format!(
                "{}: {} x {}, {}, {components}, {}{} moves",
                self.name,
                count(grid.width().into()),
                count(grid.height().into()),
                counted(states, "free cell"),
                if grid.is_weighted() { "weighted " } else { "" },
                grid.rule(),
            ),
            (_, Some(graph)) if graph.extent().is_some() => format!(
                "{}: {}, {}, {}, {components}",
                self.name,
                tree_size(graph),
                counted(states, "leaf").replace("leafs", "leaves"),
                counted(graph.edge_count() as u64, "edge"),
            ),
            (None, None) => format!(
                "{}: a mesh, {}, {}, {components}",
                self.name,
                counted(states, "free polygon"),
                counted(self.mesh().map_or(0, |mesh| mesh.portal_count().into()), "portal"),
            ),
            (_, graph) => format!(
                "{}: a graph, {}, {}, {components}",
                self.name,
                counted(states, "node"),
                counted(graph.map_or(0, |graph| graph.edge_count() as u64), "edge"),
            ),
        }
    }

    /// A cost with as many decimals as it can have; those of most graphs are whole numbers.
    pub(crate) fn show_cost(&self, cost: f64, decimals: usize) -> String {
        let is_whole = self.graph().is_some_and(|graph| graph.units_of_one() == 1);
        let decimals = if is_whole { 0 } else { decimals };
        format!("{cost:.decimals$}")
    }
}

/// A tree in a few words.
fn tree_size(graph: &Graph) -> String {
    match graph.extent() {
        Some(extent) if extent.is_flat() => {
            format!("a quadtree of {} x {} cells", count(extent.width.into()), count(extent.height.into()))
        }
        Some(extent) => format!(
            "an octree of {} x {} x {} voxels",
            count(extent.width.into()),
            count(extent.height.into()),
            count(extent.depth.into())
        ),
        None => "a graph".to_owned(),
    }
}

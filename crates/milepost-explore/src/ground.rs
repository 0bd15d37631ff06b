//! A map as far as it was edited: cells and polygons are closed and opened in place, nodes and edges of graphs by making the graph anew.

use crate::edits::Brush;
use crate::fault::Fault;
use milepost::space::SpaceKind;
use milepost::{Atlas, Edit, Graph, Space, StateId};
use std::collections::BTreeSet;

/// An atlas, and of a graph what was taken from it. An edit that puts a node back knows neither its edges nor what they cost, so
/// that a graph which is opened again is made from what it was.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    atlas: Atlas,
    /// Of graphs and trees: as they were.
    whole: Option<Atlas>,
    shut: BTreeSet<StateId>,
    /// The lesser node first: an edge is cut both ways.
    cut: BTreeSet<[StateId; 2]>,
}

impl Ground {
    pub(crate) fn new(atlas: Atlas) -> Ground {
        let whole = atlas.space().as_graph().map(|_| atlas.clone());
        Ground { atlas, whole, shut: BTreeSet::new(), cut: BTreeSet::new() }
    }

    pub(crate) fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    pub(crate) fn space(&self) -> &Space {
        self.atlas.space()
    }

    /// The same map with other indexes.
    pub(crate) fn set_indexes(&mut self, atlas: Atlas) {
        if self.whole.is_some() && self.is_whole() {
            self.whole = Some(atlas.clone());
        }
        self.atlas = atlas;
    }

    fn is_whole(&self) -> bool {
        self.shut.is_empty() && self.cut.is_empty()
    }

    /// What scouts take for the map: a graph with all its nodes, of which they see which are no longer there. The edges that were cut
    /// are known.
    pub(crate) fn known(&self) -> Option<Graph> {
        let whole = self.whole.as_ref().filter(|_| !self.shut.is_empty())?;
        let edited = whole.edited(&cuts(whole.space().as_graph()?, &self.cut)).ok()?;
        edited.space().as_graph().cloned()
    }

    /// The map after these edits, all of them or none.
    pub(crate) fn edited(&self, brushes: &[Brush]) -> Result<Ground, Fault> {
        if brushes.is_empty() {
            // Without an edit all indexes stay true.
            return Ok(self.clone());
        }
        let wrong = |error| Fault::new(error, "undo the edit");
        let Some(whole) = &self.whole else {
            let edits: Vec<Edit> = brushes.iter().flat_map(|brush| brush.edits(self.space())).collect();
            let atlas = self.atlas.edited(&edits).map_err(wrong)?;
            return Ok(Ground { atlas, ..self.clone() });
        };
        let mut edited = self.clone();
        for brush in brushes {
            let closes = brush.closes();
            let ends = brush.edges.iter().map(|&[one, other]| [one.min(other), one.max(other)]);
            set(&mut edited.shut, brush.cells.iter().copied(), closes);
            set(&mut edited.cut, ends, closes);
        }
        let graph = |atlas: &Atlas| atlas.space().as_graph().cloned();
        let Some(all) = graph(whole) else { return Ok(edited) };
        edited.shut.retain(|node| all.is_free(*node));
        edited.cut.retain(|&[one, other]| has(&all, one, other) || has(&all, other, one));
        edited.atlas = if edited.is_whole() {
            whole.clone()
        } else {
            let mut edits = cuts(&all, &edited.cut);
            edits.extend(edited.shut.iter().map(|&node| Edit::Unnode { node }));
            whole.edited(&edits).map_err(wrong)?
        };
        Ok(edited)
    }
}

/// Puts values into a set, or takes them out.
fn set<T: Ord>(set: &mut BTreeSet<T>, values: impl Iterator<Item = T>, is_in: bool) {
    for value in values {
        if is_in {
            set.insert(value);
        } else {
            set.remove(&value);
        }
    }
}

fn has(graph: &Graph, from: StateId, to: StateId) -> bool {
    graph.edges_from(from).any(|edge| edge.to == to)
}

/// The edits that cut these edges, each both ways where it leads both ways.
fn cuts(graph: &Graph, cut: &BTreeSet<[StateId; 2]>) -> Vec<Edit> {
    let both = cut.iter().flat_map(|&[one, other]| [(one, other), (other, one)]);
    let there = both.filter(|&(from, to)| has(graph, from, to));
    there.map(|(from, to)| Edit::Unedge { from, to }).collect()
}

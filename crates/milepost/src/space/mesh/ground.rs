//! What edits change: which polygons are blocked and what they cost, and what follows from it: components, the graph of
//! centres that agents walk on, and the graph of portals that planners search.
//!
//! A state is a polygon. On centres a move leads from the centre of a polygon to the middle of a portal and on to the centre
//! beyond, and costs that; the graph of it is a [`Graph`] like any other. On portals the nodes are the middles of portals and
//! the ends of links, and an edge crosses one polygon.

use super::geometry::LatticePoint;
use super::measure::{NodePoint, Rate};
use super::parts::{MeshArea, MeshError, MeshLink};
use super::shape::{Shape, WALL, centre};
use crate::core::{Csr, StateId};
use crate::space::{Edge, Graph, NodePosition};

/// What a polygon is like now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PolygonGround {
    /// What a unit of length costs, in hundredths.
    pub(crate) cost: u32,
    pub(crate) is_blocked: bool,
}

/// An edge of the graph of portals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PortalArc {
    pub(crate) to: u32,
    /// The polygon that it crosses, or [`LINK`] for a link.
    pub(crate) via: u32,
    pub(crate) cost: u64,
}

/// In place of a polygon: the way of a link.
pub(crate) const LINK: u32 = u32::MAX;

/// Where a node of the graph of portals comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NodeOrigin {
    /// An edge of a polygon, which has the lesser number of the two that share it.
    Portal { polygon: u32, edge: u32 },
    /// The end of a link where it begins.
    LinkStart(u32),
    /// The end of a link where it ends.
    LinkEnd(u32),
}

/// What a path asks of a node that it passes, in one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gate {
    /// The polygons that it lies in; the end of a link lies in one, which stands here twice.
    pub(crate) polygons: [u32; 2],
    /// The vertices of the edge, as the first of the polygons goes round, and where they lie; the end of a link has none.
    pub(crate) vertices: [u32; 2],
    pub(crate) ends: [LatticePoint; 2],
}

/// The nodes of portals and links: the same in all versions of a mesh.
#[derive(Debug)]
pub(crate) struct PortalNodes {
    pub(crate) at: Vec<NodePoint>,
    pub(crate) origins: Vec<NodeOrigin>,
    pub(crate) gates: Vec<Gate>,
    /// Those of each polygon.
    pub(crate) of_polygon: Csr<u32>,
}

/// A link as searches see it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct PlacedLink {
    pub(crate) link: MeshLink,
    pub(crate) polygons: [u32; 2],
    pub(crate) at: [NodePoint; 2],
}

impl PortalNodes {
    pub(super) fn new(shape: &Shape, links: &[PlacedLink]) -> PortalNodes {
        let (mut at, mut origins, mut gates) = (Vec::new(), Vec::new(), Vec::new());
        let mut members: Vec<(u32, u32)> = Vec::new();
        for polygon in 0..shape.len() as u32 {
            for (edge, beyond) in shape.portals_of(polygon).filter(|&(_, beyond)| polygon < beyond) {
                let (from, to) = shape.edge_ends(polygon, edge);
                let vertices = shape.edge_vertices(polygon, edge).into();
                let node = at.len() as u32;
                gates.push(Gate { polygons: [polygon, beyond], vertices, ends: [from, to] });
                at.push(NodePoint::middle(from, to));
                origins.push(NodeOrigin::Portal { polygon, edge: edge as u32 });
                members.extend([(polygon, node), (beyond, node)]);
            }
        }
        for (number, link) in (0..).zip(links) {
            for (end, origin) in
                [NodeOrigin::LinkStart(number), NodeOrigin::LinkEnd(number)].into_iter().enumerate()
            {
                let polygon = link.polygons[end];
                members.push((polygon, at.len() as u32));
                gates.push(Gate { polygons: [polygon; 2], vertices: [0; 2], ends: Default::default() });
                at.push(link.at[end]);
                origins.push(origin);
            }
        }
        let mut of_polygon = Csr::sorted(shape.len(), members.iter().copied());
        of_polygon.sort_lists();
        PortalNodes { at, origins, gates, of_polygon }
    }

    /// How many there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.at.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.at.capacity() * size_of::<NodePoint>()
            + self.origins.capacity() * size_of::<NodeOrigin>()
            + self.gates.capacity() * size_of::<Gate>()
            + self.of_polygon.bytes()
    }
}

/// Everything that an edit may change.
#[derive(Debug)]
pub(crate) struct Ground {
    pub(crate) polygons: Vec<PolygonGround>,
    /// So many bits are the cost of a unit of length over ground of the usual cost.
    pub(crate) cost_bits: u32,
    /// What the cheapest ground costs, in hundredths.
    pub(crate) cheapest: u32,
    /// Whether all free ground costs the same.
    pub(crate) is_even: bool,
    /// Polygons as nodes.
    pub(crate) centres: Graph,
    /// The same as if no polygon were blocked.
    pub(crate) open_centres: Graph,
    pub(crate) portal_arcs: Csr<PortalArc>,
    /// For each node the free polygons that are entered there, and whether a polygon may be left by it.
    pub(crate) enters: Vec<[u32; 2]>,
    pub(crate) leaves: Vec<bool>,
    pub(crate) dearest_arc: u64,
    /// The most edges that a node has.
    pub(crate) most_arcs: usize,
    /// No estimate may exceed what a shortcut by a link saves: its cost and where it ends; empty if none is one.
    pub(crate) shortcuts: Vec<(u64, NodePoint)>,
}

/// With more shortcuts nothing is estimated: each of them would be looked at for each query.
pub(super) const MOST_SHORTCUTS: usize = 64;
/// Costs are in 2^-16 of a unit of length where every edge fits 32 bits so.
const COST_BITS: u32 = 16;

impl Ground {
    pub(super) fn new(
        shape: &Shape,
        centres: &[NodePoint],
        nodes: &PortalNodes,
        links: &[PlacedLink],
        polygons: Vec<PolygonGround>,
    ) -> Result<Ground, MeshError> {
        let is_free = |polygon: u32| !polygons[polygon as usize].is_blocked;
        let mut cost_bits = COST_BITS;
        let (edges, open_edges) = loop {
            let maker = Maker { shape, centres, links, polygons: &polygons, cost_bits };
            let every = maker.centre_edges();
            if let Some(&(from, to, _)) = every.iter().find(|&&(_, _, cost)| cost > u64::from(u32::MAX)) {
                if cost_bits == 0 {
                    return Err(MeshError::TooDear { from, to });
                }
                cost_bits -= 1;
                continue;
            }
            let edge = |&(from, to, cost): &(u32, u32, u64)| Edge {
                from: StateId::new(from),
                to: StateId::new(to),
                cost: cost.max(1) as u32,
            };
            let between_free = |(from, to, _): &&(u32, u32, u64)| is_free(*from) && is_free(*to);
            let free: Vec<Edge> = every.iter().filter(between_free).map(edge).collect();
            break (free, every.iter().map(edge).collect::<Vec<Edge>>());
        };
        let positions: Vec<NodePosition> = centres.iter().map(|at| NodePosition::new(at.x, at.y)).collect();
        let flags: Vec<bool> = (0..shape.len() as u32).map(is_free).collect();
        // All numbers were checked when the mesh was made.
        let graph = |flags: Vec<bool>, edges: &[Edge]| {
            Graph::from_parts(flags, edges, positions.clone())
                .expect("edges join polygons and cost something")
        };
        let has_blocked = flags.contains(&false);
        let free_graph = graph(flags, &edges);
        let open_centres =
            if has_blocked { graph(vec![true; shape.len()], &open_edges) } else { free_graph.clone() };
        let maker = Maker { shape, centres, links, polygons: &polygons, cost_bits };
        let is_open = maker.open_nodes(nodes);
        let portal_arcs = maker.portal_arcs(nodes, &is_open);
        let node_numbers = || 0..nodes.len() as u32;
        let enters = node_numbers().map(|node| maker.entered(nodes, &is_open, node)).collect();
        let leaves =
            node_numbers().map(|node| is_open[node as usize] && maker.leads_out(nodes, node)).collect();
        let cheapest = polygons.iter().filter(|ground| !ground.is_blocked).map(|ground| ground.cost).min();
        let cheapest = cheapest.unwrap_or(MeshArea::USUAL_COST);
        let is_even = polygons.iter().all(|ground| ground.is_blocked || ground.cost == cheapest);
        Ok(Ground {
            is_even,
            shortcuts: maker.shortcuts(cheapest),
            dearest_arc: portal_arcs.items().iter().map(|arc| arc.cost).max().unwrap_or(1),
            most_arcs: portal_arcs.lists().map(<[PortalArc]>::len).max().unwrap_or(0),
            cost_bits,
            cheapest,
            centres: free_graph,
            open_centres,
            portal_arcs,
            enters,
            leaves,
            polygons,
        })
    }

    /// What moves over a polygon cost.
    #[inline]
    pub(crate) fn rate(&self, shape: &Shape, polygon: u32) -> Rate {
        Rate::new(shape.lattice.bits, self.cost_bits, self.polygons[polygon as usize].cost)
    }

    /// What moves cost at least.
    pub(crate) fn least_rate(&self, shape: &Shape) -> Rate {
        Rate::new(shape.lattice.bits, self.cost_bits, self.cheapest)
    }

    /// What a link costs.
    pub(super) fn link_cost(&self, shape: &Shape, link: &PlacedLink) -> u64 {
        link_cost(shape, self.cost_bits, link)
    }

    pub(super) fn bytes(&self) -> usize {
        use crate::space::SpaceKind;
        self.polygons.capacity() * size_of::<PolygonGround>()
            + self.centres.bytes()
            + self.open_centres.bytes()
            + self.portal_arcs.bytes()
    }
}

/// The middles of all polygons.
pub(super) fn centres(shape: &Shape) -> Vec<NodePoint> {
    shape.corners.lists().map(|corners| NodePoint::of(centre(corners))).collect()
}

fn link_cost(shape: &Shape, cost_bits: u32, link: &PlacedLink) -> u64 {
    let units = f64::from(link.link.cost) / 100.0 / shape.lattice.unit;
    ((units * (1_u64 << cost_bits) as f64).ceil() as u64).max(1)
}

/// What the graphs are made from.
struct Maker<'a> {
    shape: &'a Shape,
    centres: &'a [NodePoint],
    links: &'a [PlacedLink],
    polygons: &'a [PolygonGround],
    cost_bits: u32,
}

impl Maker<'_> {
    fn rate(&self, polygon: u32) -> Rate {
        Rate::new(self.shape.lattice.bits, self.cost_bits, self.polygons[polygon as usize].cost)
    }

    fn link_cost(&self, link: &PlacedLink) -> u64 {
        link_cost(self.shape, self.cost_bits, link)
    }

    /// From polygon to polygon over the middle of a portal, or by a link.
    fn centre_edges(&self) -> Vec<(u32, u32, u64)> {
        let mut edges = Vec::new();
        let centre = |polygon: u32| self.centres[polygon as usize];
        for polygon in 0..self.shape.len() as u32 {
            for (edge, beyond) in self.shape.portals_of(polygon) {
                let (from, to) = self.shape.edge_ends(polygon, edge);
                let middle = NodePoint::middle(from, to);
                let cost = self.rate(polygon).up(centre(polygon), middle)
                    + self.rate(beyond).up(middle, centre(beyond));
                edges.push((polygon, beyond, cost));
            }
        }
        for link in self.links {
            let [from, to] = link.polygons;
            let cost = self.rate(from).up(centre(from), link.at[0])
                + self.link_cost(link)
                + self.rate(to).up(link.at[1], centre(to));
            edges.push((from, to, cost));
            if link.link.both_ways {
                edges.push((to, from, cost));
            }
        }
        edges
    }

    /// Which nodes can be passed: both sides of a portal are free, or both ends of a link.
    fn open_nodes(&self, nodes: &PortalNodes) -> Vec<bool> {
        let is_free = |polygon: u32| polygon != WALL && !self.polygons[polygon as usize].is_blocked;
        let is_open = |origin: &NodeOrigin| match *origin {
            NodeOrigin::Portal { polygon, edge } => {
                is_free(polygon) && is_free(self.shape.beyond[edge as usize])
            }
            NodeOrigin::LinkStart(link) | NodeOrigin::LinkEnd(link) => {
                self.links[link as usize].polygons.into_iter().all(is_free)
            }
        };
        nodes.origins.iter().map(is_open).collect()
    }

    /// The polygons that are entered at a node.
    fn entered(&self, nodes: &PortalNodes, is_open: &[bool], node: u32) -> [u32; 2] {
        if !is_open[node as usize] || !self.leads_in(nodes, node) {
            return [WALL; 2];
        }
        match nodes.origins[node as usize] {
            NodeOrigin::Portal { polygon, edge } => [polygon, self.shape.beyond[edge as usize]],
            NodeOrigin::LinkStart(link) => [self.links[link as usize].polygons[0], WALL],
            NodeOrigin::LinkEnd(link) => [self.links[link as usize].polygons[1], WALL],
        }
    }

    /// Between all nodes of every free polygon, and along links.
    fn portal_arcs(&self, nodes: &PortalNodes, is_open: &[bool]) -> Csr<PortalArc> {
        let is_free = |polygon: u32| !self.polygons[polygon as usize].is_blocked;
        let mut arcs: Vec<(u32, PortalArc)> = Vec::new();
        for (via, members) in (0..).zip(nodes.of_polygon.lists()) {
            if !is_free(via) {
                continue;
            }
            let rate = self.rate(via);
            for &from in members.iter().filter(|&&from| is_open[from as usize] && self.leads_in(nodes, from))
            {
                for &to in members {
                    if to != from && is_open[to as usize] && self.leads_out(nodes, to) {
                        // Nodes may coincide; an edge costs something all the same.
                        let cost = rate.up(nodes.at[from as usize], nodes.at[to as usize]).max(1);
                        arcs.push((from, PortalArc { to, via, cost }));
                    }
                }
            }
        }
        for (node, origin) in (0..).zip(&nodes.origins) {
            // The two ends of a link stand beside each other.
            let NodeOrigin::LinkStart(number) = *origin else { continue };
            let (link, end) = (&self.links[number as usize], node + 1);
            if is_open[node as usize] {
                let cost = self.link_cost(link);
                arcs.push((node, PortalArc { to: end, via: LINK, cost }));
                if link.link.both_ways {
                    arcs.push((end, PortalArc { to: node, via: LINK, cost }));
                }
            }
        }
        Csr::sorted(nodes.len(), arcs.iter().copied())
    }

    /// Whether a polygon is entered at a node: not where a link begins that leads one way.
    fn leads_in(&self, nodes: &PortalNodes, node: u32) -> bool {
        match nodes.origins[node as usize] {
            NodeOrigin::LinkStart(link) => self.links[link as usize].link.both_ways,
            _ => true,
        }
    }

    /// Whether a polygon is left at a node: not where a link ends that leads one way.
    fn leads_out(&self, nodes: &PortalNodes, node: u32) -> bool {
        match nodes.origins[node as usize] {
            NodeOrigin::LinkEnd(link) => self.links[link as usize].link.both_ways,
            _ => true,
        }
    }

    /// Links that cost less than the way along the ground would at the least: estimates must know them.
    fn shortcuts(&self, cheapest: u32) -> Vec<(u64, NodePoint)> {
        let rate = Rate::new(self.shape.lattice.bits, self.cost_bits, cheapest);
        let mut shortcuts = Vec::new();
        for link in self.links {
            let cost = self.link_cost(link);
            if cost < rate.up(link.at[0], link.at[1]) {
                shortcuts.push((cost, link.at[1]));
                if link.link.both_ways {
                    shortcuts.push((cost, link.at[0]));
                }
            }
        }
        shortcuts
    }
}

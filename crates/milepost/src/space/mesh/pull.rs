//! From the nodes that a search passed to the path that is walked: the corridor of polygons, and a line pulled tight in it.
//!
//! A line is pulled over the whole corridor, and within runs of polygons of one cost; the cheaper of the two is taken, or the
//! line over the middles of portals where that is cheaper still. Each of them is followed through the corridor before it is
//! taken, portal by portal: so it never leaves the mesh, and never costs more than what the search found.

use super::NavMesh;
use super::ends::MeshEnds;
use super::funnel::{Bend, Portal, keeps_to, pull};
use super::geometry::{FINE_BITS, FinePoint, is_on, orient_fine};
use super::ground::{Gate, LINK, NodeOrigin};
use super::walk::meets;
use crate::core::{Cost, Path, PathLink, Position, StateId};

/// Lines whose lengths or costs differ by less, in proportion, differ by rounding.
const A_HAIR: f64 = 1e-12;

/// A bend that is a node of the search: its number follows. Vertices are below.
const NODE: u32 = 1 << 31;

/// Room to write a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pulling {
    /// The nodes that the search passed, the start first.
    nodes: Vec<u32>,
    polygons: Vec<u32>,
    portals: Vec<Portal>,
    /// The line that is being tried, and the best so far.
    line: Vec<Bend>,
    best: Vec<Bend>,
}

impl Pulling {
    pub(crate) fn bytes(&self) -> usize {
        (self.nodes.capacity() + self.polygons.capacity()) * 4
            + self.portals.capacity() * size_of::<Portal>()
            + (self.line.capacity() + self.best.capacity()) * size_of::<Bend>()
    }
}

/// A stretch between two links: where its line begins and ends.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    start: FinePoint,
    end: FinePoint,
    end_polygon: u32,
}

impl NavMesh {
    /// Writes the path over these nodes, from the last one back to the start; its points only if they are asked for. `cost` is
    /// what it costs, if the search knows that; else its steps are added up. Returns the cost and the polygon that it ends in.
    pub(crate) fn write_portal_path(
        &self,
        ends: &MeshEnds,
        pulling: &mut Pulling,
        (trace, cost): (impl Iterator<Item = StateId>, Option<Cost>),
        with_points: bool,
        path: &mut Path,
    ) -> (Cost, StateId) {
        pulling.nodes.clear();
        pulling.nodes.extend(trace.map(StateId::number));
        pulling.nodes.reverse();
        let written = self.follow(ends, pulling, cost, with_points, path);
        if !with_points {
            path.waypoints_mut().clear();
        }
        written
    }

    fn follow(
        &self,
        ends: &MeshEnds,
        pulling: &mut Pulling,
        known_cost: Option<Cost>,
        with_points: bool,
        path: &mut Path,
    ) -> (Cost, StateId) {
        let Pulling { nodes, polygons, portals, line, best } = pulling;
        let last = nodes.last().copied().unwrap_or(0);
        let goal = self.goal_of(StateId::new(last)).and_then(|goal| ends.goals().get(goal));
        path.waypoints_mut().clear();
        let mut sum = Cost::ZERO;
        let mut pulled = 0.0;
        polygons.clear();
        portals.clear();
        if with_points {
            let (_, points, links) = path.corridor_mut();
            points.clear();
            links.clear();
            points.push(ends.start.given);
        }
        let mut start = ends.start.fine;
        for pair in nodes.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let via = match known_cost.and_then(|_| self.only_way(from, to)) {
                Some(via) => via,
                None => {
                    let Some((via, step)) = self.cheapest_way(ends, from, to) else { continue };
                    sum = sum.saturating_add(Cost::new(step));
                    via
                }
            };
            if via != LINK {
                match polygons.last() {
                    Some(&before) if before == via => {}
                    before => {
                        portals.extend(before.and_then(|&before| self.portal_between(from, before)));
                        polygons.push(via);
                    }
                }
                continue;
            }
            // One stretch ends where the link begins, and the next one begins where it ends.
            let end = self.body.nodes.at[from as usize].fine();
            if with_points {
                let end_polygon = polygons.last().copied().unwrap_or(LINK);
                pulled +=
                    self.pull_stretch(Stretch { start, end, end_polygon }, polygons, portals, line, best);
                let (number, is_back) = self.link_of(from);
                let [entry, exit] = self.link_positions(number);
                let (entry, exit) = if is_back { (exit, entry) } else { (entry, exit) };
                let (_, points, links) = path.corridor_mut();
                points.extend(best.iter().map(|bend| self.bend_position(*bend)));
                links.push(PathLink { at: points.len() as u32, link: number });
                points.extend([entry, exit]);
                pulled += f64::from(self.body.links[number as usize].link.cost) / 100.0;
            }
            start = self.body.nodes.at[to as usize].fine();
            path.waypoints_mut().extend(polygons.drain(..).map(StateId::new));
            portals.clear();
        }
        if polygons.is_empty() && path.waypoints().is_empty() {
            let first = goal.map_or(ends.start.first_polygon(), |goal| goal.first_polygon());
            polygons.extend(first.known().map(StateId::number));
        }
        path.waypoints_mut().extend(polygons.iter().map(|&polygon| StateId::new(polygon)));
        let cost = known_cost.unwrap_or(sum);
        path.set_cost(cost);
        let end_state = path.waypoints().last().copied().unwrap_or(StateId::NONE);
        if with_points {
            let (end, position) = match goal {
                Some(goal) => (goal.fine, goal.given),
                None if nodes.len() > 1 => {
                    let at = self.body.nodes.at[last as usize].fine();
                    (at, self.bend_position(Bend { vertex: NODE | last, ..Bend::point(at) }))
                }
                None => (start, ends.start.given),
            };
            let end_polygon = polygons.last().copied().unwrap_or(LINK);
            pulled += self.pull_stretch(Stretch { start, end, end_polygon }, polygons, portals, line, best);
            let (_, points, _) = path.corridor_mut();
            points.extend(best.iter().map(|bend| self.bend_position(*bend)));
            if points.last() != Some(&position) || points.len() == 1 {
                points.push(position);
            }
            path.set_pulled_cost(pulled);
        }
        (cost, end_state)
    }

    /// The polygon that leads from a node of a path to the next, if both are portals or ends of links that have but one in common:
    /// then no other way is as short as an edge.
    #[inline]
    fn only_way(&self, from: u32, to: u32) -> Option<u32> {
        let gates = &self.body.nodes.gates;
        let [one, other] = gates.get(from as usize)?.polygons;
        let there = &gates.get(to as usize)?.polygons;
        match (there.contains(&one), there.contains(&other)) {
            (true, false) => Some(one),
            (false, true) => Some(other),
            _ => None,
        }
    }

    /// The cheapest way from one node of a path to the next: the polygon that it crosses, or [`LINK`], and its cost.
    fn cheapest_way(&self, ends: &MeshEnds, from: u32, to: u32) -> Option<(u32, u64)> {
        let mut best: Option<(u64, u32)> = None;
        let mut offer = |via: u32, cost: u64| {
            if best.is_none_or(|best| (cost, via) < best) {
                best = Some((cost, via));
            }
        };
        let goal = self.goal_of(StateId::new(to)).and_then(|goal| ends.goals().get(goal));
        match (StateId::new(from) == self.start_node(), goal) {
            (true, Some(goal)) => self.ways_within(&ends.start, goal, &mut offer),
            (true, None) => self.ways_from_to(&ends.start, to, &mut offer),
            (false, Some(goal)) => self.ways_to(from, goal, &mut offer),
            (false, None) => {
                let (_, arcs) = self.portal_arcs(from);
                arcs.iter().filter(|arc| arc.to == to).for_each(|arc| offer(arc.via, arc.cost));
            }
        }
        best.map(|(cost, via)| (via, cost))
    }

    /// The portal that a node is, as one sees it who leaves this polygon.
    #[inline]
    fn portal_between(&self, node: u32, leaving: u32) -> Option<Portal> {
        let Gate { polygons: [one, other], vertices: [from, to], ends: [start, end] } =
            self.body.nodes.gates[node as usize];
        if one == other {
            return None;
        }
        // Polygons lie to the left of their edges.
        Some(match one == leaving {
            true => Portal { left: end, right: start, left_vertex: to, right_vertex: from, node },
            false => Portal { left: start, right: end, left_vertex: from, right_vertex: to, node },
        })
    }

    /// The link that begins or ends at a node, and whether it is entered at its end.
    fn link_of(&self, node: u32) -> (u32, bool) {
        match self.body.nodes.origins[node as usize] {
            NodeOrigin::LinkStart(link) => (link, false),
            NodeOrigin::LinkEnd(link) => (link, true),
            NodeOrigin::Portal { .. } => (0, false),
        }
    }

    fn bend_position(&self, bend: Bend) -> Position {
        if bend.vertex < NODE {
            return self.body.shape.positions[bend.vertex as usize];
        }
        let node = bend.vertex & !NODE;
        match self.body.nodes.origins[node as usize] {
            NodeOrigin::Portal { polygon, edge } => self.portal_middle(polygon, edge as usize),
            NodeOrigin::LinkStart(link) => self.link_positions(link)[0],
            NodeOrigin::LinkEnd(link) => self.link_positions(link)[1],
        }
    }

    /// Leaves in `best` the bends of the cheapest line of a stretch, and returns its cost.
    fn pull_stretch(
        &self,
        stretch: Stretch,
        polygons: &[u32],
        portals: &[Portal],
        line: &mut Vec<Bend>,
        best: &mut Vec<Bend>,
    ) -> f64 {
        let Stretch { start, end, .. } = stretch;
        let cost = |place: usize| {
            polygons.get(place).map_or(0, |&polygon| self.ground.polygons[polygon as usize].cost)
        };
        best.clear();
        let cut = &portals[..self.first_holding_end(stretch, polygons, portals)];
        if self.ground.is_even || (1..polygons.len()).all(|place| cost(place) == cost(0)) {
            // Where all ground costs the same, lengths decide.
            pull(start, end, cut, best);
            let (tight, middles) = (length(start, best, end), self.length_over_middles(start, portals, end));
            let is_tight = tight <= middles * (1.0 + A_HAIR) && keeps_to(cut, start, best, end);
            if !is_tight {
                best.clear();
                best.extend(portals.iter().map(|portal| self.middle(portal)));
            }
            let steps = if is_tight { tight } else { middles };
            return steps * f64::from(cost(0)) / 100.0 * self.fine_step();
        }
        best.extend(portals.iter().map(|portal| self.middle(portal)));
        let mut least = self.cost_of(start, end, best, polygons, portals).unwrap_or(f64::INFINITY);
        let mut try_line = |line: &mut Vec<Bend>, portals: &[Portal]| {
            let polygons = &polygons[..(portals.len() + 1).min(polygons.len())];
            if let Some(cost) = self
                .cost_of(start, end, line, polygons, portals)
                .filter(|&cost| cost <= least * (1.0 + A_HAIR))
            {
                least = cost;
                std::mem::swap(line, best);
            }
        };
        // Cheaper ground may lie behind the first portal that holds the end: nothing is cut.
        line.clear();
        let (mut from, mut first) = (start, 0);
        for place in 0..portals.len() {
            if cost(place) != cost(place + 1) {
                let middle = self.middle(&portals[place]);
                pull(from, middle.at, &portals[first..place], line);
                line.push(middle);
                (from, first) = (middle.at, place + 1);
            }
        }
        pull(from, end, &portals[first..], line);
        try_line(line, portals);
        line.clear();
        pull(start, end, cut, line);
        try_line(line, cut);
        least
    }

    /// The place of the first portal that holds the end of a stretch on its floor: the rest of the corridor leads nowhere.
    fn first_holding_end(&self, stretch: Stretch, polygons: &[u32], portals: &[Portal]) -> usize {
        let Stretch { end, end_polygon, .. } = stretch;
        let shape = &self.body.shape;
        let is_same_floor = |polygon: u32| {
            let heights = [polygon, end_polygon].map(|polygon| shape.height(polygon, end));
            (heights[0] - heights[1]).abs() <= shape.height_unit / 16.0
        };
        let holds = |(portal, &polygon): (&Portal, &u32)| {
            let (left, right) = portal.ends();
            is_on(left, right, end) && is_same_floor(polygon)
        };
        portals.iter().zip(polygons).position(holds).unwrap_or(portals.len())
    }

    /// What a line costs that passes all portals in their order and keeps to the polygons between them; `None` if it does not.
    fn cost_of(
        &self,
        start: FinePoint,
        end: FinePoint,
        bends: &[Bend],
        polygons: &[u32],
        portals: &[Portal],
    ) -> Option<f64> {
        let point = |place: usize| match place {
            0 => start,
            place if place <= bends.len() => bends[place - 1].at,
            _ => end,
        };
        let rate = |polygon: u32| f64::from(self.ground.polygons[polygon as usize].cost) / 100.0;
        // Where the line has come to: a leg, and the share of it.
        let (mut leg, mut share) = (0, 0.0);
        let mut cost = 0.0;
        let length = |leg: usize, from: f64, to: f64| {
            let (a, b) = (point(leg), point(leg + 1));
            (to - from) * a.distance(b)
        };
        for (place, portal) in portals.iter().enumerate() {
            let (polygon, beyond) = (polygons[place], polygons[place + 1]);
            loop {
                if let Some((first, last)) = crossing((point(leg), point(leg + 1)), portal)
                    && last >= share - 1e-9
                {
                    // Along an edge both polygons may be used: the cheaper one is.
                    let crossed = if rate(beyond) <= rate(polygon) { first.max(share) } else { last };
                    cost += rate(polygon) * length(leg, share, crossed.max(share));
                    share = crossed.max(share);
                    break;
                }
                if leg >= bends.len() || !self.body.shape.holds(polygon, point(leg + 1)) {
                    return None;
                }
                cost += rate(polygon) * length(leg, share, 1.0);
                (leg, share) = (leg + 1, 0.0);
            }
        }
        let polygon = *polygons.last()?;
        loop {
            cost += rate(polygon) * length(leg, share, 1.0);
            if leg >= bends.len() {
                break;
            }
            if !self.body.shape.holds(polygon, point(leg + 1)) {
                return None;
            }
            (leg, share) = (leg + 1, 0.0);
        }
        Some(cost * self.fine_step())
    }

    /// Where the search crossed a portal.
    fn middle(&self, portal: &Portal) -> Bend {
        let at = self.body.nodes.at[portal.node as usize].fine();
        Bend { vertex: NODE | portal.node, ..Bend::point(at) }
    }

    /// The length of the line that the search found, in steps of the finer lattice.
    fn length_over_middles(&self, start: FinePoint, portals: &[Portal], end: FinePoint) -> f64 {
        let (mut sum, mut last) = (0.0, start);
        for portal in portals {
            let middle = self.body.nodes.at[portal.node as usize].fine();
            sum += last.distance(middle);
            last = middle;
        }
        sum + last.distance(end)
    }

    /// The length of a step of the finer lattice.
    fn fine_step(&self) -> f64 {
        self.body.shape.lattice.step() / (1_u64 << FINE_BITS) as f64
    }
}

/// The length of a line, in steps of the finer lattice.
fn length(start: FinePoint, bends: &[Bend], end: FinePoint) -> f64 {
    let (sum, last) =
        bends.iter().fold((0.0, start), |(sum, last), bend| (sum + last.distance(bend.at), bend.at));
    sum + last.distance(end)
}

/// The shares of a segment between which it lies on a portal; `None` if they do not meet.
fn crossing((from, to): (FinePoint, FinePoint), portal: &Portal) -> Option<(f64, f64)> {
    let (a, b) = portal.ends();
    if !meets((from, to), (a, b)) {
        return None;
    }
    let (start, end) = (orient_fine(a, b, from), orient_fine(a, b, to));
    if start != end {
        let share = start as f64 / (start - end) as f64;
        return Some((share, share));
    }
    // On one line: the part that both have in common.
    let along = |at: FinePoint| {
        let (x, y) = ((to.x - from.x) as f64, (to.y - from.y) as f64);
        let square = x * x + y * y;
        if square == 0.0 { 0.0 } else { ((at.x - from.x) as f64 * x + (at.y - from.y) as f64 * y) / square }
    };
    let (one, other) = (along(a).clamp(0.0, 1.0), along(b).clamp(0.0, 1.0));
    Some(if from == to { (0.0, 1.0) } else { (one.min(other), one.max(other)) })
}

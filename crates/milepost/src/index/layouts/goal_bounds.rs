//! For every edge of every state: a box around all goals to which some shortest path begins with that edge.
//!
//! With the parameter `as-printed` a goal lies in the box of one edge alone where several begin a shortest path to it: the
//! boxes of the chapter, in the same layout. [`BoxForm`] says which planners read which.
//!
//! # Layout
//! docs/index-format.md describes the arrays. An octile grid has the 32 values for each cell that the chapter counts,
//! hexagons have 24, four moves 16, but only free cells have any; a rank adds 16 bytes for 64 ids.
//!
//! # Paper
//! S. Rabin, N. Sturtevant: Faster A* with goal bounding, Game AI Pro 3, 2017, sections 22.1.1 and 22.2.

use crate::core::StateId;
use crate::index::{Atlas, Corruption, Facts, IndexKind, IndexSpec, Section};
use crate::space::{
    EdgeSlot, Graph, Grid, MeshEnds, NavMesh, NodePosition, Nodes, Rule, Space, SpaceKind, Squares,
};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// 64 ids of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Rank {
    /// Which of them are free cells.
    pub(crate) free: u64,
    /// Free cells with lower ids.
    pub(crate) before: u32,
    /// Nothing.
    pub(crate) zero: u32,
}

/// The ranks of a grid.
pub(crate) fn ranks(grid: &Grid) -> Vec<Rank> {
    let mut ranks = vec![Rank::default(); grid.id_bound().div_ceil(64)];
    for state in grid.free_states() {
        ranks[state.index() / 64].free |= 1 << (state.index() % 64);
    }
    let mut before = 0;
    for rank in &mut ranks {
        rank.before = before;
        before += rank.free.count_ones();
    }
    ranks
}

/// What is at the head of the section.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Head {
    pub(crate) value_bytes: u32,
    pub(crate) box_values: u32,
    pub(crate) state_boxes: u32,
    pub(crate) zero: u32,
}

/// In which boxes a goal lies to which several edges of a state begin a shortest path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum BoxForm {
    /// In those of all of them: for every search, whichever of several shortest paths it follows. What reads boxes reads
    /// these.
    #[default]
    AllTies,
    /// In that of the first of them in the order of slots, as in the chapter: only for searches that follow every edge of a
    /// state, as Listing 22.1 does, and that are asked to. Those that leave edges out themselves (canonical moves, jumps)
    /// would lose paths.
    AsPrinted,
}

impl BoxForm {
    /// By the parameters of the index.
    pub(crate) const ALL: [BoxForm; 2] = [BoxForm::AllTies, BoxForm::AsPrinted];

    /// The index that holds such boxes.
    pub(crate) const fn index(self) -> IndexSpec {
        IndexSpec::new(IndexKind::GOAL_BOUNDS, self as u32)
    }
}

impl Atlas {
    /// A box of goals for every edge, if they have been worked out.
    #[inline]
    pub(crate) fn goal_bounds(&self) -> Option<GoalBounds<'_>> {
        self.boxes(BoxForm::AllTies)
    }

    /// The same of this form.
    #[inline]
    pub(crate) fn boxes(&self, form: BoxForm) -> Option<GoalBounds<'_>> {
        self.section(form.index()).map(|section| GoalBounds::new(self.space(), section))
    }

    /// The same over these nodes of a mesh; elsewhere there is but one kind of them.
    #[inline]
    pub(crate) fn goal_bounds_over(&self, nodes: Option<Nodes>) -> Option<GoalBounds<'_>> {
        let Some(Nodes::Centres) = nodes else { return self.goal_bounds() };
        let index = IndexSpec::new(IndexKind::GOAL_BOUNDS, IndexSpec::CENTRES);
        self.section(index).map(|section| GoalBounds::new(self.space(), section))
    }
}

impl Head {
    /// The head that the bounds of a grid have.
    pub(crate) fn of_grid(grid: &Grid) -> Head {
        let value_bytes = match grid.width().max(grid.height()) {
            0..=255 => 1,
            256..=65_535 => 2,
            _ => 4,
        };
        Head { value_bytes, box_values: 4, state_boxes: slots(grid.rule()).count as u32, zero: 0 }
    }

    /// The head that the bounds of a mesh have whose values take so many bytes.
    pub(crate) fn of_mesh(value_bytes: u32) -> Head {
        Head { value_bytes, box_values: 4, state_boxes: 0, zero: 0 }
    }

    /// The head that the bounds of a graph have, in two or three dimensions.
    pub(crate) fn of_graph(is_flat: bool) -> Head {
        Head { value_bytes: 4, box_values: if is_flat { 4 } else { 6 }, state_boxes: 0, zero: 0 }
    }
}

/// Where the box of a direction stands among those of its cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots {
    pub(crate) count: usize,
    /// Of cells that are not shifted, and of those that are; 8 where there is no such step.
    by_direction: [[u8; 8]; 2],
}

impl Slots {
    /// The slot of a direction from a cell, shifted or not.
    #[inline]
    pub(crate) fn slot(&self, is_shifted: bool, direction: usize) -> usize {
        usize::from(self.by_direction[usize::from(is_shifted)][direction & 7])
    }
}

/// The slots of a rule: its directions in their order.
pub(crate) const fn slots(rule: Rule) -> &'static Slots {
    const ALL: [u8; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    const STRAIGHT: [u8; 8] = [0, 8, 1, 8, 2, 8, 3, 8];
    const LEFT: [u8; 8] = [0, 8, 1, 8, 2, 3, 4, 5];
    const RIGHT: [u8; 8] = [0, 1, 2, 3, 4, 8, 5, 8];
    const UP: [u8; 8] = [0, 1, 2, 8, 3, 8, 4, 5];
    const DOWN: [u8; 8] = [0, 8, 1, 2, 3, 4, 5, 8];
    match (rule, rule.hexagons()) {
        (_, Some(layout)) if layout.shifts_rows() => &Slots { count: 6, by_direction: [LEFT, RIGHT] },
        (_, Some(_)) => &Slots { count: 6, by_direction: [UP, DOWN] },
        (Rule::Four, _) => &Slots { count: 4, by_direction: [STRAIGHT; 2] },
        _ => &Slots { count: 8, by_direction: [ALL; 2] },
    }
}

/// Boxes, as wide as they are stored.
#[derive(Clone, Copy, Debug)]
enum Boxes<'a> {
    Bytes(&'a [[u8; 4]]),
    Shorts(&'a [[u16; 4]]),
    Flat(&'a [[i32; 4]]),
    Solid(&'a [[i32; 6]]),
}

impl<'a> Boxes<'a> {
    fn new(head: Head, section: &'a Section, array: usize) -> Boxes<'a> {
        match (head.value_bytes, head.box_values) {
            (1, _) => Boxes::Bytes(section.array(array)),
            (2, _) => Boxes::Shorts(section.array(array)),
            (_, 4) => Boxes::Flat(section.array(array)),
            _ => Boxes::Solid(section.array(array)),
        }
    }

    /// Whether a goal may lie in a box. A box that is not there may hold anything. Asked for every edge of every expansion: a call
    /// would take as long as the answer.
    #[inline(always)]
    fn holds(&self, index: usize, aim: &Aim) -> bool {
        match self {
            Boxes::Bytes(boxes) => boxes.get(index).is_none_or(|values| aim.meets(values.map(i32::from))),
            Boxes::Shorts(boxes) => boxes.get(index).is_none_or(|values| aim.meets(values.map(i32::from))),
            Boxes::Flat(boxes) => boxes.get(index).is_none_or(|values| aim.meets(*values)),
            Boxes::Solid(boxes) => boxes.get(index).is_none_or(|values| aim.meets_solid(*values)),
        }
    }

    /// Left, right, top and bottom of a box.
    #[cfg(feature = "observe")]
    fn values(&self, index: usize) -> Option<[i32; 4]> {
        match self {
            Boxes::Bytes(boxes) => boxes.get(index).map(|values| values.map(i32::from)),
            Boxes::Shorts(boxes) => boxes.get(index).map(|values| values.map(i32::from)),
            Boxes::Flat(boxes) => boxes.get(index).copied(),
            Boxes::Solid(boxes) => boxes.get(index).map(|[a, b, c, d, ..]| [*a, *b, *c, *d]),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Boxes::Bytes(boxes) => size_of_val(*boxes),
            Boxes::Shorts(boxes) => size_of_val(*boxes),
            Boxes::Flat(boxes) => size_of_val(*boxes),
            Boxes::Solid(boxes) => size_of_val(*boxes),
        }
    }
}

/// Up to this many goals each is looked for in a box; beyond, the box around all of them.
const ASK_EACH: usize = 8;

/// The goals of a query as boxes are asked for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// The box around all goals: left, right, top, bottom, lowest and highest.
    hull: [i32; 6],
    goals: [NodePosition; ASK_EACH],
    /// How many goals are looked for one by one; none if the hull says it all.
    count: usize,
}

impl Aim {
    fn new(places: impl ExactSizeIterator<Item = NodePosition>) -> Aim {
        let count = if (2..=ASK_EACH).contains(&places.len()) { places.len() } else { 0 };
        let mut aim = Aim { hull: EMPTY_SOLID, goals: [NodePosition::default(); ASK_EACH], count };
        for (index, place) in places.enumerate() {
            extend(&mut aim.hull, place);
            if let Some(goal) = aim.goals[..count].get_mut(index) {
                *goal = place;
            }
        }
        aim
    }

    #[inline]
    fn meets(&self, [left, right, top, bottom]: [i32; 4]) -> bool {
        let [west, east, north, south, ..] = self.hull;
        let meets = (left <= east) & (right >= west) & (top <= south) & (bottom >= north);
        meets && (self.count == 0 || self.any_in([left, right, top, bottom, i32::MIN, i32::MAX]))
    }

    #[inline]
    fn meets_solid(&self, [left, right, top, bottom, low, high]: [i32; 6]) -> bool {
        let is_level = (low <= self.hull[5]) & (high >= self.hull[4]);
        let [west, east, north, south, ..] = self.hull;
        let meets = (left <= east) & (right >= west) & (top <= south) & (bottom >= north) & is_level;
        meets && (self.count == 0 || self.any_in([left, right, top, bottom, low, high]))
    }

    /// Apart: queries with several goals are few.
    #[inline(never)]
    fn any_in(&self, [left, right, top, bottom, low, high]: [i32; 6]) -> bool {
        self.goals[..self.count].iter().any(|goal| {
            (left..=right).contains(&goal.x)
                && (top..=bottom).contains(&goal.y)
                && (low..=high).contains(&goal.z)
        })
    }
}

/// The box that holds nothing.
pub(crate) const EMPTY_SOLID: [i32; 6] = [i32::MAX, i32::MIN, i32::MAX, i32::MIN, i32::MAX, i32::MIN];

/// Makes a box hold one place more.
pub(crate) fn extend(values: &mut [i32; 6], place: NodePosition) {
    for (axis, at) in [place.x, place.y, place.z].into_iter().enumerate() {
        values[2 * axis] = values[2 * axis].min(at);
        values[2 * axis + 1] = values[2 * axis + 1].max(at);
    }
}

/// The bounds, ready to be read. Every method returns something for every state, whatever the bytes are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GoalBounds<'a> {
    space: &'a Space,
    slots: &'static Slots,
    ranks: &'a [Rank],
    boxes: Boxes<'a>,
    links: Boxes<'a>,
}

/// The boxes of one state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateBounds {
    /// The first box of the state.
    first: usize,
    is_shifted: bool,
}

impl<'a> GoalBounds<'a> {
    /// A section that [`GoalBounds::check`] has accepted.
    #[inline]
    pub(crate) fn new(space: &'a Space, section: &'a Section) -> GoalBounds<'a> {
        let head = section.array::<Head>(0).first().copied().unwrap_or(Head::of_graph(true));
        GoalBounds {
            space,
            slots: slots(space.as_grid().map_or(Rule::Octile, Grid::rule)),
            ranks: section.array(1),
            boxes: Boxes::new(head, section, 2),
            links: Boxes::new(head, section, 3),
        }
    }

    /// Whether a section can be the bounds of a space: its head, the lengths of its arrays, and its ranks.
    pub(crate) fn check(space: &Space, section: &Section) -> Result<(), Corruption> {
        let head = section.exactly::<Head>(0, 1)?[0];
        let is_mesh = space.as_mesh().is_some();
        match section.index().parameter {
            IndexSpec::CENTRES if !is_mesh => {
                return Err(Corruption::at(0, "bounds over centres for a mesh alone", "another map"));
            }
            parameter if is_mesh && parameter == BoxForm::AsPrinted.index().parameter => {
                return Err(Corruption::at(0, "boxes as printed for other maps than meshes", "a mesh"));
            }
            _ => {}
        }
        let (fitting, boxes, links) = match space {
            Space::Mesh(mesh) => {
                section.exactly::<Rank>(1, 0)?;
                let edges = mesh.node_edges(nodes_of(section.index().parameter));
                ([1, 2].map(Head::of_mesh).to_vec(), edges, 0)
            }
            Space::Grid(grid) => {
                let wanted = ranks(grid);
                if section.exactly::<Rank>(1, wanted.len())? != wanted {
                    return Err(Corruption::at(0, "the ranks of this grid in array 1", "others"));
                }
                let head = Head::of_grid(grid);
                (vec![head], grid.states() as usize * head.state_boxes as usize, grid.links().len())
            }
            Space::Graph(graph) => {
                section.exactly::<Rank>(1, 0)?;
                let heads = [true, false].map(Head::of_graph).to_vec();
                (if graph.has_positions() { heads } else { Vec::new() }, graph.edge_count(), 0)
            }
        };
        if !fitting.contains(&head) {
            return Err(Corruption::at(0, format!("one of {fitting:?}"), format!("{head:?}")));
        }
        for (array, count) in [(2, boxes), (3, links)] {
            match (head.value_bytes, head.box_values) {
                (1, _) => section.exactly::<[u8; 4]>(array, count).map(drop)?,
                (2, _) => section.exactly::<[u16; 4]>(array, count).map(drop)?,
                (_, 4) => section.exactly::<[i32; 4]>(array, count).map(drop)?,
                _ => section.exactly::<[i32; 6]>(array, count).map(drop)?,
            }
        }
        Ok(())
    }

    /// The goals of a query over portals of a mesh: the box around the nodes of all polygons that hold one.
    pub(crate) fn aim_at_portals(&self, mesh: &NavMesh, ends: &MeshEnds) -> Aim {
        let mut aim = Aim::new(std::iter::empty());
        let corners = Squares::new(mesh, self.square_bits()).around_goals(ends);
        corners.into_iter().flatten().for_each(|place| extend(&mut aim.hull, place));
        aim
    }

    /// On a mesh boxes are told in squares: so many bits.
    fn square_bits(&self) -> u32 {
        if matches!(self.boxes, Boxes::Bytes(_)) { 8 } else { 16 }
    }

    /// The goals of a query, which must be free states.
    pub(crate) fn aim(&self, goals: &[StateId]) -> Aim {
        if let Some(mesh) = self.space.as_mesh() {
            let squares = Squares::new(mesh, self.square_bits());
            return Aim::new(goals.iter().map(|&goal| squares.of_node(Nodes::Centres, goal)));
        }
        Aim::new(goals.iter().map(|&goal| position(self.space, goal)))
    }

    /// Where the boxes of a state are.
    #[inline]
    pub(crate) fn of(&self, state: StateId) -> StateBounds {
        let Some(grid) = self.space.as_grid() else {
            return StateBounds { first: 0, is_shifted: false };
        };
        let rank = self.ranks.get(state.index() / 64).copied().unwrap_or_default();
        let below = rank.free & ((1 << (state.index() % 64)) - 1);
        let number = rank.before as usize + below.count_ones() as usize;
        let is_shifted = grid.geometry().is_shifted(state);
        StateBounds { first: number.saturating_mul(self.slots.count), is_shifted }
    }

    /// Whether a shortest path from a state to one of the goals may begin this way.
    #[inline]
    pub(crate) fn holds(&self, state: StateBounds, slot: EdgeSlot, aim: &Aim) -> bool {
        match slot {
            EdgeSlot::Direction(direction) => {
                self.boxes.holds(state.first + self.slots.slot(state.is_shifted, direction), aim)
            }
            EdgeSlot::Link(place) => self.links.holds(place, aim),
            EdgeSlot::Edge(place) => self.boxes.holds(place, aim),
        }
    }

    /// Left, right, top and bottom of the box of an edge; empty if left is more than right.
    #[cfg(feature = "observe")]
    pub(crate) fn values(&self, state: StateBounds, slot: EdgeSlot) -> Option<[i32; 4]> {
        match slot {
            EdgeSlot::Direction(direction) => {
                self.boxes.values(state.first + self.slots.slot(state.is_shifted, direction))
            }
            EdgeSlot::Link(place) => self.links.values(place),
            EdgeSlot::Edge(place) => self.boxes.values(place),
        }
    }

    /// The directions, as bits, in which a shortest path from a cell of an octile grid to one of the goals may begin.
    #[inline]
    pub(crate) fn directions(&self, state: StateId, aim: &Aim) -> u8 {
        let here = self.of(state);
        let bit = |number: usize| u8::from(self.holds(here, EdgeSlot::Direction(number), aim)) << number;
        (0..8).fold(0, |directions, number| directions | bit(number))
    }

    /// Values for each state, on average (the chapter counts 32 on a grid), bytes of one, and bytes of the boxes alone.
    pub(crate) fn facts(&self) -> Facts {
        let (boxes, values, value_bytes) = match self.boxes {
            Boxes::Bytes(boxes) => (boxes.len(), 4, 1),
            Boxes::Shorts(boxes) => (boxes.len(), 4, 2),
            Boxes::Flat(boxes) => (boxes.len(), 4, 4),
            Boxes::Solid(boxes) => (boxes.len(), 6, 4),
        };
        let box_bytes = self.boxes.bytes() + self.links.bytes();
        vec![
            ("values per state", (boxes * values) as f64 / f64::from(self.space.states().max(1))),
            ("value bytes", f64::from(value_bytes)),
            ("box bytes", box_bytes as f64),
        ]
    }
}

/// Where a state lies as boxes hold it: column and row of a cell, coordinates of a node.
#[inline]
pub(crate) fn position(space: &Space, state: StateId) -> NodePosition {
    if let Some(grid) = space.as_grid() {
        let (column, row) = grid.column_and_row(state);
        return NodePosition::new(column.wrapping_sub(1) as i32, row.wrapping_sub(1) as i32);
    }
    space.as_graph().and_then(|graph| graph.node_position(state)).unwrap_or_default()
}

/// The nodes of a mesh that bounds with this parameter are over.
pub(crate) fn nodes_of(parameter: u32) -> Nodes {
    if parameter == IndexSpec::CENTRES { Nodes::Centres } else { Nodes::Portals }
}

/// Whether no node of a graph has a height.
pub(crate) fn is_flat(graph: &Graph) -> bool {
    graph.positions().iter().all(|at| at.z == 0)
}

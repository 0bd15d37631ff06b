//! How a search that is watched has reached a state: the numbers behind its place in the open list.

use crate::core::{Cost, CostScale, Way};

/// The best way to a state that a search knows, in costs as users see them.
///
/// ```
/// use milepost::observe::{PlannerRun, Reached};
/// use milepost::{Atlas, Grid, Point, Rule, catalog};
///
/// let atlas = Atlas::new(Grid::from_ascii(".....", Rule::Octile)?);
/// let cell = |x| atlas.state_at(Point::new(x, 0)).expect("inside the map");
/// let mut run = PlannerRun::new(catalog::planner("astar")?, &atlas, cell(0), cell(4));
/// while run.step(&atlas, &mut Vec::new()).is_none() {}
/// let [reached, _] = run.reached(cell(1).number());
/// let way: Reached = reached.expect("it lies on the way");
/// assert_eq!((way.g, way.h, way.f), (1.0, 3.0, 4.0));
/// assert!(way.is_expanded && way.from == cell(0).number());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reached {
    /// What the way there costs.
    pub g: f64,
    /// What the search adds for the rest of the way: an estimate, weighted where the planner weights it.
    pub h: f64,
    /// Their sum: the search expands states in its order.
    pub f: f64,
    /// The state, or node of the search on a mesh, before it; itself where the search began.
    pub from: u32,
    /// Whether the search has expanded it by that way.
    pub is_expanded: bool,
}

impl Reached {
    pub(super) fn new(way: Way, scale: CostScale) -> Reached {
        let cost = |units: u64| scale.to_f64(Cost::new(units));
        let Way { g, h, from, is_closed } = way;
        Reached { g: cost(g), h: cost(h), f: cost(g.saturating_add(h)), from, is_expanded: is_closed }
    }
}

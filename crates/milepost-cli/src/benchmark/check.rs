//! Whether an answer is what it claims to be: a path from the start to the goal, by legal steps, at the stated cost; a
//! journey that arrived.

use super::problems::Task;
use crate::journey::{End, Journey, Offence};
use crate::place::Place;
use crate::world::World;
use milepost::space::SpaceKind;
use milepost::{Cost, NavMesh, Outcome, Path, Point, Position, Refused, Rule, StateId};

/// What became of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// A good path.
    Path(Cost),
    /// There is none, and the planner or agent said so.
    NoPath,
    /// A wrong answer.
    Wrong(Fault),
}

/// What is wrong with an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    NoAnswer,
    PathWhereThereIsNone,
    WrongStart,
    WrongGoal,
    /// A leg between two turning points does not run in one of the rule's directions.
    CrookedLeg(Place, Place),
    IllegalStep(Place, Place),
    WrongCost,
    /// The planner or agent answered the same question differently the next time.
    Changed,
    /// The agent walked in a circle.
    Stopped,
    TooManyMoves,
    Refused(Refused),
    /// The agent broke a rule.
    Broke(Offence),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::NoAnswer => out.write_str("no path was found where there is one"),
            Fault::PathWhereThereIsNone => out.write_str("a path was found where there is none"),
            Fault::WrongStart => out.write_str("the path does not begin at the start"),
            Fault::WrongGoal => out.write_str("the path does not end at the goal"),
            Fault::CrookedLeg(from, to) => {
                write!(out, "the leg from {from} to {to} does not keep to one direction")
            }
            Fault::IllegalStep(from, to) => write!(out, "the step from {from} to {to} is not allowed"),
            Fault::WrongCost => out.write_str("the steps do not add up to the stated cost"),
            Fault::Changed => out.write_str("the same question got another answer the next time"),
            Fault::Stopped => out.write_str("the agent walks in a circle"),
            Fault::TooManyMoves => {
                out.write_str("the agent has not arrived after as many moves as are allowed")
            }
            Fault::Refused(refused) => out.write_str(&refused.said_of("the agent")),
            Fault::Broke(offence) => offence.fmt(out),
        }
    }
}

/// Judges an answer. The path is the one the planner left.
pub(super) fn judge(
    world: &World,
    task: &Task,
    is_reachable: bool,
    outcome: Outcome,
    path: &Path,
) -> Verdict {
    match outcome {
        Outcome::Found { .. } if !is_reachable => Verdict::Wrong(Fault::PathWhereThereIsNone),
        Outcome::Found { cost, goal } => match fault(world, task, cost, path) {
            None if goal == task.goal || task.points.is_some() => Verdict::Path(cost),
            None => Verdict::Wrong(Fault::WrongGoal),
            Some(fault) => Verdict::Wrong(fault),
        },
        Outcome::Unreachable if !is_reachable => Verdict::NoPath,
        _ => Verdict::Wrong(Fault::NoAnswer),
    }
}

/// Judges a journey, every step of which was looked at.
pub(super) fn judge_journey(journey: &Journey, is_reachable: bool) -> Verdict {
    match journey.end {
        End::Arrived if is_reachable => Verdict::Path(journey.cost),
        End::Arrived => Verdict::Wrong(Fault::PathWhereThereIsNone),
        End::NoPath if !is_reachable => Verdict::NoPath,
        End::NoPath => Verdict::Wrong(Fault::NoAnswer),
        End::Stopped => Verdict::Wrong(Fault::Stopped),
        End::TooManyMoves => Verdict::Wrong(Fault::TooManyMoves),
        End::Refused(refused) => Verdict::Wrong(Fault::Refused(refused)),
        End::Broke(offence) => Verdict::Wrong(Fault::Broke(offence)),
    }
}

/// The first thing that is wrong with a path.
fn fault(world: &World, task: &Task, cost: Cost, path: &Path) -> Option<Fault> {
    if let (Some(mesh), Some(points)) = (world.mesh(), task.points) {
        return fault_on_mesh(mesh, points, cost, path);
    }
    let space = world.space();
    let (first, last) = (path.waypoints().first(), path.waypoints().last());
    if first != Some(&task.start) {
        return Some(Fault::WrongStart);
    }
    if last != Some(&task.goal) {
        return Some(Fault::WrongGoal);
    }
    for leg in path.waypoints().windows(2) {
        if !is_one_direction(world, leg[0], leg[1]) {
            return Some(Fault::CrookedLeg(world.place(leg[0]), world.place(leg[1])));
        }
    }
    let mut sum = Cost::ZERO;
    let mut at = task.start;
    for cell in space.cells(path).skip(1) {
        match space.step_cost(at, cell, None) {
            Some(step) => sum = sum.saturating_add(step),
            None => return Some(Fault::IllegalStep(world.place(at), world.place(cell))),
        }
        at = cell;
    }
    if at != task.goal {
        return Some(Fault::WrongGoal);
    }
    ((sum, path.cost()) != (cost, cost)).then_some(Fault::WrongCost)
}

/// How much dearer a pulled path may be than the one over portals for the rounding of floats alone.
const ROUNDING: f64 = 1e-9;

/// At most what it costs to go from a point to where the search begins or ends: costs are those between lattice points, and the pulled
/// path leads to the point itself. The search takes the nearest lattice point of the polygon; the polygon's corners are such points.
fn cost_of_rounding(mesh: &NavMesh, polygon: StateId, at: Position) -> f64 {
    let (_, step) = mesh.unit_and_step();
    let vertices = || mesh.polygon(polygon).iter().map(|&vertex| mesh.vertices()[vertex as usize]);
    let Some(corner) = vertices().next() else { return 0.0 };
    let below = |at: f64, corner: f64| corner + ((at - corner) / step).floor() * step;
    let (left, top) = (below(at.x, corner.x), below(at.y, corner.y));
    let around = [(0.0, 0.0), (step, 0.0), (0.0, step), (step, step)];
    let around = around.map(|(x, y)| Position::new(left + x, top + y, at.z));
    let inside = around.into_iter().filter(|&point| mesh.polygons_at(point).contains(&polygon));
    let distances = inside.chain(vertices()).map(|point| (point.x - at.x).hypot(point.y - at.y));
    // The corners of the file may lie half a step beside the lattice.
    (step + distances.fold(f64::INFINITY, f64::min)) * f64::from(mesh.polygon_cost(polygon)) / 100.0
}

/// The first thing that is wrong with a path over a mesh: its corridor leads from a polygon that holds the one point to a polygon that
/// holds the other, and where it passes centres it costs what its steps cost; where it passes portals, pulling it makes it no dearer.
fn fault_on_mesh(mesh: &NavMesh, [from, to]: [Position; 2], cost: Cost, path: &Path) -> Option<Fault> {
    let holds = |polygon: Option<&StateId>, at| polygon.is_some_and(|one| mesh.polygons_at(at).contains(one));
    let Some(&first) = path.states().first().filter(|first| holds(Some(first), from)) else {
        return Some(Fault::WrongStart);
    };
    let Some(&last) = path.states().last().filter(|last| holds(Some(last), to)) else {
        return Some(Fault::WrongGoal);
    };
    let mut sum = Cost::ZERO;
    for step in path.states().windows(2) {
        match mesh.step_cost(step[0], step[1], None) {
            Some(step) => sum = sum.saturating_add(step),
            None => {
                let [from, to] = [step[0], step[1]].map(|polygon| Place::Node(polygon.number()));
                return Some(Fault::IllegalStep(from, to));
            }
        }
    }
    let is_right = match path.pulled_cost() {
        Some(pulled) => {
            let ends = cost_of_rounding(mesh, first, from) + cost_of_rounding(mesh, last, to);
            pulled <= path.cost_f64() * (1.0 + ROUNDING) + ends
        }
        None => sum == cost,
    };
    (!is_right || path.cost() != cost).then_some(Fault::WrongCost)
}

/// Whether a leg runs in a direction in which an agent can move. An edge of a graph and a link always do.
fn is_one_direction(world: &World, from: StateId, to: StateId) -> bool {
    let Some(grid) = world.grid() else { return true };
    let (Point { x, y }, end) = (grid.point(from), grid.point(to));
    let (columns, rows) = (end.x - x, end.y - y);
    let is_straight = columns == 0 || rows == 0;
    let is_direction = match (grid.rule(), grid.rule().hexagons()) {
        (Rule::Four, _) => is_straight,
        (_, Some(layout)) => {
            // Along a row, or two half cells aside for each two rows; where columns are shifted, along and beside those.
            let halves = |Point { x, y }: Point| {
                let (along, row) = if layout.shifts_rows() { (x, y) } else { (y, x) };
                (2 * along + i64::from(layout.shifts(x, y)), row)
            };
            let (from, to) = (halves(Point { x, y }), halves(end));
            from.1 == to.1 || (to.0 - from.0).abs() == (to.1 - from.1).abs()
        }
        _ => is_straight || columns.abs() == rows.abs(),
    };
    let is_link = || grid.links().iter().any(|link| (link.from, link.to) == (from, to));
    from != to && (is_direction || is_link())
}

#[cfg(test)]
mod tests {
    use super::*;
    use milepost::{Budget, Planner, Query, Scratch};
    use milepost_maps::{ListedLength, TileMap};

    /// Judges A*'s path over a small map as the answer to another question, or with another cost.
    fn verdict(from: (i64, i64), to: (i64, i64), asked: ((i64, i64), (i64, i64)), extra: u64) -> Verdict {
        let map = TileMap::from_ascii(". . .\n. @ .\n. . .\n@ @ @\n. . .").expect("a good drawing");
        let world = World::new("drawn.map".as_ref(), &map, Rule::Octile).expect("a small map");
        let atlas = &world.atlas;
        let state = |(x, y)| atlas.state_at(Point::new(x, y)).expect("inside");
        let mut scratch = Scratch::new();
        let query = Query::new(state(from), state(to));
        let astar = milepost::plan::Astar::default();
        let mut outcome = astar.plan(atlas, &query, &mut scratch, &mut Budget::unlimited());
        if let Outcome::Found { cost, .. } = &mut outcome {
            *cost = Cost::new(cost.units() + extra);
        }
        let (start, goal) = (state(asked.0), state(asked.1));
        let listed = Some(ListedLength::computed(0.0));
        let task = Task { start, goal, points: None, listed, line: 0, number: 0 };
        let is_reachable = atlas.space().component(start) == atlas.space().component(goal);
        judge(&world, &task, is_reachable, outcome, scratch.path())
    }

    #[test]
    fn good_answers_are_good() {
        assert!(matches!(verdict((0, 0), (2, 2), ((0, 0), (2, 2)), 0), Verdict::Path(_)));
        assert!(matches!(verdict((0, 0), (0, 0), ((0, 0), (0, 0)), 0), Verdict::Path(Cost::ZERO)));
        assert_eq!(verdict((0, 0), (0, 4), ((0, 0), (0, 4)), 0), Verdict::NoPath);
    }

    #[test]
    fn legs_keep_to_the_directions_of_the_rule() {
        let map = TileMap::filled(9, 9, b'.').expect("a small map");
        let directions = |rule: Rule| {
            let world = World::new("plain.map".as_ref(), &map, rule).expect("a small map");
            let state = |x, y| world.atlas.state_at(Point::new(x, y)).expect("inside");
            let ends = (0..81).map(|at| state(at % 9, at / 9));
            ends.filter(|end| is_one_direction(&world, state(4, 4), *end)).count()
        };
        assert_eq!([Rule::Octile, Rule::Four, Rule::Hex].map(directions), [32, 16, 24]);
        assert_eq!([Rule::HexEvenR, Rule::HexOddQ, Rule::HexEvenQ].map(directions), [24; 3]);
    }

    #[test]
    fn wrong_answers_are_noticed() {
        let wrong = |fault| Verdict::Wrong(fault);
        assert_eq!(verdict((0, 0), (2, 2), ((0, 1), (2, 2)), 0), wrong(Fault::WrongStart));
        assert_eq!(verdict((0, 0), (2, 2), ((0, 0), (1, 2)), 0), wrong(Fault::WrongGoal));
        assert_eq!(verdict((0, 0), (2, 2), ((0, 0), (2, 2)), 1), wrong(Fault::WrongCost));
        assert_eq!(verdict((0, 0), (0, 4), ((0, 0), (2, 2)), 0), wrong(Fault::NoAnswer));
        assert_eq!(verdict((0, 0), (2, 2), ((0, 0), (0, 4)), 0), wrong(Fault::PathWhereThereIsNone));
    }
}

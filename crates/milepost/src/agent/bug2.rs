//! Walks straight towards the goal; where a wall is in the way it follows the wall, one hand on it, until it comes to the
//! straight line again, nearer to the goal than where it met the wall.
//!
//! # Paper
//! V. J. Lumelsky, A. A. Stepanov: Path-planning strategies for a point mobile automaton moving amidst unknown obstacles
//! of arbitrary shape, Algorithmica 2, 1987, as told by N. Rivera, L. Illanes, J. A. Baier, IBERAMIA 2014, section 2.3.
//!
//! # Symbols
//! The *m-line* is the straight line from where the errand began to the goal; the *hit point* is where the wall was met.
//! Obstacles are sets of blocked cells that hang together, the borders of the map among them.
//!
//! # Guarantees
//! *Complete* on a map that holds still. The m-line is a chain of cells each of which shares a side with the next, so that
//! where it leaves an obstacle for the last time, the next cell is free; the hand passes all free cells that share a side
//! with the obstacle on this side of it, that one among them. So every wall is left nearer to the goal (counted in cells
//! of the m-line) than it was met. Whoever comes to a state a second time while he follows a wall has been all round it:
//! there is no path.
//!
//! *Bounded*: a look and one decision; nothing is searched, and nothing is remembered but what was seen.
//!
//! # Deviations
//! 1. Along the m-line a diagonal step is made where the next two cells allow it.
//! 2. When something seen before has changed while it follows a wall, a new m-line begins where it stands.
//! 3. The hand is held by the rule's own moves: where diagonal steps may not pass corners, walls are followed by straight
//!    steps.

use super::errand::Errand;
use super::laps::Laps;
use super::{Limits, Refused, Restoring, SavedAgentError, Saving, Scout, ScoutKind, Sensor, Step, Traveller};
use crate::core::{Budget, StateId};
use crate::plan::{Refusal, Scratch};
use crate::space::{Direction, GridGeometry, Ground};

/// Scouts that follow walls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bug2 {
    /// Where to turn when a wall is in the way.
    pub turn: Turn,
}

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Turn {
    /// Against the clock: the wall is on the right.
    #[default]
    Left,
    /// With the clock: the wall is on the left.
    Right,
}

impl Turn {
    /// A direction turned by so many eighths of a circle.
    fn by(self, direction: u32, eighths: u32) -> u32 {
        match self {
            Turn::Left => direction.wrapping_sub(eighths) & 7,
            Turn::Right => direction.wrapping_add(eighths) & 7,
        }
    }

    /// A direction turned the other way.
    fn back(self, direction: u32, eighths: u32) -> u32 {
        self.by(direction, 8 - eighths)
    }
}

impl ScoutKind for Bug2 {
    fn limits(&self) -> Limits {
        // The decision is one unit.
        let units = Errand::look_units(8) + 1;
        Limits { min_units: units, max_units: units, max_thinking: 0 }
    }

    fn refusal(&self, ground: Ground<'_>) -> Option<Refusal> {
        match ground {
            Ground::Graph(_) => Some(Refusal::Graph),
            Ground::Grid(_) => Refusal::of_scouts(ground),
        }
    }
}

impl Bug2 {
    /// A scout on this ground.
    pub fn start(&self, ground: Ground<'_>, from: StateId, to: StateId) -> Bug2Scout {
        Bug2Scout { kind: *self, errand: Errand::new(ground, from, to), origin: from, wall: None }
    }
}

/// A scout that follows walls.
#[derive(Clone, Debug)]
pub struct Bug2Scout {
    kind: Bug2,
    errand: Errand,
    /// Where the m-line begins.
    origin: StateId,
    /// The wall that it follows.
    wall: Option<Wall>,
}

/// A wall that is followed.
#[derive(Clone, Copy, Debug)]
struct Wall {
    /// How many cells of the m-line were left when the wall was met.
    hit: u64,
    /// Where to begin looking for the next move: towards the wall.
    hand: u32,
    /// Of states and the directions taken from there.
    laps: Laps,
}

/// The m-line: a chain of cells from one to another, each beside the next.
///
/// With e = i |dy| - j |dx| for a cell i columns and j rows from the beginning, the chain is made of the cells with
/// -(|dx| + |dy|) < 2 e <= |dx| + |dy|: for every number of cells i + j just one.
#[derive(Clone, Copy, Debug)]
struct MLine {
    from: (i64, i64),
    to: (i64, i64),
}

impl MLine {
    fn new(outline: GridGeometry, from: StateId, to: StateId) -> MLine {
        let at = |state| {
            let (column, row) = outline.cell(state);
            (i64::from(column), i64::from(row))
        };
        MLine { from: at(from), to: at(to) }
    }

    fn length(&self) -> (i64, i64) {
        ((self.to.0 - self.from.0).abs(), (self.to.1 - self.from.1).abs())
    }

    fn towards(&self) -> (i64, i64) {
        ((self.to.0 - self.from.0).signum(), (self.to.1 - self.from.1).signum())
    }

    /// Whether a cell belongs to it.
    fn contains(&self, (x, y): (i64, i64)) -> bool {
        let ((columns, rows), (right, down)) = (self.length(), self.towards());
        let (i, j) = ((x - self.from.0) * right, (y - self.from.1) * down);
        // Straight lines have no side.
        let is_between = (0..=columns).contains(&i)
            && (0..=rows).contains(&j)
            && (right != 0 || x == self.from.0)
            && (down != 0 || y == self.from.1);
        let twice_e = 2 * (i * rows - j * columns);
        is_between && -(columns + rows) < twice_e && twice_e <= columns + rows
    }

    /// The cell after this one, as an offset.
    fn next(&self, at: (i64, i64)) -> (i64, i64) {
        let (right, down) = self.towards();
        if right != 0 && self.contains((at.0 + right, at.1)) { (right, 0) } else { (0, down) }
    }

    /// Cells from here to the end.
    fn left(&self, (x, y): (i64, i64)) -> u64 {
        self.to.0.abs_diff(x) + self.to.1.abs_diff(y)
    }
}

/// A direction, from columns and rows; none for standing still.
fn direction_of(offset: (i64, i64)) -> Option<u32> {
    Direction::ALL.iter().position(|direction| direction.offset() == offset).map(|index| index as u32)
}

impl Bug2Scout {
    pub(crate) fn restore(saved: &mut Restoring<'_>) -> Result<Bug2Scout, SavedAgentError> {
        let turn = match saved.u32()? {
            0 => Turn::Left,
            1 => Turn::Right,
            _ => return Err(SavedAgentError::Damaged),
        };
        let (errand, origin) = (Errand::restore(saved)?, StateId::new(saved.u32()?));
        let wall = match saved.u32()? {
            0 => None,
            hand @ 1..=8 => Some(Wall { hand: hand - 1, hit: saved.u64()?, laps: Laps::restore(saved)? }),
            _ => return Err(SavedAgentError::Damaged),
        };
        Ok(Bug2Scout { kind: Bug2 { turn }, errand, origin, wall })
    }

    fn give_up(&mut self) -> Step {
        self.begin_line();
        self.errand.give_up()
    }

    /// A new m-line, from here.
    fn begin_line(&mut self) {
        (self.origin, self.wall) = (self.errand.at, None);
    }

    /// The direction of the next step along the m-line, or, if a wall is in the way, that of the wall.
    fn along_line(&self, line: MLine, at: (i64, i64), allowed: u8) -> Result<u32, u32> {
        let first = line.next(at);
        let second = line.next((at.0 + first.0, at.1 + first.1));
        let (wall, both) = (direction_of(first), direction_of((first.0 + second.0, first.1 + second.1)));
        let is_allowed = |direction: &u32| allowed >> direction & 1 == 1;
        // Deviation 1; two steps in one direction are no direction.
        let step = both.filter(is_allowed).or(wall.filter(is_allowed));
        step.ok_or(wall.unwrap_or(0))
    }

    /// The next step with one hand on the wall.
    fn along_wall(&self, hand: u32, allowed: u8) -> Option<u32> {
        let directions = (0..8).map(|eighths| self.kind.turn.by(hand, eighths));
        directions.into_iter().find(|direction| allowed >> direction & 1 == 1)
    }
}

impl Scout for Bug2Scout {
    fn step(&mut self, sensor: &dyn Sensor, _: &mut Scratch, budget: &mut Budget) -> Step {
        let ground = sensor.ground();
        if let Err(refused) = self.errand.check(ground, self.limits(), budget) {
            return Step::Refused(refused);
        }
        let (Some(outline), None) = (ground.as_grid(), self.kind.refusal(ground)) else {
            let refusal = self.kind.refusal(ground).unwrap_or(Refusal::Graph);
            return Step::Refused(Refused::Unable(refusal));
        };
        self.errand.look_around(sensor, budget);
        if !self.errand.is_possible(ground) {
            return self.give_up();
        }
        if self.errand.at == self.errand.goal {
            return Step::Arrived;
        }
        budget.charge(1);
        if self.wall.is_some() && self.errand.has_changed {
            self.begin_line();
        }
        let allowed = self.errand.moves(ground).directions(outline, self.errand.at).bits();
        let (column, row) = outline.cell(self.errand.at);
        let at = (i64::from(column), i64::from(row));
        if !outline.contains(self.origin) {
            self.begin_line();
        }
        let mut line = MLine::new(outline, self.origin, self.errand.goal);
        let is_on_line = line.contains(at);
        if self.wall.is_some_and(|wall| is_on_line && line.left(at) < wall.hit) {
            self.wall = None;
        } else if self.wall.is_none() && !is_on_line {
            // Somebody has changed the bytes that this scout was restored from.
            self.begin_line();
            line = MLine::new(outline, self.origin, self.errand.goal);
        }
        let mut hand = self.wall.map(|wall| wall.hand);
        let direction = match hand {
            Some(hand) => self.along_wall(hand, allowed),
            None => match self.along_line(line, at, allowed) {
                Ok(direction) => Some(direction),
                Err(wall) => {
                    hand = Some(wall);
                    self.along_wall(wall, allowed)
                }
            },
        };
        let Some(direction) = direction else { return self.give_up() };
        let way = u64::from(self.errand.at.number()) << 3 | u64::from(direction);
        let has_come_round = self.wall.as_mut().is_some_and(|wall| wall.laps.come_round_to(way));
        if has_come_round {
            return self.give_up();
        }
        if self.wall.is_none() && hand.is_some() {
            self.wall = Some(Wall { hit: line.left(at), hand: 0, laps: Laps::from_number(way) });
        }
        if let Some(wall) = &mut self.wall {
            // Where the hand was last: beside a straight step, behind a diagonal one.
            let behind = if direction & 1 == 0 { 2 } else { 3 };
            wall.hand = self.kind.turn.back(direction, behind);
        }
        let next = outline.neighbour(self.errand.at, Direction::from_number(direction as usize));
        self.errand.at = next;
        Step::Move(next)
    }
}

impl Traveller for Bug2Scout {
    fn retarget(&mut self, goal: StateId) {
        self.errand.goal = goal;
        self.begin_line();
    }

    fn state(&self) -> StateId {
        self.errand.at
    }

    fn goal(&self) -> StateId {
        self.errand.goal
    }

    fn limits(&self) -> Limits {
        self.kind.limits()
    }

    fn page_bytes(&self) -> usize {
        self.errand.page_bytes()
    }

    fn bytes(&self) -> usize {
        size_of::<Bug2Scout>() + self.errand.bytes()
    }

    fn remembered(&self) -> u64 {
        self.errand.belief.states()
    }

    fn save(&self, saving: &mut Saving) {
        saving.u32(match self.kind.turn {
            Turn::Left => 0,
            Turn::Right => 1,
        });
        self.errand.save(saving);
        saving.u32(self.origin.number());
        saving.u32(self.wall.map_or(0, |wall| wall.hand + 1));
        if let Some(wall) = self.wall {
            saving.u64(wall.hit);
            wall.laps.save(saving);
        }
    }
}

//! Edits of a map on the way: before all queries, or before the query or the move of a number.

use crate::failure::Failure;
use crate::input;
use crate::world::World;
use milepost::space::EditError;
use milepost::{Edit, Point, StateId};
use std::path::{Path, PathBuf};

/// What an edits file asks for, in the order of its numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    path: PathBuf,
    moments: Vec<Moment>,
}

/// All edits before a query or a move.
#[derive(Clone, Debug)]
struct Moment {
    /// Queries or moves that come before them.
    before: u32,
    edits: Vec<Edit>,
    /// The line of each.
    lines: Vec<u32>,
}

impl Schedule {
    /// The edits in a file; none without a file.
    pub(crate) fn open(path: Option<&Path>) -> Result<Schedule, Failure> {
        let Some(path) = path else { return Ok(Schedule::default()) };
        let mut timed = input::edits(path)?;
        // Those of a number keep the order of the file.
        timed.sort_by_key(|timed| timed.before_query);
        let mut moments: Vec<Moment> = Vec::new();
        for timed in timed {
            if moments.last().is_none_or(|moment| moment.before != timed.before_query) {
                moments.push(Moment { before: timed.before_query, edits: Vec::new(), lines: Vec::new() });
            }
            if let Some(moment) = moments.last_mut() {
                moment.edits.push(timed.edit);
                moment.lines.push(timed.line);
            }
        }
        Ok(Schedule { path: path.to_owned(), moments })
    }

    /// Nothing is edited.
    pub(crate) fn is_empty(&self) -> bool {
        self.moments.is_empty()
    }

    /// How many queries or moves come before the edits of this place, if there are any.
    pub(crate) fn before(&self, place: usize) -> Option<u32> {
        self.moments.get(place).map(|moment| moment.before)
    }

    /// The first edit that comes after so many moves: its line, and the move that it comes before.
    pub(crate) fn first_after(&self, moves: u64) -> Option<(u32, u32)> {
        let moment = self.moments.iter().find(|moment| u64::from(moment.before) > moves)?;
        Some((*moment.lines.first()?, moment.before))
    }

    /// The file, as the user named it.
    pub(crate) fn file(&self) -> &Path {
        &self.path
    }

    /// Refuses edits that are to be made later than before everything.
    pub(crate) fn check_at_once(&self) -> Result<(), Failure> {
        let Some(later) = self.moments.iter().find(|moment| moment.before > 0) else { return Ok(()) };
        let message = format!(
            "{}: line {}: `@{}` is before query {} of `bench` or move {} of `walk`, and `path` is one query; \
             leave out the prefix",
            self.path.display(),
            later.lines.first().unwrap_or(&0),
            later.before,
            later.before,
            later.before
        );
        Err(Failure::usage("later_edit", message))
    }

    /// The world after the edits of a place.
    pub(crate) fn edited(&self, world: &World, place: usize) -> Result<World, Failure> {
        let Some(moment) = self.moments.get(place) else { return Ok(world.clone()) };
        let atlas = world.atlas.edited(&moment.edits).map_err(|EditError { place, reason }| {
            let line = moment.lines.get(place).copied().unwrap_or(0);
            Failure::damaged(&self.path, format!("line {line}: {reason}"))
        })?;
        Ok(World { atlas, built: Vec::new(), ..world.clone() })
    }

    /// Makes all edits, one place after the other, and gives back the first world of each kind that matters to planners and
    /// agents: with weights or without, with links or without.
    pub(crate) fn kinds_of_worlds(&self, world: &World) -> Result<Vec<World>, Failure> {
        let kind = |world: &World| {
            world.grid().map_or((false, false), |grid| (grid.is_weighted(), !grid.links().is_empty()))
        };
        let (mut kinds, mut current): (Vec<World>, World) = (Vec::new(), world.clone());
        for place in 0..self.moments.len() {
            current = self.edited(&current, place)?;
            if kinds.iter().all(|other| kind(other) != kind(&current)) {
                kinds.push(current.clone());
            }
        }
        Ok(kinds)
    }

    /// The line of the edit of this place that was the last to close a state, if one did.
    pub(crate) fn line_that_closed(&self, world: &World, place: usize, state: StateId) -> Option<u32> {
        let at = world.space().point(state);
        let mesh = world.mesh();
        let closes = |edit: &Edit| match mesh.map_or(Ok(*edit), |mesh| mesh.edit_by_number(*edit)) {
            Ok(Edit::Cells { from, to, free: false }) => mesh.is_none() && is_within(at, from, to),
            Ok(Edit::Unnode { node }) => node == state,
            Ok(Edit::Polygon { polygon, free: false }) => polygon == state,
            _ => false,
        };
        let moment = self.moments.get(place)?;
        let mut closing = moment.edits.iter().zip(&moment.lines).filter(|(edit, _)| closes(edit));
        closing.next_back().map(|(_, line)| *line)
    }

    /// Which edits of a place have closed a state, in words.
    pub(crate) fn closing(&self, world: &World, place: usize, state: StateId) -> String {
        let (path, moves) = (self.path.display(), self.before(place).unwrap_or(0));
        match self.line_that_closed(world, place, state) {
            Some(line) => format!("line {line} of {path}, before move {moves}"),
            None => format!("the edits of {path} before move {moves}"),
        }
    }

    /// The agent stands where an edit closes the map.
    pub(crate) fn closed_on_agent(&self, world: &World, place: usize, state: StateId) -> Failure {
        let line = self.line_that_closed(world, place, state).unwrap_or(0);
        let message = format!(
            "{}: line {line}: the agent stands at {}, which this closes; open another way, or let the edit come \
             before another move",
            self.path.display(),
            world.place(state)
        );
        Failure::usage("agent_stands_there", message)
    }
}

/// Whether a point lies in the rectangle between two corners.
fn is_within(at: Point, from: Point, to: Point) -> bool {
    let between = |at: i64, one: i64, other: i64| (one.min(other)..=one.max(other)).contains(&at);
    between(at.x, from.x, to.x) && between(at.y, from.y, to.y)
}

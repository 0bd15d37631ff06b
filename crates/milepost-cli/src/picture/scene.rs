//! What is drawn on a map: a query or a journey.

use super::legend::Sample;
use super::palette::{
    ACCENT, AGAIN, BAND, BELIEVED_BLOCKED, BELIEVED_FREE, CLOSED, EDGE, FOG_EDGE, FOG_GROUND, FOG_WALL,
    GROUND, HEAVY, JUMP, OFTEN, OPEN, PATH, START, TRAIL,
};
use super::sight::Seen;
use super::surface::{Colour, Surface, mix};
use crate::world::World;
use milepost::space::SpaceKind;
use milepost::{Grid, Position, Scratch, StateId};
use std::collections::BTreeMap;

/// Bands of costs from the start to the dearest state that was expanded.
const BANDS: u64 = 24;

/// What is drawn on a map.
pub(crate) struct Scene<'a> {
    /// States with colours of their own, through which the ground shows.
    pub(super) shaded: Vec<(StateId, Colour)>,
    /// States that were reached and not expanded are among them.
    has_open: bool,
    /// States that were expanded, each after the one from which it was reached.
    reached: Vec<(StateId, StateId)>,
    /// What an agent by sight has seen.
    pub(super) sight: Option<Seen>,
    /// The path or trail; between two of its states it runs straight.
    line: &'a [StateId],
    /// Where the line turns, if that is not where its states lie.
    points: Option<Vec<Position>>,
    is_journey: bool,
    /// States of a trail that were visited more than once, with the colour of how often.
    revisited: Vec<(StateId, Colour)>,
    /// The corners of the path pulled straight, if that is to be drawn.
    straight: Option<&'a [StateId]>,
    /// Where an agent headed for on its way.
    subgoals: &'a [StateId],
    start: StateId,
    goals: &'a [StateId],
}

impl<'a> Scene<'a> {
    fn new(line: &'a [StateId], start: StateId, goals: &'a [StateId], is_journey: bool) -> Scene<'a> {
        Scene {
            shaded: Vec::new(),
            has_open: false,
            reached: Vec::new(),
            sight: None,
            line,
            points: None,
            is_journey,
            revisited: Vec::new(),
            straight: None,
            subgoals: &[],
            start,
            goals,
        }
    }

    /// What a query has left in its scratch: the path, and if asked for every state that was expanded, in the colour of the
    /// band of its cost, and those that would have been next.
    pub(crate) fn of_query(
        world: &World,
        scratch: &'a Scratch,
        (start, goals): (StateId, &'a [StateId]),
        shows_search: bool,
    ) -> Scene<'a> {
        let scene = Scene::new(scratch.path().waypoints(), start, goals, false);
        // The nodes of a search on a mesh are portals, which are no states.
        if !shows_search || world.mesh().is_some() {
            return scene;
        }
        let search = scratch.search();
        let cost = |state| search.cost(state).map_or(0, |cost| cost.units());
        let dearest = search.closed().map(cost).max().unwrap_or(0).max(1);
        let band = |state| u128::from(cost(state)) * u128::from(BANDS) / u128::from(dearest);
        let shade = |state| (state, if band(state).is_multiple_of(2) { CLOSED } else { BAND });
        let mut shaded: Vec<(StateId, Colour)> = search.closed().map(shade).collect();
        let closed = shaded.len();
        let ids = 0..u32::try_from(world.space().id_bound()).unwrap_or(u32::MAX);
        let is_open = |state: &StateId| search.cost(*state).is_some() && !search.is_closed(*state);
        let open = ids.map(StateId::new).filter(is_open);
        shaded.extend(open.map(|state| (state, OPEN)));
        let reached = search.closed().filter_map(|state| Some((search.parent(state)?, state))).collect();
        Scene { has_open: shaded.len() > closed, shaded, reached, ..scene }
    }

    /// Where an agent went, from its start on, and if asked for which states it came to more than once.
    pub(crate) fn of_journey(
        trail: &'a [StateId],
        (start, goals): (StateId, &'a [StateId]),
        shows_search: bool,
    ) -> Scene<'a> {
        let mut visits: BTreeMap<StateId, u32> = BTreeMap::new();
        for state in trail.iter().filter(|_| shows_search) {
            *visits.entry(*state).or_default() += 1;
        }
        let often = visits.into_iter().filter(|(_, visits)| *visits > 1);
        let revisited =
            often.map(|(state, visits)| (state, if visits > 3 { OFTEN } else { AGAIN })).collect();
        Scene { revisited, ..Scene::new(trail, start, goals, true) }
    }

    /// Where the search went on from a state to one that is not beside it.
    pub(super) fn jumps(&self, grid: &Grid) -> impl Iterator<Item = (StateId, StateId)> {
        let is_far = |from: StateId, to: StateId| {
            let (from, to) = (grid.point(from), grid.point(to));
            (from.x - to.x).abs().max((from.y - to.y).abs()) > 1
        };
        self.reached.iter().copied().filter(move |(from, to)| is_far(*from, *to))
    }

    /// The same with the path also pulled straight, if it could be.
    pub(crate) fn with_straight(self, corners: Option<&'a [StateId]>) -> Scene<'a> {
        Scene { straight: corners, ..self }
    }

    /// The same with a line that turns at these points.
    pub(crate) fn with_points(self, points: Option<Vec<Position>>) -> Scene<'a> {
        Scene { points, ..self }
    }

    /// The same with the places that an agent headed for on its way.
    pub(crate) fn with_subgoals(self, subgoals: &'a [StateId]) -> Scene<'a> {
        Scene { subgoals, ..self }
    }

    /// The same with what an agent by sight has seen.
    pub(crate) fn with_sight(self, sight: Option<Seen>) -> Scene<'a> {
        Scene { sight, ..self }
    }

    /// What the colours mean, where walls have this one.
    pub(super) fn legend(&self, world: &World, wall: Colour) -> Vec<(Sample, String)> {
        let mut items =
            vec![(Sample::Disc(START), "start".to_owned()), (Sample::Disc(PATH), "goal".to_owned())];
        let mut item = |is_there: bool, sample: Sample, words: &str| {
            if is_there {
                items.push((sample, words.to_owned()));
            }
        };
        let has_line = self.line.len() > 1 || self.points.as_ref().is_some_and(|points| points.len() > 1);
        match (self.is_journey, self.straight) {
            (true, _) => item(has_line, Sample::Line(TRAIL), "trail"),
            (false, None) => item(has_line, Sample::Line(PATH), "path"),
            (false, Some(_)) => {
                item(has_line, Sample::Line(PATH), "path pulled straight");
                item(has_line, Sample::Line(mix(PATH, GROUND, 0.5)), "path");
            }
        }
        item(!self.subgoals.is_empty(), Sample::Disc(JUMP), "subgoal");
        let has = |colour: Colour| self.revisited.iter().any(|(_, other)| *other == colour);
        item(has(AGAIN), Sample::Disc(AGAIN), "visited 2 or 3 times");
        item(has(OFTEN), Sample::Disc(OFTEN), "visited more often");
        let is_cells = world.grid().is_some();
        let expanded = !self.shaded.is_empty();
        item(expanded && is_cells, Sample::Bands, "expanded, in bands of cost");
        item(expanded && !is_cells, Sample::Disc(ACCENT), "expanded");
        item(self.has_open && is_cells, Sample::Cell(OPEN), "reached, not expanded");
        if let Some(grid) = world.grid() {
            item(self.jumps(grid).next().is_some(), Sample::Diamond(JUMP), "reached by a jump");
            item(true, Sample::Cell(GROUND), if self.sight.is_some() { "seen free" } else { "free" });
            item(grid.is_weighted(), Sample::Cell(HEAVY), "heavy ground");
            item(true, Sample::Wall(wall), if self.sight.is_some() { "seen blocked" } else { "blocked" });
            if let Some(sight) = &self.sight {
                item(true, Sample::Cell(FOG_GROUND), "not seen, believed free");
                item(true, Sample::Cell(FOG_WALL), "not seen, believed free, in truth blocked");
                let (blocked, free) = sight.is_mistaken(|state| world.space().is_free(state));
                item(blocked, Sample::Cell(BELIEVED_BLOCKED), "believed blocked, free by now");
                item(free, Sample::Cell(BELIEVED_FREE), "believed free, blocked by now");
            }
        }
        if world.mesh().is_some() {
            item(true, Sample::Cell(GROUND), "free");
            item(true, Sample::Line(FOG_EDGE), "portal");
            item(true, Sample::Wall(wall), "blocked");
        }
        items
    }

    /// Draws the line along its points, each leg wherever `legs` says that it is seen, with the start and the goals where it begins and ends; where nothing leads, at their states.
    pub(super) fn draw_points(
        &self,
        surface: &mut dyn Surface,
        radius: f32,
        legs: impl Fn(Position, Position) -> Vec<[(f32, f32); 2]>,
        place: impl Fn(Position) -> (f32, f32),
        middle: impl Fn(StateId) -> Option<(f32, f32)>,
    ) {
        let points = self.points.as_deref().unwrap_or_default();
        let legs: Vec<[(f32, f32); 2]> = points.windows(2).flat_map(|leg| legs(leg[0], leg[1])).collect();
        let colour = if self.is_journey { TRAIL } else { PATH };
        for (radius, colour) in [(radius + 1.0, EDGE), (radius, colour)] {
            for leg in &legs {
                surface.line(leg[0], leg[1], radius, colour);
            }
        }
        let mut mark = |at: Option<(f32, f32)>, colour: Colour| {
            let Some(at) = at else { return };
            surface.disc(at, 2.2 * radius + 5.0, EDGE);
            surface.disc(at, 2.2 * radius + 3.0, colour);
        };
        match (points.first(), points.last()) {
            (Some(&first), Some(&last)) => {
                mark(Some(place(last)), PATH);
                mark(Some(place(first)), START);
            }
            _ => {
                self.goals.iter().for_each(|&goal| mark(middle(goal), PATH));
                mark(middle(self.start), START);
            }
        }
    }

    /// Draws the line, start and goals over whatever is there; `middle` says where states are.
    pub(super) fn draw_line(
        &self,
        surface: &mut dyn Surface,
        radius: f32,
        middle: impl Fn(StateId) -> (f32, f32),
    ) {
        let mut draw = |corners: &[StateId], strokes: [(f32, Colour); 2]| {
            for (radius, colour) in strokes {
                for leg in corners.windows(2) {
                    surface.line(middle(leg[0]), middle(leg[1]), radius, colour);
                }
            }
        };
        let colour = if self.is_journey { TRAIL } else { PATH };
        match self.straight {
            None => draw(self.line, [(radius + 1.0, EDGE), (radius, colour)]),
            Some(corners) => {
                draw(self.line, [(0.5 * radius + 0.5, EDGE), (0.5 * radius, mix(PATH, GROUND, 0.5))]);
                draw(corners, [(radius + 1.0, EDGE), (radius, colour)]);
            }
        }
        // Above the trail, or where it runs to and fro nothing else would show.
        for (state, colour) in &self.revisited {
            surface.disc(middle(*state), 1.3 * radius + 1.0, *colour);
        }
        let mut mark = |state: StateId, radius: f32, colour: Colour| {
            surface.disc(middle(state), radius + 2.0, EDGE);
            surface.disc(middle(state), radius, colour);
        };
        let (small, large) = (1.2 * radius + 1.0, 2.2 * radius + 3.0);
        self.subgoals.iter().for_each(|subgoal| mark(*subgoal, small, JUMP));
        self.goals.iter().for_each(|goal| mark(*goal, large, PATH));
        mark(self.start, large, START);
    }
}

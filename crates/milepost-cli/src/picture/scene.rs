//! What is drawn on a map: a query or a journey.

use super::cells::{HEAVY, SEARCH_COVER};
use super::legend::Sample;
use super::sight::{BELIEVED_BLOCKED, BELIEVED_FREE, Seen, fogged};
use super::surface::{Colour, Surface, mix};
use super::{BLOCKED, FREE, heat};
use crate::numbers::count;
use crate::world::World;
use milepost::{Scratch, StateId};
use std::collections::BTreeMap;

const PATH: Colour = [0xd8, 0x1b, 0x60];
const EDGE: Colour = [0xff, 0xff, 0xff];
const START: Colour = [0x1b, 0xa0, 0x4b];
const SUBGOAL: Colour = [0x6a, 0x3d, 0x9a];
const GOAL: Colour = [0xe5, 0x2b, 0x20];

/// What is drawn on a map.
pub(crate) struct Scene<'a> {
    /// States with colours of their own, through which the ground shows.
    pub(super) shaded: Vec<(StateId, Colour)>,
    /// What a scout has seen.
    pub(super) sight: Option<Seen>,
    /// The path or trail; between two of its states it runs straight.
    line: &'a [StateId],
    is_journey: bool,
    /// States of a trail that were visited more than once, with the colour of how often, and the most visits.
    revisited: Vec<(StateId, Colour)>,
    most_visits: u32,
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
            sight: None,
            line,
            is_journey,
            revisited: Vec::new(),
            most_visits: 0,
            straight: None,
            subgoals: &[],
            start,
            goals,
        }
    }

    /// What a query has left in its scratch: the path, and if asked for every state that was expanded, with the colour of
    /// its cost.
    pub(crate) fn of_query(
        scratch: &'a Scratch,
        (start, goals): (StateId, &'a [StateId]),
        shows_search: bool,
    ) -> Scene<'a> {
        let search = scratch.search();
        let cost = |state| search.cost(state).map_or(0, |cost| cost.units());
        let dearest = search.closed().map(cost).max().unwrap_or(0).max(1);
        let shade = |state| (state, heat(cost(state) as f32 / dearest as f32));
        let shaded = search.closed().filter(|_| shows_search).map(shade).collect();
        Scene { shaded, ..Scene::new(scratch.path().waypoints(), start, goals, false) }
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
        let most_visits = visits.values().copied().max().unwrap_or(0);
        let most = most_visits.max(3);
        // A few visits more matter where there are few.
        let share = |visits: u32| ((visits - 1) as f32).ln() / ((most - 1) as f32).ln();
        let often = visits.into_iter().filter(|(_, visits)| *visits > 1);
        let revisited = often.map(|(state, visits)| (state, heat(share(visits)))).collect();
        Scene { revisited, most_visits, ..Scene::new(trail, start, goals, true) }
    }

    /// The same with the path also pulled straight, if it could be.
    pub(crate) fn with_straight(self, corners: Option<&'a [StateId]>) -> Scene<'a> {
        Scene { straight: corners, ..self }
    }

    /// The same with the places that an agent headed for on its way.
    pub(crate) fn with_subgoals(self, subgoals: &'a [StateId]) -> Scene<'a> {
        Scene { subgoals, ..self }
    }

    /// The same with what a scout has seen.
    pub(crate) fn with_sight(self, sight: Option<Seen>) -> Scene<'a> {
        Scene { sight, ..self }
    }

    /// What the colours mean.
    pub(super) fn legend(&self, world: &World) -> Vec<(Sample, String)> {
        let mut items =
            vec![(Sample::Disc(START), "start".to_owned()), (Sample::Disc(GOAL), "goal".to_owned())];
        let mut item = |is_there: bool, sample: Sample, words: &str| {
            if is_there {
                items.push((sample, words.to_owned()));
            }
        };
        let has_line = self.line.len() > 1;
        match (self.is_journey, self.straight) {
            (true, _) => item(has_line, Sample::Line(PATH), "trail"),
            (false, None) => item(has_line, Sample::Line(PATH), "path"),
            (false, Some(_)) => {
                item(has_line, Sample::Line(PATH), "path pulled straight");
                item(has_line, Sample::Line(mix(PATH, FREE, 0.5)), "path");
            }
        }
        item(!self.subgoals.is_empty(), Sample::Disc(SUBGOAL), "subgoal");
        let visits = format!("visited 2 to {} times", count(self.most_visits.into()));
        item(
            self.most_visits > 1,
            Sample::Heat(1.0),
            if self.most_visits > 2 { &visits } else { "visited twice" },
        );
        let cover = if world.grid().is_some() { SEARCH_COVER } else { 1.0 };
        item(!self.shaded.is_empty(), Sample::Heat(cover), "expanded, from cheap to dear");
        if let Some(grid) = world.grid() {
            item(true, Sample::Cell(FREE), if self.sight.is_some() { "seen free" } else { "free" });
            item(grid.is_weighted(), Sample::Cell(HEAVY), "heavy ground");
            item(true, Sample::Cell(BLOCKED), if self.sight.is_some() { "seen blocked" } else { "blocked" });
            if let Some(sight) = &self.sight {
                item(true, Sample::Cell(fogged(FREE)), "not seen, believed free");
                item(true, Sample::Cell(fogged(BLOCKED)), "not seen, believed free, in truth blocked");
                let (blocked, free) = sight.is_mistaken(|state| world.space().is_free(state));
                item(blocked, Sample::Cell(BELIEVED_BLOCKED), "believed blocked, free by now");
                item(free, Sample::Cell(BELIEVED_FREE), "believed free, blocked by now");
            }
        }
        items
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
        match self.straight {
            None => draw(self.line, [(radius + 1.0, EDGE), (radius, PATH)]),
            Some(corners) => {
                draw(self.line, [(0.5 * radius + 0.5, EDGE), (0.5 * radius, mix(PATH, FREE, 0.5))]);
                draw(corners, [(radius + 1.0, EDGE), (radius, PATH)]);
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
        self.subgoals.iter().for_each(|subgoal| mark(*subgoal, small, SUBGOAL));
        self.goals.iter().for_each(|goal| mark(*goal, large, GOAL));
        mark(self.start, large, START);
    }
}

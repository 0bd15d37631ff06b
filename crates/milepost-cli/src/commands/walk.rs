//! `milepost walk`: one agent's journey.

use crate::agents::{self, NamedAgent};
use crate::args::{Globals, WalkArgs};
use crate::commands::path::points;
use crate::contestants::check_edits;
use crate::edits::Schedule;
use crate::failure::Failure;
use crate::journey::{End, Journey, Visits, Walk};
use crate::numbers::{count, counted};
use crate::output::Answer;
use crate::place::Place;
use crate::why::{Ends, Why};
use crate::world::World;
use crate::{picture, pool};
use milepost::plan::Dijkstra;
use milepost::{Budget, Planner, Query, Refused, Rule, Scratch, StateId};
use serde::Serialize;
use std::borrow::Cow;

#[derive(Serialize)]
struct Document {
    status: &'static str,
    /// Why it did not arrive, and what to do.
    #[serde(flatten)]
    why: Why,
    /// What its moves cost; none if it had nowhere to stand.
    cost: Option<f64>,
    /// What the best path costs; none without one.
    optimal_cost: Option<f64>,
    moves: u64,
    /// The units of the dearest step.
    max_work: u64,
    /// Where it was, from the start on.
    trail: Option<Vec<[i64; 2]>>,
    /// The nodes of a trail on a graph.
    states: Option<Vec<u32>>,
    /// The start and the goal after they were moved to free cells.
    snapped: Option<[[i64; 2]; 2]>,
    /// Moves to where it had been before.
    revisits: u64,
    /// The longest row of steps without a move.
    max_thinking: u64,
    agent: String,
    /// None for a graph.
    rule: Option<&'static str>,
    png: Option<String>,
}

pub(crate) fn run(globals: &Globals, args: &WalkArgs) -> Result<Answer, Failure> {
    let sight = args.journey.sight;
    let named = args.agent.as_deref().map(|text| agents::agent(text, sight)).transpose()?;
    pool::start_threads(globals)?;
    let base = World::open(globals, &args.map)?;
    let course = Course::new(base, Schedule::open(args.edits.as_deref())?)?;
    let kinds = &course.kinds;
    let named = match named {
        Some(named) => check_edits(&named, kinds).map(|()| named)?,
        None => agents::best(kinds.first().unwrap_or(&course.world), sight, kinds.is_empty())?,
    };
    let (start, goal) = course.ends(args)?;
    if args.png.is_some() {
        picture::check(&course.world)?;
    }
    let is_blocked = course.is_blocked(start, goal);
    let mut course = course;
    if !is_blocked {
        // What an index is needed for was refused where edits drop it.
        named.prepare(&mut course.world)?;
    }

    let mut track = Track::default();
    let (course, mut scratch) = (&course, Scratch::new());
    let world = &course.world;
    let journey = match is_blocked {
        true => None,
        false => {
            Some(course.travel(&named, (start, goal), args.journey.max_moves, &mut scratch, &mut track)?)
        }
    };
    let Track { trail, subgoals, cost, last } = track;
    let last = last.as_ref().unwrap_or(world);
    let at = trail.last().copied().unwrap_or(start);
    let no_path = || Why::no_path(last, &Ends { start: at, goals: &[goal], offer: "" });
    let (status, why) = match journey.map(|journey| journey.end) {
        None => ("blocked", no_path()),
        Some(End::Arrived) => ("arrived", Why::default()),
        Some(End::NoPath) => ("no_path", no_path()),
        Some(End::Stopped) => {
            let advice = "it has proved that it walks in a circle; another agent may arrive, `milepost list` has them all";
            ("stopped", Why::new("circle", advice))
        }
        Some(End::TooManyMoves) => {
            let advice = format!(
                "it has not arrived after {}; raise --max-moves, or take another agent",
                counted(args.journey.max_moves, "move")
            );
            ("stopped", Why::new("max_moves", advice))
        }
        Some(End::Refused(Refused::IndexDamaged)) => {
            let message =
                "an index leads nowhere; `milepost verify` says what is wrong, or build the file anew";
            return Err(Failure::damaged(&args.map.map, message));
        }
        Some(End::Refused(refused)) => {
            return Err(Failure::usage("refused", refused.said_of(&format!("`{}`", named.name))));
        }
        Some(End::Broke(offence)) => {
            return Err(Failure::damaged(&args.map.map, format!("`{}` went wrong: {offence}", named.name)));
        }
    };
    let optimum = Dijkstra::default().plan(
        &world.atlas,
        &Query::new(start, goal).distance_only(),
        &mut scratch,
        &mut Budget::unlimited(),
    );
    if let Some(path) = &args.png {
        let goals = [goal];
        let scene = picture::Scene::of_journey(&trail, start, &goals).with_subgoals(&subgoals);
        picture::save(path, world, &scene)?;
    }
    let figure = |figure: fn(&Journey) -> u64| journey.as_ref().map_or(0, figure);
    let shown = |trail: &[StateId]| trail.iter().map(|state| state.number()).collect();
    let document = Document {
        status,
        why,
        cost: journey.map(|_| cost),
        optimal_cost: optimum.cost().map(|cost| world.scale().to_f64(cost)),
        moves: figure(|journey| journey.moves),
        max_work: figure(|journey| journey.max_work),
        trail: points(world.space(), &trail).filter(|_| !is_blocked),
        states: (!is_blocked && world.graph().is_some()).then(|| shown(&trail)),
        snapped: args
            .snap
            .then(|| [start, goal].map(|state| world.space().point(state)).map(|at| [at.x, at.y])),
        revisits: figure(|journey| journey.revisits),
        max_thinking: figure(|journey| journey.max_thinking),
        agent: named.name,
        rule: world.rule().map(Rule::name),
        png: args.png.as_ref().map(|path| path.to_string_lossy().into_owned()),
    };
    let is_negative = status != "arrived";
    Ok(Answer::new(globals.json, &document, || render_text(world, &document, &trail))
        .negative_if(is_negative))
}

/// The map that an agent walks over, and how it changes.
struct Course {
    /// As it was read.
    base: World,
    /// After the edits that come before the first move.
    world: World,
    schedule: Schedule,
    /// What edits make of it.
    kinds: Vec<World>,
    /// The first edits that come later.
    later: usize,
}

/// What is kept of a journey beside its figures.
#[derive(Default)]
struct Track {
    /// Where the agent was, from the start on.
    trail: Vec<StateId>,
    /// Where it headed for on its way.
    subgoals: Vec<StateId>,
    /// What its moves cost.
    cost: f64,
    /// The map when it ended, if it was edited.
    last: Option<World>,
}

impl Course {
    fn new(base: World, schedule: Schedule) -> Result<Course, Failure> {
        let kinds = schedule.kinds_of_worlds(&base)?;
        let later = usize::from(schedule.before(0) == Some(0));
        let world = if later > 0 { schedule.edited(&base, 0)? } else { base.clone() };
        Ok(Course { base, world, schedule, kinds, later })
    }

    /// The start and the goal. An edit that closes the start is refused, as if the agent stood there.
    fn ends(&self, args: &WalkArgs) -> Result<(StateId, StateId), Failure> {
        let state = |option: &str, place: Place| {
            if args.snap {
                return self.world.snapped(option, place);
            }
            // A node that an edit has removed was one.
            self.world.state_at(option, place).or_else(|_| self.base.state_at(option, place))
        };
        let (start, goal) = (state("--from", args.from)?, state("--to", args.to)?);
        if self.has_closed(start) {
            return Err(self.schedule.closed_on_agent(&self.world, 0, start));
        }
        Ok((start, goal))
    }

    /// Whether the edits before the first move have closed a state.
    fn has_closed(&self, state: StateId) -> bool {
        self.base.space().is_free(state) && !self.world.space().is_free(state)
    }

    /// Whether an end was blocked from the beginning; to a goal that an edit has closed there is no path.
    fn is_blocked(&self, start: StateId, goal: StateId) -> bool {
        let is_free = |state| self.world.space().is_free(state);
        !is_free(start) || !(is_free(goal) || self.has_closed(goal))
    }

    /// Lets an agent walk while the map is edited.
    fn travel(
        &self,
        named: &NamedAgent,
        (start, goal): (StateId, StateId),
        max_moves: u64,
        scratch: &mut Scratch,
        track: &mut Track,
    ) -> Result<Journey, Failure> {
        let (mut current, mut place) = (Cow::Borrowed(&self.world), self.later);
        let mut agent = named.start(&named.shown(&current), start, goal);
        let mut visits = Visits::default();
        let mut walk = Walk::new(&current, &*agent, max_moves, (scratch, &mut visits));
        track.trail.push(start);
        loop {
            // At the goal no move comes that an edit could come before.
            let next = self.schedule.before(place).filter(|_| agent.state() != goal);
            let has_ended =
                walk.go_on(&named.shown(&current), &mut *agent, next.map_or(u64::MAX, u64::from), |agent| {
                    track.trail.push(agent.state());
                    let subgoal = agent.subgoal().filter(|subgoal| track.subgoals.last() != Some(subgoal));
                    track.subgoals.extend(subgoal);
                });
            if has_ended {
                break;
            }
            if agent.state() == goal {
                continue;
            }
            let edited = self.schedule.edited(&current, place)?;
            if !edited.space().is_free(agent.state()) {
                return Err(self.schedule.closed_on_agent(&current, place, agent.state()));
            }
            if edited.scale() != current.scale() {
                track.cost += current.scale().to_f64(walk.take_cost());
            }
            (current, place) = (Cow::Owned(edited), place + 1);
        }
        let journey = walk.end(&*agent);
        track.cost += current.scale().to_f64(journey.cost);
        track.last = matches!(current, Cow::Owned(_)).then(|| current.into_owned());
        Ok(journey)
    }
}

/// Places that the text shows: the trail in lines of so many, and no more than so many lines.
const A_LINE: usize = 12;
const LINES: usize = 20;

fn render_text(world: &World, document: &Document, trail: &[StateId]) -> String {
    let mut text = String::new();
    let mut line = |what: &str, value: String| text.push_str(&format!("{what:<12}{value}\n"));
    line("status", document.status.replace('_', " "));
    if let Some(advice) = &document.why.advice {
        line("why", advice.clone());
    }
    if let Some(snapped) = document.snapped {
        line("snapped", snapped.map(|[x, y]| format!("{x},{y}")).join(" "));
    }
    if let Some(cost) = document.cost {
        line("cost", world.show_cost(cost, 6));
    }
    if let Some(optimum) = document.optimal_cost {
        line("optimal", world.show_cost(optimum, 6));
    }
    line("moves", count(document.moves));
    line("revisits", count(document.revisits));
    line("work", format!("{} at most in a step", counted(document.max_work, "unit")));
    line("thinking", format!("{} at most in a row", counted(document.max_thinking, "step")));
    let rule = document.rule.map_or(String::new(), |rule| format!(", {rule} moves"));
    line("agent", format!("{}{rule}", document.agent));
    if let Some(png) = &document.png {
        line("picture", png.clone());
    }
    if trail.is_empty() {
        return text;
    }
    text.push('\n');
    for places in trail.chunks(A_LINE).take(LINES) {
        let places: Vec<String> = places.iter().map(|state| world.place(*state).to_string()).collect();
        text.push_str(&format!("{}\n", places.join(" ")));
    }
    if let Some(more) = trail.len().checked_sub(A_LINE * LINES).filter(|more| *more > 0) {
        text.push_str(&format!("and {} more\n", count(more as u64)));
    }
    text
}

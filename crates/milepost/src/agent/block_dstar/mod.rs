//! D* Lite over connected pieces of 8 x 8 blocks of what the scout believes, a slice of it at every step.

mod arena;
mod blocks;
mod masks;
mod meter;
mod queue;
mod refine;
mod repair;
mod saved;
mod search;

use self::blocks::Terrain;
use self::meter::Meter;
use self::refine::{Field, Route};
use self::search::{DStar, Progress};
use super::errand::Errand;
use super::{Limits, Refused, Restoring, SavedAgentError, Saving, Scout, ScoutKind, Sensor, Step, Traveller};
use crate::core::{Budget, StateId};
use crate::plan::{Refusal, Scratch};
use crate::space::{Ground, Outline};

/// Scouts that search among pieces of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockDStar {
    /// Units that a step may take.
    units: u32,
}

impl BlockDStar {
    /// What a step takes at least.
    pub const LEAST_UNITS: u32 = 16;
    /// What a step takes unless it is told otherwise.
    pub const UNITS: u32 = 64;

    /// With so many units a step; none if they are too few.
    pub fn new(units: u32) -> Option<BlockDStar> {
        (units >= BlockDStar::LEAST_UNITS).then_some(BlockDStar { units })
    }

    /// A scout on this ground.
    pub fn start(&self, ground: Ground<'_>, from: StateId, to: StateId) -> BlockDStarScout {
        BlockDStarScout {
            kind: *self,
            errand: Errand::new(ground, from, to),
            search: None,
            field: None,
            gait: Gait::default(),
            searches: 0,
        }
    }
}

impl ScoutKind for BlockDStar {
    fn limits(&self) -> Limits {
        let min_units = u64::from(BlockDStar::LEAST_UNITS);
        Limits { min_units, max_units: self.units.into(), max_thinking: 0 }
    }

    fn refusal(&self, ground: Ground<'_>) -> Option<Refusal> {
        match ground {
            Ground::Graph(_) => Some(Refusal::Graph),
            Ground::Grid(_) => Refusal::of_scouts(ground),
        }
    }
}

/// How it walks while the search goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Gait {
    /// The direction of the last move.
    heading: usize,
    /// Moves along a wall since something was discovered.
    along_wall: u32,
    /// Turns for each try: 1 to the right, 7 to the left.
    turn: usize,
    /// The way back from a step aside.
    back: Option<usize>,
    /// Whether that step has left the piece that the search looks for a way from.
    is_away: bool,
}

/// A cell and its neighbours.
const NEAR: usize = 9;

/// Moves along a wall that a discovery allows.
const ALONG_WALL: u32 = 4;

/// A scout that searches among pieces of blocks.
#[derive(Clone, Debug)]
pub struct BlockDStarScout {
    kind: BlockDStar,
    errand: Errand,
    /// None before the first step and after a new goal.
    search: Option<Box<DStar>>,
    /// Where to go in the piece where it stands.
    field: Option<Field>,
    gait: Gait,
    /// Steps that searched.
    searches: u64,
}

impl BlockDStarScout {
    pub(crate) fn restore(bytes: &mut Restoring<'_>) -> Result<BlockDStarScout, SavedAgentError> {
        saved::restore(bytes)
    }

    /// No way leads through what is believed to be free. Whoever asks again lets it begin anew.
    fn give_up(&mut self) -> Step {
        (self.search, self.field, self.gait) = (None, None, Gait::default());
        self.errand.give_up()
    }

    /// Takes in what is seen, and makes the move that is best now.
    fn advance(&mut self, sensor: &dyn Sensor, outline: Outline, budget: &mut Budget) -> Step {
        let ground = Ground::Grid(outline);
        // Half of a step for what is new leaves half of it to think about it.
        self.errand.look(sensor, (budget.left() as usize / 2).max(NEAR), budget);
        let Errand { at, goal, ref belief, ref news, .. } = self.errand;
        let terrain = Terrain { outline, belief };
        if !news.is_empty() {
            self.gait.along_wall = 0;
        }
        if self.search.as_ref().is_some_and(|search| search.is_worn_out()) {
            self.search = None;
        }
        if !self.errand.is_possible(ground) {
            return self.give_up();
        }
        if at == goal {
            return Step::Arrived;
        }
        let search = self.search.get_or_insert_with(|| Box::new(DStar::new(terrain, at, goal)));
        for (cell, _) in news {
            search.note(terrain, *cell);
        }
        if !self.gait.is_away {
            search.stand(terrain, at);
        }
        let legal = self.errand.moves(ground).directions(outline, at);
        // One unit is for the move.
        let mut meter = Meter::new(budget.left() - 1);
        let before = meter.left();
        let cell = terrain.block(at).1;
        let progress = search.think(terrain, if self.gait.is_away { 0 } else { cell }, &mut meter);
        self.searches += u64::from(meter.left() < before);
        if progress == Progress::NoPath || legal == 0 {
            budget.charge(before - meter.left());
            return self.give_up();
        }
        let mut way = None;
        if progress == Progress::Ready && !self.gait.is_away {
            way = next_way(search, &mut self.field, terrain, cell, &mut meter)
                .filter(|way| legal >> way & 1 == 1);
        }
        budget.charge(before - meter.left() + 1);
        let way = match way {
            Some(way) => {
                self.gait.back = None;
                way
            }
            None if progress == Progress::Busy
                && self.gait.back.is_none()
                && self.gait.along_wall < ALONG_WALL =>
            {
                self.gait.follow_wall(legal)
            }
            None => {
                let inside =
                    if search.start.is_some() { search.pieces[search.start].cells } else { u64::MAX };
                self.gait.step_aside(legal, cell, inside)
            }
        };
        self.gait.heading = way;
        let (dx, dy) = masks::offset(way);
        let step = (dy * i64::from(outline.stride()) + dx) as u32;
        self.errand.at = StateId::new(at.number().wrapping_add(step));
        Step::Move(self.errand.at)
    }
}

/// Where to go from a cell to come to the next piece.
fn next_way(
    search: &mut DStar,
    field: &mut Option<Field>,
    terrain: Terrain<'_>,
    cell: u64,
    meter: &mut Meter,
) -> Option<usize> {
    let start = &search.pieces[search.start];
    let route = if search.start == search.goal {
        Some(Route::to_cell(start, search.target.1))
    } else {
        let via = start.via.is_some().then(|| &search.pieces[start.via]);
        via.and_then(|via| Some(Route::to_piece(start, search.blocks.way(start.place, via.place)?, via)))
    };
    let reached = route.and_then(|route| {
        if field.is_none_or(|field| field.route != route) {
            *field = Some(Field::new(route));
        }
        field.as_mut()?.reach(terrain, cell, meter)
    });
    match reached {
        Some(true) => field.and_then(|field| field.way(cell)),
        Some(false) => None,
        None => {
            // Cannot be, unless somebody has changed the bytes that this was restored from.
            *field = None;
            search.doubt(search.start);
            None
        }
    }
}

impl Gait {
    /// A move along the wall.
    fn follow_wall(&mut self, legal: u8) -> usize {
        let turns = |heading: usize, turn: usize| {
            (0..8).find(|turns| legal >> ((heading + turns * turn) & 7) & 1 == 1).unwrap_or(8)
        };
        if self.along_wall == 0 {
            self.turn = if turns(self.heading, 1) <= turns(self.heading, 7) { 1 } else { 7 };
        } else {
            // Towards the wall, to go round its end.
            self.heading = (self.heading + 16 - 2 * self.turn) & 7;
        }
        self.along_wall += 1;
        (self.heading + turns(self.heading, self.turn) * self.turn) & 7
    }

    /// A step aside, and back again: inside the piece if that can be.
    fn step_aside(&mut self, legal: u8, cell: u64, inside: u64) -> usize {
        if let Some(back) = self.back.take().filter(|back| legal >> back & 1 == 1) {
            self.is_away = false;
            return back;
        }
        self.is_away = false;
        let is_legal = |way: &usize| legal >> way & 1 == 1;
        let order = [0, 2, 4, 6, 1, 3, 5, 7];
        let in_piece = order.into_iter().filter(is_legal).find(|way| masks::moved(cell, *way) & inside != 0);
        let way = in_piece.or_else(|| order.into_iter().find(is_legal)).unwrap_or(0);
        self.is_away = in_piece.is_none();
        self.back = Some(masks::back(way));
        way
    }
}

impl Scout for BlockDStarScout {
    fn step(&mut self, sensor: &dyn Sensor, _: &mut Scratch, budget: &mut Budget) -> Step {
        let ground = sensor.ground();
        if let Err(refused) = self.errand.check(ground, self.kind.limits(), budget) {
            return Step::Refused(refused);
        }
        if let Some(refusal) = self.kind.refusal(ground) {
            return Step::Refused(Refused::Unable(refusal));
        }
        let Some(outline) = ground.as_grid() else { return Step::Refused(Refused::Unable(Refusal::Graph)) };
        let mut own = Budget::units(budget.left().min(self.kind.units.into()));
        let step = self.advance(sensor, outline, &mut own);
        budget.charge(own.spent());
        step
    }
}

impl Traveller for BlockDStarScout {
    fn retarget(&mut self, goal: StateId) {
        self.errand.goal = goal;
        self.search = None;
        self.field = None;
        self.gait = Gait::default();
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

    fn bytes(&self) -> usize {
        let search = self.search.as_ref().map_or(0, |search| {
            size_of::<DStar>()
                + search.blocks.bytes()
                + search.pieces.bytes()
                + search.queue.bytes()
                + search.stale.capacity() * size_of::<blocks::Place>()
        });
        size_of::<BlockDStarScout>() + self.errand.bytes() + search
    }

    fn remembered(&self) -> u64 {
        self.errand.belief.states()
    }

    fn searches(&self) -> Option<u64> {
        Some(self.searches)
    }

    fn save(&self, saving: &mut Saving) {
        saved::save(self, saving);
    }
}

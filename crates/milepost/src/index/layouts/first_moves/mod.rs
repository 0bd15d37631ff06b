//! For every pair of states the first move of a shortest path, ready to be looked up.
//!
//! # Layout
//! docs/index-format.md describes the arrays. Sources that lie together share a row, a *block*: a square of cells in
//! the form [`SQUARES`], 64 *lanes* that follow each other in the form [`LISTS`]. Where it is known without the table
//! that there is no path ([`Space::reach`]), and from a state to itself, symbols mean nothing.
//!
//! # Paper
//! The lookup table of the chapter "Precalculated pathfinding" of lecture notes on A* and lookup tables: for every pair
//! of nodes the first node of a path that is not its start. Rows of runs with wildcards follow A. Botea: Ultra-fast
//! optimal pathfinding without runtime search, AIIDE 2011; B. Strasser, D. Harabor, A. Botea: Fast first-move queries
//! through run-length encoding, SoCS 2014; the symbol for greedy moves M. Chiari, S. Zhao, A. Botea, A. Gerevini,
//! D. Harabor, A. Saetti, M. Salvetti, P. Stuckey: Cutting the size of compressed path databases with wildcards and
//! redundant symbols, ICAPS 2019. Rows for blocks of sources are ours.
//!
//! # Guarantees
//! A look-up takes constant time: no search, no allocation. Whatever the bytes are, it returns, and a move that it names
//! is one that the map allows.

pub(crate) mod greedy;
pub(crate) mod places;
pub(crate) mod rows;

use crate::core::StateId;
use crate::index::{Atlas, Corruption, IndexKind, Section};
use crate::space::{FIRST_LINK, Reach, Space};
use greedy::{bearing, greedy};
use places::{GridPlaces, MIXED, Patch, Place, Places};
use rows::{LANES, RowHead, Rows};
use std::hint::select_unpredictable;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Where to go now.
///
/// Shown by [`FirstMoves`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NextMove {
    /// Here is the goal.
    Arrived,
    /// To this state, by a move that the map allows: the first of a shortest path.
    Move(StateId),
    /// No path leads there, or one of the two is no free state.
    Unreachable,
    /// There are no first moves for this version of the map.
    NoIndex,
    /// The index names a move that the map does not allow: its bytes are not what the builder wrote. `milepost verify` tells more.
    Damaged,
}

/// What is at the head of the section.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Head {
    /// How moves are stored: [`RAW`], [`SQUARES`] or [`LISTS`].
    pub(crate) form: u32,
    /// Bytes of a move in raw form.
    pub(crate) move_bytes: u32,
    /// Free states.
    pub(crate) states: u32,
    /// Nothing.
    pub(crate) zero: u32,
}

/// The arrays that say where states stand.
pub(crate) const PLACES: [usize; 2] = [1, 2];
/// The array of first lanes.
pub(crate) const LANES_ARRAY: usize = 5;

/// One number for each pair of states.
pub(crate) const RAW: u32 = 0;
/// Rows for squares of 8 x 8 cells.
pub(crate) const SQUARES: u32 = 1;
/// Rows for 64 lanes that follow each other.
pub(crate) const LISTS: u32 = 2;

/// The symbol for greedy moves.
pub(crate) const GREEDY: usize = 8;
/// The symbol that says: there is no path.
pub(crate) const NO_PATH: usize = 15;
/// Links of a cell that have symbols.
pub(crate) const LINK_SYMBOLS: usize = NO_PATH - GREEDY - 1;
/// Digits of edge slots are below this.
pub(crate) const DIGIT_BASE: usize = NO_PATH;

/// The symbol of a link of a cell.
pub(crate) const fn link_symbol(link: usize) -> usize {
    GREEDY + 1 + link
}

/// The moves of a raw table.
#[derive(Clone, Copy, Debug)]
enum Raw<'a> {
    Bytes(&'a [u8]),
    Shorts(&'a [u16]),
}

impl Atlas {
    /// The first moves of shortest paths, if they have been worked out.
    #[inline(always)]
    pub fn first_moves(&self) -> Option<FirstMoves<'_>> {
        self.section(IndexKind::FIRST_MOVES).map(|section| FirstMoves::new(self.space(), section))
    }
}

impl Raw<'_> {
    /// The edge slot from one state towards another; `None` if there is no path.
    #[inline]
    fn slot(&self, place: usize) -> Option<usize> {
        match self {
            Raw::Bytes(slots) => {
                slots.get(place).filter(|&&slot| slot != u8::MAX).map(|&slot| usize::from(slot))
            }
            Raw::Shorts(slots) => {
                slots.get(place).filter(|&&slot| slot != u16::MAX).map(|&slot| usize::from(slot))
            }
        }
    }
}

/// How moves are stored.
#[derive(Clone, Copy, Debug)]
enum Table<'a> {
    Raw(Raw<'a>),
    Squares(Squares<'a>),
    Lists(Rows<'a>, &'a [u32]),
}

/// What a look-up on a grid reads.
#[derive(Clone, Copy, Debug)]
struct Squares<'a> {
    places: GridPlaces<'a>,
    rows: Rows<'a>,
}

/// First moves, ready to be read. Every method returns something for every state, whatever the bytes are.
///
/// ```
/// use milepost::index::{FirstMoves, IndexKind, NextMove, Towards};
/// use milepost::{Atlas, Grid, Point, Rule};
///
/// let grid = Grid::from_ascii(".....\n.@@@.\n...@.", Rule::Octile)?;
/// let atlas = Atlas::build(&grid, IndexKind::FIRST_MOVES)?;
/// let cell = |x, y| atlas.state_at(Point::new(x, y)).expect("inside the map");
/// let moves: FirstMoves<'_> = atlas.first_moves().expect("it was built");
/// let towards: Towards<'_> = moves.towards(cell(4, 2)); // for many units with one goal
/// let mut at = cell(2, 2);
/// while let NextMove::Move(next) = towards.next_move(at) {
///     at = next; // one look-up a move, no search
/// }
/// assert_eq!(at, cell(4, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FirstMoves<'a> {
    space: &'a Space,
    places: Places<'a>,
    table: Table<'a>,
}

/// The rows of a table that is not raw. Inlined, as all that an agent asks for at every step.
#[inline(always)]
fn rows<'a>(space: &Space, section: &'a Section) -> Rows<'a> {
    Rows::new(section.array(3), section.array(4), space.states())
}

impl Atlas {
    /// The first move of a shortest path from a state to a goal: one look-up, without a search, scratch memory or
    /// allocation. Reads the index `first-moves`; a loop over many moves may keep [`Atlas::first_moves`] at hand.
    #[inline]
    pub fn next_move(&self, state: StateId, goal: StateId) -> NextMove {
        self.first_moves().map_or(NextMove::NoIndex, |moves| moves.next_move(state, goal))
    }
}

impl<'a> FirstMoves<'a> {
    /// A section that [`FirstMoves::check`] has accepted.
    #[inline(always)]
    pub(crate) fn new(space: &'a Space, section: &'a Section) -> FirstMoves<'a> {
        let head = section.array::<Head>(0).first().copied().unwrap_or_default();
        let places = Places::new(space, section, PLACES);
        let table = match (head.form, places) {
            (SQUARES, Places::Grid(places)) => Table::Squares(Squares { places, rows: rows(space, section) }),
            (RAW, _) if head.move_bytes == 1 => Table::Raw(Raw::Bytes(section.array(3))),
            (RAW, _) => Table::Raw(Raw::Shorts(section.array(3))),
            _ => Table::Lists(rows(space, section), section.array(LANES_ARRAY)),
        };
        FirstMoves { space, places, table }
    }

    /// Whether a section can hold the first moves of a space: its head, the lengths of its arrays, its numbers, and where
    /// its rows are.
    pub(crate) fn check(space: &Space, section: &Section) -> Result<(), Corruption> {
        let head = section.exactly::<Head>(0, 1)?[0];
        let (states, is_grid) = (space.states() as usize, space.as_grid().is_some());
        let is_known = match head.form {
            RAW => matches!(head.move_bytes, 1 | 2),
            SQUARES => head.move_bytes == 0 && is_grid,
            form => head.move_bytes == 0 && form == LISTS,
        };
        if !is_known || head.states != space.states() || head.zero != 0 {
            let expected = format!("a known form of a table for {states} states");
            return Err(Corruption::at(section.offset(0), expected, format!("{head:?}")));
        }
        Places::check(space, section, PLACES)?;
        let pairs = states.saturating_mul(states);
        let lanes = || section.array::<u32>(LANES_ARRAY);
        let places = match head.form {
            RAW if head.move_bytes == 1 => return section.exactly::<u8>(3, pairs).map(drop),
            RAW => return section.exactly::<u16>(3, pairs).map(drop),
            SQUARES => section.array::<Patch>(PLACES[1]).len(),
            _ if lanes().is_empty() => states.div_ceil(LANES),
            _ => check_lanes(section, states)?.div_ceil(LANES),
        };
        let heads = section.exactly::<RowHead>(3, places)?;
        Rows::new(heads, section.array(4), space.states()).check(section, 3)
    }

    /// The first move of a shortest path from a state to a goal. Always inlined: what is read of the table's shape can
    /// then stay in registers from one look-up to the next.
    #[inline(always)]
    pub fn next_move(&self, state: StateId, goal: StateId) -> NextMove {
        match &self.table {
            Table::Squares(squares) => match squares.step(state, goal) {
                Some(next) => NextMove::Move(next),
                None => squares.next_move(self.space, state, goal),
            },
            _ => self.next_by_number(state, goal),
        }
    }

    /// The first moves to one goal: quicker where many states ask for it.
    #[inline]
    pub fn towards(&self, goal: StateId) -> Towards<'a> {
        let place = match &self.table {
            Table::Squares(squares) => squares.places.cell(goal),
            _ => None,
        };
        Towards { moves: *self, goal, place }
    }

    /// The symbols of all patterns that a row names; `None` if there is no such row, or one that names what is not there.
    pub(crate) fn patterns(&self, row: usize) -> Option<Vec<[usize; LANES]>> {
        match &self.table {
            Table::Raw(_) => None,
            Table::Squares(squares) => squares.rows.patterns(row),
            Table::Lists(rows, _) => rows.patterns(row),
        }
    }

    /// A row taken apart: of the square that a state lies in, or of the block with this number where blocks are no
    /// squares. `None` if there is no such row.
    pub(crate) fn row_parts(&self, row: usize, state: StateId) -> Option<rows::RowParts> {
        match &self.table {
            Table::Raw(_) => None,
            Table::Squares(squares) => squares.rows.parts(squares.places.patch(state)?),
            Table::Lists(rows, _) => rows.parts(row),
        }
    }

    /// The states by their numbers.
    pub(crate) fn order(&self) -> Vec<StateId> {
        let mut order = vec![StateId::NONE; self.space.states() as usize];
        for state in self.space.free_states() {
            if let Some(place) = self.places.number(state).and_then(|number| order.get_mut(number as usize)) {
                *place = state;
            }
        }
        order
    }

    /// The edge slot that a raw table names.
    pub(crate) fn raw_slot(&self, state: StateId, goal: StateId) -> Option<usize> {
        let (from, to) = (self.places.number(state)?, self.places.number(goal)?);
        let Table::Raw(raw) = &self.table else { return None };
        raw.slot(from as usize * self.space.states() as usize + to as usize)
    }

    /// The same where a state's number is all that matters.
    #[inline(never)]
    fn next_by_number(&self, state: StateId, goal: StateId) -> NextMove {
        let (Some(from), Some(to)) = (self.places.number(state), self.places.number(goal)) else {
            return NextMove::Unreachable;
        };
        if state == goal {
            return NextMove::Arrived;
        }
        let slot = match &self.table {
            Table::Raw(raw) => {
                let place = from as usize * self.space.states() as usize + to as usize;
                let Some(slot) = raw.slot(place) else { return NextMove::Unreachable };
                Some(slot)
            }
            Table::Lists(..) if self.space.reach(state, goal) == Reach::Never => {
                return NextMove::Unreachable;
            }
            Table::Lists(rows, lanes) => match slot_of_digits(rows, lanes, from, to) {
                Some(None) => return NextMove::Unreachable,
                Some(slot) => slot,
                None => None,
            },
            Table::Squares(_) => None,
        };
        slot.and_then(|slot| self.space.successor_at(state, slot)).map_or(NextMove::Damaged, NextMove::Move)
    }
}

/// First moves to one goal, ready to be read.
///
/// Shown by [`FirstMoves`].
#[derive(Clone, Copy, Debug)]
pub struct Towards<'a> {
    moves: FirstMoves<'a>,
    goal: StateId,
    /// Where the goal stands, in tables that ask for it.
    place: Option<Place>,
}

impl Towards<'_> {
    /// As [`FirstMoves::next_move`].
    #[inline]
    pub fn next_move(&self, state: StateId) -> NextMove {
        let (Table::Squares(squares), Some(to)) = (&self.moves.table, self.place) else {
            return self.moves.next_move(state, self.goal);
        };
        let next = squares.places.cell(state).and_then(|from| squares.step_to(state, from, self.goal, to));
        match next {
            Some(next) => NextMove::Move(next),
            None => squares.next_move(self.moves.space, state, self.goal),
        }
    }
}

/// The edge slot that the digits of a state's lanes say, or that there is no path; `None` if the table is damaged.
fn slot_of_digits(rows: &Rows<'_>, lanes: &[u32], from: u32, to: u32) -> Option<Option<usize>> {
    let (first, end) = match lanes.get(from as usize..) {
        _ if lanes.is_empty() => (from, from + 1),
        Some([first, end, ..]) => (*first, *end),
        _ => return None,
    };
    let mut slot = 0_usize;
    for lane in (first..end).rev().map(|lane| lane as usize) {
        let digit = rows.symbol(lane / LANES, lane % LANES, to)?;
        if digit == NO_PATH {
            return Some(None);
        }
        slot = slot.saturating_mul(DIGIT_BASE).saturating_add(digit);
    }
    Some(Some(slot))
}

/// Whether lanes begin at 0 and every state has one to eight of them; how many there are.
fn check_lanes(section: &Section, states: usize) -> Result<usize, Corruption> {
    let lanes = section.exactly::<u32>(LANES_ARRAY, states + 1)?;
    let are_sound =
        lanes[0] == 0 && lanes.windows(2).all(|pair| (1..=8).contains(&pair[1].wrapping_sub(pair[0])));
    if !are_sound {
        return Err(Corruption::at(
            section.offset(LANES_ARRAY),
            "one to eight lanes for each state",
            "others",
        ));
    }
    Ok(lanes[states] as usize)
}

impl Squares<'_> {
    /// The first step, where it is one towards another cell of the same component: nearly always. No branch in it but
    /// those to `None`: others could not be foreseen.
    #[inline(always)]
    fn step(&self, state: StateId, goal: StateId) -> Option<StateId> {
        let from = self.places.cell(state)?;
        self.step_to(state, from, goal, self.places.cell(goal)?)
    }

    #[inline(always)]
    fn step_to(&self, state: StateId, from: Place, goal: StateId, to: Place) -> Option<StateId> {
        if from.component != to.component || from.component == MIXED || state == goal {
            return None;
        }
        let symbol = self.rows.symbol(from.patch, from.lane, to.number)?;
        let greedy = greedy(from.allowed, bearing(to.column - from.column, to.row - from.row));
        let direction = select_unpredictable(symbol == GREEDY, greedy, symbol);
        let is_allowed = u32::from(from.allowed) >> direction & 1 == 1;
        is_allowed.then(|| self.places.grid().neighbour(state, direction))
    }

    /// The same with all that may be the case.
    #[cold]
    #[inline(never)]
    fn next_move(&self, space: &Space, state: StateId, goal: StateId) -> NextMove {
        let (Some(from), Some(to)) = (self.places.cell(state), self.places.cell(goal)) else {
            return NextMove::Unreachable;
        };
        if state == goal {
            return NextMove::Arrived;
        }
        let is_joined = from.component == to.component && from.component != MIXED;
        if !is_joined && space.reach(state, goal) == Reach::Never {
            return NextMove::Unreachable;
        }
        let Some(symbol) = self.rows.symbol(from.patch, from.lane, to.number) else {
            return NextMove::Damaged;
        };
        if symbol > GREEDY {
            return beyond_steps(space, state, symbol);
        }
        let bearing = bearing(to.column - from.column, to.row - from.row);
        let direction = if symbol < GREEDY { symbol } else { greedy(from.allowed, bearing) };
        if u32::from(from.allowed) >> direction & 1 == 0 {
            return NextMove::Damaged;
        }
        NextMove::Move(self.places.grid().neighbour(state, direction))
    }
}

/// A symbol of a cell that is no step.
fn beyond_steps(space: &Space, state: StateId, symbol: usize) -> NextMove {
    if symbol == NO_PATH {
        return NextMove::Unreachable;
    }
    let link = FIRST_LINK + symbol - link_symbol(0);
    space.successor_at(state, link).map_or(NextMove::Damaged, NextMove::Move)
}

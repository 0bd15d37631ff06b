//! The scout as bytes.
//!
//! Pieces are numbered anew for that, block by block in the order of the map, so that the same scout is the same bytes
//! however its memory lies. Every number is checked when it comes back: a scout from bytes that somebody has changed may
//! walk astray, but it neither panics nor loops.

use super::blocks::{Blocks, INFINITE, PieceId, Pieces, Place};
use super::gait::Gait;
use super::queue::{KEY_BOUND, Queue};
use super::refine::{Exit, Field, Route};
use super::repair::{Repair, Stage};
use super::search::{DStar, FARTHEST, Task, TaskKind};
use super::{BlockDStar, BlockDStarScout, patience};
use crate::agent::errand::Errand;
use crate::agent::{Restoring, SavedAgentError, Saving};
use crate::space::GridGeometry;

const DAMAGED: SavedAgentError = SavedAgentError::Damaged;

/// A number below a bound.
fn below(saved: &mut Restoring<'_>, bound: u32) -> Result<u32, SavedAgentError> {
    saved.u32().and_then(|number| if number < bound { Ok(number) } else { Err(DAMAGED) })
}

pub(super) fn save(scout: &BlockDStarScout, saving: &mut Saving) {
    saving.u32(scout.kind.units);
    scout.errand.save(saving);
    saving.u64(scout.searches);
    let Gait { heading, along_wall, hopeful, turn, back, is_away } = scout.gait;
    let back = back.map_or(8, |back| back as u32);
    for number in [heading as u32, along_wall, hopeful, turn as u32, back, is_away.into()] {
        saving.u32(number);
    }
    saving.u64(scout.idle);
    saving.u32(scout.search.is_some().into());
    if let Some(search) = &scout.search {
        save_search(search, saving);
        saving.u32(scout.field.is_some().into());
        if let Some(field) = &scout.field {
            save_field(field, search, saving);
        }
    }
}

pub(super) fn restore(saved: &mut Restoring<'_>) -> Result<BlockDStarScout, SavedAgentError> {
    let kind = BlockDStar::new(saved.u32()?).ok_or(DAMAGED)?;
    let errand = Errand::restore(saved)?;
    let searches = saved.u64()?;
    let gait = Gait {
        heading: below(saved, 8)? as usize,
        along_wall: saved.u32()?,
        hopeful: saved.u32()?,
        turn: below(saved, 8)? as usize,
        back: Some(below(saved, 9)? as usize).filter(|back| *back < 8),
        is_away: below(saved, 2)? == 1,
    };
    let idle = saved.u64()?;
    if errand.outline().is_some_and(|outline| idle > patience(outline) + 1) {
        return Err(DAMAGED);
    }
    let mut scout = BlockDStarScout { kind, errand, search: None, field: None, gait, idle, searches };
    if below(saved, 2)? == 1 {
        let outline = scout.errand.outline().ok_or(DAMAGED)?;
        let mut search = restore_search(outline, saved)?;
        if below(saved, 2)? == 1 {
            scout.field = Some(restore_field(outline, &mut search.blocks, saved)?);
        }
        scout.search = Some(Box::new(search));
    }
    Ok(scout)
}

/// The numbers that pieces are saved by.
struct Numbers(Vec<u32>);

impl Numbers {
    fn of(&self, piece: PieceId) -> u32 {
        if piece.is_some() { self.0[piece.0 as usize] } else { piece.0 }
    }
}

/// A piece by the number that it was saved by.
fn piece(saved: &mut Restoring<'_>, count: u32) -> Result<PieceId, SavedAgentError> {
    let piece = PieceId(saved.u32()?);
    if piece.is_some() && piece.0 >= count { Err(DAMAGED) } else { Ok(piece) }
}

fn save_place(blocks: &Blocks, place: Place, saving: &mut Saving) {
    let (x, y) = blocks.at(place);
    saving.u32(x);
    saving.u32(y);
}

fn restore_block(outline: GridGeometry, saved: &mut Restoring<'_>) -> Result<(u32, u32), SavedAgentError> {
    Ok((below(saved, (outline.width() >> 3) + 1)?, below(saved, (outline.height() >> 3) + 1)?))
}

fn restore_place(
    outline: GridGeometry,
    blocks: &mut Blocks,
    saved: &mut Restoring<'_>,
) -> Result<Place, SavedAgentError> {
    let block = restore_block(outline, saved)?;
    Ok(blocks.place(outline, block))
}

/// The pieces of a list, the first one first.
fn list(pieces: &Pieces, first: PieceId) -> impl Iterator<Item = PieceId> {
    let known = |piece: PieceId| Some(piece).filter(|piece| piece.is_some());
    std::iter::successors(known(first), move |piece| known(pieces[*piece].next))
}

fn save_search(search: &DStar, saving: &mut Saving) {
    let DStar { blocks, pieces, queue, km, origin, here, start, goal, target, stale, repair, task } = search;
    let met: Vec<Place> = blocks.met().filter(|place| blocks.first(*place) != PieceId::UNKNOWN).collect();
    let old = repair.map_or(PieceId::NONE, |repair| repair.old);
    let lists = || met.iter().map(|place| blocks.first(*place)).chain([old]);
    let mut numbers = Numbers(vec![u32::MAX; pieces.bound() as usize]);
    for (piece, number) in lists().flat_map(|first| list(pieces, first)).zip(0..) {
        numbers.0[piece.0 as usize] = number;
    }
    for number in [*km, origin.0, origin.1, here.0, here.1, target.0.0, target.0.1] {
        saving.u32(number);
    }
    saving.u64(target.1);
    saving.u32(pieces.len());
    saving.u32(met.len() as u32);
    for (place, first) in met.iter().map(Some).chain([None]).zip(lists()) {
        if let Some(place) = place {
            save_place(blocks, *place, saving);
        }
        saving.u32(list(pieces, first).count() as u32);
        for piece in list(pieces, first) {
            let record = &pieces[piece];
            saving.u64(record.cells);
            saving.u32(record.g);
            saving.u32(record.rhs);
            saving.u32(numbers.of(record.via));
        }
    }
    let order = queue.in_order();
    saving.u32(order.len() as u32);
    for (piece, key) in order {
        saving.u32(numbers.of(piece));
        saving.u32(key);
    }
    saving.u32(numbers.of(*start));
    saving.u32(numbers.of(*goal));
    saving.u32(stale.len() as u32);
    for place in stale {
        save_place(blocks, *place, saving);
    }
    saving.u32(repair.is_some().into());
    if let Some(Repair { place, rest, changed, stage, .. }) = repair {
        save_place(blocks, *place, saving);
        saving.u64(*rest);
        saving.u64(*changed);
        let (code, next) = match stage {
            Stage::Ask(way, next) => (*way as u32, *next),
            Stage::Divide => (10, PieceId::NONE),
            Stage::Meet => (11, PieceId::NONE),
        };
        saving.u32(code);
        saving.u32(numbers.of(next));
    }
    saving.u32(task.map_or(3, |task| task.kind as u32));
    if let Some(task) = task {
        saving.u32(numbers.of(task.of));
        saving.u32(task.way as u32);
        saving.u32(numbers.of(task.next));
        saving.u32(task.best.0);
        saving.u32(numbers.of(task.best.1));
    }
}

/// Pieces of one list, which are given the numbers that follow.
fn restore_list(
    pieces: &mut Pieces,
    place: Place,
    count: u32,
    saved: &mut Restoring<'_>,
) -> Result<PieceId, SavedAgentError> {
    let (mut first, mut last, mut union) = (PieceId::NONE, PieceId::NONE, 0);
    for _ in 0..below(saved, 65)? {
        let cells = saved.u64()?;
        let new = pieces.add(cells, place);
        let record = &mut pieces[new];
        record.g = below(saved, INFINITE + 1)?;
        record.rhs = below(saved, INFINITE + 1)?;
        record.via = piece(saved, count)?;
        if cells & union != 0 {
            return Err(DAMAGED);
        }
        union |= cells;
        if last.is_some() {
            pieces[last].next = new;
        } else {
            first = new;
        }
        last = new;
    }
    Ok(first)
}

fn restore_search(outline: GridGeometry, saved: &mut Restoring<'_>) -> Result<DStar, SavedAgentError> {
    let km = below(saved, 2 * FARTHEST)?;
    let (origin, here) = (restore_block(outline, saved)?, restore_block(outline, saved)?);
    let target = (restore_block(outline, saved)?, saved.u64()?);
    let count = below(saved, PieceId::UNKNOWN.0)?;
    let (mut blocks, mut pieces, mut queue) = (Blocks::new(), Pieces::new(), Queue::new());
    for _ in 0..saved.u32()? {
        let place = restore_place(outline, &mut blocks, saved)?;
        if blocks.first(place) != PieceId::UNKNOWN {
            return Err(DAMAGED);
        }
        let first = restore_list(&mut pieces, place, count, saved)?;
        blocks.set_first(place, first);
        if list(&pieces, first).any(|piece| pieces[piece].cells == 0) {
            return Err(DAMAGED);
        }
    }
    // Where the old pieces of a block in repair lie is told later.
    let old = restore_list(&mut pieces, Place(0), count, saved)?;
    if pieces.len() != count {
        return Err(DAMAGED);
    }
    let mut order = Vec::new();
    for _ in 0..saved.u32()? {
        let (open, key) = (piece(saved, count)?, below(saved, KEY_BOUND)?);
        if !open.is_some() || order.last().is_some_and(|(_, before)| *before > key) {
            return Err(DAMAGED);
        }
        order.push((open, key));
    }
    for (open, key) in order.into_iter().rev() {
        if pieces[open].is_open() {
            return Err(DAMAGED);
        }
        queue.insert(&mut pieces, open, key);
    }
    let (start, goal) = (piece(saved, count)?, piece(saved, count)?);
    let mut stale = Vec::new();
    for _ in 0..saved.u32()? {
        let place = restore_place(outline, &mut blocks, saved)?;
        if !blocks.set_stale(place) {
            return Err(DAMAGED);
        }
        stale.push(place);
    }
    let mut search = DStar {
        blocks,
        pieces,
        queue,
        km,
        origin,
        here,
        start,
        goal,
        target,
        stale,
        repair: None,
        task: None,
    };
    if below(saved, 2)? == 1 {
        search.repair = Some(restore_repair(outline, &mut search, old, count, saved)?);
    } else if old.is_some() {
        return Err(DAMAGED);
    }
    search.task = restore_task(count, saved)?;
    Ok(search)
}

fn restore_repair(
    outline: GridGeometry,
    search: &mut DStar,
    old: PieceId,
    count: u32,
    saved: &mut Restoring<'_>,
) -> Result<Repair, SavedAgentError> {
    let place = restore_place(outline, &mut search.blocks, saved)?;
    let (rest, changed) = (saved.u64()?, saved.u64()?);
    let (code, next) = (below(saved, 12)?, piece(saved, count)?);
    let mut dead = old;
    while dead.is_some() {
        search.pieces[dead].place = place;
        dead = search.pieces[dead].next;
    }
    let first = search.blocks.first(place);
    let held = list(&search.pieces, first).fold(0, |cells, piece| cells | search.pieces[piece].cells);
    if first == PieceId::UNKNOWN || held & rest != 0 {
        return Err(DAMAGED);
    }
    let last = list(&search.pieces, first).last().unwrap_or(PieceId::NONE);
    let stage = match code {
        10 => Stage::Divide,
        11 => Stage::Meet,
        way => Stage::Ask(way as usize, next),
    };
    Ok(Repair { place, rest, old, last, changed, stage })
}

fn restore_task(count: u32, saved: &mut Restoring<'_>) -> Result<Option<Task>, SavedAgentError> {
    let kind = match below(saved, 4)? {
        0 => TaskKind::Lower,
        1 => TaskKind::Raise,
        2 => TaskKind::Evaluate,
        _ => return Ok(None),
    };
    let (of, way, next) = (piece(saved, count)?, below(saved, 9)? as usize, piece(saved, count)?);
    let best = (below(saved, INFINITE + 1)?, piece(saved, count)?);
    if of.is_some() { Ok(Some(Task { kind, of, way, next, best })) } else { Err(DAMAGED) }
}

fn save_field(field: &Field, search: &DStar, saving: &mut Saving) {
    let Field { route, ways, rest, hops, edge } = field;
    save_place(&search.blocks, route.place, saving);
    saving.u64(route.cells);
    let (code, cells) = match route.exit {
        Exit::Next { way, cells } => (way as u32, cells),
        Exit::Cell(cell) => (8, cell),
    };
    saving.u32(code);
    saving.u64(cells);
    for cells in ways.iter().chain([rest, edge]) {
        saving.u64(*cells);
    }
    saving.u32(*hops);
}

fn restore_field(
    outline: GridGeometry,
    blocks: &mut Blocks,
    saved: &mut Restoring<'_>,
) -> Result<Field, SavedAgentError> {
    let (place, cells) = (restore_place(outline, blocks, saved)?, saved.u64()?);
    let (code, beyond) = (below(saved, 9)? as usize, saved.u64()?);
    let exit = if code == 8 { Exit::Cell(beyond) } else { Exit::Next { way: code, cells: beyond } };
    let mut ways = [0; 8];
    for cells in &mut ways {
        *cells = saved.u64()?;
    }
    let (rest, edge) = (saved.u64()?, saved.u64()?);
    // More moves than any way inside a block takes.
    let hops = below(saved, 1 << 10)?;
    Ok(Field { route: Route { place, cells, exit }, ways, rest, hops, edge })
}

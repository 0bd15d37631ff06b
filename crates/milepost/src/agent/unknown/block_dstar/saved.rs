//! The search as it is saved.
//!
//! Components are numbered anew for that, block by block in the order of the map, so that the same agent is the same bytes
//! however its memory lies. A search from a forged save may lead astray, but every number in it is one of a component, a
//! block or a direction, and no list leads in a circle.

use super::blocks::{BlockId, Blocks, ComponentId, Components, INFINITE, is_block};
use super::queue::{KEY_BOUND, Queue};
use super::repair::{Repair, Stage};
use super::search::{DStar, FARTHEST, Task};
use crate::space::GridGeometry;
use serde::{Deserialize, Serialize, Serializer};

/// A block, by its column and row among blocks.
type Position = (u32, u32);

/// A search, without the pages that its records lie in.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedSearch {
    geometry: GridGeometry,
    km: u32,
    origin: Position,
    here: Position,
    target: (Position, u64),
    start: ComponentId,
    goal: ComponentId,
    /// The blocks that were met, in the order of the map, and their components.
    blocks: Vec<(Position, Vec<SavedComponent>)>,
    /// The old components of the block that is being divided.
    old: Vec<SavedComponent>,
    /// The open list, the first one first, with their keys.
    open: Vec<(ComponentId, u32)>,
    stale: Vec<Position>,
    repair: Option<SavedRepair>,
    task: Option<Task>,
}

#[derive(Serialize, Deserialize)]
struct SavedComponent {
    cells: u64,
    g: u32,
    rhs: u32,
    successor: ComponentId,
}

#[derive(Serialize, Deserialize)]
struct SavedRepair {
    block: Position,
    rest: u64,
    changed: u64,
    stage: Stage,
}

impl Serialize for DStar {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        SavedSearch::from(self).serialize(to)
    }
}

/// The components of a list, the first one first.
fn list(components: &Components, first: ComponentId) -> impl Iterator<Item = ComponentId> {
    let known = |component: ComponentId| Some(component).filter(|component| component.is_some());
    std::iter::successors(known(first), move |component| known(components[*component].next))
}

impl From<&DStar> for SavedSearch {
    fn from(search: &DStar) -> SavedSearch {
        let DStar { blocks, components, .. } = search;
        let is_met = |block: &BlockId| blocks.first(*block) != ComponentId::UNKNOWN;
        let met: Vec<BlockId> = blocks.met().filter(is_met).collect();
        let old = search.repair.map_or(ComponentId::NONE, |repair| repair.old);
        let firsts = met.iter().map(|block| blocks.first(*block)).chain([old]);
        let mut numbers = vec![u32::MAX; components.bound() as usize];
        for (component, number) in firsts.flat_map(|first| list(components, first)).zip(0..) {
            numbers[component.0 as usize] = number;
        }
        let number = |of: ComponentId| if of.is_some() { ComponentId(numbers[of.0 as usize]) } else { of };
        let saved_list = |first: ComponentId| {
            let saved = |component: ComponentId| {
                let record = &components[component];
                let (cells, g, rhs) = (record.cells, record.g, record.rhs);
                SavedComponent { cells, g, rhs, successor: number(record.successor) }
            };
            list(components, first).map(saved).collect()
        };
        let saved_repair = |repair: Repair| SavedRepair {
            block: blocks.at(repair.block),
            rest: repair.rest,
            changed: repair.changed,
            stage: match repair.stage {
                Stage::Ask(direction, next) => Stage::Ask(direction, number(next)),
                stage => stage,
            },
        };
        let saved_task = |task: Task| Task {
            of: number(task.of),
            next: number(task.next),
            best: (task.best.0, number(task.best.1)),
            ..task
        };
        SavedSearch {
            geometry: search.geometry,
            km: search.km,
            origin: search.origin,
            here: search.here,
            target: search.target,
            start: number(search.start),
            goal: number(search.goal),
            blocks: met.iter().map(|block| (blocks.at(*block), saved_list(blocks.first(*block)))).collect(),
            old: saved_list(old),
            open: search.queue.in_order().into_iter().map(|(open, key)| (number(open), key)).collect(),
            stale: search.stale.iter().map(|block| blocks.at(*block)).collect(),
            repair: search.repair.map(saved_repair),
            task: search.task.map(saved_task),
        }
    }
}

/// What is wrong with a saved search; users read that the save is damaged.
const DAMAGED: &str = "the search is damaged";

fn demand(holds: bool) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(DAMAGED) }
}

/// Components of one block, which are given the numbers that follow. Returns the first of them.
fn restore_list(
    components: &mut Components,
    block: BlockId,
    saved: Vec<SavedComponent>,
) -> Result<ComponentId, &'static str> {
    demand(saved.len() <= 64)?;
    let (mut first, mut last, mut union) = (ComponentId::NONE, ComponentId::NONE, 0);
    for SavedComponent { cells, g, rhs, successor } in saved {
        demand(g <= INFINITE && rhs <= INFINITE && cells & union == 0)?;
        union |= cells;
        let new = components.add(cells, block);
        let record = &mut components[new];
        (record.g, record.rhs, record.successor) = (g, rhs, successor);
        if last.is_some() {
            components[last].next = new;
        } else {
            first = new;
        }
        last = new;
    }
    Ok(first)
}

impl TryFrom<SavedSearch> for DStar {
    type Error = &'static str;

    fn try_from(saved: SavedSearch) -> Result<DStar, &'static str> {
        let SavedSearch { geometry, km, origin, here, target, start, goal, .. } = saved;
        demand(km < 2 * FARTHEST && [origin, here, target.0].iter().all(|at| is_block(geometry, *at)))?;
        let (mut blocks, mut components, mut queue) = (Blocks::new(), Components::new(), Queue::new());
        for (at, list) in saved.blocks {
            demand(is_block(geometry, at) && list.iter().all(|component| component.cells != 0))?;
            let block = blocks.id(geometry, at);
            demand(blocks.first(block) == ComponentId::UNKNOWN)?;
            let first = restore_list(&mut components, block, list)?;
            blocks.set_first(block, first);
        }
        let mut repair = None;
        if let Some(SavedRepair { block: at, rest, changed, stage }) = saved.repair {
            demand(is_block(geometry, at))?;
            let block = blocks.id(geometry, at);
            let old = restore_list(&mut components, block, saved.old)?;
            let first = blocks.first(block);
            let held = list(&components, first).fold(0, |cells, of| cells | components[of].cells);
            demand(first != ComponentId::UNKNOWN && held & rest == 0)?;
            let last = list(&components, first).last().unwrap_or(ComponentId::NONE);
            repair = Some(Repair { block, rest, old, last, changed, stage });
        } else {
            demand(saved.old.is_empty())?;
        }
        let is_component = |of: ComponentId| !of.is_some() || of.0 < components.len();
        let successors = (0..components.len()).map(|of| components[ComponentId(of)].successor);
        demand(successors.chain([start, goal]).all(is_component))?;
        if let Some(Repair { stage: Stage::Ask(direction, next), .. }) = repair {
            demand(direction <= 9 && is_component(next))?;
        }
        if let Some(Task { of, direction, next, best, .. }) = saved.task {
            demand(of.is_some() && direction <= 8 && best.0 <= INFINITE)?;
            demand([of, next, best.1].into_iter().all(is_component))?;
        }
        demand(saved.open.is_sorted_by_key(|(_, key)| *key))?;
        for (open, key) in saved.open.into_iter().rev() {
            demand(open.is_some() && open.0 < components.len() && key < KEY_BOUND)?;
            demand(!components[open].is_open())?;
            queue.insert(&mut components, open, key);
        }
        let mut stale = Vec::new();
        for at in saved.stale {
            demand(is_block(geometry, at))?;
            let block = blocks.id(geometry, at);
            demand(blocks.set_stale(block))?;
            stale.push(block);
        }
        let task = saved.task;
        Ok(DStar {
            geometry,
            blocks,
            components,
            queue,
            km,
            origin,
            here,
            start,
            goal,
            target,
            stale,
            repair,
            task,
        })
    }
}

//! The blocks of 8 x 8 cells that the search has met, and their components: connected sets of cells that are believed to be
//! free.
//!
//! Blocks lie in pages of 8 x 8 blocks that know their neighbours, so that from a block to the next one there is nothing
//! to look up. Memory follows the blocks that were met.

use super::arena::Arena;
use super::masks::{border, facing, flood, flood_hexagons, hexagons, is_diagonal, moved, offset};
use super::queue::NO_ENTRY;
use crate::core::{RadixMap, StateId};
use crate::space::{Belief, DirectionSet, GridGeometry, PriorMap, Rule, blocked_or_outside};
use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};

/// A component of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct ComponentId(pub(super) u32);

impl ComponentId {
    pub(super) const NONE: ComponentId = ComponentId(u32::MAX);
    /// In place of the first component of a block that the search has not met yet; as the next component on the way to the
    /// goal where it has to be found out; as a mark in lists before the first component.
    pub(super) const UNKNOWN: ComponentId = ComponentId(u32::MAX - 1);

    /// Whether this is a component.
    #[inline]
    pub(super) fn is_some(self) -> bool {
        self.0 < ComponentId::UNKNOWN.0
    }
}

/// A block that was met: the number of its page and its place on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockId(pub(super) u32);

impl BlockId {
    #[inline]
    fn new(page: u32, slot: usize) -> BlockId {
        BlockId(page << 6 | slot as u32)
    }

    #[inline]
    fn page(self) -> u32 {
        self.0 >> 6
    }

    #[inline]
    fn slot(self) -> usize {
        self.0 as usize & 63
    }
}

/// The cost of going on from a component where none does.
pub(super) const INFINITE: u32 = 1 << 30;

/// Connected cells of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Component {
    pub(super) cells: u64,
    pub(super) block: BlockId,
    /// The next one of its block: those with higher lowest cells come later.
    pub(super) next: ComponentId,
    /// The cost from here to the goal as it was when this component was expanded last.
    pub(super) g: u32,
    /// The cost by the best neighbour; while `successor` is unknown the true one is at least this.
    pub(super) rhs: u32,
    /// That neighbour.
    pub(super) successor: ComponentId,
    /// Its entry in the open list.
    pub(super) entry: u32,
}

impl Component {
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.entry != NO_ENTRY
    }
}

/// The records of all components.
#[derive(Clone, Debug)]
pub(super) struct Components {
    records: Arena<Component, 32>,
    /// The first one that is free; its `next` is the next of them.
    unused: ComponentId,
    len: u32,
}

impl Index<ComponentId> for Components {
    type Output = Component;

    #[inline]
    fn index(&self, component: ComponentId) -> &Component {
        self.records.at(component.0)
    }
}

impl IndexMut<ComponentId> for Components {
    #[inline]
    fn index_mut(&mut self, component: ComponentId) -> &mut Component {
        self.records.at_mut(component.0)
    }
}

impl Components {
    pub(super) fn new() -> Components {
        Components { records: Arena::new(), unused: ComponentId::NONE, len: 0 }
    }

    /// Components that there are.
    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Numbers that were given out.
    pub(super) fn bound(&self) -> u32 {
        self.records.len()
    }

    /// A new component, from which nothing is known to lead to the goal.
    pub(super) fn add(&mut self, cells: u64, block: BlockId) -> ComponentId {
        let component = Component {
            cells,
            block,
            next: ComponentId::NONE,
            g: INFINITE,
            rhs: INFINITE,
            successor: ComponentId::NONE,
            entry: NO_ENTRY,
        };
        self.len += 1;
        let unused = self.unused;
        if !unused.is_some() {
            return ComponentId(self.records.push(component));
        }
        self.unused = self[unused].next;
        self[unused] = component;
        unused
    }

    /// Gives a component up that is in no list.
    pub(super) fn free(&mut self, component: ComponentId) {
        self[component].next = self.unused;
        self.unused = component;
        self.len -= 1;
    }

    /// What so many more components allocate at most.
    pub(super) fn page_bytes(&self, components: usize) -> usize {
        self.records.page_bytes(components)
    }

    pub(super) fn bytes(&self) -> usize {
        self.records.bytes()
    }
}

/// 8 x 8 blocks that lie together.
#[derive(Clone, Copy, Debug)]
struct BlockPage {
    /// Its column and row among pages.
    at: (u32, u32),
    /// The pages around it, if they have been asked for.
    around: [u32; 8],
    /// The first components of its blocks.
    first: [ComponentId; 64],
    /// Blocks of which something has changed that their components do not know yet.
    stale: u64,
}

const NO_PAGE: u32 = u32::MAX;

/// What is believed of a grid, a word for each block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BelievedGrid<'a> {
    pub(super) geometry: GridGeometry,
    pub(super) belief: &'a Belief,
}

impl BelievedGrid<'_> {
    /// The cells of the block in this column and row of blocks that are believed to be free.
    pub(super) fn free(&self, (x, y): (u32, u32)) -> u64 {
        !blocked_or_outside(self.geometry, self.belief, x, y)
    }

    /// The block of a cell, by its column and row among blocks, and the cell in it.
    #[inline]
    pub(super) fn locate(&self, cell: StateId) -> ((u32, u32), u64) {
        let (column, row) = self.geometry.cell(cell);
        ((column >> 3, row >> 3), 1 << ((row & 7) << 3 | column & 7))
    }

    /// The directions that may be taken from a cell.
    pub(super) fn directions(&self, cell: StateId) -> DirectionSet {
        self.belief.moves(&PriorMap::Grid(self.geometry)).directions(&self.geometry, cell)
    }

    /// Whether a diagonal step must not pass corners.
    #[inline]
    pub(super) fn is_strict(&self) -> bool {
        self.geometry.rule().has_strict_corners()
    }

    /// The cells of a block that have a neighbour in a direction.
    #[inline]
    pub(super) fn stepping(&self, direction: usize) -> u64 {
        let rule = self.geometry.rule();
        match rule.hexagons() {
            Some(layout) => hexagons(layout, direction),
            None if rule == Rule::Four && is_diagonal(direction) => 0,
            None => u64::MAX,
        }
    }

    /// The cells of `free`, of a block, that are connected with `seed`.
    pub(super) fn connected(&self, seed: u64, free: u64) -> u64 {
        let rule = self.geometry.rule();
        match rule.hexagons() {
            Some(layout) => flood_hexagons(seed, free, layout),
            None => flood(seed, free, rule.cuts_corners()),
        }
    }

    /// The cells from which a step of this direction leads into cells of the next block in the direction `out`.
    #[inline]
    pub(super) fn leaving(&self, out: usize, beyond: u64, direction: usize) -> u64 {
        if direction == out {
            return facing(beyond, out) & self.stepping(direction);
        }
        // A step aslant over a side. With strict corners a straight step is possible there, too.
        if !is_diagonal(out) && !self.is_strict() {
            let facing = facing(beyond, out);
            // Turned by an eighth to the right or to the left of the way out.
            if direction == (out + 1) & 7 {
                return moved(facing, (out + 6) & 7) & border(out) & self.stepping(direction);
            }
            if direction == (out + 7) & 7 {
                return moved(facing, (out + 2) & 7) & border(out) & self.stepping(direction);
            }
        }
        0
    }

    /// Whether both cells beside the step from the corner of a block to the next one in a diagonal direction are believed to be
    /// free.
    fn is_open_beside(&self, (x, y): (u32, u32), direction: usize) -> bool {
        let (dx, dy) = offset(direction);
        let (column, row) = (x * 8 + if dx > 0 { 7 } else { 0 }, y * 8 + if dy > 0 { 7 } else { 0 });
        let is_free = |column: i64, row: i64| {
            let (Ok(column), Ok(row)) = (u32::try_from(column), u32::try_from(row)) else { return false };
            let cell = self.geometry.state((column, row));
            column <= self.geometry.width() && self.belief.is_free(PriorMap::Grid(self.geometry), cell)
        };
        let (column, row) = (i64::from(column), i64::from(row));
        is_free(column + dx, row) && is_free(column, row + dy)
    }
}

/// Whether a block, by its column and row among blocks, has cells of the map.
pub(super) fn is_block(geometry: GridGeometry, (x, y): (u32, u32)) -> bool {
    x <= geometry.width() >> 3 && y <= geometry.height() >> 3
}

/// The blocks that were met.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pages: Arena<BlockPage, 4>,
    /// Pages by their column and row.
    numbers: RadixMap<u32>,
}

impl Blocks {
    pub(super) fn new() -> Blocks {
        Blocks { pages: Arena::new(), numbers: RadixMap::new() }
    }

    /// The number of a block of the map, by its column and row among blocks.
    pub(super) fn id(&mut self, geometry: GridGeometry, (x, y): (u32, u32)) -> BlockId {
        let page = self.page(geometry, (x >> 3, y >> 3));
        BlockId::new(page, ((y & 7) << 3 | x & 7) as usize)
    }

    fn page(&mut self, geometry: GridGeometry, at: (u32, u32)) -> u32 {
        let number = at.1 * ((geometry.width() >> 6) + 1) + at.0;
        if let Some(page) = self.numbers.get(number.into()) {
            return page;
        }
        let first = [ComponentId::UNKNOWN; 64];
        let page = self.pages.push(BlockPage { at, around: [NO_PAGE; 8], first, stale: 0 });
        self.numbers.insert(number.into(), page);
        page
    }

    /// The column and the row of a block among blocks.
    #[inline]
    pub(super) fn at(&self, block: BlockId) -> (u32, u32) {
        let (x, y) = self.pages.at(block.page()).at;
        let slot = block.slot() as u32;
        (x << 3 | slot & 7, y << 3 | slot >> 3)
    }

    /// The first component of a block; [`ComponentId::UNKNOWN`] if the search has not met it yet.
    #[inline]
    pub(super) fn first(&self, block: BlockId) -> ComponentId {
        self.pages.at(block.page()).first[block.slot()]
    }

    #[inline]
    pub(super) fn set_first(&mut self, block: BlockId, component: ComponentId) {
        self.pages.at_mut(block.page()).first[block.slot()] = component;
    }

    /// Marks a block that has changed. Says whether it was met and not marked before.
    pub(super) fn set_stale(&mut self, block: BlockId) -> bool {
        let page = self.pages.at_mut(block.page());
        let bit = 1 << block.slot();
        let is_new = page.first[block.slot()] != ComponentId::UNKNOWN && page.stale & bit == 0;
        if is_new {
            page.stale |= bit;
        }
        is_new
    }

    pub(super) fn clear_stale(&mut self, block: BlockId) {
        self.pages.at_mut(block.page()).stale &= !(1 << block.slot());
    }

    /// The next block in a direction; `None` outside the map.
    #[inline]
    pub(super) fn next(
        &mut self,
        geometry: GridGeometry,
        block: BlockId,
        direction: usize,
    ) -> Option<BlockId> {
        let (dx, dy) = offset(direction);
        let slot = block.slot() as i64;
        let (x, y) = ((slot & 7) + dx, (slot >> 3) + dy);
        let in_page = ((y & 7) << 3 | x & 7) as usize;
        if (x | y) & !7 == 0 {
            return Some(BlockId::new(block.page(), in_page));
        }
        // The page that it lies in may be in another direction than the block.
        let (dx, dy) = (x >> 3, y >> 3);
        let direction = (0..8).find(|direction| offset(*direction) == (dx, dy))?;
        let known = self.pages.at(block.page()).around[direction];
        if known != NO_PAGE {
            return Some(BlockId::new(known, in_page));
        }
        let (x, y) = self.pages.at(block.page()).at;
        let x = u32::try_from(i64::from(x) + dx).ok().filter(|x| *x <= geometry.width() >> 6)?;
        let y = u32::try_from(i64::from(y) + dy).ok().filter(|y| *y <= geometry.height() >> 6)?;
        let page = self.page(geometry, (x, y));
        self.pages.at_mut(block.page()).around[direction] = page;
        Some(BlockId::new(page, in_page))
    }

    /// Whether one move leads from a component to one of the next block in a direction.
    #[inline]
    pub(super) fn are_joined(
        &self,
        believed: BelievedGrid<'_>,
        from: &Component,
        to: u64,
        direction: usize,
    ) -> bool {
        let leads_over = |step: usize| from.cells & believed.leaving(direction, to, step & 7) != 0;
        if is_diagonal(direction) {
            return leads_over(direction)
                && (!believed.is_strict() || believed.is_open_beside(self.at(from.block), direction));
        }
        leads_over(direction) || leads_over(direction + 1) || leads_over(direction + 7)
    }

    /// The direction from a block to one around it.
    pub(super) fn direction(&self, from: BlockId, to: BlockId) -> Option<usize> {
        let ((x, y), (to_x, to_y)) = (self.at(from), self.at(to));
        let step = (i64::from(to_x) - i64::from(x), i64::from(to_y) - i64::from(y));
        (0..8).find(|direction| offset(*direction) == step)
    }

    /// Every block that was met, page by page in the order of the map.
    pub(super) fn met(&self) -> impl Iterator<Item = BlockId> {
        let pages = self.numbers.sorted();
        pages.into_iter().flat_map(|(_, page)| (0..64).map(move |slot| BlockId::new(page, slot)))
    }

    /// What so many more pages allocate at most.
    pub(super) fn page_bytes(&self, pages: usize) -> usize {
        self.pages.page_bytes(pages) + self.numbers.page_bytes(pages)
    }

    pub(super) fn bytes(&self) -> usize {
        self.pages.bytes() + self.numbers.bytes()
    }
}

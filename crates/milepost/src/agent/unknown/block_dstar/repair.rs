//! Divides a block into components, when it is met and when the belief about it has changed.
//!
//! A connected set that lies in an old component goes on as that component, with its costs; all other ones are new. Then the
//! components that go to the goal over a border that has changed are asked whether that is still possible.

use super::blocks::{BelievedGrid, BlockId, ComponentId, INFINITE};
use super::masks::{border, lowest};
use super::meter::Meter;
use super::search::DStar;
use serde::{Deserialize, Serialize};

/// A block that is being divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Repair {
    pub(super) block: BlockId,
    /// Free cells that belong to no component yet.
    pub(super) rest: u64,
    /// Components from before that no set goes on as yet.
    pub(super) old: ComponentId,
    /// The last new one.
    pub(super) last: ComponentId,
    /// Cells of components that have changed.
    pub(super) changed: u64,
    pub(super) stage: Stage,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Stage {
    /// The search has not met this block before: no neighbour goes by it.
    Meet,
    /// Its components from before are matched with those that there are now.
    Divide,
    /// The neighbours in this direction are asked, from this component on; direction 8 means its own components.
    Ask(usize, ComponentId),
}

impl DStar {
    /// Begins to divide a block, which was met or not. Its old components belong to no block meanwhile.
    pub(super) fn begin_repair(&mut self, believed: BelievedGrid<'_>, block: BlockId) {
        let (rest, old) = (believed.free(self.blocks.at(block)), self.blocks.first(block));
        let stage = if old == ComponentId::UNKNOWN { Stage::Meet } else { Stage::Divide };
        self.blocks.set_first(block, ComponentId::NONE);
        let old = if old.is_some() { old } else { ComponentId::NONE };
        self.repair = Some(Repair { block, rest, old, last: ComponentId::NONE, changed: 0, stage });
    }

    /// Goes on with the block that is being divided. Says no if units are missing.
    pub(super) fn go_on_with_repair(&mut self, believed: BelievedGrid<'_>, meter: &mut Meter) -> bool {
        let Some(mut repair) = self.repair else { return true };
        let is_done = self.divide(believed, &mut repair, meter) && self.ask(believed, &mut repair, meter);
        self.repair = (!is_done).then_some(repair);
        is_done
    }

    /// Divides the block into components.
    fn divide(&mut self, believed: BelievedGrid<'_>, repair: &mut Repair, meter: &mut Meter) -> bool {
        if matches!(repair.stage, Stage::Ask(..)) {
            return true;
        }
        while repair.rest != 0 {
            if !meter.begin() {
                return false;
            }
            let cells = believed.connected(lowest(repair.rest), repair.rest);
            repair.rest &= !cells;
            let component = match self.go_on_as_old(repair, cells) {
                Some(component) => component,
                None => self.add_component(repair, cells),
            };
            if repair.last.is_some() {
                self.components[repair.last].next = component;
            } else {
                self.blocks.set_first(repair.block, component);
            }
            self.components[component].next = ComponentId::NONE;
            repair.last = component;
        }
        // What is left of the old ones is no more. Their numbers are kept until no component goes by them.
        let mut old = repair.old;
        while old.is_some() {
            let record = &mut self.components[old];
            let next = record.next;
            if record.cells != 0 {
                if !meter.begin() {
                    return false;
                }
                repair.changed |= record.cells;
                (record.cells, record.g, record.rhs, record.successor) =
                    (0, INFINITE, INFINITE, ComponentId::NONE);
                self.update(old);
            }
            old = next;
        }
        if self.start.is_some() && self.components[self.start].block == repair.block {
            self.start = ComponentId::UNKNOWN;
        }
        repair.stage = Stage::Ask(if repair.stage == Stage::Meet { 9 } else { 0 }, ComponentId::UNKNOWN);
        true
    }

    /// The goal's cell, if it lies in this block.
    fn target_in(&self, block: BlockId) -> u64 {
        if self.blocks.at(block) == self.target.0 { self.target.1 } else { 0 }
    }

    /// The old component that a connected set lies in and goes on as, taken out of the list of old ones.
    fn go_on_as_old(&mut self, repair: &mut Repair, cells: u64) -> Option<ComponentId> {
        let mut before = ComponentId::NONE;
        let mut old = repair.old;
        while old.is_some() {
            let next = self.components[old].next;
            let is_inside = cells & !self.components[old].cells == 0;
            // The goal's component goes on as the one with the goal in it.
            if is_inside && (old != self.goal || cells & self.target.1 != 0) {
                if before.is_some() {
                    self.components[before].next = next;
                } else {
                    repair.old = next;
                }
                repair.changed |= self.components[old].cells & !cells;
                self.components[old].cells = cells;
                return Some(old);
            }
            (before, old) = (old, next);
        }
        None
    }

    fn add_component(&mut self, repair: &mut Repair, cells: u64) -> ComponentId {
        let component = self.components.add(cells, repair.block);
        repair.changed |= cells;
        if cells & self.target_in(repair.block) != 0 {
            self.components[component].rhs = 0;
            self.goal = component;
            self.update(component);
        } else if repair.stage == Stage::Divide {
            // At least nothing: what it costs is found out first.
            let record = &mut self.components[component];
            (record.rhs, record.successor) = (0, ComponentId::UNKNOWN);
            self.update(component);
        }
        component
    }

    /// Asks the components that may go by this block whether they still can.
    fn ask(&mut self, believed: BelievedGrid<'_>, repair: &mut Repair, meter: &mut Meter) -> bool {
        let Stage::Ask(mut direction, mut next) = repair.stage else { return true };
        while direction < 9 {
            if next == ComponentId::UNKNOWN {
                let is_asked =
                    repair.changed != 0 && (direction == 8 || repair.changed & border(direction) != 0);
                let block = if direction == 8 {
                    Some(repair.block)
                } else {
                    self.blocks.next(believed.geometry, repair.block, direction)
                };
                next = block.filter(|_| is_asked).map_or(ComponentId::NONE, |block| self.blocks.first(block));
            }
            while next.is_some() {
                if !meter.component() {
                    repair.stage = Stage::Ask(direction, next);
                    return false;
                }
                let component = next;
                next = self.components[component].next;
                if !self.can_go_on(believed, component, repair.block) {
                    self.invalidate(component);
                }
            }
            (direction, next) = (direction + 1, ComponentId::UNKNOWN);
        }
        while repair.old.is_some() {
            let next = self.components[repair.old].next;
            self.components.free(repair.old);
            repair.old = next;
        }
        true
    }

    /// Whether a component can still go to its neighbour on the way to the goal, as far as a change of this block matters.
    fn can_go_on(&self, believed: BelievedGrid<'_>, component: ComponentId, block: BlockId) -> bool {
        let record = &self.components[component];
        if !record.successor.is_some() {
            return true;
        }
        let successor = &self.components[record.successor];
        // A step past the corner of the block may lead from one neighbour of it to another.
        if record.block != block && successor.block != block && !believed.is_strict() {
            return true;
        }
        let direction = self.blocks.direction(record.block, successor.block);
        direction
            .is_some_and(|direction| self.blocks.are_joined(believed, record, successor.cells, direction))
    }
}

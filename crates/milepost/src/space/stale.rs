//! Whether a path still holds after edits.

use super::Space;
use crate::core::{Path, StateId};

impl Space {
    /// Whether edits have touched a path that was made for another version of this space, earlier or later or beside it: a
    /// step of it is not allowed, or costs something else. A path that is not stale can be walked at its cost; whether a
    /// better one has appeared it does not tell. Paths made for another map are stale.
    pub fn is_stale(&self, path: &Path) -> bool {
        let (made_for, now) = (path.version(), self.version());
        if !made_for.is_same_map(now) {
            return true;
        }
        if made_for == now || path.waypoints().is_empty() {
            return false;
        }
        if path.waypoints().iter().any(|&state| !self.is_free(state)) {
            return true;
        }
        let cells: Vec<StateId> = self.cells(path).collect();
        let cost: Option<u64> = cells
            .windows(2)
            .map(|step| self.step_cost(step[0], step[1], None).map(|cost| cost.units()))
            .sum();
        match cost {
            None => true,
            // Under an overlay, or where edits changed the scale, costs cannot be compared as they are.
            Some(cost) if path.scale() == self.scale() => cost != path.cost().units(),
            Some(cost) => {
                let as_seen = cost as f64 / self.scale().one() as f64;
                (as_seen - path.cost_f64()).abs() > 1e-9 * as_seen.max(1.0)
            }
        }
    }
}

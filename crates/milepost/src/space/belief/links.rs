//! The links that an agent has seen: from which cells they lead where, and how near to a goal one of them may end.
//!
//! Links that begin at one cell are chained. No more of a chain is believed than the most links of a cell that are known from
//! the beginning, so that an expansion is bounded whatever was seen before an edit.

use crate::core::{RadixMap, StateId};
use crate::space::grid::link_exits::Place;
use crate::space::{BeliefChange, Cell, GridGeometry, Link, Metric};
use serde::{Deserialize, Serialize};

/// No link follows.
const NONE: u32 = u32::MAX;

/// Where a link leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct SeenLink {
    to: u32,
    /// 0 where a chain ends that was longer once.
    cost: u32,
    /// The number of the next one that begins at the same cell.
    next: u32,
}

/// All links that were seen.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "SavedLinks", into = "SavedLinks")]
pub(super) struct SeenLinks {
    /// By the key of a cell the number of the first link of its chain.
    first: RadixMap<u32>,
    /// By their numbers, in the order in which they were seen.
    links: RadixMap<SeenLink>,
    exits: SeenExits,
    /// What all of them cost together, in straight steps.
    total: u64,
}

/// The links as they are saved.
#[derive(Serialize, Deserialize)]
struct SavedLinks {
    first: RadixMap<u32>,
    links: RadixMap<SeenLink>,
    exits: SeenExits,
}

impl From<SeenLinks> for SavedLinks {
    fn from(SeenLinks { first, links, exits, .. }: SeenLinks) -> SavedLinks {
        SavedLinks { first, links, exits }
    }
}

impl TryFrom<SavedLinks> for SeenLinks {
    type Error = &'static str;

    fn try_from(SavedLinks { first, links, exits }: SavedLinks) -> Result<SeenLinks, &'static str> {
        let entries = links.sorted();
        if entries.iter().zip(0..).any(|((number, link), place)| *number != place || link.cost > Link::MOST) {
            return Err("links are not numbered, or too dear");
        }
        let is_region = |places: &[(u8, Place)]| places.is_sorted_by(|a, b| a.0 < b.0);
        if !is_region(&exits.places) || exits.places.iter().any(|(region, _)| *region >= SeenExits::MOST) {
            return Err("the ends of links lie in regions that there are not");
        }
        let total = entries.iter().map(|(_, link)| u64::from(link.cost)).sum();
        Ok(SeenLinks { first, links, exits, total })
    }
}

impl SeenLinks {
    /// Names the links that are believed to begin at a cell, as they were seen last: where each leads, and its cost in
    /// straight steps.
    #[inline]
    pub(super) fn of_cell(
        &self,
        geometry: GridGeometry,
        cell: StateId,
    ) -> impl Iterator<Item = (StateId, u32)> + use<'_> {
        let has_links = geometry.has_links() && self.links.len() > 0;
        let mut number = if has_links { self.first.get(geometry.key(cell)) } else { None };
        (0..geometry.most_links()).map_while(move |_| {
            let link = self.links.get(number?.into()).filter(|link| link.cost > 0)?;
            number = Some(link.next);
            Some((StateId::new(link.to), link.cost))
        })
    }

    /// Takes note of the links that begin at a cell, in increasing order of where they lead. Those that a sensor that keeps its
    /// contract would not tell of are left out. Returns how many units that takes, one for each that is written, and what is
    /// other than believed: a new or cheaper link counts before one that is gone.
    pub(super) fn record(
        &mut self,
        geometry: GridGeometry,
        cell: StateId,
        told: &[Link],
    ) -> (u64, BeliefChange) {
        let told = &told[..told.len().min(geometry.most_links() as usize)];
        let change = self.differing(geometry, cell, told);
        if change == BeliefChange::Nothing {
            return ((told.len() as u64).div_ceil(8), change);
        }
        let key = geometry.key(cell);
        let (mut before, mut slot) = (None, self.first.get(key));
        let mut written = 0;
        for (to, cost) in sound(geometry, cell, told) {
            let number = slot.unwrap_or(self.links.len() as u32);
            let old = self.links.get(number.into());
            let next = old.map_or(NONE, |old| old.next);
            self.write(number, SeenLink { to: to.number(), cost, next });
            match before.and_then(|before: u32| Some((before, self.links.get(before.into())?))) {
                _ if slot.is_some() => {}
                None => {
                    self.first.insert(key, number);
                }
                Some((before, link)) => self.write(before, SeenLink { next: number, ..link }),
            }
            self.exits.add(geometry, to, cost);
            (before, slot) = (Some(number), (next != NONE).then_some(next));
            written += 1;
        }
        if let Some((number, link)) = slot.and_then(|number| Some((number, self.links.get(number.into())?))) {
            self.write(number, SeenLink { cost: 0, ..link });
        }
        (written, change)
    }

    /// Writes a link, and keeps count of what all cost.
    fn write(&mut self, number: u32, link: SeenLink) {
        let before = self.links.insert(number.into(), link).map_or(0, |before| before.cost);
        self.total = self.total - u64::from(before) + u64::from(link.cost);
    }

    /// How links that are told differ from those that are believed; both in increasing order.
    fn differing(&self, geometry: GridGeometry, cell: StateId, told: &[Link]) -> BeliefChange {
        let mut believed = self.of_cell(geometry, cell).peekable();
        let (mut has_more, mut has_less) = (false, false);
        for (to, cost) in sound(geometry, cell, told) {
            while believed.next_if(|(other, _)| *other < to).is_some() {
                has_less = true;
            }
            match believed.next_if(|(other, _)| *other == to) {
                None => has_more = true,
                Some((_, before)) => {
                    has_more |= cost < before;
                    has_less |= cost > before;
                }
            }
        }
        has_less |= believed.next().is_some();
        match (has_more, has_less) {
            (true, _) => BeliefChange::Linked,
            (false, true) => BeliefChange::Unlinked,
            (false, false) => BeliefChange::Nothing,
        }
    }

    /// No way that uses a link is cheaper than this; as much as there is if none was seen.
    pub(super) fn least_to(&self, goal: Cell, metric: impl Metric, one: u64) -> u64 {
        self.exits.least_to(goal, metric, one)
    }

    /// No way costs more for links than this, in straight steps: none takes a link twice.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Whether what was restored lies inside these borders.
    #[cfg(feature = "saves")]
    pub(super) fn is_inside(&self, geometry: GridGeometry) -> bool {
        self.exits.places.iter().all(|(_, place)| place.is_inside(geometry.width(), geometry.height()))
    }

    /// Memory held.
    pub(super) fn bytes(&self) -> usize {
        self.first.bytes() + self.links.bytes() + self.exits.places.capacity() * size_of::<(u8, Place)>()
    }

    /// What is allocated at most when so many cells with so many links each are told of and taken in.
    pub(super) fn page_bytes(&self, cells: usize, most: usize) -> usize {
        let most = cells.saturating_mul(most);
        let links = self.links.page_bytes(most).saturating_add(most.saturating_mul(4 * size_of::<Link>()));
        let exits = usize::from(SeenExits::MOST) * size_of::<(u8, Place)>();
        self.first.page_bytes(cells).saturating_add(links).saturating_add(exits)
    }
}

/// The links of a cell that lead to another one of the map, at what they cost.
fn sound(geometry: GridGeometry, cell: StateId, told: &[Link]) -> impl Iterator<Item = (StateId, u32)> {
    let leads_on = move |link: &&Link| link.to != cell && geometry.contains(link.to);
    told.iter().filter(leads_on).map(|link| (link.to, link.cost.clamp(1, Link::MOST)))
}

/// Where links end, by regions of the map: of each the box around all ends that were seen there, and the least cost of a
/// link to one of them. What is gone since stays in its box: that only lowers estimates.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct SeenExits {
    /// In the order of regions.
    places: Vec<(u8, Place)>,
}

impl SeenExits {
    /// Regions along a side of the map.
    const SIDE: u32 = 8;
    const MOST: u8 = (SeenExits::SIDE * SeenExits::SIDE) as u8;

    fn add(&mut self, geometry: GridGeometry, to: StateId, cost: u32) {
        let (column, row) = geometry.cell(to);
        let part = |at: u32, of: u32| {
            (u64::from(at - 1) * u64::from(SeenExits::SIDE) / u64::from(of))
                .min(u64::from(SeenExits::SIDE) - 1)
        };
        let region =
            part(row, geometry.height()) * u64::from(SeenExits::SIDE) + part(column, geometry.width());
        let (region, end) = (region as u8, Place::end((column, row), cost));
        if self.places.capacity() == 0 {
            self.places.reserve_exact(SeenExits::MOST.into());
        }
        match self.places.binary_search_by_key(&region, |(region, _)| *region) {
            Ok(at) => self.places[at].1 = self.places[at].1.joined(end),
            Err(at) => self.places.insert(at, (region, end)),
        }
    }

    fn least_to(&self, goal: Cell, metric: impl Metric, one: u64) -> u64 {
        let through = |(_, place): &(u8, Place)| place.through(goal, metric, one, place.is_end());
        self.places.iter().map(through).min().unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Cost, Expander, Rng};
    use crate::space::{Belief, Grid, PriorMap, Rule, SpaceKind};
    use std::collections::BTreeMap;

    fn any_cell(geometry: &GridGeometry, rng: &mut Rng) -> StateId {
        geometry.state((1 + rng.below(geometry.width()), 1 + rng.below(geometry.height())))
    }

    /// Up to so many links from a cell, in increasing order of where they lead.
    fn told(geometry: &GridGeometry, from: StateId, most: u32, rng: &mut Rng) -> Vec<Link> {
        let ends = (0..rng.below(most + 1)).map(|_| (any_cell(geometry, rng), 1 + rng.below(4)));
        let ends: BTreeMap<StateId, u32> = ends.filter(|(to, _)| *to != from).collect();
        ends.into_iter().map(|(to, cost)| Link { from, to, cost }).collect()
    }

    #[test]
    fn what_is_believed_of_links_is_what_was_told_last() {
        let mut rng = Rng::new(41);
        let mut changes = [0; 3];
        for _ in 0..40 {
            let geometry =
                GridGeometry::new(1 + rng.below(9), 1 + rng.below(9), Rule::Octile).with_links_up_to(4);
            let (mut links, mut expected) = (SeenLinks::default(), BTreeMap::<StateId, Vec<Link>>::new());
            for _ in 0..200 {
                let cell = any_cell(&geometry, &mut rng);
                let now = told(&geometry, cell, 4, &mut rng);
                let before = expected.insert(cell, now.clone()).unwrap_or_default();
                let is_among = |link: &Link, others: &[Link]| {
                    others.iter().any(|other| other.to == link.to && other.cost <= link.cost)
                };
                let change = match () {
                    () if !now.iter().all(|link| is_among(link, &before)) => BeliefChange::Linked,
                    () if !before.iter().all(|link| is_among(link, &now)) => BeliefChange::Unlinked,
                    () => BeliefChange::Nothing,
                };
                changes[usize::from(change.may_open()) + usize::from(change != BeliefChange::Nothing)] += 1;
                let (units, told) = links.record(geometry, cell, &now);
                assert!(told == change && units <= now.len() as u64, "{units} {told:?} {change:?}");
                assert_eq!(links.record(geometry, cell, &now).1, BeliefChange::Nothing);
            }
            for (cell, expected) in &expected {
                let believed: Vec<(StateId, u32)> = links.of_cell(geometry, *cell).collect();
                assert_eq!(believed, expected.iter().map(|link| (link.to, link.cost)).collect::<Vec<_>>());
            }
            let all: u64 = expected.values().flatten().map(|link| u64::from(link.cost)).sum();
            assert!(links.total() >= all);
            // Nothing of it is believed where there are no links any more, and less where a cell has fewer.
            let (none, one) = (GridGeometry::new(9, 9, Rule::Octile), geometry.with_links_up_to(1));
            for cell in expected.keys() {
                assert_eq!(links.of_cell(none, *cell).count(), 0);
                assert_eq!(links.of_cell(one, *cell).count(), links.of_cell(geometry, *cell).count().min(1));
            }
            let saved = SavedLinks::from(links.clone());
            let restored = SeenLinks::try_from(saved).expect("our own links");
            assert_eq!(restored.total(), links.total());
        }
        assert!(changes.iter().all(|count| *count > 100), "{changes:?}");
    }

    #[test]
    fn no_estimate_through_links_exceeds_what_the_best_of_them_gives() {
        let mut rng = Rng::new(42);
        let mut exact = 0;
        for round in 0..600 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let geometry =
                GridGeometry::new(1 + rng.below(200), 1 + rng.below(200), rule).with_links_up_to(2);
            let (mut links, mut ends) = (SeenLinks::default(), Vec::new());
            for _ in 0..rng.below(20) {
                let from = any_cell(&geometry, &mut rng);
                let told = told(&geometry, from, 2, &mut rng);
                links.record(geometry, from, &told);
                ends.extend(told);
            }
            let (metric, one) = (geometry.metric(), geometry.scale().one());
            assert!(links.is_inside(geometry));
            for _ in 0..10 {
                let goal = geometry.cell(any_cell(&geometry, &mut rng));
                let through =
                    |link: &Link| u64::from(link.cost) * one + metric.distance(geometry.cell(link.to), goal);
                let best = ends.iter().map(through).min().unwrap_or(u64::MAX);
                let least = links.least_to(goal, metric, one);
                assert!(least <= best, "{rule}: {least} {best}");
                exact += u32::from(least == best);
            }
        }
        assert!(exact > 4000, "{exact} of 6000");
    }

    #[test]
    fn an_agent_that_has_seen_all_links_moves_as_the_map_allows() {
        let mut rng = Rng::new(43);
        for round in 0..90 {
            let rule = Rule::ALL[round % Rule::ALL.len()];
            let grid = Grid::new(1 + rng.below(9), 1 + rng.below(9), rule, |_, _| rng.below(4) > 0);
            let mut grid = grid.expect("a small map");
            if round % 2 == 0 {
                grid = grid.with_weights(|_, _| 1 + rng.below(9) as u8).expect("no zeros");
            }
            let geometry = *grid.geometry();
            let links: Vec<Link> =
                grid.all_cells().flat_map(|cell| told(&geometry, cell, 2, &mut rng)).collect();
            let grid = grid.with_links(&links).expect("sound links");
            let (geometry, mut belief) = (GridGeometry::of(&grid), Belief::new());
            let prior = PriorMap::Grid(geometry);
            for cell in grid.all_cells() {
                belief.record(prior, cell, grid.is_free(cell));
                belief.record_weight(geometry, cell, grid.weight(cell));
                belief.record_links(geometry, cell, grid.links_from(cell));
            }
            let per_one =
                |scale: crate::core::CostScale, cost: Cost| cost.units() as f64 / scale.one() as f64;
            for cell in grid.free_states() {
                let (mut believed, mut truth) = (Vec::new(), Vec::new());
                let moves = belief.moves(&prior);
                let extra = moves.expand(cell, None, |to, cost| believed.push((to, cost)));
                grid.full_moves().expand(cell, None, |to, cost| truth.push((to, cost)));
                assert!(extra < prior.expansion_units().into());
                assert_eq!(believed.len(), truth.len(), "{rule}");
                for ((to, cost), (true_to, true_cost)) in believed.into_iter().zip(truth) {
                    let (mine, other) = (per_one(geometry.scale(), cost), per_one(grid.scale(), true_cost));
                    assert!(to == true_to && (mine - other).abs() < 1e-3 * other, "{rule}: {mine} {other}");
                    assert!(moves.allows(cell, to), "{rule}: {cell} to {to}");
                }
            }
        }
    }
}

//! A case base: paths that were compressed to a few states each, so that one climbs from each to the next; and a
//! division of the space into regions, with such a path from each region's centre to those of its neighbours.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, R. Lawrence: Case-based subgoaling in real-time heuristic search for video game
//! pathfinding, JAIR 2010: the subgoal database of section 6 (*records*), and the partitions of section 10 (*regions*).
//!
//! # Layout
//! docs/index-format.md describes the arrays. Records stand in the order of the k-d tree ([`nearest`]), on graphs in the
//! order in which they were drawn; so do the centres. Which region a state belongs to is not stored: an agent tries
//! the centres nearby.
//!
//! # Guarantees
//! Whatever the bytes are: every state named is a free state, every number of a region is one, and there are at most
//! [`MOST_REGIONS`] regions with [`MOST_LEGS`] legs between them. Whether one can climb along them is for `verify` to
//! say.

pub(crate) mod nearest;

use crate::core::StateId;
use crate::index::{Atlas, Corruption, Facts, IndexKind, IndexSpec, Section};
use crate::space::Space;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Steps within which every state of a region is reached from its centre, and the centre from it.
pub(crate) const LONGEST_CLIMB: u32 = 250;

/// A space that takes more regions has none.
pub(crate) const MOST_REGIONS: usize = 1 << 13;

/// A space whose regions have more neighbours in all has none.
pub(crate) const MOST_LEGS: usize = 1 << 16;

/// A space where a region has more neighbours than this has no regions.
pub(crate) const MOST_NEIGHBOURS: usize = 255;

/// Records that are made of one path at most, where fragments of it count as records.
pub(crate) const MOST_FRAGMENTS: u32 = 1000;

/// The first array.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Head {
    /// Costs are in units of 2^this, rounded up.
    pub(crate) cost_shift: u32,
    pub(crate) zero: u32,
}

/// The first and last state of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Ends {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// A way from one region's centre to that of a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Leg {
    /// The neighbour.
    pub(crate) to: u32,
    /// What the way costs.
    pub(crate) cost: u32,
}

/// A case base as agents read it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CaseBase<'a> {
    head: Head,
    ends: &'a [Ends],
    /// Where the subgoals of each record begin, then those of each leg; and where the last ones end.
    first_subgoals: &'a [u32],
    subgoals: &'a [u32],
    centres: &'a [u32],
    /// Where the legs of each region begin, and where the last ones end.
    first_legs: &'a [u32],
    legs: &'a [Leg],
    /// What it costs to walk along each record, in the units of legs.
    costs: &'a [u32],
}

impl Atlas {
    /// A case base with so many records of random problems, if it has been worked out.
    #[inline]
    pub(crate) fn case_base(&self, records: u32) -> Option<CaseBase<'_>> {
        self.section(IndexSpec::new(IndexKind::CASE_BASE, records)).map(CaseBase::new)
    }
}

impl<'a> CaseBase<'a> {
    pub(crate) fn new(section: &'a Section) -> CaseBase<'a> {
        CaseBase {
            head: section.array::<Head>(0).first().copied().unwrap_or_default(),
            ends: section.array(1),
            first_subgoals: section.array(2),
            subgoals: section.array(3),
            centres: section.array(4),
            first_legs: section.array(5),
            legs: section.array(6),
            costs: section.array(7),
        }
    }

    pub(crate) fn check(space: &Space, section: &Section) -> Result<(), Corruption> {
        let head = section.exactly::<Head>(0, 1)?[0];
        if head.cost_shift > 63 || head.zero != 0 {
            return Err(Corruption::at(
                section.offset(0),
                "a shift of at most 63, then zero",
                format!("{head:?}"),
            ));
        }
        let base = CaseBase::new(section);
        let (records, legs, regions) = (base.ends.len(), base.legs.len(), base.centres.len());
        section.exactly::<Ends>(1, records)?;
        section.exactly::<Leg>(6, legs)?;
        section.exactly::<u32>(7, records)?;
        section.exactly::<u32>(4, regions)?;
        if regions > MOST_REGIONS || legs > MOST_LEGS || records > u32::MAX as usize / 2 {
            let found = format!("{records} records, {regions} regions, {legs} legs");
            let expected = format!("at most {MOST_REGIONS} regions and {MOST_LEGS} legs");
            return Err(Corruption::at(section.offset(4), expected, found));
        }
        section.exactly::<u32>(3, base.subgoals.len())?;
        follow_each_other(section, 2, records + legs, base.subgoals.len())?;
        follow_each_other(section, 5, regions, legs)?;
        let all_free = |index: usize, mut states: &mut dyn Iterator<Item = u32>| {
            let blocked = Iterator::find(&mut states, |&state| !space.is_free(StateId::new(state)));
            blocked.map_or(Ok(()), |state| {
                Err(Corruption::at(section.offset(index), "a free state", StateId::new(state).to_string()))
            })
        };
        all_free(1, &mut base.ends.iter().flat_map(|ends| [ends.start, ends.end]))?;
        all_free(3, &mut base.subgoals.iter().copied())?;
        all_free(4, &mut base.centres.iter().copied())?;
        if let Some(ends) =
            base.first_legs.windows(2).find(|ends| (ends[1] - ends[0]) as usize > MOST_NEIGHBOURS)
        {
            let expected = format!("at most {MOST_NEIGHBOURS} legs of a region");
            return Err(Corruption::at(section.offset(5), expected, (ends[1] - ends[0]).to_string()));
        }
        match base.legs.iter().find(|leg| leg.to as usize >= regions) {
            Some(leg) => Err(Corruption::at(
                section.offset(6),
                format!("a region below {regions}"),
                leg.to.to_string(),
            )),
            None => Ok(()),
        }
    }

    /// How many records, regions and ways between regions there are.
    pub(crate) fn facts(&self) -> Facts {
        let counts = [self.records(), self.regions(), self.leg_count()].map(|count| count as f64);
        ["records", "regions", "legs"].into_iter().zip(counts).collect()
    }

    /// How many records there are.
    pub(crate) fn records(&self) -> usize {
        self.ends.len()
    }

    /// How many regions the space is divided into; 0 if it is not.
    pub(crate) fn regions(&self) -> usize {
        self.centres.len()
    }

    /// Ways between neighbouring regions.
    pub(crate) fn leg_count(&self) -> usize {
        self.legs.len()
    }

    /// The first and the last state of a record; of none if there is no such record.
    #[inline]
    pub(crate) fn ends(&self, record: u32) -> (StateId, StateId) {
        self.ends
            .get(record as usize)
            .map_or((StateId::NONE, StateId::NONE), |ends| (StateId::new(ends.start), StateId::new(ends.end)))
    }

    /// The states of a record between its first and its last.
    #[inline]
    pub(crate) fn subgoals(&self, record: u32) -> &'a [u32] {
        self.between(record as usize)
    }

    /// The states of a leg between the two centres.
    #[inline]
    pub(crate) fn leg_subgoals(&self, leg: u32) -> &'a [u32] {
        self.between(self.ends.len() + leg as usize)
    }

    fn between(&self, place: usize) -> &'a [u32] {
        let bounds = self.first_subgoals.get(place).zip(self.first_subgoals.get(place + 1));
        bounds.and_then(|(&from, &to)| self.subgoals.get(from as usize..to as usize)).unwrap_or(&[])
    }

    /// The centre of a region.
    #[inline]
    pub(crate) fn centre(&self, region: u32) -> StateId {
        self.centres.get(region as usize).map_or(StateId::NONE, |&centre| StateId::new(centre))
    }

    /// The ways out of a region: the number of each, where it leads and what it costs.
    #[inline]
    pub(crate) fn legs(&self, region: u32) -> impl ExactSizeIterator<Item = (u32, u32, u32)> + use<'a> {
        let at = region as usize;
        let bounds = self.first_legs.get(at).zip(self.first_legs.get(at + 1));
        let (first, end) = bounds.map_or((0, 0), |(&first, &end)| (first, end));
        let legs = self.legs.get(first as usize..end as usize).unwrap_or(&[]);
        (0..legs.len()).map(move |k| (first + k as u32, legs[k].to, legs[k].cost))
    }

    /// What it costs to walk along a record, in units of 2^[`cost_shift`](CaseBase::cost_shift), rounded up.
    #[inline]
    pub(crate) fn cost(&self, record: u32) -> u32 {
        self.costs.get(record as usize).copied().unwrap_or(u32::MAX)
    }

    /// Costs of legs and records are in units of 2^this, rounded up.
    #[inline]
    pub(crate) fn cost_shift(&self) -> u32 {
        self.head.cost_shift
    }

    /// Where a leg leads.
    #[inline]
    pub(crate) fn leg_end(&self, leg: u32) -> StateId {
        self.legs.get(leg as usize).map_or(StateId::NONE, |leg| self.centre(leg.to))
    }
}

/// An array of `count` + 1 numbers that begins with 0, never falls and ends with `last`.
fn follow_each_other(section: &Section, index: usize, count: usize, last: usize) -> Result<(), Corruption> {
    let numbers = section.exactly::<u32>(index, count + 1)?;
    let is_sound = numbers.first() == Some(&0)
        && numbers.is_sorted()
        && numbers.last().is_some_and(|&number| number as usize == last);
    if is_sound {
        return Ok(());
    }
    let expected = format!("numbers from 0 to {last} that never fall in array {index}");
    Err(Corruption::at(section.offset(index), expected, "others"))
}

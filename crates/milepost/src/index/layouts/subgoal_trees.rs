//! For every goal a tree of subgoals, all of them stored together: from a state of the tree, where to go next.
//!
//! A goal's neighbours have nearly the same tree as the goal. So the trees are stored by subgoals, not by goals: for
//! each subgoal, as the goal moves along the order of states, runs of goals for which the next subgoal stays the same.
//! A tree is never unpacked: what comes next is a binary search among the runs of one subgoal.
//!
//! # Layout
//! docs/index-format.md describes the arrays. The list of 16 states names all subgoals that come first on the way from
//! one of them to some goal.

use super::goal_bounds::Rank;
use super::state_numbers::StateNumbers;
use crate::core::{Cost, StateId};
use crate::index::{Atlas, Corruption, Facts, IndexKind, IndexSpec, Section};
use crate::space::Space;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// What is at the head of the section.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Head {
    /// Free states, each of which is a goal.
    pub(crate) states: u32,
    /// States that are in the tree of some goal.
    pub(crate) subgoals: u32,
    /// 0, or 1 if numbers are too large for two bytes.
    pub(crate) is_wide: u32,
    /// States of the smallest tree and of the largest one, its goal not counted.
    pub(crate) least: u32,
    pub(crate) most: u32,
    /// Nothing.
    pub(crate) zero: u32,
    /// States of all trees.
    pub(crate) total: u64,
}

/// Where the arcs and the runs of a subgoal begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Row {
    pub(crate) first_arc: u32,
    pub(crate) first_run: u32,
}

/// From a subgoal to the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct TreeArc {
    /// The next subgoal.
    pub(crate) to: u32,
    /// 0 if it costs what is estimated; else a place, counted from 1, among what arcs cost more.
    pub(crate) surplus: u32,
}

/// Not in the tree.
pub(crate) const NOT_THERE: u32 = 0;
/// The goal is next, as far away as it seems.
pub(crate) const GOAL_NEAR: u32 = 1;
/// The goal is next, farther away than it seems.
pub(crate) const GOAL_FAR: u32 = 2;
/// The symbol of the first arc.
pub(crate) const FIRST_ARC: u32 = 3;

/// States that share a list.
pub(crate) const BLOCK: u32 = 16;

/// What comes after a subgoal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// The state is not in the tree of this goal.
    NotThere,
    /// The goal itself. Whether it costs what is estimated.
    Goal(bool),
    /// Another subgoal, and by how much it costs more than estimated.
    Subgoal(u32, Cost),
}

/// Numbers that are stored in two bytes or in four.
#[derive(Clone, Copy, Debug)]
enum Numbers<'a> {
    Narrow { runs: &'a [u32], lists: &'a [u16] },
    Wide { runs: &'a [u64], lists: &'a [u32] },
}

impl Atlas {
    /// The trees of subgoals that this index holds, if they have been worked out.
    #[inline]
    pub(crate) fn subgoal_trees(&self, index: IndexSpec) -> Option<SubgoalTrees<'_>> {
        let section = self.section(index).filter(|section| section.key().kind == IndexKind::SUBGOAL_TREES);
        section.map(|section| SubgoalTrees::new(self.space(), section))
    }
}

impl Numbers<'_> {
    fn runs(&self) -> usize {
        match self {
            Numbers::Narrow { runs, .. } => runs.len(),
            Numbers::Wide { runs, .. } => runs.len(),
        }
    }

    /// Where a run begins, and its symbol.
    fn run(&self, index: usize) -> Option<(u32, u32)> {
        match self {
            Numbers::Narrow { runs, .. } => runs.get(index).map(|run| (run >> 16, run & 0xffff)),
            Numbers::Wide { runs, .. } => runs.get(index).map(|run| ((run >> 32) as u32, *run as u32)),
        }
    }

    /// The symbol for a goal among the runs of a row.
    #[inline]
    fn symbol(&self, from: usize, to: usize, goal: u32) -> u32 {
        match self {
            Numbers::Narrow { runs, .. } => {
                let runs = runs.get(from..to).unwrap_or(&[]);
                let after = runs.partition_point(|run| run >> 16 <= goal);
                after.checked_sub(1).map_or(NOT_THERE, |last| runs[last] & 0xffff)
            }
            Numbers::Wide { runs, .. } => {
                let runs = runs.get(from..to).unwrap_or(&[]);
                let after = runs.partition_point(|run| (run >> 32) as u32 <= goal);
                after.checked_sub(1).map_or(NOT_THERE, |last| runs[last] as u32)
            }
        }
    }

    fn listed(&self) -> usize {
        match self {
            Numbers::Narrow { lists, .. } => lists.len(),
            Numbers::Wide { lists, .. } => lists.len(),
        }
    }

    #[inline]
    fn entry(&self, place: u32) -> Option<u32> {
        match self {
            Numbers::Narrow { lists, .. } => lists.get(place as usize).map(|&entry| entry.into()),
            Numbers::Wide { lists, .. } => lists.get(place as usize).copied(),
        }
    }
}

/// The trees, ready to be read. Every method returns something for every state, whatever the bytes are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubgoalTrees<'a> {
    head: Head,
    places: StateNumbers<'a>,
    ranks: &'a [Rank],
    ids: &'a [u32],
    rows: &'a [Row],
    arcs: &'a [TreeArc],
    numbers: Numbers<'a>,
    surpluses: &'a [u64],
    list_begins: &'a [u32],
}

impl<'a> SubgoalTrees<'a> {
    /// A section that [`SubgoalTrees::check`] has accepted.
    #[inline]
    pub(crate) fn new(space: &'a Space, section: &'a Section) -> SubgoalTrees<'a> {
        let head = section.array::<Head>(0).first().copied().unwrap_or_default();
        SubgoalTrees {
            head,
            places: StateNumbers::new(space, section, 1),
            ranks: section.array(2),
            ids: section.array(3),
            rows: section.array(4),
            arcs: section.array(5),
            numbers: match head.is_wide {
                0 => Numbers::Narrow { runs: section.array(6), lists: section.array(9) },
                _ => Numbers::Wide { runs: section.array(6), lists: section.array(9) },
            },
            surpluses: section.array(7),
            list_begins: section.array(8),
        }
    }

    /// How large the trees are, their goals not counted: of all goals, the smallest and the largest.
    pub(crate) fn facts(&self) -> Facts {
        vec![
            ("mean tree", self.head.total as f64 / f64::from(self.head.states.max(1))),
            ("least tree", self.head.least.into()),
            ("largest tree", self.head.most.into()),
        ]
    }

    /// States that are in the tree of some goal.
    pub(crate) fn subgoals(&self) -> u32 {
        self.head.subgoals
    }

    /// The number of a state in the order of goals; `None` if it is no free state.
    #[inline]
    pub(crate) fn number(&self, state: StateId) -> Option<u32> {
        self.places.number(state)
    }

    /// Which subgoal a state is, if it is one.
    #[inline]
    pub(crate) fn subgoal_at(&self, state: StateId) -> Option<u32> {
        let number = self.number(state)?;
        let rank = self.ranks.get(number as usize / 64)?;
        let bit = number % 64;
        let below = (rank.free & ((1 << bit) - 1)).count_ones();
        (rank.free >> bit & 1 == 1).then_some(rank.before.wrapping_add(below))
    }

    /// The state that a subgoal is.
    #[inline]
    pub(crate) fn state(&self, subgoal: u32) -> StateId {
        self.ids.get(subgoal as usize).map_or(StateId::NONE, |&id| StateId::new(id))
    }

    /// What comes after a subgoal on the way to the goal of this number.
    #[inline]
    pub(crate) fn next(&self, subgoal: u32, goal: u32) -> Next {
        let (Some(row), Some(end)) = (self.rows.get(subgoal as usize), self.rows.get(subgoal as usize + 1))
        else {
            return Next::NotThere;
        };
        match self.numbers.symbol(row.first_run as usize, end.first_run as usize, goal) {
            NOT_THERE => Next::NotThere,
            GOAL_NEAR => Next::Goal(true),
            GOAL_FAR => Next::Goal(false),
            symbol => self.arc(row.first_arc.saturating_add(symbol - FIRST_ARC)),
        }
    }

    fn arc(&self, arc: u32) -> Next {
        let Some(arc) = self.arcs.get(arc as usize) else { return Next::NotThere };
        let surplus = (arc.surplus as usize).checked_sub(1).and_then(|place| self.surpluses.get(place));
        Next::Subgoal(arc.to, Cost::new(surplus.copied().unwrap_or(0)))
    }

    /// One of the subgoals that may come first on the way from this state.
    #[inline]
    pub(crate) fn first(&self, state: StateId, index: u32) -> Option<u32> {
        let (begin, end) = self.list_of(state)?;
        begin.checked_add(index).filter(|&place| place < end).and_then(|place| self.numbers.entry(place))
    }

    fn list_of(&self, state: StateId) -> Option<(u32, u32)> {
        let block = (self.number(state)? / BLOCK) as usize;
        Some((*self.list_begins.get(block)?, *self.list_begins.get(block + 1)?))
    }

    /// Every arc between two subgoals, and what it costs more than estimated.
    pub(crate) fn all_arcs(&self) -> impl Iterator<Item = (u32, u32, Cost)> {
        (0..self.head.subgoals).flat_map(move |subgoal| {
            let at = |subgoal: u32| self.rows.get(subgoal as usize).map_or(0, |row| row.first_arc);
            (at(subgoal)..at(subgoal + 1)).filter_map(move |arc| match self.arc(arc) {
                Next::Subgoal(to, surplus) => Some((subgoal, to, surplus)),
                _ => None,
            })
        })
    }

    /// Whether a section can be the trees of a space: lengths, and that all numbers are of something.
    pub(crate) fn check(space: &Space, section: &Section) -> Result<(), Corruption> {
        let head = section.exactly::<Head>(0, 1)?[0];
        if (head.states, head.zero) != (space.states(), 0) || head.is_wide > 1 || head.subgoals > head.states
        {
            let expected = format!("the head of the trees of {} states", space.states());
            return Err(Corruption::at(section.offset(0), expected, format!("{head:?}")));
        }
        StateNumbers::check(space, section, 1)?;
        let (states, subgoals) = (head.states as usize, head.subgoals as usize);
        section.exactly::<Rank>(2, states.div_ceil(64))?;
        section.exactly::<u32>(3, subgoals)?;
        section.exactly::<Row>(4, subgoals + 1)?;
        section.exactly::<u32>(8, states.div_ceil(BLOCK as usize) + 1)?;
        let trees = SubgoalTrees::new(space, section);
        let whole = |array: usize, length: usize, size: usize| {
            section.exactly::<u8>(array, length.saturating_mul(size)).map(drop)
        };
        whole(5, trees.arcs.len(), size_of::<TreeArc>())?;
        whole(6, trees.numbers.runs(), if head.is_wide == 0 { 4 } else { 8 })?;
        whole(7, trees.surpluses.len(), 8)?;
        whole(9, trees.numbers.listed(), if head.is_wide == 0 { 2 } else { 4 })?;
        trees.check_subgoals(section)?;
        trees.check_rows(section)?;
        trees.check_lists(section)
    }

    /// Subgoals are counted right, and each is where its id says.
    fn check_subgoals(&self, section: &Section) -> Result<(), Corruption> {
        let mut before = 0;
        for (index, rank) in self.ranks.iter().enumerate() {
            if (rank.before, rank.zero) != (before, 0) {
                let at = section.offset(2) + (index * size_of::<Rank>()) as u64;
                return Err(Corruption::at(at, format!("{before} subgoals before"), format!("{rank:?}")));
            }
            before += rank.free.count_ones();
        }
        if before != self.head.subgoals {
            let expected = format!("{} subgoals", self.head.subgoals);
            return Err(Corruption::at(section.offset(2), expected, before.to_string()));
        }
        for (subgoal, &id) in (0..).zip(self.ids) {
            if self.subgoal_at(StateId::new(id)) != Some(subgoal) {
                let at = section.offset(3) + u64::from(subgoal) * 4;
                return Err(Corruption::at(at, format!("the id of subgoal {subgoal}"), id.to_string()));
            }
        }
        Ok(())
    }

    /// Rows follow each other, as do the runs in them, and name arcs that are there.
    fn check_rows(&self, section: &Section) -> Result<(), Corruption> {
        let corruption = |subgoal: usize, what: &str| {
            let at = section.offset(4) + (subgoal * size_of::<Row>()) as u64;
            Err(Corruption::at(at, format!("{what} of subgoal {subgoal}"), "others"))
        };
        let (runs, arcs) = (self.numbers.runs(), self.arcs.len());
        let (Some(first), Some(last)) = (self.rows.first(), self.rows.last()) else { return Ok(()) };
        if (first.first_arc, first.first_run) != (0, 0)
            || (last.first_arc as usize, last.first_run as usize) != (arcs, runs)
        {
            return corruption(0, "the arcs and runs");
        }
        for (subgoal, pair) in self.rows.windows(2).enumerate() {
            let own_arcs = pair[1].first_arc.checked_sub(pair[0].first_arc);
            let (Some(own_arcs), true) = (own_arcs, pair[0].first_run <= pair[1].first_run) else {
                return corruption(subgoal, "the arcs and runs");
            };
            let mut end = None;
            for run in pair[0].first_run..pair[1].first_run {
                let Some((begin, symbol)) = self.numbers.run(run as usize) else { break };
                let follows = end.is_none_or(|end| begin > end) && begin < self.head.states;
                if !follows || symbol >= FIRST_ARC.saturating_add(own_arcs) {
                    return corruption(subgoal, "the runs");
                }
                end = Some(begin);
            }
        }
        let is_there =
            |arc: &TreeArc| arc.to < self.head.subgoals && arc.surplus as usize <= self.surpluses.len();
        match self.arcs.iter().position(|arc| !is_there(arc)) {
            None => Ok(()),
            Some(arc) => {
                let at = section.offset(5) + (arc * size_of::<TreeArc>()) as u64;
                Err(Corruption::at(
                    at,
                    "a subgoal and a surplus that are there",
                    format!("{:?}", self.arcs[arc]),
                ))
            }
        }
    }

    /// Lists follow each other and name subgoals that are there.
    fn check_lists(&self, section: &Section) -> Result<(), Corruption> {
        let listed = self.numbers.listed();
        let (first, last) = (self.list_begins.first(), self.list_begins.last());
        let follow = self.list_begins.is_sorted() && first == Some(&0);
        if !follow || last.is_none_or(|&last| last as usize != listed) {
            return Err(Corruption::at(section.offset(8), "lists that follow each other", "others"));
        }
        let is_there =
            |place: &u32| self.numbers.entry(*place).is_some_and(|entry| entry < self.head.subgoals);
        match (0..listed as u32).find(|place| !is_there(place)) {
            None => Ok(()),
            Some(place) => {
                Err(Corruption::at(section.offset(9), "subgoals that are there", format!("another, {place}")))
            }
        }
    }
}

//! Estimates from exact distances to landmarks, which were worked out beforehand: the larger of them and of the estimate from
//! coordinates.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, R. Lawrence: Case-based subgoaling in real-time heuristic search for video game pathfinding, JAIR
//! 2010, section 3; after N. Sturtevant, A. Felner, M. Barrer, J. Schaeffer, N. Burch: Memory-based heuristics for explicit
//! state spaces, IJCAI 2009.
//!
//! # Symbols
//! `S` the canonical states, here landmarks; `d` exact distances; `C(s)` the landmark nearest to s; `h(a, b)` the estimate.
//! - *Differential*: h(a, b) = max over s in S of |d(a, s) - d(b, s)|. Where moves cannot be undone, or cost more one way, the
//!   greater of d(s, b) - d(s, a) and d(a, s) - d(b, s).
//! - *Canonical*: h(a, b) = d(C(a), C(b)) - d(a, C(a)) - d(b, C(b)); with one-way moves d(C(a), a) in place of d(a, C(a)), where
//!   C(a) is the landmark from which a is nearest.
//!
//! # Guarantees
//! Both are admissible by the triangle inequality: d(s, b) <= d(s, a) + d(a, b), and so on. What stays admissible stays so
//! while ways become dearer: closed cells, greater weights, removed links.
//!
//! *The differential estimate is consistent.* Along a move from a to a' each d(s, .) changes by at most what the move costs, in
//! the direction that counts. A state from which a landmark cannot be reached that the goal reaches cannot reach the
//! goal, nor can any state after it: what is estimated there is no matter. The greater of consistent estimates is consistent.
//!
//! *The canonical estimate is not*: two neighbours may have different nearest landmarks, and then h(a) - h(a') may be as much as
//! the move costs and twice d(a', C(a')). Searches open closed states again, so that paths stay optimal.
//!
//! # Distances
//! A distance is a number of straight steps and one of diagonal steps: what they cost follows from the scale of the space,
//! which an edit may change.

use super::{AnyTarget, GridMetric, Target};
use crate::core::{Cost, Goal, StateId};
use crate::space::graph::visit::GraphTarget;
use serde::{Deserialize, Serialize};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Which distances an estimate reads.
///
/// ```
/// use milepost::agent::Algorithm;
/// use milepost::space::LandmarkForm;
///
/// /// What has to be built for agents of this kind.
/// fn index_of(algorithm: &impl Algorithm) -> &'static str {
///     match algorithm.landmarks() {
///         Some(LandmarkForm::Differential) => "landmarks",
///         Some(LandmarkForm::Canonical) => "landmarks:32:canonical",
///         None => "none",
///     }
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum LandmarkForm {
    /// Of every state to a few landmarks.
    Differential,
    /// Of every state to the nearest of many landmarks, and between these.
    Canonical,
}

/// A distance as it is stored; the greatest number stands for none.
pub(crate) trait StoredDistance: Copy {
    /// The greatest numbers of straight and of diagonal steps.
    const MOST: (u64, u64);

    /// So many straight and diagonal steps, neither more than [`StoredDistance::MOST`]; `None` where there is no way.
    fn new(steps: Option<(u64, u64)>) -> Self;

    /// Straight and diagonal steps.
    fn steps(self) -> Option<(u64, u64)>;
}

/// Straight and diagonal steps in 16 bits each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(transparent)]
pub(crate) struct ShortSteps(u32);

/// Straight steps alone, in 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(transparent)]
pub(crate) struct StraightSteps(u32);

/// Straight steps in 40 bits, diagonal ones in 24.
#[derive(Clone, Copy, PartialEq, Eq, Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(transparent)]
pub(crate) struct LongSteps(u64);

impl StoredDistance for ShortSteps {
    const MOST: (u64, u64) = (0xffff, 0xfffe);

    fn new(steps: Option<(u64, u64)>) -> ShortSteps {
        ShortSteps(steps.map_or(u32::MAX, |(straight, diagonal)| straight as u32 | (diagonal as u32) << 16))
    }

    #[inline(always)]
    fn steps(self) -> Option<(u64, u64)> {
        (self.0 != u32::MAX).then_some((u64::from(self.0 & 0xffff), u64::from(self.0 >> 16)))
    }
}

impl StoredDistance for StraightSteps {
    const MOST: (u64, u64) = (0xffff_fffe, 0);

    fn new(steps: Option<(u64, u64)>) -> StraightSteps {
        StraightSteps(steps.map_or(u32::MAX, |(straight, _)| straight as u32))
    }

    #[inline(always)]
    fn steps(self) -> Option<(u64, u64)> {
        (self.0 != u32::MAX).then_some((u64::from(self.0), 0))
    }
}

impl StoredDistance for LongSteps {
    const MOST: (u64, u64) = ((1 << 40) - 1, (1 << 24) - 2);

    fn new(steps: Option<(u64, u64)>) -> LongSteps {
        LongSteps(steps.map_or(u64::MAX, |(straight, diagonal)| straight | diagonal << 40))
    }

    #[inline(always)]
    fn steps(self) -> Option<(u64, u64)> {
        (self.0 != u64::MAX).then_some((self.0 & ((1 << 40) - 1), self.0 >> 40))
    }
}

/// Distances in one of the three layouts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Distances<'a> {
    Short(&'a [ShortSteps]),
    Straight(&'a [StraightSteps]),
    Long(&'a [LongSteps]),
}

/// Which row of distances a state has: one bit for each id, and how many are set before each word of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowNumbers<'a> {
    pub(crate) bits: &'a [u64],
    pub(crate) before: &'a [u32],
}

impl RowNumbers<'_> {
    /// The row of a state; `None` for one that was none when distances were measured.
    #[inline]
    pub(crate) fn of(&self, state: StateId) -> Option<usize> {
        let (word, bit) = (state.index() / 64, state.number() % 64);
        let bits = *self.bits.get(word)?;
        let before = (bits & ((1 << bit) - 1)).count_ones() + self.before.get(word)?;
        (bits >> bit & 1 == 1).then_some(before as usize)
    }
}

/// No landmark.
pub(crate) const NO_LANDMARK: u16 = u16::MAX;

/// Distances to landmarks, on the scale of a space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Landmarks<'a> {
    pub(crate) rows: RowNumbers<'a>,
    /// How many there are.
    pub(crate) count: usize,
    /// Ways to landmarks are stored beside those from them: else they cost the same.
    pub(crate) is_directed: bool,
    /// Where rows hold the distances of the nearest landmark alone: for every row its number, twice where ways are directed,
    /// first the one from which the state is nearest, then the one that is nearest to it. The distances between any two
    /// landmarks follow behind the rows.
    pub(crate) nearest: Option<&'a [u16]>,
    pub(crate) distances: Distances<'a>,
    /// Units of a straight and of a diagonal step. No distance that is stored has 2^63 of them.
    pub(crate) units: (u64, u64),
}

impl Landmarks<'_> {
    /// No way from the state to the one with the row `target` costs less.
    #[inline]
    fn estimate(&self, state: StateId, target: usize) -> Cost {
        let Some(row) = self.rows.of(state) else { return Cost::ZERO };
        let units = match self.distances {
            Distances::Short(distances) => self.bound(distances, row, target),
            Distances::Straight(distances) => self.bound(distances, row, target),
            Distances::Long(distances) => self.bound(distances, row, target),
        };
        Cost::new(units.max(0) as u64)
    }

    #[inline]
    fn bound<D: StoredDistance>(&self, distances: &[D], row: usize, target: usize) -> i64 {
        match self.nearest {
            None => self.differential(distances, row, target),
            Some(nearest) => self.canonical(distances, nearest, row, target).unwrap_or(0),
        }
    }

    /// What a distance costs.
    #[inline(always)]
    fn cost(&self, distance: impl StoredDistance) -> Option<i64> {
        let (straight, diagonal) = distance.steps()?;
        Some((straight * self.units.0 + diagonal * self.units.1) as i64)
    }

    /// d(a, s) - d(b, s); 0 where one of them is not known.
    #[inline(always)]
    fn difference<D: StoredDistance>(&self, (a, b): (&D, &D)) -> i64 {
        match (self.cost(*a), self.cost(*b)) {
            (Some(a), Some(b)) => a - b,
            _ => 0,
        }
    }

    /// max over s of |d(a, s) - d(b, s)|.
    #[inline]
    fn differential<D: StoredDistance>(&self, distances: &[D], a: usize, b: usize) -> i64 {
        let width = if self.is_directed { 2 * self.count } else { self.count };
        let row = |number: usize| distances.get(number * width..(number + 1) * width).unwrap_or(&[]);
        let (a, b) = (row(a), row(b));
        if !self.is_directed {
            return a.iter().zip(b).map(|pair| self.difference(pair).abs()).max().unwrap_or(0);
        }
        let [(from_a, to_a), (from_b, to_b)] = [a, b].map(|row| row.split_at(row.len() / 2));
        let forwards = from_b.iter().zip(from_a).map(|pair| self.difference(pair));
        let backwards = to_a.iter().zip(to_b).map(|pair| self.difference(pair));
        forwards.chain(backwards).max().unwrap_or(0)
    }

    /// d(C(a), C(b)) - d(a, C(a)) - d(b, C(b)).
    #[inline]
    fn canonical<D: StoredDistance>(
        &self,
        distances: &[D],
        nearest: &[u16],
        a: usize,
        b: usize,
    ) -> Option<i64> {
        let directions = if self.is_directed { 2 } else { 1 };
        let (a, b) = (a * directions, b * directions + directions - 1);
        let (from, to) = (usize::from(*nearest.get(a)?), usize::from(*nearest.get(b)?));
        if from.max(to) >= self.count {
            return None;
        }
        let between = distances.get(nearest.len() + from * self.count + to)?;
        let [between, of_a, of_b] = [between, distances.get(a)?, distances.get(b)?].map(|d| self.cost(*d));
        Some((between? - of_a?).saturating_sub(of_b?))
    }
}

/// A goal whose distance landmarks estimate too: the greater estimate counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Informed<'a, G> {
    goal: G,
    landmarks: Landmarks<'a>,
    /// The row of the goal.
    target: Option<usize>,
}

impl<'a, G> Informed<'a, G> {
    /// The goal to be at `target`.
    pub(crate) fn new(goal: G, landmarks: Landmarks<'a>, target: StateId) -> Informed<'a, G> {
        Informed { goal, landmarks, target: landmarks.rows.of(target) }
    }
}

impl<G: Goal> Goal for Informed<'_, G> {
    #[inline]
    fn is_reached(&self, state: StateId) -> bool {
        self.goal.is_reached(state)
    }

    #[inline]
    fn estimate(&self, state: StateId) -> Cost {
        let geometric = self.goal.estimate(state);
        self.target.map_or(geometric, |target| geometric.max(self.landmarks.estimate(state, target)))
    }
}

impl<'a> AnyTarget<'a> {
    /// The same state by a greater estimate.
    pub(crate) fn informed(self, landmarks: Landmarks<'a>, target: StateId) -> AnyTarget<'a> {
        let cell = |goal: Target<GridMetric>| AnyTarget::InformedCell(Informed::new(goal, landmarks, target));
        match self {
            AnyTarget::Octile(goal) => cell(goal.general()),
            AnyTarget::Other(goal) => cell(goal),
            AnyTarget::Node(goal) => {
                AnyTarget::InformedNode(Informed::<GraphTarget<'a>>::new(goal, landmarks, target))
            }
            informed => informed,
        }
    }
}

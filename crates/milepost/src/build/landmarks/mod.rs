//! Builds [`landmarks`](crate::index::landmarks): states far from each other, and exact distances to them.
//!
//! # Paper
//! V. Bulitko, Y. Björnsson, R. Lawrence: Case-based subgoaling in real-time heuristic search for video game pathfinding, JAIR
//! 2010, section 3; after N. Sturtevant, A. Felner, M. Barrer, J. Schaeffer, N. Burch: Memory-based heuristics for explicit
//! state spaces, IJCAI 2009. Which states are landmarks the section leaves open ([`choose`]).
//!
//! # Symbols
//! `S` the landmarks, `d` exact distances, `C(s)` the landmark nearest to s. Differential: d of every state to every landmark.
//! Canonical: d(s, C(s)) of every state, and d between any two landmarks.
//!
//! # Guarantees
//! Distances are exact. The same bytes with any number of threads: landmarks are chosen one after the other, floods are
//! independent and put together in order.
//!
//! # Deviations
//! 1. Where moves cannot be undone, or cost more one way, both directions are stored, and the nearest landmark of each.
//! 2. States of a small component have none near: they are estimated by coordinates alone.

mod choose;
mod verify;

pub(super) use verify::verify;

use super::network::{Network, NetworkFlood};
use super::{BuildError, Estimate, Progress, SILENT, parallel};
use crate::core::{CostScale, StateId};
use crate::index::landmarks::{Header, LONG, SHORT, STRAIGHT};
use crate::index::{Bytes, IndexKind, IndexSpec, SectionWriter};
use crate::space::{LandmarkForm, LongSteps, ShortSteps, Space, StoredDistance, StraightSteps};
use choose::Chosen;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use zerocopy::{Immutable, IntoBytes};

/// Instead of a distance where there is no way.
const NO_WAY: u64 = u64::MAX;

/// The distances of a space to so many landmarks; those of the nearest alone if the parameter says so.
pub(super) fn build(space: &Space, parameter: u32, progress: Progress<'_>) -> Result<Bytes, BuildError> {
    let plan = Plan::new(space, parameter, usize::MAX);
    let floods = plan.floods(&plan.chosen.landmarks, progress);
    plan.written(&floods)
}

/// Floods that an estimate tries, and landmarks that it chooses.
const SAMPLE: usize = 4;
const SAMPLE_CHOSEN: usize = 64;

/// What the choice of so many landmarks takes, in floods: each ends where another landmark is as near, so that the second finds
/// about half of the states, the third a third; and all states are looked through for the next one.
fn choosing(landmarks: usize) -> f64 {
    const LOOKING: f64 = 0.015;
    (1..=landmarks).map(|number| LOOKING + 1.0 / number as f64).sum()
}

/// What [`build`] would take, from the choice of some landmarks and a few floods.
pub(super) fn estimate(space: &Space, parameter: u32) -> Result<Estimate, BuildError> {
    let begin = Instant::now();
    let plan = Plan::new(space, parameter, SAMPLE_CHOSEN);
    let tried = plan.chosen.landmarks.len();
    // A space of few states has fewer.
    let most = count_of(parameter).min(plan.states.len());
    let count = if tried < SAMPLE_CHOSEN { tried } else { most };
    let chosen = begin.elapsed().as_secs_f64() * choosing(count) / choosing(tried).max(1.0);
    let sample: Vec<u32> =
        plan.chosen.landmarks.iter().copied().step_by((tried / SAMPLE).max(1)).take(SAMPLE).collect();
    let begin = Instant::now();
    let floods = plan.floods(&sample, SILENT);
    let share = count as f64 / sample.len().max(1) as f64;
    let seconds = chosen + begin.elapsed().as_secs_f64() * share;
    let largest = plan.largest(&floods);
    let (rows, directions) = (space.states() as u64, plan.directions() as u64);
    let distances = match plan.form {
        LandmarkForm::Differential => rows * directions * count as u64,
        LandmarkForm::Canonical => rows * directions + (count * count) as u64,
    };
    let numbers = if plan.form == LandmarkForm::Canonical { 2 * rows * directions } else { 0 };
    let size = if layout(largest)? == LONG { 8 } else { 4 };
    let bytes = space.id_bound().div_ceil(64) as u64 * 12 + distances * size + numbers + 600;
    Ok(Estimate::new(IndexKind::LANDMARKS, bytes, seconds, None))
}

/// The landmarks that a parameter asks for.
fn count_of(parameter: u32) -> usize {
    (parameter & !IndexSpec::CANONICAL) as usize
}

/// What is to be measured.
struct Plan<'a> {
    space: &'a Space,
    form: LandmarkForm,
    states: Vec<StateId>,
    network: Network,
    /// The same the other way round, unless all ways cost the same both ways.
    reversed: Option<Network>,
    chosen: Chosen,
}

/// The distances from one landmark to all states, and back where that is another matter; by number.
type Flood = [Vec<u64>; 2];

impl<'a> Plan<'a> {
    /// With the first `most` of its landmarks.
    fn new(space: &'a Space, parameter: u32, most: usize) -> Plan<'a> {
        let states: Vec<StateId> = space.free_states().collect();
        let network = Network::new(space, &states);
        let reversed = (!is_symmetric(space, &network)).then(|| network.reversed());
        let networks: Vec<&Network> = std::iter::once(&network).chain(&reversed).collect();
        let chosen = choose::choose(space, &states, &networks, count_of(parameter), most);
        Plan { space, form: LandmarkForm::of(parameter), states, network, reversed, chosen }
    }

    fn directions(&self) -> usize {
        if self.reversed.is_some() { 2 } else { 1 }
    }

    /// Floods from some landmarks.
    fn floods(&self, landmarks: &[u32], progress: Progress<'_>) -> Vec<Flood> {
        let done = AtomicU64::new(0);
        let room =
            || [Some(&self.network), self.reversed.as_ref()].map(|network| network.map(NetworkFlood::new));
        parallel::map_list_with(landmarks, room, |[forwards, backwards], &landmark| {
            let measured = |flood: &mut Option<NetworkFlood>, network: Option<&Network>| {
                let (Some(flood), Some(network)) = (flood, network) else { return Vec::new() };
                flood.measure(network, landmark);
                self.kept(flood)
            };
            let flood =
                [measured(forwards, Some(&self.network)), measured(backwards, self.reversed.as_ref())];
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, landmarks.len() as u64 + 1);
            flood
        })
    }

    /// What is stored of a flood: all distances, or those of landmarks.
    fn kept(&self, flood: &NetworkFlood) -> Vec<u64> {
        match self.form {
            LandmarkForm::Differential => {
                (0..self.states.len() as u32).map(|state| flood.distance(state)).collect()
            }
            LandmarkForm::Canonical => {
                self.chosen.landmarks.iter().map(|&state| flood.distance(state)).collect()
            }
        }
    }

    /// Straight and diagonal steps of a distance.
    fn steps(&self, distance: u64) -> Option<(u64, u64)> {
        (distance != NO_WAY).then(|| steps(&self.space.scale(), distance))
    }

    /// The most straight and the most diagonal steps of any distance.
    fn largest(&self, floods: &[Flood]) -> (u64, u64) {
        let nearest = self.chosen.nearest.iter().map(|nearest| &nearest.distances);
        let all =
            floods.iter().flatten().chain(nearest.filter(|_| self.form == LandmarkForm::Canonical)).flatten();
        let steps = all.filter_map(|&distance| self.steps(distance));
        steps.fold((0, 0), |most, steps| (most.0.max(steps.0), most.1.max(steps.1)))
    }

    fn written(&self, floods: &[Flood]) -> Result<Bytes, BuildError> {
        let (most_straight, most_diagonal) = self.largest(floods);
        let scale = self.space.scale();
        let layout = layout((most_straight, most_diagonal))?;
        let header = Header {
            count: self.chosen.landmarks.len() as u32,
            layout,
            directions: self.directions() as u32,
            halves: (scale.one() / scale.straight()) as u32,
            most_straight,
            most_diagonal,
        };
        let (mut bits, mut before, mut rows) =
            (vec![0_u64; self.space.id_bound().div_ceil(64)], Vec::new(), 0);
        for state in &self.states {
            bits[state.index() / 64] |= 1 << (state.number() % 64);
        }
        for word in &bits {
            before.push(rows);
            rows += word.count_ones();
        }
        let landmarks: Vec<u32> =
            self.chosen.landmarks.iter().map(|&number| self.states[number as usize].number()).collect();
        let mut writer = SectionWriter::default();
        writer.push(&[header]).push(&bits).push(&before).push(&landmarks);
        match layout {
            SHORT => self.push_distances::<ShortSteps>(floods, &mut writer),
            STRAIGHT => self.push_distances::<StraightSteps>(floods, &mut writer),
            _ => self.push_distances::<LongSteps>(floods, &mut writer),
        }
        Ok(writer.finish())
    }

    fn push_distances<D: StoredDistance + IntoBytes + Immutable>(
        &self,
        floods: &[Flood],
        writer: &mut SectionWriter,
    ) {
        let directions = self.directions();
        let stored = |distance: u64| D::new(self.steps(distance));
        let mut distances = Vec::new();
        if self.form == LandmarkForm::Differential {
            for state in 0..self.states.len() {
                for direction in 0..directions {
                    distances.extend(floods.iter().map(|flood| stored(flood[direction][state])));
                }
            }
        } else {
            let mut nearest: Vec<u16> = Vec::new();
            for state in 0..self.states.len() {
                for direction in &self.chosen.nearest[..directions] {
                    nearest.push(direction.landmarks[state]);
                    distances.push(stored(direction.distances[state]));
                }
            }
            writer.push(&nearest);
            distances.extend(floods.iter().flat_map(|flood| &flood[0]).map(|&distance| stored(distance)));
        }
        writer.push(&distances);
    }
}

/// Whether every move can be undone at the same cost.
fn is_symmetric(space: &Space, network: &Network) -> bool {
    if let Some(grid) = space.as_grid() {
        return grid.links().is_empty();
    }
    let cheapest =
        |from: u32, to: u32| network.arcs(from).iter().filter(|arc| arc.to == to).map(|arc| arc.cost).min();
    (0..network.states() as u32)
        .all(|from| network.arcs(from).iter().all(|arc| cheapest(from, arc.to) == cheapest(arc.to, from)))
}

/// How distances of so many straight and diagonal steps at most are stored.
fn layout(largest: (u64, u64)) -> Result<u32, BuildError> {
    let fits = |most: (u64, u64)| largest.0 <= most.0 && largest.1 <= most.1;
    match () {
        () if fits(StraightSteps::MOST) => Ok(STRAIGHT),
        () if fits(ShortSteps::MOST) => Ok(SHORT),
        () if fits(LongSteps::MOST) => Ok(LONG),
        () => {
            let why =
                format!("distances of {} straight and {} diagonal steps are too long", largest.0, largest.1);
            Err(BuildError::DoesNotPay { kind: IndexKind::LANDMARKS, why })
        }
    }
}

/// A cost as a number of straight and the least number of diagonal steps.
///
/// Every cost is a * q + b * p for whole numbers a and b, where a straight step costs q and a diagonal one p. For the
/// scales of sqrt 2, where p^2 - 2 q^2 = 1, the cost times p is b modulo q; b is less than q on every map whose costs are exact, and a
/// smaller number with the same remainder serves as well. Other scales are small: all remainders are tried.
fn steps(scale: &CostScale, cost: u64) -> (u64, u64) {
    let (q, p) = (scale.straight(), scale.diagonal());
    let product = |a: u64, b: u64| (u128::from(a % q) * u128::from(b % q) % u128::from(q)) as u64;
    let is_of_root = u128::from(p).pow(2) == 2 * u128::from(q).pow(2) + 1;
    let diagonal = match is_of_root {
        true => product(cost, p),
        false => (0..q).find(|&b| product(b, p) == cost % q).unwrap_or(0),
    };
    (cost.saturating_sub(diagonal * p) / q, diagonal)
}

#[cfg(test)]
mod tests;

//! Exact distances to landmarks: of every state to a few, or of every state to the nearest of many and between these.
//!
//! # Layout
//! docs/index-format.md describes the arrays.
//!
//! Distances count straight and diagonal steps, so that they hold on any scale of the same map; rows are numbered by bits of
//! ids, so that they are found after cells were closed. That is why an edit which only makes ways dearer keeps this index.

use crate::core::StateId;
use crate::index::{Atlas, Corruption, IndexKind, IndexSpec, Section};
use crate::space::{
    Distances, LandmarkForm, Landmarks, LongSteps, NO_LANDMARK, RowNumbers, ShortSteps, Space,
    StoredDistance, StraightSteps,
};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// What stands before the arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(crate) struct Header {
    /// How many landmarks there are; perhaps fewer than were asked for.
    pub(crate) count: u32,
    /// How distances are stored: [`SHORT`], [`STRAIGHT`] or [`LONG`].
    pub(crate) layout: u32,
    /// 2 where ways to landmarks are stored beside ways from them, else 1.
    pub(crate) directions: u32,
    /// Straight steps that a cost of 1 counts: 2 where steps count half of the weight of both cells, the units of 1 on other spaces than grids, else 1.
    pub(crate) halves: u32,
    /// No distance has more straight steps.
    pub(crate) most_straight: u64,
    /// No distance has more diagonal steps.
    pub(crate) most_diagonal: u64,
}

/// [`ShortSteps`].
pub(crate) const SHORT: u32 = 1;
/// [`StraightSteps`].
pub(crate) const STRAIGHT: u32 = 2;
/// [`LongSteps`].
pub(crate) const LONG: u32 = 3;

/// The most landmarks that may be asked for.
pub(crate) const MOST: u32 = 4096;

// Their numbers have 16 bits.
const _: () = assert!(MOST < NO_LANDMARK as u32);

impl IndexSpec {
    /// What the parameter of landmarks whose nearest one alone is stored for each state is more than their number.
    pub(crate) const CANONICAL: u32 = 1 << 31;

    const DIFFERENTIAL_LANDMARKS: IndexSpec = IndexSpec::of(IndexKind::LANDMARKS);
    const CANONICAL_LANDMARKS: IndexSpec =
        IndexSpec::new(IndexKind::LANDMARKS, IndexSpec::CANONICAL + DEFAULT_CANONICAL);
}

/// How many landmarks there are for canonical estimates if no number is given.
pub(crate) const DEFAULT_CANONICAL: u32 = 512;

impl LandmarkForm {
    /// The words that users give, without landmarks first.
    pub(crate) const WORDS: [&'static str; 3] = ["geometric", "differential", "canonical"];

    /// The place of a choice among the words.
    pub(crate) fn place(form: Option<LandmarkForm>) -> usize {
        match form {
            None => 0,
            Some(LandmarkForm::Differential) => 1,
            Some(LandmarkForm::Canonical) => 2,
        }
    }

    /// The choice at a place among the words.
    pub(crate) fn at(place: usize) -> Option<LandmarkForm> {
        [None, Some(LandmarkForm::Differential), Some(LandmarkForm::Canonical)].get(place).copied().flatten()
    }

    /// The index that is built where none is named.
    pub(crate) const fn index(self) -> IndexSpec {
        match self {
            LandmarkForm::Differential => IndexSpec::DIFFERENTIAL_LANDMARKS,
            LandmarkForm::Canonical => IndexSpec::CANONICAL_LANDMARKS,
        }
    }

    /// That of a section.
    pub(crate) fn of(parameter: u32) -> LandmarkForm {
        if parameter >= IndexSpec::CANONICAL { LandmarkForm::Canonical } else { LandmarkForm::Differential }
    }
}

impl Atlas {
    /// The distances that an estimate reads, of the most landmarks that there are; `None` if there are none, or if an edit
    /// made ways cheaper since they were measured.
    pub(crate) fn landmarks(&self, form: LandmarkForm) -> Option<Landmarks<'_>> {
        let index = form.index();
        let sections = self.sections().iter().rev();
        let mut of_form = sections.filter(|section| section.index().serves_as(index));
        of_form.next().and_then(|section| open(self.space(), section))
    }
}

/// The distances of a section that was checked.
pub(crate) fn open<'a>(space: &Space, section: &'a Section) -> Option<Landmarks<'a>> {
    let header = section.array::<Header>(0).first()?;
    let scale = space.scale();
    // A map that had no weights and has some now counts every step twice.
    let halves =
        (scale.one() / scale.straight()).checked_div(header.halves.into()).filter(|halves| *halves > 0)?;
    let units = (scale.straight().checked_mul(halves)?, scale.diagonal().checked_mul(halves)?);
    let cost = |steps: u64, units: u64| u128::from(steps) * u128::from(units);
    let most = cost(header.most_straight, units.0) + cost(header.most_diagonal, units.1);
    let is_canonical = LandmarkForm::of(section.key().parameter) == LandmarkForm::Canonical;
    let array = if is_canonical { 5 } else { 4 };
    (most < 1 << 63).then_some(Landmarks {
        rows: RowNumbers { bits: section.array(1), before: section.array(2) },
        count: header.count as usize,
        is_directed: header.directions == 2,
        nearest: is_canonical.then(|| section.array(4)),
        distances: match header.layout {
            SHORT => Distances::Short(section.array(array)),
            STRAIGHT => Distances::Straight(section.array(array)),
            _ => Distances::Long(section.array(array)),
        },
        units,
    })
}

/// The states of the landmarks, in their order.
pub(crate) fn states(section: &Section) -> impl Iterator<Item = StateId> {
    section.array::<u32>(3).iter().copied().map(StateId::new)
}

/// Lengths, numbers of rows and of landmarks, and sizes of distances.
pub(crate) fn check(space: &Space, section: &Section) -> Result<(), Corruption> {
    let parameter = section.key().parameter;
    let header = section.exactly::<Header>(0, 1)?[0];
    let asked = parameter & !IndexSpec::CANONICAL;
    let scale = space.scale();
    let parts = if space.as_grid().is_some() { 2 } else { (scale.one() / scale.straight()) as u32 };
    let is_sound = header.count <= asked
        && asked <= MOST
        && [SHORT, STRAIGHT, LONG].contains(&header.layout)
        && [1, 2].contains(&header.directions)
        && ([1, parts].contains(&header.halves)
            || header.halves.is_power_of_two() && space.as_mesh().is_some());
    if !is_sound {
        let expected = format!("at most {asked} landmarks, a layout, directions and halves that there are");
        return Err(Corruption::at(section.offset(0), expected, format!("{header:?}")));
    }
    let rows = check_rows(space, section)?;
    let count = header.count as usize;
    for (place, &state) in section.exactly::<u32>(3, count)?.iter().enumerate() {
        let has_row = RowNumbers { bits: section.array(1), before: section.array(2) }.of(StateId::new(state));
        if has_row.is_none() {
            let at = section.offset(3) + 4 * place as u64;
            return Err(Corruption::at(at, "a state that has distances", state.to_string()));
        }
    }
    let per_state = rows * header.directions as usize;
    let (array, distances) = match LandmarkForm::of(parameter) {
        LandmarkForm::Differential => (4, per_state.checked_mul(count)),
        LandmarkForm::Canonical => {
            let nearest = section.exactly::<u16>(4, per_state)?;
            let is_sound = |number: u16| number == NO_LANDMARK || usize::from(number) < count;
            if let Some(place) = nearest.iter().position(|&number| !is_sound(number)) {
                let at = section.offset(4) + 2 * place as u64;
                return Err(Corruption::at(
                    at,
                    "the number of a landmark, or 65535",
                    nearest[place].to_string(),
                ));
            }
            (5, per_state.checked_add(count * count))
        }
    };
    let distances = distances.unwrap_or(usize::MAX);
    match header.layout {
        SHORT => check_distances::<ShortSteps>(&header, section, array, distances),
        STRAIGHT => check_distances::<StraightSteps>(&header, section, array, distances),
        _ => check_distances::<LongSteps>(&header, section, array, distances),
    }
}

/// Rows are numbered in the order of ids, and on grids every free cell has one. Returns how many there are.
fn check_rows(space: &Space, section: &Section) -> Result<usize, Corruption> {
    let words = section.array::<u64>(1).len();
    let bits = section.exactly::<u64>(1, words.min(space.id_bound().div_ceil(64)))?;
    let before = section.exactly::<u32>(2, bits.len())?;
    let mut rows = 0_u32;
    for (place, (bits, before)) in bits.iter().zip(before).enumerate() {
        if *before != rows {
            let at = section.offset(2) + 4 * place as u64;
            return Err(Corruption::at(at, format!("{rows} states before"), before.to_string()));
        }
        rows = rows.saturating_add(bits.count_ones());
    }
    let numbers = RowNumbers { bits, before };
    let lacks_row = |state: &StateId| numbers.of(*state).is_none();
    if space.as_grid().is_some()
        && let Some(state) = space.free_states().find(lacks_row)
    {
        let at = section.offset(1) + state.index() as u64 / 64 * 8;
        return Err(Corruption::at(at, format!("a bit for the free cell {state}"), "none"));
    }
    Ok(rows as usize)
}

fn check_distances<D: StoredDistance + FromBytes + Immutable + KnownLayout>(
    header: &Header,
    section: &Section,
    array: usize,
    count: usize,
) -> Result<(), Corruption> {
    let distances = section.exactly::<D>(array, count)?;
    let is_sound = |(straight, diagonal): (u64, u64)| {
        straight <= header.most_straight && diagonal <= header.most_diagonal
    };
    match distances.iter().position(|distance| !distance.steps().is_none_or(is_sound)) {
        None => Ok(()),
        Some(place) => {
            let at = section.offset(array) + (place * size_of::<D>()) as u64;
            let expected = format!(
                "at most {} straight and {} diagonal steps",
                header.most_straight, header.most_diagonal
            );
            Err(Corruption::at(at, expected, format!("{:?}", distances[place].steps())))
        }
    }
}

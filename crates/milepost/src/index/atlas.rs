//! One version of a space with the indexes that were built for it.

use super::{Bytes, Corruption, Figure, IndexSpec, Section, SectionKey};
use crate::space::{Edit, EditError, Grid, Space};
use std::sync::{Arc, Weak};

/// What planners and agents are given: a space, and what is known about it. Immutable, `Send + Sync`, cheap to
/// clone, never touched by a query.
///
/// ```
/// use milepost::{Atlas, Grid, Indexes, Outcome, Point, Rule, Scratch};
///
/// let grid = Grid::from_ascii(".....\n.@@@.\n...@.", Rule::Octile)?;
/// let atlas = Atlas::build(&grid, Indexes::standard())?; // or `Atlas::new(grid)`, without indexes
/// let bytes = atlas.to_bytes(); // what `save` writes to a file
/// let atlas = Atlas::from_bytes(&bytes)?; // what `open` reads from one
///
/// let mut scratch = Scratch::new();
/// let outcome = atlas.path(Point::new(2, 2), Point::new(4, 2), &mut scratch);
/// assert!(matches!(outcome, Outcome::Found { .. }));
/// println!("{} long, found by {}", scratch.path().cost_f64(), atlas.fastest().name);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Atlas {
    space: Space,
    /// In the order of their keys. Where they or `outlived` are others, this list is another one.
    sections: Arc<[Section]>,
    /// In the order of their names. They were counted with these sections: with others there are none.
    figures: Arc<[Figure]>,
    /// Indexes that an edit has made untrue and whose readers can do without.
    outlived: Arc<[IndexSpec]>,
}

/// The indexes of an atlas, for a reader that asks at every step whether they are still the same ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownIndexes(Option<Weak<[Section]>>);

impl Atlas {
    /// An atlas of a space about which nothing has been worked out beforehand.
    pub fn new(space: impl Into<Space>) -> Atlas {
        Atlas { space: space.into(), sections: Arc::new([]), figures: Arc::new([]), outlived: Arc::new([]) }
    }

    /// The space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The indexes, in the order of their keys.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// What exact planners took on random problems, by which the fastest is chosen: in the order of their names; empty if that
    /// was not counted, and where there is nothing to choose from.
    pub fn figures(&self) -> &[Figure] {
        &self.figures
    }

    /// The figures of this planner.
    #[inline]
    pub(crate) fn figure(&self, planner: &str) -> Option<&Figure> {
        self.figures.iter().find(|figure| figure.planner == planner)
    }

    /// The same with these figures, in the order of their names.
    pub(crate) fn with_counted(&self, figures: Box<[Figure]>) -> Atlas {
        Atlas { figures: figures.into(), ..self.clone() }
    }

    /// Whether there is this index.
    pub fn has(&self, index: impl Into<IndexSpec>) -> bool {
        self.section(index.into()).is_some()
    }

    /// A number that is worth knowing of an index, by its name: `mean tree` of trees of subgoals, `records` of a case base.
    pub fn fact(&self, index: impl Into<IndexSpec>, name: &str) -> Option<f64> {
        self.facts(index).into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// All numbers that are worth knowing of an index, with their names.
    pub fn facts(&self, index: impl Into<IndexSpec>) -> Vec<(&'static str, f64)> {
        self.section(index).map_or_else(Vec::new, |section| (section.key().kind.entry().facts)(self, section))
    }

    #[inline]
    pub(crate) fn section(&self, index: impl Into<IndexSpec>) -> Option<&Section> {
        let number = SectionKey::from(index.into()).number();
        let place = self.sections.binary_search_by_key(&number, Section::number).ok()?;
        self.sections.get(place)
    }

    /// The same with one more index, or with another in its place. Its arrays are checked against the space: lengths
    /// and numbers, so that reading them is safe, not whether they tell the truth. [Figures](Atlas::figures) are left out:
    /// they were counted without it.
    pub fn with_section(&self, index: impl Into<IndexSpec>, bytes: &[u8]) -> Result<Atlas, Corruption> {
        self.with_shared(index.into().into(), Bytes::copied(bytes))
    }

    /// The same, without a copy of the bytes.
    pub(crate) fn with_shared(&self, key: SectionKey, bytes: Bytes) -> Result<Atlas, Corruption> {
        let section = Section::open(key, bytes)?;
        (key.kind.entry().check)(self, &section)?;
        let mut sections: Vec<Section> =
            self.sections.iter().filter(|other| other.key() != key).cloned().collect();
        sections.push(section);
        sections.sort_by_key(Section::key);
        Ok(Atlas { sections: sections.into(), figures: Arc::new([]), ..self.clone() })
    }

    /// Whether what reads this index can work here: the index is there, or one that serves in its place, or an edit has made
    /// it untrue and its readers can do without.
    pub(crate) fn serves(&self, index: impl Into<IndexSpec>) -> bool {
        let index = index.into();
        self.section(index).is_some()
            || self.sections.iter().any(|section| section.index().serves_as(index))
            || self.outlived.iter().any(|other| other.serves_as(index))
    }

    /// The indexes, to be known again.
    pub(crate) fn known_indexes(&self) -> KnownIndexes {
        KnownIndexes(Some(Arc::downgrade(&self.sections)))
    }

    /// Whether the indexes are these, and those that edits have made untrue. While they are known no other list lies where
    /// theirs does.
    #[inline]
    pub(crate) fn has_known_indexes(&self, known: &KnownIndexes) -> bool {
        let sections = Arc::as_ptr(&self.sections);
        known.0.as_ref().is_some_and(|known| std::ptr::addr_eq(known.as_ptr(), sections))
    }

    /// Another version of the space. No index is offered there until it is built anew, since an edit may have made any of
    /// them wrong; but those that [outlast dearer ways](super::IndexEntry::outlasts_dearer) are kept if the edits make no way
    /// cheaper.
    pub fn edited(&self, edits: &[Edit]) -> Result<Atlas, EditError> {
        let edited = Atlas::new(self.space.edited(edits)?);
        let outlasts = |index: IndexSpec| index.kind.entry().outlasts_dearer;
        let lasting: Vec<&Section> =
            self.sections.iter().filter(|section| outlasts(section.index())).collect();
        if lasting.is_empty() && self.outlived.is_empty() {
            return Ok(edited);
        }
        if self.space.only_dearer(edits) {
            let sections = lasting.into_iter().cloned().collect();
            return Ok(Atlas { sections, outlived: self.outlived.clone(), ..edited });
        }
        let untrue = lasting.into_iter().map(Section::index);
        let outlived = self.outlived.iter().copied().chain(untrue).collect();
        Ok(Atlas { outlived, ..edited })
    }
}

impl From<Grid> for Atlas {
    fn from(grid: Grid) -> Atlas {
        Atlas::new(grid)
    }
}

//! The bytes of an index file: an atlas from beginning to end.
//!
//! # Layout
//! docs/index-format.md describes the bytes.

mod bytes;
mod corruption;
mod figures_section;
mod map_section;
mod mesh_section;
mod section;
mod source;

pub(crate) use bytes::{Bytes, BytesBuffer};
pub use corruption::Corruption;
pub use section::Section;
pub(crate) use section::{ArrayReader, SectionKey};
pub(crate) use source::ByteSource;

pub(crate) use section::SectionWriter;

use super::{Atlas, IndexKind, RetiredIndex};
use crate::core::CostScale;
use crate::core::debug_as_sentence;
use crate::space::{Rule, Space};
use bytes::ALIGNMENT;
use section::Arrays;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

const FORMAT_VERSION: u32 = Atlas::FORMAT_VERSION;

const MAGIC: &[u8; 8] = b"MILEPOST";
const HEADER: usize = 64;
const ENTRY: usize = 32;
const CHECKSUM: usize = 8;
/// A table with more entries is none: it would be longer than many an index.
const MOST_SECTIONS: usize = 1 << 16;

/// Kinds of sections that hold a map.
const GRID: u16 = 1;
const GRAPH: u16 = 2;
const MESH: u16 = 3;
/// The kind of the section that holds figures: above those of all indexes, so that it comes last.
const FIGURES: u16 = 64;

/// What is wrong with an index file.
///
/// ```
/// use milepost::Atlas;
/// use milepost::index::IndexFileError;
///
/// let error = Atlas::from_bytes(b"type octile\nheight 3\n").unwrap_err();
/// assert!(matches!(error, IndexFileError::NotAnIndex { .. })); // a map, not what was built from it
/// println!("{error}");
/// ```
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IndexFileError {
    /// Something else.
    #[error(
        "is no index file: it begins with {found}, expected MILEPOST; build an index from a map: milepost build MAP -o FILE.milepost"
    )]
    NotAnIndex {
        /// Its first bytes.
        found: String,
    },
    /// Written by another release.
    #[error(
        "is an index file of version {found}, and this program reads version {FORMAT_VERSION}; build it anew: milepost \
         build MAP --index LIST -o FILE"
    )]
    OtherVersion {
        /// Its version.
        found: u32,
    },
    /// It has an index that is gone.
    #[error(
        "holds the index `{name}`, which is gone: `{instead}` took its place; build it anew: milepost build MAP --index {instead} \
         -o FILE"
    )]
    Gone {
        /// The index that it has.
        name: &'static str,
        /// What to build in its place.
        instead: IndexKind,
    },
    /// Not what was written.
    #[error(
        "is damaged, {what}: {corruption}; copy it again, or build it anew: milepost build MAP --index LIST -o FILE"
    )]
    Damaged {
        /// Which part of it.
        what: String,
        /// What is wrong there.
        corruption: Corruption,
    },
}

debug_as_sentence!(IndexFileError);

/// An entry of the table of sections.
struct Entry {
    kind: u16,
    view: u16,
    parameter: u32,
    offset: u64,
    length: u64,
    checksum: u64,
}

impl Entry {
    fn of(kind: u16, key: Option<SectionKey>, offset: usize, bytes: &[u8]) -> Entry {
        Entry {
            kind,
            view: key.map_or(0, |key| key.view),
            parameter: key.map_or(0, |key| key.parameter),
            offset: offset as u64,
            length: bytes.len() as u64,
            checksum: xxh3_64(bytes),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.kind.to_le_bytes());
        out.extend(self.view.to_le_bytes());
        out.extend(self.parameter.to_le_bytes());
        out.extend(self.offset.to_le_bytes());
        out.extend(self.length.to_le_bytes());
        out.extend(self.checksum.to_le_bytes());
    }

    fn read(bytes: &[u8], at: usize) -> Option<Entry> {
        Some(Entry {
            kind: number(bytes, at, 2)? as u16,
            view: number(bytes, at + 2, 2)? as u16,
            parameter: number(bytes, at + 4, 4)? as u32,
            offset: number(bytes, at + 8, 8)?,
            length: number(bytes, at + 16, 8)?,
            checksum: number(bytes, at + 24, 8)?,
        })
    }

    fn name(&self) -> String {
        match IndexKind::from_code(self.kind) {
            Some(kind) => format!("section `{kind}`"),
            None if [GRID, GRAPH, MESH].contains(&self.kind) => "section `map`".to_owned(),
            None if self.kind == FIGURES => "section `figures`".to_owned(),
            None => match RetiredIndex::from_code(self.kind) {
                Some(retired) => format!("section `{}`", retired.name),
                None => format!("section of kind {}", self.kind),
            },
        }
    }
}

/// A number of up to eight bytes.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let slice = bytes.get(at..at.checked_add(size)?)?;
    Some(slice.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

impl Atlas {
    /// The version of the file format that this program reads and writes.
    pub const FORMAT_VERSION: u32 = 2;

    /// The bytes of a file that holds this atlas: the map, all indexes, and figures.
    pub fn to_bytes(&self) -> Vec<u8> {
        let map = map_section::write(self.space());
        let map_kind = match self.space() {
            Space::Grid(_) => GRID,
            Space::Graph(_) => GRAPH,
            Space::Mesh(_) => MESH,
        };
        let figures = (!self.figures().is_empty()).then(|| figures_section::write(self.figures()));
        let parts: Vec<(u16, Option<SectionKey>, &[u8])> = [(map_kind, None, map.as_slice())]
            .into_iter()
            .chain(
                self.sections().iter().map(|part| (part.key().kind.code(), Some(part.key()), part.bytes())),
            )
            .chain(figures.iter().map(|figures| (FIGURES, None, figures.as_slice())))
            .collect();
        let mut end = HEADER + ENTRY * parts.len() + CHECKSUM;
        let mut entries = Vec::new();
        for &(kind, key, bytes) in &parts {
            let offset = end.next_multiple_of(ALIGNMENT);
            entries.push(Entry::of(kind, key, offset, bytes));
            end = offset + bytes.len();
        }
        let mut out = Vec::with_capacity(end);
        out.extend(MAGIC);
        out.extend(FORMAT_VERSION.to_le_bytes());
        out.extend((parts.len() as u32).to_le_bytes());
        out.extend((end as u64).to_le_bytes());
        out.extend(self.space().hash().to_le_bytes());
        out.extend(rule_code(self.space()).to_le_bytes());
        out.extend([0; 4]);
        out.extend(scale_numbers(self.space().scale()).into_iter().flat_map(u64::to_le_bytes));
        entries.iter().for_each(|entry| entry.write(&mut out));
        out.extend(xxh3_64(&out).to_le_bytes());
        for (_, _, bytes) in parts {
            out.resize(out.len().next_multiple_of(ALIGNMENT), 0);
            out.extend(bytes);
        }
        out
    }

    /// The atlas in the bytes of a file. Lengths, numbers and checksums are checked, so that whatever the bytes are,
    /// reading the atlas later never panics, loops or looks outside. Whether the indexes tell the truth about the map
    /// is for `verify`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Atlas, IndexFileError> {
        let mut buffer = BytesBuffer::zeros(bytes.len());
        buffer.as_mut_slice().copy_from_slice(bytes);
        Atlas::from_source(&mut buffer.share())
    }

    /// As [`Atlas::from_bytes`], asking for one piece after another: a section is read once all before it are right.
    pub(crate) fn from_source<S: ByteSource>(source: &mut S) -> Result<Atlas, S::Error> {
        let file = Layout::open(source)?;
        let (map_entry, map) = file.section(0, source)?;
        let map_section = |kind: u16| {
            if map_entry.kind != kind {
                let found = map_entry.name();
                return Err(Corruption::at(map_entry.offset, "the map as first section", found));
            }
            Arrays::open(map.clone())
        };
        let read_space = || -> Result<Space, Corruption> {
            Ok(match file.rule {
                None if map_entry.kind == MESH => mesh_section::read(&map_section(MESH)?)?.into(),
                None => map_section::read_graph(&map_section(GRAPH)?)?.into(),
                Some(rule) => map_section::read_grid(&map_section(GRID)?, rule)?.into(),
            })
        };
        let space = read_space().map_err(|corruption| damaged("section `map`", corruption))?;
        if space.hash() != file.hash {
            let (expected, found) =
                (format!("fingerprint {:016x}", file.hash), format!("{:016x}", space.hash()));
            return Err(damaged("section `map`", Corruption::at(24, expected, found)).into());
        }
        if scale_numbers(space.scale()) != file.scale {
            let expected = format!("the scale {:?}", scale_numbers(space.scale()));
            let corruption = Corruption::at(40, expected, format!("{:?}", file.scale));
            return Err(damaged("the header", corruption).into());
        }
        let mut atlas = Atlas::new(space);
        for index in 1..file.sections {
            let (entry, bytes) = file.section(index, source)?;
            if (entry.kind, entry.view, entry.parameter, index + 1) == (FIGURES, 0, 0, file.sections) {
                let figures = figures_section::read(bytes);
                let figures = figures.map_err(|corruption| damaged(&entry.name(), corruption))?;
                return Ok(atlas.with_counted(figures));
            }
            if let Some(&RetiredIndex { name, instead, .. }) = RetiredIndex::from_code(entry.kind) {
                return Err(IndexFileError::Gone { name, instead }.into());
            }
            let Some(kind) = IndexKind::from_code(entry.kind) else {
                let corruption =
                    Corruption::at(entry.offset, "a kind of section that this program knows", entry.name());
                return Err(damaged("the table of sections", corruption).into());
            };
            let key = SectionKey { kind, parameter: entry.parameter, view: entry.view };
            if atlas.sections().last().is_some_and(|last| last.key() >= key) {
                let corruption =
                    Corruption::at(entry.offset, "sections in the order of their keys", entry.name());
                return Err(damaged("the table of sections", corruption).into());
            }
            atlas = atlas.with_shared(key, bytes).map_err(|corruption| damaged(&entry.name(), corruption))?;
        }
        Ok(atlas)
    }
}

fn damaged(what: &str, corruption: Corruption) -> IndexFileError {
    IndexFileError::Damaged { what: what.to_owned(), corruption }
}

fn rule_code(space: &Space) -> u32 {
    let position = |rule: Rule| Rule::ALL.iter().position(|other| *other == rule).unwrap_or(0) as u32;
    space.as_grid().map_or(0, |grid| position(grid.rule()) + 1)
}

fn scale_numbers(scale: CostScale) -> [u64; 3] {
    [scale.straight(), scale.diagonal(), scale.one()]
}

/// A file whose header and table of sections are right.
struct Layout {
    length: u64,
    /// Header and table.
    head: Bytes,
    sections: usize,
    hash: u64,
    /// None for a graph.
    rule: Option<Rule>,
    scale: [u64; 3],
}

impl Layout {
    fn open<S: ByteSource>(source: &mut S) -> Result<Layout, S::Error> {
        let length = source.length();
        let head = source.piece(0..length.min(HEADER as u64))?;
        if !head.as_slice().starts_with(MAGIC) {
            let first = head.as_slice().iter().take(8);
            let found = first.map(|byte| byte.escape_ascii().to_string()).collect::<String>();
            let found = if found.is_empty() { "nothing".into() } else { found };
            return Err(IndexFileError::NotAnIndex { found }.into());
        }
        let header = |what: Corruption| S::Error::from(damaged("the header", what));
        let short =
            |at, size| header(Corruption::at(at as u64, format!("{size} bytes"), "the end of the file"));
        let read = |at, size| number(head.as_slice(), at, size).ok_or_else(|| short(at, size));
        let version = read(8, 4)? as u32;
        if version != FORMAT_VERSION {
            return Err(IndexFileError::OtherVersion { found: version }.into());
        }
        let sections = read(12, 4)? as usize;
        if sections > MOST_SECTIONS {
            let expected = format!("at most {MOST_SECTIONS} sections");
            return Err(header(Corruption::at(12, expected, sections.to_string())));
        }
        let table_end = HEADER + ENTRY * sections;
        if length < (table_end + CHECKSUM) as u64 {
            return Err(short(table_end, CHECKSUM));
        }
        let head = source.piece(0..(table_end + CHECKSUM) as u64)?;
        let read = |at, size| number(head.as_slice(), at, size).ok_or_else(|| short(at, size));
        let checksum = read(table_end, CHECKSUM)?;
        let found = xxh3_64(&head.as_slice()[..table_end]);
        if checksum != found {
            let expected = format!("checksum {checksum:016x}");
            return Err(header(Corruption::at(table_end as u64, expected, format!("{found:016x}"))));
        }
        let promised = read(16, 8)?;
        if promised != length {
            let found = format!("{length} bytes");
            return Err(header(Corruption::at(16, format!("a file of {promised} bytes"), found)));
        }
        let code = read(32, 4)?;
        let rule = match code {
            0 => None,
            code => {
                let expected = format!("a movement rule from 0 to {}", Rule::ALL.len());
                let unknown = || header(Corruption::at(32, expected, code.to_string()));
                Some(*Rule::ALL.get(code as usize - 1).ok_or_else(unknown)?)
            }
        };
        if read(36, 4)? != 0 || sections == 0 {
            return Err(header(Corruption::at(36, "zero, and at least one section", "others")));
        }
        let scale = [read(40, 8)?, read(48, 8)?, read(56, 8)?];
        let hash = read(24, 8)?;
        let file = Layout { length, head, sections, hash, rule, scale };
        file.check_layout((table_end + CHECKSUM) as u64, source)?;
        Ok(file)
    }

    /// Sections follow each other at multiples of 64, with zeros between, up to the end of the file.
    fn check_layout<S: ByteSource>(&self, table_end: u64, source: &mut S) -> Result<(), S::Error> {
        let table = |corruption: Corruption| S::Error::from(damaged("the table of sections", corruption));
        let mut end = table_end;
        for index in 0..self.sections {
            let at = HEADER + ENTRY * index;
            let entry = self.entry(index)?;
            // Both ends lie in the file, whose length is one of an existing file: no overflow.
            let offset = end.next_multiple_of(ALIGNMENT as u64);
            let room = self.length.saturating_sub(offset);
            if entry.offset != offset || offset > self.length || entry.length > room {
                let expected = format!("a section at {offset} of at most {room} bytes");
                let found = format!("one at {} of {} bytes", entry.offset, entry.length);
                return Err(table(Corruption::at(at as u64, expected, found)));
            }
            let gap = source.piece(end..offset)?;
            let gap = gap.as_slice();
            if let Some(position) = gap.iter().position(|&byte| byte != 0) {
                let at = end + position as u64;
                return Err(table(Corruption::at(at, "zeros between sections", gap[position].to_string())));
            }
            end = offset + entry.length;
        }
        if end != self.length {
            let found = format!("{} bytes more", self.length - end);
            return Err(table(Corruption::at(end, "the end of the file", found)));
        }
        Ok(())
    }

    fn entry(&self, index: usize) -> Result<Entry, IndexFileError> {
        let at = HEADER + ENTRY * index;
        let missing =
            || damaged("the table of sections", Corruption::at(at as u64, "an entry", "the end of the file"));
        Entry::read(self.head.as_slice(), at).ok_or_else(missing)
    }

    /// A section whose checksum is right.
    fn section<S: ByteSource>(&self, index: usize, source: &mut S) -> Result<(Entry, Bytes), S::Error> {
        let entry = self.entry(index)?;
        let bytes = source.piece(entry.offset..entry.offset + entry.length)?;
        let found = xxh3_64(bytes.as_slice());
        if found != entry.checksum {
            let expected = format!("checksum {:016x}", entry.checksum);
            let found = format!("{found:016x} over the whole section, which begins there");
            return Err(damaged(&entry.name(), Corruption::at(entry.offset, expected, found)).into());
        }
        Ok((entry, bytes))
    }
}

#[cfg(test)]
mod tests;

//! Figures as a section. docs/index-format.md describes the array.

use super::bytes::Bytes;
use super::section::Arrays;
use crate::index::{Corruption, Figure, SectionWriter};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// An element of the array.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
struct Line {
    /// The name of the planner, then zeros.
    name: [u8; Figure::LONGEST_NAME],
    units: u64,
    problems: u32,
    zero: u32,
}

/// The bytes of figures, which are in the order of their names.
pub(super) fn write(figures: &[Figure]) -> Bytes {
    let line = |figure: &Figure| {
        let mut name = [0; Figure::LONGEST_NAME];
        let length = figure.planner.len().min(name.len());
        name[..length].copy_from_slice(&figure.planner.as_bytes()[..length]);
        Line { name, units: figure.units, problems: figure.problems, zero: 0 }
    };
    let lines: Vec<Line> = figures.iter().map(line).collect();
    SectionWriter::default().push(&lines).finish()
}

/// The figures of a section: at least two, in the order of their names. A name that this program does not know is no damage:
/// another release may have more planners.
pub(super) fn read(bytes: Bytes) -> Result<Box<[Figure]>, Corruption> {
    let section = Arrays::open(bytes)?;
    let lines = section.array::<Line>(0);
    let begin = section.offset(0);
    if lines.len() < 2 || section.count() != 1 {
        let found = format!("{} of {}", lines.len(), section.count());
        return Err(Corruption::at(begin, "figures of at least two planners in one array", found));
    }
    let mut figures: Vec<Figure> = Vec::with_capacity(lines.len());
    for (index, line) in lines.iter().enumerate() {
        let at = begin + (index * size_of::<Line>()) as u64;
        let length = line.name.iter().position(|&byte| byte == 0).unwrap_or(line.name.len());
        let (name, rest) = line.name.split_at(length);
        let planner = String::from_utf8_lossy(name).into_owned();
        let is_behind = figures.last().is_none_or(|last| last.planner < planner);
        if !Figure::is_name(name) || rest.iter().any(|&byte| byte != 0) || !is_behind {
            let found = format!("`{}`", line.name.escape_ascii());
            return Err(Corruption::at(at, "names of planners in increasing order, then zeros", found));
        }
        if line.problems == 0 || line.zero != 0 {
            let found = format!("{} and {}", line.problems, line.zero);
            return Err(Corruption::at(at, format!("problems of `{planner}`, and a zero"), found));
        }
        figures.push(Figure { planner, problems: line.problems, units: line.units });
    }
    Ok(figures.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(planner: &str, problems: u32, units: u64) -> Figure {
        Figure { planner: planner.to_owned(), problems, units }
    }

    #[test]
    fn figures_come_back_from_their_bytes() {
        let longest = "z".repeat(Figure::LONGEST_NAME);
        let figures = [figure("astar-2", 1, u64::MAX), figure("jps", u32::MAX, 0), figure(&longest, 200, 7)];
        assert_eq!(*read(write(&figures)).expect("sound bytes"), figures);
    }

    #[test]
    fn what_cannot_be_figures_is_refused_with_what_was_expected() {
        let (one, two) = (figure("jps", 3, 9), figure("jump", 3, 9));
        for (figures, expected) in [
            (vec![], "at least two planners"),
            (vec![one.clone()], "at least two planners"),
            (vec![two.clone(), one.clone()], "increasing order"),
            (vec![one.clone(), one.clone()], "increasing order"),
            (vec![figure("", 3, 9), two.clone()], "increasing order"),
            (vec![figure("JPS", 3, 9), two.clone()], "names of planners"),
            (vec![one.clone(), figure("j\u{e4}ger", 3, 9)], "names of planners"),
            (vec![one.clone(), figure("jump", 0, 9)], "problems of `jump`"),
        ] {
            let message = read(write(&figures)).expect_err("no figures").to_string();
            assert!(message.contains(expected), "{figures:?}: {message}");
        }
        // A letter behind the end of a name, and a number where a zero must be.
        let sound = write(&[one, two]);
        for at in [64 + 31, 64 + 32 + 12] {
            let mut bytes = sound.as_slice().to_vec();
            bytes[at] = b'a';
            assert!(read(Bytes::copied(&bytes)).is_err(), "byte {at}");
        }
        for end in 0..sound.as_slice().len() {
            assert!(read(Bytes::copied(&sound.as_slice()[..end])).is_err(), "cut at {end}");
        }
    }
}

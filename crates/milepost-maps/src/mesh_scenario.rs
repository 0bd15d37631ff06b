//! Scenarios on meshes: a list of problems, each with its cost.
//!
//! ```text
//! milepost-mesh-scenario 1
//! # from to cost
//! 1.5,2.25 30,12.75 41.82
//! 1.5,2.25,0.2 3,4,8.5 -
//! ```
//!
//! A cost is that of the cheapest way over the midpoints of portals, in the unit of the mesh; `-` says that there is no way. `#` begins
//! a comment.
//!
//! # Guarantees
//! Whatever the bytes are, [`read()`] does not panic, and its memory is bounded by the size of the file. What [`write()`] wrote, [`read()`] reads
//! back as the same problems.

use crate::format_error::{FormatError, Records, Word, exactly, real};
use crate::lines::{Line, real_number};
use std::fmt::Write as _;

/// The first line of every such file.
pub const FIRST_LINE: &str = "milepost-mesh-scenario 1";

/// A place on a mesh: x and y, and a height where it was given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshPlace {
    /// East.
    pub x: f64,
    /// South.
    pub y: f64,
    /// Up; without it the lowest floor is meant.
    pub z: Option<f64>,
}

/// One problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshProblem {
    /// Where to start.
    pub from: MeshPlace,
    /// Where to go.
    pub to: MeshPlace,
    /// The cost of the cheapest way; none if there is no way.
    pub cost: Option<f64>,
    /// The line in the file, from 1; 0 for a problem that comes from no file. Not written.
    pub line: u32,
}

/// Reads a scenario. Its problems come in the order of the file.
pub fn read(bytes: &[u8]) -> Result<Vec<MeshProblem>, FormatError> {
    let first = "the line `milepost-mesh-scenario 1`";
    let mut records = Records::new(bytes, first)?;
    let line = records.expect(first)?;
    let [name, version] = exactly(&line, first)?;
    if name.1 != b"milepost-mesh-scenario" {
        return Err(FormatError::line(&line, first));
    }
    if version.1 != b"1" {
        return Err(FormatError::at(&line, version, "version 1"));
    }
    records.map(|line| read_problem(&line)).collect()
}

fn read_problem(line: &Line<'_>) -> Result<MeshProblem, FormatError> {
    let [from, to, cost] = exactly(line, "`X,Y[,Z] X,Y[,Z] COST`")?;
    let (from, to) = (place(line, from)?, place(line, to)?);
    let wrong = || FormatError::at(line, cost, "`-` or a cost of at least 0");
    let cost = match cost.1 {
        b"-" => None,
        _ => Some(real(line, cost, "a cost").ok().filter(|cost| *cost >= 0.0).ok_or_else(wrong)?),
    };
    Ok(MeshProblem { from, to, cost, line: line.place.line })
}

fn place(line: &Line<'_>, word: Word<'_>) -> Result<MeshPlace, FormatError> {
    let mut numbers = word.1.split(|&byte| byte == b',').map(real_number);
    match (numbers.next(), numbers.next(), numbers.next(), numbers.next()) {
        (Some(Some(x)), Some(Some(y)), None, _) => Ok(MeshPlace { x, y, z: None }),
        (Some(Some(x)), Some(Some(y)), Some(Some(z)), None) => Ok(MeshPlace { x, y, z: Some(z) }),
        _ => Err(FormatError::at(line, word, "a place as X,Y or X,Y,Z")),
    }
}

/// Writes a scenario: LF and single blanks, numbers with as many digits as they take to be read back.
pub fn write(problems: &[MeshProblem]) -> String {
    let mut text = format!("{FIRST_LINE}\n");
    let place = |place: MeshPlace| match place.z {
        None => format!("{},{}", place.x, place.y),
        Some(z) => format!("{},{},{z}", place.x, place.y),
    };
    for problem in problems {
        let cost = problem.cost.map_or("-".to_owned(), |cost| cost.to_string());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {} {cost}", place(problem.from), place(problem.to));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_number_reaches_its_field() {
        let text = "milepost-mesh-scenario 1\n1.5,-2 3,4,8.5 7.25 # far\n\n0,0 1,1 -\n";
        let flat = |x, y| MeshPlace { x, y, z: None };
        let first = MeshProblem {
            from: flat(1.5, -2.0),
            to: MeshPlace { z: Some(8.5), ..flat(3.0, 4.0) },
            cost: Some(7.25),
            line: 2,
        };
        let second = MeshProblem { from: flat(0.0, 0.0), to: flat(1.0, 1.0), cost: None, line: 4 };
        assert_eq!(read(text.as_bytes()), Ok(vec![first, second]));
    }

    #[test]
    fn what_is_broken_is_named_with_its_line() {
        for (text, pieces) in [
            ("", ["empty", FIRST_LINE]),
            ("milepost-graph-scenario 1\n", ["line 1", FIRST_LINE]),
            ("milepost-mesh-scenario 2\n", ["line 1", "version 1"]),
            ("milepost-mesh-scenario 1\n1,2 3,4\n", ["line 2", "COST"]),
            ("milepost-mesh-scenario 1\n1 3,4 5\n", ["line 2", "X,Y"]),
            ("milepost-mesh-scenario 1\n1,2,3,4 3,4 5\n", ["line 2", "X,Y"]),
            ("milepost-mesh-scenario 1\n1,nan 3,4 5\n", ["line 2", "X,Y"]),
            ("milepost-mesh-scenario 1\n1,2 3,4 -5\n", ["line 2", "at least 0"]),
            ("milepost-mesh-scenario 1\n1,2 3,4 5 6\n", ["line 2", "no more than"]),
        ] {
            let message = read(text.as_bytes()).expect_err(text).to_string();
            assert!(pieces.iter().all(|piece| message.contains(piece)), "{text}: {message}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
            let _ = read(&bytes);
        }

        #[test]
        fn every_list_of_problems_survives_the_round_trip(
            list in prop::collection::vec((-1e9f64..1e9, -1e9f64..1e9, prop::option::of(-1e3f64..1e3), prop::option::of(0f64..1e6)), 0..20),
        ) {
            let problem = |(index, (x, y, z, cost))| {
                let from = MeshPlace { x, y, z };
                MeshProblem { from, to: MeshPlace { x: y, y: x, z }, cost, line: index as u32 + 2 }
            };
            let problems: Vec<MeshProblem> = list.into_iter().enumerate().map(problem).collect();
            prop_assert_eq!(read(write(&problems).as_bytes()), Ok(problems));
        }
    }
}

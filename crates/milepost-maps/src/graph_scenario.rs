//! Scenarios on graphs: a list of problems, each with its optimal cost.
//!
//! ```text
//! milepost-graph-scenario 1
//! # from to cost
//! 1 264346 1520047
//! 17 3 -
//! ```
//!
//! Nodes are numbered as in the file of the graph. A cost is a whole number in the unit of the graph's costs;
//! `-` says that there is no way. `#` begins a comment.
//!
//! # Guarantees
//! Whatever the bytes are, [`read()`] does not panic, and its memory is bounded by the size of the file. What
//! [`write()`] wrote, [`read()`] reads back as the same problems.

use crate::error::debug_as_sentence;
use std::fmt::Write as _;

use thiserror::Error;

use super::error::{Excerpt, Place};
use super::lines::{Line, Lines, whole_number, words};

/// The first line of every such file.
pub const FIRST_LINE: &str = "milepost-graph-scenario 1";

/// One problem: from which node to which, and what the cheapest way costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphProblem {
    /// Where to start.
    pub from: u32,
    /// Where to go.
    pub to: u32,
    /// The cost of the cheapest way; none if there is no way.
    pub cost: Option<u64>,
    /// The line in the file, from 1; 0 for a problem that comes from no file. Not written.
    pub line: u32,
}

/// Why bytes are not a graph scenario.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GraphScenarioError {
    /// There is nothing in the file.
    #[error(
        "the file is empty: expected the line `{FIRST_LINE}`, found {bytes} bytes of nothing but blanks; get \
             the scenario again"
    )]
    Empty {
        /// How many blanks there are.
        bytes: u64,
    },
    /// The first line is another one.
    #[error("{place}: expected the line `{FIRST_LINE}`, found {found}; this is no scenario for a graph")]
    FirstLine {
        /// Where it begins.
        place: Place,
        /// The line.
        found: Excerpt,
    },
    /// The file is of another version.
    #[error("{place}: expected version 1, found {found}; write the scenario again, or use a newer program")]
    Version {
        /// Where the version stands.
        place: Place,
        /// The version.
        found: Excerpt,
    },
    /// A line has too few or too many words.
    #[error("{place}: expected `FROM TO COST`, found {count} words in {found}; correct the line")]
    Words {
        /// Where the line begins.
        place: Place,
        /// How many words it has.
        count: usize,
        /// The line.
        found: Excerpt,
    },
    /// A word is not the number it should be.
    #[error("{place}: expected {expected} as {name}, found {found}; correct the line")]
    Number {
        /// Where the word begins.
        place: Place,
        /// What the word is called.
        name: &'static str,
        /// What could stand there.
        expected: &'static str,
        /// What stands there.
        found: Excerpt,
    },
}

debug_as_sentence!(GraphScenarioError);

/// Reads a graph scenario. Its problems come in the order of the file.
///
/// ```
/// let problems = milepost_maps::graph_scenario::read(b"milepost-graph-scenario 1\n1 2 803\n2 9 -\n")?;
/// assert_eq!((problems[0].cost, problems[1].cost), (Some(803), None));
/// # Ok::<(), milepost_maps::GraphScenarioError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<Vec<GraphProblem>, GraphScenarioError> {
    let mut lines = Lines::new(bytes);
    if lines.rest().iter().all(u8::is_ascii_whitespace) {
        return Err(GraphScenarioError::Empty { bytes: bytes.len() as u64 });
    }
    if let Some(first) = lines.next() {
        check_first(&first)?;
    }
    let mut problems = Vec::new();
    for line in lines {
        let comment = line.text.iter().position(|&byte| byte == b'#').unwrap_or(line.text.len());
        let line = Line { text: line.text[..comment].trim_ascii_end(), ..line };
        if !line.text.is_empty() {
            problems.push(read_problem(&line)?);
        }
    }
    Ok(problems)
}

/// Writes a graph scenario: LF and single blanks.
pub fn write(problems: &[GraphProblem]) -> String {
    let mut text = format!("{FIRST_LINE}\n");
    for problem in problems {
        // Writing to a string cannot fail.
        let _ = match problem.cost {
            Some(cost) => writeln!(text, "{} {} {cost}", problem.from, problem.to),
            None => writeln!(text, "{} {} -", problem.from, problem.to),
        };
    }
    text
}

fn check_first(line: &Line<'_>) -> Result<(), GraphScenarioError> {
    let mut found = words(line.text);
    match (found.next(), found.next(), found.next()) {
        (Some((_, b"milepost-graph-scenario")), Some((_, b"1")), None) => Ok(()),
        (Some((_, b"milepost-graph-scenario")), Some((at, version)), None) => {
            Err(GraphScenarioError::Version { place: line.place_at(at), found: Excerpt::new(version) })
        }
        _ => Err(GraphScenarioError::FirstLine { place: line.place, found: Excerpt::new(line.text) }),
    }
}

fn read_problem(line: &Line<'_>) -> Result<GraphProblem, GraphScenarioError> {
    let mut found = words(line.text);
    let (Some(from), Some(to), Some(cost), None) = (found.next(), found.next(), found.next(), found.next())
    else {
        let (count, found) = (words(line.text).count(), Excerpt::new(line.text));
        return Err(GraphScenarioError::Words { place: line.place, count, found });
    };
    let wrong = |name, expected, (at, word): (usize, &[u8])| GraphScenarioError::Number {
        place: line.place_at(at),
        name,
        expected,
        found: Excerpt::new(word),
    };
    let node = |name, word: (usize, &[u8])| {
        whole_number(word.1).ok_or_else(|| wrong(name, "a whole number from 0 to 4294967295 in digits", word))
    };
    Ok(GraphProblem {
        from: node("FROM", from)?,
        to: node("TO", to)?,
        cost: match cost.1 {
            b"-" => None,
            digits => {
                let expected = "`-` or a whole number from 0 to 18446744073709551615 in digits";
                Some(large_number(digits).ok_or_else(|| wrong("COST", expected, cost))?)
            }
        },
        line: line.place.line,
    })
}

/// Digits as a number of 64 bits.
fn large_number(digits: &[u8]) -> Option<u64> {
    // The standard parser would accept a plus.
    let is_plain = digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits).ok().filter(|_| is_plain)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::any_input::any_damage;

    const SMALL: &[u8] = b"milepost-graph-scenario 1\n# two\n1 2 803\n\n17 3 - # no way\n";

    fn problem(from: u32, to: u32, cost: Option<u64>, line: u32) -> GraphProblem {
        GraphProblem { from, to, cost, line }
    }

    #[test]
    fn every_number_reaches_its_field() {
        assert_eq!(read(SMALL), Ok(vec![problem(1, 2, Some(803), 3), problem(17, 3, None, 5)]));
    }

    #[test]
    fn odd_scenarios_load_all_the_same() {
        let odd: &[(&str, &[u8])] = &[
            ("plain", b"milepost-graph-scenario 1\n1 2 3\n"),
            ("CR LF", b"milepost-graph-scenario 1\r\n1 2 3\r\n"),
            ("no end of the last line", b"milepost-graph-scenario 1\n1 2 3"),
            ("a byte order mark", b"\xef\xbb\xbfmilepost-graph-scenario 1\n1 2 3\n"),
            ("blanks", b" milepost-graph-scenario\t1 \n\t1  2\t3 \n\n"),
            ("a comment behind", b"milepost-graph-scenario 1\n1 2 3#4\n"),
            ("comments", b"milepost-graph-scenario 1\n#\n  # 9 9 9\n01 002 0003\n"),
        ];
        for (name, bytes) in odd {
            let problems = read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            let [found] = &problems[..] else { panic!("{name}: {problems:?}") };
            assert_eq!(problem(found.from, found.to, found.cost, 0), problem(1, 2, Some(3), 0), "{name}");
        }
        assert_eq!(read(b"milepost-graph-scenario 1"), Ok(vec![]));
    }

    #[test]
    fn writing_keeps_the_largest_numbers() {
        let problems = [problem(u32::MAX, 0, Some(u64::MAX), 2), problem(0, u32::MAX, None, 3)];
        assert_eq!(read(write(&problems).as_bytes()), Ok(problems.to_vec()));
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
            let _ = read(&bytes);
        }

        #[test]
        fn arbitrary_words_never_panic(text in "([0-9#-]{0,22}[ \t\r\n]){0,20}") {
            let _ = read(format!("{FIRST_LINE}\n{text}").as_bytes());
        }

        #[test]
        fn every_list_of_problems_survives_the_round_trip(list: Vec<(u32, u32, Option<u64>)>) {
            let with_line = |(index, (from, to, cost))| problem(from, to, cost, index as u32 + 2);
            let problems: Vec<_> = list.into_iter().enumerate().map(with_line).collect();
            prop_assert_eq!(read(write(&problems).as_bytes()), Ok(problems));
        }

        #[test]
        fn a_damaged_scenario_never_panics(damage in any_damage()) {
            let bytes = damage.of(SMALL);
            if let Ok(problems) = read(&bytes) {
                prop_assert!(read(write(&problems).as_bytes()).is_ok());
            }
        }
    }
}

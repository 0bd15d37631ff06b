//! Edits files: one change of a space a line.
//!
//! ```text
//! # a door falls shut before the fourth query, or the fourth move
//! @3 close 10,4
//! open 2,2 5,3
//! weight 7,7 9
//! link 1,1 30,12 5
//! unlink 1,1 30,12
//! edge #4 #9 120
//! unedge #4 #9
//! node #17 250,-30
//! unnode #17
//! close #3
//! open 12.5,30.25
//! close 12.5,30.25,4
//! area #3 2.5
//! ```

use super::error::Excerpt;
use super::lines::real_number;
use super::mesh::hundredths;
use crate::error::debug_as_sentence;
use milepost::{Edit, MeshArea, NodePosition, Point, Position, StateId};
use thiserror::Error;

/// One line of an edits file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimedEdit {
    /// The edit takes place before the query or the move of this number, counted from 0; without a prefix before all of
    /// them.
    pub before_query: u32,
    /// What changes.
    pub edit: Edit,
    /// The line it stands in, counted from 1.
    pub line: u32,
}

/// What is wrong with an edits file.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("line {line}: expected {expected}, found {found}")]
pub struct EditsError {
    /// The line, counted from 1.
    pub line: u32,
    /// What should stand there.
    pub expected: &'static str,
    /// What does.
    pub found: Excerpt,
}

debug_as_sentence!(EditsError);

const COMMANDS: &str = "`close`, `open`, `weight`, `link`, `unlink`, `edge`, `unedge`, `node`, `unnode` or `area`, or `@N` before one of them";

/// Reads an edits file.
pub fn read(bytes: &[u8]) -> Result<Vec<TimedEdit>, EditsError> {
    let mut edits = Vec::new();
    for (index, bytes) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let line = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let wrong = |expected, found: &[u8]| EditsError { line, expected, found: Excerpt::new(found) };
        let text = str::from_utf8(bytes).map_err(|_| wrong("text", bytes))?;
        // A `#` at the beginning of a line or after a blank, and not before a number, starts a comment.
        let text = text.trim_start_matches('\u{feff}');
        let mut words: Vec<&str> = text.split_ascii_whitespace().collect();
        let is_comment =
            |word: &&str| word.starts_with('#') && !word[1..].starts_with(|c: char| c.is_ascii_digit());
        words.truncate(words.iter().position(is_comment).unwrap_or(words.len()));
        if words.is_empty() {
            continue;
        }
        let mut words = words.into_iter();
        let mut first = words.next().unwrap_or_default();
        let mut before_query = 0;
        if let Some(number) = first.strip_prefix('@') {
            before_query =
                number.parse().map_err(|_| wrong("`@` and the number of a query", first.as_bytes()))?;
            first = words.next().ok_or_else(|| wrong(COMMANDS, b""))?;
        }
        let edit = read_edit(first, &mut words, &wrong)?;
        if let Some(rest) = words.next() {
            return Err(wrong("the end of the line", rest.as_bytes()));
        }
        edits.push(TimedEdit { before_query, edit, line });
    }
    Ok(edits)
}

type Wrong<'a> = &'a dyn Fn(&'static str, &[u8]) -> EditsError;

fn read_edit<'a>(
    command: &str,
    words: &mut (impl Iterator<Item = &'a str> + Clone),
    wrong: Wrong<'_>,
) -> Result<Edit, EditsError> {
    Ok(match command {
        "close" | "open" if words.clone().next().is_some_and(|word| word.starts_with('#')) => {
            Edit::Polygon { polygon: node(words, wrong)?, free: command == "open" }
        }
        "area" => {
            let polygon = node(words, wrong)?;
            let word = words.next().unwrap_or_default();
            let cost = word.parse().ok().and_then(hundredths).filter(|&cost| MeshArea::is_cost(cost));
            let expected = "a cost from 0.01 to 1000 in hundredths";
            Edit::Area { polygon, cost: cost.ok_or_else(|| wrong(expected, word.as_bytes()))? }
        }
        "close" | "open" if words.clone().next().is_some_and(|word| place(word).is_some()) => {
            let at = place(words.next().unwrap_or_default()).unwrap_or_default();
            Edit::Place { at, free: command == "open" }
        }
        "close" | "open" => {
            let from = point(words, wrong)?;
            // A second corner is optional.
            let to = if words.clone().next().is_some() { point(words, wrong)? } else { from };
            Edit::Cells { from, to, free: command == "open" }
        }
        "weight" => {
            let at = point(words, wrong)?;
            Edit::Weight { at, weight: number(words, "a weight from 1 to 255", wrong)? }
        }
        "link" => {
            let (from, to) = (point(words, wrong)?, point(words, wrong)?);
            Edit::Link { from, to, cost: number(words, "a cost in whole straight steps", wrong)? }
        }
        "unlink" => Edit::Unlink { from: point(words, wrong)?, to: point(words, wrong)? },
        "edge" => {
            let (from, to) = (node(words, wrong)?, node(words, wrong)?);
            Edit::Edge { from, to, cost: number(words, "a cost from 1 to 4294967295", wrong)? }
        }
        "unedge" => Edit::Unedge { from: node(words, wrong)?, to: node(words, wrong)? },
        "node" => {
            let node = node(words, wrong)?;
            let at = point(words, wrong)?;
            let coordinate =
                |value: i64| i32::try_from(value).map_err(|_| wrong("coordinates of 32 bits", b""));
            Edit::Node { node, at: NodePosition::new(coordinate(at.x)?, coordinate(at.y)?) }
        }
        "unnode" => Edit::Unnode { node: node(words, wrong)? },
        other => return Err(wrong(COMMANDS, other.as_bytes())),
    })
}

fn point<'a>(words: &mut impl Iterator<Item = &'a str>, wrong: Wrong<'_>) -> Result<Point, EditsError> {
    let word = words.next().unwrap_or_default();
    let parse = || {
        let (x, y) = word.split_once(',')?;
        Some(Point::new(x.parse().ok()?, y.parse().ok()?))
    };
    parse().ok_or_else(|| wrong("a cell as X,Y", word.as_bytes()))
}

/// A place on a mesh, `X,Y` or `X,Y,Z`, where it is no cell: with a fraction or with a height.
fn place(word: &str) -> Option<Position> {
    let numbers: Option<Vec<f64>> = word.split(',').map(|part| real_number(part.as_bytes())).collect();
    let is_cell = word.split(',').all(|part| part.parse::<i64>().is_ok());
    match *numbers? {
        [x, y] if !is_cell => Some(Position::new(x, y, f64::NAN)),
        [x, y, z] => Some(Position::new(x, y, z)),
        _ => None,
    }
}

fn node<'a>(words: &mut impl Iterator<Item = &'a str>, wrong: Wrong<'_>) -> Result<StateId, EditsError> {
    let word = words.next().unwrap_or_default();
    let number = word.strip_prefix('#').and_then(|number| number.parse().ok());
    number.map(StateId::new).ok_or_else(|| wrong("a node as #ID", word.as_bytes()))
}

fn number<'a, T: std::str::FromStr>(
    words: &mut impl Iterator<Item = &'a str>,
    expected: &'static str,
    wrong: Wrong<'_>,
) -> Result<T, EditsError> {
    let word = words.next().unwrap_or_default();
    word.parse().map_err(|_| wrong(expected, word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn edits(text: &str) -> Vec<(u32, Edit)> {
        let read = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        read.into_iter().map(|timed| (timed.before_query, timed.edit)).collect()
    }

    #[test]
    fn every_kind_of_line_is_read() {
        let (a, b) = (Point::new(1, 2), Point::new(30, 4));
        let (m, n) = (StateId::new(4), StateId::new(9));
        for (text, expected) in [
            ("close 1,2", Edit::close(a)),
            ("open 1,2", Edit::open(a)),
            ("close 1,2 30,4", Edit::Cells { from: a, to: b, free: false }),
            ("open 1,2 30,4 # a hall", Edit::Cells { from: a, to: b, free: true }),
            ("weight 1,2 255", Edit::Weight { at: a, weight: 255 }),
            ("link 1,2 30,4 7", Edit::Link { from: a, to: b, cost: 7 }),
            ("  unlink\t1,2  30,4 \r", Edit::Unlink { from: a, to: b }),
            ("edge #4 #9 120 # dear", Edit::Edge { from: m, to: n, cost: 120 }),
            ("unedge #4 #9", Edit::Unedge { from: m, to: n }),
            ("node #4 250,-30", Edit::Node { node: m, at: NodePosition::new(250, -30) }),
            ("unnode #9", Edit::Unnode { node: n }),
            ("close #4", Edit::Polygon { polygon: m, free: false }),
            ("open #4 # a door", Edit::Polygon { polygon: m, free: true }),
            ("close 1.5,-2e1,3", Edit::Place { at: Position::new(1.5, -20.0, 3.0), free: false }),
            ("open 1,2,3 # upstairs", Edit::Place { at: Position::new(1.0, 2.0, 3.0), free: true }),
            ("area #4 2.5", Edit::Area { polygon: m, cost: 250 }),
        ] {
            assert_eq!(edits(text), [(0, expected)], "{text}");
        }
        assert_eq!(edits("# nothing\n\n   # here\n@12 close 1,2"), [(12, Edit::close(a))]);
        assert!(
            matches!(edits("open 1.5,2")[..], [(0, Edit::Place { at, free: true })] if at.x == 1.5 && at.z.is_nan())
        );
        assert!(edits("").is_empty());
    }

    #[test]
    fn broken_lines_are_named_with_what_was_expected_and_found() {
        for (text, line, pieces) in [
            ("shut 1,2", 1, ["`close`, `open`", "shut"]),
            ("\nclose", 2, ["a cell as X,Y", ""]),
            ("close 1", 1, ["a cell as X,Y", "1"]),
            ("close 1,x", 1, ["a cell as X,Y", "1,x"]),
            ("close 1,2,3,4", 1, ["a cell as X,Y", "1,2,3,4"]),
            ("close nan,2", 1, ["a cell as X,Y", "nan,2"]),
            ("close 1.5,2 3,4", 1, ["the end of the line", "3,4"]),
            ("close 1,2 3,4 5,6", 1, ["the end of the line", "5,6"]),
            ("weight 1,2", 1, ["a weight from 1 to 255", ""]),
            ("weight 1,2 256", 1, ["a weight from 1 to 255", "256"]),
            ("weight 1,2 -1", 1, ["a weight", "-1"]),
            ("link 1,2 3,4 1.5", 1, ["whole straight steps", "1.5"]),
            ("link 1,2", 1, ["a cell as X,Y", ""]),
            ("edge 4 #9 1", 1, ["a node as #ID", "4"]),
            ("edge #4 #9 4294967296", 1, ["1 to 4294967295", "4294967296"]),
            ("@x close 1,2", 1, ["the number of a query", "@x"]),
            ("@3", 1, ["`close`, `open`", ""]),
            ("node #1 99999999999,0", 1, ["32 bits", ""]),
            ("area #1 0", 1, ["0.01 to 1000", "0"]),
            ("area #1", 1, ["0.01 to 1000", ""]),
            ("area 1,1 2", 1, ["a node as #ID", "1,1"]),
            ("close #1 #2", 1, ["the end of the line", "#2"]),
            ("unnode #99999999999", 1, ["a node as #ID", "#99999999999"]),
        ] {
            let error = read(text.as_bytes()).expect_err(text);
            assert_eq!(error.line, line, "{text}");
            let message = error.to_string();
            assert!(pieces.iter().all(|piece| message.contains(piece)), "{text}: {message}");
        }
        assert!(read(b"close 1,2\n\xff\xfe").unwrap_err().to_string().starts_with("line 2: expected text"));
    }

    proptest! {
        #[test]
        fn any_bytes_give_edits_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes);
        }

        #[test]
        fn any_words_give_edits_or_an_error(text in "(@?[0-9#]{0,3} ?(close|open|link|node|weight|edge)? ?[0-9,#\n -]{0,20}){0,4}") {
            let _ = read(text.as_bytes());
        }
    }
}

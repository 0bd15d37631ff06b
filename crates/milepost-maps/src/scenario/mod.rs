//! MovingAI `.scen` files: a list of problems on maps, each with its optimal length.
//!
//! ```text
//! version 1
//! bucket  map  width  height  start-x  start-y  goal-x  goal-y  length
//! ```
//!
//! # Paper
//! N. Sturtevant: Benchmarks for Grid-Based Pathfinding, IEEE Transactions on Computational Intelligence and
//! AI in Games 4(2), 2012.
//!
//! # Guarantees
//! Whatever the bytes are, [`read()`] does not panic, and its memory is bounded by the size of the file. What
//! [`write()`] wrote, [`read()`] reads back as the same problems with the same precision of their lengths.
//!
//! # Deviations
//! 1. Files without a version line are the old form with seven columns, without width and height; nine
//!    columns are accepted there too.
//! 2. Columns are separated by tabs or by blanks. If there are tabs, blanks belong to the map's name.
//! 3. CR LF, a byte order mark, blanks around lines, blank lines and a missing last line end are accepted.
//! 4. How precise the lengths are is nowhere said and has to be found out: see [`ListedLength::agrees_with`].

mod length;
mod points;

use std::collections::HashMap;
use std::fmt::{Display, Write as _};
use std::sync::Arc;

pub use length::ListedLength;
pub use points::{PointProblem, read_points, write_points};

use super::error::{Excerpt, ScenError};
use super::lines::{Line, Lines, whole_number, words};
use length::{Precision, Printed};

/// One problem: a start, a goal, and how long the shortest path between them is. Coordinates are whole numbers on maps of cells, real ones
/// on meshes ([`PointProblem`]).
#[derive(Debug, Clone, PartialEq)]
pub struct Problem<C = u32> {
    /// Problems of similar length share a bucket, usually the length divided by four.
    pub bucket: u32,
    /// The map as the file names it, usually with a path that means something on another machine only.
    pub map: Arc<str>,
    /// Width and height that the map has or is to be stretched to; none in the old form of the file, which
    /// means the map's own.
    pub size: Option<(u32, u32)>,
    /// Column and row of the start, from 0, inside `size`; on a mesh the place as it stands in the file.
    pub start: (C, C),
    /// The same of the goal.
    pub goal: (C, C),
    /// The optimal length that the file lists.
    pub length: ListedLength,
    /// The line in the file, from 1; 0 for a problem that comes from no file. Not written.
    pub line: u32,
}

impl<C> Problem<C> {
    /// The name of the map's file without the path before it, whichever way its slashes lean.
    ///
    /// ```
    /// # use milepost_maps::scenario::read;
    /// let problems = read(b"version 1\n0\tC:\\maps\\dao\\arena.map\t9\t9\t1\t2\t1\t3\t1\n")?;
    /// assert_eq!(problems[0].map_base_name(), "arena.map");
    /// # Ok::<(), milepost_maps::ScenError>(())
    /// ```
    pub fn map_base_name(&self) -> &str {
        self.map.rsplit(['/', '\\']).next().unwrap_or(&self.map)
    }
}

/// Reads a `.scen` file. Its problems come in the order of the file.
pub fn read(bytes: &[u8]) -> Result<Vec<Problem>, ScenError> {
    read_as(bytes)
}

/// How a file writes the coordinates of places.
trait Coordinate: Copy + Display {
    /// Reads a column.
    fn read(line: &Line<'_>, name: &'static str, column: Column<'_>) -> Result<Self, ScenError>;

    /// The column and the row, if they are cells and lie outside of a map of this size.
    fn outside(place: (Self, Self), size: (u32, u32)) -> Option<(u32, u32)>;
}

impl Coordinate for u32 {
    fn read(line: &Line<'_>, name: &'static str, column: Column<'_>) -> Result<u32, ScenError> {
        number(line, name, column)
    }

    fn outside((x, y): (u32, u32), (width, height): (u32, u32)) -> Option<(u32, u32)> {
        (x >= width || y >= height).then_some((x, y))
    }
}

fn read_as<C: Coordinate>(bytes: &[u8]) -> Result<Vec<Problem<C>>, ScenError> {
    let mut lines = Lines::new(bytes).filter(|line| !line.text.is_empty()).peekable();
    let Some(first) = lines.peek() else {
        return Err(ScenError::Empty { bytes: bytes.len() as u64 });
    };
    let has_version = read_version(first)?;
    if has_version {
        lines.next();
    }

    let mut names = Names::default();
    let mut precision = Precision::new();
    let (mut problems, mut lengths) = (Vec::new(), Vec::new());
    for line in lines {
        let (problem, printed) = read_problem(&line, has_version, &mut names)?;
        precision.see(printed);
        problems.push(problem);
        lengths.push(printed);
    }
    for (problem, printed) in problems.iter_mut().zip(lengths) {
        problem.length = precision.judge(printed);
    }
    Ok(problems)
}

/// Writes a `.scen` file: `version 1`, tabs between the columns, lengths down to their last known place. If a
/// problem has no size, the file takes the old form without a version line.
///
/// A map name that is to be read back must not be empty, begin or end with a blank, or hold control
/// characters; control characters are written as `_`, lest they break the line.
pub fn write(problems: &[Problem]) -> String {
    write_as(problems)
}

fn write_as<C: Coordinate>(problems: &[Problem<C>]) -> String {
    let mut text = String::new();
    if problems.iter().all(|problem| problem.size.is_some()) {
        text.push_str("version 1\n");
    }
    for problem in problems {
        let name = problem.map.replace(char::is_control, "_");
        // Writing to a string cannot fail.
        let _ = write!(text, "{}\t{name}\t", problem.bucket);
        if let Some((width, height)) = problem.size {
            let _ = write!(text, "{width}\t{height}\t");
        }
        let ((x, y), (goal_x, goal_y)) = (problem.start, problem.goal);
        let _ = writeln!(text, "{x}\t{y}\t{goal_x}\t{goal_y}\t{}", problem.length);
    }
    text
}

/// Whether the first line is a version line, and one of a version that can be read.
fn read_version(line: &Line<'_>) -> Result<bool, ScenError> {
    let mut words = words(line.text);
    let Some((_, b"version")) = words.next() else { return Ok(false) };
    match (words.next(), words.next()) {
        (Some((_, b"1" | b"1.0")), None) => Ok(true),
        (Some((at, _)), _) => {
            Err(ScenError::Version { place: line.place_at(at), found: Excerpt::new(&line.text[at..]) })
        }
        (None, _) => {
            Err(ScenError::Version { place: line.place_at(line.text.len()), found: Excerpt::new(b"") })
        }
    }
}

/// The names of maps seen so far: thousands of problems share one string.
#[derive(Default)]
struct Names<'a> {
    seen: HashMap<&'a str, Arc<str>>,
    /// The name of the line before, which is nearly always the name of this one.
    last: Option<(&'a [u8], Arc<str>)>,
}

impl<'a> Names<'a> {
    /// The shared name, or none if the bytes are no text.
    fn share(&mut self, bytes: &'a [u8]) -> Option<Arc<str>> {
        if let Some((last, name)) = &self.last
            && *last == bytes
        {
            return Some(Arc::clone(name));
        }
        let text = std::str::from_utf8(bytes).ok()?;
        let name = Arc::clone(self.seen.entry(text).or_insert_with(|| Arc::from(text)));
        self.last = Some((bytes, Arc::clone(&name)));
        Some(name)
    }
}

/// A column: its text and where it begins in the line.
type Column<'a> = (usize, &'a [u8]);

/// Reads one problem; its length is judged when all lines have been seen.
fn read_problem<'a, C: Coordinate>(
    line: &Line<'a>,
    has_version: bool,
    names: &mut Names<'a>,
) -> Result<(Problem<C>, Printed), ScenError> {
    let (columns, count) = split(line, has_version)?;
    let [bucket, map] = [columns[0], columns[1]];
    let size = if count == 9 {
        Some((number(line, "width", columns[2])?, number(line, "height", columns[3])?))
    } else {
        None
    };
    let [x, y, goal_x, goal_y, length] = [5, 4, 3, 2, 1].map(|from_end| columns[count - from_end]);
    let wrong = |name, expected, (at, found): Column<'_>| ScenError::Column {
        place: line.place_at(at),
        name,
        expected,
        found: Excerpt::new(found),
    };

    let bucket = number(line, "bucket", bucket)?;
    let map = match map.1 {
        [] => return Err(wrong("map", "a name", map)),
        bytes => names.share(bytes).ok_or_else(|| wrong("map", "a name in UTF-8", map))?,
    };
    let start = (C::read(line, "start x", x)?, C::read(line, "start y", y)?);
    let goal = (C::read(line, "goal x", goal_x)?, C::read(line, "goal y", goal_y)?);
    let printed =
        Printed::parse(length.1).ok_or_else(|| wrong("length", "a finite number without a sign", length))?;
    if let Some((width, height)) = size {
        for (name, place, (at, _)) in [("start", start, x), ("goal", goal, goal_x)] {
            if let Some((x, y)) = C::outside(place, (width, height)) {
                return Err(ScenError::Outside { place: line.place_at(at), name, x, y, width, height });
            }
        }
    }
    let length = Precision::new().judge(printed);
    Ok((Problem { bucket, map, size, start, goal, length, line: line.place.line }, printed))
}

/// Splits a line at its tabs, or at blanks if that gives no good number of columns.
fn split<'a>(line: &Line<'a>, has_version: bool) -> Result<([Column<'a>; 9], usize), ScenError> {
    let is_good = |count: usize| count == 9 || (count == 7 && !has_version);
    let by_tabs = collect(tabbed(line.text));
    if is_good(by_tabs.1) {
        return Ok(by_tabs);
    }
    let by_blanks = collect(words(line.text));
    if is_good(by_blanks.1) {
        return Ok(by_blanks);
    }
    let count = if by_tabs.1 > 1 { by_tabs.1 } else { by_blanks.1 };
    let expected = if has_version {
        "9 columns (bucket, map, width, height, start x, start y, goal x, goal y, length)"
    } else {
        "7 columns (bucket, map, start x, start y, goal x, goal y, length) or 9 with width and height"
    };
    Err(ScenError::Columns { place: line.place, expected, count, found: Excerpt::new(line.text) })
}

/// The first nine columns, and how many there are in all.
fn collect<'a>(columns: impl Iterator<Item = Column<'a>>) -> ([Column<'a>; 9], usize) {
    let mut first: [Column<'a>; 9] = [(0, &[]); 9];
    let mut count = 0;
    for column in columns {
        if let Some(slot) = first.get_mut(count) {
            *slot = column;
        }
        count += 1;
    }
    (first, count)
}

/// The parts of a text between its tabs, without blanks around them.
fn tabbed(text: &[u8]) -> impl Iterator<Item = Column<'_>> {
    let mut begin = 0;
    text.split(|&byte| byte == b'\t').map(move |part| {
        let trimmed = part.trim_ascii();
        let at = begin + (part.len() - part.trim_ascii_start().len());
        begin += part.len() + 1;
        (at, trimmed)
    })
}

/// A column that holds a whole number.
fn number(line: &Line<'_>, name: &'static str, (at, digits): Column<'_>) -> Result<u32, ScenError> {
    whole_number(digits).ok_or_else(|| ScenError::Column {
        place: line.place_at(at),
        name,
        expected: "a whole number from 0 to 4294967295 in digits",
        found: Excerpt::new(digits),
    })
}

#[cfg(test)]
mod tests;

//! `.scen` files whose starts and goals are places on a mesh: the same columns, with real numbers for coordinates.

use super::length::{ListedLength, Precision, Printed};
use super::{Names, number, read_version, split};
use crate::error::{Excerpt, ScenError};
use crate::lines::{Line, Lines, real_number};
use std::fmt::Write as _;
use std::sync::Arc;

/// One problem on a mesh, as `.scen` files hold it.
#[derive(Debug, Clone, PartialEq)]
pub struct PointProblem {
    /// Problems of similar length share a bucket.
    pub bucket: u32,
    /// The map as the file names it.
    pub map: Arc<str>,
    /// Width and height of the map; none in the old form of the file.
    pub size: Option<(u32, u32)>,
    /// Where to start.
    pub start: (f64, f64),
    /// Where to go.
    pub goal: (f64, f64),
    /// The length that the file lists.
    pub length: ListedLength,
    /// The line in the file, from 1; 0 for a problem that comes from no file. Not written.
    pub line: u32,
}

/// Reads a `.scen` file as places on a mesh, as they stand there.
pub fn read_points(bytes: &[u8]) -> Result<Vec<PointProblem>, ScenError> {
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

fn read_problem<'a>(
    line: &Line<'a>,
    has_version: bool,
    names: &mut Names<'a>,
) -> Result<(PointProblem, Printed), ScenError> {
    let (columns, count) = split(line, has_version)?;
    let wrong = |name, expected, (at, found): (usize, &[u8])| ScenError::Column {
        place: line.place_at(at),
        name,
        expected,
        found: Excerpt::new(found),
    };
    let size = match count {
        9 => Some((number(line, "width", columns[2])?, number(line, "height", columns[3])?)),
        _ => None,
    };
    let map = match columns[1].1 {
        [] => return Err(wrong("map", "a name", columns[1])),
        bytes => names.share(bytes).ok_or_else(|| wrong("map", "a name in UTF-8", columns[1]))?,
    };
    let real = |name, from_end: usize| {
        let column = columns[count - from_end];
        real_number(column.1).ok_or_else(|| wrong(name, "a finite number", column))
    };
    let length = columns[count - 1];
    let printed =
        Printed::parse(length.1).ok_or_else(|| wrong("length", "a finite number without a sign", length))?;
    let problem = PointProblem {
        bucket: number(line, "bucket", columns[0])?,
        map,
        size,
        start: (real("start x", 5)?, real("start y", 4)?),
        goal: (real("goal x", 3)?, real("goal y", 2)?),
        length: Precision::new().judge(printed),
        line: line.place.line,
    };
    Ok((problem, printed))
}

/// Writes a `.scen` file as [`write`](super::write()) does, coordinates with as many digits as they take to be read back.
pub fn write_points(problems: &[PointProblem]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_coordinates_are_places_on_a_mesh_and_an_error_on_a_grid() {
        let text = "version 1\n0\tarena.map\t49\t49\t1.5\t-2.25\t30\t4e1\t38.5\n";
        let problems = read_points(text.as_bytes()).unwrap();
        let found = (problems[0].start, problems[0].goal, problems[0].line, problems[0].length.value());
        assert_eq!(found, ((1.5, -2.25), (30.0, 40.0), 2, 38.5));
        assert_eq!(read_points(write_points(&problems).as_bytes()).unwrap(), problems);
        let message = super::super::read(text.as_bytes()).unwrap_err().to_string();
        assert!(message.contains("line 2") && message.contains("start x"), "{message}");
        let whole = b"1\ta.map\t3\t4\t5\t6\t7\n";
        assert_eq!(read_points(whole).unwrap()[0].goal, (5.0, 6.0));
        for (bad, piece) in [("nan", "start x"), ("", "columns"), ("1,5", "start x")] {
            let text = format!("version 1\n0\ta.map\t9\t9\t{bad}\t1\t2\t3\t4\n");
            let message = read_points(text.as_bytes()).unwrap_err().to_string();
            assert!(message.contains("line 2"), "{piece}: {message}");
        }
    }
}

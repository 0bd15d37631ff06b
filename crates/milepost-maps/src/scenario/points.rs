//! `.scen` files whose starts and goals are places on a mesh: the same columns, with real numbers for coordinates.

use super::{Column, Coordinate, Problem, read_as, write_as};
use crate::error::{Excerpt, ScenError};
use crate::lines::{Line, real_number};

/// One problem on a mesh, as `.scen` files hold it.
pub type PointProblem = Problem<f64>;

impl Coordinate for f64 {
    fn read(line: &Line<'_>, name: &'static str, (at, word): Column<'_>) -> Result<f64, ScenError> {
        real_number(word).ok_or_else(|| ScenError::Column {
            place: line.place_at(at),
            name,
            expected: "a finite number",
            found: Excerpt::new(word),
        })
    }

    /// The size is that of the cells that a mesh was made from: the mesh itself says what lies on it.
    fn outside(_: (f64, f64), _: (u32, u32)) -> Option<(u32, u32)> {
        None
    }
}

/// Reads a `.scen` file as places on a mesh, as they stand there.
pub fn read_points(bytes: &[u8]) -> Result<Vec<PointProblem>, ScenError> {
    read_as(bytes)
}

/// Writes a `.scen` file as [`write`](super::write()) does, coordinates with as many digits as they take to be read back.
pub fn write_points(problems: &[PointProblem]) -> String {
    write_as(problems)
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

//! Grids drawn in a string, for tests and examples.

use crate::space::{Grid, GridError, Rule};

impl Grid {
    /// The grid drawn in a string: a line is a row, `.`, `G` and `S` are free cells, `@`, `O`, `T` and `W` blocked ones.
    /// Blanks do not count, nor do blank lines around the drawing.
    ///
    /// ```
    /// use milepost::{Grid, Rule, SpaceKind};
    /// let grid = Grid::from_ascii(
    ///     "..@
    ///      ..T",
    ///     Rule::Octile,
    /// )?;
    /// assert_eq!((grid.width(), grid.height(), grid.states()), (3, 2, 4));
    /// # Ok::<(), milepost::GridError>(())
    /// ```
    pub fn from_ascii(drawing: &str, rule: Rule) -> Result<Grid, GridError> {
        let letters = |line: &str| line.chars().filter(|letter| !letter.is_whitespace()).collect();
        let rows: Vec<Vec<char>> = drawing.trim().lines().map(letters).collect();
        let width = rows.first().map_or(0, Vec::len);
        for (y, row) in rows.iter().enumerate() {
            if row.len() != width {
                return Err(GridError::Ragged { row: y, expected: width, found: row.len() });
            }
            if let Some(x) = row.iter().position(|&letter| !is_free(letter) && !is_blocked(letter)) {
                return Err(GridError::Letter { x, y, letter: row[x] });
            }
        }
        let size = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        Grid::new(size(width), size(rows.len()), rule, |x, y| is_free(rows[y as usize][x as usize]))
    }
}

fn is_free(letter: char) -> bool {
    matches!(letter, '.' | 'G' | 'S')
}

fn is_blocked(letter: char) -> bool {
    matches!(letter, '@' | 'O' | 'T' | 'W')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Point;
    use crate::space::SpaceKind;

    #[test]
    fn every_letter_is_free_or_blocked() {
        let grid = Grid::from_ascii("\n  . G S\n\t@OT\r\n  W.@\n\n", Rule::Four).unwrap();
        let is_free = |x, y| grid.is_free(grid.state_at(Point::new(x, y)).unwrap());
        let row = |y| [0, 1, 2].map(|x| is_free(x, y));
        assert_eq!([row(0), row(1), row(2)], [[true; 3], [false; 3], [false, true, false]]);
    }

    #[test]
    fn a_drawing_that_is_no_map_is_refused() {
        let said = |drawing| Grid::from_ascii(drawing, Rule::Octile).unwrap_err().to_string();
        assert!(said(" \n ").contains("0 x 0"), "{}", said(" \n "));
        assert!(said("...\n..").contains("row 1 of the drawing: expected 3 letters"), "{}", said("...\n.."));
        assert!(said("..\n.#").contains("at 1,1: ") && said("..\n.#").contains("found `#`"));
    }
}

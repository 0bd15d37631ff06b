//! Tables of text: columns as wide as they must be, words to the left and numbers to the right.

/// Which side of a column the text keeps to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Rows of cells under headings.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<(String, Side)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these headings.
    pub(crate) fn new(columns: &[(&str, Side)]) -> Table {
        let columns = columns.iter().map(|(heading, side)| ((*heading).to_owned(), *side)).collect();
        Table { columns, rows: Vec::new() }
    }

    /// Adds a row; cells that are missing stay empty.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table, each line ending with a line end, no line with blanks.
    pub(crate) fn render(&self) -> String {
        let length = |text: &str| text.chars().count();
        let widths: Vec<usize> = self
            .columns
            .iter()
            .enumerate()
            .map(|(index, (heading, _))| {
                let cells = self.rows.iter().filter_map(|row| row.get(index));
                cells.map(|cell| length(cell)).max().unwrap_or(0).max(length(heading))
            })
            .collect();
        let headings: Vec<String> = self.columns.iter().map(|(heading, _)| heading.clone()).collect();
        let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        let mut text = String::new();
        for row in [&headings, &rules].into_iter().chain(&self.rows) {
            let mut line = String::new();
            for (index, (width, (_, side))) in widths.iter().zip(&self.columns).enumerate() {
                let cell = row.get(index).map_or("", String::as_str);
                let padding = " ".repeat(width - length(cell));
                if index > 0 {
                    line.push_str("  ");
                }
                match side {
                    Side::Left => line.extend([cell, &padding]),
                    Side::Right => line.extend([padding.as_str(), cell]),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_left_and_numbers_right() {
        let mut table = Table::new(&[("name", Side::Left), ("time", Side::Right)]);
        table.row(vec!["astar".to_owned(), "7 µs".to_owned()]);
        table.row(vec!["x".to_owned(), "12.5 µs".to_owned()]);
        table.row(vec!["y".to_owned()]);
        let expected = "name      time\n-----  -------\nastar     7 µs\nx      12.5 µs\ny\n";
        assert_eq!(table.render(), expected);
    }
}

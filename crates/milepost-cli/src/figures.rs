//! Figures of an index file as users see them: what planners took when it was built, and what is expected of them.

use crate::numbers::{count, time};
use crate::table::Side::{Left, Right};
use crate::table::Table;
use milepost::Atlas;
use milepost::catalog::PLANNERS;
use milepost::index::Figure;
use serde::Serialize;

/// What a planner took on random problems.
#[derive(Serialize)]
pub(crate) struct FigureDocument {
    planner: String,
    problems: u32,
    mean_units: f64,
    /// None for a planner that this program does not know.
    expected_us: Option<f64>,
}

/// All figures of an atlas, in the order of the names of planners.
pub(crate) fn of(atlas: &Atlas) -> Vec<FigureDocument> {
    let document = |figure: &Figure| {
        let entry = PLANNERS.iter().find(|entry| entry.name == figure.planner);
        let unit = entry.and_then(|entry| entry.unit_on(atlas.space()));
        FigureDocument {
            planner: figure.planner.clone(),
            problems: figure.problems,
            mean_units: figure.mean_units(),
            expected_us: unit.map(|unit| figure.expected_nanoseconds(unit) / 1000.0),
        }
    };
    atlas.figures().iter().map(document).collect()
}

pub(crate) fn table(figures: &[FigureDocument]) -> String {
    let mut table = Table::new(&[
        ("planner", Left),
        ("problems", Right),
        ("units a problem", Right),
        ("expected time", Right),
    ]);
    for figure in figures {
        table.row(vec![
            figure.planner.clone(),
            count(figure.problems.into()),
            format!("{:.1}", figure.mean_units),
            figure.expected_us.map_or_else(|| "-".to_owned(), time),
        ]);
    }
    table.render()
}

//! The runs of a benchmark as two plots in one SVG file: time against memory, and cost against work.

use super::Benchmark;
use super::run::Run;
use super::ticks::{Round, without_zeros};
use crate::numbers::{bytes, count, time};
use crate::picture::palette::{ACCENT, INK, JUMP, PAPER, PATH, RULE, SOFT_INK};
use plotters::coord::combinators::BindKeyPoints;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// Pixels of the file, and of the two plots in it.
const WIDTH: u32 = 1280;
const HEIGHT: u32 = 640;
/// Pixels of a letter of a name, and of a line of them.
const LETTER: (i32, i32) = (7, 15);

/// The square of how far a name may stand from its mark so that it is nearer to that one than to others.
const FARTHEST: i32 = 60 * 60;

/// Where logarithms put what is not longer at all, in percent.
const OPTIMAL: f64 = 0.01;

/// A run in a plot.
struct Dot {
    name: String,
    shape: Shape,
    at: (f64, f64),
}

/// Planners, agents that know the map, and agents by sight are told apart by shape and colour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Planner,
    OnMap,
    BySight,
}

impl Shape {
    const ALL: [Shape; 3] = [Shape::Planner, Shape::OnMap, Shape::BySight];

    fn of(run: &Run) -> Shape {
        match (&run.journeys, run.is_by_sight) {
            (None, _) => Shape::Planner,
            (Some(_), false) => Shape::OnMap,
            (Some(_), true) => Shape::BySight,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Shape::Planner => "planner",
            Shape::OnMap => "agent that knows the map",
            Shape::BySight => "agent by sight",
        }
    }

    fn colour(self) -> RGBColor {
        let [red, green, blue] = match self {
            Shape::Planner => ACCENT,
            Shape::OnMap => JUMP,
            Shape::BySight => PATH,
        };
        RGBColor(red, green, blue)
    }

    /// The corners of the mark around a place; none for a disc.
    fn corners(self, (x, y): (i32, i32)) -> Option<Vec<(i32, i32)>> {
        match self {
            Shape::Planner => None,
            Shape::OnMap => Some(vec![(x, y - 7), (x + 7, y), (x, y + 7), (x - 7, y)]),
            Shape::BySight => Some(vec![(x, y - 7), (x + 7, y + 5), (x - 7, y + 5)]),
        }
    }
}

/// What stands along an axis.
struct Axis {
    title: &'static str,
    round: Round,
    label: fn(f64) -> String,
}

fn colour([red, green, blue]: [u8; 3]) -> RGBColor {
    RGBColor(red, green, blue)
}

/// The file.
pub(crate) fn plot(benchmark: &Benchmark<'_>) -> Result<String, String> {
    let mut text = String::new();
    {
        let sheet = SVGBackend::with_string(&mut text, (WIDTH, HEIGHT)).into_drawing_area();
        draw(benchmark, &sheet).map_err(|error| error.to_string())?;
        sheet.present().map_err(|error| error.to_string())?;
    }
    text.push('\n');
    Ok(text)
}

type Sheet<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(benchmark: &Benchmark<'_>, sheet: &Sheet<'_>) -> Drawn {
    sheet.fill(&colour(PAPER))?;
    let title =
        format!("{}, {} problems", benchmark.world.headline(), count(benchmark.problems.tasks.len() as u64));
    let title = title.replace('\n', ", ");
    words(sheet, &title, (24, 12), 20, INK)?;
    let mut left = 24;
    for shape in Shape::ALL {
        mark(sheet, shape, (left + 8, 46))?;
        words(sheet, shape.words(), (left + 24, 40), 16, SOFT_INK)?;
        left += 44 + LETTER.0 * shape.words().len() as i32;
    }
    let (_, plots) = sheet.split_vertically(64);
    let (one, other) = plots.split_horizontally(WIDTH / 2);
    let (memory, decimal) = (Round::Memory, Round::Decimal);
    let label = |value: f64| without_zeros(&bytes(value as usize));
    let memory = Axis { title: "memory: indexes, scratch, agent", round: memory, label };
    let label = |value: f64| without_zeros(&time(value));
    let duration = Axis { title: "mean time of a query or journey", round: decimal, label };
    scatter(&one, dots(benchmark, time_and_memory), memory, duration)?;
    let label = |value: f64| count(value as u64);
    let work = Axis { title: "work of a query or journey, in units", round: decimal, label };
    let label = |value: f64| match value {
        value if value > OPTIMAL => format!("{value} %"),
        OPTIMAL => "optimal".to_owned(),
        _ => String::new(),
    };
    let cost = Axis { title: "longer than the best path", round: decimal, label };
    scatter(&other, dots(benchmark, cost_and_work), work, cost)?;
    Ok(())
}

fn dots(benchmark: &Benchmark<'_>, place: impl Fn(&Run) -> Option<(f64, f64)>) -> Vec<Dot> {
    let dot = |run: &Run| Some(Dot { name: run.name.clone(), shape: Shape::of(run), at: place(run)? });
    benchmark.runs.iter().filter_map(dot).collect()
}

fn time_and_memory(run: &Run) -> Option<(f64, f64)> {
    let agent = run.journeys.as_ref().and_then(|journeys| journeys.mean_bytes).unwrap_or(0.0);
    let memory = run.index_bytes as f64 + (run.scratch_bytes + run.open_bytes) as f64 + agent;
    // Logarithms have no zero.
    Some((memory.max(1.0), run.times.mean?.max(1e-3)))
}

fn cost_and_work(run: &Run) -> Option<(f64, f64)> {
    let work = match &run.journeys {
        None => run.mean_expanded?,
        Some(journeys) => journeys.mean_work? * journeys.mean_moves?,
    };
    Some((work.max(1.0), run.tally.longer().mean_percent?.max(OPTIMAL)))
}

/// From below the least value to above the most, with room for names.
fn range(values: impl Iterator<Item = f64> + Clone) -> Range<f64> {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.fold(0.0, f64::max);
    if !least.is_finite() || most <= 0.0 {
        return 1.0..10.0;
    }
    least / 2.0..most * 4.0
}

fn scatter(area: &Sheet<'_>, dots: Vec<Dot>, across: Axis, up: Axis) -> Drawn {
    let (xs, ys) = (range(dots.iter().map(|dot| dot.at.0)), range(dots.iter().map(|dot| dot.at.1)));
    let (at_x, at_y) = (across.round.ticks(&xs, 6), up.round.ticks(&ys, 8));
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .margin_right(40)
        .x_label_area_size(48)
        .y_label_area_size(80)
        .build_cartesian_2d(xs.log_scale().with_key_points(at_x), ys.log_scale().with_key_points(at_y))?;
    let style = |size: u32, ink| ("sans-serif", size).into_font().color(&colour(ink));
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(colour(RULE).mix(0.3))
        .axis_style(colour(RULE))
        .label_style(style(15, SOFT_INK))
        .axis_desc_style(style(16, INK))
        .x_desc(across.title)
        .y_desc(up.title)
        .x_label_formatter(&|value| (across.label)(*value))
        .y_label_formatter(&|value| (up.label)(*value))
        .draw()?;
    // On the whole sheet, and from there on this part of it.
    let (left, top) = area.get_base_pixel();
    let on_part = |(x, y): (i32, i32)| (x - left, y - top);
    let places: Vec<(i32, i32)> = dots.iter().map(|dot| on_part(chart.backend_coord(&dot.at))).collect();
    // Names keep clear of all marks and of each other.
    let screen = area.strip_coord_spec();
    let (width, _) = area.dim_in_pixel();
    let (inside_x, inside_y) = chart.plotting_area().get_pixel_range();
    let edges = (inside_x.start - left..width as i32, inside_y.start - top..inside_y.end - top);
    let mut taken: Vec<Place> = places.iter().map(|place| Place::around(*place)).collect();
    let mut names = Vec::with_capacity(dots.len());
    for (dot, at) in dots.iter().zip(&places) {
        let name = Place::beside(*at, &dot.name, (&taken, &places), &edges);
        // Under all marks: a line from each to its name.
        let line = vec![*at, name.nearest(*at)];
        screen.draw(&PathElement::new(line, dot.shape.colour().stroke_width(1)))?;
        taken.push(name);
        names.push(name);
    }
    for ((dot, at), name) in dots.iter().zip(&places).zip(names) {
        mark(&screen, dot.shape, *at)?;
        // Letters are narrower than the place that is kept for them: a name stands at the end where its mark is.
        let (side, x) = match name.left {
            left if left > at.0 => (HPos::Left, left),
            left if left + name.width < at.0 => (HPos::Right, left + name.width),
            left => (HPos::Center, left + name.width / 2),
        };
        let style = ("sans-serif", 15).into_font().color(&colour(INK)).pos(Pos::new(side, VPos::Top));
        screen.draw_text(&dot.name, &style, (x, name.top))?;
    }
    Ok(())
}

fn mark(sheet: &Sheet<'_>, shape: Shape, at: (i32, i32)) -> Drawn {
    match shape.corners(at) {
        None => sheet.draw(&Circle::new(at, 6, shape.colour().filled()))?,
        Some(corners) => sheet.draw(&Polygon::new(corners, shape.colour().filled()))?,
    }
    Ok(())
}

fn words(sheet: &Sheet<'_>, words: &str, at: (i32, i32), size: u32, ink: [u8; 3]) -> Drawn {
    let style = ("sans-serif", size).into_font().color(&colour(ink));
    Ok(sheet.draw_text(words, &style, at)?)
}

/// A rectangle on the sheet that a mark or a name takes.
#[derive(Clone, Copy, Debug)]
struct Place {
    left: i32,
    top: i32,
    width: i32,
    height: i32,
}

impl Place {
    fn around((x, y): (i32, i32)) -> Place {
        Place { left: x - 7, top: y - 7, width: 14, height: 14 }
    }

    /// Where a name stands: right of its mark, left of it, above or below, farther off until nothing is in the way; nearer to its mark
    /// than to any other where there is such a place.
    fn beside(
        (x, y): (i32, i32),
        name: &str,
        (taken, marks): (&[Place], &[(i32, i32)]),
        (across, down): &(Range<i32>, Range<i32>),
    ) -> Place {
        let width = LETTER.0 * name.chars().count() as i32;
        let at = |left, line: i32| Place { left, top: y - LETTER.1 / 2 + line, width, height: LETTER.1 };
        let sides = [x + 11, x - 11 - width, x - width / 2];
        let lines = (0..20).flat_map(|line| [line * 8, -line * 8]);
        let places = lines.flat_map(|line| sides.map(|left| at(left, line)));
        let is_inside = |place: &Place| {
            let is_within = place.left > across.start && place.left + width < across.end;
            is_within && place.top >= down.start && place.top + LETTER.1 < down.end
        };
        let is_clear = |place: &Place| is_inside(place) && !taken.iter().any(|other| place.overlaps(other));
        let clear: Vec<Place> = places.filter(is_clear).collect();
        let is_own = |place: &&Place| {
            let own = place.distance((x, y));
            own <= FARTHEST && marks.iter().all(|mark| own <= place.distance(*mark))
        };
        clear.iter().find(is_own).or(clear.first()).copied().unwrap_or_else(|| at(sides[0], 0))
    }

    /// The point of the place that is nearest to a mark.
    fn nearest(&self, (x, y): (i32, i32)) -> (i32, i32) {
        (
            x.clamp(self.left - 1, self.left + self.width + 1),
            y.clamp(self.top + 4, self.top + self.height - 3),
        )
    }

    /// The square of how far away that is.
    fn distance(&self, at: (i32, i32)) -> i32 {
        let near = self.nearest(at);
        (near.0 - at.0).pow(2) + (near.1 - at.1).pow(2)
    }

    fn overlaps(&self, other: &Place) -> bool {
        self.left < other.left + other.width
            && other.left < self.left + self.width
            && self.top < other.top + other.height
            && other.top < self.top + self.height
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs_at_one_place_stand_apart() {
        let mut taken = vec![Place::around((300, 100))];
        for name in ["dijkstra", "astar", "weighted-astar:1.5", "jps"] {
            let place = Place::beside((300, 100), name, (&taken, &[(300, 100)]), &(0..640, 0..640));
            assert!(!taken.iter().any(|other| place.overlaps(other)), "{name}: {place:?}");
            taken.push(place);
        }
    }

    #[test]
    fn a_name_stands_nearer_to_its_mark_than_to_others() {
        // Another mark right where the name would begin on the left, and one at its end on the right.
        let marks = [(300, 100), (344, 100), (262, 100)];
        let taken: Vec<Place> = marks.iter().map(|mark| Place::around(*mark)).collect();
        for name in ["jps", "astar"] {
            let place = Place::beside(marks[0], name, (&taken, &marks), &(0..640, 0..640));
            let [own, others @ ..] = marks.map(|mark| place.distance(mark));
            assert!(others.iter().all(|other| own <= *other), "{name}: {place:?} {own} {others:?}");
            assert!(!taken.iter().any(|other| place.overlaps(other)), "{name}: {place:?}");
        }
    }

    #[test]
    fn a_range_holds_its_values_and_is_never_empty() {
        for values in [&[][..], &[1.0], &[1.0, 1.01], &[1.0, 1e9], &[1e-3, 5.0]] {
            let range = range(values.iter().copied());
            assert!(range.start > 0.0 && range.start < range.end, "{values:?}: {range:?}");
            assert!(values.iter().all(|value| range.contains(value)), "{values:?}: {range:?}");
        }
    }
}

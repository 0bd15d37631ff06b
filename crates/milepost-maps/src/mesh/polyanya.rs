//! Polyanya's `.mesh` files, versions 2 and 3, and `weighted_mesh`.
//!
//! ```text
//! mesh
//! 2
//! 4 2
//! 0 0 2 0 -1
//! 2 0 3 0 1 -1
//! 2 2 2 1 -1
//! 0 2 3 -1 1 0
//! 3 0 1 3 -1 -1 1
//! 3 1 2 3 0 -1 -1
//! ```
//!
//! How many vertices and polygons; for each vertex x, y, how many polygons and walls are around it and which; for each polygon how many
//! vertices it has, which, and the polygons beyond its edges, -1 for a wall: the first beyond the edge from the last vertex to the first one.
//! In a `weighted_mesh` what a unit of length costs there stands behind.
//!
//! # Paper
//! M. Cui, D. Harabor, A. Grastien: Compromise-free Pathfinding on a Navigation Mesh, IJCAI 2017; the format is that of its
//! program.
//!
//! # Deviations
//! 1. Where a file has a line for each vertex and polygon, each must end with its line, so that an error has its line; else numbers are read
//!    one after the other, however they are broken into lines.
//! 2. A line of version 3 may have a height behind x and y, and a polygon without neighbours, or with a cost behind
//!    them; that of its first vertex and its first polygon says so for all.
//! 3. What stands around a vertex is read over.

use super::{MeshFile, MeshFileError, hundredths};
use crate::format_error::{FormatError, Records, Word, exactly, real, whole};
use crate::lines::{Line, words};
use milepost::{MeshArea, MeshError, MeshParts, Position};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Reads a `.mesh` file.
pub fn read(bytes: &[u8]) -> Result<MeshFile, MeshFileError> {
    let first = "the line `mesh` or `weighted_mesh`";
    let mut records = Records::new(bytes, first)?;
    let line = records.expect(first)?;
    let [header] = exactly(&line, first)?;
    let is_weighted = match header.1 {
        b"mesh" => false,
        b"weighted_mesh" => true,
        _ => return Err(FormatError::line(&line, first).into()),
    };
    let line = records.expect("version 2 or 3")?;
    let [version] = exactly(&line, "version 2 or 3")?;
    let is_third = match version.1 {
        b"2" => false,
        b"3" => true,
        _ => return Err(FormatError::at(&line, version, "version 2 or 3").into()),
    };
    let counts = "the numbers of vertices and of polygons";
    let line = records.expect(counts)?;
    let [vertex_count, polygon_count] = exactly(&line, counts)?;
    let vertex_count = whole(&line, vertex_count, "the number of vertices")?;
    let polygon_count = whole(&line, polygon_count, "the number of polygons")?;
    let lines: Vec<Line<'_>> = records.collect();
    let has_lines = lines.len() as u64 >= u64::from(vertex_count) + u64::from(polygon_count);
    let end = lines.last().map_or(line, |last| *last);
    let mut numbers = Numbers { lines: &lines, line: 0, words: Vec::new(), word: 0, end, has_lines };
    let mut reader = Reader { is_third, is_weighted, has_height: None, form: None };

    let mut parts = MeshParts::flat(Vec::new(), Vec::new());
    for _ in 0..vertex_count {
        let vertex = reader.vertex(&mut numbers)?;
        parts.vertices.push(vertex);
    }
    parts.has_heights = reader.has_height == Some(true);
    let mut kinds = Kinds::default();
    let mut neighbours = Vec::new();
    let mut places = Vec::new();
    for _ in 0..polygon_count {
        let polygon = reader.polygon(&mut numbers, (vertex_count, polygon_count))?;
        parts.polygons.push(polygon.vertices);
        neighbours.push(polygon.neighbours);
        places.push(polygon.line);
        if let Some(cost) = polygon.cost {
            let error = MeshError::TooManyAreas { areas: kinds.areas.len() + 1 };
            let number = kinds.number(cost);
            parts.areas.push(number.ok_or(MeshFileError::Line { line: polygon.line, error })?);
        }
    }
    if let Some(line) = numbers.rest() {
        return Err(FormatError::line(&line, "nothing after the last polygon").into());
    }
    parts.area_kinds = kinds.areas;
    let has_neighbours = reader.form.is_none_or(|form| form.has_neighbours);
    parts.neighbours = has_neighbours.then_some(neighbours);
    Ok(MeshFile { parts, lines: places })
}

/// Areas by what they cost.
#[derive(Default)]
struct Kinds {
    numbers: HashMap<u32, u16>,
    areas: Vec<MeshArea>,
}

impl Kinds {
    /// `None` if there are too many.
    fn number(&mut self, cost: u32) -> Option<u16> {
        if let Some(&number) = self.numbers.get(&cost) {
            return Some(number);
        }
        let number = u16::try_from(self.areas.len()).ok()?;
        self.areas.push(MeshArea::new(decimal(cost), cost));
        self.numbers.insert(cost, number);
        Some(number)
    }
}

/// Hundredths as a decimal number.
fn decimal(hundredths: u32) -> String {
    (f64::from(hundredths) / 100.0).to_string()
}

/// The numbers of a file, one after the other.
struct Numbers<'a> {
    lines: &'a [Line<'a>],
    /// The next line.
    line: usize,
    /// The words of the line before it.
    words: Vec<Word<'a>>,
    word: usize,
    end: Line<'a>,
    has_lines: bool,
}

impl<'a> Numbers<'a> {
    fn current(&self) -> Line<'a> {
        self.line.checked_sub(1).and_then(|line| self.lines.get(line)).copied().unwrap_or(self.end)
    }

    /// Begins with a vertex or a polygon: where each has a line, with a new one. Says how many words its line has.
    fn begin(&mut self, expected: &str) -> Result<usize, FormatError> {
        if self.has_lines || self.word >= self.words.len() {
            self.next_line(expected)?;
        }
        Ok(self.words.len())
    }

    fn next_line(&mut self, expected: &str) -> Result<(), FormatError> {
        let Some(line) = self.lines.get(self.line) else {
            let place = self.end.place_at(self.end.text.len());
            return Err(FormatError::Ends { place, expected: expected.to_owned() });
        };
        (self.words, self.word, self.line) = (words(line.text).collect(), 0, self.line + 1);
        Ok(())
    }

    fn next(&mut self, expected: &str) -> Result<Word<'a>, FormatError> {
        while self.word >= self.words.len() {
            if self.has_lines {
                let line = self.current();
                return Err(FormatError::at(&line, (line.text.len(), b""), expected));
            }
            self.next_line(expected)?;
        }
        self.word += 1;
        Ok(self.words[self.word - 1])
    }

    /// Where each has a line, nothing may stand behind it.
    fn end(&self, what: &str) -> Result<(), FormatError> {
        match self.words.get(self.word) {
            Some(&word) if self.has_lines => {
                Err(FormatError::at(&self.current(), word, format!("the end of {what}")))
            }
            _ => Ok(()),
        }
    }

    /// What has not been read.
    fn rest(&self) -> Option<Line<'a>> {
        match self.words.get(self.word) {
            Some(_) => Some(self.current()),
            None => self.lines.get(self.line).copied(),
        }
    }

    fn whole(&mut self, name: &str) -> Result<u32, FormatError> {
        let word = self.next(name)?;
        whole(&self.current(), word, name)
    }

    fn real(&mut self, name: &str) -> Result<f64, FormatError> {
        let word = self.next(name)?;
        real(&self.current(), word, name)
    }
}

/// What stands in the line of a polygon.
#[derive(Clone, Copy)]
struct Form {
    has_neighbours: bool,
    has_cost: bool,
}

struct Reader {
    is_third: bool,
    is_weighted: bool,
    has_height: Option<bool>,
    form: Option<Form>,
}

struct Polygon {
    vertices: Vec<u32>,
    neighbours: Vec<Option<u32>>,
    cost: Option<u32>,
    line: u32,
}

impl Reader {
    fn vertex(&mut self, numbers: &mut Numbers<'_>) -> Result<Position, FormatError> {
        let count = numbers.begin("a vertex")?;
        // Of version 3 the number of polygons around says whether a height stands before it.
        let around = |place: usize| {
            let word = numbers.words.get(place).and_then(|word| crate::lines::whole_number(word.1));
            word.is_some_and(|around| place + 1 + around as usize == count)
        };
        let has_height = match self.has_height {
            Some(has_height) => has_height,
            None => self.is_third && !around(2) && around(3),
        };
        self.has_height = Some(has_height);
        let (x, y) = (numbers.real("x")?, numbers.real("y")?);
        let z = if has_height { numbers.real("z")? } else { 0.0 };
        let around = numbers.whole("how many polygons and walls are around a vertex")?;
        for _ in 0..around {
            numbers.next("a polygon beside the vertex, or -1")?;
        }
        numbers.end("the vertex")?;
        Ok(Position::new(x, y, z))
    }

    fn polygon(
        &mut self,
        numbers: &mut Numbers<'_>,
        (vertices, polygons): (u32, u32),
    ) -> Result<Polygon, FormatError> {
        let count = numbers.begin("a polygon")?;
        let corner_count = numbers.whole("how many vertices a polygon has")?;
        let corners = corner_count as usize;
        let form = self.form.unwrap_or(match self.is_third && numbers.has_lines {
            true => Form {
                has_neighbours: count > 2 + corners,
                has_cost: self.is_weighted || count == 2 + corners || count == 2 + 2 * corners,
            },
            false => Form { has_neighbours: true, has_cost: self.is_weighted },
        });
        self.form = Some(form);
        let line = numbers.current().place.line;
        let mut polygon = Polygon { vertices: Vec::new(), neighbours: Vec::new(), cost: None, line };
        for _ in 0..corner_count {
            let word = numbers.next("a vertex of the polygon")?;
            let vertex = whole(&numbers.current(), word, "a vertex")?;
            if vertex >= vertices {
                let expected = format!("a vertex below {vertices}");
                return Err(FormatError::at(&numbers.current(), word, expected));
            }
            polygon.vertices.push(vertex);
        }
        if form.has_neighbours {
            for _ in 0..corner_count {
                let word = numbers.next("the polygon beyond an edge, or -1")?;
                let neighbour = match word.1 {
                    b"-1" => None,
                    _ => Some(whole(&numbers.current(), word, "a polygon, or -1")?),
                };
                if neighbour.is_some_and(|neighbour| neighbour >= polygons) {
                    let expected = format!("a polygon below {polygons}, or -1");
                    return Err(FormatError::at(&numbers.current(), word, expected));
                }
                polygon.neighbours.push(neighbour);
            }
            // The first one is beyond the edge that leads to the first vertex: the last edge.
            if !polygon.neighbours.is_empty() {
                polygon.neighbours.rotate_left(1);
            }
        }
        if form.has_cost {
            let word = numbers.next("what the polygon costs")?;
            let cost = real(&numbers.current(), word, "a cost")?;
            let is_cost = |cost: &u32| MeshArea::is_cost(*cost);
            let cost = hundredths(cost).filter(is_cost).ok_or_else(|| {
                FormatError::at(&numbers.current(), word, "a cost from 0.01 to 1000 in hundredths")
            })?;
            polygon.cost = Some(cost);
        }
        numbers.end("the polygon")?;
        Ok(polygon)
    }
}

/// Writes a `.mesh` file of version 2, with the header `weighted_mesh` where areas cost other than 1. Names of areas, blocked areas, heights and
/// links have no place in it: `None` where there are heights, links or blocked areas.
pub fn write(parts: &MeshParts) -> Option<String> {
    let is_blocked = parts.area_kinds.iter().any(|area| area.is_blocked);
    if parts.has_heights || !parts.links.is_empty() || is_blocked {
        return None;
    }
    let beyond = neighbours(parts);
    let around = around(parts, &beyond);
    let cost = |polygon: usize| {
        let area = parts.areas.get(polygon).copied().unwrap_or(0);
        parts.area_kinds.get(usize::from(area)).map_or(MeshArea::USUAL_COST, |area| area.cost)
    };
    let is_weighted = (0..parts.polygons.len()).any(|polygon| cost(polygon) != MeshArea::USUAL_COST);
    let mut text = format!(
        "{}\n2\n{} {}\n",
        if is_weighted { "weighted_mesh" } else { "mesh" },
        parts.vertices.len(),
        parts.polygons.len()
    );
    let number = |polygon: &Option<u32>| polygon.map_or("-1".to_owned(), |polygon| polygon.to_string());
    for (vertex, around) in parts.vertices.iter().zip(&around) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{} {} {}", vertex.x, vertex.y, around.len());
        around.iter().for_each(|polygon| text.push_str(&format!(" {}", number(polygon))));
        text.push('\n');
    }
    for (polygon, corners) in parts.polygons.iter().enumerate() {
        let _ = write!(text, "{}", corners.len());
        corners.iter().for_each(|vertex| text.push_str(&format!(" {vertex}")));
        let mut neighbours = beyond[polygon].clone();
        if !neighbours.is_empty() {
            neighbours.rotate_right(1);
        }
        neighbours.iter().for_each(|neighbour| text.push_str(&format!(" {}", number(neighbour))));
        if is_weighted {
            let _ = write!(text, " {}", decimal(cost(polygon)));
        }
        text.push('\n');
    }
    Some(text)
}

/// The polygon beyond each edge, as stated or as edges are shared.
pub(super) fn neighbours(parts: &MeshParts) -> Vec<Vec<Option<u32>>> {
    if let Some(neighbours) = &parts.neighbours {
        return neighbours.clone();
    }
    let edges = |corners: &[u32]| -> Vec<(u32, u32)> {
        let next = corners.iter().cycle().skip(1);
        corners.iter().copied().zip(next.copied()).collect()
    };
    let mut owners = HashMap::new();
    for (polygon, corners) in (0..).zip(&parts.polygons) {
        owners.extend(edges(corners).into_iter().map(|edge| (edge, polygon)));
    }
    let beyond = |(from, to): (u32, u32)| owners.get(&(to, from)).copied();
    parts.polygons.iter().map(|corners| edges(corners).into_iter().map(beyond).collect()).collect()
}

/// The polygons around each vertex, in the order in which their edges lead away from it, and a wall wherever two that follow
/// each other share no edge.
fn around(parts: &MeshParts, beyond: &[Vec<Option<u32>>]) -> Vec<Vec<Option<u32>>> {
    // Of each polygon at a vertex: the direction of the edge that leads away, and the polygon beyond the edge that leads to it.
    let mut at: Vec<Vec<(f64, u32, Option<u32>)>> = vec![Vec::new(); parts.vertices.len()];
    for (polygon, corners) in (0..).zip(&parts.polygons) {
        for (place, &vertex) in corners.iter().enumerate() {
            let next = corners[(place + 1) % corners.len()];
            let (Some(here), Some(there)) =
                (parts.vertices.get(vertex as usize), parts.vertices.get(next as usize))
            else {
                continue;
            };
            let angle = (there.y - here.y).atan2(there.x - here.x);
            let before = beyond[polygon as usize][(place + corners.len() - 1) % corners.len()];
            at[vertex as usize].push((angle, polygon, before));
        }
    }
    let with_walls = |mut fan: Vec<(f64, u32, Option<u32>)>| {
        fan.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut around = Vec::new();
        for (place, &(_, polygon, before)) in fan.iter().enumerate() {
            around.push(Some(polygon));
            if before != Some(fan[(place + 1) % fan.len()].1) || fan.len() == 1 {
                around.push(None);
            }
        }
        around
    };
    at.into_iter().map(with_walls).collect()
}

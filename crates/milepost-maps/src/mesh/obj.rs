//! The faces of Wavefront `.obj` files as polygons of a mesh: what can be walked on, as level editors export it.
//!
//! `v X Y Z` is a vertex, y upwards; `f A B C ...` a face, whose vertices are counted from 1, or backwards from -1, and may have numbers of
//! textures and normals behind a `/`; `usemtl NAME` names the area of the faces that follow. On the plane X,Y are x and z; heights are y.
//!
//! # Deviations
//! 1. Vertices at the same place are one: exporters write those of each face apart, and neighbours are found by shared ones.
//! 2. Faces that stand upright, which nothing can walk on, are left out.
//! 3. All other statements are read over.

use super::{MeshFile, MeshFileError};
use crate::format_error::{FormatError, Records, real};
use crate::lines::{Line, words};
use milepost::{MeshArea, MeshParts, Position};
use std::collections::HashMap;

/// Reads an `.obj` file.
pub fn read(bytes: &[u8]) -> Result<MeshFile, MeshFileError> {
    let records = Records::new(bytes, "lines `v X Y Z` and `f A B C`")?;
    let mut reader = Reader::default();
    let mut end = None;
    for line in records {
        end = Some(line.place_at(line.text.len()));
        reader.statement(&line)?;
    }
    if reader.polygons.is_empty() {
        let place = end.unwrap_or(crate::Place { line: 1, column: 1, offset: 0 });
        let expected = "at least one face that can be walked on, `f A B C`".to_owned();
        return Err(FormatError::Ends { place, expected }.into());
    }
    let mut parts = MeshParts::flat(reader.vertices, reader.polygons);
    (parts.has_heights, parts.y_up) = (true, true);
    parts.areas = reader.areas;
    parts.area_kinds = reader.kinds;
    Ok(MeshFile { parts, lines: reader.lines })
}

#[derive(Default)]
struct Reader {
    /// For each vertex of the file its number among those that differ.
    numbers: Vec<u32>,
    vertices: Vec<Position>,
    known: HashMap<[u64; 3], u32>,
    polygons: Vec<Vec<u32>>,
    lines: Vec<u32>,
    areas: Vec<u16>,
    kinds: Vec<MeshArea>,
    materials: HashMap<String, u16>,
    material: Option<u16>,
}

impl Reader {
    fn statement(&mut self, line: &Line<'_>) -> Result<(), MeshFileError> {
        let mut words = words(line.text);
        match words.next().map_or(&b""[..], |word| word.1) {
            b"v" => self.vertex(line),
            b"f" => self.face(line),
            b"usemtl" => {
                let name = words.next().ok_or_else(|| FormatError::line(line, "`usemtl NAME`"))?;
                let text = std::str::from_utf8(&line.text[name.0..]);
                let name = text.map_err(|_| FormatError::at(line, name, "a name in UTF-8"))?;
                self.material = Some(self.area(line, name)?);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn area(&mut self, line: &Line<'_>, name: &str) -> Result<u16, MeshFileError> {
        if let Some(&number) = self.materials.get(name) {
            return Ok(number);
        }
        let number = u16::try_from(self.kinds.len())
            .map_err(|_| FormatError::line(line, "at most 65536 materials"))?;
        self.kinds.push(MeshArea::new(name, MeshArea::USUAL_COST));
        self.materials.insert(name.to_owned(), number);
        Ok(number)
    }

    fn vertex(&mut self, line: &Line<'_>) -> Result<(), MeshFileError> {
        let found: Vec<_> = words(line.text).skip(1).collect();
        // A weight or colours may follow.
        let [x, y, z, ..] = found[..] else {
            return Err(FormatError::line(line, "a vertex, `v X Y Z`").into());
        };
        let number = |word, name| real(line, word, name);
        let (x, y, z) = (number(x, "x")?, number(y, "y")?, number(z, "z")?);
        // Zero has two signs.
        let key = [x, y, z].map(|value| (value + 0.0).to_bits());
        let next = self.vertices.len() as u32;
        let number = *self.known.entry(key).or_insert(next);
        if number == next {
            self.vertices.push(Position::new(x, z, y));
        }
        self.numbers.push(number);
        Ok(())
    }

    fn face(&mut self, line: &Line<'_>) -> Result<(), MeshFileError> {
        let count = self.numbers.len() as i64;
        let mut corners = Vec::new();
        for word in words(line.text).skip(1) {
            let number = word.1.split(|&byte| byte == b'/').next().unwrap_or_default();
            let value = std::str::from_utf8(number).ok().and_then(|text| text.parse::<i64>().ok());
            let place = match value {
                Some(value) if (1..=count).contains(&value) => value - 1,
                Some(value) if (-count..=-1).contains(&value) => count + value,
                _ => {
                    let expected = format!("a vertex from 1 to {count}, or from -{count} to -1");
                    return Err(FormatError::at(line, word, expected).into());
                }
            };
            corners.push(self.numbers[place as usize]);
        }
        if corners.len() < 3 {
            return Err(FormatError::line(line, "a face of at least three vertices, `f A B C`").into());
        }
        if self.stands_upright(&corners) {
            return Ok(());
        }
        let area = match self.material {
            Some(area) => area,
            None => {
                let area = self.area(line, "ground")?;
                self.material = Some(area);
                area
            }
        };
        self.polygons.push(corners);
        self.areas.push(area);
        self.lines.push(line.place.line);
        Ok(())
    }

    /// Whether a face has an area, but none seen from above.
    fn stands_upright(&self, corners: &[u32]) -> bool {
        let at = |place: usize| self.vertices[corners[place] as usize];
        let first = at(0);
        let mut sum = [0.0; 3];
        for place in 1..corners.len() - 1 {
            let (b, c) = (at(place), at(place + 1));
            let (b, c) = (
                [b.x - first.x, b.y - first.y, b.z - first.z],
                [c.x - first.x, c.y - first.y, c.z - first.z],
            );
            for (axis, sum) in sum.iter_mut().enumerate() {
                let (one, other) = ((axis + 1) % 3, (axis + 2) % 3);
                *sum += b[one] * c[other] - b[other] * c[one];
            }
        }
        sum[2] == 0.0 && (sum[0] != 0.0 || sum[1] != 0.0)
    }
}

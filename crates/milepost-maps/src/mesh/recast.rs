//! Polygon meshes of Recast (`rcPolyMesh`) as JSON.
//!
//! Vertices are whole numbers `[x, y, z]`, y upwards; `polys` has `2 nvp` numbers for each polygon: its vertices, 65535 where there are
//! fewer, then what is beyond each edge, 65535 for nothing; with bit 15 set that is the border of a tile, a wall here.
//! A vertex lies at `bmin + (cs x, ch y, cs z)`. On the plane X,Y are x and z; heights are y.
//!
//! # Deviations
//! 1. Where `cs`, `ch` or `bmin` are missing, those of the configuration in the file beside it count, whose `bmin` is moved
//!    inwards by `borderSize` cells.
//! 2. Areas have their numbers as names and cost 1.

use super::{MeshFile, MeshFileError};
use milepost::{MeshArea, MeshParts, Position};
use serde::Deserialize;
use serde::de::IgnoredAny;

#[derive(Deserialize)]
struct Probe {
    #[serde(default)]
    nvp: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Document {
    verts: Vec<[u32; 3]>,
    polys: Vec<u32>,
    nvp: u32,
    #[serde(default)]
    areas: Vec<u32>,
    cs: Option<f64>,
    ch: Option<f64>,
    bmin: Option<[f64; 3]>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Config {
    cs: f64,
    ch: f64,
    bmin: [f64; 3],
    #[serde(default)]
    border_size: f64,
}

/// No vertex, or no neighbour.
const NONE: u32 = 0xffff;
/// The border of a tile.
const BORDER: u32 = 0x8000;

/// Whether a JSON document is a polygon mesh of Recast.
pub fn is_recast(bytes: &[u8]) -> Result<bool, MeshFileError> {
    Ok(serde_json::from_slice::<Probe>(bytes)?.nvp.is_some())
}

/// Reads a polygon mesh; `config` is the configuration it was made with.
pub fn read(bytes: &[u8], config: Option<&[u8]>) -> Result<MeshFile, MeshFileError> {
    let document: Document = serde_json::from_slice(bytes)?;
    let config: Option<Config> = config.map(serde_json::from_slice).transpose()?;
    let missing = |name: &str| MeshFileError::part(name, "a number, here or in the configuration", "nothing");
    let cs = document.cs.or(config.as_ref().map(|config| config.cs)).ok_or_else(|| missing("cs"))?;
    let ch = document.ch.or(config.as_ref().map(|config| config.ch)).ok_or_else(|| missing("ch"))?;
    let inner = |config: &Config| {
        let [x, y, z] = config.bmin;
        let border = config.border_size * config.cs;
        [x + border, y, z + border]
    };
    let [left, low, top] = document.bmin.or(config.as_ref().map(inner)).ok_or_else(|| missing("bmin"))?;
    let nvp = document.nvp as usize;
    if !(3..=64).contains(&nvp) {
        return Err(MeshFileError::part("nvp", "3 to 64 vertices a polygon", nvp));
    }
    if !document.polys.len().is_multiple_of(2 * nvp) {
        let expected = format!("{} numbers for each polygon", 2 * nvp);
        return Err(MeshFileError::part("polys", expected, document.polys.len()));
    }
    let place = |&[x, y, z]: &[u32; 3]| {
        Position::new(left + cs * f64::from(x), top + cs * f64::from(z), low + ch * f64::from(y))
    };
    let mut parts = MeshParts::flat(document.verts.iter().map(place).collect(), Vec::new());
    (parts.unit, parts.height_unit, parts.has_heights, parts.y_up) = (cs, ch, true, true);
    let count = document.polys.len() / (2 * nvp);
    let mut neighbours = Vec::with_capacity(count);
    for (polygon, numbers) in document.polys.chunks(2 * nvp).enumerate() {
        let (vertices, beyond) = numbers.split_at(nvp);
        let corners = vertices.iter().position(|&vertex| vertex == NONE).unwrap_or(nvp);
        let wrong = |expected: String, found: u32| {
            Err(MeshFileError::part(format!("polygon #{polygon}"), expected, found))
        };
        if let Some(&vertex) = vertices[corners..].iter().find(|&&vertex| vertex != NONE) {
            return wrong(format!("no vertex after {NONE}"), vertex);
        }
        let known = document.verts.len();
        if let Some(&vertex) = vertices[..corners].iter().find(|&&vertex| vertex as usize >= known) {
            return wrong(format!("vertices below {known}"), vertex);
        }
        let neighbour = |&beyond: &u32| (beyond & BORDER == 0).then_some(beyond);
        let list: Vec<Option<u32>> = beyond[..corners].iter().map(neighbour).collect();
        if let Some(other) = list.iter().flatten().find(|&&other| other as usize >= count) {
            return wrong(format!("neighbours below {count}, or {NONE}"), *other);
        }
        parts.polygons.push(vertices[..corners].to_vec());
        neighbours.push(list);
    }
    parts.neighbours = Some(neighbours);
    if !document.areas.is_empty() {
        if document.areas.len() != count {
            let expected = format!("{count} areas, one for each polygon");
            return Err(MeshFileError::part("areas", expected, document.areas.len()));
        }
        let mut numbers = document.areas.clone();
        numbers.sort_unstable();
        numbers.dedup();
        if let Some(most) = numbers.last().filter(|&&most| most > 255) {
            return Err(MeshFileError::part("areas", "numbers up to 255", most));
        }
        let area = |number: &u32| MeshArea::new(number.to_string(), MeshArea::USUAL_COST);
        parts.area_kinds = numbers.iter().map(area).collect();
        let kind = |number: &u32| numbers.binary_search(number).unwrap_or(0) as u16;
        parts.areas = document.areas.iter().map(kind).collect();
    }
    Ok(MeshFile { parts, lines: Vec::new() })
}

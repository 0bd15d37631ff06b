//! Our own JSON for meshes: all that a mesh can hold.
//!
//! ```json
//! {
//!   "milepost-mesh": 1,
//!   "areas": [{"name": "ground", "cost": 1}, {"name": "door", "blocked": true}],
//!   "vertices": [[0, 0], [2, 0], [2, 2], [0, 2]],
//!   "polygons": [{"vertices": [0, 1, 2], "area": "ground"}, {"vertices": [0, 2, 3], "area": "door"}],
//!   "links": [{"from": [1, 0.5], "to": [0.5, 1.5], "cost": 2.5, "both_ways": true}]
//! }
//! ```
//!
//! | member | meaning |
//! |---|---|
//! | `milepost-mesh` | the version, 1 |
//! | `unit`, `height_unit` | what coordinates and heights are whole numbers of, as far as that is known; 1 |
//! | `y_up` | whether the mesh came from a file with y upwards, for users' eyes; false |
//! | `areas` | names and costs from 0.01 to 1000, at most two decimals, 1 unless told otherwise; or `blocked` |
//! | `vertices` | `[x, y]` or `[x, y, z]` each |
//! | `polygons` | the vertices, all polygons round the same way; the name of the area, the first unless told otherwise; `neighbours`, for each edge the polygon beyond it or null for a wall: for all polygons, or for none, whose neighbours are those that they share edges with |
//! | `links` | from where to where, and what it costs; `both_ways`, false unless told otherwise; `from_polygon`, `to_polygon` |

use super::{MeshFile, MeshFileError, hundredths};
use milepost::{MeshArea, MeshLink, MeshLinkEnd, MeshParts, Position};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "milepost-mesh")]
    version: u32,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    unit: f64,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    height_unit: f64,
    #[serde(default, skip_serializing_if = "is_false")]
    y_up: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    areas: Vec<Area>,
    vertices: Vec<Place>,
    polygons: Vec<Polygon>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    links: Vec<Link>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Area {
    name: String,
    #[serde(default = "one")]
    cost: f64,
    #[serde(default, skip_serializing_if = "is_false")]
    blocked: bool,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
#[serde(untagged)]
enum Place {
    Flat([f64; 2]),
    High([f64; 3]),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Polygon {
    vertices: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    area: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    neighbours: Option<Vec<Option<u32>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Link {
    from: Place,
    to: Place,
    cost: f64,
    #[serde(default, skip_serializing_if = "is_false")]
    both_ways: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from_polygon: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to_polygon: Option<u32>,
}

fn one() -> f64 {
    1.0
}

fn is_one(value: &f64) -> bool {
    *value == 1.0
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Place {
    fn position(self) -> Position {
        match self {
            Place::Flat([x, y]) => Position::new(x, y, 0.0),
            Place::High([x, y, z]) => Position::new(x, y, z),
        }
    }

    fn new(at: Position, has_heights: bool) -> Place {
        if has_heights { Place::High([at.x, at.y, at.z]) } else { Place::Flat([at.x, at.y]) }
    }
}

/// Reads a mesh.
pub fn read(bytes: &[u8]) -> Result<MeshFile, MeshFileError> {
    let document: Document = serde_json::from_slice(bytes)?;
    if document.version != 1 {
        return Err(MeshFileError::part("milepost-mesh", "version 1", document.version));
    }
    let has_heights = document.vertices.iter().any(|place| matches!(place, Place::High(_)));
    let vertices = document.vertices.iter().map(|place| place.position()).collect();
    let mut parts = MeshParts::flat(vertices, Vec::new());
    (parts.unit, parts.height_unit) = (document.unit, document.height_unit);
    (parts.has_heights, parts.y_up) = (has_heights, document.y_up);
    let mut numbers: HashMap<&str, u16> = HashMap::new();
    for (number, area) in document.areas.iter().enumerate() {
        let wrong = |expected: &str, found: String| {
            Err(MeshFileError::part(format!("area `{}`", area.name), expected, found))
        };
        let Some(cost) = hundredths(area.cost).filter(|&cost| MeshArea::is_cost(cost)) else {
            return wrong("a cost from 0.01 to 1000 in hundredths", area.cost.to_string());
        };
        let Ok(number) = u16::try_from(number) else {
            return wrong("at most 65536 areas", document.areas.len().to_string());
        };
        if numbers.insert(&area.name, number).is_some() {
            return wrong("a name of its own", "it twice".to_owned());
        }
        parts.area_kinds.push(MeshArea { cost, is_blocked: area.blocked, ..MeshArea::new(&area.name, cost) });
    }
    let mut neighbours = Vec::new();
    for (polygon, given) in document.polygons.iter().enumerate() {
        let wrong = |expected: String, found: String| {
            Err(MeshFileError::part(format!("polygon #{polygon}"), expected, found))
        };
        let known = document.vertices.len();
        if let Some(vertex) = given.vertices.iter().find(|&&vertex| vertex as usize >= known) {
            return wrong(format!("vertices below {known}"), vertex.to_string());
        }
        let area = match &given.area {
            None => Some(0),
            Some(name) => numbers.get(name.as_str()).copied(),
        };
        let Some(area) = area else {
            let name = given.area.as_deref().unwrap_or_default();
            return wrong("an area of the list".to_owned(), format!("`{}`", name.escape_debug()));
        };
        if !document.areas.is_empty() {
            parts.areas.push(area);
        }
        if given.neighbours.is_some() != document.polygons[0].neighbours.is_some() {
            let found = if given.neighbours.is_some() { "some" } else { "none" };
            return wrong("neighbours for all polygons or for none".to_owned(), found.to_owned());
        }
        neighbours.extend(given.neighbours.clone());
        parts.polygons.push(given.vertices.clone());
    }
    parts.neighbours = (!neighbours.is_empty()).then_some(neighbours);
    for (number, link) in document.links.iter().enumerate() {
        let Some(cost) = hundredths(link.cost) else {
            let expected = "a cost of at least 0.01 in hundredths";
            return Err(MeshFileError::part(format!("link {number}"), expected, link.cost));
        };
        let end = |place: Place, polygon| MeshLinkEnd { at: place.position(), polygon };
        parts.links.push(MeshLink {
            from: end(link.from, link.from_polygon),
            to: end(link.to, link.to_polygon),
            cost,
            both_ways: link.both_ways,
        });
    }
    Ok(MeshFile { parts, lines: Vec::new() })
}

/// Writes a mesh.
pub fn write(parts: &MeshParts) -> String {
    let cost = |hundredths: u32| f64::from(hundredths) / 100.0;
    let place = |at: Position| Place::new(at, parts.has_heights);
    let polygon = |(number, vertices): (usize, &Vec<u32>)| Polygon {
        vertices: vertices.clone(),
        area: parts
            .areas
            .get(number)
            .and_then(|&area| parts.area_kinds.get(usize::from(area)))
            .map(|area| area.name.clone()),
        neighbours: parts.neighbours.as_ref().and_then(|lists| lists.get(number).cloned()),
    };
    let link = |link: &MeshLink| Link {
        from: place(link.from.at),
        to: place(link.to.at),
        cost: cost(link.cost),
        both_ways: link.both_ways,
        from_polygon: link.from.polygon,
        to_polygon: link.to.polygon,
    };
    let area =
        |area: &MeshArea| Area { name: area.name.clone(), cost: cost(area.cost), blocked: area.is_blocked };
    let document = Document {
        version: 1,
        unit: parts.unit,
        height_unit: parts.height_unit,
        y_up: parts.y_up,
        areas: parts.area_kinds.iter().map(area).collect(),
        vertices: parts.vertices.iter().map(|&at| place(at)).collect(),
        polygons: parts.polygons.iter().enumerate().map(polygon).collect(),
        links: parts.links.iter().map(link).collect(),
    };
    // Every member is a number, a text or a list of them: nothing of it can fail to be written.
    serde_json::to_string(&document).unwrap_or_default() + "\n"
}

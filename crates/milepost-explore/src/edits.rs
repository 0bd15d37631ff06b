//! `edit`: cells that are opened, closed or given other ground; polygons, nodes and edges that are closed and opened.

use crate::fault::Fault;
use crate::maps::{Map, is_wall, weight_of_letter};
use crate::message::{Fields, missing, wrong};
use crate::open::state;
use milepost::space::SpaceKind;
use milepost::{Edit, Space, StateId};
use serde_json::Value;

/// States and edges, and the letter that they get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Brush {
    pub(crate) cells: Vec<StateId>,
    /// Edges of a graph by their ends, whichever way they lead.
    pub(crate) edges: Vec<[StateId; 2]>,
    pub(crate) to: u8,
}

/// States and edges that one edit changes at most.
const MOST_CELLS: usize = 1 << 20;

/// The letters of what is closed and of what is opened.
const WALL: u8 = b'@';
const FLOOR: u8 = b'.';

impl Brush {
    /// What `{cells, to}` says, or `{close}` and `{open}`, `{cut}` and `{join}`.
    pub(crate) fn read(map: &Map, fields: &Fields<'_>) -> Result<Vec<Brush>, Fault> {
        let mut brushes = Vec::new();
        for (name, to) in [("cells", None), ("close", Some(WALL)), ("open", Some(FLOOR))] {
            let listed = listed(fields, name)?;
            if !listed.is_empty() {
                let to = match to {
                    Some(to) => to,
                    None => letter(fields)?,
                };
                let cells = listed.iter().map(|cell| state(map, name, cell)).collect::<Result<_, Fault>>()?;
                brushes.push(Brush { cells, edges: Vec::new(), to });
            }
        }
        for (name, to) in [("cut", WALL), ("join", FLOOR)] {
            let listed = listed(fields, name)?;
            if !listed.is_empty() {
                let edges = listed.iter().map(|ends| edge(map, name, ends)).collect::<Result<_, Fault>>()?;
                brushes.push(Brush { cells: Vec::new(), edges, to });
            }
        }
        Ok(brushes)
    }

    /// Whether it closes what it touches.
    pub(crate) fn closes(&self) -> bool {
        is_wall(self.to)
    }

    /// What an event says of it: 1 if it closes, 0 if it opens plain ground, else what the ground costs.
    pub(crate) fn value(&self) -> f32 {
        match weight_of_letter(self.to) {
            _ if self.closes() => 1.0,
            Some(weight) if weight > 1 => weight.into(),
            _ => 0.0,
        }
    }

    /// The edits that this means on cells and polygons.
    pub(crate) fn edits(&self, space: &Space) -> Vec<Edit> {
        let is_free = !self.closes();
        match space {
            Space::Grid(grid) => {
                let weight = weight_of_letter(self.to).unwrap_or(1);
                let cells = self.cells.iter().filter(|cell| grid.geometry().contains(**cell));
                let mut edits = Vec::new();
                for at in cells.map(|cell| grid.point(*cell)) {
                    edits.push(Edit::Cells { from: at, to: at, free: is_free });
                    let weighs = |at| grid.state_at(at).map_or(1, |state| grid.weight(state));
                    if is_free && weighs(at) != weight {
                        edits.push(Edit::Weight { at, weight });
                    }
                }
                edits
            }
            Space::Mesh(_) => {
                let polygon = |polygon: &StateId| Edit::Polygon { polygon: *polygon, free: is_free };
                self.cells.iter().map(polygon).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The ends of an edge of a graph.
fn edge(map: &Map, name: &str, value: &Value) -> Result<[StateId; 2], Fault> {
    if map.space().as_graph().is_none() {
        return Err(Fault::new(format!("`{name}`: this map has no edges"), "close cells or polygons"));
    }
    match value.as_array().map(Vec::as_slice) {
        Some([one, other]) => Ok([state(map, name, one)?, state(map, name, other)?]),
        _ => Err(wrong(name, "a list of pairs of nodes", value)),
    }
}

fn listed<'a>(fields: &Fields<'a>, name: &str) -> Result<&'a [Value], Fault> {
    let listed = fields.list(name)?;
    if listed.len() > MOST_CELLS {
        let say = format!("`{name}`: an edit of {} places", listed.len());
        return Err(Fault::new(say, format!("edit at most {MOST_CELLS} at once")));
    }
    Ok(listed)
}

fn letter(fields: &Fields<'_>) -> Result<u8, Fault> {
    let value = fields.get("to").ok_or_else(|| missing("to", "a letter as its number"))?;
    let number = value.as_u64().and_then(|letter| u8::try_from(letter).ok());
    let letter = number.filter(|letter| is_wall(*letter) || weight_of_letter(*letter).is_some());
    letter.ok_or_else(|| wrong("to", "the number of a letter: . G S @ T W O, 2 to 9, a to z", value))
}

impl Map {
    /// Makes edits, all of them or none.
    pub(crate) fn edit(&mut self, brushes: &[Brush]) -> Result<(), Fault> {
        self.ground = self.ground.edited(brushes)?;
        self.version += 1;
        if let Some(grid) = self.space().as_grid() {
            let (width, geometry) = (grid.width() as usize, *grid.geometry());
            for brush in brushes {
                for cell in brush.cells.iter().filter(|cell| geometry.contains(**cell)) {
                    let at = geometry.point(*cell);
                    let place = at.y as usize * width + at.x as usize;
                    if let Some(letter) = self.letters.get_mut(place) {
                        *letter = brush.to;
                    }
                }
            }
        }
        Ok(())
    }
}

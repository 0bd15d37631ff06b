//! `edit`: cells that are opened, closed or given other ground; polygons that are closed and opened.

use crate::fault::Fault;
use crate::maps::{Map, is_wall, weight_of_letter};
use crate::message::{Fields, missing, wrong};
use crate::open::state;
use milepost::space::SpaceKind;
use milepost::{Edit, Space, StateId};

/// States, and the letter that they get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Brush {
    pub(crate) cells: Vec<StateId>,
    pub(crate) to: u8,
}

/// States that one edit changes at most.
const MOST_CELLS: usize = 1 << 20;

impl Brush {
    /// What `{cells, to}` says, or `{close}` and `{open}`.
    pub(crate) fn read(map: &Map, fields: &Fields<'_>) -> Result<Vec<Brush>, Fault> {
        let mut brushes = Vec::new();
        for (name, to) in [("cells", None), ("close", Some(b'@')), ("open", Some(b'.'))] {
            let listed = fields.list(name)?;
            if listed.is_empty() {
                continue;
            }
            if listed.len() > MOST_CELLS {
                let say = format!("`{name}`: an edit of {} cells", listed.len());
                return Err(Fault::new(say, format!("edit at most {MOST_CELLS} cells at once")));
            }
            let to = match to {
                Some(to) => to,
                None => letter(fields)?,
            };
            let cells = listed.iter().map(|cell| state(map, name, cell)).collect::<Result<_, Fault>>()?;
            brushes.push(Brush { cells, to });
        }
        Ok(brushes)
    }

    /// Whether it closes what it touches.
    pub(crate) fn closes(&self) -> bool {
        is_wall(self.to)
    }

    /// The edits of the engine that this means.
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

fn letter(fields: &Fields<'_>) -> Result<u8, Fault> {
    let value = fields.get("to").ok_or_else(|| missing("to", "a letter as its number"))?;
    let number = value.as_u64().and_then(|letter| u8::try_from(letter).ok());
    let letter = number.filter(|letter| is_wall(*letter) || weight_of_letter(*letter).is_some());
    letter.ok_or_else(|| wrong("to", "the number of a letter: . G S @ T W O, 2 to 9, a to z", value))
}

impl Map {
    /// Makes edits, all of them or none.
    pub(crate) fn edit(&mut self, brushes: &[Brush]) -> Result<(), Fault> {
        if self.space().as_graph().is_some() {
            return Err(Fault::new("graphs and trees are not edited here", "edit a map of cells or a mesh"));
        }
        let edits: Vec<Edit> = brushes.iter().flat_map(|brush| brush.edits(self.space())).collect();
        let edited = self.atlas.edited(&edits);
        self.atlas = edited.map_err(|error| Fault::new(error, "undo the edit"))?;
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

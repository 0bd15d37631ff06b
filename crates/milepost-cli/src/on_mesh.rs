//! Places on a mesh: a user names points of the plane, or polygons by their numbers.

use crate::failure::Failure;
use crate::place::Place;
use crate::world::World;
use milepost::space::SpaceKind;
use milepost::{NavMesh, Position, StateId};
use milepost_maps::MeshPlace;
use serde::Serialize;

/// What `info` says of a mesh beyond what it says of every map.
#[derive(Serialize, Debug)]
pub(crate) struct MeshFacts {
    /// Blocked ones included.
    pub(crate) polygons: u32,
    /// Edges that two polygons share.
    pub(crate) portals: u32,
    pub(crate) links: usize,
    pub(crate) areas: Vec<AreaFacts>,
    /// The unit of the file, and a step of the lattice that its vertices lie on.
    pub(crate) unit: f64,
    pub(crate) lattice: f64,
    /// Whether polygons have heights.
    pub(crate) heights: bool,
    /// Whether the file had y upwards: X,Y are its x and z, and Z is its y.
    pub(crate) y_up: bool,
    /// The corners of the box around it: left, top, right, bottom.
    pub(crate) bounds: [f64; 4],
}

/// A kind of ground.
#[derive(Serialize, Debug)]
pub(crate) struct AreaFacts {
    pub(crate) name: String,
    /// What a unit of length costs there; none where it is blocked.
    pub(crate) cost: Option<f64>,
    pub(crate) polygons: usize,
}

impl MeshFacts {
    pub(crate) fn new(mesh: &NavMesh) -> MeshFacts {
        let mut polygons = vec![0; mesh.areas().len()];
        for polygon in (0..mesh.polygon_count()).map(StateId::new) {
            if let Some(count) = polygons.get_mut(usize::from(mesh.area(polygon))) {
                *count += 1;
            }
        }
        let ((unit, lattice), (low, high)) = (mesh.unit_and_step(), mesh.bounds());
        MeshFacts {
            polygons: mesh.polygon_count(),
            portals: mesh.portal_count(),
            links: mesh.links().len(),
            areas: mesh
                .areas()
                .iter()
                .zip(polygons)
                .map(|(area, polygons)| AreaFacts {
                    name: area.name.clone(),
                    cost: (!area.is_blocked).then(|| f64::from(area.cost) / 100.0),
                    polygons,
                })
                .collect(),
            unit,
            lattice,
            heights: mesh.has_heights(),
            y_up: mesh.is_y_up(),
            bounds: [low.x, low.y, high.x, high.y],
        }
    }
}

/// Where a place lies on the plane; none for a number. Without a height the lowest floor is meant.
pub(crate) fn position(place: Place) -> Option<Position> {
    match place {
        Place::Cell(at) => Some(Position::new(at.x as f64, at.y as f64, f64::NAN)),
        Place::Voxel([x, y, z]) => Some(Position::new(x as f64, y as f64, z as f64)),
        Place::Spot(at) => Some(position_of(at)),
        Place::Node(_) => None,
    }
}

/// The same of a place in a file.
pub(crate) fn position_of(at: MeshPlace) -> Position {
    Position::new(at.x, at.y, at.z.unwrap_or(f64::NAN))
}

/// A position as users spell it: with its height where the mesh has heights.
pub(crate) fn spelled(mesh: &NavMesh, at: Position) -> MeshPlace {
    MeshPlace { x: at.x, y: at.y, z: mesh.has_heights().then_some(at.z) }
}

/// Where an agent was that went from centre to centre: these, and where it crossed from one polygon into the next.
pub(crate) fn trail(mesh: &NavMesh, polygons: &[StateId]) -> Vec<Position> {
    let mut points: Vec<Position> = polygons.first().map(|&first| mesh.centre(first)).into_iter().collect();
    for step in polygons.windows(2) {
        mesh.write_step(step[0], step[1], &mut points);
    }
    points
}

impl World {
    pub(crate) fn mesh(&self) -> Option<&NavMesh> {
        self.space().as_mesh()
    }

    /// The end of a query that a user named, moved to the nearest free place if that was asked for.
    pub(crate) fn end_at(
        &self,
        option: &str,
        place: Place,
        is_snapped: bool,
    ) -> Result<milepost::Place, Failure> {
        let Some(mesh) = self.mesh() else {
            let state = if is_snapped { self.snapped(option, place) } else { self.state_at(option, place) };
            return state.map(milepost::Place::State);
        };
        let place = if is_snapped { self.snapped_place(place) } else { place };
        let outside = |expected: String| {
            let message =
                format!("{option} {place} lies outside the mesh {}; expected {expected}", self.name);
            Err(Failure::usage("outside_map", message))
        };
        match (position(place), place) {
            (Some(at), _) if mesh.is_within_bounds(at) => Ok(at.into()),
            (None, Place::Node(id)) if id < mesh.polygon_count() => Ok(StateId::new(id).into()),
            (Some(_), _) => {
                let (low, high) = mesh.bounds();
                outside(format!("{},{} to {},{}", low.x, low.y, high.x, high.y))
            }
            (None, _) => outside(format!("a polygon, #0 to #{}", mesh.polygon_count().saturating_sub(1))),
        }
    }

    /// The free polygon with the least number that a place means; none where all are blocked.
    pub(crate) fn first_state(&self, place: milepost::Place) -> StateId {
        let mut states = Vec::new();
        self.space().write_states_at(place, &mut states);
        states.first().copied().unwrap_or(StateId::NONE)
    }

    /// Whether no free polygon of a mesh holds a place.
    pub(crate) fn is_blocked_on_mesh(&self, place: Place) -> bool {
        self.mesh().is_some_and(|mesh| match place {
            Place::Node(id) => !mesh.is_free(StateId::new(id)),
            _ => position(place)
                .is_none_or(|at| mesh.polygons_at(at).into_iter().all(|polygon| !mesh.is_free(polygon))),
        })
    }

    /// The nearest place of a mesh that is free.
    pub(crate) fn free_place_near(&self, place: Place) -> Option<Place> {
        let mesh = self.mesh()?;
        let at = match place {
            Place::Node(id) if id < mesh.polygon_count() => mesh.centre(StateId::new(id)),
            _ => position(place)?,
        };
        mesh.nearest(at).map(|near| Place::Spot(spelled(mesh, near.at)))
    }
}

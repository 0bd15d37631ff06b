//! Places on a mesh: a user names points of the plane, or polygons by their numbers.

use crate::failure::Failure;
use crate::place::Place;
use crate::world::World;
use milepost::space::SpaceKind;
use milepost::{Edit, MeshArea, NavMesh, Position, StateId};
use milepost_maps::MeshPlace;
use serde::Serialize;
use std::collections::BTreeMap;

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
        let ((unit, lattice), (low, high)) = (mesh.unit_and_step(), mesh.bounds());
        MeshFacts {
            polygons: mesh.polygon_count(),
            portals: mesh.portal_count(),
            links: mesh.links().len(),
            areas: areas(mesh),
            unit,
            lattice,
            heights: mesh.has_heights(),
            y_up: mesh.is_y_up(),
            bounds: [low.x, low.y, high.x, high.y],
        }
    }
}

/// The areas as they are now: where polygons of one were edited, it stands once for each kind of them.
fn areas(mesh: &NavMesh) -> Vec<AreaFacts> {
    let mut counts: BTreeMap<(u16, Option<u32>), usize> = BTreeMap::new();
    for polygon in (0..mesh.polygon_count()).map(StateId::new) {
        let cost = mesh.is_free(polygon).then(|| mesh.polygon_cost(polygon));
        *counts.entry((mesh.area(polygon), cost)).or_default() += 1;
    }
    for (number, area) in mesh.areas().iter().enumerate() {
        let number = number as u16;
        if counts.range((number, None)..=(number, Some(u32::MAX))).next().is_none() {
            counts.insert((number, (!area.is_blocked).then_some(area.cost)), 0);
        }
    }
    let facts = |((number, cost), polygons): ((u16, Option<u32>), usize)| {
        let name = mesh.areas().get(usize::from(number)).map_or_else(String::new, |area| area.name.clone());
        AreaFacts { name, cost: cost.map(|cost| f64::from(cost) / 100.0), polygons }
    };
    counts.into_iter().map(facts).collect()
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

/// What areas of a mesh cost, by their names: in hundredths, or none where they are blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Areas(Vec<(String, Option<u32>)>);

impl Areas {
    /// Reads a list such as `water=4,3=2.5,door=blocked`.
    pub(crate) fn parse(text: &str) -> Result<Areas, String> {
        let area = |part: &str| {
            let (name, cost) = part.rsplit_once('=')?;
            let cost = match cost.trim() {
                "blocked" => None,
                cost => {
                    let hundredths = cost.parse::<f64>().ok()? * 100.0;
                    let whole = hundredths.round();
                    let is_whole = (hundredths - whole).abs() < 1e-6;
                    Some(whole as u32).filter(|&cost| is_whole && MeshArea::is_cost(cost)).map(Some)?
                }
            };
            Some((name.trim().to_owned(), cost)).filter(|(name, _)| !name.is_empty())
        };
        let areas: Option<Vec<(String, Option<u32>)>> = text.split(',').map(area).collect();
        areas.map(Areas).ok_or_else(|| {
            "expected NAME=COST or NAME=blocked, such as water=4,door=blocked; costs are 0.01 to 1000, with two digits after \
             the point"
                .to_owned()
        })
    }
}

impl World {
    /// The same with other costs for some areas. That is an edit of the mesh: an index is kept where it outlasts edits.
    pub(crate) fn with_areas(self, areas: &Areas) -> Result<World, Failure> {
        let Some(mesh) = self.mesh() else {
            let message = format!("--areas is for meshes, and {} is none", self.file_name);
            return Err(Failure::usage("not_for_this_map", message));
        };
        let mut edits = Vec::new();
        for (name, cost) in &areas.0 {
            let Some(number) = mesh.areas().iter().position(|area| area.name == *name) else {
                let known: Vec<&str> = mesh.areas().iter().map(|area| area.name.as_str()).collect();
                let message = format!(
                    "--areas: {} has no area `{name}`; expected {}",
                    self.file_name,
                    known.join(", ")
                );
                return Err(Failure::usage("no_such_area", message));
            };
            let polygons = (0..mesh.polygon_count()).map(StateId::new);
            for polygon in polygons.filter(|&polygon| usize::from(mesh.area(polygon)) == number) {
                edits.push(Edit::Polygon { polygon, free: cost.is_some() });
                edits.extend(cost.map(|cost| Edit::Area { polygon, cost }));
            }
        }
        let atlas = self.atlas.edited(&edits);
        let atlas = atlas.map_err(|error| Failure::usage("usage", format!("--areas: {error}")))?;
        Ok(World { atlas, ..self })
    }

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

    /// Where a place lies on a mesh; none for a number that no polygon has.
    pub(crate) fn position_on_mesh(&self, place: Place) -> Option<Position> {
        let mesh = self.mesh()?;
        match place {
            Place::Node(id) => (id < mesh.polygon_count()).then(|| mesh.centre(StateId::new(id))),
            _ => position(place),
        }
    }

    /// The nearest place of a mesh that is free.
    pub(crate) fn free_place_near(&self, place: Place) -> Option<Place> {
        let mesh = self.mesh()?;
        let near = mesh.nearest(self.position_on_mesh(place)?)?;
        Some(Place::Spot(spelled(mesh, near.at)))
    }

    /// Where a polygon of a mesh comes nearest to a place.
    pub(crate) fn place_in_polygon(&self, polygon: StateId, place: Place) -> Option<Place> {
        let mesh = self.mesh()?;
        let near = mesh.nearest_among(self.position_on_mesh(place)?, |other| other == polygon)?;
        Some(Place::Spot(spelled(mesh, near.at)))
    }

    /// The place nearest to another one in the part of a mesh that a state belongs to.
    pub(crate) fn place_joined_to(&self, state: StateId, place: Place) -> Option<Place> {
        let mesh = self.mesh()?;
        let near = mesh.nearest_in_component(self.position_on_mesh(place)?, mesh.component(state)?)?;
        Some(Place::Spot(spelled(mesh, near.at)))
    }

    /// These places, each moved to the nearest one that is joined to the start where it is not.
    pub(crate) fn joined_places(
        &self,
        start: milepost::Place,
        places: &[Place],
    ) -> Result<Vec<Place>, Failure> {
        let Some(mesh) = self.mesh() else {
            let message = format!("--snap-joined is for meshes, and {} is none; try --snap", self.file_name);
            return Err(Failure::usage("not_for_this_map", message));
        };
        let start = self.first_state(start);
        let component = mesh.component(start);
        let is_joined = |place: Place| {
            let holding = match place {
                Place::Node(id) => vec![StateId::new(id)],
                _ => position(place).map_or_else(Vec::new, |at| mesh.polygons_at(at)),
            };
            holding.iter().any(|&polygon| mesh.is_free(polygon) && mesh.component(polygon) == component)
        };
        let moved = |&place: &Place| match is_joined(place) {
            true => place,
            false => self.place_joined_to(start, place).unwrap_or(place),
        };
        Ok(places.iter().map(moved).collect())
    }
}

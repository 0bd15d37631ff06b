//! What a mesh is made of, as readers and makers hand it over, and why it may be refused.

use crate::core::Position;
use crate::core::debug_as_sentence;
use thiserror::Error;

/// What a mesh is made of. Polygons, vertices, edges, areas and links are numbered from 0, in the order in which they
/// stand here.
///
/// ```
/// use milepost::{Atlas, MeshArea, MeshLink, MeshLinkEnd, MeshParts, NavMesh, PathLink, Position, Scratch};
///
/// // Grass, a gap of three units over which one can jump, and swamp.
/// let at = |x: f64, y: f64| Position::new(x, y, 0.0);
/// let square = |x: f64| [at(x, 0.0), at(x + 2.0, 0.0), at(x + 2.0, 2.0), at(x, 2.0)];
/// let vertices = [square(0.0), square(5.0)].concat();
/// let mut parts = MeshParts::flat(vertices, vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]]);
/// parts.area_kinds = vec![MeshArea::new("grass", 100), MeshArea::new("swamp", 300)];
/// parts.areas = vec![0, 1];
/// let end = |x| MeshLinkEnd::from(at(x, 1.0));
/// parts.links = vec![MeshLink { from: end(2.0), to: end(5.0), cost: 400, both_ways: false }];
/// let mut scratch = Scratch::new();
/// Atlas::new(NavMesh::from_parts(parts)?).path((1.0, 1.0), (6.0, 1.0), &mut scratch);
/// assert_eq!(scratch.path().links(), [PathLink { at: 1, link: 0 }]);
/// assert_eq!(scratch.path().cost_f64(), 1.0 + 4.0 + 3.0);
/// # Ok::<(), milepost::MeshError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct MeshParts {
    /// What coordinates of the plane are whole numbers of, as far as the file knows: 1, or the size of a cell.
    pub unit: f64,
    /// The same for heights.
    pub height_unit: f64,
    /// Where the vertices lie; z is 0 where the mesh is flat.
    pub vertices: Vec<Position>,
    /// Whether heights mean something.
    pub has_heights: bool,
    /// Whether the file had y upwards and z to the south. Positions are x, z, y of the file then; for users' eyes alone.
    pub y_up: bool,
    /// The vertices of each polygon, all in the same sense of rotation. Edge k of a polygon leads from its vertex k to the
    /// next one.
    pub polygons: Vec<Vec<u32>>,
    /// For each edge of each polygon the polygon on its other side, if the file says so: such a polygon must share the
    /// edge, and a shared edge without one is a wall. Where nothing is stated, polygons that share an edge are neighbours.
    pub neighbours: Option<Vec<Vec<Option<u32>>>>,
    /// The area of each polygon, a number in `area_kinds`; empty if all polygons are of the first one.
    pub areas: Vec<u16>,
    /// What the areas are; empty for one of the usual cost.
    pub area_kinds: Vec<MeshArea>,
    /// Off-mesh links.
    pub links: Vec<MeshLink>,
}

impl MeshParts {
    /// These polygons on a plane whose unit is 1, without areas and links.
    pub fn flat(vertices: Vec<Position>, polygons: Vec<Vec<u32>>) -> MeshParts {
        MeshParts {
            unit: 1.0,
            height_unit: 1.0,
            has_heights: vertices.iter().any(|vertex| vertex.z != 0.0),
            vertices,
            y_up: false,
            polygons,
            neighbours: None,
            areas: Vec::new(),
            area_kinds: Vec::new(),
            links: Vec::new(),
        }
    }
}

/// A kind of ground: polygons of the same area cost the same, unless one of them is edited.
///
/// Shown by [`MeshParts`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeshArea {
    /// Its name, or its number where the file has numbers.
    pub name: String,
    /// What a unit of length costs, in hundredths.
    pub cost: u32,
    /// Whether its polygons cannot be entered.
    pub is_blocked: bool,
}

impl MeshArea {
    /// The least cost, in hundredths.
    pub const LEAST_COST: u32 = 1;
    /// The greatest cost, in hundredths.
    pub const GREATEST_COST: u32 = 100_000;
    /// What ground costs about which nothing is said.
    pub const USUAL_COST: u32 = 100;

    /// An area whose ground costs this many hundredths.
    pub fn new(name: impl Into<String>, cost: u32) -> MeshArea {
        MeshArea { name: name.into(), cost, is_blocked: false }
    }

    /// An area that cannot be entered.
    pub fn blocked(name: impl Into<String>) -> MeshArea {
        MeshArea { name: name.into(), cost: MeshArea::USUAL_COST, is_blocked: true }
    }

    /// Whether a cost in hundredths is allowed.
    pub const fn is_cost(hundredths: u32) -> bool {
        MeshArea::LEAST_COST <= hundredths && hundredths <= MeshArea::GREATEST_COST
    }
}

/// A way between two places of a mesh that does not lead over its polygons: a jump, a ladder, a teleport.
///
/// Shown by [`MeshParts`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeshLink {
    /// Where it begins.
    pub from: MeshLinkEnd,
    /// Where it ends.
    pub to: MeshLinkEnd,
    /// What it costs, in hundredths of a unit of length: at least 1.
    pub cost: u32,
    /// Whether it also leads back, at the same cost.
    pub both_ways: bool,
}

/// Where a link begins or ends.
///
/// Shown by [`MeshParts`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeshLinkEnd {
    /// The place.
    pub at: Position,
    /// The polygon that holds it; if it is not stated, the one whose floor is nearest to it, of several the first, and the lowest
    /// if z is no number.
    pub polygon: Option<u32>,
}

impl From<Position> for MeshLinkEnd {
    fn from(at: Position) -> MeshLinkEnd {
        MeshLinkEnd { at, polygon: None }
    }
}

/// Why a mesh cannot be made.
///
/// ```
/// use milepost::{MeshError, NavMesh, Position};
///
/// let at = |x: f64, y: f64| Position::new(x, y, 0.0);
/// let error = NavMesh::new(vec![at(0.0, 0.0), at(4.0, 0.0)], vec![vec![0, 1]], &[]).unwrap_err();
/// assert_eq!(error, MeshError::TooFewVertices { polygon: 0, vertices: 2 });
/// println!("{error}");
/// ```
#[derive(Clone, PartialEq, Error)]
#[allow(missing_docs)]
pub enum MeshError {
    #[error("the mesh has no polygon")]
    Empty,
    #[error("the mesh is too large: {vertices} vertices and {edges} edges, at most {most} of each are possible", most = MeshError::MOST)]
    TooLarge { vertices: u64, edges: u64 },
    #[error("a unit of {unit}; it must be a finite number above 0")]
    Unit { unit: f64 },
    #[error("vertex {vertex} lies at {x},{y},{z}; coordinates must be finite numbers")]
    NotFinite { vertex: u32, x: f64, y: f64, z: f64 },
    #[error("polygon #{polygon} has {vertices} vertices, at least 3 are needed")]
    TooFewVertices { polygon: u32, vertices: usize },
    #[error("polygon #{polygon} has a vertex {vertex}; there are vertices below {vertices}")]
    NoSuchVertex { polygon: u32, vertex: u32, vertices: u32 },
    #[error("polygon #{polygon} has vertex {vertex} twice")]
    RepeatedVertex { polygon: u32, vertex: u32 },
    #[error("polygon #{polygon} has no area")]
    ZeroArea { polygon: u32 },
    #[error("polygon #{polygon} is not convex: at vertex {vertex} it turns inwards")]
    NotConvex { polygon: u32, vertex: u32 },
    #[error(
        "polygon #{polygon} is no convex polygon on any lattice that the mesh fits on (finest: {unit}): at vertex {vertex} it \
         collapses or turns inwards"
    )]
    TooFine { polygon: u32, vertex: u32, unit: f64 },
    #[error("the mesh is {extent} wide or high; at most {most} units of {unit} are possible")]
    TooWide { extent: f64, most: f64, unit: f64 },
    #[error("polygon #{polygon} goes round in the other sense than polygon #0")]
    MixedWinding { polygon: u32 },
    #[error(
        "the edge from vertex {from} to {to} belongs to polygons #{first}, #{second} and perhaps more on the same side: at \
         most two polygons share an edge, one on each side"
    )]
    NonManifold { from: u32, to: u32, first: u32, second: u32 },
    #[error("{found} lists of neighbours for {polygons} polygons")]
    NeighbourLists { found: usize, polygons: usize },
    #[error("polygon #{polygon} has {vertices} edges and {found} neighbours")]
    NeighbourCount { polygon: u32, vertices: usize, found: usize },
    #[error(
        "polygon #{polygon} has polygon #{neighbour} as its neighbour across edge {edge}, but they do not share that edge"
    )]
    NoSharedEdge { polygon: u32, edge: u32, neighbour: u32 },
    #[error(
        "polygon #{polygon} has polygon #{neighbour} as its neighbour across edge {edge}, which has a wall there"
    )]
    OneSidedWall { polygon: u32, edge: u32, neighbour: u32 },
    #[error("{found} areas for {polygons} polygons: there must be one for each, or none")]
    Areas { found: usize, polygons: usize },
    #[error("polygon #{polygon} is of area {area}; there are areas below {areas}")]
    NoSuchArea { polygon: u32, area: u16, areas: usize },
    #[error("the area `{name}` costs {cost} hundredths; areas cost 0.01 to 1000")]
    AreaCost { name: String, cost: u32 },
    #[error("there is no area `{name}`; there are {}", known.join(", "))]
    UnknownArea { name: String, known: Vec<String> },
    #[error("two areas have the name `{name}`")]
    SameArea { name: String },
    #[error(
        "the way from polygon #{from} to polygon #{to} costs more than {most} units; smaller polygons or lower costs are possible",
        most = u32::MAX
    )]
    TooDear { from: u32, to: u32 },
    #[error("{areas} areas; at most {most} are possible", most = MeshError::MOST_AREAS)]
    TooManyAreas { areas: usize },
    #[error("link {link} costs nothing; links cost 0.01 or more")]
    FreeLink { link: u32 },
    #[error("link {link} costs {cost}; at most {most} units of {unit} are possible", most = MeshError::MOST_UNITS)]
    DearLink { link: u32, cost: f64, unit: f64 },
    #[error("link {link} begins or ends at {x},{y}, which no polygon holds")]
    LinkOutside { link: u32, x: f64, y: f64 },
    #[error("link {link} begins or ends in polygon #{polygon}, which does not hold {x},{y}")]
    LinkPolygon { link: u32, polygon: u32, x: f64, y: f64 },
    #[error("link {link} leads from polygon #{polygon} to itself")]
    LinkToItself { link: u32, polygon: u32 },
}

debug_as_sentence!(MeshError);

impl MeshError {
    /// Vertices and edges are numbered by 32 bits, and search nodes with them.
    pub const MOST: u64 = 1 << 30;
    /// Areas are numbered by 16 bits.
    pub(crate) const MOST_AREAS: usize = 1 << 16;
    /// What a link may cost, in units of length: half of what an edge has room for that counts whole units.
    pub(crate) const MOST_UNITS: f64 = 2_147_483_648.0;
}

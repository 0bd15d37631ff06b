//! The map itself as a section, so that one file is enough.
//! docs/index-format.md describes the arrays.

use super::bytes::Bytes;
use super::section::Arrays;
use crate::core::{Point, StateId};
use crate::index::{Corruption, SectionWriter};
use crate::space::{Edge, Extent, Graph, GraphParts, Grid, Leaf, Link, NodePosition, Rule, Space, SpaceKind};

/// The bytes of a space.
pub(super) fn write(space: &Space) -> Bytes {
    match space {
        Space::Grid(grid) => write_grid(grid),
        Space::Graph(graph) => write_graph(graph),
        Space::Mesh(mesh) => super::mesh_section::write(mesh),
    }
}

fn write_grid(grid: &Grid) -> Bytes {
    let (width, cells) = (grid.width() as usize, grid.width() as usize * grid.height() as usize);
    let mut words = vec![0_u64; cells.div_ceil(64)];
    let number = |state: StateId| {
        let at = grid.point(state);
        at.y as usize * width + at.x as usize
    };
    for cell in grid.free_states().map(number) {
        words[cell / 64] |= 1 << (cell % 64);
    }
    let weights: Vec<u8> = if grid.is_weighted() {
        grid.all_cells().map(|state| grid.weight(state)).collect()
    } else {
        Vec::new()
    };
    let links: Vec<[u32; 3]> = grid
        .links()
        .iter()
        .map(|link| [number(link.from) as u32, number(link.to) as u32, link.cost])
        .collect();
    SectionWriter::default()
        .push(&[grid.width(), grid.height()])
        .push(&words)
        .push(&weights)
        .push(&links)
        .finish()
}

fn write_graph(graph: &Graph) -> Bytes {
    let bound = graph.id_bound() as u32;
    let is_node: Vec<u8> = (0..bound).map(|id| u8::from(graph.is_free(StateId::new(id)))).collect();
    let edges: Vec<[u32; 3]> =
        graph.edges().map(|edge| [edge.from.number(), edge.to.number(), edge.cost]).collect();
    let positions: Vec<[i32; 3]> = graph.positions().iter().map(|at| [at.x, at.y, at.z]).collect();
    let mut writer = SectionWriter::default();
    writer.push(&[bound]).push(&is_node).push(&edges).push(&positions);
    if graph.units_of_one() != 1 || graph.extent().is_some() {
        let extent = graph.extent().map(|extent| [extent.width, extent.height, extent.depth]);
        let [width, height, depth] = extent.unwrap_or_default();
        let leaves: Vec<[u32; 4]> =
            graph.leaves().iter().map(|leaf| [leaf.x, leaf.y, leaf.z, leaf.size]).collect();
        writer.push(&[graph.units_of_one(), width, height, depth]).push(&leaves);
    }
    writer.finish()
}

/// The grid of a section.
pub(super) fn read_grid(section: &Arrays, rule: Rule) -> Result<Grid, Corruption> {
    let size = section.exactly::<u32>(0, 2)?;
    let (width, height) = (size[0], size[1]);
    let corruption = |expected: &str, found: String| Corruption::at(0, expected, found);
    let cells = width as usize * height as usize;
    // Before anything is made of this size: the bits must be there.
    let words = section.exactly::<u64>(1, cells.div_ceil(64))?;
    let window = |bit: usize| {
        let word = |index: usize| u128::from(words.get(index).copied().unwrap_or(0));
        ((word(bit / 64 + 1) << 64 | word(bit / 64)) >> (bit % 64)) as u64
    };
    if !cells.is_multiple_of(64) && words.last().is_some_and(|&last| last >> (cells % 64) != 0) {
        return Err(corruption("zeros after the last cell", "others".to_owned()));
    }
    let mut grid = Grid::from_rows(width, height, rule, |y, row| {
        for x in (0..width).step_by(64) {
            row.free_word(x, window(y as usize * width as usize + x as usize));
        }
    })
    .map_err(|error| corruption("a map that can be", error.to_string()))?;
    let weights = section.array::<u8>(2);
    if !weights.is_empty() {
        let weights = section.exactly::<u8>(2, cells)?;
        grid = grid
            .with_weights(|x, y| weights[y as usize * width as usize + x as usize])
            .map_err(|error| corruption("weights from 1 to 255", error.to_string()))?;
    }
    let links = section.array::<[u32; 3]>(3);
    if !links.is_empty() {
        let state = |cell: u32| grid.state_at(Point::new((cell % width).into(), (cell / width).into()));
        let link = |&[from, to, cost]: &[u32; 3]| Some(Link { from: state(from)?, to: state(to)?, cost });
        let links: Option<Vec<Link>> = links.iter().map(link).collect();
        let linked = links.and_then(|links| grid.with_links(&links));
        grid = linked.ok_or_else(|| corruption("links between cells of the map", "others".to_owned()))?;
    }
    Ok(grid)
}

/// The graph of a section.
pub(super) fn read_graph(section: &Arrays) -> Result<Graph, Corruption> {
    let bound = section.exactly::<u32>(0, 1)?[0] as usize;
    let is_node = section.exactly::<u8>(1, bound)?;
    if let Some(other) = is_node.iter().find(|&&byte| byte > 1) {
        return Err(Corruption::at(0, "0 or 1 for each node", other.to_string()));
    }
    let edges: Vec<Edge> = section
        .array::<[u32; 3]>(2)
        .iter()
        .map(|&[from, to, cost]| Edge { from: StateId::new(from), to: StateId::new(to), cost })
        .collect();
    let positions: Vec<NodePosition> =
        section.array::<[i32; 3]>(3).iter().map(|&[x, y, z]| NodePosition { x, y, z }).collect();
    let (mut scale, mut leaves) = (1, None);
    if section.count() > 4 {
        let numbers = section.exactly::<u32>(4, 4)?;
        let extent = Extent { width: numbers[1], height: numbers[2], depth: numbers[3] };
        scale = numbers[0];
        if extent != (Extent { width: 0, height: 0, depth: 0 }) {
            let leaf = |&[x, y, z, size]: &[u32; 4]| Leaf { x, y, z, size };
            leaves = Some((extent, section.exactly::<[u32; 4]>(5, bound)?.iter().map(leaf).collect()));
        }
    }
    let is_node = is_node.iter().map(|&byte| byte == 1).collect();
    Graph::from_all(GraphParts { is_node, edges, positions, scale, leaves })
        .map_err(|error| Corruption::at(0, "a graph that can be", error.to_string()))
}

//! A mesh as a section. docs/index-format.md describes the arrays. Lattice, centres and graphs follow from them.

use super::bytes::Bytes;
use super::section::Arrays;
use crate::core::{Position, StateId};
use crate::index::{Corruption, SectionWriter};
use crate::space::{MeshArea, MeshLink, MeshLinkEnd, MeshParts, NavMesh, SpaceKind};

/// Beyond an edge that is a wall.
const WALL: u32 = u32::MAX;

/// The bytes of a mesh.
pub(super) fn write(mesh: &NavMesh) -> Bytes {
    let parts = mesh.unedited_parts();
    let vertices: Vec<[f64; 3]> = parts.vertices.iter().map(|at| [at.x, at.y, at.z]).collect();
    let mut starts = vec![0_u32];
    starts.extend(parts.polygons.iter().scan(0, |sum, list| {
        *sum += list.len() as u32;
        Some(*sum)
    }));
    let corners: Vec<u32> = parts.polygons.concat();
    let stated = parts.neighbours.iter().flatten().flatten();
    let beyond: Vec<u32> = stated.map(|neighbour| neighbour.unwrap_or(WALL)).collect();
    let polygons = (0..mesh.polygon_count()).map(StateId::new);
    let ground: Vec<[u32; 2]> =
        polygons.map(|polygon| [mesh.polygon_cost(polygon), u32::from(!mesh.is_free(polygon))]).collect();
    let kind = |kind: &MeshArea| [kind.cost, u32::from(kind.is_blocked), kind.name.len() as u32];
    let kinds: Vec<[u32; 3]> = parts.area_kinds.iter().map(kind).collect();
    let names: String = parts.area_kinds.iter().map(|kind| kind.name.as_str()).collect();
    let place = |link: &MeshLink| {
        let (from, to) = (link.from.at, link.to.at);
        [from.x, from.y, from.z, to.x, to.y, to.z]
    };
    let places: Vec<[f64; 6]> = parts.links.iter().map(place).collect();
    let links: Vec<[u32; 4]> = parts
        .links
        .iter()
        .map(|link| {
            let polygon = |end: MeshLinkEnd| end.polygon.unwrap_or(WALL);
            [polygon(link.from), polygon(link.to), link.cost, u32::from(link.both_ways)]
        })
        .collect();
    SectionWriter::default()
        .push(&[parts.unit, parts.height_unit])
        .push(&[u32::from(parts.has_heights), u32::from(parts.y_up)])
        .push(&vertices)
        .push(&starts)
        .push(&corners)
        .push(&beyond)
        .push(&parts.areas)
        .push(&ground)
        .push(&kinds)
        .push(names.as_bytes())
        .push(&places)
        .push(&links)
        .finish()
}

/// The mesh of a section.
pub(super) fn read(section: &Arrays) -> Result<NavMesh, Corruption> {
    let wrong = |expected: &str, found: String| Corruption::at(0, expected, found);
    let units = section.exactly::<f64>(0, 2)?;
    let flags = section.exactly::<u32>(1, 2)?;
    if let Some(other) = flags.iter().find(|&&flag| flag > 1) {
        return Err(wrong("0 or 1 for each flag", other.to_string()));
    }
    let starts = section.array::<u32>(3);
    let edges = starts.last().map_or(0, |&last| last as usize);
    if starts.first() != Some(&0) || starts.windows(2).any(|pair| pair[0] > pair[1]) {
        return Err(wrong("where each polygon begins, from 0 on", "others".to_owned()));
    }
    let (corners, beyond) = (section.exactly::<u32>(4, edges)?, section.exactly::<u32>(5, edges)?);
    let polygons = starts.len() - 1;
    let ranges = || starts.windows(2).map(|pair| pair[0] as usize..pair[1] as usize);
    let (areas, ground) = (section.exactly::<u16>(6, polygons)?, section.exactly::<[u32; 2]>(7, polygons)?);
    let (kinds, mut names) = (section.array::<[u32; 3]>(8), section.array::<u8>(9));
    let mut area_kinds = Vec::with_capacity(kinds.len());
    for &[cost, is_blocked, length] in kinds {
        let name = names.split_at_checked(length as usize);
        let Some((name, rest)) = name.filter(|_| is_blocked <= 1) else {
            return Err(wrong("the names of all areas, and 0 or 1", "others".to_owned()));
        };
        let name = std::str::from_utf8(name).map_err(|error| wrong("names in UTF-8", error.to_string()))?;
        area_kinds.push(MeshArea { name: name.to_owned(), cost, is_blocked: is_blocked == 1 });
        names = rest;
    }
    let links = section.array::<[u32; 4]>(11);
    let places = section.exactly::<[f64; 6]>(10, links.len())?;
    let end = |polygon: u32, at: &[f64]| MeshLinkEnd {
        at: Position::new(at[0], at[1], at[2]),
        polygon: Some(polygon),
    };
    let link = |(&[from, to, cost, both_ways], at): (&[u32; 4], &[f64; 6])| MeshLink {
        from: end(from, &at[..3]),
        to: end(to, &at[3..]),
        cost,
        both_ways: both_ways == 1,
    };
    if !names.is_empty() || links.iter().any(|link| link[3] > 1) || ground.iter().any(|ground| ground[1] > 1)
    {
        return Err(wrong("names of areas alone, and 0 or 1", "others".to_owned()));
    }
    let neighbour = |&polygon: &u32| (polygon != WALL).then_some(polygon);
    let vertices = section.array::<[f64; 3]>(2);
    let parts = MeshParts {
        unit: units[0],
        height_unit: units[1],
        vertices: vertices.iter().map(|&[x, y, z]| Position::new(x, y, z)).collect(),
        has_heights: flags[0] == 1,
        y_up: flags[1] == 1,
        polygons: ranges().map(|range| corners[range].to_vec()).collect(),
        neighbours: Some(ranges().map(|range| beyond[range].iter().map(neighbour).collect()).collect()),
        areas: areas.to_vec(),
        area_kinds,
        links: links.iter().zip(places).map(link).collect(),
    };
    let mesh = NavMesh::from_parts(parts).map_err(|error| wrong("a mesh that can be", error.to_string()))?;
    let ground: Vec<(u32, bool)> = ground.iter().map(|&[cost, is_blocked]| (cost, is_blocked == 1)).collect();
    mesh.with_stored_ground(&ground).ok_or_else(|| wrong("costs of 1 to 100000", "others".to_owned()))
}

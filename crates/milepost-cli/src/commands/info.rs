//! `milepost info`: what a map, a graph or an index file is like.

use crate::args::{Globals, MapArgs};
use crate::failure::Failure;
use crate::figures::FigureDocument;
use crate::numbers::{bytes, count, three_digits};
use crate::on_mesh::{AreaFacts, MeshFacts};
use crate::output::Answer;
use crate::table::Side::{Left, Right};
use crate::table::Table;
use crate::world::{MapFacts, World};
use crate::{agents, figures, names};
use clap::Args;
use milepost::Atlas;
use milepost::index::{IndexKind, IndexSpec, Section};
use milepost::space::SpaceKind;
use milepost::{Graph, Grid, Rule};
use milepost_maps::tiled::Shape;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Args, Debug)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    map: MapFacts,
    #[serde(flatten)]
    mesh: Option<MeshFacts>,
    /// None for a graph or a mesh.
    moves: Option<&'static str>,
    /// The least and the largest weight of a free cell; none where all weigh 1.
    weights: Option<[u8; 2]>,
    /// Whether the nodes of a graph have coordinates.
    coordinates: Option<bool>,
    /// How the cells of a map of Tiled lie: `orthogonal`, `isometric`, `staggered` or `hexagonal`.
    shape: Option<&'static str>,
    /// What Tiled calls the first column and row of such a map.
    origin: Option<[i32; 2]>,
    /// States of the largest component.
    largest_component: u32,
    memory_bytes: usize,
    /// Of index files only, as what follows.
    format_version: Option<u32>,
    file_bytes: Option<u64>,
    sections: Option<Vec<SectionDocument>>,
    /// What planners took on random problems when the file was built.
    figures: Option<Vec<FigureDocument>>,
    /// The planner that is taken where none is named.
    fastest: Option<&'static str>,
    /// What works on the file as it is, with default parameters.
    planners: Option<Vec<&'static str>>,
    agents: Option<Vec<&'static str>>,
}

/// An index in a file.
#[derive(Serialize)]
struct SectionDocument {
    name: &'static str,
    /// None where it takes none.
    parameter: Option<u32>,
    bytes: usize,
    bytes_per_state: f64,
    /// Numbers that are worth knowing of it, by name.
    facts: BTreeMap<&'static str, f64>,
}

pub(crate) fn run(globals: &Globals, args: &InfoArgs) -> Result<Answer, Failure> {
    let world = World::open(globals, &args.map)?;
    let document = Document {
        map: world.facts(),
        mesh: world.mesh().map(MeshFacts::new),
        moves: world.rule().map(Rule::name),
        weights: world.grid().and_then(weights),
        coordinates: world.graph().map(Graph::has_positions),
        shape: world.shape.map(Shape::orientation),
        origin: world.origin.map(|(x, y)| [x, y]),
        largest_component: world.space().component_sizes().into_iter().max().unwrap_or(0),
        memory_bytes: world.space().bytes(),
        format_version: world.is_file.then_some(Atlas::FORMAT_VERSION),
        file_bytes: world.is_file.then(|| size_of_file(&args.map.map)).flatten(),
        sections: world.is_file.then(|| sections(&world)),
        figures: world.is_file.then(|| figures::of(&world.atlas)),
        fastest: world.is_file.then(|| world.atlas.fastest().name),
        planners: world.is_file.then(|| names::able(&world).map(|entry| entry.name).collect()),
        agents: world.is_file.then(|| agents::able(&world, None).collect()),
    };
    Ok(Answer::new(globals.json, &document, || render_text(&document)))
}

fn sections(world: &World) -> Vec<SectionDocument> {
    let states = f64::from(world.space().states().max(1));
    let section = |section: &Section| SectionDocument {
        name: section.index().kind.name(),
        parameter: Some(section.index().parameter).filter(|&parameter| parameter != 0),
        bytes: section.bytes().len(),
        bytes_per_state: section.bytes().len() as f64 / states,
        facts: world.atlas.facts(section.index()).into_iter().collect(),
    };
    world.atlas.sections().iter().map(section).collect()
}

/// None for what is no ordinary file.
fn size_of_file(path: &Path) -> Option<u64> {
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|file| file.len())
}

fn weights(grid: &Grid) -> Option<[u8; 2]> {
    let all = || grid.free_states().map(|state| grid.weight(state));
    all().min().zip(all().max()).filter(|_| grid.is_weighted()).map(|(least, largest)| [least, largest])
}

fn render_text(document: &Document) -> String {
    let map = &document.map;
    let mut lines = vec![("name", map.name.clone())];
    if let (Some(width), Some(height)) = (map.width, map.height) {
        lines.push(("size", format!("{} x {}", count(width.into()), count(height.into()))));
    }
    if let Some(shape) = document.shape {
        let [x, y] = document.origin.unwrap_or_default();
        let begins = if (x, y) == (0, 0) { String::new() } else { format!(", 0,0 is {x},{y} in Tiled") };
        lines.push(("shape", format!("{shape}{begins}")));
    }
    lines.push(("states", count(map.states.into())));
    if let Some(edges) = map.edges {
        lines.push(("edges", count(edges as u64)));
    }
    let components = format!(
        "{} (largest: {} states)",
        count(map.components.into()),
        count(document.largest_component.into())
    );
    lines.push(("components", components));
    if let Some(mesh) = &document.mesh {
        lines.extend(mesh_lines(mesh));
    }
    if let Some(moves) = document.moves {
        lines.push(("moves", moves.to_owned()));
    }
    if let Some([least, largest]) = document.weights {
        lines.push(("weights", format!("{least} to {largest}")));
    }
    if let Some(has_coordinates) = document.coordinates {
        lines.push(("coordinates", if has_coordinates { "yes" } else { "none" }.to_owned()));
    }
    lines.push(("scale", map.scale.describe()));
    lines.push(("hash", map.hash.clone()));
    lines.push(("memory", bytes(document.memory_bytes)));
    if let (Some(version), Some(size)) = (document.format_version, document.file_bytes) {
        lines.push(("file", format!("{}, version {version} of the format", bytes(size as usize))));
    }
    let mut text: String = lines.iter().map(|(what, value)| format!("{what:<12}{value}\n")).collect();
    match document.sections.as_deref() {
        None => {}
        Some([]) => text.push_str("\nno indexes\n"),
        Some(sections) => text.extend(["\n", &section_table(sections), &facts(sections)]),
    }
    if let Some(figures) = document.figures.as_deref().filter(|figures| !figures.is_empty()) {
        text.extend([
            "\nwhat planners took on random problems when the file was built, in units of work:\n\n",
            &figures::table(figures),
        ]);
    }
    if let (Some(planners), Some(agents)) = (&document.planners, &document.agents) {
        let or_none = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        text.push_str(&format!("\n{:<12}{}\n", "planners", or_none(planners)));
        text.push_str(&format!("{:<12}{}\n", "agents", or_none(agents)));
        text.push_str(&format!("{:<12}{}\n", "fastest", document.fastest.unwrap_or("none")));
    }
    text
}

/// What is worth knowing of a mesh.
fn mesh_lines(mesh: &MeshFacts) -> Vec<(&'static str, String)> {
    let area = |area: &AreaFacts| {
        let cost = area.cost.map_or("blocked".to_owned(), |cost| cost.to_string());
        format!("{} = {cost} ({})", area.name, count(area.polygons as u64))
    };
    let [left, top, right, bottom] = mesh.bounds;
    let mut lines = vec![
        ("polygons", count(mesh.polygons.into())),
        ("portals", count(mesh.portals.into())),
        ("links", count(mesh.links as u64)),
        ("areas", mesh.areas.iter().map(area).collect::<Vec<String>>().join(", ")),
        ("bounds", format!("{left},{top} to {right},{bottom}")),
        ("unit", format!("{}, in steps of {}", mesh.unit, mesh.lattice)),
        ("heights", if mesh.heights { "yes" } else { "none" }.to_owned()),
    ];
    if mesh.y_up {
        lines.push(("axes", "y is up in the file: X,Y are its x,z, and Z is its y".to_owned()));
    }
    lines
}

/// What is worth knowing of each index, a line each.
fn facts(sections: &[SectionDocument]) -> String {
    let lines = sections.iter().filter(|section| !section.facts.is_empty()).map(|section| {
        // Most are counts; means have a fraction.
        let shown = |value: f64| if value.fract() == 0.0 { count(value as u64) } else { three_digits(value) };
        let facts = section.facts.iter().map(|(name, value)| format!("{name} {}", shown(*value)));
        format!("{}: {}\n", section.name, facts.collect::<Vec<String>>().join(", "))
    });
    let text: String = lines.collect();
    if text.is_empty() { text } else { format!("\n{text}") }
}

fn section_table(sections: &[SectionDocument]) -> String {
    let mut table = Table::new(&[("index", Left), ("size", Right), ("a state", Right)]);
    for section in sections {
        let spec = |kind| IndexSpec::new(kind, section.parameter.unwrap_or(0)).in_full();
        table.row(vec![
            IndexKind::from_name(section.name).map_or(section.name.to_owned(), spec),
            bytes(section.bytes),
            format!("{:.1} B", section.bytes_per_state),
        ]);
    }
    table.render()
}

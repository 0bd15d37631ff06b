//! `open`: a map that is shipped, generated, given with the command, or in the bytes of a file.

use crate::explorer::LIMITS;
use crate::fault::Fault;
use crate::maps::{Map, letter_of_weight, weight_of_letter};
use crate::message::{Fields, Message, missing, wrong};
use crate::shipped::SHIPPED;
use milepost::{Atlas, Graph, Grid, NavMesh, Point, Rule, StateId};
use milepost_maps::{
    Format, Kind, RoadFiles, TileMap, dimacs, generate, mesh, movingai, picture, scenario, tiled, trees,
    voxels,
};
use std::fmt::Display;
use std::path::Path;

/// The endings of files that can be opened.
pub(crate) const ENDINGS: [&str; 12] = [
    ".map",
    ".scen",
    ".png",
    ".tmx",
    ".gr",
    ".quad",
    ".oct",
    ".3dmap",
    ".mesh",
    ".json",
    ".obj",
    ".milepost",
];

/// The map that a message asks for, under the rule that it names.
pub(crate) fn open(message: &Message<'_>, given: Option<(&str, &[u8])>) -> Result<Map, Fault> {
    let fields = message.fields();
    let rule = rule(&fields)?;
    if let Some(key) = fields.text("shipped")? {
        let known = SHIPPED.iter().find(|shipped| shipped.key == key);
        let keys = || SHIPPED.iter().map(|shipped| shipped.key).collect::<Vec<_>>().join(", ");
        let unknown =
            || Fault::new(format!("there is no shipped map `{key}`"), format!("there are {}", keys()));
        return known.ok_or_else(unknown)?.make(rule.unwrap_or_default());
    }
    if let Some(asked) = fields.object("generate")? {
        return generated(&asked, rule.unwrap_or_default());
    }
    if fields.flag("given") {
        let none =
            || Fault::new("the explorer was started without a map", "choose a map, or drop a file here");
        let (name, bytes) = given.ok_or_else(none)?;
        return of_file(name, bytes, None, rule);
    }
    let bytes = message.block("bytes").ok_or_else(|| missing("bytes", "a block with the bytes of a file"))?;
    let name = fields.needed_text("name")?;
    of_file(&name, bytes, message.block("beside"), rule)
}

/// The rule that a message names.
fn rule(fields: &Fields<'_>) -> Result<Option<Rule>, Fault> {
    let Some(name) = fields.text("moves")? else { return Ok(None) };
    let names = || Rule::ALL.map(Rule::name).join(", ");
    let unknown = || Fault::new(format!("there is no rule `{name}`"), format!("there are {}", names()));
    Rule::from_name(&name).map(Some).ok_or_else(unknown)
}

fn generated(asked: &Fields<'_>, rule: Rule) -> Result<Map, Fault> {
    let name = asked.needed_text("kind")?;
    let kind = Kind::from_name(&name).map_err(|error| Fault::new(error, "choose a kind of map"))?;
    let side = |field: &str| -> Result<u32, Fault> {
        let side = asked.needed_number(field)?;
        match u32::try_from(side) {
            Ok(side) if side <= LIMITS.side => Ok(side),
            _ => Err(Fault::new(
                format!("`{field}`: expected at most {}, found {side}", LIMITS.side),
                "ask for a smaller map",
            )),
        }
    };
    let (width, height) = (side("width")?, side("height")?);
    let seed = asked.number("seed")?.unwrap_or(1);
    let tiles = generate(kind, width, height, seed)
        .map_err(|error| Fault::new(error, "change the width or the height"))?;
    of_tiles(&format!("{name} {width} x {height}, seed {seed}"), tiles, rule)
}

/// A map of letters as MovingAI writes them.
fn of_tiles(name: &str, tiles: TileMap, rule: Rule) -> Result<Map, Fault> {
    check_size(tiles.width(), tiles.height())?;
    let grid = tiles.grid(rule).map_err(|error| Fault::new(error, "choose another map"))?;
    Ok(Map::new(name, Atlas::new(grid), Some(tiles.into_tiles())))
}

/// A map of letters that may be weights.
pub(crate) fn of_letters(
    name: &str,
    (width, height): (u32, u32),
    letters: Vec<u8>,
    rule: Rule,
) -> Result<Map, Fault> {
    check_size(width, height)?;
    let letter = |x: u32, y: u32| letters.get((y * width + x) as usize).copied().unwrap_or(b'@');
    let fault = |error: &dyn Display| Fault::new(error, "choose another map");
    let grid = Grid::new(width, height, rule, |x, y| weight_of_letter(letter(x, y)).is_some());
    let grid = grid.map_err(|error| fault(&error))?;
    let grid = grid.with_weights(|x, y| weight_of_letter(letter(x, y)).unwrap_or(1));
    Ok(Map::new(name, Atlas::new(grid.map_err(|error| fault(&error))?), Some(letters)))
}

/// Tiles with weights row by row, or without.
fn of_weighted(name: &str, tiles: TileMap, weights: Option<Vec<u8>>, rule: Rule) -> Result<Map, Fault> {
    let Some(weights) = weights else { return of_tiles(name, tiles, rule) };
    check_size(tiles.width(), tiles.height())?;
    let fault = |error: &dyn Display| Fault::new(error, "choose another map");
    let grid = tiles.grid(rule).map_err(|error| fault(&error))?;
    let width = tiles.width();
    let weight = |x: u32, y: u32| weights.get((y * width + x) as usize).copied().unwrap_or(1);
    let grid = grid.with_weights(weight).map_err(|error| fault(&error))?;
    let with_weight = |(letter, weight): (&u8, &u8)| match weight_of_letter(*letter) {
        Some(_) if *weight > 1 => letter_of_weight(*weight),
        _ => *letter,
    };
    let letters = tiles.tiles().iter().zip(&weights).map(with_weight).collect();
    Ok(Map::new(name, Atlas::new(grid), Some(letters)))
}

fn check_size(width: u32, height: u32) -> Result<(), Fault> {
    if width.max(height) <= LIMITS.side {
        return Ok(());
    }
    let say = format!("a map of {width} x {height}: expected at most {0} x {0}", LIMITS.side);
    Err(Fault::new(say, "choose a smaller map; the command takes larger ones"))
}

/// The map in the bytes of a file, whose ending says how to read it. Some formats need a second file.
fn of_file(name: &str, bytes: &[u8], beside: Option<&[u8]>, rule: Option<Rule>) -> Result<Map, Fault> {
    let in_file =
        |error: &dyn Display| Fault::new(format!("{name}: {error}"), "correct the file, or drop another");
    if bytes.len() > LIMITS.bytes {
        return Err(Fault::new(
            format!("{name}: expected at most {} bytes, found {}", LIMITS.bytes, bytes.len()),
            "drop a smaller file",
        ));
    }
    let Some(format) = Format::named(Path::new(name)) else {
        let say = format!("{name}: this is no file that the explorer reads");
        return Err(Fault::new(say, format!("files may end in {}", ENDINGS.join(", "))));
    };
    let plain = rule.unwrap_or_default();
    match format {
        Format::MovingAi => of_tiles(name, movingai::read(bytes).map_err(|error| in_file(&error))?, plain),
        Format::Picture => {
            let (width, height) = picture::size(bytes).map_err(|error| in_file(&error))?;
            check_size(width, height)?;
            let picture =
                picture::read(bytes, picture::Options::default()).map_err(|error| in_file(&error))?;
            of_weighted(name, picture.map, picture.weights, plain)
        }
        Format::Tiled => {
            let level = tiled::read(bytes, &tiled::Options::default(), |path| {
                Err(std::io::Error::other(format!("the tileset {path} is another file; embed it in the map")))
            });
            let level = level.map_err(|error| in_file(&error))?;
            let own =
                if let tiled::Shape::Hexagon(layout) = level.shape { Some(layout.rule()) } else { None };
            of_weighted(name, level.map, level.weights, own.or(rule).unwrap_or_default())
        }
        Format::Roads => {
            let roads = dimacs::read_graph(bytes).map_err(|error| in_file(&error))?;
            let coordinates = match beside {
                Some(beside) => {
                    dimacs::read_coordinates(beside, Some(roads.nodes)).map_err(|error| in_file(&error))?
                }
                None => Vec::new(),
            };
            let graph = RoadFiles { roads, coordinates }.graph().map_err(|error| in_file(&error))?;
            of_graph(name, graph)
        }
        Format::Tree => of_graph(name, trees::read(bytes).map_err(|error| in_file(&error))?),
        Format::Voxels => {
            let voxels = voxels::read(bytes).map_err(|error| in_file(&error))?;
            of_graph(name, voxels.octree().map_err(|error| in_file(&error))?)
        }
        Format::Mesh | Format::MeshJson | Format::MeshObj => {
            let file = match format {
                Format::MeshJson => mesh::read_json(bytes, beside),
                Format::MeshObj => mesh::obj::read(bytes),
                _ => mesh::polyanya::read(bytes),
            };
            let made = file.and_then(|file| file.mesh()).map_err(|error| in_file(&error))?;
            of_mesh(name, made)
        }
        Format::Index => {
            let atlas = Atlas::from_bytes(bytes).map_err(|error| in_file(&error))?;
            if let Some(grid) = atlas.space().as_grid() {
                check_size(grid.width(), grid.height())?;
            }
            Ok(Map::new(name, atlas, None))
        }
    }
}

fn of_graph(name: &str, graph: Graph) -> Result<Map, Fault> {
    Ok(Map::new(name, Atlas::new(graph), None))
}

fn of_mesh(name: &str, mesh: NavMesh) -> Result<Map, Fault> {
    Ok(Map::new(name, Atlas::new(mesh), None))
}

/// Whether a file holds problems for a map that is open.
pub(crate) fn is_scenario(fields: &Fields<'_>) -> Result<bool, Fault> {
    Ok(fields.text("name")?.is_some_and(|name| name.to_ascii_lowercase().ends_with(".scen")))
}

/// Gives a map the problems of a scenario file.
pub(crate) fn add_problems(map: &mut Map, message: &Message<'_>) -> Result<(), Fault> {
    let name = message.fields().needed_text("name")?;
    let bytes = message.block("bytes").ok_or_else(|| missing("bytes", "a block with the bytes of a file"))?;
    let in_file =
        |error: &dyn Display| Fault::new(format!("{name}: {error}"), "correct the file, or drop another");
    let Some(grid) = map.space().as_grid().cloned() else {
        return Err(Fault::new(
            format!("{name}: these problems are for maps of cells"),
            "open such a map first",
        ));
    };
    let mut problems = Vec::new();
    for problem in scenario::read(bytes).map_err(|error| in_file(&error))? {
        let state = |(x, y): (u32, u32)| grid.state_at(Point::new(x.into(), y.into()));
        let (Some(start), Some(goal)) = (state(problem.start), state(problem.goal)) else {
            let say = format!(
                "line {}: a problem outside the map of {} x {}",
                problem.line,
                grid.width(),
                grid.height()
            );
            return Err(in_file(&say));
        };
        problems.push((start, goal, problem.length.value()));
    }
    map.problems = problems;
    Ok(())
}

/// The state that a number in a message names, if it is one of the map's ids.
pub(crate) fn state(map: &Map, name: &str, value: &serde_json::Value) -> Result<StateId, Fault> {
    let id = value.as_u64().and_then(|id| u32::try_from(id).ok());
    let known = id.filter(|id| (*id as usize) < map.space().id_bound());
    known.map(StateId::new).ok_or_else(|| wrong(name, "the number of a cell, node or polygon", value))
}

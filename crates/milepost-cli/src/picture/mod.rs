//! Pictures: the map, and on it a query (what was expanded in the order of its cost, the path) or a journey (the trail,
//! what an agent by sight has seen, subgoals, and where the agent was more than once), start and goals; below it a legend.
//!
//! | file | what it does |
//! |---|---|
//! | `scene` | what is drawn on a map, and what the legend says of it |
//! | `cells`, `roads`, `meshes` | where the states of a grid, a graph or a mesh are, and how they look |
//! | `floors` | which polygons of a mesh lie over each other |
//! | `sight` | what an agent by sight has seen and believes |
//! | `palette` | the colours of all pictures and plots, by what they mean |
//! | `legend` | what the colours of a picture mean |
//! | `colours` | colours by number, for files with a table of them |
//! | `board` | several scenes of one map side by side |
//! | `surface` | what can be drawn; `canvas`, pixels; `svg`, shapes; `animation`, many canvases |

mod animation;
mod board;
mod canvas;
mod cells;
mod colours;
mod floors;
mod legend;
mod meshes;
pub(crate) mod palette;
mod roads;
mod scene;
mod sight;
mod surface;
mod svg;

pub(crate) use animation::{Animation, MOST_FRAMES};
pub(crate) use board::{Panel, save_board};
pub(crate) use scene::Scene;
pub(crate) use sight::Seen;

use crate::args::PictureArgs;
use crate::failure::Failure;
use crate::save;
use crate::world::World;
use canvas::Canvas;
use legend::Legend;
use palette::OUTSIDE;
use std::path::Path;
use surface::Surface;
use svg::Svg;

/// How large pictures are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// Maps are drawn as large as fits into this, but a cell takes at least a pixel ...
    comfortable: u32,
    /// ... unless the map is larger than this: then a pixel takes several cells.
    largest: u32,
    /// Pixels of a letter of the legend.
    letter: u32,
}

impl Format {
    /// Of pictures that stand still.
    pub(crate) const STILL: Format = Format { comfortable: 1536, largest: 4096, letter: 16 };
    /// Of each of several pictures side by side.
    pub(crate) const PANEL: Format = Format { comfortable: 640, largest: 640, letter: 16 };
    /// Of pictures that move.
    pub(crate) const MOVING: Format = Format { comfortable: 480, largest: 640, letter: 8 };
}

/// Refuses a world that cannot be drawn, and names that end in what is not drawn.
pub(crate) fn check(world: &World, args: &PictureArgs, gif: Option<&Path>) -> Result<(), Failure> {
    let asked =
        [("--png", "png", args.png.as_deref()), ("--svg", "svg", args.svg.as_deref()), ("--gif", "gif", gif)];
    for (option, ending, path) in asked {
        let Some(path) = path else { continue };
        check_ending(option, ending, path)?;
        if world.graph().is_some_and(|graph| !graph.has_positions()) {
            let message = format!(
                "{} cannot be drawn: its nodes have no coordinates; expected a file {}.co beside it",
                world.name, world.name
            );
            return Err(Failure::usage("not_for_this_map", message));
        }
    }
    Ok(())
}

/// Refuses a name with another ending; one without any will do.
pub(crate) fn check_ending(option: &str, ending: &str, path: &Path) -> Result<(), Failure> {
    match path.extension() {
        Some(other) if !other.eq_ignore_ascii_case(ending) => {
            let message = format!(
                "{option} {}: expected a name that ends in .{ending}; pictures are written as .png and .svg, journeys \
                 also as .gif",
                path.display()
            );
            Err(Failure::usage("wrong_ending", message))
        }
        _ => Ok(()),
    }
}

/// Draws a scene into the files that were asked for.
pub(crate) fn save(args: &PictureArgs, world: &World, scene: &Scene<'_>) -> Result<(), Failure> {
    if let Some(path) = &args.png {
        save_png(path, world, scene)?;
    }
    if let Some(path) = &args.svg {
        let Some(sheet) = Sheet::new(world, scene, Format::STILL) else { return Ok(()) };
        let mut svg = Svg::new(sheet.size());
        sheet.draw(world, scene, &mut svg);
        save::bytes(path, svg.finish().as_bytes())?;
    }
    Ok(())
}

/// Draws a scene and saves it as a PNG file.
pub(crate) fn save_png(path: &Path, world: &World, scene: &Scene<'_>) -> Result<(), Failure> {
    let Some(sheet) = Sheet::new(world, scene, Format::STILL) else { return Ok(()) };
    let (width, height) = sheet.size();
    let mut canvas = Canvas::new(width, height, OUTSIDE);
    sheet.draw(world, scene, &mut canvas);
    save::bytes(path, &canvas.png(path)?)
}

/// Where the map and its legend are on a picture.
struct Sheet {
    map: Layout,
    legend: Legend,
}

enum Layout {
    Cells(cells::Layout),
    Roads(roads::Layout),
    Mesh(meshes::Layout),
}

impl Sheet {
    fn new(world: &World, scene: &Scene<'_>, format: Format) -> Option<Sheet> {
        let map = Layout::new(world, format)?;
        let legend = Legend::new(scene.legend(world, map.wall()), map.size().0, format.letter);
        Some(Sheet { map, legend })
    }

    fn size(&self) -> (u32, u32) {
        let (width, height) = self.map.size();
        (width.max(legend::LEAST_WIDTH), height + self.legend.height())
    }

    fn draw(&self, world: &World, scene: &Scene<'_>, surface: &mut dyn Surface) {
        let (width, height) = self.size();
        surface.rectangle((0, 0), (width, height), OUTSIDE);
        self.map.draw(world, scene, surface);
        // What sticks out of the map is covered.
        let (map_width, top) = self.map.size();
        surface.rectangle((map_width, 0), (width - map_width, top), OUTSIDE);
        self.legend.draw(top, surface);
    }
}

impl Layout {
    fn new(world: &World, format: Format) -> Option<Layout> {
        match (world.grid(), world.graph()) {
            (Some(grid), _) => {
                Some(Layout::Cells(cells::Layout::new(grid, world.shape.unwrap_or_default(), format)))
            }
            (_, Some(graph)) => Some(Layout::Roads(roads::Layout::new(graph, format))),
            _ => world.mesh().map(|mesh| Layout::Mesh(meshes::Layout::new(mesh, format))),
        }
    }

    fn draw(&self, world: &World, scene: &Scene<'_>, surface: &mut dyn Surface) {
        match (self, world.grid(), world.graph()) {
            (Layout::Cells(layout), Some(grid), _) => layout.draw(grid, scene, surface),
            (Layout::Roads(layout), _, Some(graph)) => layout.draw(graph, scene, surface),
            (Layout::Mesh(layout), _, _) => {
                if let Some(mesh) = world.mesh() {
                    layout.draw(mesh, scene, surface);
                }
            }
            _ => {}
        }
    }

    /// What walls are drawn in.
    fn wall(&self) -> surface::Colour {
        match self {
            Layout::Cells(layout) => layout.wall(),
            Layout::Roads(_) | Layout::Mesh(_) => palette::WALL,
        }
    }

    fn size(&self) -> (u32, u32) {
        match self {
            Layout::Cells(layout) => layout.size(),
            Layout::Roads(layout) => layout.size(),
            Layout::Mesh(layout) => layout.size(),
        }
    }
}

//! `milepost scenarios`: random problems with exact optimal lengths.

use crate::args::{Globals, MapArgs};
use crate::draw::{self, Drawn, DrawnPoints, Limits};
use crate::failure::Failure;
use crate::numbers::counted;
use crate::output::{self, Answer};
use crate::world::World;
use crate::{on_mesh, pool, save};
use clap::Args;
use milepost::space::SpaceKind;
use milepost::{Cost, Grid, NavMesh, Rule};
use milepost_maps::{
    GraphProblem, ListedLength, MeshProblem, PointProblem, Problem, graph_scenario, mesh_scenario, scenario,
};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args, Debug)]
pub(crate) struct ScenariosArgs {
    #[command(flatten)]
    pub(crate) map: MapArgs,
    /// How many problems
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) count: u32,
    /// Only problems whose optimal path costs at least this much
    #[arg(long, value_name = "C", value_parser = cost, allow_negative_numbers = true)]
    pub(crate) min_cost: Option<f64>,
    /// Only problems whose optimal path costs at most this much
    #[arg(long, value_name = "C", value_parser = cost, allow_negative_numbers = true)]
    pub(crate) max_cost: Option<f64>,
    /// The .scen file to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Write MovingAI's columns also for a mesh, if it is flat: other programs read them
    #[arg(long)]
    pub(crate) movingai: bool,
}

fn cost(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    value.ok_or_else(|| "expected a number that is not negative".to_owned())
}

#[derive(Serialize)]
struct Document {
    file: String,
    map: String,
    /// None for a graph.
    moves: Option<&'static str>,
    seed: u64,
    count: usize,
    /// Lengths of the optimal paths.
    min_length: f64,
    mean_length: f64,
    max_length: f64,
}

pub(crate) fn run(globals: &Globals, args: &ScenariosArgs) -> Result<Answer, Failure> {
    let limits = Limits {
        least: args.min_cost.unwrap_or(Limits::NONE.least),
        most: args.max_cost.unwrap_or(Limits::NONE.most),
    };
    if limits.least > limits.most {
        let message = format!("--min-cost {} is more than --max-cost {}", limits.least, limits.most);
        return Err(Failure::usage("usage", message));
    }
    output::check_files(globals.json, &[Some(&args.output)])?;
    pool::start_threads(globals)?;
    let world = World::open(globals, &args.map)?;
    check_movingai(&world, args.movingai)?;
    let (text, costs): (String, Vec<Cost>) = match world.mesh() {
        Some(mesh) => {
            let drawn = draw::draw_points(&world, mesh, args.count, limits, globals.seed)?;
            let text = match args.movingai {
                true => scenario::write_points(&points(&world, mesh, &drawn)),
                false => {
                    let problem = |drawn: &DrawnPoints| mesh_problem(&world, mesh, drawn);
                    mesh_scenario::write(&drawn.iter().map(problem).collect::<Vec<_>>())
                }
            };
            (text, drawn.iter().map(|(_, _, cost)| *cost).collect())
        }
        None => {
            let drawn = draw::draw(&world, args.count, limits, globals.seed)?;
            let text = match world.grid() {
                Some(grid) => scenario::write(&problems(&world, grid, &drawn)),
                None => graph_scenario::write(&drawn.iter().map(graph_problem).collect::<Vec<_>>()),
            };
            (text, drawn.iter().map(|drawn| drawn.cost).collect())
        }
    };
    save::bytes(&args.output, text.as_bytes())?;

    let scale = world.scale();
    let lengths = || costs.iter().map(|&cost| scale.to_f64(cost));
    let document = Document {
        file: args.output.to_string_lossy().into_owned(),
        map: world.file_name.clone(),
        moves: world.rule().map(Rule::name),
        seed: globals.seed,
        count: costs.len(),
        min_length: lengths().fold(f64::INFINITY, f64::min),
        mean_length: lengths().sum::<f64>() / costs.len() as f64,
        max_length: lengths().fold(0.0, f64::max),
    };
    Ok(Answer::new(globals.json, &document, || {
        format!(
            "wrote {}: {} on {}, seed {}, lengths from {:.2} to {:.2}, {:.2} on average\n",
            document.file,
            counted(document.count as u64, "problem"),
            document.map,
            document.seed,
            document.min_length,
            document.max_length,
            document.mean_length
        )
    }))
}

/// Refuses columns of two coordinates where they would not say which place is meant.
fn check_movingai(world: &World, is_asked: bool) -> Result<(), Failure> {
    let why = match world.mesh() {
        Some(mesh) if mesh.has_heights() => "its places have heights",
        None if world.grid().is_none() => "its problems are pairs of nodes",
        _ => return Ok(()),
    };
    let message = format!(
        "--movingai is for maps of cells and for flat meshes: {} has no such scenario, since {why}; leave it out",
        world.file_name
    );
    if is_asked { Err(Failure::usage("not_for_this_map", message)) } else { Ok(()) }
}

/// Problems on a flat mesh in MovingAI's columns. The size is that of the cells that it would be made from.
fn points(world: &World, mesh: &NavMesh, drawn: &[DrawnPoints]) -> Vec<PointProblem> {
    let map: Arc<str> = Arc::from(world.file_name.as_str());
    let (_, high) = mesh.bounds();
    let size = [high.x, high.y].map(|last| last.ceil().clamp(1.0, f64::from(u32::MAX)) as u32);
    let problem = |&(from, to, cost): &DrawnPoints| {
        let length = world.scale().to_f64(cost);
        PointProblem {
            bucket: (length / 4.0) as u32,
            map: Arc::clone(&map),
            size: Some((size[0], size[1])),
            start: (from.x, from.y),
            goal: (to.x, to.y),
            length: ListedLength::computed(length),
            line: 0,
        }
    };
    drawn.iter().map(problem).collect()
}

fn mesh_problem(world: &World, mesh: &NavMesh, &(from, to, cost): &DrawnPoints) -> MeshProblem {
    let (from, to) = (on_mesh::spelled(mesh, from), on_mesh::spelled(mesh, to));
    MeshProblem { from, to, cost: Some(world.scale().to_f64(cost)), line: 0 }
}

fn graph_problem(drawn: &Drawn) -> GraphProblem {
    // Costs on graphs are whole numbers.
    let cost = Some(drawn.cost.units());
    GraphProblem { from: drawn.start.number(), to: drawn.goal.number(), cost, line: 0 }
}

fn problems(world: &World, grid: &Grid, drawn: &[Drawn]) -> Vec<Problem> {
    let map: Arc<str> = Arc::from(world.file_name.as_str());
    let cell = |state| {
        let at = grid.point(state);
        (at.x as u32, at.y as u32)
    };
    let problem = |drawn: &Drawn| {
        let length = grid.scale().to_f64(drawn.cost);
        Problem {
            // Four units of length share a bucket; `as` rounds down.
            bucket: (length / 4.0) as u32,
            map: Arc::clone(&map),
            size: Some((grid.width(), grid.height())),
            start: cell(drawn.start),
            goal: cell(drawn.goal),
            length: ListedLength::computed(length),
            line: 0,
        }
    };
    drawn.iter().map(problem).collect()
}

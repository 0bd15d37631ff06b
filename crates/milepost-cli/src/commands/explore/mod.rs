//! `milepost explore`: the explorer's page, served on loopback until the command is ended by Ctrl-C or SIGTERM.

mod browser;
mod guard;
mod memory;
mod server;
mod tab;
mod wire;

use crate::args::{Globals, MapArgs, ReadingArgs};
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::world::World;
use crate::{input, pool};
use clap::Args;
use guard::Guard;
use milepost_maps::Format;
use serde::Serialize;
use server::{Given, Server};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ExploreArgs {
    /// A map, graph, mesh or index file that the page begins with, of any format that the other commands read; `-` for
    /// standard input [default: a map that comes with the program]
    pub(crate) map: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    /// The port of 127.0.0.1 to listen on [default: a free one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,
    /// Print the address, and open no browser; without this one is opened where the command was typed at a terminal that
    /// has a display
    #[arg(long)]
    pub(crate) no_open: bool,
}

/// Printed as soon as the page can be opened.
#[derive(Serialize)]
struct Document {
    address: String,
    port: u16,
    token: String,
    /// The file that the page begins with.
    file: Option<String>,
}

pub(crate) fn run(globals: &Globals, args: &ExploreArgs) -> Result<Answer, Failure> {
    pool::start_threads(globals)?;
    let given = given(globals, args)?;
    let (listener, port) = listen(args.port)?;
    let guard = Guard::new(port).map_err(|error| {
        Failure::usage("network", format!("the system gives no random numbers for the address: {error}"))
    })?;
    let document = Document {
        address: guard.address(),
        port,
        token: guard.token().to_owned(),
        file: given.as_ref().map(|given| given.name.clone()),
    };
    let words = || format!("The explorer is at {}\nCtrl-C ends it.\n", document.address);
    let announcement = Answer::new(globals.json, &document, words).text;
    let ready = || {
        output::write(&announcement)?;
        if !args.no_open {
            browser::open(&document.address);
        }
        Ok(())
    };
    Server::new(guard, given).run(listener, ready)?;
    Ok(Answer { text: String::new(), is_negative: false })
}

/// The file that the page begins with, read as all commands read it, so that what is wrong is said where the command was
/// typed. The page gets the file itself, or, where that alone would not do, what was read as an index file: options say how to
/// read it, files beside it belong to it, or it has no name.
fn given(globals: &Globals, args: &ExploreArgs) -> Result<Option<Given>, Failure> {
    let Some(path) = &args.map else { return Ok(None) };
    let map = MapArgs { map: path.clone(), reading: args.reading.clone() };
    let world = World::open(globals, &map)?;
    let is_whole = Format::named(path).is_some_and(|format| !matches!(format, Format::Roads | Format::Tiled));
    let is_plain = is_whole && globals.moves.is_none() && args.reading.are_default();
    Ok(Some(if is_plain {
        Given { name: world.file_name, bytes: input::read(path)?.into() }
    } else {
        Given { name: format!("{}.milepost", world.name), bytes: world.atlas.to_bytes().into() }
    }))
}

/// A socket on loopback, and nowhere else.
fn listen(port: Option<u16>) -> Result<(TcpListener, u16), Failure> {
    let wanted = port.unwrap_or(0);
    let refuse = |error: std::io::Error| {
        let place = if wanted == 0 { "any port".to_owned() } else { format!("port {wanted}") };
        let advice = "name another with --port, or leave it out and a free one is taken";
        Failure::usage("network", format!("{place} of 127.0.0.1 cannot be listened on ({error}); {advice}"))
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)).map_err(refuse)?;
    listener.set_nonblocking(true).map_err(refuse)?;
    let port = listener.local_addr().map_err(refuse)?.port();
    Ok((listener, port))
}

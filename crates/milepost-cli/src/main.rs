//! `milepost`: the command around the library. Thin glue: options in, a call, text or one JSON document out.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | a negative answer: no path, a partial one, an agent that did not arrive, a broken promise |
//! | 2 | wrong usage |
//! | 3 | a file that is unreadable, damaged or unwritable |
//! | 130 | stopped by Ctrl-C |

mod agents;
mod args;
mod benchmark;
mod checkpoint;
mod commands;
mod contestants;
mod coordinates;
mod draw;
mod edits;
mod failure;
mod figures;
mod input;
mod journey;
mod missing;
mod names;
mod numbers;
mod on_mesh;
mod output;
mod overlay;
mod picture;
mod place;
mod pool;
mod progress;
mod save;
mod stray;
mod table;
mod trace;
mod why;
mod world;

use args::{Cli, Command};
use clap::Parser;
use failure::Failure;
use output::Answer;
use std::borrow::Cow;
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    let wants_json = words.iter().skip(1).take_while(|word| *word != "--").any(|word| word == "--json");
    let parsed = Cli::try_parse_from(&words).map_err(|mut error| {
        args::add_tips(&mut error, &words);
        error
    });
    let result = match parsed {
        Ok(cli) => run(&cli),
        Err(error) if !error.use_stderr() => {
            // `--help` or `--version`; if the pipe is closed, the reader has read enough.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) if !wants_json => {
            // The words of the call stand in the message.
            let message = error.render().to_string();
            match output::printable(&message) {
                Cow::Borrowed(_) => drop(error.print()),
                Cow::Owned(message) => output::note(message.trim_end()),
            }
            return ExitCode::from(Failure::USAGE);
        }
        Err(error) => Err(Failure::command_line(&error)),
    };
    match result.and_then(|answer| output::write(&answer.text).map(|()| answer.is_negative)) {
        Ok(is_negative) => ExitCode::from(u8::from(is_negative)),
        Err(failure) => failure.report(wants_json),
    }
}

fn run(cli: &Cli) -> Result<Answer, Failure> {
    let globals = &cli.globals;
    // The explorer writes no file, and Ctrl-C is how it is meant to end.
    if !matches!(cli.command, Some(Command::Explore(_))) {
        // Without the handler Ctrl-C still ends the program, only less tidily: nothing to report.
        let _ = ctrlc::set_handler(|| {
            milepost::files::remove_unfinished();
            checkpoint::say_stopped();
            std::process::exit(130);
        });
    }
    match &cli.command {
        None => commands::demo::run(globals, &commands::demo::DemoArgs::default()),
        Some(Command::Demo(args)) => commands::demo::run(globals, args),
        Some(Command::List(args)) => commands::list::run(globals, args),
        Some(Command::Info(args)) => commands::info::run(globals, args),
        Some(Command::Generate(args)) => commands::generate::run(globals, args),
        Some(Command::Convert(args)) => commands::convert::run(globals, args),
        Some(Command::Scenarios(args)) => commands::scenarios::run(globals, args),
        Some(Command::Build(args)) => commands::build::run(globals, args),
        Some(Command::Estimate(args)) => commands::estimate::run(globals, args),
        Some(Command::Verify(args)) => commands::verify::run(globals, args),
        Some(Command::Repair(args)) => commands::repair::run(globals, args),
        Some(Command::Path(args)) => commands::path::run(globals, args),
        Some(Command::Walk(args)) => commands::walk::run(globals, args),
        Some(Command::Explore(args)) => commands::explore::run(globals, args),
        Some(Command::Bench(args)) => commands::bench::run(globals, args),
        Some(Command::Completions(args)) => commands::completions::run(globals, args),
        Some(Command::Man(args)) => commands::man::run(globals, args),
    }
}

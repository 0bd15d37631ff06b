//! `milepost completions`: a script that lets a shell complete our words.

use crate::args::{Cli, Globals};
use crate::failure::Failure;
use crate::output::Answer;
use clap::{Args, CommandFactory};
use serde::Serialize;

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// Which shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Serialize)]
struct Document {
    shell: String,
    script: String,
}

pub(crate) fn run(globals: &Globals, args: &CompletionsArgs) -> Result<Answer, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "milepost", &mut script);
    let document =
        Document { shell: args.shell.to_string(), script: String::from_utf8_lossy(&script).into_owned() };
    Ok(Answer::new(globals.json, &document, || document.script.clone()))
}

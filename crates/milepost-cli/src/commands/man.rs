//! `milepost man`: manual pages.

use crate::args::{Cli, Globals};
use crate::failure::Failure;
use crate::output::Answer;
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use milepost::files;
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Write the pages of the program and of all subcommands into this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Serialize)]
struct Document {
    pages: Vec<Page>,
}

#[derive(Serialize)]
struct Page {
    /// As in `man NAME`.
    name: String,
    /// Where it was written.
    file: Option<String>,
    /// The page, unless it was written.
    text: Option<String>,
}

pub(crate) fn run(globals: &Globals, args: &ManArgs) -> Result<Answer, Failure> {
    let mut program = Cli::command().disable_help_subcommand(true);
    // Options that hold everywhere come into the subcommands.
    program.build();
    let pages = match &args.output {
        None => {
            let text = String::from_utf8_lossy(&render(&program, "standard output".as_ref())?).into_owned();
            vec![Page { name: program.get_name().to_owned(), file: None, text: Some(text) }]
        }
        Some(folder) => write(&program, folder)?,
    };
    let document = Document { pages };
    Ok(Answer::new(globals.json, &document, || {
        let line = |page: &Page| match (&page.text, &page.file) {
            (Some(text), _) => text.clone(),
            (None, file) => format!("wrote {}\n", file.as_deref().unwrap_or_default()),
        };
        document.pages.iter().map(line).collect()
    }))
}

fn write(program: &Command, folder: &Path) -> Result<Vec<Page>, Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::unwritable(folder, format!("the folder cannot be made: {error}")))?;
    let mut pages = Vec::new();
    for command in [program].into_iter().chain(program.get_subcommands()) {
        // `milepost-path`, once the program is built.
        let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
        let path = folder.join(format!("{name}.1"));
        files::save_whole(&path, &render(command, &path)?)?;
        pages.push(Page { name, file: Some(path.to_string_lossy().into_owned()), text: None });
    }
    Ok(pages)
}

fn render(command: &Command, path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    Man::new(command.clone())
        .render(&mut bytes)
        .map_err(|error| Failure::unwritable(path, error.to_string()))?;
    Ok(bytes)
}

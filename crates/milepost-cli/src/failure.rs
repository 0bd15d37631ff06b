//! What keeps the command from answering, with its exit code and its JSON form.

use crate::{missing, output};
use milepost::build::BuildError;
use milepost::files::{FileError, FileProblem};
use milepost_maps::{ReadError, ReadProblem, TiledError};
use serde::Serialize;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) struct Failure {
    /// A stable word for programs.
    kind: &'static str,
    message: String,
    exit_code: u8,
    file: Option<PathBuf>,
}

/// `{"error": {...}}`
#[derive(Serialize)]
struct Document<'a> {
    error: Error<'a>,
}

#[derive(Serialize)]
struct Error<'a> {
    kind: &'a str,
    message: &'a str,
    exit_code: u8,
    file: Option<String>,
}

impl Failure {
    /// Exit code of wrong usage.
    pub(crate) const USAGE: u8 = 2;
    /// Exit code of a file that is unreadable, damaged or unwritable.
    pub(crate) const FILE: u8 = 3;

    /// The command line cannot be understood.
    pub(crate) fn command_line(error: &clap::Error) -> Failure {
        let text = error.render().to_string();
        Failure::usage("usage", text.trim_start_matches("error: ").trim_end())
    }

    /// The call asks for what cannot be.
    pub(crate) fn usage(kind: &'static str, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), exit_code: Failure::USAGE, file: None }
    }

    /// A name that is in no registry, or that does not fit the map.
    pub(crate) fn name(message: impl Into<String>) -> Failure {
        Failure::usage("unknown_name", message)
    }

    /// A part of a build that cannot be read, is damaged or cannot be written; none for what is no fault of a file.
    pub(crate) fn part(folder: &Path, error: &BuildError) -> Option<Failure> {
        let (kind, name) = match error {
            BuildError::PartUnreadable { name, .. } => ("unreadable", name),
            BuildError::PartDamaged { name } => ("damaged", name),
            BuildError::PartUnwritable { name, .. } => ("unwritable", name),
            _ => return None,
        };
        Some(Failure::file(kind, &folder.join(name), error.to_string()))
    }

    /// A file whose content is wrong.
    pub(crate) fn damaged(file: &Path, message: impl AsRef<str>) -> Failure {
        Failure::file("damaged", file, message)
    }

    /// A file that cannot be read.
    pub(crate) fn unreadable(file: &Path, message: impl AsRef<str>) -> Failure {
        Failure::file("unreadable", file, message)
    }

    /// A file that cannot be written.
    pub(crate) fn unwritable(file: &Path, message: impl AsRef<str>) -> Failure {
        Failure::file("unwritable", file, message)
    }

    fn file(kind: &'static str, file: &Path, message: impl AsRef<str>) -> Failure {
        let message = format!("{}: {}", file.display(), message.as_ref());
        Failure { kind, message, exit_code: Failure::FILE, file: Some(file.to_owned()) }
    }

    /// The same, and what else there is to say.
    pub(crate) fn and(self, more: &str) -> Failure {
        Failure { message: self.message + more, ..self }
    }

    /// What went wrong, in words.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Tells the user, as text or as one JSON document.
    pub(crate) fn report(&self, wants_json: bool) -> ExitCode {
        if wants_json {
            let file = self.file.as_ref().map(|file| file.to_string_lossy().into_owned());
            let (kind, message, exit_code) = (self.kind, self.message.as_str(), self.exit_code);
            let document = Document { error: Error { kind, message, exit_code, file } };
            // If not even this can be written, the exit code is all that is left to say it with.
            let _ = output::write(&output::json(&document));
        } else {
            output::note(&format!("error: {}", self.message));
        }
        ExitCode::from(self.exit_code)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        let (kind, mut message) = (kind_of(&error.problem), error.to_string());
        if is_missing(&error.problem) {
            message += &missing::advice_on_map(&error.path);
        }
        Failure { kind, message, exit_code: Failure::FILE, file: Some(error.path) }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        let mut message = error.to_string();
        let kind = match &error.problem {
            ReadProblem::File(problem) => {
                if is_missing(problem) {
                    message += &missing::advice_on_map(&error.path);
                }
                kind_of(problem)
            }
            // Not the file is wrong, but the name of a layer that the call gives.
            ReadProblem::Tiled(TiledError::NoSuchLayer { .. }) => {
                return Failure::usage("not_for_this_map", message);
            }
            ReadProblem::Tiled(TiledError::Outside { .. }) => "unreadable",
            _ => "damaged",
        };
        Failure { kind, message, exit_code: Failure::FILE, file: Some(error.path) }
    }
}

/// Whether there is no such file.
fn is_missing(problem: &FileProblem) -> bool {
    matches!(problem, FileProblem::Unreadable(cause) if cause.kind() == ErrorKind::NotFound)
}

/// What programs read about a file that cannot be used.
fn kind_of(problem: &FileProblem) -> &'static str {
    match problem {
        FileProblem::Unreadable(_)
        | FileProblem::Folder
        | FileProblem::Endless { .. }
        | FileProblem::TooLarge { .. } => "unreadable",
        FileProblem::Unwritable(_) => "unwritable",
        _ => "damaged",
    }
}

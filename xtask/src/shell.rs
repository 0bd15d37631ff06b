//! Running cargo from the root of the project.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder that holds the workspace.
pub(crate) fn root() -> PathBuf {
    // Cargo tells the folder of this crate at run time too: the built-in one is stale once a target folder
    // is shared between two checkouts.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&here).parent().expect("xtask lies in the workspace").to_path_buf()
}

/// Where builds go.
pub(crate) fn target_folder(root: &Path) -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root.join(folder),
        None => root.join("target"),
    }
}

/// What git says, run in `root`.
pub(crate) fn git(root: &Path, words: &str) -> Result<String, String> {
    let output = Command::new("git").current_dir(root).args(words.split_whitespace()).output();
    let output = output.map_err(|error| format!("`git {words}` could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("`git {words}`: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A cargo call: its words, the environment it adds, and how it is shown.
pub(crate) struct Cargo {
    command: Command,
    shown: String,
}

impl Cargo {
    /// `cargo` with these words, run in `root`.
    pub(crate) fn new(root: &Path, words: &str) -> Self {
        Cargo::of(root, Path::new("cargo"), words)
    }

    /// Another cargo with these words.
    pub(crate) fn of(root: &Path, cargo: &Path, words: &str) -> Self {
        let mut command = Command::new(cargo);
        command.current_dir(root).args(words.split_whitespace());
        Cargo { command, shown: format!("{} {words}", cargo.display()) }
    }

    /// One more word, which may contain spaces.
    pub(crate) fn word(mut self, word: impl AsRef<std::ffi::OsStr>) -> Self {
        let word = word.as_ref();
        self.shown = format!("{} {}", self.shown, word.to_string_lossy());
        self.command.arg(word);
        self
    }

    /// Adds to the environment of the call.
    pub(crate) fn set(mut self, name: &str, value: &str) -> Self {
        self.shown = format!("{name}={value:?} {}", self.shown);
        self.command.env(name, value);
        self
    }

    /// Takes a variable out of the environment of the call.
    pub(crate) fn unset(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Runs it in the open; an error says which call failed.
    pub(crate) fn run(mut self) -> Result<(), String> {
        println!("    {}", self.shown);
        match self.command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("`{}` failed ({status})", self.shown)),
            Err(error) => Err(format!("`{}` could not be started: {error}", self.shown)),
        }
    }

    /// Whether it can be run at all; says nothing.
    pub(crate) fn works(mut self) -> bool {
        self.command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    }
}

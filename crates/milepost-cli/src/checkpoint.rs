//! The folder of a build that can be stopped: what is said when it goes on from there, and when it is stopped.

use crate::failure::Failure;
use crate::numbers::counted;
use crate::output;
use milepost::build::CheckpointStore;
use milepost::files::Checkpoint;
use std::io::{IsTerminal as _, stderr};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folder of the build under way, and how the names of its parts begin: known as soon as it asks for the first of them.
static UNDER_WAY: OnceLock<(PathBuf, String)> = OnceLock::new();

/// A folder that keeps parts, and tells the user how many there were.
pub(crate) struct Kept {
    folder: PathBuf,
    parts: Checkpoint,
}

impl Kept {
    pub(crate) fn open(folder: &Path) -> Result<Kept, Failure> {
        Ok(Kept { folder: folder.to_owned(), parts: Checkpoint::open(folder)? })
    }
}

impl CheckpointStore for Kept {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        if UNDER_WAY.get().is_none() {
            // Parts of one build are told apart by a number at the end.
            let begin = name.rsplit_once('-').map_or(name, |(begin, _)| begin);
            let parts = finished(&self.folder, begin);
            // Of several threads that ask one tells.
            let is_first = UNDER_WAY.set((self.folder.clone(), begin.to_owned())).is_ok();
            if is_first && parts > 0 {
                let folder = self.folder.display();
                output::note(&format!("note: going on from {} in {folder}", counted(parts, "part")));
            }
        }
        self.parts.load(name)
    }

    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        self.parts.save(name, bytes)
    }
}

/// How many parts of a build are in a folder.
fn finished(folder: &Path, begin: &str) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(begin) && name.ends_with(".part")).count() as u64
}

/// Tells the user who stops a build what is kept of it; nothing of what keeps nothing.
pub(crate) fn say_stopped() {
    let Some((folder, begin)) = UNDER_WAY.get() else { return };
    // A bar may stand in the line.
    if stderr().is_terminal() {
        output::note("");
    }
    let parts = finished(folder, begin);
    let folder = folder.display();
    output::note(&match parts {
        0 => format!("stopped; no part of the build is in {folder} yet"),
        1 => format!("stopped; 1 part of the build is in {folder}: the same call goes on from there"),
        parts => format!(
            "stopped; {} of the build are in {folder}: the same call goes on from there",
            counted(parts, "part")
        ),
    });
}

//! A folder in which a build that takes long keeps what is finished.

use super::save::{remove_leftovers, save_without_look};
use super::{FileError, FileProblem, read};
use crate::build::CheckpointStore;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A folder in which a build that takes long keeps what is finished.
///
/// ```
/// use milepost::build::{SILENT, add_index};
/// use milepost::files::Checkpoint;
/// use milepost::index::IndexKind;
/// use milepost::{Atlas, Grid, Rule};
///
/// let folder = std::env::temp_dir().join(format!("milepost-parts-{}", std::process::id()));
/// let parts = Checkpoint::open(&folder)?;
/// let atlas = Atlas::new(Grid::new(20, 20, Rule::Octile, |x, y| x != 9 || y == 4)?);
/// let built = add_index(&atlas, IndexKind::FIRST_MOVES, SILENT, Some(&parts))?; // stopped, it goes on from there
/// std::fs::remove_dir_all(&folder)?;
/// # assert!(built.has(IndexKind::FIRST_MOVES));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Checkpoint {
    folder: PathBuf,
}

impl Checkpoint {
    /// The checkpoint in a folder, which is made if there is none. Parts that a killed build was writing are removed.
    pub fn open(folder: &Path) -> Result<Checkpoint, FileError> {
        let wrap = |error| FileError { path: folder.to_owned(), problem: FileProblem::Unwritable(error) };
        fs::create_dir_all(folder).map_err(wrap)?;
        // Once for all parts: there may be many, and each would look through the folder.
        remove_leftovers(folder, "");
        Ok(Checkpoint { folder: folder.to_owned() })
    }
}

impl CheckpointStore for Checkpoint {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        match read(&self.folder.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(FileError { problem: FileProblem::Unreadable(error), .. })
                if error.kind() == io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            Err(error) => Err(error.problem.to_string()),
        }
    }

    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        save_without_look(&self.folder.join(name), bytes).map_err(|error| error.problem.to_string())
    }
}

//! The files of tilesets that a map names, and where they may lie.
//!
//! A map comes from anywhere, and what it names could be any file of the machine. So tilesets are read in the folder of
//! the map and below it alone, after symbolic links have been resolved, unless the caller allows others; and what stands
//! in those others is quoted in no message.

use crate::tiled::OutsideFolder;
use crate::{Excerpt, TiledError};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

/// Tilesets in larger files are not read.
const TILESET_LIMIT: u64 = 1 << 26;

/// Reads the tilesets of one map.
pub(crate) struct TilesetFiles<'a> {
    folder: &'a Path,
    allow_outside: bool,
    /// Those that were read and lie outside, as the map names them.
    outside: Vec<Excerpt>,
}

impl<'a> TilesetFiles<'a> {
    /// For the map in this file.
    pub(crate) fn beside(map: &'a Path, allow_outside: bool) -> TilesetFiles<'a> {
        let folder = map.parent().filter(|folder| !folder.as_os_str().is_empty());
        TilesetFiles { folder: folder.unwrap_or(Path::new(".")), allow_outside, outside: Vec::new() }
    }

    /// The bytes of a tileset; the error goes on where a sentence says "it".
    pub(crate) fn read(&mut self, tileset: &str) -> io::Result<Vec<u8>> {
        let path = self.folder.join(tileset);
        let said = |what: String| io::Error::other(what);
        let unreadable = |error: io::Error| said(format!("cannot be read at {} ({error})", path.display()));
        let resolved =
            fs::canonicalize(self.folder).and_then(|folder| Ok((fs::canonicalize(&path)?, folder)));
        let is_inside = match &resolved {
            Ok((file, folder)) => file.starts_with(folder),
            // What is not there must not be told from what is, outside.
            Err(_) => stays_below(tileset),
        };
        if !is_inside && !self.allow_outside {
            return Err(io::Error::other(OutsideFolder));
        }
        if !is_inside {
            self.outside.push(Excerpt::new(tileset.as_bytes()));
        }
        let (file, _) = resolved.map_err(unreadable)?;
        let kind = fs::metadata(&file).map_err(unreadable)?;
        if !kind.is_file() {
            return Err(said(format!("is no ordinary file at {}", path.display())));
        }
        if kind.len() > TILESET_LIMIT {
            let bytes = kind.len();
            return Err(said(format!("has {bytes} bytes at {}, more than {TILESET_LIMIT}", path.display())));
        }
        fs::read(&file).map_err(unreadable)
    }

    /// What is said about a tileset outside without anything that stands in it.
    pub(crate) fn without_quotes(&self, error: TiledError) -> TiledError {
        match error {
            TiledError::InTileset { tileset, .. } if self.outside.contains(&tileset) => {
                TiledError::Foreign { tileset }
            }
            TiledError::Refused { said } => match self.outside.first() {
                // The reader does not tell which file it speaks of.
                Some(tileset) => TiledError::Foreign { tileset: tileset.clone() },
                None => TiledError::Refused { said },
            },
            other => other,
        }
    }
}

/// Whether a path leads nowhere above the folder that it begins in, as it is written.
fn stays_below(path: &str) -> bool {
    let mut depth = 0_i64;
    PathBuf::from(path).components().all(|component| {
        match component {
            Component::Normal(_) => depth += 1,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return false,
        }
        depth >= 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read_tiled, tiled};
    use std::fs::File;

    /// A folder with `levels/a.tmx`, which names this tileset.
    fn folder(name: &str, tileset: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("milepost-tilesets-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("levels/tiles")).unwrap();
        let map = format!(
            "<map version=\"1.10\" orientation=\"orthogonal\" width=\"2\" height=\"1\" tilewidth=\"8\" \
             tileheight=\"8\">\n<tileset firstgid=\"1\" source=\"{tileset}\"/>\n<layer name=\"a\" width=\"2\" \
             height=\"1\"><data encoding=\"csv\">1,0</data></layer></map>"
        );
        fs::write(folder.join("levels/a.tmx"), map).unwrap();
        folder
    }

    const TILESET: &str =
        "<tileset tilewidth=\"8\" tileheight=\"8\" tilecount=\"1\" columns=\"1\"></tileset>";

    fn tiles(folder: &Path, allow_outside: bool) -> Result<Vec<u8>, String> {
        let options = tiled::Options { allow_outside, ..tiled::Options::default() };
        let level = read_tiled(folder.join("levels/a.tmx"), &options);
        level.map(|level| level.map.tiles().to_vec()).map_err(|error| error.to_string())
    }

    #[test]
    fn tilesets_are_looked_for_beside_the_map_and_named_if_missing() {
        let folder = folder("beside", "tiles/../tiles/ground.tsx");
        let said = tiles(&folder, false).unwrap_err();
        for piece in [
            "a.tmx: line 2",
            "the tileset \"tiles/../tiles/ground.tsx\"",
            "cannot be read at",
            "put it there",
        ] {
            assert!(said.contains(piece), "{said}");
        }
        let file = folder.join("levels/tiles/ground.tsx");
        fs::write(&file, TILESET).unwrap();
        assert_eq!(tiles(&folder, false).unwrap(), b".@");
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert!(tiles(&folder, false).unwrap_err().contains("is no ordinary file"));
        fs::remove_dir(&file).unwrap();
        File::create(&file).unwrap().set_len(TILESET_LIMIT + 1).unwrap();
        assert!(tiles(&folder, false).unwrap_err().contains("more than 67108864"));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_tileset_outside_the_folder_of_the_map_is_read_only_where_it_is_allowed() {
        let path = std::env::temp_dir().join(format!("milepost-tilesets-far-{}.tsx", std::process::id()));
        for source in ["../ground.tsx", "tiles/../../ground.tsx", path.to_str().unwrap()] {
            let folder = folder("outside", source);
            let message = |is_there| {
                let said = tiles(&folder, false).unwrap_err();
                assert!(
                    said.contains("a.tmx: line 2") && said.contains("which lies outside"),
                    "{is_there}: {said}"
                );
                said
            };
            let _ = fs::remove_file(&path);
            let missing = message(false);
            fs::write(folder.join("ground.tsx"), TILESET).unwrap();
            fs::write(&path, TILESET).unwrap();
            assert_eq!(message(true), missing, "whether a file is there is not told");
            assert_eq!(tiles(&folder, true).unwrap(), b".@", "{source}");
            fs::remove_dir_all(folder).unwrap();
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn an_absolute_path_that_leads_below_the_folder_is_inside() {
        let folder = folder("absolute", "unknown");
        let file = folder.join("levels/tiles/ground.tsx");
        let map = fs::read_to_string(folder.join("levels/a.tmx")).unwrap();
        fs::write(folder.join("levels/a.tmx"), map.replace("unknown", file.to_str().unwrap())).unwrap();
        fs::write(&file, TILESET).unwrap();
        assert_eq!(tiles(&folder, false).unwrap(), b".@");
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_are_resolved_before_it_is_asked_where_a_tileset_lies() {
        use std::os::unix::fs::symlink;
        // The file is a link to outside, or a folder on the way is.
        for (source, link, to) in [
            ("tiles/ground.tsx", "levels/tiles/ground.tsx", "../../ground.tsx"),
            ("far/ground.tsx", "levels/far", ".."),
        ] {
            let folder = folder("links", source);
            fs::write(folder.join("ground.tsx"), TILESET).unwrap();
            symlink(to, folder.join(link)).unwrap();
            let said = tiles(&folder, false).unwrap_err();
            assert!(said.contains("which lies outside"), "{said}");
            assert_eq!(tiles(&folder, true).unwrap(), b".@");
            fs::remove_dir_all(folder).unwrap();
        }
        // A link that stays below is followed, also where the folder is called by a link itself.
        let folder = folder("links", "ground.tsx");
        fs::write(folder.join("levels/tiles/ground.tsx"), TILESET).unwrap();
        symlink("tiles/ground.tsx", folder.join("levels/ground.tsx")).unwrap();
        symlink("levels", folder.join("other")).unwrap();
        assert_eq!(tiles(&folder, false).unwrap(), b".@");
        let level = read_tiled(folder.join("other/a.tmx"), &tiled::Options::default()).unwrap();
        assert_eq!(level.map.tiles(), b".@");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn nothing_that_stands_in_a_file_outside_is_in_a_message() {
        let secrets = [
            "root:hunter2:0:0\n",
            "<hunter2/>",
            "<tileset hunter2=\"1\" tilewidth=\"8\">",
            "<tileset tilewidth=\"hunter2\" tileheight=\"8\" tilecount=\"1\" columns=\"1\"/>",
            "<tileset tilewidth=\"8\" tileheight=\"8\" tilecount=\"1\" columns=\"1\"><hunter2>",
            "<tileset tilewidth=\"8\" tileheight=\"8\" tilecount=\"1\" columns=\"1\"><tile id=\"0\"><properties>\
             <property name=\"weight\" value=\"hunter2\"/></properties></tile></tileset>",
            "hunter2 \u{feff}<",
        ];
        for secret in secrets {
            let folder = folder("secret", "../secret");
            fs::write(folder.join("secret"), secret).unwrap();
            for allow_outside in [false, true] {
                let said = tiles(&folder, allow_outside).unwrap_err();
                assert!(said.contains("../secret") && !said.contains("hunter"), "{said}");
            }
            fs::remove_dir_all(folder).unwrap();
        }
    }
}

//! The page: plain files, as they are served.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// Its path, without a slash before it.
    pub path: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
}

macro_rules! page {
    ($($path:literal),* $(,)?) => {
        &[$(PageFile { path: $path, kind: kind($path), bytes: include_bytes!(concat!("../page/", $path)) }),*]
    };
}

const FILES: &[PageFile] = page![
    "index.html",
    "algorithms.js",
    "batch.js",
    "dom.js",
    "edits.js",
    "files.js",
    "form.js",
    "frame.js",
    "geometry.js",
    "gif.js",
    "grid-world.js",
    "hint.js",
    "hooks.js",
    "keys.js",
    "legend.js",
    "lines.js",
    "link.js",
    "main.js",
    "maps.js",
    "marks.js",
    "offer.js",
    "palette.js",
    "pane.js",
    "panel.js",
    "panes.js",
    "picture.js",
    "player.js",
    "pointer.js",
    "probe.js",
    "runs.js",
    "scenes.js",
    "shape-world.js",
    "share.js",
    "state.js",
    "stats.js",
    "style.css",
    "tape.js",
    "timeline.js",
    "tools.js",
    "transport.js",
    "words.js",
    "work.js",
    "worker.js",
];

/// The files of the page; the first one is its beginning.
pub fn files() -> &'static [PageFile] {
    FILES
}

/// What an ending stands for: a page, its styles, or a script.
const fn kind(path: &str) -> &'static str {
    match path.as_bytes() {
        [.., b'h', b't', b'm', b'l'] => "text/html; charset=utf-8",
        [.., b'c', b's', b's'] => "text/css; charset=utf-8",
        _ => "text/javascript; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_file_of_the_folder_is_served_and_none_is_long() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let entries = std::fs::read_dir(folder).expect("the folder of the page").flatten();
        let mut there: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        let mut served: Vec<&str> = files().iter().map(|file| file.path).collect();
        there.sort();
        served.sort_unstable();
        assert_eq!(served, there);
        assert_eq!(files()[0].path, "index.html");
        assert!(files().iter().map(|file| file.bytes.len()).sum::<usize>() < 300_000);
        for file in files() {
            let lines = file.bytes.iter().filter(|byte| **byte == b'\n').count();
            assert!(lines < 400, "{}: {lines} lines", file.path);
        }
    }
}

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

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! file {
    ($path:literal, $kind:expr) => {
        PageFile { path: $path, kind: $kind, bytes: include_bytes!(concat!("../page/", $path)) }
    };
}

/// The files of the page; the first one is its beginning.
pub fn files() -> &'static [PageFile] {
    FILES
}

const FILES: &[PageFile] = &[
    file!("index.html", HTML),
    file!("algorithms.js", SCRIPT),
    file!("batch.js", SCRIPT),
    file!("dom.js", SCRIPT),
    file!("edits.js", SCRIPT),
    file!("files.js", SCRIPT),
    file!("form.js", SCRIPT),
    file!("frame.js", SCRIPT),
    file!("geometry.js", SCRIPT),
    file!("gif.js", SCRIPT),
    file!("grid-world.js", SCRIPT),
    file!("hint.js", SCRIPT),
    file!("hooks.js", SCRIPT),
    file!("keys.js", SCRIPT),
    file!("legend.js", SCRIPT),
    file!("lines.js", SCRIPT),
    file!("link.js", SCRIPT),
    file!("main.js", SCRIPT),
    file!("maps.js", SCRIPT),
    file!("marks.js", SCRIPT),
    file!("offer.js", SCRIPT),
    file!("palette.js", SCRIPT),
    file!("pane.js", SCRIPT),
    file!("panel.js", SCRIPT),
    file!("panes.js", SCRIPT),
    file!("picture.js", SCRIPT),
    file!("player.js", SCRIPT),
    file!("pointer.js", SCRIPT),
    file!("probe.js", SCRIPT),
    file!("runs.js", SCRIPT),
    file!("scenes.js", SCRIPT),
    file!("shape-world.js", SCRIPT),
    file!("share.js", SCRIPT),
    file!("solid.js", SCRIPT),
    file!("state.js", SCRIPT),
    file!("stats.js", SCRIPT),
    file!("style.css", STYLE),
    file!("tape.js", SCRIPT),
    file!("timeline.js", SCRIPT),
    file!("tools.js", SCRIPT),
    file!("transport.js", SCRIPT),
    file!("views.js", SCRIPT),
    file!("words.js", SCRIPT),
    file!("work.js", SCRIPT),
    file!("worker.js", SCRIPT),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_listed() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder of the page")
            .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
            .collect();
        let mut listed: Vec<String> = files().iter().map(|file| file.path.to_owned()).collect();
        there.sort();
        listed.sort();
        assert_eq!(there, listed);
    }
}

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

/// The files of the page; the first one is its beginning.
pub fn files() -> &'static [PageFile] {
    &[PageFile { path: "index.html", kind: HTML, bytes: include_bytes!("../page/index.html") }]
}

//! The page and its engine in one file that opens by a double click.
//!
//! Browsers load neither modules nor workers from files beside a page that was opened so. Everything is inside then: styles
//! in the page; its scripts as data under names that an import map knows; the worker's text and the module as base64, from
//! which the page makes the worker.

use super::{START, with_engine};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeMap;
use std::fmt::Write;

const WORKER: &str = "worker.js";
/// What a page that has everything inside may do: no request leaves it.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' data: blob:; style-src 'unsafe-inline'; \
                      img-src data: blob:; worker-src blob:";

/// The file.
pub(super) fn make(files: &BTreeMap<String, Vec<u8>>, module: &[u8]) -> Result<String, String> {
    let start = files.get(START).ok_or_else(|| format!("the page has no {START}"))?;
    let worker = files.get(WORKER).ok_or_else(|| format!("the page has no {WORKER}"))?;
    let mut page = with_engine(start)?;
    replace_policy(&mut page)?;
    let mut scripts = BTreeMap::new();
    for (name, bytes) in files {
        let text = || std::str::from_utf8(bytes).map_err(|error| format!("{name}: {error}"));
        if name.ends_with(".css") {
            let link = format!("<link rel=\"stylesheet\" href=\"{name}\">");
            replace_once(&mut page, &link, &format!("<style>\n{}</style>", text()?))?;
        } else if name.ends_with(".js") && name != WORKER {
            scripts.insert(name.as_str(), text()?);
        }
    }
    let mut imports = String::new();
    for (name, text) in &scripts {
        let data = STANDARD.encode(by_name(text, &scripts));
        let comma = if imports.is_empty() { "" } else { ",\n" };
        let _ = write!(imports, "{comma}\"page/{name}\": \"data:text/javascript;base64,{data}\"");
    }
    let engine = format!(
        "<script>window.__milepostWorkerSource = \"{}\"; window.__milepostModule = \"{}\";</script>",
        STANDARD.encode(worker),
        STANDARD.encode(module)
    );
    let map = format!("<script type=\"importmap\">{{\"imports\": {{{imports}}}}}</script>");
    for name in scripts.keys() {
        let source = format!("<script type=\"module\" src=\"{name}\"></script>");
        if page.contains(&source) {
            // A map has to stand before the first module.
            let start = format!("{engine}\n{map}\n<script type=\"module\">import \"page/{name}\";</script>");
            replace_once(&mut page, &source, &start)?;
            return Ok(page);
        }
    }
    Err(format!("{START} begins with no script of the page"))
}

/// A script whose imports name modules of the map in place of files beside it.
fn by_name(text: &str, scripts: &BTreeMap<&str, &str>) -> String {
    let mut text = text.to_owned();
    for name in scripts.keys() {
        for quote in ['\'', '"'] {
            text = text.replace(&format!("{quote}./{name}{quote}"), &format!("{quote}page/{name}{quote}"));
        }
    }
    text
}

fn replace_policy(page: &mut String) -> Result<(), String> {
    let head = "<meta http-equiv=\"Content-Security-Policy\" content=\"";
    let begin = page.find(head).ok_or_else(|| format!("{START} has no policy"))? + head.len();
    let end = page[begin..].find('"').ok_or_else(|| format!("{START}: the policy does not end"))? + begin;
    page.replace_range(begin..end, POLICY);
    Ok(())
}

fn replace_once(page: &mut String, from: &str, to: &str) -> Result<(), String> {
    if page.matches(from).count() != 1 {
        return Err(format!("{START} does not have `{from}` once"));
    }
    *page = page.replacen(from, to, 1);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(start: &str) -> Result<String, String> {
        let files = [
            (START, start),
            ("style.css", "a {}"),
            ("main.js", "import { b } from './b.js';"),
            ("b.js", "export const b = 1;"),
            (WORKER, "work"),
        ];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        make(&files.into(), b"module")
    }

    const WHOLE: &str = "<head><meta http-equiv=\"Content-Security-Policy\" content=\"x\">\
                         <link rel=\"stylesheet\" href=\"style.css\"><script type=\"module\" src=\"main.js\"></script>";

    #[test]
    fn everything_is_inside_and_modules_are_found_by_name() {
        let made = page(WHOLE).expect("a page");
        assert!(made.contains("<style>\na {}</style>") && made.contains(POLICY), "{made}");
        let main = STANDARD.encode("import { b } from 'page/b.js';");
        assert!(
            made.contains(&format!("\"page/main.js\": \"data:text/javascript;base64,{main}\"")),
            "{made}"
        );
        assert!(
            made.contains("import \"page/main.js\";") && made.contains(&STANDARD.encode("module")),
            "{made}"
        );
        assert!(!made.contains("src=") && !made.contains("href="), "{made}");
    }

    #[test]
    fn a_page_that_lacks_a_part_is_refused() {
        for part in ["<meta http-equiv=\"Content-Security-Policy\" content=\"x\">", "main.js", "style.css"] {
            assert!(page(&WHOLE.replace(part, "")).is_err(), "{part}");
        }
    }
}

//! The README and the pages in docs/ are true: what stands in a block of shell commands is run, from the top of a page to
//! its end, in a folder of its own. Blocks of Rust are compiled and run as doc tests of the library.

use crate::common::Folder;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A block between two lines of backticks.
struct Block {
    /// The line after the opening backticks, counted from 1.
    line: usize,
    /// What stands behind the opening backticks.
    label: String,
    text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The README and every page in docs/ and its folders, by their paths below the root.
fn pages() -> Vec<String> {
    let (mut pages, mut folders) = (vec!["README.md".to_owned()], vec!["docs".to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root().join(&folder)).expect("the folder of pages").flatten() {
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                _ if path.ends_with(".md") => pages.push(path),
                _ => {}
            }
        }
    }
    pages.sort();
    pages
}

fn blocks(page: &str) -> Vec<Block> {
    let text = std::fs::read_to_string(root().join(page)).expect(page);
    let (mut blocks, mut open): (Vec<Block>, Option<Block>) = (Vec::new(), None);
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(label), None) => {
                open = Some(Block { line: index + 2, label: label.to_owned(), text: String::new() });
            }
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some(mut block)) => {
                block.text += line;
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{page}: a block that does not end");
    blocks
}

/// Runs the blocks of a page that are commands, one after the other. Lines that begin with `cargo` are left out: they
/// build this very program.
fn run(page: &str) {
    let folder = Folder::new();
    let program = Path::new(env!("CARGO_BIN_EXE_milepost")).parent().expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(program.to_owned()).chain(std::env::split_paths(&path)));
    let path = path.expect("a search path");
    for block in blocks(page).iter().filter(|block| block.label == "sh") {
        // Empty lines in their place keep the numbers of lines in messages of the shell.
        let keep = |line: &str| if line.starts_with("cargo") { "" } else { line }.to_owned() + "\n";
        let script: String = block.text.lines().map(keep).collect();
        let mut shell = Command::new("sh");
        shell.args(["-e", "-x", "-u", "-c", &script]).current_dir(folder.path());
        shell.env("PATH", &path).env("NO_COLOR", "1").env_remove("MILEPOST_MAPS");
        let output = shell.output().expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{page}, block at line {}:\n{said}", block.line);
    }
}

#[test]
fn every_command_of_the_readme_can_be_run_from_top_to_bottom() {
    run("README.md");
}

#[test]
fn every_command_of_the_other_pages_can_be_run_from_top_to_bottom() {
    for page in pages().iter().filter(|page| *page != "README.md") {
        run(page);
    }
}

/// What stands in brackets behind words in brackets: where a page leads, without places within the page.
fn links(text: &str) -> Vec<&str> {
    let pieces = text.split("](").skip(1).filter_map(|piece| piece.split(')').next());
    pieces.map(|link| link.split('#').next().unwrap_or(link)).filter(|link| !link.is_empty()).collect()
}

#[test]
fn every_link_of_a_page_leads_to_a_file_that_is_there() {
    for page in pages() {
        let text = std::fs::read_to_string(root().join(&page)).expect(&page);
        let folder = root().join(&page).parent().expect("a folder").to_owned();
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            assert!(folder.join(link).exists(), "{page}: there is no {link}");
        }
    }
}

#[test]
fn the_table_of_contents_leads_to_every_page() {
    let contents = std::fs::read_to_string(root().join("docs/README.md")).expect("the table of contents");
    let linked: Vec<String> = links(&contents).iter().map(|link| format!("docs/{link}")).collect();
    for page in pages().iter().filter(|page| !page.ends_with("README.md")) {
        assert!(linked.contains(page), "docs/README.md does not lead to {page}");
    }
}

#[test]
fn the_readme_is_short_enough_to_be_read() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("the README");
    assert!(text.lines().count() <= 200, "{} lines", text.lines().count());
}

#[test]
fn every_promise_of_the_readme_names_a_test_that_is_there() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let part =
        text.split("\n## Promises").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("promises");
    let rows: Vec<&str> = part.lines().filter(|line| line.starts_with("| ") && line.contains("_")).collect();
    assert!(rows.len() >= 6, "{rows:?}");
    let tests = rust_files(&root().join("crates"));
    for row in rows {
        let test = row.rsplit('`').nth(1).expect("a name in backticks");
        assert!(tests.iter().any(|file| file.contains(&format!("fn {test}("))), "no test is called {test}");
    }
}

/// The text of every Rust file in a folder.
fn rust_files(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            texts.push(std::fs::read_to_string(&path).expect("a text"));
        }
    }
    texts
}

#[test]
fn every_block_says_what_it_is_and_why_it_is_not_run() {
    for page in pages() {
        for Block { line, label, text } in blocks(&page) {
            match label.as_str() {
                "sh" | "rust" | "rust,no_run" | "text" | "json" | "toml" => {}
                // The reason stands in its first line.
                "sh ignore" => {
                    assert!(text.starts_with("# Not run by the tests: "), "{page}:{line}: no reason")
                }
                _ => {
                    panic!(
                        "{page}:{line}: a block of `{label}`; expected sh, sh ignore, rust, toml, text or json"
                    )
                }
            }
        }
    }
}

/// `MILEPOST/` in a page stands for the folder of the project.
#[test]
fn dependencies_of_a_page_are_crates_that_are_there() {
    for page in pages() {
        let text = std::fs::read_to_string(root().join(&page)).expect(&page);
        for line in text.lines().filter(|line| line.contains("{ path = \"MILEPOST/")) {
            let path =
                line.split("\"MILEPOST/").nth(1).and_then(|rest| rest.split('"').next()).expect("a path");
            let name =
                line.split(" = {").next().and_then(|before| before.rsplit('`').next()).expect("a name");
            let manifest = std::fs::read_to_string(root().join(path).join("Cargo.toml")).expect(path);
            assert!(manifest.contains(&format!("name = \"{name}\"")), "{page}: {path} is not `{name}`");
            let features =
                line.split("features = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap_or("");
            for feature in
                features.split(", ").map(|feature| feature.trim_matches('"')).filter(|one| !one.is_empty())
            {
                assert!(manifest.contains(&format!("\n{feature} = [")), "{page}: {path} has no `{feature}`");
            }
        }
    }
}

#[test]
fn blocks_of_rust_are_doc_tests_of_the_library() {
    let library = std::fs::read_to_string(root().join("crates/milepost/src/lib.rs")).expect("the library");
    for page in pages() {
        let included = format!("include_str!(\"../../../{page}\")");
        let has_rust = blocks(&page).iter().any(|block| block.label.starts_with("rust"));
        assert!(!has_rust || library.contains(&included), "lib.rs lacks #[doc = {included}]");
    }
}

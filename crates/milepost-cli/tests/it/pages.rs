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

/// The README and every page in docs/, by their paths below the root.
fn pages() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("docs")).expect("the folder of pages");
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut pages: Vec<String> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    pages.push("README.md".to_owned());
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

#[test]
fn every_block_says_what_it_is_and_why_it_is_not_run() {
    for page in pages() {
        for Block { line, label, text } in blocks(&page) {
            match label.as_str() {
                "sh" | "rust" | "rust,no_run" | "text" | "json" => {}
                // The reason stands in its first line.
                "sh ignore" => {
                    assert!(text.starts_with("# Not run by the tests: "), "{page}:{line}: no reason")
                }
                _ => {
                    panic!("{page}:{line}: a block of `{label}`; expected sh, sh ignore, rust, text or json")
                }
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

//! The text files of the project, the Rust ones also as tokens.

use super::Fault;
use super::tokens::{Token, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

/// Text longer than this is data, and no rule reads it.
const LONGEST_TEXT: u64 = 1 << 20;

/// Paths are relative to the root and separated by `/`.
pub(crate) struct Tree {
    texts: BTreeMap<String, String>,
    rust: BTreeMap<String, Vec<Token>>,
    unreadable: Vec<Fault>,
}

impl Tree {
    /// A tree of these paths and texts.
    pub(crate) fn new(texts: BTreeMap<String, String>) -> Self {
        let mut rust = BTreeMap::new();
        let mut unreadable = Vec::new();
        for (path, text) in texts.iter().filter(|(path, _)| path.ends_with(".rs")) {
            match tokens(text) {
                Ok(tokens) => {
                    rust.insert(path.clone(), tokens);
                }
                Err((line, error)) => {
                    unreadable.push(Fault::new(path, line, format!("this is no Rust ({error}): repair it")));
                }
            }
        }
        let test_files: Vec<String> =
            rust.iter().flat_map(|(path, tokens)| test_modules(path, tokens)).collect();
        for (path, tokens) in &mut rust {
            let is_test = |file: &String| {
                path == file
                    || path
                        .strip_prefix(file.trim_end_matches(".rs"))
                        .is_some_and(|rest| rest.starts_with('/'))
            };
            if test_files.iter().any(is_test) {
                tokens.iter_mut().for_each(|token| token.in_test = true);
            }
        }
        Tree { texts, rust, unreadable }
    }

    /// The tree in a folder, without what cargo, git and the fuzzer leave there.
    pub(crate) fn read(root: &Path) -> io::Result<Self> {
        let mut texts = BTreeMap::new();
        collect(root, "", &mut texts)?;
        Ok(Tree::new(texts))
    }

    /// All text files.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// One text file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// All Rust files.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&str, &[Token])> {
        self.rust.iter().map(|(path, tokens)| (path.as_str(), tokens.as_slice()))
    }

    /// The names of all functions, tests among them.
    pub(crate) fn functions(&self) -> BTreeSet<&str> {
        let pairs = self.rust.values().flat_map(|tokens| tokens.windows(2));
        pairs.filter(|pair| pair[0].is_word("fn")).map(|pair| pair[1].text.as_str()).collect()
    }

    /// The Rust files of the library with their module path (`plan/astar.rs` is plan, astar; lib.rs is
    /// nothing), without files that only tests compile.
    pub(crate) fn library(&self) -> impl Iterator<Item = (&str, Vec<&str>, &[Token])> {
        self.rust().filter_map(|(path, tokens)| {
            let inside = path.strip_prefix("crates/milepost/src/")?.strip_suffix(".rs")?;
            let mut modules: Vec<&str> = inside.split('/').collect();
            if modules == ["lib"] || modules.last() == Some(&"mod") {
                modules.pop();
            }
            let is_test = !tokens.is_empty() && tokens.iter().all(|token| token.in_test);
            (!is_test).then_some((path, modules, tokens))
        })
    }

    /// The rule that Rust files can be read.
    pub(super) fn unreadable(&self) -> Vec<Fault> {
        self.unreadable.clone()
    }
}

/// The files that `#[cfg(test)] mod name;` in this file stands for.
fn test_modules(path: &str, tokens: &[Token]) -> Vec<String> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let base = match file.trim_end_matches(".rs") {
        "mod" | "lib" | "main" => folder.to_owned(),
        stem => format!("{folder}/{stem}"),
    };
    let mut found = Vec::new();
    for (index, window) in tokens.windows(3).enumerate() {
        if !(window[0].is_word("mod") && window[2].is_mark(";") && window[0].in_test) {
            continue;
        }
        // `#[path = "other.rs"]` stands between the end of the item before and this one.
        let item =
            tokens[..index].iter().rposition(|token| [";", "{", "}"].iter().any(|mark| token.is_mark(mark)));
        let attributes = &tokens[item.map_or(0, |last| last + 1)..index];
        let other = attributes
            .windows(3)
            .find(|words| words[0].is_word("path") && words[1].is_mark("="))
            .and_then(|words| words[2].string());
        found.push(match other {
            Some(other) => format!("{folder}/{other}"),
            None => format!("{base}/{}.rs", window[1].text),
        });
    }
    found
}

fn collect(folder: &Path, prefix: &str, texts: &mut BTreeMap<String, String>) -> io::Result<()> {
    let holds_a_crate = folder.join("Cargo.toml").exists();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = format!("{prefix}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() {
            let is_built = holds_a_crate && name == "target";
            let is_found_by_tests = ["fuzz/corpus", "fuzz/artifacts"].contains(&path.as_str());
            if !is_built && !is_found_by_tests && name != ".git" && name != "proptest-regressions" {
                collect(&entry.path(), &format!("{path}/"), texts)?;
            }
        } else if kind.is_file() && entry.metadata()?.len() <= LONGEST_TEXT && !name.ends_with(".snap.new") {
            // What is not UTF-8 is no text.
            if let Ok(text) = String::from_utf8(fs::read(entry.path())?) {
                texts.insert(path, text);
            }
        }
    }
    Ok(())
}

/// A tree for the tests of the rules.
#[cfg(test)]
pub(super) fn tree(files: &[(&str, &str)]) -> Tree {
    Tree::new(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_only_tests_declare_is_test_code() {
        let tree = tree(&[
            ("crates/milepost/src/plan/mod.rs", "mod astar; #[cfg(test)] mod checks;"),
            (
                "crates/milepost/src/plan/astar.rs",
                "#[cfg(test)] #[path = \"astar_tests.rs\"] mod tests; fn f() {}",
            ),
            ("crates/milepost/src/plan/astar_tests.rs", "fn f() {}"),
            ("crates/milepost/src/plan/checks.rs", "mod more;"),
            ("crates/milepost/src/plan/checks/more.rs", "fn f() {}"),
        ]);
        let living: Vec<&str> = tree.library().map(|(path, _, _)| path).collect();
        assert_eq!(living, ["crates/milepost/src/plan/astar.rs", "crates/milepost/src/plan/mod.rs"]);
    }

    #[test]
    fn a_file_that_is_no_rust_is_named_with_its_line() {
        let faults = tree(&[("xtask/src/a.rs", "fn f() {\n")]).unreadable();
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].path, "xtask/src/a.rs");
    }
}

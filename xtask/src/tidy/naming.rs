//! An algorithm is named by its own file and its line in a registry. What else wants one asks the registry: an order of
//! algorithms (a default, the fastest) is a field of the registry, no list of names.
//!
//! A string names an algorithm if it is its name, alone or before parameters (`tba:100`), or holds it in backticks.
//! `IndexKind::NAME` names an index.

use super::catalog::names;
use super::tokens::{Kind, Token};
use super::{Fault, Tree};
use std::collections::BTreeSet;

/// Where names are written down once.
const REGISTRIES: [&str; 4] = [
    "crates/milepost/src/catalog/",
    "crates/milepost/src/index/registry.rs",
    "crates/milepost/src/index/kind.rs",
    "crates/milepost/src/build/registry.rs",
];

/// Lists of names that stand elsewhere still. This list may only become shorter.
const NOT_YET: [&str; 8] = [
    "crates/milepost-cli/src/agents.rs",
    "crates/milepost-cli/src/commands/build.rs",
    "crates/milepost-cli/src/commands/repair.rs",
    "crates/milepost-cli/src/names.rs",
    "crates/milepost/src/agent/learning/mod.rs",
    "crates/milepost/src/build/jump_points/mod.rs",
    "crates/milepost/src/index/atlas.rs",
    "crates/milepost/src/index/file/mod.rs",
];

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let names = names(tree);
    let mut faults = Vec::new();
    for (path, tokens) in tree.rust().filter(|(path, _)| is_ours(path, &names)) {
        for (index, token) in tokens.iter().enumerate().filter(|(_, token)| !token.in_test) {
            let before = |back: usize| index.checked_sub(back).map(|at| &tokens[at]);
            let is_constant = token.kind == Kind::Word
                && before(1).is_some_and(|mark| mark.is_mark("::"))
                && before(2).is_some_and(|word| word.is_word("IndexKind"));
            let is_documentation = before(2).is_some_and(|word| word.is_word("doc"));
            let named = names.iter().find(|name| match token.kind {
                Kind::Word => is_constant && token.text == name.replace('-', "_").to_uppercase(),
                Kind::Literal => !is_documentation && is_named(token, name),
                Kind::Mark => false,
            });
            if let Some(name) = named {
                let what =
                    format!("`{name}` is named outside its file and its registry: ask the registry for it");
                faults.push(Fault::new(path, token.line, what));
            }
        }
    }
    faults
}

/// Source files of the crates, without registries and without the files and folders of algorithms.
fn is_ours(path: &str, names: &BTreeSet<String>) -> bool {
    let Some((_, inside)) = path.strip_prefix("crates/").and_then(|rest| rest.split_once("/src/")) else {
        return false;
    };
    let is_registry = REGISTRIES.iter().any(|registry| path.starts_with(registry));
    let parts = inside.trim_end_matches(".rs").split('/');
    let is_algorithm = |part: &str| names.iter().any(|name| name.replace('-', "_") == part);
    !is_registry
        && !NOT_YET.contains(&path)
        && !path.starts_with("crates/milepost-peers/")
        && !parts.into_iter().any(is_algorithm)
}

fn is_named(token: &Token, name: &str) -> bool {
    let Some(text) = token.string() else { return false };
    let goes_on = |rest: &str| rest.is_empty() || rest.starts_with(':');
    text.strip_prefix(name).is_some_and(goes_on) || text.contains(&format!("`{name}`"))
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree;
    use super::*;

    const README: &str = "## Planners\n| `astar` |\n## Agents\n| `tba` |\n## Index files\n| `jump-rows` |\n";

    fn count(path: &str, text: &str) -> usize {
        faults(&tree(&[("README.md", README), (path, text)])).len()
    }

    #[test]
    fn a_name_outside_is_refused_in_every_spelling() {
        for text in [
            "const A: &str = \"astar\";",
            "fn f() { plan(\"tba:100\") }",
            "fn f() { panic!(\"build `jump-rows` first\") }",
            "fn f() { g(IndexKind::JUMP_ROWS) }",
        ] {
            assert_eq!(count("crates/milepost-cli/src/place.rs", text), 1, "{text}");
            assert_eq!(count("crates/milepost/src/agent/base/mod.rs", text), 1, "{text}");
        }
    }

    #[test]
    fn its_file_its_folder_registries_tests_and_other_words_are_fine() {
        let text = "const A: &str = \"astar\";";
        for path in [
            "crates/milepost/src/plan/astar.rs",
            "crates/milepost/src/build/jump_rows/pack.rs",
            "crates/milepost/src/catalog/planners.rs",
            "crates/milepost/tests/it/agents.rs",
            "xtask/src/a.rs",
        ] {
            assert_eq!(count(path, text), 0, "{path}");
        }
        for text in [
            "#[cfg(test)] mod tests { const A: &str = \"astar\"; }",
            "/// As `astar`.\n// \"astar\"\nconst A: &str = \"astarte, or astar in prose\";",
            "fn f() { IndexKind::entry() }",
        ] {
            assert_eq!(count("crates/milepost-cli/src/place.rs", text), 0, "{text}");
        }
    }
}

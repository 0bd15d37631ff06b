//! An algorithm is named by its own file and its line in a registry. What else wants one asks the registry: an order of
//! algorithms (a default, the fastest) is a field of the registry, no list of names.
//!
//! A string names an algorithm if it is its name, alone or before parameters (`tba:100`), or holds it in backticks.
//! `IndexKind::NAME` names an index. The file of an algorithm is called like it, or defines it: a folder whose `mod.rs` has
//! the `ABOUT` of one algorithm or of a family names these, and no others. Words that a parameter takes are no names,
//! even if an algorithm is called so.

use super::catalog::names;
use super::tokens::{Kind, Token};
use super::{Fault, Tree};
use std::collections::BTreeSet;

/// Where names are written down once.
const REGISTRIES: [&str; 5] = [
    "crates/milepost/src/catalog/",
    "crates/milepost/src/plan/registry.rs",
    "crates/milepost/src/index/registry.rs",
    "crates/milepost/src/index/kind.rs",
    "crates/milepost/src/build/registry.rs",
];

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let names = names(tree);
    let definitions: Vec<(&str, Vec<&str>)> =
        tree.rust().map(|(path, tokens)| (place(path), defined(tokens))).collect();
    let mut faults = Vec::new();
    for (path, tokens) in tree.rust().filter(|(path, _)| is_ours(path, &names)) {
        let is_defined_here = |name: &str| {
            let mut around = definitions.iter().filter(|(place, _)| path.starts_with(place));
            around.any(|(_, defined)| defined.contains(&name))
        };
        for (index, token) in tokens.iter().enumerate().filter(|(_, token)| !token.in_test) {
            let before = |back: usize| index.checked_sub(back).map(|at| &tokens[at]);
            let is_constant = token.kind == Kind::Word
                && before(1).is_some_and(|mark| mark.is_mark("::"))
                && before(2).is_some_and(|word| word.is_word("IndexKind"));
            let is_documentation = before(2).is_some_and(|word| word.is_word("doc"));
            let named = names.iter().find(|name| match token.kind {
                Kind::Word => is_constant && token.text == name.replace('-', "_").to_uppercase(),
                Kind::Literal => {
                    !is_documentation && is_named(token, name) && !is_word_of_parameter(tokens, index)
                }
                Kind::Mark => false,
            });
            if let Some(name) = named.filter(|name| !is_defined_here(name)) {
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
    !is_registry && !path.starts_with("crates/milepost-peers/") && !parts.into_iter().any(is_algorithm)
}

/// What a file speaks for: itself, or its folder if it is the folder's `mod.rs`.
fn place(path: &str) -> &str {
    path.strip_suffix("mod.rs").unwrap_or(path)
}

/// The names that `const ABOUT: About = About { name: .., .. }` gives, outside tests: one, or those of a family.
fn defined(tokens: &[Token]) -> Vec<&str> {
    let heads = ["const", "ABOUT", ":", "About", "=", "About", "{", "name", ":"];
    let is_about = |window: &&[Token]| {
        window.iter().zip(heads).all(|(token, head)| token.text == head && !token.in_test)
    };
    let value = |at: usize| {
        let value = tokens[at + heads.len()..].iter().take_while(|token| !token.is_mark(","));
        value.filter_map(Token::string)
    };
    let windows = tokens.windows(heads.len()).enumerate();
    windows.filter(|(_, window)| is_about(window)).flat_map(|(at, _)| value(at)).collect()
}

/// Whether a string stands in the list of `Words { words: &[..]`.
fn is_word_of_parameter(tokens: &[Token], at: usize) -> bool {
    let head = ["Words", "{", "words", ":", "&", "["];
    let before = &tokens[..at];
    let is_listed = |token: &&Token| token.kind == Kind::Literal || token.is_mark(",");
    let listed = before.iter().rev().take_while(is_listed).count();
    let before = &before[..at - listed];
    before.len() >= head.len()
        && before[before.len() - head.len()..].iter().zip(head).all(|(token, head)| token.text == head)
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

    const README: &str =
        "## Planners\n| `astar` |\n## Agents\n| `tba` |\n## Index files\n| `corner-labels` |\n";

    fn count(path: &str, text: &str) -> usize {
        faults(&tree(&[("README.md", README), (path, text)])).len()
    }

    #[test]
    fn a_name_outside_is_refused_in_every_spelling() {
        for text in [
            "const A: &str = \"astar\";",
            "fn f() { plan(\"tba:100\") }",
            "fn f() { panic!(\"build `corner-labels` first\") }",
            "fn f() { g(IndexKind::CORNER_LABELS) }",
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
            "crates/milepost/src/build/corner_labels/pack.rs",
            "crates/milepost/src/plan/registry.rs",
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
    const FAMILY: &str = "impl<const W: bool> Algorithm for Family<W> { const ABOUT: About = About { \
                          name: if W { \"tba\" } else { \"astar\" }, summary: \"\" }; }";

    #[test]
    fn a_folder_names_the_algorithms_that_its_mod_file_defines() {
        let folder = "crates/milepost/src/agent/unknown/family";
        let inside = |text: &str| {
            let files = [
                ("README.md", README),
                (&format!("{folder}/mod.rs"), FAMILY),
                (&format!("{folder}/part.rs"), text),
            ];
            faults(&tree(&files)).len()
        };
        assert_eq!(inside("const A: &str = \"tba:3\"; const B: &str = \"or `astar`\";"), 0);
        assert_eq!(inside("const A: IndexKind = IndexKind::CORNER_LABELS;"), 1);
        // The part of a folder speaks for itself alone; what tests define is defined nowhere.
        let beside = |about: &str| {
            let (part, other) = (format!("{folder}/part.rs"), format!("{folder}/other.rs"));
            let text = "const A: &str = \"tba\";";
            faults(&tree(&[("README.md", README), (&part, about), (&other, text)])).len()
        };
        assert_eq!(beside(FAMILY), 1);
        assert_eq!(
            count(
                &format!("{folder}/mod.rs"),
                &format!("#[cfg(test)] mod tests {{ {FAMILY} }} {}", "const A: &str = \"tba\";")
            ),
            1
        );
        // Another name in the same file stays a fault, and so does a name in another field.
        let other = FAMILY.replace("summary: \"\"", "summary: \"like `corner-labels`\"");
        assert_eq!(count(&format!("{folder}/mod.rs"), &other), 1);
        let none = FAMILY.replace("name: if W { \"tba\" } else { \"astar\" }", "label: \"tba\"");
        assert_eq!(count(&format!("{folder}/mod.rs"), &none), 1);
    }

    #[test]
    fn words_of_a_parameter_are_no_names_and_other_lists_are() {
        let path = "crates/milepost/src/agent/unknown/family/mod.rs";
        let words = "const P: Value = Value::Words { words: &[\"no\", \"tba\", \"astar\"], get: 1 };";
        assert_eq!(count(path, words), 0);
        for other in [
            words.replace("Words {", "Names {"),
            words.replace("words:", "names:"),
            words.replace("words: &[", "words: &[f(").replace("], get", ")], get"),
        ] {
            assert!(count(path, &other) > 0, "{other}");
        }
        assert_eq!(count(path, "const P: Value = Value::Words { words: &[\"no\"], key: \"tba\" };"), 1);
    }
}

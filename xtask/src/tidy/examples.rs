//! Every public item of the library is shown: its docs hold a block of code, or one line says which item or which example
//! program shows it, ``Shown by [`Grid`].`` or ``Shown by the example `path`.``, and the name of the item occurs there.

use super::public::items;
use super::tokens::Token;
use super::{Fault, Tree};
use std::collections::BTreeMap;

const PROGRAMS: &str = "crates/milepost/examples";
/// What may stand behind the ticks of a block that is compiled with the tests.
const COMPILED: [&str; 3] = ["", "no_run", "should_panic"];

/// A public item: where it is written, and what its docs show.
struct Item<'a> {
    path: &'a str,
    line: usize,
    /// The code of its blocks; empty if there is none.
    code: String,
    /// What shows it instead.
    shown_by: Option<Shower<'a>>,
}

/// What shows an item.
enum Shower<'a> {
    /// Another item, by its last name.
    Item(&'a str),
    /// A program, by the name of its file.
    Program(&'a str),
}

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let names = items(tree);
    let files: BTreeMap<String, (&str, &[Token])> =
        tree.library().map(|(path, modules, tokens)| (modules.join("::"), (path, tokens))).collect();
    let read = |full: &'_ String| {
        let (module, name) = full.rsplit_once("::").unwrap_or(("", full));
        let (path, tokens) = files.get(module)?;
        Some((name.to_owned(), Item::read(tree, path, declared(tokens, name)?)))
    };
    let (found, lost): (Vec<_>, Vec<_>) =
        names.iter().map(|name| (name, read(name))).partition(|(_, item)| item.is_some());
    let found: Vec<(String, Item<'_>)> = found.into_iter().filter_map(|(_, item)| item).collect();
    let lost = lost.into_iter().map(|(name, _)| {
        Fault::new(
            PROGRAMS,
            1,
            format!("where `{name}` is declared was not found: teach xtask/src/tidy/examples.rs to find it"),
        )
    });
    found.iter().filter_map(|(name, item)| fault(tree, &found, name, item)).chain(lost).collect()
}

fn fault(tree: &Tree, all: &[(String, Item<'_>)], name: &str, item: &Item<'_>) -> Option<Fault> {
    if !item.code.is_empty() {
        return None;
    }
    let refuse = |what: String| Some(Fault::new(item.path, item.line, what));
    match item.shown_by {
        None => refuse(format!(
            "no example shows `{name}`: write a block of code in its docs, or the line \"Shown by [`Item`].\" or \
             \"Shown by the example `file`.\""
        )),
        Some(Shower::Item(other)) => {
            let mut blocks = all.iter().filter(|(name, _)| *name == other).map(|(_, item)| &item.code);
            match blocks.find(|code| !code.is_empty()) {
                None => refuse(format!(
                    "`{name}` is shown by `{other}`, which is no public item with a block of code"
                )),
                Some(code) if !has_word(code, name) => {
                    refuse(format!("`{name}` is shown by `{other}`, whose block does not name it"))
                }
                Some(_) => None,
            }
        }
        Some(Shower::Program(file)) => {
            let path = format!("{PROGRAMS}/{file}.rs");
            match tree.text(&path) {
                None => refuse(format!("`{name}` is shown by the example `{file}`, and there is no {path}")),
                Some(text) if !has_word(text, name) => {
                    refuse(format!("`{name}` is shown by the example `{file}`, which does not name it"))
                }
                Some(_) => None,
            }
        }
    }
}

/// The line where an item of this name is declared as public, outside of everything else.
fn declared(tokens: &[Token], name: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        if ["{", "(", "["].iter().any(|mark| token.is_mark(mark)) {
            depth += 1;
        } else if ["}", ")", "]"].iter().any(|mark| token.is_mark(mark)) {
            depth -= 1;
        } else if depth == 0 && token.is_word("pub") && !token.in_test {
            let declaration = tokens[at + 1..].iter().take_while(|token| !is_end(token));
            let mut words =
                declaration.skip_while(|token| !super::public::KINDS.contains(&token.text.as_str()));
            if words.any(|word| word.is_word(name)) {
                return Some(token.line);
            }
        }
    }
    None
}

/// What ends the name of a declaration.
fn is_end(token: &Token) -> bool {
    ["{", "(", ";", ":", "=", "<"].iter().any(|mark| token.is_mark(mark)) || token.is_word("use")
}

impl<'a> Item<'a> {
    /// Reads the docs above a declaration.
    fn read(tree: &'a Tree, path: &'a str, line: usize) -> Item<'a> {
        let lines: Vec<&str> = tree.text(path).unwrap_or_default().lines().collect();
        let above = lines[..line - 1].iter().rev().map(|line| line.trim());
        // Attributes stand between the docs and the item.
        let docs = above.take_while(|line| !line.is_empty()).skip_while(|line| !line.starts_with("///"));
        let mut docs: Vec<&str> = docs
            .map_while(|line| line.strip_prefix("///"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect();
        docs.reverse();
        Item { path, line, code: code(&docs), shown_by: docs.iter().find_map(|line| shower(line)) }
    }
}

/// The code in docs.
fn code(docs: &[&str]) -> String {
    let (mut code, mut block) = (String::new(), None);
    for line in docs {
        match (line.strip_prefix("```"), block) {
            (Some(language), None) => block = Some(COMPILED.contains(&language)),
            (Some(_), Some(_)) => block = None,
            (None, Some(true)) => code.extend([*line, "\n"]),
            _ => {}
        }
    }
    code
}

fn shower(line: &str) -> Option<Shower<'_>> {
    let what = line.strip_prefix("Shown by ")?.strip_suffix('.')?;
    if let Some(program) = what.strip_prefix("the example `") {
        return Some(Shower::Program(program.strip_suffix('`')?));
    }
    // What follows in brackets is where rustdoc finds it.
    let (item, link) = what.strip_prefix("[`")?.split_once("`]")?;
    (link.is_empty() || link.starts_with('(') && link.ends_with(')')).then_some(Shower::Item(item))
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|other| other == word)
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::super::tree::tree;
    use super::*;

    fn said(docs: &str) -> Vec<String> {
        let library = format!(
            "/// Shows itself.\n///\n/// ```\n/// let shown = Shown(Other);\n/// ```\npub struct Shown;\n\n{docs}\npub enum Other {{ A }}\n"
        );
        let program = "use milepost::Other;\nfn main() {}";
        let files = [
            ("crates/milepost/src/lib.rs", library.as_str()),
            ("crates/milepost/examples/named.rs", program),
        ];
        let unnamed = ("crates/milepost/examples/unnamed.rs", "fn main() {}");
        shown(&faults(&tree(&[files.as_slice(), &[unnamed]].concat())))
    }

    #[test]
    fn an_item_has_a_block_or_says_which_item_or_program_shows_it() {
        for docs in [
            "/// Docs.\n///\n/// ```\n/// let a = 1;\n/// ```",
            "/// Docs.\n/// ```no_run\n/// let a = 1;\n/// ```\n#[derive(Clone)]\n#[error(\n    \"x\"\n)]",
            "/// Docs.\n///\n/// Shown by [`Shown`].",
            "/// Docs.\n///\n/// Shown by [`Shown`](crate::Shown).\n#[derive(Debug)]",
            "/// Docs.\n///\n/// Shown by the example `named`.",
        ] {
            assert_eq!(said(docs), Vec::<String>::new(), "{docs}");
        }
    }

    #[test]
    fn an_item_that_nothing_shows_is_named_with_what_to_write() {
        for docs in [
            "/// Docs.",
            "",
            "/// ```text\n/// a picture\n/// ```",
            "/// Shown by many.",
            "/// ```\n/// let a = 1;\n/// ```\n",
        ] {
            let said = said(docs);
            assert!(
                said.len() == 1 && said[0].contains("no example shows `Other`: write"),
                "{docs}: {said:?}"
            );
        }
    }

    #[test]
    fn what_shows_an_item_exists_and_names_it() {
        let fault = |docs| said(docs).join("\n");
        assert!(fault("/// Shown by [`Nothing`].").contains("`Nothing`, which is no public item"));
        assert!(fault("/// Shown by [`Other`].").contains("`Other`, which is no public item with a block"));
        assert!(
            fault("/// Shown by the example `missing`.").contains("no crates/milepost/examples/missing.rs")
        );
        assert!(fault("/// Shown by the example `unnamed`.").contains("`unnamed`, which does not name it"));
        let files = "/// ```\n/// f();\n/// ```\npub fn f() {}\n\n/// Shown by [`f`].\npub const fn g() {}\n";
        let faults = shown(&faults(&tree(&[("crates/milepost/src/lib.rs", files)])));
        assert_eq!(
            faults,
            ["crates/milepost/src/lib.rs:7: `g` is shown by `f`, whose block does not name it"]
        );
    }
}

//! In the rooms that a game links there is no file, thread, clock, process or printing, so that WebAssembly
//! and no_std stay possible and a search has no side effects.

use super::tokens::first_segments;
use super::{Fault, Tree};

const PURE: [&str; 5] = ["core", "space", "index", "plan", "agent"];
/// Modules of std that reach the operating system; `*` would bring them all.
const MODULES: [&str; 8] = ["fs", "thread", "time", "io", "net", "process", "env", "*"];
const NAMES: [&str; 4] = ["rayon", "Instant", "SystemTime", "File"];
const MACROS: [&str; 5] = ["println", "eprintln", "print", "eprint", "dbg"];

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, modules, tokens) in tree.library() {
        let Some(room) = modules.first().filter(|room| PURE.contains(room)) else { continue };
        for (index, token) in tokens.iter().enumerate().filter(|(_, token)| !token.in_test) {
            let next_is = |mark| tokens.get(index + 1).is_some_and(|next| next.is_mark(mark));
            let mut refuse = |what: String| {
                let advice = "keep files, threads, clocks and printing in build, files or the command";
                faults.push(Fault::new(path, token.line, format!("{room} may not use `{what}`: {advice}")));
            };
            if token.is_word("std") && next_is("::") {
                for first in first_segments(tokens, index + 2) {
                    if MODULES.contains(&tokens[first].text.as_str()) {
                        refuse(format!("std::{}", tokens[first].text));
                    }
                }
            } else if NAMES.iter().any(|name| token.is_word(name)) {
                refuse(token.text.clone());
            } else if MACROS.iter().any(|name| token.is_word(name)) && next_is("!") {
                refuse(format!("{}!", token.text));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::super::tree::tree;
    use super::*;

    fn count(room: &str, text: &str) -> usize {
        let faults = faults(&tree(&[(&format!("crates/milepost/src/{room}/a.rs"), text)]));
        println!("{:?}", shown(&faults));
        faults.len()
    }

    #[test]
    fn files_threads_clocks_and_printing_are_refused_in_pure_rooms() {
        for text in [
            "use std::fs;",
            "use std::{collections::BTreeMap, thread};",
            "fn f() -> std::io::Result<()> { g() }",
            "fn f() { let now = std::time::Duration::ZERO; }",
            "use std::*;",
            "use rayon::prelude::X;",
            "fn f() { Instant::now(); }",
            "fn f(clock: SystemTime) {}",
            "fn f(file: &mut File) {}",
            "fn f() { println!(\"x\") }",
            "fn f() { eprint!(\"x\") }",
        ] {
            for room in PURE {
                assert_eq!(count(room, text), 1, "{room}: {text}");
            }
        }
    }

    #[test]
    fn tests_docs_strings_and_other_rooms_may_do_as_they_like() {
        for text in [
            "#[cfg(test)] mod tests { use std::fs; fn f() { println!(\"x\") } }",
            "/// ```\n/// println!(\"x\");\n/// ```\nfn f() { let print = \"std::fs\"; }",
            "use std::collections::BTreeMap; use std::fmt;",
        ] {
            assert_eq!(count("plan", text), 0, "{text}");
        }
        assert_eq!(count("build", "use rayon::prelude::X; use std::thread;"), 0);
        assert_eq!(count("files", "use std::fs::File;"), 0);
    }
}

//! Rooms in one direction: a module of the library uses only what stands left of it,
//! `core <- space <- index <- plan <- {build, agent} <- files`. The crate of maps knows spaces and files alone.

use super::tokens::{Token, first_segments};
use super::{Fault, Tree};

/// Each room and the rooms it may use. The catalog, the page of the search and what viewers watch are parts of the
/// front: they see everything up to the agents, and no room sees them.
const ROOMS: [(&str, &[&str]); 10] = [
    ("core", &[]),
    ("space", &["core"]),
    ("index", &["core", "space"]),
    ("plan", &["core", "space", "index"]),
    ("build", &["core", "space", "index", "plan"]),
    ("agent", &["core", "space", "index", "plan"]),
    ("files", &["core", "space", "index", "plan", "build", "agent"]),
    ("catalog", &["core", "space", "index", "plan", "build", "agent"]),
    ("search", &["core", "space"]),
    ("observe", &["core", "space", "index", "plan", "agent", "catalog"]),
];

/// Where maps are read and made, and what that must not take from the library.
const MAPS: &str = "crates/milepost-maps/src/";
const NOT_FOR_MAPS: [&str; 7] = ["core", "space", "index", "plan", "build", "agent", "catalog"];

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let mut faults = uses_by_maps(tree);
    for (path, modules, tokens) in tree.library() {
        let Some(&room) = modules.first() else { continue };
        let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
            let what = format!(
                "`{room}` is no room: move the file into one, or give `{room}` its place in xtask/src/tidy/rooms.rs"
            );
            faults.push(Fault::new(path, 1, what));
            continue;
        };
        for used in uses(tokens, modules.len()) {
            let name = used.text.as_str();
            if name == room || allowed.contains(&name) {
                continue;
            }
            let what = if ROOMS.iter().any(|(known, _)| *known == name) {
                let left = if allowed.is_empty() { "no other room".to_owned() } else { allowed.join(", ") };
                format!("{room} may not use `{name}`, only {left}: move the shared part left")
            } else {
                format!("{room} uses `{name}` through the front: name the room it lives in")
            };
            faults.push(Fault::new(path, used.line, what));
        }
    }
    faults
}

/// The crate of maps takes grids, graphs, edits and files from the front of the library, and opens no other door.
fn uses_by_maps(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, tokens) in tree.rust().filter(|(path, _)| path.starts_with(MAPS)) {
        let is_front = |at: &usize| tokens[*at].is_word("milepost") && tokens[*at + 1].is_mark("::");
        for at in (0..tokens.len().saturating_sub(1)).filter(is_front) {
            for first in first_segments(tokens, at + 2).into_iter().map(|first| &tokens[first]) {
                if NOT_FOR_MAPS.contains(&first.text.as_str()) {
                    let what = format!(
                        "maps may not use `{}`: take spaces from the front of the library",
                        first.text
                    );
                    faults.push(Fault::new(path, first.line, what));
                }
            }
        }
    }
    faults
}

/// What the code takes from the crate's root, by `crate::` or by a chain of `super::` that gets there, in a
/// file `depth` modules deep. Exported macros live nowhere else and are left out.
fn uses(tokens: &[Token], depth: usize) -> Vec<&Token> {
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let is_path = tokens.get(index + 1).is_some_and(|next| next.is_mark("::"));
        if token.in_test || !is_path {
            continue;
        }
        let after_root = if token.is_word("crate") {
            index + 2
        } else if token.is_word("super") {
            // Only the whole chain counts; each later `super` stands behind an earlier one.
            if index >= 2 && tokens[index - 1].is_mark("::") && tokens[index - 2].is_word("super") {
                continue;
            }
            let chain = tokens[index..].chunks_exact(2);
            let length = chain.take_while(|pair| pair[0].is_word("super") && pair[1].is_mark("::")).count();
            if length < depth + token.inline_modules {
                continue;
            }
            index + 2 * length
        } else {
            continue;
        };
        for first in first_segments(tokens, after_root) {
            let is_macro = tokens.get(first + 1).is_some_and(|next| next.is_mark("!"));
            if !is_macro {
                found.push(&tokens[first]);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::super::tree::tree;
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        let faults = faults(&tree(&[(path, text)]));
        println!("{:?}", shown(&faults));
        faults.len()
    }

    #[test]
    fn using_a_room_to_the_left_is_fine() {
        let text =
            "use crate::core::Cost;\nuse crate::{space::Grid, index::Atlas};\nfn f() { crate::plan::g() }";
        assert_eq!(count("crates/milepost/src/plan/astar.rs", text), 0);
        assert_eq!(count("crates/milepost/src/build/rows.rs", text), 0);
        assert_eq!(count("crates/milepost/src/files.rs", "use crate::index::Atlas;"), 0);
        assert_eq!(count("crates/milepost/src/lib.rs", "pub use crate::plan::Astar; mod plan;"), 0);
    }

    #[test]
    fn using_a_room_to_the_right_is_refused_with_path_and_line() {
        let faults = faults(&tree(&[(
            "crates/milepost/src/space/grid.rs",
            "use crate::core::Cost;\nuse crate::plan::Astar;",
        )]));
        assert_eq!(
            shown(&faults),
            [
                "crates/milepost/src/space/grid.rs:2: space may not use `plan`, only core: move the shared part left"
            ]
        );
    }

    #[test]
    fn every_wrong_direction_is_refused() {
        for (room, used) in [
            ("core", "space"),
            ("index", "plan"),
            ("index", "files"),
            ("plan", "build"),
            ("agent", "build"),
            ("build", "agent"),
            ("agent", "files"),
            ("build", "files"),
            ("plan", "catalog"),
            ("files", "catalog"),
            ("catalog", "files"),
        ] {
            let text = format!("use crate::{used}::X;");
            assert_eq!(count(&format!("crates/milepost/src/{room}/a.rs"), &text), 1, "{room} uses {used}");
        }
    }

    #[test]
    fn groups_inline_paths_macros_and_types_are_seen() {
        for text in [
            "use crate::{core::x, plan::y};",
            "use crate::{core::{a, b}, {plan}};",
            "fn f() { crate::plan::g() }",
            "fn f() { vec![crate::plan::g()] }",
            "macro_rules! m { () => { $crate::plan::g() } }",
            "struct S(pub (crate::plan::A, u8));",
            "impl From<crate::plan::A> for B {}",
            "use crate::*;",
            "use crate::Atlas;",
        ] {
            assert_eq!(count("crates/milepost/src/space/grid.rs", text), 1, "{text}");
        }
    }

    #[test]
    fn super_is_followed_out_of_the_room_and_not_inside_it() {
        assert_eq!(count("crates/milepost/src/space/grid.rs", "use super::graph::G;"), 0);
        assert_eq!(count("crates/milepost/src/space/grid.rs", "use super::super::plan::P;"), 1);
        assert_eq!(count("crates/milepost/src/space/grid.rs", "use super::super::core::P;"), 0);
        assert_eq!(count("crates/milepost/src/space/mod.rs", "use super::plan::P;"), 1);
        assert_eq!(count("crates/milepost/src/space/mod.rs", "mod inner { use super::plan::P; }"), 0);
        assert_eq!(count("crates/milepost/src/space/mod.rs", "mod inner { use super::super::plan::P; }"), 1);
        assert_eq!(count("crates/milepost/src/space/mod.rs", "use super::{core::a, plan::b};"), 1);
    }

    #[test]
    fn visibility_comments_strings_macros_and_tests_use_nothing() {
        for text in [
            "pub(in crate::plan) fn f() {}",
            "pub(super) fn f() {}",
            "// crate::plan::x\nconst A: &str = \"crate::plan::x\";",
            "/// See [`crate::plan::x`].\nfn f() {}",
            "#[cfg(test)] mod tests { use crate::plan::Astar; }",
            "#[cfg(test)] use crate::plan::Astar;",
            "fn f() { crate::assert_sorted!(1) }",
        ] {
            assert_eq!(count("crates/milepost/src/space/grid.rs", text), 0, "{text}");
        }
    }

    #[test]
    fn the_crate_of_maps_takes_spaces_and_files_from_the_front() {
        let path = "crates/milepost-maps/src/cells.rs";
        assert_eq!(count(path, "use milepost::{Grid, files::read};\nuse crate::tiles;"), 0);
        assert_eq!(count(path, "use milepost::{Grid, plan::Astar};"), 1);
        assert_eq!(count(path, "fn f() { milepost::build::build() }"), 1);
    }

    #[test]
    fn a_new_top_level_module_must_take_its_place() {
        assert_eq!(count("crates/milepost/src/util.rs", "fn f() {}"), 1);
    }
}

//! The public face of the library is small, so that it can be kept for years: its items are counted.
//!
//! An item is a type, trait, function, constant, static or exported macro that a user can name: it is `pub` in a module
//! that `pub mod` leads to from lib.rs, or a `pub use` in such a module names it. Each counts once, however often it is
//! exported. Methods, fields, variants and modules do not count.

use super::tokens::Token;
use super::{Fault, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// So many at most. A change that adds one says why it is worth keeping.
const LIMIT: usize = 157;
const FRONT: &str = "crates/milepost/src/lib.rs";
pub(super) const KINDS: [&str; 9] =
    ["struct", "enum", "union", "trait", "type", "fn", "const", "static", "macro"];

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let count = items(tree).len();
    if count <= LIMIT {
        return Vec::new();
    }
    let what = format!(
        "{count} public items, at most {LIMIT} are agreed on: make some private, or raise the number in \
         xtask/src/tidy/public.rs (`cargo xtask tidy --public` lists them)"
    );
    vec![Fault::new(FRONT, 1, what)]
}

/// All public items, as `room::module::Name` of where they are written.
pub(crate) fn items(tree: &Tree) -> BTreeSet<String> {
    let modules: BTreeMap<Vec<&str>, Module<'_>> =
        tree.library().map(|(_, path, tokens)| (path, Module::read(tokens))).collect();
    let mut found = BTreeSet::new();
    Walk { modules: &modules, found: &mut found, seen: BTreeSet::new() }.all_of(&[]);
    found
}

/// What a file declares outside of functions, impls and inline modules.
#[derive(Default)]
struct Module<'a> {
    /// Every item, and whether it is `pub` without restriction.
    items: Vec<(&'a str, bool)>,
    /// Child modules, likewise.
    children: Vec<(&'a str, bool)>,
    /// `pub use`: the path and the name it gets.
    exports: Vec<(Vec<&'a str>, &'a str)>,
}

impl<'a> Module<'a> {
    fn read(tokens: &'a [Token]) -> Module<'a> {
        let mut module = Module::default();
        let (mut depth, mut at) = (0, 0);
        while at < tokens.len() {
            let token = &tokens[at];
            if ["{", "(", "["].iter().any(|mark| token.is_mark(mark)) {
                depth += 1;
            } else if ["}", ")", "]"].iter().any(|mark| token.is_mark(mark)) {
                depth -= 1;
            } else if depth == 0 && !token.in_test {
                module.declaration(tokens, at);
            }
            at += 1;
        }
        module
    }

    /// Takes note of the item whose keyword is at this place, if one is.
    fn declaration(&mut self, tokens: &'a [Token], at: usize) {
        let word = |index: usize| tokens.get(index).map_or("", |token| token.text.as_str());
        // `pub unsafe const fn f`: what stands before the keyword.
        let mut first = at;
        while first > 0 && ["unsafe", "async", "const", "extern", "default"].contains(&word(first - 1)) {
            first -= 1;
        }
        let is_public = first > 0 && word(first - 1) == "pub";
        match word(at) {
            "mod" if word(at + 2) == ";" => self.children.push((word(at + 1), is_public)),
            "use" if is_public => {
                export(tokens, at + 1, &mut Vec::new(), &mut self.exports);
            }
            "const" if word(at + 1) == "fn" => {}
            kind if KINDS.contains(&kind) => self.items.push((word(at + 1), is_public)),
            _ => {}
        }
    }
}

/// Reads a `use` tree that begins at this place; says where it ends.
fn export<'a>(
    tokens: &'a [Token],
    mut at: usize,
    path: &mut Vec<&'a str>,
    exports: &mut Vec<(Vec<&'a str>, &'a str)>,
) -> usize {
    let depth = path.len();
    let word = |index: usize| tokens.get(index).map_or("", |token| token.text.as_str());
    loop {
        match word(at) {
            "::" => at += 1,
            "{" => {
                at += 1;
                while word(at) != "}" && at < tokens.len() {
                    at = export(tokens, at, path, exports);
                    at += usize::from(word(at) == ",");
                }
                at += 1;
                break;
            }
            "as" => {
                if let Some((_, name)) = exports.last_mut() {
                    *name = word(at + 1);
                }
                at += 2;
            }
            "," | ";" | "}" | "" => break,
            name => {
                path.push(name);
                if word(at + 1) != "::" {
                    let name = if name == "self" { path[path.len() - 2] } else { name };
                    let named: Vec<&str> = path.iter().copied().filter(|part| *part != "self").collect();
                    exports.push((named, name));
                }
                at += 1;
            }
        }
    }
    path.truncate(depth);
    at
}

struct Walk<'w, 'a> {
    modules: &'w BTreeMap<Vec<&'a str>, Module<'a>>,
    found: &'w mut BTreeSet<String>,
    /// Modules and exports that have been followed.
    seen: BTreeSet<(Vec<&'a str>, &'a str)>,
}

impl<'a> Walk<'_, 'a> {
    /// Everything that is public in a module.
    fn all_of(&mut self, path: &[&'a str]) {
        let Some(module) = self.modules.get(path) else { return };
        if !self.seen.insert((path.to_vec(), "*")) {
            return;
        }
        for (name, _) in module.items.iter().filter(|(_, is_public)| *is_public) {
            self.count(path, name);
        }
        for (child, _) in module.children.iter().filter(|(_, is_public)| *is_public) {
            self.all_of(&[path, &[*child]].concat());
        }
        for (target, _) in &module.exports {
            self.follow(path, target);
        }
    }

    fn count(&mut self, path: &[&str], name: &str) {
        self.found.insert([path, &[name]].concat().join("::"));
    }

    /// What a `pub use` in a module leads to; what lies in other crates is theirs.
    fn follow(&mut self, path: &[&'a str], target: &[&'a str]) {
        let mut place = path.to_vec();
        let mut parts = target.iter().copied().peekable();
        match parts.peek().copied() {
            Some("crate") => {
                place.clear();
                parts.next();
            }
            Some("super") => {
                while parts.next_if_eq(&"super").is_some() {
                    place.pop();
                }
            }
            _ => {}
        }
        let parts: Vec<&str> = parts.collect();
        let Some((last, between)) = parts.split_last() else { return };
        place.extend(between);
        if *last == "*" {
            return self.all_of(&place);
        }
        let child = [place.as_slice(), &[*last]].concat();
        if self.modules.contains_key(&child) && !self.has(&place, last) {
            return self.all_of(&child);
        }
        let Some(module) = self.modules.get(&place) else { return };
        if self.has(&place, last) {
            self.count(&place, last);
        } else if self.seen.insert((place.clone(), last)) {
            let further: Vec<_> = module.exports.iter().filter(|(_, exported)| exported == last).collect();
            for (target, _) in further {
                self.follow(&place, target);
            }
        }
    }

    fn has(&self, path: &[&str], name: &str) -> bool {
        self.modules.get(path).is_some_and(|module| module.items.iter().any(|(item, _)| *item == name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree;
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(String, &str)> =
            files.iter().map(|(path, text)| (format!("crates/milepost/src/{path}"), *text)).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        items(&tree(&files)).into_iter().collect()
    }

    #[test]
    fn what_is_public_in_public_modules_counts_and_what_is_inside_items_does_not() {
        let room = "pub struct A { pub a: u8 }\nimpl A { pub fn f() { pub const X: u8 = 1; } }\npub const fn g() {}\n\
                    pub(crate) struct B;\nstruct C;\npub const D: [u8; 1] = [1];\npub unsafe trait E {}\nfn h() {}\n\
                    #[cfg(test)] mod tests { pub fn i() {} }\npub enum F { G, H(u8) }";
        let files =
            [("lib.rs", "pub mod room; mod hidden;"), ("room.rs", room), ("hidden.rs", "pub struct J;")];
        assert_eq!(found(&files), ["room::A", "room::D", "room::E", "room::F", "room::g"]);
    }

    #[test]
    fn exports_are_followed_to_where_an_item_is_written_and_count_once() {
        let files = [
            (
                "lib.rs",
                "mod a; pub mod b; pub use crate::a::{One, deep::{self, Two as Renamed}}; pub use b::Three;",
            ),
            ("a/mod.rs", "mod deep; pub(crate) use other::X; pub use deep::One; pub struct Unseen;"),
            ("a/deep.rs", "pub struct One; pub struct Two; pub fn four() {}"),
            ("b.rs", "pub use super::a::deep::*; pub struct Three; pub use std::fmt::Debug;"),
        ];
        assert_eq!(found(&files), ["a::deep::One", "a::deep::Two", "a::deep::four", "b::Three"]);
    }
}

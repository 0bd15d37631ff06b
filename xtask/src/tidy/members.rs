//! Which names belong to which type or trait: functions, constants, fields and variants.

use super::tokens::{Kind, Token};
use std::collections::BTreeSet;

/// The names of a type or trait that a file gives it, as pairs of both. Words of the types of fields are taken for fields.
pub(super) fn members(tokens: &[Token]) -> BTreeSet<(&str, &str)> {
    let mut members = BTreeSet::new();
    for at in 0..tokens.len() {
        let is_impl = tokens[at].is_word("impl") && begins_item(tokens, at);
        let names_functions = is_impl || tokens[at].is_word("trait");
        if !names_functions && !["struct", "enum"].iter().any(|word| tokens[at].is_word(word)) {
            continue;
        }
        let rest = &tokens[at + 1..];
        let length = rest.iter().position(|token| token.is_mark("{") || token.is_mark(";"));
        let Some((head, body)) = length.map(|length| rest.split_at(length)) else { continue };
        let types =
            if is_impl { implemented(head) } else { head.iter().map(word).take(1).flatten().collect() };
        for name in named(body, names_functions) {
            members.extend(types.iter().map(|owner| (*owner, name)));
        }
    }
    members
}

/// Whether an item begins here: `impl` is a word of signatures too.
fn begins_item(tokens: &[Token], at: usize) -> bool {
    let ends = ["}", "{", ";", "]"];
    at == 0 || ends.iter().any(|end| tokens[at - 1].is_mark(end)) || tokens[at - 1].is_word("unsafe")
}

fn word(token: &Token) -> Option<&str> {
    (token.kind == Kind::Word).then_some(token.text.as_str())
}

/// The trait, if there is one, and the type of `impl<..> Trait<..> for Type<..> where ..`.
fn implemented(head: &[Token]) -> Vec<&str> {
    let mut depth = 0;
    let mut outside = Vec::new();
    for (index, token) in head.iter().enumerate() {
        let is_arrow = token.is_mark(">") && index > 0 && head[index - 1].is_mark("-");
        depth += i32::from(token.is_mark("<")) - i32::from(token.is_mark(">") && !is_arrow);
        if depth == 0 {
            outside.push(token);
        }
    }
    let outside: Vec<&Token> = outside.into_iter().take_while(|token| !token.is_word("where")).collect();
    outside.split(|token| token.is_word("for")).filter_map(last_word).collect()
}

/// The name at the end of a path, before what is added to it.
fn last_word<'a>(part: &[&'a Token]) -> Option<&'a str> {
    let path = part.split(|token| token.is_mark("+")).next().unwrap_or_default();
    path.iter().rev().find_map(|token| word(token))
}

/// The names that the body of an item gives: what follows `fn`, `const` and `type`, or every word of a struct or an enum.
fn named(body: &[Token], are_functions: bool) -> Vec<&str> {
    let mut depth = 0;
    let mut names = Vec::new();
    for (index, token) in body.iter().enumerate() {
        if token.is_mark("{") {
            depth += 1;
        } else if token.is_mark("}") {
            depth -= 1;
        }
        if depth == 0 {
            break;
        }
        let is_named = !are_functions
            || ["fn", "const", "type"].iter().any(|keyword| index > 0 && body[index - 1].is_word(keyword));
        if depth == 1 && is_named {
            names.extend(word(token));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn names_belong_to_the_types_and_traits_that_have_them() {
        let text = "pub struct A<T> { first: T }\nenum B { C { second: u8 }, D }\nunit!();\n\
                    impl<T: Fn() -> u8> std::fmt::Show for A<T> where T: Copy { fn show(&self) { fn inner() {} } }\n\
                    impl dyn Agent + '_ { pub fn step(&self, of: impl Copy) {} }\ntrait E { const N: u8; fn f(); }\n\
                    fn g(h: impl E) { let k = 1; }";
        let tokens = tokens(text).expect("Rust");
        let members = members(&tokens);
        for pair in [
            ("A", "first"),
            ("B", "D"),
            ("A", "show"),
            ("Show", "show"),
            ("Agent", "step"),
            ("E", "N"),
            ("E", "f"),
        ] {
            assert!(members.contains(&pair), "{pair:?}: {members:?}");
        }
        for pair in [("A", "inner"), ("B", "second"), ("E", "k"), ("E", "g"), ("Copy", "step")] {
            assert!(!members.contains(&pair), "{pair:?}: {members:?}");
        }
    }
}

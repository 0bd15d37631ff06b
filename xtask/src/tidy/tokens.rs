//! Rust source as a flat list of tokens: no comments, and of strings only that there was one.
//!
//! What the rules need to know about the place of a token is worked out here once: its line, whether it
//! belongs to test code, and how many inline modules surround it.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// What a token is, as far as the rules care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A keyword or a name.
    Word,
    /// A string, number or other literal.
    Literal,
    /// Punctuation and brackets; `::` is one token.
    Mark,
}

/// One token and its place.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    pub(crate) line: usize,
    /// Compiled for tests only.
    pub(crate) in_test: bool,
    /// How many `mod name { ... }` of the file surround it.
    pub(crate) inline_modules: usize,
}

impl Token {
    /// Is it this keyword or name?
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }

    /// Is it this punctuation or bracket?
    pub(crate) fn is_mark(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }

    /// The contents of a plain string literal.
    pub(crate) fn string(&self) -> Option<&str> {
        if self.kind != Kind::Literal {
            return None;
        }
        self.text.strip_prefix('"')?.strip_suffix('"')
    }
}

/// The tokens of a file, or the line and the reason why it cannot be read.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, (usize, String)> {
    let stream: TokenStream = text
        .parse()
        .map_err(|error: proc_macro2::LexError| (error.span().start().line, error.to_string()))?;
    let mut out = Vec::new();
    flatten(stream, Scope { in_test: false, inline_modules: 0 }, &mut out);
    Ok(out)
}

/// Where the names of a path lead after `crate::` or `std::`: the token at `start` and, in a group
/// `{a::b, c}`, the first token of each member.
pub(crate) fn first_segments(tokens: &[Token], start: usize) -> Vec<usize> {
    let Some(first) = tokens.get(start) else { return Vec::new() };
    if !first.is_mark("{") {
        return vec![start];
    }
    let mut found = Vec::new();
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token.text.as_str() {
            "{" if token.kind == Kind::Mark => depth += 1,
            "}" if token.kind == Kind::Mark => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        let begins_member = depth == 1 && (index == start || token.is_mark(","));
        if begins_member && tokens.get(index + 1).is_some_and(|next| !next.is_mark("}")) {
            found.extend(first_segments(tokens, index + 1));
        }
    }
    found
}

#[derive(Clone, Copy)]
struct Scope {
    in_test: bool,
    inline_modules: usize,
}

fn flatten(stream: TokenStream, scope: Scope, out: &mut Vec<Token>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    // Trees before this position belong to an item that only tests see.
    let mut test_until = 0;
    for (position, tree) in trees.iter().enumerate() {
        if let Some(attribute) = attribute_at(&trees, position).filter(|attribute| attribute.only_for_tests) {
            let end = if attribute.is_inner { trees.len() } else { item_end(&trees, position) };
            test_until = test_until.max(end);
        }
        let in_test = scope.in_test || position < test_until;
        let mut push = |kind, text: String, line| {
            out.push(Token { kind, text, line, in_test, inline_modules: scope.inline_modules });
        };
        let line = tree.span().start().line;
        match tree {
            // `pub(crate)` and its like are one word, which is not `pub`.
            TokenTree::Ident(name) if is_visibility(&trees, position + 1) => {
                push(Kind::Word, format!("{name}(..)"), line);
            }
            TokenTree::Ident(name) => push(Kind::Word, name.to_string(), line),
            TokenTree::Literal(literal) => push(Kind::Literal, literal.to_string(), line),
            TokenTree::Punct(mark) if mark.as_char() == ':' && is_second_colon(&trees, position) => {}
            TokenTree::Punct(mark) if mark.as_char() == ':' && is_second_colon(&trees, position + 1) => {
                push(Kind::Mark, "::".to_owned(), line);
            }
            TokenTree::Punct(mark) => push(Kind::Mark, mark.as_char().to_string(), line),
            TokenTree::Group(_) if is_visibility(&trees, position) => {}
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::None => ("", ""),
                };
                let is_module = open == "{" && position >= 2 && is_word(trees.get(position - 2), "mod");
                let inner = Scope { in_test, inline_modules: scope.inline_modules + usize::from(is_module) };
                push(Kind::Mark, open.to_owned(), line);
                flatten(group.stream(), inner, out);
                out.push(Token {
                    kind: Kind::Mark,
                    text: close.to_owned(),
                    line: group.span_close().start().line,
                    in_test,
                    inline_modules: scope.inline_modules,
                });
            }
        }
    }
}

/// `::` comes as two colons, of which the first is joined to the second.
fn is_second_colon(trees: &[TokenTree], position: usize) -> bool {
    let colon = |index: usize| match trees.get(index) {
        Some(TokenTree::Punct(mark)) if mark.as_char() == ':' => Some(mark.spacing()),
        _ => None,
    };
    position > 0 && colon(position).is_some() && colon(position - 1) == Some(Spacing::Joint)
}

/// The bracket of `pub(crate)` or `pub(in crate::plan)`: it uses nothing.
fn is_visibility(trees: &[TokenTree], position: usize) -> bool {
    let Some(TokenTree::Group(group)) = trees.get(position) else { return false };
    if position == 0 || !is_word(trees.get(position - 1), "pub") {
        return false;
    }
    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
    group.delimiter() == Delimiter::Parenthesis
        && (is_word(inside.first(), "in")
            || inside.len() == 1
                && ["crate", "super", "self"].iter().any(|word| is_word(inside.first(), word)))
}

struct Attribute {
    is_inner: bool,
    only_for_tests: bool,
    /// The position after its bracket.
    end: usize,
}

fn attribute_at(trees: &[TokenTree], position: usize) -> Option<Attribute> {
    if !is_punct(trees.get(position), '#') {
        return None;
    }
    let is_inner = is_punct(trees.get(position + 1), '!');
    let bracket = position + 1 + usize::from(is_inner);
    let Some(TokenTree::Group(group)) = trees.get(bracket) else { return None };
    if group.delimiter() != Delimiter::Bracket {
        return None;
    }
    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
    let only_for_tests = match inside.as_slice() {
        [TokenTree::Ident(name)] => name == "test",
        [TokenTree::Ident(name), TokenTree::Group(condition)] if name == "cfg" => {
            let condition: Vec<TokenTree> = condition.stream().into_iter().collect();
            requires_test(&condition)
        }
        _ => false,
    };
    Some(Attribute { is_inner, only_for_tests, end: bracket + 1 })
}

/// Can this `cfg` condition hold in tests only?
fn requires_test(condition: &[TokenTree]) -> bool {
    match condition {
        [TokenTree::Ident(name)] => name == "test",
        [TokenTree::Ident(name), TokenTree::Group(group)] => {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            let mut parts =
                inside.split(|tree| is_punct(Some(tree), ',')).filter(|part| !part.is_empty()).peekable();
            match name.to_string().as_str() {
                "all" => parts.any(requires_test),
                "any" => parts.peek().is_some() && parts.all(requires_test),
                _ => false,
            }
        }
        _ => false,
    }
}

/// The position after the item (or field, arm, statement) whose attributes begin at `position`.
fn item_end(trees: &[TokenTree], mut position: usize) -> usize {
    while let Some(attribute) = attribute_at(trees, position) {
        position = attribute.end;
    }
    if is_word(trees.get(position), "pub") {
        position += 1 + usize::from(is_visibility(trees, position + 1));
    }
    let first = match trees.get(position) {
        Some(TokenTree::Ident(word)) => word.to_string(),
        _ => String::new(),
    };
    let ends_with_semicolon = ["use", "let", "static", "type"].contains(&first.as_str())
        || first == "const" && !is_word(trees.get(position + 1), "fn");
    let has_body = [
        "mod",
        "fn",
        "impl",
        "struct",
        "enum",
        "union",
        "const",
        "trait",
        "unsafe",
        "async",
        "extern",
        "macro_rules",
    ]
    .contains(&first.as_str());
    let ends = |tree: &TokenTree| match tree {
        TokenTree::Punct(mark) if mark.as_char() == ';' => true,
        TokenTree::Punct(mark) if mark.as_char() == ',' => !ends_with_semicolon && !has_body,
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !ends_with_semicolon,
        _ => false,
    };
    trees.iter().skip(position).position(ends).map_or(trees.len(), |offset| position + offset + 1)
}

fn is_word(tree: Option<&TokenTree>, word: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(name)) if name == word)
}

fn is_punct(tree: Option<&TokenTree>, mark: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that are not test code.
    fn living(text: &str) -> Vec<String> {
        let all = tokens(text).expect("the example is Rust");
        all.into_iter()
            .filter(|token| token.kind == Kind::Word && !token.in_test)
            .map(|token| token.text)
            .collect()
    }

    #[test]
    fn comments_and_strings_hide_what_they_say() {
        let words = living("// alpha\n/* beta /* gamma */ */ /// delta\nconst A: &str = \"epsilon\";");
        assert!(!words.iter().any(|word| ["alpha", "beta", "gamma", "epsilon"].contains(&word.as_str())));
    }

    #[test]
    fn only_what_tests_alone_compile_counts_as_test_code() {
        let hidden = [
            "#[cfg(test)] mod tests { use alpha; }",
            "#[cfg(test)] use {alpha, alpha};",
            "#[cfg(all(test, feature = \"maps\"))] pub(crate) fn f<A, B>() { alpha }",
            "#[test] fn f() { alpha }",
            "#![cfg(test)] fn f() { alpha }",
            "struct S { #[cfg(test)] alpha: u8, beta: u8 }",
        ];
        for text in hidden {
            assert!(!living(text).contains(&"alpha".to_owned()), "{text}");
        }
        let shown = [
            "#[cfg(not(test))] fn f() { alpha }",
            "#[cfg(any(test, feature = \"maps\"))] fn f() { alpha }",
            "#[cfg(test)] mod tests { } fn f() { alpha }",
            "#[cfg(test)] use beta; use alpha;",
            "struct S { #[cfg(test)] beta: u8, alpha: u8 }",
        ];
        for text in shown {
            assert!(living(text).contains(&"alpha".to_owned()), "{text}");
        }
    }

    #[test]
    fn grouped_paths_give_the_first_name_of_each_member() {
        let all =
            tokens("use crate::{core::{Cost, Budget}, plan, space::grid::*,};").expect("the example is Rust");
        let found: Vec<&str> =
            first_segments(&all, 3).into_iter().map(|index| all[index].text.as_str()).collect();
        assert_eq!(found, ["core", "plan", "space"]);
    }

    #[test]
    fn inline_modules_are_counted() {
        let all = tokens("mod a { mod b { here } }").expect("the example is Rust");
        let here = all.iter().find(|token| token.is_word("here")).expect("it is there");
        assert_eq!(here.inline_modules, 2);
    }
}

//! The algorithm files: which modules of `plan` and `agent` hold a planner or an agent, and that each opens
//! with docs that name its paper and its guarantees.

use super::tokens::Token;
use super::{Fault, Tree};

const SECTIONS: [&str; 2] = ["# Paper", "# Guarantees"];

/// A module that implements a planner or an agent: `plan/NAME.rs`, or a folder `plan/NAME/`.
pub(super) struct Algorithm<'a> {
    pub(super) room: &'a str,
    pub(super) module: &'a str,
    /// The file that implements it, and the line.
    pub(super) path: &'a str,
    pub(super) line: usize,
}

/// All algorithms, one for each module.
pub(super) fn algorithms(tree: &Tree) -> Vec<Algorithm<'_>> {
    let mut found: Vec<Algorithm<'_>> = Vec::new();
    for (path, modules, tokens) in tree.library() {
        let (room, module) = match modules.as_slice() {
            [room @ ("plan" | "agent"), module, ..] => (*room, *module),
            _ => continue,
        };
        let traits: &[&str] = if room == "plan" { &["Planner", "ToOne"] } else { &["Agent", "Scout"] };
        let is_known = found.iter().any(|known| known.room == room && known.module == module);
        if let Some(line) = implementation(tokens, traits).filter(|_| !is_known) {
            found.push(Algorithm { room, module, path, line });
        }
    }
    found
}

/// The line of `impl Trait for Type`, outside tests. Only a header of an impl has a name before `for`. An impl for all
/// types of another trait, or for what holds any other algorithm, is none itself: those types are.
fn implementation(tokens: &[Token], traits: &[&str]) -> Option<usize> {
    let is_header = |&at: &usize| {
        let (name, of) = (&tokens[at], &tokens[at + 2]);
        let parameters = tokens[..at].iter().rev().take_while(|token| !token.is_word("impl"));
        traits.iter().any(|wanted| name.is_word(wanted))
            && tokens[at + 1].is_word("for")
            && !name.in_test
            && !parameters
                .map(|token| &token.text)
                .any(|parameter| *parameter == of.text || traits.contains(&parameter.as_str()))
    };
    (0..tokens.len().saturating_sub(2)).find(is_header).map(|at| tokens[at].line)
}

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for algorithm in algorithms(tree) {
        let place = format!("crates/milepost/src/{}/{}", algorithm.room, algorithm.module);
        let candidates = [format!("{place}.rs"), format!("{place}/mod.rs")];
        let Some((path, text)) = candidates.iter().find_map(|path| Some((path, tree.text(path)?))) else {
            let what = format!("the algorithm has no {place}/mod.rs: put its idea there");
            faults.push(Fault::new(algorithm.path, algorithm.line, what));
            continue;
        };
        let docs: Vec<&str> =
            text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
        for section in SECTIONS {
            if !docs.contains(&section) {
                let what = format!("the `//!` docs at the top lack `{section}`: add that section");
                faults.push(Fault::new(path, 1, what));
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

    const GOOD: &str = "//! Idea.\n//!\n//! # Paper\n//! X\n//! # Guarantees\n//! Y\n\nimpl Planner for A {}";

    #[test]
    fn an_algorithm_must_name_its_paper_and_its_guarantees() {
        let bad = tree(&[
            ("crates/milepost/src/plan/a.rs", "//! Idea.\n//! # Guarantees\nimpl Planner for A {}"),
            ("crates/milepost/src/agent/b.rs", "impl<S> crate::agent::Scout for B<S> {}"),
            ("crates/milepost/src/plan/d.rs", "//! Idea.\n//! # Paper\nimpl ToOne for D {}"),
            ("crates/milepost/src/agent/c/walk.rs", "impl Agent for C {}"),
            ("crates/milepost/src/agent/c/mod.rs", "fn f() {}\n//! # Paper\n"),
        ]);
        let faults = shown(&faults(&bad));
        assert_eq!(faults.iter().filter(|fault| fault.contains("plan/a.rs:1: ")).count(), 1, "{faults:?}");
        assert_eq!(faults.iter().filter(|fault| fault.contains("agent/b.rs:1: ")).count(), 2, "{faults:?}");
        assert_eq!(faults.iter().filter(|fault| fault.contains("plan/d.rs:1: ")).count(), 1, "{faults:?}");
        assert_eq!(
            faults.iter().filter(|fault| fault.contains("agent/c/mod.rs:1: ")).count(),
            2,
            "{faults:?}"
        );
    }

    #[test]
    fn documented_algorithms_helpers_and_tests_are_fine() {
        let clean = tree(&[
            ("crates/milepost/src/plan/a.rs", GOOD),
            ("crates/milepost/src/plan/b/mod.rs", GOOD),
            ("crates/milepost/src/plan/mod.rs", "impl<P: Planner> Planner for &P {}"),
            ("crates/milepost/src/plan/one_by_one.rs", "trait ToOne {}\nimpl<P: ToOne> Planner for P {}"),
            ("crates/milepost/src/plan/helper.rs", "fn f(planner: &dyn Planner) { for x in y {} }"),
            ("crates/milepost/src/plan/c.rs", "#[cfg(test)] mod tests { impl Planner for A {} }"),
        ]);
        assert_eq!(shown(&faults(&clean)), [""; 0]);
    }
}

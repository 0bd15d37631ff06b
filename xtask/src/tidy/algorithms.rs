//! The algorithm files: each file of `plan` and `agent` that implements a planner or an agent opens with docs that name
//! its paper, the paper's symbols, its guarantees and where it deviates; in a folder, `mod.rs` may say it for all its parts.

use super::tokens::Token;
use super::{Fault, Tree};

const SECTIONS: [&str; 4] = ["# Paper", "# Symbols", "# Guarantees", "# Deviations"];
/// What a planner or an agent implements.
const TRAITS: [(&str, &[&str]); 2] = [
    ("plan", &["Planner", "SingleGoalPlanner", "PointPlanner"]),
    ("agent", &["Agent", "Algorithm", "LearningRule"]),
];

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
    for (path, modules, tokens) in tree.library() {
        let room = modules.first().copied().unwrap_or_default();
        let Some((_, traits)) = TRAITS.iter().find(|(name, _)| *name == room) else { continue };
        let Some(line) = implementation(tokens, traits) else { continue };
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let docs = |path: &str| -> Vec<&str> {
            let text = tree.text(path).unwrap_or_default();
            text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect()
        };
        let (own, above) = (docs(path), docs(&format!("{folder}/mod.rs")));
        for section in SECTIONS.iter().filter(|section| !own.contains(section) && !above.contains(section)) {
            let what = format!("an algorithm whose `//!` docs at the top lack `{section}`: add that section");
            faults.push(Fault::new(path, line, what));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::super::tree::tree;
    use super::*;

    const GOOD: &str = "//! Idea.\n//!\n//! # Paper\n//! X\n//! # Symbols\n//! # Guarantees\n//! Y\n//! # Deviations\n\n\
                        impl Planner for A {}";

    #[test]
    fn an_algorithm_must_have_all_sections() {
        let bad = tree(&[
            ("crates/milepost/src/plan/a.rs", "//! Idea.\n//! # Guarantees\nimpl Planner for A {}"),
            ("crates/milepost/src/agent/b.rs", "impl<S> crate::agent::Algorithm for B<S> {}"),
            ("crates/milepost/src/plan/d.rs", "//! Idea.\n//! # Paper\nimpl SingleGoalPlanner for D {}"),
            ("crates/milepost/src/agent/known/c.rs", "impl Algorithm for C {}"),
            ("crates/milepost/src/agent/known/mod.rs", "mod c;\n//! # Paper\n"),
        ]);
        let faults = shown(&faults(&bad));
        let count = |place: &str| faults.iter().filter(|fault| fault.contains(place)).count();
        assert_eq!((count("plan/a.rs:3: "), count("agent/b.rs:1: ")), (3, 4), "{faults:?}");
        assert_eq!((count("plan/d.rs:3: "), count("agent/known/c.rs:1: ")), (3, 4), "{faults:?}");
    }

    #[test]
    fn documented_algorithms_helpers_and_tests_are_fine() {
        let clean = tree(&[
            ("crates/milepost/src/plan/a.rs", GOOD),
            ("crates/milepost/src/plan/b/mod.rs", GOOD),
            ("crates/milepost/src/plan/b/part.rs", "impl Planner for Part {}"),
            ("crates/milepost/src/plan/mod.rs", "impl<P: Planner> Planner for &P {}"),
            ("crates/milepost/src/plan/base/multi_goal.rs", "impl<P: SingleGoalPlanner> Planner for P {}"),
            ("crates/milepost/src/plan/helper.rs", "fn f(planner: &dyn Planner) { for x in y {} }"),
            ("crates/milepost/src/plan/c.rs", "#[cfg(test)] mod tests { impl Planner for A {} }"),
        ]);
        assert_eq!(shown(&faults(&clean)), [""; 0]);
    }
}

//! The pages of docs/papers say where each system of a paper is and which test shows it. What they name must be there:
//! files in backticks below the library's sources, and tests, which are told by their long names.

use super::{Fault, Tree};

const FOLDER: &str = "docs/papers/";
const SOURCES: &str = "crates/milepost/src/";
/// A name in backticks with so many underscores is a test's: a sentence.
const FEWEST_UNDERSCORES: usize = 4;

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let functions = tree.functions();
    let mut faults = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| path.starts_with(FOLDER)) {
        for (number, line) in text.lines().enumerate() {
            for name in line.split('`').skip(1).step_by(2) {
                if name.ends_with(".rs") && tree.text(&format!("{SOURCES}{name}")).is_none() {
                    let what = format!("no file `{name}` below {SOURCES}: correct the name");
                    faults.push(Fault::new(path, number + 1, what));
                }
                if is_test_name(name) && !functions.contains(name) {
                    let what = format!("no test is called `{name}`: write it, or correct the name");
                    faults.push(Fault::new(path, number + 1, what));
                }
            }
        }
    }
    faults
}

fn is_test_name(name: &str) -> bool {
    let is_plain =
        name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
    is_plain && name.matches('_').count() >= FEWEST_UNDERSCORES
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::super::tree::tree;
    use super::*;

    fn check(page: &str) -> Vec<String> {
        let code = ("crates/milepost/src/plan/a.rs", "#[test] fn it_is_as_printed_here() {}");
        shown(&faults(&tree(&[("docs/papers/p.md", page), ("docs/other.md", "`plan/nosuch.rs`"), code])))
    }

    #[test]
    fn files_and_tests_that_exist_are_fine() {
        assert_eq!(check("`plan/a.rs`: `it_is_as_printed_here`, `a_short_name`, `bounds=on`"), [""; 0]);
    }

    #[test]
    fn files_and_tests_that_do_not_exist_are_refused() {
        assert_eq!(
            check("see\n`plan/b.rs`"),
            ["docs/papers/p.md:2: no file `plan/b.rs` below crates/milepost/src/: correct the name"]
        );
        assert_eq!(
            check("`it_is_not_as_printed`"),
            ["docs/papers/p.md:1: no test is called `it_is_not_as_printed`: write it, or correct the name"]
        );
    }
}

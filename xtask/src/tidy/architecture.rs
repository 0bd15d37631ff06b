//! ARCHITECTURE.md stays short, each invariant in it names the test that guards it:
//! "`I3` An index is never changed. (guard: `queries_leave_the_index_alone`)", and what it calls `Type::name` is there: a
//! function, a field or a variant of that type or trait.

use super::members::members;
use super::{Fault, Tree};
use std::collections::BTreeSet;

const PAGE: &str = "ARCHITECTURE.md";
const LONGEST: usize = 149;

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let Some(text) = tree.text(PAGE) else {
        return vec![Fault::new(PAGE, 1, "the page is missing: write down the rooms and the invariants")];
    };
    let mut faults = Vec::new();
    let length = text.lines().count();
    if length > LONGEST {
        let what = format!("{length} lines, at most {LONGEST} are read: move details beside the code");
        faults.push(Fault::new(PAGE, length, what));
    }
    let functions = tree.functions();
    for (line, name, invariant) in invariants(text) {
        let guards = guards(&invariant);
        if guards.is_empty() {
            faults.push(Fault::new(
                PAGE,
                line,
                format!("`{name}` has no (guard: `test_name`): name its test"),
            ));
        }
        for guard in guards.iter().filter(|guard| !functions.contains(guard.as_str())) {
            faults.push(Fault::new(
                PAGE,
                line,
                format!("no test is called `{guard}`: write it, or correct the name"),
            ));
        }
    }
    let known: BTreeSet<(&str, &str)> = tree.rust().flat_map(|(_, tokens)| members(tokens)).collect();
    for (line, owner, name) in paths(text) {
        let is_type = owner.starts_with(|first: char| first.is_ascii_uppercase());
        if !(if is_type { known.contains(&(owner, name)) } else { functions.contains(name) }) {
            faults.push(Fault::new(PAGE, line, format!("there is no `{owner}::{name}`: correct the name")));
        }
    }
    faults
}

/// What stands between backticks as `owner::name`, with its line; of longer paths the last two parts.
fn paths(text: &str) -> Vec<(usize, &str, &str)> {
    let is_of_path = |letter: char| letter == '_' || letter == ':' || letter.is_ascii_alphanumeric();
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for quoted in line.split('`').skip(1).step_by(2) {
            for path in quoted.split(|letter| !is_of_path(letter)) {
                let mut parts = path.rsplit("::");
                if let (Some(name), Some(owner)) = (parts.next(), parts.next()) {
                    found.push((index + 1, owner, name));
                }
            }
        }
    }
    found
}

/// Each invariant: its line, its name, and its text up to the next one or an empty line.
fn invariants(text: &str) -> Vec<(usize, String, String)> {
    let mut found: Vec<(usize, String, String)> = Vec::new();
    let mut is_open = false;
    for (index, line) in text.lines().enumerate() {
        if let Some(name) = invariant_name(line) {
            found.push((index + 1, name.to_owned(), line.to_owned()));
            is_open = true;
        } else if line.trim().is_empty() {
            is_open = false;
        } else if let Some((_, _, invariant)) = found.last_mut().filter(|_| is_open) {
            *invariant = format!("{invariant} {}", line.trim());
        }
    }
    found
}

/// `I3` if the line opens with it in backticks, be it a list item, a table row or a heading.
fn invariant_name(line: &str) -> Option<&str> {
    let opening =
        line.trim_start_matches(|letter: char| " -*|#.".contains(letter) || letter.is_ascii_digit());
    let (name, _) = opening.strip_prefix('`')?.split_once('`')?;
    let number = name.strip_prefix('I')?;
    let is_number = !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit());
    is_number.then_some(name)
}

/// The names in backticks after `guard:`, up to the closing bracket; of `plan::tests::name` the last part.
fn guards(invariant: &str) -> Vec<String> {
    let Some((_, list)) = invariant.split_once("guard:") else { return Vec::new() };
    let list = list.split(')').next().unwrap_or_default();
    let names = list.split('`').skip(1).step_by(2);
    names.filter_map(|name| name.rsplit("::").next()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::super::tree::tree;
    use super::*;

    fn check(page: &str) -> Vec<String> {
        let test = ("crates/milepost/tests/a.rs", "// fn only_said() {}\n#[test] fn it_holds() {}");
        shown(&faults(&tree(&[("ARCHITECTURE.md", page), test])))
    }

    #[test]
    fn guarded_invariants_in_any_layout_are_fine() {
        let page = "# Rooms\n\n- `I1` A thing\n  holds (guard: `it_holds`).\n- **x** see `I7`\n\n\
                    | `I2` | holds | (guard: `tests::it_holds`, `it_holds`) |\n";
        assert_eq!(check(page), [""; 0]);
    }

    #[test]
    fn an_invariant_without_a_guard_is_refused() {
        let faults = check("`I1` holds (guard: `it_holds`)\n`I2` holds\n\n(guard: `it_holds`)\n");
        assert_eq!(faults, ["ARCHITECTURE.md:2: `I2` has no (guard: `test_name`): name its test"]);
    }

    #[test]
    fn a_guard_that_does_not_exist_is_refused() {
        assert_eq!(check("- `I1` holds (guard: `it_holds`, `nosuch`)").len(), 1);
        assert_eq!(check("- `I1` holds (guard: `only_said`)").len(), 1);
    }

    #[test]
    fn what_a_type_does_not_have_is_refused() {
        let code = (
            "crates/milepost/src/a.rs",
            "struct Run { aim: u8 }\nimpl Run { fn visit() {} }\nfn search() {}",
        );
        let check = |page: &str| shown(&faults(&tree(&[("ARCHITECTURE.md", page), code])));
        assert_eq!(check("`Run::visit(x)` -> `Run::aim`, `plan::search`, `a::Run::visit`"), [""; 0]);
        let expected = ["ARCHITECTURE.md:2: there is no `Run::search`: correct the name"];
        assert_eq!(check("a\nas `it(Run::search())` does"), expected);
        assert_eq!(check("`plan::visited`").len(), 1);
    }

    #[test]
    fn a_long_or_missing_page_is_refused() {
        assert_eq!(check(&"line\n".repeat(149)).len(), 0);
        assert_eq!(check(&"line\n".repeat(150)).len(), 1);
        assert_eq!(faults(&tree(&[])).len(), 1);
    }
}

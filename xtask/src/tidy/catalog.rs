//! What `milepost list` prints and what the README's tables show are the same names: every planner, agent and index has
//! a row, and no row is left of what is gone. `list` prints the registries, and its snapshot is a test.

use super::{Fault, Tree};
use std::collections::BTreeSet;

const README: &str = "README.md";
const SNAPSHOT: &str = "crates/milepost-cli/tests/it/snapshots/list.snap";

/// The heading in the README and the word in what `list` prints under which the same names stand.
const PLACES: [(&str, &str); 3] =
    [("## Planners", "PLANNERS"), ("## Agents", "AGENTS"), ("## Index files", "INDEXES")];

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let Some(readme) = tree.text(README) else { return Vec::new() };
    let Some(snapshot) = tree.text(SNAPSHOT) else {
        let what = "there is no snapshot of what `list` prints: write that test, then `cargo xtask golden`";
        return vec![Fault::new(SNAPSHOT, 1, what)];
    };
    let mut faults = Vec::new();
    for (heading, word) in PLACES {
        let rows = rows(readme, heading);
        let listed = listed(snapshot, word);
        for (line, name) in &listed {
            if !rows.iter().any(|(_, row)| row == name) {
                let what = format!(
                    "`{name}` is in no table of README.md under `{heading}`: add a row that begins with `{name}`"
                );
                faults.push(Fault::new(SNAPSHOT, *line, what));
            }
        }
        for (line, name) in &rows {
            if !listed.iter().any(|(_, entry)| entry == name) {
                let what = format!(
                    "`{name}` is not what `list` prints under {word}: remove the row, or `cargo xtask golden`"
                );
                faults.push(Fault::new(README, *line, what));
            }
        }
    }
    faults
}

/// All names that users give: those that the README's tables show.
pub(super) fn names(tree: &Tree) -> BTreeSet<String> {
    let readme = tree.text(README).unwrap_or_default();
    PLACES.iter().flat_map(|(heading, _)| rows(readme, heading)).map(|(_, name)| name.to_owned()).collect()
}

/// The rows under a heading of the README that begin with a name in backticks, with their lines.
fn rows<'a>(readme: &'a str, heading: &str) -> Vec<(usize, &'a str)> {
    let lines = part(readme, |line| line.starts_with(heading), |line| line.starts_with("## "));
    let name = |line: &'a str| line.strip_prefix("| `")?.split('`').next();
    lines.filter_map(|(number, line)| Some((number, name(line)?))).collect()
}

/// The names that `list` prints under headings that begin with a word in capitals: lines that are a name alone.
fn listed<'a>(snapshot: &'a str, word: &str) -> Vec<(usize, &'a str)> {
    let is_heading =
        |line: &str| line.len() > 3 && line.bytes().take(4).all(|letter| letter.is_ascii_uppercase());
    let is_name = |line: &str| {
        line.starts_with(|letter: char| letter.is_ascii_lowercase())
            && line.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-')
    };
    part(snapshot, |line| line.starts_with(word), is_heading).filter(|(_, line)| is_name(line)).collect()
}

/// The lines of a text, with their numbers, after a heading that is wanted and before one that is not.
fn part(
    text: &str,
    is_wanted: impl Fn(&str) -> bool,
    is_heading: impl Fn(&str) -> bool,
) -> impl Iterator<Item = (usize, &str)> {
    let mut is_inside = false;
    text.lines().enumerate().map(|(index, line)| (index + 1, line)).filter(move |(_, line)| {
        if is_heading(line) {
            is_inside = is_wanted(line);
            return false;
        }
        is_inside
    })
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::super::tree::tree;
    use super::*;

    const ROWS: &str =
        "## Planners\n| `astar` | `h=zero` |\n| `jps` | |\n## Agents\n| `lrta` | |\n## Index files\n";
    const LIST: &str = "exit 0\nPLANNERS, as NAME\n\nastar\n  plain\n\njps\n\nAGENTS that know\n\nlrta\n  learns\n\
                        AGENTS that see\n\nlrta\n\nRULES for --moves\n\noctile\n";

    fn check(readme: &str, list: &str) -> Vec<String> {
        shown(&faults(&tree(&[(README, readme), (SNAPSHOT, list)])))
    }

    #[test]
    fn a_page_that_shows_what_is_listed_is_clean() {
        assert_eq!(check(ROWS, LIST), [""; 0]);
    }

    #[test]
    fn a_name_without_a_row_under_its_heading_is_refused() {
        let faults = check(&ROWS.replace("| `jps` | |\n", ""), LIST);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with(&format!("{SNAPSHOT}:7: `jps` is in no table")), "{faults:?}");
        // A planner does not speak for an agent of its name.
        assert_eq!(
            check(&ROWS.replace("`lrta`", "`rtaa`"), &LIST.replace("\njps\n", "\njps\n\nlrta\n")).len(),
            4
        );
    }

    #[test]
    fn a_row_of_what_is_gone_is_refused() {
        let faults = check(ROWS, &LIST.replace("\njps\n", "\n"));
        assert_eq!(
            faults,
            ["README.md:3: `jps` is not what `list` prints under PLANNERS: remove the row, or \
                             `cargo xtask golden`"]
        );
    }

    #[test]
    fn a_missing_snapshot_is_refused() {
        assert_eq!(faults(&tree(&[(README, ROWS)])).len(), 1);
    }
}

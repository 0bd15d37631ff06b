//! Every planner, agent and index is shown: in the catalog, in what `milepost list` prints (its snapshot), and in a
//! table of the README. A name may belong to a planner, an agent and an index: each must be shown as what it is.

use super::algorithms::algorithms;
use super::tokens::Token;
use super::{Fault, Tree};

const SNAPSHOTS: &str = "crates/milepost-cli/tests/it/snapshots/";

/// For the entries of a room: the heading in the README and the word in what `list` prints under which they are shown.
const PLACES: [(&str, &str, &str); 3] = [
    ("plan", "## Planners", "PLANNERS"),
    ("agent", "## Agents", "AGENTS"),
    ("index", "## Index files", "INDEXES"),
];

/// `PlannerEntry { name: "weighted-astar", module: "weighted_astar", ... }`
struct Entry<'a> {
    path: &'a str,
    line: usize,
    name: &'a str,
    module: &'a str,
    /// The room its struct is about; none if its name does not say.
    room: Option<&'static str>,
}

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    let entries = entries(tree);
    let algorithms = algorithms(tree);
    for algorithm in &algorithms {
        let is_listed = entries.iter().any(|entry| {
            entry.module == algorithm.module && entry.room.is_none_or(|room| room == algorithm.room)
        });
        if !is_listed {
            let module = algorithm.module;
            let what = format!("`{module}` is not in the catalog: add an entry with `module: \"{module}\"`");
            faults.push(Fault::new(algorithm.path, algorithm.line, what));
        }
    }

    let snapshots: Vec<&str> =
        tree.texts().filter(|(path, _)| is_list_snapshot(path)).map(|(_, text)| text).collect();
    if snapshots.is_empty() && !entries.is_empty() {
        let what =
            "no snapshot *list*.snap of what `list` prints: write that test, then `cargo xtask golden`";
        faults.push(Fault::new(SNAPSHOTS, 1, what));
    }
    let readme = tree.text("README.md").unwrap_or_default();
    for entry in &entries {
        let (path, line, name, module) = (entry.path, entry.line, entry.name, entry.module);
        let is_there = |algorithm: &super::algorithms::Algorithm<'_>| {
            algorithm.module == module && entry.room.is_none_or(|room| room == algorithm.room)
        };
        let (is_there, holds) = match entry.room {
            Some("index") => (is_layout(tree, module), "layout in index/layouts/"),
            room => (room.is_none() || algorithms.iter().any(is_there), "planner or agent"),
        };
        if !is_there {
            let what = format!("module `{module}` holds no {holds}: correct or remove the entry");
            faults.push(Fault::new(path, line, what));
        }
        let place = PLACES.iter().find(|(room, ..)| entry.room == Some(room));
        let (heading, word) = place.map_or(("", ""), |(_, heading, word)| (heading, word));
        let is_row = |line: &&str| line.trim_start().starts_with('|');
        let in_readme = part(readme, heading, |line| line.starts_with("## "));
        if !in_readme.filter(is_row).any(|row| row.contains(&format!("`{name}`"))) {
            let what = format!(
                "`{name}` is in no table of README.md under `{heading}`: add a row with `{name}` in backticks"
            );
            faults.push(Fault::new(path, line, what));
        }
        let is_listed = |text: &&str| part(text, word, is_list_heading).any(|line| contains_name(line, name));
        if !snapshots.is_empty() && !snapshots.iter().any(is_listed) {
            let what = format!(
                "`{name}` is not in the snapshot of `list` under {word}: show it there, then `cargo xtask golden`"
            );
            faults.push(Fault::new(path, line, what));
        }
    }
    faults
}

/// The lines of a text after those that begin with `heading`, up to the next heading; all of them without a heading.
fn part<'a>(
    text: &'a str,
    heading: &str,
    is_heading: impl Fn(&str) -> bool,
) -> impl Iterator<Item = &'a str> {
    let mut is_inside = heading.is_empty();
    text.lines().filter(move |line| {
        let is_wanted = !heading.is_empty() && line.starts_with(heading);
        if is_wanted || !heading.is_empty() && is_heading(line) {
            is_inside = is_wanted;
            return false;
        }
        is_inside
    })
}

/// `PLANNERS, as NAME...`: the first word of a line in capitals.
fn is_list_heading(line: &str) -> bool {
    line.len() > 3 && line.bytes().take(4).all(|letter| letter.is_ascii_uppercase())
}

/// Is there a file or folder of this name where the layouts of indexes are?
fn is_layout(tree: &Tree, module: &str) -> bool {
    let path = format!("crates/milepost/src/index/layouts/{module}");
    tree.texts().any(|(file, _)| file == format!("{path}.rs") || file == format!("{path}/mod.rs"))
}

fn is_list_snapshot(path: &str) -> bool {
    path.strip_prefix(SNAPSHOTS).is_some_and(|file| file.contains("list") && file.ends_with(".snap"))
}

/// Is the name there by itself, and not as a part of a longer one?
fn contains_name(text: &str, name: &str) -> bool {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').any(|word| word == name)
}

fn entries(tree: &Tree) -> Vec<Entry<'_>> {
    let is_catalog = |path: &str| {
        path.strip_prefix("crates/milepost/src/catalog")
            .is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
    };
    let mut entries = Vec::new();
    for (path, tokens) in tree.rust().filter(|(path, _)| is_catalog(path)) {
        for (index, token) in tokens.iter().enumerate() {
            let is_struct = index > 0 && token.is_mark("{");
            if !is_struct || token.in_test {
                continue;
            }
            let Some(name) = field(&tokens[index..], "name") else { continue };
            let Some(module) = field(&tokens[index..], "module") else { continue };
            let kind = &tokens[index - 1].text;
            let room = if kind.contains("Planner") {
                Some("plan")
            } else if kind.contains("Agent") || kind.contains("Scout") {
                Some("agent")
            } else if kind.contains("Index") {
                Some("index")
            } else {
                None
            };
            entries.push(Entry { path, line: token.line, name, module, room });
        }
    }
    entries
}

/// The string in `wanted: "string"`, directly in the braces that `tokens` begins with.
fn field<'a>(tokens: &'a [Token], wanted: &str) -> Option<&'a str> {
    let mut depth = 0;
    for window in tokens.windows(3) {
        if ["{", "(", "["].iter().any(|mark| window[0].is_mark(mark)) {
            depth += 1;
        } else if ["}", ")", "]"].iter().any(|mark| window[0].is_mark(mark)) {
            depth -= 1;
        }
        if depth == 0 {
            return None;
        }
        if depth == 1 && window[0].is_word(wanted) && window[1].is_mark(":") {
            return window[2].string();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::super::tree::tree;
    use super::*;

    const CATALOG: &str = "const P: &[PlannerEntry] = &[\n\
        PlannerEntry { name: \"astar\", module: \"astar\", keys: &[Key { name: \"h\" }] },\n\
        PlannerEntry { name: \"weighted-astar\", module: \"weighted_astar\" },\n];\n\
        const A: &[AgentEntry] = &[\nAgentEntry { name: \"lrta\", module: \"lrta\" }];";

    /// A clean project, in which one file is replaced.
    fn project(changed: &str, text: &str) -> Vec<String> {
        let mut files = vec![
            ("crates/milepost/src/catalog.rs", CATALOG),
            ("crates/milepost/src/plan/astar.rs", "impl Planner for A {}"),
            ("crates/milepost/src/plan/weighted_astar.rs", "impl Planner for W {}"),
            ("crates/milepost/src/agent/lrta/mod.rs", "impl Agent for L {}"),
            (
                "crates/milepost-cli/tests/it/snapshots/cli__list.snap",
                "PLANNERS\nastar  plain\nweighted-astar:W\nAGENTS\nlrta:1\n",
            ),
            ("README.md", "## Planners\n| `astar` | |\n| `weighted-astar` | |\n## Agents\n| `lrta` | |\n"),
        ];
        files.retain(|(path, _)| *path != changed);
        files.push((changed, text));
        shown(&faults(&tree(&files)))
    }

    #[test]
    fn a_project_that_shows_everything_is_clean() {
        assert_eq!(project("docs/other.md", ""), [""; 0]);
    }

    #[test]
    fn a_planner_or_agent_outside_the_catalog_is_refused() {
        let faults = project("crates/milepost/src/plan/jps.rs", "//! Jumps.\nimpl Planner for Jps {}");
        assert_eq!(
            faults,
            [
                "crates/milepost/src/plan/jps.rs:2: `jps` is not in the catalog: add an entry with `module: \"jps\"`"
            ]
        );
        // The planner's entry does not speak for an agent of the same name.
        assert_eq!(project("crates/milepost/src/agent/astar.rs", "impl Scout for A {}").len(), 1);
    }

    #[test]
    fn an_entry_without_a_module_behind_it_is_refused() {
        assert_eq!(project("crates/milepost/src/agent/lrta/mod.rs", "").len(), 1);
    }

    #[test]
    fn an_index_has_a_layout_and_is_shown_but_speaks_for_no_planner() {
        let catalog = format!("{CATALOG}\nconst I: E = IndexEntry {{ name: \"rows\", module: \"rows\" }};");
        let shown = project("crates/milepost/src/catalog.rs", &catalog);
        assert_eq!(shown.len(), 3, "{shown:?}");
        assert!(shown[0].contains("module `rows` holds no layout in index/layouts/"), "{shown:?}");
        let mut files = vec![
            (
                "crates/milepost/src/catalog.rs",
                "const I: E = IndexEntry { name: \"rows\", module: \"rows\" };",
            ),
            ("crates/milepost/src/index/layouts/rows.rs", "//! Layout."),
            ("crates/milepost-cli/tests/it/snapshots/cli__list.snap", "INDEXES\nrows"),
            ("README.md", "## Index files\n| `rows` |"),
        ];
        assert_eq!(faults(&tree(&files)).len(), 0);
        files.push(("crates/milepost/src/plan/rows.rs", "impl Planner for Rows {}"));
        assert_eq!(faults(&tree(&files)).len(), 1);
    }

    #[test]
    fn a_name_missing_from_the_readme_tables_is_refused() {
        let readme = "## Planners\n| `astar` | |\n| `weighted-astar` | |\n## Agents\n`lrta` in prose\n";
        let faults = project("README.md", readme);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(
            faults[0].starts_with("crates/milepost/src/catalog.rs:6: `lrta` is in no table"),
            "{faults:?}"
        );
    }

    #[test]
    fn a_name_missing_from_the_list_snapshot_is_refused() {
        let snapshot = "crates/milepost-cli/tests/it/snapshots/cli__list.snap";
        let faults = project(snapshot, "PLANNERS\nweighted-astar\nAGENTS\nlrta");
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].contains("`astar` is not in the snapshot"), "{faults:?}");
    }

    #[test]
    fn a_planner_does_not_speak_for_an_agent_of_its_name() {
        let catalog = CATALOG.replace("\"lrta\"", "\"astar\"");
        let mut files = vec![
            ("crates/milepost/src/catalog.rs", catalog.as_str()),
            ("crates/milepost/src/plan/astar.rs", "impl Planner for A {}"),
            ("crates/milepost/src/plan/weighted_astar.rs", "impl Planner for W {}"),
            ("crates/milepost/src/agent/astar.rs", "impl Agent for A {}"),
            (
                "crates/milepost-cli/tests/it/snapshots/cli__list.snap",
                "PLANNERS\nastar\nweighted-astar\nAGENTS\n",
            ),
            ("README.md", "## Planners\n| `astar` | |\n| `weighted-astar` | |\n## Agents\n"),
        ];
        let faults = shown(&super::faults(&tree(&files)));
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(
            faults.iter().all(|fault| fault.contains("Agents") || fault.contains("AGENTS")),
            "{faults:?}"
        );
        files[4].1 = "PLANNERS\nastar\nweighted-astar\nAGENTS\nastar";
        files[5].1 = "## Planners\n| `astar` | |\n| `weighted-astar` | |\n## Agents\n| `astar` | |\n";
        assert_eq!(shown(&super::faults(&tree(&files))), [""; 0]);
    }

    #[test]
    fn a_missing_list_snapshot_is_refused() {
        let only = [
            (
                "crates/milepost/src/catalog.rs",
                "const A: E = AgentEntry { name: \"lrta\", module: \"lrta\" };",
            ),
            ("crates/milepost/src/agent/lrta.rs", "impl Agent for L {}"),
            ("README.md", "## Agents\n| `lrta` |"),
        ];
        assert_eq!(faults(&tree(&only)).len(), 1);
    }
}

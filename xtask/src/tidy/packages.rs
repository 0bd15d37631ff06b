//! What is published stands on its own: each crate has one version with the others, says what it is, carries its licences and
//! a list of its files, and needs nothing that is found by a path alone.

use super::{Fault, Tree};

const MANIFEST: &str = "Cargo.toml";
const CHANGELOG: &str = "CHANGELOG.md";
/// The crates that are published, in the order of their dependencies.
const PUBLISHED: [&str; 4] = ["milepost", "milepost-maps", "milepost-explore", "milepost-cli"];
/// What crates.io shows, and what decides which files go there.
const FIELDS: [&str; 10] = [
    "description",
    "version.workspace",
    "edition.workspace",
    "rust-version.workspace",
    "license.workspace",
    "categories",
    "keywords",
    "readme",
    "documentation",
    "include",
];
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let Some(version) = tree.text(MANIFEST).and_then(version) else { return Vec::new() };
    let mut faults = Vec::new();
    for name in PUBLISHED {
        let path = format!("crates/{name}/{MANIFEST}");
        let Some(manifest) = tree.text(&path) else { continue };
        let mut refuse = |line: usize, what: String| faults.push(Fault::new(&path, line, what));
        for field in FIELDS {
            let has = |line: &str| line.strip_prefix(field).is_some_and(|rest| rest.starts_with([' ', '.']));
            if !section(manifest, "[package]").any(|(_, line)| has(line)) {
                refuse(1, format!("`{field}` is missing: crates.io shows it, or needs it"));
            }
        }
        for (line, text) in section(manifest, "[dependencies]").filter(|(_, text)| text.contains("path = ")) {
            if !text.contains(&format!("version = \"{version}\"")) {
                refuse(line, format!("a path alone cannot be published: add `version = \"{version}\"`"));
            }
        }
        for (line, text) in
            section(manifest, "[dev-dependencies]").filter(|(_, text)| text.contains("path = "))
        {
            if text.contains("version = ") {
                let what = "with a version it would have to be published before this crate, which it needs: the path alone";
                refuse(line, what.to_owned());
            }
        }
        for licence in LICENCES {
            if tree.text(&format!("crates/{name}/{licence}")) != tree.text(licence) {
                refuse(1, format!("`crates/{name}/{licence}` is not the project's: copy {licence} there"));
            }
        }
    }
    let head = format!("## [{version}] - ");
    if !tree.text(CHANGELOG).is_none_or(|text| text.lines().any(|line| line.starts_with(&head))) {
        let what = format!("no part begins with `{head}`: begin the part of this version");
        faults.push(Fault::new(CHANGELOG, 1, what));
    }
    faults
}

/// The version of all crates.
fn version(manifest: &str) -> Option<&str> {
    let mut lines = section(manifest, "[workspace.package]");
    lines.find_map(|(_, line)| line.strip_prefix("version = ")).map(|version| version.trim_matches('"'))
}

/// The lines of a table of a manifest, with their numbers.
fn section<'a>(manifest: &'a str, head: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let mut is_inside = false;
    manifest.lines().enumerate().map(|(index, line)| (index + 1, line)).filter(move |(_, line)| {
        if line.starts_with('[') {
            is_inside = line.trim() == head;
            return false;
        }
        is_inside && !line.starts_with('#')
    })
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::super::tree::tree;
    use super::*;

    const WHOLE: &str = "[package]\nname = \"milepost\"\ndescription = \"d\"\nversion.workspace = true\n\
                         edition.workspace = true\nrust-version.workspace = true\nlicense.workspace = true\n\
                         categories.workspace = true\nkeywords = []\nreadme = \"r\"\ndocumentation = \"d\"\ninclude = []\n\
                         [dependencies]\na = { path = \"../a\", version = \"0.2.0\" }\n\
                         [dev-dependencies]\nb = { path = \"../b\" }\n";

    fn check(manifest: &str, licence: &str, changes: &str) -> Vec<String> {
        shown(&faults(&tree(&[
            (MANIFEST, "[workspace.package]\nversion = \"0.2.0\"\n"),
            ("crates/milepost/Cargo.toml", manifest),
            ("LICENSE-MIT", "free"),
            ("crates/milepost/LICENSE-MIT", licence),
            (CHANGELOG, changes),
        ])))
    }

    #[test]
    fn a_crate_that_can_be_published_is_clean() {
        assert_eq!(check(WHOLE, "free", "# Changelog\n## [0.2.0] - Unreleased\n"), [""; 0]);
    }

    #[test]
    fn what_keeps_a_crate_from_being_published_is_refused() {
        let changes = "## [0.2.0] - 2026-01-01\n";
        for (from, to, said) in [
            ("readme = \"r\"\n", "", "`readme` is missing"),
            (", version = \"0.2.0\"", "", "add `version = \"0.2.0\"`"),
            ("version = \"0.2.0\"", "version = \"0.1.0\"", "add `version = \"0.2.0\"`"),
            ("../b\"", "../b\", version = \"0.2.0\"", "the path alone"),
        ] {
            let faults = check(&WHOLE.replace(from, to), "free", changes);
            assert_eq!(faults.len(), 1, "{faults:?}");
            assert!(faults[0].contains(said), "{faults:?}");
        }
        assert!(check(WHOLE, "not free", changes)[0].contains("copy LICENSE-MIT"));
        assert!(check(WHOLE, "free", "## [0.1.0] - 2025-01-01\n")[0].starts_with("CHANGELOG.md:1: "));
    }
}

//! A game that opens index files links no reader of maps: none of their crates is behind the library, however far.

use super::{Fault, Tree};
use std::collections::{BTreeMap, BTreeSet};

const MANIFEST: &str = "crates/milepost/Cargo.toml";
const LOCK: &str = "Cargo.lock";
/// What readers of maps need.
const READERS: [&str; 7] = ["milepost-maps", "png", "image", "tiled", "quick-xml", "base64", "flate2"];

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let (Some(manifest), Some(lock)) = (tree.text(MANIFEST), tree.text(LOCK)) else { return Vec::new() };
    let needs = packages(lock);
    let mut faults = Vec::new();
    for (line, name) in dependencies(manifest) {
        let (mut seen, mut open) = (BTreeSet::new(), vec![name]);
        while let Some(package) = open.pop() {
            if seen.insert(package) {
                open.extend(needs.get(package).into_iter().flatten());
            }
        }
        for reader in READERS.iter().filter(|reader| seen.contains(**reader)) {
            let what = format!("`{name}` brings `{reader}` into every game: maps are read by milepost-maps");
            faults.push(Fault::new(MANIFEST, line, what));
        }
    }
    faults
}

/// The names under `[dependencies]`, with their lines; those of tests and builds are not linked.
fn dependencies(manifest: &str) -> Vec<(usize, &str)> {
    let mut is_inside = false;
    let mut found = Vec::new();
    for (index, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            is_inside = line.trim() == "[dependencies]";
        } else if let Some((name, _)) = line.split_once('=').filter(|_| is_inside && !line.starts_with('#')) {
            found.push((index + 1, name.trim()));
        }
    }
    found
}

/// What each package of a lock file depends on.
fn packages(lock: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut packages: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut name = "";
    for line in lock.lines() {
        if let Some(value) = line.strip_prefix("name = ") {
            name = value.trim_matches('"');
        } else if let Some(needed) = line.strip_prefix(" \"").and_then(|rest| rest.split(['"', ' ']).next()) {
            packages.entry(name).or_default().push(needed);
        }
    }
    packages
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::super::tree::tree;
    use super::*;

    const LOCKED: &str = "[[package]]\nname = \"a\"\ndependencies = [\n \"b 1.0\",\n]\n\n\
        [[package]]\nname = \"b\"\ndependencies = [\n \"png\",\n]\n\n[[package]]\nname = \"png\"\n";

    fn check(manifest: &str) -> Vec<String> {
        shown(&faults(&tree(&[(MANIFEST, manifest), (LOCK, LOCKED)])))
    }

    #[test]
    fn a_reader_of_maps_is_found_however_far_behind_the_library_it_stands() {
        let faults = check("[package]\n[dependencies]\n# why\na = \"1\"\n");
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with("crates/milepost/Cargo.toml:4: `a` brings `png`"), "{faults:?}");
    }

    #[test]
    fn what_tests_need_is_their_own_affair() {
        assert_eq!(check("[dependencies]\nc = \"1\"\n[dev-dependencies]\na = \"1\"\n"), [""; 0]);
    }
}

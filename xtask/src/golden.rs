//! `cargo xtask golden`: writes the committed golden files, saves and snapshots anew, and says what changed.
//!
//! Snapshots are written by the tests that compare them, and so are saved agents: tests whose path holds `golden` write
//! what they would compare where `MILEPOST_GOLDEN` is `write`. Files of the command are made by the command itself:
//! Each line of `commands.txt` is the name of a file, a tab, and the words after `milepost` that make it,
//! run at the root of the project, with `{out}` for the path of the file. Where they make another one beside it,
//! its name follows after a comma.

use crate::shell::Cargo;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

const GOLDEN: &str = "crates/milepost-cli/tests/golden";
const SAVES: &str = "crates/milepost/tests/saves";
/// Where what is written lies.
const FOLDERS: [&str; 3] = [GOLDEN, "crates/milepost-cli/tests/it/snapshots", SAVES];

/// Makes every file of `commands.txt`, then saves and snapshots.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let list = format!("{GOLDEN}/commands.txt");
    let text = fs::read_to_string(root.join(&list)).map_err(|error| format!("{list}: {error}"))?;
    let commands = commands(&text).map_err(|problem| format!("{list}:{problem}"))?;
    let before = contents(root)?;
    for (_, words) in &commands {
        Cargo::new(root, &format!("run --quiet --locked --package milepost-cli -- {words}")).run()?;
    }
    let words = "test --quiet --locked --no-fail-fast --all-features -p milepost -p milepost-cli --test it -- \
                 snapshots golden";
    let tests = Cargo::new(root, words).set("INSTA_UPDATE", "always").set("MILEPOST_GOLDEN", "write");
    let tested = tests.run();
    let changes = changes(&before, &contents(root)?);
    for change in &changes {
        println!("{change}");
    }
    let made: usize = commands.iter().map(|(files, _)| files.len()).sum();
    println!("cargo xtask golden: made {made}, changed {}", changes.len());
    tested
}

/// The golden files, those that are made together in one entry, with the words that make them.
fn commands(text: &str) -> Result<Vec<(Vec<&str>, String)>, String> {
    let mut commands: Vec<(Vec<&str>, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let problem = |what: &str| format!("{}: {what}", index + 1);
        let (names, words) =
            line.split_once('\t').ok_or_else(|| problem("no tab after the name of the file"))?;
        let files: Vec<&str> = names.split(',').collect();
        if files.iter().any(|file| file.is_empty() || file.contains(['/', '\\', ' '])) {
            return Err(problem("the name of the file must be a plain one"));
        }
        if !words.contains("{out}") {
            return Err(problem("no {out} says where the file goes"));
        }
        let known = |file: &&str| commands.iter().any(|(known, _)| known.contains(file));
        let is_twice = |(at, file): (usize, &&str)| known(file) || files[..at].contains(file);
        if files.iter().enumerate().any(is_twice) {
            return Err(problem("the file is made twice"));
        }
        let words = words.replace("{out}", &format!("{GOLDEN}/{}", files[0]));
        commands.push((files, words));
    }
    Ok(commands)
}

/// All golden files, saves and snapshots.
fn contents(root: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut files = BTreeMap::new();
    for folder in FOLDERS {
        let entries = match fs::read_dir(root.join(folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(format!("{folder}: {error}")),
        };
        for entry in entries.flatten().filter(|entry| entry.path().is_file()) {
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            let bytes = fs::read(entry.path()).map_err(|error| format!("{path}: {error}"))?;
            files.insert(path, bytes);
        }
    }
    Ok(files)
}

/// One line for each file that is not what it was.
fn changes(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, bytes) in after {
        match before.get(path) {
            None => lines.push(format!("new      {path}: {} bytes", bytes.len())),
            Some(old) if old != bytes => {
                lines.push(format!("changed  {path}: {} -> {} bytes", old.len(), bytes.len()));
            }
            Some(_) => {}
        }
    }
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    lines.extend(gone.map(|path| format!("removed  {path}")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_the_file_they_make() {
        let text = "# how the files were made\n\nrooms.map\tgenerate rooms --width 9 --height 9 -o {out}\n";
        let expected = format!("generate rooms --width 9 --height 9 -o {GOLDEN}/rooms.map");
        assert_eq!(commands(text), Ok(vec![(vec!["rooms.map"], expected)]));
        let text = "a.gr,a.co\tgenerate roads --nodes 9 -o {out}\n";
        let expected = format!("generate roads --nodes 9 -o {GOLDEN}/a.gr");
        assert_eq!(commands(text), Ok(vec![(vec!["a.gr", "a.co"], expected)]));
    }

    #[test]
    fn a_wrong_line_is_refused_with_its_number() {
        for line in [
            "a.map generate -o {out}",
            "../a.map\t-o {out}",
            "a.map\tlist",
            "\t{out}",
            "a,\t{out}",
            "a,a\t{out}",
        ] {
            let problem = commands(&format!("# first\n{line}\n")).expect_err(line);
            assert!(problem.starts_with("2: "), "{problem}");
        }
        assert!(commands("a\t{out}\na\t{out}\n").is_err() && commands("a,b\t{out}\nb\t{out}\n").is_err());
    }

    #[test]
    fn changes_tell_new_changed_and_removed_files() {
        let files = |list: &[(&str, &str)]| {
            list.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
        };
        let lines = changes(
            &files(&[("a", "1"), ("b", "1"), ("d", "1")]),
            &files(&[("a", "1"), ("b", "22"), ("c", "")]),
        );
        assert_eq!(lines, ["changed  b: 1 -> 2 bytes", "new      c: 0 bytes", "removed  d"]);
    }
}

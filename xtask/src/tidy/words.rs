//! Words that must not be committed: work left undone, tests switched off, and paths of one machine.
//!
//! This file names them in pieces, so that it does not refuse itself.

use super::{Fault, Tree};

/// The one file that may look beside the project for maps.
const LOOKS_OUTSIDE: &str = ".ci/run";

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let undone = [["TO", "DO"].concat(), ["FIX", "ME"].concat()];
    let left_in = ["dbg", "todo", "unimplemented"].map(|name| format!("{name}!("));
    let switched_off = ["#[", "ignore"].concat();
    let outside = ["..", "shared"].join("/");
    let machine = ["home", "root", "work", "Users"].map(|folder| format!("/{folder}/"));

    let mut faults = Vec::new();
    for (path, text) in tree.texts() {
        for (line, content) in text.lines().enumerate().map(|(index, content)| (index + 1, content)) {
            let mut refuse = |what: String| faults.push(Fault::new(path, line, what));
            if path.ends_with(".rs") {
                for word in undone.iter().filter(|word| contains_word(content, word)) {
                    refuse(format!("`{word}`: do it, or say what is true today"));
                }
                for call in left_in.iter().filter(|call| contains_word(content, call)) {
                    refuse(format!("`{call}...)` is for work in progress: remove it"));
                }
                if content.contains(&switched_off) {
                    refuse(format!("`{switched_off}]` switches a test off: repair or delete the test"));
                }
            }
            if path != LOOKS_OUTSIDE && content.contains(&outside) {
                refuse(format!("`{outside}` lies outside the project: use MILEPOST_MAPS"));
            }
            for folder in machine.iter().filter(|folder| contains_root(content, folder)) {
                refuse(format!("`{folder}` is a path of one machine: make it relative"));
            }
        }
    }
    faults
}

/// Does the word occur where no letter stands before it (or after it, if it ends in one)?
fn contains_word(line: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(start, _)| {
        let goes_on = word.ends_with(is_part) && line[start + word.len()..].starts_with(is_part);
        !line[..start].ends_with(is_part) && !goes_on
    })
}

/// Does an absolute path begin here? In `https://host/home/` and `src/home/` none does.
fn contains_root(line: &str, folder: &str) -> bool {
    let is_path = |letter: char| letter.is_alphanumeric() || "._-/})>".contains(letter);
    line.match_indices(folder).any(|(start, _)| !line[..start].ends_with(is_path))
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree;
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        faults(&tree(&[(path, text)])).len()
    }

    #[test]
    fn unfinished_work_is_refused_in_rust_files() {
        for text in [
            format!("// {}{}: later", "TO", "DO"),
            format!("// {}{}", "FIX", "ME"),
            format!("fn f() {{ dbg{}x) }}", "!("),
            format!("fn f() {{ todo{}) }}", "!("),
            format!("fn f() {{ unimplemented{}) }}", "!("),
            format!("{}ignore = \"slow\"]\nfn f() {{}}", "#["),
        ] {
            assert_eq!(count("crates/milepost/tests/a.rs", &text), 1, "{text}");
        }
    }

    #[test]
    fn paths_of_one_machine_are_refused_in_all_text() {
        for folder in ["home", "root", "work", "Users"] {
            for text in
                [format!("see /{folder}/me/x.map"), format!("\"/{folder}/x\""), format!("(/{folder}/)")]
            {
                assert_eq!(count("docs/a.md", &text), 1, "{text}");
                assert_eq!(count("crates/milepost/src/core/a.rs", &format!("// {text}")), 1, "{text}");
            }
        }
        assert_eq!(count("docs/a.md", &["..", "shared", "maps"].join("/")), 1);
    }

    #[test]
    fn only_the_continuous_integration_may_look_beside_the_project() {
        let text = ["..", "shared", "maps"].join("/");
        assert_eq!(count(".ci/run", &text), 0);
        assert_eq!(count(".ci/other", &text), 1);
    }

    #[test]
    fn likely_neighbours_of_these_words_are_fine() {
        assert_eq!(count("crates/milepost/src/core/a.rs", "// A METHOD, MASTODON; my_dbg!(x)"), 0);
        assert_eq!(count("docs/a.md", "https://example.org/home/x and src/work/a.rs"), 0);
        assert_eq!(count("docs/a.md", &format!("the {}{} list of a prose file", "TO", "DO")), 0);
    }
}

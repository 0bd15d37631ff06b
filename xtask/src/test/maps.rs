//! Are there real maps to test on? `MILEPOST_MAPS` names their folder; without it, tests that read the
//! variable, or call a helper `real_map...` that does, pass without a look, so the summary has to count them.

use crate::tidy::{Token, Tree};
use std::ffi::OsStr;
use std::path::Path;

pub(super) const VARIABLE: &str = "MILEPOST_MAPS";

/// Whether tests on real maps run.
pub(super) enum Maps {
    Given,
    /// The quick loop does without.
    LeftOut,
    /// How many tests want them.
    Absent {
        tests: usize,
    },
}

impl Maps {
    /// What the last line says about them.
    pub(super) fn remark(&self) -> String {
        match self {
            Maps::Given => String::new(),
            Maps::LeftOut => "; without real maps, browsers, doc tests, docs and fuzzing".to_owned(),
            Maps::Absent { tests: 0 } => format!("; tests on real maps skipped ({VARIABLE} is not set)"),
            Maps::Absent { tests: 1 } => format!("; 1 test on real maps skipped ({VARIABLE} is not set)"),
            Maps::Absent { tests } => format!("; {tests} tests on real maps skipped ({VARIABLE} is not set)"),
        }
    }
}

/// A folder that is named but not there would quietly test nothing: that is an error.
pub(super) fn check(root: &Path) -> Result<Maps, String> {
    match std::env::var_os(VARIABLE) {
        Some(folder) => folder_of_maps(&folder).map(|()| Maps::Given),
        None => {
            let tree = Tree::read(root).map_err(|error| format!("the project cannot be read: {error}"))?;
            Ok(Maps::Absent { tests: tests_on_real_maps(&tree) })
        }
    }
}

fn folder_of_maps(folder: &OsStr) -> Result<(), String> {
    let shown = folder.to_string_lossy();
    match std::fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("{VARIABLE} names `{shown}`, which is empty: put maps there, or unset it")),
        Err(error) => Err(format!(
            "{VARIABLE} names `{shown}`, which cannot be read ({error}): correct it, or unset it"
        )),
    }
}

/// Counts the test functions whose body reads the variable or calls `real_map...`.
fn tests_on_real_maps(tree: &Tree) -> usize {
    let mut count = 0;
    for (_, tokens) in tree.rust() {
        let starts = tokens.windows(4).enumerate().filter(|(_, window)| {
            window[0].is_mark("#")
                && window[1].is_mark("[")
                && window[2].is_word("test")
                && window[3].is_mark("]")
        });
        for (start, _) in starts {
            let body = tokens[start + 4..].iter().skip_while(|token| !token.is_mark("{"));
            let mut depth = 0;
            let inside = body.take_while(|token| {
                depth += i32::from(token.is_mark("{")) - i32::from(token.is_mark("}"));
                depth > 0
            });
            let wants_maps =
                |token: &Token| token.text.starts_with("real_map") || token.string() == Some(VARIABLE);
            count += usize::from(inside.into_iter().any(wants_maps));
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_empty_folder_of_maps_is_an_error() {
        let folder = std::env::temp_dir().join(format!("milepost-xtask-{}", std::process::id()));
        assert!(folder_of_maps(folder.as_os_str()).is_err());
        assert!(folder_of_maps(OsStr::new("")).is_err());
        std::fs::create_dir_all(&folder).expect("the temporary folder can be made");
        assert!(folder_of_maps(folder.as_os_str()).is_err());
        std::fs::write(folder.join("a.map"), "x").expect("the temporary folder can be written");
        assert!(folder_of_maps(folder.as_os_str()).is_ok());
        std::fs::remove_dir_all(&folder).expect("the temporary folder can be removed");
    }

    #[test]
    fn tests_on_real_maps_are_counted_by_their_bodies() {
        let text = "fn real_maps() {}\n#[test] fn a() { if x { y() } real_maps(); }\n\
                    #[test] fn b() { if x { y() } }\n#[test] fn c() { for map in real_map(\"dao\") {} }\n\
                    #[test] fn d() { let folder = var_os(\"MILEPOST_MAPS\"); }";
        let files = [("crates/milepost/tests/a.rs".to_owned(), text.to_owned())];
        assert_eq!(tests_on_real_maps(&Tree::new(files.into())), 3);
    }
}

//! What to do about a file that is not there: which one may have been meant, or what makes one.

use crate::failure::Failure;
use crate::input;
use milepost_maps::Format;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The share of their letters, in percent, that the names of two files must have in common, in this order and without their endings:
/// `lvl` and `level` have just so many.
const ALIKE: usize = 75;

/// What to do about a map that is not there.
pub(crate) fn advice_on_map(path: &Path) -> String {
    if let Some(near) = beside(path) {
        return format!("; did you mean `{}`?", near.display());
    }
    let made = match Format::named(path) {
        Some(Format::Index) => format!("`milepost build MAP -o {}` makes it", path.display()),
        _ => "`milepost generate` makes maps".to_owned(),
    };
    format!("; check the name and the folder; {made}")
}

/// The map in the same folder whose name is most like this one.
fn beside(path: &Path) -> Option<PathBuf> {
    let asked = Format::named(path);
    // Problems, edits and overlays that are no maps have endings of their own.
    if asked.is_none() && path.extension().is_some() {
        return None;
    }
    let stem = |name: &Path| name.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
    let wanted = stem(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut names: Vec<OsString> = entries.flatten().map(|entry| entry.file_name()).collect();
    // A folder lists its files in no order.
    names.sort();
    let candidates = names.iter().map(Path::new).filter_map(|name| {
        let format = Format::named(name)?;
        let likeness = likeness(&wanted, &stem(name)?);
        (likeness >= ALIKE).then_some((likeness, Some(format) == asked, name))
    });
    let best = candidates.reduce(|best, next| if (next.0, next.1) > (best.0, best.1) { next } else { best });
    best.map(|(_, _, name)| path.with_file_name(name))
}

/// The share of the letters of two names, in percent, that they have in common in the same order.
fn likeness(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    // How many letters the part of the one that was gone through has in common with so many letters of the other.
    let mut common = vec![0; other.len() + 1];
    for letter in one.chars() {
        let mut before = 0;
        for (at, found) in other.iter().enumerate() {
            let longest = if *found == letter { before + 1 } else { common[at].max(common[at + 1]) };
            before = std::mem::replace(&mut common[at + 1], longest);
        }
    }
    200 * common[other.len()] / (one.chars().count() + other.len()).max(1)
}

/// Refuses a file that is not there, with what to do about it.
pub(crate) fn check(path: &Path, advice: impl FnOnce() -> String) -> Result<(), Failure> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && !input::is_standard(path) => {
            Err(Failure::unreadable(path, format!("cannot be read: {error}; {}", advice())))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_alike_that_have_most_letters_in_common() {
        for (one, other, share) in [
            ("level", "level", 100),
            ("lvl", "level", 75),
            ("yrad", "yard", 75),
            ("nowhere", "other", 66),
            ("", "", 0),
        ] {
            assert_eq!((likeness(one, other), likeness(other, one)), (share, share), "{one} {other}");
        }
    }
}

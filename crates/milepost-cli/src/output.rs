//! Where words go: answers to stdout, notes to stderr. A closed pipe is no error.

use crate::failure::Failure;
use crate::input;
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a subcommand has to say.
#[derive(Debug)]
pub(crate) struct Answer {
    /// For stdout.
    pub(crate) text: String,
    /// The answer is no: exit code 1.
    pub(crate) is_negative: bool,
}

impl Answer {
    /// The document as JSON, or else as text.
    pub(crate) fn new(
        wants_json: bool,
        document: &impl Serialize,
        render_text: impl FnOnce() -> String,
    ) -> Answer {
        let text = if wants_json { json(document) } else { render_text() };
        Answer { text, is_negative: false }
    }

    /// The same answer, and whether it is a negative one.
    pub(crate) fn negative_if(self, is_negative: bool) -> Answer {
        Answer { is_negative, ..self }
    }
}

/// One JSON document on one line.
pub(crate) fn json(document: &impl Serialize) -> String {
    // Maps with keys that are no strings, and fields that fail, are all that could go wrong; there are none.
    let mut text =
        serde_json::to_string(document).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"));
    text.push('\n');
    text
}

/// Whether stdout holds a file instead of words.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Refuses stdout for two files, or for a file beside a JSON document, and files for whose folders there are none: before what
/// goes into them is worked out.
pub(crate) fn check_files(wants_json: bool, files: &[Option<&Path>]) -> Result<(), Failure> {
    let standard = files.iter().flatten().filter(|path| input::is_standard(path)).count();
    let message = match (standard, wants_json) {
        (0, _) | (1, false) => return files.iter().flatten().try_for_each(|path| check_folder(path)),
        (_, true) => "--json prints a document to standard output, where `-` would put a file; name the file",
        (_, false) => "`-` stands for two files, and standard output can hold one; name the others",
    };
    Err(Failure::usage("usage", message))
}

/// Refuses a file whose folder is not there.
pub(crate) fn check_folder(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Some(folder) = folder.filter(|_| !input::is_standard(path)) else { return Ok(()) };
    let problem = match std::fs::metadata(folder) {
        Ok(found) if !found.is_dir() => "is no folder; name another",
        Err(error) if error.kind() == ErrorKind::NotFound => "does not exist; create it, or name another",
        // What else may be wrong is said when the file is written.
        _ => return Ok(()),
    };
    Err(Failure::unwritable(path, format!("cannot be written: the folder {} {problem}", folder.display())))
}

/// Writes a file to stdout; words go to stderr from now on.
pub(crate) fn write_file(bytes: &[u8]) -> Result<(), Failure> {
    IS_TAKEN.store(true, Ordering::Relaxed);
    write_bytes(bytes)
}

/// Writes words to stdout, or to stderr if stdout holds a file.
pub(crate) fn write(text: &str) -> Result<(), Failure> {
    if IS_TAKEN.load(Ordering::Relaxed) {
        note(text.trim_end());
        return Ok(());
    }
    write_bytes(printable(text).as_bytes())
}

fn write_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::unwritable(Path::new("standard output"), format!("cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to stderr, if stderr is open.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(text));
}

/// Words without characters that a terminal obeys: escape sequences in the names of files and layers, and marks that turn
/// the direction of reading.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let is_obeyed = |letter: char| {
        let turns = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        turns || letter.is_control() && !matches!(letter, '\n' | '\t')
    };
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let shown = text.chars().map(|letter| match is_obeyed(letter) {
        true => letter.escape_unicode().to_string(),
        false => letter.to_string(),
    });
    Cow::Owned(shown.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_spelled_out() {
        assert_eq!(printable("a\tb\n"), "a\tb\n");
        assert_eq!(printable("\u{1b}[31mred\r\u{9b}0m\u{202e}x"), "\\u{1b}[31mred\\u{d}\\u{9b}0m\\u{202e}x");
    }
}

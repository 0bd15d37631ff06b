//! Where words go: answers to stdout, notes to stderr. A closed pipe is no error.

use crate::failure::Failure;
use serde::Serialize;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

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

/// Writes to stdout.
pub(crate) fn write(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::unwritable(Path::new("standard output"), format!("cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to stderr, if stderr is open.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

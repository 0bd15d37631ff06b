//! Progress bars: on stderr, and only where that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for `length` steps. It draws nothing where stderr is no terminal.
pub(crate) fn bar(what: impl Into<String>, length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64).with_message(what.into());
    match ProgressStyle::with_template("{msg:>24} [{bar:32}] {pos}/{len} {eta}") {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        Err(_) => bar,
    }
}

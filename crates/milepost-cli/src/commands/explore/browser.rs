//! Opens the page where somewhere to show it is likely: the command was typed at a terminal, and there is a display.

use std::io::{IsTerminal, stdout};
use std::process::{Command, Stdio};

/// Asks the system to open an address. Where that fails the address, which was printed, is still there to be clicked.
pub(super) fn open(address: &str) {
    if !stdout().is_terminal() || !has_display() {
        return;
    }
    let mut command = opener();
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // The child is not waited for: some openers stay until the browser ends.
    let _ = command.spawn();
}

/// A session over the network has none on Windows and macOS; elsewhere the display has a name.
fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(any(windows, target_os = "macos")) {
        !is_set("SSH_CONNECTION")
    } else {
        is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
    }
}

fn opener() -> Command {
    if cfg!(windows) {
        let mut command = Command::new("cmd");
        // The empty word is the title of the window, which `start` would else take the address for.
        command.args(["/C", "start", ""]);
        return command;
    }
    Command::new(if cfg!(target_os = "macos") { "open" } else { "xdg-open" })
}

//! The browser of the tests: a headless Chromium, which is installed where it is missing and that is possible.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Names the browser to the tests; without it they are skipped.
pub(crate) const VARIABLE: &str = "MILEPOST_BROWSER";
/// Names the folder of a site to the tests; without it they ask the command's own server.
pub(crate) const SITE: &str = "MILEPOST_SITE";

/// What it is called on the systems that people use.
const NAMES: [&str; 6] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/// The browser, or why there is none.
pub(crate) fn find_or_install() -> Result<PathBuf, String> {
    if let Some(program) = std::env::var_os(VARIABLE) {
        let program = PathBuf::from(program);
        if !runs(&program) {
            return Err(format!("{VARIABLE} names `{}`, which cannot be run", program.display()));
        }
        return Ok(program);
    }
    if let Some(program) = find() {
        return Ok(program);
    }
    println!("    no Chromium is installed: installing Debian's");
    let install = "install --yes --no-install-recommends chromium";
    // Lists of packages may be old, or missing: they are fetched where the first try fails.
    let tried = apt_get(install).or_else(|_| apt_get("update").and_then(|()| apt_get(install)));
    let why = tried.err().unwrap_or_else(|| "apt-get installed none".to_owned());
    find().ok_or_else(|| {
        format!("no Chromium is installed, and {why}; install it, or name one with {VARIABLE}")
    })
}

fn apt_get(words: &str) -> Result<(), String> {
    let mut command = Command::new("apt-get");
    command.args(words.split(' ')).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`apt-get {words}` failed ({status})")),
        Err(error) => Err(format!("apt-get could not be started: {error}")),
    }
}

fn find() -> Option<PathBuf> {
    NAMES.iter().map(PathBuf::from).find(runs)
}

fn runs(program: &PathBuf) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

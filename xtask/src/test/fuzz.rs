//! Each fuzz target for a bounded time, where a nightly toolchain is present. What else it needs it sets up
//! beside the builds.

use super::report::{Outcome, Report, Stopped};
use crate::shell::{Cargo, target_folder};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Longer inputs only slow the fuzzer down: the readers have no state that needs them.
const LONGEST_INPUT: u32 = 4096;
/// An input that takes longer is reported like a crash.
const SECONDS_PER_INPUT: u32 = 5;

/// How `cargo fuzz` is called here.
struct Fuzzer {
    root: PathBuf,
    tools: PathBuf,
    builds: PathBuf,
    sanitizer: &'static str,
}

impl Fuzzer {
    /// Finds or installs what is needed; the error says why there is no fuzzing.
    fn prepare(root: &Path) -> Result<Self, String> {
        let target = target_folder(root);
        let (tools, builds) = (target.join("tools"), target.join("fuzz"));
        if !Cargo::new(root, "+nightly --version").nightly(&tools).works() {
            return Err("no nightly toolchain (`rustup toolchain install nightly`)".to_owned());
        }
        if !Cargo::new(root, "+nightly fuzz --version").nightly(&tools).works() {
            println!("    cargo-fuzz is not installed: installing it for this project");
            let install = Cargo::new(root, "install cargo-fuzz --locked --root").word(&tools);
            install.run().map_err(|why| format!("cargo-fuzz is not installed, and {why}"))?;
        }
        // Without the runtime of the address sanitizer crashes and panics are still found.
        let sanitizer = if has_address_sanitizer() { "address" } else { "none" };
        if sanitizer == "none" {
            println!("    nightly has no address sanitizer here: fuzzing without");
        }
        Ok(Fuzzer { root: root.to_path_buf(), tools, builds, sanitizer })
    }

    fn call(&self, subcommand: &str) -> Cargo {
        let words = format!("+nightly fuzz {subcommand} --sanitizer {} --target-dir", self.sanitizer);
        Cargo::new(&self.root, &words).nightly(&self.tools).word(&self.builds)
    }

    fn run(&self, target: &str, seconds: u32) -> Result<(), String> {
        // The fuzzer keeps what it finds in the first folder; the committed seeds stay as they are.
        let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
        std::fs::create_dir_all(self.root.join(&corpus)).map_err(|error| format!("{corpus}: {error}"))?;
        let call = self.call("run").word(target).word(corpus).word(seeds).word("--");
        let call = call.word(format!("-max_total_time={seconds}")).word(format!("-max_len={LONGEST_INPUT}"));
        call.word(format!("-timeout={SECONDS_PER_INPUT}")).word("-verbosity=0").run().map_err(|why| {
            format!("{why}: if it found an input, make a named test of it (fuzz/artifacts/{target})")
        })
    }
}

/// Adds the fuzzing steps, or one skipped step that says why there are none. Whether the targets were compiled.
pub(super) fn steps(root: &Path, seconds: u32, report: &mut Report) -> Result<bool, Stopped> {
    if seconds == 0 {
        report.step("fuzz", || Ok(Outcome::Skipped("0 seconds were asked for".to_owned())))?;
        return Ok(false);
    }
    let mut fuzzer = None;
    report.step("fuzz build", || match Fuzzer::prepare(root) {
        Ok(ready) => {
            ready.call("build").run()?;
            fuzzer = Some(ready);
            Ok(Outcome::Passed)
        }
        Err(why) => Ok(Outcome::Skipped(format!("no fuzzing: {why}"))),
    })?;
    let Some(fuzzer) = fuzzer else { return Ok(false) };
    for target in targets(root) {
        report.step(&format!("fuzz {target}"), || fuzzer.run(&target, seconds).map(|()| Outcome::Passed))?;
    }
    Ok(true)
}

/// The names of the targets, in order.
fn targets(root: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(root.join("fuzz/fuzz_targets")).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut targets: Vec<String> =
        names.filter_map(|name| name.strip_suffix(".rs").map(str::to_owned)).collect();
    targets.sort();
    targets
}

/// Is the runtime library of the address sanitizer among nightly's libraries?
fn has_address_sanitizer() -> bool {
    let answer = Command::new("rustc").args(["+nightly", "--print", "target-libdir"]).output();
    let folder =
        answer.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.into_iter().any(|file| file.file_name().to_string_lossy().contains("rt.asan"))
}

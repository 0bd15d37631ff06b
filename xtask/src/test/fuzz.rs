//! Each fuzz target for a bounded time: libFuzzer, driven by the project's own toolchain. The compiler marks the branches that
//! libFuzzer follows, which needs no nightly; what makes a fuzz target is one set of flags, so no tool has to be installed.
//! There is no address sanitizer: the project has no `unsafe` code that it could watch, and panics are found without.

use super::report::{Outcome, Report, Stopped};
use crate::shell::{Cargo, target_folder};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// Longer inputs only slow the fuzzer down: the readers have no state that needs them.
const LONGEST_INPUT: u32 = 4096;
/// An input that takes longer is reported like a crash.
const SECONDS_PER_INPUT: u32 = 5;

/// What a fuzz target is compiled with: counters of branches and operands of comparisons for libFuzzer, and every check of a
/// debug build.
const FLAGS: &str = "--cfg fuzzing -Cdebug-assertions -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares";

/// The program that holds all targets, and the variable that tells it which one to run.
const PROGRAM: &str = "milepost-fuzz";
const TARGET: &str = "MILEPOST_FUZZ_TARGET";

/// The targets, compiled.
struct Fuzzer {
    root: PathBuf,
    program: PathBuf,
}

impl Fuzzer {
    /// Compiles the targets. For a platform that is named, so that build scripts are not compiled as targets are.
    fn build(root: &Path, platform: &str) -> Result<Self, String> {
        let target = target_folder(root).join("fuzz");
        let words = format!(
            "build --release --locked --manifest-path fuzz/Cargo.toml --target {platform} --target-dir"
        );
        let flags = format!("{FLAGS} {}", std::env::var("RUSTFLAGS").unwrap_or_default());
        Cargo::new(root, &words).word(&target).set("RUSTFLAGS", flags.trim_end()).run()?;
        let program = target.join(platform).join("release").join(PROGRAM);
        Ok(Fuzzer { root: root.to_path_buf(), program })
    }

    /// Runs one target; the error holds what it printed.
    fn run(&self, target: &str, seconds: u32) -> Result<(), String> {
        // The fuzzer keeps what it finds in the first folder; the committed seeds stay as they are.
        let folder = |kind: &str| format!("fuzz/{kind}/{target}");
        for kind in ["corpus", "artifacts"] {
            let path = folder(kind);
            std::fs::create_dir_all(self.root.join(&path)).map_err(|error| format!("{path}: {error}"))?;
        }
        let mut call = Command::new(&self.program);
        call.env(TARGET, target).current_dir(&self.root).args([folder("corpus"), folder("seeds")]);
        call.args([
            format!("-artifact_prefix={}/", folder("artifacts")),
            format!("-max_total_time={seconds}"),
        ]);
        call.args([format!("-max_len={LONGEST_INPUT}"), format!("-timeout={SECONDS_PER_INPUT}")]);
        let output = call.arg("-verbosity=0").stdin(Stdio::null()).output();
        let output =
            output.map_err(|error| format!("the target `{target}` could not be started: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!(
            "{}{}the target `{target}` ended with {}: if it found an input, make a named test of it (fuzz/artifacts/{target})",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
            output.status,
        ))
    }

    /// Runs all targets, one on each core; the first error in their order.
    fn run_all(&self, targets: &[String], seconds: u32) -> Result<(), String> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let waiting = Mutex::new(targets.iter());
        let failed = Mutex::new(Vec::new());
        let work = || {
            while let Some(target) = waiting.lock().ok().and_then(|mut targets| targets.next()) {
                match self.run(target, seconds) {
                    Ok(()) => println!("    {target}: {seconds} s"),
                    Err(why) => {
                        failed.lock().map(|mut failed| failed.push((target, why))).unwrap_or_default()
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..cores {
                scope.spawn(work);
            }
        });
        let failed = failed.into_inner().map_err(|_| "a thread that fuzzed has panicked")?;
        failed.into_iter().min().map_or(Ok(()), |(_, why)| Err(why))
    }
}

/// Adds the fuzzing steps, or one skipped step that says why there are none. Whether the targets were compiled.
pub(super) fn steps(root: &Path, seconds: u32, report: &mut Report) -> Result<bool, Stopped> {
    let mut fuzzer = None;
    report.step("fuzz build", || {
        if seconds == 0 {
            return Ok(Outcome::Skipped("0 seconds were asked for".to_owned()));
        }
        match platform() {
            Ok(platform) => {
                fuzzer = Some(Fuzzer::build(root, &platform)?);
                Ok(Outcome::Passed)
            }
            Err(why) => Ok(Outcome::Skipped(format!("no fuzzing: {why}"))),
        }
    })?;
    let Some(fuzzer) = fuzzer else { return Ok(false) };
    report.step("fuzz", || fuzzer.run_all(&targets(root), seconds).map(|()| Outcome::Passed))?;
    Ok(true)
}

/// The platform that the compiler is on, if libFuzzer can be compiled there; the error says what is missing.
fn platform() -> Result<String, String> {
    if !cfg!(any(target_os = "linux", target_os = "macos")) {
        return Err("libFuzzer is for Linux and macOS".to_owned());
    }
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let answers =
        Command::new(&compiler).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !answers.is_ok_and(|status| status.success()) {
        return Err(format!("libFuzzer wants a C++ compiler, and `{}` does not answer", compiler.display()));
    }
    let output = Command::new("rustc").arg("-vV").output().map_err(|error| format!("rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "`rustc -vV` names no host".to_owned())
}

/// The names of the targets, a file each, in order.
fn targets(root: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(root.join("fuzz/src/targets")).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut targets: Vec<String> =
        names.filter_map(|name| name.strip_suffix(".rs").map(str::to_owned)).collect();
    targets.retain(|name| name != "mod");
    targets.sort();
    targets
}

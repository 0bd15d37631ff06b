//! `cargo xtask test`: everything a change has to pass, in order, stopping at the first failure.

mod fuzz;
mod maps;
mod report;

use crate::shell::{Cargo, target_folder};
use crate::tidy;
use report::{Outcome, Report, Stopped};
use std::path::Path;

/// What `cargo xtask test` was asked for.
pub(crate) struct Options {
    /// Format, clippy, tidy and tests only.
    quick: bool,
    /// How long each fuzz target runs; 0: not at all.
    fuzz_seconds: u32,
}

impl Options {
    /// Reads `--quick` and `--fuzz-seconds N`.
    pub(crate) fn parse(words: &[&str]) -> Result<Self, String> {
        let mut options = Options { quick: false, fuzz_seconds: 20 };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (*word, None),
            };
            match (name, value) {
                ("--quick", None) => options.quick = true,
                ("--fuzz-seconds", value) => {
                    let seconds = value.or_else(|| words.next().copied()).unwrap_or_default();
                    options.fuzz_seconds = seconds.parse().map_err(|_| {
                        format!("--fuzz-seconds wants a whole number of seconds, not `{seconds}`")
                    })?;
                }
                _ => return Err(format!("test does not know `{word}`")),
            }
        }
        Ok(options)
    }
}

/// Runs the steps and prints what they came to.
pub(crate) fn run(root: &Path, options: &Options) -> Result<(), String> {
    let maps = maps::check(root)?;
    let mut report = Report::new(maps);
    let stopped = steps(root, options, &mut report).err();
    report.print(stopped)
}

fn steps(root: &Path, options: &Options, report: &mut Report) -> Result<(), Stopped> {
    let cargo = |words: &str| Cargo::new(root, words);
    report.step("format", || {
        cargo("fmt --all --check").run()?;
        // They lie outside the workspace.
        cargo("fmt --check --manifest-path fuzz/Cargo.toml").run()?;
        cargo("fmt --check --manifest-path crates/milepost-peers/Cargo.toml").run()?;
        Ok(Outcome::Passed)
    })?;
    report
        .cargo("clippy", cargo("clippy --workspace --all-targets --all-features --locked -- -D warnings"))?;
    report.step("tidy", || tidy::run(root).map(|()| Outcome::Passed))?;
    let tests = if cargo("nextest --version").works() {
        cargo("nextest run --workspace --all-features --locked")
    } else {
        println!("    cargo-nextest is not installed: the tests run with cargo's own runner");
        cargo("test --workspace --all-features --locked --lib --bins --tests")
    };
    report.cargo("tests", tests)?;
    if options.quick {
        return Ok(());
    }

    report.cargo("doc tests", cargo("test --workspace --all-features --doc --locked"))?;
    let docs = cargo("doc --workspace --all-features --no-deps --locked").set("RUSTDOCFLAGS", "-D warnings");
    report.cargo("docs", docs)?;
    // What a game links that leaves out everything it can.
    report.cargo("no features", cargo("clippy -p milepost --no-default-features --locked -- -D warnings"))?;
    let outside = target_folder(root).join("outside");
    for (name, folder) in [("peers", "crates/milepost-peers"), ("fuzz targets", "fuzz")] {
        let check = cargo(&format!("check --locked --manifest-path {folder}/Cargo.toml --target-dir"));
        report.cargo(name, check.word(&outside))?;
    }
    fuzz::steps(root, options.fuzz_seconds, report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_in_both_spellings() {
        let default = Options::parse(&[]).expect("no options are fine");
        assert!(!default.quick && default.fuzz_seconds == 20);
        for words in [&["--quick", "--fuzz-seconds", "3"][..], &["--fuzz-seconds=3", "--quick"][..]] {
            let options = Options::parse(words).expect("these are options");
            assert!(options.quick && options.fuzz_seconds == 3);
        }
    }

    #[test]
    fn a_wrong_option_is_refused() {
        for words in
            [&["--fast"][..], &["--fuzz-seconds"][..], &["--fuzz-seconds", "soon"][..], &["--quick=1"][..]]
        {
            assert!(Options::parse(words).is_err(), "{words:?}");
        }
    }
}

//! `cargo xtask test`: everything a change has to pass, in order, stopping at the first failure.

mod changed;
mod fuzz;
mod maps;
mod report;

use crate::shell::{Cargo, target_folder};
use crate::{browser, tidy, web};
use maps::Maps;
use report::{Outcome, Report, Stopped};
use std::path::Path;

/// What `cargo xtask test` was asked for.
pub(crate) struct Options {
    /// Format, tidy, clippy and tests of the crates that changed, without real maps.
    quick: bool,
    /// How long each fuzz target runs; 0: not at all.
    fuzz_seconds: u32,
    /// Tests that take hours run too, on so many random maps.
    night: Option<u32>,
}

/// The variable that asks tests for the night's run.
const NIGHT: &str = "MILEPOST_NIGHT";

impl Options {
    /// Reads `--quick`, `--fuzz-seconds N` and `--night MAPS`.
    pub(crate) fn parse(words: &[&str]) -> Result<Self, String> {
        let mut options = Options { quick: false, fuzz_seconds: 5, night: None };
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
                ("--night", value) => {
                    let maps = value.or_else(|| words.next().copied()).unwrap_or_default();
                    let number =
                        maps.parse().map_err(|_| format!("--night wants a number of maps, not `{maps}`"));
                    options.night = Some(number?);
                }
                _ => return Err(format!("test does not know `{word}`")),
            }
        }
        Ok(options)
    }
}

/// Runs the steps and prints what they came to.
pub(crate) fn run(root: &Path, options: &Options) -> Result<(), String> {
    let maps = if options.quick { Maps::LeftOut } else { maps::check(root)? };
    let mut report = Report::new(maps);
    let stopped =
        if options.quick { quick(root, &mut report) } else { all(root, options, &mut report) }.err();
    report.print(stopped)
}

/// What a change in one place is tried with again and again.
fn quick(root: &Path, report: &mut Report) -> Result<(), Stopped> {
    format(root, report)?;
    report.step("tidy", || tidy::run(root).map(|()| Outcome::Passed))?;
    let mut packages = Vec::new();
    report.step("changed crates", || {
        packages = changed::packages(root)?;
        let names = if packages.is_empty() { "none".to_owned() } else { packages.join(", ") };
        println!("    {names}");
        Ok(Outcome::Passed)
    })?;
    if packages.is_empty() {
        return Ok(());
    }
    // With the features that the whole workspace asks for: what other runs have compiled is taken over.
    report.cargo("clippy", clippy(root, " --workspace"))?;
    let tests = tests(root, " --workspace", &packages);
    report.cargo("tests", tests.unset(maps::VARIABLE).set("MILEPOST_QUICK", "1"))
}

/// Everything, in the order in which steps are likely to fail; steps that build the same things stand together.
fn all(root: &Path, options: &Options, report: &mut Report) -> Result<(), Stopped> {
    let cargo = |words: &str| Cargo::new(root, words);
    format(root, report)?;
    report.step("tidy", || tidy::run(root).map(|()| Outcome::Passed))?;
    report.cargo("clippy", clippy(root, " --workspace"))?;
    let mut program = None;
    report.step("browser", || match browser::find_or_install() {
        Ok(found) => {
            println!("    {}", found.display());
            program = Some(found);
            Ok(Outcome::Passed)
        }
        Err(why) => Ok(Outcome::Skipped(format!("no tests in a browser: {why}"))),
    })?;
    let tests = tests(root, " --workspace", &[]).unset(browser::SITE);
    let tests = match &program {
        Some(program) => tests.set(browser::VARIABLE, &program.to_string_lossy()),
        None => tests.unset(browser::VARIABLE),
    };
    let tests = match options.night {
        Some(maps) => tests.set(NIGHT, &maps.to_string()),
        None => tests.unset(NIGHT),
    };
    report.cargo("tests", tests)?;
    report.step("web", || match &program {
        _ if !web::has_target() => {
            Ok(Outcome::Skipped("no target for browsers (`cargo xtask web` says more)".to_owned()))
        }
        program => {
            web::build(root, &web::Options::default())?;
            let Some(program) = program else {
                return Ok(Outcome::Skipped(
                    "the site was made, and no browser is there to try it".to_owned(),
                ));
            };
            web::test(root, program).map(|()| Outcome::Passed)
        }
    })?;
    report.cargo("doc tests", cargo("test --workspace --all-features --doc --locked"))?;
    let docs = cargo("doc --workspace --all-features --no-deps --locked").set("RUSTDOCFLAGS", "-D warnings");
    report.cargo("docs", docs)?;
    // What a game links that leaves out everything it can.
    report.cargo("no features", cargo("clippy -p milepost --no-default-features --locked -- -D warnings"))?;
    // What a game links that opens index files.
    let files = "clippy -p milepost --no-default-features --features files --locked -- -D warnings";
    report.cargo("files alone", cargo(files))?;
    // Packs what would be published; building from it takes minutes, and a workflow does.
    let package = "package --workspace --exclude xtask --no-verify --allow-dirty --locked --quiet";
    report.cargo("packages", cargo(package))?;
    let outside = target_folder(root).join("outside");
    let check = |folder: &str| {
        cargo(&format!("check --locked --manifest-path {folder}/Cargo.toml --target-dir")).word(&outside)
    };
    report.cargo("peers", check("crates/milepost-peers"))?;
    let stand_in =
        cargo("test --locked -p crc32fast --manifest-path crates/milepost-web/Cargo.toml --target-dir");
    report.cargo("checksums of the web module", stand_in.word(&outside))?;
    if !fuzz::steps(root, options.fuzz_seconds, report)? {
        // Nothing has compiled them yet.
        report.cargo("fuzz targets", check("fuzz"))?;
    }
    Ok(())
}

fn format(root: &Path, report: &mut Report) -> Result<(), Stopped> {
    report.step("format", || {
        Cargo::new(root, "fmt --all --check").run()?;
        // They lie outside the workspace.
        Cargo::new(root, "fmt --check --manifest-path fuzz/Cargo.toml").run()?;
        Cargo::new(root, "fmt --check --manifest-path crates/milepost-peers/Cargo.toml").run()?;
        Cargo::new(root, "fmt --check --manifest-path crates/milepost-web/Cargo.toml").run()?;
        Ok(Outcome::Passed)
    })
}

fn clippy(root: &Path, packages: &str) -> Cargo {
    Cargo::new(root, &format!("clippy{packages} --all-targets --all-features --locked -- -D warnings"))
}

/// The tests of these packages, or of those among them that are named.
fn tests(root: &Path, packages: &str, named: &[String]) -> Cargo {
    if Cargo::new(root, "nextest --version").works() {
        let call = Cargo::new(root, &format!("nextest run{packages} --all-features --locked"));
        if named.is_empty() {
            return call;
        }
        let filter: Vec<String> = named.iter().map(|package| format!("package({package})")).collect();
        return call.word("-E").word(filter.join(" | "));
    }
    println!("    cargo-nextest is not installed: the tests run with cargo's own runner");
    let chosen: String = named.iter().map(|package| format!(" -p {package}")).collect();
    let packages = if named.is_empty() { packages } else { &chosen };
    Cargo::new(root, &format!("test{packages} --all-features --locked --lib --bins --tests --examples"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_in_both_spellings() {
        let default = Options::parse(&[]).expect("no options are fine");
        assert!(!default.quick && default.fuzz_seconds == 5 && default.night.is_none());
        assert_eq!(Options::parse(&["--night", "9000"]).map(|options| options.night), Ok(Some(9000)));
        for words in [&["--quick", "--fuzz-seconds", "3"][..], &["--fuzz-seconds=3", "--quick"][..]] {
            let options = Options::parse(words).expect("these are options");
            assert!(options.quick && options.fuzz_seconds == 3);
        }
    }

    #[test]
    fn a_wrong_option_is_refused() {
        let wrong = [
            &["--fast"][..],
            &["--fuzz-seconds"][..],
            &["--fuzz-seconds", "soon"][..],
            &["--quick=1"][..],
            &["--night"][..],
            &["--night=long"][..],
        ];
        for words in wrong {
            assert!(Options::parse(words).is_err(), "{words:?}");
        }
    }
}

//! Chores of the project: `cargo xtask test`, `cargo xtask tidy`, `cargo xtask golden`, `cargo xtask web`.

mod browser;
mod golden;
mod shell;
mod test;
mod tidy;
mod web;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE

  test [--quick] [--fuzz-seconds N] [--night MAPS]
                                      everything a change has to pass; --quick: format, tidy, clippy and tests of the
                                      crates that changed; N seconds of fuzzing for each target (5; 0 = none); --night:
                                      also the tests that take hours, on so many random maps
  tidy [--public]                     the project's own rules: rooms, names, public items, words, invariants;
                                      --public: lists the public items of the library
  golden                              writes the committed golden files, saves and snapshots anew
  web [--test] [--build-std RUSTC]    the explorer without a server: a site in target/web, and one file of all of it;
                                      --test: runs the browser's tests against it; --build-std: by this compiler,
                                      which makes its library for browsers itself";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = shell::root();
    let result = match words.as_slice() {
        ["test", options @ ..] => match test::Options::parse(options) {
            Ok(options) => test::run(&root, &options),
            Err(problem) => return wrong_usage(&problem),
        },
        ["tidy"] => tidy::run(&root),
        ["tidy", "--public"] => tidy::print_public(&root),
        ["web", options @ ..] => match web::Options::parse(options) {
            Ok(options) => web::run(&root, &options),
            Err(problem) => return wrong_usage(&problem),
        },
        ["golden"] => golden::run(&root),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        [] => return wrong_usage("no chore named"),
        other => return wrong_usage(&format!("unknown: {}", other.join(" "))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn wrong_usage(problem: &str) -> ExitCode {
    eprintln!("cargo xtask: {problem}\n\n{USAGE}");
    ExitCode::from(2)
}

//! What runs on other machines names what exists here: workflows call chores, packages, files and cargo's own commands, or
//! tools that they install themselves; and they try the oldest Rust that the manifests promise.

use super::{Fault, Tree};

const FOLDER: &str = ".github/workflows/";
const MANIFEST: &str = "Cargo.toml";
const CHORES: &str = "xtask/src/main.rs";
const DENY: &str = "deny.toml";
/// Commands of cargo that come with it, as far as workflows have a use for them.
const COMMANDS: [&str; 9] = ["build", "check", "clippy", "doc", "fmt", "install", "package", "test", "xtask"];

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| path.starts_with(FOLDER)) {
        let installed: Vec<&str> =
            calls(text).filter_map(|(_, call)| call.strip_prefix("install ")).collect();
        for (line, call) in calls(text) {
            faults.extend(
                faults_of(tree, call, &installed).into_iter().map(|what| Fault::new(path, line, what)),
            );
        }
    }
    faults.extend(oldest_rust(tree));
    if let Some(line) = tree.text(DENY).and_then(|text| line_of(text, |line| line.trim() == "[sources]")) {
        let what = "`[sources]` refuses every registry but one, also a mirror that is used here: remove it";
        faults.push(Fault::new(DENY, line, what));
    }
    faults
}

/// What follows `cargo` on the lines that are run, with the numbers of those lines.
fn calls(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_start()));
    lines.filter_map(|(number, line)| {
        let run = line.strip_prefix("- run: ").or_else(|| line.strip_prefix("run: "))?;
        Some((number, run.strip_prefix("cargo ")?))
    })
}

fn faults_of(tree: &Tree, call: &str, installed: &[&str]) -> Vec<String> {
    let words: Vec<&str> = call.split_whitespace().filter(|word| !word.starts_with('+')).collect();
    let Some((command, rest)) = words.split_first() else { return Vec::new() };
    let mut faults = Vec::new();
    let tool = format!("cargo-{command}");
    let is_installed = installed.iter().any(|words| words.split_whitespace().any(|word| word == tool));
    if !COMMANDS.contains(command) && !is_installed {
        faults.push(format!(
            "`cargo {command}` is no command of cargo: add a step `cargo install {tool} --locked`"
        ));
    }
    if *command == "xtask" {
        let chore = rest.first().copied().unwrap_or_default();
        let chores = tree.text(CHORES).unwrap_or_default();
        if !chores.contains(&format!("[\"{chore}\"")) {
            faults.push(format!("`cargo xtask {chore}` is no chore: `cargo xtask help` lists them"));
        }
        for option in rest.iter().filter(|word| word.starts_with("--")) {
            if !tree.texts().any(|(path, text)| is_xtask(path) && text.contains(&format!("\"{option}\""))) {
                faults.push(format!(
                    "`cargo xtask {chore}` knows no `{option}`: `cargo xtask help` lists its options"
                ));
            }
        }
    }
    for pair in words.windows(2) {
        match *pair {
            ["-p" | "--package" | "--exclude", package] if !is_package(tree, package) => {
                faults.push(format!("no crate of the project is called `{package}`: correct the name"));
            }
            ["--manifest-path", path] if tree.text(path).is_none() => {
                faults.push(format!("there is no `{path}`: correct the path"));
            }
            _ => {}
        }
    }
    faults
}

fn is_xtask(path: &str) -> bool {
    path.starts_with("xtask/src/") && !path.starts_with("xtask/src/tidy/")
}

fn is_package(tree: &Tree, package: &str) -> bool {
    let name = format!("name = \"{package}\"");
    let is_named =
        |text: &str| text.lines().take_while(|line| *line != "[dependencies]").any(|line| line == name);
    tree.texts().any(|(path, text)| path.ends_with("Cargo.toml") && is_named(text))
}

/// A step of some workflow runs the Rust version of the manifest.
fn oldest_rust(tree: &Tree) -> Option<Fault> {
    let manifest = tree.text(MANIFEST)?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "))?.trim_matches('"');
    let is_tried = |text: &str| calls(text).any(|(_, call)| call.starts_with(&format!("+{version} check ")));
    if tree.texts().any(|(path, text)| path.starts_with(FOLDER) && is_tried(text)) {
        return None;
    }
    let line = line_of(manifest, |line| line.starts_with("rust-version"))?;
    let what = format!("no workflow tries Rust {version}: add a step `cargo +{version} check --workspace`");
    Some(Fault::new(MANIFEST, line, what))
}

fn line_of(text: &str, is_wanted: impl Fn(&str) -> bool) -> Option<usize> {
    text.lines().position(is_wanted).map(|index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::super::tree::tree;
    use super::*;

    const WORKFLOW: &str = ".github/workflows/test.yml";

    fn check(steps: &str) -> Vec<String> {
        let steps = format!("      - run: cargo +1.80 check --workspace\n{steps}");
        shown(&faults(&tree(&[
            (MANIFEST, "[workspace.package]\nrust-version = \"1.80\"\n"),
            ("crates/a/Cargo.toml", "[package]\nname = \"a\"\n"),
            (CHORES, "fn main() { match x { [\"test\", options @ ..] => {} } }"),
            ("xtask/src/test/mod.rs", "fn f() -> &'static str { \"--quick\" }"),
            (WORKFLOW, &steps),
        ])))
    }

    #[test]
    fn steps_that_call_what_there_is_are_clean() {
        let steps = "      - run: cargo xtask test --quick\n      - run: cargo install cargo-deny --locked\n\
                     \x20     - run: cargo deny check\n        run: cargo check -p a --manifest-path crates/a/Cargo.toml\n";
        assert_eq!(check(steps), [""; 0]);
    }

    #[test]
    fn a_step_that_calls_what_is_not_there_is_refused() {
        for (step, said) in [
            ("cargo xtask tests", "`cargo xtask tests` is no chore"),
            ("cargo xtask test --fast", "`cargo xtask test` knows no `--fast`"),
            ("cargo deny check", "add a step `cargo install cargo-deny --locked`"),
            ("cargo check -p b", "no crate of the project is called `b`"),
            ("cargo check --manifest-path b/Cargo.toml", "there is no `b/Cargo.toml`"),
        ] {
            let faults = check(&format!("      - run: {step}\n"));
            assert_eq!(faults.len(), 1, "{faults:?}");
            assert!(
                faults[0].starts_with(&format!("{WORKFLOW}:2: ")) && faults[0].contains(said),
                "{faults:?}"
            );
        }
    }

    #[test]
    fn the_oldest_rust_that_is_promised_is_tried() {
        let faults = faults(&tree(&[
            (MANIFEST, "rust-version = \"1.80\"\n"),
            (WORKFLOW, "- run: cargo +1.81 check\n"),
        ]));
        assert_eq!(shown(&faults).len(), 1, "{faults:?}");
        assert!(faults[0].to_string().contains("no workflow tries Rust 1.80"), "{faults:?}");
    }

    #[test]
    fn a_table_of_sources_is_refused() {
        let faults = faults(&tree(&[(DENY, "[bans]\n[sources]\n")]));
        assert!(shown(&faults)[0].starts_with("deny.toml:2: "), "{faults:?}");
    }
}

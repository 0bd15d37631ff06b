//! The project's own rules, which no compiler knows. Each rule is a function from a [`Tree`] of files to
//! the faults it found, so that its tests can hand it a small tree that breaks it.

mod algorithms;
mod architecture;
mod catalog;
mod dependencies;
mod examples;
mod members;
mod naming;
mod packages;
mod papers;
mod public;
mod purity;
mod rooms;
mod tokens;
mod tree;
mod unsafe_code;
mod words;
mod workflows;

pub(crate) use tokens::Token;
pub(crate) use tree::Tree;

use std::fmt;
use std::path::Path;

/// Something a rule refuses: where, what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    path: String,
    line: usize,
    what: String,
}

impl Fault {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Self {
        Fault { path: path.to_owned(), line, what: what.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// All rules.
const RULES: [fn(&Tree) -> Vec<Fault>; 15] = [
    Tree::unreadable,
    rooms::faults,
    dependencies::faults,
    unsafe_code::faults,
    purity::faults,
    catalog::faults,
    naming::faults,
    public::faults,
    examples::faults,
    algorithms::faults,
    words::faults,
    architecture::faults,
    papers::faults,
    packages::faults,
    workflows::faults,
];

/// Prints one line for each fault of the project in `root`.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let tree = Tree::read(root).map_err(|error| format!("tidy: {error}"))?;
    let mut faults: Vec<Fault> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
    faults.sort();
    faults.dedup();
    for fault in &faults {
        println!("{fault}");
    }
    match faults.len() {
        0 => Ok(()),
        1 => Err("tidy: 1 fault".to_owned()),
        count => Err(format!("tidy: {count} faults")),
    }
}

/// Prints every public item of the library.
pub(crate) fn print_public(root: &Path) -> Result<(), String> {
    let tree = Tree::read(root).map_err(|error| format!("tidy: {error}"))?;
    let items = public::items(&tree);
    items.iter().for_each(|item| println!("{item}"));
    println!("{} public items", items.len());
    Ok(())
}

/// `path:line: what` of every fault, for the tests of the rules.
#[cfg(test)]
fn shown(faults: &[Fault]) -> Vec<String> {
    faults.iter().map(Fault::to_string).collect()
}

//! `unsafe` stands nowhere.

use super::{Fault, Tree};

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, tokens) in tree.rust() {
        for token in tokens.iter().filter(|token| token.is_word("unsafe")) {
            faults.push(Fault::new(path, token.line, "`unsafe` has no place here: write it safely"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::tree::tree;
    use super::*;

    #[test]
    fn unsafe_is_refused_wherever_it_stands() {
        for path in ["crates/milepost/src/core/heap.rs", "xtask/src/a.rs", "fuzz/fuzz_targets/a.rs"] {
            let faults = faults(&tree(&[(path, "fn f() {\n    unsafe { g() }\n}")]));
            assert_eq!(faults.len(), 1, "{path}");
            assert!(faults[0].to_string().starts_with(&format!("{path}:2: ")));
        }
        assert_eq!(faults(&tree(&[("crates/a/tests/b.rs", "#[cfg(test)] unsafe fn f() {}")])).len(), 1);
    }

    #[test]
    fn mere_mentions_are_fine() {
        let clean = tree(&[(
            "crates/milepost/src/lib.rs",
            "#![forbid(unsafe_code)]\n// unsafe\nconst A: &str = \"unsafe\";",
        )]);
        assert_eq!(faults(&clean), []);
    }
}

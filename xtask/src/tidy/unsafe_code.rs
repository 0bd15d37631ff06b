//! `unsafe` stands in two places only: where files are mapped into memory, and in the C binding.

use super::{Fault, Tree};

const ALLOWED: [&str; 2] = ["crates/milepost/src/files/map.rs", "crates/milepost-c/"];

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, tokens) in tree.rust().filter(|(path, _)| !ALLOWED.iter().any(|place| path.starts_with(place)))
    {
        for token in tokens.iter().filter(|token| token.is_word("unsafe")) {
            let what = format!("`unsafe` is for {} only: write it safely", ALLOWED.join(" and "));
            faults.push(Fault::new(path, token.line, what));
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
    fn mapping_the_c_binding_and_mere_mentions_are_fine() {
        let clean = tree(&[
            ("crates/milepost/src/files/map.rs", "unsafe fn map() {}"),
            ("crates/milepost-c/src/lib.rs", "unsafe fn f() {}"),
            ("crates/milepost/src/lib.rs", "#![forbid(unsafe_code)]\n// unsafe\nconst A: &str = \"unsafe\";"),
        ]);
        assert_eq!(faults(&clean), []);
    }
}

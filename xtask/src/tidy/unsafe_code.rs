//! `unsafe` stands nowhere, but in the one file that names what a WebAssembly module gives and takes: there `#[unsafe(no_mangle)]`
//! and `unsafe extern` say what no compiler can check, and no block opens.

use super::{Fault, Tree};

/// The one file.
const EXPORTS: &str = "crates/milepost-web/src/lib.rs";

pub(super) fn faults(tree: &Tree) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (path, tokens) in tree.rust() {
        for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.is_word("unsafe")) {
            let next = tokens.get(index + 1);
            let declares = next.is_some_and(|next| next.is_mark("(") || next.is_word("extern"));
            if path == EXPORTS && declares {
                continue;
            }
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
        for path in ["crates/milepost/src/core/heap.rs", "xtask/src/a.rs", "fuzz/src/a.rs"] {
            let faults = faults(&tree(&[(path, "fn f() {\n    unsafe { g() }\n}")]));
            assert_eq!(faults.len(), 1, "{path}");
            assert!(faults[0].to_string().starts_with(&format!("{path}:2: ")));
        }
        assert_eq!(faults(&tree(&[("crates/a/tests/b.rs", "#[cfg(test)] unsafe fn f() {}")])).len(), 1);
    }

    #[test]
    fn exports_and_imports_of_the_web_module_are_declared_and_nothing_else() {
        let declared =
            "#[unsafe(no_mangle)]\npub extern \"C\" fn f() {}\nunsafe extern \"C\" { safe fn g(); }";
        assert_eq!(faults(&tree(&[(EXPORTS, declared)])), []);
        assert_eq!(faults(&tree(&[("crates/milepost-web/src/other.rs", declared)])).len(), 2);
        assert_eq!(faults(&tree(&[(EXPORTS, "fn f() { unsafe { g() } }\nunsafe fn h() {}")])).len(), 2);
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

//! Tells the linker to write numbers in as few bytes as they need.

fn main() {
    println!("cargo::rustc-link-arg-cdylib=--compress-relocations");
    println!("cargo::rerun-if-changed=build.rs");
}

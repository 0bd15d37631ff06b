//! `cargo xtask web`: the explorer without a server. The engine is compiled to WebAssembly; beside the page it makes a site that
//! any host can serve, and inside of it one file that opens by a double click.

mod single_file;

use crate::browser;
use crate::shell::{Cargo, target_folder};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

const TARGET: &str = "wasm32-unknown-unknown";
const MANIFEST: &str = "crates/milepost-web/Cargo.toml";
/// The page, which the command has inside of it.
const PAGE: &str = "crates/milepost-explore/page";
const START: &str = "index.html";
const MODULE: &str = "milepost.wasm";
/// The page and the module in one.
const SINGLE: &str = "milepost-explorer.html";
/// What tells the page that no server answers it.
const ENGINE: &str = "<meta name=\"milepost-engine\" content=\"worker\">";
/// What the module should weigh on the network at most, gzipped.
const LARGEST_MODULE: usize = 800_000;
/// All browsers of today have vectors of 128 bits. Searches are compiled once for all moves and goals. No name of a file and no
/// field of a type is printed by what goes wrong: a page says what it says in words of its own.
const FLAGS: &str =
    "-C target-feature=+simd128 --cfg milepost_compact -Z location-detail=none -Z fmt-debug=shallow";
/// Where the standard library is compiled too it leaves as much out: sorts in one form, and the texts of panics.
const FLAGS_WITH_STD: &str = "-Z unstable-options -C panic=immediate-abort";
const STD: &str = "-Z build-std=std,panic_abort -Z build-std-features=optimize_for_size";

/// What `cargo xtask web` was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// Runs the browser's tests against the site too.
    test: bool,
    /// A compiler that makes the standard library itself.
    build_std: Option<PathBuf>,
}

impl Options {
    /// Reads `--test` and `--build-std RUSTC`.
    pub(crate) fn parse(words: &[&str]) -> Result<Self, String> {
        let mut options = Options::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--test" => options.test = true,
                "--build-std" => {
                    let compiler = words.next().ok_or("--build-std wants the path of a rustc")?;
                    options.build_std = Some(PathBuf::from(compiler));
                }
                _ => return Err(format!("web does not know `{word}`")),
            }
        }
        Ok(options)
    }
}

/// Makes the site, and tries it if asked to.
pub(crate) fn run(root: &Path, options: &Options) -> Result<(), String> {
    build(root, options)?;
    if options.test {
        match browser::find_or_install() {
            Ok(program) => test(root, &program)?,
            Err(why) => println!("tests of the site skipped: {why}"),
        }
    }
    Ok(())
}

/// Whether the compiler that is in use has the target's standard library.
pub(crate) fn has_target() -> bool {
    let answer = Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    answer.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

/// Runs the browser's tests against the site.
pub(crate) fn test(root: &Path, program: &Path) -> Result<(), String> {
    let site = site(root);
    // With the features of all other tests: what they have compiled serves here.
    let tests = if Cargo::new(root, "nextest --version").works() {
        Cargo::new(root, "nextest run --workspace --all-features --locked -E")
            .word("package(milepost-cli) & test(/^browser::/)")
    } else {
        Cargo::new(root, "test --workspace --all-features --test it --locked browser::")
    };
    tests.set(browser::VARIABLE, &program.to_string_lossy()).set(browser::SITE, &site.to_string_lossy()).run()
}

/// Makes the site.
pub(crate) fn build(root: &Path, options: &Options) -> Result<(), String> {
    let module = compile(root, options)?;
    let files = page(root)?;
    let weight = files.values().map(Vec::len).sum::<usize>();
    let gzipped = gzipped(&module)?;
    let site = site(root);
    let wrong = |error: io::Error| format!("{}: {error}", site.display());
    if site.exists() {
        fs::remove_dir_all(&site).map_err(wrong)?;
    }
    fs::create_dir_all(&site).map_err(wrong)?;
    let single = single_file::make(&files, &module)?;
    for (name, bytes) in &files {
        let bytes = if name == START { with_engine(bytes)?.into_bytes() } else { bytes.clone() };
        fs::write(site.join(name), bytes).map_err(wrong)?;
    }
    fs::write(site.join(MODULE), &module).map_err(wrong)?;
    fs::write(site.join(SINGLE), &single).map_err(wrong)?;
    let kilobytes = |bytes: usize| bytes.div_ceil(1000);
    println!(
        "wrote {}: a page of {} KB, {MODULE} of {} KB ({} KB gzipped), {SINGLE} of {} KB",
        site.display(),
        kilobytes(weight),
        kilobytes(module.len()),
        kilobytes(gzipped),
        kilobytes(single.len())
    );
    if gzipped > LARGEST_MODULE {
        println!("{MODULE} is heavier than it should be: {LARGEST_MODULE} bytes gzipped are the aim");
    }
    Ok(())
}

fn site(root: &Path) -> PathBuf {
    target_folder(root).join("web")
}

/// The module, compiled by whatever compiler can.
fn compile(root: &Path, options: &Options) -> Result<Vec<u8>, String> {
    let builds = target_folder(root).join("wasm");
    let words = format!("build --release --locked --manifest-path {MANIFEST} --target {TARGET}");
    let (call, flags) = match &options.build_std {
        Some(compiler) => {
            let folder = compiler.parent().ok_or_else(|| format!("{} has no folder", compiler.display()))?;
            // Its own cargo, with nothing of rustup before it; it has no linker of its own, and its library is compiled here.
            let cargo = Cargo::of(root, &folder.join("cargo"), &format!("{words} {STD}"))
                .set("PATH", &format!("{}:/usr/bin:/bin", folder.display()))
                .set("RUSTC", &compiler.to_string_lossy())
                .set("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
            (cargo, format!("{FLAGS} {FLAGS_WITH_STD}"))
        }
        None if has_target() => (Cargo::new(root, &words), FLAGS.to_owned()),
        None => {
            return Err(format!(
                "the compiler has no target {TARGET}: `rustup target add {TARGET}` installs it; without rustup, `cargo \
                 xtask web --build-std RUSTC` compiles its library too (Debian: apt-get install rustc-web cargo-web \
                 rust-web-src lld, then --build-std /usr/bin/rustc)"
            ));
        }
    };
    // Stable compilers take options of `-Z` when they are told that they may.
    let call = call.set("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", &flags).set("RUSTC_BOOTSTRAP", "1");
    call.word("--target-dir").word(&builds).run()?;
    let module = builds.join(TARGET).join("release/milepost_web.wasm");
    fs::read(&module).map_err(|error| format!("{}: {error}", module.display()))
}

/// The files of the page by their names.
fn page(root: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let wrong = |error: io::Error| format!("{PAGE}: {error}");
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(root.join(PAGE)).map_err(wrong)? {
        let entry = entry.map_err(wrong)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        files.insert(name, fs::read(entry.path()).map_err(wrong)?);
    }
    Ok(files)
}

/// The page's beginning, told that a worker answers it.
fn with_engine(start: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(start).map_err(|error| format!("{START}: {error}"))?;
    if !text.contains("<head>") {
        return Err(format!("{START}: no <head>"));
    }
    Ok(text.replacen("<head>", &format!("<head>\n{ENGINE}"), 1))
}

/// How many bytes a host sends.
fn gzipped(bytes: &[u8]) -> Result<usize, String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.map(|bytes| bytes.len()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_site_are_read_and_wrong_ones_refused() {
        assert_eq!(Options::parse(&[]), Ok(Options::default()));
        let options =
            Options::parse(&["--test", "--build-std", "/usr/bin/rustc"]).expect("these are options");
        assert!(options.test && options.build_std == Some(PathBuf::from("/usr/bin/rustc")));
        assert!(Options::parse(&["--build-std"]).is_err());
        assert!(Options::parse(&["--fast"]).is_err());
    }

    #[test]
    fn the_page_is_told_who_answers_it() {
        let text = with_engine(b"<html><head><title>").expect("a page");
        assert_eq!(text, format!("<html><head>\n{ENGINE}<title>"));
        assert!(with_engine(b"<html>").is_err());
    }
}

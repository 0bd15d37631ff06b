//! What the tests of the command share: folders with small maps, runs of the program, and words without times.

pub(crate) mod explorer;
pub(crate) mod picture;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Twelve by eight, with a pocket of two cells that no path reaches.
pub(crate) const YARD: &str = "type octile
height 8
width 12
map
............
.@@@@@@@@@..
.@......@@..
.@.@@@@....@
.@.@..@.@@.@
.@.@@@@.@@..
.@......@...
............
";

/// Three nodes in a row, and where they lie.
pub(crate) const ROADS: &str = "p sp 3 4\na 1 2 5\na 2 1 5\na 2 3 7\na 3 2 7\n";
pub(crate) const PLACES: &str = "p aux sp co 3\nv 1 0 0\nv 2 3 4\nv 3 9 4\n";

/// What a run of the program left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// The one JSON document on stdout.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The kind and the message of an error document.
    pub(crate) fn error(&self) -> (String, String) {
        let document = self.json();
        let text = |key: &str| document["error"][key].as_str().expect(key).to_owned();
        assert_eq!(document["error"]["exit_code"], self.code, "{document}");
        assert_eq!(document.as_object().map(|object| object.len()), Some(1), "{document}");
        (text("kind"), text("message"))
    }
}

/// The program, to be run in a folder.
pub(crate) fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_milepost"));
    command.current_dir(folder).env("NO_COLOR", "1").env_remove("MILEPOST_MAPS").env_remove("COLUMNS");
    command
}

/// Runs the program in a folder. Whatever it is given, it does not panic.
pub(crate) fn run_in(folder: &Path, words: &[&str]) -> Ran {
    let output = program(folder).args(words).output().expect("the program can be started");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints text");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(!stderr.contains("panicked") && !stdout.contains("panicked"), "{words:?}: {stderr}");
    let code = output.status.code().unwrap_or_else(|| panic!("{words:?} ended by a signal: {stderr}"));
    Ran { code, stdout, stderr }
}

/// A folder of a test's own.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with `yard.map` in it.
    pub(crate) fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().expect("there is room for a folder"));
        folder.write("yard.map", YARD);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// A folder with `yard.map`, `roads.gr` and `roads.co`, and `bare.gr`, which has no coordinates.
    pub(crate) fn with_roads() -> Folder {
        let folder = Folder::new();
        folder.write("roads.gr", ROADS);
        folder.write("roads.co", PLACES);
        folder.write("bare.gr", ROADS);
        folder
    }

    /// A folder with `yard.map`, and `yard.milepost` with two indexes.
    pub(crate) fn indexed() -> Folder {
        let folder = Folder::with_roads();
        folder.must("build yard.map --index jump-table,corner-labels -o yard.milepost");
        folder
    }

    /// Where a file of this folder is.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.file(name), content).expect(name);
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.file(name)).expect(name)
    }

    /// Runs the program here; the words are separated by blanks.
    pub(crate) fn run(&self, words: &str) -> Ran {
        run_in(self.path(), &words.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs the program here; it must succeed.
    pub(crate) fn must(&self, words: &str) -> Ran {
        let ran = self.run(words);
        assert_eq!(ran.code, 0, "{words}: {ran:?}");
        ran
    }

    /// A call that fails, as text and as JSON: its code, the kind of the error, and pieces of the message.
    pub(crate) fn fails(&self, words: &str, code: i32, kind: &str, pieces: &[&str]) {
        let ran = self.run(words);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{words}: {ran:?}");
        let ran = self.run(&format!("{words} --json"));
        assert_eq!(ran.code, code, "{words}: {ran:?}");
        let (found, message) = ran.error();
        assert_eq!(found, kind, "{words}: {message}");
        for piece in pieces {
            assert!(message.contains(piece), "{words}: no `{piece}` in: {message}");
        }
    }

    /// Runs a call on a broken file, as text and as JSON: it is refused with a message that holds these pieces.
    pub(crate) fn refuses(&self, what: &str, file: &str, words: &str, pieces: &[&str]) {
        let ran = self.run(words);
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{what}: {ran:?}");
        assert!(ran.stderr.starts_with(&format!("error: {file}: ")), "{what}: {}", ran.stderr);
        assert!(!ran.stderr.contains(['\0', '\u{1b}']), "{what}: {}", ran.stderr);
        let ran = self.run(&format!("{words} --json"));
        assert_eq!(ran.code, 3, "{what}: {ran:?}");
        let (kind, message) = ran.error();
        assert_eq!(kind, "damaged", "{what}: {message}");
        for piece in pieces {
            assert!(message.contains(piece), "{what}: expected `{piece}` in: {message}");
        }
    }

    /// The names of all files here.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).expect("the folder is there");
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// Lists of numbers, such as the points of a path.
pub(crate) fn numbers(value: &Value) -> Vec<Vec<f64>> {
    let number = |value: &Value| value.as_f64().expect("a number");
    let point = |value: &Value| value.as_array().expect("a point").iter().map(number).collect();
    value.as_array().expect("a list").iter().map(point).collect()
}

/// A document without what differs from run to run and from machine to machine, on many lines.
pub(crate) fn steady(mut document: Value) -> String {
    redact(&mut document);
    serde_json::to_string_pretty(&document).expect("a document")
}

fn redact(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let is_time = name == "micros"
                    || name == "seconds"
                    || name.ends_with("_seconds")
                    || name.ends_with("_us")
                    || name.contains("_us_");
                let is_memory =
                    ["scratch_bytes", "open_bytes", "memory_bytes", "agent_bytes", "agent_bytes_max"]
                        .contains(&name.as_str());
                if value.is_number() && is_time {
                    *value = "[time]".into();
                } else if value.is_number() && is_memory {
                    *value = "[bytes]".into();
                } else {
                    redact(value);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(redact),
        _ => {}
    }
}

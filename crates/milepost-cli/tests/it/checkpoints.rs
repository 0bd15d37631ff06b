//! Builds that were stopped go on from the parts that are finished, and say which part is wrong.

use crate::common::Folder;

/// A map of more than 256 cells, whose first moves are built in parts, and the words that build them.
fn with_parts() -> (Folder, &'static str) {
    let folder = Folder::new();
    folder.must("generate caves --width 40 --height 40 -o caves.map");
    (folder, "build caves.map --index first-moves -o caves.milepost --checkpoint parts --json")
}

#[test]
fn a_damaged_part_of_a_build_that_was_stopped_is_an_error_of_that_file() {
    let (folder, words) = with_parts();
    folder.must(words);
    let parts =
        || std::fs::read_dir(folder.file("parts")).expect("parts").map(|part| part.expect("a part").path());
    let part = parts().min().expect("a part");
    let good = std::fs::read(&part).expect("a part");
    let name = format!("parts/{}", part.file_name().and_then(|name| name.to_str()).expect("a name"));
    for bytes in [&good[..good.len() - 1], b"", &[0; 100]] {
        std::fs::write(&part, bytes).expect("room");
        let ran = folder.run(words);
        let (kind, message) = ran.error();
        assert_eq!((ran.code, kind.as_str()), (3, "damaged"), "{message}");
        assert_eq!(ran.json()["error"]["file"], name.as_str());
        assert!(message.starts_with(&name) && message.contains("delete it"), "{message}");
    }
    std::fs::remove_file(&part).expect("it is there");
    folder.must(words);
    // A folder in its place cannot be read.
    std::fs::remove_file(&part).expect("it is there");
    std::fs::create_dir(&part).expect("room");
    let ran = folder.run(words);
    assert_eq!((ran.code, ran.error().0.as_str()), (3, "unreadable"));
}

#[cfg(unix)]
#[test]
fn a_full_disk_under_a_checkpoint_is_an_error_of_the_part_and_leaves_nothing_half() {
    let (folder, words) = with_parts();
    std::fs::create_dir(folder.file("parts")).expect("room");
    // No file may grow, as on a full disk.
    let full = |words: &str| {
        let program = env!("CARGO_BIN_EXE_milepost");
        let script = format!("trap '' XFSZ; ulimit -f 0; exec '{program}' {words}");
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &script]).current_dir(folder.path()).output().expect("a shell");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        crate::common::Ran {
            code: output.status.code().expect("an exit code"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    };
    let ran = full(words);
    let (kind, message) = ran.error();
    assert_eq!((ran.code, kind.as_str()), (3, "unwritable"), "{message}");
    assert!(message.starts_with("parts/first-moves-") && message.contains("make room"), "{message}");
    assert_eq!(std::fs::read_dir(folder.file("parts")).expect("a folder").count(), 0);
    let ran = full("build yard.map --index none -o yard.milepost --json");
    assert_eq!((ran.code, ran.error().0.as_str()), (3, "unwritable"));
    assert!(!folder.file("yard.milepost").exists());
    folder.must(words);
}

#[cfg(unix)]
#[test]
fn a_build_that_is_stopped_says_what_it_keeps_and_the_next_one_what_it_goes_on_from() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    folder.must("generate caves --width 200 --height 200 -o caves.map");
    let words = "build caves.map --index first-moves -o caves.milepost --checkpoint parts --threads 1";
    let parts = || {
        let entries = std::fs::read_dir(folder.file("parts")).into_iter().flatten().flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".part")).count()
    };
    let start = || {
        let mut command = crate::common::program(folder.path());
        command.args(words.split(' ')).stdout(Stdio::null()).stderr(Stdio::piped());
        command.spawn().expect("the program can be started")
    };
    let stop = |id: u32| {
        assert!(Command::new("kill").args(["-INT", &id.to_string()]).status().expect("a shell").success());
    };
    let mut build = start();
    while parts() == 0 && build.try_wait().expect("a process").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    stop(build.id());
    let ended = build.wait_with_output().expect("a process");
    let said = String::from_utf8(ended.stderr).expect("text");
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(
        said.starts_with("stopped; ") && said.ends_with(" in parts: the same call goes on from there\n"),
        "{said}"
    );
    let kept = parts();
    let mut build = start();
    let (mut said, mut rest) = (String::new(), String::new());
    let mut stderr = BufReader::new(build.stderr.take().expect("a pipe"));
    stderr.read_line(&mut said).expect("text");
    stop(build.id());
    stderr.read_to_string(&mut rest).expect("text");
    assert_eq!(build.wait().expect("a process").code(), Some(130), "{rest}");
    let plural = if kept == 1 { "" } else { "s" };
    assert_eq!(said, format!("note: going on from {kept} part{plural} in parts\n"));
    assert!(rest.starts_with("stopped; "), "{rest}");
}

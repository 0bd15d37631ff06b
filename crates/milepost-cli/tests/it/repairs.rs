//! First moves that are repaired after edits.

use crate::common::Folder;

/// Yards are small enough for raw tables, halls are not.
fn with_first_moves() -> Folder {
    let folder = Folder::indexed();
    folder.must("generate rooms --width 60 --height 40 --seed 1 -o hall.map");
    folder.must("build hall.map --index first-moves,corner-labels -o hall.milepost");
    folder.must("build yard.map --index first-moves -o raw.milepost");
    folder.must("build roads.gr --index first-moves -o roads.milepost");
    folder
}

#[test]
fn first_moves_are_repaired_after_edits_and_verified() {
    let folder = with_first_moves();
    folder.write("edits.txt", "# a door\nclose 5,5 6,6\nopen 7,7\n");
    let ran = folder.must("repair hall.milepost --edits edits.txt -o after.milepost --json");
    assert!(ran.stderr.contains("corner-labels"), "{ran:?}");
    let repaired = ran.json();
    assert_eq!((&repaired["method"], &repaired["edits"]), (&"exact".into(), &2.into()));
    assert_eq!(repaired["dropped"], serde_json::json!(["corner-labels"]));
    assert!(repaired["open_lists"].is_null());
    let counts = ["changed", "examined"].map(|name| repaired[name]["count"].as_u64().expect("a count"));
    assert!(counts[0] <= counts[1], "{repaired}");
    folder.must("verify after.milepost --sample 50");
    folder.write("edits.txt", "close 0,0\n");
    for method in ["exact", "printed"] {
        let call = format!("repair raw.milepost --edits edits.txt -o {method}.milepost --method {method}");
        let text = folder.must(&call).stdout;
        assert!(text.contains("examined") && text.contains("estimated"), "{text}");
        assert_eq!(text.contains("may leave moves"), method == "printed", "{text}");
    }
    folder.must("verify exact.milepost --sample 50");
    folder.write("edits.txt", "unedge #1 #2\n");
    let repaired =
        folder.must("repair roads.milepost --edits edits.txt -o cut.milepost --method printed --json");
    assert!(repaired.json()["open_lists"].is_array());
}

#[test]
fn repairs_that_cannot_be_are_refused_and_leave_no_file() {
    let folder = with_first_moves();
    folder.write("edits.txt", "close 0,0\n");
    folder.write("bad.txt", "close 0,0\nshut 1,1\n");
    folder.write("far.txt", "close 0,0\n\nclose 999,0\n");
    folder.fails(
        "repair yard.milepost --edits edits.txt -o d.milepost",
        2,
        "no_index",
        &["--index first-moves"],
    );
    let printed = "repair hall.milepost --edits edits.txt -o d.milepost --method printed";
    folder.fails(printed, 2, "not_for_this_map", &["raw tables"]);
    folder.fails("repair raw.milepost --edits edits.txt -o d.map", 2, "unsupported_pair", &["d.map"]);
    folder.fails("repair raw.milepost --edits bad.txt -o d.milepost", 3, "damaged", &["line 2", "shut"]);
    folder.fails("repair raw.milepost --edits far.txt -o d.milepost", 3, "damaged", &["line 3", "outside"]);
    folder.fails("repair raw.milepost --edits no.txt -o d.milepost", 3, "unreadable", &["no.txt"]);
    folder.fails("repair raw.milepost --edits edits.txt -o no/d.milepost", 3, "unwritable", &["d.milepost"]);
    assert!(!folder.file("d.milepost").exists());
}

//! The list of what there is, whole or in part.

use crate::common::Folder;
use serde_json::Value;

/// The fields of a document, and the names in each.
fn shown(folder: &Folder, words: &str) -> Vec<(String, Vec<String>)> {
    let document = folder.must(&format!("list {words} --json")).json();
    let name = |entry: &Value| entry["name"].as_str().expect("a name").to_owned();
    let names = |list: &Value| list.as_array().expect("a list").iter().map(name).collect();
    let fields = document.as_object().expect("an object");
    fields.iter().map(|(field, list)| (field.clone(), names(list))).collect()
}

#[test]
fn a_part_of_the_list_is_that_part_of_the_whole_and_nothing_else() {
    let folder = Folder::new();
    let whole = shown(&folder, "");
    let fields: Vec<&str> = whole.iter().map(|(field, _)| field.as_str()).collect();
    assert_eq!(fields.len(), 6, "{fields:?}");
    for field in fields {
        // Agents that see their surroundings are agents, too.
        let is_asked = |other: &str| other == field || (field, other) == ("agents", "scouts");
        let expected: Vec<_> = whole.iter().filter(|(other, _)| is_asked(other)).cloned().collect();
        assert_eq!(shown(&folder, field), expected, "{field}");
        let text = folder.must(&format!("list {field}")).stdout;
        assert!(text.lines().count() < folder.must("list").stdout.lines().count(), "{text}");
    }
}

#[test]
fn a_name_stands_for_all_that_goes_by_it_and_for_nothing_else() {
    let folder = Folder::new();
    for (field, names) in shown(&folder, "") {
        for name in names {
            let parts = shown(&folder, &name);
            assert!(parts.iter().any(|(other, _)| *other == field), "{name} is in {field}: {parts:?}");
            for (other, found) in parts {
                assert!(found.iter().all(|one| *one == name) && found.len() == 1, "{other}: {found:?}");
            }
        }
    }
    let text = folder.must("list weighted-astar").stdout;
    assert!(text.contains("PLANNERS") && text.contains("guarantee") && !text.contains("AGENTS"), "{text}");
    assert!(text.contains("On a mesh") && text.lines().count() < 20, "{text}");
}

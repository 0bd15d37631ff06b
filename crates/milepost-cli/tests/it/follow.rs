//! Agents that follow a planner: the default on a file with labels, what is built for them, and which planner stands in after an edit.

use crate::common::Folder;
use serde_json::json;

const SCEN: &str =
    "version 1\n0\tyard.map\t12\t8\t0\t0\t11\t7\t17.41421356\n0\tyard.map\t12\t8\t2\t2\t0\t7\t7\n";

#[test]
fn on_a_file_with_labels_walk_follows_them_unless_another_agent_is_named() {
    let folder = Folder::new();
    folder.must("build yard.map --index corner-labels,first-moves,corner-hierarchy -o all.milepost");
    folder.must("build yard.map --index first-moves,corner-hierarchy -o two.milepost");
    let walk = |words: &str| folder.must(&format!("walk {words} --from 2,2 --to 11,7 --json")).json();
    let document = walk("all.milepost");
    assert_eq!(document["agent"], "follow:corner-labels");
    assert_eq!(document["cost"], document["optimal_cost"]);
    assert_eq!((&document["max_thinking"], &document["stand_in"]), (&json!(0), &json!(null)));
    assert_eq!(walk("two.milepost")["agent"], "first-moves");
    assert_eq!(walk("yard.map")["agent"], "corner-walk");
    assert_eq!(walk("two.milepost --agent follow")["stand_in"], json!(null));
}

#[test]
fn what_its_planner_reads_is_built_on_a_map_and_named_where_a_file_lacks_it() {
    let folder = Folder::new();
    folder.write("yard.scen", SCEN);
    let words = "--scen yard.scen --agents follow:corner-labels,follow:200:astar:h=manhattan,follow --json";
    let document = folder.must(&format!("bench yard.map {words}")).json();
    for run in document["runs"].as_array().expect("a list") {
        assert_eq!((&run["solved"], &run["failed"]), (&json!(2), &json!(0)), "{run}");
    }
    let labels = &document["runs"][0];
    assert_eq!((&labels["optimal"], &labels["max_thinking"]), (&json!(2), &json!(0)), "{labels}");
    assert!(labels["index_bytes"].as_u64() > Some(0), "{labels}");
    folder.must("build yard.map --index none -o bare.milepost");
    for words in [
        "bench bare.milepost --scen yard.scen --agents follow:corner-labels",
        "walk bare.milepost --from 2,2 --to 11,7 --agent follow:corner-labels",
    ] {
        let ran = folder.run(&format!("{words} --json"));
        let (kind, message) = ran.error();
        assert_eq!((ran.code, kind.as_str()), (2, "no_index"), "{words}");
        assert!(
            message.contains("milepost build bare.milepost --index corner-labels -o bare-2.milepost"),
            "{message}"
        );
    }
}

#[test]
fn where_an_edit_drops_its_index_walk_says_who_stands_in() {
    let folder = Folder::new();
    folder.must("build yard.map --index corner-labels -o yard.milepost");
    folder.write("late.edits", "@3 close 7,4\n");
    folder.write("link.edits", "@3 link 0,0 11,0 1\n");
    for map in ["yard.milepost", "yard.map"] {
        for (edits, planner) in [("late.edits", "jps"), ("link.edits", "astar")] {
            let words =
                format!("walk {map} --from 2,2 --to 11,7 --agent follow:corner-labels --edits {edits}");
            let document = folder.must(&format!("{words} --json")).json();
            assert_eq!((&document["status"], &document["stand_in"]), (&json!("arrived"), &json!(planner)));
            let text = folder.must(&words).stdout;
            // The index was there until then: nothing is said of building it.
            let why = match planner {
                "jps" => " since the edit before move 3, which dropped the index `corner-labels`",
                _ => ": `follow:corner-labels` does not work on maps with links",
            };
            let line = format!("planned by  {planner}{why}\n");
            assert!(text.contains(&line), "{text}");
        }
    }
    // An edit before the first move leaves nothing to begin with.
    folder.write("now.edits", "close 7,4\n");
    let words =
        "walk yard.milepost --from 2,2 --to 11,7 --agent follow:corner-labels --edits now.edits --json";
    assert_eq!(folder.run(words).error().0, "no_index");
}

#[test]
fn what_is_wrong_with_the_planner_of_an_agent_is_said_of_the_planner() {
    let folder = Folder::new();
    for (agent, piece) in [
        ("follow:jsp", "there is no planner `jsp`"),
        ("follow:200:corner-label", "did you mean `corner-labels`?"),
        ("follow:astar:h=fast", "`h=fast` is no value for `astar`"),
        ("folow:jps", "did you mean `follow`?"),
    ] {
        let ran = folder.run(&format!("walk yard.map --from 2,2 --to 11,7 --agent {agent} --json"));
        assert_eq!(ran.code, 2, "{agent}");
        assert!(ran.error().1.contains(piece), "{agent}: {ran:?}");
    }
    let ran = folder.run("walk yard.map --from 2,2 --to 11,7 --agent follow:jps --sight 1 --json");
    assert_eq!((ran.code, ran.error().0.as_str()), (2, "not_for_this_agent"));
}

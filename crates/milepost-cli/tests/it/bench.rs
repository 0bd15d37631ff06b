//! What `bench` counts, and when it says no.

use crate::common::Folder;
use serde_json::Value;

/// A map with problems drawn on it.
fn rooms() -> Folder {
    let folder = Folder::new();
    folder.must("generate rooms --width 96 --height 64 --seed 3 -o rooms.map");
    folder.must("scenarios rooms.map --count 60 --seed 3 -o rooms.scen");
    folder
}

#[test]
fn a_planner_that_promises_nothing_breaks_no_promise() {
    let folder = rooms();
    let planners = "astar:h=manhattan,weighted-astar:5,astar";
    let document =
        folder.must(&format!("bench rooms.map --scen rooms.scen --planners {planners} --json")).json();
    assert_eq!((&document["queries"], &document["scen_disagreements"]), (&60.into(), &0.into()));
    let row = |index: usize, key: &str| document["runs"][index][key].as_f64().expect(key);
    for index in [0, 1] {
        assert!(row(index, "optimal") < 60.0, "the test wants a planner that is not optimal");
        assert!(row(index, "worst_ratio") > 1.0 && row(index, "mean_suboptimality_percent") > 0.0);
        assert_eq!((row(index, "solved"), row(index, "failed")), (60.0, 0.0));
    }
    assert_eq!(
        (row(2, "optimal"), row(2, "worst_ratio"), row(2, "total_suboptimality_percent")),
        (60.0, 1.0, 0.0)
    );
    let text = folder.must("bench rooms.map --scen rooms.scen --planners astar:h=manhattan").stdout;
    assert!(text.contains("astar:h=manhattan does not promise optimal paths"), "{text}");
}

#[test]
fn every_rule_agrees_with_its_own_scenarios() {
    let folder = rooms();
    for rule in ["octile", "octile14", "octile-cutting"] {
        folder.must(&format!("scenarios rooms.map --count 40 --moves {rule} -o {rule}.scen"));
        for check in ["exact", "scen"] {
            let words = format!("bench rooms.map --scen {rule}.scen --moves {rule} --check {check} --json");
            let document = folder.must(&words).json();
            assert_eq!(document["scen_disagreements"], 0, "{rule}");
            assert_eq!(document["moves"], rule);
            let runs = document["runs"].as_array().expect("runs");
            for name in ["dijkstra", "astar"] {
                let run = runs.iter().find(|run| run["name"] == name).expect(name);
                assert_eq!(
                    (&run["solved"], &run["optimal"]),
                    (&40.into(), &40.into()),
                    "{rule} {check} {name}"
                );
            }
        }
    }
    // Under another rule the lengths are others, and that is said.
    let document = folder.must("bench rooms.map --scen octile14.scen --json").json();
    assert!(document["scen_disagreements"].as_u64() > Some(20), "{document}");
}

/// The problems of `yard.map`: good, unreachable, blocked, and one with a length that is too small.
fn yard() -> Folder {
    let folder = Folder::new();
    let line = |ends: &str, length: &str| format!("0 yard.map 12 8 {ends} {length}\n");
    let problems = [
        line("0 0 3 0", "3"),
        line("0 0 4 4", "0"),
        line("4 4 5 4", "1"),
        line("1 1 0 0", "1"),
        line("0 0 1 1", "1"),
        line("0 0 0 0", "0"),
    ];
    folder.write("yard.scen", format!("version 1\n{}", problems.concat()));
    folder.write("short.scen", format!("version 1\n{}", line("0 0 3 0", "2.5")));
    folder.write("long.scen", format!("version 1\n{}{}", line("0 0 3 0", "3.5"), line("0 0 4 4", "7")));
    folder.write("none.scen", "version 1\n");
    folder.write("old.scen", "0\tyard.map\t0\t0\t3\t0\t3\n");
    folder
}

fn bench(folder: &Folder, code: i32, words: &str) -> Value {
    let ran = folder.run(&format!("bench yard.map --json --planners astar --scen {words}"));
    assert_eq!(ran.code, code, "{words}: {ran:?}");
    ran.json()
}

#[test]
fn unreachable_problems_are_solved_and_blocked_ones_are_skipped() {
    let folder = yard();
    let document = bench(&folder, 0, "yard.scen");
    let run = &document["runs"][0];
    assert_eq!((&document["queries"], &document["skipped"]), (&4.into(), &2.into()));
    assert_eq!((&run["solved"], &run["optimal"], &run["failed"]), (&4.into(), &4.into(), &0.into()));
    assert_eq!(document["scen_disagreements"], 0);
    // The mean of 3, 1 and 0: the problem without a path does not count.
    assert!((run["mean_cost"].as_f64().expect("a mean") - 4.0 / 3.0).abs() < 1e-12);
    assert_eq!(run["index_bytes"], 0);
    assert_eq!(run["build_seconds"], 0.0);
    assert!(run["mean_moves"].is_null() && run["revisits"].is_null());
}

#[test]
fn every_and_limit_choose_problems() {
    let folder = yard();
    for (words, queries, skipped) in [
        ("yard.scen --every 2", 2, 1),
        ("yard.scen --every 5", 2, 0),
        ("yard.scen --every 100", 1, 0),
        ("yard.scen --limit 4", 3, 1),
        ("yard.scen --every 2 --limit 2", 2, 0),
        ("none.scen", 0, 0),
        ("old.scen", 1, 0),
    ] {
        let document = bench(&folder, 0, words);
        assert_eq!(
            (&document["queries"], &document["skipped"]),
            (&queries.into(), &skipped.into()),
            "{words}"
        );
    }
    let nothing = bench(&folder, 0, "none.scen");
    assert!(
        nothing["astar_difficulty"]["mean"].is_null() && nothing["runs"][0]["mean_us"].is_null(),
        "{nothing}"
    );
}

#[test]
fn listed_lengths_count_only_where_they_are_asked_for() {
    let folder = yard();
    for (words, code, disagreements, optimal) in [
        ("short.scen", 0, Value::from(1), Value::from(1)),
        // The planner's path is longer than the file says a path need be.
        ("short.scen --check scen", 1, Value::from(1), Value::from(0)),
        ("short.scen --check none", 0, Value::Null, Value::Null),
        // It is shorter, which is not as listed but no broken promise; and there is no path of length 7.
        ("long.scen --check scen", 0, Value::from(2), Value::from(1)),
        ("long.scen", 0, Value::from(2), Value::from(2)),
    ] {
        let document = bench(&folder, code, words);
        assert_eq!(document["scen_disagreements"], disagreements, "{words}");
        assert_eq!(document["runs"][0]["optimal"], optimal, "{words}");
    }
    let text = folder.run("bench yard.map --scen short.scen --check scen --planners astar");
    assert!(text.stdout.contains("astar BROKE ITS PROMISE"), "{text:?}");
    assert!(text.stdout.contains("line 2: listed 2.5, ours 3.00000000"), "{text:?}");
}

#[test]
fn a_scenario_for_a_map_of_another_name_is_noticed() {
    let folder = yard();
    folder.write("other.scen", "version 1\n0\tmaps\\else.map\t12\t8\t0\t0\t3\t0\t3\n");
    let ran = folder.must("bench yard.map --scen other.scen --planners astar");
    assert!(ran.stderr.contains("line 2 is for `else.map`, the map is `yard.map`"), "{ran:?}");
}

#[test]
fn agents_are_counted_beside_planners() {
    let folder = yard();
    let words = "bench yard.map --json --scen yard.scen --planners astar --agents first-moves";
    let document = folder.must(words).json();
    let run = &document["runs"][1];
    assert_eq!((&run["name"], &run["kind"]), (&"first-moves".into(), &"agent".into()));
    assert_eq!((&run["solved"], &run["optimal"], &run["failed"]), (&4.into(), &4.into(), &0.into()));
    assert_eq!(run["mean_cost"], document["runs"][0]["mean_cost"]);
    // The mean of 3, 1 and 0 moves: the problem without a path does not count.
    assert!((run["mean_moves"].as_f64().expect("a mean") - 4.0 / 3.0).abs() < 1e-12);
    assert_eq!((&run["max_work_per_move"], &run["max_thinking"]), (&1.into(), &0.into()));
    assert_eq!((&run["online_states"], &run["revisits"]), (&0.0.into(), &0.0.into()));
    assert!(run["mean_us_cells"].is_null() && run["mean_expanded"].is_null());
    assert!(run["mean_episodes"].is_null() && run["mean_us_per_episode"].is_null(), "it never searches");
    let number = |key: &str| run[key].as_f64().expect(key);
    assert!(number("index_bytes") > 0.0 && number("build_seconds") > 0.0);
    assert!(number("mean_us") > 0.0 && number("mean_us_first_move") > 0.0);
    assert!(number("max_us_per_move") > 0.0 && number("mean_us_per_move") > 0.0);
    assert!(number("agent_bytes") > 0.0 && number("agent_bytes") <= number("agent_bytes_max"));
}

#[test]
fn an_agent_that_is_stopped_has_failed() {
    let folder = yard();
    let ran = folder.run("bench yard.map --json --scen yard.scen --agents first-moves --max-moves 2");
    let document = ran.json();
    let run = &document["runs"][0];
    assert_eq!((ran.code, &run["solved"], &run["failed"]), (1, &3.into(), &1.into()));
    assert_eq!(document["runs"].as_array().map(Vec::len), Some(1), "planners were not asked for");
    let text = folder.run("bench yard.map --scen yard.scen --agents first-moves --max-moves 2").stdout;
    assert!(
        text.contains("first-moves: 1 wrong answer; the first: line 2: the agent has not arrived"),
        "{text}"
    );
}

#[test]
fn a_plot_shows_every_run_inside_its_frame() {
    let folder = Folder::new();
    folder.write("yard.scen", "version 1\n0\tyard.map\t12\t8\t0\t0\t11\t7\t14\n");
    folder.must("bench yard.map --scen yard.scen --planners astar,jps --agents lrta,replan --svg plot.svg");
    let plot = String::from_utf8(folder.read("plot.svg")).expect("text");
    assert!(plot.starts_with("<svg ") && plot.trim_end().ends_with("</svg>"), "{plot}");
    for name in ["astar", "jps", "lrta", "replan", "planner", "agent by sight"] {
        assert!(plot.contains(&format!("\n{name}\n")), "{name}: {plot}");
    }
    // Each run has a line from its mark to its name in both plots, and what is best a name of its own.
    let lines = plot.split("<polyline ").filter(|line| line.contains("stroke-width=\"1\"")).count();
    assert!(lines >= 8 && plot.contains("\noptimal\n") && !plot.contains(".00 "), "{lines}: {plot}");
    // Each planner has a mark in both plots, and there is one in the legend.
    let marks: Vec<&str> = plot.split("<circle ").skip(1).collect();
    assert_eq!(marks.len(), 5, "{plot}");
    for mark in marks {
        let number = |key: &str| {
            let rest = mark.split(&format!("{key}=\"")).nth(1).and_then(|rest| rest.split('"').next());
            rest.and_then(|text| text.parse::<i32>().ok()).expect("a place")
        };
        assert!((0..1280).contains(&number("cx")) && (0..640).contains(&number("cy")), "{mark}");
    }
}

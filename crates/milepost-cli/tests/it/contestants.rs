//! What `all` and `default` stand for in a benchmark, what is left out, and what is written about each problem.

use crate::common::Folder;
use serde_json::Value;
use std::collections::BTreeSet;

fn names(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("a list");
    list.iter().map(|entry| entry["name"].as_str().expect("a name").to_owned()).collect()
}

fn yard() -> Folder {
    let folder = Folder::new();
    folder.must("scenarios yard.map --count 6 -o yard.scen");
    folder
}

#[test]
fn all_stands_for_every_name_and_what_does_not_run_is_left_out_with_a_reason() {
    let folder = yard();
    let list = folder.must("list --json").json();
    let listed =
        |kinds: &[&str]| -> BTreeSet<String> { kinds.iter().flat_map(|kind| names(&list[kind])).collect() };
    for (words, kinds) in [
        ("--planners all", &["planners"][..]),
        ("--planners all --moves hex", &["planners"]),
        ("--agents all", &["agents", "scouts"]),
        ("--agents all --sight 2", &["agents", "scouts"]),
        ("--agents all --sight all --moves four", &["agents", "scouts"]),
    ] {
        let document = folder
            .must(&format!("bench yard.map --scen yard.scen --every 3 {words} --check none --json"))
            .json();
        let (ran, left) = (names(&document["runs"]), names(&document["left_out"]));
        let mut all: Vec<&String> = ran.iter().chain(&left).collect();
        let together: BTreeSet<String> = all.iter().map(|name| (*name).clone()).collect();
        assert_eq!(together, listed(kinds), "{words}");
        all.sort();
        all.dedup();
        assert_eq!(all.len(), ran.len() + left.len(), "{words}: each once");
        for left in document["left_out"].as_array().expect("a list") {
            assert!(left["reason"].as_str().expect("words").contains(' '), "{left}");
        }
    }
    let all = folder.must("bench yard.map --scen yard.scen --every 3 --planners all --json").json();
    assert_eq!(names(&all["left_out"]), Vec::<String>::new(), "all of them work here");
}

#[test]
fn nothing_and_default_are_the_same_choice_and_what_it_leaves_out_stands_under_the_table() {
    let folder = Folder::new();
    folder.must("generate caves --width 140 --height 110 -o caves.map");
    folder.must("scenarios caves.map --count 2 -o caves.scen");
    let run = |words: &str| {
        let document = folder.must(&format!("bench caves.map --scen caves.scen {words} --json")).json();
        (names(&document["runs"]), names(&document["left_out"]), document["left_out"].clone())
    };
    let (ran, left, reasons) = run("");
    assert_eq!((&ran, &left), (&run("--planners default --agents default").0, &left));
    assert!(ran.contains(&"jps".to_owned()) && left.contains(&"first-moves".to_owned()), "{ran:?} {left:?}");
    let reason = reasons.as_array().expect("a list").iter().find(|left| left["name"] == "first-moves");
    let reason = reason.and_then(|left| left["reason"].as_str()).expect("a reason");
    assert!(reason.contains("`first-moves`") && reason.contains("flood"), "{reason}");
    let text = folder.must("bench caves.map --scen caves.scen --planners default").stdout;
    let line = text.lines().find(|line| line.starts_with("left out: ")).expect("a line");
    assert!(line.contains(&format!("first-moves ({reason})")), "{line}");
    // A name is always built, and stands for itself once.
    let (ran, left, _) = run("--planners default,jps");
    assert_eq!(ran.iter().filter(|name| *name == "jps").count(), 1, "{ran:?}");
    assert!(!left.contains(&"jps".to_owned()));
    let text = folder.must("bench caves.map --scen caves.scen --planners astar").stdout;
    assert!(!text.contains("left out"), "{text}");
}

#[test]
fn agents_by_sight_solve_problems_under_every_rule() {
    let folder = Folder::new();
    folder.must("generate arena --width 40 --height 30 -o arena.map");
    let list = folder.must("list --json").json();
    let (rules, by_sight) = (names(&list["rules"]), names(&list["scouts"]).join(","));
    assert_eq!(rules.len(), 9);
    for rule in rules {
        folder.must(&format!("scenarios arena.map --count 10 --moves {rule} -o {rule}.scen"));
        let bench = format!("bench arena.map --scen {rule}.scen --moves {rule}");
        let document = folder.must(&format!("{bench} --agents {by_sight} --sight 1 --json")).json();
        let runs = document["runs"].as_array().expect("a list");
        assert_eq!(runs.len(), by_sight.split(',').count(), "{rule}");
        assert_eq!((&document["moves"], &document["scen_disagreements"]), (&rule.into(), &0.into()));
        for run in runs {
            assert_eq!((&run["solved"], &run["failed"]), (&10.into(), &0.into()), "{run}");
        }
    }
}

#[test]
fn an_index_file_leaves_out_what_it_does_not_hold() {
    let folder = yard();
    folder.must("build yard.map --index jump-table -o yard.milepost");
    let document = folder.must("bench yard.milepost --scen yard.scen --planners all --json").json();
    let left = document["left_out"].as_array().expect("a list");
    let reason = left.iter().find(|left| left["name"] == "first-moves").expect("left out");
    assert_eq!(reason["reason"], "it needs the index `first-moves`, which yard.milepost lacks");
    assert!(names(&document["runs"]).contains(&"jps-plus".to_owned()));
}

#[test]
fn column_heads_are_explained_under_the_table_and_in_the_help() {
    let folder = yard();
    let words = "bench yard.map --scen yard.scen --planners astar --agents lrta";
    let (plain, explained) = (folder.must(words).stdout, folder.must(&format!("{words} --explain")).stdout);
    let help = folder.must("bench --help").stdout;
    let heads = plain.lines().filter(|line| line.starts_with("planner ") || line.starts_with("agent "));
    let heads: Vec<&str> =
        heads.flat_map(|line| line.split("  ").map(str::trim)).filter(|head| !head.is_empty()).collect();
    assert!(heads.len() > 20, "{heads:?}");
    for head in heads.iter().filter(|head| !["planner", "agent"].contains(head)) {
        let line = format!("\n  {head:<12}");
        assert!(explained.contains(&line) && !plain.contains(&line), "{head}: {explained}");
        assert!(help.contains(&line), "{head}: {help}");
    }
}

#[test]
fn a_line_is_written_for_each_problem_of_each_run() {
    let folder = yard();
    let words =
        "bench yard.map --scen yard.scen --planners astar,jps --agents lrta,replan --rows rows.csv --json";
    let document = folder.must(words).json();
    let text = String::from_utf8(folder.read("rows.csv")).expect("text");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 1 + 4 * 6);
    // Two coordinates in quotes are two pieces here.
    assert_eq!(lines[0][..9].join(","), "query,line,start,goal,name,kind,status,fault,cost");
    for (name, run) in
        ["astar", "jps", "lrta", "replan"].iter().zip(document["runs"].as_array().expect("runs"))
    {
        let rows: Vec<&Vec<&str>> = lines[1..].iter().filter(|row| row[6] == *name).collect();
        assert_eq!(rows.len(), 6, "{name}");
        let costs: Vec<f64> = rows.iter().map(|row| row[10].parse().expect("a cost")).collect();
        let mean = costs.iter().sum::<f64>() / 6.0;
        assert!((mean - run["mean_cost"].as_f64().expect("a mean")).abs() < 1e-9, "{name}");
        assert!(rows.iter().all(|row| row[8] == "found" && row[12].parse::<f64>().is_ok()), "{rows:?}");
    }
    assert_eq!(
        lines[1][..4].join(","),
        format!("0,2,{}", lines[1][2..4].join(",")),
        "the first problem is in line 2"
    );
}

#[test]
fn a_file_runs_what_it_holds_says_how_to_have_the_rest_and_takes_the_problems_of_its_map_without_a_note() {
    let folder = yard();
    folder.must("build yard.map --index jump-table -o yard.milepost");
    folder.must("build yard.map --index none -o other.milepost");
    folder.must("convert yard.map yard.png");
    for map in ["yard.map", "yard.milepost", "yard.png"] {
        let ran = folder.must(&format!("bench {map} --scen yard.scen --planners all --check none"));
        assert_eq!(ran.stderr, "", "{map}");
        let is_told = ran.stdout.contains("; give the map in place of yard.milepost to have them built\n");
        assert_eq!(is_told, map == "yard.milepost", "{}", ran.stdout);
    }
    let ran = folder.must("bench other.milepost --scen yard.scen --planners astar");
    assert!(ran.stderr.contains("line 2 is for `yard.map`, the map is `other.milepost`"), "{ran:?}");
}

#[test]
fn estimates_of_all_indexes_leave_out_what_cannot_be_built_with_the_reason() {
    let folder = Folder::new();
    for moves in ["octile", "hex"] {
        let call = format!("estimate yard.map --index all --moves {moves}");
        let document = folder.must(&format!("{call} --json")).json();
        let (can, cannot) = (names(&document["indexes"]), names(&document["left_out"]));
        let listed = names(&folder.must("list indexes --json").json()["indexes"]);
        assert_eq!(can.len() + cannot.len(), listed.len(), "{moves}: {can:?} {cannot:?}");
        assert_eq!(cannot.contains(&"corner-labels".to_owned()), moves == "hex", "{cannot:?}");
        let text = folder.must(&call).stdout;
        for left in document["left_out"].as_array().expect("a list") {
            assert!(text.contains(left["reason"].as_str().expect("a reason")), "{text}");
        }
    }
}

#[test]
fn what_agents_see_and_what_indexes_take_stands_in_every_form_of_the_result() {
    let folder = yard();
    let words = "bench yard.map --scen yard.scen --planners astar,jps-plus,jps-plus-bounds --agents corner-walk,lrta,replan";
    let document = folder.must(&format!("{words} --rows rows.csv --json")).json();
    let sights: Vec<&Value> =
        document["runs"].as_array().expect("runs").iter().map(|run| &run["sight"]).collect();
    assert_eq!(sights, [&Value::Null, &Value::Null, &Value::Null, &"all".into(), &"all".into(), &"1".into()]);
    let rows = String::from_utf8(folder.read("rows.csv")).expect("text");
    assert!(
        rows.lines().next().is_some_and(|heads| heads.ends_with(",revisits,sight,pulled_cost")),
        "{rows}"
    );
    for (name, sight) in [("astar", ""), ("corner-walk", "all"), ("replan", "1")] {
        let mut of_run = rows.lines().filter(|row| row.contains(&format!(",{name},")));
        assert!(of_run.all(|row| row.ends_with(&format!(",{sight},"))), "{name}: {rows}");
    }
    let text = folder.must(words).stdout;
    let line = |begin: &str| {
        let line = text.lines().find(|line| line.starts_with(begin)).expect(begin);
        line.split("  ").map(str::trim).filter(|piece| !piece.is_empty()).collect::<Vec<&str>>()
    };
    assert_eq!(line("replan ")[5], "1", "{text}");
    assert_eq!(line("index "), ["index", "size", "build time", "read by"]);
    assert_eq!(line("jump-table ")[3], "jps-plus", "{text}");
    assert_eq!(line("corner-hierarchy ")[3], "corner-walk", "{text}");
    assert!(line("jump-bounds ")[1].ends_with('B') && line("jump-bounds ")[2].ends_with('s'), "{text}");
    let plain = folder.must("bench yard.map --scen yard.scen --planners astar").stdout;
    assert!(!plain.contains("build time"), "{plain}");
    let los = folder.must("bench yard.map --scen yard.scen --agents replan --sight los --json").json();
    assert_eq!(los["runs"][0]["sight"], "los");
    // A journey tells of the sight, also where it was not given.
    let walk = "walk yard.map --from 0,0 --to 11,7 --agent replan";
    assert!(
        folder
            .must(walk)
            .stdout
            .contains("sight       1, the cells around it; --sight R or --sight los sees farther\n")
    );
    assert!(folder.must(&format!("{walk} --sight 2")).stdout.contains("sight       2\n"));
    // An agent that has no path any more does not come to later edits.
    folder.write("door.txt", "@2 close 11,7\n@9 open 11,7\n");
    let told = folder.run("walk yard.map --from 0,0 --to 11,7 --agent tba --edits door.txt").stdout;
    assert!(
        told.contains("not made    line 2 of door.txt, before move 9: the agent had stopped by then\n"),
        "{told}"
    );
    assert_eq!(folder.must(&format!("{walk} --sight 2 --json")).json()["sight"], "2");
}

//! One table of calls and their exit codes, each also with `--json`.

use crate::common::picture::save_grey;
use crate::common::{Folder, program};
use std::io::pipe;

/// Calls in a folder with `yard.map`, `yard.png`, `yard.scen`, `empty.map` (nothing free), `wide.png`, folders `taken`
/// and `taken.gr`, and the graphs `roads.gr`, `bare.gr` (no coordinates), `oneway.gr` and `lonely.gr` (no edges).
#[rustfmt::skip]
const CALLS: &[(i32, &str)] = &[
    // Done.
    (0, "list"),
    (0, "info yard.map"),
    (0, "info empty.map"),
    (0, "info yard.map --moves octile-cutting --seed 18446744073709551615 --threads 2"),
    (0, "generate caves --width 8 --height 8 -o small.map"),
    (0, "generate rooms --width 30 --height 20 -o a.map --seed 9"),
    (0, "scenarios yard.map --count 3 -o a.scen"),
    (0, "scenarios yard.map --count 3 --min-cost 5 --max-cost 9.5 -o a.scen"),
    (0, "path yard.map --from 0,0 --to 0,0"),
    (0, "path yard.map --from 0,0 --to 11,7"),
    (0, "path yard.map --from 0,0 --to 1,1 --to 11,7"),
    (0, "path yard.map --from 0,0 --to 11,7 --budget 18446744073709551615"),
    (0, "path yard.map --from 0,0 --to 11,7 --partial --planner weighted-astar:2:h=euclidean"),
    (0, "bench yard.map --scen yard.scen"),
    (0, "bench yard.map --scen yard.scen --planners astar,astar,dijkstra --every 2 --limit 1 --check none --max-moves 5"),
    (0, "bench yard.map --scen yard.scen --moves octile14 --planners astar:p=3"),
    (0, "info yard.map --moves hex"),
    (0, "info yard.map --weights S=3,G=2"),
    (0, "info yard.png"),
    (0, "info yard.png --threshold 0 --grey-weights --moves four"),
    (0, "info YARD.PNG"),
    (0, "info roads.gr"),
    (0, "info bare.gr"),
    (0, "info oneway.gr"),
    (0, "generate maze --width 30 --height 20 -o a.map"),
    (0, "generate random --width 30 --height 20 -o a.map"),
    (0, "generate city --width 30 --height 20 -o a.map"),
    (0, "generate arena --width 30 --height 20 -o a.png"),
    (0, "generate roads --nodes 1 -o small.gr"),
    (0, "generate roads --nodes 50 --seed 3 -o small.gr"),
    (0, "convert yard.map a.png"),
    (0, "convert yard.png a.map --scale 3 --threshold 255"),
    (0, "convert yard.map a.map --scale 1"),
    (0, "convert yard.png yard.png"),
    (0, "convert roads.gr copy.gr"),
    (0, "convert yard.map a.tmx"),
    (0, "convert yard.png a.tmx --moves hex --scale 2"),
    (0, "generate city --width 30 --height 20 -o b.tmx"),
    (0, "path yard.map --from 0,0 --to 11,7 --straight"),
    (0, "path yard.map --from 0,0 --to 11,7 --straight --weights .=3 --png straight.png"),
    (1, "path yard.map --from 0,0 --to 4,4 --straight --png straight.png"),
    (1, "path yard.map --from 0,0 --to 4,4 --straight --partial"),
    (2, "path yard.map --from 0,0 --to 11,7 --straight --moves hex"),
    (2, "path roads.gr --from #1 --to #3 --straight"),
    (2, "path yard.map --from 0,0 --to 11,7 --straight --overlay yard.png"),
    (2, "info yard.map --blocked-property solid"),
    (2, "info yard.png --weight-property mud"),
    (2, "info roads.gr --blocked-layer walls"),
    (2, "convert yard.map a.tmx --blocked-layer walls"),
    (2, "info missing.tmx --weights S=3"),
    (2, "convert roads.gr a.tmx"),
    (2, "convert yard.map a.tsx"),
    (3, "info missing.tmx"),
    (2, "explore yard.map --port 0"),
    (2, "explore yard.map --port 65536"),
    (2, "explore roads.gr --moves four"),
    (3, "explore missing.map"),
    (3, "explore taken"),
    (0, "convert bare.gr copy2.gr"),
    (0, "path yard.map --from 0,0 --to 11,7 --moves four"),
    (0, "path yard.map --from 0,0 --to 11,7 --moves hex --planner astar:h=hex"),
    (0, "path yard.map --from 0,0 --to 11,7 --weights .=9"),
    (0, "path yard.png --from 0,0 --to 11,7 --grey-weights"),
    (0, "path yard.map --from 1,1 --to 11,7 --snap"),
    (0, "path yard.map --from -5,-5 --to 99999999999,7 --snap"),
    (0, "path roads.gr --from #1 --to #3"),
    (0, "path roads.gr --from #1 --to #3 --planner astar:h=euclidean --png roads.png"),
    (0, "path bare.gr --from #1 --to #3 --to #1 --planner weighted-astar:h=zero"),
    (0, "path oneway.gr --from #1 --to #2"),
    (0, "scenarios yard.map --count 3 -o hex.scen --moves hex"),
    (0, "scenarios roads.gr --count 3 -o a.scen"),
    (0, "bench yard.map --scen yard.scen --moves four --planners dijkstra,astar:h=octile"),
    (0, "bench yard.png --scen yard.scen --planners astar"),
    (0, "bench roads.gr --scen roads.scen"),
    (0, "bench roads.gr --scen roads.scen --check scen"),
    (0, "bench bare.gr --scen roads.p2p"),
    (0, "bench oneway.gr --scen oneway.scen"),
    (0, "build yard.map --index corner-labels -o a.milepost"),
    (0, "build a.milepost --index jump-table,corner-labels -o b.milepost --threads 2"),
    (0, "build roads.gr --index none -o c.milepost"),
    (0, "build empty.map --index corner-labels -o empty.milepost"),
    (0, "estimate yard.map --index jump-table,corner-labels"),
    (0, "estimate a.milepost --index corner-labels"),
    (0, "verify a.milepost --map yard.map --sample 20"),
    (0, "verify c.milepost --map roads.gr"),
    (0, "verify empty.milepost"),
    (0, "info a.milepost"),
    (0, "info c.milepost"),
    (0, "path a.milepost --from 0,0 --to 11,7 --planner corner-labels --png indexed.png"),
    (0, "path c.milepost --from #1 --to #3"),
    (0, "path a.milepost --from 0,0 --to 11,7 --overlay yard.png"),
    (0, "bench a.milepost --scen yard.scen"),
    (0, "scenarios a.milepost --count 3 -o a.scen"),
    (1, "path a.milepost --from 0,0 --to 4,4"),
    (1, "path a.milepost --from 0,0 --to 11,7 --budget 0"),
    (2, "build"),
    (2, "build yard.map --index corner-labels"),
    (0, "build yard.map -o d.milepost"),
    (2, "build yard.map --index jump-rows -o d.milepost"),
    (2, "build yard.map --index none,none -o d.milepost"),
    (2, "build yard.map --index corner-labels -o d.map"),
    (2, "build yard.map --index frobnicate -o d.milepost"),
    (2, "build yard.map --index corner-labels --moves hex -o d.milepost"),
    (2, "build roads.gr --index corner-labels -o d.milepost"),
    (2, "build a.milepost --index corner-labels --moves four -o d.milepost"),
    (0, "estimate yard.map"),
    (2, "estimate yard.map --index jump-rows"),
    (2, "path yard.map --from 0,0 --to 11,7 --planner jump-rows"),
    (2, "bench yard.map --scen yard.scen --planners jump-rows"),
    (2, "estimate yard.map --index corner-labels --weights .=2"),
    (2, "repair a.milepost"),
    (2, "repair a.milepost --edits yard.map -o d.milepost --method quick"),
    (3, "repair nowhere.milepost --edits yard.map -o d.milepost"),
    (3, "repair a.milepost --edits yard.map -o d.milepost"),
    (2, "verify"),
    (2, "verify a.milepost --sample many"),
    (2, "verify a.milepost --moves octile14"),
    (2, "path c.milepost --from 0,0 --to 1,0"),
    (2, "path c.milepost --from #1 --to #3 --planner jps-plus"),
    (2, "path yard.map --from 0,0 --to 11,7 --planner corner-labels"),
    (3, "build nowhere.map --index corner-labels -o d.milepost"),
    (3, "build yard.map --index corner-labels -o missing/d.milepost"),
    (3, "estimate nowhere.map --index corner-labels"),
    (3, "verify nowhere.milepost"),
    (3, "verify yard.map"),
    (3, "verify taken"),
    (3, "verify a.milepost --map other.map"),
    (3, "verify a.milepost --map nowhere.map"),
    (0, "walk yard.map --from 0,0 --to 11,7"),
    (0, "walk yard.map --from 0,0 --to 0,0 --agent first-moves --sight all --max-moves 1"),
    (0, "walk yard.map --from 0,0 --to 3,0 --agent first-moves --max-moves 3"),
    (0, "walk yard.map --from 0,0 --to 11,7 --moves hex --weights .=3 --png walked.png"),
    (0, "walk yard.png --from 0,0 --to 11,7 --grey-weights --moves four"),
    (0, "walk roads.gr --from #1 --to #3 --png walked-roads.png"),
    (0, "walk bare.gr --from #1 --to #3"),
    (0, "build yard.map --index first-moves -o moves.milepost"),
    (0, "walk moves.milepost --from 0,0 --to 11,7"),
    (0, "bench moves.milepost --scen yard.scen --agents first-moves"),
    (0, "bench yard.map --scen yard.scen --agents first-moves,first-moves --planners astar --sight all"),
    (0, "bench yard.map --scen yard.scen --agents first-moves --check scen --max-moves 3"),
    (0, "bench roads.gr --scen roads.scen --agents first-moves"),
    (0, "bench oneway.gr --scen oneway.scen --agents first-moves"),
    (0, "bench yard.map --scen yard.scen --planners astar --sight 1"),
    (0, "bench yard.map --scen yard.scen --sight los"),
    (1, "walk yard.map --from 0,0 --to 4,4"),
    (1, "walk yard.map --from 0,0 --to 4,4 --png walked.png"),
    (1, "walk yard.map --from 0,0 --to 1,1"),
    (1, "walk yard.map --from 1,1 --to 1,1 --png walked.png"),
    (1, "walk yard.map --from 0,0 --to 3,0 --max-moves 2"),
    (1, "walk oneway.gr --from #2 --to #1"),
    (1, "walk a.milepost --from 0,0 --to 1,1"),
    (1, "bench yard.map --scen yard.scen --agents first-moves --max-moves 2"),
    (1, "bench yard.map --scen short.scen --check scen --agents first-moves"),
    (2, "walk"),
    (2, "walk yard.map"),
    (2, "walk yard.map --from 0,0"),
    (2, "walk yard.map --from 0,0 --to 3,0 --to 4,0"),
    (2, "walk yard.map --from 0,0 --to 12,0"),
    (2, "walk yard.map --from #1 --to 3,0"),
    (2, "walk yard.map --from 0,0 --to 3,0 --agent nosuch"),
    (2, "walk yard.map --from 0,0 --to 3,0 --agent astar"),
    (2, "walk yard.map --from 0,0 --to 3,0 --agent first-moves:3"),
    (2, "walk yard.map --from 0,0 --to 3,0 --agent first-moves --sight 1"),
    (0, "walk yard.map --from 0,0 --to 3,0 --sight los"),
    (0, "walk yard.map --from 0,0 --to 3,0 --sight 3 --agent replan"),
    (0, "walk yard.map --from 0,0 --to 3,0 --agent replan"),
    (2, "walk yard.map --from 0,0 --to 3,0 --agent replan --sight all"),
    (2, "walk yard.map --from 0,0 --to 3,0 --agent replan:3"),
    (2, "walk yard.map --from 0,0 --to 3,0 --agent nosuch --sight 2"),
    (2, "walk yard.map --from 0,0 --to 3,0 --sight 0"),
    (2, "walk yard.map --from 0,0 --to 3,0 --sight far"),
    (2, "walk yard.map --from 0,0 --to 3,0 --max-moves 0"),
    (2, "walk a.milepost --from 0,0 --to 3,0 --agent first-moves"),
    // No agent reads its indexes: one walks that needs none.
    (0, "walk a.milepost --from 0,0 --to 3,0"),
    (2, "walk bare.gr --from #1 --to #3 --png b.png"),
    (2, "bench yard.map --scen yard.scen --agents first-moves --sight 3"),
    (2, "bench yard.map --scen yard.scen --agents first-moves,"),
    (2, "bench yard.map --scen yard.scen --agents astar"),
    (2, "bench a.milepost --scen yard.scen --agents first-moves"),
    (3, "walk nowhere.map --from 0,0 --to 3,0"),
    (3, "walk yard.map --from 0,0 --to 3,0 --png missing/a.png"),
    (0, "completions bash"),
    (0, "completions fish"),
    (0, "man"),
    (0, "man -o pages/deep"),
    // A negative answer.
    (1, "path yard.map --from 1,1 --to 11,7"),
    (1, "path yard.map --from 1,1 --to 11,7 --partial"),
    (1, "path yard.map --from 0,0 --to 1,1"),
    (1, "path yard.map --from 0,0 --to 1,1 --partial"),
    (1, "path yard.map --from 0,0 --to 4,4"),
    (1, "path yard.map --from 0,0 --to 4,4 --to 1,1"),
    (1, "path yard.map --from 0,0 --to 11,7 --budget 0"),
    (1, "path yard.map --from 0,0 --to 11,7 --budget 2"),
    (1, "path yard.map --from 0,0 --to 11,7 --budget 2 --partial"),
    (1, "bench yard.map --scen short.scen --check scen --planners astar"),
    (1, "path empty.map --from 0,0 --to 1,0 --snap"),
    (1, "path oneway.gr --from #2 --to #1"),
    (1, "path oneway.gr --from #2 --to #1 --partial"),
    (1, "path roads.gr --from #1 --to #3 --budget 1"),
    (1, "bench roads.gr --scen short-roads.scen --check scen --planners astar"),
    // Wrong usage.
    (2, "frobnicate"),
    (2, "--frobnicate"),
    (2, "info"),
    (2, "info yard.map yard.map"),
    (2, "info yard.map --moves knight"),
    (2, "info yard.map --moves"),
    (2, "info yard.map --seed -1"),
    (2, "info yard.map --seed 18446744073709551616"),
    (2, "info yard.map --threads 1000000"),
    (2, "info yard.map --threads -1"),
    (2, "info yard.map --threads two"),
    (2, "generate"),
    (2, "generate swamp --width 20 --height 20 -o b.map"),
    (2, "generate rooms --width 20 --height 20"),
    (2, "generate rooms --width 7 --height 20 -o b.map"),
    (2, "generate rooms --width 0 --height 20 -o b.map"),
    (2, "generate rooms --width 20 --height 4294967296 -o b.map"),
    (2, "generate rooms --width 4294967295 --height 4294967295 -o b.map"),
    (2, "scenarios yard.map --count 0 -o b.scen"),
    (2, "scenarios yard.map --count many -o b.scen"),
    (2, "scenarios yard.map -o b.scen"),
    (2, "scenarios yard.map --count 2"),
    (2, "scenarios yard.map --count 2 --min-cost 9 --max-cost 3 -o b.scen"),
    (2, "scenarios yard.map --count 2 --min-cost -3 -o b.scen"),
    (2, "scenarios yard.map --count 2 --max-cost NaN -o b.scen"),
    (2, "scenarios yard.map --count 2 --min-cost inf -o b.scen"),
    (2, "scenarios yard.map --count 2 --min-cost 1000 -o b.scen"),
    (2, "scenarios empty.map --count 2 -o b.scen"),
    (2, "path yard.map"),
    (2, "path yard.map --from 0,0"),
    (2, "path yard.map --to 0,0"),
    (2, "path yard.map --from 0,0 --from 1,0 --to 2,0"),
    (2, "path yard.map --from a,b --to 1,0"),
    (2, "path yard.map --from 1 --to 1,0"),
    (2, "path yard.map --from 1,2,3 --to 1,0"),
    (2, "path yard.map --from 12,0 --to 1,0"),
    (2, "path yard.map --from 0,8 --to 1,0"),
    (2, "path yard.map --from -1,0 --to 1,0"),
    (2, "path yard.map --from 0,0 --to 0,0 --to 9223372036854775807,0"),
    (2, "path yard.map --from 0,0 --to 9223372036854775808,0"),
    (2, "path yard.map --from 0,0 --to 2,0 --planner nosuch"),
    (2, "path yard.map --from 0,0 --to 2,0 --planner astar:h=wishful"),
    (2, "path yard.map --from 0,0 --to 2,0 --planner weighted-astar:0"),
    (2, "path yard.map --from 0,0 --to 2,0 --budget -1"),
    (2, "path yard.map --from 0,0 --to 2,0 --overlay wide.png"),
    (2, "path yard.map --from 0,0 --to 2,0 --overlay yard.png --planner jps"),
    (2, "path a.milepost --from 0,0 --to 2,0 --overlay yard.png --planner corner-labels"),
    (2, "bench yard.map"),
    (2, "bench yard.map --scen yard.scen --planners astar,nosuch"),
    (2, "bench yard.map --scen yard.scen --planners astar,"),
    (2, "bench yard.map --scen yard.scen --every 0"),
    (2, "bench yard.map --scen yard.scen --limit 0"),
    (2, "bench yard.map --scen yard.scen --check maybe"),
    (2, "info yard.map --weights"),
    (2, "info yard.map --weights S"),
    (2, "info yard.map --weights S=0"),
    (2, "info yard.map --weights S=256"),
    (2, "info yard.map --weights T=2"),
    (2, "info yard.map --weights S=2,S=3"),
    (2, "info yard.png --weights S=2"),
    (2, "info roads.gr --weights S=2"),
    (2, "info roads.gr --moves four"),
    (2, "info roads.gr --threshold 3"),
    (2, "info roads.gr --grey-weights"),
    (2, "info yard.map --threshold 3"),
    (2, "info yard.map --grey-weights"),
    (2, "info yard.png --threshold 256"),
    (2, "list --weights S=2"),
    (2, "generate rooms --nodes 20 -o b.map"),
    (2, "generate rooms --width 20 -o b.map"),
    (2, "generate rooms --width 20 --height 20 --nodes 20 -o b.map"),
    (2, "generate rooms --width 20 --height 20 -o b.gr"),
    (2, "generate roads -o b.gr"),
    (2, "generate roads --nodes 0 -o b.gr"),
    (2, "generate roads --nodes 4000000000 -o b.gr"),
    (2, "generate roads --nodes 20 -o b.map"),
    (2, "generate roads --nodes 20 -o b.co"),
    (2, "generate roads --nodes 20 --width 20 -o b.gr"),
    (2, "generate arena --width 46342 --height 46342 -o b.map"),
    (2, "convert"),
    (2, "convert yard.map"),
    (2, "convert yard.map b.txt"),
    (2, "convert yard.map b"),
    (2, "convert yard.map b.gr"),
    (2, "convert yard.png b.gr"),
    (2, "convert roads.gr b.map"),
    (2, "convert roads.gr b.png"),
    (2, "convert roads.gr b.gr --scale 2"),
    (2, "convert yard.map b.map --scale 0"),
    (2, "convert yard.map b.map --scale 4294967295"),
    (2, "convert yard.map b.map --scale 10000"),
    (2, "convert yard.map b.png --threshold 3"),
    (2, "path yard.map --from #1 --to #3"),
    (2, "path yard.map --from #1 --to 0,0 --snap"),
    (2, "path yard.map --from 0,0 --to 2,0 --planner astar:h=hex"),
    (2, "path empty.map --from 5,5 --to 1,0 --snap"),
    (2, "path roads.gr --from 0,0 --to 9,4"),
    (2, "path roads.gr --from #1 --to 9,4"),
    (2, "path roads.gr --from #1 --to #3 --snap"),
    (2, "path roads.gr --from #0 --to #3"),
    (2, "path roads.gr --from #1 --to #4"),
    (2, "path roads.gr --from #1 --to #4294967295"),
    (2, "path roads.gr --from #1 --to #4294967296"),
    (2, "path roads.gr --from #-1 --to #1"),
    (2, "path roads.gr --from # --to #1"),
    (2, "path roads.gr --from #1 --to #3 --planner astar:h=octile"),
    (2, "path roads.gr --from #1 --to #3 --planner weighted-astar:2:p=2"),
    (2, "path roads.gr --from #1 --to #3 --overlay wide.png"),
    (2, "path bare.gr --from #1 --to #3 --png b.png"),
    (2, "bench roads.gr --scen roads.scen --planners astar,astar:h=hex"),
    (2, "bench yard.map --scen yard.scen --planners astar:h=hex"),
    (2, "bench roads.gr --scen roads.p2p --check scen"),
    (2, "scenarios lonely.gr --count 3 -o b.scen"),
    (2, "completions"),
    (2, "completions clay"),
    // Files.
    (3, "info nowhere.map"),
    (3, "info taken"),
    (3, "info yard.map/deeper.map"),
    (3, "path nowhere.map --from 0,0 --to 1,0"),
    (3, "path yard.map --from 0,0 --to 2,0 --overlay nowhere.png"),
    (3, "path yard.map --from 0,0 --to 2,0 --overlay yard.map"),
    (3, "path yard.map --from 0,0 --to 2,0 --overlay taken"),
    (3, "path yard.map --from 0,0 --to 2,0 --png missing/a.png"),
    (3, "path yard.map --from 0,0 --to 2,0 --png taken"),
    (3, "scenarios nowhere.map --count 2 -o b.scen"),
    (3, "scenarios yard.map --count 2 -o missing/b.scen"),
    (3, "generate rooms --width 20 --height 20 -o missing/b.map"),
    (3, "generate rooms --width 20 --height 20 -o taken"),
    (3, "bench yard.map --scen nowhere.scen"),
    (3, "bench nowhere.map --scen yard.scen"),
    (3, "bench yard.map --scen taken"),
    (3, "bench yard.map --scen yard.map"),
    (3, "bench other.map --scen yard.scen"),
    (3, "info nowhere.gr"),
    (3, "info nowhere.png"),
    (3, "info taken.gr"),
    (3, "info yard.txt"),
    (3, "convert nowhere.map b.png"),
    (3, "convert nowhere.gr b.gr"),
    (3, "convert yard.map missing/b.png"),
    (3, "convert roads.gr missing/b.gr"),
    (3, "generate roads --nodes 9 -o missing/b.gr"),
    (3, "scenarios roads.gr --count 2 -o missing/b.scen"),
    (3, "path roads.gr --from #1 --to #3 --png missing/b.png"),
    (3, "bench roads.gr --scen nowhere.scen"),
    (3, "bench roads.gr --scen nowhere.p2p"),
    (3, "bench roads.gr --scen yard.scen"),
    (3, "bench yard.map --scen roads.scen"),
    (3, "bench yard.map --scen roads.p2p"),
    (3, "man -o yard.map"),
];

fn folder() -> Folder {
    let folder = Folder::with_roads();
    for name in ["yard.png", "YARD.PNG"] {
        save_grey(&folder.file(name), (12, 8), |x, y| if x == 1 && y < 7 { 0 } else { 255 });
    }
    folder.write("yard.txt", "no map");
    folder.write("oneway.gr", "p sp 2 1\na 1 2 5\n");
    folder.write("lonely.gr", "p sp 2 0\n");
    folder.write("roads.p2p", "p aux sp p2p 2\nq 1 3\nq 3 1\n");
    folder.write("roads.scen", "milepost-graph-scenario 1\n1 3 12\n3 3 0\n");
    folder.write("short-roads.scen", "milepost-graph-scenario 1\n1 3 11\n");
    folder.write("oneway.scen", "milepost-graph-scenario 1\n1 2 5\n2 1 -\n");
    std::fs::create_dir(folder.file("taken.gr")).expect("a folder");
    folder.write("empty.map", "type octile\nheight 2\nwidth 2\nmap\n@@\n@@\n");
    folder.write("other.map", "type octile\nheight 2\nwidth 2\nmap\n..\n..\n");
    folder.write(
        "yard.scen",
        "version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t3\n0\tyard.map\t12\t8\t0\t0\t0\t3\t3\n",
    );
    folder.write("short.scen", "version 1\n0\tyard.map\t12\t8\t0\t0\t3\t0\t2.5\n");
    save_grey(&folder.file("wide.png"), (13, 8), |_, _| 0);
    std::fs::create_dir(folder.file("taken")).expect("a folder");
    folder
}

#[test]
fn every_call_ends_with_its_code() {
    let folder = folder();
    for &(code, words) in CALLS {
        let ran = folder.run(words);
        assert_eq!(ran.code, code, "milepost {words}: {ran:?}");
        match code {
            0 => assert!(!ran.stdout.is_empty(), "{words}"),
            1 => assert!(!ran.stdout.is_empty() && ran.stderr.is_empty(), "{words}: {ran:?}"),
            _ => assert!(ran.stdout.is_empty() && ran.stderr.starts_with("error: "), "{words}: {ran:?}"),
        }
    }
    assert!(!folder.names().iter().any(|name| name.contains("unfinished")), "{:?}", folder.names());
}

#[test]
fn with_json_every_call_prints_one_document() {
    let folder = folder();
    for &(code, words) in CALLS {
        // Before the other words and behind them.
        for words in [format!("--json {words}"), format!("{words} --json")] {
            // Here the option's missing value would be `--json`.
            if words.ends_with("--moves --json") {
                continue;
            }
            let ran = folder.run(&words);
            assert_eq!(ran.code, code, "milepost {words}: {ran:?}");
            let document = ran.json();
            assert_eq!(document.get("error").is_some(), code > 1, "{words}: {document}");
            assert!(ran.stdout.ends_with("}\n"), "{words}");
            if code > 1 {
                assert!(ran.stderr.is_empty(), "{words}: {ran:?}");
                let (kind, message) = ran.error();
                assert!(!kind.is_empty() && !message.is_empty() && !message.contains('\u{1b}'), "{words}");
                let kinds = ["unreadable", "damaged", "unwritable"];
                assert_eq!(kinds.contains(&kind.as_str()), code == 3, "{words}: {kind}");
                assert_eq!(document["error"]["file"].is_string(), code == 3, "{words}: {document}");
            }
        }
    }
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = Folder::new();
    for words in ["--help", "-h", "--version", "help", "help path", "path --help", "path -h", "--json --help"]
    {
        let ran = folder.must(words);
        assert!(!ran.stdout.is_empty() && ran.stderr.is_empty(), "{words}: {ran:?}");
    }
    assert_eq!(folder.must("--version").stdout, format!("milepost {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_subcommand_has_a_manual_page_and_completions() {
    let folder = Folder::new();
    folder.must("man -o pages");
    let pages = std::fs::read_dir(folder.file("pages")).expect("the folder was made").count();
    let subcommands = [
        "demo",
        "list",
        "info",
        "generate",
        "convert",
        "scenarios",
        "build",
        "estimate",
        "verify",
        "repair",
        "path",
        "walk",
        "explore",
        "bench",
        "completions",
        "man",
    ];
    assert_eq!(pages, 1 + subcommands.len());
    let script = folder.must("completions bash").stdout;
    for subcommand in subcommands {
        let page = String::from_utf8(folder.read(&format!("pages/milepost-{subcommand}.1"))).expect("text");
        assert!(page.contains(".TH") && page.contains("json"), "{page}");
        assert!(script.contains(subcommand), "{subcommand}");
    }
}

#[test]
fn words_that_are_no_text_are_refused() {
    let folder = Folder::new();
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let odd = std::ffi::OsStr::from_bytes(b"\xff\xfe");
        for words in [[odd, odd], ["info".as_ref(), odd], ["--seed".as_ref(), odd]] {
            let output = program(folder.path()).args(words).output().expect("the program starts");
            assert!([Some(2), Some(3)].contains(&output.status.code()), "{output:?}");
        }
    }
    let ran = folder.run("info \u{1b}[31mred.map");
    assert_eq!(ran.code, 3);
}

#[test]
fn a_closed_pipe_is_no_reason_to_panic() {
    let folder = Folder::new();
    let closed = || {
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        writer
    };
    for (code, words) in
        [(0, "list"), (0, "--help"), (0, "completions bash"), (1, "path yard.map --from 0,0 --to 1,1")]
    {
        let mut command = program(folder.path());
        let output = command.args(words.split(' ')).stdout(closed()).output().expect("the program starts");
        assert_eq!((output.status.code(), output.stderr), (Some(code), Vec::new()), "{words}");
    }
    for words in ["info nowhere.map", "frobnicate"] {
        let mut command = program(folder.path());
        let output = command.args(words.split(' ')).stderr(closed()).output().expect("the program starts");
        assert!([Some(2), Some(3)].contains(&output.status.code()), "{words}: {output:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.must("generate rooms --width 300 --height 300 -o large.map");
    let words = "scenarios large.map --count 1000000 -o never.scen";
    let mut child = program(folder.path()).args(words.split(' ')).spawn().expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(400));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill can be run").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(folder.names(), ["large.map", "yard.map"]);
}

#[test]
fn a_demo_without_a_place_for_pictures_says_so() {
    let folder = Folder::new();
    folder.write("target", "in the way");
    let ran = folder.run("demo");
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.stderr.contains("target/demo"), "{ran:?}");
    assert_eq!(folder.run("--json").error().0, "unwritable");
}

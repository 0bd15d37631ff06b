//! The explorer's page in a real browser, on the real engine: a headless Chromium does what people do, and looks at what they see.
//!
//! `MILEPOST_BROWSER` names the browser; without it these tests say that they are skipped. `MILEPOST_SITE` names the folder that `cargo xtask web` has
//! made: with it the page is answered by a worker round WebAssembly, without it by the command. What the tests saw is kept in
//! `target/explorer/`. No test waits for a time, only for what must come true; the page's own report of its state is `window.milepost`.

mod chromium;
mod site;

use crate::common::{Folder, run_in};
use chromium::{Browser, Page};
use serde_json::{Value, json};
use site::{Site, folder_of_site};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Forty by twenty without a wall: what is changed here changes the path as one would think.
fn field() -> String {
    format!("type octile\nheight 20\nwidth 40\nmap\n{}", format!("{}\n", ".".repeat(40)).repeat(20))
}

/// Two corridors, joined at both ends.
const RING: &str = "type octile
height 7
width 40
map
........................................
........................................
.@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@.
.@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@.
.@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@.
........................................
........................................
";

/// A page that shows its first scene, and what serves it.
struct Visit {
    page: Page,
    browser: Browser,
    site: Site,
}

impl Visit {
    /// Opens the page at a scene, which may be empty; none where there is no browser.
    fn new(fragment: &str) -> Option<Visit> {
        let browser = Browser::start()?;
        let site = Site::start();
        let page = browser.page(1280, 800);
        page.prefer("light");
        page.open(&format!("{}{fragment}", site.address));
        page.until("window.milepost && milepost.ready");
        Some(Visit { page, browser, site })
    }

    /// Another page of the same site, at a scene.
    fn another(&self, fragment: &str) -> Page {
        let page = self.browser.page(1280, 800);
        page.prefer("light");
        page.open(&format!("{}{fragment}", self.site.address));
        page.until("window.milepost && milepost.ready");
        page
    }

    /// The last word of every test: nothing was complained about, and nothing asked for from elsewhere.
    fn end(self) {
        assert_eq!(self.page.complaints(), [""; 0]);
    }
}

/// Drops a map of ours, and puts start and goal there.
fn open_map(page: &Page, text: &str, start: (f64, f64), goal: (f64, f64)) {
    page.drop_file("ours.map", text.as_bytes());
    page.until("milepost.map.title === 'ours.map' && !milepost.busy");
    for (which, (x, y)) in [("start", start), ("goal", goal)] {
        // Until it is over: what is run anew afterwards begins at its first step.
        page.eval(&format!("milepost.dragTo('{which}', {x}, {y}).then(() => true)"));
        page.until(&format!("milepost.{which}[0] === {x} && milepost.{which}[1] === {y} && !milepost.busy"));
    }
}

/// Where a place of the map is seen: as far from the start as the goal shows.
fn seen_at(page: &Page, (x, y): (f64, f64)) -> (f64, f64) {
    let place = page.eval(&format!(
        "(() => {{ const [ax, ay] = milepost.start, [bx] = milepost.goal, a = milepost.screen('start'), b = milepost.screen('goal');
         const scale = (b[0] - a[0]) / (bx - ax); return [a[0] + scale * ({x} - ax), a[1] + scale * ({y} - ay)]; }})()"
    ));
    (place[0].as_f64().expect("x"), place[1].as_f64().expect("y"))
}

/// Places on a line.
fn line((ax, ay): (f64, f64), (bx, by): (f64, f64), count: u32) -> Vec<(f64, f64)> {
    let part = |k| f64::from(k) / f64::from(count);
    (0..=count).map(|k| (ax + (bx - ax) * part(k), ay + (by - ay) * part(k))).collect()
}

/// A folder for what tests saw.
fn artefacts() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../explorer");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

#[test]
fn the_first_visit_plays_an_example_and_the_path_follows_the_goal() {
    let Some(visit) = Visit::new("") else { return };
    let page = &visit.page;
    let paint = page.number("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1");
    let ready = page.number("performance.getEntriesByName('ready')[0].startTime");
    println!("first paint after {paint:.0} ms, the example after {ready:.0} ms");
    assert_eq!(page.eval("milepost.playing"), json!(true));
    page.until("milepost.step > 0");
    page.until("!milepost.busy");
    page.press("End");
    page.until("milepost.t === milepost.total");
    assert_eq!(page.eval("milepost.done"), json!("found"));
    let goal = page.eval("milepost.screen('goal')");
    let (x, y) = (goal[0].as_f64().expect("x"), goal[1].as_f64().expect("y"));
    let mut costs = BTreeSet::new();
    let places: Vec<_> = (0..16).map(|k| (x - 10.0 * f64::from(k), y - 12.0 + 4.0 * f64::from(k))).collect();
    page.drag(&places, || {
        // Most moves of the mouse lead to another cell, whose path comes when the engine has found it.
        for _ in 0..15 {
            if !costs.insert(page.eval("milepost.best").to_string()) {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    });
    page.until("!milepost.busy");
    assert!(costs.len() > 4, "while the goal is dragged the cost changes: {costs:?}");
    page.until("milepost.t === milepost.total && Math.abs(milepost.cost - milepost.best) < 1e-6 * milepost.best + 1e-6");
    visit.end();
}

#[test]
fn steps_go_both_ways_and_lead_to_the_same_picture() {
    let Some(visit) = Visit::new("#map=caverns&run=planner/astar&t=0") else { return };
    let page = &visit.page;
    page.until("!milepost.busy");
    page.press("Home");
    page.until("milepost.step === 0");
    page.press(".");
    page.press(".");
    page.until("milepost.step === 2");
    page.until("document.querySelector('#say').textContent.startsWith('Step 2:')");
    page.press(",");
    page.until("milepost.step === 1");
    let strip = page.eval(
        "(b => [b.x, b.y, b.width, b.height])(document.querySelector('#timeline').getBoundingClientRect())",
    );
    let side = |k: usize| strip[k].as_f64().expect("a number");
    let at = |part: f64| (side(0) + side(2) * part, side(1) + side(3) * 0.4);
    page.drag(&[at(0.01), at(0.3), at(0.9), at(0.2), at(0.7)], || {});
    page.until("Math.abs(milepost.t / milepost.total - 0.7) < 0.03");
    let hash_at = |step: &str| {
        page.eval(&format!("milepost.seek({step})"));
        page.number("milepost.hash()")
    };
    let step = page.number("Math.min(500, milepost.total >> 1)").to_string();
    let first = hash_at(&step);
    let (end, start) = (hash_at("milepost.total"), hash_at("0"));
    assert!(first != end && first != start, "other steps have other pictures");
    hash_at("3");
    assert_eq!(hash_at(&step), first);
    hash_at("milepost.total");
    assert_eq!(hash_at(&step), first);
    visit.end();
}

#[test]
fn a_wall_is_drawn_undone_and_redone_and_a_link_brings_it_all_back() {
    let Some(visit) = Visit::new("#map=gen:arena:width=64,height=48,seed=3&run=planner/astar&t=0") else {
        return;
    };
    let page = &visit.page;
    page.until("!milepost.busy && milepost.best !== null");
    let before = page.number("milepost.best");
    let (start, goal) = (page.eval("milepost.start"), page.eval("milepost.goal"));
    let middle =
        |k: usize| (start[k].as_f64().expect("a number") + goal[k].as_f64().expect("a number")) / 2.0;
    let (x, y) = (middle(0), middle(1));
    page.press("b");
    page.drag(&line(seen_at(page, (x, y - 12.0)), seen_at(page, (x, y + 12.0)), 20), || {});
    page.until(&format!("!milepost.busy && milepost.best !== {before}"));
    page.until("milepost.t === milepost.total");
    let after = page.number("milepost.cost");
    assert!(after > before, "a wall makes the path longer: {before}, {after}");
    page.press("Control+z");
    page.until(&format!("!milepost.busy && milepost.best === {before}"));
    page.press("Control+Shift+Z");
    page.until(&format!("!milepost.busy && milepost.best !== {before}"));
    page.press("End");
    page.until(&format!("milepost.cost === {after}"));
    let link = page.text("milepost.link");
    assert!(link.contains("edits=") && !link.contains("token"), "{link}");
    let other = visit.another(&link);
    other.until("!milepost.busy && milepost.best !== null");
    other.press("End");
    other.until(&format!("milepost.cost === {after}"));
    for what in ["start", "goal", "best"] {
        assert_eq!(other.eval(&format!("milepost.{what}")), page.eval(&format!("milepost.{what}")));
    }
    assert_eq!(other.complaints(), [""; 0]);
    other.close();
    visit.end();
}

#[test]
fn files_are_dropped_and_what_is_wrong_with_one_is_said() {
    let Some(visit) = Visit::new("") else { return };
    let page = &visit.page;
    let before = page.eval("milepost.map");
    let said = "document.querySelector('#toast').textContent";
    page.drop_file("bad.map", b"type octile\nheight 3\nwidth 4\nmap\n....\n..\n....\n");
    page.until(&format!(
        "{said}.includes('line 6') && {said}.includes('expected a row of 4 letters, found 2')"
    ));
    page.drop_file("program.exe", b"MZ");
    page.until(&format!("{said}.includes('program.exe')"));
    page.drop_file("broken.milepost", b"MILEPOST and nothing else");
    page.until(&format!("{said}.includes('broken.milepost')"));
    assert_eq!(page.eval("milepost.map"), before, "the map that was open stays");
    page.drop_file("field.map", field().as_bytes());
    page.until("milepost.map.width === 40 && milepost.map.height === 20 && !milepost.busy");
    // An index file that the command has built.
    let folder = Folder::new();
    folder.must("build yard.map --index corner-hierarchy -o yard.milepost");
    page.drop_file("yard.milepost", &folder.read("yard.milepost"));
    page.until("milepost.map.width === 12 && milepost.map.indexes.length === 1 && !milepost.busy");
    visit.end();
}

#[test]
fn a_file_of_every_format_is_dropped_and_shown() {
    let Some(visit) = Visit::new("") else { return };
    let page = &visit.page;
    let folder = Folder::with_roads();
    for name in ["yard.png", "yard.tmx", "yard.quad", "yard.mesh"] {
        folder.must(&format!("convert yard.map {name}"));
    }
    folder.must("build yard.map --index jump-table -o yard.milepost");
    for (name, kind) in [
        ("yard.map", "grid"),
        ("yard.png", "grid"),
        ("yard.tmx", "grid"),
        ("yard.quad", "tree"),
        ("yard.mesh", "mesh"),
        ("roads.gr", "graph"),
        ("yard.milepost", "grid"),
    ] {
        page.drop_file(name, &folder.read(name));
        page.until(&format!(
            "milepost.map.title === '{name}' && milepost.map.kind === '{kind}' && !milepost.busy"
        ));
        page.press("End");
        page.until("milepost.lanes.every(lane => lane.done) && milepost.t === milepost.total");
    }
    // Problems belong to the map that is open.
    page.drop_file("yard.scen", b"version 1\n0\tyard.map\t12\t8\t0\t0\t11\t7\t18\n");
    page.click("[data-test=problem-0]");
    page.until("!milepost.busy && milepost.goal.join() === '11.5,7.5' && milepost.best > 0");
    assert_eq!(page.eval("milepost.errors"), json!([]));
    visit.end();
}

#[test]
fn every_planner_agent_and_scout_of_the_catalog_runs_to_its_end() {
    let Some(visit) = Visit::new("") else { return };
    let page = &visit.page;
    open_map(page, RING, (2.5, 0.5), (30.5, 6.5));
    page.press("a");
    page.until("document.querySelector('#dlg-alg').open");
    let offered = page.eval("[...document.querySelectorAll('[data-alg]')].filter(one => !one.disabled).map(one => one.dataset.alg)");
    page.press("Escape");
    page.until("!document.querySelector('#dlg-alg').open");
    let offered: Vec<&str> = offered.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let list = run_in(Path::new("."), &["list", "--json"]).json();
    for family in ["planners", "agents"] {
        for entry in list[family].as_array().expect(family) {
            let name = entry["name"].as_str().expect("a name");
            assert!(
                offered.iter().any(|one| one.ends_with(&format!("/{name}"))),
                "{name} is not offered: {offered:?}"
            );
        }
    }
    let best = page.number("milepost.best");
    for name in &offered {
        page.eval(&format!("milepost.choose('{name}').then(() => true)"));
        page.until("!milepost.busy");
        if page.eval("Boolean(milepost.lanes[0].error?.needs?.length)") == json!(true) {
            page.click("[data-test=build-index]");
            page.until("!milepost.busy && !milepost.lanes[0].error");
        }
        assert_eq!(page.eval("milepost.lanes[0].error"), Value::Null, "{name}");
        page.press("End");
        page.until("milepost.t === milepost.total && milepost.total > 0");
        let lane = page.eval("milepost.lanes[0]");
        assert_eq!(lane["done"], json!("found"), "{name}: {lane}");
        let cost = lane["cost"].as_f64().expect("a cost");
        assert!(cost > best - 1e-6, "{name}: {lane}");
        assert!(lane["events"].as_u64() > Some(0) && lane["work"].as_f64() > Some(0.0), "{name}: {lane}");
        assert!(!page.text("milepost.sentence").is_empty(), "{name}");
    }
    assert_eq!(page.eval("milepost.errors.length"), json!(0));
    visit.end();
}

#[test]
fn four_panes_keep_step_by_work_and_by_steps() {
    let Some(visit) = Visit::new("#map=caverns&run=planner/dijkstra&t=0") else { return };
    let page = &visit.page;
    for name in ["planner/astar", "planner/jps", "planner/greedy"] {
        page.eval(&format!("milepost.add('{name}')"));
    }
    page.until("milepost.lanes.length === 4 && !milepost.busy");
    assert_eq!(page.eval("document.querySelectorAll('#tablebox tbody tr').length"), json!(4));
    page.eval("milepost.play(false)");
    page.click("[data-lock=work]");
    page.eval("milepost.seek(milepost.total / 3)");
    page.until("milepost.lanes.every(lane => lane.step === lane.steps || Math.abs(lane.work - milepost.t) <= lane.largest)");
    page.click("[data-lock=steps]");
    page.eval("milepost.seek(40)");
    page.until("milepost.lanes.every(lane => lane.step === Math.min(40, lane.steps))");
    std::fs::write(artefacts().join("compare-1280-light.png"), page.picture()).expect("it can be written");
    page.press("c");
    page.until("milepost.lanes.length === 1");
    visit.end();
}

#[test]
fn a_door_that_closes_before_an_agent_leaves_the_moves_before_it_alone() {
    let Some(visit) = Visit::new("") else { return };
    let page = &visit.page;
    open_map(page, RING, (2.5, 1.5), (37.5, 1.5));
    page.eval("milepost.choose('agent/lss-lrta').then(() => true)");
    page.until("!milepost.busy");
    page.eval("milepost.play(false)");
    page.eval("milepost.seek(8)");
    page.until("milepost.step === 8");
    let moves = page.eval("milepost.moves()");
    let moves = moves.as_array().expect("a list");
    page.press("b");
    page.drag(&line(seen_at(page, (20.5, 0.2)), seen_at(page, (20.5, 1.8)), 6), || {});
    // It has to turn back and go round.
    let longer = format!("!milepost.busy && milepost.moves().length > {}", moves.len());
    page.until(&format!("milepost.link.includes('edits=64:8!') && {longer}"));
    let after = page.eval("milepost.moves()");
    let after = after.as_array().expect("a list");
    assert_eq!(after[..8], moves[..8], "moves before the door are those of before");
    assert_eq!(page.eval("milepost.done"), json!("found"));
    visit.end();
}

#[test]
fn a_door_closes_before_each_agent_of_a_comparison_at_its_own_step() {
    let Some(visit) = Visit::new("") else { return };
    let page = &visit.page;
    open_map(page, RING, (2.5, 1.5), (37.5, 1.5));
    page.eval("milepost.choose('agent/lss-lrta:N=4').then(() => true)");
    page.until("!milepost.busy");
    for name in ["agent/lrta", "planner/astar"] {
        page.eval(&format!("milepost.add('{name}')"));
    }
    page.until("milepost.lanes.length === 3 && !milepost.busy && milepost.total > 0");
    page.eval("milepost.play(false)");
    page.click("[data-lock=work]");
    // An amount of work at which both agents are on their way.
    let on_the_way = "milepost.lanes.slice(0, 2).every(lane => lane.step > 3 && lane.step < lane.steps - 8)";
    let found = format!(
        "(() => {{ for (let t = 1; t < milepost.total; t++) {{ milepost.seek(t); if ({on_the_way}) return true; }} return false; }})()"
    );
    assert_eq!(page.eval(&found), json!(true));
    let steps = page.eval("milepost.lanes.map(lane => lane.step)");
    let moves = [page.eval("milepost.moves(0)"), page.eval("milepost.moves(1)")];
    page.press("b");
    page.drag(&line(seen_at(page, (30.5, 0.2)), seen_at(page, (30.5, 1.8)), 6), || {});
    page.until("!milepost.busy && milepost.lanes[0].edits.length && milepost.lanes[1].edits.length");
    for (lane, before) in moves.iter().enumerate() {
        let at = steps[lane].as_u64().expect("a step");
        assert_eq!(page.eval(&format!("milepost.lanes[{lane}].edits[0]")), json!(at));
        let after = page.eval(&format!("milepost.moves({lane})"));
        let (before, after) = (before.as_array().expect("moves"), after.as_array().expect("moves"));
        let at = usize::try_from(at).expect("a small number");
        assert_eq!(after[..at], before[..at], "moves before the door are those of before");
        assert_ne!(before, after);
        assert_eq!(page.eval(&format!("milepost.lanes[{lane}].done")), json!("found"));
    }
    // A planner answers at one moment: the door comes after it.
    assert_eq!(page.eval("milepost.lanes[2].edits.length"), json!(0));
    assert_eq!(
        page.eval(
            "milepost.t > 0 && milepost.lanes[2].cost === milepost.best || milepost.lanes[2].cost === null"
        ),
        json!(true)
    );
    std::fs::write(artefacts().join("door-three-1280-light.png"), page.picture()).expect("it can be written");
    page.press("Control+z");
    page.until("!milepost.busy && milepost.lanes[0].edits.length === 0");
    assert_eq!(page.eval("milepost.moves(0)"), moves[0]);
    visit.end();
}

#[test]
fn nodes_edges_leaves_and_polygons_are_closed_by_the_brush_and_opened_by_undo() {
    let Some(visit) = Visit::new("#map=roads&run=planner/astar&t=0") else { return };
    let page = &visit.page;
    for key in ["roads", "quadtree", "navmesh"] {
        page.eval(&format!("milepost.open('#map={key}&run=planner/astar&t=0').then(() => true)"));
        page.until(&format!("milepost.map.ref === '{key}' && !milepost.busy && milepost.way.length"));
        let before = page.number("milepost.best");
        let place = |what: &str| {
            let at = page.eval(&format!("milepost.screen({what})"));
            (at[0].as_f64().expect("x"), at[1].as_f64().expect("y"))
        };
        page.press("b");
        let way = "milepost.way[milepost.way.length >> 1]";
        page.click_at(place(way));
        page.until(&format!(
            "!milepost.busy && milepost.best !== {before} && milepost.link.includes('edits=64:')"
        ));
        page.press("Control+z");
        page.until(&format!(
            "!milepost.busy && milepost.best === {before} && !milepost.link.includes('edits=')"
        ));
        if key == "roads" {
            let ends = ["milepost.way[5]", "milepost.way[6]"].map(place);
            page.click_at(((ends[0].0 + ends[1].0) / 2.0, (ends[0].1 + ends[1].1) / 2.0));
            page.until("!milepost.busy && milepost.edge && milepost.link.includes('edits=64:*')");
            let link = page.text("milepost.link");
            let other = visit.another(&link);
            other.until("!milepost.busy && milepost.best !== null");
            for what in ["edge", "best"] {
                assert_eq!(other.eval(&format!("milepost.{what}")), page.eval(&format!("milepost.{what}")));
            }
            assert_eq!(other.complaints(), [""; 0]);
            other.close();
        }
        page.press("v");
    }
    visit.end();
}

#[test]
fn the_mouse_learns_g_h_and_f_at_the_step_that_is_shown() {
    let Some(visit) = Visit::new("#map=caverns&run=planner/astar&t=0") else { return };
    let page = &visit.page;
    page.until("!milepost.busy && milepost.way.length");
    page.eval("milepost.play(false)");
    let at = page.eval("milepost.screen(milepost.way[12])");
    let place = (at[0].as_f64().expect("x"), at[1].as_f64().expect("y"));
    page.eval("milepost.seek(milepost.total)");
    page.click_at(place);
    page.until("milepost.probe?.[0]?.way?.expanded");
    let sum = "(way => Math.abs(way.g + way.h - way.f) < 1e-6)(milepost.probe[0].way)";
    assert_eq!(page.eval(sum), json!(true));
    page.until("document.querySelector('.probe p').textContent.includes('= f ')");
    // Before the search has come so far nothing is known of it.
    page.eval("milepost.seek(2)");
    page.until("milepost.probe && milepost.probe[0] && !milepost.probe[0].way");
    visit.end();
}

#[test]
fn an_octree_is_seen_from_every_side_and_level_by_level() {
    let Some(visit) = Visit::new("#map=towers&run=planner/astar&t=0") else { return };
    let page = &visit.page;
    page.until("!milepost.busy && milepost.best !== null");
    page.press("End");
    page.until("milepost.done === 'found'");
    let goal = page.eval("milepost.goal");
    for view in ["front", "side", "aslant"] {
        page.click(&format!("[data-view={view}]"));
        page.until(&format!(
            "document.querySelector('[data-view={view}]').getAttribute('aria-checked') === 'true'"
        ));
        assert_ne!(page.eval("milepost.goal"), goal, "{view}: the goal is seen elsewhere");
        page.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        std::fs::write(artefacts().join(format!("octree-{view}-1280-light.png")), page.picture())
            .expect("it can be written");
    }
    page.eval("document.querySelector('.map').focus()");
    page.press("PageUp");
    page.press("PageUp");
    page.until("document.querySelector('#levelout').textContent.startsWith('1 of ')");
    page.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    std::fs::write(artefacts().join("octree-level-1280-light.png"), page.picture())
        .expect("it can be written");
    page.click("[data-view=above]");
    page.until(&format!("milepost.goal.join() === '{},{}'", goal[0], goal[1]));
    visit.end();
}

#[test]
fn pictures_are_saved_keys_move_the_start_and_every_control_has_a_name() {
    let Some(visit) = Visit::new("#map=caverns&run=planner/astar&t=60") else { return };
    let page = &visit.page;
    let folder = Folder::new();
    page.save_into(folder.path());
    page.until("!milepost.busy");
    page.press("p");
    let saved = |ending: &str| folder.names().into_iter().find(|name| name.ends_with(ending));
    page.until("milepost.kept.png > 0");
    while saved(".png").is_none() {
        page.until("true");
        std::thread::sleep(Duration::from_millis(20));
    }
    let name = saved(".png").expect("a picture");
    assert!(folder.read(&name).starts_with(b"\x89PNG"), "{name}");
    let mode = "document.documentElement.dataset.mode";
    assert_eq!(page.eval(mode), json!("light"));
    page.press("t");
    page.until(&format!("{mode} === 'dark'"));
    page.press("t");
    page.eval("document.querySelector('.map').focus()");
    let start = page.eval("milepost.start");
    for _ in 0..3 {
        page.press("ArrowRight");
    }
    page.press("ArrowDown");
    page.press("s");
    page.until(&format!("milepost.start.join() !== '{},{}'", start[0], start[1]));
    page.until("!milepost.busy");
    for key in ["a", "m", "l", "n", "?", "none"] {
        if key != "none" {
            page.press(key);
            page.until("document.querySelector('dialog[open]')");
        }
        let nameless = page.eval(
            "[...document.querySelectorAll('button, input, select, a, [role=slider], [tabindex=\"0\"]')]
             .filter(one => !(one.getAttribute('aria-label') || one.getAttribute('aria-labelledby') || one.textContent.trim() || one.labels?.length || one.title))
             .map(one => one.outerHTML.slice(0, 100))",
        );
        assert_eq!(nameless, json!([]), "controls without a name behind `{key}`");
        if key != "none" {
            page.press("Escape");
            page.until("!document.querySelector('dialog[open]')");
        }
    }
    visit.end();
}

#[test]
fn it_fits_both_widths_in_both_themes_and_rests_while_it_is_hidden() {
    let Some(visit) = Visit::new("#map=caverns&run=scout/rtaa&t=120") else { return };
    let page = &visit.page;
    page.until("!milepost.busy");
    for (width, height) in [(1280, 800), (390, 844)] {
        page.resize(width, height);
        for scheme in ["light", "dark"] {
            page.prefer(scheme);
            page.until(&format!("document.documentElement.dataset.mode === '{scheme}'"));
            page.until(&format!("innerWidth === {width}"));
            assert_eq!(
                page.number("document.documentElement.scrollWidth"),
                f64::from(width),
                "{width} {scheme}"
            );
            // Two frames later all of it is drawn.
            page.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
            std::fs::write(artefacts().join(format!("scout-{width}-{scheme}.png")), page.picture())
                .expect("it can be written");
        }
    }
    page.resize(1280, 800);
    page.eval("milepost.seek(0); milepost.play(true)");
    page.until("milepost.step > 0");
    page.eval(
        "Object.defineProperty(document, 'hidden', {configurable: true, get: () => true});
         Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => 'hidden'});
         document.dispatchEvent(new Event('visibilitychange'))",
    );
    std::thread::sleep(Duration::from_millis(200));
    page.eval("milepost.clear()");
    let sent = page.number("milepost.sent");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!((page.number("milepost.sent"), page.number("milepost.frames.length")), (sent, 0.0));
    visit.end();
}

#[test]
fn the_single_file_opens_from_the_disk_and_an_agent_arrives() {
    let Some(folder) = folder_of_site() else {
        println!("skipped: no site was made by `cargo xtask web`");
        return;
    };
    let Some(browser) = Browser::start() else { return };
    let page = browser.page(1280, 800);
    let file = folder.join("milepost-explorer.html");
    page.open(&format!("file://{}#map=caverns&run=agent/tba&t=0", file.display()));
    page.until("window.milepost && milepost.ready && !milepost.busy");
    assert_eq!(page.eval("milepost.done"), json!("found"));
    assert_eq!(page.complaints(), [""; 0]);
}

//! docs/index-format.md against the golden files: a reader written from that page alone, which finds what the library
//! says. It uses nothing of the library's reader; only the answers are compared.
//!
//! | file | what it reads |
//! |---|---|
//! | this one | the file, its sections and its figures |
//! | `spaces` | maps, graphs, trees |
//! | `curve` | places along the curve of squares |
//! | the others | an index each |

mod case_base;
mod corner_hierarchy;
mod corner_labels;
mod curve;
mod first_moves;
mod jump_table;
mod landmarks;
mod regions;
mod spaces;
mod subgoal_trees;

use corner_labels::CornerLabels;
use jump_table::Table;
use milepost::{Atlas, Budget, Outcome, Point, Query, Scratch, files};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

pub(crate) use corner_hierarchy::octile14;
pub(crate) use spaces::{Cell, Map, sees_on};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../milepost-cli/tests/golden").join(name)
}

pub(crate) fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    bytes[at..at + size].iter().rev().fold(0, |number, &byte| number * 256 + u64::from(byte))
}

pub(crate) fn numbers(bytes: &[u8], size: usize) -> Vec<u64> {
    assert_eq!(bytes.len() % size, 0);
    bytes.chunks(size).map(|chunk| number(chunk, 0, size)).collect()
}

fn aligned(end: usize) -> usize {
    end.div_ceil(64) * 64
}

/// The arrays of a section, each with its bytes.
pub(crate) type Arrays = Vec<Vec<u8>>;

/// "The file", "A section".
struct File {
    hash: u64,
    rule: u64,
    scale: Vec<u64>,
    /// By kind.
    sections: HashMap<u64, Arrays>,
    /// In the order of the file.
    kinds: Vec<u64>,
}

fn file(bytes: &[u8]) -> File {
    assert_eq!(&bytes[..8], b"MILEPOST");
    assert_eq!((number(bytes, 8, 4), number(bytes, 16, 8)), (2, bytes.len() as u64));
    let count = number(bytes, 12, 4) as usize;
    assert_eq!(number(bytes, 36, 4), 0);
    let table_end = 64 + 32 * count;
    assert_eq!(number(bytes, table_end, 8), xxh3_64(&bytes[..table_end]));
    let mut end = table_end + 8;
    let (mut sections, mut keys) = (HashMap::new(), Vec::new());
    for entry in bytes[64..table_end].chunks(32) {
        let (kind, view, parameter) = (number(entry, 0, 2), number(entry, 2, 2), number(entry, 4, 4));
        let (offset, length) = (number(entry, 8, 8) as usize, number(entry, 16, 8) as usize);
        assert_eq!((offset, view), (aligned(end), 0));
        assert!(parameter == 0 || [22, 23, 26].contains(&kind), "{kind}: {parameter}");
        assert!(bytes[end..offset].iter().all(|&byte| byte == 0));
        end = offset + length;
        let section = &bytes[offset..end];
        assert_eq!(number(entry, 24, 8), xxh3_64(section));
        keys.push((kind, parameter, view));
        sections.insert(kind, arrays(section));
    }
    assert_eq!(end, bytes.len());
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{keys:?}");
    let scale = numbers(&bytes[40..64], 8);
    let kinds = keys.into_iter().map(|(kind, _, _)| kind).collect();
    File { hash: number(bytes, 24, 8), rule: number(bytes, 32, 4), scale, sections, kinds }
}

pub(crate) fn arrays(section: &[u8]) -> Arrays {
    let count = number(section, 0, 8) as usize;
    let mut end = 8 + 16 * count;
    let mut arrays = Vec::new();
    for index in 0..count {
        let at = 8 + 16 * index;
        let (offset, length) = (number(section, at, 8) as usize, number(section, at + 8, 8) as usize);
        assert_eq!(offset, aligned(end));
        assert!(section[end..offset].iter().all(|&byte| byte == 0));
        end = offset + length;
        arrays.push(section[offset..end].to_vec());
    }
    assert_eq!(end, section.len());
    arrays
}

/// What a path costs; `None` if there is none.
fn cost_between(atlas: &Atlas, from: u64, to: u64, scratch: &mut Scratch) -> Option<u64> {
    let [from, to] = [from, to].map(|state| milepost::StateId::new(state as u32));
    atlas.path(from, to, scratch).cost().map(|cost| cost.units())
}

#[test]
fn sections_stand_in_increasing_order_of_kind() {
    // Built from a list in another order, of kinds whose order in version 1 was not that of their numbers.
    let name = "caves-40x30-5-several.milepost";
    let bytes = files::read(&golden(name)).expect("a golden file");
    assert_eq!(file(&bytes).kinds, [1, 16, 21, 22, 23, 24, 25, 64]);
    let atlas = Atlas::open(golden(name)).expect("a file that follows the page is read");
    assert!(atlas.to_bytes() == bytes, "written again, it is the same");
}

#[test]
fn figures_are_read_as_the_page_says_and_tell_what_planners_take() {
    let name = "caves-40x30-5-several.milepost";
    let file = file(&files::read(&golden(name)).expect("a golden file"));
    let atlas = Atlas::open(golden(name)).expect("a sound file");
    let array = match file.sections[&64].as_slice() {
        [array] => array,
        arrays => panic!("{} arrays", arrays.len()),
    };
    assert_eq!(array.len() % 48, 0);
    let mut scratch = Scratch::new();
    let mut names = Vec::new();
    for line in array.chunks(48) {
        let name = std::str::from_utf8(&line[..32]).expect("letters").trim_end_matches('\0').to_owned();
        let planner = milepost::catalog::planner(&name).expect("a planner");
        let (units, problems) = (number(line, 32, 8), number(line, 40, 4));
        assert_eq!((problems, number(line, 44, 4)), (200, 0));
        let mut pairs = milepost::space::RandomPairs::new(atlas.space(), 0).expect("connected cells");
        let mut budget = Budget::unlimited();
        for _ in 0..problems {
            let (start, goal) = pairs.draw();
            planner.plan(&atlas, &Query::new(start, goal), &mut scratch, &mut budget);
        }
        assert_eq!(budget.spent(), units, "{name}");
        names.push(name);
    }
    assert_eq!(names, ["corner-hierarchy", "corner-labels", "jps", "jps-plus"]);
}

#[test]
fn a_reader_written_from_the_page_finds_what_the_library_says() {
    for (name, rule) in [("rooms-40x28-3.milepost", 1), ("caves-40x30-5-octile14.milepost", 2)] {
        let bytes = files::read(&golden(name)).expect(name);
        assert!(bytes.len() < 100_000, "{name} is too large for a golden file");
        let file = file(&bytes);
        assert_eq!((file.rule, file.kinds[0]), (rule, 1));
        let map = Map::new(&file.sections[&1]);
        let table = Table::new(&map, &file.sections[&16]);
        let labels = CornerLabels::new(&map, &file.sections[&25]);
        assert_eq!(map.hash(), file.hash);

        let atlas = Atlas::open(golden(name)).expect(name);
        let space = atlas.space();
        assert_eq!((space.hash(), space.states() as usize), (file.hash, table.numbers.len()));
        let scale = space.scale();
        assert_eq!(file.scale, [scale.straight(), scale.diagonal(), scale.one()]);
        for cell in map.cells() {
            for direction in 0..8 {
                assert_eq!(table.jump(cell, direction), map.jump(cell, direction), "{cell:?} {direction}");
            }
        }
        let state = |cell: Cell| atlas.state_at(Point::new(cell.0 - 1, cell.1 - 1)).expect("a cell");
        let mut scratch = Scratch::new();
        let cells: Vec<Cell> = map.cells().collect();
        let mut compared = 0;
        for (from, to) in
            cells.iter().step_by(13).flat_map(|a| cells.iter().step_by(7).map(move |b| (*a, *b)))
        {
            let Outcome::Found { .. } = atlas.path(state(from), state(to), &mut scratch) else { continue };
            let found = labels.cost(&map, from, to).expect("a path") as f64 / labels.costs[0] as f64;
            let said = scratch.path().cost_f64();
            assert!((found - said).abs() < 1e-4 * (1.0 + said), "{from:?} {to:?}: {found} {said}");
            compared += 1;
        }
        assert!(compared > 4000, "{name}: {compared}");
    }
}

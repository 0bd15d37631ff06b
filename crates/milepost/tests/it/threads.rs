//! Threads change no byte of any index.

use crate::support::journeys::random_space;
use crate::support::rounds;
use milepost::Rng;
use milepost::build::{BuildError, SILENT, build};
use milepost::index::{INDEXES, IndexSpec};
use milepost::{Atlas, Rule};
use milepost_maps::{Kind, generate};

/// Every kind, those with a parameter in several forms.
fn indexes() -> Vec<IndexSpec> {
    let others = [
        "regions:1",
        "regions:2",
        "case-base:partitions",
        "case-base:40:fragments",
        "subgoal-trees:as-printed",
        "landmarks:40:canonical",
    ];
    let others = others.map(|text| IndexSpec::from_text(text).expect(text));
    INDEXES.iter().map(|entry| IndexSpec::from(entry.kind)).chain(others).collect()
}

/// How often the index could be built.
fn compare(atlas: &Atlas, index: IndexSpec, what: &str) -> u32 {
    let [one, two, three] = [1, 2, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| build(atlas, index, SILENT)).map(|built| built.to_bytes())
    });
    match (one, two, three) {
        (Ok(one), Ok(two), Ok(three)) => {
            assert!(one == two && one == three, "{index} of {what}");
            1
        }
        (Err(one), Err(two), Err(three)) => {
            assert!(
                matches!(one, BuildError::NotForThisSpace { .. } | BuildError::DoesNotPay { .. }),
                "{one}"
            );
            let others = [two.to_string(), three.to_string()];
            assert!(others.iter().all(|other| *other == one.to_string()), "{others:?}");
            0
        }
        _ => panic!("{index} of {what}: built with some numbers of threads alone"),
    }
}

#[test]
fn threads_change_no_byte_of_any_index() {
    let maps = [(Kind::Caves, Rule::Octile14), (Kind::Rooms, Rule::Octile), (Kind::Maze, Rule::Four)];
    let maps = maps.map(|(kind, rule)| {
        let map = generate(kind, 70, 50, 8).expect("a size that fits");
        Atlas::new(map.grid(rule).expect("a small map"))
    });
    let mut rng = Rng::new(87);
    let spaces: Vec<Atlas> = (0..rounds(20)).map(|round| Atlas::new(random_space(&mut rng, round))).collect();
    for index in indexes() {
        let mut built = 0;
        for (number, atlas) in maps.iter().chain(&spaces).enumerate() {
            built += compare(atlas, index, &format!("space {number}"));
        }
        assert!(built > 2, "{index}: {built}");
    }
}

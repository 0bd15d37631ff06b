//! Estimates begin as builds do: what a build refuses its estimate refuses, and what a refusal advises can be built.

use crate::support::rounds;
use milepost::build::{BuildError, SILENT, build, estimate};
use milepost::index::{INDEXES, IndexKind, IndexSpec};
use milepost::{Atlas, Grid, Rule};
use milepost_maps::{Kind, generate};

/// A square with 270 niches, all of which one pillar sees, and beside it a yard with thousands of corners that see few.
fn plaza() -> Atlas {
    let is_free = |x: u32, y: u32| match y {
        0 => x % 2 == 1,
        277 => x != 270,
        280 => false,
        285.. => x % 10 != 5 || y % 10 != 5,
        _ => true,
    };
    Atlas::new(Grid::new(540, 380, Rule::Octile, is_free).expect("a size that fits"))
}

#[test]
fn an_estimate_refuses_what_the_build_refuses_though_one_corner_in_thousands_is_too_much() {
    let plaza = plaza();
    let refusal =
        build(&plaza, IndexKind::JUMP_BOUNDS, SILENT).map(drop).expect_err("the pillar sees too much");
    assert_eq!(estimate(&plaza, IndexKind::JUMP_BOUNDS).map(drop), Err(refusal.clone()));
    assert!(refusal.to_string().contains("some corner sees more than 254 others"), "{refusal}");
    let instead = refusal.alternatives(&plaza);
    assert!(instead.contains(&IndexKind::CORNER_LABELS), "{instead:?}");
    assert!(!instead.contains(&IndexKind::JUMP_BOUNDS), "{instead:?}");
}

#[test]
fn estimate_and_build_agree_on_every_kind_of_map_and_advice_names_what_can_be_built() {
    let mut refused = 0;
    for (map, side) in Kind::ALL.iter().flat_map(|map| [(map, 40), (map, 90)]) {
        let tiles = generate(*map, side, side, 5).expect("a size that fits");
        let atlas = Atlas::new(tiles.grid(Rule::Octile).expect("a size that fits"));
        // What takes a flood from every state never refuses, and takes its time.
        for entry in INDEXES.iter().filter(|entry| !entry.floods || side == 40) {
            let (estimated, built) = (estimate(&atlas, entry.kind), build(&atlas, entry.kind, SILENT));
            assert_eq!(estimated.is_ok(), built.is_ok(), "{} on {map:?} {side}", entry.name);
            let Err(refusal @ BuildError::DoesNotPay { .. }) = built else { continue };
            refused += 1;
            for kind in refusal.alternatives(&atlas) {
                estimate(&atlas, kind).unwrap_or_else(|error| panic!("advised by {}: {error}", entry.name));
            }
        }
    }
    assert!(refused > 2, "{refused}");
}

/// What was estimated and what was built, in bytes of the section.
fn estimated_and_built(atlas: &Atlas, index: &str) -> [f64; 2] {
    let index = IndexSpec::from_text(index).expect("a name of an index");
    let estimated = estimate(atlas, index).expect("it can be built").bytes;
    let built = build(atlas, index, SILENT).expect("it can be built");
    let section = built.sections().iter().find(|section| section.index() == index).expect("it was built");
    [estimated as f64, section.bytes().len() as f64]
}

/// Of each of these only a part is made: lists of 256 blocks, the choice of 64 landmarks and 4 floods.
#[test]
fn what_an_estimate_makes_a_sample_of_is_as_large_as_it_says() {
    for (map, index) in [
        (Kind::City, "landmarks:90"),
        (Kind::Caves, "landmarks:200:canonical"),
        (Kind::Random, "corner-labels"),
        (Kind::Caves, "corner-hierarchy"),
        (Kind::Rooms, "corner-hierarchy"),
    ]
    .into_iter()
    .take(rounds(5))
    {
        let tiles = generate(map, 330, 330, 8).expect("a size that fits");
        let atlas = Atlas::new(tiles.grid(Rule::Octile).expect("a size that fits"));
        let [estimated, built] = estimated_and_built(&atlas, index);
        let ratio = estimated / built;
        assert!((1.0 / 1.3..1.3).contains(&ratio), "{index} on {map:?}: {estimated} for {built}");
    }
}

//! Tests that every kind passes, and the pinned bytes of each.

use super::*;
use crate::movingai;
use crate::tiles::is_passable_letter;

/// FNV-1a, 64 bits, of the written map.
fn hash(map: &TileMap) -> u64 {
    movingai::write(map)
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn made(kind: Kind, width: u32, height: u32, seed: u64) -> TileMap {
    generate(kind, width, height, seed).unwrap_or_else(|error| panic!("{error}"))
}

const SIZES: [(u32, u32); 8] =
    [(8, 8), (8, 60), (61, 9), (13, 17), (40, 40), (97, 33), (128, 128), (300, 200)];

/// Cells that can be reached in four directions from the first free cell.
fn reached(map: &TileMap) -> u32 {
    let first =
        map.tiles().iter().position(|letter| is_passable_letter(*letter)).expect("a free cell") as u32;
    reached_from(map, first % map.width(), first / map.width())
}

/// Cells that can be reached in four directions from a cell; none if it is blocked.
fn reached_from(map: &TileMap, x: u32, y: u32) -> u32 {
    let width = map.width() as usize;
    let mut is_free: Vec<bool> = map.tiles().iter().map(|letter| is_passable_letter(*letter)).collect();
    let first = y as usize * width + x as usize;
    if !is_free[first] {
        return 0;
    }
    let mut open = vec![first];
    is_free[first] = false;
    let mut count = 0;
    while let Some(cell) = open.pop() {
        count += 1;
        let (x, y) = (cell % width, cell / width);
        let sides = [
            (x > 0).then(|| cell - 1),
            (x + 1 < width).then(|| cell + 1),
            (y > 0).then(|| cell - width),
            (y + 1 < map.height() as usize).then(|| cell + width),
        ];
        for side in sides.into_iter().flatten() {
            if std::mem::take(&mut is_free[side]) {
                open.push(side);
            }
        }
    }
    count
}

#[test]
fn every_free_cell_is_reached_from_every_other() {
    for &kind in Kind::ALL.iter().filter(|kind| **kind != Kind::Random) {
        for (width, height) in SIZES {
            for seed in 0..30 {
                let map = made(kind, width, height, seed);
                let (free, reached) = (map.passable_cells(), reached(&map));
                assert_eq!(free, reached, "{} {width} x {height} seed {seed}\n{map}", kind.name());
                assert!(free >= width * height / 8, "{} {width} x {height} seed {seed}\n{map}", kind.name());
            }
        }
    }
}

#[test]
fn a_quarter_of_a_random_map_is_blocked_and_nearly_all_of_the_rest_is_one_region() {
    for (width, height) in SIZES {
        for seed in 0..30 {
            let map = made(Kind::Random, width, height, seed);
            let inside = (width - 2) * (height - 2);
            assert_eq!(map.passable_cells(), inside - inside / 4);
        }
    }
    for seed in 0..10 {
        let map = made(Kind::Random, 300, 200, seed);
        // The first free cell may be shut in; the largest region is what is left when all others are filled.
        let reached = (1..199).map(|y| reached_from(&map, 150, y)).max().expect("many rows");
        assert!(reached * 100 >= map.passable_cells() * 97, "seed {seed}: {reached}");
    }
}

#[test]
fn an_arena_is_the_same_from_both_sides() {
    for (width, height) in SIZES {
        for seed in 0..30 {
            let map = made(Kind::Arena, width, height, seed);
            let turned: Vec<u8> = map.tiles().iter().rev().copied().collect();
            assert!(map.tiles() == turned, "{width} x {height} seed {seed}\n{map}");
        }
    }
}

#[test]
fn maze_corridors_are_at_most_three_cells_wide() {
    // A square of four free cells would lie in a wider corridor: every junction has a wall post at a corner.
    let map = made(Kind::Maze, 120, 90, 4);
    let is_open = |x: u32, y: u32| (0..4).all(|dy| (0..4).all(|dx| map.is_passable(x + dx, y + dy)));
    assert!(!(0..117).any(|x| (0..87).any(|y| is_open(x, y))));
}

#[test]
fn a_large_city_has_streets_gardens_trees_and_a_river() {
    let count = |map: &TileMap, letter: u8| map.tiles().iter().filter(|tile| **tile == letter).count();
    let rivers = (0..20).filter(|seed| {
        let map = made(Kind::City, 256, 256, *seed);
        assert!(count(&map, b'.') > 10_000 && count(&map, b'@') > 5_000, "seed {seed}");
        count(&map, b'W') > 1_000
    });
    assert!(rivers.count() >= 10);
}

#[test]
fn maps_are_walled_in() {
    for &kind in Kind::ALL {
        let map = made(kind, 50, 30, 3);
        let is_edge = |x: u32, y: u32| x == 0 || y == 0 || x == 49 || y == 29;
        let cells = (0..30).flat_map(|y| (0..50).map(move |x| (x, y)));
        assert!(cells.filter(|(x, y)| is_edge(*x, *y)).all(|(x, y)| !map.is_passable(x, y)));
    }
}

#[test]
fn another_seed_makes_another_map() {
    for &kind in Kind::ALL {
        assert_ne!(made(kind, 64, 64, 1), made(kind, 64, 64, 2));
        assert_eq!(made(kind, 64, 64, 1), made(kind, 64, 64, 1));
    }
}

/// If this fails, a seed no longer means the map it meant: restore the generator, do not change the hashes.
#[test]
fn a_seed_means_the_same_bytes_for_ever() {
    let pinned = [
        (Kind::Rooms, 8, 8, 0, 0xee05_e1f2_b483_19aa),
        (Kind::Rooms, 64, 48, 1, 0x1951_71b6_c642_c56e),
        (Kind::Rooms, 512, 512, 2, 0x68c2_39a9_29f9_2db2),
        (Kind::Rooms, 1000, 333, u64::MAX, 0x360e_ab9a_c1ba_d0a8),
        (Kind::Caves, 8, 8, 0, 0x3df8_69e8_bf36_cc7a),
        (Kind::Caves, 64, 48, 1, 0xf48c_89b1_8808_5125),
        (Kind::Caves, 512, 512, 2, 0x672a_de9b_668a_dfdd),
        (Kind::Caves, 1000, 333, u64::MAX, 0x51d6_2f90_0890_9f77),
        (Kind::Maze, 8, 8, 0, 0xd453_95c5_95c3_5538),
        (Kind::Maze, 64, 48, 1, 0x80b8_a598_43c0_08f4),
        (Kind::Maze, 512, 512, 2, 0x7f37_4610_85c0_deac),
        (Kind::Maze, 1000, 333, u64::MAX, 0x14dd_31ac_a150_7ebc),
        (Kind::Random, 8, 8, 0, 0xe227_b853_e470_f14c),
        (Kind::Random, 64, 48, 1, 0xfc91_77b9_e0c7_3dde),
        (Kind::Random, 512, 512, 2, 0x90b6_fd91_3e00_0334),
        (Kind::Random, 1000, 333, u64::MAX, 0x167b_8301_cf3a_82b8),
        (Kind::City, 8, 8, 0, 0xfdbe_50e7_d926_51b6),
        (Kind::City, 64, 48, 1, 0xca0f_a92f_274f_500d),
        (Kind::City, 512, 512, 2, 0x59c8_eb31_4958_5c19),
        (Kind::City, 1000, 333, u64::MAX, 0x8a7a_3d05_b8e4_7759),
        (Kind::Arena, 8, 8, 0, 0x94ce_7c7e_9fed_da9e),
        (Kind::Arena, 64, 48, 1, 0x813a_904f_2445_4c08),
        (Kind::Arena, 512, 512, 2, 0x3dd0_a1ab_9f7d_125a),
        (Kind::Arena, 1000, 333, u64::MAX, 0xc88c_c5ce_a8b5_0f36),
    ];
    let found = pinned.map(|(kind, width, height, seed, _)| {
        (kind, width, height, seed, hash(&made(kind, width, height, seed)))
    });
    assert_eq!(found, pinned, "{found:#x?}");
}

#[test]
fn sizes_that_make_no_level_are_refused() {
    assert_eq!(generate(Kind::Rooms, 7, 9, 0), Err(GenerateError::TooSmall { width: 7, height: 9 }));
    assert_eq!(generate(Kind::Caves, 9, 0, 0), Err(GenerateError::TooSmall { width: 9, height: 0 }));
    let large = generate(Kind::Rooms, 65_536, 65_536, 0);
    assert_eq!(large, Err(GenerateError::TooLarge { width: 65_536, height: 65_536 }));
}

#[test]
fn kinds_are_found_by_their_names() {
    for &kind in Kind::ALL {
        assert_eq!(Kind::from_name(kind.name()), Ok(kind));
    }
    let error = Kind::from_name("castle").map_err(|error| error.to_string());
    assert_eq!(
        error,
        Err("expected one of the kinds rooms, maze, caves, random, city, arena, found `castle`".to_string())
    );
}

//! Tests that every kind passes, and the pinned bytes of each.

use super::*;
use crate::maps::movingai;
use crate::maps::tiles::is_passable_letter;

/// FNV-1a, 64 bits, of the written map.
fn hash(map: &TileMap) -> u64 {
    movingai::write(map)
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn made(kind: Kind, width: u32, height: u32, seed: u64) -> TileMap {
    generate(kind, width, height, seed).unwrap_or_else(|error| panic!("{error}"))
}

/// Cells that can be reached in four directions from the first free cell.
fn reached(map: &TileMap) -> u32 {
    let width = map.width() as usize;
    let mut is_free: Vec<bool> = map.tiles().iter().map(|letter| is_passable_letter(*letter)).collect();
    let Some(first) = is_free.iter().position(|free| *free) else { return 0 };
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
    let sizes = [(8, 8), (8, 60), (61, 9), (13, 17), (40, 40), (97, 33), (128, 128), (300, 200)];
    for &kind in Kind::ALL {
        for (width, height) in sizes {
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
    assert_eq!(error, Err("expected one of the kinds rooms, caves, found `castle`".to_string()));
}

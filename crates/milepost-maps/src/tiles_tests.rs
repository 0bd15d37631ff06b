//! Tests of the rectangle of letters.

use super::*;

fn drawn(drawing: &str) -> TileMap {
    TileMap::from_ascii(drawing).expect("a good drawing")
}

#[test]
fn seven_letters_are_known_and_three_are_passable() {
    let known: Vec<u8> = (0..=255).filter(|letter| is_known_letter(*letter)).collect();
    let passable: Vec<u8> = (0..=255).filter(|letter| is_passable_letter(*letter)).collect();
    assert_eq!((&known[..], &passable[..]), (&b".@GOSTW"[..], &b".GS"[..]));
    assert!((0..=255).all(|letter| are_known_letters(&[b'.', letter]) == is_known_letter(letter)));
}

#[test]
fn cells_are_addressed_by_column_and_row() {
    let map = drawn(
        ".@
         GO
         ST",
    );
    assert_eq!((map.width(), map.height(), map.passable_cells()), (2, 3, 3));
    assert_eq!(
        (map.tile(0, 2), map.tile(1, 1), map.tile(2, 0), map.tile(0, 3)),
        (Some(b'S'), Some(b'O'), None, None)
    );
    assert!(map.is_passable(0, 1) && !map.is_passable(1, 0) && !map.is_passable(u32::MAX, u32::MAX));
    assert_eq!((map.row(1), map.tiles()), (&b"GO"[..], &b".@GOST"[..]));
}

#[test]
fn a_drawing_survives_being_drawn() {
    let map = drawn("..@\nTWG");
    assert_eq!(TileMap::from_ascii(" . .\t@ \n\t TW G \n\n").as_ref(), Ok(&map));
    assert_eq!(TileMap::from_ascii(&map.to_string()), Ok(map));
}

#[test]
fn bad_maps_cannot_be_made() {
    let ragged = TileMap::from_ascii("...\n..\n...");
    assert_eq!(ragged, Err(TileError::Ragged { row: 1, expected: 3, found: 2 }));
    assert_eq!(TileMap::from_ascii(" \n "), Err(TileError::Empty { width: 0, height: 0 }));
    assert_eq!(TileMap::from_ascii("..\n.x"), Err(TileError::Letter { x: 1, y: 1, letter: b'x' }));
    assert_eq!(TileMap::new(0, 5, vec![]), Err(TileError::Empty { width: 0, height: 5 }));
    let count = TileError::Count { width: 2, height: 2, expected: 4, found: 3 };
    assert_eq!(TileMap::new(2, 2, vec![b'.'; 3]), Err(count));
    assert!(matches!(TileMap::filled(u32::MAX, u32::MAX, b'.'), Err(TileError::TooLarge { .. })));
    assert_eq!(TileMap::filled(1, 1, b'?'), Err(TileError::Letter { x: 0, y: 0, letter: b'?' }));
}

#[test]
fn the_limit_counts_the_border_too() {
    // (width + 1) * (height + 2) + 1 < 2^32 - 1
    assert!(fits(65_534, 65_533) && !fits(65_535, 65_534));
    assert!(fits(1, 2_147_483_644) && !fits(1, 2_147_483_645));
    assert!(!fits(u32::MAX, u32::MAX) && !fits(u32::MAX, 1) && !fits(1_000_000_000, 1_000_000_000));
}

#[test]
fn set_changes_one_cell_or_nothing() {
    let mut map = drawn("..\n..");
    assert_eq!(map.set(1, 0, b'T'), Ok(()));
    assert_eq!(map.set(1, 0, b'x'), Err(TileError::Letter { x: 1, y: 0, letter: b'x' }));
    assert_eq!(map.set(0, 2, b'T'), Err(TileError::Outside { x: 0, y: 2, width: 2, height: 2 }));
    assert_eq!(map, drawn(".T\n.."));
}

#[test]
fn scaling_repeats_every_cell() {
    assert_eq!(drawn(".@\nT.").scaled(2), Ok(drawn("..@@\n..@@\nTT..\nTT..")));
    assert_eq!(drawn(".@").scaled(0), Err(TileError::Empty { width: 0, height: 0 }));
    assert!(matches!(drawn(".@").scaled(u32::MAX), Err(TileError::TooLarge { .. })));
    assert!(matches!(drawn(".@").scaled(50_000), Err(TileError::TooLarge { .. })));
}

#[test]
fn resizing_takes_the_nearest_cell_and_shrinking_undoes_scaling() {
    assert_eq!(drawn(".@T").resized(5, 1), Ok(drawn("..@@T")));
    let map = drawn(".@T\nGSW");
    assert_eq!(map.scaled(7).and_then(|large| large.resized(3, 2)), Ok(map));
}

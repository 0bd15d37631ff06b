//! Tests of the reader and writer of pictures.

use proptest::prelude::*;

use super::*;
use crate::any_input::{any_damage, any_map};
use milepost::Point;

const WEIGHTED: Options = Options { threshold: 128, has_weights: true };

/// A PNG with one row of pixels of so many channels.
fn row<const CHANNELS: usize>(pixels: &[[u8; CHANNELS]]) -> Vec<u8> {
    picture(pixels.len() as u32, CHANNELS, BitDepth::Eight, pixels.as_flattened())
}

/// The same with sixteen bits a channel.
fn deep_row<const CHANNELS: usize>(pixels: &[[u16; CHANNELS]]) -> Vec<u8> {
    let halves = |channel: &u16| [(channel >> 8) as u8, *channel as u8];
    let bytes: Vec<u8> = pixels.as_flattened().iter().flat_map(halves).collect();
    picture(pixels.len() as u32, CHANNELS, BitDepth::Sixteen, &bytes)
}

fn picture(width: u32, channels: usize, depth: BitDepth, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, 1);
    encoder.set_color(match channels {
        1 => ColorType::Grayscale,
        2 => ColorType::GrayscaleAlpha,
        3 => ColorType::Rgb,
        _ => ColorType::Rgba,
    });
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().expect("a small picture");
    writer.write_image_data(pixels).expect("a small picture");
    writer.finish().expect("a small picture");
    bytes
}

fn good(bytes: &[u8], options: Options) -> Picture {
    read(bytes, options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn dark_pixels_are_blocked() {
    let bytes = row(&[0, 127, 128, 255].map(|grey| [grey]));
    let picture = good(&bytes, Options::default());
    assert_eq!((picture.map.tiles(), picture.weights), (&b"@@.."[..], None));
    let at = |threshold| good(&bytes, Options { threshold, ..Options::default() }).map.into_tiles();
    assert_eq!((at(0), at(127), at(255)), (b"....".to_vec(), b"@...".to_vec(), b"@@@.".to_vec()));
}

#[test]
fn transparent_pixels_are_blocked() {
    let bytes = row(&[[255, 0], [255, 127], [255, 128], [0, 255]]);
    assert_eq!(good(&bytes, Options::default()).map.tiles(), b"@@.@");
    let bytes = row(&[[255, 255, 255, 0], [255, 255, 255, 255], [0, 0, 0, 255]]);
    assert_eq!(good(&bytes, Options::default()).map.tiles(), b"@.@");
}

#[test]
fn colours_count_by_their_luma() {
    // Red 54, green 182, blue 18, yellow 237.
    let bytes = row(&[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]]);
    let picture = good(&bytes, WEIGHTED);
    assert_eq!((picture.map.tiles(), picture.weights), (&b"@.@."[..], Some(vec![1, 6, 1, 2])));
}

#[test]
fn sixteen_bits_count_by_their_upper_half() {
    let grey = deep_row(&[0x7fff, 0x8000, 0xffff, 0xeeff].map(|grey| [grey]));
    let picture = good(&grey, WEIGHTED);
    assert_eq!((picture.map.tiles(), picture.weights), (&b"@..."[..], Some(vec![1, 9, 1, 2])));
    let faint = deep_row(&[[0xffff, 0xffff, 0xffff, 0x7fff], [0xffff, 0xffff, 0xffff, 0x8000]]);
    assert_eq!(good(&faint, Options::default()).map.tiles(), b"@.");
}

#[test]
fn greys_are_rounded_and_transparency_is_not_looked_at() {
    assert_eq!(greys(&row(&[[255, 0], [7, 255]])), Ok(vec![255, 7]));
    assert_eq!(greys(&row(&[[255, 0, 0], [0, 255, 0], [0, 0, 255]])), Ok(vec![54, 182, 18]));
    assert_eq!(greys(&deep_row(&[[0], [0x80], [0x81], [0x7fff], [0xffff]])), Ok(vec![0, 0, 1, 127, 255]));
}

#[test]
fn weights_go_from_one_to_nine_and_no_further_than_seventeen() {
    let levels = [255u8, 248, 247, 232, 231, 136, 135, 128, 127];
    let picture = good(&row(&levels.map(|grey| [grey])), WEIGHTED);
    assert_eq!(picture.weights, Some(vec![1, 1, 2, 2, 3, 8, 9, 9, 1]));
    let all: Vec<[u8; 1]> = (0..=255).map(|grey| [grey]).collect();
    let weights = good(&row(&all), Options { threshold: 0, has_weights: true }).weights.expect("weights");
    assert!(weights.windows(2).all(|pair| pair[0] >= pair[1]));
    assert_eq!((weights[0], weights[255]), (17, 1));
}

#[test]
fn grey_is_slow_ground_in_the_grid_of_a_picture_where_weights_were_asked_for() {
    let pixels = row(&[255u8, 160, 0].map(|grey| [grey]));
    let grid = |options| good(&pixels, options).grid(Rule::Octile).expect("a small map");
    let weights = |grid: &Grid| [0, 1].map(|x| grid.state_at(Point::new(x, 0)).map(|cell| grid.weight(cell)));
    assert_eq!(weights(&grid(WEIGHTED)), [Some(1), Some(7)]);
    let plain = grid(Options::default());
    assert_eq!(weights(&plain), [Some(1), Some(1)]);
    // Fields can be set by any program.
    let odd = Picture { weights: Some(vec![0]), ..good(&pixels, WEIGHTED) };
    assert_eq!(weights(&odd.grid(Rule::Octile).expect("a small map")), [Some(1), Some(1)]);
}

#[test]
fn every_letter_is_drawn_on_its_side_of_the_threshold() {
    let map = TileMap::from_ascii(".GS\n@OT\nW.@").expect("a good drawing");
    let picture = good(&write(&map).expect("a small map"), Options::default());
    assert_eq!(picture.map, TileMap::from_ascii("...\n@@@\n@.@").expect("a good drawing"));
}

#[test]
fn a_promise_of_too_many_pixels_is_refused_before_anything_is_decoded() {
    let claim = |width: u32, height: u32, length: usize| {
        let mut bytes = write(&TileMap::filled(4, 4, b'.').expect("a small map")).expect("a small map");
        let digits = |number: u32| (0..4).rev().map(move |byte| (number >> (8 * byte)) as u8);
        bytes.splice(16..24, digits(width).chain(digits(height)));
        bytes.resize(length, 0);
        read(&bytes, Options::default()).expect_err("a lie").to_string()
    };
    let said = claim(1_000_000_000, 1_000_000_000, 100);
    assert!(said.contains("1 to 268435456 pixels, found 1000000000 x 1000000000"), "{said}");
    let said = claim(16_384, 16_384, 100);
    assert!(
        said.contains("expected at least 260161 bytes for 16384 x 16384 pixels, found 100 bytes"),
        "{said}"
    );
    assert!(claim(u32::MAX, u32::MAX, 100).contains("found 4294967295 x 4294967295"));
    assert!(claim(0, 5, 100).contains("found 0 x 5"));
    // Long enough: now the check sum of the header gives it away.
    assert!(claim(16_384, 16_384, 300_000).contains("damaged"));
}

#[test]
fn a_picture_cut_off_anywhere_is_refused() {
    let map = crate::generate(crate::Kind::Caves, 40, 30, 1).expect("a size that fits");
    let whole = write(&map).expect("a small map");
    // The last chunk holds nothing.
    for end in 0..whole.len() - 12 {
        assert!(read(&whole[..end], Options::default()).is_err(), "cut after {end} bytes");
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>, has_header: bool) {
        let mut all = if has_header { row(&[[7]])[..33].to_vec() } else { Vec::new() };
        all.extend(bytes);
        let _ = read(&all, WEIGHTED);
    }

    #[test]
    fn the_same_cells_are_blocked_after_the_round_trip(map in any_map()) {
        let picture = good(&write(&map).expect("a small map"), WEIGHTED);
        prop_assert_eq!((picture.map.width(), picture.map.height()), (map.width(), map.height()));
        let is_free = |map: &TileMap| map.tiles().iter().map(|tile| *tile == b'.').collect::<Vec<_>>();
        let was_free: Vec<bool> = map.tiles().iter().map(|tile| tiles::is_passable_letter(*tile)).collect();
        prop_assert_eq!(is_free(&picture.map), was_free);
        prop_assert!(picture.weights.expect("weights").iter().all(|weight| (1..=9).contains(weight)));
    }

    #[test]
    fn a_damaged_picture_never_panics(map in any_map(), damage in any_damage()) {
        let bytes = damage.of(&write(&map).expect("a small map"));
        let _ = read(&bytes, WEIGHTED);
    }
}

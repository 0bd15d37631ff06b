//! MovingAI `.map` files: four header lines, then one letter a cell.
//!
//! ```text
//! type octile
//! height 2
//! width 3
//! map
//! ..@
//! .T.
//! ```
//!
//! # Paper
//! N. Sturtevant: Benchmarks for Grid-Based Pathfinding, IEEE Transactions on Computational Intelligence and
//! AI in Games 4(2), 2012.
//!
//! # Guarantees
//! Whatever the bytes are, [`read()`] does not panic, and reserves memory only after it has seen that the
//! bytes can hold the promised letters. What [`write()`] wrote, [`read()`] reads back as the same map.
//!
//! # Deviations
//! 1. More is accepted than the format says, because such files exist: lines that end with CR LF, blanks at
//!    the end of any line, height and width in either order, a byte order mark, no end of the last line,
//!    blank lines at the end.
//! 2. `type octile-corner` is another format behind the same file name, and is refused by that name.

use super::error::{Excerpt, MapError};
use super::lines::{Line, Lines, is_blank, whole_number, words};
use super::tiles::{self, TileMap};

/// Reads a `.map` file.
///
/// ```
/// let map = milepost_maps::movingai::read(b"type octile\nheight 1\nwidth 3\nmap\n.@.\n")?;
/// assert_eq!(map.row(0), b".@.");
/// # Ok::<(), milepost_maps::MapError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<TileMap, MapError> {
    let mut lines = Lines::new(bytes);
    if lines.rest().iter().all(|&byte| is_blank(byte) || byte == b'\n') {
        return Err(MapError::Empty { bytes: lines.rest().len() as u64 });
    }
    let (width, height) = read_header(&mut lines)?;

    let needed = u64::from(width) * u64::from(height);
    let left = lines.rest().len() as u64;
    if left < needed {
        return Err(MapError::Bytes { place: lines.place(), width, height, needed, left });
    }
    if !tiles::fits(width, height) {
        return Err(MapError::TooLarge { width, height });
    }
    // needed <= left, so this reserves no more than the file itself takes.
    let mut letters = Vec::with_capacity(needed as usize);
    for y in 0..height {
        letters.extend_from_slice(read_row(&mut lines, y, width, height)?);
    }
    match lines.find(|line| !line.text.is_empty()) {
        None => Ok(TileMap::from_checked(width, height, letters)),
        Some(line) => Err(MapError::Rest { place: line.place, height, found: Excerpt::new(line.text) }),
    }
}

/// Writes a `.map` file in the strictest form: LF, height before width, nothing after the last row.
pub fn write(map: &TileMap) -> Vec<u8> {
    let header = format!("type octile\nheight {}\nwidth {}\nmap\n", map.height(), map.width());
    let mut bytes = Vec::with_capacity(header.len() + map.tiles().len() + map.height() as usize);
    bytes.extend_from_slice(header.as_bytes());
    for row in map.rows() {
        bytes.extend_from_slice(row);
        bytes.push(b'\n');
    }
    bytes
}

/// Reads the lines up to and including `map`; gives the width and the height.
fn read_header(lines: &mut Lines<'_>) -> Result<(u32, u32), MapError> {
    let line = header_line(lines, "`type octile`")?;
    match first_words(line.text) {
        [Some((_, b"type")), Some((_, b"octile")), None] => {}
        [Some((_, b"type")), Some((at, b"octile-corner")), None] => {
            return Err(MapError::OctileCorner { place: line.place_at(at) });
        }
        [Some((_, b"type")), Some((at, other)), None] => {
            return Err(MapError::Type { place: line.place_at(at), found: Excerpt::new(other) });
        }
        _ => return Err(wrong_header(&line, "`type octile`")),
    }

    // Each with the line where it stands.
    let mut width: Option<(u32, u32)> = None;
    let mut height: Option<(u32, u32)> = None;
    loop {
        let expected = match (height, width) {
            (None, None) => "`height` or `width` and a number",
            (None, Some(_)) => "`height` and a number",
            (Some(_), None) => "`width` and a number",
            (Some(_), Some(_)) => "`map`",
        };
        let line = header_line(lines, expected)?;
        let (size, name, (at, number)) = match first_words(line.text) {
            [Some((_, b"height")), Some(number), None] => (&mut height, "height", number),
            [Some((_, b"width")), Some(number), None] => (&mut width, "width", number),
            [Some((_, b"map")), None, None] => match (width, height) {
                (Some((width, _)), Some((height, _))) => return Ok((width, height)),
                _ => return Err(wrong_header(&line, expected)),
            },
            _ => return Err(wrong_header(&line, expected)),
        };
        if let Some((_, first)) = *size {
            return Err(MapError::Duplicate { place: line.place, name, first });
        }
        let value = whole_number(number).filter(|value| *value > 0).ok_or_else(|| MapError::Size {
            place: line.place_at(at),
            name,
            found: Excerpt::new(number),
        })?;
        *size = Some((value, line.place.line));
    }
}

/// The first three words of a header line; no good one has three.
fn first_words(text: &[u8]) -> [Option<(usize, &[u8])>; 3] {
    let mut words = words(text);
    std::array::from_fn(|_| words.next())
}

fn header_line<'a>(lines: &mut Lines<'a>, expected: &'static str) -> Result<Line<'a>, MapError> {
    lines.next().ok_or(MapError::HeaderEnds { place: lines.place(), expected })
}

fn wrong_header(line: &Line<'_>, expected: &'static str) -> MapError {
    MapError::Header { place: line.place, expected, found: Excerpt::new(line.text) }
}

/// Takes row `y` from the lines: exactly `width` known letters, then blanks only.
fn read_row<'a>(lines: &mut Lines<'a>, y: u32, width: u32, height: u32) -> Result<&'a [u8], MapError> {
    let rest = lines.rest();
    let columns = width as usize;
    // The good path: no search for the end of the line, and no branch a letter.
    if let Some(row) = rest.get(..columns)
        && tiles::are_known_letters(row)
    {
        let end = match &rest[columns..] {
            [] => Some(0),
            [b'\n', ..] => Some(1),
            [b'\r', b'\n', ..] => Some(2),
            tail => end_of_blanks(tail),
        };
        if let Some(end) = end {
            lines.skip_line(columns + end);
            return Ok(row);
        }
    }
    Err(wrong_row(lines, y, width, height))
}

/// The length of the blanks up to and including the end of the line, if nothing else is there.
fn end_of_blanks(tail: &[u8]) -> Option<usize> {
    match tail.iter().position(|&byte| !is_blank(byte)) {
        None => Some(tail.len()),
        Some(at) if tail[at] == b'\n' => Some(at + 1),
        Some(_) => None,
    }
}

/// What is wrong with row `y`, which is known to be wrong: the first culprit in the order of the file.
fn wrong_row(lines: &mut Lines<'_>, y: u32, width: u32, height: u32) -> MapError {
    let begin = lines.place();
    let rest = lines.rest();
    if rest.iter().all(|&byte| is_blank(byte) || byte == b'\n') {
        return MapError::Rows { place: begin, height, count: y };
    }
    // Blanks before a row are no blanks but letters in the wrong place: the line is taken as it stands.
    let whole = rest.split(|&byte| byte == b'\n').next().unwrap_or(rest);
    let count = whole.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
    let line = Line { text: &whole[..count], place: begin };
    let columns = width as usize;
    let checked = &line.text[..count.min(columns)];
    match checked.iter().position(|&letter| !tiles::is_known_letter(letter)) {
        Some(at) => {
            MapError::Letter { place: line.place_at(at), found: Excerpt::new(first_char(&line.text[at..])) }
        }
        None => MapError::Row { place: line.place_at(count.min(columns)), width, count: count as u64 },
    }
}

/// The first character of a text, or its first byte if that is none.
fn first_char(text: &[u8]) -> &[u8] {
    let chunk = text.utf8_chunks().next();
    let len = chunk.and_then(|chunk| chunk.valid().chars().next()).map_or(1, char::len_utf8);
    &text[..len.min(text.len())]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::any_input::{any_damage, any_map};

    const SMALL: &[u8] = b"type octile\nheight 2\nwidth 3\nmap\n..@\n.T.\n";

    fn message(bytes: &[u8]) -> String {
        read(bytes).expect_err("a broken map").to_string()
    }

    #[test]
    fn the_letters_stand_where_the_file_has_them() {
        let map = read(SMALL).expect("a good map");
        assert_eq!((map.width(), map.height(), map.tiles()), (3, 2, &b"..@.T."[..]));
    }

    #[test]
    fn what_was_written_is_what_was_read() {
        assert_eq!(write(&read(SMALL).expect("a good map")), SMALL);
    }

    #[test]
    fn a_header_of_a_billion_rows_is_refused_before_memory_is_reserved() {
        let said = message(b"type octile\nheight 1000000000\nwidth 1000000000\nmap\n..\n");
        assert!(said.contains("expected at least 1000000000000000000 bytes"), "{said}");
        assert!(said.contains("found 3 bytes"), "{said}");
    }

    #[test]
    fn the_first_culprit_of_a_row_is_named() {
        let row = |text: &str| message(format!("type octile\nheight 1\nwidth 3\nmap\n{text}").as_bytes());
        assert!(row("..x\n").starts_with("line 5, column 3 (byte 35): expected one of the letters"));
        assert!(row(" ..\n").starts_with("line 5, column 1 "), "{}", row(" ..\n"));
        assert!(row("..\n ").contains("expected a row of 3 letters, found 2"), "{}", row("..\n "));
        assert!(
            row("....\n").starts_with("line 5, column 4 (byte 36): expected a row of 3 letters, found 4")
        );
        assert!(row(".\u{e9}.").contains("found \"é\""), "{}", row(".\u{e9}."));
    }

    #[test]
    fn a_real_map_of_768_by_768_survives_the_round_trip() {
        let Some(bytes) = real_map("sc1/ArcticStation.map") else { return };
        let map = read(&bytes).expect("a real map");
        assert_eq!((map.width(), map.height(), map.passable_cells()), (768, 768, 400_071));
        assert_eq!(write(&map), bytes);
    }

    #[test]
    fn resizing_stretches_an_original_to_the_very_map_that_was_published() {
        for (original, published) in [("012", "AR0012SR"), ("516", "AR0516SR"), ("603", "AR0603SR")] {
            let Some(original) = real_map(&format!("bg-original/{original}.map")) else { return };
            let Some(published) = real_map(&format!("bg512/{published}.map")) else { return };
            let stretched = read(&original).expect("a real map").resized(512, 512).expect("a small map");
            assert_eq!(write(&stretched), published);
        }
    }

    /// A file of the folder with real maps, if there is one.
    fn real_map(name: &str) -> Option<Vec<u8>> {
        let Some(folder) = std::env::var_os("MILEPOST_MAPS") else {
            println!("skipped: MILEPOST_MAPS is unset");
            return None;
        };
        let path = std::path::Path::new(&folder).join(name);
        Some(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
            let _ = read(&bytes);
        }

        #[test]
        fn arbitrary_rows_never_panic(width in 0u32..6, height in 0u32..6, rows in "[.@TGx \t\r\n]{0,40}") {
            let _ = read(format!("type octile\nheight {height}\nwidth {width}\nmap\n{rows}").as_bytes());
        }

        #[test]
        fn every_map_survives_the_round_trip(map in any_map()) {
            prop_assert_eq!(read(&write(&map)), Ok(map));
        }

        #[test]
        fn carriage_returns_and_blanks_change_nothing(map in any_map(), blanks in "[ \t]{0,3}") {
            let text = String::from_utf8(write(&map)).expect("ASCII");
            let bytes = text.replace('\n', &format!("{blanks}\r\n"));
            prop_assert_eq!(read(bytes.as_bytes()), Ok(map));
        }

        #[test]
        fn a_damaged_map_never_panics(map in any_map(), damage in any_damage()) {
            let bytes = damage.of(&write(&map));
            if let Ok(read_back) = read(&bytes) {
                prop_assert_eq!(read(&write(&read_back)), Ok(read_back));
            }
        }
    }
}

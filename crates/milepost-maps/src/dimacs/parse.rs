//! From bytes to numbers: the line `p`, then one line after the other.
//!
//! Nearly all lines are a letter and numbers with single blanks between them. Those are read in one go, digit
//! by digit; every other line takes the slow way, which accepts more and says what is wrong.

use super::{DimacsError, DimacsKind};
use crate::error::{Excerpt, Place};
use crate::lines::{Line, Lines, whole_number, words};

/// The most numbers on a line.
const NUMBERS: usize = 3;

/// The lines of a file that come in great numbers.
pub(super) struct Records<'a> {
    kind: DimacsKind,
    lines: Lines<'a>,
    header: Header,
    /// How many have been read.
    count: u32,
}

/// What the line `p` says.
struct Header {
    /// The numbers of the line; the last one is how many records follow.
    nodes: u32,
    promised: u32,
    /// Where the first number stands.
    place: Place,
}

impl<'a> Records<'a> {
    /// Reads up to and including the line `p`, and makes sure that the file can keep its promise.
    pub(super) fn open(kind: DimacsKind, bytes: &'a [u8]) -> Result<Self, DimacsError> {
        let mut lines = Lines::new(bytes);
        let header = loop {
            let Some(line) = lines.next() else {
                return Err(DimacsError::Empty { kind, bytes: bytes.len() as u64 });
            };
            match line.text.first() {
                None | Some(b'c') => {}
                Some(b'p') => break read_header(kind, &line)?,
                Some(letter) if *letter == kind.letter() => {
                    return Err(DimacsError::Early {
                        place: line.place,
                        kind,
                        found: Excerpt::new(line.text),
                    });
                }
                Some(_) => return Err(unknown_letter(kind, &line)),
            }
        };
        // The last line needs no end.
        let needed = (u64::from(header.promised) * kind.least_bytes()).saturating_sub(1);
        let left = lines.rest().len() as u64;
        if left < needed {
            let (place, promised) = (lines.place(), header.promised);
            return Err(DimacsError::Bytes { place, kind, promised, needed, left });
        }
        Ok(Records { kind, lines, header, count: 0 })
    }

    /// How many nodes the file says there are.
    pub(super) fn nodes(&self) -> u32 {
        self.header.nodes
    }

    /// How many records there are to be; the file is long enough for them.
    pub(super) fn promised(&self) -> usize {
        self.header.promised as usize
    }

    /// Refuses a file with another number of nodes.
    pub(super) fn check_nodes(&self, nodes: Option<u32>) -> Result<(), DimacsError> {
        match nodes {
            Some(nodes) if nodes != self.header.nodes => {
                Err(DimacsError::OtherGraph { place: self.header.place, nodes, found: self.header.nodes })
            }
            _ => Ok(()),
        }
    }

    /// The next record; none after the last one.
    #[inline]
    pub(super) fn next_record(&mut self) -> Result<Option<Record<'a>>, DimacsError> {
        if self.count < self.header.promised {
            let (place, rest) = (self.lines.place(), self.lines.rest());
            if let Some((numbers, length)) = quick(rest, self.kind) {
                self.lines.skip_line(length);
                self.count += 1;
                return Ok(Some(Record { numbers, line: Line { text: &rest[..length], place } }));
            }
        }
        self.next_odd_record()
    }

    /// The same for lines that are not as plain as could be, and for the end of the file.
    #[cold]
    fn next_odd_record(&mut self) -> Result<Option<Record<'a>>, DimacsError> {
        let kind = self.kind;
        let Header { promised, place: first, .. } = self.header;
        for line in self.lines.by_ref() {
            let found = || Excerpt::new(line.text);
            match line.text.first() {
                None | Some(b'c') => {}
                Some(b'p') => {
                    return Err(DimacsError::SecondProblem { place: line.place, kind, first: first.line });
                }
                Some(letter) if *letter != kind.letter() => return Err(unknown_letter(kind, &line)),
                Some(_) if self.count == promised => {
                    return Err(DimacsError::TooMany { place: line.place, kind, promised, found: found() });
                }
                Some(_) => {
                    let mut words = words(line.text);
                    let is_letter = words.next().is_some_and(|(_, word)| word.len() == 1);
                    if !is_letter || words.count() != kind.numbers() {
                        return Err(DimacsError::Words { place: line.place, kind, found: found() });
                    }
                    self.count += 1;
                    return Ok(Some(Record { numbers: slow(line.text), line }));
                }
            }
        }
        if self.count < promised {
            let (place, count) = (self.lines.place(), self.count);
            return Err(DimacsError::TooFew { place, kind, promised, count });
        }
        Ok(None)
    }
}

fn unknown_letter(kind: DimacsKind, line: &Line<'_>) -> DimacsError {
    DimacsError::Letter { place: line.place, kind, found: Excerpt::new(line.text) }
}

/// Reads the line `p`.
fn read_header(kind: DimacsKind, line: &Line<'_>) -> Result<Header, DimacsError> {
    let wrong = || DimacsError::Problem { place: line.place, kind, found: Excerpt::new(line.text) };
    let mut found = words(line.text);
    let mut numbers = [(0, 0); 2];
    let mut count = 0;
    for (_, expected) in words(kind.problem_line().as_bytes()) {
        let (at, word) = found.next().ok_or_else(wrong)?;
        // Small letters stand for themselves, capitals for a number.
        if expected[0].is_ascii_uppercase() {
            let name = match expected {
                b"NODES" => "NODES",
                b"ARCS" => "ARCS",
                _ => "PAIRS",
            };
            let number = whole_number(word).ok_or_else(|| DimacsError::Number {
                place: line.place_at(at),
                name,
                expected: "a whole number from 0 to 4294967295 in digits",
                found: Excerpt::new(word),
            })?;
            numbers[count] = (at, number);
            count += 1;
        } else if word != expected {
            return Err(wrong());
        }
    }
    match found.next() {
        Some(_) => Err(wrong()),
        None => Ok(Header {
            nodes: numbers[0].1,
            promised: numbers[count - 1].1,
            place: line.place_at(numbers[0].0),
        }),
    }
}

/// One line's numbers.
pub(super) struct Record<'a> {
    /// `None` for a word that is no number, or too large a one.
    numbers: [Option<i64>; NUMBERS],
    line: Line<'a>,
}

impl Record<'_> {
    /// A number that must be a node.
    #[inline]
    pub(super) fn node(&self, index: usize, name: &'static str, nodes: u32) -> Result<u32, DimacsError> {
        match self.numbers[index] {
            Some(number) if number >= 1 && number <= i64::from(nodes) => Ok(number as u32),
            _ => {
                let (place, found) = self.word(index);
                Err(DimacsError::Node { place, name, nodes, found })
            }
        }
    }

    /// A number that must be a cost.
    #[inline]
    pub(super) fn cost(&self, index: usize) -> Result<u32, DimacsError> {
        match self.numbers[index].map(u32::try_from) {
            Some(Ok(cost)) if cost >= 1 => Ok(cost),
            _ => Err(self.wrong(index, "COST", "a whole number from 1 to 4294967295 in digits")),
        }
    }

    /// Any number.
    #[inline]
    pub(super) fn coordinate(&self, index: usize, name: &'static str) -> Result<i64, DimacsError> {
        self.numbers[index]
            .ok_or_else(|| self.wrong(index, name, "a whole number of at most 64 bits in digits"))
    }

    /// The error of a node that stood there before.
    #[cold]
    pub(super) fn twice(&self, id: u32) -> DimacsError {
        DimacsError::Twice { place: self.word(0).0, id }
    }

    #[cold]
    fn wrong(&self, index: usize, name: &'static str, expected: &'static str) -> DimacsError {
        let (place, found) = self.word(index);
        DimacsError::Number { place, name, expected, found }
    }

    /// Where a number stands, and what stands there.
    #[cold]
    fn word(&self, index: usize) -> (Place, Excerpt) {
        // A line that was read quickly still has its end.
        let (at, word) = words(self.line.text.trim_ascii_end()).nth(index + 1).unwrap_or((0, b""));
        (self.line.place_at(at), Excerpt::new(word))
    }
}

/// The numbers of a line of the plainest form, and its length with its end: the letter, then single blanks
/// before digits or a minus and digits. Anything else is `None`.
#[inline]
fn quick(bytes: &[u8], kind: DimacsKind) -> Option<([Option<i64>; NUMBERS], usize)> {
    if *bytes.first()? != kind.letter() {
        return None;
    }
    let mut numbers = [None; NUMBERS];
    let mut at = 1;
    for number in numbers.iter_mut().take(kind.numbers()) {
        if *bytes.get(at)? != b' ' {
            return None;
        }
        at += 1;
        let is_negative = *bytes.get(at)? == b'-';
        at += usize::from(is_negative);
        let begin = at;
        let mut value = 0i64;
        while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10)
        {
            // Below 18 digits nothing can overflow; the slow way judges the others.
            value = value.wrapping_mul(10).wrapping_add(i64::from(digit));
            at += 1;
        }
        if !(1..=18).contains(&(at - begin)) {
            return None;
        }
        *number = Some(if is_negative { -value } else { value });
    }
    match &bytes[at..] {
        [b'\n', ..] => Some((numbers, at + 1)),
        [b'\r', b'\n', ..] => Some((numbers, at + 2)),
        _ => None,
    }
}

/// The numbers of a line of any form.
fn slow(text: &[u8]) -> [Option<i64>; NUMBERS] {
    let mut numbers = [None; NUMBERS];
    for (number, (_, word)) in numbers.iter_mut().zip(words(text).skip(1)) {
        let digits = word.strip_prefix(b"-").unwrap_or(word);
        // The standard parser would accept a plus.
        if digits.iter().all(u8::is_ascii_digit) {
            *number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        }
    }
    numbers
}

/// Writes a number in digits.
pub(super) fn push_unsigned(bytes: &mut Vec<u8>, mut number: u64) {
    let begin = bytes.len();
    loop {
        bytes.push(b'0' + (number % 10) as u8);
        number /= 10;
        if number == 0 {
            break;
        }
    }
    bytes[begin..].reverse();
}

/// Writes a number in digits, with a minus if it is negative.
pub(super) fn push_signed(bytes: &mut Vec<u8>, number: i64) {
    if number < 0 {
        bytes.push(b'-');
    }
    push_unsigned(bytes, number.unsigned_abs());
}

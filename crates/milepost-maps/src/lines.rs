//! Walking through a text file line by line without ever losing the place.

use super::error::Place;

/// Bytes that may follow the last word of a line without meaning anything.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// One line without its line end and without blanks around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    /// The line's text.
    pub(super) text: &'a [u8],
    /// Where the text begins; for a blank line, where the line begins.
    pub(super) place: Place,
}

impl Line<'_> {
    /// The place `at` bytes into the text.
    pub(super) fn place_at(&self, at: usize) -> Place {
        Place {
            line: self.place.line,
            column: self.place.column.saturating_add(count(at)),
            offset: self.place.offset + at as u64,
        }
    }
}

/// The lines of a file; lines end with LF or CR LF, the last one may have no end at all.
#[derive(Debug, Clone)]
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    /// Where the next line begins.
    offset: usize,
    /// The number of the next line.
    number: u32,
}

impl<'a> Lines<'a> {
    /// The lines of `bytes`. A byte order mark of UTF-8 at the very beginning is passed over.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let offset = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Lines { bytes, offset, number: 1 }
    }

    /// Where the next line begins.
    pub(super) fn place(&self) -> Place {
        Place { line: self.number, column: 1, offset: self.offset as u64 }
    }

    /// What has not been read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.offset..]
    }

    /// Passes over `len` bytes that are known to be a whole line with its end.
    pub(super) fn skip_line(&mut self, len: usize) {
        self.offset = (self.offset + len).min(self.bytes.len());
        self.number = self.number.saturating_add(1);
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|&byte| byte == b'\n');
        let whole = &rest[..end.unwrap_or(rest.len())];
        let start = whole.iter().position(|&byte| !is_blank(byte)).unwrap_or(0);
        let stop = whole.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
        let mut line = Line { text: &[], place: self.place() };
        line.place = line.place_at(start);
        line.text = &whole[start..stop];
        self.skip_line(end.map_or(rest.len(), |end| end + 1));
        Some(line)
    }
}

/// The words of a line, each with the place of its first byte within the line.
pub(super) fn words(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].iter().position(|&byte| !is_blank(byte))?;
        let begin = at;
        at += text[at..].iter().position(|&byte| is_blank(byte)).unwrap_or(text.len() - at);
        Some((begin, &text[begin..at]))
    })
}

/// Digits as a number: nothing but digits, and no more than 32 bits hold.
pub(super) fn whole_number(digits: &[u8]) -> Option<u32> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// A finite number, perhaps with a sign, a point and an exponent.
pub(super) fn real_number(word: &[u8]) -> Option<f64> {
    // The standard parser would accept words for infinity and for what is no number.
    let is_plain = word.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    let value: f64 = std::str::from_utf8(word).ok().filter(|_| is_plain)?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// A count for a message: lines and columns beyond 32 bits are not told apart.
fn count(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<(&[u8], u32, u32, u64)> {
        Lines::new(bytes)
            .map(|line| (line.text, line.place.line, line.place.column, line.place.offset))
            .collect()
    }

    #[test]
    fn lines_know_where_they_stand() {
        let expected: [(&[u8], u32, u32, u64); 4] =
            [(b"one", 1, 1, 3), (b"two", 2, 3, 11), (b"", 3, 1, 16), (b"four", 4, 1, 17)];
        assert_eq!(all(b"\xef\xbb\xbfone \r\n  two\r\n\nfour"), expected);
    }

    #[test]
    fn an_empty_file_has_no_line() {
        assert!(all(b"").is_empty());
        assert!(all(b"\xef\xbb\xbf").is_empty());
        assert_eq!(all(b"\n").len(), 1);
    }

    #[test]
    fn words_are_separated_by_any_blanks() {
        let found: Vec<_> = words(b" a\t bc  d").collect();
        let expected: [(usize, &[u8]); 3] = [(1, b"a"), (4, b"bc"), (8, b"d")];
        assert_eq!(found, expected);
    }

    #[test]
    fn whole_numbers_are_digits_only() {
        assert_eq!(whole_number(b"0042"), Some(42));
        assert_eq!(whole_number(b"4294967295"), Some(u32::MAX));
        for bad in [&b""[..], b"+1", b"-1", b"4294967296", b"1.0", b"1e3", b" 1", b"\xff"] {
            assert_eq!(whole_number(bad), None);
        }
    }
}

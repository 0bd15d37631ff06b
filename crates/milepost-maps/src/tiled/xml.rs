//! Walking through the elements of an XML file without losing the place, and overwriting what is to be hidden.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::Options;
use super::error::{TiledError, spoken};
use crate::{Excerpt, Place};

/// An element with more attributes is refused: telling them apart would take time in proportion to their square.
const MOST_ATTRIBUTES: usize = 64;

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

pub(super) const RESAVE: &str = "correct it, or save the file anew in Tiled";
pub(super) const AGAIN: &str = "the file is damaged, get it again";

/// An element, and where it begins.
pub(super) struct Element<'a> {
    pub(super) tag: BytesStart<'a>,
    pub(super) begin: usize,
}

impl Element<'_> {
    pub(super) fn name(&self) -> &[u8] {
        self.tag.local_name().into_inner()
    }

    pub(super) fn spelled(&self) -> String {
        let name = Excerpt::new(self.name()).to_string();
        name.trim_matches('"').to_owned()
    }
}

/// An attribute: its value, and where that stands.
pub(super) struct Attribute {
    pub(super) value: String,
    pub(super) at: usize,
    pub(super) length: usize,
}

/// A file that is looked through.
pub(super) struct Document<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) clean: Vec<u8>,
    pub(super) reader: Reader<&'a [u8]>,
    pub(super) options: &'a Options,
}

impl<'a> Document<'a> {
    pub(super) fn new(bytes: &'a [u8], root: &'static str, options: &'a Options) -> Result<Self, TiledError> {
        let text = bytes.strip_prefix(MARK).unwrap_or(bytes);
        if text.iter().all(u8::is_ascii_whitespace) {
            return Err(TiledError::Empty { root, bytes: text.len() as u64 });
        }
        if let Err(error) = std::str::from_utf8(bytes) {
            let at = error.valid_up_to();
            let found = Excerpt::new(&bytes[at..(at + 1).min(bytes.len())]).to_string();
            let (place, expected) = (place(bytes, at), "text in UTF-8".to_owned());
            return Err(TiledError::Wrong { place, expected, found, remedy: AGAIN });
        }
        let mut clean = bytes.to_vec();
        clean[..bytes.len() - text.len()].fill(b' ');
        let mut reader = Reader::from_reader(text);
        reader.expand_empty_elements(true);
        Ok(Document { bytes, clean, reader, options })
    }

    pub(super) fn wrong(
        &self,
        at: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
        remedy: &'static str,
    ) -> TiledError {
        let (expected, found) = (expected.into(), found.into());
        TiledError::Wrong { place: place(self.bytes, at), expected, found, remedy }
    }

    /// How far the file was read. The parser does not know of a byte order mark.
    pub(super) fn position(&self) -> usize {
        let mark = if self.bytes.starts_with(MARK) { MARK.len() } else { 0 };
        (mark + self.reader.buffer_position()).min(self.bytes.len())
    }

    /// Where a piece of the file begins.
    pub(super) fn offset(&self, piece: &[u8]) -> usize {
        (piece.as_ptr() as usize).saturating_sub(self.bytes.as_ptr() as usize).min(self.bytes.len())
    }

    pub(super) fn erase(&mut self, begin: usize, end: usize) {
        let end = end.min(self.clean.len());
        for byte in &mut self.clean[begin.min(end)..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }

    pub(super) fn event(&mut self) -> Result<Event<'a>, TiledError> {
        match self.reader.read_event() {
            Ok(event) => Ok(event),
            Err(error) => Err(self.broken(&error)),
        }
    }

    pub(super) fn broken(&self, error: &quick_xml::Error) -> TiledError {
        self.wrong(self.position(), "well-formed XML", spoken(error), AGAIN)
    }

    /// The next element inside one that is open; none at its end. What else stands between is passed over.
    pub(super) fn child(&mut self, parent: &Element<'_>) -> Result<Option<Element<'a>>, TiledError> {
        loop {
            match self.event()? {
                Event::Start(tag) => return self.element(tag).map(Some),
                Event::End(_) => return Ok(None),
                Event::Eof => {
                    let place = place(self.bytes, self.bytes.len());
                    return Err(TiledError::CutOff { place, open: parent.spelled() });
                }
                _ => {}
            }
        }
    }

    fn element(&self, tag: BytesStart<'a>) -> Result<Element<'a>, TiledError> {
        let element = Element { begin: self.offset(&tag).saturating_sub(1), tag };
        if element.tag.attributes().with_checks(false).count() > MOST_ATTRIBUTES {
            let expected = format!("at most {MOST_ATTRIBUTES} attributes in <{}>", element.spelled());
            return Err(self.wrong(element.begin, expected, "more", RESAVE));
        }
        Ok(element)
    }

    /// The outermost element.
    pub(super) fn root(&mut self, name: &'static str) -> Result<Element<'a>, TiledError> {
        loop {
            let before = self.position();
            match self.event()? {
                Event::Start(tag) => {
                    let root = self.element(tag)?;
                    if root.name() == name.as_bytes() {
                        return Ok(root);
                    }
                    let remedy = "take another file, or save it anew in Tiled";
                    return Err(self.wrong(
                        root.begin,
                        format!("<{name}>"),
                        format!("<{}>", root.spelled()),
                        remedy,
                    ));
                }
                Event::DocType(text) if text.contains(&b'[') => {
                    let found = "a document type with definitions of its own";
                    return Err(self.wrong(before, "a plain document type, or none", found, "remove it"));
                }
                Event::DocType(_) | Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
                Event::Text(text) if text.iter().all(u8::is_ascii_whitespace) => {}
                Event::Eof => {
                    let remedy = "the file was cut off, get it again";
                    return Err(self.wrong(
                        self.bytes.len(),
                        format!("<{name}>"),
                        "the end of the file",
                        remedy,
                    ));
                }
                other => {
                    let found = Excerpt::new(&other).to_string();
                    let remedy = "take another file, or save it anew in Tiled";
                    return Err(self.wrong(before, format!("XML that begins with <{name}>"), found, remedy));
                }
            }
        }
    }

    /// Passes over an element.
    pub(super) fn skip(&mut self, element: &Element<'_>) -> Result<(), TiledError> {
        match self.reader.read_to_end(element.tag.name()) {
            Ok(_) => Ok(()),
            Err(quick_xml::Error::UnexpectedEof(_)) => {
                let place = place(self.bytes, self.bytes.len());
                Err(TiledError::CutOff { place, open: element.spelled() })
            }
            Err(error) => Err(self.broken(&error)),
        }
    }

    /// Passes over an element that does not matter, and hides it from the reader.
    pub(super) fn blank(&mut self, element: &Element<'_>) -> Result<(), TiledError> {
        self.skip(element)?;
        self.erase(element.begin, self.position());
        Ok(())
    }

    /// An attribute by its name without a prefix, as the reader looks for it.
    pub(super) fn attribute(
        &self,
        element: &Element<'a>,
        name: &str,
    ) -> Result<Option<Attribute>, TiledError> {
        let mut found = None;
        for attribute in element.tag.attributes() {
            let attribute = attribute.map_err(|error| self.broken_tag(element, &error))?;
            if attribute.key.local_name().into_inner() != name.as_bytes() {
                continue;
            }
            let at = self.offset(&attribute.value);
            let length = attribute.value.len();
            let value = attribute.unescape_value().map_err(|error| self.broken_tag(element, &error))?;
            let value = value.into_owned();
            if found.replace(Attribute { value, at, length }).is_some() {
                return Err(self.wrong(at, format!("the attribute `{name}` once"), "it again", RESAVE));
            }
        }
        Ok(found)
    }

    pub(super) fn broken_tag(&self, element: &Element<'_>, error: &dyn std::error::Error) -> TiledError {
        let found = format!("<{}> with this fault: {}", element.spelled(), spoken(error));
        self.wrong(element.begin, "well-formed XML", found, AGAIN)
    }

    /// A number among the attributes.
    pub(super) fn number<T>(
        &self,
        element: &Element<'a>,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, TiledError>
    where
        T: std::str::FromStr,
    {
        let Some(attribute) = self.attribute(element, name)? else { return Ok(None) };
        let wrong = |_| {
            let found = Excerpt::new(attribute.value.as_bytes()).to_string();
            self.wrong(
                attribute.at,
                format!("{expected} as `{name}` of <{}>", element.spelled()),
                found,
                RESAVE,
            )
        };
        attribute.value.parse().map(Some).map_err(wrong)
    }

    /// A number that has to be there.
    pub(super) fn needed<T>(&self, element: &Element<'a>, name: &str, expected: &str) -> Result<T, TiledError>
    where
        T: std::str::FromStr,
    {
        self.number(element, name, expected)?.ok_or_else(|| self.missing(element, name))
    }

    pub(super) fn missing(&self, element: &Element<'_>, name: &str) -> TiledError {
        let name = format!("the attribute `{name}` in <{}>", element.spelled());
        self.wrong(element.begin, name, "none", "save the file anew in Tiled (1.0 or newer)")
    }
}

pub(super) fn excerpt(text: &str) -> String {
    Excerpt::new(text.as_bytes()).to_string()
}

/// The line and column of a byte.
pub(super) fn place(bytes: &[u8], at: usize) -> Place {
    let before = &bytes[..at.min(bytes.len())];
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let line = before.iter().filter(|byte| **byte == b'\n').count();
    let begin = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    Place { line: count(line + 1), column: count(before.len() - begin + 1), offset: before.len() as u64 }
}

//! Messages as bytes: the length of a header, the header in JSON, and blocks of bytes that it names.

use crate::fault::Fault;
use serde_json::{Map, Value, json};

/// A message that was read.
#[derive(Clone, Debug)]
pub(crate) struct Message<'a> {
    header: Map<String, Value>,
    blocks: Vec<(String, &'a [u8])>,
}

impl<'a> Message<'a> {
    /// What is in these bytes.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Message<'a>, Fault> {
        let broken = |say: &str| Fault::new(say, "reload the page: page and engine do not fit together");
        let Some((length, rest)) = bytes.split_first_chunk::<4>() else {
            return Err(broken("a message of fewer than 4 bytes"));
        };
        let length = u32::from_le_bytes(*length) as usize;
        let (header, mut rest) =
            rest.split_at_checked(length).ok_or_else(|| broken("a message that ends within its header"))?;
        let header: Value = serde_json::from_slice(header)
            .map_err(|error| broken(&format!("a header that is no JSON: {error}")))?;
        let Value::Object(header) = header else { return Err(broken("a header that is no JSON object")) };
        let mut blocks = Vec::new();
        let listed = header.get("blocks").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for block in listed {
            let name = block.get(0).and_then(Value::as_str);
            let length = block.get(1).and_then(Value::as_u64).and_then(|length| usize::try_from(length).ok());
            let (Some(name), Some(length)) = (name, length) else {
                return Err(broken("a block without a name and a length"));
            };
            let (block, after) =
                rest.split_at_checked(length).ok_or_else(|| broken("a message that ends within a block"))?;
            blocks.push((name.to_owned(), block));
            rest = after;
        }
        Ok(Message { header, blocks })
    }

    /// Its number, which the answer carries; none where there is none.
    pub(crate) fn id(&self) -> Value {
        self.header.get("id").filter(|id| id.is_number() || id.is_string()).cloned().unwrap_or(Value::Null)
    }

    /// The block of this name.
    pub(crate) fn block(&self, name: &str) -> Option<&'a [u8]> {
        self.blocks.iter().find(|(known, _)| known == name).map(|(_, block)| *block)
    }

    /// The fields.
    pub(crate) fn fields(&self) -> Fields<'_> {
        Fields(&self.header)
    }
}

/// The fields of a message, or of an object in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// The fields of an object.
    pub(crate) fn of(value: &'a Value) -> Option<Fields<'a>> {
        value.as_object().map(Fields)
    }

    /// Whether these are the fields of that very object.
    pub(crate) fn is(&self, other: &Fields<'_>) -> bool {
        std::ptr::eq(self.0, other.0)
    }

    /// What a field holds; none if it is absent or null.
    pub(crate) fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// The fields of the object in a field.
    pub(crate) fn object(&self, name: &str) -> Result<Option<Fields<'a>>, Fault> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => Fields::of(value).map(Some).ok_or_else(|| wrong(name, "an object", value)),
        }
    }

    /// The whole number in a field.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, Fault> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => {
                value.as_u64().map(Some).ok_or_else(|| wrong(name, "a whole number from 0 on", value))
            }
        }
    }

    /// The whole number in a field that must be there.
    pub(crate) fn needed_number(&self, name: &str) -> Result<u64, Fault> {
        self.number(name)?.ok_or_else(|| missing(name, "a whole number"))
    }

    /// The number in a field.
    pub(crate) fn decimal(&self, name: &str) -> Result<Option<f64>, Fault> {
        match self.get(name) {
            None => Ok(None),
            Some(value) => value.as_f64().map(Some).ok_or_else(|| wrong(name, "a number", value)),
        }
    }

    /// The text in a field; a number or a truth value counts as what it is written as.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Fault> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => Ok(Some(value.to_string())),
            Some(value) => Err(wrong(name, "a text", value)),
        }
    }

    /// The text in a field that must be there.
    pub(crate) fn needed_text(&self, name: &str) -> Result<String, Fault> {
        self.text(name)?.ok_or_else(|| missing(name, "a text"))
    }

    /// The list in a field; empty if it is absent.
    pub(crate) fn list(&self, name: &str) -> Result<&'a [Value], Fault> {
        match self.get(name) {
            None => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(value) => Err(wrong(name, "a list", value)),
        }
    }

    /// Whether a field says yes.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// The names of all fields.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.0.keys().map(String::as_str)
    }
}

/// A field holds something else than expected.
pub(crate) fn wrong(name: &str, expected: &str, found: &Value) -> Fault {
    let found: String = found.to_string().chars().take(40).collect();
    Fault::new(format!("`{name}`: expected {expected}, found {found}"), "correct the message")
}

/// A field is not there.
pub(crate) fn missing(name: &str, expected: &str) -> Fault {
    Fault::new(format!("`{name}` is missing: expected {expected}"), "correct the message")
}

/// An answer that is being made: a header, and blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    header: Map<String, Value>,
    blocks: Vec<(&'static str, Vec<u8>)>,
}

impl Answer {
    /// From the fields of an object.
    pub(crate) fn new(fields: Value) -> Answer {
        let header = if let Value::Object(header) = fields { header } else { Map::new() };
        Answer { header, blocks: Vec::new() }
    }

    /// The same with one more field.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Answer {
        self.header.insert(name.to_owned(), value.into());
        self
    }

    /// The same with one more block.
    pub(crate) fn with_block(mut self, name: &'static str, bytes: Vec<u8>) -> Answer {
        self.blocks.push((name, bytes));
        self
    }

    /// The bytes of the answer to the message of this number.
    pub(crate) fn bytes(mut self, id: &Value) -> Vec<u8> {
        self.header.insert("id".to_owned(), id.clone());
        self.header.insert("ok".to_owned(), Value::Bool(true));
        if !self.blocks.is_empty() {
            let listed: Vec<Value> =
                self.blocks.iter().map(|(name, block)| json!([name, block.len()])).collect();
            self.header.insert("blocks".to_owned(), Value::Array(listed));
        }
        let mut bytes = framed(&Value::Object(self.header));
        self.blocks.iter().for_each(|(_, block)| bytes.extend_from_slice(block));
        bytes
    }
}

/// A header as a message without blocks.
pub(crate) fn framed(header: &Value) -> Vec<u8> {
    let text = header.to_string();
    let mut bytes = Vec::with_capacity(4 + text.len());
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

/// Numbers as a block.
pub(crate) fn block_of_u32(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// The same for floats.
pub(crate) fn block_of_f32(numbers: impl IntoIterator<Item = f32>) -> Vec<u8> {
    numbers.into_iter().flat_map(f32::to_le_bytes).collect()
}

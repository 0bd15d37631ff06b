//! As much of the messages as a server has to know: a header, JSON behind its length, comes first.

use serde::Deserialize;
use serde_json::json;

/// What a message asks for.
#[derive(Deserialize, Default)]
pub(super) struct Asked {
    #[serde(default)]
    pub(super) id: serde_json::Value,
    #[serde(default)]
    pub(super) op: String,
}

/// A message that is a header alone.
fn message(header: &str) -> Vec<u8> {
    let mut message = (header.len() as u32).to_le_bytes().to_vec();
    message.extend_from_slice(header.as_bytes());
    message
}

/// The answer that says no.
pub(super) fn refuse(asked: &Asked, say: &str, hint: &str) -> Vec<u8> {
    message(&json!({"id": asked.id, "ok": false, "error": {"say": say, "hint": hint}}).to_string())
}

/// What a message asks for; nothing of one that cannot be read, which the explorer answers itself.
pub(super) fn asked(message: &[u8]) -> Asked {
    header(message).and_then(|header| serde_json::from_slice(header).ok()).unwrap_or_default()
}

fn header(message: &[u8]) -> Option<&[u8]> {
    let (length, rest) = message.split_first_chunk::<4>()?;
    rest.get(..u32::from_le_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_behind_their_length_and_broken_ones_ask_for_nothing() {
        let mut bytes = message(r#"{"id": 7, "op": "open", "blocks": [["bytes", 3]]}"#);
        bytes.extend_from_slice(b"abc");
        let read = asked(&bytes);
        assert_eq!((read.op.as_str(), &read.id), ("open", &json!(7)));
        assert_eq!(asked(&refuse(&read, "No.", "Ask again.")).id, json!(7));
        for broken in
            [&b""[..], b"abc", b"\xff\xff\xff\xff{}", &message("{"), &message("[]"), &message("\"x\"")]
        {
            assert_eq!(asked(broken).op, "");
        }
    }
}

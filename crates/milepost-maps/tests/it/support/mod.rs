//! What the tests of the readers share.
#![allow(unreachable_pub)]

pub mod broken_tmx;

/// Reads broken files, each with pieces that the message about it must contain; all that disappoint are shown at once.
pub fn refuse_all<T, B: AsRef<[u8]>>(
    cases: &[(&str, B, &[&str])],
    read: impl Fn(&[u8]) -> Result<T, String>,
) {
    let mut wrong = Vec::new();
    for (name, bytes, pieces) in cases {
        match read(bytes.as_ref()) {
            Ok(_) => wrong.push(format!("{name}: was read without an error")),
            Err(message) => {
                let missing = pieces.iter().filter(|piece| !message.contains(**piece));
                wrong.extend(missing.map(|piece| format!("{name}: no `{piece}` in: {message}")));
                if message.chars().any(char::is_control) || message.len() > 400 {
                    wrong.push(format!("{name}: not fit for a terminal: {message:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

//! Why a message has no other answer: in words, with what to do.

use serde_json::{Value, json};
use std::fmt::Display;

/// What is wrong, what to do, and which indexes would help.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    say: String,
    hint: String,
    needs: Vec<String>,
}

impl Fault {
    pub(crate) fn new(say: impl Display, hint: impl Display) -> Fault {
        Fault { say: say.to_string(), hint: hint.to_string(), needs: Vec::new() }
    }

    /// The same, where these indexes would help.
    pub(crate) fn needing(self, needs: Vec<String>) -> Fault {
        Fault { needs, ..self }
    }

    /// The header of the answer.
    pub(crate) fn header(&self, id: &Value) -> Value {
        let mut header = json!({ "id": id, "ok": false, "error": { "say": self.say, "hint": self.hint } });
        if !self.needs.is_empty() {
            header["needs"] = json!(self.needs);
        }
        header
    }
}

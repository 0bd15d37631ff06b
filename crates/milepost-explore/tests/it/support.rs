//! A page for tests: sends messages, and takes answers apart.

use milepost_explore::Explorer;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};

/// A page and its engine.
pub(crate) struct Page {
    pub(crate) explorer: Explorer,
    next: u64,
}

/// An answer: its header, and its blocks by name.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) header: Value,
    blocks: Vec<(String, Vec<u8>)>,
}

/// An event as it is sent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Told {
    pub(crate) kind: u32,
    pub(crate) cell: u32,
    pub(crate) from: u32,
    pub(crate) value: f32,
}

/// The bytes of a message.
pub(crate) fn message(header: &Value, blocks: &[&[u8]]) -> Vec<u8> {
    let text = header.to_string();
    let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    blocks.iter().for_each(|block| bytes.extend_from_slice(block));
    bytes
}

impl Page {
    pub(crate) fn new() -> Page {
        Page::of(Explorer::new())
    }

    pub(crate) fn of(explorer: Explorer) -> Page {
        Page { explorer, next: 1 }
    }

    /// Sends any bytes; all that comes back.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Vec<Answered> {
        let time = AtomicU64::new(0);
        let clock = || time.fetch_add(1, Ordering::Relaxed) as f64 / 1000.0;
        let mut answers = Vec::new();
        self.explorer.answer(bytes, &clock, &mut |answer| {
            answers.push(Answered::read(&answer));
            true
        });
        answers
    }

    /// Sends a message with a block, and gives back its answer, good or bad.
    pub(crate) fn ask_with(&mut self, mut header: Value, bytes: &[u8]) -> Answered {
        header["id"] = json!(self.next);
        header["blocks"] = json!([["bytes", bytes.len()]]);
        self.next += 1;
        self.send(&message(&header, &[bytes])).pop().expect("an answer")
    }

    /// Sends a message, and gives back its answer, good or bad.
    pub(crate) fn try_ask(&mut self, mut header: Value) -> Answered {
        header["id"] = json!(self.next);
        self.next += 1;
        let answer = self.send(&message(&header, &[])).pop().expect("an answer");
        assert_eq!(answer.header["id"], header["id"]);
        answer
    }

    /// Sends a message whose answer must be good.
    pub(crate) fn ask(&mut self, header: Value) -> Answered {
        let answer = self.try_ask(header.clone());
        assert_eq!(answer.header["ok"], true, "{header}: {}", answer.header);
        answer
    }

    /// Runs to the end: all events, and the last answer.
    pub(crate) fn finish(&mut self, run: &Value) -> (Vec<Told>, Answered) {
        let mut events = Vec::new();
        loop {
            let part = self.ask(json!({ "op": "advance", "run": run, "steps": 20_000 }));
            events.extend(part.events());
            if !part.header["done"].is_null() {
                return (events, part);
            }
        }
    }

    /// Opens a map of letters.
    pub(crate) fn open_drawing(&mut self, drawing: &str) -> Answered {
        let rows: Vec<&str> = drawing.split_whitespace().collect();
        let head = format!("type octile\nheight {}\nwidth {}\nmap\n", rows.len(), rows[0].len());
        let answer = self.ask_with(
            json!({ "op": "open", "name": "drawing.map" }),
            (head + &rows.join("\n") + "\n").as_bytes(),
        );
        assert_eq!(answer.header["ok"], true, "{}", answer.header);
        answer
    }
}

impl Answered {
    fn read(bytes: &[u8]) -> Answered {
        let (length, rest) = bytes.split_first_chunk::<4>().expect("a length");
        let (header, mut rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
        let header: Value = serde_json::from_slice(header).expect("a header in JSON");
        let mut blocks = Vec::new();
        for block in header["blocks"].as_array().map_or(&[][..], Vec::as_slice) {
            let (name, length) = (block[0].as_str().expect("a name"), block[1].as_u64().expect("a length"));
            let (block, after) = rest.split_at(length as usize);
            blocks.push((name.to_owned(), block.to_vec()));
            rest = after;
        }
        assert!(rest.is_empty(), "nothing stands behind the blocks");
        Answered { header, blocks }
    }

    pub(crate) fn block(&self, name: &str) -> &[u8] {
        let found = self.blocks.iter().find(|(known, _)| known == name);
        found.map_or(&[][..], |(_, block)| block)
    }

    /// The events in an answer.
    pub(crate) fn events(&self) -> Vec<Told> {
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let told = |sixteen: &[u8]| Told {
            kind: word(&sixteen[..4]),
            cell: word(&sixteen[4..8]),
            from: word(&sixteen[8..12]),
            value: f32::from_bits(word(&sixteen[12..])),
        };
        self.block("events").chunks_exact(16).map(told).collect()
    }

    pub(crate) fn numbers(&self, name: &str) -> Vec<u32> {
        let numbers = self.block(name).chunks_exact(4);
        numbers.map(|four| u32::from_le_bytes(four.try_into().expect("four bytes"))).collect()
    }

    pub(crate) fn said(&self) -> String {
        self.header["error"]["say"].as_str().unwrap_or_default().to_owned()
    }
}

//! Agents as bytes, to be kept in a saved game and to go on from there.
//!
//! # Layout
//! | bytes | what |
//! |---|---|
//! | 4 | `MPAG` |
//! | 1 | version of this layout, 1 |
//! | 1, then as many | length of the agent's name, and the name |
//! | any | what the agent is made of; its file says what |
//! | 8 | XXH3 of all bytes before |
//!
//! All numbers are little-endian. The map is not there: an agent that was restored is shown it at the next step, and
//! refuses another.

use crate::core::StateId;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: [u8; 4] = *b"MPAG";
const LAYOUT: u8 = 1;
const CHECKSUM: usize = 8;

/// Why bytes are no agent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SavedAgentError {
    /// They do not begin as a saved agent does.
    #[error("expected a saved agent, which begins with `MPAG`; these bytes begin otherwise")]
    NoAgent,
    /// They were written by another version of this library.
    #[error(
        "expected version 1 of saved agents, found version {found}; restore it with the version that saved it"
    )]
    OtherVersion {
        /// Its version.
        found: u8,
    },
    /// Nobody has this name.
    #[error("there is no agent `{name}` here; restore it with the version that saved it")]
    Unknown {
        /// The name found.
        name: String,
    },
    /// They are cut short, or somebody has changed them.
    #[error("the saved agent is damaged: length, checksum or content are wrong; go back to an older save")]
    Damaged,
}

/// Bytes that an agent is written to.
#[derive(Clone, Debug)]
pub struct Saving(Vec<u8>);

impl Saving {
    /// For an agent of this name.
    pub(crate) fn new(name: &str) -> Saving {
        let mut bytes = Vec::from(MAGIC);
        bytes.extend([LAYOUT, name.len() as u8]);
        bytes.extend(name.as_bytes());
        Saving(bytes)
    }

    /// Appends a number.
    pub fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    /// Appends a number.
    pub fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    /// Appends a list of states, its length first.
    pub fn states(&mut self, states: &[StateId]) {
        self.u32(states.len() as u32);
        for state in states {
            self.u32(state.number());
        }
    }
}

/// The bytes of an agent, complete.
pub(crate) fn finish(saving: Saving) -> Vec<u8> {
    let mut bytes = saving.0;
    let checksum = xxh3_64(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

/// The name of a saved agent, and what it is made of.
pub(crate) fn open(bytes: &[u8]) -> Result<(&str, Restoring<'_>), SavedAgentError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(SavedAgentError::NoAgent);
    }
    let found = *bytes.get(MAGIC.len()).ok_or(SavedAgentError::Damaged)?;
    if found != LAYOUT {
        return Err(SavedAgentError::OtherVersion { found });
    }
    let (content, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(SavedAgentError::Damaged)?;
    if xxh3_64(content) != u64::from_le_bytes(*checksum) {
        return Err(SavedAgentError::Damaged);
    }
    let mut rest = Restoring(content.get(MAGIC.len() + 1..).ok_or(SavedAgentError::Damaged)?);
    let [length] = rest.take()?;
    let (name, rest) = rest.0.split_at_checked(length.into()).ok_or(SavedAgentError::Damaged)?;
    let name = std::str::from_utf8(name).map_err(|_| SavedAgentError::Damaged)?;
    Ok((name, Restoring(rest)))
}

/// Bytes that an agent is read from.
#[derive(Clone, Debug)]
pub(crate) struct Restoring<'a>(&'a [u8]);

impl Restoring<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], SavedAgentError> {
        let (first, rest) = self.0.split_first_chunk::<N>().ok_or(SavedAgentError::Damaged)?;
        self.0 = rest;
        Ok(*first)
    }

    /// The next number.
    pub(crate) fn u32(&mut self) -> Result<u32, SavedAgentError> {
        self.take().map(u32::from_le_bytes)
    }

    /// The next number.
    pub(crate) fn u64(&mut self) -> Result<u64, SavedAgentError> {
        self.take().map(u64::from_le_bytes)
    }

    /// The next list of states.
    pub(crate) fn states(&mut self) -> Result<Vec<StateId>, SavedAgentError> {
        let mut states = Vec::new();
        for _ in 0..self.u32()? {
            states.push(StateId::new(self.u32()?));
        }
        Ok(states)
    }

    /// Nothing may be left over.
    pub(crate) fn end(self) -> Result<(), SavedAgentError> {
        if self.0.is_empty() { Ok(()) } else { Err(SavedAgentError::Damaged) }
    }
}

//! What is given with a name: `NAME[:VALUE[:VALUE]][:key=value]...`.

use super::planners::HEURISTICS;
use crate::space::{Heuristic, Power, Weight};
use std::ops::RangeInclusive;
use thiserror::Error;

/// A parameter that a name may carry.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// `key`, or empty for a plain value.
    pub key: &'static str,
    /// What may stand there.
    pub values: &'static str,
    /// What holds without it.
    pub default: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// What is wrong with a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// Nobody has this name.
    #[error("there is no {what} `{name}`; there are {known}")]
    Unknown {
        /// What was to be named: `planner` or `agent`.
        what: &'static str,
        /// The name given.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// A parameter that means nothing to this planner or agent, or one too many.
    #[error("`{name}` takes no parameter `{parameter}`; it takes {accepted}")]
    NoSuchParameter {
        /// The planner or agent.
        name: &'static str,
        /// The parameter given.
        parameter: String,
        /// What it does take.
        accepted: String,
    },
    /// A parameter with a value out of range.
    #[error("`{parameter}` is no value for `{name}`: expected {expected}")]
    BadValue {
        /// The planner or agent.
        name: &'static str,
        /// The parameter given.
        parameter: String,
        /// What may stand there.
        expected: &'static str,
    },
}

/// The parameters of a name that have not been looked at yet.
pub(super) struct Given<'a> {
    name: &'static str,
    /// What may be given.
    parameters: &'static [Parameter],
    texts: Vec<&'a str>,
}

impl<'a> Given<'a> {
    /// The entry that a text names, and what is given with the name. `describe` says what an entry is called and takes.
    pub(super) fn read<E>(
        what: &'static str,
        text: &'a str,
        entries: &'static [E],
        describe: impl Fn(&E) -> (&'static str, &'static [Parameter]),
    ) -> Result<(&'static E, Given<'a>), NameError> {
        let (asked, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let entry = entries.iter().find(|entry| describe(entry).0 == asked).ok_or_else(|| {
            let known = entries.iter().map(|entry| describe(entry).0).collect::<Vec<_>>().join(", ");
            NameError::Unknown { what, name: asked.to_owned(), known }
        })?;
        let (name, parameters) = describe(entry);
        let texts = rest.map_or_else(Vec::new, |rest| rest.split(':').collect());
        Ok((entry, Given { name, parameters, texts }))
    }

    /// Takes the value of `key`, or the first plain value if it is empty.
    pub(super) fn take(&mut self, key: &str) -> Option<(&'a str, &'a str)> {
        let split = |text: &'a str| text.split_once('=').unwrap_or(("", text));
        let index = self.texts.iter().position(|text| split(text).0 == key)?;
        let text = self.texts.remove(index);
        Some((text, split(text).1))
    }

    /// Takes a plain value that is this word, if it is there.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let place = self.texts.iter().position(|text| *text == word);
        place.map(|place| self.texts.remove(place)).is_some()
    }

    /// Whether a plain value is left.
    pub(super) fn has_plain_value(&self) -> bool {
        self.texts.iter().any(|text| !text.contains('='))
    }

    pub(super) fn bad_value(&self, parameter: &str, expected: &'static str) -> NameError {
        NameError::BadValue { name: self.name, parameter: parameter.to_owned(), expected }
    }

    pub(super) fn heuristic(&mut self) -> Result<Option<Heuristic>, NameError> {
        let (by_name, by_power) = (self.take("h"), self.take("p"));
        match (by_name, by_power) {
            (None, None) => Ok(None),
            (Some((text, value)), None) => HEURISTICS
                .iter()
                .find(|(name, _)| *name == value)
                .map(|&(_, heuristic)| Some(heuristic))
                .ok_or_else(|| self.bad_value(text, "h=zero, h=manhattan, h=octile, h=euclidean or h=hex")),
            (None, Some((text, value))) => thousandths(value)
                .and_then(Power::from_thousandths)
                .map(|power| Some(Heuristic::PNorm(power)))
                .ok_or_else(|| self.bad_value(text, "p=V with V from 1 to 1000, at most three decimals")),
            (Some(_), Some((text, _))) => Err(self.bad_value(text, "either h or p, not both")),
        }
    }

    pub(super) fn bounds(&mut self) -> Result<bool, NameError> {
        match self.take("bounds") {
            None | Some((_, "off")) => Ok(false),
            Some((_, "on")) => Ok(true),
            Some((text, _)) => Err(self.bad_value(text, "bounds=on or bounds=off")),
        }
    }

    pub(super) fn weight(&mut self) -> Result<Weight, NameError> {
        let (text, value) = self.take("").unwrap_or(("1.5", "1.5"));
        thousandths(value)
            .and_then(Weight::from_thousandths)
            .ok_or_else(|| self.bad_value(text, "a weight from 1 to 1000, at most three decimals"))
    }

    /// The plain value as a whole number in a range.
    pub(super) fn count(
        &mut self,
        default: &'static str,
        range: RangeInclusive<u32>,
        expected: &'static str,
    ) -> Result<u32, NameError> {
        self.keyed_count("", default, range, expected)
    }

    /// The value of a key as a whole number in a range.
    pub(super) fn keyed_count(
        &mut self,
        key: &'static str,
        default: &'static str,
        range: RangeInclusive<u32>,
        expected: &'static str,
    ) -> Result<u32, NameError> {
        let (text, value) = self.take(key).unwrap_or((default, default));
        let is_plain = value.bytes().all(|byte| byte.is_ascii_digit());
        let value = value.parse().ok().filter(|value| is_plain && range.contains(value));
        value.ok_or_else(|| self.bad_value(text, expected))
    }

    /// The plain value, times 1000, in a range.
    pub(super) fn thousandths(
        &mut self,
        default: &'static str,
        range: RangeInclusive<u32>,
        expected: &'static str,
    ) -> Result<u32, NameError> {
        let (text, value) = self.take("").unwrap_or((default, default));
        let value = thousandths(value).filter(|value| range.contains(value));
        value.ok_or_else(|| self.bad_value(text, expected))
    }

    pub(super) fn nothing_left(&self) -> Result<(), NameError> {
        let Some(parameter) = self.texts.first() else { return Ok(()) };
        let describe = |parameter: &Parameter| match parameter.key {
            "" => parameter.values.to_owned(),
            key => format!("{key}={}", parameter.values),
        };
        let accepted = self.parameters.iter().map(describe).collect::<Vec<_>>().join(", ");
        Err(NameError::NoSuchParameter {
            name: self.name,
            parameter: (*parameter).to_owned(),
            accepted: if accepted.is_empty() { "none".to_owned() } else { accepted },
        })
    }
}

/// A decimal number with at most three decimals, times 1000.
pub(super) fn thousandths(text: &str) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits =
        |text: &str, most| (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole, 6) || !digits(decimals, 3) {
        return None;
    }
    let decimals = decimals.parse::<u32>().ok()? * 10_u32.pow(3 - decimals.len() as u32);
    Some(whole.parse::<u32>().ok()? * 1000 + decimals)
}

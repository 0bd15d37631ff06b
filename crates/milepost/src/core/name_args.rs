//! What is given with a name: `NAME[:VALUE[:VALUE]][:key=value]...`.

use super::{ParameterInfo, Values, did_you_mean, thousandths};
use crate::core::debug_as_sentence;
use thiserror::Error;

/// What is wrong with a name.
///
/// ```
/// use milepost::catalog::{self, NameError};
///
/// let error = catalog::planner("a-star").unwrap_err();
/// assert!(matches!(error, NameError::Unknown { .. }));
/// assert!(error.to_string().starts_with("there is no planner `a-star`; there are dijkstra, astar,"));
/// assert!(error.to_string().ends_with("; did you mean `astar`?"));
/// println!("{}", catalog::planner("weighted-astar:0.5").unwrap_err()); // says what may stand there
/// ```
#[derive(Clone, PartialEq, Eq, Error)]
pub enum NameError {
    /// There is no planner or agent of this name.
    #[error("there is no {what} `{name}`; there are {known}{hint}")]
    Unknown {
        /// What was to be named: `planner` or `agent`.
        what: &'static str,
        /// The name given.
        name: String,
        /// The names that there are.
        known: String,
        /// Which of them may have been meant, or what the name is instead; empty if none comes near.
        hint: String,
    },
    /// There was a planner or agent of this name.
    #[error("the {what} `{name}` is gone: take `{instead}`, which took its place")]
    Gone {
        /// What was to be named: `planner` or `agent`.
        what: &'static str,
        /// The name given.
        name: &'static str,
        /// What took its place.
        instead: &'static str,
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
        expected: String,
    },
}

debug_as_sentence!(NameError);

/// The parameters of a name that have not been looked at yet.
pub(crate) struct NameArgs<'a> {
    name: &'static str,
    /// What may be given.
    parameters: Vec<ParameterInfo>,
    texts: Vec<&'a str>,
}

impl<'a> NameArgs<'a> {
    /// The entry that a text names, and what is given with the name.
    pub(crate) fn read<E>(
        what: &'static str,
        text: &'a str,
        entries: &'static [E],
        name_and_title: impl Fn(&E) -> (&'static str, &'static str),
        parameters: impl Fn(&E) -> Vec<ParameterInfo>,
    ) -> Result<(&'static E, NameArgs<'a>), NameError> {
        let (asked, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let name = |entry| name_and_title(entry).0;
        let entry = entries.iter().find(|entry| name(entry) == asked).ok_or_else(|| {
            let known = entries.iter().map(name).collect::<Vec<_>>().join(", ");
            let hint = did_you_mean(asked, entries.iter().map(&name_and_title));
            NameError::Unknown { what, name: asked.to_owned(), known, hint }
        })?;
        let texts = rest.map_or_else(Vec::new, |rest| rest.split(':').collect());
        Ok((entry, NameArgs { name: name(entry), parameters: parameters(entry), texts }))
    }

    /// Takes the value of `key`, or the first plain value if it is empty.
    pub(crate) fn take(&mut self, key: &str) -> Option<(&'a str, &'a str)> {
        let split = |text: &'a str| text.split_once('=').unwrap_or(("", text));
        let index = self.texts.iter().position(|text| split(text).0 == key)?;
        let text = self.texts.remove(index);
        Some((text, split(text).1))
    }

    pub(crate) fn bad_value(&self, parameter: &str, expected: impl Into<String>) -> NameError {
        NameError::BadValue { name: self.name, parameter: parameter.to_owned(), expected: expected.into() }
    }

    /// Takes a parameter whose value is a word: its place in the list of words; `None` if it was not given and has no
    /// such default.
    pub(crate) fn word(&mut self, parameter: &ParameterInfo) -> Result<Option<usize>, NameError> {
        let given = self.take(parameter.key);
        let Values::Words(words) = parameter.values else { return Ok(None) };
        let place = |value: &str| words.iter().position(|word| *word == value);
        match given {
            None => Ok(place(&parameter.default)),
            Some((text, value)) => {
                place(value).map(Some).ok_or_else(|| self.bad_value(text, parameter.expected()))
            }
        }
    }

    /// Takes a parameter whose value is a decimal number, times 1000; `None` if it was not given and has no default.
    pub(crate) fn decimal(&mut self, parameter: &ParameterInfo) -> Result<Option<u32>, NameError> {
        let default = Some((&*parameter.default, &*parameter.default)).filter(|(text, _)| !text.is_empty());
        let Some((text, value)) = self.take(parameter.key).or(default) else { return Ok(None) };
        let in_range = |number: &u32| match parameter.values {
            Values::Decimal { least, greatest } => (least * 1000..=greatest * 1000).contains(number),
            _ => false,
        };
        let number = thousandths(value).filter(in_range);
        number.map(Some).ok_or_else(|| self.bad_value(text, parameter.expected()))
    }

    /// Takes a plain value that is this word, if it is there.
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let place = self.texts.iter().position(|text| *text == word);
        place.map(|place| self.texts.remove(place)).is_some()
    }

    /// Takes all that stands after the numbers at the beginning, as one text; `None` if nothing does.
    pub(crate) fn take_text(&mut self) -> Option<String> {
        let is_number = |text: &&&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let numbers = self.texts.iter().take_while(is_number).count();
        let rest = self.texts.split_off(numbers);
        (!rest.is_empty()).then(|| rest.join(":"))
    }

    pub(crate) fn nothing_left(&self) -> Result<(), NameError> {
        let Some(parameter) = self.texts.first() else { return Ok(()) };
        let describe = |parameter: &ParameterInfo| match parameter.key {
            "" => parameter.values_text(),
            key => format!("{key}={}", parameter.values_text()),
        };
        let accepted = self.parameters.iter().map(describe).collect::<Vec<_>>().join(", ");
        Err(NameError::NoSuchParameter {
            name: self.name,
            parameter: (*parameter).to_owned(),
            accepted: if accepted.is_empty() { "none".to_owned() } else { accepted },
        })
    }
}

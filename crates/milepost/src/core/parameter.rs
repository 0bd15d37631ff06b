//! The parameters of planners and agents as users read them: what may be given, and what that means.

use std::borrow::Cow;

/// A parameter that a name may carry.
///
/// Shown by [`PLANNERS`](crate::catalog::PLANNERS).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterInfo {
    /// Its key in `key=value`; empty for a plain value, which is known by its place.
    pub key: &'static str,
    /// What texts call its value: a letter or a word.
    pub letter: &'static str,
    /// What its value is: `a number of states`.
    pub noun: &'static str,
    /// What may stand there.
    pub values: Values,
    /// What holds without it; empty if nothing does.
    pub default: Cow<'static, str>,
    /// What it does.
    pub meaning: &'static str,
}

/// What may stand for a parameter.
///
/// Shown by [`PLANNERS`](crate::catalog::PLANNERS).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A whole number, or perhaps a word in its place.
    Number {
        /// The least.
        least: u32,
        /// The greatest; `u32::MAX` if users need not read of one.
        greatest: u32,
        /// The word.
        or: Option<&'static str>,
    },
    /// The text of a planner, with all that follows.
    Planner,
    /// A number with at most three decimals.
    Decimal {
        /// The least.
        least: u32,
        /// The greatest.
        greatest: u32,
    },
}

impl ParameterInfo {
    /// What users call it: its key, or what texts call its value.
    pub fn name(&self) -> &'static str {
        if self.key.is_empty() { self.letter } else { self.key }
    }

    /// What may stand there, in short: `K in 1..1000`.
    pub fn values_text(&self) -> String {
        let letter = if self.key.is_empty() { format!("{} in ", self.letter) } else { String::new() };
        match self.values {
            Values::Words(words) => words.join("|"),
            Values::Planner => self.letter.to_owned(),
            Values::Number { least, greatest: u32::MAX, or: None } => {
                format!("{}, from {least}", self.letter)
            }
            Values::Number { least, greatest, or: None } | Values::Decimal { least, greatest } => {
                format!("{letter}{least}..{greatest}")
            }
            Values::Number { least, greatest, or: Some(word) } => {
                format!("{letter}{least}..{greatest}, or {word}")
            }
        }
    }

    /// What was expected in place of a wrong value.
    pub fn expected(&self) -> String {
        let number = |least: u32, greatest: u32| match self.key {
            "" if greatest == u32::MAX => format!("{} from {least} on", self.noun),
            "" => format!("{} from {least} to {greatest}", self.noun),
            key => format!("{key}={0} with {0} from {least} to {greatest}", self.letter),
        };
        match self.values {
            Values::Planner => self.noun.to_owned(),
            Values::Words(words) => {
                let word = |word: &&str| match self.key {
                    "" => (*word).to_owned(),
                    key => format!("{key}={word}"),
                };
                let mut all: Vec<String> = words.iter().map(word).collect();
                let last = all.pop().unwrap_or_default();
                if all.is_empty() { last } else { format!("{} or {last}", all.join(", ")) }
            }
            Values::Number { least, greatest, or: None } => number(least, greatest),
            Values::Number { least, greatest, or: Some(word) } => {
                format!("{}, or {}{word}", number(least, greatest), self.prefix())
            }
            Values::Decimal { least, greatest } => {
                format!("{}, at most three decimals", number(least, greatest))
            }
        }
    }

    /// What stands before a value.
    fn prefix(&self) -> String {
        if self.key.is_empty() { String::new() } else { format!("{}=", self.key) }
    }
}

/// A decimal number with at most three decimals, times 1000.
pub(crate) fn thousandths(text: &str) -> Option<u32> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits =
        |text: &str, most| (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole, 6) || !digits(decimals, 3) {
        return None;
    }
    let decimals = decimals.parse::<u32>().ok()? * 10_u32.pow(3 - decimals.len() as u32);
    Some(whole.parse::<u32>().ok()? * 1000 + decimals)
}

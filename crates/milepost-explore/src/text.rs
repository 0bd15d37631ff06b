//! From what a page says of an algorithm to the text that names it, as it is typed at the command: `lss-lrta:32`.

use crate::fault::Fault;
use crate::message::Fields;
use milepost::catalog::{ParameterInfo, Values};

/// The name of a planner or agent with the values of its parameters. Those that are absent or empty keep their defaults.
pub(crate) fn text(
    name: &str,
    parameters: &[ParameterInfo],
    given: Option<Fields<'_>>,
) -> Result<String, Fault> {
    let mut text = name.to_owned();
    let Some(given) = given else { return Ok(text) };
    let unknown =
        given.names().find(|key| *key != "sight" && parameters.iter().all(|known| known.name() != *key));
    if let Some(key) = unknown {
        let names: Vec<&str> = parameters.iter().map(ParameterInfo::name).collect();
        let takes = if names.is_empty() {
            "it takes none".to_owned()
        } else {
            format!("it takes {}", names.join(", "))
        };
        return Err(Fault::new(format!("`{name}` has no parameter `{key}`"), takes));
    }
    let value = |parameter: &ParameterInfo| -> Result<Option<String>, Fault> {
        Ok(given
            .text(parameter.name())?
            .map(|value| value.trim().to_owned())
            .filter(|value| !value.is_empty()))
    };
    // Plain values are known by their places: one that is left out before another that is given is said as it is by default.
    let mut left_out: Vec<&ParameterInfo> = Vec::new();
    for parameter in parameters {
        let value = value(parameter)?;
        match (is_flag(parameter), parameter.key, value) {
            (Some(word), _, Some(value)) => {
                if matches!(value.as_str(), "true" | "on" | "1") || value == word {
                    text += &format!(":{word}");
                }
            }
            (_, "", Some(value)) => {
                for before in left_out.drain(..) {
                    text += &format!(":{}", default_of(before));
                }
                text += &format!(":{value}");
            }
            (None, "", None) => left_out.push(parameter),
            (_, key, Some(value)) => text += &format!(":{key}={value}"),
            (_, _, None) => {}
        }
    }
    Ok(text)
}

/// The word of a parameter that is given or not.
pub(crate) fn is_flag(parameter: &ParameterInfo) -> Option<&'static str> {
    match parameter.values {
        Values::Words([word]) if parameter.key.is_empty() => Some(word),
        _ => None,
    }
}

/// The default of a parameter, if it can be given as it stands; else nothing.
pub(crate) fn default_of(parameter: &ParameterInfo) -> &str {
    let text = &*parameter.default;
    let can_be_given = match parameter.values {
        Values::Words(words) => words.contains(&text),
        Values::Number { or, .. } => text.parse::<u32>().is_ok() || or == Some(text),
        Values::Decimal { .. } => text.parse::<f64>().is_ok(),
        Values::Planner => false,
    };
    if can_be_given { text } else { "" }
}

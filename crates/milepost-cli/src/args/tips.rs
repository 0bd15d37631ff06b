//! What a command line that cannot be understood may have meant, where its parser has no guess.

use super::Cli;
use crate::commands::list::SECTIONS;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error};
use std::ffi::OsString;

/// Adds what may have been meant.
pub(crate) fn add_tips(error: &mut Error, words: &[OsString]) {
    let tip = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) => unknown(error, word, words),
        (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(missing))) => {
            let lacks_problems = missing.iter().any(|argument| argument.starts_with("--scen "));
            let tip = "`milepost scenarios MAP --count 100 -o FILE.scen` makes problems".to_owned();
            lacks_problems.then_some(tip)
        }
        _ => None,
    };
    if let Some(tip) = tip {
        let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tips);
    }
}

/// What an argument that is not known may have meant.
fn unknown(error: &Error, word: &str, words: &[OsString]) -> Option<String> {
    if word.parse::<f64>().is_ok() {
        // After an option that takes places a place has been read already.
        let at = words.iter().position(|other| other == word);
        let before = at.and_then(|at| words[..at].last()).and_then(|before| before.to_str());
        if let Some(option) = before.filter(|before| word.starts_with('-') && before.starts_with("--")) {
            return Some(format!("`{option}` takes no negative number"));
        }
        return Some("a place is one word, without a blank, such as 3,14".to_owned());
    }
    let is_list =
        error.get(ContextKind::Usage).is_some_and(|usage| usage.to_string().contains("milepost list "));
    let section = word.trim_start_matches('-');
    if is_list && SECTIONS.contains(&section) {
        return Some(format!("`milepost list {section}`"));
    }
    commands_with(word).map(|commands| format!("`{word}` is an option of {commands}"))
}

/// The subcommands that have a long option, if some have it.
fn commands_with(option: &str) -> Option<String> {
    let long = option.strip_prefix("--")?;
    let cli = Cli::command();
    let has_it = |command: &&clap::Command| command.get_arguments().any(|arg| arg.get_long() == Some(long));
    let names =
        cli.get_subcommands().filter(has_it).map(|command| format!("`milepost {}`", command.get_name()));
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| names.join(", "))
}

//! What a command line that cannot be understood may have meant, where its parser has no guess.

use super::Cli;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error};

/// Adds what may have been meant.
pub(crate) fn add_tips(error: &mut Error) {
    if error.kind() != ErrorKind::UnknownArgument {
        return;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return };
    let tip = if word.parse::<f64>().is_ok() {
        Some("a place is one word, without a blank, such as 3,14".to_owned())
    } else {
        commands_with(word).map(|commands| format!("`{word}` is an option of {commands}"))
    };
    if let Some(tip) = tip {
        let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tips);
    }
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

//! One file for each subcommand: the options that it alone takes, and what it does.

pub(crate) mod bench;
pub(crate) mod build;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod estimate;
pub(crate) mod explore;
pub(crate) mod generate;
pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod path;
pub(crate) mod repair;
pub(crate) mod scenarios;
pub(crate) mod verify;
pub(crate) mod walk;

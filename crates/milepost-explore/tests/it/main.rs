//! The explorer from outside: messages in, answers out.

mod any_bytes;
mod edited;
mod messages;
mod observed;
mod probed;
mod support;
mod traces;

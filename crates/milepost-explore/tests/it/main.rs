//! The explorer from outside: messages in, answers out.

mod any_bytes;
mod messages;
mod observed;
mod support;
mod traces;

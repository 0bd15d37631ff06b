//! The explorer from outside: messages in, answers out.

mod messages;
mod support;

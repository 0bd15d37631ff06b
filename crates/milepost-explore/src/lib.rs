//! The explorer's engine: answers the messages of a page that shows planners, agents and scouts at work.
//!
//! An [`Explorer`] belongs to one page. It holds the maps that the page has opened and the runs that it has begun, and does
//! nothing unasked: [`Explorer::answer`] takes the bytes of one message and hands back those of its answer. It knows no file, no
//! thread and no clock, so that a server and a web worker use it alike. `docs/explorer.md` of the repository describes the
//! messages.
//!
//! ```
//! use milepost_explore::Explorer;
//!
//! let header = br#"{"id":1,"op":"hello"}"#;
//! let message = [&(header.len() as u32).to_le_bytes()[..], header].concat();
//! let mut answers = Vec::new();
//! Explorer::new().answer(&message, &|| 0.0, &mut |answer| {
//!     answers.push(answer);
//!     true
//! });
//! assert!(String::from_utf8_lossy(&answers[0]).contains("\"ok\":true"));
//! ```

mod batch;
mod edits;
mod explorer;
mod fault;
mod ground;
mod index;
mod listener;
mod maps;
mod message;
mod open;
mod page;
mod places;
mod probe;
mod registry;
mod run;
mod scenes;
mod shipped;
mod text;
mod trace;
mod walker;

pub use explorer::{Explorer, LIMITS, Limits};
pub use page::{PageFile, files};
pub use trace::{TraceFormat, TraceWriter, VERSION as TRACE_VERSION};

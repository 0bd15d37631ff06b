//! The page that asked for something that takes long: it hears how far the work has come, and the work stops when it has gone.

use crate::message::framed;
use serde_json::{Value, json};

/// Takes finished messages; false when the page has gone away.
pub(crate) type Tell<'a> = &'a mut (dyn FnMut(Vec<u8>) -> bool + Send);

/// Tells milliseconds that never go back. Builders ask it on several threads.
pub(crate) type Clock<'a> = &'a (dyn Fn() -> f64 + Sync);

/// Work that has said nothing for so many milliseconds does not know whether the page is still there.
const SILENCE_MS: f64 = 200.0;

/// One page, while it waits for one answer.
pub(crate) struct Listener<'a> {
    id: Value,
    clock: Clock<'a>,
    tell: Tell<'a>,
    /// What was told last: of what, how many hundredths, and when.
    what: String,
    part: u64,
    at: f64,
    is_gone: bool,
}

impl<'a> Listener<'a> {
    pub(crate) fn new(id: Value, clock: Clock<'a>, tell: Tell<'a>) -> Listener<'a> {
        Listener { id, clock, tell, what: String::new(), part: 0, at: f64::NEG_INFINITY, is_gone: false }
    }

    /// Says how far the work has come, once for each hundredth and whenever nothing was said for a while. Whether the page is still
    /// there, as far as is known.
    pub(crate) fn hears(&mut self, what: &str, done: u64, total: u64) -> bool {
        let part = done.min(total).saturating_mul(100).checked_div(total).map_or(0, |part| part + 1);
        let is_news = part != self.part || what != self.what;
        let now = (self.clock)();
        if self.is_gone || !is_news && now - self.at < SILENCE_MS {
            return !self.is_gone;
        }
        if what != self.what {
            self.what = what.to_owned();
        }
        (self.part, self.at) = (part, now);
        let progress = json!({ "what": what, "done": done, "total": total });
        self.is_gone = !(self.tell)(framed(&json!({ "id": self.id, "progress": progress })));
        !self.is_gone
    }

    pub(crate) fn clock(&self) -> Clock<'a> {
        self.clock
    }

    /// The milliseconds of the clock.
    pub(crate) fn now(&self) -> f64 {
        (self.clock)()
    }
}

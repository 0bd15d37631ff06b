//! The explorer's engine as a WebAssembly module without any glue: two functions out, two in.
//!
//! The worker of the page asks for room ([`alloc`]), writes a message there and calls [`answer`], which hands every message
//! that it has to say to `tell`, and takes the time from `now`. One module serves one page, on one thread.
//!
//! The attributes that keep the names of exports, and the block that declares imports, are the only places of the project that
//! have to say `unsafe`: no memory is reached through a pointer here.

use milepost_explore::Explorer;
use std::cell::RefCell;

// Named, as linkers otherwise ask where these are defined.
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Takes `length` bytes at `bytes`, which it copies. 0: the page has gone.
    safe fn tell(bytes: *const u8, length: usize) -> i32;
    /// Milliseconds, monotonic.
    safe fn now() -> f64;
}

thread_local! {
    static MESSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static EXPLORER: RefCell<Explorer> = RefCell::new(Explorer::new());
}

/// Room for a message of so many bytes, until [`answer`] takes it.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    MESSAGE.with_borrow_mut(|message| {
        message.clear();
        message.resize(length, 0);
        message.as_mut_ptr()
    })
}

/// Answers the message that was written to the room that [`alloc`] made last.
#[unsafe(no_mangle)]
pub extern "C" fn answer(_bytes: *const u8, length: usize) {
    let mut message = MESSAGE.take();
    message.truncate(length);
    EXPLORER.with_borrow_mut(|explorer| {
        explorer.answer(&message, &|| now(), &mut |answer| tell(answer.as_ptr(), answer.len()) != 0);
    });
}

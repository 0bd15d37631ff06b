//! One open page: a socket, and a thread of its own that answers its messages one after the other.
//!
//! The socket's task and the thread are joined by two queues. What the page asks is queued without waiting, so that the task
//! always hears the page go; what the thread answers is queued in a few places, so that it waits for a page that reads slowly.
//! When the page goes, the task drops its ends: the thread's next word finds no listener, and its work stops there.

use super::memory::{Memory, Share};
use super::server::{Given, LARGEST_MESSAGE};
use super::wire;
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use milepost_explore::Explorer;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc as waiting;
use std::thread;
use std::time::Instant;
use tokio::sync::{mpsc, watch};

/// Answers that wait for the page to read them.
const UNREAD: usize = 4;

/// What makes the explorer hold more.
const GROWING: [&str; 5] = ["open", "run", "compare", "index", "batch"];

/// What a tab shares with the others.
pub(super) struct Common {
    pub(super) given: Option<Given>,
    pub(super) memory: Memory,
}

/// Why the server closes a socket, in words that the page can show.
struct Farewell {
    code: u16,
    words: &'static str,
}

const TOO_LARGE: Farewell =
    Farewell { code: close_code::SIZE, words: "What was sent is larger than 256 MiB: send a smaller file." };
const NOT_BINARY: Farewell = Farewell {
    code: close_code::UNSUPPORTED,
    words: "Messages are binary: a length, a header in JSON, blocks.",
};
const ENDED: Farewell = Farewell { code: close_code::AWAY, words: "The explorer was ended." };
const BROKEN: Farewell = Farewell {
    code: close_code::ERROR,
    words: "The engine has stopped for this page: reload it, and report this.",
};

/// Serves a page until it goes, or until the server ends.
pub(super) async fn serve(mut socket: WebSocket, common: Arc<Common>, mut ending: watch::Receiver<()>) {
    let (ask, asked) = waiting::channel::<Bytes>();
    let (tell, mut told) = mpsc::channel::<Vec<u8>>(UNREAD);
    let queued = Arc::new(AtomicUsize::new(0));
    let worker = {
        let queued = Arc::clone(&queued);
        thread::Builder::new()
            .name("explorer tab".to_owned())
            .spawn(move || work(&common, &asked, &queued, &tell))
    };
    if worker.is_err() {
        return close(socket, BROKEN).await;
    }
    let farewell = loop {
        tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Binary(bytes))) => {
                    let before = queued.fetch_add(bytes.len(), Ordering::Relaxed);
                    if before + bytes.len() > LARGEST_MESSAGE {
                        break TOO_LARGE;
                    }
                    if ask.send(bytes).is_err() {
                        break BROKEN;
                    }
                }
                Some(Ok(Message::Text(_))) => break NOT_BINARY,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Err(error)) if is_about_size(&error) => break TOO_LARGE,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            answer = told.recv() => match answer {
                Some(bytes) => if socket.send(Message::Binary(bytes.into())).await.is_err() {
                    return;
                },
                None => break BROKEN,
            },
            _ = ending.changed() => break ENDED,
        }
    };
    close(socket, farewell).await;
}

async fn close(mut socket: WebSocket, Farewell { code, words }: Farewell) {
    let frame = CloseFrame { code, reason: Utf8Bytes::from_static(words) };
    // A page that has gone meanwhile needs no words.
    let _ = socket.send(Message::Close(Some(frame))).await;
}

/// Whether a frame or message was refused for its length. The error of the socket's crate is behind the server's.
fn is_about_size(error: &axum::Error) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        if error.to_string().contains("too long") {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Answers messages in their order until the page has gone.
fn work(
    common: &Common,
    asked: &waiting::Receiver<Bytes>,
    queued: &AtomicUsize,
    tell: &mpsc::Sender<Vec<u8>>,
) {
    let begin = Instant::now();
    let clock = || begin.elapsed().as_secs_f64() * 1000.0;
    let mut explorer = Explorer::new();
    if let Some(given) = &common.given {
        explorer = given.explorer(explorer);
    }
    let mut share = Share::new(&common.memory);
    while let Ok(message) = asked.recv() {
        queued.fetch_sub(message.len(), Ordering::Relaxed);
        let mut tell = |answer: Vec<u8>| tell.blocking_send(answer).is_ok();
        match refused(common, &message) {
            Some(refusal) => {
                tell(refusal);
            }
            None => explorer.answer(&message, &clock, &mut tell),
        }
        share.set(explorer.bytes());
    }
}

/// The answer to a message that would take more memory than there is for all tabs.
fn refused(common: &Common, message: &[u8]) -> Option<Vec<u8>> {
    let say = common.memory.refusal()?;
    let asked = wire::asked(message);
    let hint = "Close a tab, or choose a smaller map.";
    GROWING.contains(&asked.op.as_str()).then(|| wire::refuse(&asked, &say, hint))
}

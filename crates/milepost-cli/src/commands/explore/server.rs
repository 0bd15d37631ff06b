//! The server: files of the page from the program itself, and a socket for each open page.
//!
//! One thread hands bytes out; all work is done by the threads of the tabs. Nothing is read from the disk, so that no path
//! leads anywhere: a request names a file of the page, or nothing.

use super::guard::{Entry, Guard};
use super::memory::Memory;
use super::tab::{self, Common};
use crate::failure::Failure;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use milepost_explore::{Explorer, files};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// A body or a message that is longer is not taken.
pub(super) const LARGEST_MESSAGE: usize = 256 << 20;
/// More pages than these are not served at once.
const MOST_TABS: usize = 256;
/// How long pages have to hear that the server ends.
const FAREWELL: Duration = Duration::from_millis(300);

/// A file that every page may begin with.
pub(super) struct Given {
    pub(super) name: String,
    pub(super) bytes: Arc<[u8]>,
}

impl Given {
    /// The explorer that offers this file.
    pub(super) fn explorer(&self, explorer: Explorer) -> Explorer {
        explorer.with_file(&self.name, Arc::clone(&self.bytes))
    }
}

pub(super) struct Server {
    guard: Guard,
    common: Arc<Common>,
    /// Says when the server ends; each tab listens.
    ending: watch::Sender<()>,
}

impl Server {
    pub(super) fn new(guard: Guard, given: Option<Given>) -> Self {
        let common = Arc::new(Common { given, memory: Memory::default() });
        Server { guard, common, ending: watch::Sender::new(()) }
    }

    /// Serves until a signal ends it; `ready` is called once it would be heard.
    pub(super) fn run(
        self,
        listener: TcpListener,
        ready: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let failed = |error: std::io::Error| {
            Failure::usage("network", format!("the server cannot be started: {error}"))
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
        runtime.block_on(async {
            let signal = Signals::new().map_err(failed)?;
            let listener = tokio::net::TcpListener::from_std(listener).map_err(failed)?;
            let ending = self.ending.clone();
            let server = axum::serve(listener, self.router());
            ready()?;
            tokio::select! {
                served = server => served.map_err(failed)?,
                () = signal.received() => {}
            }
            ending.send_replace(());
            // Every tab holds a receiver until it has said farewell.
            let _ = tokio::time::timeout(FAREWELL, ending.closed()).await;
            Ok(())
        })
        // Threads that still search end with the program, which returns from here.
    }

    fn router(self) -> Router {
        let server = Arc::new(self);
        Router::new()
            .route("/ws", get(socket))
            .fallback(file)
            .layer(middleware::from_fn_with_state(Arc::clone(&server), check))
            .with_state(server)
    }
}

/// Turns away what is not from our page, and says with every answer what our page may do.
async fn check(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let policy = server.guard.host(headers).map(content_policy);
    let mut response = match server.guard.check(headers, request.uri().query()) {
        Err(refusal) => say(StatusCode::FORBIDDEN, refusal.words()),
        Ok(_) if is_too_large(headers) => {
            say(StatusCode::PAYLOAD_TOO_LARGE, "More than 256 MiB is not taken: send a smaller file.")
        }
        Ok(_) if !matches!(*request.method(), Method::GET | Method::HEAD) => {
            say(StatusCode::METHOD_NOT_ALLOWED, "The explorer's files are read, with GET, and nothing else.")
        }
        Ok(entry) => {
            let mut response = next.run(request).await;
            if entry == Entry::Address {
                set(&mut response, header::SET_COOKIE, &server.guard.cookie());
            }
            response
        }
    };
    if let Ok(policy) = policy {
        set(&mut response, header::CONTENT_SECURITY_POLICY, &policy);
    }
    set(&mut response, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(&mut response, header::REFERRER_POLICY, "no-referrer");
    // The next version of the program has another page under the same names.
    set(&mut response, header::CACHE_CONTROL, "no-store");
    set(&mut response, HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    response
}

/// What the page may load and where it may connect: here, and nowhere else.
fn content_policy(host: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
         connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

fn is_too_large(headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    length.and_then(|length| length.parse::<u64>().ok()).is_some_and(|length| length > LARGEST_MESSAGE as u64)
}

/// A file of the page; `/` is its beginning.
async fn file(request: Request) -> Response {
    let name = match request.uri().path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    match files().iter().find(|file| file.path == name) {
        Some(file) => ([(header::CONTENT_TYPE, file.kind)], file.bytes).into_response(),
        None => say(StatusCode::NOT_FOUND, "The explorer has no such file."),
    }
}

/// The socket of a page.
async fn socket(State(server): State<Arc<Server>>, upgrade: WebSocketUpgrade) -> Response {
    let ending = server.ending.subscribe();
    if server.ending.receiver_count() > MOST_TABS {
        return say(StatusCode::SERVICE_UNAVAILABLE, "256 pages are open: close one first.");
    }
    let common = Arc::clone(&server.common);
    let upgrade = upgrade.max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE);
    upgrade.on_upgrade(move |socket| tab::serve(socket, common, ending))
}

fn say(status: StatusCode, words: &'static str) -> Response {
    (status, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], words).into_response()
}

fn set(response: &mut Response, name: HeaderName, value: &str) {
    // All values are made here, of letters that headers may hold.
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// Ctrl-C, and what else asks a program to end.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn received(mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// Ctrl-C.
#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Signals)
    }

    async fn received(mut self) {
        self.0.recv().await;
    }
}

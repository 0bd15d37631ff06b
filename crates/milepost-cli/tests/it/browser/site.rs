//! Where the page comes from: the command's own server, or the site of `cargo xtask web`, which a plain file server hands out.

use crate::common::Folder;
use crate::common::explorer::Server;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

/// Names the folder of the site; without it the command serves the page.
const VARIABLE: &str = "MILEPOST_SITE";

/// What serves the page for as long as this value lives.
pub(super) struct Site {
    pub(super) address: String,
    _server: Option<Server>,
    _folder: Folder,
}

impl Site {
    pub(super) fn start() -> Site {
        let folder = Folder::new();
        if let Some(site) = folder_of_site() {
            let address = serve(site);
            return Site { address, _server: None, _folder: folder };
        }
        let server = Server::start(folder.path(), &[]);
        Site { address: server.address(), _server: Some(server), _folder: folder }
    }
}

/// The folder that `cargo xtask web` has made, where tests are for it.
pub(super) fn folder_of_site() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).map(PathBuf::from)
}

/// Hands files of a folder out, one connection a thread, until the test ends.
fn serve(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.clone();
            // A browser that goes away in the middle is no fault of the page.
            std::thread::spawn(move || drop(hand_out(&folder, stream)));
        }
    });
    address
}

fn hand_out(folder: &Path, stream: TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    for line in &mut lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split([' ', '?', '#']).nth(1).unwrap_or("/").trim_start_matches('/');
    let name = if path.is_empty() { "index.html" } else { path };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    };
    let (status, bytes) = match std::fs::read(folder.join(name)) {
        Ok(bytes) => ("200 OK", bytes),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let mut stream = stream;
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        bytes.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&bytes)
}

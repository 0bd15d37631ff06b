//! The explorer's server, started for a test, and what speaks to it: raw requests, and sockets with messages.

use crate::common::program;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::Response;
use tungstenite::{Message, WebSocket};

/// No answer takes longer, also on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A running `milepost explore`; it ends with this value.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) port: u16,
    pub(crate) token: String,
}

impl Server {
    /// Starts the command in a folder.
    pub(crate) fn start(folder: &Path, words: &[&str]) -> Server {
        let mut command = program(folder);
        command.args(["explore", "--no-open", "--json"]).args(words).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program can be started");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its words are read");
        BufReader::new(stdout).read_line(&mut line).expect("it says its address");
        let document: Value = serde_json::from_str(&line).expect("one document");
        let port = document["port"].as_u64().and_then(|port| u16::try_from(port).ok()).expect("a port");
        let token = document["token"].as_str().expect("a token").to_owned();
        assert_eq!(document["address"], format!("http://127.0.0.1:{port}/?token={token}"));
        Server { child, port, token }
    }

    /// The page's address.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// Sends these lines, and an empty one; the status and the whole answer come back.
    pub(crate) fn ask(&self, lines: &[&str]) -> (u16, String) {
        let mut stream = self.connect();
        stream
            .write_all(format!("{}\r\nConnection: close\r\n\r\n", lines.join("\r\n")).as_bytes())
            .expect("it listens");
        let mut answer = Vec::new();
        // A server that refuses a long request may close before all of it was sent.
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok());
        (status.unwrap_or_else(|| panic!("no status: {answer}")), answer)
    }

    /// A GET from the page itself, with the token as a cookie.
    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let cookie = format!("Cookie: milepost-{}={}", self.port, self.token);
        self.ask(&[&format!("GET {path} HTTP/1.1"), &self.host(), &cookie])
    }

    /// The header that names this server.
    pub(crate) fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.port)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        stream.set_write_timeout(Some(PATIENCE)).expect("a time");
        stream
    }

    /// A socket, as the page opens it.
    pub(crate) fn socket(&self) -> Socket {
        let origin = format!("http://127.0.0.1:{}", self.port);
        let (socket, _) = self.try_socket(&self.token, Some(&origin)).expect("a socket");
        Socket { socket, asked: 0 }
    }

    /// A socket with this token and Origin, if the server lets it in.
    pub(crate) fn try_socket(
        &self,
        token: &str,
        origin: Option<&str>,
    ) -> Result<(WebSocket<TcpStream>, Response), Box<tungstenite::Error>> {
        let address = format!("ws://127.0.0.1:{}/ws?token={token}", self.port);
        let mut request = address.into_client_request().expect("an address");
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().expect("a header"));
        }
        tungstenite::client(request, self.connect()).map_err(|error| match error {
            tungstenite::HandshakeError::Failure(error) => Box::new(error),
            tungstenite::HandshakeError::Interrupted(_) => panic!("the server does not answer"),
        })
    }

    /// Sends a signal, and says how the command ended and after how long.
    #[cfg(unix)]
    pub(crate) fn end_by(mut self, signal: &str) -> (Option<i32>, Duration) {
        let begin = Instant::now();
        let words = [signal.to_owned(), self.child.id().to_string()];
        assert!(std::process::Command::new("kill").args(words).status().expect("kill can be run").success());
        let status = self.child.wait().expect("it ends");
        (status.code(), begin.elapsed())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One page's socket.
pub(crate) struct Socket {
    socket: WebSocket<TcpStream>,
    asked: u64,
}

impl Socket {
    /// Sends a message, and does not wait; its number.
    pub(crate) fn send(&mut self, mut header: Value, block: &[u8]) -> u64 {
        self.asked += 1;
        header["id"] = json!(self.asked);
        let header = header.to_string();
        let mut bytes = (header.len() as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(block);
        self.send_raw(Message::binary(bytes)).expect("the server reads");
        self.asked
    }

    pub(crate) fn send_raw(&mut self, message: Message) -> Result<(), Box<tungstenite::Error>> {
        Ok(self.socket.send(message)?)
    }

    /// The next message's header, with its blocks left out.
    pub(crate) fn read(&mut self) -> Value {
        match self.read_raw() {
            Ok(Message::Binary(bytes)) => {
                let (length, rest) = bytes.split_first_chunk::<4>().expect("a length");
                serde_json::from_slice(&rest[..u32::from_le_bytes(*length) as usize]).expect("a header")
            }
            other => panic!("expected a message, found {other:?}"),
        }
    }

    pub(crate) fn read_raw(&mut self) -> Result<Message, Box<tungstenite::Error>> {
        Ok(self.socket.read()?)
    }

    /// The code and the words with which the server closes.
    pub(crate) fn farewell(&mut self) -> (u16, String) {
        loop {
            match self.read_raw() {
                Ok(Message::Close(Some(frame))) => return (frame.code.into(), frame.reason.to_string()),
                Ok(_) => {}
                Err(error) => panic!("closed without a word: {error}"),
            }
        }
    }

    /// Asks, and waits for the last word of the answer.
    pub(crate) fn ask(&mut self, header: Value) -> Value {
        let id = self.send(header, &[]);
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            let answer = self.read();
            assert_eq!(answer["id"], id, "{answer}");
            if answer.get("progress").is_none() {
                return answer;
            }
        }
        panic!("the answer takes too long");
    }
}

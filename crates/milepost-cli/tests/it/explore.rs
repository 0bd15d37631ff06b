//! The explorer's server: what it lets in, what it turns away, and how it ends. All on loopback; nothing is opened.

use crate::common::Folder;
use crate::common::explorer::{PATIENCE, Server};
use serde_json::json;
use std::time::Duration;
use tungstenite::Message;

fn started() -> (Folder, Server) {
    let folder = Folder::new();
    let server = Server::start(folder.path(), &["yard.map"]);
    (folder, server)
}

#[test]
fn the_address_with_its_token_opens_the_page_and_its_cookie_all_other_files() {
    let (_folder, server) = started();
    let (status, answer) = server.ask(&[&format!("GET /?token={} HTTP/1.1", server.token), &server.host()]);
    assert_eq!(status, 200, "{answer}");
    let cookie = format!(
        "set-cookie: milepost-{}={}; Path=/; HttpOnly; SameSite=Strict\r\n",
        server.port, server.token
    );
    assert!(answer.contains(&cookie), "{answer}");
    for header in [
        "content-type: text/html; charset=utf-8\r\n",
        "content-security-policy: default-src 'none'; script-src 'self';",
        "x-content-type-options: nosniff\r\n",
        "referrer-policy: no-referrer\r\n",
        "cache-control: no-store\r\n",
    ] {
        assert!(answer.contains(header), "{header}: {answer}");
    }
    for foreign in ["src=\"http", "href=\"http", "src=\"//", "href=\"//"] {
        assert!(!answer.contains(foreign), "the page loads from elsewhere");
    }
    let (status, answer) = server.get("/");
    assert_eq!(status, 200, "{answer}");
    assert!(!answer.contains("set-cookie"), "{answer}");
    for file in milepost_explore::files() {
        let (status, answer) = server.get(&format!("/{}", file.path));
        assert_eq!(status, 200, "{}", file.path);
        assert!(answer.contains(&format!("content-type: {}\r\n", file.kind)), "{answer}");
    }
}

#[test]
fn without_the_token_or_with_another_one_nothing_is_answered() {
    let (_folder, server) = started();
    let host = server.host();
    let wrong = "0".repeat(server.token.len());
    let cookie = format!("Cookie: milepost-{}={wrong}", server.port);
    let query = format!("GET /?token={wrong} HTTP/1.1");
    for lines in [&["GET / HTTP/1.1", &host][..], &[&query, &host], &["GET / HTTP/1.1", &host, &cookie]] {
        let (status, answer) = server.ask(lines);
        assert_eq!(status, 403, "{answer}");
        assert!(answer.contains("open the whole address that `milepost explore` printed"), "{answer}");
        assert!(answer.contains("x-content-type-options: nosniff"), "{answer}");
        assert!(!answer.contains("<html"), "{answer}");
    }
    assert!(server.try_socket(&wrong, None).is_err());
    assert!(server.try_socket("", None).is_err());
}

#[test]
fn a_foreign_host_and_a_foreign_origin_are_turned_away_whatever_the_token() {
    let (_folder, server) = started();
    let get = format!("GET /?token={} HTTP/1.1", server.token);
    let foreign = format!("Host: evil.example:{}", server.port);
    let (status, answer) = server.ask(&[&get, &foreign]);
    assert_eq!(status, 403, "{answer}");
    assert!(answer.contains("it answers to 127.0.0.1 alone"), "{answer}");
    for origin in ["Origin: http://evil.example", "Origin: null", "Origin: https://127.0.0.1"] {
        let (status, answer) = server.ask(&[&get, &server.host(), origin]);
        assert_eq!(status, 403, "{answer}");
        assert!(answer.contains("answers its own page alone"), "{answer}");
    }
    assert!(server.try_socket(&server.token, Some("http://evil.example")).is_err());
    assert!(server.try_socket(&server.token, None).is_ok());
}

#[test]
fn paths_lead_to_files_of_the_page_and_nowhere_else() {
    let (_folder, server) = started();
    for path in [
        "/yard.map",
        "/../yard.map",
        "/%2e%2e/yard.map",
        "//etc/passwd",
        "/..%2fCargo.toml",
        "/page/",
        "/index.html/",
    ] {
        let (status, answer) = server.get(path);
        assert_eq!(status, 404, "{path}: {answer}");
    }
}

#[test]
fn nothing_is_written_and_long_bodies_are_not_read() {
    let (_folder, server) = started();
    let cookie = format!("Cookie: milepost-{}={}", server.port, server.token);
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let (status, answer) = server.ask(&[&format!("{method} / HTTP/1.1"), &server.host(), &cookie]);
        assert_eq!(status, 405, "{method}: {answer}");
    }
    let length = format!("Content-Length: {}", (256 << 20) + 1);
    let (status, answer) = server.ask(&["POST / HTTP/1.1", &server.host(), &cookie, &length]);
    assert_eq!(status, 413, "{answer}");
    assert!(answer.contains("More than 256 MiB is not taken"), "{answer}");
}

#[test]
fn a_frame_that_is_too_long_and_text_are_refused_in_words_and_other_pages_go_on() {
    let (_folder, server) = started();
    let mut other = server.socket();
    let mut socket = server.socket();
    socket.send_raw(Message::text("hello")).expect("the server reads");
    let (code, words) = socket.farewell();
    assert_eq!(code, 1003);
    assert!(words.contains("Messages are binary"), "{words}");
    // The length alone is announced: what it promises is never sent.
    let (mut raw, _) = server.try_socket(&server.token, None).expect("a socket");
    let length = (256_u64 << 20) + 1;
    let mut head = vec![0x82, 0x80 | 127];
    head.extend((0..8).rev().map(|byte| (length >> (8 * byte)) as u8));
    head.extend([0; 4]);
    std::io::Write::write_all(raw.get_mut(), &head).expect("the server reads");
    match raw.read() {
        Ok(Message::Close(Some(frame))) => {
            assert_eq!(u16::from(frame.code), 1009);
            assert!(frame.reason.contains("larger than 256 MiB"), "{frame:?}");
        }
        message => panic!("expected a farewell, found {message:?}"),
    }
    assert_eq!(other.ask(json!({"op": "hello"}))["ok"], true);
}

#[test]
fn broken_messages_are_answered_in_words_and_the_page_goes_on() {
    let (_folder, server) = started();
    let mut socket = server.socket();
    for bytes in [&b""[..], b"\xff\xff\xff\xff", b"\x02\0\0\0[]", b"\x05\0\0\0{\"op\""] {
        socket.send_raw(Message::binary(bytes.to_vec())).expect("the server reads");
        let answer = socket.read();
        assert_eq!(answer["ok"], false, "{answer}");
        assert!(answer["error"]["say"].is_string(), "{answer}");
    }
    assert_eq!(socket.ask(json!({"op": "hello"}))["ok"], true);
}

#[test]
fn every_page_is_offered_the_file_and_gets_its_answers_in_order() {
    let (_folder, server) = started();
    let mut sockets: Vec<_> = (0..20).map(|_| server.socket()).collect();
    for socket in &mut sockets {
        socket.send(json!({"op": "hello"}), &[]);
        socket.send(json!({"op": "open", "given": true}), &[]);
        socket.send(json!({"op": "nonsense"}), &[]);
    }
    for socket in &mut sockets {
        let hello = socket.read();
        assert_eq!((&hello["id"], &hello["given"]["name"]), (&json!(1), &json!("yard.map")), "{hello}");
        let map = socket.read();
        assert_eq!((&map["id"], &map["width"], &map["height"]), (&json!(2), &json!(12), &json!(8)), "{map}");
        let nonsense = socket.read();
        assert_eq!((&nonsense["id"], &nonsense["ok"]), (&json!(3), &json!(false)), "{nonsense}");
    }
}

/// The map of a build that takes longer than any test waits.
const LONG_BUILD: &str = "generate rooms --width 200 --height 200 --seed 1 -o large.map";

#[cfg(target_os = "linux")]
#[test]
fn long_work_stops_when_its_page_goes() {
    let folder = Folder::new();
    folder.must(LONG_BUILD);
    let server = Server::start(folder.path(), &["large.map", "--threads", "1"]);
    let mut socket = server.socket();
    let map = socket.ask(json!({"op": "open", "given": true}))["map"].clone();
    let id = socket.send(json!({"op": "index", "map": map, "index": "goal-bounds"}), &[]);
    assert_eq!(socket.read()["id"], id);
    assert!(busy(&server, Duration::from_millis(300)), "the build goes on");
    drop(socket);
    let begin = std::time::Instant::now();
    while busy(&server, Duration::from_millis(300)) {
        assert!(begin.elapsed() < PATIENCE, "the build goes on without its page");
    }
}

/// Whether the server computes: more than a tenth of so much time, since a busy machine gives it a part.
#[cfg(target_os = "linux")]
fn busy(server: &Server, time: Duration) -> bool {
    let ticks = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.child.id())).expect("it runs");
        let fields: Vec<&str> = stat.rsplit(')').next().expect("fields").split_whitespace().collect();
        fields[11].parse::<u64>().expect("ticks") + fields[12].parse::<u64>().expect("ticks")
    };
    let before = ticks();
    std::thread::sleep(time);
    // A tick is a hundredth of a second.
    (ticks() - before) * 100 > time.as_millis() as u64
}

#[cfg(unix)]
#[test]
fn both_signals_end_it_with_0_also_while_it_works_and_pages_are_told() {
    let folder = Folder::new();
    folder.must(LONG_BUILD);
    for signal in ["-INT", "-TERM"] {
        let server = Server::start(folder.path(), &["large.map"]);
        let mut idle = server.socket();
        assert_eq!(idle.ask(json!({"op": "hello"}))["ok"], true);
        let mut socket = server.socket();
        let map = socket.ask(json!({"op": "open", "given": true}))["map"].clone();
        socket.send(json!({"op": "index", "map": map, "index": "goal-bounds"}), &[]);
        socket.read();
        let (code, time) = server.end_by(signal);
        assert_eq!(code, Some(0), "{signal}");
        assert!(time < Duration::from_secs(5), "{signal}: {time:?}");
        assert_eq!(idle.farewell(), (1001, "The explorer was ended.".to_owned()));
    }
}

#[test]
fn a_port_is_taken_as_asked_and_one_that_is_taken_is_named() {
    let (folder, server) = started();
    let ran = folder.run(&format!("explore --no-open --port {}", server.port));
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains(&format!("port {} of 127.0.0.1", server.port)), "{ran:?}");
    assert!(ran.stderr.contains("name another with --port, or leave it out"), "{ran:?}");
    let port = server.port.to_string();
    drop(server);
    let server = Server::start(folder.path(), &["--port", &port]);
    assert_eq!(server.port.to_string(), port);
}

#[test]
fn a_token_is_fresh_in_every_run() {
    let folder = Folder::new();
    let tokens: Vec<String> = (0..3).map(|_| Server::start(folder.path(), &[]).token.clone()).collect();
    assert!(tokens.iter().all(|token| token.len() == 32), "{tokens:?}");
    assert!(tokens[0] != tokens[1] && tokens[1] != tokens[2] && tokens[0] != tokens[2], "{tokens:?}");
}

#[test]
fn roads_bring_the_file_beside_them_and_options_of_reading_hold() {
    let folder = Folder::with_roads();
    let open = |words: &[&str]| {
        let server = Server::start(folder.path(), words);
        let mut socket = server.socket();
        let name = socket.ask(json!({"op": "hello"}))["given"]["name"].clone();
        (name, socket.ask(json!({"op": "open", "given": true})))
    };
    let (name, map) = open(&["roads.gr"]);
    assert_eq!((name, &map["kind"]), (json!("roads.milepost"), &json!("graph")), "{map}");
    let (name, map) = open(&["yard.map", "--moves", "four"]);
    assert_eq!((name, &map["rule"]), (json!("yard.milepost"), &json!("four")), "{map}");
}

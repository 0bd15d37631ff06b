//! A headless Chromium, spoken to over the DevTools protocol: JSON messages over one socket, those of a page with the number
//! of its session.

use crate::common::explorer::PATIENCE;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// Names the program; without it there are no tests in a browser.
const VARIABLE: &str = "MILEPOST_BROWSER";

/// What keeps it quiet, alone and quick. No name but ours leads anywhere.
const OPTIONS: [&str; 14] = [
    "--headless",
    "--remote-debugging-port=0",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/// The running browser; it ends with this value.
pub(super) struct Browser {
    child: Child,
    wire: Rc<RefCell<Wire>>,
    _profile: tempfile::TempDir,
}

/// The socket, and what came over it unasked.
struct Wire {
    socket: WebSocket<TcpStream>,
    asked: u64,
    events: Vec<Value>,
}

impl Wire {
    fn call(&mut self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.asked += 1;
        let mut message = json!({"id": self.asked, "method": method, "params": params});
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(message.to_string())).expect("the browser listens");
        loop {
            let answer = match self.socket.read() {
                Ok(Message::Text(text)) => {
                    serde_json::from_str::<Value>(&text).expect("a message of the browser")
                }
                Ok(_) => continue,
                Err(error) => panic!("{method}: the browser does not answer: {error}"),
            };
            if answer["id"] == self.asked {
                assert!(answer.get("error").is_none(), "{method} {params}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.events.push(answer);
        }
    }
}

impl Browser {
    /// Starts the browser of the environment; none where none is named, and says so.
    pub(super) fn start() -> Option<Browser> {
        let Some(program) = std::env::var_os(VARIABLE) else {
            println!("skipped: {VARIABLE} names no browser");
            return None;
        };
        let profile = tempfile::tempdir().expect("there is room for a folder");
        let mut command = Command::new(&program);
        command.args(OPTIONS).arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child =
            command.spawn().unwrap_or_else(|error| panic!("{program:?} cannot be started: {error}"));
        let mut lines =
            BufReader::new(child.stderr.take().expect("its words are read")).lines().map_while(Result::ok);
        let address = lines.find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned));
        let address = address.expect("the browser says where it listens");
        // What else it says must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let place = address.trim_start_matches("ws://").split('/').next().expect("a host").to_owned();
        let stream = TcpStream::connect(place).expect("the browser listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        let limits = tungstenite::protocol::WebSocketConfig::default();
        let limits = limits.max_message_size(None).max_frame_size(None);
        let (socket, _) =
            tungstenite::client::client_with_config(address, stream, Some(limits)).expect("a socket");
        let wire = Rc::new(RefCell::new(Wire { socket, asked: 0, events: Vec::new() }));
        Some(Browser { child, wire, _profile: profile })
    }

    /// An empty page of this size, with cookies and storage of its own.
    pub(super) fn page(&self, width: u32, height: u32) -> Page {
        let call = |method: &str, params| self.wire.borrow_mut().call(None, method, params);
        let context = call("Target.createBrowserContext", json!({}))["browserContextId"].clone();
        let target =
            json!({"url": "about:blank", "browserContextId": context, "width": width, "height": height});
        let target = call("Target.createTarget", target)["targetId"].clone();
        let session =
            call("Target.attachToTarget", json!({"targetId": target, "flatten": true}))["sessionId"].clone();
        let session = session.as_str().expect("a session").to_owned();
        let page = Page { wire: Rc::clone(&self.wire), session, context, target };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.resize(width, height);
        page
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The children of the browser end with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One page, and hands to use it with.
pub(super) struct Page {
    wire: Rc<RefCell<Wire>>,
    session: String,
    context: Value,
    target: Value,
}

impl Page {
    pub(super) fn call(&self, method: &str, params: Value) -> Value {
        self.wire.borrow_mut().call(Some(&self.session), method, params)
    }

    pub(super) fn resize(&self, width: u32, height: u32) {
        let is_small = width < 600;
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_small});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// `dark` or `light`, as the system would say.
    pub(super) fn prefer(&self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    pub(super) fn open(&self, address: &str) {
        let answer = self.call("Page.navigate", json!({"url": address}));
        assert!(answer.get("errorText").is_none(), "{address}: {answer}");
    }

    /// The value of an expression of JavaScript, which may be a promise.
    pub(super) fn eval(&self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    pub(super) fn number(&self, expression: &str) -> f64 {
        self.eval(expression).as_f64().unwrap_or_else(|| panic!("{expression} is no number"))
    }

    pub(super) fn text(&self, expression: &str) -> String {
        let value = self.eval(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is no text: {value}")).to_owned()
    }

    /// Waits until an expression is true.
    pub(super) fn until(&self, expression: &str) {
        let begin = Instant::now();
        let is_true = format!("Boolean({expression})");
        while self.eval(&is_true) != json!(true) {
            if begin.elapsed() > PATIENCE {
                panic!("never true: {expression}\n{}\ncomplaints: {:#?}", self.seen(), self.complaints());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What a reader of a failed test wants to know.
    fn seen(&self) -> String {
        self.text("document.body.innerText.slice(0, 2000)")
    }

    /// A key as a keyboard gives it; `Control+z`, `Shift+Home`.
    pub(super) fn press(&self, combination: &str) {
        let parts: Vec<&str> = combination.split('+').collect();
        let (key, held) = match combination {
            "+" => ("+", &[][..]),
            _ => (*parts.last().expect("a key"), &parts[..parts.len() - 1]),
        };
        let modifiers: u32 = held
            .iter()
            .map(|name| match *name {
                "Alt" => 1,
                "Control" => 2,
                "Shift" => 8,
                other => panic!("no such modifier: {other}"),
            })
            .sum();
        let is_letter = key.chars().count() == 1;
        let key = if key == "Space" { " " } else { key };
        let code = match key {
            " " => 32,
            "Enter" => 13,
            "Escape" => 27,
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => u32::from(key.to_ascii_uppercase().as_bytes()[0]),
        };
        let mut event =
            json!({"type": "rawKeyDown", "key": key, "modifiers": modifiers, "windowsVirtualKeyCode": code});
        if (is_letter || key == " ") && modifiers & 2 == 0 {
            event["type"] = json!("keyDown");
            event["text"] = json!(key);
        }
        self.call("Input.dispatchKeyEvent", event.clone());
        event["type"] = json!("keyUp");
        self.call("Input.dispatchKeyEvent", event);
    }

    fn mouse(&self, kind: &str, (x, y): (f64, f64), buttons: u32) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let event =
            json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Draws with the left button over these places; `at_each` looks at the page in between.
    pub(super) fn drag(&self, places: &[(f64, f64)], mut at_each: impl FnMut()) {
        let (first, last) = (places[0], places[places.len() - 1]);
        self.mouse("mouseMoved", first, 0);
        self.mouse("mousePressed", first, 1);
        for place in &places[1..] {
            self.mouse("mouseMoved", *place, 1);
            at_each();
        }
        self.mouse("mouseReleased", last, 0);
    }

    pub(super) fn click_at(&self, place: (f64, f64)) {
        self.drag(&[place], || {});
    }

    /// Clicks the middle of what a selector finds, once it can be seen.
    pub(super) fn click(&self, selector: &str) {
        let found = format!("document.querySelector({})", json!(selector));
        self.until(&format!("{found} && {found}.getClientRects().length"));
        self.eval(&format!("{found}.scrollIntoView({{block: 'nearest'}})"));
        let middle =
            format!("(b => [b.x + b.width / 2, b.y + b.height / 2])({found}.getBoundingClientRect())");
        let middle = self.eval(&middle);
        self.click_at((middle[0].as_f64().expect("x"), middle[1].as_f64().expect("y")));
    }

    /// Drops a file on the page.
    pub(super) fn drop_file(&self, name: &str, bytes: &[u8]) {
        let (name, bytes) = (json!(name), json!(STANDARD.encode(bytes)));
        self.eval(&format!(
            "(() => {{ const data = new DataTransfer(), bytes = Uint8Array.from(atob({bytes}), letter => letter.charCodeAt(0));
             data.items.add(new File([bytes], {name}));
             for (const type of ['dragenter', 'dragover', 'drop'])
               document.body.dispatchEvent(new DragEvent(type, {{dataTransfer: data, bubbles: true, cancelable: true}})); }})()"
        ));
    }

    /// What the page saves goes into this folder.
    pub(super) fn save_into(&self, folder: &Path) {
        let params = json!({"behavior": "allow", "downloadPath": folder, "browserContextId": self.context});
        self.wire.borrow_mut().call(None, "Browser.setDownloadBehavior", params);
    }

    /// A picture of what is seen.
    pub(super) fn picture(&self) -> Vec<u8> {
        let answer = self.call("Page.captureScreenshot", json!({"format": "png"}));
        STANDARD.decode(answer["data"].as_str().expect("a picture")).expect("base64")
    }

    /// Errors and warnings of the console, exceptions, and requests to any place but `home`, of this page.
    pub(super) fn complaints(&self) -> Vec<String> {
        let wire = self.wire.borrow();
        let of_page = wire.events.iter().filter(|event| event["sessionId"] == json!(self.session));
        of_page.filter_map(|event| complaint(event["method"].as_str()?, &event["params"])).collect()
    }

    pub(super) fn close(self) {
        self.wire.borrow_mut().call(None, "Target.closeTarget", json!({"targetId": self.target}));
    }
}

/// What is wrong with an event, if anything is.
fn complaint(method: &str, params: &Value) -> Option<String> {
    match method {
        "Runtime.exceptionThrown" => Some(format!("exception: {}", params["exceptionDetails"])),
        "Runtime.consoleAPICalled" if params["type"] == "error" || params["type"] == "warning" => {
            Some(format!("console: {}", params["args"]))
        }
        "Log.entryAdded" if params["entry"]["level"] == "error" || params["entry"]["level"] == "warning" => {
            Some(format!("log: {}", params["entry"]))
        }
        "Network.requestWillBeSent" => {
            let address = params["request"]["url"].as_str()?;
            let is_ours = ["http://127.0.0.1:", "blob:", "data:", "file://"]
                .iter()
                .any(|ours| address.starts_with(ours));
            (!is_ours).then(|| format!("request: {address}"))
        }
        "Network.webSocketCreated" => {
            let address = params["url"].as_str()?;
            (!address.starts_with("ws://127.0.0.1:")).then(|| format!("socket: {address}"))
        }
        _ => None,
    }
}

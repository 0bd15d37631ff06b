//! Who may ask: the page that this command has opened, and no other page of the same browser.
//!
//! Every web page may send requests to 127.0.0.1. Three checks, each against another trick:
//! - **Host** is this address. A foreign name that was made to lead here (DNS rebinding) stands in that header.
//! - **Origin**, where there is one, is this address: scripts of other pages cannot open a socket.
//! - **The token**, fresh for every run, is in the address or in the cookie that the first page load sets. Other users of
//!   the machine do not know it.
//!
//! Cookies do not tell ports apart: the name of ours holds the port, so that two explorers do not forget each other.

use axum::http::HeaderMap;
use axum::http::header::{COOKIE, HOST, ORIGIN};

/// What requests are held against.
pub(super) struct Guard {
    port: u16,
    token: String,
}

/// Why a request is not answered: what the page says in place of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    Host,
    Origin,
    Token,
}

impl Refusal {
    pub(super) fn words(self) -> &'static str {
        match self {
            Refusal::Host => "This address is not the explorer's own: it answers to 127.0.0.1 alone.",
            Refusal::Origin => "Another page asked for this: the explorer answers its own page alone.",
            Refusal::Token => {
                "The token is missing, or of an earlier run: open the whole address that `milepost explore` printed."
            }
        }
    }
}

/// How an accepted request showed its token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    /// In its address: the cookie is set with the answer.
    Address,
    Cookie,
}

impl Guard {
    /// A guard with a fresh token.
    pub(super) fn new(port: u16) -> Result<Guard, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Guard { port, token: bytes.iter().map(|byte| format!("{byte:02x}")).collect() })
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// What the user opens.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// The cookie that carries the token to all further files: no script reads it, no other site sends it.
    pub(super) fn cookie(&self) -> String {
        format!("milepost-{}={}; Path=/; HttpOnly; SameSite=Strict", self.port, self.token)
    }

    /// Checks the headers and the query of a request.
    pub(super) fn check(&self, headers: &HeaderMap, query: Option<&str>) -> Result<Entry, Refusal> {
        let host = self.host(headers)?;
        let mut origins = headers.get_all(ORIGIN).iter();
        if !origins
            .all(|origin| origin.to_str().ok().and_then(|text| text.strip_prefix("http://")) == Some(host))
        {
            return Err(Refusal::Origin);
        }
        let in_query = query.into_iter().flat_map(|query| query.split('&'));
        if in_query.filter_map(|pair| pair.strip_prefix("token=")).any(|token| self.is_token(token)) {
            return Ok(Entry::Address);
        }
        let name = format!("milepost-{}=", self.port);
        let cookies = headers.get_all(COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        let mut tokens =
            cookies.flat_map(|cookies| cookies.split(';')).filter_map(|one| one.trim().strip_prefix(&name));
        if tokens.any(|token| self.is_token(token)) { Ok(Entry::Cookie) } else { Err(Refusal::Token) }
    }

    /// The one Host of a request, if it is ours.
    pub(super) fn host<'a>(&self, headers: &'a HeaderMap) -> Result<&'a str, Refusal> {
        let mut hosts = headers.get_all(HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(Refusal::Host) };
        let host = host.to_str().map_err(|_| Refusal::Host)?;
        let is_ours = ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port));
        if is_ours { Ok(host) } else { Err(Refusal::Host) }
    }

    /// Looks at every byte whatever the first ones are, so that time tells nothing.
    fn is_token(&self, text: &str) -> bool {
        let differing =
            text.bytes().zip(self.token.bytes()).fold(0, |found, (one, other)| found | (one ^ other));
        text.len() == self.token.len() && differing == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn check(headers: &[(HeaderName, &str)], query: Option<&str>) -> Result<Entry, Refusal> {
        let guard = Guard { port: 80, token: "abcd".to_owned() };
        let headers = headers
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_str(value).expect("a value")));
        guard.check(&headers.collect::<HeaderMap>(), query)
    }

    #[test]
    fn the_token_is_taken_from_the_address_and_from_the_cookie_of_this_port() {
        let host = (HOST, "127.0.0.1:80");
        assert_eq!(check(std::slice::from_ref(&host), Some("token=abcd")), Ok(Entry::Address));
        assert_eq!(check(std::slice::from_ref(&host), Some("a=b&token=abcd")), Ok(Entry::Address));
        assert_eq!(check(&[host.clone(), (COOKIE, "x=y; milepost-80=abcd")], None), Ok(Entry::Cookie));
        for wrong in ["token=abce", "token=abc", "token=abcde", "token=", "xtoken=abcd"] {
            assert_eq!(check(std::slice::from_ref(&host), Some(wrong)), Err(Refusal::Token), "{wrong}");
        }
        for wrong in ["milepost-81=abcd", "milepost-80=abce", "milepost-80=", "xmilepost-80=abcd"] {
            assert_eq!(check(&[host.clone(), (COOKIE, wrong)], None), Err(Refusal::Token), "{wrong}");
        }
    }

    #[test]
    fn foreign_hosts_and_origins_are_refused_whatever_the_token() {
        let query = Some("token=abcd");
        for host in
            ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:81", "127.0.0.1:80.evil.example", ""]
        {
            assert_eq!(check(&[(HOST, host)], query), Err(Refusal::Host), "{host}");
        }
        assert_eq!(check(&[], query), Err(Refusal::Host));
        assert_eq!(check(&[(HOST, "127.0.0.1:80"), (HOST, "evil.example")], query), Err(Refusal::Host));
        let host = (HOST, "localhost:80");
        assert_eq!(check(&[host.clone(), (ORIGIN, "http://localhost:80")], query), Ok(Entry::Address));
        for origin in [
            "null",
            "http://evil.example",
            "https://localhost:80",
            "http://127.0.0.1:80",
            "http://localhost:81",
        ] {
            assert_eq!(check(&[host.clone(), (ORIGIN, origin)], query), Err(Refusal::Origin), "{origin}");
        }
    }
}

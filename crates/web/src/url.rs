//! Addresses of web servers and of what is on them.

use std::fmt;

use base64::Engine as _;
use percent_encoding::percent_decode_str;

/// The address of something on a web server.
#[derive(Clone, PartialEq, Eq)]
pub struct Url {
    /// Whether the connection is encrypted.
    pub is_secure: bool,
    /// The name or address of the server; one of version 6 stands in brackets.
    pub host: String,
    /// The port, if it was not given that of the scheme.
    pub port: u16,
    /// The path with the query.
    pub target: String,
    /// Name and password, as HTTP encodes them.
    credentials: Option<String>,
}

impl Url {
    /// Reads an address; nothing if it is none of a web server, or has characters that are to be encoded.
    pub fn parse(text: &str) -> Option<Url> {
        let (scheme, rest) = text.split_once("://")?;
        let is_secure = match scheme.to_ascii_lowercase().as_str() {
            "http" => false,
            "https" => true,
            _ => return None,
        };
        let rest = rest.split('#').next().unwrap_or_default();
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, target) = rest.split_at_checked(end)?;
        let (credentials, place) = match authority.rsplit_once('@') {
            Some((credentials, place)) => (Some(encoded(credentials)), place),
            None => (None, authority),
        };
        // The colons of an address of version 6 are in brackets.
        let (host, port) = match place.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
            Some((host, port)) => (host, port.parse().ok()?),
            None => (place, if is_secure { 443 } else { 80 }),
        };
        let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        let target = if target.starts_with('/') { target.to_owned() } else { format!("/{target}") };
        let is_valid = !host.is_empty() && is_word(host) && is_word(&target) && is_word(authority);
        is_valid.then(|| Url { is_secure, host: host.to_owned(), port, target, credentials })
    }

    /// Where an answer points to. Another server is not told the password of this one.
    pub fn joined(&self, location: &str) -> Option<Url> {
        if location.contains("://") {
            let other = Url::parse(location)?;
            let is_here = other.host.eq_ignore_ascii_case(&self.host) && other.is_secure >= self.is_secure;
            let own = self.credentials.clone().filter(|_| is_here);
            return Some(Url { credentials: other.credentials.clone().or(own), ..other });
        }
        let scheme = if self.is_secure { "https" } else { "http" };
        if location.starts_with("//") {
            return self.joined(&format!("{scheme}:{location}"));
        }
        let path = self.target.split('?').next().unwrap_or_default();
        let target = match path.rsplit_once('/') {
            _ if location.starts_with('/') => location.to_owned(),
            Some((directory, _)) => format!("{directory}/{location}"),
            None => format!("/{location}"),
        };
        let other = Url::parse(&format!("{scheme}://{}{target}", self.place()))?;
        Some(Url { credentials: self.credentials.clone(), ..other })
    }

    /// The server, and its port.
    pub fn place(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// The server as it is connected to: without brackets.
    pub fn name(&self) -> &str {
        self.host.trim_start_matches('[').trim_end_matches(']')
    }

    /// What the server is told about who asks.
    pub(crate) fn authorization(&self) -> Option<String> {
        self.credentials.as_ref().map(|credentials| format!("Basic {credentials}"))
    }

    /// The server, as its `Host` header has it: with the port, unless that is the usual one.
    pub(crate) fn shown_place(&self) -> String {
        let is_usual = self.port == if self.is_secure { 443 } else { 80 };
        if is_usual { self.host.clone() } else { self.place() }
    }
}

/// Name and password, which may have been encoded for the address, as HTTP encodes them.
pub(crate) fn encoded(credentials: &str) -> String {
    let plain: Vec<u8> = percent_decode_str(credentials).collect();
    base64::prelude::BASE64_STANDARD.encode(plain)
}

/// Without name and password.
impl fmt::Display for Url {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_secure { "https" } else { "http" };
        write!(formatter, "{scheme}://{}{}", self.shown_place(), self.target)
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self}")
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let check = |text: &str, expected: Option<(bool, &str, u16, &str, Option<&str>)>| {
            let expected = expected.map(|(is_secure, host, port, target, credentials)| Url {
                is_secure,
                host: host.to_owned(),
                port,
                target: target.to_owned(),
                credentials: credentials.map(str::to_owned),
            });
            assert_eq!(Url::parse(text), expected, "{text}");
        };
        check("http://localhost:3000/reports/upload", Some((false, "localhost", 3000, "/reports/upload", None)));
        check("https://a:b%40c@r.test?x=1", Some((true, "r.test", 443, "/?x=1", Some("YTpiQGM="))));
        check("HTTP://x/a#part", Some((false, "x", 80, "/a", None)));
        check("http://[::1]:80/", Some((false, "[::1]", 80, "/", None)));
        check("http://[::1]/", Some((false, "[::1]", 80, "/", None)));
        check("ftp://x/", None);
        check("http:///x", None);
        check("http://x/a b", None);
        check("http://x/\r\nEvil: 1", None);
        check("http://x:99999/", None);
    }

    #[test]
    fn a_password_goes_nowhere_else() {
        let url = Url::parse("https://u:p@a.test/x/y?q=1").unwrap();
        let check = |location: &str, expected: &str, keeps: bool| {
            let joined = url.joined(location).unwrap();
            assert_eq!((joined.to_string().as_str(), joined.authorization().is_some()), (expected, keeps));
        };
        check("/z", "https://a.test/z", true);
        check("z", "https://a.test/x/z", true);
        check("//a.test/z", "https://a.test/z", true);
        check("https://A.test/z", "https://A.test/z", true);
        check("https://b.test/z", "https://b.test/z", false);
        check("http://a.test/z", "http://a.test/z", false);
        assert_eq!(url.joined("ftp://a.test/z"), None);
        assert!(!format!("{url} {url:?}").contains("u:p"));
    }
}

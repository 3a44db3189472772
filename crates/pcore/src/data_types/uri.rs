//! The value `URI`: a reference as RFC 3986 has it, taken apart and put together as Ruby does.

pub(crate) mod scheme;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::net::{Ipv4Addr, Ipv6Addr};

use bunraku_syntax::Issue;
use ecow::{EcoString, eco_format};

use crate::inspect;
use crate::issues;

/// A uniform resource identifier or a relative reference.
#[derive(Clone, Debug, Default)]
pub struct Uri {
    /// `http`, always in lower case.
    pub scheme: Option<EcoString>,
    /// `user:password`.
    pub userinfo: Option<EcoString>,
    /// A name, or an address.
    pub host: Option<EcoString>,
    /// The given port, or that of the scheme.
    pub port: Option<u32>,
    /// The path; empty if there is none.
    pub path: EcoString,
    /// What follows `?`.
    pub query: Option<EcoString>,
    /// What follows `#`.
    pub fragment: Option<EcoString>,
    /// What follows the scheme, for one that has no hierarchy.
    pub opaque: Option<EcoString>,
}

impl Uri {
    /// Reads a URI or a relative reference.
    pub fn parse(text: &str) -> Result<Uri, Issue> {
        if !text.is_ascii() {
            return Err(issues::runtime_error(format!("URI must be ascii only {}", inspect::dump_text(text))));
        }
        let uri = read(text).ok_or_else(|| {
            let quoted = inspect::inspect_text(text);
            issues::runtime_error(format!("bad URI(is not URI?): {quoted}"))
        })?;
        scheme::resolve(uri.with_escaped_query()?)
    }

    /// What a query may not have is escaped, which is the rule for the query alone.
    pub(crate) fn with_escaped_query(mut self) -> Result<Uri, Issue> {
        self.query = self.query.as_deref().map(escaped_query).transpose()?;
        Ok(self)
    }

    /// The port of a scheme that has one.
    pub fn default_port(scheme: &str) -> Option<u32> {
        Some(match scheme {
            "http" | "ws" => 80,
            "https" | "wss" => 443,
            "ftp" => 21,
            "ldap" => 389,
            "ldaps" => 636,
            _ => return None,
        })
    }

    /// The name of the class that holds such a URI in the reference.
    pub(crate) fn host_class(&self) -> &'static str {
        match self.scheme.as_deref() {
            Some("http") => "URI::HTTP",
            Some("https") => "URI::HTTPS",
            Some("ftp") => "URI::FTP",
            Some("file") => "URI::File",
            Some("ldap") => "URI::LDAP",
            Some("ldaps") => "URI::LDAPS",
            Some("mailto") => "URI::MailTo",
            Some("ws") => "URI::WS",
            _ => "URI::Generic",
        }
    }

    /// The reference resolved against this URI, as RFC 2396 has it.
    pub fn merge(&self, reference: &Uri) -> Result<Uri, Issue> {
        if reference.scheme.is_some() {
            return Ok(reference.clone());
        }
        if self.scheme.is_none() {
            return Err(issues::runtime_error("both URI are relative"));
        }
        let mut merged = self.clone();
        let has_authority = reference.userinfo.is_some() || reference.host.is_some() || reference.port.is_some();
        merged.fragment = reference.fragment.clone();
        if reference.path.is_empty() && !has_authority && reference.query.is_none() {
            merged.fragment = merged.fragment.or_else(|| self.fragment.clone());
            return Ok(merged);
        }
        merged.query = reference.query.clone();
        if has_authority {
            merged.path = reference.path.clone();
        } else if self.opaque.is_none() {
            merged.path = self.merged_path(&reference.path);
        }
        merged.userinfo = reference.userinfo.clone().or(merged.userinfo);
        merged.host = reference.host.clone().or(merged.host);
        merged.port = reference.port.or(merged.port);
        Ok(merged)
    }

    fn merged_path(&self, path: &EcoString) -> EcoString {
        if path.is_empty() {
            return self.path.clone();
        }
        if path.starts_with('/') {
            return without_dots(path);
        }
        let directory = self.path.rsplit_once('/').map_or("", |(directory, _)| directory);
        without_dots(&format!("{directory}/{path}"))
    }

    /// The name of a part that cannot be what it is, and what is expected there.
    pub(crate) fn invalid_part(&self) -> Option<(&'static str, &'static str)> {
        let needs_root = self.scheme.as_deref().is_some_and(|scheme| scheme != "ftp");
        let made_of = |part: &Option<EcoString>, extra| part.as_deref().is_none_or(|part| is_made_of(part, extra));
        let checks = [
            ("scheme", self.scheme.as_deref().is_none_or(is_scheme)),
            ("userinfo", made_of(&self.userinfo, ":")),
            ("host", self.host.as_deref().is_none_or(is_given_host)),
            (
                "path",
                is_made_of(&self.path, ":@/") && (!needs_root || self.path.is_empty() || self.path.starts_with('/')),
            ),
            ("fragment", made_of(&self.fragment, ":@/?")),
            ("opaque", made_of(&self.opaque, ":@/?")),
        ];
        let (name, _) = checks.into_iter().find(|(_, is_valid)| !is_valid)?;
        Some(match name {
            "path" if needs_root => (name, "absolute path"),
            "path" => (name, "relative path"),
            _ => (name, name),
        })
    }

    /// What two equal URIs have in common: case of scheme and host does not count, an empty path is the root.
    fn normalized(&self) -> impl PartialEq + Hash + '_ {
        let path = if self.path.is_empty() && self.opaque.is_none() { "/" } else { self.path.as_str() };
        let host = self.host.as_ref().map(|host| host.to_lowercase());
        (&self.scheme, &self.userinfo, host, self.port, path, &self.query, &self.fragment, &self.opaque)
    }
}

impl PartialEq for Uri {
    fn eq(&self, other: &Uri) -> bool {
        self.normalized() == other.normalized()
    }
}

impl Eq for Uri {}

impl Hash for Uri {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.normalized().hash(state);
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = self.scheme.as_deref();
        if let Some(scheme) = scheme {
            write!(f, "{scheme}:")?;
        }
        if let Some(opaque) = &self.opaque {
            f.write_str(opaque)?;
        } else {
            if self.host.is_some() || matches!(scheme, Some("file" | "postgres")) {
                f.write_str("//")?;
            }
            if let Some(userinfo) = &self.userinfo {
                write!(f, "{userinfo}@")?;
            }
            f.write_str(self.host.as_deref().unwrap_or_default())?;
            if let Some(port) = self.port
                && scheme.and_then(Uri::default_port) != Some(port)
            {
                write!(f, ":{port}")?;
            }
            f.write_str(&self.path)?;
            if let Some(query) = &self.query {
                write!(f, "?{query}")?;
            }
        }
        if let Some(fragment) = &self.fragment {
            write!(f, "#{fragment}")?;
        }
        Ok(())
    }
}

/// The path without `.` and `..` segments.
fn without_dots(path: &str) -> EcoString {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." if is_last => kept.push(""),
            "." => {}
            ".." => {
                if kept.len() > 1 {
                    kept.pop();
                }
                if is_last {
                    kept.push("");
                }
            }
            segment => kept.push(segment),
        }
    }
    kept.join("/").into()
}

fn read(text: &str) -> Option<Uri> {
    let (rest, fragment) = split_off(text, '#');
    let (rest, query) = split_off(rest, '?');
    if fragment.is_some_and(|fragment| !is_made_of(fragment, ":@/?")) {
        return None;
    }
    let (scheme, rest) = match rest.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(EcoString::from(scheme.to_ascii_lowercase())), rest),
        _ => (None, rest),
    };
    let mut uri = Uri { scheme, query: query.map(Into::into), fragment: fragment.map(Into::into), ..Uri::default() };
    if let Some(hierarchy) = rest.strip_prefix("//") {
        let end = hierarchy.find('/').unwrap_or(hierarchy.len());
        let (authority, path) = hierarchy.split_at_checked(end)?;
        read_authority(authority, &mut uri)?;
        uri.path = path.into();
    } else if uri.scheme.is_some() && !rest.is_empty() && !rest.starts_with('/') {
        if !is_made_of(rest, ":@/") {
            return None;
        }
        let query = query.map(|query| format!("?{query}")).unwrap_or_default();
        uri.opaque = Some(format!("{rest}{query}").into());
        uri.query = None;
    } else {
        let first_segment = rest.split('/').next().unwrap_or_default();
        if uri.scheme.is_none() && first_segment.contains(':') {
            return None;
        }
        uri.path = rest.into();
    }
    if !is_made_of(&uri.path, ":@/") {
        return None;
    }
    if uri.opaque.is_none() && uri.port.is_none() {
        uri.port = uri.scheme.as_deref().and_then(Uri::default_port);
    }
    Some(uri)
}

fn escaped_query(query: &str) -> Result<EcoString, Issue> {
    let bytes: Vec<u8> = query.bytes().filter(|byte| !matches!(byte, b'\t' | b'\r' | b'\n')).collect();
    let wrong = bytes.windows(3).find(|it| it.starts_with(b"%") && !it.iter().skip(1).any(u8::is_ascii_hexdigit));
    if let Some(escape) = wrong {
        let escape = String::from_utf8_lossy(escape);
        return Err(issues::runtime_error(format!("invalid percent escape: {escape}")));
    }
    let mut escaped = EcoString::new();
    for byte in bytes {
        match byte {
            b'!' | b'$'..=b'&' | b'('..=b';' | b'=' | b'?'..=b'_' | b'a'..=b'~' => escaped.push(char::from(byte)),
            other => escaped.push_str(&format!("%{other:02X}")),
        }
    }
    Ok(escaped)
}

fn read_authority(authority: &str, uri: &mut Uri) -> Option<()> {
    let (userinfo, location) = match authority.rsplit_once('@') {
        Some((userinfo, location)) => (Some(userinfo), location),
        None => (None, authority),
    };
    let port_start =
        location.rfind(':').filter(|at| !location.ends_with(']') && location.find(']').is_none_or(|end| *at > end));
    let (host, port) = match port_start {
        Some(at) => (location.get(..at)?, location.get(at + 1..)),
        None => (location, None),
    };
    // Compatibility: the reference takes no address in brackets where there is no scheme.
    let host_is_valid = is_host(host) && (uri.scheme.is_some() || !host.starts_with('['));
    if !host_is_valid || !userinfo.is_none_or(|userinfo| is_made_of(userinfo, ":")) {
        return None;
    }
    if let Some(port) = port.filter(|port| !port.is_empty()) {
        if !port.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        uri.port = Some(port.parse().ok()?);
    }
    uri.userinfo = userinfo.map(Into::into);
    uri.host = (!host.is_empty()).then(|| host.into());
    Some(())
}

/// The host as a part of its own: an address gets its brackets.
pub(crate) fn bracketed(host: &str) -> EcoString {
    if host.contains(':') && in_brackets(host).is_none() { eco_format!("[{host}]") } else { host.into() }
}

fn in_brackets(host: &str) -> Option<&str> {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']'))
}

/// Whether a host is a name, or an address in brackets.
fn is_host(host: &str) -> bool {
    in_brackets(host).map_or_else(|| is_made_of(host, ""), is_address)
}

/// Whether a host that is given as a part of its own can be one. Compatibility: the rules for that are older, and do not count
/// the numbers of an address.
fn is_given_host(host: &str) -> bool {
    let Some(address) = in_brackets(host) else { return is_made_of(host, "") };
    let numbers = match address.rsplit_once(':') {
        Some((numbers, last)) if last.parse::<Ipv4Addr>().is_ok() => numbers,
        _ => address,
    };
    let is_number = |text: &str| matches!(text.len(), 1..=4) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let are_numbers = |text: &str| text.split(':').all(is_number);
    match numbers.split_once("::") {
        Some((before, after)) => [before, after].into_iter().all(|part| part.is_empty() || are_numbers(part)),
        None => are_numbers(numbers),
    }
}

/// Whether a text is an IPv6 address, or one of a version to come.
fn is_address(text: &str) -> bool {
    let is_to_come = |(version, address): (&str, &str)| {
        let version = version.strip_prefix('v').unwrap_or_default();
        !version.is_empty()
            && version.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !address.is_empty()
            && !address.contains('%')
            && is_made_of(address, ":")
    };
    text.parse::<Ipv6Addr>().is_ok() || text.split_once('.').is_some_and(is_to_come)
}

fn split_off(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((head, tail)) => (head, Some(tail)),
        None => (text, None),
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Whether the text has only unreserved characters, delimiters of components, escapes, and the extra ones.
fn is_made_of(text: &str, extra: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let is_valid = match byte {
            b'%' => {
                let mut hexadecimal = || bytes.next().is_some_and(|digit| digit.is_ascii_hexdigit());
                hexadecimal() && hexadecimal()
            }
            _ => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte) || extra.as_bytes().contains(&byte),
        };
        if !is_valid {
            return false;
        }
    }
    true
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn text_is_kept() {
        for text in [
            "http://example.com",
            "http://u:p@example.com:8080/a/b?x=y#z",
            "mailto:a@b.c?subject=x",
            "urn:isbn:1",
            "/a/b",
            "a/b",
            "",
            "//host/p",
            "file:///etc/passwd",
            "http://[::1]:80/",
            "foo://x:1",
            "?q",
            "#f",
        ] {
            let expected = text.replace("[::1]:80/", "[::1]/");
            assert_eq!(Uri::parse(text).unwrap().to_string(), expected);
        }
        assert_eq!(Uri::parse("HTTP://Example.com").unwrap(), Uri::parse("http://example.COM/").unwrap());
    }

    #[test]
    fn bad_text_is_refused() {
        for text in ["http://a b", "http://x:y", "1:2", "a%zz", "http://[::1", "#a#b"] {
            assert_eq!(
                Uri::parse(text).unwrap_err().message(),
                format!("bad URI(is not URI?): {}", inspect::inspect_text(text))
            );
        }
    }

    #[test]
    fn only_ascii() {
        assert_eq!(Uri::parse("ä").unwrap_err().message(), r#"URI must be ascii only "\u00E4""#);
    }

    #[test]
    fn parts() {
        let uri = Uri::parse("https://u@h/p?q#f").unwrap();
        assert_eq!((uri.port, uri.userinfo.as_deref(), uri.path.as_str()), (Some(443), Some("u"), "/p"));
        let uri = Uri::parse("mailto:a@d?b#c").unwrap();
        assert_eq!(
            (uri.opaque.as_deref(), uri.query.as_deref(), uri.fragment.as_deref()),
            (Some("a@d?b"), None, Some("c"))
        );
    }
}

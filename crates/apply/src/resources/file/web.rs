//! Files of web servers: what the headers of an answer say about them, and their content.

use bunraku_pcore::data_types::Binary;

use super::content::time;
use crate::context::{Context, WebAnswer, WebQuestion};
use crate::fault::{Fault, Outcome};

/// Whether a source is the address of something on a web server.
pub(super) fn is_web(source: &str) -> bool {
    let scheme = source.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
}

/// A source without the password that may be in its address.
pub(super) fn shown(source: &str) -> String {
    let Some((scheme, rest)) = source.split_once("://").filter(|_| is_web(source)) else { return source.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest.get(..end).and_then(|place| place.rfind('@')).and_then(|at| rest.get(at + 1..)) {
        Some(rest) => format!("{scheme}://{rest}"),
        None => source.to_owned(),
    }
}

/// The checksums that a web server tells, by the names of their kinds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sums(Vec<(&'static str, String)>);

/// The kinds of checksums in the order in which they are preferred.
const KINDS: [&str; 4] = ["sha256", "sha1", "md5", "mtime"];

impl Sums {
    /// The checksum of a kind, or else the best one; with the name of its kind.
    pub(super) fn first(&self, wanted: &str) -> (&'static str, String) {
        let known = |name: &str| self.0.iter().find(|(known, _)| *known == name);
        let tag = known("etag").filter(|_| wanted == "etag").and_then(|(_, tag)| tag.split_once(' '));
        if let Some((name, sum)) = tag.and_then(|(name, sum)| Some((*KINDS.iter().find(|it| **it == name)?, sum))) {
            return (name, format!("{{{name}}}{sum}"));
        }
        let first = [wanted].into_iter().chain(KINDS).filter(|name| *name != "etag").find_map(known);
        first.map_or(("mtime", "{mtime}".to_owned()), |(name, sum)| (*name, format!("{{{name}}}{sum}")))
    }

    /// What the headers of an answer tell. Without a time, the file is as new as can be.
    fn of(answer: &WebAnswer) -> Result<Sums, String> {
        let header =
            |name: &str| answer.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let mut sums = Vec::new();
        let older = header("content-md5")
            .map(|sum| Binary::from_base64(sum).bytes().iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        for (name, value) in [
            ("sha256", header("x-checksum-sha256").map(str::to_lowercase)),
            ("sha1", header("x-checksum-sha1").map(str::to_lowercase)),
            ("md5", header("x-checksum-md5").map(str::to_lowercase).or(older)),
            ("etag", header("etag").and_then(tag)),
        ] {
            sums.extend(value.map(|value| (name, value)));
        }
        let modified = match header("last-modified") {
            Some(text) => format!("{} UTC", date(text).ok_or("invalid date")?.strftime("%Y-%m-%d %H:%M:%S")),
            None => {
                let now = jiff::Timestamp::now();
                time(now.as_second(), now.subsec_nanosecond().into())
            }
        };
        sums.push(("mtime", modified));
        Ok(Sums(sums))
    }
}

/// A tag that is the checksum of the content: its kind, a space, and the checksum.
fn tag(text: &str) -> Option<String> {
    let sum = text.replace('"', "").trim().to_lowercase();
    let is_strong = !text.starts_with("W/") && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
    let name = match sum.len() {
        64 => "sha256",
        40 => "sha1",
        32 => "md5",
        _ => return None,
    };
    is_strong.then(|| format!("{name} {sum}"))
}

/// A time in one of the three forms that HTTP has.
fn date(text: &str) -> Option<jiff::civil::DateTime> {
    let forms = ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %d %H:%M:%S %Y"];
    forms.iter().find_map(|form| jiff::civil::DateTime::strptime(form, text.trim()).ok())
}

/// What the server says about a file; nothing if it has none.
pub(super) fn sums(url: &str, context: &Context<'_>) -> Outcome<Option<Sums>> {
    let ask = |method, headers| context.host.web(&WebQuestion { method, url, headers });
    let asked = ask("HEAD", &[]).and_then(|answer| match answer.status {
        // Addresses that are signed are good for reading alone, and some servers do not know the question.
        403 | 405 => ask("GET", &[("Range", "bytes=0-0")]),
        _ => Ok(answer),
    });
    let found = asked.and_then(|answer| match answer.status {
        200..=299 => Sums::of(&answer).map(Some),
        _ => Ok(None),
    });
    found.map_err(|reason| Fault::new(format!("Could not retrieve file metadata for {}: {reason}", shown(url))))
}

/// What is in the file.
pub(super) fn content(url: &str, context: &Context<'_>) -> Outcome<Vec<u8>> {
    let answer = context.host.web(&WebQuestion { method: "GET", url, headers: &[] }).map_err(Fault::new)?;
    match answer.status {
        200..=299 => Ok(answer.body),
        status => Err(Fault::raw(format!("Error {status} on SERVER: {}", String::from_utf8_lossy(&answer.body)))),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn headers_tell_checksums() {
        let check = |headers: &[(&str, &str)], wanted: &str, expected: (&str, &str)| {
            let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let sums = Sums::of(&WebAnswer { status: 200, headers, body: Vec::new() }).unwrap();
            let (name, sum) = sums.first(wanted);
            assert_eq!((name, sum.as_str()), expected);
        };
        let modified = ("last-modified", "Wed, 01 Jan 2020 00:00:00 GMT");
        let tag = ("etag", "\"B1946AC92492D2347C6235B4D2611184\"");
        let old = ("content-md5", "sZRqySSS0jR8YjW00mERhA==");
        let sha1 = ("x-checksum-sha1", "F572");
        let shown = ("mtime", "{mtime}2020-01-01 00:00:00 UTC");
        check(&[modified], "sha256", shown);
        check(&[modified, tag], "sha256", shown);
        check(&[modified, tag], "etag", ("md5", "{md5}b1946ac92492d2347c6235b4d2611184"));
        check(&[modified, ("etag", "W/\"b1946ac92492d2347c6235b4d2611184\"")], "etag", shown);
        check(&[modified, old], "sha256", ("md5", "{md5}b1946ac92492d2347c6235b4d2611184"));
        check(&[modified, old, sha1], "sha256", ("sha1", "{sha1}f572"));
        check(&[modified, old, sha1], "md5", ("md5", "{md5}b1946ac92492d2347c6235b4d2611184"));
        check(&[modified, old, sha1], "mtime", shown);
        check(&[("last-modified", "Wednesday, 01-Jan-20 00:00:00 GMT")], "sha256", shown);
        check(&[("last-modified", "Wed Jan  1 00:00:00 2020")], "sha256", shown);
        let headers = vec![("last-modified".to_owned(), "yesterday".to_owned())];
        assert_eq!(Sums::of(&WebAnswer { headers, ..WebAnswer::default() }), Err("invalid date".to_owned()));
    }

    #[test]
    fn passwords_are_not_shown() {
        for (source, expected) in [
            ("http://u:p@x/y@z", "http://x/y@z"),
            ("https://x/y@z", "https://x/y@z"),
            ("puppet:///modules/a/b@c", "puppet:///modules/a/b@c"),
            ("http://u:p@x", "http://x"),
        ] {
            assert_eq!(shown(source), expected);
        }
    }
}

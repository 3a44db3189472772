//! Answers: HTTP/1.1 as servers write it, read within limits.

use std::io::{self, BufRead, ErrorKind, Read};

use flate2::read::{GzDecoder, ZlibDecoder};

/// How long a line of the head may be, how many there may be, and how large a body.
const LONGEST_LINE: u64 = 64 << 10;
const MOST_LINES: usize = 200;
const LARGEST_BODY: u64 = 1 << 30;

/// An answer.
#[derive(Debug, Clone, Default)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers, with their names in lowercase.
    pub headers: Vec<(String, String)>,
    /// The body, without what it was encoded in.
    pub body: Vec<u8>,
}

impl Response {
    /// Reads an answer, which to a question for the head alone has no body. The second value tells whether the connection
    /// can be used again.
    pub fn read(stream: &mut impl BufRead, has_body: bool) -> io::Result<(Response, bool)> {
        let (version, status) = loop {
            let line = line(stream)?;
            let mut words = line.split(' ');
            let version = words.next().unwrap_or_default().to_owned();
            let status = words.next().and_then(|word| word.parse().ok());
            let Some(status) = status.filter(|_| version.starts_with("HTTP/1.")) else {
                return Err(wrong("the answer is not HTTP"));
            };
            // What is said on the way to the answer does not matter.
            if status != 100 {
                break (version, status);
            }
            headers(stream)?;
        };
        let mut response = Response { status, headers: headers(stream)?, body: Vec::new() };
        let is_chunked = response.header("transfer-encoding").is_some_and(|it| it.eq_ignore_ascii_case("chunked"));
        let length = response.header("content-length").map(str::parse::<u64>);
        let mut is_kept =
            version == "HTTP/1.1" && !response.header("connection").is_some_and(|it| it.eq_ignore_ascii_case("close"));
        response.body = match length {
            _ if !has_body || matches!(status, 204 | 304) => Vec::new(),
            _ if is_chunked => chunks(stream)?,
            Some(Ok(length)) if length <= LARGEST_BODY => {
                let mut body = Vec::new();
                stream.take(length).read_to_end(&mut body)?;
                if body.len() as u64 != length {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                body
            }
            Some(_) => return Err(wrong("the answer is too large")),
            None => {
                is_kept = false;
                limited(stream)?
            }
        };
        response.body = match response.header("content-encoding") {
            _ if response.body.is_empty() => Vec::new(),
            Some("gzip" | "x-gzip") => limited(GzDecoder::new(response.body.as_slice()))?,
            Some("deflate") => limited(ZlibDecoder::new(response.body.as_slice()))?,
            _ => response.body,
        };
        Ok((response, is_kept))
    }

    /// The value of a header, whose name is given in lowercase.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as a string.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

fn wrong(reason: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, reason)
}

fn line(stream: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    stream.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Err(if line.is_empty() { ErrorKind::UnexpectedEof.into() } else { wrong("a line has no end") });
    }
    line.pop_if(|last| *last == b'\r');
    String::from_utf8(line).map_err(|_| wrong("a header is not UTF-8"))
}

fn headers(stream: &mut impl BufRead) -> io::Result<Vec<(String, String)>> {
    let mut headers = Vec::new();
    loop {
        let line = line(stream)?;
        if line.is_empty() {
            return Ok(headers);
        }
        let (name, value) = line.split_once(':').ok_or_else(|| wrong("a header has no colon"))?;
        headers.push((name.trim().to_lowercase(), value.trim().to_owned()));
        if headers.len() > MOST_LINES {
            return Err(wrong("there are too many headers"));
        }
    }
}

fn chunks(stream: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = line(stream)?;
        let size = size.split(';').next().unwrap_or_default().trim();
        let size = u64::from_str_radix(size, 16).map_err(|_| wrong("a chunk has no size"))?;
        if size == 0 {
            headers(stream)?;
            return Ok(body);
        }
        if size.saturating_add(body.len() as u64) > LARGEST_BODY {
            return Err(wrong("the answer is too large"));
        }
        let before = body.len() as u64;
        stream.by_ref().take(size).read_to_end(&mut body)?;
        if body.len() as u64 - before != size || !line(stream)?.is_empty() {
            return Err(wrong("a chunk is broken"));
        }
    }
}

/// Everything up to the end, if that is not too much.
fn limited(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    stream.take(LARGEST_BODY + 1).read_to_end(&mut all)?;
    if all.len() as u64 > LARGEST_BODY { Err(wrong("the answer is too large")) } else { Ok(all) }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(u16, &str, bool)>) {
        let read = Response::read(&mut text.as_bytes(), true).ok();
        let read = read.map(|(response, is_kept)| (response.status, response.text(), is_kept));
        let expected = expected.map(|(status, body, is_kept)| (status, body.to_owned(), is_kept));
        assert_eq!(read, expected, "{text:?}");
    }

    #[test]
    fn answers_are_read_to_their_end() {
        check("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokmore", Some((200, "ok", true)));
        check("HTTP/1.1 200 OK\r\nConnection: Close\r\n\r\nok", Some((200, "ok", false)));
        check("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n", Some((304, "", true)));
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        check(&format!("{chunked}2\r\nok\r\n1;x=y\r\n!\r\n0\r\n\r\n"), Some((200, "ok!", true)));
        for broken in ["", "2\r\nok", "zz\r\n", "ffffffffffffffff\r\n", "1\r\nok\r\n"] {
            check(&format!("{chunked}{broken}"), None);
        }
        for broken in [
            "",
            "SSH-2.0\r\n\r\n",
            "HTTP/1.1 200 OK\r\n",
            "HTTP/1.1 200 OK\r\nx\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
        ] {
            check(broken, None);
        }
        let text = format!("HTTP/1.1 200 OK\r\n{}\r\n", "a: b\r\n".repeat(MOST_LINES + 1));
        check(&text, None);
        assert!(Response::read(&mut format!("HTTP/1.1 {}", "a".repeat(1 << 20)).as_bytes(), true).is_err());
        Response::read(&mut "HTTP/1.1 204 No Content\r\n\r\n".as_bytes(), true).unwrap();
        // To a question for the head alone a length is that of what is not sent.
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Encoding: gzip\r\n\r\n";
        assert_eq!(Response::read(&mut head.as_bytes(), false).unwrap().0.body, b"");
    }
}

//! The report processor `http`: sends reports as YAML to a program that collects them.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use bunraku_pki::Certificate;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::request::decode;

/// Where systems have the certificates of public authorities.
const PUBLIC_AUTHORITIES: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];
/// How much of an answer is read: nothing but its first line is wanted.
const MOST_READ: u64 = 16 << 10;

/// What is to be known about the network.
#[derive(Debug)]
pub(super) struct Network {
    /// How long it may take until there is a connection, and until there is an answer.
    pub(super) connect: Duration,
    pub(super) read: Duration,
    /// The site's own authorities, in PEM.
    pub(super) authorities: String,
}

/// Where reports are sent to.
#[derive(Debug, PartialEq, Eq)]
struct Target {
    is_secure: bool,
    host: String,
    port: u16,
    path: String,
    /// Name and password, as HTTP encodes them.
    credentials: Option<String>,
}

impl Target {
    fn parse(url: &str) -> Option<Target> {
        let (scheme, rest) = url.split_once("://")?;
        let is_secure = match scheme {
            "http" => false,
            "https" => true,
            _ => return None,
        };
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(end)?;
        let (credentials, place) = match authority.rsplit_once('@') {
            Some((credentials, place)) => {
                let encoded = base64::prelude::BASE64_STANDARD.encode(decode(credentials));
                (Some(encoded), place)
            }
            None => (None, authority),
        };
        // The colons of an address of version 6 are in brackets.
        let (host, port) = match place.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
            Some((host, port)) => (host, port.parse().ok()?),
            None => (place, if is_secure { 443 } else { 80 }),
        };
        let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        let is_valid = !host.is_empty() && is_word(host) && is_word(&path);
        is_valid.then(|| Target { is_secure, host: host.to_owned(), port, path, credentials })
    }
}

/// Sends a report. What goes wrong is told without the password that may be in the URL.
pub(super) fn send(url: &str, report: &str, network: &Network) -> Result<(), String> {
    let target = Target::parse(url).ok_or("the setting 'reporturl' is not the URL of a web server")?;
    let place = format!("{}:{}", target.host, target.port);
    let status = asked(&target, report, network).map_err(|error| format!("{place}: {error}"))?;
    match status {
        200..=299 => Ok(()),
        status => Err(format!("Unable to submit report to {place} [{status}]")),
    }
}

fn asked(target: &Target, report: &str, network: &Network) -> Result<u16, String> {
    let host = target.host.trim_start_matches('[').trim_end_matches(']');
    let failed = |error: std::io::Error| error.to_string();
    let addresses = (host, target.port).to_socket_addrs().map_err(failed)?;
    let mut stream = Err("the name has no address".to_owned());
    for address in addresses {
        stream = TcpStream::connect_timeout(&address, network.connect).map_err(failed);
        if stream.is_ok() {
            break;
        }
    }
    let stream = stream?;
    stream.set_read_timeout(Some(network.read)).map_err(failed)?;
    stream.set_write_timeout(Some(network.read)).map_err(failed)?;
    let credentials = target.credentials.as_ref().map(|it| format!("Authorization: Basic {it}\r\n"));
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: {}:{}\r\nContent-Type: application/x-yaml\r\nContent-Length: {}\r\n{}\
         Connection: close\r\n\r\n",
        target.path,
        target.host,
        target.port,
        report.len(),
        credentials.unwrap_or_default(),
    );
    match target.is_secure {
        false => exchange(stream, &head, report).map_err(failed)?,
        true => {
            let name = ServerName::try_from(host.to_owned()).map_err(|error| error.to_string())?;
            let connection = ClientConnection::new(Arc::new(configuration(&network.authorities)?), name);
            let connection = connection.map_err(|error| error.to_string())?;
            exchange(StreamOwned::new(connection, stream), &head, report).map_err(failed)?
        }
    }
    .ok_or_else(|| "the answer is not HTTP".to_owned())
}

/// The status of the answer.
fn exchange(mut stream: impl Read + Write, head: &str, body: &str) -> std::io::Result<Option<u16>> {
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    stream.flush()?;
    let mut answer = stream.take(MOST_READ);
    let (mut read, mut buffer) = (Vec::new(), [0; 1 << 10]);
    while !read.contains(&b'\n') {
        let length = answer.read(&mut buffer)?;
        if length == 0 {
            break;
        }
        read.extend_from_slice(buffer.get(..length).unwrap_or_default());
    }
    let line = String::from_utf8_lossy(&read);
    Ok(line.strip_prefix("HTTP/1.").and_then(|rest| rest.split(' ').nth(1)?.get(..3)?.parse().ok()))
}

fn configuration(own: &str) -> Result<ClientConfig, String> {
    let public = PUBLIC_AUTHORITIES.iter().find_map(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let mut roots = RootCertStore::empty();
    let all = [own, &public].map(Certificate::all_from_pem);
    roots.add_parsable_certificates(all.into_iter().flatten().map(|it| CertificateDer::from(it.as_der().to_vec())));
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    Ok(builder.map_err(|error| error.to_string())?.with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn urls_are_read() {
        let check = |url: &str, expected: Option<(bool, &str, u16, &str, Option<&str>)>| {
            let expected = expected.map(|(is_secure, host, port, path, credentials)| Target {
                is_secure,
                host: host.to_owned(),
                port,
                path: path.to_owned(),
                credentials: credentials.map(str::to_owned),
            });
            assert_eq!(Target::parse(url), expected, "{url}");
        };
        check("http://localhost:3000/reports/upload", Some((false, "localhost", 3000, "/reports/upload", None)));
        check("https://a:b%40c@r.test?x=1", Some((true, "r.test", 443, "/?x=1", Some("YTpiQGM="))));
        check("http://[::1]:80/", Some((false, "[::1]", 80, "/", None)));
        check("http://[::1]/", Some((false, "[::1]", 80, "/", None)));
        check("ftp://x/", None);
        check("http:///x", None);
        check("http://x/a b", None);
        check("http://x/\r\nEvil: 1", None);
        check("http://x:99999/", None);
    }

    #[test]
    fn a_report_is_sent() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let answers = ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 503 Busy\r\n\r\n", "nonsense\n"];
        let served = std::thread::spawn(move || {
            answers.map(|answer| {
                let (stream, _) = listener.accept().unwrap();
                let mut reader = BufReader::new(stream);
                let lines: Vec<String> =
                    reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
                let mut body = [0; 6];
                reader.read_exact(&mut body).unwrap();
                reader.get_mut().write_all(answer.as_bytes()).unwrap();
                (lines, String::from_utf8(body.to_vec()).unwrap())
            })
        });
        let second = Duration::from_secs(5);
        let network = Network { connect: second, read: second, authorities: String::new() };
        let url = format!("http://user:secret@{address}/up");
        let sent = answers.map(|_| send(&url, "--- {}", &network));
        let busy = format!("Unable to submit report to {address} [503]");
        assert_eq!(sent, [Ok(()), Err(busy), Err(format!("{address}: the answer is not HTTP"))]);
        for (lines, body) in served.join().unwrap() {
            assert_eq!((lines.first().unwrap().as_str(), body.as_str()), ("POST /up HTTP/1.1", "--- {}"));
            assert!(lines.contains(&"Authorization: Basic dXNlcjpzZWNyZXQ=".to_owned()), "{lines:?}");
        }
    }
}

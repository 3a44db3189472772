//! One request and its answer, wherever redirections and a proxy lead to.

use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bunraku::{Disk, PUPPET_VERSION, SettingValue, Settings, World};
use bunraku_pki::Certificate;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::proxy::Proxy;
use crate::response::Response;
use crate::url::Url;

/// Where systems have the certificates of public authorities.
const PUBLIC_AUTHORITIES: [&str; 3] =
    ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];
/// How often a request is sent somewhere else.
const MOST_REDIRECTIONS: usize = 10;

/// What is asked.
#[derive(Debug, Clone, Default)]
pub struct Question<'a> {
    /// The method.
    pub method: &'a str,
    /// Headers besides those that every request has.
    pub headers: &'a [(&'a str, &'a str)],
    /// What is sent.
    pub body: &'a [u8],
}

/// Whoever asks web servers.
#[derive(Clone)]
pub struct Web {
    connect_time: Duration,
    read_time: Option<Duration>,
    agent: String,
    proxy: Proxy,
    tls: Arc<ClientConfig>,
}

impl std::fmt::Debug for Web {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Web").field("connect_time", &self.connect_time).finish_non_exhaustive()
    }
}

/// A connection, encrypted or not.
trait Connection: Read + Write {}
impl<T: Read + Write> Connection for T {}

impl Web {
    /// What the settings say of the network, and of authorities besides public ones.
    pub fn of(settings: &Settings) -> Result<Web, String> {
        let text = |name: &str| settings.text(name).map_err(|issue| issue.message().to_owned());
        let time = |name: &str| {
            Ok::<_, String>(match settings.value(name).map_err(|issue| issue.message().to_owned())? {
                SettingValue::Integer(seconds) => u64::try_from(seconds).ok().filter(|it| *it > 0),
                _ => None,
            })
        };
        let mut own = vec![text("localcacert")?];
        own.extend(settings.optional_text("ssl_trust_store").map_err(|issue| issue.message().to_owned())?);
        Ok(Web {
            connect_time: Duration::from_secs(time("http_connect_timeout")?.unwrap_or(120)),
            read_time: time("http_read_timeout")?.map(Duration::from_secs),
            agent: text("http_user_agent")?,
            proxy: Proxy::of(settings)?,
            tls: configuration(&own)?,
        })
    }

    /// Asks, and goes wherever the answer points to; an answer is whatever is found there.
    pub fn ask(&self, url: &Url, question: &Question<'_>) -> Result<Response, String> {
        let mut place = url.clone();
        for _ in 0..=MOST_REDIRECTIONS {
            let start = Instant::now();
            let response = self.exchange(&place, question).map_err(|error| {
                let seconds = start.elapsed().as_secs_f64();
                let (host, port) = (place.name(), place.port);
                format!("Request to {place} failed after {seconds:.3} seconds: {}", reason(&error, host, port))
            })?;
            let location = response.header("location").filter(|it| !it.is_empty());
            let Some(location) = location.filter(|_| matches!(response.status, 301 | 302 | 303 | 307 | 308)) else {
                return Ok(response);
            };
            place =
                place.joined(location).ok_or_else(|| format!("{place} leads to {location:?}, which is no address"))?;
        }
        Err(format!("Too many HTTP redirections for {url}"))
    }

    fn exchange(&self, url: &Url, question: &Question<'_>) -> io::Result<Response> {
        let stream = self.open(url)?;
        // Without encryption the proxy is told the whole address; otherwise it knows that already.
        let is_passed_on = !url.is_secure && self.proxy.place_for(url).is_some();
        let target = if is_passed_on { url.to_string() } else { url.target.clone() };
        let mut head = format!(
            "{} {target} HTTP/1.1\r\nHost: {}\r\nUser-Agent: {}\r\nX-Puppet-Version: {PUPPET_VERSION}\r\n\
             Accept-Encoding: gzip;q=1.0,deflate;q=0.6,identity;q=0.3\r\nConnection: close\r\n",
            question.method,
            url.shown_place(),
            self.agent,
        );
        for (name, value) in question.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.extend(url.authorization().map(|it| format!("Authorization: {it}\r\n")));
        if is_passed_on {
            head.push_str(&self.proxy.header());
        }
        if !question.body.is_empty() {
            head.push_str(&format!("Content-Length: {}\r\n", question.body.len()));
        }
        head.push_str("\r\n");
        let mut stream = BufReader::new(stream);
        let connection = stream.get_mut();
        connection.write_all(head.as_bytes())?;
        connection.write_all(question.body)?;
        connection.flush()?;
        let read = Response::read(&mut stream, question.method != "HEAD");
        read.map(|(response, _)| response)
    }

    /// A connection to the server, or to the proxy that passes everything on.
    fn open(&self, url: &Url) -> io::Result<Box<dyn Connection>> {
        let proxy = self.proxy.place_for(url);
        let (host, port) = proxy.map_or((url.name(), url.port), |(host, port)| (host.as_str(), *port));
        let mut stream = connect(host, port, self.connect_time, self.read_time)?;
        if !url.is_secure {
            return Ok(Box::new(stream));
        }
        if proxy.is_some() {
            let place = url.place();
            let head = format!("CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n{}\r\n", self.proxy.header());
            stream.write_all(head.as_bytes())?;
            // Nothing is read that belongs to what follows.
            let (answer, _) = Response::read(&mut BufReader::with_capacity(1, &stream), false)?;
            if answer.status != 200 {
                return Err(io::Error::other(format!("the proxy answers {}", answer.status)));
            }
        }
        let name = ServerName::try_from(url.name().to_owned()).map_err(io::Error::other)?;
        let connection = ClientConnection::new(Arc::clone(&self.tls), name).map_err(io::Error::other)?;
        Ok(Box::new(StreamOwned::new(connection, stream)))
    }
}

/// Connects to the first address of a name that lets us.
pub fn connect(host: &str, port: u16, time: Duration, read_time: Option<Duration>) -> io::Result<TcpStream> {
    let mut last = io::Error::new(ErrorKind::NotFound, "the name has no address");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, time) {
            Ok(stream) => {
                stream.set_read_timeout(read_time)?;
                stream.set_write_timeout(read_time)?;
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Why there was no answer.
pub fn reason(error: &io::Error, host: &str, port: u16) -> String {
    match error.kind() {
        ErrorKind::ConnectionRefused => format!(
            "Failed to open TCP connection to {host}:{port} (Connection refused - connect(2) for {host}:{port})"
        ),
        ErrorKind::TimedOut | ErrorKind::WouldBlock => format!("Timed out connecting to {host}:{port}"),
        _ => error.to_string(),
    }
}

/// Public authorities are believed, and those of files.
fn configuration(files: &[String]) -> Result<Arc<ClientConfig>, String> {
    let read = |path: &str| Disk.read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let named = Disk.variable("SSL_CERT_FILE");
    let public = named.as_deref().into_iter().chain(PUBLIC_AUTHORITIES).find_map(read);
    let own = files.iter().filter_map(|path| read(path));
    let mut roots = RootCertStore::empty();
    for text in public.into_iter().chain(own) {
        let all = Certificate::all_from_pem(&text);
        roots.add_parsable_certificates(all.into_iter().map(|it| CertificateDer::from(it.as_der().to_vec())));
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| error.to_string())?;
    Ok(Arc::new(builder.with_root_certificates(roots).with_no_client_auth()))
}

//! Requests over HTTPS: one connection to one server, kept from request to request.

use std::io::{self, BufReader, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bunraku::apply::{Level, Log};
use bunraku::{PUPPET_VERSION, Settings};
use bunraku_web::Response;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, StreamOwned};

use crate::failure::Failure;
use crate::tls::Identity;
use crate::{seconds, text};

/// How long a connection is believed to be open when nothing is asked. Servers close theirs later than that.
const IDLE: Duration = Duration::from_secs(4);
/// How often an overloaded server is asked again.
const MOST_TRIES: usize = 10;

/// What is asked of a server.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request<'a> {
    pub(crate) method: &'a str,
    /// The path with the query.
    pub(crate) target: &'a str,
    pub(crate) headers: &'a [(&'a str, &'a str)],
    pub(crate) body: &'a [u8],
}

/// Why there was no answer.
struct Broken {
    error: io::Error,
    /// There was not even a connection.
    is_unreachable: bool,
}

type Stream = BufReader<StreamOwned<ClientConnection, TcpStream>>;

/// A connection to a server, made when it is needed.
pub struct Client {
    host: String,
    port: u16,
    tls: Arc<ClientConfig>,
    connect_time: Duration,
    read_time: Option<Duration>,
    /// How long an overloaded server may let us wait.
    longest_wait: Duration,
    headers: Vec<(String, String)>,
    log: Log,
    open: Option<(Stream, Instant)>,
}

impl Client {
    /// A client of a server that nothing is asked of yet.
    pub fn new(host: &str, port: u16, identity: &Identity, settings: &Settings, log: &Log) -> Result<Client, String> {
        let time = |name: &str| seconds(settings, name).map(|seconds| seconds.map(Duration::from_secs));
        let extra = settings.optional_text("http_extra_headers").map_err(|issue| issue.message().to_owned())?;
        let extra = extra.unwrap_or_default();
        let headers = extra.split(',').filter_map(|header| header.split_once(':'));
        let is_plain = |text: &str| !text.contains(|it: char| it.is_control());
        Ok(Client {
            host: host.to_owned(),
            port,
            tls: identity.configuration()?,
            connect_time: time("http_connect_timeout")?.unwrap_or(Duration::from_secs(120)),
            read_time: time("http_read_timeout")?.filter(|time| !time.is_zero()),
            longest_wait: time("runinterval")?.unwrap_or(Duration::from_secs(1800)),
            headers: headers
                .filter(|(name, value)| is_plain(name) && is_plain(value))
                .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
                .collect(),
            log: log.clone(),
            open: None,
        })
    }

    /// The client of the server that two settings name.
    pub fn of(server: &str, port: &str, identity: &Identity, settings: &Settings, log: &Log) -> Result<Client, String> {
        let number = text(settings, port)?;
        let number = number.parse().map_err(|_| format!("{port} is no port: {number}"))?;
        Client::new(&text(settings, server)?, number, identity, settings, log)
    }

    /// What is told if the server cannot be asked because nobody knows who this machine is.
    pub fn without_identity(settings: &Settings, log: &Log, reason: &str) -> String {
        let identity = Identity::default();
        match Client::of("server", "serverport", &identity, settings, log) {
            Ok(mut client) => client.unreachable("/puppet/v3/", reason, Duration::ZERO).to_string(),
            Err(reason) => reason,
        }
    }

    /// The server, as it is shown.
    pub fn address(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// The address of something on the server.
    pub(crate) fn url(&self, target: &str) -> String {
        let host = if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() };
        format!("https://{host}:{}{target}", self.port)
    }

    /// Asks for something, and gives the answer whatever its status is; an overloaded server is asked again.
    pub(crate) fn send(&mut self, request: &Request<'_>) -> Result<Response, Failure> {
        let start = Instant::now();
        for _ in 0..MOST_TRIES {
            let response = match self.exchange(request) {
                Ok(response) => response,
                Err(broken) => return Err(self.failure(request, &broken, start.elapsed())),
            };
            let wait = response.header("retry-after").and_then(|seconds| seconds.parse().ok());
            let Some(wait) = wait.filter(|_| response.status == 503).map(Duration::from_secs) else {
                return Ok(response);
            };
            std::thread::sleep(wait.min(self.longest_wait));
        }
        Err(Failure::Refused { status: 503, message: "the server is overloaded".to_owned() })
    }

    /// Asks for something that must be there.
    pub(crate) fn ask(&mut self, request: &Request<'_>) -> Result<Response, Failure> {
        let response = self.send(request)?;
        if (200..300).contains(&response.status) {
            return Ok(response);
        }
        let text = response.text();
        let json: Option<serde_json::Value> = serde_json::from_str(&text).ok();
        let message = json.as_ref().and_then(|json| json.get("message")?.as_str());
        Err(Failure::Refused { status: response.status, message: message.unwrap_or(&text).to_owned() })
    }

    /// One question and its answer, on the open connection if there is one. A server may have closed that in the meantime,
    /// which says nothing about the question.
    fn exchange(&mut self, request: &Request<'_>) -> Result<Response, Broken> {
        if let Some((mut stream, since)) = self.open.take()
            && since.elapsed() < IDLE
            && let Ok((response, is_kept)) = self.talk(&mut stream, request)
        {
            self.open = is_kept.then(|| (stream, Instant::now()));
            return Ok(response);
        }
        let mut stream = self.connect().map_err(|error| Broken { error, is_unreachable: true })?;
        let talked = self.talk(&mut stream, request).map_err(|error| Broken { error, is_unreachable: false });
        let (response, is_kept) = talked?;
        self.open = is_kept.then(|| (stream, Instant::now()));
        Ok(response)
    }

    fn talk(&self, stream: &mut Stream, request: &Request<'_>) -> io::Result<(Response, bool)> {
        let mut head = format!("{} {} HTTP/1.1\r\nHost: {}\r\n", request.method, request.target, self.address());
        let own = [
            ("User-Agent", concat!("Bunraku/", env!("CARGO_PKG_VERSION"))),
            ("X-Puppet-Version", PUPPET_VERSION),
            ("Accept-Encoding", "gzip"),
        ];
        let extra = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        for (name, value) in own.into_iter().chain(request.headers.iter().copied()).chain(extra) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !request.body.is_empty() || matches!(request.method, "PUT" | "POST") {
            head.push_str(&format!("Content-Length: {}\r\n", request.body.len()));
        }
        head.push_str("\r\n");
        let connection = stream.get_mut();
        connection.write_all(head.as_bytes())?;
        connection.write_all(request.body)?;
        connection.flush()?;
        Response::read(stream, request.method != "HEAD")
    }

    fn connect(&self) -> io::Result<Stream> {
        let stream = bunraku_web::connect(&self.host, self.port, self.connect_time, self.read_time)?;
        let name = ServerName::try_from(self.host.clone()).map_err(io::Error::other)?;
        let connection = ClientConnection::new(Arc::clone(&self.tls), name).map_err(io::Error::other)?;
        Ok(BufReader::new(StreamOwned::new(connection, stream)))
    }

    /// What becomes of a request without an answer.
    fn failure(&mut self, request: &Request<'_>, broken: &Broken, elapsed: Duration) -> Failure {
        let path = request.target.split('?').next().unwrap_or_default();
        let reason = bunraku_web::reason(&broken.error, &self.host, self.port);
        if broken.is_unreachable {
            return self.unreachable(path, &reason, elapsed);
        }
        let seconds = elapsed.as_secs_f64();
        Failure::Unanswered(format!("Request to {} failed after {seconds:.3} seconds: {reason}", self.url(path)))
    }

    /// That the server cannot be reached at all is told at once.
    fn unreachable(&mut self, path: &str, reason: &str, elapsed: Duration) -> Failure {
        let (base, service) = service(path);
        let (url, seconds) = (self.url(base), elapsed.as_secs_f64());
        let message = format!("Request to {url} failed after {seconds:.3} seconds: {reason}");
        let message = format!("Connection to {url} failed, trying next route: {message}\nWrapped exception:\n{reason}");
        self.log.say(Level::Err, message);
        Failure::Unanswered(format!("No more routes to {service}"))
    }
}

/// What serves a path, and its name in messages.
fn service(path: &str) -> (&'static str, &'static str) {
    match path.strip_prefix("/puppet/v3/") {
        Some(rest) if rest.starts_with("file_") => ("/puppet/v3", "fileserver"),
        Some(rest) if rest.starts_with("report/") => ("/puppet/v3", "report"),
        Some(_) => ("/puppet/v3", "puppet"),
        None if path.starts_with("/puppet-ca/") => ("/puppet-ca/v1", "ca"),
        None => ("/status/v1", "puppet"),
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Client").field("address", &self.address()).finish_non_exhaustive()
    }
}

//! An agent that asks for catalogs, and nothing else: one connection, one request after the other.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bunraku_pki::{Certificate, SigningKey};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::Result;

/// The node that catalogs are compiled for.
pub const NODE: &str = "node.bench.test";
/// The environments that take turns.
pub const ENVIRONMENTS: [&str; 3] = ["production", "one", "two"];

/// A connection with TLS around it, and the requests that are sent over it.
pub struct Client {
    stream: BufReader<StreamOwned<ClientConnection, TcpStream>>,
    requests: Vec<Vec<u8>>,
    buffer: Vec<u8>,
}

impl Client {
    /// Connects with the certificate in the directories of `ssldir`.
    pub fn connect(port: u16, ssl: &Path) -> Result<Client> {
        let read = |path: String| std::fs::read_to_string(ssl.join(path));
        let mut roots = RootCertStore::empty();
        let authorities = Certificate::all_from_pem(&read("certs/ca.pem".to_owned())?);
        roots.add_parsable_certificates(authorities.iter().map(|it| CertificateDer::from(it.as_der().to_vec())));
        let own = Certificate::from_pem(&read(format!("certs/{NODE}.pem"))?)?;
        let key = SigningKey::from_pem(&read(format!("private_keys/{NODE}.pem"))?)?;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.to_pkcs8().to_vec()));
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let configuration = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_client_auth_cert(vec![CertificateDer::from(own.as_der().to_vec())], key)?;
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(Duration::from_secs(120)))?;
        let connection = ClientConnection::new(Arc::new(configuration), ServerName::try_from("localhost")?)?;
        let stream = BufReader::with_capacity(1 << 16, StreamOwned::new(connection, stream));
        let requests = ENVIRONMENTS.map(request).to_vec();
        Ok(Client { stream, requests, buffer: vec![0; 1 << 16] })
    }

    /// Asks for a catalog of an environment; the size of the answer.
    pub fn catalog(&mut self, environment: usize) -> Result<usize> {
        let request = self.requests.get(environment % self.requests.len()).ok_or("no such environment")?;
        self.stream.get_mut().write_all(request)?;
        let (mut line, mut length, mut is_chunked) = (String::new(), 0, false);
        self.stream.read_line(&mut line)?;
        if line.split(' ').nth(1) != Some("200") {
            return Err(format!("the server answers {line}").into());
        }
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let header = line.trim_end().to_lowercase();
            match header.split_once(": ") {
                Some(("content-length", value)) => length = value.parse()?,
                Some(("transfer-encoding", value)) => is_chunked = value == "chunked",
                _ if header.is_empty() => break,
                _ => {}
            }
        }
        if !is_chunked {
            self.skip(length)?;
            return Ok(length);
        }
        let mut total = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let size = usize::from_str_radix(line.trim_end(), 16)?;
            self.skip(size)?;
            line.clear();
            self.stream.read_line(&mut line)?;
            total += size;
            if size == 0 {
                return Ok(total);
            }
        }
    }

    fn skip(&mut self, mut length: usize) -> Result<()> {
        while length > 0 {
            let part = self.buffer.len().min(length);
            self.stream.read_exact(self.buffer.get_mut(..part).unwrap_or_default())?;
            length -= part;
        }
        Ok(())
    }
}

/// What an agent of release 8 sends, with few facts.
fn request(environment: &str) -> Vec<u8> {
    let facts = format!(
        "{{\"name\":\"{NODE}\",\"values\":{{\"os\":{{\"family\":\"Debian\"}},\"kernel\":\"Linux\",\
         \"clientcert\":\"{NODE}\"}},\"timestamp\":\"2026-01-01T00:00:00.000000000+00:00\",\
         \"expiration\":\"2036-01-01T00:00:00.000000000+00:00\"}}"
    );
    let encoded: String = facts.bytes().map(|byte| format!("%25{byte:02X}")).collect();
    let body = format!(
        "facts_format=application%2Fjson&facts={encoded}&environment={environment}&configured_environment={environment}\
         &check_environment=false&transaction_uuid=7d2d4d0e-6f0f-4e4e-9f2c-000000000000&job_uuid=&static_catalog=true\
         &checksum_type=sha256.sha384.sha512.sha224.md5"
    );
    format!(
        "POST /puppet/v3/catalog/{NODE}?environment={environment} HTTP/1.1\r\nHost: localhost\r\nX-Puppet-Version: 8.10.0\r\n\
         User-Agent: Puppet/8.10.0 bench\r\nAccept: application/vnd.puppet.rich+json, application/json\r\n\
         Accept-Encoding: gzip;q=1.0,deflate;q=0.6,identity;q=0.3\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// What a number of clients have seen.
#[derive(Debug, Default, Clone)]
pub struct Load {
    /// How long each answer took, in ascending order.
    pub times: Vec<Duration>,
    /// How long it took altogether.
    pub took: Duration,
    /// The size of an answer.
    pub bytes: usize,
}

impl Load {
    /// Catalogs per second.
    pub fn rate(&self) -> f64 {
        self.times.len() as f64 / self.took.as_secs_f64()
    }

    /// The time that this part of the answers did not exceed, in milliseconds.
    pub fn percentile(&self, part: f64) -> f64 {
        let place = (self.times.len() as f64 * part) as usize;
        let time = self.times.get(place.min(self.times.len().saturating_sub(1)));
        time.map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
    }
}

/// How much is asked.
#[derive(Debug, Clone, Copy)]
pub enum Until {
    /// As much as possible for so long, or as many in a second as the number says.
    Time(Duration, Option<f64>),
    /// So many catalogs of all environments in turn.
    Count(usize),
}

/// Lets clients ask at the same time.
pub fn load(port: u16, ssl: &Path, clients: usize, until: Until) -> Result<Load> {
    let failed = AtomicBool::new(false);
    let begun = Instant::now();
    let run = |number: usize| -> Result<(Vec<Duration>, usize)> {
        let mut client = Client::connect(port, ssl)?;
        let (mut times, mut bytes, mut next) = (Vec::new(), 0, Instant::now());
        while !failed.load(Ordering::Relaxed) {
            match until {
                Until::Time(time, _) if begun.elapsed() >= time => break,
                Until::Count(count) if times.len() >= count / clients => break,
                Until::Time(_, Some(rate)) => {
                    // A client that has fallen behind does not catch up at once: agents do not, either.
                    next = (next + Duration::from_secs_f64(clients as f64 / rate)).max(Instant::now());
                    std::thread::sleep(next.saturating_duration_since(Instant::now()));
                }
                _ => {}
            }
            let asked = Instant::now();
            let environment = if matches!(until, Until::Count(_)) { times.len() + number } else { 0 };
            bytes = client.catalog(environment)?;
            times.push(asked.elapsed());
        }
        Ok((times, bytes))
    };
    let done: Vec<Result<(Vec<Duration>, usize)>> = std::thread::scope(|scope| {
        let run = |number| {
            let outcome = run(number);
            failed.fetch_or(outcome.is_err(), Ordering::Relaxed);
            outcome.map_err(|error| error.to_string())
        };
        let workers: Vec<_> = (0..clients).map(|number| scope.spawn(move || run(number))).collect();
        let joined = |worker: std::thread::ScopedJoinHandle<'_, std::result::Result<_, String>>| match worker.join() {
            Ok(outcome) => outcome.map_err(Into::into),
            Err(_) => Err("a client has failed".into()),
        };
        workers.into_iter().map(joined).collect()
    });
    let mut load = Load { took: begun.elapsed(), ..Load::default() };
    for done in done {
        let (times, bytes) = done?;
        load.times.extend(times);
        load.bytes = bytes;
    }
    load.times.sort();
    Ok(load)
}

//! A running server, and clients of it.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]
#![allow(dead_code, reason = "not every test needs all of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bunraku_server::pki::{Certificate, SigningKey};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, HandshakeKind, RootCertStore, StreamOwned};

use crate::site::Site;

/// Waits until something is so.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A server on a port of its own; it ends with the test.
pub(crate) struct Running {
    pub(crate) child: Child,
    pub(crate) port: String,
    said: Arc<Mutex<Vec<String>>>,
}

impl Running {
    pub(crate) fn start(site: &Site, flags: &[&str]) -> Running {
        let arguments = [&["server", "--confdir", "conf", "--serverport", "0"], flags].concat();
        Running::spawn(site.plain_command(&arguments))
    }

    /// Starts a command that becomes a server, and waits until it is ready.
    pub(crate) fn spawn(mut command: Command) -> Running {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let said: Arc<Mutex<Vec<String>>> = Arc::default();
        let port = lines.by_ref().find_map(|line| {
            let place = line.split_once("is ready on").map(|(_, place)| place.trim_end_matches(['"', '}']));
            let port = place.map(|place| place.chars().rev().take_while(char::is_ascii_digit).collect::<String>());
            said.lock().unwrap().push(line);
            port.map(|reversed| reversed.chars().rev().collect::<String>())
        });
        let port = port.unwrap_or_else(|| unreachable_server(&said.lock().unwrap()));
        // Somebody has to read what the server says, lest it waits.
        let kept = Arc::clone(&said);
        std::thread::spawn(move || lines.for_each(|line| kept.lock().unwrap().push(line)));
        Running { child, port, said }
    }

    /// What the server has said so far.
    pub(crate) fn said(&self) -> Vec<String> {
        self.said.lock().unwrap().clone()
    }

    pub(crate) fn signal(&self, name: &str) {
        assert!(Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap().success());
    }

    /// Output and exit code of a run of an agent, ours or the reference's.
    pub(crate) fn agent(&self, site: &Site, program: &str, name: &str, flags: &[&str]) -> (String, i32) {
        let agent = ["agent", "--onetime", "--no-daemonize", "--verbose", "--detailed-exitcodes", "--waitforcert", "0"];
        self.client(site, program, name, &[&agent, flags].concat())
    }

    /// Output and exit code of a command that asks the server as a machine of this name.
    pub(crate) fn client(&self, site: &Site, program: &str, name: &str, command: &[&str]) -> (String, i32) {
        let home = site.directory.join("agents").join(name);
        std::fs::create_dir_all(&home).unwrap();
        let below = |part: &str| home.join(part).display().to_string();
        let output = Command::new(program)
            .args(command)
            .args(["--color=false", "--server", "localhost", "--serverport", &self.port, "--certname", name])
            .args(["--confdir", &below("conf"), "--vardir", &below("var"), "--ssldir", &below("ssl")])
            .args(["--rundir", &below("run"), "--logdir", &below("log")])
            .env("FACTER_out", site.directory.join("out"))
            .env("FACTER_port", &self.port)
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        (String::from_utf8_lossy(&said).into_owned(), output.status.code().unwrap())
    }

    /// A connection of whoever has a certificate in the directories of the server, or of nobody.
    pub(crate) fn connect(&self, site: &Site, name: Option<&str>) -> Connection {
        Connection::open(&self.port, site, name).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = Command::new("kill").arg(self.child.id().to_string()).status();
            let _ = self.child.wait();
        }
    }
}

#[expect(clippy::panic, reason = "a test states its expectation")]
fn unreachable_server(said: &[String]) -> String {
    panic!("the server does not start:\n{}", said.join("\n"))
}

/// A connection with TLS around it.
pub(crate) struct Connection(StreamOwned<ClientConnection, TcpStream>);

impl Connection {
    pub(crate) fn open(port: &str, site: &Site, name: Option<&str>) -> std::io::Result<Connection> {
        Connection::with(port, &Connection::configuration(site, name))
    }

    /// What a client knows and remembers, for several connections.
    pub(crate) fn configuration(site: &Site, name: Option<&str>) -> Arc<ClientConfig> {
        let mut roots = RootCertStore::empty();
        let all = Certificate::all_from_pem(&site.read("ssl/certs/ca.pem"));
        roots.add_parsable_certificates(all.iter().map(|it| CertificateDer::from(it.as_der().to_vec())));
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let builder = builder.with_root_certificates(roots);
        Arc::new(match name {
            None => builder.with_no_client_auth(),
            Some(name) => {
                let own = Certificate::all_from_pem(&site.read(&format!("ssl/certs/{name}.pem")));
                let own = own.iter().map(|it| CertificateDer::from(it.as_der().to_vec())).collect();
                let key = SigningKey::from_pem(&site.read(&format!("ssl/private_keys/{name}.pem"))).unwrap();
                let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.to_pkcs8().to_vec()));
                builder.with_client_auth_cert(own, key).unwrap()
            }
        })
    }

    pub(crate) fn with(port: &str, configuration: &Arc<ClientConfig>) -> std::io::Result<Connection> {
        let stream = TcpStream::connect(("127.0.0.1", port.parse().unwrap()))?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let host = ServerName::try_from("localhost").unwrap();
        let connection = ClientConnection::new(Arc::clone(configuration), host).unwrap();
        Ok(Connection(StreamOwned::new(connection, stream)))
    }

    /// How the connection was made.
    pub(crate) fn handshake(&self) -> Option<HandshakeKind> {
        self.0.conn.handshake_kind()
    }

    /// The certificate that the server has shown.
    pub(crate) fn shown(&self) -> Certificate {
        let shown = self.0.conn.peer_certificates().unwrap().first().unwrap();
        Certificate::from_der(shown.to_vec()).unwrap()
    }

    /// Sends a request as agents do; the status and the body of the answer.
    pub(crate) fn ask(
        &mut self,
        method: &str,
        target: &str,
        kind: &str,
        body: &[u8],
    ) -> std::io::Result<(u16, String)> {
        let head = format!(
            "{method} {target} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, application/octet-stream, \
             text/plain\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        self.send(&[head.as_bytes(), body].concat())?;
        self.answer()
    }

    pub(crate) fn get(&mut self, target: &str) -> std::io::Result<(u16, String)> {
        self.ask("GET", target, "text/plain", b"")
    }

    /// The head of the answer in lowercase, and its body.
    pub(crate) fn get_with_head(&mut self, target: &str) -> std::io::Result<(String, String)> {
        self.send(format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n").as_bytes())?;
        self.whole_answer()
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0.write_all(bytes)?;
        self.0.flush()
    }

    /// Reads one answer.
    pub(crate) fn answer(&mut self) -> std::io::Result<(u16, String)> {
        let (head, body) = self.whole_answer()?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Ok((status.ok_or_else(|| std::io::Error::from(std::io::ErrorKind::InvalidData))?, body))
    }

    fn whole_answer(&mut self) -> std::io::Result<(String, String)> {
        let early = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            if self.0.read(&mut byte)? == 0 {
                return Err(early());
            }
            head.push(byte[0]);
        }
        let head = String::from_utf8_lossy(&head).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.and_then(|length| length.parse().ok()).unwrap_or(0)];
        self.0.read_exact(&mut body)?;
        Ok((head, String::from_utf8_lossy(&body).into_owned()))
    }
}

/// What `puppet.conf` says in all of these tests.
pub(crate) fn configure(site: &Site, further: &str) {
    let root = site.directory.display();
    let text = format!(
        "[main]\ncertname = puppet.test\n[server]\ncadir = {root}/ca\nssldir = {root}/ssl\nvardir = {root}/var\n\
         codedir = {root}/code\nautosign = {root}/autosign.conf\ndns_alt_names = localhost\n{further}"
    );
    site.write("conf/puppet.conf", &text);
}

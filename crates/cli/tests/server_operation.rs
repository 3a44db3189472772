//! The server as a service: started by a service manager, told to read its configuration, and in the hands of clients that
//! want to hold it.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

#[path = "site/server.rs"]
mod running;
mod site;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use bunraku_server::pki::{Authority, Certificate, Certification, RevocationList, SigningKey};
use running::{Connection, Running, configure, until};
use rustls::HandshakeKind;
use site::Site;

const ME: Option<&str> = Some("puppet.test");

fn site(name: &str) -> Site {
    let site = Site::new(name, &[("code/environments/production/manifests/site.pp", "notify { 'x': }\n")]);
    configure(&site, "");
    site
}

#[test]
fn a_service_manager_keeps_the_socket() {
    let site = site("server_socket");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let manager = UnixDatagram::bind(site.directory.join("notify")).unwrap();
    let start = || {
        let binary = site.plain_command(&[]).get_program().to_owned();
        let mut command = Command::new("sh");
        // The shell makes its standard input the third descriptor, as service managers pass sockets.
        command
            .args(["-c", "exec 3<&0 </dev/null; export LISTEN_PID=$$ LISTEN_FDS=1; exec \"$0\" \"$@\""])
            .arg(binary)
            .args(["server", "--confdir", "conf", "--serverport", "1"])
            .env("NOTIFY_SOCKET", site.directory.join("notify"))
            .current_dir(&site.directory)
            .stdin(Stdio::from(std::os::fd::OwnedFd::from(listener.try_clone().unwrap())));
        Running::spawn(command)
    };
    let mut server = start();
    let mut told = [0; 64];
    let length = manager.recv(&mut told).unwrap();
    assert_eq!(&told[..length], b"READY=1");
    assert_eq!(server.port, port);
    assert_eq!(server.connect(&site, ME).get("/status/v1/simple").unwrap(), (200, "running".to_owned()));

    // Whoever connects while there is no server is answered by the next one.
    server.signal("TERM");
    assert!(server.child.wait().unwrap().success());
    let mut waiting = Connection::open(&port, &site, ME).unwrap();
    let asked = std::thread::spawn(move || waiting.get("/status/v1/simple").unwrap());
    let _next = start();
    assert_eq!(asked.join().unwrap(), (200, "running".to_owned()));
}

#[test]
fn the_configuration_is_read_again() {
    let site = site("server_reload");
    let server = Running::start(&site, &["--log-format", "json"]);
    let mut client = server.connect(&site, ME);
    let asked = "/puppet/v3/environment_classes?environment=production";
    assert_eq!(client.get(asked).unwrap().0, 403);
    let rule = "authorization: { version: 1, rules: [ { name: all, sort-order: 1, allow: \"*\", \
                match-request: { path: \"/\", type: path } } ] }";
    site.write("conf/puppetserver/conf.d/auth.conf", rule);
    server.signal("HUP");
    // Connections stay, and every request is answered.
    until("the new rules hold", || client.get(asked).unwrap().0 == 200);
    site.write("conf/puppetserver/conf.d/auth.conf", "authorization: {");
    server.signal("HUP");
    until("the mistake is told", || server.said().iter().any(|line| line.contains("stays as it was")));
    assert_eq!(client.get(asked).unwrap().0, 200);

    let lines: Vec<serde_json::Value> = server.said().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answered = lines.iter().find(|line| line["status"] == 403).unwrap();
    assert_eq!(answered["client"], "puppet.test");
    assert_eq!(answered["environment"], "production");
    assert_eq!(answered["message"], "GET /puppet/v3/environment_classes");
    assert!(answered["milliseconds"].is_number());
}

#[test]
fn clients_cannot_hold_the_server() {
    let site = site("server_limits");
    let server = Running::start(&site, &[]);
    let address = ("127.0.0.1", server.port.parse::<u16>().unwrap());
    // More than the soft limit of open files that most systems have.
    let count: usize = std::env::var("BUNRAKU_CONNECTIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_200);
    let idle: Vec<TcpStream> = (0..count).map(|_| TcpStream::connect(address).unwrap()).collect();
    let slow: Vec<Connection> = (0..count / 24)
        .map(|_| {
            let mut connection = server.connect(&site, None);
            connection.send(b"GET /status/v1/simple HTTP/1.1\r\nHost: x\r\nX-Slow: ").unwrap();
            connection
        })
        .collect();
    let begun = Instant::now();
    assert_eq!(server.connect(&site, ME).get("/status/v1/simple").unwrap().0, 200);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    drop((idle, slow));

    // Strangers send little; nobody sends without end.
    let put = "PUT /puppet-ca/v1/certificate_request/x.test HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n";
    let large = vec![b'x'; 300 << 10];
    let mut stranger = server.connect(&site, None);
    let head = format!("{put}Content-Length: {}\r\n\r\n", large.len());
    // The server may stop reading before everything is sent.
    let _ = stranger.send(&[head.as_bytes(), &large].concat());
    assert_eq!(stranger.answer().map_or(413, |(status, _)| status), 413);
    let mut stranger = server.connect(&site, None);
    let _ = stranger.send(&[put.as_bytes(), b"X-Long: ", &large, b"\r\n\r\n"].concat());
    assert_eq!(stranger.answer().map_or(431, |(status, _)| status), 431);
}

#[test]
fn one_request_is_one_request() {
    let site = site("server_smuggling");
    let server = Running::start(&site, &[]);
    let other = "GET /puppet/v3/nothing HTTP/1.1\r\nHost: x\r\n\r\n";
    let length = other.len();
    for head in [
        // Two lengths, or none that can be trusted.
        "POST /status/v1/simple HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: LEN\r\n\r\n",
        "POST /status/v1/simple HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST /status/v1/simple HTTP/1.1\r\nHost: x\r\nContent-Length: +LEN\r\n\r\n",
        "POST /status/v1/simple HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n",
        "POST /status/v1/simple HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n",
        "POST /status/v1/simple HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "POST /status/v1/simple HTTP/1.1\r\nHost : x\r\n\r\n",
        "POST /status/v1/simple HTTP/1.1\r\nHost: x\r\n Folded: y\r\n\r\n",
        "POST /status/v1/simple HTTP/1.1\nHost: x\nContent-Length: 0\r\nX: \0\r\n\r\n",
    ] {
        let head = head.replace("LEN", &length.to_string());
        let mut client = server.connect(&site, None);
        client.send(format!("{head}{other}").as_bytes()).unwrap();
        let status = client.answer().map_or(400, |(status, _)| status);
        assert!(status >= 400, "{status} {head:?}");
        // What follows is not taken for a request.
        assert!(client.answer().is_err(), "{head:?}");
    }
    // A length beside chunks does not count, and the connection ends or goes on with what follows the chunks.
    let mut client = server.connect(&site, None);
    let head =
        "GET /status/v1/simple HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    client.send(head.as_bytes()).unwrap();
    assert!(client.answer().map_or(400, |(status, _)| status) >= 200);
    let after = client.send(other.as_bytes()).and_then(|()| client.answer());
    assert!(after.is_err() || after.unwrap().0 >= 400);

    // Without TLS there is nothing.
    let mut plain = TcpStream::connect(("127.0.0.1", server.port.parse::<u16>().unwrap())).unwrap();
    plain.write_all(b"GET /status/v1/simple HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut said = Vec::new();
    let _ = plain.read_to_end(&mut said);
    assert!(!said.starts_with(b"HTTP"), "{said:?}");
    assert_eq!(server.connect(&site, ME).get("/status/v1/simple").unwrap().0, 200);
}

#[test]
fn wrong_certificates_are_refused() {
    let site = site("server_strangers");
    assert!(site.plain_command(&["ca", "setup", "--confdir", "conf"]).output().unwrap().status.success());
    let certificate = Certificate::from_pem(&site.read("ca/ca_crt.pem")).unwrap();
    let key = SigningKey::from_pem(&site.read("ca/ca_key.pem")).unwrap();
    let authority = Authority::new(certificate, key).unwrap();
    let (now, day) = (SystemTime::now(), Duration::from_secs(86_400));
    // The same name as that of the real authority, and another key.
    let other = Authority::make_root("Puppet CA", now - day, now + day).unwrap();
    let make = |file: &str, by: &Authority, name: &str, from: SystemTime, to: SystemTime| {
        let key = SigningKey::generate_curve().unwrap();
        let public_key_info = key.public_key_info().unwrap();
        let (serial, extensions) = ([9, 9].as_slice(), [].as_slice());
        let content = Certification {
            name,
            public_key_info: &public_key_info,
            serial,
            not_before: from,
            not_after: to,
            extensions,
        };
        site.write(&format!("ssl/certs/{file}.pem"), &by.certify(&content).unwrap().to_pem());
        site.write(&format!("ssl/private_keys/{file}.pem"), &key.to_pem());
    };
    let server = Running::start(&site, &[]);
    let catalog = "/puppet/v3/catalog/a.test?environment=production";
    let ask = |file: &str| {
        let mut connection = server.connect(&site, Some(file));
        connection.get(catalog).map(|(status, _)| status)
    };
    make("good", &authority, "a.test", now - day, now + day);
    assert_eq!(ask("good").unwrap(), 200);
    make("other", &authority, "b.test", now - day, now + day);
    assert_eq!(ask("other").unwrap(), 403);
    make("ended", &authority, "a.test", now - day * 2, now - day);
    make("early", &authority, "a.test", now + day, now + day * 2);
    make("foreign", &other, "a.test", now - day, now + day);
    for file in ["ended", "early", "foreign"] {
        assert!(ask(file).is_err(), "{file}");
    }
    // A node is no authority: what it has signed counts for nothing.
    let node = Certificate::from_pem(&site.read("ssl/certs/good.pem")).unwrap();
    let node_key = SigningKey::from_pem(&site.read("ssl/private_keys/good.pem")).unwrap();
    make("signed_by_node", &Authority::new(node, node_key).unwrap(), "a.test", now - day, now + day);
    let both = site.read("ssl/certs/signed_by_node.pem") + &site.read("ssl/certs/good.pem");
    site.write("ssl/certs/signed_by_node.pem", &both);
    assert!(ask("signed_by_node").is_err());
    // The authority's certificate is public; without its key it proves nothing, and it is no node.
    assert_eq!(server.connect(&site, None).get(catalog).unwrap().0, 403);
}

#[test]
fn an_environment_without_modules_has_plugins_all_the_same() {
    let site = site("server_plain");
    let server = Running::start(&site, &[]);
    let target = "/puppet/v3/file_metadatas/plugins?environment=production&recurse=true&links=manage";
    let (status, said) = server.connect(&site, ME).get(target).unwrap();
    let found: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((status, found.as_array().unwrap().len(), found[0]["relative_path"].as_str()), (200, 1, Some(".")));
}

#[test]
fn a_list_that_is_about_to_end_is_made_anew() {
    let site = site("server_list");
    let setup = ["ca", "setup", "--confdir", "conf"];
    assert!(site.plain_command(&setup).output().unwrap().status.success());
    let certificate = Certificate::from_pem(&site.read("ca/ca_crt.pem")).unwrap();
    let authority = Authority::new(certificate, SigningKey::from_pem(&site.read("ca/ca_key.pem")).unwrap()).unwrap();
    let now = SystemTime::now();
    let old = authority.revoke(None, &[vec![77]], now, now + Duration::from_secs(86_400)).unwrap();
    let lists = RevocationList::all_from_pem(&site.read("ca/ca_crl.pem"));
    site.write("ca/ca_crl.pem", &format!("{}{}", old.to_pem(), lists[1].to_pem()));
    let server = Running::start(&site, &[]);
    let own = || RevocationList::all_from_pem(&site.read("ca/ca_crl.pem")).remove(0);
    until("the list is made anew", || own().next_update() > old.next_update().map(|end| end + 365 * 86_400));
    assert!(own().is_revoked(&[77]) && own().is_made_by(authority.certificate()));
    // The others are as they were.
    assert_eq!(RevocationList::all_from_pem(&site.read("ca/ca_crl.pem"))[1], lists[1]);
    assert_eq!(server.connect(&site, ME).get("/status/v1/simple").unwrap().0, 200);
}

#[test]
fn handshakes_are_cheap_where_nothing_has_changed() {
    let site = site("server_handshakes");
    let server = Running::start(&site, &[]);
    let client = Connection::configuration(&site, ME);
    let kind = || {
        let mut connection = Connection::with(&server.port, &client).unwrap();
        // Who has shown a certificate before is still known.
        let target = "/puppet/v3/catalog/puppet.test?environment=production";
        assert_eq!(connection.get(target).unwrap().0, 200);
        (connection.handshake(), connection.shown())
    };
    let (first, shown) = kind();
    // A key on an elliptic curve, next to the RSA key that the server has for older clients.
    let own = Certificate::from_pem(&site.read("ssl/certs/puppet.test.pem")).unwrap();
    assert_eq!(first, Some(HandshakeKind::Full));
    assert!(shown.name() == own.name() && shown.public_key_info() != own.public_key_info());
    assert_eq!(kind().0, Some(HandshakeKind::Resumed));
    // As soon as a list of revoked certificates changes everybody is looked at again.
    assert!(
        site.plain_command(&["ca", "generate", "--certname", "a.test", "--confdir", "conf"])
            .output()
            .unwrap()
            .status
            .success()
    );
    assert!(
        site.plain_command(&["ca", "revoke", "--certname", "a.test", "--confdir", "conf"])
            .output()
            .unwrap()
            .status
            .success()
    );
    assert_eq!(kind().0, Some(HandshakeKind::Full));
}

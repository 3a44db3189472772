//! What our agent does besides applying catalogs: it keeps copies on the server, says more in its request for a certificate,
//! and obeys signals when it stays.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

#[path = "site/server.rs"]
mod running;
mod site;

use std::process::{Child, Command};
use std::time::Duration;

use bunraku_server::pki::CertificateRequest;
use running::{Running, configure, until};
use site::Site;

const OURS: &str = env!("CARGO_BIN_EXE_bunraku");
const MANIFEST: &str = "filebucket { 'server': path => false }\n\
                        file { \"${facts['out']}/a\": content => \"new\\n\", backup => 'server' }\n";
/// The checksum of what the file had before.
const OLD: &str = "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7";

fn site(name: &str, manifest: &str) -> Site {
    let site = Site::new(name, &[("code/environments/production/manifests/site.pp", manifest), ("out/a", "a\n")]);
    configure(&site, "");
    site.write("autosign.conf", "web.test\n");
    site
}

/// The places of an agent's files.
fn places(site: &Site, name: &str) -> Vec<String> {
    let home = site.directory.join("agents").join(name);
    let place = |part: &str| [format!("--{part}dir"), home.join(part).display().to_string()];
    ["conf", "var", "ssl", "run", "log"].iter().flat_map(|part| place(part)).collect()
}

#[test]
fn copies_are_kept_on_the_server() {
    let site = site("agent_bucket", MANIFEST);
    let server = Running::start(&site, &[]);
    let (said, code) = server.agent(&site, OURS, "web.test", &["--digest_algorithm", "sha256"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains(&format!("out/a to server with sum {OLD}")), "{said}");
    assert_eq!(site.read("out/a"), "new\n");

    // Whoever has stored something gets it back, and nothing else is there.
    let ask = |args: &[&str]| {
        let network = ["--server", "localhost", "--serverport", &server.port, "--certname", "web.test"];
        let mut command = site.plain_command(&["filebucket"]);
        site.outcome(command.args(args).args(network).args(places(&site, "web.test")).output().unwrap())
    };
    assert_eq!(ask(&["get", OLD]), ("a\n".to_owned(), String::new(), 0));
    let none = "Error: Could not run: File not found\n".to_owned();
    assert_eq!(ask(&["get", &"0".repeat(64)]), (String::new(), none, 1));
    assert_eq!(ask(&["restore", "out/b", OLD]).2, 0);
    assert_eq!(site.read("out/b"), "a\n");
    let (said, _, code) = ask(&["backup", "out/a"]);
    assert!(code == 0 && said.starts_with("out/a: "), "{said}");
    let (said, _, _) = ask(&["diff", OLD, "out/a"]);
    assert!(said.contains("-a\n+new\n"), "{said}");
    assert!(ask(&["list"]).1.contains("Listing remote file buckets is not allowed"));

    // The same manifest, applied without a catalog of the server.
    site.write("out/a", "b\n");
    let manifest = MANIFEST.replace("${facts['out']}", &site.directory.join("out").display().to_string());
    let apply = ["apply", "-e", &manifest, "--server", "localhost", "--serverport", &server.port, "--verbose"];
    let places = places(&site, "web.test");
    let output = Command::new(OURS).args(apply).args(["--certname", "web.test"]).args(places).output().unwrap();
    let (said, errors, code) = site.outcome(output);
    assert!(code == 0 && said.contains("out/a to server with sum "), "{said}{errors}");
}

#[test]
fn requests_say_what_the_file_says() {
    let site = site("agent_attributes", "");
    site.write("autosign.conf", "");
    let attributes = "custom_attributes:\n  1.2.840.113549.1.9.7: the password\nextension_requests:\n  pp_role: web\n";
    site.write("agents/new.test/conf/csr_attributes.yaml", attributes);
    let server = Running::start(&site, &[]);
    server.agent(&site, OURS, "new.test", &[]);
    let request = CertificateRequest::from_pem(&site.read("ca/requests/new.test.pem")).unwrap();
    assert_eq!(request.attribute("1.2.840.113549.1.9.7").as_deref(), Some("the password"));
    let role = request.extensions().into_iter().find(|it| it.oid == "1.3.6.1.4.1.34380.1.1.13").unwrap();
    assert_eq!(role.text(), "web");
}

/// An agent that stays; it ends with the test.
struct Staying(Child);

impl Staying {
    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args(["-s", name, &self.0.id().to_string()]).status().unwrap().success());
    }
}

impl Drop for Staying {
    fn drop(&mut self) {
        // It is gone already, or goes now.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn an_agent_that_stays_obeys_signals() {
    let site = site("agent_signals", "");
    let server = Running::start(&site, &[]);
    let log = site.directory.join("agent.log");
    let mut agent = Staying(
        Command::new(OURS)
            .args(["agent", "--no-daemonize", "--verbose", "--certname", "web.test", "--runinterval", "1h"])
            .args(["--server", "localhost", "--serverport", &server.port, "--logdest"])
            .arg(&log)
            .args(places(&site, "web.test"))
            .spawn()
            .unwrap(),
    );
    let said = || std::fs::read_to_string(&log).unwrap_or_default();
    let count = |what: &str| said().matches(what).count();
    until("the first run", || count("Applied catalog") == 1);
    // Who asks while a run is about to end is told to ask again.
    until("a run that is asked for", || {
        agent.signal("USR1");
        std::thread::sleep(Duration::from_millis(500));
        count("Applied catalog") >= 2
    });
    assert!(count("Caught USR1; storing reload") >= 1, "{}", said());
    std::fs::rename(&log, site.directory.join("agent.log.1")).unwrap();
    agent.signal("USR2");
    agent.signal("HUP");
    until("a new beginning", || count("Starting Puppet client") == 1 && count("Applied catalog") >= 1);
    agent.signal("TERM");
    assert!(agent.0.wait().unwrap().success());
    assert!(said().contains("Caught TERM; exiting"), "{}", said());
    assert!(!site.directory.join("agents/web.test/run/agent.pid").exists());
}

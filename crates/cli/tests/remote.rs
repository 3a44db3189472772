//! Commands that ask the server of this machine's agent: `ssl`, `plugin download`, `facts upload`, `catalog download`; and
//! `node clean`, which makes the server forget it.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

#[path = "site/server.rs"]
mod running;
mod site;

use running::Running;
use site::Site;

const BUNRAKU: &str = env!("CARGO_BIN_EXE_bunraku");

fn site(name: &str) -> Site {
    let site = Site::new(
        name,
        &[
            ("code/environments/production/manifests/site.pp", "notify { \"fact ${facts['out_kind']}\": }\n"),
            (
                "code/environments/production/modules/m/lib/facter/out_kind.rb",
                "Facter.add(:out_kind) { setcode { 'from a plugin' } }\n",
            ),
            ("autosign.conf", "auto.test\n"),
        ],
    );
    let root = site.directory.display();
    let conf = format!(
        "[main]\ncertname = puppet.test\n[server]\ncadir = {root}/ca\nssldir = {root}/ssl\nvardir = {root}/var\n\
         codedir = {root}/code\nautosign = {root}/autosign.conf\ndns_alt_names = localhost\n"
    );
    site.write("conf/puppet.conf", &conf);
    site
}

#[test]
fn a_certificate_step_by_step() {
    let site = site("remote_ssl");
    let server = Running::start(&site, &[]);
    let ask = |command: &[&str], expected: &str, code: i32| {
        let (said, ended) = server.client(&site, BUNRAKU, "web.test", command);
        assert!(said.contains(expected) && ended == code, "{command:?}: {ended} {said}");
    };
    let own = |part: &str| site.directory.join("agents/web.test/ssl").join(part).exists();
    ask(&["ssl"], "Could not run: An action must be specified.", 1);
    ask(&["ssl", "bogus"], "Unknown action 'bogus'", 1);
    ask(&["ssl", "generate_request"], "Notice: Generated certificate request in '", 0);
    assert!(own("certificate_requests/web.test.pem") && own("private_keys/web.test.pem"));
    ask(&["ssl", "download_cert"], "The certificate for 'web.test' has not yet been signed", 1);
    let submitted = format!(
        "Notice: Submitted certificate request for 'web.test' to https://localhost:{}/puppet-ca/v1\n",
        server.port
    );
    ask(&["ssl", "submit_request"], &submitted, 0);
    ask(&["plugin", "download"], "Failed to initialize SSL: The client certificate is missing", 1);
    let sign = ["ca", "sign", "--certname", "web.test", "--confdir", "conf"];
    assert_eq!(site.outcome(site.plain_command(&sign).output().unwrap()).2, 0);
    ask(&["ssl", "download_cert"], "Notice: Downloaded certificate 'web.test' with fingerprint (SHA256) ", 0);
    assert!(own("certs/web.test.pem") && !own("certificate_requests/web.test.pem"));
    ask(&["ssl", "verify"], "Verified client certificate 'CN=web.test' fingerprint (SHA256) ", 0);
    ask(&["ssl", "submit_request"], "due to a conflict on the server", 1);
    ask(
        &["ssl", "renew_cert", "--if-expiring-in", "1d", "--verbose"],
        "Certificate 'web.test' is still valid until 20",
        0,
    );
    ask(&["ssl", "renew_cert", "--if-expiring-in", "soon"], "Invalid duration format: soon", 1);
    ask(&["ssl", "renew_cert"], "", 0);
    ask(&["ssl", "clean", "web.test"], "Extra arguments detected: web.test", 1);
    ask(&["ssl", "clean"], "Notice: Removed private key ", 0);
    assert!(!own("private_keys/web.test.pem") && !own("certs/web.test.pem") && own("certs/ca.pem"));
    ask(&["ssl", "clean", "--localca"], "Notice: Removed local CA certificate ", 0);
    ask(&["ssl", "verify"], "The CA certificates are missing from '", 1);
    let (said, code) = server.client(&site, BUNRAKU, "auto.test", &["ssl", "bootstrap"]);
    assert!(said.contains("Notice: Completed SSL initialization") && code == 0, "{said}");
    let (said, code) = server.client(&site, BUNRAKU, "late.test", &["ssl", "bootstrap", "--waitforcert", "0"]);
    assert!(said.contains("Couldn't fetch certificate from CA server") && code == 1, "{said}");
}

#[test]
fn what_a_run_of_the_agent_does_alone() {
    let site = site("remote_parts");
    let server = Running::start(&site, &[]);
    let ask = |command: &[&str], expected: &str| {
        let (said, code) = server.client(&site, BUNRAKU, "auto.test", command);
        assert!(said.contains(expected) && code == 0, "{command:?}: {code} {said}");
    };
    ask(&["ssl", "bootstrap"], "Completed SSL initialization");
    ask(&["plugin", "download"], "Downloaded these plugins: ");
    ask(&["plugin", "download"], "No plugins downloaded.\n");
    ask(&["facts", "upload"], "Notice: Uploading facts for 'auto.test' to 'localhost'\n");
    assert!(site.read("var/yaml/facts/auto.test.yaml").contains("out_kind: from a plugin"));
    ask(&["catalog", "download"], "Notice: Saved catalog for auto.test to ");
    assert!(site.read("agents/auto.test/var/client_data/catalog/auto.test.json").contains("fact from a plugin"));
    assert_eq!(server.agent(&site, BUNRAKU, "auto.test", &["--use_cached_catalog"]).1, 2);
    assert!(site.directory.join("var/reports/auto.test").exists());

    // The server forgets the node.
    let clean = site.plain_command(&["node", "clean", "Auto.test", "--confdir", "conf"]).output().unwrap();
    let (said, errors, code) = site.outcome(clean);
    assert!(said.contains("Certificate for auto.test has been revoked") && code == 0, "{said} {errors}");
    for path in ["var/reports/auto.test", "var/yaml/facts/auto.test.yaml", "ca/signed/auto.test.pem"] {
        assert!(!site.directory.join(path).exists(), "{path}");
    }
    let (said, code) = server.client(&site, BUNRAKU, "auto.test", &["plugin", "download"]);
    assert!(said.contains("CertificateRevoked") && code == 1, "{said}");
    for name in ["../x", "a/b", ".."] {
        let outcome = site.plain_command(&["node", "clean", name, "--confdir", "conf"]).output().unwrap();
        assert_eq!(site.outcome(outcome).2, 1, "{name}");
    }
}

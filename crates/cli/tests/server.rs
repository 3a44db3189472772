//! The server with a real agent, from its first request for a certificate to the refusal of a revoked one.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

mod site;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use site::Site;

/// A server on a port of its own; it ends with the test.
struct Running {
    child: Child,
    port: String,
}

impl Running {
    fn start(site: &Site) -> Running {
        let mut command = site.plain_command(&["server", "--confdir", "conf", "--serverport", "0"]);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut said = Vec::new();
        let port = lines.by_ref().map(Result::unwrap).find_map(|line| {
            let port = line.contains("is ready on").then(|| line.rsplit(':').next().unwrap().to_owned());
            said.push(line);
            port
        });
        let port = port.unwrap_or_else(|| unreachable_server(&said));
        // Somebody has to read what the server says, lest it waits.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Running { child, port }
    }

    /// Output and exit code of an agent's run.
    fn agent(&self, site: &Site, name: &str, flags: &[&str]) -> (String, i32) {
        let home = site.directory.join("agents").join(name);
        std::fs::create_dir_all(&home).unwrap();
        let below = |part: &str| home.join(part).display().to_string();
        let output = Command::new("puppet")
            .args(["agent", "--onetime", "--no-daemonize", "--verbose", "--color=false", "--detailed-exitcodes"])
            .args(["--server", "localhost", "--serverport", &self.port, "--certname", name, "--waitforcert", "0"])
            .args(["--confdir", &below("conf"), "--vardir", &below("var"), "--ssldir", &below("ssl")])
            .args(["--rundir", &below("run"), "--logdir", &below("log")])
            .args(flags)
            .env("FACTER_out", site.directory.join("out"))
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        (String::from_utf8_lossy(&said).into_owned(), output.status.code().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

#[expect(clippy::panic, reason = "a test states its expectation")]
fn unreachable_server(said: &[String]) -> String {
    panic!("the server does not start:\n{}", said.join("\n"))
}

fn site(name: &str) -> Site {
    let site = Site::new(
        name,
        &[
            (
                "code/environments/production/manifests/site.pp",
                "node 'broken.test' { include nowhere }\n\
                 node default {\n  $out = assert_type(String[1], $facts['out'])\n  file {\n    \"${out}/plain\": source => 'puppet:///modules/m/plain';\n    \
                 \"${out}/tree\": ensure => directory, recurse => true, source => 'puppet:///modules/m/tree';\n    \
                 \"${out}/template\": content => epp('m/t.epp');\n    \
                 \"${out}/secret\": content => Sensitive('s3cret');\n    \
                 \"${out}/late\": content => Deferred('m::shout', ['hello']);\n  }\n}\n",
            ),
            ("code/environments/production/modules/m/files/plain", "plain\n"),
            ("code/environments/production/modules/m/files/tree/a/b", "deep\n"),
            (
                "code/environments/production/modules/m/templates/t.epp",
                "<%= $trusted['certname'] %> <%= $facts['out_kind'] %>\n",
            ),
            (
                "code/environments/production/modules/m/lib/facter/out_kind.rb",
                "Facter.add(:out_kind) { setcode { 'from a plugin' } }\n",
            ),
            (
                "code/environments/production/modules/m/lib/puppet/functions/m/shout.rb",
                "Puppet::Functions.create_function(:'m::shout') do\n  def shout(text)\n    text.upcase\n  end\nend\n",
            ),
            ("code/environments/staging/manifests/site.pp", "notify { 'staging': }\n"),
        ],
    );
    let root = site.directory.display();
    let conf = format!(
        "[main]\ncertname = puppet.test\n[server]\ncadir = {root}/ca\nssldir = {root}/ssl\nvardir = {root}/var\n\
         codedir = {root}/code\nautosign = {root}/autosign.conf\ndns_alt_names = localhost\n"
    );
    site.write("conf/puppet.conf", &conf);
    site.write("autosign.conf", "broken.test\n");
    std::fs::create_dir_all(site.directory.join("out")).unwrap();
    site
}

#[test]
fn a_real_agent_gets_all_it_needs() {
    let site = site("server_agent");
    let server = Running::start(&site);
    let ca = |args: &[&str]| {
        site.outcome(site.plain_command(&[&["ca"], args, &["--confdir", "conf"]].concat()).output().unwrap())
    };

    // Nobody has signed the request yet.
    let (said, code) = server.agent(&site, "web.test", &[]);
    assert!(code == 1 && said.contains("Couldn't fetch certificate from CA server"), "{code} {said}");
    let (listed, _, _) = ca(&["list"]);
    assert!(listed.starts_with("Requested Certificates:\n    web.test "), "{listed}");
    let signed = ("Successfully signed certificate request for web.test\n".to_owned(), String::new(), 0);
    assert_eq!(ca(&["sign", "--certname", "web.test"]), signed);

    let (said, code) = server.agent(&site, "web.test", &[]);
    assert_eq!(code, 2, "{said}");
    assert!(!said.contains("s3cret"), "{said}");
    let files = ["plain", "tree/a/b", "template", "secret", "late"].map(|file| site.read(&format!("out/{file}")));
    assert_eq!(files, ["plain\n", "deep\n", "web.test from a plugin\n", "s3cret", "HELLO"]);
    let reports = std::fs::read_dir(site.directory.join("var/reports/web.test")).unwrap().count();
    assert!(reports >= 1);
    let (said, code) = server.agent(&site, "web.test", &["--noop"]);
    assert_eq!(code, 0, "{said}");
    let (said, _) = server.agent(&site, "web.test", &["--environment", "staging"]);
    assert!(said.contains("defined 'message' as 'staging'"), "{said}");

    // What is signed by itself, and what does not compile.
    let (said, code) = server.agent(&site, "broken.test", &["--no-usecacheonfailure"]);
    let expected = "Error 500 on SERVER: Server Error: Evaluation Error: Error while evaluating a Function Call, \
                    Could not find class ::nowhere for broken.test";
    assert!(code == 1 && said.contains(expected), "{code} {said}");

    // A revoked certificate is worth nothing, without a restart.
    assert_eq!(ca(&["revoke", "--certname", "web.test"]).2, 0);
    let (said, code) = server.agent(&site, "web.test", &[]);
    assert!(code == 1 && said.contains("certificate revoked"), "{code} {said}");
}

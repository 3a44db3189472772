//! The server with a real agent, from its first request for a certificate to the refusal of a revoked one.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

#[path = "site/server.rs"]
mod running;
mod site;

use running::Running;
use site::Site;

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
    agent_gets_all_it_needs("server_agent", "puppet", "certificate revoked");
}

#[test]
fn our_agent_gets_all_it_needs() {
    agent_gets_all_it_needs(
        "server_own_agent",
        env!("CARGO_BIN_EXE_bunraku"),
        "received fatal alert: CertificateRevoked",
    );
}

fn agent_gets_all_it_needs(name: &str, program: &str, revoked: &str) {
    let site = site(name);
    let server = Running::start(&site, &[]);
    let ca = |args: &[&str]| {
        site.outcome(site.plain_command(&[&["ca"], args, &["--confdir", "conf"]].concat()).output().unwrap())
    };

    // Nobody has signed the request yet.
    let (said, code) = server.agent(&site, program, "web.test", &[]);
    assert!(code == 1 && said.contains("Couldn't fetch certificate from CA server"), "{code} {said}");
    let (listed, _, _) = ca(&["list"]);
    assert!(listed.starts_with("Requested Certificates:\n    web.test "), "{listed}");
    let signed = ("Successfully signed certificate request for web.test\n".to_owned(), String::new(), 0);
    assert_eq!(ca(&["sign", "--certname", "web.test"]), signed);

    let (said, code) = server.agent(&site, program, "web.test", &[]);
    assert_eq!(code, 2, "{said}");
    assert!(!said.contains("s3cret"), "{said}");
    let files = ["plain", "tree/a/b", "template", "secret", "late"].map(|file| site.read(&format!("out/{file}")));
    assert_eq!(files, ["plain\n", "deep\n", "web.test from a plugin\n", "s3cret", "HELLO"]);
    let reports = std::fs::read_dir(site.directory.join("var/reports/web.test")).unwrap().count();
    assert!(reports >= 1);
    let (said, code) = server.agent(&site, program, "web.test", &["--noop"]);
    assert_eq!(code, 0, "{said}");
    let (said, _) = server.agent(&site, program, "web.test", &["--environment", "staging"]);
    assert!(said.contains("defined 'message' as 'staging'"), "{said}");

    // What is signed by itself, and what does not compile.
    let (said, code) = server.agent(&site, program, "broken.test", &["--no-usecacheonfailure"]);
    let expected = "Error 500 on SERVER: Server Error: Evaluation Error: Error while evaluating a Function Call, \
                    Could not find class ::nowhere for broken.test";
    assert!(code == 1 && said.contains(expected), "{code} {said}");

    // A revoked certificate is worth nothing, without a restart.
    assert_eq!(ca(&["revoke", "--certname", "web.test"]).2, 0);
    let (said, code) = server.agent(&site, program, "web.test", &[]);
    assert!(code == 1 && said.contains(revoked), "{code} {said}");
}

#[test]
fn the_authority_is_below_the_given_directory() {
    let site = Site::new("server_ca", &[]);
    let ca = |args: &[&str]| {
        let args = [&["ca"], args, &["--confdir", "conf", "--vardir", "var"]].concat();
        site.outcome(site.plain_command(&args).output().unwrap())
    };
    let (said, _, code) = ca(&["list"]);
    assert_eq!((said.as_str(), code), ("", 1));
    let (said, errors, code) = ca(&["setup", "--certname", "puppet.test"]);
    assert_eq!(code, 0, "{errors}");
    assert!(said.ends_with("conf/puppetserver/ca\n"), "{said}");
    assert!(site.directory.join("conf/puppetserver/ca/signed/puppet.test.pem").exists());
    assert_eq!(ca(&["generate", "--certname", "tool.test"]).2, 0);
    // Names lead nowhere else, and what fails leaves nothing behind.
    let names = ["../x", "a/b", "/etc/x", "..", ".", "-x", "a b", "a\nb", "Upper.test", "*.test", "", &"a".repeat(300)];
    for action in ["generate", "sign", "revoke", "clean"] {
        let (said, errors, code) = ca(&[action, &format!("--certname={}", names.join(","))]);
        assert_eq!((said.as_str(), code), ("", 1), "{action}");
        assert!(errors.lines().count() >= names.len(), "{action} {errors}");
    }
    let mut files: Vec<String> = std::fs::read_dir(site.directory.join("conf/ssl/private_keys"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["puppet.test.pem", "tool.test.pem"]);
    let (listed, _, _) = ca(&["list", "--all"]);
    assert_eq!(listed.lines().count(), 3, "{listed}");
}

//! The server with a real agent, from its first request for a certificate to the refusal of a revoked one.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

#[path = "site/server.rs"]
mod running;
mod site;

use bunraku_server::pki::Certificate;
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

#[test]
fn an_authority_is_taken_over_and_maintained() {
    let site = Site::new("server_ca_import", &[]);
    let ca = |directory: &str, args: &[&str]| {
        let (conf, var) = (format!("{directory}/conf"), format!("{directory}/var"));
        let args = [&["ca"], args, &["--confdir", &conf, "--vardir", &var]].concat();
        site.outcome(site.plain_command(&args).output().unwrap())
    };
    let files = |directory: &str| site.directory.join(format!("{directory}/conf/puppetserver/ca"));
    let (_, errors, code) = ca("one", &["setup", "--certname", "one.test", "--ca-name", "Signing"]);
    assert_eq!(code, 0, "{errors}");

    // Certificates with further names and an end of their own, which are renewed.
    let generated =
        ca("one", &["generate", "--certname", "a.test,b.test", "--subject-alt-names", "x.test", "--ttl", "10d"]);
    assert_eq!(generated.2, 0, "{}", generated.1);
    let (listed, _, code) = ca("one", &["list", "--certname", "a.test,nobody.test"]);
    assert!(listed.contains("alt names: [\"DNS:a.test\",\"DNS:x.test\"]"), "{listed}");
    assert!(listed.ends_with("Missing Certificates:\n    nobody.test\n") && code == 1, "{code} {listed}");
    let serial = |name: &str| {
        let text = std::fs::read_to_string(files("one").join(format!("signed/{name}.pem"))).unwrap();
        let certificate = Certificate::from_pem(&text).unwrap();
        (certificate.serial(), certificate.public_key_info().unwrap(), certificate.alternative_names())
    };
    let before = serial("a.test");
    let (said, _, code) = ca("one", &["renew", "--certname", "a.test,nobody.test", "--ttl", "30d"]);
    assert_eq!((said.as_str(), code), ("Certificate for a.test has been renewed\n", 24));
    let after = serial("a.test");
    assert!(before.0 != after.0 && before.1 == after.1 && before.2.len() == after.2.len());
    assert_eq!(ca("one", &["renew", "--certname", "a.test", "--ttl", "soon"]).2, 1);

    // An inventory that was lost is made again, and no serial is given out twice.
    std::fs::remove_file(files("one").join("inventory.txt")).unwrap();
    std::fs::write(files("one").join("serial"), "0001").unwrap();
    let (said, _, code) = ca("one", &["reinventory"]);
    assert_eq!((said.as_str(), code), ("The inventory has 3 certificates; 3 of them were missing\n", 0));
    assert_eq!(ca("one", &["reinventory"]).0, "The inventory has 3 certificates; 0 of them were missing\n");
    assert_eq!(std::fs::read_to_string(files("one").join("serial")).unwrap(), "0005");

    // Revoked certificates that have ended anyway are left out of the list if that is wanted.
    let past = "0x0003 2020-01-01T00:00:00UTC 2020-02-01T00:00:00UTC /CN=b.test\n";
    assert_eq!(ca("one", &["revoke", "--certname", "b.test"]).2, 0);
    let inventory = files("one").join("inventory.txt");
    let text = std::fs::read_to_string(&inventory).unwrap();
    let kept: String = text.lines().filter(|line| !line.ends_with("=b.test")).map(|line| format!("{line}\n")).collect();
    std::fs::write(&inventory, format!("{kept}{past}")).unwrap();
    let total =
        "Total number of certificates found in Puppet's CRL is: 1.\nNo duplicate revocations found in the CRL.\n";
    assert_eq!(ca("one", &["prune"]).0, total);
    let (said, _, _) = ca("one", &["prune", "--remove-expired"]);
    assert_eq!(said, format!("{total}Removed 1 expired certs from Puppet's CRL.\n"));
    assert!(ca("one", &["prune"]).0.contains(" is: 0."));

    // Another server takes the authority over, if everything belongs together.
    let import = |key: &str, lists: &str| {
        let path = |name: &str| files("one").join(name).display().to_string();
        let lists = if lists.starts_with('/') { lists.to_owned() } else { path(lists) };
        let (bundle, key) = (path("ca_crt.pem"), path(key));
        let files = ["--cert-bundle", &bundle, "--private-key", &key, "--crl-chain", &lists];
        ca("two", &[&["import", "--certname", "two.test"], files.as_slice()].concat())
    };
    let (_, errors, code) = import("root_key.pem", "ca_crl.pem");
    assert!(errors.contains("Private key and certificate do not match") && code == 1, "{errors}");
    let (_, errors, code) = import("ca_key.pem", "/dev/null");
    assert!(errors.contains("The CRL issued by 'CN=Puppet Root CA: ") && code == 1, "{errors}");
    assert!(!files("two").join("ca_crt.pem").exists());
    let (said, errors, code) = import("ca_key.pem", "ca_crl.pem");
    assert!(said.starts_with("Import succeeded. Find your files in ") && code == 0, "{errors}");
    assert!(files("two").join("signed/two.test.pem").exists());
    let (_, errors, code) = import("ca_key.pem", "ca_crl.pem");
    assert!(errors.contains("Existing file at '") && code == 1, "{errors}");
}

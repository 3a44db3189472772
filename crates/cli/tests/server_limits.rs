//! What one client can do to the others: a full queue, catalogs that take for ever, paths that lead elsewhere, data that is
//! larger than it looks, and headers that say who somebody is.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

#[path = "site/server.rs"]
mod running;
mod site;

use std::sync::mpsc;
use std::time::Duration;

use running::{Connection, Running, configure};
use site::Site;

const ME: &str = "puppet.test";
const CATALOG: &str = "/puppet/v3/catalog/puppet.test?environment=production";
/// Nothing here takes so long unless it never ends.
const LONG: Duration = Duration::from_secs(120);

/// As many catalogs as are compiled at the same time.
fn compilers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from) + 1
}

fn site(name: &str, manifest: &str, further: &str) -> Site {
    let site = Site::new(
        name,
        &[
            ("code/environments/production/manifests/site.pp", manifest),
            ("code/environments/production/modules/m/files/a", "file"),
            ("code/environments/production/modules/m/tasks/a.sh", "task"),
            ("code/environments/production/modules/m/scripts/a", "script"),
            ("code/environments/production/modules/m/lib/facter/a.rb", "# plugin"),
            ("code/environments/production/modules/m/facts.d/a.txt", "a=1"),
            ("code/environments/production/modules/m/locales/de/a.po", "locale"),
            ("code/environments/production/modules/m/secret", "the secret"),
            ("code/environments/production/secret", "the secret"),
            ("code/environments/secret", "the secret"),
            ("code/secret", "the secret"),
            ("secret", "the secret"),
            ("mount/a", "mounted"),
        ],
    );
    configure(&site, further);
    site.write("conf/fileserver.conf", &format!("[own]\n  path {}/mount\n", site.directory.display()));
    site
}

#[test]
fn a_full_queue_refuses_and_a_slow_node_harms_nobody() {
    let site = site("server_queue", "notify { 'x': }\n", "node_terminus = exec\nexternal_nodes = ENC\n");
    let root = site.directory.display().to_string();
    // The catalog of this node takes until there is a file.
    let script = format!(
        "#!/bin/sh\nif [ $1 = {ME} ]; then while [ ! -e {root}/go ]; do sleep 0.05; done; fi\necho 'classes: []'\n"
    );
    site.write("enc.sh", &script);
    std::fs::set_permissions(site.directory.join("enc.sh"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    let settings = site.read("conf/puppet.conf").replace("ENC", &format!("{root}/enc.sh"));
    site.write("conf/puppet.conf", &settings);
    site.write("conf/puppetserver/conf.d/puppetserver.conf", "jruby-puppet: { max-queued-requests: 1 }\n");
    let server = Running::start(&site, &[]);
    let generate = ["ca", "generate", "--certname", "other.test", "--confdir", "conf"];
    assert!(site.plain_command(&generate).output().unwrap().status.success());

    // One node may have all compilers but one, one more may wait, and the next one is refused.
    let (tell, told) = mpsc::channel();
    let own = compilers() - 1;
    for _ in 0..own + 2 {
        let (tell, mut connection) = (tell.clone(), server.connect(&site, Some(ME)));
        std::thread::spawn(move || tell.send(connection.get_with_head(CATALOG).unwrap()));
    }
    let (head, body) = told.recv_timeout(LONG).unwrap();
    assert!(head.starts_with("http/1.1 503") && head.contains("\r\nretry-after: 30\r\n"), "{head}");
    assert!(head.contains("\r\nconnection: close\r\n") && body.contains("queued requests"), "{head}{body}");

    // Everybody else gets what they ask for, catalogs included, once nobody waits.
    let mut other = server.connect(&site, Some("other.test"));
    assert_eq!(other.get("/puppet/v3/file_content/modules/m/a?environment=production").unwrap().0, 200);
    site.write("go", "");
    for _ in 0..=own {
        assert!(told.recv_timeout(LONG).unwrap().0.starts_with("http/1.1 200"));
    }
    let target = "/puppet/v3/catalog/other.test?environment=production";
    assert_eq!(other.get(target).unwrap().0, 200);
}

#[test]
fn catalogs_that_never_end_are_given_up() {
    let manifest = "if $trusted['certname'] == 'puppet.test' {\n  Integer[0, 9000000000000000000].each |$i| { }\n}\n";
    let site = site("server_endless", manifest, "");
    let server = Running::start(&site, &[]);
    let generate = ["ca", "generate", "--certname", "other.test", "--confdir", "conf"];
    assert!(site.plain_command(&generate).output().unwrap().status.success());
    // Clients that go away take their catalogs with them: there are more than compilers.
    for _ in 0..compilers() * 2 {
        let mut gone = server.connect(&site, Some(ME));
        gone.send(format!("GET {CATALOG} HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n").as_bytes()).unwrap();
        // It is begun, or waits, before the client is gone.
        assert_eq!(server.connect(&site, None).get("/status/v1/simple").unwrap().0, 200);
    }
    let mut other = server.connect(&site, Some("other.test"));
    let target = "/puppet/v3/catalog/other.test?environment=production";
    assert_eq!(other.get(target).unwrap().0, 200);
    drop(server);

    // What takes too long is an error that says where.
    let server = Running::start(&site, &["--compile-timeout", "1"]);
    let (status, said) = server.connect(&site, Some(ME)).get(CATALOG).unwrap();
    assert_eq!(status, 500, "{said}");
    assert!(said.contains("manifests/site.pp, line: 2, column: ") && said.contains("on node puppet.test"), "{said}");
}

#[test]
fn paths_lead_nowhere_else() {
    let site = site("server_paths", "notify { 'x': }\n", "");
    let server = Running::start(&site, &[]);
    let mut client = server.connect(&site, Some(ME));
    let mounts = ["modules/m", "tasks/m", "scripts/m", "plugins", "pluginfacts", "locales", "own"];
    let steps =
        ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "%252e%252e%252f", "..%5c", "....//", "%c0%ae%c0%ae/", ".%00./"];
    for mount in mounts {
        for step in steps {
            for depth in 1..=5 {
                let path = format!("{mount}/{}secret", step.repeat(depth));
                for route in ["file_content", "file_metadata", "file_metadatas"] {
                    let target = format!("/puppet/v3/{route}/{path}?environment=production&recurse=true");
                    let (status, said) = client.get(&target).unwrap();
                    // Where modules are put together all that is there is listed, whatever follows.
                    let is_list = route == "file_metadatas" && mount != "own" && !mount.contains('/');
                    assert!(status >= 400 || is_list && !said.contains("secret"), "{status} {target} {said}");
                    assert!(!said.contains("the secret"), "{target}");
                }
            }
        }
    }
    for step in steps {
        let path = format!("modules/m/files/{step}secret");
        let target = format!("/puppet/v3/static_file_content/{path}?environment=production&code_id=1");
        assert!(client.get(&target).unwrap().0 >= 400, "{target}");
        for (method, route) in [
            ("GET", "certificate/XY"),
            ("GET", "certificate_request/XY"),
            ("PUT", "certificate_request/XY"),
            ("GET", "certificate_status/XY"),
            ("DELETE", "certificate_status/XY"),
        ] {
            let target = format!("/puppet-ca/v1/{}", route.replace('X', step).replace('Y', "ca_key"));
            let (status, said) = client.ask(method, &target, "text/plain", b"x").unwrap();
            assert!(status >= 400 && !said.contains("PRIVATE KEY"), "{status} {method} {target} {said}");
        }
        for route in ["report", "facts", "node", "catalog"] {
            let target = format!("/puppet/v3/{route}/{step}x?environment=production");
            assert!(client.ask("PUT", &target, "application/json", b"{}").unwrap().0 >= 400, "{target}");
        }
    }
    // What lies in the mounts is there.
    for (path, content) in [("modules/m/a", "file"), ("own/a", "mounted"), ("plugins/facter/a.rb", "# plugin")] {
        let target = format!("/puppet/v3/file_content/{path}?environment=production");
        assert_eq!(client.get(&target).unwrap(), (200, content.to_owned()));
    }
}

#[test]
fn data_is_not_larger_than_it_is() {
    let site = site("server_bombs", "notify { 'x': }\n", "");
    let server = Running::start(&site, &[]);
    let mut client = server.connect(&site, Some(ME));
    // Lists in lists without end, and lists and strings that say they have four thousand million elements.
    let nested = [vec![0x91; 1 << 20], vec![0xc0]].concat();
    let bombs: [Vec<u8>; 5] = [
        nested,
        vec![0xdd, 0xff, 0xff, 0xff, 0xff, 0xc0],
        vec![0xdf, 0xff, 0xff, 0xff, 0xff, 0xa1, b'a', 0xc0],
        vec![0xdb, 0xff, 0xff, 0xff, 0xff, b'a'],
        vec![0xc6, 0xff, 0xff, 0xff, 0xff, 0],
    ];
    let deep = "[".repeat(1 << 20);
    for route in ["report", "facts"] {
        let target = format!("/puppet/v3/{route}/{ME}?environment=production");
        for bomb in &bombs {
            assert_eq!(client.ask("PUT", &target, "application/x-msgpack", bomb).unwrap().0, 400);
        }
        assert_eq!(client.ask("PUT", &target, "application/json", deep.as_bytes()).unwrap().0, 400);
    }
    let form = format!("facts_format=application%2Fjson&facts={}", "%255B".repeat(1 << 18));
    let answer = client.ask("POST", CATALOG, "application/x-www-form-urlencoded", form.as_bytes()).unwrap();
    assert_eq!(answer.0, 500);
    let many = "a=b&".repeat(1 << 18);
    let answer = client.ask("POST", CATALOG, "application/x-www-form-urlencoded", many.as_bytes()).unwrap();
    assert_eq!(answer.0, 200);
    assert_eq!(client.get("/status/v1/simple").unwrap(), (200, "running".to_owned()));
}

#[test]
fn headers_say_who_somebody_is_only_if_that_is_wanted() {
    let site = site("server_headers", "notify { 'x': }\n", "");
    let ask = |connection: &mut Connection, headers: &str| {
        let request = format!("GET {CATALOG} HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n{headers}\r\n");
        connection.send(request.as_bytes()).unwrap();
        connection.answer().unwrap().0
    };
    let verified = "X-Client-Verify: SUCCESS\r\nX-Client-DN: CN=puppet.test\r\n";
    let server = Running::start(&site, &[]);
    assert_eq!(ask(&mut server.connect(&site, None), verified), 403);
    assert_eq!(ask(&mut server.connect(&site, Some(ME)), ""), 200);
    assert_eq!(ask(&mut server.connect(&site, Some(ME)), "X-Client-Verify: SUCCESS\r\nX-Client-DN: CN=other\r\n"), 200);
    drop(server);

    // Behind somebody who ends TLS the headers count, and nothing else does.
    let rules = bunraku_server::DEFAULT_RULES.replacen("version: 1", "version: 1, allow-header-cert-info: true", 1);
    site.write("conf/puppetserver/conf.d/auth.conf", &rules);
    let server = Running::start(&site, &[]);
    let mut front = server.connect(&site, None);
    assert_eq!(ask(&mut front, verified), 200);
    assert_eq!(ask(&mut front, "X-Client-Verify: SUCCESS\r\nX-Client-DN: /CN=puppet.test\r\n"), 200);
    assert_eq!(ask(&mut front, "X-Client-Verify: FAILED\r\nX-Client-DN: CN=puppet.test\r\n"), 403);
    assert_eq!(ask(&mut front, "X-Client-DN: CN=puppet.test\r\n"), 403);
    assert_eq!(ask(&mut front, "X-Client-Verify: SUCCESS\r\nX-Client-DN: CN=other,CN=puppet.test\r\n"), 403);
    assert_eq!(ask(&mut front, "X-Client-Verify: SUCCESS\r\n"), 403);
    assert_eq!(ask(&mut server.connect(&site, Some(ME)), ""), 403);
}

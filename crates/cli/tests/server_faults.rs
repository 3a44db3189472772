//! What is left when the server is killed at any moment, or has no space on its disk: whatever was accepted is there, and
//! nothing is half there.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

#[path = "site/server.rs"]
mod running;
mod site;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bunraku_server::pki::{Certificate, CertificateRequest, RevocationList, SigningKey};
use running::{Connection, Running, configure, until};
use sha2::{Digest, Sha256};
use site::Site;

const ME: &str = "puppet.test";
/// How often the server is killed; `BUNRAKU_KILLS` may say more.
const KILLS: usize = 6;

fn site(name: &str) -> Site {
    let site = Site::new(name, &[("code/environments/production/manifests/site.pp", "notify { 'x': }\n")]);
    configure(&site, "");
    site.write("autosign.conf", "*\n");
    site
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a client was told that the server has.
#[derive(Default)]
struct Accepted {
    certificates: Vec<String>,
    backups: Vec<String>,
    reports: usize,
}

/// Sends requests until the server is gone.
fn send(port: &str, site: &Site, key: &SigningKey, next: &AtomicUsize) -> Accepted {
    let mut accepted = Accepted::default();
    let Ok(mut connection) = Connection::open(port, site, Some(ME)) else { return accepted };
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let (name, backup) = (format!("n{number}.test"), format!("content {number}\n").repeat(number % 500 + 1));
        let request = CertificateRequest::make(&name, key, &[]).unwrap().to_pem();
        let put = format!("/puppet-ca/v1/certificate_request/{name}");
        match connection.ask("PUT", &put, "text/plain", request.as_bytes()) {
            Ok((status, said)) => assert_eq!(status, 200, "{said}"),
            Err(_) => return accepted,
        }
        accepted.certificates.push(name);
        let sum = sha256(backup.as_bytes());
        let put = format!("/puppet/v3/file_bucket_file/sha256/{sum}//etc/x?environment=production");
        match connection.ask("PUT", &put, "application/octet-stream", backup.as_bytes()) {
            Ok((status, said)) => assert_eq!(status, 200, "{said}"),
            Err(_) => return accepted,
        }
        accepted.backups.push(sum);
        let put = format!("/puppet/v3/report/{ME}?environment=production");
        let report = format!(
            r#"{{"host":"{ME}","logs":[],"metrics":{{}},"resource_statuses":{{}},"status":"unchanged","end":"{number}"}}"#
        );
        match connection.ask("PUT", &put, "application/json", report.as_bytes()) {
            Ok((status, said)) => assert_eq!(status, 200, "{said}"),
            Err(_) => return accepted,
        }
        accepted.reports += 1;
    }
}

#[test]
fn a_killed_server_leaves_nothing_half_done() {
    let site = site("server_killed");
    let kills = std::env::var("BUNRAKU_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    let key = SigningKey::generate_curve().unwrap();
    let next = AtomicUsize::new(0);
    for kill in 0..kills {
        let mut server = Running::start(&site, &[]);
        let accepted: Vec<Accepted> = std::thread::scope(|scope| {
            let clients: Vec<_> = (0..3).map(|_| scope.spawn(|| send(&server.port, &site, &key, &next))).collect();
            // Not the same moment each time: after so many requests, and a little. Each client begins with one that
            // the others wait for, so with five some were accepted, however slow the machine is.
            let enough = next.load(Ordering::Relaxed) + 5 + kill.wrapping_mul(7_919) % 40;
            let begun = Instant::now();
            while next.load(Ordering::Relaxed) < enough && begun.elapsed() < Duration::from_secs(300) {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_millis((kill as u64).wrapping_mul(7_919) % 50));
            server.child.kill().unwrap();
            clients.into_iter().map(|client| client.join().unwrap()).collect()
        });
        server.child.wait().unwrap();
        for accepted in &accepted {
            for name in &accepted.certificates {
                assert!(site.directory.join(format!("ca/signed/{name}.pem")).exists(), "{name} after {kill} kills");
            }
            for sum in &accepted.backups {
                assert!(bucket(&site.directory).contains(sum), "{sum} after {kill} kills");
            }
        }
        let reports = accepted.iter().map(|accepted| accepted.reports).sum::<usize>();
        check(&site, reports > 0);
    }
    let (listed, errors, code) =
        site.outcome(site.plain_command(&["ca", "list", "--all", "--confdir", "conf"]).output().unwrap());
    assert_eq!((errors.as_str(), code), ("", 0));
    assert!(listed.contains("Signed Certificates:\n    n"), "{listed}");
}

#[test]
fn a_full_disk_is_told() {
    let site = site("server_full_disk");
    // The authority is made where there is space.
    drop(Running::start(&site, &[]));
    let mut command = Command::new("unshare");
    let small =
        "mkdir -p var && mount -t tmpfs -o size=1m none var && exec \"$0\" server --confdir conf --serverport 0";
    command.args(["-rm", "sh", "-c", small]).arg(site.plain_command(&[]).get_program());
    command.current_dir(&site.directory);
    let server = Running::spawn(command);
    // What the server sees, which others do not.
    let inside = Path::new("/proc").join(server.child.id().to_string()).join("root");
    let inside = inside.join(site.directory.strip_prefix("/").unwrap());
    let mut client = server.connect(&site, Some(ME));
    let (mut accepted, mut refused) = (BTreeSet::new(), 0);
    for number in 0..40 {
        let content = format!("{number:>50000}");
        let sum = sha256(content.as_bytes());
        let put = format!("/puppet/v3/file_bucket_file/sha256/{sum}//etc/x?environment=production");
        match client.ask("PUT", &put, "application/octet-stream", content.as_bytes()).unwrap() {
            (200, _) => _ = accepted.insert(sum),
            (500, said) => {
                refused += 1;
                assert!(said.contains("No space left on device"), "{said}");
            }
            other => assert_eq!(other.0, 500, "{other:?}"),
        }
    }
    assert!(accepted.len() > 5 && refused > 5, "{} {refused}", accepted.len());
    assert_eq!(bucket(&inside), accepted);
    // A report that cannot be kept is told, and leaves nothing behind.
    let report = format!(
        r#"{{"host":"{ME}","logs":[],"metrics":{{}},"resource_statuses":{{}},"text":"{}"}}"#,
        "x".repeat(300_000)
    );
    let put = format!("/puppet/v3/report/{ME}?environment=production");
    let answered = client.ask("PUT", &put, "application/json", report.as_bytes()).unwrap();
    assert_eq!(answered, (200, "[]".to_owned()));
    until("the failure is told", || server.said().iter().any(|line| line.contains("Report store failed")));
    let reports = std::fs::read_dir(inside.join("var/reports").join(ME));
    assert_eq!(reports.map_or(0, Iterator::count), 0);
    // With space there is everything again.
    std::fs::remove_dir_all(inside.join("var/bucket")).unwrap();
    let answered = client.ask("PUT", &put, "application/json", report.as_bytes()).unwrap();
    assert_eq!(answered, (200, "[\"store\"]".to_owned()));
}

/// The checksums of what the bucket has; each is that of its content.
fn bucket(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut directories = vec![root.join("var/bucket")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.file_name().unwrap() == "contents" {
                let sum = sha256(&std::fs::read(&path).unwrap());
                assert_eq!(path.parent().unwrap().file_name().unwrap().to_str().unwrap(), sum);
                found.insert(sum);
            }
        }
    }
    found
}

/// That every file of the authority, the bucket and the reports is whole, and that they agree.
fn check(site: &Site, has_reports: bool) {
    let names = |directory: &Path| -> Vec<String> {
        let all = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        // Unfinished files have other names.
        all.filter(|name| !name.starts_with('.')).collect()
    };
    let ca = site.directory.join("ca");
    let next = u64::from_str_radix(site.read("ca/serial").trim(), 16).unwrap();
    let inventory = site.read("ca/inventory.txt");
    let mut serials = BTreeSet::new();
    for name in names(&ca.join("signed")) {
        let certificate = Certificate::from_pem(&site.read(&format!("ca/signed/{name}"))).unwrap();
        let serial = certificate.serial().iter().fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte));
        assert!(serial < next && serials.insert(serial), "{name} has serial {serial}, the next one is {next}");
        assert_eq!(format!("{}.pem", certificate.name().unwrap()), name);
        let line = format!("/CN={}", certificate.name().unwrap());
        let lines = inventory.lines().filter(|known| known.ends_with(&line));
        assert!(lines.clone().any(|known| known.starts_with(&format!("0x{serial:04X} "))), "{name} {serial:04X}");
    }
    for name in names(&ca.join("requests")) {
        CertificateRequest::from_pem(&site.read(&format!("ca/requests/{name}"))).unwrap();
    }
    assert_eq!(RevocationList::all_from_pem(&site.read("ca/ca_crl.pem")).len(), 2);
    bucket(&site.directory);
    let reports = site.directory.join("var/reports").join(ME);
    let reports = if reports.exists() { names(&reports) } else { Vec::new() };
    assert!(!reports.is_empty() || !has_reports);
    for name in reports {
        let text = site.read(&format!("var/reports/{ME}/{name}"));
        assert!(text.starts_with("--- !ruby/object:Puppet::Transaction::Report\n"), "{text}");
        assert!(text.lines().last().unwrap().starts_with("end: "), "{text}");
    }
}

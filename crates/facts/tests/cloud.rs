//! What servers of clouds tell of a machine, and that other machines ask nobody.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::io::{self, ErrorKind};
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bunraku_environment::World;
use bunraku_environment::world::{Channel, Command, Entry, Memory, Output, Stamp};
use bunraku_facts::{Collector, NoCustomFacts, Options};
use bunraku_pcore::Value;

/// A machine of a cloud: what its server answers to the first lines of requests.
struct Cloud {
    files: Memory,
    answers: &'static [(&'static str, &'static str)],
    asked: Mutex<Vec<String>>,
}

impl World for Cloud {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.files.read(path)
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        self.files.stamp(path)
    }

    fn list(&self, directory: &str) -> io::Result<Vec<Entry>> {
        self.files.list(directory)
    }

    fn now(&self) -> SystemTime {
        UNIX_EPOCH
    }

    fn utc_offset(&self) -> i32 {
        0
    }

    fn random(&self, bytes: &mut [u8]) -> io::Result<()> {
        self.files.random(bytes)
    }

    fn run(&self, _: &Command<'_>) -> io::Result<Output> {
        Err(ErrorKind::NotFound.into())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn current_dir(&self) -> String {
        "/".to_owned()
    }

    fn is_privileged(&self) -> bool {
        true
    }

    fn ask_server(
        &self,
        server: &str,
        port: u16,
        message: &[u8],
        channel: Channel,
        _: Duration,
    ) -> io::Result<Vec<u8>> {
        assert_eq!((server, port), ("169.254.169.254", 80));
        assert!(matches!(channel, Channel::UntilClosed(_)));
        let request = String::from_utf8(message.to_vec()).unwrap();
        self.asked.lock().unwrap().push(request.clone());
        if self.answers.is_empty() {
            return Err(ErrorKind::TimedOut.into());
        }
        let line = request.lines().next().unwrap().strip_suffix(" HTTP/1.0").unwrap();
        let body = self.answers.iter().find(|(known, _)| *known == line).map(|(_, body)| *body);
        Ok(match body {
            Some(body) => format!("HTTP/1.0 200 OK\r\nServer: x\r\n\r\n{body}").into_bytes(),
            None => b"HTTP/1.0 404 Not Found\r\n\r\n<html>".to_vec(),
        })
    }
}

impl Cloud {
    fn new(dmi: &[(&str, &str)], answers: &'static [(&'static str, &'static str)]) -> Cloud {
        let files = Memory::default();
        dmi.iter().for_each(|(name, text)| files.write(&format!("/sys/class/dmi/id/{name}"), *text));
        Cloud { files, answers, asked: Mutex::default() }
    }

    /// These facts as Puppet shows them.
    fn facts(&self, names: &[&str]) -> String {
        let queries = names.iter().map(|name| (*name).to_owned()).collect();
        let facts = Collector::new(self, &NoCustomFacts, Options { queries, ..Options::default() }).collect();
        let shown = |name: &&str| facts.values.get(&Value::from(*name)).map(|value| format!("{name}: {value}"));
        names.iter().filter_map(shown).collect::<Vec<_>>().join("\n")
    }
}

const ALL: [&str; 5] = ["az_metadata", "cloud", "ec2_metadata", "ec2_userdata", "gce"];

#[test]
fn a_machine_of_amazon() {
    let cloud = Cloud::new(
        &[("bios_vendor", "Amazon EC2\n"), ("sys_vendor", "Amazon EC2\n")],
        &[
            ("PUT /latest/api/token", "t0ken=="),
            ("GET /latest/meta-data/", "ami-id\niam/\npublic-keys/\nmissing\na b\n"),
            ("GET /latest/meta-data/ami-id", "ami-5d2dc934\n"),
            ("GET /latest/meta-data/iam/", "info\nsecurity-credentials/\n"),
            ("GET /latest/meta-data/iam/info", "{}"),
            ("GET /latest/meta-data/public-keys/", "0=my-key"),
            ("GET /latest/meta-data/public-keys/0/", "openssh-key"),
            ("GET /latest/meta-data/public-keys/0/openssh-key", "ssh-rsa AAAA"),
            ("GET /latest/user-data/", "#!/bin/sh\necho\n"),
        ],
    );
    let expected = "cloud: {provider => aws}\n\
        ec2_metadata: {a b => , ami-id => ami-5d2dc934, iam => {info => {}}, missing => , public-keys => {0 => {openssh-key => \
        ssh-rsa AAAA}}}\n\
        ec2_userdata: #!/bin/sh\necho";
    assert_eq!(cloud.facts(&ALL), expected);
    let asked = cloud.asked.lock().unwrap();
    let lifetime = "PUT /latest/api/token HTTP/1.0\r\nHost: 169.254.169.254\r\nAccept: */*\r\n\
                    X-aws-ec2-metadata-token-ttl-seconds: 100\r\n\r\n";
    assert_eq!(asked.first().unwrap(), lifetime);
    assert!(asked.iter().skip(1).all(|it| it.contains("\r\nX-aws-ec2-metadata-token: t0ken==\r\n")), "{asked:?}");
    assert!(!asked.iter().any(|it| it.contains("security-credentials")), "{asked:?}");
}

#[test]
fn a_server_that_never_comes_to_an_end() {
    let cloud = Cloud::new(
        &[("bios_vendor", "Amazon EC2")],
        &[
            ("GET /latest/meta-data/", "x/\n"),
            ("GET /latest/meta-data/x/", "y/\n"),
            ("GET /latest/meta-data/x/y/", "y/\n"),
        ],
    );
    assert_eq!(cloud.facts(&["ec2_metadata"]), "ec2_metadata: {x => {y => {y => {}}}}");
}

#[test]
fn a_machine_of_google() {
    let cloud = Cloud::new(
        &[("bios_vendor", "Google")],
        &[(
            "GET /computeMetadata/v1/?recursive=true&alt=json",
            r#"{"instance":{"image":"projects/debian/images/d12","machineType":"projects/1/machineTypes/n1","zone":
               "projects/1/zones/eu","networkInterfaces":[{"network":"projects/1/networks/default","ip":"10.0.0.2"},{}]},
               "project":{"numericProjectId":1}}"#,
        )],
    );
    let expected = "cloud: {provider => gce}\n\
        gce: {instance => {image => d12, machineType => n1, networkInterfaces => [{network => default, ip => 10.0.0.2}, {}], zone \
        => eu}, project => {numericProjectId => 1}}";
    assert_eq!(cloud.facts(&ALL), expected);
    let asked = cloud.asked.lock().unwrap();
    let named = "\r\nHost: metadata.google.internal\r\n";
    assert!(asked.len() == 1 && asked.iter().all(|it| it.contains(named) && it.contains("Metadata-Flavor: Google")));
}

#[test]
fn a_machine_of_azure() {
    let dmi = [("sys_vendor", "Microsoft Corporation"), ("product_name", "Virtual Machine")];
    let answers = &[("GET /metadata/instance?api-version=2020-09-01", r#"{"compute":{"location":"westeurope"}}"#)];
    let expected = "az_metadata: {compute => {location => westeurope}}\ncloud: {provider => azure}";
    assert_eq!(Cloud::new(&dmi, answers).facts(&ALL), expected);
    // On a machine of one's own with the same hypervisor nobody answers.
    assert_eq!(Cloud::new(&dmi, &[]).facts(&ALL), "");
    let broken = &[("GET /metadata/instance?api-version=2020-09-01", "<html>")];
    assert_eq!(Cloud::new(&dmi, broken).facts(&ALL), "");
}

#[test]
fn machines_outside_of_clouds_ask_little_or_nobody() {
    for (dmi, times) in [
        (vec![], 0),
        (vec![("product_name", "KVM"), ("sys_vendor", "QEMU")], 0),
        (vec![("product_name", "VirtualBox")], 0),
        // Clouds of others have Amazon's server, too: where nobody answers, it is asked once.
        (vec![("product_name", "KVM"), ("sys_vendor", "Somebody")], 1),
    ] {
        let cloud = Cloud::new(&dmi, &[]);
        assert_eq!(cloud.facts(&ALL), "", "{dmi:?}");
        assert_eq!(cloud.asked.lock().unwrap().len(), times, "{dmi:?}");
    }
}

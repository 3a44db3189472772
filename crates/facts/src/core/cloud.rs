//! `cloud`, `ec2_metadata`, `ec2_userdata`, `gce`, `az_metadata`: what a server of the cloud tells of this machine. It is asked
//! only where the machine looks like one of that cloud.

use std::time::Duration;

use bunraku_environment::world::Channel;
use bunraku_pcore::{Hash, Value};

use super::dmi::field;
use super::r#virtual::platform;
use crate::fact::{Fact, structure};
use crate::host::Host;
use crate::message::Level;

pub(super) const FACTS: &[Fact] = &[
    Fact::new("az_metadata", |host| host.shared("az_metadata", azure)),
    Fact::new("cloud", |host| structure([("provider", provider(host).into())])),
    Fact::new("ec2_metadata", |host| host.shared("ec2_metadata", amazon)),
    Fact::new("ec2_userdata", user_data),
    Fact::new("gce", |host| host.shared("gce", google)),
];

/// Where all clouds have their server.
const SERVER: &str = "169.254.169.254";

/// How long a connection may take: on other machines nobody may be there.
const CONNECT: Duration = Duration::from_millis(600);

/// How long an answer may take, unless a variable says otherwise.
const WAIT: u64 = 5;

/// How many things Amazon's server is asked for, and how deep they lie. It knows a few dozen.
const MOST: usize = 1000;
const DEEPEST: usize = 16;

/// What is asked of the server.
struct Request<'a> {
    method: &'a str,
    path: &'a str,
    host: &'a str,
    header: Option<(&'a str, &'a str)>,
    wait: u64,
}

/// The body of an answer with status 200, empty with any other; nothing if nobody answers.
fn ask(host: &Host<'_>, request: &Request<'_>) -> Option<String> {
    let Request { method, path, host: name, header, wait } = request;
    let url = format!("http://{name}{path}");
    let say = |text: String| host.say(Level::Debug, "Facter::Util::Resolvers::Http", text);
    if !path.bytes().all(|byte| byte.is_ascii_graphic()) {
        say(format!("Trying to connect to {url} but got: bad URI(is not URI?): {url:?}"));
        return Some(String::new());
    }
    let header = header.map_or_else(String::new, |(name, value)| format!("{name}: {value}\r\n"));
    // By this version of HTTP the server ends the connection after the answer, which comes in one piece.
    let message = format!("{method} {path} HTTP/1.0\r\nHost: {name}\r\nAccept: */*\r\n{header}\r\n");
    let answer = host.world.ask_server(
        SERVER,
        80,
        message.as_bytes(),
        Channel::UntilClosed(CONNECT),
        Duration::from_secs(*wait),
    );
    let answer = match answer {
        Ok(answer) => String::from_utf8_lossy(&answer).into_owned(),
        Err(error) => {
            say(format!("Trying to connect to {url} but got: {error}"));
            return None;
        }
    };
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).unwrap_or_default();
    if status != "200" {
        say(format!("Request to {url} failed with error code {status}"));
        return Some(String::new());
    }
    Some(body.to_owned())
}

fn seconds(host: &Host<'_>, variable: &str) -> u64 {
    let given = host.world.variable(variable).map(|text| text.trim().parse().unwrap_or(0));
    given.unwrap_or(WAIT).min(60)
}

fn json(host: &Host<'_>, source: &str, text: Option<String>) -> Value {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Value::Undef };
    match bunraku_pcore::serialize::parse_json(&text) {
        Ok(value @ Value::Hash(_)) => value,
        Ok(_) => Value::Undef,
        Err(issue) => {
            host.say(Level::Debug, source, format!("Trying to parse result but got: {}", issue.message()));
            Value::Undef
        }
    }
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Undef) || matches!(value, Value::Hash(hash) if hash.is_empty())
}

/// Who runs this machine.
fn provider(host: &Host<'_>) -> Option<&'static str> {
    let has = |name, resolve: fn(&Host<'_>) -> Value| !is_empty(&host.shared(name, resolve));
    match platform(host) {
        "hyperv" => has("az_metadata", azure).then_some("azure"),
        "kvm" | "xen" => has("ec2_metadata", amazon).then_some("aws"),
        "gce" => has("gce", google).then_some("gce"),
        _ => None,
    }
}

fn azure(host: &Host<'_>) -> Value {
    if platform(host) != "hyperv" {
        return Value::Undef;
    }
    let path = "/metadata/instance?api-version=2020-09-01";
    let wait = seconds(host, "AZ_SESSION_TIMEOUT");
    let text = ask(host, &Request { method: "GET", path, host: SERVER, header: Some(("Metadata", "true")), wait });
    let value = json(host, "Facter::Resolvers::Az", text);
    if is_empty(&value) { Value::Undef } else { value }
}

fn google(host: &Host<'_>) -> Value {
    if !field(host, "bios_vendor").is_some_and(|vendor| vendor.contains("Google")) {
        return Value::Undef;
    }
    let path = "/computeMetadata/v1/?recursive=true&alt=json";
    let header = Some(("Metadata-Flavor", "Google"));
    let name = "metadata.google.internal";
    let text = ask(host, &Request { method: "GET", path, host: name, header, wait: WAIT });
    let value = json(host, "Facter::Resolvers::Gce", text);
    let Value::Hash(all) = &value else { return value };
    let mut all: Hash = (**all).clone();
    if let Some(Value::Hash(instance)) = all.get(&Value::from("instance")).cloned()
        && !instance.is_empty()
    {
        all.insert("instance".into(), Value::from(shortened(&instance)));
    }
    if all.is_empty() { Value::Undef } else { Value::from(all) }
}

/// What Google names by long paths, by the last part of them.
fn shortened(instance: &Hash) -> Hash {
    let last = |value: &Value| value.as_str().map(|path| Value::from(path.rsplit('/').next().unwrap_or_default()));
    let mut instance = instance.clone();
    for key in ["image", "machineType", "zone"] {
        if let Some(value) = instance.get(&Value::from(key)).and_then(last) {
            instance.insert(key.into(), value);
        }
    }
    let interfaces = instance.get(&Value::from("networkInterfaces")).cloned();
    if let Some(Value::Array(interfaces)) = interfaces
        && let Some(Value::Hash(first)) = interfaces.first()
        && let Some(network) = first.get(&Value::from("network")).and_then(last)
    {
        let mut first: Hash = (**first).clone();
        first.insert("network".into(), network);
        let rest = interfaces.iter().skip(1).cloned();
        instance.insert("networkInterfaces".into(), Value::array([Value::from(first)].into_iter().chain(rest)));
    }
    instance
}

/// Whether this may be a machine of Amazon, or of a cloud that has the same server.
fn is_amazon(host: &Host<'_>) -> bool {
    let platform = platform(host);
    // Whoever starts a plain QEMU has no server of that kind, and every run would wait for it.
    let is_plain = field(host, "sys_vendor").is_some_and(|vendor| vendor == "QEMU");
    ["kvm", "xen", "aws"].iter().any(|name| platform.contains(name)) && !is_plain
}

/// Amazon's server, with the token that it may want.
struct Amazon<'h, 'w> {
    host: &'h Host<'w>,
    token: String,
    wait: u64,
    /// How much may still be asked.
    left: usize,
}

impl<'h, 'w> Amazon<'h, 'w> {
    /// The server, if this may be a machine of its cloud and it answers.
    fn find(host: &'h Host<'w>) -> Option<Self> {
        let token = host.shared("ec2_token", |host| {
            let header = Some(("X-aws-ec2-metadata-token-ttl-seconds", "100"));
            let request = Request { method: "PUT", path: "/latest/api/token", host: SERVER, header, wait: WAIT };
            is_amazon(host).then(|| ask(host, &request)).flatten().into()
        });
        let token = token.as_str()?;
        let is_plain = token.bytes().all(|byte| byte.is_ascii_graphic());
        let token = if is_plain { token.to_owned() } else { String::new() };
        Some(Amazon { host, token, wait: seconds(host, "EC2_SESSION_TIMEOUT"), left: MOST })
    }

    fn get(&mut self, path: &str) -> String {
        let Some(left) = self.left.checked_sub(1) else { return String::new() };
        self.left = left;
        let header = (!self.token.is_empty()).then_some(("X-aws-ec2-metadata-token", self.token.as_str()));
        let request = Request { method: "GET", path, host: SERVER, header, wait: self.wait };
        ask(self.host, &request).unwrap_or_default()
    }

    /// All that lies below a path, which ends with a slash.
    fn below(&mut self, path: &str, depth: usize) -> Hash {
        let mut found = Hash::default();
        if depth > DEEPEST {
            return found;
        }
        for line in self.get(path).lines() {
            // Lists are numbered, with names behind the numbers.
            let number = line.split_once('=').map(|(number, _)| number);
            let number = number.filter(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()));
            let part = number.map_or_else(|| line.trim().to_owned(), |number| format!("{number}/"));
            if part.is_empty() || part == "security-credentials/" {
                continue;
            }
            let path = format!("{path}{part}");
            match part.strip_suffix('/') {
                Some(name) => found.insert(name.into(), Value::from(self.below(&path, depth + 1))),
                None => found.insert(part.as_str().into(), self.get(&path).trim().into()),
            };
        }
        found
    }
}

fn amazon(host: &Host<'_>) -> Value {
    let Some(mut server) = Amazon::find(host) else { return Value::Undef };
    let found = server.below("/latest/meta-data/", 0);
    if found.is_empty() { Value::Undef } else { Value::from(found) }
}

fn user_data(host: &Host<'_>) -> Value {
    let Some(mut server) = Amazon::find(host) else { return Value::Undef };
    let text = server.get("/latest/user-data/");
    let text = text.trim();
    if text.is_empty() { Value::Undef } else { text.into() }
}

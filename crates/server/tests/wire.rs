//! The exchanges that were recorded with Puppet Server, sent to this server (`tests/wire/README.md`).
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bunraku::{Disk, RunMode, Settings};
use bunraku_pki::Certificate;
use bunraku_server::{Client, Configuration, Form, Journal, Request, Response, Server};
use serde_json::{Value as Json, json};

/// Rules of a later release, which the recorded server did not have yet.
const LATER_RULES: [&str; 2] = ["puppetlabs cert sign", "puppetlabs cert renewal"];

/// Rules that the second part was recorded with.
const FURTHER_PATHS: [&str; 6] = [
    "/puppet/v4/catalog",
    "/puppet/v3/environment_classes",
    "/puppet/v3/environment_modules",
    "/puppet/v3/environment_transports",
    "/puppet/v3/plans",
    "/puppet-admin-api/v1",
];

const SILENT: Journal = Journal { is_verbose: false, form: Form::Silent };

#[test]
fn exchanges_are_answered_as_recorded() {
    let read = |name: &str| fs::read_to_string(recorded().join(name)).unwrap();
    let text = read("exchanges.jsonl") + &read("asked.jsonl");
    let exchanges: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let listed = fs::read_to_string(recorded().join("differences.txt")).unwrap();
    let listed: Vec<&str> = listed.lines().filter_map(|line| line.split_once(' ')).map(|(id, _)| id).collect();
    let before = fs::read_to_string(recorded().join("before.jsonl")).unwrap();
    let before: Vec<Json> = before.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (mut unlisted, mut equal) = (Vec::new(), Vec::new());
    for phase in [1, 2, 3] {
        let mut site = Site::new(phase);
        for exchange in exchanges.iter().filter(|exchange| exchange["phase"] == phase) {
            let id = exchange["id"].as_str().unwrap();
            before.iter().filter(|step| step["before"] == id).for_each(|step| site.prepare(step));
            let differences = site.differences(exchange);
            match (differences.is_empty(), listed.contains(&id)) {
                (false, false) => unlisted.push(format!("{id}\n  {}", differences.join("\n  "))),
                (true, true) => equal.push(id),
                _ => {}
            }
        }
    }
    assert!(unlisted.is_empty(), "{} differ:\n{}", unlisted.len(), unlisted.join("\n"));
    assert!(equal.is_empty(), "these differ no longer; take them from tests/wire/differences.txt: {equal:#?}");
}

fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/wire")
}

/// A server with the recorded site in a directory of its own.
struct Site {
    directory: PathBuf,
    server: Server,
    /// The tags that were recorded, with those that this server has given instead.
    tags: HashMap<String, String>,
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

impl Site {
    fn new(phase: i32) -> Site {
        let directory = std::env::temp_dir().join(format!("bunraku-wire-{}-{phase}", std::process::id()));
        let _ = fs::remove_dir_all(&directory);
        let root = directory.join("puppet");
        let there = root.display().to_string();
        copy(&recorded().join("site"), &root, &there);
        copy(&recorded().join("ca"), &root.join("puppetserver/ca"), &there);
        // Directories that a repository of code does not hold.
        fs::create_dir_all(root.join("puppetserver/ca/requests")).unwrap();
        let files = root.join("puppetserver/conf.d");
        fs::create_dir_all(&files).unwrap();
        if phase >= 2 {
            for program in ["autosign.sh", "code-id.sh", "code-content.sh"] {
                fs::rename(root.join("phase2").join(program), root.join(program)).unwrap();
            }
            let programs =
                format!("code-id-command: {there}/code-id.sh, code-content-command: {there}/code-content.sh");
            fs::write(files.join("puppetserver.conf"), format!("versioned-code: {{ {programs} }}\n")).unwrap();
        }
        fs::write(files.join("auth.conf"), rules(if phase >= 2 { &FURTHER_PATHS } else { &[] })).unwrap();
        let layer = [
            ("confdir", there.clone()),
            ("vardir", format!("{there}/var")),
            ("codedir", format!("{there}/code")),
            ("cadir", format!("{there}/puppetserver/ca")),
            // The store of exported resources takes the place of PuppetDB.
            ("reports", "store,log".to_owned()),
            ("storeconfigs_backend", String::new()),
            // Without programs the recorded server made no static catalogs.
            ("static_catalogs", (phase >= 2).to_string()),
            ("autosign", format!("{there}/autosign.{}", if phase >= 2 { "sh" } else { "conf" })),
        ];
        let layer = layer.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let settings = Settings::load(&Disk, RunMode::Server, layer).unwrap();
        let configuration = Configuration::load(settings, &Disk).unwrap();
        let server = Server::open(configuration, SILENT).unwrap();
        Site { directory, server, tags: HashMap::new() }
    }

    /// What happened before an exchange, and is not part of the recording.
    fn prepare(&self, step: &Json) {
        for name in step["certificates"].as_array().into_iter().flatten() {
            let file = format!("{}.pem", name.as_str().unwrap());
            let signed = self.directory.join("puppet/puppetserver/ca/signed").join(&file);
            fs::copy(recorded().join("certificates").join(&file), signed).unwrap();
        }
        if step["method"].is_string() {
            let answer = self.server.answer(&request(step));
            assert_eq!(
                u64::from(answer.status),
                step["status"].as_u64().unwrap_or(200),
                "{step}: {}",
                String::from_utf8_lossy(&answer.body)
            );
        }
    }

    fn differences(&mut self, exchange: &Json) -> Vec<String> {
        let mut request = request(exchange);
        for (_, value) in request.headers.iter_mut().filter(|(name, _)| name == "if-none-match") {
            if let Some(own) = self.tags.get(value) {
                value.clone_from(own);
            }
        }
        let answer = self.server.answer(&request);
        let mut differences = self.compared(&answer, exchange);
        let tag = |(_, tag): &(&str, String)| tag.clone();
        if let Some(own) = answer.headers.iter().find(|(name, _)| *name == "ETag").map(tag)
            && let Some(recorded) = header(exchange, "etag")
        {
            // A tag is made of the content, in which the recorded server had other paths.
            let body = self.recorded_paths(&String::from_utf8_lossy(&answer.body));
            if answer.status == 200 && sha256(&body) != recorded {
                differences.push(format!("the tag would be {} instead of {recorded}", sha256(&body)));
            }
            self.tags.insert(recorded, own);
        }
        differences
    }

    fn compared(&self, answer: &Response, exchange: &Json) -> Vec<String> {
        let mut differences = Vec::new();
        if answer.status != exchange["status"] {
            differences.push(format!("status {} instead of {}", answer.status, exchange["status"]));
        }
        let kind = |text: &str| text.replace("; ", ";").to_lowercase();
        let (actual, wanted) = (answer.content_type.as_deref().map(kind), exchange["content_type"].as_str().map(kind));
        if actual != wanted {
            differences.push(format!("content type {actual:?} instead of {wanted:?}"));
        }
        let value = |name: &str| answer.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        if value("cache-control").map(|(_, value)| value.clone()) != header(exchange, "cache-control") {
            differences.push(format!("cache control instead of {:?}", header(exchange, "cache-control")));
        }
        for name in ["x-puppet-version", "etag"] {
            if value(name).is_some() != header(exchange, name).is_some() {
                differences.push(format!("{name} instead of {:?}", header(exchange, name)));
            }
        }
        let target = exchange["target"].as_str().unwrap();
        let (actual, wanted) = (String::from_utf8_lossy(&answer.body).into_owned(), bytes(&exchange["answer"]));
        let wanted = String::from_utf8_lossy(&wanted);
        if depths(&actual) != depths(&wanted) {
            differences.push(format!("levels {:?} instead of {:?}", depths(&actual), depths(&wanted)));
        }
        let (actual, wanted) = (self.plain(&actual, target), self.plain(&wanted, target));
        // Nothing is sent after the head of an answer to HEAD.
        if actual != wanted && exchange["method"] != "HEAD" {
            let place = actual.bytes().zip(wanted.bytes()).take_while(|(a, b)| a == b).count().saturating_sub(80);
            let part = |text: &str| text.chars().skip(place).take(400).collect::<String>();
            differences.push(format!("is  {}\n  was {}", part(&actual), part(&wanted)));
        }
        differences
    }

    fn recorded_paths(&self, body: &str) -> String {
        let there = self.directory.join("puppet").display().to_string();
        body.replace(&format!("{there}/var"), "/var/cache/puppet").replace(&there, "/etc/puppet")
    }

    /// A body without what differs from one machine, and one moment, to another.
    fn plain(&self, body: &str, target: &str) -> String {
        let body = self.recorded_paths(body);
        match serde_json::from_str::<Json>(&body) {
            Ok(mut json) => {
                neutralize(&mut json, target);
                json.to_string()
            }
            Err(_) => match body.split_once("-----BEGIN ") {
                Some((_, rest)) => {
                    format!("PEM {} x{}", rest.split('-').next().unwrap(), body.matches("BEGIN").count())
                }
                None => body,
            },
        }
    }
}

/// A recorded request, or one that prepares for it.
fn request(recorded: &Json) -> Request {
    let text = |key: &str| recorded[key].as_str().unwrap();
    let mut request = Request::new(text("method"), text("target"));
    let pairs = recorded["headers"].as_array().unwrap().iter();
    request.headers =
        pairs.map(|pair| (pair[0].as_str().unwrap().to_owned(), pair[1].as_str().unwrap().to_owned())).collect();
    request.body = bytes(&recorded["body"]);
    request.client = recorded["client"].as_str().map(|name| Arc::new(client(name)));
    request
}

/// A header of a recorded answer.
fn header(exchange: &Json, name: &str) -> Option<String> {
    let all = exchange["answer_headers"].as_array().unwrap();
    all.iter().find(|pair| pair[0] == name).map(|pair| pair[1].as_str().unwrap().to_owned())
}

fn sha256(text: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How deep the files of a list are, in their order: level by level, whatever the order in each directory.
fn depths(body: &str) -> Vec<usize> {
    let Ok(Json::Array(list)) = serde_json::from_str(body) else { return Vec::new() };
    let paths = list.iter().filter_map(|file| file["relative_path"].as_str());
    paths.map(|path| if path == "." { 0 } else { path.split('/').count() }).collect()
}

/// Takes out what cannot be the same, and sorts what has no order.
fn neutralize(json: &mut Json, target: &str) {
    const CHANGING: [&str; 13] = [
        "catalog_uuid",
        "uuid",
        "time",
        "owner",
        "group",
        "not_before",
        "not_after",
        "serial_number",
        "fingerprint",
        "fingerprints",
        "service_version",
        "ca-certs",
        "crls",
    ];
    match json {
        Json::Object(map) => {
            for (key, value) in map.iter_mut() {
                if CHANGING.contains(&key.as_str()) || key == "version" && value.is_number() {
                    *value = json!(null);
                }
                neutralize(value, target);
            }
            // PuppetDB keeps the tags of collected resources as a set.
            if map.get("title").and_then(Json::as_str).is_some_and(|title| title.starts_with("/srv/demo/peers/")) {
                let sort = |list: &mut Json| list.as_array_mut().unwrap().sort_by_key(ToString::to_string);
                sort(map.get_mut("tags").unwrap());
                sort(map.get_mut("parameters").unwrap().get_mut("tag").unwrap());
            }
            // Objects of JSON have no order.
            map.sort_keys();
        }
        Json::Array(elements) => {
            elements.iter_mut().for_each(|element| neutralize(element, target));
            // The directory on disk had its own order; the reports went to PuppetDB, too.
            let is_of_files = elements.iter().any(|element| element.get("relative_path").is_some());
            // Neither certificates nor tasks are sorted: they come as the directory has them.
            if is_of_files || target.contains("certificate_statuses") || target.contains("/tasks?") {
                elements.sort_by_key(ToString::to_string);
            }
            elements.retain(|element| element != "puppetdb");
        }
        Json::String(text) if text.starts_with("{ctime}") || text.starts_with("{mtime}") => text.truncate(7),
        _ => {}
    }
}

/// The rules that the recorded server had, with further ones for the second part.
fn rules(further: &[&str]) -> String {
    let own = further.iter().map(|path| {
        format!(
            "{{ name: \"{path}\", sort-order: 400, allow: \"puppet.example.test\",\n  \
             match-request: {{ path: \"{path}\", type: path }} }}\n"
        )
    });
    let own: String = own.collect();
    let rules = bunraku_server::DEFAULT_RULES.replacen("rules: [", &format!("rules: [{own}"), 1);
    let later = |rule: &&str| LATER_RULES.iter().any(|name| rule.contains(name));
    let (first, rest) = rules.split_once("    { name:").unwrap();
    let rest = format!("    {{ name:{rest}");
    // Each rule has two lines.
    let lines: Vec<&str> = rest.lines().collect();
    let mut kept = vec![first];
    for (place, line) in lines.iter().enumerate() {
        let is_later = later(line) || place > 0 && later(&lines[place - 1]);
        kept.extend((!is_later).then_some(*line));
    }
    kept.join("\n")
}

/// Whoever has shown a certificate; of some nodes only the name was kept.
fn client(name: &str) -> Client {
    let of = |name: &str| fs::read_to_string(recorded().join(format!("certificates/{name}.pem")));
    let text = of(name).or_else(|_| of("db01.example.test")).unwrap();
    let certificate = Certificate::all_from_pem(&text).into_iter().next().unwrap();
    Client { name: name.to_owned(), certificate: Some(certificate) }
}

fn bytes(body: &Json) -> Vec<u8> {
    use base64::Engine as _;
    match body {
        Json::String(text) => text.clone().into_bytes(),
        other => base64::prelude::BASE64_STANDARD.decode(other["base64"].as_str().unwrap()).unwrap(),
    }
}

/// Copies the recorded site, with what a repository of code does not hold as it is.
fn copy(from: &Path, to: &Path, there: &str) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let target = to.join(if name == "dot-git" { ".git" } else { name.as_str() });
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target, there);
        } else if name == "alias.txt" || name == "link.txt" {
            symlink(fs::read_to_string(entry.path()).unwrap().trim(), &target).unwrap();
        } else if name != ".keep" {
            let content = fs::read(entry.path()).unwrap();
            let content = match String::from_utf8(content) {
                Ok(text) => text.replace("/etc/puppet", there).into_bytes(),
                Err(other) => other.into_bytes(),
            };
            fs::write(&target, content).unwrap();
            let mode = if name.ends_with(".sh") && !to.ends_with("tree") { 0o755 } else { 0o644 };
            fs::set_permissions(&target, fs::Permissions::from_mode(mode)).unwrap();
        }
    }
}

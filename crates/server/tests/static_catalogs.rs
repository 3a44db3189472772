//! Static catalogs without programs: what an agent is told about files, and what it gets when the code has moved on.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use bunraku::{Disk, RunMode, Settings};
use bunraku_pki::Certificate;
use bunraku_server::{Client, Configuration, Form, Journal, Request, Response, Server};
use serde_json::Value as Json;

/// A certificate of the recorded exchanges.
const CERTIFICATE: &str = include_str!("../../../tests/wire/certificates/web01.example.test.pem");
const NODE: &str = "web01.example.test";

const SILENT: Journal = Journal { is_verbose: false, form: Form::Silent };

struct Site(PathBuf);

impl Drop for Site {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Site {
    fn new(name: &str) -> Site {
        let directory = std::env::temp_dir().join(format!("bunraku-static-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&directory);
        let site = Site(directory);
        site.write(
            "manifests/site.pp",
            "file { '/one': source => 'puppet:///modules/m/one' }\n\
             file { '/tree': ensure => directory, recurse => true, source => 'puppet:///modules/m/tree' }\n",
        );
        site.write("modules/m/files/one", "first");
        site.write("modules/m/files/tree/a/b", "deep");
        site
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.join("code/environments/production").join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    fn server(&self) -> Server {
        let below = |part: &str| self.0.join(part).display().to_string();
        let layer = [("confdir", below("conf")), ("vardir", below("var")), ("codedir", below("code"))];
        let layer = layer.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let settings = Settings::load(&Disk, RunMode::Server, layer).unwrap();
        Server::open(Configuration::load(settings, &Disk).unwrap(), SILENT).unwrap()
    }
}

fn answer(server: &Server, method: &str, target: &str, body: &str) -> Response {
    let mut request = Request::new(method, target);
    request.headers = vec![
        ("accept".to_owned(), "application/vnd.puppet.rich+json, application/octet-stream".to_owned()),
        ("content-type".to_owned(), "application/x-www-form-urlencoded".to_owned()),
    ];
    request.body = body.as_bytes().to_vec();
    let certificate = Certificate::all_from_pem(CERTIFICATE).into_iter().next().unwrap();
    request.client = Some(Arc::new(Client { name: NODE.to_owned(), certificate: Some(certificate) }));
    server.answer(&request)
}

fn catalog(server: &Server) -> Json {
    let body = "facts_format=application%2Fjson&facts=%7B%22name%22%3A%22web01.example.test%22%2C%22values%22%3A%7B%7D%7D\
                &static_catalog=true&checksum_type=sha256";
    let answer = answer(server, "POST", &format!("/puppet/v3/catalog/{NODE}?environment=production"), body);
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    serde_json::from_slice(&answer.body).unwrap()
}

fn content(server: &Server, code_id: &str, path: &str) -> (u16, String) {
    let target = format!("/puppet/v3/static_file_content/{path}?environment=production&code_id={code_id}");
    let answer = answer(server, "GET", &target, "");
    (answer.status, String::from_utf8(answer.body).unwrap())
}

#[test]
fn agents_need_not_ask_about_files() {
    let site = Site::new("metadata");
    let server = site.server();
    let catalog = catalog(&server);
    let code_id = catalog["code_id"].as_str().unwrap();
    assert_eq!(code_id.len(), 64);
    let one = &catalog["metadata"]["/one"];
    assert_eq!(one["content_uri"], "puppet:///modules/m/files/one");
    let sum = "{sha256}a7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e";
    assert_eq!(one["checksum"]["value"], sum);
    let tree = catalog["recursive_metadata"]["/tree"]["puppet:///modules/m/tree"].as_array().unwrap();
    let paths: Vec<&str> = tree.iter().map(|file| file["relative_path"].as_str().unwrap()).collect();
    assert_eq!(paths, [".", "a", "a/b"]);
    assert_eq!(content(&server, code_id, "modules/m/files/tree/a/b"), (200, "deep".to_owned()));

    // Another server with the same code gives it the same name.
    assert_eq!(self::catalog(&site.server())["code_id"], code_id);
    // What is no code does not count.
    site.write(".git/HEAD", "x");
    site.write("modules/m/spec/x", "x");
    assert_eq!(self::catalog(&site.server())["code_id"], code_id);
}

#[test]
fn the_code_of_before_is_still_served() {
    let site = Site::new("before");
    let server = site.server();
    let before = catalog(&server)["code_id"].as_str().unwrap().to_owned();
    site.write("modules/m/files/one", "other");
    let after = catalog(&server)["code_id"].as_str().unwrap().to_owned();
    assert_ne!(before, after);
    // A server that has started since knows the old state, too.
    for server in [&server, &site.server()] {
        assert_eq!(content(server, &before, "modules/m/files/one"), (200, "first".to_owned()));
        assert_eq!(content(server, &after, "modules/m/files/one"), (200, "other".to_owned()));
        assert_eq!(content(server, &before, "modules/m/files/tree/a/b"), (200, "deep".to_owned()));
    }
    // A copy that is not whole is not served.
    let copies = fs::read_dir(site.0.join("var/server_data/code/contents")).unwrap();
    copies.for_each(|copy| fs::write(copy.unwrap().path(), "fir").unwrap());
    assert_eq!(content(&server, &before, "modules/m/files/one").0, 404);
    assert_eq!(content(&server, &after, "modules/m/files/one"), (200, "other".to_owned()));
}

#[test]
fn only_files_of_modules_are_served() {
    let site = Site::new("refused");
    site.write("modules/m/manifests/init.pp", "class m {}");
    let server = site.server();
    let code_id = catalog(&server)["code_id"].as_str().unwrap().to_owned();
    let status = |code_id: &str, path: &str| content(&server, code_id, path).0;
    assert_eq!(status(&code_id, "modules/m/manifests/init.pp"), 403);
    assert_eq!(status(&code_id, "manifests/site.pp"), 403);
    assert_eq!(status(&code_id, "modules/m/files/../manifests/init.pp"), 400);
    assert_eq!(status(&code_id, "modules/m/files/%2e%2e/manifests/init.pp"), 400);
    assert_eq!(status(&code_id, "modules/m/files/none"), 404);
    assert_eq!(status("none", "modules/m/files/one"), 404);
    assert_eq!(status("..%2F..", "modules/m/files/one"), 400);
}

#[test]
fn static_catalogs_can_be_refused() {
    let site = Site::new("off");
    site.write("environment.conf", "static_catalogs = false\n");
    let catalog = catalog(&site.server());
    assert_eq!((&catalog["code_id"], catalog.get("metadata")), (&Json::Null, None));
}

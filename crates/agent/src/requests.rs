//! What an agent asks a server: its environment, its catalog, files; and what it sends: facts and reports.

use bunraku::{Hash, Value, json};
use bunraku_web::Response;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value as Json;

use crate::client::{Client, Request};
use crate::failure::Failure;

/// Letters of paths that need no escape.
const IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// How a catalog is asked for.
#[derive(Debug, Clone, Default)]
pub struct Asked {
    /// The environment that the agent is in.
    pub environment: String,
    /// The one that its settings name.
    pub configured: Option<String>,
    /// What tells this run from all others.
    pub transaction_uuid: String,
    /// The job that the run belongs to.
    pub job_id: Option<String>,
}

/// A server that an agent talks to.
#[derive(Debug)]
pub struct Server {
    client: Client,
}

/// A file on the server.
#[derive(Debug, Clone, Default)]
pub(crate) struct Metadata {
    pub(crate) relative_path: String,
    pub(crate) is_directory: bool,
    pub(crate) mode: u32,
    /// The checksum of the content, with its kind in braces.
    pub(crate) checksum: String,
}

/// What of a tree of files is asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Search<'a> {
    pub(crate) ignore: &'a [String],
    pub(crate) keeps_permissions: bool,
}

impl Server {
    /// The server behind a client.
    pub fn new(client: Client) -> Server {
        Server { client }
    }

    /// The server, as reports name it.
    pub fn address(&self) -> String {
        self.client.address()
    }

    /// Whether the server is there.
    pub fn is_running(&mut self) -> Result<(), Failure> {
        self.get("/status/v1/simple/server", "text/plain").map(drop)
    }

    /// The environment that the server has for a node.
    pub fn environment_of(&mut self, node: &str, asked: &Asked) -> Result<String, Failure> {
        let target = format!(
            "/puppet/v3/node/{}?{}",
            escaped(node),
            query(&[
                ("environment", Some(&asked.environment)),
                ("configured_environment", asked.configured.as_deref()),
                ("transaction_uuid", Some(&asked.transaction_uuid)),
            ])
        );
        let node = parsed(&self.get(&target, "application/json")?)?;
        let name = node.get("environment").and_then(Json::as_str);
        name.map(str::to_owned).ok_or_else(|| Failure::Unanswered("the server names no environment".to_owned()))
    }

    /// The catalog of a node with these facts, as JSON.
    pub fn catalog(&mut self, node: &str, facts: &Hash, asked: &Asked) -> Result<String, Failure> {
        let facts = once(&facts_of(node, facts)?);
        let body = query(&[
            ("facts_format", Some("application/json")),
            ("facts", Some(&facts)),
            ("environment", Some(&asked.environment)),
            ("configured_environment", asked.configured.as_deref()),
            ("check_environment", Some("true")),
            ("transaction_uuid", Some(&asked.transaction_uuid)),
            ("job_uuid", Some(asked.job_id.as_deref().unwrap_or_default())),
            // Metadata of files is asked for as it is needed.
            ("static_catalog", Some("false")),
            ("checksum_type", Some("sha256")),
        ]);
        let environment = query(&[("environment", Some(&asked.environment))]);
        let response = self.client.ask(&Request {
            method: "POST",
            target: &format!("/puppet/v3/catalog/{}?{environment}", escaped(node)),
            headers: &[
                ("Accept", "application/vnd.puppet.rich+json, application/json"),
                ("Content-Type", "application/x-www-form-urlencoded"),
            ],
            body: body.as_bytes(),
        })?;
        Ok(response.text())
    }

    /// Sends facts without asking for a catalog.
    pub fn send_facts(&mut self, node: &str, facts: &Hash, environment: &str) -> Result<(), Failure> {
        let facts = facts_of(node, facts)?;
        self.put(&format!("facts/{}", escaped(node)), environment, &facts)
    }

    /// Sends the report of a run.
    pub fn send_report(&mut self, node: &str, report: &Value, environment: &str) -> Result<(), Failure> {
        let report = json::write(report).map_err(|issue| Failure::Unanswered(issue.to_string()))?;
        self.put(&format!("report/{}", escaped(node)), environment, &report)
    }

    /// Whether the server knows an environment.
    pub(crate) fn has_environment(&mut self, environment: &str) -> Result<(), Failure> {
        let query = query(&[
            ("recurse", Some("false")),
            ("links", Some("manage")),
            ("checksum_type", Some("sha256")),
            ("source_permissions", Some("ignore")),
            ("environment", Some(environment)),
        ]);
        self.get(&format!("/puppet/v3/file_metadatas/plugins?{query}"), "application/json").map(drop)
    }

    /// A file or a directory alone.
    pub(crate) fn metadata(&mut self, path: &str, environment: &str) -> Result<Metadata, Failure> {
        let query = file_query(environment, &Search { keeps_permissions: true, ..Search::default() }, false);
        let target = format!("/puppet/v3/file_metadata/{}?{query}", escaped(path));
        Ok(metadata_of(&parsed(&self.get(&target, "application/json")?)?))
    }

    /// All files below a directory, the directory itself first.
    pub(crate) fn metadatas(
        &mut self,
        path: &str,
        environment: &str,
        search: &Search<'_>,
    ) -> Result<Vec<Metadata>, Failure> {
        let target = format!("/puppet/v3/file_metadatas/{}?{}", escaped(path), file_query(environment, search, true));
        let list = parsed(&self.get(&target, "application/json")?)?;
        let list =
            list.as_array().ok_or_else(|| Failure::Unanswered("the server gives no list of files".to_owned()))?;
        Ok(list.iter().map(metadata_of).collect())
    }

    /// The content of a file.
    pub(crate) fn content(&mut self, path: &str, environment: &str) -> Result<Vec<u8>, Failure> {
        let query = query(&[("environment", Some(environment))]);
        let target = format!("/puppet/v3/file_content/{}?{query}", escaped(path));
        self.get(&target, "application/octet-stream").map(|response| response.body)
    }

    /// Keeps a copy of a file in the filebucket, unless it is there. The sum has its kind before it, as in `sha256/…`; the
    /// path is that of the file on this machine.
    pub fn keep_copy(&mut self, sum: &str, path: &str, content: &[u8], environment: &str) -> Result<(), Failure> {
        let target = format!(
            "/puppet/v3/file_bucket_file/{}/{}?{}",
            escaped(sum),
            escaped(path),
            query(&[("environment", Some(environment))])
        );
        let headers = [("Accept", "application/octet-stream")];
        let known = self.client.ask(&Request { method: "HEAD", target: &target, headers: &headers, body: b"" });
        match known {
            Err(failure) if failure.is(404) => {}
            known => return known.map(drop),
        }
        let headers = [("Accept", "application/octet-stream"), ("Content-Type", "application/octet-stream")];
        self.client.ask(&Request { method: "PUT", target: &target, headers: &headers, body: content }).map(drop)
    }

    /// What the filebucket has under a checksum; nothing if it does not know it.
    pub fn kept_copy(&mut self, sum: &str, environment: &str) -> Result<Option<Vec<u8>>, Failure> {
        let query = query(&[("environment", Some(environment))]);
        let target = format!("/puppet/v3/file_bucket_file/{}?{query}", escaped(sum));
        match self.get(&target, "application/octet-stream") {
            Ok(response) => Ok(Some(response.body)),
            Err(failure) if failure.is(404) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    fn get(&mut self, target: &str, accept: &str) -> Result<Response, Failure> {
        self.client.ask(&Request { method: "GET", target, headers: &[("Accept", accept)], body: b"" })
    }

    fn put(&mut self, what: &str, environment: &str, body: &str) -> Result<(), Failure> {
        let target = format!("/puppet/v3/{what}?{}", query(&[("environment", Some(environment))]));
        let headers = [("Accept", "application/json"), ("Content-Type", "application/json")];
        self.client.ask(&Request { method: "PUT", target: &target, headers: &headers, body: body.as_bytes() }).map(drop)
    }
}

fn file_query(environment: &str, search: &Search<'_>, is_tree: bool) -> String {
    let permissions = if search.keeps_permissions { "use" } else { "ignore" };
    let mut parameters = Vec::new();
    if is_tree {
        parameters.extend([("recurse", Some("true")), ("max_files", Some("-1"))]);
        parameters.extend(search.ignore.iter().map(|pattern| ("ignore", Some(pattern.as_str()))));
    }
    // A link is the file it leads to: what it leads to on the server is not there on this machine.
    parameters.extend([
        ("links", Some("follow")),
        ("checksum_type", Some("sha256")),
        ("source_permissions", Some(permissions)),
        ("environment", Some(environment)),
    ]);
    query(&parameters)
}

fn metadata_of(json: &Json) -> Metadata {
    let text = |json: &Json, name: &str| json.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let mode = json.get("mode").and_then(Json::as_u64).and_then(|mode| u32::try_from(mode).ok());
    Metadata {
        relative_path: text(json, "relative_path"),
        is_directory: text(json, "type") == "directory",
        mode: mode.unwrap_or(0o644) & 0o7777,
        checksum: json.get("checksum").map(|checksum| text(checksum, "value")).unwrap_or_default(),
    }
}

fn parsed(response: &Response) -> Result<Json, Failure> {
    serde_json::from_slice(&response.body)
        .map_err(|error| Failure::Unanswered(format!("the answer of the server is no JSON: {error}")))
}

/// Facts as servers read them.
fn facts_of(node: &str, facts: &Hash) -> Result<String, Failure> {
    let now = jiff::Zoned::now();
    let later = now.checked_add(jiff::Span::new().minutes(30)).unwrap_or_else(|_| now.clone());
    let time = |time: &jiff::Zoned| Value::from(time.strftime("%Y-%m-%dT%H:%M:%S.%9f%:z").to_string());
    let all = Value::hash([
        ("name".into(), node.into()),
        ("values".into(), Value::Hash(std::sync::Arc::new(facts.clone()))),
        ("timestamp".into(), time(&now)),
        ("expiration".into(), time(&later)),
    ]);
    json::write(&all).map_err(|issue| Failure::Unanswered(issue.to_string()))
}

fn once(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

fn escaped(path: &str) -> String {
    utf8_percent_encode(path, IN_PATHS).to_string()
}

fn query(parameters: &[(&str, Option<&str>)]) -> String {
    let pair = |(name, value): &(&str, Option<&str>)| value.map(|value| format!("{name}={}", once(value)));
    parameters.iter().filter_map(pair).collect::<Vec<_>>().join("&")
}

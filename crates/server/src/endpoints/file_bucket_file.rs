//! `file_bucket_file`: backups of files that agents have replaced.
//!
//! Other than in the reference, a node reads only what it has stored itself, unless it may operate the server: backups
//! have secrets in them.

use std::fs;
use std::io;
use std::path::PathBuf;

use similar::TextDiff;

use super::Answer;
use super::file_metadata::check_key;
use crate::client::PP_CLI_AUTH;
use crate::files::Kind;
use crate::format::Format;
use crate::{Refusal, Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, path: &str) -> Answer {
    server.compiler(request.environment()?)?;
    check_key(request, path)?;
    let is_stored = request.method == "PUT";
    if is_stored {
        Format::of_reply(request, Format::BYTES)?;
        Format::sent(request, Format::BYTES)?;
    }
    let mut parts = path.splitn(3, '/');
    let (algorithm, sum) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let original = parts.next().filter(|path| !path.is_empty());
    let own = server.setting("digest_algorithm")?;
    let kind = Kind::of(algorithm).filter(|_| algorithm == own);
    let kind = kind.ok_or_else(|| Refusal::server_error(format!("Unsupported checksum type {algorithm:?}")))?;
    let bucket = Bucket { root: server.setting("bucketdir")?, kind };
    bucket.check(sum)?;
    if is_stored {
        let sum = kind.of_bytes(&request.body);
        bucket.keep(&sum, &request.body, original, request.client_name()).map_err(failed)?;
        return Ok(Response::new(200, "application/octet-stream", ""));
    }
    if request.method != "HEAD" && request.parameter("list_all") == Some("true") {
        return Err(Refusal::server_error("Listing remote file buckets is not allowed"));
    }
    let missing = || Refusal::not_found(format!("Could not find file_bucket_file {path}"));
    let content = bucket.find(sum, original, request)?.ok_or_else(missing)?;
    if request.method == "HEAD" {
        return Ok(Response::empty(200));
    }
    Format::accepted(request, Format::BYTES)?;
    if let Some(other) = request.parameter("diff_with") {
        let unknown = || Refusal::server_error(format!("could not find diff_with {other}"));
        bucket.check(other).map_err(|_| unknown())?;
        let with = bucket.find(other, None, request)?.ok_or_else(unknown)?;
        let (one, other) = (String::from_utf8_lossy(&content), String::from_utf8_lossy(&with));
        let text = TextDiff::from_lines(one.as_ref(), other.as_ref()).unified_diff().to_string();
        return Ok(Response::new(200, "application/octet-stream", text));
    }
    Ok(Response::new(200, "application/octet-stream", content))
}

fn failed(error: io::Error) -> Refusal {
    Refusal::server_error(error.to_string())
}

/// Files by the checksum of their content.
struct Bucket {
    root: String,
    kind: Kind,
}

impl Bucket {
    /// Refuses what is no checksum.
    fn check(&self, sum: &str) -> Result<(), Refusal> {
        let length = self.kind.of_bytes(b"").len();
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        match sum.len() == length && sum.bytes().all(is_digit) {
            true => Ok(()),
            false => Err(Refusal::server_error(format!("Invalid checksum {sum:?}"))),
        }
    }

    fn directory(&self, sum: &str) -> PathBuf {
        let mut path = PathBuf::from(&self.root);
        path.extend(sum.chars().take(8).map(|digit| digit.to_string()));
        path.join(sum)
    }

    /// The content, if it is there, was kept for the original path, and the client may have it.
    fn find(&self, sum: &str, original: Option<&str>, request: &Request) -> Result<Option<Vec<u8>>, Refusal> {
        let directory = self.directory(sum);
        let has_line = |file: &str, line: &str| {
            fs::read_to_string(directory.join(file)).is_ok_and(|text| text.lines().any(|known| known == line))
        };
        if original.is_some_and(|path| !has_line("paths", path)) {
            return Ok(None);
        }
        let client = request.client.as_deref();
        let is_operator = client.is_some_and(|client| {
            client.extensions().iter().any(|extension| extension.oid == PP_CLI_AUTH && extension.text() == "true")
        });
        // That something is there is told to anybody who has the same content; what is in it is not.
        if request.method != "HEAD" && !is_operator && !has_line("nodes", request.client_name()) {
            return Ok(None);
        }
        match fs::read(directory.join("contents")) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    fn keep(&self, sum: &str, content: &[u8], original: Option<&str>, client: &str) -> io::Result<()> {
        let directory = self.directory(sum);
        crate::ca::create_directory(&directory)?;
        let path = directory.join("contents");
        if !path.exists() {
            bunraku::whole_file::write_for(&path, content, |file| {
                file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o440))
            })?;
        }
        for (file, line) in [("nodes", Some(client)), ("paths", original)] {
            let path = directory.join(file);
            let Some(line) = line.filter(|line| !line.is_empty() && !line.contains('\n')) else { continue };
            let known = fs::read_to_string(&path).unwrap_or_default();
            if !known.lines().any(|known| known == line) {
                crate::ca::append_line(&path, line, 0o640)?;
            }
        }
        Ok(())
    }
}

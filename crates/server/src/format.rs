//! Content negotiation: the forms in which data comes and goes.

use bunraku::pcore::serialize::parse_json;
use serde::Deserialize;

use crate::request::Request;
use crate::response::{IssueKind, JSON, Refusal, Response};

/// How deep data in msgpack may be nested: as deep as JSON. Data of more levels could overflow the stack.
const MAX_DEPTH: usize = 128;

/// A form of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    RichJson,
    Json,
    RichMsgpack,
    Msgpack,
    /// JSON under the name that old agents ask for. It is answered only where the reference does, for agents that list
    /// nothing else.
    Pson,
    Binary,
}

impl Format {
    /// What the value of a model can be written as, most wanted first where the client takes anything.
    pub(crate) const CATALOG: &'static [Format] =
        &[Format::RichMsgpack, Format::RichJson, Format::Msgpack, Format::Json, Format::Pson];
    /// The same for what has no rich data.
    pub(crate) const DATA: &'static [Format] = &[Format::Msgpack, Format::Json, Format::Pson];
    /// The same for the content of files.
    pub(crate) const BYTES: &'static [Format] = &[Format::Binary];

    /// The form of a kind of data.
    fn of(mime: &str) -> Option<Format> {
        Some(match mime.to_ascii_lowercase().as_str() {
            "application/vnd.puppet.rich+json" => Format::RichJson,
            "application/json" => Format::Json,
            "application/vnd.puppet.rich+msgpack" => Format::RichMsgpack,
            "application/x-msgpack" => Format::Msgpack,
            "text/pson" => Format::Pson,
            "application/octet-stream" => Format::Binary,
            _ => return None,
        })
    }

    /// The same, where clients may say the reference's own name of the form, too.
    fn named(name: &str) -> Option<Format> {
        Format::of(name).or_else(|| {
            Some(match name.to_ascii_lowercase().as_str() {
                "json" => Format::Json,
                "msgpack" => Format::Msgpack,
                "pson" => Format::Pson,
                "binary" => Format::Binary,
                _ => return None,
            })
        })
    }

    fn mime(self) -> &'static str {
        match self {
            Format::RichJson => "application/vnd.puppet.rich+json; charset=utf-8",
            Format::Json => JSON,
            Format::RichMsgpack => "application/vnd.puppet.rich+msgpack",
            Format::Msgpack => "application/x-msgpack",
            Format::Pson => "text/pson",
            Format::Binary => "application/octet-stream",
        }
    }

    /// Whether values that JSON does not have are kept.
    pub(crate) fn is_rich(self) -> bool {
        matches!(self, Format::RichJson | Format::RichMsgpack)
    }

    /// The first form that the client lists and the data can be written in. How much the client wants each is not asked,
    /// as in the reference.
    pub(crate) fn accepted(request: &Request, possible: &'static [Format]) -> Result<Format, Refusal> {
        let accept = request
            .header("accept")
            .ok_or_else(|| Refusal::bad_request("Missing required Accept header", IssueKind::MissingHeaderField))?;
        Format::first(accept, possible)
    }

    /// The form of the answer to a client that sends something, and says nothing of the answer if it wants JSON.
    pub(crate) fn of_reply(request: &Request, possible: &'static [Format]) -> Result<Format, Refusal> {
        Format::first(request.header("accept").unwrap_or("application/json"), possible)
    }

    fn first(accept: &str, possible: &'static [Format]) -> Result<Format, Refusal> {
        let listed = accept.split(',').map(|range| range.split(';').next().unwrap_or_default().trim());
        let fitting = |mime: &str| match mime {
            // Packed data is for those who ask for it by name: not everybody who takes anything can read it.
            "*/*" => possible.iter().copied().find(|it| !matches!(it, Format::RichMsgpack | Format::Msgpack)),
            _ => Format::named(mime).filter(|format| possible.contains(format)),
        };
        listed.into_iter().find_map(fitting).ok_or_else(|| Refusal::Told {
            status: 406,
            message: format!("No supported formats are acceptable (Accept: {accept})"),
            kind: IssueKind::UnsupportedFormat,
        })
    }

    /// The form of what was sent along.
    pub(crate) fn sent(request: &Request, possible: &'static [Format]) -> Result<Format, Refusal> {
        let Some(mime) = request.content_type() else {
            let message = "No Content-Type header was received, it isn't possible to unserialize the request";
            return Err(Refusal::bad_request(message, IssueKind::MissingHeaderField));
        };
        Format::of(mime).filter(|format| possible.contains(format)).ok_or_else(|| Refusal::Told {
            status: 415,
            message: format!("Client sent a mime-type ({mime}) that doesn't correspond to a format we support"),
            kind: IssueKind::UnsupportedMediaType,
        })
    }

    /// Data in JSON, as this form has it.
    pub(crate) fn response(self, json: String) -> Result<Response, Refusal> {
        let body = match self {
            Format::RichMsgpack | Format::Msgpack => {
                let value: serde_json::Value = serde_json::from_str(&json).map_err(failed)?;
                rmp_serde::to_vec(&value).map_err(failed)?
            }
            _ => json.into_bytes(),
        };
        Ok(Response::new(200, self.mime(), body))
    }

    /// What was sent along in a form of JSON.
    pub(crate) fn read(self, body: &[u8]) -> Result<serde_json::Value, Refusal> {
        let name = match self {
            Format::RichMsgpack | Format::Msgpack => "msgpack",
            Format::Pson => "pson",
            _ => "json",
        };
        let wrong = |detail: &dyn std::fmt::Display| {
            let message = format!("The request body is invalid: Could not intern from {name}: {detail}");
            Refusal::bad_request(message, IssueKind::RuntimeError)
        };
        match self {
            Format::RichMsgpack | Format::Msgpack => {
                let mut reader = rmp_serde::Deserializer::from_read_ref(body);
                reader.set_max_depth(MAX_DEPTH);
                serde_json::Value::deserialize(&mut reader).map_err(|error| wrong(&error))
            }
            // What is wrong with JSON is said in Ruby's words.
            _ => serde_json::from_slice(body).map_err(|error| {
                let told = parse_json(&String::from_utf8_lossy(body)).err();
                told.map_or_else(|| wrong(&error), |issue| wrong(&issue))
            }),
        }
    }
}

fn failed(error: impl std::fmt::Display) -> Refusal {
    Refusal::server_error(error.to_string())
}

//! What is sent back, and the reference's ways to refuse something.

use serde_json::json;

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The status code of HTTP.
    pub status: u16,
    /// What kind of data the body is.
    pub content_type: Option<String>,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
    /// The data.
    pub body: Vec<u8>,
}

/// JSON as most routes label it.
pub(crate) const JSON: &str = "application/json;charset=utf-8";

impl Response {
    /// An answer without a body.
    pub fn empty(status: u16) -> Response {
        Response { status, content_type: None, headers: Vec::new(), body: Vec::new() }
    }

    /// An answer of some kind.
    pub fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Response {
        Response { status, content_type: Some(content_type.to_owned()), headers: Vec::new(), body: body.into() }
    }

    /// A successful answer in JSON.
    pub fn json(value: &serde_json::Value) -> Response {
        Response::new(200, JSON, value.to_string())
    }

    /// Plain text.
    pub fn text(status: u16, text: impl Into<String>) -> Response {
        Response::new(status, "text/plain;charset=utf-8", text.into())
    }

    /// The answer with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Response {
        self.headers.push((name, value.into()));
        self
    }
}

/// What an error is about, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IssueKind {
    /// Anything else.
    RuntimeError,
    /// There is no such thing.
    ResourceNotFound,
    /// A header is missing.
    MissingHeaderField,
    /// The answer cannot be given in a form that the client accepts.
    UnsupportedFormat,
    /// What was sent is in a form that is not known.
    UnsupportedMediaType,
}

impl IssueKind {
    fn name(self) -> &'static str {
        match self {
            IssueKind::RuntimeError => "RUNTIME_ERROR",
            IssueKind::ResourceNotFound => "RESOURCE_NOT_FOUND",
            IssueKind::MissingHeaderField => "MISSING_HEADER_FIELD",
            IssueKind::UnsupportedFormat => "UNSUPPORTED_FORMAT",
            IssueKind::UnsupportedMediaType => "UNSUPPORTED_MEDIA_TYPE",
        }
    }
}

/// Why a request is not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// As the routes about nodes and files tell it: JSON with a message and its kind.
    Told {
        /// The status code of HTTP.
        status: u16,
        /// What is wrong, without the words that stand for the status.
        message: String,
        /// What it is about.
        kind: IssueKind,
    },
    /// As the other routes tell it.
    Plain(Response),
    /// As the reference answers before its own code is asked: without its release.
    Bare(Response),
    /// There is no such route, or none with this method.
    Unknown,
}

impl Refusal {
    /// The server cannot do it.
    pub fn server_error(message: impl Into<String>) -> Refusal {
        Refusal::Told { status: 500, message: message.into(), kind: IssueKind::RuntimeError }
    }

    /// The client has asked in a wrong way.
    pub fn bad_request(message: impl Into<String>, kind: IssueKind) -> Refusal {
        Refusal::Told { status: 400, message: message.into(), kind }
    }

    /// There is no such thing.
    pub fn not_found(message: impl Into<String>) -> Refusal {
        Refusal::Told { status: 404, message: message.into(), kind: IssueKind::ResourceNotFound }
    }

    /// There is no such environment.
    pub fn environment_not_found(name: &str) -> Refusal {
        let message = format!("Could not find environment '{name}'");
        Refusal::Told { status: 404, message, kind: IssueKind::RuntimeError }
    }

    /// Plain text.
    pub fn text(status: u16, message: impl Into<String>) -> Refusal {
        Refusal::Plain(Response::text(status, message))
    }
}

impl From<bunraku::Issue> for Refusal {
    fn from(issue: bunraku::Issue) -> Refusal {
        Refusal::server_error(issue.to_string())
    }
}

impl From<Refusal> for Response {
    fn from(refusal: Refusal) -> Response {
        match refusal {
            Refusal::Plain(response) | Refusal::Bare(response) => response,
            Refusal::Unknown => Response::empty(404),
            Refusal::Told { status, message, kind } => {
                let prefix = match status {
                    400 => "Bad Request",
                    403 => "Not Authorized",
                    404 => "Not Found",
                    405 => "Method Not Allowed",
                    406 => "Not Acceptable",
                    415 => "Unsupported Media Type",
                    _ => "Server Error",
                };
                let body = json!({ "message": format!("{prefix}: {message}"), "issue_kind": kind.name() });
                Response::new(status, JSON, body.to_string())
            }
        }
    }
}

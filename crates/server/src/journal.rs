//! The log of the server: a line for each thing that happened, on standard error, where a service manager expects it.

use std::io::Write;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::{Request, Response};

/// What lines look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// For people.
    #[default]
    Text,
    /// An object of JSON on each line, for programs.
    Json,
    /// There are none.
    Silent,
}

/// Where messages go.
#[derive(Debug, Clone, Copy, Default)]
pub struct Journal {
    /// Whether details are told too.
    pub is_verbose: bool,
    /// What lines look like.
    pub form: Form,
}

impl Journal {
    /// Something went wrong.
    pub fn error(&self, message: &str) {
        self.write("ERROR", message, &[]);
    }

    /// Something should be looked at.
    pub fn warning(&self, message: &str) {
        self.write("WARN", message, &[]);
    }

    /// Something happened.
    pub fn info(&self, message: &str) {
        self.write("INFO", message, &[]);
    }

    /// A detail.
    pub fn debug(&self, message: &str) {
        if self.is_verbose {
            self.write("DEBUG", message, &[]);
        }
    }

    /// A request was answered.
    pub(crate) fn request(&self, request: &Request, response: &Response, took: Duration) {
        let name = if request.client_name().is_empty() { "-" } else { request.client_name() };
        let milliseconds = (took.as_secs_f64() * 1e4).round() / 10.0;
        let fields = [
            ("request", json!(request.id)),
            ("client", json!(name)),
            ("address", json!(request.address.map(|address| address.to_string()))),
            ("environment", json!(request.parameter("environment"))),
            ("status", json!(response.status)),
            ("bytes", json!(response.body.len())),
            ("milliseconds", json!(milliseconds)),
        ];
        self.write("INFO", &format!("{} {}", request.method, request.path), &fields);
    }

    /// One line, whatever is in the message: nobody writes lines of their own into the log.
    fn write(self, level: &str, message: &str, fields: &[(&str, Json)]) {
        let time = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string();
        let line = match self.form {
            Form::Text => {
                let fields = fields.iter().filter(|(_, value)| !value.is_null());
                let fields: String = fields.map(|(name, value)| format!(" {name}={value}")).collect();
                let line = format!("{time} {level:5} {message}{fields}");
                line.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
            }
            Form::Silent => return,
            Form::Json => {
                let mut line = json!({ "time": time, "level": level.to_lowercase(), "message": message });
                if let Json::Object(line) = &mut line {
                    line.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
                }
                line.to_string()
            }
        };
        // Where nobody reads the log there is nobody to be told.
        let _ = std::io::stderr().lock().write_all(format!("{line}\n").as_bytes());
    }
}

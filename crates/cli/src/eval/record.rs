//! What a case gave, in the shape of the recorded corpus.

use bunraku::{Compilation, Diagnostic, Environment, LoadFailure, Log, Node, Span, Unwind, Value};
use serde_json::{Map, Value as Json, json};

use crate::eval::repr;

/// `eval`: the value of the last expression.
pub(crate) fn value(environment: &Environment, node: &Node) -> Json {
    let library = bunraku::library();
    let mut record = Map::new();
    let logs = match Compilation::new(environment, &library, node) {
        Err(failure) => {
            record.insert("error".to_owned(), load_failure(environment, failure));
            Vec::new()
        }
        Ok(mut compilation) => {
            match compilation.evaluate_main() {
                Ok(value) => record.insert("value".to_owned(), value_record(&value)),
                Err(unwind) => record.insert("error".to_owned(), error_record(environment, &unwind)),
            };
            compilation.logs
        }
    };
    add_logs(environment, &logs, &mut record);
    Json::Object(record)
}

fn value_record(value: &Value) -> Json {
    json!({
        "repr": repr::of(value),
        "type": bunraku::Type::infer_detailed(value).to_string(),
        "type_reduced": bunraku::Type::infer(value).to_string(),
        "type_generalized": bunraku::Type::infer_generalized(value).to_string(),
    })
}

fn load_failure(environment: &Environment, failure: LoadFailure) -> Json {
    match failure {
        LoadFailure::Issue(issue) => json!({"message": issue.message()}),
        LoadFailure::Diagnostics(diagnostics) => diagnostics.first().map_or(Json::Null, |diagnostic| {
            let mut record = diagnostic_record(environment, diagnostic);
            record.insert("phase".to_owned(), json!("parse"));
            Json::Object(record)
        }),
    }
}

fn error_record(environment: &Environment, unwind: &Unwind) -> Json {
    match unwind {
        Unwind::Error(diagnostic) => Json::Object(diagnostic_record(environment, diagnostic)),
        Unwind::Issue(issue) => json!({"message": issue.message()}),
        Unwind::Unevaluated(name) => json!({"message": format!("${name} has no value yet")}),
        Unwind::Break(span) => jump_record(environment, "break", *span),
        Unwind::Next(jump) => jump_record(environment, "next", jump.span),
        Unwind::Return(jump) => jump_record(environment, "return", jump.span),
    }
}

/// A jump that nothing caught; the reference knows only the line of it.
fn jump_record(environment: &Environment, name: &str, span: Span) -> Json {
    let line = environment.source(span.file).map(|source| source.line_column(span.start).0);
    json!({"message": format!("{name}() from context where this is illegal"), "line": line})
}

fn diagnostic_record(environment: &Environment, diagnostic: &Diagnostic) -> Map<String, Json> {
    let mut record = Map::new();
    record.insert("message".to_owned(), json!(diagnostic.issue.message()));
    if let Some(span) = diagnostic.span()
        && let Some(source) = environment.source(span.file)
    {
        let (line, column) = source.line_column(span.start);
        record.insert("line".to_owned(), json!(line));
        record.insert("column".to_owned(), json!(column));
    }
    if !diagnostic.issue.code().is_empty() {
        record.insert("issue".to_owned(), json!(diagnostic.issue.code()));
    }
    record
}

fn add_logs(environment: &Environment, logs: &[Log], record: &mut Map<String, Json>) {
    let records: Vec<Json> = logs.iter().map(|log| log_record(environment, log)).collect();
    if !records.is_empty() {
        record.insert("logs".to_owned(), Json::Array(records));
    }
}

fn log_record(environment: &Environment, log: &Log) -> Json {
    let mut record = Map::new();
    record.insert("level".to_owned(), json!(log.level.name()));
    record.insert("message".to_owned(), json!(log.message.as_str()));
    if let Some(source) = &log.source {
        record.insert("source".to_owned(), json!(source.as_str()));
    }
    if let Some(span) = log.span
        && let Some(source) = environment.source(span.file)
    {
        let (line, column) = source.line_column(span.start);
        record.insert("line".to_owned(), json!(line));
        record.insert("column".to_owned(), json!(column));
    }
    if let Some(issue) = log.issue {
        record.insert("issue".to_owned(), json!(issue));
    }
    Json::Object(record)
}

//! What a case gave, in the shape of the recorded corpus.

use bunraku::{
    Compilation, Diagnostic, Environment, FileId, LoadFailure, Log, Node, Severity, Source, Span, Strict, Unwind, Value,
};
use bunraku_syntax::pn;
use bunraku_syntax::{ValidateOptions, validate};
use serde_json::{Map, Value as Json, json};

use crate::eval::repr;

/// `parse`: the tree, and what is wrong with it.
pub(crate) fn parsed(code: &str, strict: Strict) -> Json {
    let source = Source::string(FileId::default(), code);
    let parsed = bunraku_syntax::parse(&source);
    if let Some(error) = parsed.first_error() {
        return json!({"errors": [located(Some(&source), error)]});
    }
    let mut record = Map::new();
    record.insert("pn".to_owned(), json!(pn::program(&parsed.program).to_compact()));
    let options = ValidateOptions { strict, ..ValidateOptions::default() };
    let found = validate(&source, &parsed.program, &options);
    for (key, severity) in [("errors", Severity::Error), ("warnings", Severity::Warning)] {
        let of_severity: Vec<Json> = found
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .map(|diagnostic| Json::Object(located(Some(&source), diagnostic)))
            .collect();
        if !of_severity.is_empty() {
            record.insert(key.to_owned(), Json::Array(of_severity));
        }
    }
    Json::Object(record)
}

/// `eval`: the value of the last expression.
pub(crate) fn value(environment: &Environment, node: &Node) -> Json {
    let library = bunraku::library();
    let mut record = Map::new();
    let logs = match Compilation::new(environment, &library, node) {
        Err(failure) => return load_failure(environment, failure),
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

/// Main manifests that cannot be used.
fn load_failure(environment: &Environment, failure: LoadFailure) -> Json {
    let diagnostics = match failure {
        LoadFailure::Issue(issue) => return json!({"error": {"message": issue.message()}}),
        LoadFailure::Diagnostics(diagnostics) => diagnostics,
    };
    if let [diagnostic] = diagnostics.as_slice() {
        let mut error = diagnostic_record(environment, diagnostic);
        if !diagnostic.issue.code().is_empty() {
            error.insert("phase".to_owned(), json!("parse"));
        }
        return json!({"error": error});
    }
    let logs: Vec<Json> = diagnostics
        .iter()
        .map(|diagnostic| {
            let mut record = Map::new();
            record.insert("level".to_owned(), json!("err"));
            record.extend(diagnostic_record(environment, diagnostic));
            Json::Object(record)
        })
        .collect();
    let message = format!("Language validation logged {} errors. Giving up", logs.len());
    json!({"error": {"message": message, "phase": "parse"}, "logs": logs})
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
    located(diagnostic.file().and_then(|file| environment.source(file)), diagnostic)
}

fn located(source: Option<&Source>, diagnostic: &Diagnostic) -> Map<String, Json> {
    let mut record = Map::new();
    record.insert("message".to_owned(), json!(diagnostic.issue.message()));
    if let (Some(span), Some(source)) = (diagnostic.span(), source) {
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

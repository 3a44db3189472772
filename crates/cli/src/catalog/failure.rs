//! What a compilation says when it fails, in Puppet's words.

use bunraku::{Diagnostic, Environment, Failure, Level, Location, Log, Span};

/// The lines that tell why there is no catalog.
pub(crate) fn texts(environment: &Environment, failure: &Failure, node: &str) -> Vec<String> {
    let mut texts: Vec<String> = failure.diagnostics.iter().map(|it| diagnostic_text(environment, it)).collect();
    if texts.len() > 1 {
        texts.push(format!("Language validation logged {} errors. Giving up", texts.len()));
    }
    if let Some(last) = texts.last_mut() {
        *last = match failure.is_parse_failure {
            true => format!("Could not parse for environment {}: {last} on node {node}", environment.name),
            false => format!("{last} on node {node}"),
        };
    }
    texts
}

/// A message with its level and place.
pub(crate) fn log_text(environment: &Environment, log: &Log) -> String {
    let level = match log.level {
        Level::Err => "Error",
        Level::Warning => "Warning",
        Level::Notice => "Notice",
        Level::Info => "Info",
        Level::Debug => "Debug",
        Level::Alert => "Alert",
        Level::Crit => "Critical",
        Level::Emerg => "Emergency",
    };
    let source = log.source.as_ref().map(|source| format!("{source}: ")).unwrap_or_default();
    let place = match (&log.source, log.span) {
        (None, Some(span)) => place(environment, span, true),
        _ => String::new(),
    };
    format!("{level}: {source}{}{place}", log.message)
}

fn diagnostic_text(environment: &Environment, diagnostic: &Diagnostic) -> String {
    let place = match diagnostic.location {
        Location::Span(span) => place(environment, span, true),
        Location::Line(span) => place(environment, span, false),
        Location::File(file) => environment
            .source(file)
            .and_then(|source| source.path.as_ref())
            .map(|path| format!(" (file: {path})"))
            .unwrap_or_default(),
        Location::Unknown => String::new(),
    };
    format!("{}{place}", diagnostic.issue)
}

fn place(environment: &Environment, span: Span, with_column: bool) -> String {
    let Some(source) = environment.source(span.file) else { return String::new() };
    let (line, column) = source.line_column(span.start);
    let file = source.path.as_ref().map(|path| format!("file: {path}, ")).unwrap_or_default();
    let column = if with_column { format!(", column: {column}") } else { String::new() };
    format!(" ({file}line: {line}{column})")
}

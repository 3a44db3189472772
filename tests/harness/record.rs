//! What a case gave, in the shape of the recorded corpus.

use bunraku::syntax::pn;
use bunraku::syntax::{Grammar, Parsed, ValidateOptions, giving_up, is_invalid_text, parse_as, validate};
use bunraku::{
    Compiled, Compiler, Diagnostic, Environment, FileId, Form, Frame, Location, Log, Node, Severity, Source, Strict,
    TemplateScope, Value, repr,
};
use serde_json::{Map, Value as Json, json};

use super::case::hash;
use super::catalog;

/// `parse`: the tree, and what is wrong with it.
pub(super) fn parsed(code: &str, tasks: bool, strict: Strict) -> Json {
    let source = Source::string(FileId::default(), code);
    let grammar = Grammar { template: false, tasks };
    let options = ValidateOptions { strict, tasks, ..ValidateOptions::default() };
    let parsed = parse_as(&source, grammar);
    let mut record = tree(&source, &parsed, &options);
    add_warnings(&mut record, &source, &parsed);
    record
}

/// What was said while the text was read.
fn add_warnings(record: &mut Json, source: &Source, parsed: &Parsed) {
    let warnings = parsed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning);
    let logs: Vec<Json> = warnings.map(|it| at_level("warning", located(Some(source), it))).collect();
    if !logs.is_empty() {
        record["logs"] = Json::Array(logs);
    }
}

fn tree(source: &Source, parsed: &Parsed, options: &ValidateOptions) -> Json {
    if let Some(error) = parsed.first_error() {
        let record = located(Some(source), error);
        // What has neither code nor place is not a syntax error of the reference.
        let is_syntax_error = record.contains_key("issue") || record.contains_key("line");
        return if is_syntax_error { json!({"errors": [record]}) } else { json!({"error": record}) };
    }
    let found = validate(source, &parsed.program, options);
    // The reference raises this one instead of collecting it.
    if let Some(invalid) = found.iter().find(|diagnostic| is_invalid_text(&diagnostic.issue)) {
        return json!({"error": located(Some(source), invalid)});
    }
    let mut record = Map::new();
    let tree = pn::program(&parsed.program);
    // The reference has no notation for `apply`.
    let text = tree.to_compact();
    if tree.is_expressible() && !text.contains("(apply {") {
        record.insert("pn".to_owned(), json!(text));
    }
    for (key, severity) in [("errors", Severity::Error), ("warnings", Severity::Warning)] {
        let of_severity: Vec<Json> = found
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .map(|diagnostic| Json::Object(located(Some(source), diagnostic)))
            .collect();
        if !of_severity.is_empty() {
            record.insert(key.to_owned(), Json::Array(of_severity));
        }
    }
    Json::Object(record)
}

/// `eval`: the value of the last expression.
pub(super) fn value(compiler: &Compiler, node: &Node) -> Json {
    compiled(compiler, node, |compiled| {
        match bunraku::Type::infer_detailed(&compiled.value).check_init_within() {
            Ok(()) => ("value", value_record(&compiled.value)),
            // The reference cannot generalize the type of such a value.
            Err(issue) => ("error", json!({ "message": without_place(issue.message()).0 })),
        }
    })
}

/// `catalog`: the resources, edges and classes of the catalog.
pub(super) fn catalog(compiler: &Compiler, node: &Node, with_tags: bool) -> Json {
    compiled(compiler, node, |compiled| match &compiled.catalog {
        Ok(catalog) => ("catalog", catalog::record(catalog, with_tags)),
        Err(_) => ("catalog", Json::Null),
    })
}

/// `epp`: the tree of a template and the text it renders.
pub(super) fn template(compiler: &Compiler, node: &Node, code: &str, params: Option<&Json>, strict: Strict) -> Json {
    let source = Source::string(FileId::default(), code);
    let parsed = bunraku::syntax::parse_epp(&source);
    let mut record = tree(&source, &parsed, &ValidateOptions { strict, ..ValidateOptions::default() });
    if record.get("errors").is_some() || record.get("error").is_some() {
        add_warnings(&mut record, &source, &parsed);
        return record;
    }
    let Json::Object(mut record) = record else { return Json::Null };
    let environment = compiler.environment();
    let mut compilation = match compiler.compilation(node) {
        Ok(compilation) => compilation,
        Err(_) => return compiled(compiler, node, |_| ("value", Json::Null)),
    };
    let params = params.filter(|params| !params.is_null()).map(hash);
    let rendered = compilation.evaluate().and_then(|_| {
        let code = environment.inline(code, Form::Template)?;
        // The reference reads the template for its tree, and again to render it.
        for warning in code.warnings().chain(code.warnings()) {
            if let Some(span) = warning.span() {
                compilation.warn(warning.issue.clone(), span);
            }
        }
        Frame::top(&mut compilation).render_template(code, params.as_deref(), TemplateScope::Local)
    });
    match rendered {
        Ok(Value::Sensitive(secret)) => {
            record.insert("text".to_owned(), json!(secret.to_string()));
            record.insert("sensitive".to_owned(), json!(true));
        }
        Ok(text) => {
            record.insert("text".to_owned(), json!(text.to_string()));
        }
        Err(unwind) => {
            let error = diagnostic_record(environment, &bunraku::diagnostic(unwind));
            record.insert("error".to_owned(), Json::Object(error));
        }
    }
    let logs: Vec<Json> = compilation.logs.iter().map(|log| log_record(environment, log)).collect();
    if !logs.is_empty() {
        record.insert("logs".to_owned(), Json::Array(logs));
    }
    Json::Object(record)
}

fn compiled(compiler: &Compiler, node: &Node, result: impl FnOnce(&Compiled) -> (&'static str, Json)) -> Json {
    let environment = compiler.environment();
    let compiled = compiler.compile_complete(node);
    let mut record = Map::new();
    let mut logs: Vec<Json> = compiled.logs.iter().map(|log| log_record(environment, log)).collect();
    match &compiled.catalog {
        Ok(_) => {
            let (name, result) = result(&compiled);
            record.insert(name.to_owned(), result);
        }
        Err(failure) => {
            let mut error = match failure.diagnostics.as_slice() {
                [error] => diagnostic_record(environment, error),
                errors => {
                    logs.extend(errors.iter().map(|error| at_level("err", diagnostic_record(environment, error))));
                    let message = giving_up(errors.len(), failure.warnings);
                    Map::from_iter([("message".to_owned(), json!(message))])
                }
            };
            if failure.is_parse_failure {
                error.insert("phase".to_owned(), json!("parse"));
            }
            record.insert("error".to_owned(), Json::Object(error));
        }
    }
    if !logs.is_empty() {
        record.insert("logs".to_owned(), Json::Array(logs));
    }
    Json::Object(record)
}

fn value_record(value: &Value) -> Json {
    json!({
        "repr": repr(value),
        "type": bunraku::Type::infer_detailed(value).to_string(),
        "type_reduced": bunraku::Type::infer(value).to_string(),
        "type_generalized": bunraku::Type::infer_generalized(value).to_string(),
    })
}

fn diagnostic_record(environment: &Environment, diagnostic: &Diagnostic) -> Map<String, Json> {
    located(diagnostic.file().and_then(|file| environment.source(file)), diagnostic)
}

/// A place at the end of the message is not part of it in the corpus.
fn located(source: Option<&Source>, diagnostic: &Diagnostic) -> Map<String, Json> {
    let (message, mut line, mut column) = without_place(diagnostic.issue.message());
    // The corpus has lost another place that stood before it too.
    let message = if line.is_some() && diagnostic.span().is_none() { without_place(message).0 } else { message };
    let mut record = Map::new();
    record.insert("message".to_owned(), json!(message));
    note_file(&mut record, source);
    if let (Some(span), Some(source)) = (diagnostic.span(), source) {
        let (own_line, own_column) = source.line_column(span.start);
        line = Some(own_line);
        if matches!(diagnostic.location, Location::Span(_)) {
            column = Some(own_column);
        }
    }
    record.extend(line.map(|line| ("line".to_owned(), json!(line))));
    record.extend(column.map(|column| ("column".to_owned(), json!(column))));
    if !diagnostic.issue.code().is_empty() {
        record.insert("issue".to_owned(), json!(diagnostic.issue.code()));
    }
    record
}

/// Takes `(file: a.pp, line: 1, column: 2)` off the end of a message.
fn without_place(message: &str) -> (&str, Option<u32>, Option<u32>) {
    let unplaced = (message, None, None);
    let Some((text, place)) = message.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) else { return unplaced };
    let (mut line, mut column) = (None, None);
    // Compatibility: the corpus takes empty parentheses for a place that is not known.
    for part in place.split(", ").filter(|part| !part.is_empty()) {
        match part.split_once(": ") {
            Some(("file", _)) => {}
            Some(("line", number)) => line = number.parse().ok(),
            Some(("column", number)) => column = number.parse().ok(),
            _ => return unplaced,
        }
    }
    (text.trim_end(), line, column)
}

/// Keeps the file that a place is in; the corpora have none.
fn note_file(record: &mut Map<String, Json>, source: Option<&Source>) {
    if let Some(path) = source.and_then(|source| source.path.as_ref()) {
        record.insert("file".to_owned(), json!(path.as_str()));
    }
}

/// Takes the files off the places in a result.
pub fn forget_files(result: &mut Json) {
    let Json::Object(result) = result else { return };
    for (key, inner) in result {
        match inner {
            Json::Object(record) if key == "error" => drop(record.remove("file")),
            Json::Array(records) if ["logs", "errors", "warnings"].contains(&key.as_str()) => {
                for record in records.iter_mut().filter_map(Json::as_object_mut) {
                    record.remove("file");
                }
            }
            _ => {}
        }
    }
}

fn at_level(level: &str, record: Map<String, Json>) -> Json {
    let mut leveled = Map::from_iter([("level".to_owned(), json!(level))]);
    leveled.extend(record);
    Json::Object(leveled)
}

fn log_record(environment: &Environment, log: &Log) -> Json {
    let (message, mut line, mut column) = without_place(&log.message);
    let mut record = Map::new();
    record.insert("level".to_owned(), json!(log.level.name()));
    record.insert("message".to_owned(), json!(message));
    if let Some(source) = &log.source {
        record.insert("source".to_owned(), json!(source.as_str()));
    }
    if let Some(span) = log.span
        && let Some(source) = environment.source(span.file)
    {
        let (own_line, own_column) = source.line_column(span.start);
        (line, column) = (Some(own_line), Some(own_column));
        note_file(&mut record, Some(source));
    }
    record.extend(line.map(|line| ("line".to_owned(), json!(line))));
    record.extend(column.map(|column| ("column".to_owned(), json!(column))));
    if let Some(issue) = log.issue.filter(|issue| !issue.is_empty()) {
        record.insert("issue".to_owned(), json!(issue));
    }
    Json::Object(record)
}

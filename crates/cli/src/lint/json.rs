//! Problems as puppet-lint's JSON: a list of problems for each file.

use bunraku_lint::{Detail, SYNTAX};
use serde_json::{Map, Value};

use super::shown::Shown;

/// Lists of problems, one for each file.
pub(super) fn json(files: &[Vec<Shown<'_>>], with_context: bool) -> String {
    let list = |file: &Vec<Shown<'_>>| file.iter().map(|it| object(*it, with_context)).collect::<Vec<Value>>();
    pretty(&files.iter().map(list).collect::<Vec<_>>().into())
}

/// JSON as Ruby lays it out, which writes an empty list on three lines.
pub(super) fn pretty(value: &Value) -> String {
    let text = format!("{value:#}\n");
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let indent = line.get(..line.len() - line.trim_start().len()).unwrap_or_default();
        let (before, after) = match line.trim_end().trim_end_matches(',').strip_suffix("[]") {
            Some(before) => (before, line.get(before.len() + 2..).unwrap_or_default()),
            None => (line, ""),
        };
        result.push_str(before);
        if !after.is_empty() {
            result += &format!("[\n\n{indent}]{after}");
        }
    }
    result
}

fn object(shown: Shown<'_>, with_context: bool) -> Value {
    let problem = shown.problem;
    let mut object = Map::new();
    let mut insert = |keys: &[&str]| {
        for &key in keys {
            let value = match key {
                "line" => problem.line.into(),
                "column" => problem.column.into(),
                key => shown.named(key).into(),
            };
            object.insert(key.to_owned(), value);
        }
    };
    if problem.check == SYNTAX {
        insert(&["kind", "check", "message", "line", "column"]);
    } else {
        insert(&["message", "line", "column"]);
    }
    for (name, detail) in &problem.details {
        let value = match detail {
            Detail::Number(number) => (*number).into(),
            Detail::Boolean(is_so) => (*is_so).into(),
            Detail::String(text) => text.clone().into(),
        };
        object.insert((*name).to_owned(), value);
    }
    let mut insert = |keys: &[&str]| {
        for &key in keys {
            object.insert(key.to_owned(), shown.named(key).into());
        }
    };
    insert(&["kind", "check", "fullpath", "path", "filename"]);
    if let Some(reason) = &problem.reason {
        object.insert("reason".to_owned(), reason.clone().into());
    }
    object.insert("KIND".to_owned(), shown.named("KIND").into());
    if with_context {
        object.insert("context".to_owned(), shown.line().trim().into());
    }
    object.into()
}

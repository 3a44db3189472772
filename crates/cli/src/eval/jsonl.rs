//! `eval --jsonl`: runs recorded cases, one JSON object a line, and writes a result for each.

use std::io::{BufRead, Write};

use serde_json::{Value as Json, json};

use crate::eval::case;

/// Reads cases and writes results until the input ends.
pub(crate) fn run(input: impl BufRead, mut output: impl Write) -> std::io::Result<()> {
    for line in input.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let mut record = serde_json::Map::new();
        match serde_json::from_str::<Json>(&line) {
            Ok(case) => {
                record.insert("id".to_owned(), case.get("id").cloned().unwrap_or(Json::Null));
                if let Json::Object(result) = case::run(&case) {
                    record.extend(result);
                }
            }
            Err(error) => {
                record.insert("id".to_owned(), Json::Null);
                record.insert("error".to_owned(), json!({"message": format!("bad input line: {error}")}));
            }
        }
        writeln!(output, "{}", Json::Object(record))?;
    }
    output.flush()
}

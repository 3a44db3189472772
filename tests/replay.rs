//! `cargo run -p bunraku-tests --bin replay`: runs recorded cases, one JSON object a line on standard input, and writes a
//! result for each.

use std::io::{BufRead, Write, stdin, stdout};
use std::process::ExitCode;

use bunraku_tests::harness;
use serde_json::{Map, Value as Json, json};

/// Cases may recurse as deeply as the limits allow.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(replay);
    match worker.ok().and_then(|worker| worker.join().ok()) {
        Some(Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Reads cases and writes results until the input ends.
fn replay() -> std::io::Result<()> {
    let mut output = stdout().lock();
    for line in stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let mut record = Map::new();
        match serde_json::from_str::<Json>(&line) {
            Ok(case) => {
                record.insert("id".to_owned(), case.get("id").cloned().unwrap_or(Json::Null));
                if let Json::Object(result) = harness::run(&case) {
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

//! The reference implementation, asked through a process that answers one line for each line.

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value as Json;

/// How many questions may be under way: few enough that neither side's pipe fills up.
const AHEAD: usize = 8;

/// A running `oracle.rb`.
pub(crate) struct Oracle {
    process: Child,
    questions: BufWriter<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Oracle {
    pub(crate) fn start(script: &Path) -> Result<Self, String> {
        let process =
            Command::new("ruby").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut process = process.map_err(|error| format!("ruby: {error}"))?;
        let (Some(questions), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("ruby: no pipes".to_owned());
        };
        Ok(Self { process, questions: BufWriter::new(questions), answers: BufReader::new(answers) })
    }

    /// What the reference gives for each of the cases.
    pub(crate) fn ask(&mut self, cases: &[Json]) -> Result<Vec<Json>, String> {
        let mut results = Vec::with_capacity(cases.len());
        for case in cases.iter().take(AHEAD) {
            self.send(case)?;
        }
        for index in 0..cases.len() {
            results.push(self.receive()?);
            if let Some(case) = cases.get(index + AHEAD) {
                self.send(case)?;
            }
        }
        Ok(results)
    }

    fn send(&mut self, case: &Json) -> Result<(), String> {
        writeln!(self.questions, "{case}")
            .and_then(|()| self.questions.flush())
            .map_err(|error| format!("the oracle ended: {error}"))
    }

    fn receive(&mut self) -> Result<Json, String> {
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(|error| format!("the oracle ended: {error}"))?;
        let mut result: Json = serde_json::from_str(&line).map_err(|error| format!("the oracle ended: {error}"))?;
        if let Some(fields) = result.as_object_mut() {
            fields.remove("id");
        }
        Ok(result)
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // The process ends by itself when its input does; what is left of it is of no interest.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

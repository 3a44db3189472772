//! Custom facts, run by Ruby: one process for all of them, which is told what is known already.

use bunraku_environment::World;
use bunraku_environment::world::{Command, Output};
use bunraku_facts::{CustomFacts, CustomRequest, CustomResult, FACTER_VERSION, Level, Message};
use bunraku_pcore::Value;

use crate::json;

/// The program that stands in for Facter.
const PROGRAM: &str = include_str!("custom_facts.rb");

/// Runs custom facts by a Ruby interpreter.
pub struct RubyFacts<'w> {
    /// Where processes are started.
    pub world: &'w dyn World,
    /// The interpreter.
    pub ruby: &'w str,
}

impl CustomFacts for RubyFacts<'_> {
    fn resolve(&self, request: &CustomRequest<'_>) -> CustomResult {
        self.ask(request).unwrap_or_else(|text| {
            let message = Message { level: Level::Error, source: "Facter".to_owned(), text };
            CustomResult { messages: vec![message], ..CustomResult::default() }
        })
    }
}

impl RubyFacts<'_> {
    fn ask(&self, request: &CustomRequest<'_>) -> Result<CustomResult, String> {
        let strings = |strings: &[String]| Value::array(strings.iter().map(|text| Value::from(text.as_str())));
        // Files of a module may load others of it.
        let mut load_path: Vec<String> =
            request.files.iter().filter_map(|file| Some(file.rsplit_once("/facter/")?.0.to_owned())).collect();
        load_path.dedup();
        let input = Value::hash([
            ("files".into(), strings(request.files)),
            ("load_path".into(), strings(&load_path)),
            ("known".into(), Value::from(request.known.clone())),
            ("version".into(), FACTER_VERSION.into()),
        ]);
        let input = json::write(&input).map_err(|issue| issue.message().to_owned())?;
        let arguments = ["-W0", "-e", PROGRAM];
        let command =
            Command { program: self.ruby, arguments: &arguments, input: input.as_bytes(), ..Command::default() };
        let output = self.world.run(&command).map_err(|error| {
            format!("Could not run custom facts: {}: {error}; install Ruby or use --no-custom-facts", self.ruby)
        })?;
        answer(&output)
    }
}

fn answer(output: &Output) -> Result<CustomResult, String> {
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let Ok(Value::Hash(answer)) = json::read(&text) else {
        return Err(format!("Could not run custom facts: {}", errors.trim()));
    };
    let facts = match answer.get_str("facts") {
        Some(Value::Hash(facts)) => (**facts).clone(),
        _ => bunraku_pcore::Hash::new(),
    };
    let messages = match answer.get_str("messages") {
        Some(Value::Array(messages)) => messages.iter().filter_map(message).collect(),
        _ => Vec::new(),
    };
    Ok(CustomResult { facts, messages })
}

fn message(message: &Value) -> Option<Message> {
    let Value::Array(parts) = message else { return None };
    let text = |at: usize| parts.get(at).map(ToString::to_string).unwrap_or_default();
    let level = match text(0).as_str() {
        "error" => Level::Error,
        "warn" => Level::Warn,
        "info" => Level::Info,
        _ => Level::Debug,
    };
    Some(Message { level, source: text(1), text: text(2) })
}

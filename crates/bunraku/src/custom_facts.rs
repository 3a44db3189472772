//! Custom facts: run by the interpreter of this program; what it cannot do is left to an installed Ruby, in one process
//! for all of it, which is told what is known already.

use std::sync::Arc;
use std::time::Duration;

use bunraku_environment::world::{Command, Output};
use bunraku_environment::{Settings, World};
use bunraku_facts::{CustomFacts, CustomRequest, CustomResult, FACTER_VERSION, Level, Message, Timing};
use bunraku_pcore::{Hash, Value};
use bunraku_ruby::{Custom, Left};

use crate::json;

/// Runs custom facts.
pub struct RubyFacts<'r> {
    /// Where files are read and processes are started.
    pub world: Arc<dyn World>,
    /// The Ruby for what cannot be done here.
    pub ruby: &'r str,
    /// The settings of Puppet, where facts can ask for them.
    pub settings: Option<&'r Settings>,
}

impl CustomFacts for RubyFacts<'_> {
    fn resolve(&self, request: &CustomRequest<'_>) -> CustomResult {
        let setting = self.settings.map(|settings| {
            move |name: &str| match settings.is_known(name) {
                true => settings.text(name).map(Value::from).unwrap_or_default(),
                false => Value::Undef,
            }
        });
        let custom = Custom {
            files: request.files,
            known: request.known,
            weights: request.weights,
            queries: request.queries,
            version: FACTER_VERSION,
            debugging: request.is_debugging,
            has_ruby: self.is_installed(),
            setting: setting.as_ref().map(|setting| setting as &dyn Fn(&str) -> Value),
        };
        let found = custom.find(&self.world);
        let mut result = CustomResult { facts: found.facts, ..CustomResult::default() };
        result.messages.extend(found.messages.into_iter().map(|[level, source, text]| message(&level, source, text)));
        result.timings.extend(found.timings.into_iter().map(|(name, time)| Timing { name, time }));
        if !found.left.is_empty()
            && let Err(text) = self.ask(request, &found.left, &mut result)
        {
            result.messages.push(message("error", "Facter".to_owned(), text));
        }
        result
    }
}

impl RubyFacts<'_> {
    fn is_installed(&self) -> bool {
        let is_program = |file: &str| {
            self.world.is_file(file) && self.world.machine().is_some_and(|machine| machine.is_executable(file))
        };
        if self.ruby.contains('/') {
            return is_program(self.ruby);
        }
        let path = self.world.variable("PATH").unwrap_or_default();
        path.split(':').any(|directory| is_program(&format!("{directory}/{}", self.ruby)))
    }

    /// Has an installed Ruby find out what is left.
    fn ask(&self, request: &CustomRequest<'_>, left: &Left, result: &mut CustomResult) -> Result<(), String> {
        let strings = |strings: &[String]| Value::array(strings.iter().map(|text| Value::from(text.as_str())));
        let is_meant = |file: &&String| left.files.contains(*file) || left.sources.contains(*file);
        let files: Vec<String> = request.files.iter().filter(is_meant).cloned().collect();
        let mut known = request.known.clone();
        for (name, value) in result.facts.iter() {
            known.insert(name.clone(), value.clone());
        }
        let input = Value::hash([
            ("files".into(), strings(&files)),
            ("left".into(), strings(&left.files)),
            ("wanted".into(), strings(&left.facts)),
            ("load_path".into(), strings(&Custom::load_path(request.files))),
            ("known".into(), Value::from(known)),
            ("weights".into(), Value::from(request.weights.clone())),
            ("queries".into(), strings(request.queries)),
            ("version".into(), FACTER_VERSION.into()),
            ("debugging".into(), request.is_debugging.into()),
            ("has_puppet".into(), self.settings.is_some().into()),
        ]);
        let input = json::write(&input).map_err(|issue| issue.message().to_owned())?;
        let arguments = ["-W0", "-e", Custom::HELPER];
        let command =
            Command { program: self.ruby, arguments: &arguments, input: input.as_bytes(), ..Command::default() };
        let output = self.world.run(&command).map_err(|error| {
            format!("Could not run custom facts: {}: {error}; install Ruby or use --no-custom-facts", self.ruby)
        })?;
        add(&output, result)
    }
}

/// Adds the answer of the process.
fn add(output: &Output, result: &mut CustomResult) -> Result<(), String> {
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let Ok(Value::Hash(answer)) = json::read(&text) else {
        return Err(format!("Could not run custom facts: {}", errors.trim()));
    };
    let list = |name: &str| match answer.get_str(name) {
        Some(Value::Array(items)) => items.to_vec(),
        _ => Vec::new(),
    };
    if let Some(Value::Hash(facts)) = answer.get_str("facts") {
        let facts: &Hash = facts;
        for (name, value) in facts.iter() {
            result.facts.insert(name.clone(), value.clone());
        }
    }
    for parts in list("messages") {
        let Value::Array(parts) = parts else { continue };
        let text = |at: usize| parts.get(at).map(ToString::to_string).unwrap_or_default();
        result.messages.push(message(&text(0), text(1), text(2)));
    }
    for parts in list("timings") {
        if let Value::Array(parts) = parts
            && let (Some(name), Some(Value::Float(seconds))) = (parts.first(), parts.get(1))
        {
            let time = Duration::try_from_secs_f64(*seconds).unwrap_or_default();
            result.timings.push(Timing { name: name.to_string(), time });
        }
    }
    Ok(())
}

fn message(level: &str, source: String, text: String) -> Message {
    let level = match level {
        "error" => Level::Error,
        "warn" => Level::Warn,
        "info" => Level::Info,
        _ => Level::Debug,
    };
    Message { level, source, text }
}

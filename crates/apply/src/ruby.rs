//! Resources whose type or provider is written in Ruby: one process with the Puppet or OpenVox of this machine applies them, with
//! their own providers. It is started for the first of them and ends with the run.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::SystemTime;

use bunraku_catalog::{Parameters, Reference};
use bunraku_notation::yaml;
use bunraku_pcore::Value;

use crate::context::Context;
use crate::execution::which;
use crate::fault::{Fault, Outcome};
use crate::log::{Entry, Level, Log, PROGRAM};
use crate::property::{Property, Values, text_of};
use crate::resource::{Generated, Given, Managed, Site};
use crate::status::{Event, Kind, Status};

/// Types whose resources change others of the catalog, which Ruby does not have here.
const NEEDS_CATALOG: [&str; 4] = ["concat_file", "concat_fragment", "datacat_collector", "datacat_fragment"];

/// The program of the process.
const PROGRAM_TEXT: &str = include_str!("ruby_types.rb");

/// The process, once something asked for it.
#[derive(Debug, Default)]
pub(crate) enum Ruby {
    /// Nothing did yet.
    #[default]
    Unasked,
    Running(Process),
    /// There is none, and why.
    Missing(String),
}

impl Ruby {
    /// Why there is none, if that is known.
    pub(crate) fn missing(&self) -> Option<&str> {
        match self {
            Ruby::Missing(reason) => Some(reason),
            _ => None,
        }
    }
}

/// A process that is running.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has nothing left to do, and must not outlive the run.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// What is found under a name in an answer.
fn field(answer: &Value, name: &str) -> Option<Value> {
    match answer {
        Value::Hash(hash) => hash.get_str(name).filter(|it| !it.is_undef()).cloned(),
        _ => None,
    }
}

fn words(answer: &Value, name: &str) -> Option<String> {
    field(answer, name).map(|it| text_of(&it))
}

fn elements(answer: &Value, name: &str) -> Vec<Value> {
    match field(answer, name) {
        Some(Value::Array(elements)) => elements.to_vec(),
        _ => Vec::new(),
    }
}

fn hash(entries: Vec<(&str, Value)>) -> Value {
    Value::hash(entries.into_iter().map(|(name, value)| (Value::from(name), value)))
}

impl Process {
    fn start(context: &Context<'_>) -> Result<Process, String> {
        let ruby = which("ruby", None).ok_or("there is no Ruby on this machine")?;
        let wrong = |error: std::io::Error| error.to_string();
        let mut child = Command::new(ruby)
            .args(["-e", PROGRAM_TEXT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(wrong)?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("it cannot be talked to".to_owned());
        };
        let mut process = Process { child, requests, answers: BufReader::new(answers) };
        let texts = |list: Vec<String>| Value::array(list.iter().map(|it| it.as_str().into()));
        let level = if context.log.shows(Level::Debug) { "debug" } else { "info" };
        let setup = hash(vec![
            ("vardir", context.options.paths.vardir.display().to_string().into()),
            ("confdir", context.options.paths.confdir.display().to_string().into()),
            ("log_level", if context.log.shows(Level::Info) { level.into() } else { "notice".into() }),
            ("noop", context.options.noop.into()),
            ("environment", context.environment.as_str().into()),
            ("modulepath", texts(context.host.modulepath())),
            ("libraries", texts(context.host.libraries())),
        ]);
        process.ask(&setup).map_err(|fault| fault.message)?;
        Ok(process)
    }

    /// Asks something; an error in the answer is a fault.
    fn ask(&mut self, request: &Value) -> Outcome<Value> {
        let broken = |reason: String| Fault::new(format!("the Ruby that applies resources ended: {reason}"));
        let text = yaml::emit(request);
        let sent = write!(self.requests, "{}\n{text}", text.len()).and_then(|()| self.requests.flush());
        let mut line = String::new();
        let read = self.answers.read_line(&mut line);
        match (sent, read) {
            (_, Ok(count)) if count > 0 => {}
            (Err(error), _) | (_, Err(error)) => return Err(broken(error.to_string())),
            _ => return Err(broken("it said nothing".to_owned())),
        }
        let document = yaml::load(line.as_bytes(), "answer").map_err(|error| broken(error.to_string()))?;
        Ok(document.value.unwrap_or_default())
    }
}

/// Asks the process, which is started if need be, and passes on what it says.
fn ask(request: &Value, site: Option<&Site>, context: &mut Context<'_>) -> Outcome<Value> {
    if matches!(context.ruby, Ruby::Unasked) {
        context.ruby = match Process::start(context) {
            Ok(process) => Ruby::Running(process),
            Err(reason) => Ruby::Missing(reason),
        };
    }
    let answer = match &mut context.ruby {
        Ruby::Running(process) => process.ask(request)?,
        Ruby::Missing(reason) => return Err(Fault::new(reason.clone())),
        Ruby::Unasked => return Err(Fault::new("no Ruby")),
    };
    for line in elements(&answer, "lines") {
        if let Value::Array(parts) = line {
            let parts: Vec<String> = parts.iter().map(text_of).collect();
            if let [level, source, message] = parts.as_slice() {
                pass_on(level, source, message, site, &mut context.log);
            }
        }
    }
    match words(&answer, "error") {
        Some(message) => Err(Fault::new(message)),
        None => Ok(answer),
    }
}

fn pass_on(level: &str, source: &str, message: &str, site: Option<&Site>, log: &mut Log) {
    let level = Level::named(level).unwrap_or(Level::Notice);
    let site = site.filter(|_| source.starts_with('/'));
    let (file, line) = site.map_or((None, None), |site| (site.file.clone(), site.line));
    let source = if source.is_empty() { PROGRAM } else { source }.to_owned();
    let tags = vec![level.name().to_owned()];
    log.write(Entry { level, source, message: message.to_owned(), tags, time: SystemTime::now(), file, line });
}

/// A resource that the process knows under a number.
struct RubyResource {
    number: i64,
    provider: Option<String>,
    is_refreshable: bool,
    /// What comes before it without being asked to, by type and title.
    requires: Vec<(String, String)>,
}

/// Hands a resource to Ruby; nothing if nothing there can manage it either.
pub(crate) fn manage(given: &Given<'_>, path: &str, context: &mut Context<'_>) -> Outcome<Option<Box<dyn Managed>>> {
    let texts = |list: &[String]| Value::array(list.iter().map(|it| it.as_str().into()));
    if NEEDS_CATALOG.contains(&given.reference.type_name.to_lowercase().as_str()) {
        return Ok(None);
    }
    let is_own = |name: &str| !bunraku_catalog::resource_type::is_relationship(name);
    let parameters = given.parameters.iter().filter(|(name, _)| is_own(name));
    let parameters = Value::hash(parameters.map(|(name, value)| (name.as_str().into(), value.clone())));
    let request = hash(vec![
        ("do", "declare".into()),
        ("type", given.reference.type_name.to_lowercase().as_str().into()),
        ("title", given.reference.title.as_str().into()),
        ("parameters", parameters),
        ("path", path.into()),
        ("file", given.file.map_or(Value::Undef, Value::from)),
        ("line", given.line.map_or(Value::Undef, |line| i64::from(line).into())),
        ("sensitive", texts(given.sensitive)),
    ]);
    let answer = match ask(&request, None, context) {
        // Without a Ruby that has Puppet this resource alone fails.
        Err(_) if matches!(context.ruby, Ruby::Missing(_)) => return Ok(None),
        answer => answer?,
    };
    let Some(Value::Integer(number)) = field(&answer, "number") else { return Ok(None) };
    let is_refreshable = field(&answer, "refreshable") == Some(Value::Boolean(true));
    let requirement = |it: &Value| match it {
        Value::Array(parts) => Some((text_of(parts.first()?), text_of(parts.get(1)?))),
        _ => None,
    };
    let requires = elements(&answer, "requires").iter().filter_map(requirement).collect();
    Ok(Some(Box::new(RubyResource { number, provider: words(&answer, "provider"), is_refreshable, requires })))
}

impl RubyResource {
    fn ask(&self, what: &str, how: &str, site: &Site, context: &mut Context<'_>) -> Outcome<Value> {
        let request = hash(vec![("do", what.into()), ("number", self.number.into()), ("how", how.into())]);
        ask(&request, Some(site), context)
    }

    fn generated(&self, how: &str, site: &Site, context: &mut Context<'_>) -> Outcome<Vec<Generated>> {
        let answer = self.ask("generate", how, site, context)?;
        let resource = |it: &Value| -> Option<Generated> {
            let reference = Reference::new(&words(it, "type")?, &words(it, "title")?);
            let mut parameters = Parameters::default();
            if let Some(Value::Hash(given)) = field(it, "parameters") {
                parameters.extend(given.iter().map(|(name, value)| (text_of(name).into(), value.clone())));
            }
            Some(Generated { reference, parameters })
        };
        Ok(elements(&answer, "resources").iter().filter_map(resource).collect())
    }
}

fn event(answer: &Value) -> Event {
    let kind = match words(answer, "status").as_deref() {
        Some("failure") => Kind::Failure,
        Some("noop") => Kind::Noop,
        Some("audit") => Kind::Audit,
        _ => Kind::Success,
    };
    let message = words(answer, "message").unwrap_or_default();
    let mut event = Event::new(&words(answer, "name").unwrap_or_default(), kind, message);
    // A run has few names of properties, and they live as long as it.
    event.property = words(answer, "property").map(|name| &*Box::leak(name.into_boxed_str()));
    event.previous = field(answer, "previous").unwrap_or_default();
    event.desired = field(answer, "desired").unwrap_or_default();
    event.is_redacted = field(answer, "redacted") == Some(Value::Boolean(true));
    event
}

impl Managed for RubyResource {
    fn provider(&self) -> Option<&str> {
        self.provider.as_deref()
    }

    fn properties(&self) -> Vec<Property> {
        Vec::new()
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        Ok(Values::new())
    }

    fn sync(&mut self, _: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        Ok(())
    }

    fn requires(&self) -> Vec<(String, String)> {
        self.requires.clone()
    }

    fn check(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome {
        self.ask("check", "", site, context).map(drop)
    }

    fn evaluate(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Option<Status>> {
        let answer = self.ask("evaluate", "", site, context)?;
        let mut status = Status::default();
        if let Some(provider) = words(&answer, "prefetch_failed") {
            status.fail(format!("Prefetch failed for {} provider '{provider}'", site.type_name()));
            status.is_skipped = true;
            site.say(&mut context.log, Level::Warning, "Skipping because provider prefetch failed");
        }
        elements(&answer, "events").iter().for_each(|it| status.add(event(it)));
        Ok(Some(status))
    }

    fn generate(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Vec<Generated>> {
        self.generated("generate", site, context)
    }

    fn generate_late(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Vec<Generated>> {
        self.generated("eval_generate", site, context)
    }

    fn is_refreshable(&self) -> bool {
        self.is_refreshable
    }

    fn refresh(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome {
        self.ask("refresh", "", site, context).map(drop)
    }
}

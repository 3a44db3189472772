//! Everything that was typed since the start, and what is answered to the next line.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
use bunraku::{Compilation, Compiler, Disk, Environment, Failure, Form, Hash, Node, Type, Unwind, Value, World, repr};

use crate::function;
use crate::output::print_styled;
use crate::report::{log, show_failure, show_logs};

/// What can be typed besides code.
const HELP: &str = "\
help, :help             this text
help NAME               the manual page of a function
:type EXPR              the data type of a value
:facts [PATH]           the facts, or one of them: os.family
:variables              the variables at top scope
:resources [TYPE]       the resources that were declared
:classes                the classes that were declared
:play FILE              evaluate a file
:set facts FILE|SYSTEM  start afresh with other facts: os:debian-12
:reset                  start afresh; files that changed are read again
exit, quit, :quit       leave; so does Ctrl-D
Ctrl-C                  end an evaluation, or forget the line";

/// What comes after a line.
pub(super) enum Next {
    Line,
    End,
    Restart,
    /// A start with other facts.
    Facts(String),
}

/// A compilation that goes on with every line.
pub(super) struct Session<'e> {
    compiler: &'e Compiler,
    environment: &'e Environment,
    node: &'e Node,
    compilation: Compilation<'e>,
    /// Set by Ctrl-C.
    interrupted: Arc<AtomicBool>,
}

impl<'e> Session<'e> {
    pub(super) fn new(compiler: &'e Compiler, node: &'e Node) -> Result<Self, String> {
        let compilation = compiler.compilation(node).map_err(|_| "the environment cannot be used".to_owned())?;
        let interrupted = Arc::new(AtomicBool::new(false));
        let mut session = Session { compiler, environment: compiler.environment(), node, compilation, interrupted };
        session.compilation.clock.limits.cancelled = Some(Arc::clone(&session.interrupted));
        if let Err(unwind) = session.compilation.begin() {
            session.show_error(unwind);
        }
        Ok(session)
    }

    /// Answers a line.
    pub(super) fn answer(&mut self, line: &str) -> Result<Next, String> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (command, rest) {
            (":quit" | ":q" | ":exit" | "exit" | "quit", "") => return Ok(Next::End),
            (":reset", "") => return Ok(Next::Restart),
            (":help" | "help", "") => answer(HELP)?,
            (":help" | "help", name) => match self.compiler.library().get(name) {
                Some(native) => answer(function::page(native).trim_end())?,
                None => log("Error", &format!("there is no function '{name}'")),
            },
            (":facts", path) => self.show_facts(path)?,
            (":variables", _) => self.variables().iter().try_for_each(|name| answer(format_args!("${name}")))?,
            (":classes", _) => {
                let classes: Vec<String> = self.compilation.build.classes().iter().map(ToString::to_string).collect();
                classes.iter().try_for_each(answer)?;
            }
            (":resources", wanted) => {
                let is_wanted = |name: &str| wanted.is_empty() || name.eq_ignore_ascii_case(wanted);
                let references = self.compilation.build.references();
                let found: Vec<String> =
                    references.filter(|it| is_wanted(&it.type_name)).map(ToString::to_string).collect();
                found.iter().try_for_each(answer)?;
            }
            (":type", text) => {
                if let Some(value) = self.evaluate(text) {
                    answer(Type::infer_detailed(&value))?;
                }
            }
            (":play", path) => match Disk.read_named(path).map(String::from_utf8) {
                Ok(Ok(text)) => self.evaluate(&text).map_or(Ok(()), |value| show(&value))?,
                Ok(Err(_)) => log("Error", &format!("{path} is not UTF-8")),
                Err(error) => log("Error", &format!("Could not read {path}: {}", bunraku::reason(&error))),
            },
            (":set", what) => match what.split_once(char::is_whitespace) {
                Some(("facts", facts)) => return Ok(Next::Facts(facts.trim().to_owned())),
                _ => log("Error", "what can be set is `:set facts FILE` and `:set facts os:SYSTEM`"),
            },
            _ if command.starts_with(':') => log("Error", &format!("there is no {command}; :help shows what there is")),
            _ => {
                if let Some(value) = self.evaluate(line) {
                    show(&value)?;
                }
            }
        }
        Ok(Next::Line)
    }

    fn evaluate(&mut self, text: &str) -> Option<Value> {
        let interrupt = Interrupt::watch(&self.interrupted);
        let outcome = match self.environment.inline(text, Form::Manifest) {
            Ok(code) => self.compilation.evaluate_more(code),
            Err(issue) => Err(Unwind::Issue(issue)),
        };
        drop(interrupt);
        let logs = std::mem::take(&mut self.compilation.logs);
        show_logs(self.environment, &logs);
        match outcome {
            Ok(value) => Some(value),
            Err(_) if self.interrupted.swap(false, Ordering::Relaxed) => {
                log("Notice", "the evaluation was interrupted");
                None
            }
            Err(unwind) => {
                self.show_error(unwind);
                None
            }
        }
    }

    fn show_error(&mut self, unwind: Unwind) {
        let failure = Failure::of(self.compilation.diagnostic(unwind), self.environment);
        show_failure(self.environment, &failure, Some(&self.node.name));
    }

    fn show_facts(&self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            return show(&Value::Hash(self.node.facts.clone()));
        }
        match fact(&self.node.facts, path) {
            Some(fact) => show(fact),
            None => {
                log("Error", &format!("there is no fact '{path}'"));
                Ok(())
            }
        }
    }

    /// The names of the variables at top scope.
    pub(super) fn variables(&self) -> Vec<String> {
        let top = self.compilation.scopes.get(bunraku::TOP);
        let mut names: Vec<String> = top.variables.keys().map(ToString::to_string).collect();
        names.sort();
        names
    }
}

/// A fact by its path, as Facter writes it.
fn fact<'v>(facts: &'v Hash, path: &str) -> Option<&'v Value> {
    let (name, rest) = path.split_once('.').unwrap_or((path, ""));
    match facts.get_str(name)? {
        fact if rest.is_empty() => Some(fact),
        Value::Hash(inner) => fact(inner, rest),
        Value::Array(items) => {
            let (index, rest) = rest.split_once('.').unwrap_or((rest, ""));
            match (items.get(index.parse::<usize>().ok()?)?, rest) {
                (item, "") => Some(item),
                (Value::Hash(inner), rest) => fact(inner, rest),
                _ => None,
            }
        }
        _ => None,
    }
}

/// While there is one, Ctrl-C sets a flag; a second Ctrl-C, before anybody has looked at it, ends the program.
struct Interrupt {
    #[cfg(unix)]
    hooks: Vec<signal_hook::SigId>,
}

impl Interrupt {
    #[cfg(unix)]
    fn watch(flag: &Arc<AtomicBool>) -> Self {
        use signal_hook::{consts::SIGINT, flag};
        flag.store(false, Ordering::Relaxed);
        let end = flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(flag));
        let set = flag::register(SIGINT, Arc::clone(flag));
        Interrupt { hooks: end.into_iter().chain(set).collect() }
    }

    #[cfg(not(unix))]
    fn watch(_: &Arc<AtomicBool>) -> Self {
        Interrupt {}
    }
}

#[cfg(unix)]
impl Drop for Interrupt {
    fn drop(&mut self) {
        for hook in self.hooks.drain(..) {
            signal_hook::low_level::unregister(hook);
        }
    }
}

/// Shows a value in the colour of its kind.
fn show(value: &Value) -> Result<(), String> {
    let color = match value {
        Value::String(_) => AnsiColor::Green,
        Value::Integer(_) | Value::Float(_) => AnsiColor::Cyan,
        Value::Boolean(_) | Value::Undef | Value::Default => AnsiColor::Magenta,
        Value::Type(_) => AnsiColor::Yellow,
        _ => AnsiColor::White,
    };
    let style = Style::new().fg_color(Some(color.into()));
    answer(format_args!("{style}{}{style:#}", repr(value)))
}

/// Prints a line of the answer.
pub(super) fn answer(text: impl Display) -> Result<(), String> {
    print_styled(format_args!("{text}\n"))
}

//! `bunraku repl`: evaluates what is typed, line by line.

mod complete;

use std::fmt::Display;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use bunraku::{Compilation, Compiler, Environment, Failure, Form, Node, RunMode, Type, Unwind, Value, repr};
use clap::Args;
use rustyline::Editor;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;

use crate::function;
use crate::output::print_styled;
use crate::report::{log, show_failure, show_logs};
use crate::setup::Setup;
use complete::Words;

/// What can be typed besides code.
const HELP: &str = "\
:help           this text
:help NAME      the manual page of a function
:type EXPR      the data type of a value
:facts [NAME]   the facts, or one of them
:variables      the variables at top scope
:quit           leave; so does Ctrl-D";

const PROMPT: &str = "bunraku> ";

/// Evaluate Puppet code line by line.
///
/// Classes, defined types, functions and types of the environment can be used. A line that is not finished goes on in the
/// next one; Tab completes variables, functions, types and attributes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  bunraku repl\n  bunraku repl --facts facts.yaml --modulepath modules")]
pub(crate) struct Repl {
    /// The name of the node [default: that of the facts]
    #[arg(long, value_name = "NAME", help_heading = "Node")]
    node: Option<String>,
    #[command(flatten)]
    setup: Setup,
}

impl Repl {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        match self.start() {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                log("Error", &message);
                ExitCode::FAILURE
            }
        }
    }

    fn start(&self) -> Result<(), String> {
        let compiler = self.setup.compiler(RunMode::User, Some("")).map_err(|issue| issue.to_string())?;
        let environment = compiler.environment();
        let node = self.setup.node(self.node.as_deref(), environment).map_err(|issue| issue.to_string())?;
        let compilation = compiler.compilation(&node).map_err(|_| "the environment cannot be used".to_owned())?;
        let mut session = Session { compiler: &compiler, environment, node: &node, compilation };
        if let Err(unwind) = session.compilation.begin() {
            session.show_error(unwind);
        }
        session.run()
    }
}

/// Everything that was typed so far.
struct Session<'e> {
    compiler: &'e Compiler,
    environment: &'e Environment,
    node: &'e Node,
    compilation: Compilation<'e>,
}

impl Session<'_> {
    fn run(&mut self) -> Result<(), String> {
        let mut editor: Editor<Words, FileHistory> = Editor::new().map_err(|error| error.to_string())?;
        editor.set_helper(Some(Words::new(self.compiler)));
        let history = history_file();
        if let Some(path) = &history {
            // A history that cannot be read is no reason not to start.
            _ = editor.load_history(path);
        }
        if std::io::stdin().is_terminal() {
            answer(format_args!("Bunraku {}. :help shows what can be typed.", env!("CARGO_PKG_VERSION")))?;
        }
        loop {
            if let Some(words) = editor.helper_mut() {
                words.variables = self.variables();
            }
            let line = match editor.readline(PROMPT) {
                Ok(line) => line,
                Err(ReadlineError::Interrupted) => continue,
                Err(ReadlineError::Eof) => break,
                Err(error) => return Err(error.to_string()),
            };
            if line.trim().is_empty() {
                continue;
            }
            _ = editor.add_history_entry(&line);
            if !self.answer(line.trim())? {
                break;
            }
        }
        if let Some(path) = &history {
            _ = path.parent().map(std::fs::create_dir_all);
            _ = editor.save_history(path);
        }
        Ok(())
    }

    /// Answers a line; whether to go on.
    fn answer(&mut self, line: &str) -> Result<bool, String> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match command {
            ":quit" | ":q" | ":exit" => return Ok(false),
            ":help" if rest.trim().is_empty() => answer(HELP)?,
            ":help" => match self.compiler.library().get(rest.trim()) {
                Some(native) => answer(function::page(native).trim_end())?,
                None => log("Error", &format!("there is no function '{}'", rest.trim())),
            },
            ":facts" => self.show_facts(rest.trim())?,
            ":variables" => self.variables().iter().try_for_each(|name| answer(format_args!("${name}")))?,
            ":type" => {
                if let Some(value) = self.evaluate(rest) {
                    answer(Type::infer_detailed(&value))?;
                }
            }
            _ if command.starts_with(':') => log("Error", &format!("there is no {command}; :help shows what there is")),
            _ => {
                if let Some(value) = self.evaluate(line) {
                    show(&value)?;
                }
            }
        }
        Ok(true)
    }

    fn evaluate(&mut self, text: &str) -> Option<Value> {
        let outcome = match self.environment.inline(text, Form::Manifest) {
            Ok(code) => self.compilation.evaluate_more(code),
            Err(issue) => Err(Unwind::Issue(issue)),
        };
        let logs = std::mem::take(&mut self.compilation.logs);
        show_logs(self.environment, &logs);
        match outcome {
            Ok(value) => Some(value),
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

    fn show_facts(&self, name: &str) -> Result<(), String> {
        match self.node.facts.get_str(name) {
            Some(fact) => show(fact),
            None if name.is_empty() => show(&Value::Hash(self.node.facts.clone())),
            None => {
                log("Error", &format!("there is no fact '{name}'"));
                Ok(())
            }
        }
    }

    fn variables(&self) -> Vec<String> {
        let top = self.compilation.scopes.get(bunraku::TOP);
        let mut names: Vec<String> = top.variables.keys().map(ToString::to_string).collect();
        names.sort();
        names
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

fn answer(text: impl Display) -> Result<(), String> {
    print_styled(format_args!("{text}\n"))
}

fn history_file() -> Option<PathBuf> {
    let directory = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let directory = directory.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?;
    Some(directory.join("bunraku/history"))
}

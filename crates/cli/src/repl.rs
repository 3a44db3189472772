//! `bunraku repl`: evaluates what is typed, line by line.

mod complete;
mod history;
mod session;

use std::io::IsTerminal;
use std::process::ExitCode;

use bunraku::RunMode;
use clap::Args;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};

use crate::report::log;
use crate::setup::Setup;
use complete::{Words, is_unfinished};
use history::History;
use session::{Next, Session, answer};

const PROMPT: &str = "bunraku> ";
/// What stands before a line that goes on with the one before.
const CONTINUATION: &str = "    ...> ";

/// Evaluate Puppet code line by line.
///
/// Classes, defined types, functions and types of the environment can be used. A line that is not finished goes on in the
/// next one; Tab completes variables, facts by their path, functions, methods, classes, types and attributes. Ctrl-C ends an
/// evaluation, Ctrl-D the session. Lines with secrets in them, or that begin with a space, are not kept.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  bunraku repl\n  bunraku repl --facts os:debian-12 --modulepath modules")]
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

    fn start(mut self) -> Result<(), String> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor: Editor<Words, FileHistory> = Editor::with_config(config).map_err(|error| error.to_string())?;
        let history = History::load(&mut editor);
        if std::io::stdin().is_terminal() {
            let version = env!("CARGO_PKG_VERSION");
            answer(format_args!("Bunraku {version}. `help` shows what can be typed, `exit` leaves."))?;
        }
        while let Some(setup) = self.session(&mut editor, &history)? {
            self.setup = setup;
        }
        history.save(&mut editor);
        Ok(())
    }

    /// From a fresh start to the end, or until another start is wanted: the setup for it.
    fn session(&self, editor: &mut Editor<Words, FileHistory>, history: &History) -> Result<Option<Setup>, String> {
        let text = |issue: bunraku::Issue| issue.to_string();
        let compiler = self.setup.compiler(RunMode::User, Some("")).map_err(text)?;
        let environment = compiler.environment();
        let node = self.setup.node(self.node.as_deref(), environment).map_err(text)?;
        let mut session = Session::new(&compiler, &node)?;
        editor.set_helper(Some(Words::new(&compiler, &node)));
        loop {
            if let Some(words) = editor.helper_mut() {
                words.variables = session.variables();
            }
            let Some(text) = read(editor)? else { return Ok(None) };
            if text.trim().is_empty() {
                continue;
            }
            history.add(editor, &text);
            match session.answer(text.trim())? {
                Next::Line => {}
                Next::End => return Ok(None),
                Next::Restart => return Ok(Some(self.setup.clone())),
                Next::Facts(facts) => {
                    let setup = self.setup.clone().with_facts(facts);
                    // What cannot be read is told, and the session goes on as it was.
                    match setup.node(self.node.as_deref(), environment) {
                        Ok(_) => return Ok(Some(setup)),
                        Err(issue) => log("Error", &issue.to_string()),
                    }
                }
            }
        }
    }
}

/// What is typed next, with the lines that it goes on in; nothing at the end.
fn read(editor: &mut Editor<Words, FileHistory>) -> Result<Option<String>, String> {
    let mut text = String::new();
    loop {
        match editor.readline(if text.is_empty() { PROMPT } else { CONTINUATION }) {
            Ok(line) => text.push_str(&line),
            Err(ReadlineError::Interrupted) => {
                text.clear();
                continue;
            }
            // What is not finished at the end is told to be so.
            Err(ReadlineError::Eof) => return Ok((!text.is_empty()).then_some(text)),
            Err(error) => return Err(error.to_string()),
        }
        if !is_unfinished(&text) {
            return Ok(Some(text));
        }
        text.push('\n');
    }
}

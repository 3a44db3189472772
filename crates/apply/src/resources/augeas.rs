//! `augeas`: changes of files through the trees that the Augeas library makes of them, with its command `augtool`. Whether
//! there is anything to do is found out by having the files written under other names first.

mod command;
mod condition;
mod tool;

use bunraku_pcore::Value;

use self::command::Command;
use self::tool::{Answers, Session};
use crate::context::Context;
use crate::execution::{Execution, which};
use crate::fault::{Fault, Outcome};
use crate::log::Level;
use crate::property::{Property, Values};
use crate::resource::{Given, Managed, Site};

const NEEDED: &str = "need_to_run";

struct Augeas {
    session: Session,
    condition: Option<String>,
    changes: Vec<String>,
    is_forced: bool,
    shows_difference: bool,
    returns: Property,
}

/// Whether this machine has the command.
pub(super) fn is_suitable() -> bool {
    which("augtool", None).is_some()
}

pub(super) fn build(given: &Given<'_>, context: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let file = given.text("incl").zip(given.text("lens"));
    if file.is_none() && (given.value("incl").is_some() || given.value("lens").is_some()) {
        return Err(given.invalid("You must specify both the lens and incl parameters, or neither."));
    }
    let asked = given.text("context").unwrap_or_default();
    let around = match (&file, asked.is_empty()) {
        (Some((path, _)), true) => format!("/files{path}"),
        _ => asked,
    };
    let mut load_path: Vec<String> =
        given.texts("load_path").iter().flat_map(|it| it.split(':')).map(str::to_owned).collect();
    let lenses = context.host.libraries().into_iter().map(|library| format!("{library}/augeas/lenses"));
    load_path.extend(lenses.filter(|directory| std::path::Path::new(directory).is_dir()));
    load_path.retain(|directory| !directory.is_empty());
    let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let mut returns = Property::new("returns", given.value("returns").cloned().unwrap_or(Value::Integer(0)));
    if let [Value::String(text)] = returns.should.as_deref().unwrap_or_default()
        && let Ok(number) = text.parse::<i64>()
    {
        returns.should = Some(vec![Value::Integer(number)]);
    }
    Ok(Box::new(Augeas {
        session: Session {
            around,
            root: given.text("root").unwrap_or_else(|| "/".to_owned()),
            load_path: load_path.join(":"),
            file,
            checks_types: given.flag("type_check") == Some(true),
        },
        condition: given.text("onlyif").filter(|condition| !condition.is_empty()),
        changes: given.texts("changes").into_iter().flat_map(lines).collect(),
        is_forced: given.flag("force") == Some(true),
        shows_difference: given.flag("show_diff") != Some(false),
        returns,
    }))
}

fn save_failed() -> Fault {
    Fault::new("Save failed, see debug output for details")
}

impl Augeas {
    fn commands(&self) -> Outcome<Vec<Command>> {
        let commands = command::parse(&self.changes, &self.session.around)?;
        match commands.iter().find(|command| !command.is_change()) {
            Some(command) => Err(Fault::new(format!("Command '{}' is not supported", command.name))),
            None => Ok(commands),
        }
    }

    /// Makes the changes and has them saved in a mode: in their files, or next to them. The files that differ are told.
    fn apply(&self, mode: &str) -> Outcome<(Answers, Vec<String>)> {
        let commands = self.commands()?;
        let mut lines: Vec<String> = vec![format!("set /augeas/save {mode}")];
        lines.extend(commands.iter().map(Command::line));
        lines.extend(["save".to_owned(), "match /augeas/events/saved".to_owned()]);
        let answers = self.session.run(&lines)?;
        let saved = answers.values(commands.len() + 2);
        let saved = saved.into_iter().flatten().filter_map(|path| path.strip_prefix("/files").map(str::to_owned));
        let root = self.session.root.trim_end_matches('/');
        let mut files: Vec<String> = saved.map(|path| format!("{root}{path}")).collect();
        files.dedup();
        let failed = commands.iter().enumerate().find(|(place, _)| answers.failed(place + 1));
        let fault = match failed {
            Some((_, command)) => Some(command.failure()),
            None => answers.failed(commands.len() + 1).then(save_failed),
        };
        match fault {
            Some(fault) => {
                files.iter().for_each(|file| discard(file));
                Err(fault)
            }
            None => Ok((answers, files)),
        }
    }

    /// Whether files would differ, and how.
    fn differs(&self, site: &Site, context: &mut Context<'_>) -> Outcome<bool> {
        let (answers, files) = self.apply("newfile")?;
        self.warn(&answers, site, context);
        for file in &files {
            if self.shows_difference && context.options.show_diff {
                let command = &context.options.diff;
                let arguments: Vec<String> =
                    command.iter().cloned().chain([file.clone(), format!("{file}.augnew")]).collect();
                let output = Execution::new(&arguments).drop_errors().run().map(|output| output.text);
                let difference = output.map_err(|_| Fault::new("Could not show a difference"));
                let said = difference.map(|it| context.log.say_as(&source(site), site.loglevel, format!("\n{it}")));
                if said.is_err() {
                    files.iter().for_each(|file| discard(file));
                }
                said?;
            }
        }
        files.iter().for_each(|file| discard(file));
        Ok(!files.is_empty())
    }

    fn warn(&self, answers: &Answers, site: &Site, context: &mut Context<'_>) {
        if answers.has_load_errors {
            let message = "Loading failed for one or more files, see debug for /augeas//error output";
            context.log.say_as(&source(site), Level::Warning, message);
        }
    }

    fn is_needed(&self, site: &Site, context: &mut Context<'_>) -> Outcome<bool> {
        if let Some(condition) = &self.condition
            && !condition::holds(condition, &self.session)?
        {
            return Ok(false);
        }
        if self.is_forced {
            return Ok(true);
        }
        self.differs(site, context)
    }
}

/// How lines of a provider are signed.
fn source(site: &Site) -> String {
    format!("{}(provider=augeas)", site.reference)
}

/// Removes what was written next to a file. It may not be there.
fn discard(file: &str) {
    _ = std::fs::remove_file(format!("{file}.augnew"));
}

impl Managed for Augeas {
    fn provider(&self) -> Option<&str> {
        Some("augeas")
    }

    fn properties(&self) -> Vec<Property> {
        vec![self.returns.clone()]
    }

    fn retrieve(&mut self, site: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        let mut values = Values::new();
        let is_needed = self.is_needed(site, context)?;
        values.set("returns", if is_needed { NEEDED.into() } else { Value::Integer(0) });
        Ok(values)
    }

    fn sync(&mut self, _: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        if self.is_forced {
            // Nothing may be saved if one of the changes fails.
            self.apply("noop")?;
        }
        self.apply("overwrite").map(drop)
    }

    fn change(&self, _: &Property, _: &Value, _: &mut Context<'_>) -> String {
        "executed successfully".to_owned()
    }
}

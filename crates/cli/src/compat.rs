//! `bunraku compat`: what of an environment needs Ruby.

use std::collections::BTreeSet;
use std::process::ExitCode;

use bunraku::RunMode;
use bunraku::compat::{self, Need, NeedKind, Report, RubyType, StandIn};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use crate::output::print;
use crate::report::log;
use crate::setup::Setup;

/// Report what in an environment needs Ruby.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku compat report production --environmentpath environments")]
pub(crate) struct CompatCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Report(Box<ReportCommand>),
}

/// List what needs Ruby: templates, functions, Hiera backends and resource types; and the native functions that stand in.
///
/// The code is only read, not run. Exits with 0 if nothing needs Ruby to be compiled, 2 if something does, and 1 if the environment
/// cannot be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku compat report production --environmentpath environments\n  \
    bunraku compat report --modulepath modules --format json")]
struct ReportCommand {
    /// The environment [default: that of the settings]
    #[arg(value_name = "ENVIRONMENT")]
    name: Option<String>,
    /// The form of the list
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    #[command(flatten)]
    setup: Setup,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each, and a summary
    Text,
    /// An object
    Json,
}

impl CompatCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let Action::Report(report) = self.action;
        report.run().unwrap_or_else(|issue| {
            log("Error", issue.message());
            ExitCode::FAILURE
        })
    }
}

impl ReportCommand {
    fn run(self) -> Result<ExitCode, bunraku::Issue> {
        let setup = match self.name {
            Some(name) => self.setup.in_environment(name),
            None => self.setup,
        };
        // Modules can be looked at without an environment around them.
        let opened = setup.environment(RunMode::Server, None);
        let environment = opened.or_else(|_| setup.environment(RunMode::Server, Some("")))?;
        let report = compat::report(&environment, &setup.library(&environment), setup.has_ruby());
        let shown = match self.format {
            Format::Text => to_text(&report),
            Format::Json => format!("{:#}\n", to_json(&report)),
        };
        print(shown).map_err(|message| bunraku::Issue::new("", message))?;
        report.unreadable.iter().for_each(|problem| log("Warning", problem));
        Ok(if report.needs.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
    }
}

fn to_text(report: &Report) -> String {
    let mut text = String::new();
    for Need { kind, name, user, file, line, reason } in &report.needs {
        let what = match kind {
            NeedKind::Template if name == "inline" => "renders an inline template".to_owned(),
            NeedKind::Template => format!("renders the template {name}"),
            NeedKind::Function => format!("calls the function {name}"),
            NeedKind::Backend => format!("is the function {name}"),
        };
        let reason = reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
        text.push_str(&format!("{file}:{line}: {user} {what}{reason}\n"));
    }
    for StandIn { name, module, version, way, .. } in &report.stand_ins {
        let version = version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
        text.push_str(&format!("{name} of {module}{version}: {way}\n"));
    }
    for RubyType { name, file, uses, reason } in &report.ruby_types {
        let file = if file.is_empty() { String::new() } else { format!(" ({file})") };
        let times = if *uses == 1 { "once".to_owned() } else { format!("{uses} times") };
        text.push_str(&format!("{name}{file}: declared {times}, applied by a Ruby with Puppet: {reason}\n"));
    }
    let [users, templates, functions, backends] = counts(report);
    text.push_str(&format!(
        "{users} classes, defined types and other users; {templates} templates, {functions} functions and {backends} \
         Hiera backends need Ruby\n"
    ));
    text
}

/// How many different users, templates, functions and backends there are.
fn counts(report: &Report) -> [usize; 4] {
    let names = |kind: NeedKind| {
        let inline = report.needs.iter().filter(|need| need.kind == kind && need.name == "inline").count();
        let named: BTreeSet<&str> = report
            .needs
            .iter()
            .filter(|need| need.kind == kind && need.name != "inline")
            .map(|need| &*need.name)
            .collect();
        named.len() + inline
    };
    let users: BTreeSet<(&str, &str)> = report.needs.iter().map(|need| (&*need.file, &*need.user)).collect();
    [users.len(), names(NeedKind::Template), names(NeedKind::Function), names(NeedKind::Backend)]
}

fn to_json(report: &Report) -> serde_json::Value {
    let need = |need: &Need| {
        json!({
            "kind": need.kind.to_string(), "name": &*need.name, "user": &*need.user, "file": &*need.file, "line": need.line,
            "reason": need.reason.as_deref(),
        })
    };
    let stand_in = |it: &StandIn| {
        json!({
            "name": &*it.name, "module": &*it.module, "version": it.version.as_deref(), "file": &*it.file,
            "way": it.way.name(), "reason": it.way.to_string(),
        })
    };
    let ruby_type =
        |it: &RubyType| json!({ "name": &*it.name, "file": &*it.file, "uses": it.uses, "reason": &*it.reason });
    let [users, templates, functions, backends] = counts(report);
    json!({
        "needs": report.needs.iter().map(need).collect::<Vec<_>>(),
        "stand_ins": report.stand_ins.iter().map(stand_in).collect::<Vec<_>>(),
        "resource_types": report.ruby_types.iter().map(ruby_type).collect::<Vec<_>>(),
        "unreadable": report.unreadable,
        "summary": { "users": users, "templates": templates, "functions": functions, "backends": backends },
    })
}

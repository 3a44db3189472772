//! The command line: `alias puppet=bunraku` works, with one file for each subcommand.

mod agent;
mod apply;
mod arguments;
mod ca;
mod catalog;
mod check;
mod compat;
mod config;
mod configuration;
mod describe;
mod doc;
#[cfg(test)]
mod documented;
mod dump;
mod epp;
mod eval;
mod explain;
mod facter;
mod facts;
mod filebucket;
mod fmt;
mod function;
mod generate;
mod help;
mod interrupt;
mod lint;
mod lookup;
mod module;
mod node;
mod output;
mod parser;
mod plugin;
mod remote;
mod rendering;
mod repl;
mod report;
mod resource;
mod schema;
mod server;
mod settings;
mod setup;
mod ssl;
mod usage;
mod version;
mod walk;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use rayon::prelude::*;

/// The Puppet language, fast: reads your modules, manifests, Hiera data and templates unchanged.
#[derive(Debug, Parser)]
#[command(name = "bunraku", version, propagate_version = true, args_override_self = true)]
#[command(after_help = "Examples:\n  \
    bunraku parser validate .\n  \
    bunraku eval -e '[1, 2, 3].map |$x| { $x * 2 }'\n  \
    bunraku catalog compile --facts os:debian-12 --environmentpath environments\n  \
    bunraku help catalog compile")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Whether to use colours [default: on a terminal]
    #[arg(long, value_name = "CHOICE", global = true, help_heading = "Messages")]
    color: Option<report::Color>,
}

/// The subcommands. Those that Puppet has take Puppet's flags and answer with its exit codes.
#[derive(Debug, Subcommand)]
enum Command {
    Agent(Box<agent::Agent>),
    Apply(Box<apply::Apply>),
    Ca(ca::CaCommand),
    Catalog(catalog::CatalogCommand),
    Compat(compat::CompatCommand),
    Completions(generate::Completions),
    Config(config::ConfigCommand),
    Describe(describe::Describe),
    Doc(doc::Doc),
    Epp(epp::EppCommand),
    Eval(Box<eval::Eval>),
    Explain(explain::Explain),
    Facter(facter::FacterCommand),
    Facts(facts::FactsCommand),
    Filebucket(filebucket::Filebucket),
    Fmt(fmt::Fmt),
    Function(function::FunctionCommand),
    Generate(generate::GenerateCommand),
    Lint(lint::Lint),
    Lookup(Box<lookup::Lookup>),
    Manpages(generate::Man),
    Module(module::ModuleCommand),
    Node(node::NodeCommand),
    Parser(parser::ParserCommand),
    Plugin(plugin::PluginCommand),
    Repl(Box<repl::Repl>),
    Resource(Box<resource::Resource>),
    Schema(schema::Schema),
    Server(server::ServerCommand),
    Ssl(Box<ssl::Ssl>),
    Version(version::Version),
}

/// Runs the command that the arguments of the process ask for.
pub fn main() -> ExitCode {
    if let Some(code) = facter::run_by_that_name().or_else(lint::run_if_asked_for) {
        return code;
    }
    let Cli { command, color } = match read_arguments() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    if let Some(color) = color {
        color.choose();
    }
    match command {
        Command::Agent(agent) => agent.run(),
        Command::Apply(apply) => apply.run(),
        Command::Ca(ca) => ca.run(),
        Command::Catalog(catalog) => catalog.run(),
        Command::Compat(compat) => compat.run(),
        Command::Config(config) => config.run(),
        Command::Describe(describe) => describe.run(),
        Command::Doc(doc) => doc.run(),
        Command::Completions(completions) => completions.run(Cli::command()),
        Command::Epp(epp) => epp.run(),
        Command::Eval(eval) => eval.run(),
        Command::Explain(explain) => explain.run(),
        Command::Facter(facter) => facter.run(),
        Command::Facts(facts) => facts.run(),
        Command::Filebucket(filebucket) => filebucket.run(),
        Command::Fmt(fmt) => fmt.run(),
        Command::Function(function) => function.run(),
        Command::Generate(generate) => generate.run(),
        Command::Lint(lint) => lint.run(),
        Command::Lookup(lookup) => lookup.run(),
        Command::Manpages(man) => man.run(Cli::command()),
        Command::Module(module) => module.run(),
        Command::Node(node) => node.run(),
        Command::Parser(parser) => parser.run(),
        Command::Plugin(plugin) => plugin.run(),
        Command::Repl(repl) => repl.run(),
        Command::Resource(resource) => resource.run(),
        Command::Schema(schema) => schema.run(),
        Command::Server(server) => server.run(),
        Command::Ssl(ssl) => ssl.run(),
        Command::Version(version) => version.run(),
    }
}

/// The command that is asked for. Where there is none, why has been shown.
fn read_arguments() -> Result<Cli, ExitCode> {
    let mut program = Cli::command();
    program.build();
    let given = std::env::args_os().collect();
    let arguments = arguments::normalized(given, &program).map_err(|problem| {
        report::log("Error", &format!("Could not parse application options: {problem}"));
        ExitCode::FAILURE
    })?;
    let words: Vec<String> = arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(code) = help::show(&program, &words) {
        return Err(code);
    }
    let matches = program.try_get_matches_from_mut(&arguments);
    matches.and_then(|matches| Cli::from_arg_matches(&matches)).map_err(|error| {
        let command = arguments.get(1).and_then(|name| program.find_subcommand(name));
        usage::show(&error, command.map(clap::Command::get_name))
    })
}

/// Does the same with each of them, in their order. For a single one no threads are started, and where there can be none
/// everything happens in this one.
fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync + Send) -> Vec<R> {
    let pool = if items.len() > 1 { rayon::ThreadPoolBuilder::new().build().ok() } else { None };
    match pool {
        Some(pool) => pool.install(|| items.par_iter().map(work).collect()),
        None => items.iter().map(work).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_of_every_command_has_examples() {
        let mut commands = vec![Cli::command()];
        while let Some(command) = commands.pop() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with("Example"), "{}", command.get_name());
            commands.extend(command.get_subcommands().cloned());
        }
        Cli::command().debug_assert();
    }
}

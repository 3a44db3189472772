//! `bunraku completions` and `bunraku manpages`: what shells and manuals need to know about the commands; and `bunraku generate`,
//! which has nothing to do.

use std::path::PathBuf;
use std::process::ExitCode;

use bunraku::{Environment, Module, RunMode};
use clap::{Args, Command, Subcommand};
use clap_complete::Shell;

use crate::output::{print, write_results};
use crate::report::{log, refuse};
use crate::settings::SettingFlags;

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bunraku completions bash > /etc/bash_completion.d/bunraku\n  bunraku completions zsh --name puppet > _puppet"
)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
    /// The name under which the program is called
    #[arg(long, value_name = "NAME", default_value = "bunraku")]
    name: String,
}

impl Completions {
    /// Runs the command.
    pub(crate) fn run(&self, mut command: Command) -> ExitCode {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut command, &self.name, &mut text);
        finish(write_results(|output| output.write_all(&text)))
    }
}

/// Write manual pages, one for each command
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku manpages /usr/local/share/man/man1")]
pub(crate) struct Man {
    /// The directory to write to
    directory: PathBuf,
}

impl Man {
    /// Runs the command.
    pub(crate) fn run(&self, command: Command) -> ExitCode {
        let written = std::fs::create_dir_all(&self.directory)
            .and_then(|()| clap_mangen::generate_to(command.disable_help_subcommand(true), &self.directory));
        let place = self.directory.display();
        finish(written.map_err(|error| format!("Could not write to {place}: {}", bunraku::reason(&error))))
    }
}

/// Accepted for scripts that prepare an environment; nothing needs to be generated.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku generate types --environment production")]
pub(crate) struct GenerateCommand {
    #[command(subcommand)]
    action: GenerateAction,
}

#[derive(Debug, Subcommand)]
enum GenerateAction {
    /// Writes nothing: the resource types of modules are read from their Ruby, for each environment apart
    #[command(after_help = "Example:\n  bunraku generate types --environment production --force")]
    Types {
        /// Accepted
        #[arg(long)]
        force: bool,
        /// Accepted: pcore is the only one
        #[arg(long, value_name = "FORMAT", default_value = "pcore")]
        format: String,
        #[command(flatten)]
        settings: Box<SettingFlags>,
    },
}

impl GenerateCommand {
    /// Runs the command.
    pub(crate) fn run(&self) -> ExitCode {
        let GenerateAction::Types { settings, format, .. } = &self.action;
        if format != "pcore" {
            return refuse("generate types", &format!("'{format}' is not a supported format for type generation."));
        }
        let said = settings.environment(RunMode::User, None).map_err(|issue| issue.message().to_owned());
        match said.and_then(|environment| print(notices(&environment))) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => refuse("generate types", &message),
        }
    }
}

/// What Puppet says where the types are as new as their Ruby, which here they always are.
fn notices(environment: &Environment) -> &'static str {
    let has_types = |module: &Module| {
        let directory = format!("{}/lib/puppet/type", module.path);
        let mut files = std::fs::read_dir(directory).into_iter().flatten().flatten();
        files.any(|file| file.file_name().as_encoded_bytes().ends_with(b".rb"))
    };
    match environment.modules().any(has_types) {
        true => {
            "Notice: Generating Puppet resource types.\n\
             Notice: No files were generated because all inputs were up-to-date.\n"
        }
        false => "Notice: No custom types were found.\n",
    }
}

fn finish(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            log("Error", &message);
            ExitCode::FAILURE
        }
    }
}

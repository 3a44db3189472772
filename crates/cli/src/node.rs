//! `bunraku node`: what is known of a node before its catalog is compiled.

mod clean;

use std::process::ExitCode;

use bunraku::notation::yaml;
use bunraku::{Classification, Disk, Hash, Issue, RunMode, Value, json};
use clap::{Args, Subcommand};

use crate::output::print;
use crate::rendering::RenderAs;
use crate::report::refuse;
use crate::setup::Setup;

/// Show what is known of nodes, or forget them.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bunraku node find web1.example.com --facts web1.yaml")]
pub(crate) struct NodeCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Find(Box<Find>),
    Clean(Box<clean::Clean>),
}

/// Show the environment, the classes and the parameters of a node: its facts, and what the classifier says.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  bunraku node find web1.example.com\n  bunraku node find --render-as yaml")]
struct Find {
    /// The certificate name of the node [default: that of this machine]
    #[arg(value_name = "NODE")]
    name: Option<String>,
    /// The form of the answer
    #[arg(long = "render-as", value_name = "FORMAT", default_value = "console")]
    render_as: RenderAs,
    #[command(flatten)]
    setup: Setup,
}

impl NodeCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let find = match self.action {
            Action::Find(find) => find,
            Action::Clean(clean) => return clean.run().unwrap_or_else(|message| refuse("node clean", &message)),
        };
        match find.text().map_err(|issue| issue.message().to_owned()).and_then(print) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => refuse("node find", &message),
        }
    }
}

impl Find {
    fn text(&self) -> Result<String, Issue> {
        let environment = self.setup.environment(RunMode::Server, Some(""))?;
        let mut node = self.setup.node(self.name.as_deref(), &environment)?;
        let classification = Classification::of(&node.name, &environment.settings, &Disk)?;
        let name = classification.environment.clone().unwrap_or_else(|| environment.name.clone());
        classification.apply(&mut node);
        let mut parameters: Hash = (*node.facts).clone();
        for (name, value) in &node.parameters {
            parameters.insert(Value::from(name.as_str()), value.clone());
        }
        let mut shown = vec![
            (Value::from("name"), Value::from(node.name.as_str())),
            (Value::from("environment"), Value::from(name)),
        ];
        if !node.classes.is_empty() {
            let class = |(name, given): &(_, Option<std::sync::Arc<Hash>>)| {
                let name: &ecow::EcoString = name;
                (
                    Value::from(name.as_str()),
                    given.as_ref().map_or_else(|| Value::hash([]), |it| Value::Hash(it.clone())),
                )
            };
            shown.push((Value::from("classes"), Value::hash(node.classes.iter().map(class))));
        }
        shown.push((Value::from("parameters"), Value::from(parameters)));
        let shown = Value::hash(shown);
        Ok(match self.render_as {
            RenderAs::Console => bunraku::facter::format::json(&shown) + "\n",
            RenderAs::Json => json::write(&shown)? + "\n",
            RenderAs::Yaml => yaml::emit(&shown),
        })
    }
}

//! The forms in which Puppet's faces give their answers.

use clap::ValueEnum;

/// What `--render-as` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RenderAs {
    /// For people
    Console,
    /// An object
    Json,
    /// A YAML document
    Yaml,
}

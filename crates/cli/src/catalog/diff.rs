//! `bunraku catalog diff`: what is different between two catalogs.

use std::process::ExitCode;

use bunraku::catalog::diff;

use crate::output::print;

/// Show what is different between two catalogs.
///
/// Exits with 0 if they are equal, 2 if they are different, and 1 if they cannot be compared.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    bunraku catalog diff before.json after.json\n  \
    bunraku catalog compile --facts web1.yaml | bunraku catalog diff before.json - --format markdown")]
pub(super) struct Diff {
    /// The old catalog as JSON; `-` is standard input
    old: String,
    /// The new catalog as JSON; `-` is standard input
    new: String,
    /// How differences are shown
    #[arg(long, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For a terminal
    Text,
    /// For programs
    Json,
    /// For review tools
    Markdown,
    /// For a browser
    Html,
}

impl Diff {
    pub(super) fn run(self) -> Result<ExitCode, String> {
        let format = match self.format {
            Format::Text => diff::Format::Text,
            Format::Json => diff::Format::Json,
            Format::Markdown => diff::Format::Markdown,
            Format::Html => diff::Format::Html,
        };
        let diff = diff::Diff::new(&super::read(&self.old)?, &super::read(&self.new)?);
        print(diff::render(&diff, format))?;
        Ok(if diff.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(2) })
    }
}

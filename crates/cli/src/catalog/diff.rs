//! `bunraku catalog diff`: what is different between catalogs: two files, two directories, or two revisions of the code.

mod revisions;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bunraku::Catalog;
use bunraku::catalog::diff;

use crate::output::{on_terminal, print, tell};
use crate::setup::Setup;
use revisions::Revisions;

/// Show what is different between catalogs.
///
/// Two files are two catalogs; two directories have the catalogs of many nodes, and what is different on several nodes is
/// told once. A..B are two revisions of the control repository around the current directory, as git names them: the
/// catalogs of both are compiled, for the nodes with a file in the directory that --facts names. Without B the other side
/// is what is in the working directory. Exits with 0 if the catalogs are equal, 2 if they are different, and 1 if they
/// cannot be compared.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    bunraku catalog diff before.json after.json\n  \
    bunraku catalog diff before/ after/ --format html > changes.html\n  \
    bunraku catalog diff main..HEAD --facts facts/\n  \
    bunraku catalog diff HEAD --facts web1.yaml\n  \
    bunraku catalog compile --facts web1.yaml | bunraku catalog diff before.json - --format markdown")]
pub(super) struct Diff {
    /// The old catalog as JSON, a directory of them, or `-` for standard input; or revisions as A, A..B or A...B
    old: String,
    /// The new catalog, or directory of catalogs
    new: Option<String>,
    /// How differences are shown
    #[arg(long, default_value = "text")]
    format: Format,
    /// Compile for this node only; can be given several times
    #[arg(long = "node", value_name = "NAME", help_heading = "Node")]
    nodes: Vec<String>,
    #[command(flatten)]
    setup: Setup,
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

/// The catalogs of one side, by node.
type Catalogs = BTreeMap<String, Catalog>;

impl Diff {
    pub(super) fn run(self) -> Result<ExitCode, String> {
        let format = match self.format {
            Format::Text => diff::Format::Text,
            Format::Json => diff::Format::Json,
            Format::Markdown => diff::Format::Markdown,
            Format::Html => diff::Format::Html,
        };
        let is_dir = |path: &str| Path::new(path).is_dir();
        match &self.new {
            Some(new) if is_dir(&self.old) && is_dir(new) => {
                show(directory(&self.old)?, directory(new)?, format).map(exit_code)
            }
            Some(new) if is_dir(&self.old) || is_dir(new) => {
                Err(match [&self.old, new].into_iter().find(|path| *path != "-" && !Path::new(path).exists()) {
                    Some(missing) => format!("Could not read {missing}: No such file or directory"),
                    None => format!("one of {} and {new} is a directory: give two files, or two directories", self.old),
                })
            }
            Some(new) => {
                let diff = diff::Diff::new(&super::read(&self.old)?, &super::read(new)?);
                print(diff::render(&diff, format))?;
                if diff.is_empty() && self.format == Format::Text && on_terminal() {
                    tell("the catalogs are equal\n");
                }
                Ok(exit_code(diff.is_empty()))
            }
            None if Path::new(&self.old).exists() => {
                Err(format!("{} needs another to be compared with: a file, or a directory", self.old))
            }
            None => {
                let (old, new, is_complete) = Revisions::read(&self.old)?.compile(self.setup, &self.nodes)?;
                let is_equal = show(old, new, format)?;
                Ok(if is_complete { exit_code(is_equal) } else { ExitCode::FAILURE })
            }
        }
    }
}

fn exit_code(is_equal: bool) -> ExitCode {
    if is_equal { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

/// The catalogs in a directory: every file with JSON in it is that of the node it is named after.
fn directory(path: &str) -> Result<Catalogs, String> {
    let fail = |error: &std::io::Error| format!("Could not read the directory {path}: {}", bunraku::reason(error));
    let mut catalogs = Catalogs::new();
    for entry in std::fs::read_dir(path).map_err(|error| fail(&error))? {
        let file: PathBuf = entry.map_err(|error| fail(&error))?.path();
        if let (Some(stem), Some("json")) = (file.file_stem(), file.extension().and_then(|it| it.to_str())) {
            catalogs.insert(stem.to_string_lossy().into_owned(), super::read(&file.to_string_lossy())?);
        }
    }
    if catalogs.is_empty() { Err(format!("{path} has no catalogs: no file in it ends in .json")) } else { Ok(catalogs) }
}

/// Shows what is different between the catalogs of each node; whether nothing is.
fn show(old: Catalogs, mut new: Catalogs, format: diff::Format) -> Result<bool, String> {
    let (mut both, mut only_old) = (Vec::new(), Vec::new());
    for (name, old) in old {
        match new.remove(&name) {
            Some(new) => both.push((name.as_str().into(), diff::Diff::new(&old, &new))),
            None => only_old.push(name.as_str().into()),
        }
    }
    let only_new = new.into_keys().map(|name| name.as_str().into()).collect();
    let nodes = diff::Nodes { only_old, only_new, ..diff::Nodes::new(both) };
    print(diff::render_nodes(&nodes, format))?;
    Ok(nodes.is_empty())
}

//! `bunraku module`: which modules an environment has, and what they need that is not there.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use bunraku::notation::yaml;
use bunraku::pcore::data_types::{SemVer, SemVerRange};
use bunraku::{Disk, Environment, Issue, Module, RunMode, Value, json};
use clap::{Args, Subcommand};

use crate::output::print_styled;
use crate::rendering::RenderAs;
use crate::report::{log, show_line};
use crate::settings::SettingFlags;

/// List the modules of an environment.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  bunraku module list\n  bunraku module list --tree --environment testing")]
pub(crate) struct ModuleCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(Box<List>),
    /// Not there: modules are installed by r10k, librarian-puppet, git or packages
    #[command(hide = true, after_help = "Example:\n  r10k puppetfile install")]
    Install(Other),
    /// Not there: as install
    #[command(hide = true, after_help = "Example:\n  r10k puppetfile install")]
    Upgrade(Other),
    /// Not there: as install
    #[command(hide = true, after_help = "Example:\n  rm -r modules/NAME")]
    Uninstall(Other),
    /// Not there: what was changed is told by git
    #[command(hide = true, after_help = "Example:\n  git diff")]
    Changes(Other),
}

/// The arguments of an action that is not there.
#[derive(Debug, Args)]
struct Other {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// List modules by the directories of the modulepath, and say which dependencies are not met.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  bunraku module list --modulepath modules\n  bunraku module list --render-as json")]
struct List {
    /// Show modules below those that need them
    #[arg(long)]
    tree: bool,
    /// The form of the list
    #[arg(long = "render-as", value_name = "FORMAT", default_value = "console")]
    render_as: RenderAs,
    #[command(flatten)]
    settings: SettingFlags,
}

impl ModuleCommand {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        let missing = match self.action {
            Action::List(list) => {
                return list.run().unwrap_or_else(|message| {
                    log("Error", &message);
                    ExitCode::FAILURE
                });
            }
            Action::Install(_) => "install",
            Action::Upgrade(_) => "upgrade",
            Action::Uninstall(_) => "uninstall",
            Action::Changes(_) => "changes",
        };
        let advice = match missing {
            "changes" => "ask your version control, or compare with a release of the module",
            _ => "use r10k, librarian-puppet, git or your packages to put modules on the modulepath",
        };
        log("Error", &format!("Bunraku has no action 'module {missing}': {advice}"));
        ExitCode::FAILURE
    }
}

/// Why a dependency is not met, in the order in which the reference tells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    NonSemanticVersion,
    VersionMismatch,
    Missing,
}

impl Reason {
    const ALL: [Reason; 3] = [Reason::NonSemanticVersion, Reason::VersionMismatch, Reason::Missing];

    fn name(self) -> &'static str {
        match self {
            Reason::NonSemanticVersion => "non_semantic_version",
            Reason::VersionMismatch => "version_mismatch",
            Reason::Missing => "missing",
        }
    }
}

/// What is wrong with a module that others need.
#[derive(Debug, Default)]
struct Unmet {
    errors: Vec<String>,
    /// The last module that needs it otherwise, with its version.
    parent: (String, String),
    version: Option<String>,
}

type Problems = BTreeMap<(Reason, String), Unmet>;

/// The name with the author, `puppetlabs/stdlib`.
fn forge_name(module: &Module) -> Option<String> {
    module.metadata.as_ref()?.name.as_ref().map(|name| name.replacen('-', "/", 1))
}

fn version(module: &Module) -> Option<&str> {
    module.metadata.as_ref().map(|metadata| metadata.version.as_str())
}

/// A version, or a range that begins with one, is shown with a `v`.
fn marked(text: &str) -> String {
    if text.starts_with(|it: char| it.is_ascii_digit()) { format!("v{text}") } else { text.to_owned() }
}

impl List {
    fn run(&self) -> Result<ExitCode, String> {
        let text = |issue: Issue| issue.message().to_owned();
        let environment = self.settings.environment(RunMode::User, Some("")).map_err(text)?;
        let paths: Vec<&String> = environment.modulepath.iter().filter(|path| Path::new(path).is_dir()).collect();
        // A module that another one of its name goes before is listed too.
        let mut by_path = Vec::new();
        for path in paths {
            let mut settings = environment.settings.clone();
            settings.set("modulepath", path.as_str());
            let alone = Environment::without_directory(Arc::new(Disk), &settings, &environment.name).map_err(text)?;
            by_path.push((path.as_str(), alone));
        }
        let problems = problems(&environment);
        let shown = match self.render_as {
            RenderAs::Console => {
                warn(&problems);
                self.console(&environment, &by_path, &problems)
            }
            RenderAs::Json => json::write(&data(&environment, &by_path, &problems)).map_err(text)? + "\n",
            RenderAs::Yaml => yaml::emit(&data(&environment, &by_path, &problems)),
        };
        print_styled(shown).map(|()| ExitCode::SUCCESS)
    }

    fn console(&self, environment: &Environment, by_path: &[(&str, Environment)], problems: &Problems) -> String {
        let mut text = String::new();
        for (path, alone) in by_path {
            let mut modules: Vec<&Module> = alone.modules().collect();
            let none = if modules.is_empty() { " (no modules installed)" } else { "" };
            text.push_str(&format!("{path}{none}\n"));
            let nodes = if self.tree {
                let count = |module: &&Module| forge_name(module).map_or(0, |name| needed_by(&name, environment));
                modules.sort_by(|a, b| a.name.cmp(&b.name));
                modules.sort_by_key(count);
                let mut tree = Tree { environment, path, problems, seen: Vec::new() };
                modules.into_iter().filter_map(|module| tree.node(module, None, 0)).collect()
            } else {
                modules.sort_by_key(|module| forge_name(module).unwrap_or_else(|| module.name.clone()));
                let leaf = |module: &Module| {
                    let name = forge_name(module).unwrap_or_default();
                    let is_invalid = problems.contains_key(&(Reason::VersionMismatch, name));
                    Node { text: label(module, path, is_invalid), below: Vec::new() }
                };
                modules.into_iter().map(leaf).collect::<Vec<_>>()
            };
            text.push_str(&drawn(&nodes, 0));
        }
        if text.is_empty() { "\n".to_owned() } else { text }
    }
}

/// How many modules need the one of this name.
fn needed_by(name: &str, environment: &Environment) -> usize {
    let needs = |module: &&Module| {
        module.metadata.iter().flat_map(|it| &it.dependencies).any(|it| it.name.replacen('-', "/", 1) == name)
    };
    environment.modules().filter(needs).count()
}

/// The module of a name with an author, if that is who it is by.
fn find<'e>(name: &str, environment: &'e Environment) -> Option<&'e Module> {
    let module = environment.module(name.split_once('/')?.1)?;
    (forge_name(module)? == name).then_some(module)
}

fn problems(environment: &Environment) -> Problems {
    let mut problems = Problems::new();
    let mut modules: Vec<&Module> = environment.modules().collect();
    modules.sort_by(|a, b| a.name.cmp(&b.name));
    for module in modules {
        let Some(metadata) = &module.metadata else { continue };
        let mut unmet: Vec<(Reason, String, String, Option<String>)> = Vec::new();
        for dependency in &metadata.dependencies {
            let name = dependency.name.replacen('-', "/", 1);
            let wanted = match dependency.version_requirement.as_str() {
                "" => ">= 0.0.0",
                range => range,
            };
            let found = find(&name, environment);
            let installed = found.and_then(version);
            let reason = match installed.map(|installed| (SemVerRange::parse(wanted), SemVer::parse(installed))) {
                None => Reason::Missing,
                Some((Ok(range), Ok(installed))) if range.includes(&installed) => continue,
                Some((Ok(_), Ok(_))) => Reason::VersionMismatch,
                Some(_) => Reason::NonSemanticVersion,
            };
            unmet.push((reason, name, marked(wanted), installed.map(str::to_owned)));
        }
        unmet.sort_by(|a, b| a.1.cmp(&b.1));
        let parent = forge_name(module).unwrap_or_else(|| module.name.clone());
        for (reason, name, wanted, installed) in unmet {
            let unmet = problems.entry((reason, name.clone())).or_default();
            let (of, at) = (parent.replace('/', "-"), marked(&metadata.version));
            unmet.errors.push(format!("'{of}' ({at}) requires '{}' ({wanted})", name.replace('/', "-")));
            unmet.parent = (parent.clone(), at);
            unmet.version = installed;
        }
    }
    problems
}

fn warn(problems: &Problems) {
    for ((reason, name), unmet) in problems {
        let name = name.replace('/', "-");
        let version = unmet.version.as_deref().unwrap_or_default();
        let mut message = match reason {
            Reason::VersionMismatch => format!("Module '{name}' (v{version}) fails to meet some dependencies:"),
            Reason::NonSemanticVersion => format!("Non semantic version dependency {name} (v{version}):"),
            Reason::Missing => format!("Missing dependency '{name}':"),
        };
        unmet.errors.iter().for_each(|error| message.push_str(&format!("\n  {error}")));
        show_line("Warning", &message);
    }
}

/// The same for programs.
fn data(environment: &Environment, by_path: &[(&str, Environment)], problems: &Problems) -> Value {
    let listed = by_path.iter().map(|(path, alone)| {
        let mut modules: Vec<&Module> = alone.modules().collect();
        modules.sort_by(|a, b| a.name.cmp(&b.name));
        let text = |module: &Module| Value::from(format!("Module {}({})", module.name, module.path));
        (Value::from(*path), Value::array(modules.into_iter().map(text)))
    });
    let unmet = Reason::ALL.map(|reason| {
        let of_reason = problems.iter().filter(|((it, _), _)| *it == reason);
        let of_reason = of_reason.map(|((_, name), unmet)| {
            let pair = |key: &str, value: Value| (Value::from(key), value);
            let (parent, at) = unmet.parent.clone();
            let entry = [
                pair("errors", Value::array(unmet.errors.iter().map(|error| Value::from(error.as_str())))),
                pair("parent", Value::hash([pair("name", parent.into()), pair("version", at.into())])),
                pair("version", unmet.version.clone().map(Value::from).unwrap_or_default()),
            ];
            (Value::from(name.as_str()), Value::hash(entry))
        });
        (Value::from(reason.name()), Value::hash(of_reason))
    });
    Value::hash([
        ("environment".into(), Value::from(environment.name.as_str())),
        ("modules_by_path".into(), Value::hash(listed)),
        ("unmet_dependencies".into(), Value::hash(unmet)),
    ])
}

/// A line with the lines below it.
struct Node {
    text: String,
    below: Vec<Node>,
}

fn label(module: &Module, path: &str, is_invalid: bool) -> String {
    let name = forge_name(module).map_or_else(|| module.name.clone(), |name| name.replace('/', "-"));
    let cyan = AnsiColor::Cyan.on_default();
    let version = version(module).map_or("???".to_owned(), |version| format!("v{version}"));
    let mut text = format!("{name} ({})", styled(cyan, &version));
    let directory = Path::new(&module.path).parent().map(|it| it.display().to_string()).unwrap_or_default();
    if directory != path {
        text.push_str(&format!(" [{directory}]"));
    }
    if is_invalid {
        text.push_str(&format!("  {}", styled(AnsiColor::Red.on_default(), "invalid")));
    }
    text
}

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Modules below those that need them, each once.
struct Tree<'t> {
    environment: &'t Environment,
    path: &'t str,
    problems: &'t Problems,
    seen: Vec<String>,
}

/// Modules need each other at most so deep; the rest is left out.
const DEEPEST: usize = 100;

impl Tree<'_> {
    fn node(&mut self, module: &Module, parent: Option<&Module>, depth: usize) -> Option<Node> {
        let name = forge_name(module).unwrap_or_else(|| module.name.clone());
        if depth > DEEPEST || self.seen.contains(&name) {
            return None;
        }
        let is_invalid = parent.is_some_and(|parent| {
            let unmet = self.problems.get(&(Reason::VersionMismatch, name.clone()));
            let of = (forge_name(parent).unwrap_or_default(), format!("v{}", version(parent).unwrap_or_default()));
            unmet.is_some_and(|unmet| unmet.parent == of)
        });
        let text = label(module, self.path, is_invalid);
        self.seen.push(name);
        let mut below = Vec::new();
        let dependencies = module.metadata.as_ref().map(|it| it.dependencies.as_slice()).unwrap_or_default();
        let environment = self.environment;
        for dependency in dependencies {
            let name = dependency.name.replacen('-', "/", 1);
            if find(&name, environment).is_none() {
                let red = styled(AnsiColor::Red.on_default(), "UNMET DEPENDENCY");
                let range = styled(AnsiColor::Cyan.on_default(), &marked(&dependency.version_requirement));
                below.push(Node { text: format!("{red} {} ({range})", name.replace('/', "-")), below: Vec::new() });
            }
        }
        for dependency in dependencies {
            let found = find(&dependency.name.replacen('-', "/", 1), environment);
            below.extend(found.and_then(|found| self.node(found, Some(module), depth + 1)));
        }
        Some(Node { text, below })
    }
}

fn drawn(nodes: &[Node], level: usize) -> String {
    let indent = "  ".repeat(level);
    let mut text = String::new();
    for (index, node) in nodes.iter().enumerate() {
        let is_last = index + 1 == nodes.len();
        let (corner, branch) = (if is_last { "└" } else { "├" }, if node.below.is_empty() { "─" } else { "┬" });
        text.push_str(&format!("{indent}{corner}─{branch} {}\n", node.text));
        let below = drawn(&node.below, level + 1);
        for line in below.lines() {
            match line.strip_prefix(&format!("{indent} ")) {
                Some(rest) if !is_last => text.push_str(&format!("{indent}│{rest}\n")),
                _ => text.push_str(&format!("{line}\n")),
            }
        }
    }
    text
}

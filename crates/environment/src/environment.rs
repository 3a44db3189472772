//! An environment: its settings, its modules and its code, immutable and shared by all compilations.

use std::io;
use std::sync::{Arc, OnceLock};

use bunraku_diagnostic::render::Sources;
use bunraku_syntax::{Diagnostic, FileId, FileNamespace, Issue, Severity, Source};
use ecow::EcoString;

use crate::autoload::{self, Candidate};
use crate::cache::Cache;
use crate::files::{Code, Files, Form, Store};
use crate::issues;
use crate::module::{self, Module, Modules};
use crate::ruby_files::RubyFiles;
use crate::settings::{EnvironmentConf, Settings};
use crate::world::{Command, Entry, Observer, World, entries, expand, glob, join};

/// A manifest that may define something.
#[derive(Debug)]
pub(crate) struct Manifest {
    candidate: Candidate,
    /// The number of its code, once it is known; nothing if there is no such file.
    id: OnceLock<Option<FileId>>,
}

impl Manifest {
    /// The code, read and parsed when first asked for; nothing if there is no such file.
    pub(crate) fn code<'e>(&self, environment: &'e Environment) -> Option<Result<&'e Code, Issue>> {
        if let Some(id) = self.id.get() {
            return environment.code((*id)?).map(Ok);
        }
        let code = environment.load(&self.candidate);
        match &code {
            Some(Err(_)) => {}
            Some(Ok(code)) => _ = self.id.set(Some(code.id)),
            None => _ = self.id.set(None),
        }
        code
    }
}

/// How many names of definitions are remembered with the files that may define them.
const MOST_NAMES: usize = 1 << 16;
/// How many files and directories one generation observes.
const MANY_PATHS: usize = 1 << 18;

/// Where code and data for nodes come from: one generation of it, which changes no more. What it looks at may change
/// meanwhile; that is for its [`successor`](Environment::successor), which shares what has not changed.
#[derive(Debug)]
pub struct Environment {
    /// Its name.
    pub name: String,
    /// Its directory; nothing if it is not in one.
    pub directory: Option<String>,
    /// The settings as they are for this environment.
    pub settings: Settings,
    /// The directories in which modules are, in order.
    pub modulepath: Vec<String>,
    /// What was noticed when the environment was opened: strange settings, modules that cannot be used.
    pub notices: Vec<Diagnostic>,
    /// The settings it was opened with.
    common: Settings,
    /// How it was found.
    origin: Origin,
    modules: Modules,
    world: Arc<Observer>,
    files: Files,
    manifests: Cache<EcoString, Arc<[Manifest]>>,
    ruby_files: OnceLock<RubyFiles>,
    fault: OnceLock<Issue>,
    config_version: OnceLock<Result<Option<String>, Issue>>,
}

/// How an environment is found.
#[derive(Debug, Clone)]
enum Origin {
    /// By its name, on the `environmentpath`.
    Name,
    Directory(String),
    NoDirectory,
}

impl Environment {
    /// Opens the environment of this name on the `environmentpath`.
    pub fn open(world: Arc<dyn World>, settings: &Settings, name: &str) -> Result<Self, Issue> {
        Self::open_with(world, settings, name, Arc::default())
    }

    /// The same with what other environments in this world have read.
    pub fn open_with(world: Arc<dyn World>, settings: &Settings, name: &str, store: Arc<Store>) -> Result<Self, Issue> {
        Self::found(world, settings, name, Origin::Name, store)
    }

    /// Opens the environment in a directory.
    pub fn at(world: Arc<dyn World>, settings: &Settings, name: &str, directory: &str) -> Result<Self, Issue> {
        Self::found(world, settings, name, Origin::Directory(directory.to_owned()), Arc::default())
    }

    /// An environment without a directory: modules and manifest are where the settings say.
    pub fn without_directory(world: Arc<dyn World>, settings: &Settings, name: &str) -> Result<Self, Issue> {
        Self::found(world, settings, name, Origin::NoDirectory, Arc::default())
    }

    /// Whether there is a directory for the environment of this name, whatever is in it.
    pub fn has_directory(world: &dyn World, settings: &Settings, name: &str) -> bool {
        find_directory(world, settings, name).is_ok()
    }

    fn found(
        world: Arc<dyn World>,
        common: &Settings,
        name: &str,
        origin: Origin,
        store: Arc<Store>,
    ) -> Result<Self, Issue> {
        let world = Observer::new(world);
        let directory = match &origin {
            Origin::Name => Some(find_directory(&world, common, name)?),
            Origin::Directory(directory) => Some(directory.clone()),
            Origin::NoDirectory => None,
        };
        let mut notices = Vec::new();
        let conf = match &directory {
            Some(directory) => EnvironmentConf::load(&world, common, directory)?,
            None => EnvironmentConf::default(),
        };
        notices.extend(conf.warnings.into_iter().map(warning));
        let settings = common.with_environment(name, conf.layer);
        let modulepath = settings.paths("modulepath")?;
        let found = module::discover(&world, &modulepath, settings.strict()?)?;
        notices.extend(found.warnings.into_iter().map(warning));
        notices.extend(found.errors.into_iter().map(Issue::nowhere));
        Ok(Environment {
            name: name.to_owned(),
            directory,
            files: Files::new(settings.strict()?, settings.target.product(), store),
            settings,
            modulepath,
            notices,
            common: common.clone(),
            origin,
            modules: found.modules,
            world: Arc::new(world),
            manifests: Cache::new(MOST_NAMES),
            ruby_files: OnceLock::new(),
            fault: OnceLock::new(),
            config_version: OnceLock::new(),
        })
    }

    /// Whether anything it has looked at has changed.
    pub fn has_changed(&self) -> bool {
        self.world.has_changed()
    }

    /// Whether it has gathered so much at run time (code given as strings, paths) that its successor should begin without
    /// it, even if nothing has changed.
    pub fn is_full(&self) -> bool {
        self.files.is_full() || self.world.len() > MANY_PATHS
    }

    /// The environment as it is now. Unchanged code is shared with this one and keeps its numbers.
    pub fn successor(&self) -> Result<Environment, Issue> {
        let (world, store) = (self.world.world().clone(), self.files.store().successor());
        Self::found(world, &self.common, &self.name, self.origin.clone(), store)
    }

    /// The world, observed: what is read through it counts when changes are looked for.
    pub fn world(&self) -> &dyn World {
        &*self.world
    }

    /// The same world for what outlives a borrow of the environment.
    pub fn shared_world(&self) -> Arc<dyn World> {
        self.world.clone()
    }

    /// The module of this name.
    pub fn module(&self, name: &str) -> Option<&Module> {
        self.modules.get(name)
    }

    /// All modules, in the order of the modulepath.
    pub fn modules(&self) -> impl ExactSizeIterator<Item = &Module> {
        self.modules.values()
    }

    /// The text that spans with this number refer to.
    pub fn source(&self, id: FileId) -> Option<&Source> {
        self.code(id).map(|code| &*code.source)
    }

    /// The code with this number, if it has been loaded.
    pub fn code(&self, id: FileId) -> Option<&Code> {
        self.files.get(id)
    }

    /// The code that is evaluated first: the `code` setting, or the manifest, or all manifests of a directory.
    pub fn main(&self) -> Result<Vec<&Code>, Issue> {
        let code = self.settings.text("code")?;
        if !code.is_empty() {
            return Ok(vec![self.inline(&code, Form::Manifest)?]);
        }
        let manifest = match self.settings.optional_text("manifest")? {
            Some(manifest) => expand("", &manifest),
            None => return Ok(Vec::new()),
        };
        let paths = match self.world.stamp(&manifest) {
            None => match self.world.exists(&manifest) {
                Ok(_) => Vec::new(),
                Err(error) => return Err(issues::unreadable(&manifest, &error)),
            },
            Some(stamp) if stamp.is_dir => {
                let mut paths = glob(self.world(), &join(&manifest, "**/*.pp"))?;
                paths.retain(|path| self.world.is_file(path));
                paths.sort();
                paths
            }
            Some(_) => vec![manifest],
        };
        paths.iter().map(|path| self.files.load(self.world(), path, Form::Manifest, None, FileNamespace::Any)).collect()
    }

    /// What the `config_version` command prints; nothing if there is no such command. It is run once.
    pub fn config_version(&self) -> Result<Option<&str>, Issue> {
        let version = self.config_version.get_or_init(|| self.run_config_version());
        version.as_ref().map(Option::as_deref).map_err(Clone::clone)
    }

    fn run_config_version(&self) -> Result<Option<String>, Issue> {
        let command = self.settings.text("config_version")?;
        if command.is_empty() {
            return Ok(None);
        }
        let arguments = ["-c", command.as_str()];
        let run = self.world.run(&Command { program: "/bin/sh", arguments: &arguments, ..Command::default() });
        let output = run.map_err(|error| issues::config_version(&command, &error.to_string()))?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        match output.code {
            Some(0) => Ok(Some(printed.trim().to_owned())),
            code => {
                let said = String::from_utf8_lossy(&output.stderr);
                let code = code.unwrap_or(1);
                let said = format!("{printed}{said}");
                let message = format!("Execution of '{command}' returned {code}: {}", said.trim_end());
                Err(issues::config_version(&command, &message))
            }
        }
    }

    /// Code given at run time. The same text is parsed once.
    pub fn inline(&self, text: &str, form: Form) -> Result<&Code, Issue> {
        self.files.inline(text, form)
    }

    /// The template at a path.
    pub fn template(&self, path: &str) -> Result<&Code, Issue> {
        self.files.load(self.world(), path, Form::Template, None, FileNamespace::Any)
    }

    /// The text of a file that is no Puppet code, read once.
    pub fn text(&self, path: &str) -> io::Result<Arc<str>> {
        self.files.store().text(self.world(), path)
    }

    /// The path `module/file` stands for among the `files` of modules. An absolute path stands for itself.
    pub fn find_file(&self, reference: &str) -> Option<String> {
        self.find_in_module(reference, "files")
    }

    /// The path `module/file` stands for among the `templates` of modules. An absolute path stands for itself.
    pub fn find_template(&self, reference: &str) -> Option<String> {
        self.find_in_module(reference, "templates")
    }

    fn find_in_module(&self, reference: &str, directory: &str) -> Option<String> {
        if reference.starts_with('/') {
            return Some(reference.to_owned());
        }
        let (module, path) = autoload::module_file(reference)?;
        let path = join(&self.module(module)?.path, &format!("{directory}/{path}"));
        self.world.stamp(&path).map(|_| path)
    }

    /// The Ruby files of the modules, listed when first asked for.
    pub fn ruby_files(&self) -> &RubyFiles {
        let list = |directory: &str| self.list(directory);
        self.ruby_files.get_or_init(|| RubyFiles::list(&list, self.directory.as_deref(), &self.modules))
    }

    /// The entries of a directory that need not exist. That one cannot be read is a [`fault`](Environment::fault).
    pub fn list(&self, directory: &str) -> Vec<Entry> {
        entries(self.world(), directory).unwrap_or_else(|issue| {
            self.fault.get_or_init(|| issue);
            Vec::new()
        })
    }

    /// The text of a file; nothing if there is none. That it cannot be read is a [`fault`](Environment::fault).
    pub fn optional_text(&self, path: &str) -> Option<Arc<str>> {
        match self.text(path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                self.fault.get_or_init(|| issues::unreadable(path, &error));
                None
            }
        }
    }

    /// Why what is known of the environment so far may not be all there is: the first file or directory that could not be
    /// read while something was searched for. No catalog may come of that.
    pub fn fault(&self) -> Option<&Issue> {
        self.fault.get()
    }

    /// The generated description of a resource type, if the environment has one.
    pub fn generated_resource_type(&self, name: &str) -> Option<Result<&Code, Issue>> {
        let candidate = Candidate { module: None, path: autoload::generated_resource_type(name)? };
        self.load(&candidate)
    }

    /// The manifests that may define the class or defined type of a name: every compilation asks for the same ones.
    pub(crate) fn manifests(&self, name: &str) -> Arc<[Manifest]> {
        if let Some(known) = self.manifests.get(name) {
            return known;
        }
        let is_there = |it: &Candidate| it.module.as_deref().is_some_and(|module| self.module(module).is_some());
        let candidates = autoload::manifests(name).into_iter().filter(is_there);
        let found: Arc<[Manifest]> = candidates.map(|candidate| Manifest { candidate, id: OnceLock::new() }).collect();
        self.manifests.insert(name.into(), 1, found.clone());
        found
    }

    /// The code of a candidate; nothing if there is no such file.
    pub(crate) fn load(&self, candidate: &Candidate) -> Option<Result<&Code, Issue>> {
        let directory = match &candidate.module {
            Some(name) => &self.module(name)?.path,
            None => self.directory.as_ref()?,
        };
        let path = join(directory, &candidate.path);
        if !self.world.is_file(&path) {
            // A file that is not to be seen is not one that is not there.
            return self.world.exists(&path).err().map(|error| Err(issues::unreadable(&path, &error)));
        }
        let module = candidate.module.as_deref();
        Some(self.files.load(self.world(), &path, Form::Manifest, module, candidate.namespace()))
    }
}

/// The directory of the environment of this name.
fn find_directory(world: &dyn World, settings: &Settings, name: &str) -> Result<String, Issue> {
    if name.is_empty() || !name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_') {
        return Err(issues::environment_name(name));
    }
    let path = settings.paths("environmentpath")?;
    let found = path.iter().map(|directory| join(directory, name)).find(|directory| world.is_dir(directory));
    found.ok_or_else(|| issues::environment_not_found(name, &path))
}

fn warning(issue: Issue) -> Diagnostic {
    issue.nowhere().with_severity(Severity::Warning)
}

impl Sources for Environment {
    fn source(&self, file: FileId) -> Option<&Source> {
        Environment::source(self, file)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;
    use crate::settings::RunMode;
    use crate::world::Memory;

    fn open<const N: usize>(files: [(&str, &str); N]) -> Result<Environment, Issue> {
        let mut settings = Settings::new(RunMode::Server);
        settings.set("environmentpath", "/none:/environments");
        Environment::open(Arc::new(Memory::from(files)), &settings, "production")
    }

    #[test]
    fn manifests_of_a_directory_are_sorted() {
        let environment = open([
            ("/environments/production/manifests/b.pp", ""),
            ("/environments/production/manifests/a/c.pp", ""),
            ("/environments/production/manifests/a.pp", ""),
            ("/environments/production/manifests/.d.pp", ""),
        ])
        .unwrap();
        let main = environment.main().unwrap();
        let paths: Vec<&str> = main.iter().filter_map(|code| code.path.as_deref()).collect();
        let directory = "/environments/production/manifests";
        assert_eq!(paths, [format!("{directory}/a.pp"), format!("{directory}/a/c.pp"), format!("{directory}/b.pp")]);
    }

    #[test]
    fn files_belong_to_modules() {
        let environment = open([
            ("/environments/production/modules/m/templates/a/b.epp", "x"),
            ("/environments/production/modules/m/lib/puppet/functions/m/f.rb", ""),
            ("/environments/production/modules/m/lib/puppet/type/t.rb", ""),
        ])
        .unwrap();
        let template = environment.find_template("m/a/b.epp");
        assert_eq!(template.as_deref(), Some("/environments/production/modules/m/templates/a/b.epp"));
        assert_eq!(environment.find_template("m/none"), None);
        assert_eq!(environment.find_file("/x").as_deref(), Some("/x"));
        assert!(environment.template(&template.unwrap()).unwrap().errors().next().is_none());
        let ruby = environment.ruby_files();
        assert!(ruby.function("m::f", None).is_some() && ruby.function("f", None).is_none());
        assert_eq!(ruby.resource_type("t").unwrap().module.as_deref(), Some("m"));
    }

    #[test]
    fn sources_are_what_was_parsed() {
        let manifest = "/environments/production/manifests/a.pp";
        let mut settings = Settings::new(RunMode::Server);
        settings.set("environmentpath", "/environments");
        let world = Arc::new(Memory::from([(manifest, "$a = 1\n$b = 'é'\n")]));
        let environment = Environment::open(world.clone(), &settings, "production").unwrap();
        let code = *environment.main().unwrap().first().unwrap();
        world.write(manifest, "other");
        let source = environment.source(code.id).unwrap();
        assert_eq!((code.line_number(9), source.line_column(9), source.line(2)), (2, (2, 3), "$b = 'é'"));
    }

    #[test]
    fn inline_code_is_left_behind() {
        let first = open([("/environments/production/manifests/a.pp", "$a = 1")]).unwrap();
        assert!(!first.is_full());
        let text = "x".repeat(20 << 20);
        let inline = first.inline(&text, Form::Template).unwrap();
        let main = *first.main().unwrap().first().unwrap();
        assert!(first.is_full() && !first.has_changed());
        let second = first.successor().unwrap();
        assert!(!second.is_full());
        assert!(std::ptr::eq(*second.main().unwrap().first().unwrap(), main));
        assert!(second.code(inline.id).is_none() && first.code(inline.id).is_some());
        assert_ne!(second.inline("y", Form::Template).unwrap().id, inline.id);
    }

    #[test]
    fn an_environment_must_exist() {
        let message = open([]).unwrap_err().message().to_owned();
        let expected = "Could not find a directory environment named 'production' anywhere in the path: \
                        /none:/environments. Does the directory exist?";
        assert_eq!(message, expected);
    }
}

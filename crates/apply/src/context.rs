//! What a run knows and uses besides the resource at hand: the log, the options, the machine, and what was read before.

use std::path::PathBuf;
use std::rc::Rc;

use bunraku_catalog::Reference;
use bunraku_catalog::setting_type::SettingType;
use bunraku_pcore::Value;
use rustc_hash::FxHashMap;

use crate::accounts::Accounts;
use crate::log::Log;
use crate::options::Options;
use crate::ruby::Ruby;

/// What whoever asks for a run has to hand in: everything that takes a compiler or an environment.
pub trait Host {
    /// The value that a `Deferred` stands for. What is no `Deferred` stays as it is.
    fn resolve(&self, value: &Value) -> Result<Value, String>;

    /// The file on this machine that `puppet:///` stands for in the environment, as far as it is there; an error if that
    /// cannot be found out.
    fn file(&self, path: &str) -> Result<Option<PathBuf>, String>;

    /// The answer of a web server to a question, wherever it is found; an error if there is none.
    fn web(&self, question: &WebQuestion<'_>) -> Result<WebAnswer, String>;

    /// Keeps a copy in the filebucket of the server, unless it has it.
    fn keep_copy(&self, copy: &FileCopy<'_>) -> Result<(), String>;

    /// What the filebucket of the server has under a checksum of SHA-256; nothing if it does not know it.
    fn kept_copy(&self, sum: &str) -> Result<Option<Vec<u8>>, String>;

    /// What a resource type of a module is if it stands for settings of a file.
    fn setting_type(&self, name: &str) -> Option<SettingType>;

    /// The directories in which modules are.
    fn modulepath(&self) -> Vec<String> {
        Vec::new()
    }

    /// The directories of modules that have code in Ruby.
    fn libraries(&self) -> Vec<String> {
        Vec::new()
    }

    /// A resource is about to be applied: how many have been, of how many.
    fn progress(&self, _done: usize, _all: usize, _resource: &str) {}
}

/// What a web server is asked.
#[derive(Debug, Clone, Copy)]
pub struct WebQuestion<'a> {
    /// The method.
    pub method: &'a str,
    /// The address.
    pub url: &'a str,
    /// Headers that matter to the answer.
    pub headers: &'a [(&'a str, &'a str)],
}

/// What a web server answers.
#[derive(Debug, Clone, Default)]
pub struct WebAnswer {
    /// The status.
    pub status: u16,
    /// The headers, with their names in lowercase.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// A file that is kept in a filebucket.
#[derive(Debug, Clone, Copy)]
pub struct FileCopy<'a> {
    /// The checksum of SHA-256.
    pub sum: &'a str,
    /// Where the file was.
    pub path: &'a str,
    /// What is in it.
    pub content: &'a [u8],
}

/// What a run knows and uses.
pub(crate) struct Context<'r> {
    /// Where lines go.
    pub(crate) log: Log,
    /// What was asked for.
    pub(crate) options: &'r Options,
    /// Who asked for it.
    pub(crate) host: &'r dyn Host,
    /// Users and groups of the machine.
    pub(crate) accounts: Accounts,
    /// The packages of the machine, once they have been looked at.
    pub(crate) packages: crate::resources::package::Packages,
    /// The newest versions of packages, as far as they were asked for together.
    pub(crate) newest: crate::resources::package::Newest,
    /// What systemd said of units.
    pub(crate) units: crate::resources::service::Units,
    /// How often something was changed, so that what was looked at before may no longer be so.
    pub(crate) changes: usize,
    /// Files of records that have been read.
    pub(crate) records: crate::records::Stores,
    /// Resource types of modules that have been asked for.
    pub(crate) setting_types: FxHashMap<String, Option<Rc<SettingType>>>,
    /// What applies resources written in Ruby.
    pub(crate) ruby: Ruby,
    /// The name of the environment.
    pub(crate) environment: String,
    /// The resources of the catalog by type and name.
    pub(crate) declared: Declared,
}

impl<'r> Context<'r> {
    /// A run that has looked at nothing yet.
    pub(crate) fn new(log: Log, options: &'r Options, host: &'r dyn Host, environment: String) -> Self {
        Context {
            log,
            options,
            host,
            environment,
            accounts: Accounts::default(),
            packages: crate::resources::package::Packages::default(),
            newest: crate::resources::package::Newest::default(),
            units: crate::resources::service::Units::default(),
            changes: 0,
            records: crate::records::Stores::default(),
            declared: Declared::default(),
            ruby: Ruby::default(),
            setting_types: FxHashMap::default(),
        }
    }

    /// Whatever was looked at may have changed.
    pub(crate) fn forget(&mut self) {
        self.accounts = Accounts::default();
        self.packages = crate::resources::package::Packages::default();
        self.newest = crate::resources::package::Newest::default();
        self.units = crate::resources::service::Units::default();
        self.records = crate::records::Stores::default();
        self.declared = Declared::default();
    }

    /// What a resource type of a module is if it stands for settings of a file.
    pub(crate) fn setting_type(&mut self, name: &str) -> Option<Rc<SettingType>> {
        if let Some(known) = self.setting_types.get(name) {
            return known.clone();
        }
        let found = self.host.setting_type(name).map(Rc::new);
        self.setting_types.insert(name.to_owned(), found.clone());
        found
    }

    /// Whether the program may do anything on this machine.
    pub(crate) fn is_privileged(&self) -> bool {
        rustix::process::geteuid().is_root()
    }
}

/// The resources of the catalog: their parameters by type in lowercase and name.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    by_type: FxHashMap<String, Vec<Known>>,
}

/// A resource that the catalog has.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    /// Its type and title.
    pub(crate) reference: Reference,
    /// Its name, which may differ from the title.
    pub(crate) name: String,
    /// What was declared.
    pub(crate) parameters: bunraku_catalog::Parameters,
}

impl Declared {
    /// Notes a resource.
    pub(crate) fn add(&mut self, known: Known) {
        self.by_type.entry(known.reference.type_name.to_lowercase().into()).or_default().push(known);
    }

    /// All resources of a type.
    pub(crate) fn of(&self, type_name: &str) -> &[Known] {
        self.by_type.get(type_name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The resource of a type with a title or name.
    pub(crate) fn find(&self, type_name: &str, name: &str) -> Option<&Known> {
        let all = self.of(type_name);
        all.iter().find(|known| known.reference.title == name).or_else(|| all.iter().find(|known| known.name == name))
    }
}

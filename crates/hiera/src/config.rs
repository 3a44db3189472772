//! The configuration `hiera.yaml`: what the levels of a hierarchy are and where their data is.

mod legacy;
mod line;
mod validate;

use std::sync::Arc;

use bunraku_environment::Strict;
use bunraku_pcore::{Hash, Value, inspect};
use bunraku_syntax::Product;
use ecow::EcoString;

use crate::error::Error;
use crate::issues;
use crate::merge::Strategy;

/// A layer of data: each has a configuration of its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Layer {
    Global,
    Environment,
    Module(EcoString),
}

impl Layer {
    /// The word for the layer in messages and explanations.
    pub(crate) fn place(&self) -> &'static str {
        match self {
            Layer::Global => "Global",
            Layer::Environment => "Environment",
            Layer::Module(_) => "Module",
        }
    }

    /// The module the layer belongs to.
    pub(crate) fn module_name(&self) -> Option<&EcoString> {
        match self {
            Layer::Module(name) => Some(name),
            _ => None,
        }
    }
}

/// A configuration that has been read and found right.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    pub(crate) version: i64,
    /// The file; nothing for the configuration that applies when there is none.
    pub(crate) path: Option<EcoString>,
    /// The text of the file, in which messages look for lines.
    text: String,
    pub(crate) hierarchy: Vec<Entry>,
    pub(crate) default_hierarchy: Option<Vec<Entry>>,
    /// What `hiera_hash` does, by version 3.
    pub(crate) hash_strategy: Strategy,
}

/// A level of the hierarchy.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) name: EcoString,
    pub(crate) kind: FunctionKind,
    pub(crate) function: EcoString,
    /// The directory of the data, still to be interpolated.
    pub(crate) datadir: EcoString,
    pub(crate) location: LocationSpec,
    pub(crate) options: Option<Arc<Hash>>,
    /// What versions 3 and 4 append to paths.
    pub(crate) extension: Option<EcoString>,
}

/// How the function of a level is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FunctionKind {
    DataHash,
    LookupKey,
    DataDig,
    /// A backend written for Hiera 3, in Ruby.
    Hiera3Backend,
    /// A data function of the time before Hiera 5, which gets no arguments.
    V4DataHash,
}

impl FunctionKind {
    const ALL: [FunctionKind; 5] = [
        FunctionKind::DataHash,
        FunctionKind::LookupKey,
        FunctionKind::DataDig,
        FunctionKind::Hiera3Backend,
        FunctionKind::V4DataHash,
    ];

    /// The key of the configuration that asks for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            FunctionKind::DataHash => "data_hash",
            FunctionKind::LookupKey => "lookup_key",
            FunctionKind::DataDig => "data_dig",
            FunctionKind::Hiera3Backend => "hiera3_backend",
            FunctionKind::V4DataHash => "v4_data_hash",
        }
    }
}

/// Where a level's data is, as written.
#[derive(Debug, Clone)]
pub(crate) enum LocationSpec {
    None,
    Paths(Vec<EcoString>),
    Globs(Vec<EcoString>),
    Uris(Vec<EcoString>),
    /// A variable with one or more values, the name each is bound to, and the path to make of it.
    Mapped {
        variable: EcoString,
        name: EcoString,
        template: EcoString,
    },
}

/// The keys that say where data is.
const LOCATION_KEYS: [&str; 7] = ["path", "paths", "glob", "globs", "uri", "uris", "mapped_paths"];

/// What the world around a configuration decides.
pub(crate) struct Setting<'s> {
    pub(crate) layer: &'s Layer,
    /// The directory of the file, to which data directories are relative.
    pub(crate) root: &'s str,
    pub(crate) codedir: &'s str,
    pub(crate) strict: Strict,
    pub(crate) product: Product,
    pub(crate) warns_of_deprecations: bool,
}

impl Config {
    /// The configuration of a layer without a file.
    pub(crate) fn standard(root: &str) -> Config {
        let defaults = Defaults {
            datadir: "data".into(),
            function: Some((FunctionKind::DataHash, "yaml_data".into())),
            options: None,
        };
        let common = Hash::from_iter([("name".into(), "Common".into()), ("path".into(), "common.yaml".into())]);
        Config {
            version: 5,
            path: None,
            text: String::new(),
            hierarchy: vec![entry(&common, &defaults, root)],
            default_hierarchy: None,
            hash_strategy: Strategy::default_strategy(),
        }
    }

    /// A configuration whose only level is a data function of the time before Hiera 5.
    pub(crate) fn of_function(function: &str, root: &str) -> Config {
        let level = [
            ("name".into(), Value::from(format!("Legacy function '{function}'"))),
            (FunctionKind::V4DataHash.name().into(), function.into()),
        ];
        let defaults = Defaults { datadir: "data".into(), function: None, options: None };
        Config { hierarchy: vec![entry(&Hash::from_iter(level), &defaults, root)], ..Config::standard(root) }
    }

    /// Reads a configuration. Warnings are handed back with it; nothing is read where a version is ignored.
    pub(crate) fn read(
        value: Option<&Value>,
        path: &str,
        text: String,
        setting: &Setting<'_>,
        warn: &mut dyn FnMut(String),
    ) -> Result<Option<Config>, Error> {
        let empty = Arc::new(Hash::new());
        let hash = match value {
            Some(Value::Hash(hash)) => hash,
            _ => {
                warn(format!(
                    "{path}: File exists but does not contain a valid YAML hash. \
                     Falling back to Hiera version 3 default config"
                ));
                &empty
            }
        };
        let config = Config {
            version: version_of(hash),
            path: Some(path.into()),
            text,
            hierarchy: Vec::new(),
            default_hierarchy: None,
            hash_strategy: Strategy::default_strategy(),
        };
        if setting.warns_of_deprecations && matches!(config.version, 3 | 4) {
            let what = format!("{path}: Use of 'hiera.yaml' version {} is deprecated", config.version);
            warn(format!("{what}. It should be converted to version 5\n   (file: {path})"));
        }
        match config.version {
            5 => config.read_version_5(hash, setting).map(Some),
            4 => config.read_version_4(hash, setting).map(Some),
            3 => config.read_version_3(hash, setting, warn),
            version => Err(config.fail(&issues::unsupported_version(version), None)),
        }
    }

    /// The name an explanation shows.
    pub(crate) fn name(&self) -> String {
        format!("hiera configuration version {}", self.version)
    }

    /// A failure that is about this file.
    pub(crate) fn fail(&self, issue: &bunraku_syntax::Issue, line: Option<u64>) -> Error {
        Error::issue(issue, self.path.as_deref(), line)
    }

    /// The failure at the line that has a word first.
    pub(crate) fn fail_at_word(&self, issue: &bunraku_syntax::Issue, word: &str) -> Error {
        self.fail(issue, line::find(&self.text, 1, |line| line::contains_word(line, word)))
    }

    /// The failure for a variable in a path that does not exist.
    pub(crate) fn undefined_variable(&self, name: &str) -> Error {
        let forms = ["", "'", "\""].map(|quote| format!("%{{{quote}{name}{quote}}}"));
        let line = line::find(&self.text, 1, |line| forms.iter().any(|form| line.contains(form)));
        self.fail(&issues::undefined_variable(name), line)
    }

    fn read_version_5(mut self, hash: &Hash, setting: &Setting<'_>) -> Result<Config, Error> {
        validate::version_5(hash, (self.path.as_deref().unwrap_or_default(), &self.text))?;
        let standard = Hash::from_iter([("datadir".into(), "data".into()), ("data_hash".into(), "yaml_data".into())]);
        let given = hash.get_str("defaults").and_then(as_hash).unwrap_or(&standard);
        self.check_defaults(given, setting.product)?;
        let defaults = Defaults::read(given);
        let common =
            Value::array([Value::hash([("name".into(), "Common".into()), ("path".into(), "common.yaml".into())])]);
        let hierarchy = hash.get_str("hierarchy").filter(|value| !value.is_undef()).unwrap_or(&common);
        self.hierarchy = self.read_hierarchy(hierarchy, &defaults, setting)?;
        if let Some(plan) = hash.get_str("plan_hierarchy") {
            self.read_hierarchy(plan, &defaults, setting)?;
        }
        if let Some(default_hierarchy) = hash.get_str("default_hierarchy") {
            if setting.layer.module_name().is_none() {
                let line = line::find(&self.text, 1, |line| line::has_word(line, "default_hierarchy:", |_| true));
                return Err(self.fail(&issues::default_hierarchy_not_in_module(), line));
            }
            self.default_hierarchy = Some(self.read_hierarchy(default_hierarchy, &defaults, setting)?);
        }
        Ok(self)
    }

    fn read_hierarchy(
        &self,
        hierarchy: &Value,
        defaults: &Defaults,
        setting: &Setting<'_>,
    ) -> Result<Vec<Entry>, Error> {
        let Value::Array(levels) = hierarchy else { return Ok(Vec::new()) };
        let levels: Vec<&Hash> = levels.iter().filter_map(as_hash).collect();
        for level in &levels {
            self.check_level(level, defaults, setting)?;
        }
        Ok(levels.into_iter().map(|level| entry(level, defaults, setting.root)).collect())
    }

    fn check_defaults(&self, defaults: &Hash, product: Product) -> Result<(), Error> {
        if FunctionKind::ALL.iter().filter(|kind| has(defaults, kind.name())).count() > 1 {
            return Err(self.fail(&issues::multiple_data_provider_functions_in_default(), None));
        }
        match reserved_option(defaults) {
            Some(key) => Err(self.fail(&issues::default_option_reserved_by_puppet(key, product), None)),
            None => Ok(()),
        }
    }

    fn check_level(&self, level: &Hash, defaults: &Defaults, setting: &Setting<'_>) -> Result<(), Error> {
        let name = text_of(level, "name").unwrap_or_default();
        let functions = FunctionKind::ALL.iter().filter(|kind| has(level, kind.name())).count();
        if functions == 0 && defaults.function.is_none() {
            return Err(self.fail(&issues::missing_data_provider_function(&name), None));
        }
        if functions > 1 {
            return Err(self.fail(&issues::multiple_data_provider_functions(&name), None));
        }
        if let Some(backend) = text_of(level, "hiera3_backend") {
            self.check_backend(&backend, setting)?;
        }
        if LOCATION_KEYS.iter().filter(|key| has(level, key)).count() > 1 {
            return Err(self.fail(&issues::multiple_location_specs(&name), None));
        }
        match reserved_option(level) {
            Some(key) => Err(self.fail(&issues::option_reserved_by_puppet(key, &name, setting.product), None)),
            None => Ok(()),
        }
    }

    fn check_backend(&self, backend: &str, setting: &Setting<'_>) -> Result<(), Error> {
        if *setting.layer != Layer::Global {
            let line = line::find(&self.text, 1, |line| line::has_word(line, "hiera3_backend:", |_| true));
            return Err(self.fail(&issues::v3_backend_not_global(), line));
        }
        if matches!(backend, "yaml" | "json" | "hocon") {
            let line = line::find(&self.text, 1, |line| {
                line::has_word(line, "hiera3_backend:", |rest| line::begins_with_word(rest.trim_start(), backend))
            });
            return Err(self.fail(&issues::v3_backend_replaced_by_data_hash(backend), line));
        }
        Ok(())
    }

    /// Refuses a level that has the name of an earlier one. The reference finds out when it resolves the levels.
    pub(crate) fn check_name(&self, entries: &[Entry], index: usize) -> Result<(), Error> {
        let Some(entry) = entries.get(index) else { return Ok(()) };
        if entries.iter().take(index).all(|earlier| earlier.name != entry.name) {
            return Ok(());
        }
        let is_name = |line: &str| {
            line.split_once("name:").is_some_and(|(before, rest)| {
                before.ends_with(char::is_whitespace)
                    && rest.starts_with(char::is_whitespace)
                    && line::begins_with_word(rest.trim_start(), &entry.name)
            })
        };
        let is_word = |line: &str| line::contains_word(line, &entry.name);
        let matches: &dyn Fn(&str) -> bool = if self.version == 3 { &is_word } else { &is_name };
        let first = line::find(&self.text, 1, matches);
        let second = first.and_then(|first| line::find(&self.text, first.saturating_add(1), matches));
        let (line, first) = if second.is_some() { (second, first) } else { (first, None) };
        let issue = match self.version {
            3 => issues::backend_multiply_defined(&entry.name, first),
            _ => issues::hierarchy_name_multiply_defined(&entry.name, first),
        };
        Err(self.fail(&issue, line))
    }
}

/// What levels have that do not say otherwise.
struct Defaults {
    datadir: EcoString,
    function: Option<(FunctionKind, EcoString)>,
    options: Option<Arc<Hash>>,
}

impl Defaults {
    fn read(hash: &Hash) -> Defaults {
        Defaults {
            datadir: text_of(hash, "datadir").unwrap_or_else(|| "data".into()),
            function: function_of(hash),
            options: options_of(hash),
        }
    }
}

fn entry(level: &Hash, defaults: &Defaults, root: &str) -> Entry {
    let (kind, function) =
        function_of(level).or_else(|| defaults.function.clone()).unwrap_or((FunctionKind::DataHash, EcoString::new()));
    let datadir = text_of(level, "datadir").unwrap_or_else(|| defaults.datadir.clone());
    Entry {
        name: text_of(level, "name").unwrap_or_default(),
        kind,
        function,
        datadir: crate::location::plus(root, &datadir).into(),
        location: location_of(level),
        options: options_of(level).or_else(|| defaults.options.clone()),
        extension: None,
    }
}

fn function_of(hash: &Hash) -> Option<(FunctionKind, EcoString)> {
    FunctionKind::ALL.into_iter().find_map(|kind| Some((kind, text_of(hash, kind.name())?)))
}

fn options_of(hash: &Hash) -> Option<Arc<Hash>> {
    match hash.get_str("options") {
        Some(Value::Hash(options)) => Some(Arc::clone(options)),
        _ => None,
    }
}

fn location_of(level: &Hash) -> LocationSpec {
    let Some(key) = LOCATION_KEYS.into_iter().find(|key| has(level, key)) else { return LocationSpec::None };
    let texts = level.get_str(key).map(texts).unwrap_or_default();
    match (key, texts.as_slice()) {
        ("path" | "paths", _) => LocationSpec::Paths(texts),
        ("glob" | "globs", _) => LocationSpec::Globs(texts),
        ("mapped_paths", [variable, name, template]) => {
            LocationSpec::Mapped { variable: variable.clone(), name: name.clone(), template: template.clone() }
        }
        _ => LocationSpec::Uris(texts),
    }
}

fn reserved_option(hash: &Hash) -> Option<&'static str> {
    let options = hash.get_str("options").and_then(as_hash)?;
    ["path", "uri"].into_iter().find(|key| has(options, key))
}

fn has(hash: &Hash, key: &str) -> bool {
    hash.get_str(key).is_some()
}

fn as_hash(value: &Value) -> Option<&Hash> {
    match value {
        Value::Hash(hash) => Some(hash),
        _ => None,
    }
}

fn text_of(hash: &Hash, key: &str) -> Option<EcoString> {
    hash.get_str(key).and_then(Value::as_str).map(EcoString::from)
}

fn texts(value: &Value) -> Vec<EcoString> {
    match value {
        Value::Array(elements) => elements.iter().map(|element| inspect::to_s(element).into()).collect(),
        other => vec![inspect::to_s(other).into()],
    }
}

/// The version, for which Ruby's `to_i` is taken; a file without one is of version 3.
fn version_of(hash: &Hash) -> i64 {
    match hash.get_str("version") {
        None | Some(Value::Undef) => 3,
        Some(Value::Integer(version)) => *version,
        #[expect(clippy::cast_possible_truncation, reason = "Ruby's to_i truncates too")]
        Some(Value::Float(version)) => *version as i64,
        Some(Value::String(text)) => {
            let digits: String = text.trim_start().chars().take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap_or(0)
        }
        Some(_) => 0,
    }
}

//! What all lookups of an environment share: its layers, and their files, each read and parsed once.
//!
//! What was read of a file is good as long as the file has the same stamp, for every generation of the environment.

use std::io::ErrorKind;
use std::sync::Arc;

use bunraku_environment::world::Stamp;
use bunraku_environment::{Cache, Environment, Strict, World};
use bunraku_notation::yaml;
use bunraku_pcore::issues::string_of;
use bunraku_syntax::{Issue, Product};
use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::backends::{self, Backend, Data};
use crate::config::{Config, Layer, Setting};
use crate::error::Error;

/// How much data is kept, in bytes of its files. The values take several times as much.
const MOST_DATA_BYTES: usize = 64 << 20;
/// How much configuration is kept, likewise.
const MOST_CONFIG_BYTES: usize = 16 << 20;
/// What a file costs beyond its length.
const BYTES_EACH: usize = 1024;

/// Where the layers of data are.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// The configuration of the global layer, which need not exist; empty if there is no such layer.
    pub global_config: String,
    /// The directory under which Hiera 3 expects the data of environments.
    pub codedir: String,
    /// The name of the environment.
    pub environment: EcoString,
    /// The directory of the environment, if it has one.
    pub environment_root: Option<String>,
    /// The directories of its modules.
    pub modules: IndexMap<EcoString, String, FxBuildHasher>,
    /// What the environment says about its data in the way of older versions.
    pub environment_data_provider: Option<EcoString>,
    /// What modules say about theirs in that way.
    pub module_data_providers: IndexMap<EcoString, EcoString, FxBuildHasher>,
}

/// The data of an environment. It is shared by all compilations.
#[derive(Debug)]
pub struct Hiera {
    pub(crate) layout: Layout,
    pub(crate) strict: Strict,
    product: Product,
    pub(crate) warns_of_deprecations: bool,
    store: Arc<Store>,
}

/// The files of data in a world that have been read, each with what it looked like then. The environments in it share
/// them, and their generations hand them on.
#[derive(Debug)]
pub struct Store {
    data: Cache<(EcoString, Backend), Stored<Strict, Data>>,
    configs: Cache<(EcoString, Layer), Stored<ReadBy, Read>>,
}

/// What a file looked like, what else decides about its meaning, and that meaning.
type Stored<B, V> = (Option<Stamp>, B, Arc<V>);

/// What the meaning of a configuration depends on besides its file.
#[derive(Debug, Clone, PartialEq)]
struct ReadBy {
    codedir: String,
    strict: Strict,
    warns_of_deprecations: bool,
}

/// A configuration as its file has it, and the warnings that go with it.
#[derive(Debug)]
struct Read {
    config: Option<Config>,
    warnings: Vec<String>,
}

impl Default for Store {
    fn default() -> Self {
        Store { data: Cache::new(MOST_DATA_BYTES), configs: Cache::new(MOST_CONFIG_BYTES) }
    }
}

impl Hiera {
    /// The data of an environment with the given layers, of which nothing is called deprecated.
    pub fn new(layout: Layout, strict: Strict) -> Hiera {
        let product = Product::default();
        Hiera { layout, strict, product, warns_of_deprecations: false, store: Arc::default() }
    }

    /// The data of an environment.
    pub fn of(environment: &Environment) -> Result<Hiera, Issue> {
        let settings = &environment.settings;
        let modules = environment.modules().map(|module| (EcoString::from(module.name.as_str()), module.path.clone()));
        let module_data_providers = environment.modules().filter_map(|module| {
            let provider = module.metadata.as_ref()?.data_provider.as_deref()?;
            Some((module.name.as_str().into(), provider.into()))
        });
        let environment_data_provider = settings.text("environment_data_provider").ok();
        let layout = Layout {
            global_config: settings.text("hiera_config")?,
            codedir: settings.text("codedir")?,
            environment: environment.name.as_str().into(),
            environment_root: environment.directory.clone(),
            modules: modules.collect(),
            environment_data_provider: environment_data_provider.filter(|it| !it.is_empty()).map(EcoString::from),
            module_data_providers: module_data_providers.collect(),
        };
        let strict = settings.strict()?;
        let disabled = settings.text("disable_warnings")?;
        let warns_of_deprecations =
            strict != Strict::Off && !disabled.split(',').any(|kind| kind.trim() == "deprecations");
        Ok(Hiera { warns_of_deprecations, product: settings.target.product(), ..Hiera::new(layout, strict) })
    }

    /// The same with what has been read before.
    pub fn with_store(self, store: Arc<Store>) -> Hiera {
        Hiera { store, ..self }
    }

    /// The configuration of a layer; nothing if the layer has none. A file that is ignored leaves a warning.
    pub(crate) fn config(
        &self,
        world: &dyn World,
        layer: &Layer,
        warn: &mut dyn FnMut(String),
    ) -> Result<Option<Config>, Error> {
        let path = match layer {
            Layer::Global if self.layout.global_config.is_empty() => return Ok(None),
            Layer::Global => self.layout.global_config.clone(),
            Layer::Environment => match &self.layout.environment_root {
                Some(root) => format!("{root}/hiera.yaml"),
                None => return Ok(None),
            },
            Layer::Module(name) => match self.layout.modules.get(name) {
                Some(root) => format!("{root}/hiera.yaml"),
                None => return Ok(None),
            },
        };
        let root = path.rsplit_once('/').map_or("", |(root, _)| root);
        if !exists(world, &path)? {
            let standard = (*layer == Layer::Global).then(|| Config::standard(root));
            return self.provided(layer, root, standard, warn);
        }
        let config = self.read_config(world, &path, root, layer, warn)?;
        self.provided(layer, root, config, warn)
    }

    /// The configuration in a file, read when it is asked for the first time or has changed since.
    fn read_config(
        &self,
        world: &dyn World,
        path: &str,
        root: &str,
        layer: &Layer,
        warn: &mut dyn FnMut(String),
    ) -> Result<Option<Config>, Error> {
        let (stamp, key) = (world.stamp(path), (EcoString::from(path), layer.clone()));
        let read_by = ReadBy {
            codedir: self.layout.codedir.clone(),
            strict: self.strict,
            warns_of_deprecations: self.warns_of_deprecations,
        };
        if let Some((known, by, read)) = self.store.configs.get(&key)
            && (known, &by) == (stamp, &read_by)
        {
            read.warnings.iter().cloned().for_each(&mut *warn);
            return Ok(read.config.clone());
        }
        let bytes = match layer {
            Layer::Global => world.read_named(path),
            Layer::Environment | Layer::Module(_) => world.read(path),
        };
        let bytes = bytes.map_err(|error| unreadable(world, path, &error))?;
        let document = yaml::load(&bytes, path).map_err(|error| {
            let cause = backends::yaml::cause(&bytes, path, &error);
            Error::general(error.message).because(cause)
        })?;
        let warns_of_deprecations = self.warns_of_deprecations;
        let (strict, product) = (self.strict, self.product);
        let codedir = &self.layout.codedir;
        let setting = Setting { layer, root, codedir, strict, product, warns_of_deprecations };
        let weight = bytes.len().saturating_add(BYTES_EACH);
        let text = string_of(bytes).map_err(|issue| Error::general(issue.message()))?;
        let mut warnings = Vec::new();
        let mut noted = |warning: String| {
            warnings.push(warning.clone());
            warn(warning);
        };
        let config = Config::read(document.value.as_ref(), path, text, &setting, &mut noted)?;
        let read = Arc::new(Read { config: config.clone(), warnings });
        self.store.configs.insert(key, weight, (stamp, read_by, read));
        Ok(config)
    }

    /// The data of a file, parsed when it is asked for the first time or has changed since.
    pub(crate) fn data(&self, world: &dyn World, path: &str, backend: Backend) -> Result<Arc<Data>, Error> {
        let (stamp, key) = (world.stamp(path), (EcoString::from(path), backend));
        if let Some((known, strict, data)) = self.store.data.get(&key)
            && (known, strict) == (stamp, self.strict)
        {
            return Ok(data);
        }
        let bytes = read(world, path)?;
        let data = Arc::new(backend.parse(&bytes, path, self.strict)?);
        self.store.data.insert(key, bytes.len().saturating_add(BYTES_EACH), (stamp, self.strict, data.clone()));
        Ok(data)
    }
}

/// Whether there is a file. One that is not to be seen must not count as none.
pub(crate) fn exists(world: &dyn World, path: &str) -> Result<bool, Error> {
    world.exists(path).map_err(|error| Error::lookup(format!("{path}: {error}")))
}

/// The bytes of a file.
pub(crate) fn read(world: &dyn World, path: &str) -> Result<Vec<u8>, Error> {
    world.read(path).map_err(|error| unreadable(world, path, &error))
}

fn unreadable(world: &dyn World, path: &str, error: &std::io::Error) -> Error {
    Error::call(match error.kind() {
        _ if world.is_dir(path) => format!("Is a directory @ io_fread - {path}"),
        ErrorKind::NotFound => format!("No such file or directory @ rb_file_s_stat - {path}"),
        ErrorKind::PermissionDenied => format!("Permission denied @ rb_sysopen - {path}"),
        _ => return Error::lookup(format!("{path}: {error}")),
    })
}

//! What all lookups of an environment share: its layers, and their files, each read and parsed once.

use std::io::ErrorKind;
use std::sync::{Arc, Mutex, PoisonError};

use bunraku_environment::world::Stamp;
use bunraku_environment::{Environment, Strict, World};
use bunraku_notation::yaml;
use bunraku_syntax::Issue;
use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::backends::Data;
use crate::config::{Config, Layer, Setting};
use crate::error::Error;

/// No file of data may be larger.
const MAXIMUM_FILE_SIZE: u64 = 256 * 1024 * 1024;

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
    pub(crate) warns_of_deprecations: bool,
    files: Mutex<FxHashMap<EcoString, Cached>>,
}

/// A file that has been read, and what it looked like then.
#[derive(Debug)]
struct Cached {
    stamp: Option<Stamp>,
    data: Arc<Data>,
}

impl Hiera {
    /// The data of an environment with the given layers, of which nothing is called deprecated.
    pub fn new(layout: Layout, strict: Strict) -> Hiera {
        Hiera { layout, strict, warns_of_deprecations: false, files: Mutex::default() }
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
        Ok(Hiera { warns_of_deprecations, ..Hiera::new(layout, strict) })
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
        if world.stamp(&path).is_none() {
            let standard = (*layer == Layer::Global).then(|| Config::standard(root));
            return self.provided(layer, root, standard, warn);
        }
        let bytes = read(world, &path)?;
        let document = yaml::load(&bytes, &path).map_err(|error| Error::general(error.message))?;
        let warns_of_deprecations = self.warns_of_deprecations;
        let setting =
            Setting { layer, root, codedir: &self.layout.codedir, strict: self.strict, warns_of_deprecations };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let config = Config::read(document.value.as_ref(), &path, text, &setting, warn)?;
        self.provided(layer, root, config, warn)
    }

    /// The data of a file, parsed when it is asked for the first time or has changed since.
    pub(crate) fn data(
        &self,
        world: &dyn World,
        path: &str,
        parse: impl FnOnce(&[u8]) -> Result<Data, Error>,
    ) -> Result<Arc<Data>, Error> {
        let stamp = world.stamp(path);
        if let Some(cached) = self.files().get(path).filter(|cached| cached.stamp == stamp) {
            return Ok(Arc::clone(&cached.data));
        }
        let data = Arc::new(parse(&read(world, path)?)?);
        self.files().insert(path.into(), Cached { stamp, data: Arc::clone(&data) });
        Ok(data)
    }

    fn files(&self) -> std::sync::MutexGuard<'_, FxHashMap<EcoString, Cached>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of a file.
pub(crate) fn read(world: &dyn World, path: &str) -> Result<Vec<u8>, Error> {
    if world.stamp(path).is_some_and(|stamp| stamp.length > MAXIMUM_FILE_SIZE) {
        return Err(Error::lookup(format!("{path}: file is larger than {MAXIMUM_FILE_SIZE} bytes")));
    }
    if world.is_file(path) && !world.is_regular(path) {
        return Err(Error::lookup(format!("{path}: not a regular file")));
    }
    world.read(path).map_err(|error| {
        Error::call(match error.kind() {
            _ if world.is_dir(path) => format!("Is a directory @ io_fread - {path}"),
            ErrorKind::NotFound => format!("No such file or directory @ rb_file_s_stat - {path}"),
            ErrorKind::PermissionDenied => format!("Permission denied @ rb_sysopen - {path}"),
            _ => format!("{error}: {path}"),
        })
    })
}

//! What all lookups of an environment share: its layers, and their files, each read and parsed once.

use std::sync::{Arc, Mutex, PoisonError};

use bunraku_environment::world::Stamp;
use bunraku_environment::{Strict, World};
use ecow::EcoString;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::backends::Data;
use crate::config::{Config, Layer, Setting};
use crate::error::Error;
use crate::yaml;

/// No file of data may be larger.
const MAXIMUM_FILE_SIZE: u64 = 256 * 1024 * 1024;

/// Where the layers of data are.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// The configuration of the global layer, which need not exist.
    pub global_config: String,
    /// The folder under which Hiera 3 expects the data of environments.
    pub codedir: String,
    /// The name of the environment.
    pub environment: EcoString,
    /// The folder of the environment, if it has one.
    pub environment_root: Option<String>,
    /// The folders of its modules.
    pub modules: IndexMap<EcoString, String, FxBuildHasher>,
}

/// The data of an environment. It is shared by all compilations.
pub struct Hiera {
    pub(crate) world: Arc<dyn World>,
    pub(crate) layout: Layout,
    pub(crate) strict: Strict,
    files: Mutex<FxHashMap<EcoString, Cached>>,
}

/// A file that has been read, and what it looked like then.
struct Cached {
    stamp: Option<Stamp>,
    data: Arc<Data>,
}

impl Hiera {
    /// The data of an environment with the given layers.
    pub fn new(world: Arc<dyn World>, layout: Layout, strict: Strict) -> Hiera {
        Hiera { world, layout, strict, files: Mutex::default() }
    }

    /// The configuration of a layer; nothing if the layer has none. A file that is ignored leaves a warning.
    pub(crate) fn config(&self, layer: &Layer, warn: &mut dyn FnMut(String)) -> Result<Option<Config>, Error> {
        let path = match layer {
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
        if self.world.stamp(&path).is_none() {
            return Ok((*layer == Layer::Global).then(|| Config::standard(root)));
        }
        let bytes = self.read(&path)?;
        let document = yaml::load(&bytes, &path).map_err(|error| Error::general(error.message))?;
        let setting = Setting { layer, root, codedir: &self.layout.codedir, strict: self.strict };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Config::read(document.value.as_ref(), &path, text, &setting, warn)
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, Error> {
        if self.world.stamp(path).is_some_and(|stamp| stamp.length > MAXIMUM_FILE_SIZE) {
            return Err(Error::lookup(format!("{path}: file is larger than {MAXIMUM_FILE_SIZE} bytes")));
        }
        self.world.read(path).map_err(|error| Error::call(format!("{error}: {path}")))
    }

    /// The data of a file, parsed when it is asked for the first time or has changed since.
    pub(crate) fn data(
        &self,
        path: &str,
        parse: impl FnOnce(&[u8]) -> Result<Data, Error>,
    ) -> Result<Arc<Data>, Error> {
        let stamp = self.world.stamp(path);
        if let Some(cached) = self.files().get(path).filter(|cached| cached.stamp == stamp) {
            return Ok(Arc::clone(&cached.data));
        }
        let data = Arc::new(parse(&self.read(path)?)?);
        self.files().insert(path.into(), Cached { stamp, data: Arc::clone(&data) });
        Ok(data)
    }

    fn files(&self) -> std::sync::MutexGuard<'_, FxHashMap<EcoString, Cached>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Hiera {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Hiera").field("layout", &self.layout).finish_non_exhaustive()
    }
}

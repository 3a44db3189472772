//! The entry: what one compilation asks of the data, and what it remembers between lookups.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bunraku_environment::World;
use bunraku_pcore::{Hash, Value};
use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::backends::{Backend, eyaml};
use crate::config::{Config, Layer};
use crate::context::Context;
use crate::error::Error;
use crate::explain::{Explain, Explanation};
use crate::hiera::{self, Hiera};
use crate::invocation::Invocation;
use crate::layers::Resolved;
use crate::lookup_options::LookupOptions;

/// The lookups of one compilation. It may be shared, for a data function may itself look something up.
pub struct Session<'w> {
    pub(crate) hiera: Arc<Hiera>,
    pub(crate) world: &'w dyn World,
    pub(crate) memory: Mutex<Memory>,
}

/// What a session remembers.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// The configuration of each layer; nothing for a layer without one.
    pub(crate) configs: FxHashMap<Layer, Option<Arc<Config>>>,
    /// The hierarchy of each layer with its locations.
    pub(crate) resolved: FxHashMap<Layer, Arc<Resolved>>,
    /// The options that hold for the keys of a module, or for keys of none.
    pub(crate) lookup_options: FxHashMap<Option<EcoString>, Arc<LookupOptions>>,
    /// The options of the global layer, once they have been searched for.
    pub(crate) global_options: Option<Option<Arc<Hash>>>,
    /// The options in the default hierarchies of modules.
    pub(crate) default_options: FxHashMap<EcoString, Arc<LookupOptions>>,
    /// The keys being looked up, the outermost first.
    pub(crate) stack: Vec<EcoString>,
    /// How many steps the outermost lookup has taken.
    pub(crate) steps: usize,
    /// How the present lookup came about.
    pub(crate) mode: Mode,
    /// The account of the present lookup, if one was asked for.
    pub(crate) explanation: Option<Explanation>,
    /// What has been warned of and need not be repeated.
    pub(crate) warned: FxHashSet<EcoString>,
}

/// What a lookup passes on to those inside of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mode {
    /// One of the `hiera_…` functions was called.
    pub(crate) is_hiera_call: bool,
    /// Only the global layer is searched.
    pub(crate) global_only: bool,
    /// Levels that `hiera_…` puts before those of a version 3 configuration.
    pub(crate) extra_levels: Vec<EcoString>,
}

/// A lookup of one of several names.
#[derive(Debug, Default)]
pub struct Request<'r> {
    /// The names; the first that is found counts.
    pub names: &'r [EcoString],
    /// How to merge, if not as `lookup_options` say: the name of a strategy, or a hash with its options.
    pub merge: Option<&'r Value>,
    /// Values that go before all data.
    pub overrides: Option<&'r Hash>,
    /// Values for names that no data has.
    pub default_values: Option<&'r Hash>,
    /// Whether one of the `hiera_…` functions asks.
    pub hiera_call: Option<HieraCall>,
}

/// What is special about the functions `hiera`, `hiera_array`, `hiera_hash` and `hiera_include`.
#[derive(Debug, Clone, Default)]
pub struct HieraCall {
    /// Levels to search before those of a version 3 configuration.
    pub override_levels: Vec<EcoString>,
}

/// A value, and where it was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The name under which it was found.
    pub name: EcoString,
    /// The value.
    pub value: Value,
    /// Where it was found.
    pub source: Source,
}

/// Where a value was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Among the overrides of the request.
    Overrides,
    /// In the data.
    Data,
    /// Among the default values of the request.
    DefaultValues,
}

impl<'w> Session<'w> {
    /// The lookups of one compilation.
    pub fn new(hiera: Arc<Hiera>, world: &'w dyn World) -> Session<'w> {
        Session { hiera, world, memory: Mutex::default() }
    }

    /// Looks names up as the function `lookup` does.
    pub fn lookup(&self, request: &Request<'_>, context: &mut dyn Context) -> Result<Option<Found>, Error> {
        let saved = self.memory().mode.clone();
        if let Some(call) = &request.hiera_call {
            let mut invocation = Invocation::new(self, context, None, None);
            let mode = invocation.hiera_mode(call)?;
            self.memory().mode = mode;
        }
        let result = Invocation::new(self, context, request.overrides, request.default_values)
            .lookup_names(request.names, request.merge);
        self.memory().mode = saved;
        result
    }

    /// Looks one key up in the data alone, as for a parameter of a class.
    pub fn search(&self, key: &str, context: &mut dyn Context) -> Result<Option<Value>, Error> {
        Invocation::new(self, context, None, None).search(key, None)
    }

    /// Looks names up and gives an account of it. A failure of the data is part of the account.
    pub fn explain(
        &self,
        request: &Request<'_>,
        covers: Explain,
        context: &mut dyn Context,
    ) -> Result<(Option<Found>, Explanation), Error> {
        self.memory().explanation = Some(Explanation::new(covers));
        let result = self.lookup(request, context);
        let mut explanation = self.memory().explanation.take().unwrap_or_else(|| Explanation::new(covers));
        let found = match result {
            Err(error) if error.kind == crate::Kind::Lookup => {
                explanation.fail(&error);
                None
            }
            other => other?,
        };
        Ok((found, explanation))
    }

    /// Interpolates a value, as the method `interpolate` of a `Puppet::LookupContext` does.
    pub fn interpolate(&self, value: &Value, context: &mut dyn Context) -> Result<Value, Error> {
        Invocation::new(self, context, None, None).interpolate(value, true)
    }

    /// Whether an account of the lookup is kept; only then is [`Session::remark`] worth its text.
    pub fn is_explaining(&self) -> bool {
        self.memory().explanation.is_some()
    }

    /// Adds a remark to the account, as the method `explain` of a `Puppet::LookupContext` does.
    pub fn remark(&self, text: &str) {
        if let Some(explanation) = &mut self.memory().explanation {
            explanation.remark(text);
        }
    }

    /// The bytes of a file, as the method `cached_file_data` of a `Puppet::LookupContext` gives them.
    pub fn read_file(&self, path: &str) -> Result<Vec<u8>, Error> {
        hiera::read(self.world, path)
    }

    /// The data of a file, as the `data_hash` functions that are built in give it: `yaml_data` and its kin.
    pub fn data_hash(&self, function: &str, path: &str, context: &mut dyn Context) -> Result<Value, Error> {
        let Some(backend) = Backend::from_function(function) else {
            return Err(Error::call(format!("'{function}' reads no files")));
        };
        let data = self.hiera.data(self.world, path, backend)?;
        if let Some(warning) = &data.warning {
            context.warn(warning);
        }
        Ok(data.other.clone().unwrap_or_else(|| Value::Hash(Arc::clone(&data.hash))))
    }

    /// A decrypted value of a file, as the function `eyaml_lookup_key` gives it; nothing if the file has no such key.
    pub fn eyaml_lookup_key(
        &self,
        key: &str,
        options: &Hash,
        context: &mut dyn Context,
    ) -> Result<Option<Value>, Error> {
        let path = options.get_str("path").and_then(Value::as_str).ok_or_else(eyaml::no_path)?;
        let mut invocation = Invocation::new(self, context, None, None);
        let data = invocation.eyaml_data(path)?;
        invocation.value_of_eyaml(&data, path, options, key)
    }

    pub(crate) fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Session<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Session").field("hiera", &self.hiera).finish_non_exhaustive()
    }
}

/// The failure when no name is found and there is no default.
pub fn not_found(names: &[EcoString]) -> Error {
    let list = || names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    Error::lookup(match names {
        [name] => format!("Function lookup() did not find a value for the name '{name}'"),
        _ => format!("Function lookup() did not find a value for any of the names [{}]", list()),
    })
}

//! What a lookup needs of whoever evaluates code, and what a data function sees of a lookup.

use std::sync::{Arc, Mutex, PoisonError};

use bunraku_pcore::{Hash, Type, Value};
use ecow::EcoString;

use crate::error::Error;

/// The evaluation around a lookup: the scope for interpolation, and the functions for data.
pub trait Context {
    /// The value of a variable (`name`, `::name` or `class::name`) as code in the present scope sees it.
    fn variable(&mut self, name: &str) -> Result<Value, Missing>;

    /// The function of that name, if there is one.
    fn function(&mut self, name: &str) -> Result<Option<DataFunction>, Error>;

    /// Calls a data function; nothing if it says that it did not find the key.
    fn call_function(&mut self, call: FunctionCall<'_>) -> Result<Option<Value>, Error>;

    /// The data type a text stands for.
    fn parse_type(&mut self, text: &str) -> Result<Type, Error>;

    /// A new instance of a data type, as the function `new` makes it.
    fn new_instance(&mut self, data_type: &Value, arguments: Vec<Value>) -> Result<Value, Error>;

    /// Logs a warning.
    fn warn(&mut self, message: &str);
}

/// A variable that nothing sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The name, as messages show it.
    pub name: EcoString,
    /// Why there is none, if more is known than that.
    pub reason: EcoString,
}

/// A function that a hierarchy names.
#[derive(Debug, Clone, Default)]
pub struct DataFunction {
    /// What it says it returns.
    pub returned: Option<Type>,
}

/// A call of a data function.
#[derive(Debug)]
pub struct FunctionCall<'c> {
    /// The name of the function.
    pub name: &'c str,
    /// The arguments, but for the last, which is the `Puppet::LookupContext`.
    pub arguments: Vec<Value>,
    /// What the last argument stands for, if there is one.
    pub context: Option<&'c Arc<FunctionContext>>,
}

/// What stands behind the `Puppet::LookupContext` a data function gets: a memory that lasts from call to call.
/// Its other methods are those of the [`Session`](crate::Session).
#[derive(Debug)]
pub struct FunctionContext {
    /// The name of the environment.
    pub environment_name: EcoString,
    /// The module in whose hierarchy the function stands.
    pub module_name: Option<EcoString>,
    cache: Mutex<Hash>,
}

impl FunctionContext {
    /// One that remembers nothing yet.
    pub fn new(environment_name: EcoString, module_name: Option<EcoString>) -> FunctionContext {
        FunctionContext { environment_name, module_name, cache: Mutex::default() }
    }

    /// Remembers a value.
    pub fn cache(&self, key: Value, value: Value) {
        self.with(|cache| cache.insert(key, value));
    }

    /// Remembers all entries of a hash.
    pub fn cache_all(&self, entries: &Hash) {
        self.with(|cache| cache.extend(entries.iter().map(|(key, value)| (key.clone(), value.clone()))));
    }

    /// Whether something is remembered under the key.
    pub fn cache_has_key(&self, key: &Value) -> bool {
        self.with(|cache| cache.contains_key(key))
    }

    /// What is remembered under the key.
    pub fn cached_value(&self, key: &Value) -> Option<Value> {
        self.with(|cache| cache.get(key).cloned())
    }

    /// All that is remembered.
    pub fn cached_entries(&self) -> Hash {
        self.with(|cache| cache.clone())
    }

    fn with<R>(&self, act: impl FnOnce(&mut Hash) -> R) -> R {
        act(&mut self.cache.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

//! `lookup_options`: what data itself says about how keys are merged and converted.

use std::sync::Arc;

use bunraku_pcore::label::host_class;
use bunraku_pcore::{Hash, Regexp, Value, inspect};
use bunraku_syntax::Issue;
use ecow::EcoString;

use crate::config::Layer;
use crate::error::Error;
use crate::explain::{Event, NodeKind};
use crate::invocation::Invocation;
use crate::key::{Key, LOOKUP_OPTIONS};
use crate::merge::Strategy;

/// The option that tells how values are merged.
pub(crate) const MERGE: &str = "merge";
/// The option that tells what a value is converted to.
pub(crate) const CONVERT_TO: &str = "convert_to";
/// What is wrong if a pattern is: no option of it.
const PATTERN: &str = "";

/// The options that hold for the keys of a module, or for keys of none.
#[derive(Debug, Default)]
pub(crate) struct LookupOptions {
    by_key: Hash,
    /// Patterns in the order of the data; the first that matches counts.
    by_pattern: Vec<(Regexp, Value)>,
}

impl LookupOptions {
    /// The options, for whoever looks a key up.
    fn new(options: Option<&Hash>, looked_up: &EcoString) -> Result<LookupOptions, Error> {
        let mut compiled = LookupOptions::default();
        for (key, value) in options.into_iter().flat_map(Hash::iter) {
            let Some(name) = key.as_str() else {
                let (shown, class) = (inspect::inspect(key), host_class(key));
                return Err(Error::call(format!("undefined method `start_with?' for {shown}:{class}")));
            };
            if name.starts_with('^') {
                let wrong = |issue: Issue| Error::call(issue.to_string()).of_option(looked_up, name, PATTERN);
                compiled.by_pattern.push((Regexp::new(name).map_err(wrong)?, value.clone()));
            } else {
                compiled.by_key.insert(key.clone(), value.clone());
            }
        }
        Ok(compiled)
    }

    fn get(&self, key: &Key) -> Result<Option<Options>, Error> {
        if let Some(options) = self.by_key.get_str(&key.root).filter(|options| !options.is_undef()) {
            return Options::new(key, &key.root, options);
        }
        for (pattern, options) in &self.by_pattern {
            if pattern.is_match(&key.root)? {
                return Options::new(key, pattern.source(), options);
            }
        }
        Ok(None)
    }
}

/// The options of one key.
#[derive(Debug)]
pub(crate) struct Options {
    /// The key or pattern that has them.
    pub(crate) entry: EcoString,
    values: Arc<Hash>,
}

impl Options {
    /// The options, which nobody has checked to be a hash before.
    fn new(key: &Key, entry: &str, options: &Value) -> Result<Option<Options>, Error> {
        match options {
            Value::Hash(values) => Ok(Some(Options { entry: entry.into(), values: Arc::clone(values) })),
            Value::Integer(_) | Value::Array(_) => {
                let error = Error::call("no implicit conversion of String into Integer");
                Err(error.of_option(&key.text, entry, MERGE))
            }
            _ => Ok(None),
        }
    }

    /// An option, if it has a value.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.values.get_str(name).filter(|value| !value.is_undef())
    }
}

impl Invocation<'_> {
    /// The options for a key.
    pub(crate) fn options_for(&mut self, key: &Key) -> Result<Option<Options>, Error> {
        let module_name = key.module_name().map(EcoString::from);
        let known = self.session.memory().lookup_options.get(&module_name).cloned();
        let options = match known {
            Some(options) => options,
            None => {
                let options = Arc::new(self.retrieve_options(module_name.as_ref(), key)?);
                self.session.memory().lookup_options.insert(module_name, Arc::clone(&options));
                options
            }
        };
        options.get(key)
    }

    /// The strategy that the default hierarchy of a module wants for a key.
    pub(crate) fn default_options_for(&mut self, key: &Key, module: &EcoString) -> Result<Option<Options>, Error> {
        let known = self.session.memory().default_options.get(module).cloned();
        let options = match known {
            Some(options) => options,
            None => {
                let found = self.with(
                    || NodeKind::Scope(ecow::eco_format!("Searching for \"{LOOKUP_OPTIONS}\"")),
                    None,
                    |invocation| invocation.search_default_layer(module, &options_key(), &Strategy::hash()),
                )?;
                let options = Arc::new(LookupOptions::new(validated(found, Some(module))?.as_deref(), &key.text)?);
                self.session.memory().default_options.insert(module.clone(), Arc::clone(&options));
                options
            }
        };
        options.get(key)
    }

    /// The options of global and environment layer, and those of the module.
    fn retrieve_options(&mut self, module_name: Option<&EcoString>, key: &Key) -> Result<LookupOptions, Error> {
        let outer = std::mem::replace(&mut self.top_key, LOOKUP_OPTIONS.into());
        let (overrides, defaults) = (self.overrides.take(), self.defaults.take());
        let options = self.with(
            || NodeKind::Top,
            Some(&LOOKUP_OPTIONS.into()),
            |invocation| invocation.merged_options(module_name, key),
        );
        (self.overrides, self.defaults) = (overrides, defaults);
        self.top_key = outer;
        LookupOptions::new(options?.as_deref(), &key.text)
    }

    fn merged_options(&mut self, module_name: Option<&EcoString>, key: &Key) -> Result<Option<Arc<Hash>>, Error> {
        let strategy = Strategy::hash();
        let global = self.global_options(&strategy)?;
        if self.global_only() {
            return Ok(global);
        }
        let environment = self.search_layer(&Layer::Environment, &options_key(), &strategy)?;
        let options = match (global, validated(environment, None)?) {
            (Some(global), Some(environment)) => {
                as_hash(Some(strategy.merge(Value::Hash(global), Value::Hash(environment))?))
            }
            (global, environment) => global.or(environment),
        };
        let Some(module_name) = module_name else { return Ok(options) };
        self.remember_common_options(options.as_deref(), key)?;
        let found = self.search_layer(&Layer::Module(module_name.clone()), &options_key(), &strategy)?;
        match (options, validated(found, Some(module_name))?) {
            (Some(options), Some(of_module)) => {
                let module = ecow::eco_format!("Module {module_name}");
                let parts = [(EcoString::from("Global and Environment"), options), (module, of_module)];
                let merged = self.merge(&strategy, &parts, |invocation, (name, options)| {
                    invocation.with(
                        || NodeKind::Scope(name.clone()),
                        None,
                        |invocation| {
                            let value = Value::Hash(Arc::clone(options));
                            invocation.note(Event::Found, || LOOKUP_OPTIONS.into(), value.clone());
                            Ok(Some(value))
                        },
                    )
                })?;
                Ok(as_hash(merged))
            }
            (options, of_module) => Ok(options.or(of_module)),
        }
    }

    /// The options of the global layer. While they are searched for they count as none.
    fn global_options(&mut self, strategy: &Strategy) -> Result<Option<Arc<Hash>>, Error> {
        if let Some(known) = &self.session.memory().global_options {
            return Ok(known.clone());
        }
        self.session.memory().global_options = Some(None);
        let options = validated(self.search_layer(&Layer::Global, &options_key(), strategy)?, None)?;
        self.session.memory().global_options = Some(options.clone());
        Ok(options)
    }

    /// The options without those of a module hold for keys of no module, which need not be searched for again.
    fn remember_common_options(&mut self, options: Option<&Hash>, key: &Key) -> Result<(), Error> {
        let options = Arc::new(LookupOptions::new(options, &key.text)?);
        self.session.memory().lookup_options.entry(None).or_insert(options);
        Ok(())
    }
}

fn options_key() -> Key {
    Key { text: LOOKUP_OPTIONS.into(), root: LOOKUP_OPTIONS.into(), segments: Vec::new() }
}

fn as_hash(value: Option<Value>) -> Option<Arc<Hash>> {
    match value {
        Some(Value::Hash(hash)) => Some(hash),
        _ => None,
    }
}

/// Refuses options that are no hash, and options of a module for keys that are not its own.
fn validated(options: Option<Value>, module_name: Option<&EcoString>) -> Result<Option<Arc<Hash>>, Error> {
    let options = match options {
        None | Some(Value::Undef) => return Ok(None),
        Some(Value::Hash(options)) => options,
        Some(_) => return Err(Error::lookup("value of lookup_options must be a hash")),
    };
    let Some(module_name) = module_name else { return Ok(Some(options)) };
    let prefix = format!("{module_name}::");
    for key in options.keys().filter_map(Value::as_str) {
        let (name, what) = match key.strip_prefix('^') {
            Some(pattern) => (pattern, "patterns must match a key starting"),
            None => (key, "keys must start"),
        };
        if !name.starts_with(&prefix) {
            return Err(Error::lookup(format!("all lookup_options {what} with module name '{module_name}'")));
        }
    }
    Ok(Some(options))
}

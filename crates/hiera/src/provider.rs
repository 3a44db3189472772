//! A level of the hierarchy with its locations known: calls the function of the level for each of them.

use bunraku_syntax::deep;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bunraku_notation::yaml::Foreign;
use bunraku_pcore::{Hash, Type, Value, mismatch};
use ecow::EcoString;
use rustc_hash::FxHashMap;

use crate::backends::eyaml::{self, Decryptor};
use crate::backends::{Backend, Data};
use crate::config::{Config, Entry, FunctionKind, Layer};
use crate::context::{FunctionCall, FunctionContext};
use crate::error::Error;
use crate::explain::{Event, NodeKind};
use crate::invocation::Invocation;
use crate::issues;
use crate::key::{Key, LOOKUP_OPTIONS};
use crate::location::Location;
use crate::merge::Strategy;

/// A level, resolved for the node.
#[derive(Debug)]
pub(crate) struct Provider {
    pub(crate) name: EcoString,
    kind: FunctionKind,
    /// The function as the configuration writes it.
    function_name: EcoString,
    /// The same in lower case, in which functions are found.
    function: EcoString,
    /// Set when the function has been found fit.
    is_fit: OnceLock<()>,
    options: Arc<Hash>,
    layer: Layer,
    config: Arc<Config>,
    places: Vec<Place>,
}

/// A location of a level, or the one call of a level that has none, and what was found there before.
#[derive(Debug)]
struct Place {
    location: Option<Location>,
    data: OnceLock<Arc<Data>>,
    values: Mutex<FxHashMap<EcoString, Value>>,
    context: Arc<FunctionContext>,
}

impl Provider {
    pub(crate) fn new(
        entry: &Entry,
        options: Arc<Hash>,
        locations: Option<Vec<Location>>,
        layer: &Layer,
        config: &Arc<Config>,
        environment: &EcoString,
    ) -> Provider {
        let place = |location| Place {
            location,
            data: OnceLock::new(),
            values: Mutex::default(),
            context: Arc::new(FunctionContext::new(environment.clone(), layer.module_name().cloned())),
        };
        let places = match locations {
            None => vec![place(None)],
            Some(locations) => locations.into_iter().map(|location| place(Some(location))).collect(),
        };
        Provider {
            name: entry.name.clone(),
            kind: entry.kind,
            function_name: entry.function.clone(),
            function: entry.function.to_lowercase(),
            is_fit: OnceLock::new(),
            options,
            layer: layer.clone(),
            config: Arc::clone(config),
            places,
        }
    }

    /// What messages call the source of a value.
    fn full_name(&self) -> String {
        match self.kind {
            FunctionKind::V4DataHash => format!("deprecated API function '{}'", self.function_name),
            kind => format!("{} function '{}'", kind.name(), self.function_name),
        }
    }

    /// What explanations call the level.
    fn label(&self) -> EcoString {
        match self.kind {
            FunctionKind::V4DataHash => ecow::eco_format!("Deprecated API function \"{}\"", self.function_name),
            _ => ecow::eco_format!("Hierarchy entry \"{}\"", self.name),
        }
    }

    /// The backend that is built in, if the level names one.
    fn backend(&self) -> Option<Backend> {
        Backend::from_function(&self.function).filter(|_| self.kind == FunctionKind::DataHash)
    }

    /// The type of what the function of the level must return.
    fn returned(&self) -> Type {
        match self.kind {
            FunctionKind::DataHash | FunctionKind::V4DataHash => {
                Type::hash(Type::rich_data_key(), Type::rich_data(), None)
            }
            FunctionKind::LookupKey | FunctionKind::DataDig | FunctionKind::Hiera3Backend => Type::rich_data(),
        }
    }

    /// The options the function gets.
    fn options_at(&self, place: &Place) -> Value {
        let Some(location) = &place.location else { return Value::Hash(Arc::clone(&self.options)) };
        let mut options = Hash::clone(&self.options);
        let name = if location.is_uri { "uri" } else { "path" };
        options.insert(name.into(), Value::String(location.text.clone()));
        Value::from(options)
    }
}

impl Place {
    /// The end of a sentence about a value that was found here.
    fn shown(&self) -> String {
        match &self.location {
            Some(location) => format!(", when using location '{}',", location.text),
            None => String::new(),
        }
    }

    fn known(&self, key: &str) -> Option<Value> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn remember(&self, key: &EcoString, value: &Value) {
        self.values.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), value.clone());
    }
}

impl Invocation<'_> {
    /// A key at all locations of a level.
    pub(crate) fn search_provider(
        &mut self,
        provider: &Provider,
        key: &Key,
        strategy: &Strategy,
    ) -> Result<Option<Value>, Error> {
        let node = || NodeKind::Provider { name: provider.label(), configuration: None, module: None };
        self.with(node, None, |invocation| {
            invocation
                .merge(strategy, &provider.places, |invocation, place| invocation.search_place(provider, place, key))
        })
    }

    fn search_place(&mut self, provider: &Provider, place: &Place, key: &Key) -> Result<Option<Value>, Error> {
        let Some(location) = &place.location else { return self.search_data(provider, place, key) };
        let node = || NodeKind::Location {
            is_uri: location.is_uri,
            location: location.text.clone(),
            original: location.original.clone(),
        };
        self.with(node, None, |invocation| {
            // A backend for Hiera 3 looks for its data on its own.
            if location.exists || provider.kind == FunctionKind::Hiera3Backend {
                let found = invocation.search_data(provider, place, key);
                return found.map_err(|error| error.on_the_way(&key.root, &location.text));
            }
            invocation.explain(|explanation| explanation.note(Event::LocationNotFound, None, Value::Undef));
            Ok(None)
        })
    }

    fn search_data(&mut self, provider: &Provider, place: &Place, key: &Key) -> Result<Option<Value>, Error> {
        let (name, found) = match provider.kind {
            FunctionKind::DataHash | FunctionKind::V4DataHash => {
                (&key.root, self.value_of_data(provider, place, &key.root)?)
            }
            FunctionKind::LookupKey => (&key.root, self.value_of_lookup_key(provider, place, &key.root)?),
            FunctionKind::DataDig => (&key.text, self.value_of_data_dig(provider, place, key)?),
            FunctionKind::Hiera3Backend => {
                self.pass_over_backend(provider);
                return Ok(None);
            }
        };
        match &found {
            Some(value) => self.note(Event::Found, || name.clone(), value.clone()),
            None => self.note(Event::NotFound, || name.clone(), Value::Undef),
        }
        Ok(match provider.kind {
            FunctionKind::DataDig => found.map(|value| key.nest(value)),
            _ => found,
        })
    }

    /// A backend for Hiera 3 is Ruby code, which is not run. As in the reference, where it cannot be loaded, nothing is found.
    fn pass_over_backend(&mut self, provider: &Provider) {
        let backend = &provider.function;
        self.explain(|explanation| {
            explanation.remark(format!(
                "Unable to load backend '{backend}': cannot load such file -- hiera/backend/{}_backend",
                backend.to_lowercase()
            ));
        });
        if self.session.memory().warned.insert(ecow::eco_format!("Backend: {backend}")) {
            let issue = issues::backend_not_run(backend);
            self.context.warn(&provider.config.fail_at_word(&issue, backend).to_string());
        }
    }

    fn value_of_data(&mut self, provider: &Provider, place: &Place, root: &str) -> Result<Option<Value>, Error> {
        let data = match place.data.get() {
            Some(data) => data,
            None => {
                let Some(data) = self.load(provider, place)? else { return Ok(None) };
                place.data.get_or_init(|| data)
            }
        };
        let data = Arc::clone(data);
        let Some(value) = data.hash.get_str(root) else { return Ok(None) };
        let subject =
            || format!("Value for key '{root}', in hash returned from {}{}", provider.full_name(), place.shown());
        match data.foreign.get(root) {
            Some(Foreign::Symbol(_)) => return Err(wrong_type(&subject(), "Runtime[ruby, 'Symbol']")),
            Some(Foreign::Integer(digits)) => {
                return Err(Error::lookup(format!("{} has the integer {digits}, which is out of range", subject())));
            }
            Some(Foreign::Key) => check_value(value, subject)?,
            None if provider.backend().is_none() => check_value(value, subject)?,
            None => {}
        }
        if data.interpolated.contains(root) { self.interpolate(value, true).map(Some) } else { Ok(Some(value.clone())) }
    }

    /// The data of a place, from a backend or from a function written in Puppet or Ruby, which may say that it has none.
    fn load(&mut self, provider: &Provider, place: &Place) -> Result<Option<Arc<Data>>, Error> {
        let data = match provider.backend() {
            Some(backend) => self.load_file(backend, provider, place)?,
            None => {
                let arguments = match provider.kind {
                    FunctionKind::V4DataHash => Vec::new(),
                    _ => vec![provider.options_at(place)],
                };
                let Some(value) = self.call(provider, place, arguments)? else { return Ok(None) };
                Arc::new(Data::of_value(value))
            }
        };
        if let Some(other) = &data.other {
            let subject = format!("Value returned from {}{}", provider.full_name(), place.shown());
            mismatch::assert_instance(&subject, &Type::hash(Type::Any, Type::Any, None), other)?;
        }
        if let Some(warning) = &data.warning {
            self.context.warn(warning);
        }
        self.warn_of_foreign_keys(provider, place, &data);
        Ok(Some(data))
    }

    fn load_file(&mut self, backend: Backend, provider: &Provider, place: &Place) -> Result<Arc<Data>, Error> {
        let path = match &place.location {
            Some(location) if !location.is_uri && provider.options.is_empty() => &location.text,
            _ => {
                return Err(Error::call(format!(
                    "'{}' one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml \
                     when using this data_hash function",
                    provider.function
                )));
            }
        };
        let hiera = &self.session.hiera;
        hiera.data(self.session.world, path, backend)
    }

    /// The data of a module may only have keys of its own; others are never found.
    fn warn_of_foreign_keys(&mut self, provider: &Provider, place: &Place, data: &Data) {
        let Some(module) = provider.layer.module_name() else { return };
        let prefix = format!("{module}::");
        for key in data.hash.keys() {
            if !key.as_str().is_some_and(|key| key == LOOKUP_OPTIONS || key.starts_with(&prefix)) {
                self.context.warn(&format!(
                    "Module '{module}': Value returned from {}{} must use keys qualified with the name of the module; got {key}",
                    provider.full_name(),
                    place.shown()
                ));
            }
        }
    }

    fn value_of_lookup_key(
        &mut self,
        provider: &Provider,
        place: &Place,
        root: &EcoString,
    ) -> Result<Option<Value>, Error> {
        if let Some(value) = place.known(root) {
            return Ok(Some(value));
        }
        if provider.function == "eyaml_lookup_key" {
            let location = place.location.as_ref().filter(|location| !location.is_uri).ok_or_else(eyaml::no_path)?;
            let data = match place.data.get() {
                Some(data) => data,
                None => {
                    let data = self.eyaml_data(&location.text)?;
                    place.data.get_or_init(|| data)
                }
            };
            let value = self.value_of_eyaml(&Arc::clone(data), &location.text, &provider.options, root)?;
            if let Some(value) = &value {
                place.remember(root, value);
            }
            return Ok(value);
        }
        let arguments = vec![Value::String(root.clone()), provider.options_at(place)];
        let Some(value) = self.call(provider, place, arguments)? else { return Ok(None) };
        check_value(&value, || {
            format!("Value for key '{root}', returned from {}{}", provider.full_name(), place.shown())
        })?;
        place.remember(root, &value);
        Ok(Some(value))
    }

    /// The data of a YAML file in which some texts are encrypted.
    pub(crate) fn eyaml_data(&mut self, path: &str) -> Result<Arc<Data>, Error> {
        let (hiera, world) = (&self.session.hiera, self.session.world);
        let data = hiera.data(world, path, Backend::Yaml)?;
        if let Some(warning) = &data.warning {
            self.context.warn(warning);
        }
        Ok(data)
    }

    /// A value of such data.
    pub(crate) fn value_of_eyaml(
        &mut self,
        data: &Data,
        path: &str,
        options: &Hash,
        root: &str,
    ) -> Result<Option<Value>, Error> {
        let Some(value) = data.hash.get_str(root) else { return Ok(None) };
        let mut decryptor = Decryptor::new(self.session.world, options);
        self.decrypted(value, &mut decryptor, root, path).map(Some)
    }

    /// The value with all texts decrypted, and then interpolated.
    fn decrypted(
        &mut self,
        value: &Value,
        decryptor: &mut Decryptor<'_>,
        key: &str,
        path: &str,
    ) -> Result<Value, Error> {
        deep(|| match value {
            Value::String(text) if eyaml::is_encrypted(text) => {
                let plain = decryptor.decrypt(text).map_err(|problem| {
                    Error::lookup(format!(
                        "hiera-eyaml backend error decrypting {text} when looking up {key} in {path}. \
                         Error was {problem}"
                    ))
                })?;
                self.interpolate(&Value::from(plain), true)
            }
            Value::Array(elements) => {
                let decrypted = elements.iter().map(|element| self.decrypted(element, decryptor, key, path));
                Ok(Value::from(decrypted.collect::<Result<Vec<Value>, Error>>()?))
            }
            Value::Hash(hash) => {
                let mut decrypted = Hash::with_capacity(hash.len());
                for (name, value) in hash.iter() {
                    let name = self.interpolate(name, true)?;
                    decrypted.insert(name, self.decrypted(value, decryptor, key, path)?);
                }
                Ok(Value::from(decrypted))
            }
            other => self.interpolate(other, true),
        })
    }

    fn value_of_data_dig(&mut self, provider: &Provider, place: &Place, key: &Key) -> Result<Option<Value>, Error> {
        let value = match place.known(&key.text) {
            Some(value) => Some(value),
            None => {
                let arguments = vec![Value::from(key.parts()), provider.options_at(place)];
                self.call(provider, place, arguments)?
            }
        };
        let Some(value) = value else { return Ok(None) };
        place.remember(&key.text, &value);
        check_value(&value, || {
            format!("Value for key '{}', returned from {}{}", key.text, provider.full_name(), place.shown())
        })?;
        Ok(Some(value))
    }

    fn call(&mut self, provider: &Provider, place: &Place, arguments: Vec<Value>) -> Result<Option<Value>, Error> {
        if provider.is_fit.get().is_none() {
            self.check_function(provider)?;
            provider.is_fit.get_or_init(|| ());
        }
        let context = (provider.kind != FunctionKind::V4DataHash).then_some(&place.context);
        self.context.call_function(FunctionCall { name: &provider.function, arguments, context })
    }

    /// Refuses a function that is not there, or that says it returns something else than data.
    fn check_function(&mut self, provider: &Provider) -> Result<(), Error> {
        let (kind, name) = (provider.kind.name(), &provider.function_name);
        let Some(function) = self.context.function(&provider.function)? else {
            return Err(provider.config.fail(&issues::data_provider_function_not_found(kind, name), None));
        };
        match (function.returned, provider.returned()) {
            (Some(returned), expected) if !expected.is_assignable(&returned) => {
                let subject = format!("Return type of '{kind}' function named '{name}' is incorrect,");
                Err(Error::general(mismatch::describe_mismatch(&subject, &expected, &returned)))
            }
            _ => Ok(()),
        }
    }
}

/// Refuses a value that data may not have.
fn check_value(value: &Value, subject: impl FnOnce() -> String) -> Result<(), Error> {
    if Type::rich_data().is_instance(value) {
        return Ok(());
    }
    Err(wrong_type(&subject(), &Type::infer(value).to_string()))
}

fn wrong_type(subject: &str, got: &str) -> Error {
    Error::general(format!("{subject} has wrong type, expects Puppet::LookupValue, got {got}"))
}

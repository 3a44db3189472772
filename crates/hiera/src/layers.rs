//! The layers of data: global, environment, module, and a module's default hierarchy.

use std::sync::Arc;

use bunraku_environment::world::glob;
use bunraku_pcore::data_types::Uri;
use bunraku_pcore::{Hash, Type, Value, mismatch};
use ecow::EcoString;

use crate::config::{Config, Entry, FunctionKind, Layer, LocationSpec};
use crate::error::{Error, Kind};
use crate::explain::{Event, NodeKind};
use crate::hiera;
use crate::invocation::{Invocation, Used};
use crate::key::Key;
use crate::location::{Location, plus};
use crate::merge::Strategy;
use crate::provider::Provider;

/// How many locations one level may have.
const MAXIMUM_LOCATIONS: usize = 10_000;

/// The hierarchy of a layer as it is for the node, and the variables that made it so.
#[derive(Debug)]
pub(crate) struct Resolved {
    providers: Vec<Provider>,
    default_providers: Vec<Provider>,
    used: Vec<Used>,
}

impl Invocation<'_> {
    /// A key in one layer.
    pub(crate) fn search_layer(
        &mut self,
        layer: &Layer,
        key: &Key,
        strategy: &Strategy,
    ) -> Result<Option<Value>, Error> {
        match layer {
            Layer::Global => self.search_global(key, strategy).map_err(|error| self.failed_lookup(error)),
            Layer::Module(name) if name.is_empty() => Ok(None),
            Layer::Environment | Layer::Module(_) => match self.config(layer)? {
                Some(config) => {
                    self.check(&key.text, |invocation| invocation.search_config(layer, &config, key, strategy))
                }
                None => {
                    self.explain_missing(layer);
                    Ok(None)
                }
            },
        }
    }

    fn search_global(&mut self, key: &Key, strategy: &Strategy) -> Result<Option<Value>, Error> {
        self.check(&key.text, |invocation| {
            let Some(config) = invocation.config(&Layer::Global)? else { return Ok(None) };
            if config.version == 3 {
                invocation.search_version_3(&config, key, strategy)
            } else {
                invocation.search_config(&Layer::Global, &config, key, strategy)
            }
        })
    }

    /// Version 3: what is interpolated searches the global layer alone, unless the environment has a newer
    /// configuration, and `hiera_hash` merges as the file says.
    fn search_version_3(
        &mut self,
        config: &Arc<Config>,
        key: &Key,
        strategy: &Strategy,
    ) -> Result<Option<Value>, Error> {
        let has_environment = self.config(&Layer::Environment)?.is_some_and(|config| config.version >= 5);
        let saved = self.session.memory().mode.clone();
        let is_hiera_call = saved.is_hiera_call;
        self.session.memory().mode.global_only = saved.global_only || !has_environment;
        let overrides_hash = is_hiera_call && strategy.is_hash() && !config.hash_strategy.is_default();
        let strategy = if overrides_hash { &config.hash_strategy } else { strategy };
        let outer = std::mem::replace(&mut self.is_version_3, true);
        let result = self.search_config(&Layer::Global, config, key, strategy);
        self.is_version_3 = outer;
        self.session.memory().mode = saved;
        let value = result?;
        if let (Some(value), true) = (&value, is_hiera_call) {
            if strategy.is_hash() || strategy.is_deep() {
                mismatch::assert_instance("value", &Type::hash(Type::Any, Type::Any, None), value)?;
            }
            if !key.segments.is_empty() && (strategy.is_hash() || strategy.is_unique()) {
                let kind = if strategy.is_hash() { "hash" } else { "array" };
                return Err(Error::lookup(format!(
                    "Resolution type :{kind} is illegal when accessing values using dotted keys. Offending key was '{}'",
                    key.text
                )));
            }
        }
        Ok(value)
    }

    fn search_config(
        &mut self,
        layer: &Layer,
        config: &Arc<Config>,
        key: &Key,
        strategy: &Strategy,
    ) -> Result<Option<Value>, Error> {
        self.with(
            || provider_node(layer, config),
            None,
            |invocation| {
                let resolved = invocation.resolved(layer, config)?;
                invocation.search_providers(&resolved.providers, key, strategy)
            },
        )
    }

    fn search_providers(
        &mut self,
        providers: &[Provider],
        key: &Key,
        strategy: &Strategy,
    ) -> Result<Option<Value>, Error> {
        if providers.is_empty() {
            self.note(Event::NotFound, || key.text.clone(), Value::Undef);
            return Ok(None);
        }
        self.merge(strategy, providers, |invocation, provider| invocation.search_provider(provider, key, strategy))
    }

    /// The default hierarchy of the key's module, which is asked when all layers have nothing.
    pub(crate) fn search_default_hierarchy(&mut self, key: &Key) -> Result<Option<Value>, Error> {
        let Some(module) = self.module_name.clone() else { return Ok(None) };
        match self.config(&Layer::Module(module.clone()))? {
            Some(config) if config.default_hierarchy.is_some() => {}
            _ => return Ok(None),
        }
        self.with(
            || NodeKind::Scope(ecow::eco_format!("Searching default_hierarchy of module \"{module}\"")),
            None,
            |invocation| {
                let options = invocation.default_options_for(key, &module)?;
                let strategy = Strategy::from_options(options.as_ref(), &key.text)?;
                invocation.with(
                    || NodeKind::Scope(ecow::eco_format!("Searching for \"{}\"", key.text)),
                    None,
                    |invocation| invocation.search_default_layer(&module, key, &strategy),
                )
            },
        )
    }

    /// A key in the default hierarchy of a module.
    pub(crate) fn search_default_layer(
        &mut self,
        module: &EcoString,
        key: &Key,
        strategy: &Strategy,
    ) -> Result<Option<Value>, Error> {
        let layer = Layer::Module(module.clone());
        let Some(config) = self.config(&layer)? else { return Ok(None) };
        let resolved = self.resolved(&layer, &config)?;
        if resolved.default_providers.is_empty() {
            self.note(Event::NotFound, || key.text.clone(), Value::Undef);
            return Ok(None);
        }
        self.check(&key.text, |invocation| {
            invocation.with(
                || provider_node(&layer, &config),
                None,
                |invocation| invocation.search_providers(&resolved.default_providers, key, strategy),
            )
        })
    }

    fn explain_missing(&mut self, layer: &Layer) {
        let Some(name) = layer.module_name() else { return };
        let has_module = self.session.hiera.layout.modules.contains_key(name);
        let event = if has_module { Event::ModuleProviderNotFound } else { Event::ModuleNotFound };
        self.explain(|explanation| explanation.leaf(NodeKind::Module(name.clone()), Some(event)));
    }

    /// The configuration of a layer, read when it is first needed.
    pub(crate) fn config(&mut self, layer: &Layer) -> Result<Option<Arc<Config>>, Error> {
        if let Some(config) = self.session.memory().configs.get(layer) {
            return Ok(config.clone());
        }
        let mut warnings = Vec::new();
        let config = self.session.hiera.config(self.session.world, layer, &mut |warning| warnings.push(warning));
        for warning in warnings {
            self.context.warn(&warning);
        }
        let config = config?.map(Arc::new);
        self.session.memory().configs.insert(layer.clone(), config.clone());
        Ok(config)
    }

    /// The hierarchy of a layer, resolved anew when a variable in its paths has changed.
    fn resolved(&mut self, layer: &Layer, config: &Arc<Config>) -> Result<Arc<Resolved>, Error> {
        let known = self.session.memory().resolved.get(layer).cloned();
        if let Some(resolved) = known {
            if self.is_stable(&resolved.used)? {
                return Ok(resolved);
            }
            self.explain(|explanation| {
                explanation.remark(
                    "Hiera configuration recreated due to change of scope variables used in interpolation expressions",
                );
            });
        }
        let resolved = Arc::new(self.resolve(layer, config)?);
        self.session.memory().resolved.insert(layer.clone(), Arc::clone(&resolved));
        Ok(resolved)
    }

    fn is_stable(&mut self, used: &[Used]) -> Result<bool, Error> {
        self.without_explanation(|invocation| {
            for Used { key, root, segments, value } in used {
                let present = match invocation.in_path(|invocation| invocation.variable(root))?.unwrap_or_default() {
                    Value::Undef => Value::Undef,
                    present if segments.is_empty() => present,
                    present => invocation.dig_segments(key, segments, present)?.unwrap_or_default(),
                };
                if present != *value {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    fn resolve(&mut self, layer: &Layer, config: &Arc<Config>) -> Result<Resolved, Error> {
        // A configuration is resolved outside of the lookup that needs it: no overrides, no cycle, no account.
        let stack = std::mem::take(&mut self.session.memory().stack);
        let (overrides, defaults) = (self.overrides.take(), self.defaults.take());
        let outer = self.used.replace(Vec::new());
        let providers = self.without_explanation(|invocation| {
            let providers = invocation.resolve_entries(&config.hierarchy, layer, config)?;
            let default_entries = config.default_hierarchy.as_deref().unwrap_or_default();
            Ok((providers, invocation.resolve_entries(default_entries, layer, config)?))
        });
        let used = std::mem::replace(&mut self.used, outer).unwrap_or_default();
        (self.overrides, self.defaults) = (overrides, defaults);
        self.session.memory().stack = stack;
        let (providers, default_providers) = providers.map_err(|error: Error| match undefined_variable(&error) {
            Some(name) if config.path.is_some() => config.undefined_variable(name),
            _ if error.code.is_some() && error.file.is_none() => Error { file: config.path.clone(), ..error },
            _ => error,
        })?;
        Ok(Resolved { providers, default_providers, used })
    }

    fn resolve_entries(
        &mut self,
        entries: &[Entry],
        layer: &Layer,
        config: &Arc<Config>,
    ) -> Result<Vec<Provider>, Error> {
        let mut providers = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            config.check_name(entries, index)?;
            let datadir = match config.version {
                4 => entry.datadir.clone(),
                _ => self.interpolate_path(&entry.datadir)?,
            };
            let mut locations = match config.version {
                5 => self.in_path(|invocation| invocation.locations(entry, &datadir))?,
                _ => self.locations(entry, &datadir)?,
            };
            if config.path.is_none() {
                // The configuration that applies when there is no file only mentions what exists.
                if let Some(locations) = &mut locations {
                    locations.retain(|location| location.exists);
                    if locations.is_empty() {
                        continue;
                    }
                }
            }
            if config.version == 3 && entry.kind != FunctionKind::Hiera3Backend {
                locations = Some(self.with_extra_levels(entry, &datadir, locations.unwrap_or_default())?);
            }
            let options = match &entry.options {
                Some(options) => match self.interpolate(&Value::Hash(Arc::clone(options)), false)? {
                    Value::Hash(options) => options,
                    _ => Arc::default(),
                },
                None => Arc::new(Hash::new()),
            };
            let environment = &self.session.hiera.layout.environment;
            providers.push(Provider::new(entry, options, locations, layer, config, environment));
        }
        Ok(providers)
    }

    /// The levels that `hiera_…` puts first.
    fn with_extra_levels(
        &mut self,
        entry: &Entry,
        datadir: &str,
        locations: Vec<Location>,
    ) -> Result<Vec<Location>, Error> {
        let extra = self.session.memory().mode.extra_levels.clone();
        if extra.is_empty() {
            return Ok(locations);
        }
        let mut all = self.paths(&extra, datadir, entry.extension.as_deref())?;
        all.extend(locations);
        Ok(all)
    }

    fn locations(&mut self, entry: &Entry, datadir: &str) -> Result<Option<Vec<Location>>, Error> {
        let locations = match &entry.location {
            LocationSpec::None => return Ok(None),
            LocationSpec::Paths(paths) => self.paths(paths, datadir, entry.extension.as_deref())?,
            LocationSpec::Globs(globs) => self.globs(globs, datadir)?,
            LocationSpec::Uris(uris) => self.uris(uris)?,
            LocationSpec::Mapped { variable, name, template } => {
                self.mapped_paths(variable, name, template, datadir)?
            }
        };
        Ok(Some(locations))
    }

    fn paths(&mut self, paths: &[EcoString], datadir: &str, extension: Option<&str>) -> Result<Vec<Location>, Error> {
        let mut locations = Vec::with_capacity(paths.len());
        for original in paths {
            let mut path = self.interpolate_path(original)?;
            if let Some(extension) = extension.filter(|extension| !path.ends_with(*extension)) {
                path.push_str(extension);
            }
            locations.push(self.path_location(original, &plus(datadir, &path))?);
        }
        Ok(locations)
    }

    fn path_location(&self, original: &EcoString, path: &str) -> Result<Location, Error> {
        let exists = hiera::exists(self.session.world, path)?;
        Ok(Location { original: original.clone(), text: path.into(), is_uri: false, exists })
    }

    fn globs(&mut self, globs: &[EcoString], datadir: &str) -> Result<Vec<Location>, Error> {
        let mut locations = Vec::new();
        for pattern in globs {
            let pattern = plus(datadir, &self.interpolate_path(pattern)?);
            let world = self.session.world;
            let found = glob(world, &pattern).map_err(|issue| Error::lookup(issue.message()))?;
            let files = found.into_iter().filter(|path| !world.is_dir(path));
            locations.extend(files.take(MAXIMUM_LOCATIONS).map(|path| Location {
                original: pattern.as_str().into(),
                text: path.into(),
                is_uri: false,
                exists: true,
            }));
        }
        Ok(locations)
    }

    fn uris(&mut self, uris: &[EcoString]) -> Result<Vec<Location>, Error> {
        uris.iter()
            .map(|original| {
                let text = self.interpolate_path(original)?;
                Uri::parse(&text).map_err(|issue| Error::call(issue.message()))?;
                Ok(Location { original: original.clone(), text, is_uri: true, exists: true })
            })
            .collect()
    }

    fn mapped_paths(
        &mut self,
        variable: &EcoString,
        name: &EcoString,
        template: &EcoString,
        datadir: &str,
    ) -> Result<Vec<Location>, Error> {
        let values = match self.scope_variable(variable, "mapped_path[0]")? {
            Value::Undef => Vec::new(),
            Value::String(text) if text.is_empty() => Vec::new(),
            Value::Array(elements) => elements.to_vec(),
            Value::Hash(hash) => hash.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])).collect(),
            other => vec![other],
        };
        let outer = self.used.replace(Vec::new());
        let mut locations = Vec::new();
        for value in values.into_iter().take(MAXIMUM_LOCATIONS) {
            self.locals.push((name.clone(), value));
            let path = self.interpolate_path(template);
            self.locals.pop();
            locations.push(self.path_location(template, &plus(datadir, &path?))?);
        }
        // What the template made of the bound name is no dependency: the list it came from is.
        let inner = std::mem::replace(&mut self.used, outer).unwrap_or_default();
        if let Some(used) = &mut self.used {
            used.extend(inner.into_iter().filter(|used| used.root != *name));
        }
        Ok(locations)
    }
}

fn provider_node(layer: &Layer, config: &Config) -> NodeKind {
    let place = layer.place();
    let name = match layer.module_name() {
        Some(module) => ecow::eco_format!("{place} \"{module}\" Data Provider ({})", config.name()),
        None => ecow::eco_format!("{place} Data Provider ({})", config.name()),
    };
    NodeKind::Provider { name, configuration: config.path.clone(), module: layer.module_name().cloned() }
}

/// The variable a failure is about.
fn undefined_variable(error: &Error) -> Option<&str> {
    if error.kind != Kind::Call {
        return None;
    }
    error.message.strip_prefix("Undefined variable '")?.split_once('\'').map(|(name, _)| name)
}

//! One lookup under way: its names, its overrides, the account it keeps.

use bunraku_environment::Strict;
use bunraku_pcore::label::host_class;
use bunraku_pcore::{Hash, Value};
use ecow::EcoString;

use crate::config::Layer;
use crate::context::{Context, Missing};
use crate::error::{Error, Kind};
use crate::explain::{self, Event, Explanation, NodeKind};
use crate::key::{Key, LOOKUP_OPTIONS, segment_text};
use crate::lookup_options::{CONVERT_TO, MERGE};
use crate::merge::Strategy;
use crate::session::{Found, HieraCall, Mode, Session, Source};

/// How deep lookups may lead to further lookups.
const MAXIMUM_DEPTH: usize = 100;

/// How many lookups and interpolations one lookup may lead to: a few keys that refer to each other twice can ask for more
/// than any machine can do.
const MAXIMUM_STEPS: usize = 200_000;

pub(crate) struct Invocation<'i> {
    pub(crate) session: &'i Session<'i>,
    pub(crate) context: &'i mut dyn Context,
    pub(crate) overrides: Option<&'i Hash>,
    pub(crate) defaults: Option<&'i Hash>,
    /// The module whose layer is searched.
    pub(crate) module_name: Option<EcoString>,
    /// The key that messages name.
    pub(crate) top_key: EcoString,
    is_explaining: bool,
    /// While a configuration is resolved: the variables it used.
    pub(crate) used: Option<Vec<Used>>,
    /// Whether variables are seen as Hiera 3 sees them.
    pub(crate) is_version_3: bool,
    /// Variables that only a path template sees.
    pub(crate) locals: Vec<(EcoString, Value)>,
    /// Whether a path is made, where a variable that nothing sets is never an error.
    pub(crate) is_in_path: bool,
}

/// A variable that a configuration depends on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Used {
    pub(crate) key: EcoString,
    pub(crate) root: EcoString,
    pub(crate) segments: Vec<Value>,
    pub(crate) value: Value,
}

impl<'i> Invocation<'i> {
    pub(crate) fn new(
        session: &'i Session<'i>,
        context: &'i mut dyn Context,
        overrides: Option<&'i Hash>,
        defaults: Option<&'i Hash>,
    ) -> Invocation<'i> {
        Invocation {
            session,
            context,
            overrides,
            defaults,
            module_name: None,
            top_key: EcoString::new(),
            is_explaining: session.is_explaining(),
            used: None,
            is_version_3: false,
            locals: Vec::new(),
            is_in_path: false,
        }
    }

    /// What the `hiera_…` functions search.
    pub(crate) fn hiera_mode(&mut self, call: &HieraCall) -> Result<Mode, Error> {
        let has_environment = self.config(&Layer::Environment)?.is_some_and(|config| config.version >= 5);
        Ok(Mode { is_hiera_call: true, global_only: !has_environment, extra_levels: call.override_levels.clone() })
    }

    /// The first of several names that is found: in the overrides, in the data, or, failing all, in the defaults.
    pub(crate) fn lookup_names(&mut self, names: &[EcoString], merge: Option<&Value>) -> Result<Option<Found>, Error> {
        let found = |name: &EcoString, value, source| Ok(Some(Found { name: name.clone(), value, source }));
        for name in names {
            if let Some(value) = self.overrides.and_then(|overrides| overrides.get_str(name)) {
                return found(name, value.clone(), Source::Overrides);
            }
            if let Some(value) = self.search(name, merge)? {
                return found(name, value, Source::Data);
            }
        }
        for name in names {
            if let Some(value) = self.defaults.and_then(|defaults| defaults.get_str(name)) {
                return found(name, value.clone(), Source::DefaultValues);
            }
        }
        Ok(None)
    }

    /// A key in the data of all layers.
    pub(crate) fn search(&mut self, text: &str, merge: Option<&Value>) -> Result<Option<Value>, Error> {
        if text == LOOKUP_OPTIONS || text.strip_prefix(LOOKUP_OPTIONS).is_some_and(|rest| rest.starts_with('.')) {
            self.explain(|explanation| {
                explanation.push(NodeKind::InvalidKey, Some(LOOKUP_OPTIONS.into()));
                explanation.pop();
            });
            return Ok(None);
        }
        let key = Key::parse(text)?;
        let module_name = key.module_name().map(EcoString::from);
        let outer = (
            std::mem::replace(&mut self.top_key, key.text.clone()),
            std::mem::replace(&mut self.module_name, module_name),
        );
        let result = self.search_key(&key, merge);
        (self.top_key, self.module_name) = outer;
        result
    }

    fn search_key(&mut self, key: &Key, merge: Option<&Value>) -> Result<Option<Value>, Error> {
        if self.only_options() {
            let options = Key { text: LOOKUP_OPTIONS.into(), root: LOOKUP_OPTIONS.into(), segments: Vec::new() };
            self.search_layers(&options, &Strategy::hash())?;
            return Ok(Some(Value::Undef));
        }
        let options = self.options_for(key)?;
        if merge.is_none() && options.as_ref().is_some_and(|options| options.get(MERGE).is_some()) {
            self.explain(|explanation| explanation.leaf(NodeKind::MergeSource(LOOKUP_OPTIONS.into()), None));
        }
        let mut said = 0;
        self.explain(|explanation| said = explanation.len());
        let value = self.with(
            || NodeKind::Top,
            Some(&key.text),
            |invocation| {
                let strategy = match merge {
                    Some(_) => Strategy::from_value(merge)?,
                    None => Strategy::from_options(options.as_ref(), &key.text)?,
                };
                if let Some(value) = invocation.search_layers(key, &strategy)? {
                    return Ok(Some(value));
                }
                if invocation.global_only() {
                    return Ok(None);
                }
                match invocation.search_default_hierarchy(key)? {
                    Some(value) => invocation.dig(key, value),
                    None => Ok(None),
                }
            },
        );
        let convert_to = options.as_ref().and_then(|options| options.get(CONVERT_TO).map(|to| (&options.entry, to)));
        if convert_to.is_some_and(|(_, convert_to)| makes_secret(convert_to)) {
            self.explain(|explanation| explanation.redact_since(said));
        }
        let value = value?;
        match (value, convert_to) {
            (Some(value), Some((entry, convert_to))) => {
                let converted = self.convert(key, value, convert_to);
                converted.map(Some).map_err(|error| error.of_option(&key.text, entry, CONVERT_TO))
            }
            (value, _) => Ok(value),
        }
    }

    /// All layers, and what the segments of the key dig out of the merged value.
    fn search_layers(&mut self, key: &Key, strategy: &Strategy) -> Result<Option<Value>, Error> {
        let layers: &[Layer] = match (self.global_only(), &self.module_name) {
            (true, _) => &[Layer::Global],
            (false, None) => &[Layer::Global, Layer::Environment, Layer::Module(EcoString::new())],
            (false, Some(name)) => &[Layer::Global, Layer::Environment, Layer::Module(name.clone())],
        };
        let value = if self.global_only() {
            self.search_layer(&Layer::Global, key, strategy)?
        } else {
            self.merge(strategy, layers, |invocation, layer| invocation.search_layer(layer, key, strategy))?
        };
        match value {
            Some(value) => self.dig(key, value),
            None => Ok(None),
        }
    }

    fn convert(&mut self, key: &Key, value: Value, convert_to: &Value) -> Result<Value, Error> {
        let mut arguments = match convert_to {
            Value::Array(arguments) => arguments.to_vec(),
            other => vec![other.clone()],
        };
        let data_type = match arguments.first() {
            Some(Value::String(text)) => self.context.parse_type(text).map(Value::Type).map_err(|error| {
                Error::lookup(format!(
                    "Invalid data type in lookup_options for key '{}' could not parse '{text}', error: '{}",
                    key.text, error.message
                ))
            })?,
            Some(other) => other.clone(),
            None => Value::Undef,
        };
        if let Some(first) = arguments.first_mut() {
            *first = data_type.clone();
        }
        let new_arguments = std::iter::once(value).chain(arguments.iter().skip(1).cloned()).collect();
        let value = self.context.new_instance(&data_type, new_arguments).map_err(|error| {
            let message =
                format!("The convert_to lookup_option for key '{}' raised error: {}", key.text, error.message);
            Error::lookup(message)
        })?;
        self.explain(|explanation| {
            let shown = Value::from(arguments);
            explanation.remark(format!("Applying convert_to lookup_option with arguments {shown}"));
        });
        Ok(value)
    }

    /// What the segments of a key find in a value.
    pub(crate) fn dig(&mut self, key: &Key, value: Value) -> Result<Option<Value>, Error> {
        if key.segments.is_empty() {
            return Ok(Some(value));
        }
        self.dig_segments(&key.text, &key.segments, value)
    }

    pub(crate) fn dig_segments(&mut self, key: &str, segments: &[Value], value: Value) -> Result<Option<Value>, Error> {
        let shown = || segments.iter().map(|segment| segment_text(segment).to_string()).collect::<Vec<_>>().join(".");
        self.with(
            || NodeKind::SubKey(shown().into()),
            None,
            |invocation| {
                let mut value = value;
                for segment in segments {
                    let inner = invocation.with(
                        || NodeKind::Segment,
                        None,
                        |invocation| {
                            let found = step(key, segment, &value)?;
                            let (event, shown) = match &found {
                                Some(value) => (Event::Found, value.clone()),
                                None => (Event::NotFound, Value::Undef),
                            };
                            invocation.note(event, || segment_text(segment), shown);
                            Ok::<_, Error>(found)
                        },
                    )?;
                    match inner {
                        Some(inner) => value = inner,
                        None => return Ok(None),
                    }
                }
                Ok(Some(value))
            },
        )
    }

    /// Searches variants and merges what they give.
    pub(crate) fn merge<T>(
        &mut self,
        strategy: &Strategy,
        variants: &[T],
        mut search: impl FnMut(&mut Self, &T) -> Result<Option<Value>, Error>,
    ) -> Result<Option<Value>, Error> {
        if strategy.is_first_found() {
            for variant in variants {
                if let Some(value) = search(self, variant)? {
                    return Ok(Some(value));
                }
            }
            return Ok(None);
        }
        match variants {
            [] => return Ok(None),
            [only] => return Ok(search(self, only)?.map(|value| strategy.single(value))),
            _ => {}
        }
        let node = || NodeKind::Merge {
            strategy: strategy.name(),
            options: explain::options_without_strategy(strategy.options.as_deref()),
        };
        self.with(node, None, |invocation| {
            let mut merging = strategy.begin();
            for variant in variants {
                if let Some(value) = search(invocation, variant)? {
                    merging.add(value)?;
                }
            }
            let merged = merging.finish()?;
            if let Some(value) = &merged {
                invocation.explain(|explanation| explanation.note(Event::Result, None, value.clone()));
            }
            Ok(merged)
        })
    }

    /// Does something while a name counts as being looked up; the same name inside of it is a cycle.
    pub(crate) fn check<R>(&mut self, name: &str, act: impl FnOnce(&mut Self) -> Result<R, Error>) -> Result<R, Error> {
        self.enter(name)?;
        let result = act(self);
        self.session.memory().stack.pop();
        result.map_err(Error::within_lookup)
    }

    fn enter(&self, name: &str) -> Result<(), Error> {
        let memory = &mut *self.session.memory();
        let stack = &mut memory.stack;
        if stack.iter().any(|open| open == name) {
            return Err(Error::lookup(format!("Recursive lookup detected in [{}]", stack.join(", "))));
        }
        if stack.len() >= MAXIMUM_DEPTH {
            return Err(Error::lookup(format!("Lookups lead to more than {MAXIMUM_DEPTH} further lookups")));
        }
        memory.steps = if stack.is_empty() { 0 } else { memory.steps.saturating_add(1) };
        if memory.steps > MAXIMUM_STEPS {
            return Err(Error::lookup(format!("A lookup takes more than {MAXIMUM_STEPS} steps")));
        }
        stack.push(name.into());
        Ok(())
    }

    /// Adds what a layer's failure says about the key.
    pub(crate) fn failed_lookup(&self, error: Error) -> Error {
        if error.kind != Kind::Lookup || error.code.is_some() {
            return error;
        }
        Error::general(format!("Lookup of key '{}' failed: {}", self.top_key, error.message))
    }

    /// A variable of the scope, undefined if there is none and the settings let that pass.
    pub(crate) fn variable(&mut self, name: &str) -> Result<Option<Value>, Error> {
        self.find_variable(name).or_else(|missing| self.treat_missing(&missing))
    }

    /// The value of a variable, if anything sets it.
    pub(crate) fn find_variable(&mut self, name: &str) -> Result<Option<Value>, Missing> {
        if let Some((_, value)) = self.locals.iter().rev().find(|(local, _)| local == name) {
            return Ok(Some(value.clone()));
        }
        // To Hiera 3 an empty text is nothing, and the module has another name.
        let name = if self.is_version_3 && name == "calling_module" { "module_name" } else { name };
        match self.context.variable(name)? {
            Value::String(text) if self.is_version_3 && text.is_empty() => Ok(Some(Value::Undef)),
            value => Ok(Some(value)),
        }
    }

    /// Treats a variable that nothing sets as `strict` says.
    fn treat_missing(&mut self, Missing { name, reason }: &Missing) -> Result<Option<Value>, Error> {
        let message = match self.session.hiera.strict {
            Strict::Off => return Ok(None),
            Strict::Error if self.is_in_path => {
                format!("Interpolation failed with '{name}', but compilation continuing; {reason}")
            }
            Strict::Error => return Err(Error::call(format!("Undefined variable '{name}'; {reason}"))),
            Strict::Warning => format!("Undefined variable '{name}'; {reason}"),
        };
        if self.session.memory().warned.insert(ecow::eco_format!("Variable: {name}")) {
            self.context.warn(&format!("{message}\n   (file & line not available)"));
        }
        Ok(None)
    }

    /// Does something where a variable that nothing sets is never an error.
    pub(crate) fn in_path<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.is_in_path, true);
        let result = act(self);
        self.is_in_path = outer;
        result
    }

    pub(crate) fn global_only(&self) -> bool {
        self.session.memory().mode.global_only
    }

    fn only_options(&self) -> bool {
        self.is_explaining && self.session.memory().explanation.as_ref().is_some_and(Explanation::only_options)
    }

    /// Does something as a part of the account.
    pub(crate) fn with<R>(
        &mut self,
        node: impl FnOnce() -> NodeKind,
        key: Option<&EcoString>,
        act: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.explain(|explanation| explanation.push(node(), key.cloned()));
        let result = act(self);
        self.explain(Explanation::pop);
        result
    }

    pub(crate) fn note(&mut self, event: Event, key: impl FnOnce() -> EcoString, value: Value) {
        self.explain(|explanation| explanation.note(event, Some(key()), value));
    }

    pub(crate) fn explain(&mut self, act: impl FnOnce(&mut Explanation)) {
        if self.is_explaining
            && let Some(explanation) = &mut self.session.memory().explanation
        {
            act(explanation);
        }
    }

    /// Does something that the account leaves out.
    pub(crate) fn without_explanation<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        let was = std::mem::replace(&mut self.is_explaining, false);
        let result = act(self);
        self.is_explaining = was;
        result
    }
}

/// Whether the option `convert_to` asks for a Sensitive. What becomes one is a secret before, too.
fn makes_secret(convert_to: &Value) -> bool {
    match convert_to {
        Value::String(name) => name.trim_start_matches([':', ' ']).starts_with("Sensitive"),
        Value::Array(arguments) => arguments.first().is_some_and(makes_secret),
        _ => false,
    }
}

/// One step of digging into a value.
fn step(key: &str, segment: &Value, value: &Value) -> Result<Option<Value>, Error> {
    match (segment, value) {
        (_, Value::Undef) => Ok(None),
        (Value::Integer(index), Value::Array(elements)) => {
            Ok(usize::try_from(*index).ok().and_then(|index| elements.get(index)).cloned())
        }
        (segment, Value::Hash(hash)) => Ok(hash.get(segment).cloned()),
        _ => Err(Error::lookup(format!(
            "Data Provider type mismatch: Got {} when a hash-like object was expected to access value using '{}' \
             from key '{key}'",
            host_class(value),
            segment_text(segment),
        ))),
    }
}

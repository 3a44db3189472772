//! Merge strategies: what becomes of several values found for one key.

mod deep;
mod levels;

use std::sync::Arc;

use bunraku_pcore::data_types::{Member, StructType};
use bunraku_pcore::{Hash, OrderMap, Type, Value, inspect, mismatch};
use ecow::EcoString;

use crate::error::Error;
use crate::lookup_options::{MERGE, Options};
use deep::Deep;

/// How the values found for a key are merged. Values come in order of priority, the highest first.
#[derive(Debug, Clone)]
pub(crate) struct Strategy {
    kind: Kind,
    /// The options as they were given, for explanations.
    pub(crate) options: Option<Arc<Hash>>,
}

#[derive(Debug, Clone)]
enum Kind {
    /// None was asked for, which means the first.
    Default,
    First,
    Unique,
    Hash,
    Deep(Deep),
    /// Hiera 3's `deeper`: deep, with options unchecked.
    UnconstrainedDeep(Deep),
    /// Hiera 3's `deep`: the lower priority wins.
    ReverseDeep(Deep),
}

impl Strategy {
    /// The strategy when none is asked for.
    pub(crate) fn default_strategy() -> Strategy {
        Strategy { kind: Kind::Default, options: None }
    }

    /// The strategy of `lookup_options` themselves.
    pub(crate) fn hash() -> Strategy {
        Strategy { kind: Kind::Hash, options: None }
    }

    /// The strategy of a name, or of a hash with `strategy` and its options.
    pub(crate) fn from_value(merge: Option<&Value>) -> Result<Strategy, Error> {
        let merge = match merge {
            None | Some(Value::Undef) => return Ok(Strategy::default_strategy()),
            Some(merge) => merge,
        };
        let Value::Hash(options) = merge else {
            return Strategy::named(&inspect::to_s(merge), None);
        };
        let name = options.get_str("strategy").filter(|name| !name.is_undef()).ok_or_else(|| {
            Error::call(
                "The hash given as 'merge' must contain the name of a strategy in string form for the key 'strategy'",
            )
        })?;
        let options = (options.len() > 1).then(|| Arc::clone(options));
        Strategy::named(&inspect::to_s(name), options)
    }

    /// The strategy that `lookup_options` tell for a key.
    pub(crate) fn from_options(options: Option<&Options>, key: &EcoString) -> Result<Strategy, Error> {
        let Some(options) = options else { return Ok(Strategy::default_strategy()) };
        Strategy::from_value(options.get(MERGE)).map_err(|error| error.of_option(key, &options.entry, MERGE))
    }

    fn named(name: &str, options: Option<Arc<Hash>>) -> Result<Strategy, Error> {
        let deep = || Deep::from_options(options.as_deref());
        let kind = match name {
            "default" => Kind::Default,
            "first" => Kind::First,
            "unique" => Kind::Unique,
            "hash" => Kind::Hash,
            "deep" => Kind::Deep(deep()),
            // Compatibility: without options the reference takes the same instance for both.
            "unconstrained_deep" if options.is_none() => Kind::Deep(deep()),
            "unconstrained_deep" => Kind::UnconstrainedDeep(deep()),
            "reverse_deep" => Kind::ReverseDeep(deep()),
            _ => return Err(Error::call(format!("Unknown merge strategy: '{name}'"))),
        };
        if let Some(options) = &options {
            check_options(&kind, options)?;
        }
        Ok(Strategy { kind, options })
    }

    /// The name an explanation shows.
    pub(crate) fn name(&self) -> &'static str {
        match self.kind {
            Kind::Default => "default",
            Kind::First => "first",
            Kind::Unique => "unique",
            Kind::Hash => "hash",
            Kind::Deep(_) => "deep",
            Kind::UnconstrainedDeep(_) => "unconstrained_deep",
            Kind::ReverseDeep(_) => "reverse_deep",
        }
    }

    /// Whether the search ends with the first value.
    pub(crate) fn is_first_found(&self) -> bool {
        matches!(self.kind, Kind::Default | Kind::First)
    }

    /// Whether nobody asked for a strategy.
    pub(crate) fn is_default(&self) -> bool {
        matches!(self.kind, Kind::Default)
    }

    /// Whether the strategy is `hash`.
    pub(crate) fn is_hash(&self) -> bool {
        matches!(self.kind, Kind::Hash)
    }

    /// Whether the strategy is `unique`.
    pub(crate) fn is_unique(&self) -> bool {
        matches!(self.kind, Kind::Unique)
    }

    /// Whether the strategy is one of the deep ones.
    pub(crate) fn is_deep(&self) -> bool {
        matches!(self.kind, Kind::Deep(_) | Kind::UnconstrainedDeep(_) | Kind::ReverseDeep(_))
    }

    /// What becomes of a value that is the only candidate there could be.
    pub(crate) fn single(&self, value: Value) -> Value {
        match (&self.kind, &value) {
            (Kind::Unique, Value::Array(elements)) => Value::from(unique(elements.iter().cloned())),
            _ => value,
        }
    }

    /// A merge that has not begun.
    pub(crate) fn begin(&self) -> Merging<'_> {
        Merging { strategy: self, merged: None, levels: Vec::new() }
    }

    /// How hashes are merged all at once, if they can be.
    fn of_levels(&self) -> Option<&Deep> {
        match &self.kind {
            Kind::Deep(deep) | Kind::UnconstrainedDeep(deep) => Some(deep).filter(|deep| deep.is_plain()),
            _ => None,
        }
    }

    /// What becomes of the first of several values.
    fn convert(&self, value: Value) -> Value {
        match self.kind {
            Kind::Unique => Value::from(flatten(value)),
            _ => value,
        }
    }

    /// Merges a value with the next one of lower priority.
    pub(crate) fn merge(&self, higher: Value, lower: Value) -> Result<Value, Error> {
        match &self.kind {
            Kind::Default | Kind::First => Ok(higher),
            Kind::Unique => {
                check_elements(&higher, &lower, &scalar_or_array_type())?;
                Ok(Value::from(unique(flatten(higher).into_iter().chain(flatten(lower)))))
            }
            Kind::Hash => {
                check_elements(&higher, &lower, &hash_type())?;
                Ok(merge_hashes(higher, lower))
            }
            Kind::Deep(deep) | Kind::UnconstrainedDeep(deep) => deep.merge(higher, lower),
            Kind::ReverseDeep(deep) => deep.merge(lower, higher),
        }
    }
}

/// A merge under way.
pub(crate) struct Merging<'s> {
    strategy: &'s Strategy,
    merged: Option<Value>,
    /// Hashes that wait for all others.
    levels: Vec<Arc<Hash>>,
}

impl Merging<'_> {
    /// Adds the value of the next lower priority.
    pub(crate) fn add(&mut self, value: Value) -> Result<(), Error> {
        match (value, &self.merged) {
            (Value::Hash(level), None) if self.strategy.of_levels().is_some() => self.levels.push(level),
            (value, _) => {
                self.merge_levels()?;
                self.merged = Some(match self.merged.take() {
                    None => self.strategy.convert(value),
                    Some(merged) => self.strategy.merge(merged, value)?,
                });
            }
        }
        Ok(())
    }

    /// The merged value, if there was any.
    pub(crate) fn finish(mut self) -> Result<Option<Value>, Error> {
        self.merge_levels()?;
        Ok(self.merged)
    }

    fn merge_levels(&mut self) -> Result<(), Error> {
        if let (Some(deep), [_, ..]) = (self.strategy.of_levels(), self.levels.as_slice()) {
            self.merged = Some(deep.merge_levels(&self.levels.iter().collect::<Vec<_>>(), 0)?);
            self.levels.clear();
        }
        Ok(())
    }
}

fn merge_hashes(higher: Value, lower: Value) -> Value {
    match (higher, lower) {
        (Value::Hash(higher), Value::Hash(lower)) => {
            let mut merged = Arc::unwrap_or_clone(lower);
            merged.extend(higher.iter().map(|(key, value)| (key.clone(), value.clone())));
            Value::from(merged)
        }
        (higher, _) => higher,
    }
}

fn flatten(value: Value) -> Vec<Value> {
    fn collect(value: Value, flat: &mut Vec<Value>) {
        bunraku_syntax::deep(|| match value {
            Value::Array(elements) => elements.iter().for_each(|element| collect(element.clone(), flat)),
            other => flat.push(other),
        })
    }
    let mut flat = Vec::new();
    collect(value, &mut flat);
    flat
}

/// The values without repetitions, in the order of their first appearance.
fn unique(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut seen = OrderMap::with_capacity(values.size_hint().0);
    for value in values {
        if !seen.contains_key(&value) {
            seen.push(value, ());
        }
    }
    seen.into_iter().map(|(value, ())| value).collect()
}

/// `Hash[String, Data]`.
fn hash_type() -> Type {
    Type::hash(Type::string(), Type::data(), None)
}

/// `Variant[Scalar, Array[Data]]`.
fn scalar_or_array_type() -> Type {
    Type::variant([Type::Scalar, Type::array(Type::data(), None)])
}

fn check_elements(higher: &Value, lower: &Value, expected: &Type) -> Result<(), Error> {
    mismatch::assert_instance("The first element of the merge", expected, higher)?;
    mismatch::assert_instance("The second element of the merge", expected, lower)?;
    Ok(())
}

/// Refuses options that the strategy does not have.
fn check_options(kind: &Kind, options: &Arc<Hash>) -> Result<(), Error> {
    let member = |name: &str, value| Member { name: name.into(), optional: true, value: Type::optional(value) };
    let mut members = vec![member("strategy", Type::string())];
    match kind {
        Kind::UnconstrainedDeep(_) | Kind::ReverseDeep(_) => return Ok(()),
        Kind::Deep(_) => members.extend([
            member("knockout_prefix", Type::string()),
            member("merge_debug", Type::BOOLEAN),
            member("merge_hash_arrays", Type::BOOLEAN),
            member("sort_merged_arrays", Type::BOOLEAN),
        ]),
        _ => {}
    }
    let expected = Type::Struct(Arc::new(StructType { members }));
    Ok(mismatch::assert_instance("The merge options", &expected, &Value::Hash(Arc::clone(options)))?)
}

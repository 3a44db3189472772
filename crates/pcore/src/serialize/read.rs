//! Plain data as rich data: finds the hashes with a `__ptype` and makes the values they stand for.

use bunraku_syntax::deep;
use std::sync::Arc;

use ecow::eco_format;

use super::{TYPE_KEY, VALUE_KEY, read_type};
use crate::convert::{Context, new_instance};
use crate::data_type::Type;
use crate::hash::Hash;
use crate::issues::{self, Issue};
use crate::label::host_class;
use crate::value::Value;

/// Values that are nested deeper cannot be read.
const DEPTH_LIMIT: usize = 500;

/// The value that plain data stands for. The context finds the types of objects by name.
pub fn from_data(data: &Value, context: &mut dyn Context) -> Result<Value, Issue> {
    Reader { root: data, context }.read(data, DEPTH_LIMIT)
}

struct Reader<'r> {
    root: &'r Value,
    context: &'r mut dyn Context,
}

impl Reader<'_> {
    fn read(&mut self, data: &Value, depth: usize) -> Result<Value, Issue> {
        deep(|| {
            let Some(depth) = depth.checked_sub(1) else {
                return Err(issues::runtime_error("The value is nested too deeply to be deserialized"));
            };
            match data {
                Value::Array(elements) => {
                    let elements: Result<Vec<Value>, Issue> = elements.iter().map(|it| self.read(it, depth)).collect();
                    Ok(Value::from(elements?))
                }
                Value::Hash(hash) => match hash.get_str(TYPE_KEY) {
                    Some(Value::String(name)) => self.tagged(name, hash, depth),
                    Some(Value::Hash(_)) => {
                        let named = hash.get_str(TYPE_KEY).map_or(Ok(Value::Undef), |it| self.read(it, depth))?;
                        match named {
                            Value::Type(data_type) => self.instance(&data_type, hash, depth),
                            other => Err(issues::runtime_error(eco_format!("Unable to deserialize type from {other}"))),
                        }
                    }
                    _ => Ok(Value::from(self.entries(hash, depth)?)),
                },
                scalar => Ok(scalar.clone()),
            }
        })
    }

    /// The entries without those that say what the hash stands for.
    fn entries(&mut self, hash: &Hash, depth: usize) -> Result<Hash, Issue> {
        let entries = hash.iter().filter(|(key, _)| key.as_str() != Some(TYPE_KEY));
        entries.map(|(key, value)| Ok((key.clone(), self.read(value, depth)?))).collect()
    }

    fn tagged(&mut self, name: &str, hash: &Hash, depth: usize) -> Result<Value, Issue> {
        let value = hash.get_str(VALUE_KEY);
        match (name, value) {
            ("Default", _) => Ok(Value::Default),
            ("Sensitive", Some(secret)) => Ok(Value::Sensitive(Arc::new(self.read(secret, depth)?))),
            ("Symbol", Some(text)) => Ok(text.clone()),
            ("Hash", Some(Value::Array(flat))) => {
                let pair = |pair: &[Value]| match pair {
                    [key, value] => Ok((self.read(key, depth)?, self.read(value, depth)?)),
                    _ => Err(issues::runtime_error("A hash has a key without a value")),
                };
                Ok(Value::from(flat.chunks(2).map(pair).collect::<Result<Hash, Issue>>()?))
            }
            ("LocalRef", Some(Value::String(path))) => {
                let root = self.root;
                self.read(follow(root, path)?, depth)
            }
            _ if name.starts_with("Pcore::") => {
                let fields = self.entries(hash, depth)?;
                read_type::read(name, &fields).unwrap_or_else(|| Err(unknown_type(name)))
            }
            _ => {
                let found = match Type::by_name(name) {
                    Some(found) => Some(found),
                    None => self.context.resolve(name)?,
                };
                self.instance(&found.ok_or_else(|| unknown_type(name))?, hash, depth)
            }
        }
    }

    /// An instance made of the one value there is, or of the entries of the hash.
    fn instance(&mut self, data_type: &Type, hash: &Hash, depth: usize) -> Result<Value, Issue> {
        match hash.get_str(VALUE_KEY) {
            Some(text @ Value::String(_)) => new_instance(data_type, std::slice::from_ref(text), self.context),
            Some(Value::Hash(_)) | None => {
                let entries = match hash.get_str(VALUE_KEY) {
                    Some(Value::Hash(inner)) => self.entries(inner, depth)?,
                    _ => self.entries(hash, depth)?,
                };
                new_instance(data_type, &[Value::from(entries)], self.context)
            }
            Some(other) => Err(issues::runtime_error(eco_format!(
                "Cannot create a {} from a {}",
                data_type.name(),
                host_class(other)
            ))),
        }
    }
}

fn unknown_type(name: &str) -> Issue {
    issues::runtime_error(eco_format!("No implementation mapping found for Puppet Type {name}"))
}

/// The data at a path such as `$['a'][0]`.
fn follow<'d>(root: &'d Value, path: &str) -> Result<&'d Value, Issue> {
    let bad = || issues::runtime_error(eco_format!("Unable to parse jsonpath \"{path}\""));
    let mut here = root;
    let mut rest = path.strip_prefix('$').ok_or_else(bad)?;
    while !rest.is_empty() {
        let step = rest.strip_prefix('[').ok_or_else(bad)?;
        let (key, after) = if let Some(text) = step.strip_prefix('\'') {
            let (text, after) = text.split_once("']").ok_or_else(bad)?;
            (Value::from(text.replace("\\'", "'")), after)
        } else {
            let (number, after) = step.split_once(']').ok_or_else(bad)?;
            (Value::Integer(number.parse().map_err(|_| bad())?), after)
        };
        let found = match (here, &key) {
            (Value::Array(elements), Value::Integer(index)) => {
                usize::try_from(*index).ok().and_then(|index| elements.get(index))
            }
            (Value::Hash(hash), key) => hash.get(key),
            _ => None,
        };
        here = found.ok_or_else(bad)?;
        rest = after;
    }
    Ok(here)
}

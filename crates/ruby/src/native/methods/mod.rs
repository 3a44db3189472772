//! Ruby's own methods: those that every value has, and which file has those of each class.

mod array;
mod change;
mod enumerable;
mod enumerator;
mod hash;
mod number;
mod pattern;
mod string;
mod text;

use std::net::{Ipv4Addr, Ipv6Addr};

use super::class::Class;
use super::compare;
use super::interpret::Interpreter;
use super::method::Method;
use super::pattern::Options;
use super::run::Run;
use super::show;
use super::tree::Block;
use super::value::{Entries, Key, List, Outcome, Stop, Table, Text, Value};

use bunraku_pcore::Value as PuppetValue;
use bunraku_pcore::regexp::escape;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256};

impl<'t> Interpreter<'t, '_, '_> {
    /// Calls a method.
    pub(super) fn send(
        &mut self,
        receiver: &Value,
        method: Method,
        args: &[Value],
        block: Option<&'t Block>,
    ) -> Outcome {
        if let Some(value) = self.object_method(receiver, method, args, block)? {
            return Ok(value);
        }
        match receiver {
            Value::String(text) => self.string_method(text, method, args, block),
            Value::Array(list) => self.array_method(list, method, args, block),
            Value::Hash(table) => self.hash_method(table, method, args, block),
            Value::Integer(number) => self.integer_method(*number, method, args, block),
            Value::Float(number) => self.float_method(*number, method, args),
            Value::Symbol(name) => self.symbol_method(name, method, args),
            Value::Nil => nil_method(method, args),
            Value::Boolean(value) => boolean_method(*value, method, args),
            Value::Range(range) => self.range_method(range, method, args, block),
            Value::Regexp(pattern) => self.pattern_method(pattern, method, args),
            Value::Match(found) => self.match_method(found, method, args),
            Value::Enumerator(enumerator) => self.enumerator_method(enumerator, method, args, block),
            Value::Scope if block.is_none() => self.scope_method(method, args),
            Value::Class(Class::Json) if method == Method::Generate && args.len() == 1 => {
                args.first().map_or(Err(Stop::Unsupported), |value| self.serialized(value, "to_json"))
            }
            Value::Class(class) if block.is_none() => class_method(*class, method, args, self.run),
            Value::Foreign(PuppetValue::Sensitive(inner)) if method == Method::Unwrap && args.is_empty() => {
                Ok(Value::from_puppet(inner))
            }
            Value::Foreign(_) | Value::Bytes(_) | Value::Scope | Value::Class(_) | Value::Output | Value::Opaque(_) => {
                Err(Stop::Unsupported)
            }
        }
    }

    /// The methods that every value has; nothing for others.
    fn object_method(
        &mut self,
        receiver: &Value,
        method: Method,
        args: &[Value],
        block: Option<&'t Block>,
    ) -> Outcome<Option<Value>> {
        if matches!(receiver, Value::Scope | Value::Output) {
            return Ok(None);
        }
        Ok(Some(match (method, args) {
            (Method::Equal, [other]) => Value::Boolean(compare::equals(receiver, other)?),
            (Method::NotEqual, [other]) => Value::Boolean(!compare::equals(receiver, other)?),
            (Method::CaseEqual, [other]) => Value::Boolean(self.case_equals(receiver, other)?),
            (Method::EqlP, [other]) => {
                Value::Boolean(is_same_class(receiver, other)? && compare::equals(receiver, other)?)
            }
            (Method::NilP, []) => Value::Boolean(matches!(receiver, Value::Nil)),
            (Method::IsAP | Method::KindOfP, [Value::Class(class)]) => Value::Boolean(show::is_a(receiver, *class)?),
            (Method::InstanceOfP, [Value::Class(class)]) => {
                Value::Boolean(Class::of(receiver).ok_or(Stop::Unsupported)? == *class)
            }
            (Method::Class, []) => Value::Class(Class::of(receiver).ok_or(Stop::Unsupported)?),
            (Method::ToS, []) => match receiver {
                Value::String(_) => receiver.clone(),
                other => Value::string(show::to_s(other)?),
            },
            (Method::Inspect, []) => Value::string(show::inspect(receiver)?),
            (Method::MatchesNot, [_]) => Value::Boolean(!self.send(receiver, Method::Matches, args, None)?.is_truthy()),
            (Method::Freeze, []) => freeze(receiver)?,
            (Method::Dup, []) => duplicate(receiver)?,
            (Method::Itself, []) => receiver.clone(),
            (Method::Then, []) => match block {
                Some(block) => self.give(block, receiver.clone())?,
                None => return Err(Stop::Unsupported),
            },
            (Method::Tap, []) => match block {
                Some(block) => self.give(block, receiver.clone()).map(|_| receiver.clone())?,
                None => return Err(Stop::Unsupported),
            },
            (Method::ToYaml, []) => self.serialized(receiver, "to_yaml")?,
            (Method::ToJson, []) => self.serialized(receiver, "to_json")?,
            (Method::RespondToP, [Value::Symbol(name)]) => Value::Boolean(responds_to(receiver, name)?),
            _ => return Ok(None),
        }))
    }

    /// The one value of a block that decides.
    fn is_true_for(&mut self, block: &'t Block, value: Value) -> Outcome<bool> {
        Ok(self.give(block, value)?.is_truthy())
    }
}

/// `eql?` tells integers and floats apart.
fn is_same_class(left: &Value, right: &Value) -> Outcome<bool> {
    match (left, right) {
        (Value::Array(_) | Value::Hash(_), Value::Array(_) | Value::Hash(_)) => Err(Stop::Unsupported),
        _ => Ok(Class::of(left) == Class::of(right)),
    }
}

/// `respond_to?` for the names that templates ask about.
fn responds_to(value: &Value, name: &str) -> Outcome<bool> {
    let class = Class::of(value).ok_or(Stop::Unsupported)?;
    let is_one_of = |classes: &[Class]| Ok(classes.contains(&class));
    match name {
        "include?" => is_one_of(&[Class::String, Class::Array, Class::Hash, Class::Range]),
        "each" | "map" | "select" | "each_with_index" | "sort" | "first" => {
            is_one_of(&[Class::Array, Class::Hash, Class::Range])
        }
        "join" | "flatten" | "push" => is_one_of(&[Class::Array]),
        "keys" | "values" | "each_pair" | "has_key?" | "key?" => is_one_of(&[Class::Hash]),
        "empty?" => is_one_of(&[Class::String, Class::Symbol, Class::Array, Class::Hash]),
        "to_s" | "nil?" | "inspect" => Ok(true),
        "upcase" | "downcase" => is_one_of(&[Class::String, Class::Symbol]),
        "gsub" | "split" | "strip" | "to_str" => is_one_of(&[Class::String]),
        _ => Err(Stop::Unsupported),
    }
}

fn freeze(value: &Value) -> Outcome {
    match value {
        Value::String(text) => text.freeze(),
        Value::Array(list) => list.freeze(),
        Value::Hash(table) => table.freeze(),
        Value::Foreign(_) | Value::Enumerator(_) | Value::Class(_) => return Err(Stop::Unsupported),
        _ => {}
    }
    Ok(value.clone())
}

fn duplicate(value: &Value) -> Outcome {
    Ok(match value {
        Value::String(text) => Value::String(Text::new(text.get())),
        Value::Array(list) => Value::Array(List::new(list.items())),
        Value::Hash(table) => Value::Hash(Table::with_default(table.entries()?, table.default())),
        Value::Foreign(_) | Value::Enumerator(_) | Value::Class(_) => return Err(Stop::Unsupported),
        other => other.clone(),
    })
}

fn nil_method(method: Method, args: &[Value]) -> Outcome {
    Ok(match (method, args) {
        (Method::ToA, []) => Value::array(Vec::new()),
        (Method::ToH, []) => Value::hash(Entries::default()),
        (Method::ToI, []) => Value::Integer(0),
        (Method::ToF, []) => Value::Float(0.0),
        (Method::Matches, [_]) => Value::Nil,
        (Method::And, [_]) => Value::Boolean(false),
        (Method::Or, [other]) => Value::Boolean(other.is_truthy()),
        _ => return Err(Stop::Unsupported),
    })
}

fn boolean_method(value: bool, method: Method, args: &[Value]) -> Outcome {
    match (method, args) {
        (Method::And, [other]) => Ok(Value::Boolean(value && other.is_truthy())),
        (Method::Or, [other]) => Ok(Value::Boolean(value || other.is_truthy())),
        (Method::Xor, [other]) => Ok(Value::Boolean(value != other.is_truthy())),
        // Compatibility: in Ruby 3.1 every object has `=~`, which is nil.
        _ => Err(Stop::Unsupported),
    }
}

fn class_method(class: Class, method: Method, args: &[Value], run: &Run<'_>) -> Outcome {
    Ok(match (class, method, args) {
        (_, Method::Name, []) => Value::string(class.name()),
        (Class::Regexp, Method::Escape | Method::Quote, [Value::String(text)]) => Value::string(escape(&text.get())),
        (Class::Regexp, Method::New, [Value::String(source)]) => {
            Value::Regexp(run.pattern(&source.get(), Options::default())?)
        }
        (Class::Array, Method::New, []) => Value::array(Vec::new()),
        (Class::Hash, Method::New, []) => Value::hash(Entries::default()),
        (Class::Hash, Method::New, [Value::Integer(_) | Value::Nil | Value::Boolean(_)]) => {
            let default = args.first().cloned().unwrap_or(Value::Nil);
            Value::Hash(Table::with_default(Entries::default(), default))
        }
        (Class::Hash, Method::At, [Value::Array(pairs)]) => Value::hash(entries_of(&pairs.items())?),
        (Class::Hash, Method::At, [Value::Hash(table)]) => Value::hash(table.entries()?),
        (Class::String, Method::New, []) => Value::string(""),
        (Class::String, Method::New, [Value::String(text)]) => Value::string(text.get()),
        (Class::Md5 | Class::Sha1 | Class::Sha256, Method::Hexdigest, [content]) => {
            Value::string(digest(class, content)?.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
        (Class::Md5 | Class::Sha1 | Class::Sha256, Method::Digest, [content]) => {
            Value::Bytes(digest(class, content)?.into())
        }
        (Class::IpAddress, Method::New, [Value::String(text)]) => ip_address(&text.get())?,
        (Class::File, Method::Join, [_, ..]) => Value::string(join_paths(args)?),
        _ => return Err(Stop::Unsupported),
    })
}

/// An address without a network or zone. Texts with colons that are not plainly addresses are left to Ruby.
fn ip_address(text: &str) -> Outcome {
    let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    match (inner.parse::<Ipv6Addr>(), text.parse::<Ipv4Addr>()) {
        (Ok(_), _) | (_, Ok(_)) => Ok(Value::Opaque(Class::IpAddress)),
        _ if text.contains(['/', ':', '%', '[', ']']) => Err(Stop::Unsupported),
        _ => Err(Stop::Raise(Class::InvalidAddressError)),
    }
}

/// The checksum of a text.
fn digest(class: Class, content: &Value) -> Outcome<Vec<u8>> {
    let bytes: Vec<u8> = match content {
        Value::String(text) => text.get().as_bytes().to_vec(),
        Value::Bytes(bytes) => bytes.to_vec(),
        _ => return Err(Stop::Unsupported),
    };
    Ok(match class {
        Class::Md5 => Md5::digest(bytes).to_vec(),
        Class::Sha1 => Sha1::digest(bytes).to_vec(),
        _ => Sha256::digest(bytes).to_vec(),
    })
}

/// `File.join`: one slash between parts.
fn join_paths(parts: &[Value]) -> Outcome<String> {
    let mut path = String::new();
    for (index, part) in parts.iter().enumerate() {
        let Value::String(part) = part else { return Err(Stop::Unsupported) };
        let part = part.get();
        if index == 0 {
            path.push_str(&part);
            continue;
        }
        if path.ends_with('/') || part.starts_with('/') {
            // Slashes on both sides are one, but which of several are kept is a rule of its own.
            let kept = path.strip_suffix('/').unwrap_or(&path).len();
            path.truncate(kept);
            let rest = part.strip_prefix('/').unwrap_or(&part);
            if path.ends_with('/') || rest.starts_with('/') {
                return Err(Stop::Unsupported);
            }
            path.push('/');
            path.push_str(rest);
        } else {
            path.push('/');
            path.push_str(&part);
        }
    }
    Ok(path)
}

/// The entries that a list of pairs stands for.
fn entries_of(pairs: &[Value]) -> Outcome<Entries> {
    let mut entries = Entries::default();
    for pair in pairs {
        let Value::Array(pair) = pair else { return Err(Stop::Unsupported) };
        let (Some(key), Some(value), 2) = (pair.get(0), pair.get(1), pair.len()) else { return Err(Stop::Unsupported) };
        entries.insert(Key::of(&key)?, value);
    }
    Ok(entries)
}

/// A number of things that a method is given.
fn size(value: &Value) -> Outcome<usize> {
    match value {
        Value::Integer(number) => usize::try_from(*number).map_err(|_| Stop::Unsupported),
        _ => Err(Stop::Unsupported),
    }
}

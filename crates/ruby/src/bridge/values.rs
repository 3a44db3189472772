//! Values of Puppet as Ruby has them, and back.
//!
//! An array or hash of Puppet is one object for as long as a call lasts, so that everybody who holds it sees what code
//! does to it. What code changes, the compiler is told: it replaces the value wherever it is.

use std::rc::Rc;
use std::sync::Arc;

use bunraku_compiler::change::{Replaced, Replacing, place};
use bunraku_pcore::data_type::DataType;
use bunraku_pcore::data_types::{Binary, Timestamp, Uri, timestamp::Formats};
use bunraku_pcore::{Hash as PuppetHash, Regexp as PuppetRegexp, Value as PuppetValue};
use bunraku_syntax::{Issue, deep};
use rustc_hash::FxHashMap;

use super::ask::host;
use crate::interpreter::hash::{Entries, Key};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Encoding, Str, Value};
use crate::interpreter::{Outcome, Vm};

/// Values nested deeper than this are refused.
const DEEPEST: usize = 500;

/// The type of what a Hiera backend talks with.
const LOOKUP_CONTEXT: &str = "Puppet::LookupContext";

/// Arrays and hashes that Puppet gave, by where they are there and here.
#[derive(Default)]
pub(super) struct Given {
    there: FxHashMap<usize, Value>,
    here: FxHashMap<usize, (PuppetValue, Value)>,
    /// Values that were replaced. As long as they are there, no other has their place.
    retired: Vec<PuppetValue>,
}

impl Given {
    fn add(&mut self, there: &PuppetValue, here: &Value) {
        if let (Some(place), Some(address)) = (place(there), here.address()) {
            self.there.insert(place, here.clone());
            self.here.insert(address, (there.clone(), here.clone()));
        }
    }
}

pub(super) fn all_from_puppet(vm: &mut Vm, values: &[PuppetValue]) -> Outcome<Vec<Value>> {
    values.iter().map(|value| from_puppet(vm, value)).collect()
}

/// A value of Puppet as Ruby has it.
pub(super) fn from_puppet(vm: &mut Vm, value: &PuppetValue) -> Outcome {
    Ok(match value {
        PuppetValue::Undef => Value::Nil,
        PuppetValue::Boolean(value) => Value::Bool(*value),
        PuppetValue::Integer(value) => Value::Int(*value),
        PuppetValue::Float(value) => Value::Float(*value),
        PuppetValue::String(text) => Value::str(text.as_str()),
        PuppetValue::Default => Value::sym("default"),
        PuppetValue::Symbol(name) => Value::sym(name),
        PuppetValue::Array(items) => {
            if let Some(known) = known(vm, value) {
                return Ok(known);
            }
            let items = deep(|| items.iter().map(|item| from_puppet(vm, item)).collect::<Outcome<Vec<_>>>())?;
            remember(vm, value, Value::array(items))
        }
        PuppetValue::Hash(hash) => {
            if let Some(known) = known(vm, value) {
                return Ok(known);
            }
            let entries = deep(|| {
                let mut entries = Entries::with_capacity_and_hasher(hash.len(), rustc_hash::FxBuildHasher);
                for (key, value) in hash.iter() {
                    let key = match key {
                        PuppetValue::String(text) => Key::plain(frozen(text.as_str())),
                        other => {
                            let key = from_puppet(vm, other)?;
                            vm.key_to_add(&key)?
                        }
                    };
                    entries.insert(key, from_puppet(vm, value)?);
                }
                Outcome::Ok(entries)
            })?;
            remember(vm, value, Value::hash(entries))
        }
        PuppetValue::Regexp(regexp) => Value::Regexp(vm.regexp(regexp.source(), Default::default())?),
        PuppetValue::Sensitive(inner) => {
            let inner = deep(|| from_puppet(vm, inner))?;
            let class = vm.constant_at("Puppet::Pops::Types::PSensitiveType::Sensitive")?;
            vm.send(&class, Sym::new("new"), &[inner])?
        }
        PuppetValue::Binary(binary) => rich(vm, "Binary", &binary.to_string(), None)?,
        PuppetValue::Uri(uri) => rich(vm, "URI", &uri.to_string(), None)?,
        PuppetValue::Type(data_type) => {
            let kind = if data_type.is_held() { "Resource" } else { "Type" };
            rich(vm, kind, &value.to_string(), Some(value))?
        }
        PuppetValue::Object(object) if object.object_type().name() == LOOKUP_CONTEXT => {
            rich(vm, "LookupContext", "", Some(value))?
        }
        PuppetValue::SemVer(_) => rich(vm, "SemVer", &value.to_string(), Some(value))?,
        PuppetValue::SemVerRange(_) => rich(vm, "SemVerRange", &value.to_string(), Some(value))?,
        PuppetValue::Timespan(_) => rich(vm, "Timespan", &value.to_string(), Some(value))?,
        PuppetValue::Timestamp(_) => rich(vm, "Timestamp", &value.to_string(), Some(value))?,
        other => rich(vm, "Object", &other.to_string(), Some(other))?,
    })
}

fn frozen(text: &str) -> Value {
    let string = Str::new(text);
    string.head.frozen.set(true);
    Value::Str(Rc::new(string))
}

fn known(vm: &Vm, value: &PuppetValue) -> Option<Value> {
    vm.puppet.given.there.get(&place(value)?).cloned()
}

fn remember(vm: &mut Vm, there: &PuppetValue, here: Value) -> Value {
    if let Some(head) = here.head() {
        head.given.set(true);
    }
    vm.puppet.given.add(there, &here);
    here
}

/// A value that Ruby has an object of the shim for; `kept` is what it stands for.
fn rich(vm: &mut Vm, kind: &str, text: &str, kept: Option<&PuppetValue>) -> Outcome {
    let mut data = Entries::default();
    data.insert(Key::plain(frozen("__ptype")), Value::str(kind));
    data.insert(Key::plain(frozen("__pvalue")), Value::str(text));
    let values = vm.constant_at("Bunraku::Values")?;
    let made = vm.send(&values, Sym::new("decode_rich"), &[Value::hash(data)])?;
    if let (Value::Object(object), Some(kept)) = (&made, kept) {
        *object.data.borrow_mut() = Some(Rc::new(kept.clone()));
    }
    Ok(made)
}

/// The value as Puppet has it.
pub(super) fn to_puppet(vm: &mut Vm, value: &Value) -> Outcome<PuppetValue> {
    to_puppet_at(vm, value, 0)
}

fn to_puppet_at(vm: &mut Vm, value: &Value, depth: usize) -> Outcome<PuppetValue> {
    if depth > DEEPEST {
        return Err(vm.argument_error("a value is nested too deeply"));
    }
    // What many places share is written out in each of them.
    vm.step()?;
    Ok(match value {
        Value::Nil => PuppetValue::Undef,
        Value::Bool(value) => PuppetValue::Boolean(*value),
        Value::Int(number) => PuppetValue::Integer(*number),
        Value::Float(number) if number.is_finite() => PuppetValue::Float(*number),
        Value::Sym(name) => match name.as_str() {
            "undef" => PuppetValue::Undef,
            "default" => PuppetValue::Default,
            name => PuppetValue::Symbol(name.into()),
        },
        Value::Str(string) => text(vm, string)?,
        Value::Array(array) => {
            if let Some(known) = unchanged(vm, value) {
                return Ok(known);
            }
            let items = array.items.borrow().clone();
            let items =
                deep(|| items.iter().map(|item| to_puppet_at(vm, item, depth + 1)).collect::<Outcome<Vec<_>>>())?;
            PuppetValue::from(items)
        }
        Value::Hash(table) => {
            if let Some(known) = unchanged(vm, value) {
                return Ok(known);
            }
            let entries = table.entries.borrow().clone();
            let hash = deep(|| {
                let mut hash = PuppetHash::with_capacity(entries.len());
                for (key, value) in &entries {
                    let key = to_puppet_at(vm, &key.value, depth + 1)?;
                    hash.insert(key, to_puppet_at(vm, value, depth + 1)?);
                }
                Outcome::Ok(hash)
            })?;
            PuppetValue::Hash(Arc::new(hash))
        }
        Value::Regexp(regexp) => {
            let source = if regexp.options == Default::default() { regexp.source.clone() } else { regexp.to_s() };
            let made = PuppetRegexp::new(&source);
            PuppetValue::Regexp(Arc::new(made.map_err(|issue| refused(vm, &issue))?))
        }
        Value::Range(_) => {
            let items = vm.items(value)?;
            let items = items.iter().map(|item| to_puppet_at(vm, item, depth + 1)).collect::<Outcome<Vec<_>>>()?;
            PuppetValue::from(items)
        }
        Value::Object(object) => match object.data::<PuppetValue>() {
            Some(kept) => (*kept).clone(),
            None => encoded(vm, value, depth)?,
        },
        other => encoded(vm, other, depth)?,
    })
}

/// Whether a value is one of the facts, which nobody may change.
pub(crate) fn is_fact(vm: &mut Vm, value: &Value) -> bool {
    let there = value.address().and_then(|address| vm.puppet.given.here.get(&address)).map(|(there, _)| there.clone());
    there.is_some_and(|there| super::HOST.is_set() && host(vm, |host| host.is_fact(&there)))
}

/// What Puppet gave, if code has not changed it.
fn unchanged(vm: &Vm, value: &Value) -> Option<PuppetValue> {
    let (there, _) = vm.puppet.given.here.get(&value.address()?)?;
    Some(there.clone())
}

/// A value that only the shim knows: what it says, in Puppet's values.
fn encoded(vm: &mut Vm, value: &Value, depth: usize) -> Outcome<PuppetValue> {
    let values = vm.constant_at("Bunraku::Values")?;
    let data = vm.send(&values, Sym::new("encode"), std::slice::from_ref(value))?;
    let Value::Hash(table) = &data else { return to_puppet_at(vm, &data, depth + 1) };
    let field = |name: &str| table.entries.borrow().get(&Key::str(name)).cloned();
    let Some(Value::Str(kind)) = field("__ptype") else { return to_puppet_at(vm, &data, depth + 1) };
    let content = field("__pvalue").unwrap_or(Value::Nil);
    let (kind, text) = (kind.to_text(), vm.to_s(&content)?);
    let issue = match kind.as_str() {
        "Sensitive" => return Ok(PuppetValue::Sensitive(Arc::new(to_puppet_at(vm, &content, depth + 1)?))),
        "Binary" => return Ok(PuppetValue::Binary(Arc::new(Binary::from_base64(&text)))),
        "URI" => match Uri::parse(&text) {
            Ok(uri) => return Ok(PuppetValue::Uri(Arc::new(uri))),
            Err(issue) => issue,
        },
        "Timestamp" => match Timestamp::parse(&text, Formats::Default, None) {
            Ok(timestamp) => return Ok(PuppetValue::Timestamp(Arc::new(timestamp))),
            Err(issue) => issue,
        },
        "Type" => return super::ask::ask_puppet(vm, "parse_type", &[PuppetValue::string(text)], None),
        "Hash" => {
            let Value::Array(pairs) = &content else { return Ok(PuppetValue::Undef) };
            let pairs = pairs.items.borrow().clone();
            let mut hash = PuppetHash::with_capacity(pairs.len() / 2);
            for pair in pairs.chunks(2) {
                if let [key, value] = pair {
                    hash.insert(to_puppet_at(vm, key, depth + 1)?, to_puppet_at(vm, value, depth + 1)?);
                }
            }
            return Ok(PuppetValue::Hash(Arc::new(hash)));
        }
        other => return Err(vm.unsupported(format!("a value of the kind {other}"))),
    };
    Err(refused(vm, &issue))
}

fn refused(vm: &mut Vm, issue: &Issue) -> Box<crate::interpreter::Stop> {
    vm.error("ArgumentError", issue.message())
}

fn text(vm: &mut Vm, string: &Str) -> Outcome<PuppetValue> {
    let bytes = string.bytes.borrow();
    match (string.encoding.get(), std::str::from_utf8(&bytes)) {
        (Encoding::Utf8 | Encoding::Ascii, Ok(text)) => Ok(PuppetValue::string(text)),
        (Encoding::Binary, Ok(text)) => {
            let text = text.to_owned();
            drop(bytes);
            Ok(host(vm, |host| host.byte_text(&text)))
        }
        (Encoding::Binary | Encoding::Utf8 | Encoding::Ascii, Err(_)) => {
            Ok(PuppetValue::Binary(Arc::new(Binary::new(bytes.clone()))))
        }
        _ => {
            let copy = Value::Str(Rc::new(Str::new(bytes.clone())));
            if let Value::Str(copy) = &copy {
                copy.encoding.set(string.encoding.get());
            }
            drop(bytes);
            let utf8 = vm.send(&copy, Sym::new("encode"), &[Value::str("UTF-8")])?;
            Ok(PuppetValue::string(vm.to_s(&utf8)?))
        }
    }
}

/// Tells the compiler what code has changed of the values it was given.
pub(super) fn tell_changes(vm: &mut Vm) -> Outcome<()> {
    if vm.puppet.changed.is_empty() {
        return Ok(());
    }
    let changed = std::mem::take(&mut vm.puppet.changed);
    let mut replaced = Replaced::default();
    // What was changed is no longer what Puppet gave, and nothing that contains it is.
    let mut before = Vec::new();
    for value in &changed {
        if let Some(address) = value.address()
            && let Some((there, here)) = vm.puppet.given.here.remove(&address)
        {
            before.push((there, here));
        }
    }
    if before.is_empty() {
        return Ok(());
    }
    let kept = std::mem::take(&mut vm.puppet.given.here);
    for (there, here) in before {
        let now = to_puppet(vm, &here)?;
        if let Some(place) = place(&there) {
            replaced.insert(place, now.clone());
        }
        vm.puppet.given.add(&now, &here);
        vm.puppet.given.retired.push(there);
    }
    let kept: Vec<(PuppetValue, Value)> = kept.into_values().collect();
    let mut replacing = Replacing::new(&replaced);
    for (there, here) in kept {
        let mut now = there;
        replacing.apply(&mut now);
        vm.puppet.given.add(&now, &here);
    }
    host(vm, |host| host.values_changed(&replaced));
    Ok(())
}

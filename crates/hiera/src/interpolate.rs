//! Interpolation in data and configuration: `%{variable}`, `%{lookup('key')}` and its kin.

use bunraku_syntax::deep;
use std::sync::Arc;

use bunraku_pcore::{Hash, Value, inspect};
use ecow::EcoString;

use crate::error::Error;
use crate::explain::{Event, NodeKind};
use crate::invocation::{Invocation, Used};
use crate::issues;
use crate::key::{self, segment_text};

/// What an expression asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Scope,
    Lookup,
    Alias,
    Literal,
}

impl Invocation<'_> {
    /// The value with all interpolations in it, keys of hashes included, resolved.
    pub(crate) fn interpolate(&mut self, value: &Value, allow_methods: bool) -> Result<Value, Error> {
        deep(|| match value {
            Value::String(text) if text.contains("%{") => self.interpolate_text(text, allow_methods),
            Value::Array(elements) => {
                let elements: Result<Vec<Value>, Error> =
                    elements.iter().map(|element| self.interpolate(element, allow_methods)).collect();
                elements.map(Value::from)
            }
            Value::Hash(hash) => {
                let mut result = Hash::with_capacity(hash.len());
                for (key, value) in hash.iter() {
                    let key = self.interpolate(key, allow_methods)?;
                    result.insert(key, self.interpolate(value, allow_methods)?);
                }
                Ok(Value::Hash(Arc::new(result)))
            }
            other => Ok(other.clone()),
        })
    }

    /// The same for text of a configuration, where only variables may stand.
    pub(crate) fn interpolate_path(&mut self, text: &str) -> Result<EcoString, Error> {
        Ok(match self.interpolate(&Value::string(text), false)? {
            Value::String(text) => text,
            other => inspect::to_s(&other).into(),
        })
    }

    fn interpolate_text(&mut self, subject: &EcoString, allow_methods: bool) -> Result<Value, Error> {
        self.with(
            || NodeKind::Interpolate(subject.clone()),
            None,
            |invocation| {
                let mut result = EcoString::new();
                let mut rest = subject.as_str();
                while let Some((before, expression, after)) = next_expression(rest) {
                    result.push_str(before);
                    let is_entire = before.is_empty() && after.is_empty() && result.is_empty();
                    match invocation.expression(expression.trim(), subject, is_entire, allow_methods)? {
                        Resolved::Alias(value) => return Ok(value),
                        Resolved::Text(text) => result.push_str(&text),
                    }
                    rest = after;
                }
                result.push_str(rest);
                Ok(Value::String(result))
            },
        )
    }

    fn expression(
        &mut self,
        expression: &str,
        subject: &EcoString,
        is_entire: bool,
        allow_methods: bool,
    ) -> Result<Resolved, Error> {
        if matches!(expression, "" | "::" | "\"\"" | "''" | "\"::\"" | "'::'") {
            return Ok(Resolved::Text(String::new()));
        }
        let (method, argument) = method_and_argument(expression, allow_methods)?;
        if method == Method::Alias && !is_entire {
            return Err(Error::issue(&issues::alias_not_entire_string(), None, None));
        }
        let value = match method {
            Method::Scope => self.scope_variable(argument, subject)?,
            Method::Literal => Value::string(argument),
            Method::Lookup | Method::Alias => {
                let names = [EcoString::from(argument)];
                self.lookup_names(&names, None)?.map_or_else(|| Value::string(""), |found| found.value)
            }
        };
        if method == Method::Alias {
            return Ok(Resolved::Alias(value));
        }
        let name = if method == Method::Scope { format!("scope:{argument}") } else { argument.to_owned() };
        let value = self.check(&name, |invocation| invocation.interpolate(&value, allow_methods))?;
        Ok(Resolved::Text(inspect::to_s(&value).into_owned()))
    }

    /// The value of a variable, or of what a dotted name digs out of it; undefined if there is none.
    pub(crate) fn scope_variable(&mut self, key: &str, subject: &str) -> Result<Value, Error> {
        let mut segments =
            key::split(key).ok_or_else(|| Error::lookup(format!("Syntax error in string: {subject}")))?.into_iter();
        let root = segments.next().as_ref().map(segment_text).unwrap_or_default();
        let segments: Vec<Value> = segments.collect();
        let value =
            self.with(|| NodeKind::Scope("Global Scope".into()), None, |invocation| invocation.scope_root(&root))?;
        let value = match value {
            Value::Undef => Value::Undef,
            value if segments.is_empty() => value,
            value => self.dig_segments(key, &segments, value)?.unwrap_or_default(),
        };
        if let Some(used) = &mut self.used {
            let is_constant = !value.is_undef() && key.starts_with("::");
            if !is_constant && used.iter().all(|known| known.key != key) {
                used.push(Used { key: key.into(), root, segments, value: value.clone() });
            }
        }
        Ok(value)
    }

    fn scope_root(&mut self, root: &EcoString) -> Result<Value, Error> {
        let (event, value) = if let Some(value) = self.overrides.and_then(|overrides| overrides.get_str(root)) {
            (Event::FoundInOverrides, value.clone())
        } else if let Some(default) = self.defaults.and_then(|defaults| defaults.get_str(root)) {
            match self.find_variable(root) {
                Ok(Some(value)) => (Event::Found, value),
                Ok(None) | Err(_) => (Event::FoundInDefaults, default.clone()),
            }
        } else if let Some(value) = self.variable(root)? {
            (Event::Found, value)
        } else {
            return Ok(Value::Undef);
        };
        self.note(event, || root.clone(), value.clone());
        Ok(value)
    }
}

enum Resolved {
    Text(String),
    /// The value that stands for the whole text.
    Alias(Value),
}

/// What stands before the next `%{…}`, in it, and after it.
fn next_expression(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("%{")?;
    let (expression, after) = rest.split_once('}')?;
    Some((before, expression, after))
}

/// Takes `name('argument')` apart; anything else is the name of a variable.
fn method_and_argument(expression: &str, allow_methods: bool) -> Result<(Method, &str), Error> {
    let Some((name, argument)) = method_call(expression) else { return Ok((Method::Scope, expression)) };
    if !allow_methods {
        return Err(Error::issue(&issues::method_syntax_not_allowed(), None, None));
    }
    let method = match name {
        "lookup" | "hiera" => Method::Lookup,
        "alias" => Method::Alias,
        "scope" => Method::Scope,
        "literal" => Method::Literal,
        _ => return Err(Error::issue(&issues::unknown_interpolation_method(name), None, None)),
    };
    Ok((method, argument))
}

fn method_call(expression: &str) -> Option<(&str, &str)> {
    let (name, rest) = expression.split_once('(')?;
    let quoted = rest.strip_suffix(')')?;
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let argument = ['"', '\''].into_iter().find_map(|quote| {
        let inner = quoted.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inner.is_empty() && !inner.contains(quote)).then_some(inner)
    })?;
    is_word.then_some((name, argument))
}

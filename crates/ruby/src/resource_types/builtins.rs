//! Ruby's own methods that type declarations call on literals, and the few class methods they use.

use std::rc::Rc;

use super::Pattern;
use super::value::Value;

/// Calls `name` on a value; nothing where the method is not one of those known here.
pub(super) fn call<'pr>(value: &Value<'pr>, name: &str, arguments: &[Value<'pr>]) -> Option<Value<'pr>> {
    let argument = arguments.first();
    match (name, argument) {
        ("freeze" | "dup" | "clone" | "itself" | "to_a" | "to_h", None) => {
            return Some(value.clone());
        }
        ("nil?", None) => {
            return value.truth().map(|_| Value::Boolean(matches!(value, Value::Nil)));
        }
        ("!", None) => return value.truth().map(|truth| Value::Boolean(!truth)),
        ("==" | "eql?" | "equal?", Some(other)) => return value.equals(other).map(Value::Boolean),
        ("!=", Some(other)) => return value.equals(other).map(|same| Value::Boolean(!same)),
        _ => {}
    }
    match value {
        Value::Symbol(text) => symbol_method(text, name).or_else(|| text_method(text, name, argument)),
        Value::String(text) => string_method(text, name, argument).or_else(|| text_method(text, name, argument)),
        Value::Array(items) => array_method(items, name, arguments),
        Value::Hash(entries) => hash_method(value, entries, name, argument),
        Value::Regexp(pattern) => regexp_method(pattern, name),
        Value::Integer(number) => integer_method(*number, name, argument),
        _ => None,
    }
}

fn symbol_method<'pr>(text: &Rc<str>, name: &str) -> Option<Value<'pr>> {
    match name {
        "to_sym" | "intern" => Some(Value::Symbol(text.clone())),
        "capitalize" | "upcase" | "downcase" => changed_case(text, name).map(Value::symbol),
        _ => None,
    }
}

fn string_method<'pr>(text: &Rc<str>, name: &str, argument: Option<&Value<'pr>>) -> Option<Value<'pr>> {
    Some(match (name, argument) {
        ("to_sym" | "intern", None) => Value::Symbol(text.clone()),
        ("capitalize" | "upcase" | "downcase", None) => Value::string(changed_case(text, name)?),
        ("+" | "<<", Some(other)) => Value::string(format!("{text}{}", other.text()?)),
        ("strip", None) => Value::string(text.trim()),
        ("split", None) => Value::array(text.split_whitespace().map(Value::string).collect()),
        ("split", Some(separator)) => Value::array(text.split(separator.text()?).map(Value::string).collect()),
        _ => return None,
    })
}

fn text_method<'pr>(text: &Rc<str>, name: &str, argument: Option<&Value<'pr>>) -> Option<Value<'pr>> {
    Some(match (name, argument) {
        ("to_s" | "to_str" | "name" | "id2name", None) => Value::String(text.clone()),
        ("empty?", None) => Value::Boolean(text.is_empty()),
        ("start_with?", Some(prefix)) => Value::Boolean(text.starts_with(prefix.text()?)),
        ("end_with?", Some(suffix)) => Value::Boolean(text.ends_with(suffix.text()?)),
        ("include?", Some(part)) => Value::Boolean(text.contains(part.text()?)),
        _ => return None,
    })
}

fn changed_case(text: &str, name: &str) -> Option<String> {
    Some(match name {
        "upcase" => text.to_uppercase(),
        "downcase" => text.to_lowercase(),
        "capitalize" => {
            let mut letters = text.chars();
            let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
            first + &letters.as_str().to_lowercase()
        }
        _ => return None,
    })
}

fn array_method<'pr>(items: &Rc<Vec<Value<'pr>>>, name: &str, arguments: &[Value<'pr>]) -> Option<Value<'pr>> {
    let argument = arguments.first();
    Some(match (name, argument) {
        ("+", Some(Value::Array(more))) => Value::array(items.iter().chain(more.iter()).cloned().collect()),
        ("<<" | "push" | "append", Some(_)) => Value::array(items.iter().chain(arguments).cloned().collect()),
        ("-", Some(Value::Array(fewer))) => {
            let gone = |item: &Value<'pr>| fewer.iter().any(|other| item.equals(other) == Some(true));
            Value::array(items.iter().filter(|item| !gone(item)).cloned().collect())
        }
        ("[]" | "at" | "fetch", Some(Value::Integer(index))) => element(items, *index),
        ("first", None) => element(items, 0),
        ("last", None) => element(items, -1),
        ("empty?", None) => Value::Boolean(items.is_empty()),
        ("any?", None) => Value::Boolean(!items.is_empty()),
        ("size" | "length" | "count", None) => Value::Integer(i64::try_from(items.len()).ok()?),
        ("include?" | "member?", Some(wanted)) => {
            Value::Boolean(items.iter().any(|item| item.equals(wanted) == Some(true)))
        }
        ("flatten", _) => Value::array(flattened(items, 0)),
        ("compact", None) => Value::array(items.iter().filter(|item| !matches!(item, Value::Nil)).cloned().collect()),
        ("reverse", None) => Value::array(items.iter().rev().cloned().collect()),
        ("join", separator) => {
            let separator = separator.and_then(Value::text).unwrap_or_default();
            let parts: Option<Vec<_>> = items.iter().map(Value::interpolated).collect();
            Value::string(parts?.join(separator))
        }
        _ => return None,
    })
}

/// The element at an index that may count from the end.
fn element<'pr>(items: &[Value<'pr>], index: i64) -> Value<'pr> {
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let position = if index < 0 { index.checked_add(length) } else { Some(index) };
    let position = position.and_then(|position| usize::try_from(position).ok());
    position.and_then(|position| items.get(position)).cloned().unwrap_or(Value::Nil)
}

fn flattened<'pr>(items: &[Value<'pr>], depth: usize) -> Vec<Value<'pr>> {
    let mut flat = Vec::new();
    for item in items {
        match item {
            Value::Array(inner) if depth < 32 => flat.extend(flattened(inner, depth + 1)),
            other => flat.push(other.clone()),
        }
    }
    flat
}

fn hash_method<'pr>(
    hash: &Value<'pr>,
    entries: &Rc<Vec<(Value<'pr>, Value<'pr>)>>,
    name: &str,
    argument: Option<&Value<'pr>>,
) -> Option<Value<'pr>> {
    Some(match (name, argument) {
        ("keys", None) => Value::array(entries.iter().map(|(key, _)| key.clone()).collect()),
        ("values", None) => Value::array(entries.iter().map(|(_, value)| value.clone()).collect()),
        ("empty?", None) => Value::Boolean(entries.is_empty()),
        ("[]" | "fetch", Some(key)) => hash.entry(key.text()?).cloned().unwrap_or(Value::Nil),
        ("key?" | "has_key?" | "include?", Some(key)) => Value::Boolean(hash.entry(key.text()?).is_some()),
        ("merge", Some(Value::Hash(more))) => {
            let overridden = |key: &Value<'pr>| more.iter().any(|(other, _)| key.equals(other) == Some(true));
            let kept = entries.iter().filter(|(key, _)| !overridden(key));
            Value::Hash(Rc::new(kept.chain(more.iter()).cloned().collect()))
        }
        _ => return None,
    })
}

fn regexp_method<'pr>(pattern: &Rc<Pattern>, name: &str) -> Option<Value<'pr>> {
    match name {
        "source" => Some(Value::string(&pattern.source)),
        "to_s" => Some(Value::string(pattern.embedded())),
        _ => None,
    }
}

fn integer_method<'pr>(number: i64, name: &str, argument: Option<&Value<'pr>>) -> Option<Value<'pr>> {
    let other = match argument {
        Some(Value::Integer(other)) => *other,
        Some(_) => return None,
        None => return (name == "to_s").then(|| Value::string(number.to_string())),
    };
    Some(match name {
        "+" => Value::Integer(number.checked_add(other)?),
        "-" => Value::Integer(number.checked_sub(other)?),
        "<" => Value::Boolean(number < other),
        "<=" => Value::Boolean(number <= other),
        ">" => Value::Boolean(number > other),
        ">=" => Value::Boolean(number >= other),
        _ => return None,
    })
}

/// Calls a class method of Ruby; nothing where it is not one of those known here.
pub(super) fn call_constant<'pr>(constant: &str, name: &str, arguments: &[Value<'pr>]) -> Option<Value<'pr>> {
    let texts = || arguments.iter().map(|argument| argument.text()).collect::<Option<Vec<&str>>>();
    Some(match (constant, name) {
        ("File", "dirname") => Value::string(dirname(texts()?.first()?)),
        ("File", "join") => Value::string(texts()?.join("/")),
        ("File", "expand_path") => match texts()?.as_slice() {
            [path] => Value::string(expand_path(path, "/")),
            [path, base] => Value::string(expand_path(path, base)),
            _ => return None,
        },
        ("Regexp", "new") => match arguments.first()? {
            Value::Regexp(pattern) => Value::Regexp(pattern.clone()),
            Value::String(source) => {
                Value::Regexp(Rc::new(Pattern { source: source.to_string(), ..Pattern::default() }))
            }
            _ => return None,
        },
        ("Regexp", "escape" | "quote") => Value::string(escape(texts()?.first()?)),
        ("Regexp", "union") => {
            let items: Vec<Value<'pr>> = arguments.iter().flat_map(Value::items).collect();
            let parts = items.iter().map(|item| match item {
                Value::Regexp(pattern) => Some(pattern.embedded()),
                other => other.text().map(escape),
            });
            let source = parts.collect::<Option<Vec<_>>>()?.join("|");
            Value::Regexp(Rc::new(Pattern { source, ..Pattern::default() }))
        }
        ("Puppet", "version") => Value::string(crate::PUPPET_VERSION),
        ("Puppet::Util::Package", "versioncmp") => match texts()?.as_slice() {
            [left, right] => Value::Integer(compare_versions(left, right)),
            _ => return None,
        },
        ("Hash", "[]") => arguments.first()?.clone(),
        ("Array", "new") if arguments.is_empty() => Value::array(Vec::new()),
        ("Hash", "new") if arguments.is_empty() => Value::Hash(Rc::new(Vec::new())),
        _ => return None,
    })
}

/// Compares dotted numbers; what is not a number counts as zero.
fn compare_versions(left: &str, right: &str) -> i64 {
    let numbers = |version: &str| -> Vec<u64> { version.split(['.', '-']).map(|n| n.parse().unwrap_or(0)).collect() };
    numbers(left).cmp(&numbers(right)) as i64
}

/// The directory of a path.
pub(super) fn dirname(path: &str) -> &str {
    match path.trim_end_matches('/').rsplit_once('/') {
        Some(("", _)) => "/",
        Some((directory, _)) => directory,
        None => ".",
    }
}

/// A path with its dots resolved, absolute if `base` is.
pub(super) fn expand_path(path: &str, base: &str) -> String {
    let whole = if path.starts_with('/') { path.to_string() } else { format!("{base}/{path}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            '\r' => escaped.push_str("\\r"),
            '.' | '*' | '?' | '+' | '^' | '$' | '|' | '\\' | '(' | ')' | '[' | ']' | '{' | '}' | '-' | '#' | ' ' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

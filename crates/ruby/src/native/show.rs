//! Values as Ruby's `to_s` and `inspect` show them, and the classes they are instances of.

use bunraku_pcore::inspect::inspect_text;
use bunraku_pcore::{Value as PuppetValue, float_text::float_text};
use bunraku_syntax::deep;
use ecow::{EcoString, eco_format};

use super::class::Class;
use super::interpret::LONGEST;
use super::value::{Outcome, Stop, Value, Walk};

/// The value as `to_s` shows it.
pub(super) fn to_s(value: &Value) -> Outcome<EcoString> {
    Ok(match value {
        Value::Nil => EcoString::new(),
        Value::Boolean(value) => if *value { "true" } else { "false" }.into(),
        Value::Integer(value) => eco_format!("{value}"),
        Value::Float(value) => float_text(*value).into(),
        Value::Symbol(name) => name.clone(),
        Value::String(text) => text.get(),
        Value::Array(_) | Value::Hash(_) => inspect(value)?.into(),
        Value::Range(range) => {
            let dots = if range.excludes_end { "..." } else { ".." };
            eco_format!("{}{dots}{}", to_s(&range.start)?, to_s(&range.end)?)
        }
        Value::Regexp(pattern) => pattern.to_s()?.into(),
        Value::Match(found) => found.group(0).unwrap_or_default().into(),
        Value::Class(class) => class.name().into(),
        Value::Foreign(value) => foreign_to_s(value)?,
        Value::Bytes(_) | Value::Enumerator(_) | Value::Scope | Value::Output | Value::Opaque(_) => {
            return Err(Stop::Unsupported);
        }
    })
}

fn foreign_to_s(value: &PuppetValue) -> Outcome<EcoString> {
    Ok(match value {
        PuppetValue::Sensitive(_) => "Sensitive [value redacted]".into(),
        PuppetValue::Type(data_type) if data_type.is_held() => return Err(Stop::Unsupported),
        PuppetValue::Type(_)
        | PuppetValue::SemVer(_)
        | PuppetValue::SemVerRange(_)
        | PuppetValue::Timespan(_)
        | PuppetValue::Timestamp(_)
        | PuppetValue::Binary(_) => eco_format!("{value}"),
        _ => return Err(Stop::Unsupported),
    })
}

/// The value as `inspect` shows it.
pub(super) fn inspect(value: &Value) -> Outcome<String> {
    let mut text = String::new();
    inspect_into(value, &mut text, &mut Walk::default())?;
    Ok(text)
}

fn inspect_into(value: &Value, text: &mut String, walk: &mut Walk) -> Outcome<()> {
    deep(|| {
        if text.len() > LONGEST {
            return Err(Stop::Unsupported);
        }
        match value {
            Value::Nil => text.push_str("nil"),
            Value::Symbol(name) => text.push_str(&inspect_symbol(name)?),
            Value::String(content) => text.push_str(&inspect_text(&content.get())),
            Value::Array(list) => {
                text.push('[');
                walk.inside(list.len(), |walk| {
                    for (index, item) in list.items().iter().enumerate() {
                        text.push_str(if index > 0 { ", " } else { "" });
                        inspect_into(item, text, walk)?;
                    }
                    Ok(())
                })?;
                text.push(']');
            }
            Value::Hash(table) => {
                text.push('{');
                walk.inside(table.len(), |walk| {
                    for (index, (key, value)) in table.pairs().iter().enumerate() {
                        text.push_str(if index > 0 { ", " } else { "" });
                        inspect_into(key, text, walk)?;
                        text.push_str("=>");
                        inspect_into(value, text, walk)?;
                    }
                    Ok(())
                })?;
                text.push('}');
            }
            Value::Range(range) => {
                for (end, dots) in [(&range.start, if range.excludes_end { "..." } else { ".." }), (&range.end, "")] {
                    if !matches!(end, Value::Nil) {
                        walk.inside(1, |walk| inspect_into(end, text, walk))?;
                    }
                    text.push_str(dots);
                }
            }
            Value::Regexp(pattern) => text.push_str(&pattern.inspect()?),
            Value::Foreign(PuppetValue::Sensitive(_)) => text.push_str("#<Sensitive [value redacted]>"),
            Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::Class(_) => text.push_str(&to_s(value)?),
            Value::Match(_)
            | Value::Bytes(_)
            | Value::Enumerator(_)
            | Value::Scope
            | Value::Output
            | Value::Opaque(_)
            | Value::Foreign(_) => return Err(Stop::Unsupported),
        }
        Ok(())
    })
}

fn inspect_symbol(name: &str) -> Outcome<String> {
    if !name.is_ascii() {
        return Err(Stop::Unsupported);
    }
    let plain = name.strip_suffix(['?', '!', '=']).unwrap_or(name);
    let is_word = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    if is_word(plain) {
        return Ok(format!(":{name}"));
    }
    // Operators and variables have forms of their own.
    if name.chars().all(|letter| letter.is_ascii_punctuation()) || name.starts_with(['@', '$']) {
        return Err(Stop::Unsupported);
    }
    Ok(format!(":{}", inspect_text(name)))
}

/// `is_a?`.
pub(super) fn is_a(value: &Value, class: Class) -> Outcome<bool> {
    match (Class::of(value), value) {
        (Some(own), _) => Ok(own.is_a(class)),
        (None, Value::Foreign(_)) => match class {
            Class::Object | Class::BasicObject | Class::Kernel | Class::Comparable | Class::Enumerable => {
                Err(Stop::Unsupported)
            }
            _ => Ok(false),
        },
        (None, _) => Err(Stop::Unsupported),
    }
}

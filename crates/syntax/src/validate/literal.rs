//! Values that are known without evaluation: keys that occur twice in a hash, and types of parameters.

use std::fmt;

use ecow::EcoString;
use rustc_hash::FxHashSet;

use super::{Checker, SHORT, Strict, issues};
use crate::ast::{Access, Expr, ExprKind, HashEntry, Parameter, StringPart, UnaryOperator};
use crate::float_text::float_text;
use bunraku_diagnostic::Severity;

/// The value of an expression that is known without evaluation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Literal {
    Undef,
    Default,
    Boolean(bool),
    Integer(i64),
    /// By its bits.
    Float(u64),
    String(EcoString),
    Regexp(EcoString),
    Array(Vec<Literal>),
    Hash(Vec<(Literal, Literal)>),
}

impl Checker<'_> {
    pub(super) fn unique_keys(&mut self, entries: &[HashEntry]) {
        let severity = match self.options.strict {
            Strict::Off => return,
            Strict::Warning => Severity::Warning,
            Strict::Error => Severity::Error,
        };
        if entries.len() < 2 || are_different_words(entries) {
            return;
        }
        let mut seen = FxHashSet::default();
        seen.reserve(entries.len());
        for entry in entries {
            let Some(key) = literal(&entry.key) else {
                continue;
            };
            if !seen.insert(key.clone().canonical()) {
                let issue = issues::duplicate_key(&key.to_string());
                self.diagnostics.push(issue.at(entry.arrow).with_severity(severity));
            }
        }
    }
}

impl Checker<'_> {
    /// The types of a class's parameters must be known without evaluation one day.
    pub(super) fn literal_types(&mut self, parameters: &[Parameter]) {
        for parameter in parameters {
            if parameter.type_expr.as_ref().is_some_and(|type_expr| !is_literal(type_expr)) {
                self.deprecation(issues::nonliteral_parameter_type(&parameter.name), parameter.name.span);
            }
        }
    }
}

/// Whether all keys are words of which none occurs twice: those of most hashes, which are short.
fn are_different_words(entries: &[HashEntry]) -> bool {
    entries.len() <= SHORT
        && entries.iter().enumerate().all(|(index, entry)| {
            word(entry).is_some_and(|key| entries.iter().take(index).all(|earlier| word(earlier) != Some(key)))
        })
}

fn word(entry: &HashEntry) -> Option<&EcoString> {
    match &entry.key.kind {
        ExprKind::String(text) | ExprKind::Name(text) => Some(text),
        _ => None,
    }
}

/// Whether the value of an expression is known without evaluation. Most types are names with keys: to know that, nothing
/// need be made of them.
fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::TypeName(_) => true,
        ExprKind::Access(access) => keys(access).is_some_and(|keys| keys.iter().all(is_literal)),
        _ => literal(expr).is_some(),
    }
}

/// What is left of an access without evaluation.
///
/// Compatibility: whatever has keys is the list of them, but not if that is written as an array.
fn keys(access: &Access) -> Option<&[Expr]> {
    match &*access.keys {
        [Expr { kind: ExprKind::Array(_), .. }] => None,
        keys => Some(keys),
    }
}

fn literal(expr: &Expr) -> Option<Literal> {
    Some(match &expr.kind {
        ExprKind::Undef => Literal::Undef,
        ExprKind::Default => Literal::Default,
        ExprKind::Boolean(value) => Literal::Boolean(*value),
        ExprKind::Integer { value, .. } => Literal::Integer(*value),
        ExprKind::Float(value) => Literal::Float(value.to_bits()),
        ExprKind::String(text) | ExprKind::Name(text) => Literal::String(text.clone()),
        ExprKind::Regexp(pattern) => Literal::Regexp(pattern.clone()),
        ExprKind::Interpolated(parts) => match &**parts {
            [StringPart::Text(text)] => Literal::String(text.clone()),
            _ => return None,
        },
        // Compatibility: a type is its name.
        ExprKind::TypeName(name) => Literal::String(name.to_lowercase()),
        ExprKind::Access(access) => Literal::Array(keys(access)?.iter().map(literal).collect::<Option<_>>()?),
        ExprKind::Unary(UnaryOperator::Minus, operand) => match literal(operand)? {
            Literal::Integer(value) => Literal::Integer(value.checked_neg()?),
            Literal::Float(bits) => Literal::Float((-f64::from_bits(bits)).to_bits()),
            // Compatibility: Ruby knows how to negate a string, and gives it back.
            Literal::String(text) => Literal::String(text),
            _ => return None,
        },
        ExprKind::Array(values) => Literal::Array(values.iter().map(literal).collect::<Option<_>>()?),
        ExprKind::Hash(entries) => {
            let entries = entries.iter().map(|entry| Some((literal(&entry.key)?, literal(&entry.value)?)));
            Literal::Hash(entries.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// The text of a key as the reference interpolates it.
impl fmt::Display for Literal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Undef => Ok(()),
            Literal::Default => formatter.write_str("default"),
            Literal::String(text) => formatter.write_str(text),
            Literal::Regexp(pattern) => write!(formatter, "(?-mix:{})", pattern.replace("/", "\\/")),
            other => other.inspect(formatter),
        }
    }
}

impl Literal {
    /// The same for all literals that Ruby takes for one key: the order of a hash does not count, nor the sign of zero.
    fn canonical(self) -> Literal {
        match self {
            Literal::Float(bits) if f64::from_bits(bits) == 0.0 => Literal::Float(0),
            Literal::Array(values) => Literal::Array(values.into_iter().map(Literal::canonical).collect()),
            Literal::Hash(entries) => {
                let mut entries: Vec<_> =
                    entries.into_iter().map(|(key, value)| (key.canonical(), value.canonical())).collect();
                entries.sort();
                Literal::Hash(entries)
            }
            other => other,
        }
    }

    /// The text of a part of a collection.
    fn inspect(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Undef => formatter.write_str("nil"),
            Literal::Default => formatter.write_str(":default"),
            Literal::Boolean(value) => write!(formatter, "{value}"),
            Literal::Integer(value) => write!(formatter, "{value}"),
            Literal::Float(bits) => formatter.write_str(&float_text(f64::from_bits(*bits))),
            Literal::String(text) => write!(formatter, "{text:?}"),
            Literal::Regexp(pattern) => write!(formatter, "/{}/", pattern.replace("/", "\\/")),
            Literal::Array(values) => {
                formatter.write_str("[")?;
                for (index, value) in values.iter().enumerate() {
                    formatter.write_str(if index > 0 { ", " } else { "" })?;
                    value.inspect(formatter)?;
                }
                formatter.write_str("]")
            }
            Literal::Hash(entries) => {
                formatter.write_str("{")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    formatter.write_str(if index > 0 { ", " } else { "" })?;
                    key.inspect(formatter)?;
                    formatter.write_str("=>")?;
                    value.inspect(formatter)?;
                }
                formatter.write_str("}")
            }
        }
    }
}

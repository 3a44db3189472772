//! Equality, order, match and membership.

use std::cmp::Ordering;
use std::sync::Arc;

use ecow::EcoString;

use bunraku_pcore::regexp::Regexp;
use bunraku_pcore::{Value, compare, letter_case};
use bunraku_syntax::ast::{Binary, BinaryOperator, Expr};
use bunraku_syntax::{Issue, deep};

use crate::eval::{eval, fail};
use crate::frame::Frame;
use crate::issues;
use crate::label;
use crate::scope::Match;
use crate::unwind::Outcome;

/// Versions in comparisons: text that is a version counts as one.
mod semver {
    use bunraku_pcore::Value;
    use bunraku_pcore::data_types::{SemVer, SemVerRange};

    pub(super) fn matches(version: &SemVer, value: &Value) -> bool {
        match value {
            Value::SemVer(other) => version == &**other,
            Value::String(text) => SemVer::parse(text).is_ok_and(|other| *version == other),
            _ => false,
        }
    }

    pub(super) fn includes(range: &SemVerRange, value: &Value) -> bool {
        match value {
            Value::SemVer(version) => range.includes(version),
            Value::String(text) => SemVer::parse(text).is_ok_and(|version| range.includes(&version)),
            _ => false,
        }
    }
}

/// `==` and `!=`.
pub(super) fn equality(expr: &Expr, binary: &Binary, frame: &mut Frame<'_, '_>) -> Outcome {
    let left = eval(&binary.left, frame)?;
    let right = eval(&binary.right, frame)?;
    if let (Value::Type(one), Value::Type(other)) = (&left, &right)
        && one != other
        && let Err(issue) = other.check_init().and_then(|()| match other.is_assignable(one) {
            true => one.check_init(),
            false => Ok(()),
        })
    {
        return not_possible(&left, &right, issue.message(), expr, binary);
    }
    Ok((compare::equals(&left, &right) == (binary.operator == BinaryOperator::Equal)).into())
}

/// `<`, `<=`, `>` and `>=`; between data types they ask which one is the narrower.
pub(super) fn order(expr: &Expr, binary: &Binary, frame: &mut Frame<'_, '_>) -> Outcome {
    let left = eval(&binary.left, frame)?;
    let right = eval(&binary.right, frame)?;
    if let Value::Type(one) = &left
        && !one.is_held()
    {
        let Value::Type(other) = &right else { return Ok(false.into()) };
        if other.is_held() {
            return Ok(false.into());
        }
        let (wide, narrow) = match binary.operator {
            BinaryOperator::Less | BinaryOperator::LessOrEqual => (other, one),
            _ => (one, other),
        };
        if let Err(issue) = wide.check_init() {
            return not_possible(&left, &right, issue.message(), expr, binary);
        }
        if wide.leaves_open(narrow) {
            return Ok(Value::Undef);
        }
        let may_be_equal = matches!(binary.operator, BinaryOperator::LessOrEqual | BinaryOperator::GreaterOrEqual);
        return Ok((wide.is_assignable(narrow) && (may_be_equal || !wide.equals(narrow))).into());
    }
    if let (Value::Integer(_) | Value::Float(_), Value::SemVer(_)) = (&left, &right) {
        return Err(issues::runtime("can't convert SemanticPuppet::Version into Float").into());
    }
    let ordering = match compare::compare(&left, &right) {
        Ok(ordering) => ordering,
        Err(detail) => return not_possible(&left, &right, detail, expr, binary),
    };
    Ok(match binary.operator {
        BinaryOperator::Less => ordering == Ordering::Less,
        BinaryOperator::LessOrEqual => ordering != Ordering::Greater,
        BinaryOperator::Greater => ordering == Ordering::Greater,
        _ => ordering != Ordering::Less,
    }
    .into())
}

fn not_possible(left: &Value, right: &Value, detail: &str, expr: &Expr, binary: &Binary) -> Outcome {
    let operator = binary.operator.as_str();
    let issue = issues::comparison_not_possible(label::value(left), operator, label::value(right), detail);
    fail(issue, expr.reported())
}

/// `=~` and `!~`.
pub(super) fn matches(binary: &Binary, frame: &mut Frame<'_, '_>) -> Outcome {
    let left = eval(&binary.left, frame)?;
    let pattern = eval(&binary.right, frame)?;
    let wanted = binary.operator == BinaryOperator::Match;
    let matched = match &pattern {
        Value::Type(data_type) => {
            data_type.check_init_for(&left)?;
            data_type.is_instance(&left)
        }
        Value::SemVerRange(range) => semver::includes(range, &left),
        Value::Regexp(regexp) => match_text(regexp, &left, binary, frame)?,
        Value::String(source) => {
            let regexp = match frame.compilation.regexp(source) {
                Ok(regexp) => regexp,
                Err(issue) => return fail(issues::match_not_regexp(issue.message()), binary.right.reported()),
            };
            match_text(&regexp, &left, binary, frame)?
        }
        other => {
            let class = match other {
                Value::Undef => "nil".into(),
                Value::Boolean(boolean) => boolean.to_string().into(),
                other => label::host_class(other),
            };
            let detail = format!("no implicit conversion of {class} into String");
            return fail(issues::match_not_regexp(detail), binary.right.reported());
        }
    };
    Ok((matched == wanted).into())
}

fn match_text(regexp: &Arc<Regexp>, left: &Value, binary: &Binary, frame: &mut Frame<'_, '_>) -> Outcome<bool> {
    match left {
        Value::String(text) => Ok(match_and_remember(regexp, text, frame)?),
        other => fail(issues::match_not_string(label::a_an(&label::value(other))), binary.left.reported()),
    }
}

/// Matches, and makes the groups visible as `$0`, `$1`, … if it succeeds.
fn match_and_remember(regexp: &Arc<Regexp>, text: &EcoString, frame: &mut Frame<'_, '_>) -> Result<bool, Issue> {
    let Some(found) = Match::find(regexp, text)? else { return Ok(false) };
    frame.push_match(found);
    Ok(true)
}

/// Whether a value fits an option of `case` or a selector.
pub(super) fn is_match(value: &Value, option: &Value, frame: &mut Frame<'_, '_>) -> Outcome<bool> {
    deep(|| {
        Ok(match (option, value) {
            (Value::Regexp(regexp), Value::String(text)) => match_and_remember(regexp, text, frame)?,
            (Value::Regexp(_), _) => false,
            (Value::Default, _) => true,
            (Value::Type(data_type), value) => {
                data_type.check_init_for(value)?;
                data_type.is_instance(value)
            }
            (Value::SemVer(version), value) => semver::matches(version, value),
            (Value::SemVerRange(range), value) => semver::includes(range, value),
            (Value::Array(options), Value::Array(values)) => {
                if options.len() != values.len() {
                    return Ok(false);
                }
                for (option, value) in options.iter().zip(values.iter()) {
                    if !is_match(value, option, frame)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Value::Array(_), _) => false,
            (Value::Hash(options), Value::Hash(values)) => {
                for (key, option) in options.iter() {
                    if !is_match(values.get(key).unwrap_or(&Value::Undef), option, frame)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Value::Hash(_), _) => false,
            (option, value) => compare::equals(value, option),
        })
    })
}

/// `in`: text in text, an element in an array, a key in a hash, a version in a range.
pub(super) fn contains(binary: &Binary, frame: &mut Frame<'_, '_>) -> Outcome {
    let left = eval(&binary.left, frame)?;
    let right = eval(&binary.right, frame)?;
    Ok(match &right {
        Value::String(text) => in_text(&left, text, frame)?,
        Value::Array(elements) => in_elements(&left, elements.iter(), frame)?,
        Value::Hash(hash) => in_elements(&left, hash.keys(), frame)?,
        Value::Binary(bytes) => match &left {
            Value::Binary(part) => contains_bytes(bytes.bytes(), part.bytes()),
            Value::String(part) => contains_bytes(bytes.bytes(), part.as_bytes()),
            Value::Integer(byte) => u8::try_from(*byte).is_ok_and(|byte| bytes.bytes().contains(&byte)),
            Value::Float(byte) => bytes.bytes().iter().any(|known| f64::from(*known) == *byte),
            _ => false,
        },
        Value::SemVerRange(range) => semver::includes(range, &left),
        _ => false,
    }
    .into())
}

fn contains_bytes(bytes: &[u8], part: &[u8]) -> bool {
    part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
}

fn in_text(left: &Value, text: &EcoString, frame: &mut Frame<'_, '_>) -> Outcome<bool> {
    Ok(match left {
        Value::String(part) => letter_case::downcase(text).contains(&letter_case::downcase(part)),
        Value::Regexp(regexp) => match_and_remember(regexp, text, frame)?,
        _ => false,
    })
}

fn in_elements<'v>(
    left: &Value,
    elements: impl Iterator<Item = &'v Value>,
    frame: &mut Frame<'_, '_>,
) -> Outcome<bool> {
    for element in elements {
        let found = match (left, element) {
            (Value::Regexp(regexp), Value::String(text)) => match_and_remember(regexp, text, frame)?,
            (Value::Regexp(_), _) => false,
            (Value::String(_) | Value::SemVer(_), element) => is_match(left, element, frame)?,
            (Value::Type(data_type), element) => data_type.is_instance(element),
            (left, element) => compare::equals(element, left),
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

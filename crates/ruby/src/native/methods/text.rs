//! Methods of texts that are functions of their characters.

use ecow::EcoString;

use super::super::interpret::LONGEST;
use super::super::method::Method;
use super::super::value::{Outcome, Stop, Value};
use super::size;

/// What Ruby strips from the ends of a text.
const BLANK: [char; 7] = ['\0', '\t', '\n', '\u{b}', '\u{c}', '\r', ' '];

/// Calls a method; nothing if it is not one of these.
pub(super) fn plain_method(text: &EcoString, method: Method, args: &[Value]) -> Outcome<Option<Value>> {
    let string = |text: &str| Value::string(text);
    Ok(Some(match (method, args) {
        (Method::Length | Method::Size, []) => Value::count(text.chars().count()),
        (Method::EmptyP, []) => Value::Boolean(text.is_empty()),
        (Method::Upcase, []) => Value::string(with_case(text, str::to_uppercase)?),
        (Method::Downcase, []) => Value::string(with_case(text, str::to_lowercase)?),
        (Method::Capitalize, []) => Value::string(capitalize(text)?),
        (Method::Swapcase, []) => Value::string(swap_case(text)?),
        (Method::Strip, []) => string(text.trim_matches(BLANK)),
        (Method::Lstrip, []) => string(text.trim_start_matches(BLANK)),
        (Method::Rstrip, []) => string(text.trim_end_matches(BLANK)),
        (Method::Chomp, []) => string(chomp(text)),
        (Method::Chomp, [Value::String(suffix)]) if !matches!(suffix.get().as_str(), "" | "\n" | "\r" | "\r\n") => {
            string(text.strip_suffix(suffix.get().as_str()).unwrap_or(text))
        }
        (Method::Chop, []) => {
            let mut letters = text.strip_suffix("\r\n").unwrap_or(text).chars();
            if !text.ends_with("\r\n") {
                letters.next_back();
            }
            string(letters.as_str())
        }
        (Method::DeletePrefix, [Value::String(prefix)]) => {
            string(text.strip_prefix(prefix.get().as_str()).unwrap_or(text))
        }
        (Method::DeleteSuffix, [Value::String(suffix)]) => {
            string(text.strip_suffix(suffix.get().as_str()).unwrap_or(text))
        }
        (Method::Reverse, []) => Value::string(text.chars().rev().collect::<EcoString>()),
        (Method::Chars, []) => Value::array(characters(text)),
        (Method::Lines, []) => Value::array(lines(text)),
        (Method::IncludeP, [Value::String(part)]) => Value::Boolean(text.contains(part.get().as_str())),
        (Method::StartWithP, prefixes) => any(prefixes, |prefix| text.starts_with(prefix))?,
        (Method::EndWithP, suffixes) => any(suffixes, |suffix| text.ends_with(suffix))?,
        (Method::Index, [Value::String(part)]) => position(text, text.find(part.get().as_str())),
        (Method::Rindex, [Value::String(part)]) => position(text, text.rfind(part.get().as_str())),
        (Method::Partition, [Value::String(separator)]) => match text.split_once(separator.get().as_str()) {
            Some((before, after)) => Value::array(vec![string(before), string(&separator.get()), string(after)]),
            None => Value::array(vec![string(text), string(""), string("")]),
        },
        (Method::Rpartition, [Value::String(separator)]) => match text.rsplit_once(separator.get().as_str()) {
            Some((before, after)) => Value::array(vec![string(before), string(&separator.get()), string(after)]),
            None => Value::array(vec![string(""), string(""), string(text)]),
        },
        (Method::ToSym | Method::Intern, []) => Value::Symbol(text.clone()),
        (Method::ToI, []) => Value::Integer(leading_integer(text)?),
        (Method::ToF, []) => Value::Float(leading_float(text)?),
        (Method::Ord, []) => match text.chars().next() {
            Some(letter) => Value::Integer(i64::from(u32::from(letter))),
            None => return Err(Stop::Unsupported),
        },
        (Method::Ljust | Method::Rjust | Method::Center, [width]) => Value::string(justify(text, method, width, " ")?),
        (Method::Ljust | Method::Rjust | Method::Center, [width, Value::String(padding)]) => {
            Value::string(justify(text, method, width, &padding.get())?)
        }
        (Method::Tr, [Value::String(from), Value::String(to)]) => {
            Value::string(translate(text, &from.get(), &to.get())?)
        }
        (Method::Delete, [Value::String(letters)]) => {
            let (letters, is_negated) = letter_set(&letters.get())?;
            Value::string(text.chars().filter(|letter| letters.contains(letter) == is_negated).collect::<EcoString>())
        }
        (Method::Count, [Value::String(letters)]) => {
            let (letters, is_negated) = letter_set(&letters.get())?;
            Value::count(text.chars().filter(|letter| letters.contains(letter) != is_negated).count())
        }
        (Method::Squeeze, []) => {
            let mut squeezed = EcoString::new();
            for letter in text.chars() {
                if !squeezed.ends_with(letter) {
                    squeezed.push(letter);
                }
            }
            Value::string(squeezed)
        }
        (Method::Casecmp, [Value::String(other)]) => {
            let order = text.to_ascii_lowercase().as_bytes().cmp(other.get().to_ascii_lowercase().as_bytes());
            Value::Integer(order as i64)
        }
        (Method::CasecmpP, [Value::String(other)]) if text.is_ascii() && other.get().is_ascii() => {
            Value::Boolean(text.eq_ignore_ascii_case(&other.get()))
        }
        _ => return Ok(None),
    }))
}

pub(super) fn characters(text: &str) -> Vec<Value> {
    text.chars().map(|letter| Value::string(EcoString::from(letter))).collect()
}

pub(super) fn lines(text: &str) -> Vec<Value> {
    text.split_inclusive('\n').map(Value::string).collect()
}

/// The words between blanks.
pub(super) fn words(text: &str) -> Vec<EcoString> {
    text.split(BLANK).filter(|word| !word.is_empty()).map(EcoString::from).collect()
}

/// A text in another case. Beyond Latin and Cyrillic letters, and for a few of those, there are rules that differ.
fn with_case(text: &str, change: fn(&str) -> String) -> Outcome<String> {
    let is_simple = |letter: char| match letter {
        '\u{130}' | '\u{131}' | '\u{149}' | '\u{17f}' => false,
        '\0'..'\u{180}' | '\u{400}'..'\u{500}' => true,
        _ => false,
    };
    if text.chars().all(is_simple) { Ok(change(text)) } else { Err(Stop::Unsupported) }
}

fn capitalize(text: &str) -> Outcome<String> {
    if !text.is_ascii() {
        return Err(Stop::Unsupported);
    }
    let mut changed = text.to_ascii_lowercase();
    if let Some(first) = changed.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Ok(changed)
}

fn swap_case(text: &str) -> Outcome<String> {
    let swap = |letter: char| match letter.is_ascii_lowercase() {
        true => letter.to_ascii_uppercase(),
        false => letter.to_ascii_lowercase(),
    };
    if text.is_ascii() { Ok(text.chars().map(swap).collect()) } else { Err(Stop::Unsupported) }
}

fn chomp(text: &str) -> &str {
    let stripped = text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n'));
    stripped.or_else(|| text.strip_suffix('\r')).unwrap_or(text)
}

fn any(parts: &[Value], is_part: impl Fn(&str) -> bool) -> Outcome {
    for part in parts {
        let Value::String(part) = part else { return Err(Stop::Unsupported) };
        if is_part(&part.get()) {
            return Ok(Value::Boolean(true));
        }
    }
    Ok(Value::Boolean(false))
}

fn position(text: &str, byte: Option<usize>) -> Value {
    byte.and_then(|byte| text.get(..byte)).map_or(Value::Nil, |before| Value::count(before.chars().count()))
}

/// The integer that a text starts with.
fn leading_integer(text: &str) -> Outcome<i64> {
    let text = text.trim_start_matches(['\t', '\n', '\u{b}', '\u{c}', '\r', ' ']);
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut number = 0_i64;
    for letter in digits.chars() {
        if letter == '_' {
            return Err(Stop::Unsupported);
        }
        let Some(digit) = letter.to_digit(10) else { break };
        number = number.checked_mul(10).and_then(|n| n.checked_add(i64::from(digit))).ok_or(Stop::Unsupported)?;
    }
    Ok(if is_negative { -number } else { number })
}

/// The float that a text starts with.
fn leading_float(text: &str) -> Outcome<f64> {
    let text = text.trim_start_matches(['\t', '\n', '\u{b}', '\u{c}', '\r', ' ']);
    let is_digit = |letter: &char| letter.is_ascii_digit();
    let sign = usize::from(text.starts_with(['-', '+']));
    let unsigned = text.get(sign..).unwrap_or_default();
    if unsigned.contains(['_', 'x', 'X', 'e', 'E']) {
        return Err(Stop::Unsupported);
    }
    let whole = unsigned.chars().take_while(is_digit).count();
    let rest = unsigned.get(whole..).unwrap_or_default();
    let fraction = rest.strip_prefix('.').map_or(0, |rest| rest.chars().take_while(is_digit).count());
    if whole == 0 {
        return if fraction == 0 { Ok(0.0) } else { Err(Stop::Unsupported) };
    }
    let length = sign + whole + if fraction > 0 { fraction + 1 } else { 0 };
    text.get(..length).and_then(|number| number.parse().ok()).ok_or(Stop::Unsupported)
}

fn justify(text: &str, method: Method, width: &Value, padding: &str) -> Outcome<String> {
    let Value::Integer(width) = width else { return Err(Stop::Unsupported) };
    let width = size(&Value::Integer((*width).max(0)))?;
    if padding.is_empty() || width > LONGEST {
        return Err(Stop::Unsupported);
    }
    let missing = width.saturating_sub(text.chars().count());
    let (left, right) = match method {
        Method::Ljust => (0, missing),
        Method::Rjust => (missing, 0),
        _ => (missing / 2, missing - missing / 2),
    };
    let fill = |count: usize| padding.chars().cycle().take(count).collect::<String>();
    Ok(format!("{}{text}{}", fill(left), fill(right)))
}

/// The letters that a set like `a-z` or `^0-9` names, and whether it means all others.
fn letter_set(set: &str) -> Outcome<(Vec<char>, bool)> {
    let (set, is_negated) = match set.strip_prefix('^') {
        Some(rest) if !rest.is_empty() => (rest, true),
        _ => (set, false),
    };
    if set.contains('\\') {
        return Err(Stop::Unsupported);
    }
    let mut letters = Vec::new();
    let mut rest = set.chars().peekable();
    while let Some(letter) = rest.next() {
        let mut ahead = rest.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(end)) => {
                if end < letter || !end.is_ascii() {
                    return Err(Stop::Unsupported);
                }
                letters.extend(letter..=end);
                rest = ahead;
            }
            _ => letters.push(letter),
        }
    }
    Ok((letters, is_negated))
}

/// `tr`.
fn translate(text: &str, from: &str, to: &str) -> Outcome<EcoString> {
    let (from, is_negated) = letter_set(from)?;
    let (to, _) = if to.starts_with('^') { return Err(Stop::Unsupported) } else { letter_set(to)? };
    let last = to.last().copied();
    let changed = text.chars().filter_map(|letter| {
        let place = from.iter().position(|known| *known == letter);
        match (place, is_negated) {
            (None, true) => last,
            (Some(_), true) | (None, false) => Some(letter),
            (Some(place), false) => to.get(place).copied().or(last),
        }
    });
    Ok(changed.collect())
}

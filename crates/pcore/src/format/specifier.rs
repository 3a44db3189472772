//! One format, `%<flags><width>.<precision><letter>`, and maps from data types to formats.

use std::sync::Arc;

use bunraku_syntax::Issue;

use crate::data_type::Type;
use crate::data_types::IntegerType;
use crate::format::sprintf::sprintf;
use crate::issues;
use crate::value::Value;

/// A format with what a container format adds to it.
#[derive(Clone, Debug)]
pub(super) struct Format {
    /// The format as it was given.
    text: String,
    /// The letter that says what to make of the value.
    pub(super) letter: char,
    /// `#`: the alternate form.
    pub(super) alternate: bool,
    pub(super) left: bool,
    /// A space: containers have no delimiters.
    space: bool,
    delimiter: Option<char>,
    pub(super) width: Option<usize>,
    pub(super) precision: Option<usize>,
    /// What stands between elements.
    pub(super) separator: Option<String>,
    /// What stands between key and value.
    pub(super) separator2: Option<String>,
    /// The formats of contained values.
    pub(super) contained: Option<Arc<Formats>>,
}

/// Formats by data type, the most specific type first.
#[derive(Clone, Debug)]
pub(super) struct Formats(Vec<(Type, Format)>);

impl Format {
    pub(super) fn new(text: &str) -> Result<Format, Issue> {
        let malformed = || {
            issues::runtime_error(format!(
                "The format '{text}' is not a valid format on the form '%<flags><width>.<prec><format>'"
            ))
        };
        // Compatibility: the reference's pattern looks for lines, so other lines around them are ignored; a line break
        // among the flags is one of them.
        let starts = text.match_indices('\n').map(|(index, _)| index + 1);
        let fitting = std::iter::once(0).chain(starts).find_map(|start| split(text.get(start..)?));
        let (flags, width, precision, letter) = fitting.ok_or_else(malformed)?;
        let has = |flag: char| flags.contains(flag);
        if flags.chars().enumerate().any(|(index, flag)| flags.chars().take(index).any(|earlier| earlier == flag)) {
            return Err(issues::runtime_error(format!("The same flag can only be used once, got '{text}'")));
        }
        let mut delimiters = ['[', '{', '(', '<', '|'].into_iter().filter(|delimiter| has(*delimiter));
        let delimiter = delimiters.next();
        if delimiters.next().is_some() {
            return Err(issues::runtime_error(format!(
                "Only one of the delimiters [ {{ ( < | can be given in the format flags, got '{text}'"
            )));
        }
        let number = |digits: Option<&str>| digits.map(|digits| digits.parse().unwrap_or(usize::MAX));
        let (width, precision) = (number(width), number(precision));
        if width.is_some_and(|width| width > super::MAXIMUM_WIDTH) {
            return Err(issues::runtime_error("width too big"));
        }
        Ok(Format {
            text: text.to_owned(),
            letter,
            alternate: has('#'),
            left: has('-'),
            space: has(' '),
            delimiter,
            width,
            precision,
            separator: None,
            separator2: None,
            contained: None,
        })
    }

    /// Whether there is nothing but the letter.
    pub(super) fn is_plain(&self) -> bool {
        self.text.chars().count() == 2
    }

    /// Formats with `sprintf`, with another letter in place of the own one.
    pub(super) fn sprintf(&self, letter: char, value: Value) -> Result<String, Issue> {
        let text: String = self.text.chars().map(|c| if c == self.letter { letter } else { c }).collect();
        sprintf(&text, &[value])
    }

    /// Applies width and precision to text that is made already.
    pub(super) fn pad(&self, text: &str) -> String {
        let cut: String = text.chars().take(self.precision.unwrap_or(usize::MAX)).collect();
        let missing = self.width.unwrap_or(0).saturating_sub(cut.chars().count());
        let spaces = " ".repeat(missing);
        if self.left { cut + &spaces } else { spaces + &cut }
    }

    /// What stands before and after the elements of a container.
    pub(super) fn delimiters(&self, default: (&'static str, &'static str)) -> (&'static str, &'static str) {
        match self.delimiter {
            Some('[') => ("[", "]"),
            Some('{') => ("{", "}"),
            Some('(') => ("(", ")"),
            Some('<') => ("<", ">"),
            Some(_) => ("|", "|"),
            None if self.space => ("", ""),
            None => default,
        }
    }

    /// This format on top of one of lower precedence.
    fn over(&self, lower: &Format) -> Format {
        let contained = match (&lower.contained, &self.contained) {
            (Some(lower), Some(higher)) => Some(Arc::new(higher.over(lower))),
            (lower, higher) => higher.clone().or_else(|| lower.clone()),
        };
        Format {
            separator: self.separator.clone().or_else(|| lower.separator.clone()),
            separator2: self.separator2.clone().or_else(|| lower.separator2.clone()),
            contained,
            ..self.clone()
        }
    }
}

/// Splits a format at the start of a text into flags, width, precision and letter, which ends its line.
fn split(text: &str) -> Option<(&str, Option<&str>, Option<&str>, char)> {
    let body = text.strip_prefix('%')?;
    let is_flag = |c: char| c.is_ascii_whitespace() || c == '\u{b}' || "[+#0{<(|-".contains(c);
    let rest = body.trim_start_matches(is_flag);
    let flags = body.strip_suffix(rest).unwrap_or(body);
    let line = rest.split('\n').next()?;
    let letter = line.chars().next_back().filter(char::is_ascii_alphabetic)?;
    let rest = line.strip_suffix(letter)?;
    let (width, precision) = match rest.split_once('.') {
        Some((width, precision)) => (width, Some(precision)),
        None => (rest, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_valid = digits(width) && precision.is_none_or(|precision| !precision.is_empty() && digits(precision));
    is_valid.then_some((flags, Some(width).filter(|width| !width.is_empty()), precision, letter))
}

impl Formats {
    pub(super) fn new(formats: impl IntoIterator<Item = (Type, Format)>) -> Formats {
        Formats(formats.into_iter().collect())
    }

    /// The format of a value: that of the first type it is an instance of.
    pub(super) fn get(&self, value: &Value) -> Option<&Format> {
        let found = match value {
            // A type is an instance of `Object`, but its own type is not assignable to it, which is what counts.
            Value::Type(_) => {
                let own = Type::infer_detailed(value);
                self.0.iter().find(|(data_type, _)| data_type.is_assignable(&own))
            }
            // So it is for integers, each of which is a range.
            Value::Integer(number) => {
                let own = Type::integer(IntegerType::exactly(*number));
                self.0.iter().find(|(data_type, _)| data_type.is_assignable(&own))
            }
            // The parameters of an object's type do not count.
            Value::Object(object) if !object.object_type().type_parameters().is_empty() => {
                let own = Type::Object(object.object_type().clone());
                self.0.iter().find(|(data_type, _)| data_type.is_assignable(&own))
            }
            value => self.0.iter().find(|(data_type, _)| data_type.is_instance(value)),
        };
        found.map(|(_, format)| format)
    }

    /// These formats on top of those of lower precedence. A lower one whose type is part of a type given here does not
    /// count any more.
    pub(super) fn over(&self, lower: &Formats) -> Formats {
        let is_hidden =
            |data_type: &Type| self.0.iter().any(|(higher, _)| higher != data_type && higher.is_assignable(data_type));
        let mut merged: Vec<(Type, Format)> = Vec::new();
        for (data_type, format) in lower.0.iter().filter(|(data_type, _)| !is_hidden(data_type)) {
            let higher = self.0.iter().find(|(higher, _)| higher == data_type).map(|(_, higher)| higher);
            merged.push((data_type.clone(), higher.map_or_else(|| format.clone(), |higher| higher.over(format))));
        }
        for (data_type, format) in &self.0 {
            if !merged.iter().any(|(known, _)| known == data_type) {
                merged.push((data_type.clone(), format.clone()));
            }
        }
        Formats(sort(merged))
    }
}

/// Puts specific types before general ones.
///
/// Compatibility: the order is not a total one, so the result depends on how the sorting is done. This is the merge sort
/// of the reference's C library.
fn sort(formats: Vec<(Type, Format)>) -> Vec<(Type, Format)> {
    if formats.len() < 2 {
        return formats;
    }
    let mut left = formats;
    let right = sort(left.split_off(left.len() / 2));
    let left = sort(left);
    let mut sorted = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    loop {
        let from_right = match (left.peek(), right.peek()) {
            (Some((own, _)), Some((other, _))) => precedes(other, own),
            (None, Some(_)) => true,
            (Some(_), None) => false,
            (None, None) => return sorted,
        };
        sorted.extend(if from_right { right.next() } else { left.next() });
    }
}

/// Whether a type must come before another one, which stands before it.
fn precedes(data_type: &Type, other: &Type) -> bool {
    if data_type == other {
        return false;
    }
    match (other.is_assignable(data_type), data_type.is_assignable(other)) {
        (true, false) => true,
        (false, true) => false,
        _ => match (rank(data_type), rank(other)) {
            (0, _) | (_, 0) => data_type.to_string() < other.to_string(),
            (own, others) => own < others,
        },
    }
}

/// How specific a type is among those that overlap.
fn rank(data_type: &Type) -> u32 {
    match data_type {
        Type::Struct(_) => 1,
        Type::Hash(_) => 2,
        Type::Tuple(_) => 3,
        Type::Array(_) => 4,
        Type::Pattern(_) => 10,
        Type::Enum(_) => 11,
        Type::String(_) => 12,
        _ => 0,
    }
}

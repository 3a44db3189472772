//! The formats of arrays and hashes: delimiters, separators, and indentation in the alternate form.

use bunraku_syntax::Issue;

use super::specifier::{Format, Formats};
use super::{MAXIMUM_DEPTH, illegal_format, write};
use crate::hash::Hash;
use crate::issues;
use crate::limits;
use crate::value::Value;

/// How far a container is nested, and whether it starts on a line of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indentation {
    level: usize,
    /// Nothing of this level has been written yet.
    is_first: bool,
    is_indenting: bool,
}

impl Default for Indentation {
    fn default() -> Indentation {
        Indentation { level: 0, is_first: true, is_indenting: false }
    }
}

impl Indentation {
    fn increase(self, is_indenting: bool) -> Result<Indentation, Issue> {
        if self.level >= MAXIMUM_DEPTH {
            return Err(issues::runtime_error("stack level too deep"));
        }
        Ok(Indentation { level: self.level + 1, is_first: true, is_indenting })
    }

    fn breaks(self) -> bool {
        self.is_indenting && self.level > 0 && !self.is_first
    }

    pub(super) fn level(self) -> usize {
        self.level
    }

    pub(super) fn is_indenting(self) -> bool {
        self.is_indenting
    }

    fn padding(self) -> String {
        "  ".repeat(self.level)
    }
}

fn is_container(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_))
}

/// The formats of an element: containers use those of the whole, all else those of the container.
fn formats_of<'f>(element: &Value, format: &'f Format, formats: &'f Formats) -> &'f Formats {
    match &format.contained {
        _ if is_container(element) => formats,
        Some(contained) => contained,
        None => &super::PROGRAMMATIC,
    }
}

pub(super) fn write_array(
    elements: &[Value],
    format: &Format,
    formats: &Formats,
    indentation: Indentation,
) -> Result<String, Issue> {
    if !matches!(format.letter, 'a' | 's' | 'p') {
        return Err(illegal_format("Array", format.letter, "asp"));
    }
    let separator = format.separator.as_deref().unwrap_or(", ");
    let (open, close) = format.delimiters(("[", "]"));
    let indentation = Indentation { is_indenting: format.alternate || indentation.is_indenting, ..indentation };
    let inner = Indentation { is_first: false, ..indentation.increase(format.alternate)? };
    let write_element = |element: &Value| write(element, formats_of(element, format, formats), inner);
    let written = elements.iter().map(write_element).collect::<Result<Vec<String>, Issue>>()?;
    let one_per_line = format.alternate && format.width.is_some_and(|width| widest_run(elements, &written) > width);

    let mut text = String::new();
    if indentation.breaks() {
        text.push('\n');
        text.push_str(&indentation.padding());
    }
    text.push_str(open);
    let mut previous: Option<&Value> = None;
    for (element, element_text) in elements.iter().zip(&written) {
        let starts_line = one_per_line && !is_container(element);
        match previous {
            None if starts_line => text.push(' '),
            None => {}
            Some(previous) => {
                text.push_str(separator);
                if starts_line || (format.alternate && is_container(previous) && !is_container(element)) {
                    if !text.ends_with('\n') {
                        trim_end(&mut text);
                    }
                    text.push('\n');
                    text.push_str(&inner.padding());
                }
            }
        }
        if text.ends_with(' ') && element_text.starts_with('\n') {
            trim_end(&mut text);
        }
        text.push_str(element_text);
        limits::check_text(text.len())?;
        previous = Some(element);
    }
    text.push_str(close);
    Ok(text)
}

/// The length of the longest run of elements without a container between them.
fn widest_run(elements: &[Value], written: &[String]) -> usize {
    let (mut widest, mut run) = (0, 0);
    for (element, text) in elements.iter().zip(written) {
        run = if is_container(element) { 0 } else { run + text.chars().count() };
        widest = widest.max(run);
    }
    widest
}

fn trim_end(text: &mut String) {
    let length = text.trim_end_matches(|c| matches!(c, '\0' | ' ' | '\t'..='\r')).len();
    text.truncate(length);
}

pub(super) fn write_hash(
    hash: &Hash,
    format: &Format,
    formats: &Formats,
    indentation: Indentation,
) -> Result<String, Issue> {
    match format.letter {
        'a' => {
            let pairs = hash.iter().map(|(key, value)| Value::array([key.clone(), value.clone()]));
            return write(&Value::array(pairs), formats, indentation);
        }
        'h' | 's' | 'p' => {}
        letter => return Err(illegal_format("Hash", letter, "hasp")),
    }
    let mut separator = format.separator.as_deref().unwrap_or(", ").to_owned();
    let association = format.separator2.as_deref().unwrap_or(" => ");
    let (open, close) = format.delimiters(("{", "}"));
    if format.alternate {
        if !separator.ends_with('\n') {
            trim_end(&mut separator);
        }
        separator.push('\n');
    }
    let indentation = Indentation { is_indenting: format.alternate || indentation.is_indenting, ..indentation };
    let inner = indentation.increase(false)?;
    let padding = if format.alternate { inner.padding() } else { String::new() };

    let mut text = String::new();
    if indentation.breaks() {
        text.push('\n');
        text.push_str(&indentation.padding());
    }
    text.push_str(open);
    if format.alternate {
        text.push('\n');
    }
    for (index, (key, value)) in hash.iter().enumerate() {
        if index > 0 {
            text.push_str(&separator);
        }
        text.push_str(&padding);
        text.push_str(&write(key, formats_of(key, format, formats), inner)?);
        text.push_str(association);
        text.push_str(&write(value, formats_of(value, format, formats), inner)?);
        limits::check_text(text.len())?;
    }
    if format.alternate {
        text.push('\n');
        text.push_str(&indentation.padding());
    }
    text.push_str(close);
    Ok(text)
}

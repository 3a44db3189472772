//! YAML as Ruby's library Psych reads and writes it.

mod scalar;

use bunraku_hiera::yaml;
use bunraku_pcore::inspect::to_s;
use bunraku_pcore::issues::{Issue, runtime_error};
use bunraku_pcore::{Hash, Value};

use scalar::Scalar;

/// The value of a text; `undef` if it has none.
pub(crate) fn parse(text: &str) -> Result<Value, Issue> {
    match yaml::load(text.as_bytes(), "<unknown>") {
        Ok(document) => Ok(document.value.unwrap_or_default()),
        Err(error) => Err(runtime_error(format!("(<unknown>): {error}"))),
    }
}

/// The text of a value, with inner collections moved to the right by so many blanks.
pub(crate) fn dump(value: &Value, indentation: usize) -> String {
    let mut writer = Writer { text: String::from("---"), indentation };
    writer.node(value, Place { column: 0, content: indentation, is_in_mapping: false, is_top: true });
    writer.text.push('\n');
    writer.text
}

struct Writer {
    text: String,
    indentation: usize,
}

/// Where a node stands.
#[derive(Clone, Copy)]
struct Place {
    /// The column at which the lines of a collection start.
    column: usize,
    /// The column at which further lines of a text start.
    content: usize,
    is_in_mapping: bool,
    is_top: bool,
}

impl Writer {
    /// Writes a node behind `---`, `-` or `key:`.
    fn node(&mut self, value: &Value, place: Place) {
        match value {
            Value::Array(elements) if !elements.is_empty() => self.sequence(elements, place),
            Value::Hash(hash) if !hash.is_empty() => self.mapping(hash, place),
            Value::Array(_) => self.text.push_str(" []"),
            Value::Hash(_) => self.text.push_str(" {}"),
            Value::Sensitive(secret) => {
                self.text.push_str(" !ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive");
                let hash: Hash = [(Value::from("value"), Value::clone(secret))].into_iter().collect();
                self.mapping(&hash, Place { is_in_mapping: true, ..place });
            }
            other => self.scalar(other, place.content),
        }
    }

    fn sequence(&mut self, elements: &[Value], place: Place) {
        // In a mapping the dashes stand below the key.
        let is_inline = !place.is_in_mapping && !place.is_top;
        for (index, element) in elements.iter().enumerate() {
            self.start_line(index, is_inline, place.column);
            self.text.push('-');
            let column = place.column + self.indentation;
            self.node(element, Place { column, content: column, is_in_mapping: false, is_top: false });
        }
    }

    fn mapping(&mut self, hash: &Hash, place: Place) {
        let is_inline = !place.is_in_mapping && !place.is_top;
        for (index, (key, value)) in hash.iter().enumerate() {
            self.start_line(index, is_inline, place.column);
            self.key(key);
            self.text.push(':');
            let inner = place.column + self.indentation;
            let column = if matches!(value, Value::Array(_)) { place.column } else { inner };
            self.node(value, Place { column, content: inner, is_in_mapping: true, is_top: false });
        }
    }

    /// The first entry of an inner collection follows its dash, all others start a line.
    fn start_line(&mut self, index: usize, is_inline: bool, column: usize) {
        if index == 0 && is_inline {
            self.text.push_str(&" ".repeat(self.indentation - 1));
        } else {
            self.text.push('\n');
            self.text.push_str(&" ".repeat(column));
        }
    }

    fn key(&mut self, key: &Value) {
        match key {
            Value::String(text) => Scalar::of_key(text).write(&mut self.text, 0),
            other => self.text.push_str(&plain(other)),
        }
    }

    fn scalar(&mut self, value: &Value, column: usize) {
        match value {
            Value::Undef => {}
            Value::String(text) => {
                self.text.push(' ');
                Scalar::of_value(text).write(&mut self.text, column);
            }
            other => {
                self.text.push(' ');
                self.text.push_str(&plain(other));
            }
        }
    }
}

/// The text of a value that is no collection and no text.
fn plain(value: &Value) -> String {
    match value {
        Value::Default => ":default".into(),
        Value::Float(number) if number.is_nan() => ".nan".into(),
        Value::Float(number) if number.is_infinite() => if *number > 0.0 { ".inf" } else { "-.inf" }.into(),
        Value::Regexp(regexp) => format!("!ruby/regexp {}", regexp.to_literal()),
        other => to_s(other).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_are_laid_out_as_by_psych() {
        let check = |value: Value, expected: &str| assert_eq!(dump(&value, 2), expected);
        let list = |elements: &[i64]| Value::array(elements.iter().copied().map(Value::from));
        check(
            Value::array([list(&[1, 2]), Value::hash([("a".into(), list(&[3]))])]),
            "---\n- - 1\n  - 2\n- a:\n  - 3\n",
        );
        check(Value::hash([("a".into(), Value::Undef), ("b".into(), list(&[]))]), "---\na:\nb: []\n");
        let inner = Value::hash([("b".into(), Value::from("x\ny")), ("c".into(), Value::from(true))]);
        check(Value::hash([("a".into(), inner)]), "---\na:\n  b: |-\n    x\n    y\n  c: true\n");
        check(Value::from("a\nb\n"), "--- |\n  a\n  b\n");
        check(Value::from(""), "--- ''\n");
    }
}

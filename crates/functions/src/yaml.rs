//! YAML as Ruby's library Psych reads and writes it.

use bunraku_notation::yaml;
use bunraku_pcore::issues::{Issue, runtime_error};
use bunraku_pcore::{Value, limits};

/// The value of a string; `undef` if it has none.
pub(crate) fn parse(text: &str) -> Result<Value, Issue> {
    match yaml::load(text.as_bytes(), "<unknown>") {
        Ok(document) => Ok(document.value.unwrap_or_default()),
        Err(error) => Err(runtime_error(format!("(<unknown>): {error}"))),
    }
}

/// The text of a value, with inner collections moved to the right by so many blanks.
pub(crate) fn dump(value: &Value, indentation: usize) -> Result<String, Issue> {
    limits::check_indented(value, indentation)?;
    Ok(yaml::emit_indented(value, indentation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_are_laid_out_as_by_psych() {
        let check = |value: Value, expected: &str| assert_eq!(dump(&value, 2).as_deref(), Ok(expected));
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

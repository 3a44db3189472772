//! The programmatic form of a value. Unlike the reference's `%p` it has a form for times and versions that can be read.

use bunraku_pcore::Value;
use bunraku_pcore::format::programmatic;
use bunraku_pcore::limits::ELEMENTS;

/// The value as it would be written in a program.
pub fn repr(value: &Value) -> String {
    match value {
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(repr).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Iterator(iterator) if iterator.sequence.len() <= ELEMENTS => repr(&Value::array(iterator.values())),
        Value::Hash(hash) => {
            let entries: Vec<String> =
                hash.iter().map(|(key, value)| format!("{} => {}", repr(key), repr(value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Timestamp(value) => format!("Timestamp('{value}')"),
        Value::Timespan(value) => format!("Timespan('{value}')"),
        Value::SemVer(value) => format!("SemVer('{value}')"),
        Value::SemVerRange(value) => format!("SemVerRange('{value}')"),
        Value::Sensitive(_) | Value::Iterator(_) => value.to_string(),
        other => programmatic(other),
    }
}

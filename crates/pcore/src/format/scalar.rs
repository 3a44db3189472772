//! The formats of values that contain no others.

use bunraku_syntax::Issue;

use super::illegal_format;
use super::specifier::Format;
use crate::data_types::Binary;
use crate::inspect::{inspect, inspect_bytes};
use crate::issues;
use crate::letter_case::{capitalize, downcase, upcase};
use crate::quote::{double_quote, quote};
use crate::regexp::Regexp;
use crate::value::Value;

pub(super) fn write(value: &Value, format: &Format) -> Result<String, Issue> {
    match value {
        Value::Undef => write_undef(format),
        Value::Default => write_default(format),
        Value::Boolean(value) => write_boolean(*value, format),
        Value::Integer(number) => write_integer(*number, format),
        Value::Float(number) => write_float(*number, format),
        Value::String(text) => write_string(text, format),
        Value::Binary(binary) => write_binary(binary, format),
        Value::Regexp(regexp) => write_regexp(regexp, format),
        Value::Type(_) => write_type(&value.to_string(), format),
        Value::Uri(uri) => match format.letter {
            'p' => Ok(format!("URI({})", quote(&uri.to_string()))),
            's' => {
                let text = uri.to_string();
                format.sprintf('s', Value::from(if format.alternate { quote(&text) } else { text }))
            }
            letter => Err(illegal_format("URI", letter, "sp")),
        },
        Value::Symbol(name) => match format.letter {
            's' => Ok(name.to_string()),
            'p' => Ok(quote(name)),
            'q' => Ok(inspect(value)),
            letter => Err(illegal_format("Runtime", letter, "spq")),
        },
        other => format.sprintf(format.letter, other.clone()),
    }
}

fn write_undef(format: &Format) -> Result<String, Issue> {
    let text = match (format.letter, format.alternate) {
        ('n', false) => "nil",
        ('n', true) => "null",
        ('u', false) | ('p', false) => "undef",
        ('u', true) => "undefined",
        ('p', true) => "\"undef\"",
        ('d' | 'x' | 'X' | 'o' | 'b' | 'B' | 'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A', _) => "NaN",
        ('v', _) => "n/a",
        ('V', _) => "N/A",
        ('s', false) => "",
        ('s', true) => "\"\"",
        (letter, _) => return Err(illegal_format("Undef", letter, "nudxXobBeEfgGaAvVsp")),
    };
    Ok(format.pad(text))
}

fn write_default(format: &Format) -> Result<String, Issue> {
    let text = match (format.letter, format.alternate) {
        ('d' | 's' | 'p', false) => "default",
        ('d' | 's' | 'p', true) => "\"default\"",
        ('D', false) => "Default",
        ('D', true) => "\"Default\"",
        (letter, _) => return Err(illegal_format("Default", letter, "dDsp")),
    };
    Ok(format.pad(text))
}

fn write_boolean(value: bool, format: &Format) -> Result<String, Issue> {
    let (yes, no) = match format.letter {
        't' => ("true", "false"),
        'T' => ("True", "False"),
        'y' => ("yes", "no"),
        'Y' => ("Yes", "No"),
        's' | 'p' => return Ok(format.pad(if value { "true" } else { "false" })),
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => return write_integer(i64::from(value), format),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => return write_float(f64::from(u8::from(value)), format),
        letter => return Err(illegal_format("Boolean", letter, "tTyYdxXobBeEfgGaAsp")),
    };
    let text = if value { yes } else { no };
    Ok(format.pad(if format.alternate { text.get(..1).unwrap_or(text) } else { text }))
}

fn write_integer(number: i64, format: &Format) -> Result<String, Issue> {
    match format.letter {
        'd' | 'p' if format.is_plain() => Ok(number.to_string()),
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'p' => format.sprintf(format.letter, Value::Integer(number)),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => format.sprintf(format.letter, Value::Float(number as f64)),
        'c' => {
            let character = u32::try_from(number).ok().and_then(char::from_u32);
            let character = character.ok_or_else(|| issues::runtime_error("pack(U): value out of range"))?;
            let text = if format.alternate { format!("\"{character}\"") } else { character.to_string() };
            format.sprintf('s', Value::from(text))
        }
        's' => format.sprintf(if format.alternate { 'p' } else { 's' }, Value::from(number.to_string())),
        letter => Err(illegal_format("Integer", letter, "dxXobBeEfgGaAspc")),
    }
}

fn write_float(number: f64, format: &Format) -> Result<String, Issue> {
    match format.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' | 'p' => {
            format.sprintf(format.letter, Value::Float(number))
        }
        's' => {
            let text = crate::float_text::float_text(number);
            format.sprintf('s', Value::from(if format.alternate { format!("\"{text}\"") } else { text }))
        }
        letter => Err(illegal_format("Float", letter, "dxXobBeEfgGaAsp")),
    }
}

fn write_string(text: &str, format: &Format) -> Result<String, Issue> {
    let changed = match format.letter {
        's' if format.is_plain() => return Ok(text.to_owned()),
        's' => return format.sprintf('s', Value::from(text)),
        'p' => return Ok(format.pad(&if format.alternate { double_quote(text) } else { quote(text) })),
        'c' => capitalize(text),
        'C' => {
            let mut segments: Vec<String> = text.split("::").map(capitalize).collect();
            while segments.last().is_some_and(String::is_empty) {
                segments.pop();
            }
            segments.join("::")
        }
        'u' => upcase(text),
        'd' => downcase(text),
        't' => text.trim_matches(|c| matches!(c, '\0' | ' ' | '\t'..='\r')).to_owned(),
        letter => return Err(illegal_format("String", letter, "cCudspt")),
    };
    if format.alternate { Ok(format.pad(&quote(&changed))) } else { format.sprintf('s', Value::from(changed)) }
}

fn write_binary(binary: &Binary, format: &Format) -> Result<String, Issue> {
    let text = match format.letter {
        's' if format.alternate => {
            // The text is quoted here and not by `sprintf`, which knows no bytes.
            return format.sprintf('s', Value::from(inspect_bytes(binary.bytes())));
        }
        's' => match str::from_utf8(binary.bytes()) {
            Ok(text) => text.to_owned(),
            Err(_) => {
                let byte = binary.bytes().iter().find(|byte| !byte.is_ascii()).copied().unwrap_or_default();
                let message = format!("\"\\x{byte:02X}\" from ASCII-8BIT to UTF-8");
                return Err(issues::runtime_error(message));
            }
        },
        'p' => return Ok(format!("Binary(\"{}\")", format.sprintf('s', Value::from(binary.to_string()))?)),
        'b' => binary.to_base64_lines(),
        'B' => binary.to_string(),
        'u' => binary.to_base64_url_safe(),
        't' => "Binary".to_owned(),
        'T' => "BINARY".to_owned(),
        letter => return Err(illegal_format("Binary", letter, "bButTsp")),
    };
    format.sprintf(if format.alternate { 'p' } else { 's' }, Value::from(text))
}

fn write_regexp(regexp: &Regexp, format: &Format) -> Result<String, Issue> {
    let text = match format.letter {
        'p' => regexp.to_text(),
        's' if format.alternate => quote(&regexp.to_pattern_text()),
        's' => regexp.to_pattern_text(),
        letter => return Err(illegal_format("Regexp", letter, "sp")),
    };
    if format.is_plain() { Ok(text) } else { format.sprintf('s', Value::from(text)) }
}

fn write_type(text: &str, format: &Format) -> Result<String, Issue> {
    match format.letter {
        's' if format.alternate => format.sprintf('s', Value::from(format!("\"{text}\""))),
        's' | 'p' => format.sprintf('s', Value::from(text)),
        letter => Err(illegal_format("Type", letter, "sp")),
    }
}

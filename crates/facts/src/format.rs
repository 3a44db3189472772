//! Facts as they are printed: JSON, YAML, HOCON, and Facter's own form.

use bunraku_notation::yaml;
use bunraku_pcore::float_text::float_text;
use bunraku_pcore::{Value, deep, inspect};

/// A value as JSON on several lines, as Ruby writes it.
pub fn json(value: &Value) -> String {
    let mut text = String::new();
    write_json(value, 0, &mut text);
    text
}

fn write_json(value: &Value, depth: usize, into: &mut String) {
    deep(|| match value {
        Value::Undef => into.push_str("null"),
        Value::Float(float) => into.push_str(&float_text(*float)),
        Value::Boolean(_) | Value::Integer(_) => into.push_str(&value.to_string()),
        Value::Array(elements) => {
            into.push('[');
            // Compatibility: Ruby leaves a line for the elements that there are not.
            into.push_str(if elements.is_empty() { "\n" } else { "" });
            for (number, element) in elements.iter().enumerate() {
                next_line(number, depth + 1, into);
                write_json(element, depth + 1, into);
            }
            next_line(0, depth, into);
            into.push(']');
        }
        Value::Hash(hash) => {
            into.push('{');
            for (number, (name, inner)) in hash.iter().enumerate() {
                next_line(number, depth + 1, into);
                quote(&name.to_string(), into);
                into.push_str(": ");
                write_json(inner, depth + 1, into);
            }
            next_line(0, depth, into);
            into.push('}');
        }
        other => quote(&other.to_string(), into),
    });
}

fn next_line(number: usize, depth: usize, into: &mut String) {
    into.push_str(if number > 0 { ",\n" } else { "\n" });
    into.push_str(&"  ".repeat(depth));
}

fn quote(text: &str, into: &mut String) {
    into.push('"');
    for letter in text.chars() {
        match letter {
            '"' => into.push_str("\\\""),
            '\\' => into.push_str("\\\\"),
            '\n' => into.push_str("\\n"),
            '\r' => into.push_str("\\r"),
            '\t' => into.push_str("\\t"),
            '\u{8}' => into.push_str("\\b"),
            '\u{c}' => into.push_str("\\f"),
            control if control < ' ' => into.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => into.push(other),
        }
    }
    into.push('"');
}

/// All facts, or the answers to several queries, in Facter's own form.
pub fn plain(facts: &Value) -> String {
    let text = arrows(&without_nothing(facts));
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(&text);
    let lines = inner.lines().filter(|line| !line.is_empty()).map(|line| {
        let line = line.strip_prefix("  ").unwrap_or(line);
        if line.starts_with(char::is_whitespace) {
            return line.to_owned();
        }
        let line = line.strip_suffix(',').unwrap_or(line);
        let mut bare = String::with_capacity(line.len());
        let mut before = ' ';
        for letter in line.chars() {
            match (letter, before) {
                ('"', '\\') => {
                    bare.pop();
                    bare.push('"');
                }
                ('"', _) => {}
                _ => bare.push(letter),
            }
            before = letter;
        }
        bare
    });
    lines.collect::<Vec<_>>().join("\n").replace("\\n", "\n")
}

/// A name without a value is followed by nothing.
fn without_nothing(facts: &Value) -> Value {
    let Value::Hash(hash) = facts else { return facts.clone() };
    let shown = |value: &Value| if value.is_undef() { Value::from("") } else { value.clone() };
    Value::hash(hash.iter().map(|(name, value)| (name.clone(), shown(value))))
}

/// The answer to one query in Facter's own form: strings are bare.
pub fn plain_answer(value: &Value) -> String {
    match value {
        Value::Undef => String::new(),
        Value::String(text) => text.to_string(),
        other => arrows(other),
    }
}

/// JSON with arrows in place of colons and names without quotes.
fn arrows(value: &Value) -> String {
    let text = json(value).replace("\": ", "\" => ");
    let bare = |line: &str| {
        let first = line.find('"')?;
        let last = line.rfind("\" =>").filter(|last| *last > first)?;
        Some([line.get(..first)?, line.get(first + 1..last)?, line.get(last + 1..)?].concat())
    };
    let lines: Vec<String> = text.lines().map(|line| bare(line).unwrap_or_else(|| line.to_owned())).collect();
    lines.join("\n").replace("\\\\", "\\")
}

/// Facts as YAML, with the quotes that Facter adds.
pub fn yaml(facts: &Value) -> String {
    let text = yaml::emit_with(facts, needs_quotes);
    text.strip_prefix("---\n").or_else(|| text.strip_prefix("--- ")).unwrap_or(&text).to_owned()
}

/// Compatibility: Facter quotes whatever has one of the letters of `yes` and `no` in it, and whatever has no letters.
fn needs_quotes(text: &str) -> bool {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if text.contains("true") || text.contains("false") || is_number {
        return false;
    }
    if text.contains(['y', 'Y', 'n', 'N', ':'])
        || ["True", "TRUE", "False", "FALSE", "off", "Off", "OFF"].iter().any(|word| text.contains(word))
    {
        return true;
    }
    let has_letter = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let bytes = text.as_bytes();
    let has_fraction = bytes.windows(3).any(|window| matches!(window, [b'0'..=b'9', b'.', b'0'..=b'9']));
    !has_letter && !has_fraction
}

/// All facts, or the answers to several queries, as HOCON.
pub fn hocon(facts: &Value) -> String {
    let mut text = String::new();
    if let Value::Hash(hash) = facts {
        fields(hash.iter(), 0, &mut text);
    }
    text
}

/// Core facts that the reference puts together of others.
const COMPOSED: [&str; 19] = [
    "augeas",
    "cloud",
    "dmi",
    "dmi.bios",
    "dmi.board",
    "dmi.chassis",
    "dmi.product",
    "hypervisors",
    "identity",
    "memory",
    "memory.swap",
    "memory.system",
    "networking",
    "os",
    "os.distro",
    "os.selinux",
    "processors",
    "ruby",
    "system_uptime",
];

/// The answer to one query.
///
/// Compatibility: the reference writes facts that it puts together of others as Ruby shows them.
pub fn hocon_answer(query: &str, value: &Value) -> String {
    match value {
        Value::Hash(_) if !COMPOSED.contains(&query) => hocon(value).trim_end().to_owned(),
        Value::Undef => String::new(),
        Value::Array(elements) => {
            elements.iter().map(|element| format!("{element}\n")).collect::<String>().trim_end().to_owned()
        }
        hash @ Value::Hash(_) => inspect::inspect(hash),
        other => other.to_string(),
    }
}

fn fields<'v>(entries: impl Iterator<Item = (&'v Value, &'v Value)>, depth: usize, into: &mut String) {
    for (name, value) in entries {
        into.push_str(&"    ".repeat(depth));
        hocon_string(&name.to_string(), into);
        into.push('=');
        write_hocon(value, depth, into);
        into.push('\n');
    }
}

fn write_hocon(value: &Value, depth: usize, into: &mut String) {
    deep(|| match value {
        Value::Hash(hash) if hash.is_empty() => into.push_str("{}"),
        Value::Array(elements) if elements.is_empty() => into.push_str("[]"),
        Value::Hash(hash) => {
            into.push_str("{\n");
            fields(hash.iter(), depth + 1, into);
            into.push_str(&"    ".repeat(depth));
            into.push('}');
        }
        Value::Array(elements) => {
            into.push('[');
            for (number, element) in elements.iter().enumerate() {
                into.push_str(if number > 0 { ",\n" } else { "\n" });
                into.push_str(&"    ".repeat(depth + 1));
                write_hocon(element, depth + 1, into);
            }
            into.push('\n');
            into.push_str(&"    ".repeat(depth));
            into.push(']');
        }
        Value::String(text) => hocon_string(text, into),
        Value::Float(number) if number.fract() == 0.0 => {
            // Without the sign of a negative zero.
            into.push_str(&format!("{:.0}", number + 0.0));
        }
        scalar => write_json(scalar, depth, into),
    });
}

/// A string without quotes where it can stand without.
fn hocon_string(text: &str, into: &mut String) {
    let is_bare = text.starts_with(|letter: char| !letter.is_numeric() && letter != '-')
        && text.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
    if is_bare { into.push_str(text) } else { quote(text, into) }
}

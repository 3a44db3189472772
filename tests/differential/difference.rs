//! What counts as a difference between two results, and which differences are of one kind.

use serde_json::Value as Json;

/// Words of messages that come from the runtime of the reference: only the failure and its place are compared then.
const RUNTIME: &[&str] = &[
    "invalid value for Integer()",
    "invalid value for Float()",
    "can't convert",
    "no implicit conversion",
    "comparison of",
    "#<",
    "premature end of",
    "target of repeat operator",
    "invalid byte sequence",
    "incompatible encoding",
    "bignum too big",
    "wrong number of arguments",
    "uninitialized constant",
    "Puppet::",
    "NilClass",
    "can't be coerced into",
    "JSON",
    "malformed format string",
    "bad URI",
    "the scheme",
    "URI-Type parameter has wrong type",
];

/// Words that show that the reference has crashed, or has written an object of its own.
const CRASHES: &[&str] = &[
    "undefined method",
    "undefined local variable",
    "private method",
    "wrong number of arguments (given",
    "nil can't be coerced",
    "stack level too deep",
    "#<Puppet::",
    "DepthFirstTreeIterator",
    "BreadthFirstTreeIterator",
    "with nil failed",
    "invalid byte sequence in UTF-8",
];

/// A difference: what the reference gave, what we gave, and the kind, which is the same for differences of one cause.
pub(crate) struct Difference {
    pub(crate) expected: Json,
    pub(crate) got: Json,
    pub(crate) kind: String,
}

/// Whether a result of the reference is anything to go by: its crashes and timeouts are not.
pub(crate) fn is_model(expected: &Json) -> bool {
    let is_internal = expected.get("error").is_some_and(|error| error.get("internal").is_some());
    let text = expected.to_string();
    !is_internal && message(expected) != "TIMEOUT" && !CRASHES.iter().any(|word| text.contains(word))
}

/// Compares two results.
pub(crate) fn between(expected: &Json, got: &Json) -> Option<Difference> {
    if expected == got {
        return None;
    }
    if RUNTIME.iter().any(|word| message(expected).contains(word)) && place(expected) == place(got) {
        return None;
    }
    let (path, left, right) = first("", expected, got);
    let kind = format!("{path} | {} | {}", shape(&left), shape(&right));
    Some(Difference { expected: expected.clone(), got: got.clone(), kind })
}

fn message(result: &Json) -> &str {
    result.get("error").and_then(|error| error.get("message")).and_then(Json::as_str).unwrap_or_default()
}

fn place(result: &Json) -> Option<[Option<&Json>; 2]> {
    let error = result.get("error")?;
    Some(["line", "column"].map(|key| error.get(key)))
}

/// The first place where the two differ, and what stands there.
fn first(path: &str, expected: &Json, got: &Json) -> (String, Json, Json) {
    match (expected, got) {
        (Json::Object(left), Json::Object(right)) => {
            let keys = left.keys().chain(right.keys().filter(|key| !left.contains_key(*key)));
            for key in keys {
                let (left, right) = (left.get(key).unwrap_or(&Json::Null), right.get(key).unwrap_or(&Json::Null));
                if left != right {
                    let path = if path == "resources" { path.to_owned() } else { key.clone() };
                    return first(&path, left, right);
                }
            }
        }
        (Json::Array(left), Json::Array(right)) => {
            for index in 0..left.len().max(right.len()) {
                let left = left.get(index).unwrap_or(&Json::Null);
                let right = right.get(index).unwrap_or(&Json::Null);
                if left != right {
                    return first(path, left, right);
                }
            }
        }
        _ => {}
    }
    (path.to_owned(), expected.clone(), got.clone())
}

/// The text of a value without what differs from case to case: numbers, quoted texts and names of types.
fn shape(value: &Json) -> String {
    let text = match value {
        Json::Object(fields) => match fields.get("message").or_else(|| fields.get("repr")) {
            Some(Json::String(text)) => text.clone(),
            _ => fields.keys().cloned().collect::<Vec<_>>().join(" "),
        },
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut shape = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let mask = match c {
            '\'' | '"' => {
                while chars.next().is_some_and(|next| next != c) {}
                'Q'
            }
            _ if c.is_ascii_digit() => {
                while chars.next_if(|next| next.is_ascii_digit() || *next == '.').is_some() {}
                'N'
            }
            _ if c.is_uppercase() => {
                while chars.next_if(|next| next.is_alphanumeric() || *next == ':').is_some() {}
                'T'
            }
            other => other,
        };
        shape.push(mask);
    }
    for repeated in ["T, ", "Q, ", "N, ", "T[N]", "T[Q]", "T[T]"] {
        let twice = format!("{repeated}{repeated}");
        while shape.contains(&twice) {
            shape = shape.replace(&twice, repeated);
        }
    }
    shape.chars().take(160).collect()
}

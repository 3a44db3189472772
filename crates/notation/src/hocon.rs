//! HOCON: JSON with comments, unquoted text, dotted keys, objects that merge, and substitutions.

mod parser;
mod resolve;

use bunraku_pcore::Value;

/// How deep objects, arrays and substitutions may be nested.
const MAXIMUM_DEPTH: usize = 200;

/// The value of a HOCON text, or what is wrong with it.
pub fn value(text: &str) -> Result<Value, String> {
    resolve::resolve(&parser::parse(text)?)
}

/// A value as it is written.
#[derive(Debug, Clone)]
enum Node {
    Value(Value),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
    Substitution {
        path: Vec<String>,
        is_optional: bool,
    },
    /// Parts that stand beside each other, with the blanks between them.
    Concatenation(Vec<Node>),
    /// `+=`: what was there before, and one more element.
    Append(Option<Box<Node>>, Box<Node>),
}

/// Sets a field. Objects merge, with the new keys first; anything else is replaced.
fn set(fields: &mut Vec<(String, Node)>, path: &[String], value: Node) {
    let Some((first, rest)) = path.split_first() else { return };
    let position = fields.iter().position(|(name, _)| name == first);
    let existing = position.map(|position| fields.remove(position).1);
    let value = if rest.is_empty() {
        value
    } else {
        let mut inner = Vec::new();
        set(&mut inner, rest, value);
        Node::Object(inner)
    };
    let value = match (existing, value) {
        (Some(Node::Object(existing)), Node::Object(new)) => Node::Object(merge(existing, new)),
        (existing, Node::Append(None, element)) => Node::Append(existing.map(Box::new), element),
        (_, value) => value,
    };
    match position {
        Some(position) => fields.insert(position, (first.clone(), value)),
        None => fields.push((first.clone(), value)),
    }
}

fn merge(existing: Vec<(String, Node)>, new: Vec<(String, Node)>) -> Vec<(String, Node)> {
    let mut existing: Vec<Option<(String, Node)>> = existing.into_iter().map(Some).collect();
    let mut merged = Vec::with_capacity(existing.len());
    for (name, value) in new {
        let same = existing.iter_mut().find(|entry| entry.as_ref().is_some_and(|(known, _)| *known == name));
        let value = match (same.and_then(Option::take), value) {
            (Some((_, Node::Object(old))), Node::Object(new)) => Node::Object(merge(old, new)),
            (_, value) => value,
        };
        merged.push((name, value));
    }
    merged.extend(existing.into_iter().flatten());
    merged
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read() {
        let check = |text: &str, expected: &str| {
            let value = resolve::resolve(&parser::parse(text).unwrap()).unwrap();
            assert_eq!(bunraku_pcore::inspect::inspect(&value), expected, "{text}");
        };
        check(
            "a = 1, b : two words # c\nc { d = [1 2, \"x\"] }",
            r#"{"a"=>1, "b"=>"two words", "c"=>{"d"=>["1 2", "x"]}}"#,
        );
        check("a.b = 1\na { c = 2.0 }", r#"{"a"=>{"c"=>2, "b"=>1}}"#);
        check("a = 1\nb = ${a}${a}\nc = ${?none}\nd = x ${a}", r#"{"a"=>1, "b"=>"11", "d"=>"x 1"}"#);
        check("a = [1]\na += 2\nb = ${a} [3]", r#"{"a"=>[1, 2], "b"=>[1, 2, 3]}"#);
        check("{\"a\": {\"b\": null}}", r#"{"a"=>{"b"=>nil}}"#);
    }

    #[test]
    fn wrong_texts_are_refused() {
        let check = |text: &str, expected: &str| {
            let problem = match parser::parse(text) {
                Ok(tree) => resolve::resolve(&tree).unwrap_err(),
                Err(problem) => problem,
            };
            assert_eq!(problem, expected, "{text}");
        };
        check("a = {\n", "String: 2: expecting a close brace or a field name here, got end of file");
        check("a = ${b}", "String: 1: Could not resolve substitution to a value: ${b}");
        check("a = ${b}\nb = ${a}", "String: 1: Could not resolve substitution to a value: ${b}");
        check(
            "a = [",
            "String: 1: List should have ] or a first element after the open [, instead had token: end of file",
        );
    }
}

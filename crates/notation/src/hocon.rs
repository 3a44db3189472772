//! HOCON: JSON with comments, unquoted text, dotted keys, objects that merge, and substitutions.

mod parser;
mod resolve;

use bunraku_pcore::Value;
use bunraku_pcore::deep;
use indexmap::IndexMap;
use indexmap::map::Entry;

/// How deep objects, arrays and substitutions may be nested.
const MAXIMUM_DEPTH: usize = 200;

/// The value of a HOCON text, or what is wrong with it.
pub fn value(text: &str) -> Result<Value, String> {
    resolve::resolve(&merged(parser::parse(text)?))
}

/// The fields of an object in their order.
type Fields = IndexMap<String, Node>;

/// A value as it is written.
#[derive(Debug)]
enum Node {
    Value(Value),
    Array(Vec<Node>),
    Object(Fields),
    /// Objects of the same name, the first one first; there are none when everything has been read.
    Layers(Vec<Fields>),
    Substitution {
        path: Vec<String>,
        is_optional: bool,
    },
    /// Parts next to each other, with the blanks between them.
    Concatenation(Vec<Node>),
    /// `+=`: what was there before, and more elements.
    Append(Option<Box<Node>>, Vec<Node>),
}

/// Sets a field. Objects merge, anything else is replaced.
fn set(fields: &mut Fields, path: Vec<String>, value: Node) {
    let mut names = path.into_iter();
    let Some(first) = names.next() else { return };
    let value = names.rev().fold(value, |inner, name| Node::Object(IndexMap::from([(name, inner)])));
    match fields.entry(first) {
        Entry::Vacant(unset) => _ = unset.insert(value),
        Entry::Occupied(mut known) => {
            let existing = std::mem::replace(known.get_mut(), Node::Value(Value::Undef));
            known.insert(combined(existing, value));
        }
    }
}

fn combined(existing: Node, new: Node) -> Node {
    match (existing, new) {
        (Node::Object(existing), Node::Object(new)) => Node::Layers(vec![existing, new]),
        (Node::Layers(mut layers), Node::Object(new)) => {
            layers.push(new);
            Node::Layers(layers)
        }
        (Node::Append(base, mut elements), Node::Append(None, more)) => {
            elements.extend(more);
            Node::Append(base, elements)
        }
        (existing, Node::Append(None, elements)) => Node::Append(Some(Box::new(existing)), elements),
        (_, new) => new,
    }
}

/// The node with layers made into one object each.
fn merged(node: Node) -> Node {
    deep(|| match node {
        Node::Object(fields) => Node::Object(fields.into_iter().map(|(name, node)| (name, merged(node))).collect()),
        Node::Layers(layers) => Node::Object(merged_layers(layers)),
        Node::Array(nodes) => Node::Array(nodes.into_iter().map(merged).collect()),
        Node::Concatenation(nodes) => Node::Concatenation(nodes.into_iter().map(merged).collect()),
        Node::Append(base, nodes) => {
            Node::Append(base.map(|base| Box::new(merged(*base))), nodes.into_iter().map(merged).collect())
        }
        Node::Value(_) | Node::Substitution { .. } => node,
    })
}

/// The keys of the last object come first. A field has what the last object says, and where that is an object, too, what
/// the ones before it add.
fn merged_layers(layers: Vec<Fields>) -> Fields {
    let mut all: IndexMap<String, Vec<Node>> = IndexMap::new();
    for (name, node) in layers.into_iter().rev().flatten() {
        all.entry(name).or_default().push(node);
    }
    all.into_iter().map(|(name, nodes)| (name, merged_field(nodes))).collect()
}

/// What becomes of the nodes of a field, the last one first.
fn merged_field(nodes: Vec<Node>) -> Node {
    let mut layers = Vec::new();
    for node in nodes {
        match node {
            Node::Object(fields) => layers.push(fields),
            Node::Layers(inner) => layers.extend(inner.into_iter().rev()),
            other if layers.is_empty() => return merged(other),
            _ => break,
        }
    }
    layers.reverse();
    merged(Node::Layers(layers))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read() {
        let check = |text: &str, expected: &str| {
            let value = value(text).unwrap();
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
        check("a.b.c = 1\na.b.d = 2\na.e = 3\na.b = 4\na.b.f = 5", r#"{"a"=>{"b"=>{"f"=>5}, "e"=>3}}"#);
        check("a { b { c = 1 } }\na.b.d = 2\na { b.c = 3 }", r#"{"a"=>{"b"=>{"c"=>3, "d"=>2}}}"#);
    }

    #[test]
    fn long_texts_take_linear_time() {
        let count = 50_000;
        let begin = std::time::Instant::now();
        let check = |text: String, expected: usize| match value(&text).unwrap().get("a").unwrap() {
            Value::Array(elements) => assert_eq!(elements.len(), expected),
            Value::Hash(hash) => assert_eq!(hash.len(), expected),
            other => assert_eq!(other.to_string(), "no collection"),
        };
        check("a += 1\n".repeat(count), count);
        check((0..count).map(|number| format!("a.k{number} = 1\n")).collect(), count);
        check(format!("a {{ {} }}", (0..count).map(|number| format!("k{number} = 1\n")).collect::<String>()), count);
        assert!(begin.elapsed() < std::time::Duration::from_secs(60));
    }

    #[test]
    fn deep_texts_are_refused() {
        let problem = "String: 1: objects and arrays are nested too deeply";
        for text in [
            "a.".repeat(50_000) + "a = 1",
            "a {".repeat(50_000),
            format!("a = {}", "[".repeat(50_000)),
            "a.a.a {".repeat(100),
        ] {
            assert_eq!(value(&text).unwrap_err(), problem);
        }
        assert!(value(&("a.".repeat(100) + "a = 1")).is_ok());
    }

    #[test]
    fn wrong_texts_are_refused() {
        let check = |text: &str, expected: &str| {
            assert_eq!(value(text).unwrap_err(), expected, "{text}");
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

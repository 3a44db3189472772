//! What Psych makes of the nodes of a YAML text.

use std::rc::Rc;

use bunraku_notation::yaml::scalar::{self, Fault, Scalar};
use bunraku_notation::yaml::{Content, Form, Node};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::interpreter::hash::Entries;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Hash, Value};
use crate::interpreter::{Outcome, Vm};

/// The tag of a string.
const STRING: &str = "tag:yaml.org,2002:str";

/// What a caller of `load` and its kin allows and wants.
#[derive(Clone, Default)]
pub(super) struct Options {
    /// The classes that may be made; all, if there is no list.
    pub(super) classes: Option<Vec<String>>,
    /// The symbols that may be made; all, if there is no list.
    pub(super) symbols: Option<Vec<Sym>>,
    pub(super) aliases: bool,
    pub(super) symbolize: bool,
    pub(super) freeze: bool,
}

/// Makes values of nodes.
pub(super) struct Builder<'v> {
    pub(super) vm: &'v mut Vm,
    pub(super) options: Options,
    anchors: FxHashMap<String, Value>,
}

/// The object that a tag asks for: what kind, and of which class.
type Kind<'t> = (&'static str, &'t str);

impl Builder<'_> {
    pub(super) fn new(vm: &mut Vm, options: Options) -> Builder<'_> {
        Builder { vm, options, anchors: FxHashMap::default() }
    }

    pub(super) fn value(&mut self, node: &Node) -> Outcome {
        self.vm.step()?;
        let value = match &node.content {
            Content::Alias(name) => return self.alias(name),
            Content::Scalar(text, form) => {
                let value = self.scalar(text, *form, node.tag.as_deref())?;
                self.register(node, value)
            }
            Content::Sequence(items) => self.sequence(node, items)?,
            Content::Mapping(pairs) => self.mapping(node, pairs)?,
        };
        if self.options.freeze {
            value.freeze();
        }
        Ok(value)
    }

    fn register(&mut self, node: &Node, value: Value) -> Value {
        if let Some(anchor) = &node.anchor {
            self.anchors.insert(anchor.clone(), value.clone());
        }
        value
    }

    fn alias(&mut self, name: &str) -> Outcome {
        match self.anchors.get(name) {
            Some(value) if self.options.aliases => Ok(value.clone()),
            _ => Err(self.vm.scoped_error("Psych", "BadAlias", &format!("Unknown alias: {name}"))),
        }
    }

    fn disallowed(&mut self, class: &str) -> Box<crate::interpreter::Stop> {
        self.vm.scoped_error("Psych", "DisallowedClass", &format!("Tried to load unspecified class: {class}"))
    }

    fn check_class(&mut self, class: &str) -> Outcome<()> {
        match &self.options.classes {
            Some(classes) if !classes.iter().any(|known| known == class) => Err(self.disallowed(class)),
            _ => Ok(()),
        }
    }

    /// The class of a name; nothing for no name.
    fn class(&mut self, name: &str) -> Outcome {
        if name.is_empty() {
            return Ok(Value::Nil);
        }
        self.check_class(name)?;
        match self.vm.constant_at(name) {
            Ok(class) => Ok(class),
            Err(_) => Err(self.vm.argument_error(&format!("undefined class/module {name}"))),
        }
    }

    fn symbol(&mut self, name: &str) -> Outcome {
        self.check_class("Symbol")?;
        let name = self.vm.intern(name)?;
        match &self.options.symbols {
            Some(symbols) if !symbols.contains(&name) => Err(self.disallowed("Symbol")),
            _ => Ok(Value::Sym(name)),
        }
    }

    fn scalar(&mut self, text: &str, form: Form, tag: Option<&str>) -> Outcome {
        if form != Form::Plain {
            return Ok(Value::str(text));
        }
        let Some(tag) = tag else { return self.plain(text) };
        match tag {
            "!binary" | "tag:yaml.org,2002:binary" => {
                let text = Value::str(text);
                let bytes = self.vm.send(&text, Sym::new("unpack1"), &[Value::str("m")])?;
                return Ok(bytes);
            }
            "!float" | "tag:yaml.org,2002:float" => {
                let value = self.plain(text)?;
                let main = self.vm.main.clone();
                return self.vm.send(&main, Sym::new("Float"), &[value]);
            }
            _ if tag.starts_with("!ruby/sym") => return self.symbol(text),
            _ => {}
        }
        if let Some(class) = text_class(tag) {
            let class = self.class(class)?;
            return if class.is_nil() { Ok(Value::str(text)) } else { self.make("string", class, text, Value::Nil) };
        }
        let (kind, class) = match tag {
            "!ruby/object:BigDecimal" => ("decimal", "BigDecimal"),
            "!ruby/object:DateTime" => ("date_time", "DateTime"),
            "!ruby/object:Complex" => ("complex", "Complex"),
            "!ruby/object:Rational" => ("rational", "Rational"),
            "!ruby/encoding" => ("encoding", ""),
            "!ruby/regexp" => ("regexp", "Regexp"),
            "!ruby/range" => ("range", "Range"),
            "!ruby/class" | "!ruby/module" => return self.class(text),
            _ => return self.plain(text),
        };
        self.check_class_of(class)?;
        if kind == "range" {
            return self.range(text);
        }
        self.make(kind, Value::Nil, text, Value::Nil)
    }

    fn check_class_of(&mut self, class: &str) -> Outcome<()> {
        if class.is_empty() { Ok(()) } else { self.check_class(class) }
    }

    fn range(&mut self, text: &str) -> Outcome {
        let (start, rest) = text.split_once("..").unwrap_or((text, ""));
        let (excludes_end, end) = match rest.strip_prefix('.') {
            Some(end) => (true, end),
            None => (false, rest),
        };
        let (start, end) = (self.plain(start)?, self.plain(end)?);
        Ok(Value::range(start, end, excludes_end))
    }

    /// What a scalar without a tag means.
    fn plain(&mut self, text: &str) -> Outcome {
        Ok(match scalar::resolve(text) {
            Ok(Scalar::Undef) => Value::Nil,
            Ok(Scalar::Boolean(value)) => Value::Bool(value),
            Ok(Scalar::Integer(number)) => Value::Int(number),
            Ok(Scalar::BigInteger(text)) => big(text).map_or_else(|| Value::str(text), Value::big),
            Ok(Scalar::Float(number)) => Value::Float(number),
            Ok(Scalar::String(text)) => Value::str(text),
            Ok(Scalar::Symbol(name)) => return self.symbol(name),
            Err(Fault::Class(class)) => {
                self.check_class(&class)?;
                let kind = if class == "Date" { "date" } else { "time" };
                return self.make(kind, Value::Nil, text, Value::Nil);
            }
            Err(Fault::Number(message)) => return Err(self.vm.argument_error(&message)),
        })
    }

    /// An object that the library's part in Ruby makes.
    fn make(&mut self, kind: &'static str, class: Value, text: &str, data: Value) -> Outcome {
        let psych = self.vm.constant_at("Psych")?;
        self.vm.send(&psych, Sym::new("__revive"), &[Value::sym(kind), class, Value::str(text), data])
    }

    fn sequence(&mut self, node: &Node, items: &[Node]) -> Outcome {
        let tag = node.tag.as_deref().unwrap_or_default();
        let list = Value::array(Vec::new());
        let class = match tag.strip_prefix("!seq:").or_else(|| tag.strip_prefix("!ruby/array:")) {
            Some(class) => self.class(class)?,
            None => Value::Nil,
        };
        let is_plain = class.is_nil() && !is_ordered_map(tag);
        if is_plain {
            self.register(node, list.clone());
        }
        for item in items {
            let item = self.deeper(item)?;
            if let Value::Array(list) = &list {
                list.items.borrow_mut().push(item);
            }
        }
        if is_plain {
            return Ok(list);
        }
        let kind = if class.is_nil() { "ordered" } else { "list" };
        let made = self.make(kind, class, tag, list)?;
        Ok(self.register(node, made))
    }

    fn deeper(&mut self, node: &Node) -> Outcome {
        bunraku_pcore::deep(|| self.value(node))
    }

    fn mapping(&mut self, node: &Node, pairs: &[(Node, Node)]) -> Outcome {
        let tag = node.tag.as_deref().unwrap_or_default();
        let Some((kind, name)) = kind_of(tag) else {
            let made = Rc::new(Hash::default());
            let value = self.register(node, Value::Hash(made.clone()));
            self.fill(&made, pairs)?;
            return Ok(value);
        };
        let default = match kind {
            "struct" => "Struct",
            "object" => "Object",
            "exception" => "Exception",
            "range" => "Range",
            "set" => "Psych::Set",
            "ordered" => "Psych::Omap",
            _ => "",
        };
        let class = match (self.class(name)?, default) {
            (Value::Nil, "") => Value::Nil,
            (Value::Nil, default) => self.class(default)?,
            (class, _) => class,
        };
        if kind == "object" {
            let object = self.vm.send(&class, Sym::new("allocate"), &[])?;
            let object = self.register(node, object);
            let made = Rc::new(Hash::default());
            self.fill(&made, pairs)?;
            return self.make("filled", object, tag, Value::Hash(made));
        }
        let mut entries = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let (key, value) = (self.deeper(key)?, self.deeper(value)?);
            entries.push(Value::pair(key, value));
        }
        let made = self.make(kind, class, tag, Value::array(entries))?;
        Ok(self.register(node, made))
    }

    fn fill(&mut self, made: &Rc<Hash>, pairs: &[(Node, Node)]) -> Outcome<()> {
        made.entries.borrow_mut().reserve(pairs.len());
        for (key_node, value_node) in pairs {
            let key = self.deeper(key_node)?;
            let value = self.deeper(value_node)?;
            let is_merge = matches!(&key, Value::Str(text) if *text.bytes.borrow() == b"<<")
                && key_node.tag.as_deref() != Some(STRING);
            if is_merge && let Some(merged) = merged(&value, value_node) {
                made.entries.borrow_mut().extend(merged);
                continue;
            }
            let key = match key {
                Value::Str(name) if self.options.symbolize && !is_merge => Value::Sym(self.vm.intern(&name.to_text())?),
                key => key,
            };
            let key = self.vm.key_to_add(&key)?;
            made.entries.borrow_mut().insert(key, value);
        }
        Ok(())
    }
}

/// What stands at `<<`, if it is something that can be merged.
fn merged(value: &Value, node: &Node) -> Option<Entries> {
    match (&node.content, value) {
        (Content::Alias(_) | Content::Mapping(_), Value::Hash(source)) => Some(source.entries.borrow().clone()),
        (Content::Sequence(_), Value::Array(sources)) => {
            let mut merged = Entries::default();
            for source in sources.items.borrow().iter().rev() {
                let Value::Hash(source) = source else { return None };
                merged.extend(source.entries.borrow().iter().map(|(key, value)| (key.clone(), value.clone())));
            }
            Some(merged)
        }
        _ => None,
    }
}

fn is_ordered_map(tag: &str) -> bool {
    matches!(tag, "!omap" | "tag:yaml.org,2002:omap")
}

/// The class named by `!str:Class`; empty for the plain tags of strings.
fn text_class(tag: &str) -> Option<&str> {
    if matches!(tag, "!str" | "!ruby/string" | STRING) {
        return Some("");
    }
    tag.strip_prefix("!str:").or_else(|| tag.strip_prefix("!ruby/string:"))
}

/// What the tag of a mapping asks for; nothing for a hash.
fn kind_of(tag: &str) -> Option<Kind<'_>> {
    let after = |prefix: &str| tag.strip_prefix(prefix).map(|name| name.strip_prefix(':').unwrap_or(name));
    if let Some(name) = after("!ruby/struct") {
        return Some(("struct", name));
    }
    if let Some(name) = after("!ruby/object") {
        return (name != "Hash").then_some(("object", name));
    }
    if let Some(name) = after("!ruby/exception") {
        return Some(("exception", name));
    }
    if let Some(name) = text_class(tag) {
        return Some(("text", name));
    }
    if is_ordered_map(tag) {
        return Some(("ordered", ""));
    }
    match tag {
        "!ruby/range" => return Some(("range", "")),
        "!set" | "tag:yaml.org,2002:set" => return Some(("set", "")),
        _ => {}
    }
    let prefixes: [Kind<'_>; 5] = [
        ("array", "!ruby/array:"),
        ("hash_with_variables", "!ruby/hash-with-ivars:"),
        ("hash", "!map:"),
        ("hash", "!ruby/hash:"),
        ("marshalable", "!ruby/marshalable:"),
    ];
    prefixes.into_iter().find_map(|(kind, prefix)| Some((kind, tag.strip_prefix(prefix)?)))
}

/// An integer beyond 64 bits, as YAML writes it.
fn big(text: &str) -> Option<BigInt> {
    let digits: String = text.chars().filter(|digit| !matches!(digit, ',' | '_')).collect();
    let (sign, unsigned) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits.strip_prefix('+').unwrap_or(&digits)),
    };
    let (radix, unsigned) = match unsigned.as_bytes() {
        [b'0', b'b', ..] => (2, unsigned.get(2..)?),
        [b'0', b'x', ..] => (16, unsigned.get(2..)?),
        [b'0', ..] => (8, unsigned),
        _ => (10, unsigned),
    };
    BigInt::parse_bytes(format!("{sign}{unsigned}").as_bytes(), radix)
}

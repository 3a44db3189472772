//! The nodes with which Psych writes values.

use bunraku_notation::yaml::{Content, Form, Node};
use rustc_hash::FxHashMap;

use crate::interpreter::class::Class;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Encoding, Value};
use crate::interpreter::{Outcome, Vm};
use crate::methods::pack;

/// Makes nodes of values.
#[derive(Default)]
pub(super) struct Dumper {
    /// The node of every object that aliases may call, by its address.
    known: FxHashMap<usize, usize>,
    /// The numbers that aliases call nodes by, in the order of the first aliases.
    numbers: FxHashMap<usize, usize>,
    /// Objects that were made for this text: as long as they are there, no other has their place.
    kept: Vec<Value>,
}

impl Dumper {
    /// The node of a value.
    pub(super) fn document(&mut self, vm: &mut Vm, value: &Value) -> Outcome<Node> {
        let mut node = self.node(vm, value)?;
        self.name_anchors(&mut node);
        Ok(node)
    }

    fn node(&mut self, vm: &mut Vm, value: &Value) -> Outcome<Node> {
        vm.step()?;
        let plain = |text: String| Node::new(Content::Scalar(text, Form::Plain));
        Ok(match value {
            Value::Nil => plain(String::new()),
            Value::Bool(it) => plain(it.to_string()),
            Value::Int(it) => plain(it.to_string()),
            Value::Big(it) => plain(it.to_string()),
            Value::Float(it) if it.is_nan() => plain(".nan".to_owned()),
            Value::Float(it) if it.is_infinite() => plain(if *it > 0.0 { ".inf" } else { "-.inf" }.to_owned()),
            Value::Float(it) => plain(crate::interpreter::show::float(*it)),
            Value::Sym(name) if name.as_str().is_empty() => tagged("!ruby/symbol", plain(String::new())),
            Value::Sym(name) => plain(format!(":{}", name.as_str())),
            Value::Str(string) if !has_variables(value) => {
                let node = if string.encoding.get() == Encoding::Binary && !string.is_ascii() {
                    let text = pack::base64(&string.bytes.borrow(), usize::MAX);
                    let text = String::from_utf8_lossy(&text).trim_end().to_owned();
                    tagged("!binary", Node::new(Content::Scalar(text, Form::Literal)))
                } else {
                    let text = match string.encoding.get() {
                        Encoding::Utf8 | Encoding::Ascii | Encoding::Binary => string.to_text(),
                        _ => {
                            let utf8 = vm.send(value, Sym::new("encode"), &[Value::str("UTF-8")])?;
                            vm.text(&utf8)?
                        }
                    };
                    Node::new(Content::Scalar(text, Form::Text))
                };
                match string.head.class().map(|class| class.real()) {
                    Some(class) if !is_own(vm, &class) => tagged(&format!("!ruby/string:{}", vm.name_of(&class)), node),
                    _ => node,
                }
            }
            Value::Array(items) if value.plain_class() => {
                let (index, alias) = self.register(value);
                if let Some(alias) = alias {
                    return Ok(alias);
                }
                let items = items.items.borrow().clone();
                numbered(index, Content::Sequence(self.all(vm, &items)?))
            }
            Value::Hash(table) if value.plain_class() => {
                let (index, alias) = self.register(value);
                if let Some(alias) = alias {
                    return Ok(alias);
                }
                let entries = table.entries.borrow().clone();
                let mut pairs = Vec::with_capacity(entries.len());
                for (key, value) in &entries {
                    pairs.push((self.deeper(vm, &key.value)?, self.deeper(vm, value)?));
                }
                numbered(index, Content::Mapping(pairs))
            }
            other => self.object(vm, other)?,
        })
    }

    fn deeper(&mut self, vm: &mut Vm, value: &Value) -> Outcome<Node> {
        vm.deeper(|vm| self.node(vm, value))
    }

    fn all(&mut self, vm: &mut Vm, items: &[Value]) -> Outcome<Vec<Node>> {
        items.iter().map(|item| self.deeper(vm, item)).collect()
    }

    /// The number of the node of an object, or what stands for the object if it has been seen.
    fn register(&mut self, value: &Value) -> (usize, Option<Node>) {
        let Some(address) = value.address() else { return (0, None) };
        let next = self.known.len().saturating_add(1);
        let index = *self.known.entry(address).or_insert(next);
        if index == next {
            self.kept.push(value.clone());
            return (index, None);
        }
        let number = self.numbers.len().saturating_add(1);
        let number = *self.numbers.entry(index).or_insert(number);
        (index, Some(Node::new(Content::Alias(number.to_string()))))
    }

    /// An object as the library's part in Ruby describes it.
    fn object(&mut self, vm: &mut Vm, value: &Value) -> Outcome<Node> {
        let (index, alias) = self.register(value);
        if let Some(alias) = alias {
            return Ok(alias);
        }
        let psych = vm.constant_at("Psych")?;
        let described = vm.send(&psych, Sym::new("__describe"), std::slice::from_ref(value))?;
        let parts = vm.items(&described)?;
        let [kind, tag, data] = parts.as_slice() else { return Err(vm.type_error("can't dump this object")) };
        let tag = if tag.is_nil() { None } else { Some(vm.to_s(tag)?) };
        let mut node = match kind {
            Value::Sym(kind) if kind.as_str() == "plain" => Node::new(Content::Scalar(vm.to_s(data)?, Form::Plain)),
            Value::Sym(kind) if kind.as_str() == "text" => Node::new(Content::Scalar(vm.to_s(data)?, Form::Text)),
            Value::Sym(kind) if kind.as_str() == "quoted" => Node::new(Content::Scalar(vm.to_s(data)?, Form::Quoted)),
            Value::Sym(kind) if kind.as_str() == "list" => {
                let items = vm.items(data)?;
                numbered(index, Content::Sequence(self.all(vm, &items)?))
            }
            Value::Sym(kind) if kind.as_str() == "value" => return self.deeper(vm, data),
            _ => {
                let mut pairs = Vec::new();
                for pair in vm.items(data)? {
                    let pair = vm.items(&pair)?;
                    if let [key, value] = pair.as_slice() {
                        pairs.push((self.deeper(vm, key)?, self.deeper(vm, value)?));
                    }
                }
                numbered(index, Content::Mapping(pairs))
            }
        };
        self.kept.push(described);
        node.tag = tag;
        Ok(node)
    }

    /// Gives nodes that aliases call the names by which they do, and the others none.
    fn name_anchors(&self, node: &mut Node) {
        bunraku_pcore::deep(|| {
            if let Some(anchor) = node.anchor.take() {
                let number = anchor.parse().ok().and_then(|index: usize| self.numbers.get(&index));
                node.anchor = number.map(ToString::to_string);
            }
            match &mut node.content {
                Content::Sequence(items) => items.iter_mut().for_each(|item| self.name_anchors(item)),
                Content::Mapping(pairs) => {
                    for (key, value) in pairs {
                        self.name_anchors(key);
                        self.name_anchors(value);
                    }
                }
                Content::Alias(_) | Content::Scalar(..) => {}
            }
        });
    }
}

fn has_variables(value: &Value) -> bool {
    value.head().is_some_and(|head| head.has_variables())
}

fn is_own(vm: &Vm, class: &Class) -> bool {
    std::ptr::eq(class, &*vm.core.string)
}

fn tagged(tag: &str, node: Node) -> Node {
    Node { tag: Some(tag.to_owned()), ..node }
}

/// A collection under the number of its object.
fn numbered(index: usize, content: Content) -> Node {
    Node { anchor: Some(index.to_string()), ..Node::new(content) }
}

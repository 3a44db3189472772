//! `YAML`, which is Psych: its texts, and what it makes of them.

mod dump;
mod load;

use std::rc::Rc;

use bunraku_notation::yaml::{self, Content, Form, Layout, Node};

use crate::interpreter::class::{Class, Kind};
use crate::interpreter::code::Args;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Encoding, Value};
use crate::interpreter::{Outcome, Stop, Vm};

use dump::Dumper;
use load::{Builder, Options};

/// The width of lines that are never broken.
const UNLIMITED: usize = usize::MAX;

pub(super) fn define(core: &Core) {
    let module = core.class_named("Psych", Kind::Module, None);
    core.object.constants.borrow_mut().insert(Sym::new("YAML"), Value::Class(module.clone()));
    core.add_own(&module, OWN);
    core.add(&core.object, &[Row("to_yaml", 0, -1, dump)]);
    let within = |name: &str, above: &Rc<Class>| {
        let class = Class::new(Some(&format!("Psych::{name}")), Kind::Class, Some(above.clone()));
        module.constants.borrow_mut().insert(Sym::new(name), Value::Class(class.clone()));
        class
    };
    let above = match core.object.constant(Sym::new("RuntimeError")) {
        Some(Value::Class(above)) => above,
        _ => core.standard_error.clone(),
    };
    let error = within("Exception", &above);
    within("BadAlias", &error);
    within("DisallowedClass", &error);
    within("SyntaxError", &error);
}

const OWN: &[Row] = &[
    Row("dump", 1, -1, |vm, _, args| dump(vm, args.at(0), args.after_first())),
    Row("load", 1, -1, |vm, _, args| load(vm, args, Some(&["Symbol"]), Value::Nil)),
    Row("safe_load", 1, -1, |vm, _, args| load(vm, args, Some(&[]), Value::Nil)),
    Row("unsafe_load", 1, -1, |vm, _, args| load(vm, args, None, Value::Bool(false))),
    Row("load_stream", 1, -1, load_stream),
    Row("__nodes", 3, 3, |vm, _, args| {
        let nodes = read(vm, args.at(0), args.at(1), args.at(2).is_truthy())?;
        Ok(Value::array(nodes.iter().map(parts).collect()))
    }),
    Row("__write", 1, 1, |vm, _, args| {
        let node = node_of(vm, args.at(0))?;
        Ok(Value::str(yaml::emit_node(&node, &Layout::default())))
    }),
    Row("__value", 3, 3, |vm, _, args| {
        let options = Options {
            aliases: true,
            symbolize: args.at(1).is_truthy(),
            freeze: args.at(2).is_truthy(),
            ..Options::default()
        };
        let nodes = read(vm, args.at(0), &Value::Nil, false)?;
        nodes.first().map_or(Ok(Value::Nil), |node| Builder::new(vm, options).value(node))
    }),
];

fn dump(vm: &mut Vm, value: &Value, args: Args<'_>) -> Outcome {
    let mut layout = Layout::default();
    if let Some(blanks) = args.keyword("indentation") {
        let wanted = usize::try_from(vm.to_int(&blanks)?).unwrap_or(2);
        layout.indentation = if (2..=9).contains(&wanted) { wanted } else { 2 };
    }
    if let Some(width) = args.keyword("line_width") {
        layout.width = match vm.to_int(&width)? {
            -1 => UNLIMITED,
            0 => layout.width,
            width => match usize::try_from(width) {
                Ok(width) => width,
                Err(_) => {
                    let message = format!("Invalid line_width {width}, must be non-negative or -1 for unlimited.");
                    return Err(vm.argument_error(&message));
                }
            },
        };
    }
    layout.has_version = args.keyword("header").is_some_and(|it| it.is_truthy())
        || args.keyword("version").is_some_and(|it| it.is_truthy());
    let node = Dumper::default().document(vm, value)?;
    let text = yaml::emit_node(&node, &layout);
    vm.count_made(text.len())?;
    match args.values.first() {
        Some(io) if !matches!(io, Value::Hash(_) | Value::Nil) => {
            vm.send(io, Sym::new("write"), &[Value::str(text)])?;
            Ok(io.clone())
        }
        _ => Ok(Value::str(text)),
    }
}

/// The text of a string or of something that can be read from.
fn text_of(vm: &mut Vm, source: &Value) -> Outcome<Vec<u8>> {
    let text = match source {
        Value::Object(_) if vm.responds_to(source, Sym::new("read")) => vm.send(source, Sym::new("read"), &[])?,
        other => other.clone(),
    };
    let string = vm.to_str(&text)?;
    if matches!(string.encoding.get(), Encoding::Utf16Le | Encoding::Utf16Be) {
        let utf8 = vm.send(&text, Sym::new("encode"), &[Value::str("UTF-8")])?;
        return Ok(vm.to_str(&utf8)?.bytes.borrow().clone());
    }
    let bytes = string.bytes.borrow().clone();
    Ok(bytes)
}

fn read(vm: &mut Vm, source: &Value, name: &Value, all: bool) -> Outcome<Vec<Node>> {
    let bytes = text_of(vm, source)?;
    let file = if name.is_nil() { "<unknown>".to_owned() } else { vm.to_s(name)? };
    yaml::nodes(&bytes, &file, all).map_err(|error| syntax_error(vm, &error, name))
}

fn syntax_error(vm: &mut Vm, error: &yaml::Error, name: &Value) -> Box<Stop> {
    let mut stop = vm.scoped_error("Psych", "SyntaxError", &error.message);
    if let Stop::Raise(exception) = &mut *stop {
        let (line, column) = error.place.unwrap_or((0, 0));
        let number = |number: u64| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
        let text = |text: &str| if text.is_empty() { Value::Nil } else { Value::str(text) };
        let context = error.context;
        let problem = error.problem().strip_suffix(context).unwrap_or(error.problem()).trim_end();
        for (variable, value) in [
            ("@file", name.clone()),
            ("@line", number(line)),
            ("@column", number(column)),
            ("@offset", Value::Int(0)),
            ("@problem", text(problem)),
            ("@context", text(context)),
        ] {
            exception.set_variable(Sym::new(variable), value);
        }
    }
    stop
}

fn load(vm: &mut Vm, args: Args<'_>, classes: Option<&[&str]>, otherwise: Value) -> Outcome {
    let given = args.after_first();
    let name = Value::from(given.keyword("filename"));
    let options = options(vm, &given, classes)?;
    let nodes = read(vm, args.at(0), &name, false)?;
    match nodes.first() {
        Some(node) => Builder::new(vm, options).value(node),
        None => Ok(given.keyword("fallback").unwrap_or(otherwise)),
    }
}

/// What the keywords of a call allow.
fn options(vm: &mut Vm, given: &Args<'_>, classes: Option<&[&str]>) -> Outcome<Options> {
    let is = |name: &str| given.keyword(name).is_some_and(|it| it.is_truthy());
    let mut options = Options {
        classes: classes.map(|classes| classes.iter().map(ToString::to_string).collect()),
        symbols: None,
        aliases: classes.is_none() || is("aliases"),
        symbolize: is("symbolize_names"),
        freeze: is("freeze"),
    };
    if classes.is_none() {
        return Ok(options);
    }
    if let Some(permitted) = given.keyword("permitted_classes").filter(|it| it.is_truthy()) {
        let mut names = Vec::new();
        for class in vm.items(&permitted)? {
            names.push(vm.to_s(&class)?);
        }
        options.classes = Some(names);
    }
    if let Some(permitted) = given.keyword("permitted_symbols").filter(|it| it.is_truthy()) {
        let mut names = Vec::new();
        for name in vm.items(&permitted)? {
            names.push(vm.name(&name)?);
        }
        options.symbols = (!names.is_empty()).then_some(names);
    }
    Ok(options)
}

fn load_stream(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let given = args.after_first();
    let name = Value::from(given.keyword("filename"));
    let mut options = options(vm, &given, None)?;
    options.aliases = true;
    let mut values = Vec::new();
    for node in read(vm, args.at(0), &name, true)? {
        let value = Builder::new(vm, options.clone()).value(&node)?;
        match args.block {
            Some(block) => {
                vm.call_block(block, &[value])?;
            }
            None => values.push(value),
        }
    }
    Ok(Value::array(values))
}

/// A node as the library's part in Ruby takes it.
fn parts(node: &Node) -> Value {
    let text = |text: &Option<String>| text.as_deref().map_or(Value::Nil, Value::from);
    let (kind, content, is_quoted) = match &node.content {
        Content::Alias(name) => return Value::array(vec![Value::sym("alias"), Value::from(name.as_str())]),
        Content::Scalar(value, form) => ("scalar", Value::from(value.as_str()), *form != Form::Plain),
        Content::Sequence(items) => ("sequence", Value::array(items.iter().map(parts).collect()), false),
        Content::Mapping(pairs) => {
            let all = pairs.iter().flat_map(|(key, value)| [parts(key), parts(value)]);
            ("mapping", Value::array(all.collect()), false)
        }
    };
    let is_quoted = Value::Bool(is_quoted);
    Value::array(vec![Value::sym(kind), text(&node.anchor), text(&node.tag), content, is_quoted])
}

/// The inverse of [`parts`].
fn node_of(vm: &mut Vm, parts: &Value) -> Outcome<Node> {
    let mut items = vm.items(parts)?.into_iter();
    let mut next = || items.next().unwrap_or(Value::Nil);
    let (kind, anchor, tag, content, is_quoted) = (next(), next(), next(), next(), next());
    let kind = vm.to_s(&kind)?;
    let anchor = if anchor.is_nil() { None } else { Some(vm.to_s(&anchor)?) };
    let tag = if tag.is_nil() { None } else { Some(vm.to_s(&tag)?) };
    if kind == "alias" {
        return Ok(Node::new(Content::Alias(anchor.unwrap_or_default())));
    }
    if kind == "scalar" {
        let form = if is_quoted.is_truthy() { Form::Quoted } else { Form::Plain };
        return Ok(Node { anchor, tag, content: Content::Scalar(vm.to_s(&content)?, form) });
    }
    let mut nodes = Vec::new();
    for part in vm.items(&content)? {
        nodes.push(vm.deeper(|vm| node_of(vm, &part))?);
    }
    if kind == "sequence" {
        return Ok(Node { anchor, tag, content: Content::Sequence(nodes) });
    }
    let mut pairs = Vec::new();
    let mut nodes = nodes.into_iter();
    while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
        pairs.push((key, value));
    }
    Ok(Node { anchor, tag, content: Content::Mapping(pairs) })
}

//! `JSON`: generating. Parsing is in `json_parse`.

use std::rc::Rc;

use crate::interpreter::class::{Body, Class, Kind};
use crate::interpreter::code::Args;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::show::{float, number};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Object, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) fn define(core: &Core) {
    let module = core.class_named("JSON", Kind::Module, None);
    core.add_own(&module, OWN);
    core.add_own(&module, super::json_parse::OWN);
    core.add(
        &core.object,
        &[Row("to_json", 0, -1, |vm, this, args| {
            if let Value::Object(object) = args.at(0)
                && let Some(state) = object.data::<State>()
            {
                let mut text = String::new();
                write(vm, this, &state.options, state.depth, &mut text)?;
                return Ok(Value::str(text));
            }
            let options = Options::new(vm, args, Options::default())?;
            generate(vm, this, &options)
        })],
    );
    let within = |name: &str, above: &Rc<Class>| {
        let class = Class::new(Some(&format!("JSON::{name}")), Kind::Class, Some(above.clone()));
        module.constants.borrow_mut().insert(Sym::new(name), Value::Class(class.clone()));
        class
    };
    let error = within("JSONError", &core.standard_error);
    let parser = within("ParserError", &error);
    within("NestingError", &parser);
    within("GeneratorError", &error);
    let state = Class::new(Some("JSON::Ext::Generator::State"), Kind::Class, Some(core.object.clone()));
    module.constants.borrow_mut().insert(Sym::new("State"), Value::Class(state));
}

/// How far writing has come: what `to_json` of a class is given, and hands on.
struct State {
    options: Options,
    depth: usize,
}

const OWN: &[Row] = &[
    Row("[]", 1, -1, |vm, this, args| {
        let name = if matches!(args.at(0), Value::Str(_)) { "parse" } else { "generate" };
        vm.send_with(this, Sym::new(name), args, true)
    }),
    Row("generate", 1, -1, |vm, _, args| {
        let options = Options::new(vm, args.after_first(), Options::default())?;
        generate(vm, args.at(0), &options)
    }),
    Row("dump", 1, 3, |vm, _, args| {
        let plain = Options { allow_nan: true, max_nesting: 0, ..Options::default() };
        let text = generate(vm, args.at(0), &plain)?;
        match args.at(1) {
            stream @ Value::Object(_) => {
                vm.send(stream, Sym::new("write"), &[text])?;
                Ok(stream.clone())
            }
            _ => Ok(text),
        }
    }),
    Row("pretty_generate", 1, -1, |vm, _, args| {
        let pretty = Options {
            indent: "  ".to_string(),
            space: " ".to_string(),
            object_nl: "\n".to_string(),
            array_nl: "\n".to_string(),
            ..Options::default()
        };
        let options = Options::new(vm, args.after_first(), pretty)?;
        generate(vm, args.at(0), &options)
    }),
];

/// How it is written.
#[derive(Clone)]
struct Options {
    indent: String,
    space: String,
    space_before: String,
    object_nl: String,
    array_nl: String,
    allow_nan: bool,
    ascii_only: bool,
    script_safe: bool,
    max_nesting: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            indent: String::new(),
            space: String::new(),
            space_before: String::new(),
            object_nl: String::new(),
            array_nl: String::new(),
            allow_nan: false,
            ascii_only: false,
            script_safe: false,
            max_nesting: 100,
        }
    }
}

impl Options {
    fn new(vm: &mut Vm, args: Args<'_>, mut options: Options) -> Outcome<Options> {
        let texts: [(&str, &mut String); 5] = [
            ("indent", &mut options.indent),
            ("space", &mut options.space),
            ("space_before", &mut options.space_before),
            ("object_nl", &mut options.object_nl),
            ("array_nl", &mut options.array_nl),
        ];
        for (name, text) in texts {
            if let Some(value) = args.keyword(name) {
                *text = vm.to_s(&value)?;
            }
        }
        let is_set = |name: &str| args.keyword(name).is_some_and(|it| it.is_truthy());
        options.allow_nan |= is_set("allow_nan");
        options.ascii_only |= is_set("ascii_only");
        options.script_safe |= is_set("script_safe") || is_set("escape_slash");
        if let Some(most) = args.keyword("max_nesting") {
            options.max_nesting = if most.is_truthy() { usize::try_from(vm.to_int(&most)?).unwrap_or(0) } else { 0 };
        }
        Ok(options)
    }
}

fn generate(vm: &mut Vm, value: &Value, options: &Options) -> Outcome {
    let mut text = String::new();
    write(vm, value, options, 0, &mut text)?;
    Ok(Value::str(text))
}

fn write(vm: &mut Vm, value: &Value, options: &Options, depth: usize, text: &mut String) -> Outcome<()> {
    vm.check_size(text.len())?;
    if matches!(value, Value::Array(_) | Value::Hash(_)) && options.max_nesting > 0 && depth >= options.max_nesting {
        let message = format!("nesting of {depth} is too deep");
        return Err(vm.scoped_error("JSON", "NestingError", &message));
    }
    match value {
        Value::Nil => text.push_str("null"),
        Value::Float(it) if !it.is_finite() && !options.allow_nan => {
            let message = format!("1000: {} not allowed in JSON", float(*it));
            return Err(vm.scoped_error("JSON", "GeneratorError", &message));
        }
        Value::Bool(_) | Value::Int(_) | Value::Big(_) => text.push_str(&number(value)),
        Value::Float(it) => text.push_str(&json_float(*it)),
        Value::Str(string) => {
            if !string.is_valid() || std::str::from_utf8(&string.bytes.borrow()).is_err() {
                let message = "partial character in source, but hit end";
                return Err(vm.scoped_error("JSON", "GeneratorError", message));
            }
            quote(&string.to_text(), options, text);
        }
        Value::Array(array) => {
            let items = array.items.borrow().clone();
            text.push('[');
            text.push_str(&options.array_nl);
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                    text.push_str(&options.array_nl);
                }
                text.push_str(&options.indent.repeat(depth + 1));
                vm.deeper(|vm| write(vm, item, options, depth + 1, text))?;
            }
            text.push_str(&options.array_nl);
            if !options.array_nl.is_empty() {
                text.push_str(&options.indent.repeat(depth));
            }
            text.push(']');
        }
        Value::Hash(hash) => {
            let entries = hash.entries.borrow().clone();
            text.push('{');
            text.push_str(&options.object_nl);
            for (index, (key, item)) in entries.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                    text.push_str(&options.object_nl);
                }
                text.push_str(&options.indent.repeat(depth + 1));
                let key = vm.to_s(&key.value)?;
                quote(&key, options, text);
                text.push_str(&options.space_before);
                text.push(':');
                text.push_str(&options.space);
                vm.deeper(|vm| write(vm, item, options, depth + 1, text))?;
            }
            if !entries.is_empty() {
                text.push_str(&options.object_nl);
            }
            if !options.object_nl.is_empty() {
                text.push_str(&options.indent.repeat(depth));
            }
            text.push('}');
        }
        other => {
            let (class, name) = (vm.class_of(other), Sym::new("to_json"));
            let own = vm.find_method(&class, name).filter(|method| !matches!(method.body, Body::Native(_)));
            match own {
                Some(method) => {
                    let scope = Value::Class(vm.constant_class("JSON"));
                    let class = vm.scoped_constant(&scope, Sym::new("State"))?;
                    let state = Object::new(vm.class_argument(&class)?);
                    *state.data.borrow_mut() = Some(Rc::new(State { options: options.clone(), depth }));
                    let made = vm.invoke(other, &method, Args::of(&[Value::Object(Rc::new(state))]))?;
                    text.push_str(&vm.to_s(&made)?);
                }
                None => {
                    let shown = vm.to_s(other)?;
                    quote(&shown, options, text);
                }
            }
        }
    }
    Ok(())
}

/// A float as Ruby shows it; JSON's writer begins with exponents a digit earlier.
fn json_float(number: f64) -> String {
    let size = number.abs();
    if (1e15..1e16).contains(&size) && number.fract() == 0.0 {
        let text = format!("{number:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let point = if digits.contains('.') { "" } else { ".0" };
        return format!("{digits}{point}e+{exponent}");
    }
    float(number)
}

fn quote(string: &str, options: &Options, text: &mut String) {
    text.push('"');
    for letter in string.chars() {
        match letter {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            '/' if options.script_safe => text.push_str("\\/"),
            '\u{2028}' | '\u{2029}' if options.script_safe => text.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter if letter < ' ' || (options.ascii_only && !letter.is_ascii()) => {
                let mut units = [0; 2];
                for unit in letter.encode_utf16(&mut units) {
                    text.push_str(&format!("\\u{unit:04x}"));
                }
            }
            letter => text.push(letter),
        }
    }
    text.push('"');
}

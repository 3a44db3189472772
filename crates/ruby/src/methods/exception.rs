//! `Exception` and those below it.

use crate::interpreter::code::Args;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Stop, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("initialize", 0, -1, |_, this, args| {
        if let Some(message) = args.values.first() {
            this.set_variable(sym::HIDDEN_MESSAGE, message.clone());
        }
        Ok(Value::Nil)
    }),
    Row("message", 0, 0, |vm, this, _| {
        let text = vm.send(this, sym::TO_S, &[])?;
        Ok(Value::str(vm.to_s(&text)?))
    }),
    Row("to_s", 0, 0, |vm, this, _| match this.variable(sym::HIDDEN_MESSAGE) {
        None | Some(Value::Nil) => Ok(Value::str(vm.class_name(this))),
        Some(message) => {
            let (text, suggestion) = (vm.to_s(&message)?, vm.suggestion(this)?);
            Ok(Value::str(text + &suggestion))
        }
    }),
    Row("inspect", 0, 0, |vm, this, _| {
        let (class, text) = (vm.class_name(this), vm.to_s(this)?);
        Ok(Value::str(if text.is_empty() { class } else { format!("#<{class}: {text}>") }))
    }),
    Row("original_message", 0, 0, |vm, this, _| Ok(Value::str(vm.to_s(&this.variable(sym::HIDDEN_MESSAGE).into())?))),
    Row("full_message", 0, -1, full_message),
    Row("backtrace", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_BACKTRACE).into())),
    Row("backtrace_locations", 0, 0, |vm, this, _| {
        let lines = this.variable(sym::HIDDEN_BACKTRACE).into();
        vm.locations(&lines)
    }),
    Row("set_backtrace", 1, 1, |_, this, args| {
        let lines = match args.at(0) {
            line @ Value::Str(_) => Value::array(vec![line.clone()]),
            other => other.clone(),
        };
        this.set_variable(sym::HIDDEN_BACKTRACE, lines.clone());
        Ok(lines)
    }),
    Row("cause", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_CAUSE).into())),
    Row("==", 1, 1, |vm, this, args| {
        let other = args.at(0);
        let is_equal = this.is_same(other)
            || (vm.class_name(this) == vm.class_name(other) && vm.message_of(this)? == vm.message_of(other)?);
        Ok(Value::Bool(is_equal))
    }),
    Row("exception", 0, 1, |vm, this, args| match args.values.first() {
        None => Ok(this.clone()),
        Some(same) if same.is_same(this) => Ok(this.clone()),
        Some(message) => {
            let made = super::object::copy(vm, this, true)?;
            made.set_variable(sym::HIDDEN_MESSAGE, message.clone());
            Ok(made)
        }
    }),
];

/// `SomeError.exception(…)`.
pub(super) const OWN: &[Row] = &[Row("exception", 0, -1, |vm, this, args| vm.send_with(this, sym::NEW, args, true))];

/// What some exceptions know besides their message: the class, the method, where it is kept and the keyword that sets it.
pub(super) const DETAILS: &[(&str, &[Row])] = &[
    (
        "KeyError",
        &[
            Row("key", 0, 0, |vm, this, _| detail(vm, this, sym::HIDDEN_KEY, "key")),
            Row("receiver", 0, 0, |vm, this, _| detail(vm, this, sym::HIDDEN_RECEIVER, "receiver")),
            Row("initialize", 0, -1, initialize_with),
        ],
    ),
    (
        "NameError",
        &[
            Row("name", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_NAME).into())),
            Row("receiver", 0, 0, |vm, this, _| detail(vm, this, sym::HIDDEN_RECEIVER, "receiver")),
            Row("initialize", 0, -1, |vm, this, args| {
                initialize_with(vm, this, args)?;
                let (values, _) = args.split_keywords();
                if let Some(name) = values.get(1) {
                    this.set_variable(sym::HIDDEN_NAME, name.clone());
                }
                Ok(Value::Nil)
            }),
        ],
    ),
    (
        "NoMethodError",
        &[Row("args", 0, 0, |_, this, _| {
            Ok(this.variable(sym::HIDDEN_ARGS).unwrap_or_else(|| Value::array(Vec::new())))
        })],
    ),
    (
        "FrozenError",
        &[
            Row("receiver", 0, 0, |vm, this, _| detail(vm, this, sym::HIDDEN_RECEIVER, "receiver")),
            Row("initialize", 0, -1, initialize_with),
        ],
    ),
    ("LoadError", &[Row("path", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_NAME).into()))]),
    ("StopIteration", &[Row("result", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_RESULT).into()))]),
    (
        "UncaughtThrowError",
        &[
            Row("tag", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_KEY).into())),
            Row("value", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_RESULT).into())),
        ],
    ),
    (
        "LocalJumpError",
        &[
            Row("reason", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_NAME).into())),
            Row("exit_value", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_RESULT).into())),
        ],
    ),
    (
        "SystemExit",
        &[
            Row("status", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_STATUS).unwrap_or(Value::Int(0)))),
            Row("success?", 0, 0, |_, this, _| {
                let status = this.variable(sym::HIDDEN_STATUS).unwrap_or(Value::Int(0));
                Ok(Value::Bool(matches!(status, Value::Int(0))))
            }),
            Row("initialize", 0, -1, |vm, this, args| {
                let (status, message) = match args.values {
                    [] => (0, "exit".to_string()),
                    [Value::Bool(fine)] => (i64::from(!fine), "exit".to_string()),
                    [Value::Int(status)] => (*status, "exit".to_string()),
                    [Value::Int(status), message, ..] => (*status, vm.to_s(message)?),
                    [message, ..] => (0, vm.to_s(message)?),
                };
                this.set_variable(sym::HIDDEN_STATUS, Value::Int(status));
                this.set_variable(sym::HIDDEN_MESSAGE, Value::str(message));
                Ok(Value::Nil)
            }),
        ],
    ),
];

fn detail(vm: &mut Vm, this: &Value, kept: Sym, name: &str) -> Outcome {
    match this.variable(kept) {
        Some(value) => Ok(value),
        None => Err(vm.argument_error(&format!("no {name} is available"))),
    }
}

/// A message, and what the keywords `receiver` and `key` say.
fn initialize_with(_: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let (values, keywords) = args.split_keywords();
    if let Some(message) = values.first() {
        this.set_variable(sym::HIDDEN_MESSAGE, message.clone());
    }
    if keywords.is_some() {
        for (name, kept) in [("receiver", sym::HIDDEN_RECEIVER), ("key", sym::HIDDEN_KEY)] {
            if let Some(value) = args.keyword(name) {
                this.set_variable(kept, value);
            }
        }
    }
    Ok(Value::Nil)
}

fn full_message(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let (class, message) = (vm.class_name(this), vm.message_of(this)?);
    let lines = match this.variable(sym::HIDDEN_BACKTRACE) {
        Some(Value::Array(lines)) => lines.items.borrow().clone(),
        _ => Vec::new(),
    };
    let mut places = Vec::new();
    for line in &lines {
        places.push(vm.to_s(line)?);
    }
    let mut parts = places.iter();
    let place = parts.next().cloned().unwrap_or_else(|| "case.rb".to_string());
    let (first, others) = message.split_once('\n').map_or((message.as_str(), None), |(a, b)| (a, Some(b)));
    let mut text = match (first.is_empty(), &class) {
        (true, class) => format!("{place}: unhandled exception ({class})"),
        (false, class) => format!("{place}: {first} ({class})"),
    };
    if let Some(others) = others {
        text.push('\n');
        text.push_str(others);
    }
    if args.keywords && matches!(args.keyword("order"), Some(Value::Sym(order)) if order.as_str() == "bottom") {
        let mut whole = "Traceback (most recent call last):\n".to_owned();
        for (index, place) in places.iter().enumerate().skip(1).rev() {
            whole.push_str(&format!("\t{index:>4}: from {place}\n"));
        }
        return Ok(Value::str(whole + &text + "\n"));
    }
    for place in parts {
        text.push_str(&format!("\n\tfrom {place}"));
    }
    if !places.is_empty() {
        text.push('\n');
    }
    Ok(Value::str(text))
}

impl Vm {
    /// The lines of a backtrace as places; nil if there is none.
    pub(crate) fn locations(&mut self, lines: &Value) -> Outcome {
        if lines.is_nil() {
            return Ok(Value::Nil);
        }
        self.require("(thread)")?;
        let class = self.constant_at("Thread::Backtrace::Location")?;
        let mut places = Vec::new();
        for line in self.items(lines)? {
            places.push(self.send(&class, sym::NEW, &[line])?);
        }
        Ok(Value::array(places))
    }

    /// An exception about a name.
    pub(crate) fn name_error(&mut self, class: &str, message: &str, name: Sym, receiver: &Value) -> Box<Stop> {
        self.with_details(
            class,
            message,
            &[(sym::HIDDEN_NAME, Value::Sym(name)), (sym::HIDDEN_RECEIVER, receiver.clone())],
        )
    }

    /// An exception that a key is not there.
    pub(crate) fn key_error(&mut self, receiver: &Value, key: &Value) -> Box<Stop> {
        let shown = match self.inspect(key) {
            Ok(shown) => shown,
            Err(stop) => return stop,
        };
        self.with_details(
            "KeyError",
            &format!("key not found: {shown}"),
            &[(sym::HIDDEN_KEY, key.clone()), (sym::HIDDEN_RECEIVER, receiver.clone())],
        )
    }

    pub(crate) fn with_details(&mut self, class: &str, message: &str, details: &[(Sym, Value)]) -> Box<Stop> {
        let stop = self.error(class, message);
        if let Stop::Raise(exception) = &*stop {
            for (name, value) in details {
                exception.set_variable(*name, value.clone());
            }
        }
        stop
    }
}

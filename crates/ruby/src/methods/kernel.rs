//! Functions that are called without a receiver: the private part of `Kernel`.

use std::rc::Rc;
use std::time::Duration;

use num_bigint::BigInt;

use crate::interpreter::code::{Args, Proc};
use crate::interpreter::hash::Entries;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Stop, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("puts", 0, -1, |vm, _, args| {
        if let Some(stream) = vm.redirected() {
            return vm.send_with(&stream, Sym::new("puts"), args, true);
        }
        let mut text = Vec::new();
        put_lines(vm, args.values, &mut text)?;
        vm.write(&text)?;
        Ok(Value::Nil)
    }),
    Row("print", 0, -1, |vm, _, args| {
        if let Some(stream) = vm.redirected() {
            return vm.send_with(&stream, Sym::new("print"), args, true);
        }
        for value in args.values {
            let text = vm.to_s(value)?;
            vm.write(text.as_bytes())?;
        }
        Ok(Value::Nil)
    }),
    Row("p", 0, -1, |vm, _, args| {
        for value in args.values {
            let text = vm.inspect(value)? + "\n";
            vm.put(text.as_bytes())?;
        }
        Ok(crate::interpreter::iterate::packed(args.values))
    }),
    Row("pp", 0, -1, |vm, _, args| {
        for value in args.values {
            let text = vm.pretty(value, 0, 0)? + "\n";
            vm.put(text.as_bytes())?;
        }
        Ok(crate::interpreter::iterate::packed(args.values))
    }),
    Row("warn", 0, -1, |vm, _, args| {
        let (values, _) = args.split_keywords();
        let mut text = Vec::new();
        if !values.is_empty() {
            put_lines(vm, values, &mut text)?;
        }
        if let Some(stream) = vm.redirected_to(Sym::new("$stderr"), "STDERR") {
            vm.send(&stream, Sym::new("write"), &[Value::str(text)])?;
            return Ok(Value::Nil);
        }
        vm.write_error(&text)?;
        Ok(Value::Nil)
    }),
    Row("raise", 0, -1, raise),
    Row("fail", 0, -1, raise),
    Row("loop", 0, 0, repeat),
    Row("catch", 0, 1, catch),
    Row("throw", 1, 2, |vm, _, args| {
        if vm.catching.iter().any(|tag| tag.is_same(args.at(0))) {
            return Err(Box::new(Stop::Throw(args.at(0).clone(), args.at(1).clone())));
        }
        let shown = vm.inspect(args.at(0))?;
        Err(vm.with_details(
            "UncaughtThrowError",
            &format!("uncaught throw {shown}"),
            &[(sym::HIDDEN_KEY, args.at(0).clone()), (sym::HIDDEN_RESULT, args.at(1).clone())],
        ))
    }),
    Row("format", 0, -1, formatted),
    Row("sprintf", 0, -1, formatted),
    Row("printf", 1, -1, |vm, _, args| {
        let text = super::format::format(vm, args.at(0), args.values.get(1..).unwrap_or_default())?;
        let text = vm.to_s(&text)?;
        vm.put(text.as_bytes())?;
        Ok(Value::Nil)
    }),
    Row("putc", 1, 1, |vm, _, args| {
        let text = match args.at(0) {
            Value::Int(number) => vec![*number as u8],
            other => vm.text(other)?.chars().take(1).collect::<String>().into_bytes(),
        };
        vm.put(&text)?;
        Ok(args.at(0).clone())
    }),
    Row("Integer", 1, 3, integer),
    Row("Float", 1, 2, float),
    Row("String", 1, 1, |vm, _, args| Ok(Value::str(vm.to_s(args.at(0))?))),
    Row("Rational", 1, 3, |vm, this, args| {
        vm.require("(rational)")?;
        vm.send_with(this, Sym::new("Rational"), args, true)
    }),
    Row("Complex", 1, 3, |vm, this, args| {
        vm.require("(rational)")?;
        vm.send_with(this, Sym::new("Complex"), args, true)
    }),
    Row("Array", 1, 1, |vm, _, args| match args.at(0) {
        array @ Value::Array(_) => Ok(array.clone()),
        other => Ok(Value::array(vm.splat(other)?)),
    }),
    Row("Hash", 1, 1, |vm, _, args| match args.at(0) {
        Value::Nil => Ok(Value::hash(Entries::default())),
        Value::Array(array) if array.items.borrow().is_empty() => Ok(Value::hash(Entries::default())),
        Value::Hash(_) => Ok(args.at(0).clone()),
        other => {
            let class = vm.class_name(other);
            Err(vm.type_error(&format!("can't convert {class} into Hash")))
        }
    }),
    Row("lambda", 0, 0, |vm, _, args| {
        let Some(block) = args.block else {
            return Err(vm.argument_error("tried to create Proc object without a block"));
        };
        // What is no literal stays what it is.
        Ok(Value::Proc(block.clone()))
    }),
    Row("proc", 0, 0, |vm, _, args| match args.block {
        Some(block) => Ok(Value::Proc(block.clone())),
        None => Err(vm.argument_error("tried to create Proc object without a block")),
    }),
    Row("at_exit", 0, 0, |vm, _, args| {
        let block = Value::Proc(vm.block(args)?);
        vm.at_exit.push(block.clone());
        Ok(block)
    }),
    Row("exit", 0, 1, |vm, _, args| {
        let status = match args.values.first() {
            None | Some(Value::Bool(true)) => 0,
            Some(Value::Bool(false)) => 1,
            Some(other) => vm.to_int(other)?,
        };
        Err(vm.exit(status, "exit"))
    }),
    Row("abort", 0, 1, |vm, _, args| {
        let Some(message) = args.values.first() else { return Err(vm.exit(1, "exit")) };
        let message = vm.text(message)?;
        vm.errors.extend_from_slice(message.as_bytes());
        vm.errors.push(b'\n');
        Err(vm.exit(1, &message))
    }),
    Row("require", 1, 1, |vm, _, args| {
        let name = vm.path_text(args.at(0))?;
        Ok(Value::Bool(vm.require(&name)?))
    }),
    Row("gem", 1, -1, |_, _, _| Ok(Value::Bool(false))),
    Row("rand", 0, 1, |vm, _, args| super::random::rand(vm, args.at(0))),
    Row("srand", 0, 1, |vm, _, args| {
        let seed = if args.values.is_empty() { Value::Int(0) } else { args.at(0).clone() };
        super::random::seed(vm, &seed)
    }),
    Row("sleep", 0, 1, sleep),
    Row("load", 1, 2, |vm, _, args| {
        let path = vm.path_text(args.at(0))?;
        let full = vm.full_path(&path);
        if !vm.world.as_ref().is_some_and(|world| world.is_file(&full)) {
            return Err(vm.error("LoadError", &format!("cannot load such file -- {path}")));
        }
        vm.load_file(&full)?;
        Ok(Value::Bool(true))
    }),
    Row("test", 2, 3, |vm, _, args| {
        let question = vm.to_s(args.at(0))?;
        let name = match question.as_str() {
            "e" => "exist?",
            "f" => "file?",
            "d" => "directory?",
            "r" => "readable?",
            "w" => "writable?",
            "x" => "executable?",
            "s" => "size?",
            "z" => "zero?",
            "l" => "symlink?",
            other => return Err(vm.argument_error(&format!("unknown command '{other}'"))),
        };
        let file = Value::Class(vm.constant_class("File"));
        vm.send(&file, Sym::new(name), args.values.get(1..2).unwrap_or_default())
    }),
    Row("open", 1, -1, |vm, _, args| {
        let file = Value::Class(vm.constant_class("File"));
        vm.send_with(&file, Sym::new("open"), args, true)
    }),
    Row("select", 1, 4, |vm, _, _| Err(vm.error("NotImplementedError", "nothing can be waited for here"))),
    // What `Timeout` needs: gives the block nothing, or true if it would have slept longer than allowed.
    Row("__limited", 1, 1, |vm, _, args| {
        let seconds = vm.float_argument(args.at(0))?;
        let block = vm.block(args)?;
        let limit = vm.slept + seconds;
        let before = vm.sleep_limit;
        vm.sleep_limit = limit.min(before);
        let outcome = vm.give(&block, Value::Nil);
        vm.sleep_limit = before;
        match outcome.map_err(|stop| *stop) {
            Err(Stop::Throw(tag, _)) if tag.is_same(&Value::Float(limit)) => vm.give(&block, Value::Bool(true)),
            Err(stop) => Err(Box::new(stop)),
            Ok(value) => Ok(value),
        }
    }),
    Row("trap", 1, 2, |vm, _, args| {
        check_signal(vm, args.at(0))?;
        Ok(Value::str("DEFAULT"))
    }),
    Row("eval", 1, 4, |vm, _, args| {
        let binding = vm.binding_argument(args.at(1))?;
        let others: Vec<Value> = args.values.first().into_iter().chain(args.values.iter().skip(2)).cloned().collect();
        crate::interpreter::binding::eval_text(vm, &binding, Args::of(&others))
    }),
    Row("caller", 0, 2, callers),
    Row("caller_locations", 0, 2, |vm, this, args| {
        let lines = callers(vm, this, args)?;
        vm.locations(&lines)
    }),
    Row("gets", 0, -1, |_, _, _| Ok(Value::Nil)),
    Row("global_variables", 0, 0, |vm, _, _| {
        let mut names: Vec<Value> = Vec::new();
        let mut known: Vec<Sym> = vm.globals.keys().copied().collect();
        known.sort_by_key(|name| name.as_str());
        names.extend(known.into_iter().map(Value::Sym));
        Ok(Value::array(names))
    }),
    Row("initialize_copy", 1, 1, |_, this, _| Ok(this.clone())),
    Row("respond_to_missing?", 2, 2, |_, _, _| Ok(Value::Bool(false))),
];

fn formatted(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    match args.values.split_first() {
        Some((pattern, values)) => super::format::format(vm, pattern, values),
        None => Err(vm.argument_error("too few arguments")),
    }
}

/// How long code may sleep in all, in seconds.
const LONGEST_SLEEP: f64 = 60.0;
/// How long it sleeps until it is asked whether the compilation may go on.
const NAP: Duration = Duration::from_millis(50);

/// Waits, no longer than `Timeout` allows or the compilation has time.
fn sleep(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let seconds = match args.values.first() {
        None => return Err(vm.error("NotImplementedError", "the code would sleep for ever")),
        Some(Value::Nil) => return Err(vm.type_error("can't convert NilClass into time interval")),
        Some(text @ Value::Str(_)) => {
            let class = vm.class_name(text);
            return Err(vm.type_error(&format!("can't convert {class} into time interval")));
        }
        Some(object @ Value::Object(_)) => {
            let number = vm.send(object, Sym::new("to_f"), &[])?;
            vm.float_argument(&number)?
        }
        Some(number) => vm.float_argument(number)?,
    };
    if seconds < 0.0 {
        return Err(vm.argument_error("time interval must not be negative"));
    }
    let mut left = Duration::from_secs_f64(seconds.min(vm.sleep_limit - vm.slept).clamp(0.0, 1e6));
    if (vm.slept + seconds).min(vm.sleep_limit) > LONGEST_SLEEP {
        return Err(Box::new(Stop::Limit("the Ruby code sleeps too long")));
    }
    while !left.is_zero() {
        let nap = left.min(NAP);
        std::thread::sleep(nap);
        left = left.saturating_sub(nap);
        if crate::bridge::is_over() {
            return Err(Box::new(Stop::Limit("the time for the compilation is over")));
        }
    }
    vm.sleep_for(seconds)?;
    Ok(Value::Int(seconds.round() as i64))
}

impl Vm {
    /// Lets time go by for `Timeout`.
    pub(super) fn sleep_for(&mut self, seconds: f64) -> Outcome<()> {
        self.slept += seconds;
        if self.slept > self.sleep_limit {
            self.slept = self.sleep_limit;
            return Err(Box::new(Stop::Throw(Value::Float(self.sleep_limit), Value::Nil)));
        }
        Ok(())
    }
}

/// Refuses what is no name of a signal.
pub(super) fn check_signal(vm: &mut Vm, value: &Value) -> Outcome<()> {
    const SIGNALS: &[&str] = &[
        "EXIT", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
        "ALRM", "TERM", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "WINCH", "CLD",
    ];
    if let Value::Int(_) = value {
        return Ok(());
    }
    let name = vm.to_s(value)?;
    let short = name.strip_prefix("SIG").unwrap_or(&name);
    match SIGNALS.contains(&short) {
        true => Ok(()),
        false => Err(vm.argument_error(&format!("unsupported signal `SIG{short}'"))),
    }
}

/// Lines as `puts` writes them: each item of an array on its own, none twice ended.
pub(crate) fn put_lines(vm: &mut Vm, values: &[Value], text: &mut Vec<u8>) -> Outcome<()> {
    if values.is_empty() {
        text.push(b'\n');
    }
    for value in values {
        match value {
            Value::Array(array) => {
                let items = array.items.borrow().clone();
                if !items.is_empty() {
                    vm.deeper(|vm| put_lines(vm, &items, text))?;
                }
            }
            other => {
                let line = match other {
                    Value::Str(string) => string.bytes.borrow().clone(),
                    other => vm.to_s(other)?.into_bytes(),
                };
                text.extend_from_slice(&line);
                if line.last() != Some(&b'\n') {
                    text.push(b'\n');
                }
            }
        }
    }
    Ok(())
}

fn callers(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let start = if args.values.is_empty() { 1 } else { vm.to_int(args.at(0)).unwrap_or(1) };
    let lines = vm.backtrace(None, usize::try_from(start).unwrap_or(1));
    let most = if args.len() > 1 { usize::try_from(vm.to_int(args.at(1))?).unwrap_or(0) } else { usize::MAX };
    Ok(Value::array(lines.into_iter().take(most).map(Value::from).collect()))
}

fn raise(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let (mut values, keywords) = args.split_keywords();
    let cause = match keywords {
        Some(Value::Hash(hash)) => hash.entries.borrow().get(&crate::interpreter::hash::Key::sym("cause")).cloned(),
        _ => None,
    };
    if keywords.is_some() && cause.is_none() {
        values = args.values;
    }
    let current = vm.globals.get(&sym::LAST_ERROR).cloned().unwrap_or(Value::Nil);
    let exception = match values {
        [] if current.is_nil() => return Err(vm.error("RuntimeError", "")),
        [] => current.clone(),
        [Value::Str(_)] => {
            let class = vm.constant_class("RuntimeError");
            vm.send(&Value::Class(class), sym::NEW, values.get(..1).unwrap_or_default())?
        }
        [first, others @ ..] => {
            let is_able = vm.responds_to(first, sym::EXCEPTION);
            if !is_able {
                return Err(vm.type_error("exception class/object expected"));
            }
            let given = others.get(..others.len().min(1)).unwrap_or_default();
            let made = vm.send(first, sym::EXCEPTION, given)?;
            if !vm.is_a(&made, &vm.core.exception.clone()) {
                return Err(vm.type_error("exception object expected"));
            }
            if let Some(backtrace @ Value::Array(_)) = others.get(1) {
                made.set_variable(sym::HIDDEN_BACKTRACE, backtrace.clone());
            }
            made
        }
    };
    if let Some(given) = cause.as_ref().filter(|it| !it.is_nil())
        && !vm.is_a(given, &vm.core.exception.clone())
    {
        return Err(vm.type_error("exception object expected"));
    }
    let cause = cause.unwrap_or(current);
    if !cause.is_same(&exception) && exception.variable(sym::HIDDEN_CAUSE).is_none() {
        exception.set_variable(sym::HIDDEN_CAUSE, cause);
    }
    Err(Box::new(Stop::Raise(exception)))
}

fn repeat(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, "loop", &[])) };
    loop {
        match vm.call_block(block, &[]).map_err(|stop| *stop) {
            Ok(_) => {}
            Err(Stop::Raise(exception)) if vm.is_named(&exception, "StopIteration") => {
                return Ok(exception.variable(sym::HIDDEN_RESULT).into());
            }
            Err(stop) => return Err(Box::new(stop)),
        }
    }
}

fn catch(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let tag = match args.values.first() {
        Some(tag) => tag.clone(),
        None => Value::Object(Rc::new(crate::interpreter::value::Object::new(vm.core.object.clone()))),
    };
    let block = vm.block(args)?;
    vm.catching.push(tag.clone());
    let outcome = vm.call_block(&block, std::slice::from_ref(&tag));
    vm.catching.pop();
    match outcome.map_err(|stop| *stop) {
        Ok(value) => Ok(value),
        Err(Stop::Throw(thrown, value)) if thrown.is_same(&tag) => Ok(value),
        Err(stop) => Err(Box::new(stop)),
    }
}

fn integer(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let (values, _) = args.split_keywords();
    let quiet = is_quiet(vm, args)?;
    let base = match values.get(1) {
        None | Some(Value::Nil) => None,
        Some(base) => Some(i64::from(vm.to_c_int(base)?)),
    };
    let outcome = match values.first().unwrap_or(&Value::Nil) {
        Value::Str(_) if let Some(base) = base.filter(|base| *base == 1 || base.abs() > 36) => {
            Err(vm.argument_error(&format!("invalid radix {base}")))
        }
        Value::Str(string) => {
            let text = string.to_text();
            match read_integer(&text, base.unwrap_or(0)) {
                Some(number) => Ok(Value::big(number)),
                None => {
                    let shown = crate::interpreter::show::inspect_string(string);
                    Err(vm.argument_error(&format!("invalid value for Integer(): {shown}")))
                }
            }
        }
        _ if base.is_some() => Err(vm.argument_error("base specified for non string value")),
        Value::Nil => Err(vm.type_error("can't convert nil into Integer")),
        number @ (Value::Int(_) | Value::Big(_)) => Ok(number.clone()),
        Value::Float(number) => super::float::whole(vm, number.trunc()),
        other if vm.responds_to(other, sym::TO_I) => vm.send(other, sym::TO_I, &[]),
        other => {
            let class = vm.described(other);
            Err(vm.type_error(&format!("can't convert {class} into Integer")))
        }
    };
    match outcome {
        Err(stop) if quiet && matches!(*stop, Stop::Raise(_)) => Ok(Value::Nil),
        outcome => outcome,
    }
}

/// An integer written as Ruby's source has it, and nothing else.
pub(super) fn read_integer(text: &str, base: i64) -> Option<BigInt> {
    let text = text.trim_matches(|letter: char| letter.is_ascii_whitespace() || letter == '\u{b}');
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = match (lower.get(..2), base) {
        (Some("0x"), 0 | 16) => (16, lower.get(2..)?),
        (Some("0b"), 0 | 2) => (2, lower.get(2..)?),
        (Some("0o"), 0 | 8) => (8, lower.get(2..)?),
        (Some("0d"), 0 | 10) => (10, lower.get(2..)?),
        (Some(_), 0) if lower.starts_with('0') => (8, lower.get(1..)?.strip_prefix('_').unwrap_or(lower.get(1..)?)),
        (_, 0) => (10, &*lower),
        (_, base) => (u32::try_from(base).ok().filter(|base| (2..=36).contains(base))?, &*lower),
    };
    if digits.is_empty() || digits.starts_with('_') || digits.ends_with('_') || digits.contains("__") {
        return None;
    }
    let digits: String = digits.chars().filter(|letter| *letter != '_').collect();
    if !digits.chars().all(|letter| letter.is_digit(radix)) {
        return None;
    }
    let number = BigInt::parse_bytes(digits.as_bytes(), radix)?;
    Some(if is_negative { -number } else { number })
}

/// `exception: false`: whether failures give nil.
fn is_quiet(vm: &mut Vm, args: Args<'_>) -> Outcome<bool> {
    match if args.keywords { args.keyword("exception") } else { None } {
        None => Ok(false),
        Some(Value::Bool(raises)) => Ok(!raises),
        Some(other) => {
            let shown = vm.inspect(&other)?;
            Err(vm.argument_error(&format!("expected true or false as exception: {shown}")))
        }
    }
}

fn float(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let quiet = is_quiet(vm, args)?;
    let (values, _) = args.split_keywords();
    if values.len() != 1 {
        return Err(vm.wrong_count(values.len(), 1, Some(1)));
    }
    let outcome = match args.at(0) {
        Value::Str(string) => {
            let text = string.to_text();
            match read_float(text.trim()) {
                Some(number) => Ok(Value::Float(number)),
                None => {
                    // Compatibility: the message shows bytes.
                    let shown = vm.inspect(&Value::binary(string.bytes.borrow().clone()))?;
                    Err(vm.argument_error(&format!("invalid value for Float(): {shown}")))
                }
            }
        }
        number @ (Value::Int(_) | Value::Big(_) | Value::Float(_)) => {
            Ok(Value::Float(crate::interpreter::order::float_of(number)))
        }
        other => {
            let class = vm.described(other);
            Err(vm.type_error(&format!("can't convert {class} into Float")))
        }
    };
    match outcome {
        Err(stop) if quiet && matches!(*stop, Stop::Raise(_)) => Ok(Value::Nil),
        outcome => outcome,
    }
}

/// A float as Ruby's source has it, and nothing else.
fn read_float(text: &str) -> Option<f64> {
    if text.to_ascii_lowercase().starts_with("0x") {
        return read_integer(text, 16).map(|number| crate::interpreter::order::float_of(&Value::big(number)));
    }
    let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    let letters: Vec<char> = text.chars().collect();
    let around = |index: usize| {
        let before = index.checked_sub(1).and_then(|it| letters.get(it)).copied();
        is_digit(before) && is_digit(letters.get(index + 1).copied())
    };
    let is_fine = letters.iter().enumerate().all(|(index, letter)| match letter {
        '_' | '.' => around(index),
        'e' | 'E' => is_digit(index.checked_sub(1).and_then(|it| letters.get(it)).copied()),
        '+' | '-' | '0'..='9' => true,
        _ => false,
    });
    let digits: String = letters.iter().filter(|letter| **letter != '_').collect();
    if is_fine { digits.parse().ok() } else { None }
}

impl Vm {
    /// The block of a call that needs one.
    pub(crate) fn block(&mut self, args: Args<'_>) -> Outcome<Rc<Proc>> {
        match args.block {
            Some(block) => Ok(block.clone()),
            None => Err(self.error("LocalJumpError", "no block given (yield)")),
        }
    }

    /// Where `$stdout` leads, if it is not the output of the process.
    fn redirected(&self) -> Option<Value> {
        self.redirected_to(Sym::new("$stdout"), "STDOUT")
    }

    fn redirected_to(&self, name: Sym, own: &str) -> Option<Value> {
        let stream = self.globals.get(&name)?;
        let is_own = self.core.object.constant(Sym::new(own)).is_some_and(|own| own.is_same(stream));
        (!is_own).then(|| stream.clone())
    }

    /// Writes to `$stdout`.
    fn put(&mut self, bytes: &[u8]) -> Outcome<()> {
        match self.redirected() {
            Some(stream) => self.send(&stream, Sym::new("write"), &[Value::str(bytes)]).map(|_| ()),
            None => self.write(bytes),
        }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Outcome<()> {
        if self.puppet.is_serving {
            return Err(self.error("IOError", "standard output is not available to templates and functions"));
        }
        self.output.extend_from_slice(bytes);
        let size = self.output.len();
        self.check_size(size)
    }

    pub(crate) fn exit(&mut self, status: i64, message: &str) -> Box<Stop> {
        let stop = self.error("SystemExit", message);
        if let Stop::Raise(exception) = &*stop {
            exception.set_variable(sym::HIDDEN_STATUS, Value::Int(status));
        }
        stop
    }

    /// Whether a value is an instance of a class of Ruby's own, by its name.
    pub(crate) fn is_named(&self, value: &Value, class: &str) -> bool {
        match self.core.object.constant(Sym::new(class)) {
            Some(Value::Class(class)) => self.is_a(value, &class),
            _ => false,
        }
    }
}

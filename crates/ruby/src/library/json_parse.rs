//! `JSON.parse`.

use crate::interpreter::code::Args;
use crate::interpreter::hash::{Entries, Key};
use crate::interpreter::session::Row;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Encoding, Value};
use crate::interpreter::{Outcome, Stop, Vm};

pub(super) const OWN: &[Row] = &[
    Row("parse", 1, -1, |vm, _, args| parse(vm, args, false)),
    Row("parse!", 1, -1, |vm, _, args| parse(vm, args, true)),
    Row("load", 1, -1, |vm, _, args| match args.at(0) {
        Value::Nil => Ok(Value::Nil),
        Value::Str(text) if text.bytes.borrow().is_empty() => Ok(Value::Nil),
        _ => {
            let value = parse(vm, args, true)?;
            if let Some(told) = args.get(1).filter(|it| matches!(it, Value::Proc(_))) {
                tell(vm, &value, told)?;
            }
            Ok(value)
        }
    }),
];

/// Tells a procedure all values within a value, and the value itself.
fn tell(vm: &mut Vm, value: &Value, told: &Value) -> Outcome<()> {
    match value {
        Value::Array(_) => {
            for item in vm.items(value)? {
                vm.deeper(|vm| tell(vm, &item, told))?;
            }
        }
        Value::Hash(table) => {
            for (key, value) in table.pairs() {
                vm.deeper(|vm| tell(vm, &key, told))?;
                vm.deeper(|vm| tell(vm, &value, told))?;
            }
        }
        _ => {}
    }
    vm.send(told, Sym::new("call"), std::slice::from_ref(value))?;
    Ok(())
}

fn freeze_all(vm: &mut Vm, value: &Value) -> Outcome<()> {
    value.freeze();
    match value {
        Value::Array(_) => {
            for item in vm.items(value)? {
                vm.deeper(|vm| freeze_all(vm, &item))?;
            }
        }
        Value::Hash(table) => {
            for (_, value) in table.pairs() {
                vm.deeper(|vm| freeze_all(vm, &value))?;
            }
        }
        _ => {}
    }
    Ok(())
}

struct Parser<'t> {
    rest: &'t str,
    by_symbol: bool,
    allow_nan: bool,
    max_nesting: usize,
}

fn parse(vm: &mut Vm, args: Args<'_>, is_lax: bool) -> Outcome {
    let source = vm.to_str(args.at(0))?;
    let text = match source.encoding.get() {
        Encoding::Utf8 | Encoding::Binary | Encoding::Ascii => source.to_text(),
        _ => {
            let text = vm.send(args.at(0), Sym::new("encode"), &[Value::str("UTF-8")])?;
            vm.text(&text)?
        }
    };
    let options = args.after_first();
    let max_nesting = match options.keyword("max_nesting") {
        Some(most) if most.is_truthy() => usize::try_from(vm.to_int(&most)?).unwrap_or(0),
        Some(_) => 0,
        None if is_lax => 0,
        None => 100,
    };
    let is_set = |name: &str| options.keyword(name).is_some_and(|it| it.is_truthy());
    let allow_nan = is_lax || is_set("allow_nan");
    let mut parser = Parser { rest: &text, by_symbol: is_set("symbolize_names"), allow_nan, max_nesting };
    parser.skip();
    if parser.rest.starts_with('/') {
        let rest = behind_comment(parser.rest);
        return Err(unexpected(vm, 859, rest));
    }
    let value = parser.value(vm, 0, 859)?;
    parser.skip();
    if !parser.rest.is_empty() {
        let rest = behind_comment(parser.rest);
        return Err(unexpected(vm, 859, rest));
    }
    if is_set("freeze") {
        freeze_all(vm, &value)?;
    }
    Ok(value)
}

/// Where the reference stops in a comment that does not end, or that is none.
fn behind_comment(text: &str) -> &str {
    match text.strip_prefix('/') {
        Some(rest) if rest.starts_with(['/', '*']) => "",
        Some(rest) => rest,
        None => text,
    }
}

/// The messages begin with the line of the parser that refuses.
fn unexpected(vm: &mut Vm, line: u32, rest: &str) -> Box<Stop> {
    vm.scoped_error("JSON", "ParserError", &format!("{line}: unexpected token at '{rest}'"))
}

impl<'t> Parser<'t> {
    /// White space and comments.
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
            let after = if let Some(comment) = self.rest.strip_prefix("/*") {
                comment.split_once("*/").map(|(_, after)| after)
            } else if let Some(comment) = self.rest.strip_prefix("//") {
                comment.split_once('\n').map(|(_, after)| after)
            } else {
                None
            };
            match after {
                Some(after) => self.rest = after,
                None => return,
            }
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn value(&mut self, vm: &mut Vm, depth: usize, line: u32) -> Outcome {
        vm.step()?;
        let rest = self.rest;
        let words = [("null", Value::Nil), ("true", Value::Bool(true)), ("false", Value::Bool(false))];
        for (word, value) in words {
            if self.eat(word) {
                return Ok(value);
            }
        }
        let specials = [("NaN", f64::NAN), ("-Infinity", f64::NEG_INFINITY), ("Infinity", f64::INFINITY)];
        for (word, value) in specials {
            if rest.starts_with(word) {
                if !self.allow_nan {
                    return Err(unexpected(vm, 249, rest));
                }
                self.eat(word);
                return Ok(Value::Float(value));
            }
        }
        match rest.chars().next() {
            Some('[') => self.nested(vm, depth, |parser, vm| parser.array(vm, depth + 1)),
            Some('{') => self.nested(vm, depth, |parser, vm| parser.object(vm, depth + 1)),
            Some('"') => match self.string(vm)? {
                Some(text) => Ok(Value::str(text)),
                None => Err(unexpected(vm, line, rest)),
            },
            Some('-' | '0'..='9') => match self.number() {
                Some(value) => Ok(value),
                None => Err(unexpected(vm, line, rest)),
            },
            _ => Err(unexpected(vm, line, rest)),
        }
    }

    fn nested(&mut self, vm: &mut Vm, depth: usize, work: impl FnOnce(&mut Parser<'t>, &mut Vm) -> Outcome) -> Outcome {
        if self.max_nesting > 0 && depth + 1 > self.max_nesting {
            let message = format!("nesting of {} is too deep", depth + 1);
            return Err(vm.scoped_error("JSON", "NestingError", &message));
        }
        vm.deeper(|vm| work(self, vm))
    }

    fn array(&mut self, vm: &mut Vm, depth: usize) -> Outcome {
        self.eat("[");
        let mut items = Vec::new();
        self.skip();
        if self.eat("]") {
            return Ok(Value::array(items));
        }
        loop {
            self.skip();
            items.push(self.value(vm, depth, 451)?);
            self.skip();
            if self.eat("]") {
                return Ok(Value::array(items));
            }
            if !self.eat(",") {
                let rest = self.rest;
                return Err(unexpected(vm, 451, rest));
            }
        }
    }

    fn object(&mut self, vm: &mut Vm, depth: usize) -> Outcome {
        let start = self.rest;
        self.eat("{");
        let mut entries = Entries::default();
        self.skip();
        if self.eat("}") {
            return Ok(Value::hash(entries));
        }
        loop {
            self.skip();
            let key = if self.rest.starts_with('"') { self.string(vm)? } else { None };
            let Some(key) = key else { return Err(unexpected(vm, 859, start)) };
            self.skip();
            if !self.eat(":") {
                return Err(unexpected(vm, 859, start));
            }
            self.skip();
            if self.rest.starts_with(['}', ',']) {
                return Err(unexpected(vm, 859, start));
            }
            let value = self.value(vm, depth, 859)?;
            let key = if self.by_symbol { Key::plain(Value::Sym(vm.intern(&key)?)) } else { Key::str(&key) };
            key.value.freeze();
            entries.insert(key, value);
            self.skip();
            if self.eat("}") {
                return Ok(Value::hash(entries));
            }
            if !self.eat(",") {
                return Err(unexpected(vm, 859, start));
            }
        }
    }

    fn number(&mut self) -> Option<Value> {
        let digits = |text: &str| text.len() - text.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let after_sign = self.rest.strip_prefix('-').unwrap_or(self.rest);
        let whole = digits(after_sign);
        if whole == 0 || (whole > 1 && after_sign.starts_with('0')) {
            return None;
        }
        let mut end = self.rest.len() - after_sign.len() + whole;
        let mut is_float = false;
        let rest = self.rest.get(end..)?;
        if let Some(fraction) = rest.strip_prefix('.').map(digits).filter(|count| *count > 0) {
            end += 1 + fraction;
            is_float = true;
        }
        let rest = self.rest.get(end..)?;
        if let Some(power) = rest.strip_prefix(['e', 'E']) {
            let unsigned = power.strip_prefix(['+', '-']).unwrap_or(power);
            if digits(unsigned) > 0 {
                end += 1 + (power.len() - unsigned.len()) + digits(unsigned);
                is_float = true;
            }
        }
        let (text, after) = self.rest.split_at(end);
        self.rest = after;
        if is_float { text.parse().ok().map(Value::Float) } else { text.parse().ok().map(Value::big) }
    }

    /// A string; nothing if it does not end or has a sign that may not be there.
    fn string(&mut self, vm: &mut Vm) -> Outcome<Option<String>> {
        let mut letters = self.rest.chars();
        letters.next();
        let mut text = String::new();
        let mut high: Option<u32> = None;
        loop {
            let at = letters.as_str();
            let Some(letter) = letters.next() else { return Ok(None) };
            if let (Some(_), false) = (high, at.starts_with("\\u")) {
                text.push('\u{fffd}');
                high = None;
            }
            match letter {
                '"' => {
                    self.rest = letters.as_str();
                    return Ok(Some(text));
                }
                '\\' => match letters.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('b') => text.push('\u{8}'),
                    Some('f') => text.push('\u{c}'),
                    Some('u') => {
                        let code = letters.as_str().get(..4).and_then(|it| u32::from_str_radix(it, 16).ok());
                        let Some(code) = code else { return Ok(None) };
                        for _ in 0..4 {
                            letters.next();
                        }
                        match (high.take(), code) {
                            (None, 0xd800..=0xdbff) => {
                                if !letters.as_str().starts_with("\\u") {
                                    let message = format!("521: incomplete surrogate pair at '{at}'");
                                    return Err(vm.scoped_error("JSON", "ParserError", &message));
                                }
                                high = Some(code);
                            }
                            (Some(first), 0xdc00..=0xdfff) => {
                                let joined = 0x10000 + ((first - 0xd800) << 10) + (code - 0xdc00);
                                text.push(char::from_u32(joined).unwrap_or('\u{fffd}'));
                            }
                            (_, code) => text.push(char::from_u32(code).unwrap_or('\u{fffd}')),
                        }
                    }
                    Some(other) => text.push(other),
                    None => return Ok(None),
                },
                letter if letter < ' ' => return Ok(None),
                letter => text.push(letter),
            }
        }
    }
}

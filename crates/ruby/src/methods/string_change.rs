//! What changes a string, and `sub` and `gsub`.

use std::rc::Rc;

use crate::interpreter::code::Args;
use crate::interpreter::regexp::Match;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::{Encoding, Str, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("sub", 0, -1, |vm, this, args| Ok(substituted(vm, this, args, false)?.unwrap_or_else(|| copy(this)))),
    Row("gsub", 1, 2, |vm, this, args| {
        if args.len() == 1 && args.block.is_none() {
            return Ok(vm.enumerator(this, "gsub", args.values));
        }
        Ok(substituted(vm, this, args, true)?.unwrap_or_else(|| copy(this)))
    }),
    Row("sub!", 0, -1, |vm, this, args| {
        let made = substituted(vm, this, args, false)?;
        replaced(vm, this, made)
    }),
    Row("gsub!", 1, 2, |vm, this, args| {
        if args.len() == 1 && args.block.is_none() {
            return Ok(vm.enumerator(this, "gsub!", args.values));
        }
        let made = substituted(vm, this, args, true)?;
        replaced(vm, this, made)
    }),
    Row("<<", 1, 1, append),
    Row("concat", 0, -1, append),
    Row("prepend", 0, -1, |vm, this, args| {
        let string = vm.changing_string(this)?;
        let mut bytes = Vec::new();
        for value in args.values {
            bytes.extend_from_slice(&vm.to_str(value)?.bytes.borrow());
        }
        bytes.extend_from_slice(&string.bytes.borrow());
        vm.check_size(bytes.len())?;
        *string.bytes.borrow_mut() = bytes;
        Ok(this.clone())
    }),
    Row("replace", 1, 1, |vm, this, args| {
        let string = vm.changing_string(this)?;
        let other = vm.to_str(args.at(0))?;
        let bytes = other.bytes.borrow().clone();
        *string.bytes.borrow_mut() = bytes;
        string.encoding.set(other.encoding.get());
        Ok(this.clone())
    }),
    Row("clear", 0, 0, |vm, this, _| {
        vm.changing_string(this)?.bytes.borrow_mut().clear();
        Ok(this.clone())
    }),
    Row("insert", 2, 2, |vm, this, args| {
        let string = vm.changing_string(this)?;
        let (number, other) = (vm.to_int(args.at(0))?, vm.to_str(args.at(1))?);
        let bounds = string.bounds();
        let number = if number < 0 { number + bounds.len() as i64 } else { number };
        let Some(at) = usize::try_from(number).ok().and_then(|it| bounds.get(it).copied()) else {
            let number = vm.to_int(args.at(0))?;
            // Compatibility: what is counted from the end stands behind the character.
            let number = if number < 0 { number + 1 } else { number };
            return Err(vm.error("IndexError", &format!("index {number} out of string")));
        };
        let added = other.bytes.borrow().clone();
        string.bytes.borrow_mut().splice(at..at, added);
        Ok(this.clone())
    }),
    Row("[]=", 2, 3, |vm, this, args| {
        let string = vm.changing_string(this)?;
        let value = args.values.last().cloned().unwrap_or(Value::Nil);
        let which = args.values.get(..args.len() - 1).unwrap_or_default();
        let added = vm.to_str(&value)?.bytes.borrow().clone();
        let end = string.bytes.borrow().len();
        let at_end = matches!(which, [Value::Int(index)] if usize::try_from(*index) == Ok(string.count()));
        match super::string_part::slice_range(vm, &string, Args::of(which))?.or(at_end.then_some((end, end))) {
            Some((start, end)) => {
                string.bytes.borrow_mut().splice(start..end, added);
                Ok(value)
            }
            None => {
                let message = match which.first() {
                    Some(Value::Str(_)) => "string not matched".to_string(),
                    Some(Value::Regexp(_)) => "regexp not matched".to_string(),
                    Some(Value::Range(_)) => {
                        let shown = vm.inspect(args.at(0))?;
                        return Err(vm.error("RangeError", &format!("{shown} out of range")));
                    }
                    _ => format!("index {} out of string", vm.to_int(args.at(0))?),
                };
                Err(vm.error("IndexError", &message))
            }
        }
    }),
    Row("slice!", 1, 2, |vm, this, args| {
        let string = vm.changing_string(this)?;
        match super::string_part::slice_range(vm, &string, args)? {
            Some((start, end)) => {
                let removed: Vec<u8> = string.bytes.borrow_mut().drain(start..end).collect();
                Ok(string.similar(removed))
            }
            None => Ok(Value::Nil),
        }
    }),
    Row("setbyte", 2, 2, |vm, this, args| {
        let string = vm.changing_string(this)?;
        let (index, byte) = (vm.position(args.at(0), string.bytes.borrow().len())?, vm.to_int(args.at(1))?);
        if let Some(place) = index.and_then(|index| string.bytes.borrow_mut().get_mut(index).map(|it| *it = byte as u8))
        {
            let () = place;
        }
        Ok(args.at(1).clone())
    }),
    Row("upcase!", 0, -1, |vm, this, args| in_place(vm, this, args, "upcase")),
    Row("downcase!", 0, -1, |vm, this, args| in_place(vm, this, args, "downcase")),
    Row("capitalize!", 0, -1, |vm, this, args| in_place(vm, this, args, "capitalize")),
    Row("swapcase!", 0, -1, |vm, this, args| in_place(vm, this, args, "swapcase")),
    Row("strip!", 0, 0, |vm, this, args| in_place(vm, this, args, "strip")),
    Row("lstrip!", 0, 0, |vm, this, args| in_place(vm, this, args, "lstrip")),
    Row("rstrip!", 0, 0, |vm, this, args| in_place(vm, this, args, "rstrip")),
    Row("chomp!", 0, 1, |vm, this, args| in_place(vm, this, args, "chomp")),
    Row("chop!", 0, 0, |vm, this, args| in_place(vm, this, args, "chop")),
    Row("squeeze!", 0, -1, |vm, this, args| in_place(vm, this, args, "squeeze")),
    Row("delete!", 1, -1, |vm, this, args| in_place(vm, this, args, "delete")),
    Row("tr!", 2, 2, |vm, this, args| in_place(vm, this, args, "tr")),
    Row("tr_s!", 2, 2, |vm, this, args| in_place(vm, this, args, "tr_s")),
    Row("delete_prefix!", 1, 1, |vm, this, args| in_place(vm, this, args, "delete_prefix")),
    Row("delete_suffix!", 1, 1, |vm, this, args| in_place(vm, this, args, "delete_suffix")),
    Row("scrub!", 0, 1, |vm, this, args| {
        in_place(vm, this, args, "scrub")?;
        Ok(this.clone())
    }),
    Row("reverse!", 0, 0, |vm, this, args| {
        in_place(vm, this, args, "reverse")?;
        Ok(this.clone())
    }),
    Row("succ!", 0, 0, |vm, this, args| {
        in_place(vm, this, args, "succ")?;
        Ok(this.clone())
    }),
    Row("next!", 0, 0, |vm, this, args| {
        in_place(vm, this, args, "succ")?;
        Ok(this.clone())
    }),
    Row("force_encoding", 1, 1, |vm, this, args| {
        let string = vm.changing_string(this)?;
        let encoding = vm.encoding_argument(args.at(0))?;
        string.encoding.set(encoding);
        Ok(this.clone())
    }),
    Row("encode", 0, -1, encode),
    Row("encode!", 0, -1, |vm, this, args| {
        let string = vm.changing_string(this)?;
        if let Value::Str(made) = encode(vm, this, args)? {
            *string.bytes.borrow_mut() = made.bytes.borrow().clone();
            string.encoding.set(made.encoding.get());
        }
        Ok(this.clone())
    }),
    Row("scrub", 0, 1, |vm, this, args| {
        let string = vm.string(this)?;
        let with = if args.values.is_empty() { "\u{fffd}".to_string() } else { vm.text(args.at(0))? };
        let bytes = string.bytes.borrow().clone();
        let mut made = String::new();
        for chunk in bytes.utf8_chunks() {
            made.push_str(chunk.valid());
            match (chunk.invalid(), args.block) {
                ([], _) => {}
                (invalid, Some(block)) => {
                    let text = vm.give(block, Value::str(invalid))?;
                    made.push_str(&vm.text(&text)?);
                }
                (_, None) => made.push_str(&with),
            }
        }
        Ok(string.similar(made.into_bytes()))
    }),
];

fn copy(this: &Value) -> Value {
    match this {
        Value::Str(string) => string.similar(string.bytes.borrow().clone()),
        other => other.clone(),
    }
}

fn append(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let string = vm.changing_string(this)?;
    let mut all = Vec::new();
    for value in args.values {
        let added = match value {
            Value::Int(code) => match u32::try_from(*code).ok().and_then(char::from_u32) {
                Some(letter) if !string.is_bytewise() || string.encoding.get() == Encoding::Utf8 => {
                    letter.to_string().into_bytes()
                }
                Some(letter) if u32::from(letter) < 256 => vec![u32::from(letter) as u8],
                _ => return Err(vm.error("RangeError", &format!("{code} out of char range"))),
            },
            other => vm.to_str(other)?.bytes.borrow().clone(),
        };
        all.extend_from_slice(&added);
    }
    string.bytes.borrow_mut().extend_from_slice(&all);
    let size = string.bytes.borrow().len();
    vm.check_size(size)?;
    Ok(this.clone())
}

fn replaced(vm: &mut Vm, this: &Value, made: Option<Value>) -> Outcome {
    let string = vm.changing_string(this)?;
    match made {
        Some(Value::Str(made)) => {
            let bytes = made.bytes.borrow().clone();
            *string.bytes.borrow_mut() = bytes;
            Ok(this.clone())
        }
        _ => Ok(Value::Nil),
    }
}

/// Puts the result of another method in the place of a string; nothing if it is the same.
fn in_place(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str) -> Outcome {
    let string = vm.changing_string(this)?;
    let made = vm.send_with(this, Sym::new(name), args, false)?;
    let made = vm.string(&made)?;
    if *made.bytes.borrow() == *string.bytes.borrow() {
        return Ok(Value::Nil);
    }
    let bytes = made.bytes.borrow().clone();
    *string.bytes.borrow_mut() = bytes;
    Ok(this.clone())
}

/// The string with matches replaced; nothing if there are none.
fn substituted(vm: &mut Vm, this: &Value, args: Args<'_>, all: bool) -> Outcome<Option<Value>> {
    let string = vm.string(this)?;
    let fewest = if args.block.is_some() { 1 } else { 2 };
    if !(fewest..=2).contains(&args.len()) {
        return Err(vm.wrong_count(args.len(), fewest, Some(2)));
    }
    let with = match args.get(1) {
        Some(Value::Hash(_)) | None => None,
        Some(other) => Some(vm.text(other)?),
    };
    let regexp = vm.search_pattern(args.at(0))?;
    let found = if all { vm.find_all(&regexp, &string)? } else { vm.find(&regexp, &string, 0)?.into_iter().collect() };
    if found.is_empty() {
        vm.leave_match(None);
        return Ok(None);
    }
    let bytes = string.bytes.borrow().clone();
    let mut made = Vec::with_capacity(bytes.len());
    let mut from = 0;
    let mut is_bytes = false;
    for it in &found {
        let (start, end) = it.range();
        made.extend_from_slice(bytes.get(from..start).unwrap_or_default());
        match (&with, args.get(1), args.block) {
            (Some(with), ..) => expand(it, with, &mut made),
            (None, Some(hash), _) => {
                let value = vm.send(hash, crate::interpreter::symbol::sym::AT, &[it.value(0)])?;
                is_bytes |= is_raw(&value);
                vm.push_bytes(&value, &mut made)?;
            }
            (None, None, Some(block)) => {
                vm.show_match(block, Some(it.clone()));
                let value = vm.give(block, it.value(0))?;
                is_bytes |= is_raw(&value);
                vm.push_bytes(&value, &mut made)?;
            }
            (None, None, None) => {}
        }
        from = end;
        vm.check_size(made.len())?;
    }
    made.extend_from_slice(bytes.get(from..).unwrap_or_default());
    vm.count_made(made.len())?;
    vm.leave_match(found.last().cloned());
    Ok(Some(if is_bytes && string.is_ascii() { Value::binary(made) } else { string.similar(made) }))
}

/// Whether a value is a string of bytes that are no ASCII: put into ASCII, it makes bytes of all.
fn is_raw(value: &Value) -> bool {
    matches!(value, Value::Str(string) if string.encoding.get() == Encoding::Binary && !string.is_ascii())
}

/// A replacement with `\1`, `\k<name>` and their like filled in.
fn expand(found: &Match, with: &str, made: &mut Vec<u8>) {
    let mut rest = with;
    while let Some(at) = rest.find('\\') {
        let (plain, after) = rest.split_at(at);
        made.extend_from_slice(plain.as_bytes());
        let mut letters = after.chars();
        letters.next();
        let group = |index: usize| found.group(index).unwrap_or_default().as_bytes().to_vec();
        match letters.next() {
            Some(digit @ '0'..='9') => made.extend(group(digit.to_digit(10).unwrap_or_default() as usize)),
            Some('&') => made.extend(group(0)),
            Some('`') => made.extend_from_slice(found.before().as_bytes()),
            Some('\'') => made.extend_from_slice(found.after().as_bytes()),
            Some('\\') => made.push(b'\\'),
            Some('k') if letters.as_str().starts_with('<') && letters.as_str().contains('>') => {
                let inner = letters.as_str().strip_prefix('<').unwrap_or_default();
                let (name, after) = inner.split_once('>').unwrap_or_default();
                let value = match name.parse::<usize>() {
                    Ok(index) => found.value(index),
                    Err(_) => found.named(name).unwrap_or(Value::Nil),
                };
                if let Value::Str(text) = value {
                    made.extend_from_slice(&text.bytes.borrow());
                }
                rest = after;
                continue;
            }
            Some(other) => {
                made.push(b'\\');
                made.extend_from_slice(other.to_string().as_bytes());
            }
            None => made.push(b'\\'),
        }
        rest = letters.as_str();
    }
    made.extend_from_slice(rest.as_bytes());
}

/// `encode(xml: :text)` and `encode(xml: :attr)`.
fn xml(vm: &mut Vm, this: &Value, kind: &Value) -> Outcome {
    let is_attribute = vm.to_s(kind)? == "attr";
    let text = vm.text(this)?;
    let mut made = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    if is_attribute {
        made = format!("\"{}\"", made.replace('"', "&quot;"));
    }
    vm.count_made(made.len())?;
    Ok(Value::str(made))
}

fn encode(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    if let Some(kind) = args.keyword("xml") {
        let made = xml(vm, this, &kind)?;
        let (values, _) = args.split_keywords();
        let is_narrow = match values.first() {
            Some(to) => matches!(vm.encoding_argument(to)?, Encoding::Ascii | Encoding::Latin1 | Encoding::Windows1252),
            None => false,
        };
        let text = vm.text(&made)?;
        let reference = |letter: char| match letter.is_ascii() || !is_narrow {
            true => letter.to_string(),
            false => format!("&#x{:X};", u32::from(letter)),
        };
        return Ok(Value::str(text.chars().map(reference).collect::<String>()));
    }
    let string = vm.string(this)?;
    let (values, _) = args.split_keywords();
    let from = match values.get(1) {
        Some(from) => vm.encoding_argument(from)?,
        None => string.encoding.get(),
    };
    let to = match values.first() {
        Some(to @ Value::Str(name)) if Encoding::named(&name.to_text()).is_none() => {
            let message = format!("code converter not found ({} to {})", from.name(), vm.to_s(to)?);
            return Err(vm.scoped_error("Encoding", "ConverterNotFoundError", &message));
        }
        Some(to) => vm.encoding_argument(to)?,
        None => Encoding::Utf8,
    };
    let keyword = |name: &str| if args.keywords { args.keyword(name) } else { None };
    let replaces =
        |name: &str| keyword(name).is_some_and(|it| matches!(&it, Value::Sym(it) if it.as_str() == "replace"));
    for (name, kind) in [("invalid", "invalid byte sequence"), ("undef", "undefined character")] {
        let is_known = |it: &Value| matches!(it, Value::Sym(it) if it.as_str() == "replace") || it.is_nil();
        if keyword(name).is_some_and(|it| !is_known(&it)) {
            return Err(vm.argument_error(&format!("unknown value for {kind} option")));
        }
    }
    let replacement = match keyword("replace") {
        Some(text) => Some(vm.text(&text)?),
        None => None,
    };
    let bytes = string.bytes.borrow().clone();
    let mut text = String::new();
    let unknown = if to == Encoding::Utf8 { "\u{fffd}" } else { "?" };
    let instead = replacement.clone().unwrap_or_else(|| unknown.to_string());
    match from {
        Encoding::Utf8 => {
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                if !chunk.invalid().is_empty() {
                    if from == to && !replaces("invalid") && !replaces("undef") {
                        return Ok(copy(this));
                    }
                    if !replaces("invalid") {
                        let shown: String = chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")).collect();
                        let message = format!("\"{shown}\" on UTF-8");
                        return Err(vm.scoped_error("Encoding", "InvalidByteSequenceError", &message));
                    }
                    text.push_str(&instead);
                }
            }
        }
        Encoding::Binary | Encoding::Ascii => {
            for byte in bytes {
                if byte.is_ascii() {
                    text.push(char::from(byte));
                } else if replaces("undef") || replaces("invalid") {
                    text.push_str(&instead);
                } else if to == from {
                    return Ok(copy(this));
                } else {
                    let message = format!("\"\\x{byte:02X}\" from {} to {}", from.name(), to.name());
                    let class =
                        if from == Encoding::Ascii { "InvalidByteSequenceError" } else { "UndefinedConversionError" };
                    let message =
                        if from == Encoding::Ascii { format!("\"\\x{byte:02X}\" on US-ASCII") } else { message };
                    return Err(vm.scoped_error("Encoding", class, &message));
                }
            }
        }
        Encoding::Latin1 | Encoding::Windows1252 => text.extend(bytes.iter().map(|byte| char::from(*byte))),
        Encoding::Utf16 | Encoding::Utf16Le | Encoding::Utf16Be => {
            let units = bytes.chunks_exact(2).map(|pair| match pair {
                [a, b] if from == Encoding::Utf16Le => u16::from_le_bytes([*a, *b]),
                [a, b] => u16::from_be_bytes([*a, *b]),
                _ => 0,
            });
            text.extend(char::decode_utf16(units).map(|it| it.unwrap_or('\u{fffd}')));
            if from == Encoding::Utf16 && text.starts_with('\u{feff}') {
                text.remove(0);
            }
        }
    }
    if keyword("universal_newline").is_some_and(|it| it.is_truthy()) {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
    if keyword("crlf_newline").is_some_and(|it| it.is_truthy()) {
        text = text.replace('\n', "\r\n");
    }
    let made = match to {
        Encoding::Utf8 => text.into_bytes(),
        Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        Encoding::Utf16 => format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => {
            let most = if matches!(to, Encoding::Latin1 | Encoding::Windows1252) { 256 } else { 128 };
            let mut made = Vec::new();
            for letter in text.chars() {
                match u8::try_from(u32::from(letter)) {
                    Ok(byte) if u32::from(byte) < most => made.push(byte),
                    _ if keyword("fallback").is_some() => {
                        let fallback = keyword("fallback").unwrap_or(Value::Nil);
                        let name = if matches!(fallback, Value::Hash(_)) { sym::AT } else { Sym::new("call") };
                        let found = vm.send(&fallback, name, &[Value::str(letter.to_string())])?;
                        made.extend_from_slice(vm.text(&found)?.as_bytes());
                    }
                    _ if replaces("undef") => made.extend_from_slice(replacement.as_deref().unwrap_or("?").as_bytes()),
                    _ => {
                        let message = format!("U+{:04X} from UTF-8 to {}", u32::from(letter), to.name());
                        return Err(vm.scoped_error("Encoding", "UndefinedConversionError", &message));
                    }
                }
            }
            made
        }
    };
    let made = Str::new(made);
    made.encoding.set(to);
    Ok(Value::Str(Rc::new(made)))
}

impl Vm {
    /// A string that is about to change.
    fn changing_string(&mut self, value: &Value) -> Outcome<Rc<Str>> {
        self.check_frozen(value)?;
        self.string(value)
    }

    fn encoding_argument(&mut self, value: &Value) -> Outcome<Encoding> {
        let is_encoding = matches!(value, Value::Object(_)) && self.class_name(value) == "Encoding";
        let name = if is_encoding { self.to_s(value)? } else { self.text(value)? };
        match Encoding::named(&name) {
            Some(encoding) => Ok(encoding),
            None => Err(self.argument_error(&format!("unknown encoding name - {name}"))),
        }
    }

    /// An exception of a class within another.
    pub(crate) fn scoped_error(&mut self, scope: &str, class: &str, message: &str) -> Box<crate::interpreter::Stop> {
        let scope = Value::Class(self.constant_class(scope));
        match self.scoped_constant(&scope, Sym::new(class)) {
            Ok(Value::Class(class)) => self.exception(&class, Value::str(message)),
            Ok(_) => self.error("StandardError", message),
            Err(stop) => stop,
        }
    }
}

//! `String`: reading and building. Parts and searches are in `string_part`, changes in `string_change`.

use std::rc::Rc;

use crate::interpreter::code::Args;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::{Encoding, Str, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) const OWN: &[Row] = &[Row("try_convert", 1, 1, |vm, _, args| match args.at(0) {
    string @ Value::Str(_) => Ok(string.clone()),
    other if vm.responds_to(other, sym::TO_STR) => vm.send(other, sym::TO_STR, &[]),
    _ => Ok(Value::Nil),
})];

pub(super) const ROWS: &[Row] = &[
    Row("initialize", 0, -1, |vm, this, args| {
        let (values, _) = args.split_keywords();
        if let Some(value) = values.first() {
            let (string, other) = (vm.string(this)?, vm.to_str(value)?);
            *string.bytes.borrow_mut() = other.bytes.borrow().clone();
            string.encoding.set(other.encoding.get());
        }
        Ok(Value::Nil)
    }),
    Row("to_s", 0, 0, |_, this, _| Ok(this.clone())),
    Row("to_str", 0, 0, |_, this, _| Ok(this.clone())),
    Row("inspect", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
    Row("to_sym", 0, 0, |vm, this, _| {
        let text = vm.string(this)?.to_text();
        Ok(Value::Sym(vm.intern(&text)?))
    }),
    Row("intern", 0, 0, |vm, this, _| vm.send(this, sym::TO_SYM, &[])),
    Row("to_i", 0, 1, |vm, this, args| {
        let base = if args.values.is_empty() { 10 } else { vm.to_int(args.at(0))? };
        let Some(base) = u32::try_from(base).ok().filter(|base| *base == 0 || (2..=36).contains(base)) else {
            return Err(vm.argument_error(&format!("invalid radix {base}")));
        };
        let text = vm.string(this)?.to_text();
        Ok(super::integer::leading(&text, base))
    }),
    Row("hex", 0, 0, |vm, this, _| Ok(super::integer::leading(&vm.string(this)?.to_text(), 16))),
    Row("oct", 0, 0, |vm, this, _| Ok(super::integer::leading(&vm.string(this)?.to_text(), 8 | 1 << 8))),
    Row("to_f", 0, 0, |vm, this, _| Ok(Value::Float(super::float::leading(&vm.string(this)?.to_text())))),
    Row("length", 0, 0, |vm, this, _| Ok(Value::int(vm.string(this)?.count()))),
    Row("size", 0, 0, |vm, this, _| Ok(Value::int(vm.string(this)?.count()))),
    Row("bytesize", 0, 0, |vm, this, _| Ok(Value::int(vm.string(this)?.bytes.borrow().len()))),
    Row("empty?", 0, 0, |vm, this, _| Ok(Value::Bool(vm.string(this)?.bytes.borrow().is_empty()))),
    Row("hash", 0, 0, super::object::hash_number),
    Row("==", 1, 1, |vm, this, args| Ok(Value::Bool(vm.equals(this, args.at(0))?))),
    Row("===", 1, 1, |vm, this, args| Ok(Value::Bool(vm.equals(this, args.at(0))?))),
    Row("eql?", 1, 1, |_, this, args| Ok(Value::Bool(crate::interpreter::hash::is_eql(this, args.at(0))))),
    Row("<=>", 1, 1, |vm, this, args| match args.at(0) {
        Value::Str(_) => Ok(super::comparable::sign(vm.compare(this, args.at(0))?)),
        _ => Ok(Value::Nil),
    }),
    Row("casecmp", 1, 1, |vm, this, args| {
        let other = match args.at(0) {
            Value::Str(other) => other.to_text().to_ascii_lowercase(),
            other => {
                return if other.is_nil() { Err(vm.no_conversion(other, "String")) } else { Ok(Value::Nil) };
            }
        };
        let text = vm.string(this)?.to_text().to_ascii_lowercase();
        Ok(Value::Int(text.as_bytes().cmp(other.as_bytes()) as i64))
    }),
    Row("casecmp?", 1, 1, |vm, this, args| {
        let Value::Str(other) = args.at(0) else { return Ok(Value::Nil) };
        let other = other.to_text().to_lowercase();
        Ok(Value::Bool(vm.string(this)?.to_text().to_lowercase() == other))
    }),
    Row("+", 1, 1, |vm, this, args| {
        let (string, other) = (vm.string(this)?, vm.to_str(args.at(0))?);
        let mut bytes = string.bytes.borrow().clone();
        bytes.extend_from_slice(&other.bytes.borrow());
        vm.count_made(bytes.len())?;
        if !string.is_ascii() && !other.is_ascii() && string.encoding.get() != other.encoding.get() {
            let (a, b) = (string.encoding.get().name(), other.encoding.get().name());
            let message = format!("incompatible character encodings: {a} and {b}");
            return Err(vm.scoped_error("Encoding", "CompatibilityError", &message));
        }
        let like = if string.is_ascii() && !other.is_ascii() { &other } else { &string };
        Ok(like.similar(bytes))
    }),
    Row("*", 1, 1, |vm, this, args| {
        let string = vm.string(this)?;
        let count = vm.size_argument(args.at(0), "negative argument")?;
        let size = string.bytes.borrow().len().saturating_mul(count);
        if size > 1 << 40 {
            return Err(vm.argument_error("argument too big"));
        }
        vm.count_made(size)?;
        let bytes = string.bytes.borrow().repeat(count);
        Ok(string.similar(bytes))
    }),
    Row("%", 1, 1, |vm, this, args| match args.at(0) {
        Value::Array(values) => {
            let values = values.items.borrow().clone();
            super::format::format(vm, this, &values)
        }
        other => super::format::format(vm, this, std::slice::from_ref(other)),
    }),
    Row("-@", 0, 0, |_, this, _| {
        this.freeze();
        Ok(this.clone())
    }),
    Row(
        "+@",
        0,
        0,
        |vm, this, _| {
            if this.is_frozen() { super::object::copy(vm, this, false) } else { Ok(this.clone()) }
        },
    ),
    Row("upcase", 0, -1, |vm, this, args| match case_option(vm, args)? {
        Some("ascii") => mapped(vm, this, |text| text.to_ascii_uppercase()),
        Some("turkic") => mapped(vm, this, |text| text.replace('i', "İ").to_uppercase()),
        _ => mapped(vm, this, |text| text.to_uppercase()),
    }),
    Row("downcase", 0, -1, |vm, this, args| match case_option(vm, args)? {
        Some("ascii") => mapped(vm, this, |text| text.to_ascii_lowercase()),
        Some("turkic") => mapped(vm, this, |text| lowercase(&text.replace('I', "ı").replace('İ', "i"))),
        _ => mapped(vm, this, lowercase),
    }),
    Row("to_r", 0, 0, |vm, this, _| {
        // The library brings the method itself along.
        vm.require("(rational)")?;
        vm.send(this, Sym::new("to_r"), &[])
    }),
    Row("to_c", 0, 0, |vm, this, _| {
        vm.require("(rational)")?;
        vm.send(this, Sym::new("to_c"), &[])
    }),
    Row("each_codepoint", 0, 0, |vm, this, args| {
        if args.block.is_none() {
            return Ok(vm.enumerator(this, "each_codepoint", &[]));
        }
        let codes = vm.send(this, Sym::new("codepoints"), &[])?;
        vm.send_with(&codes, Sym::new("each"), args, false)?;
        Ok(this.clone())
    }),
    Row("capitalize", 0, -1, |vm, this, args| case_option(vm, args).and_then(|_| mapped(vm, this, capitalized))),
    Row("swapcase", 0, -1, |vm, this, args| case_option(vm, args).and_then(|_| mapped(vm, this, swapped))),
    Row("strip", 0, 0, |vm, this, _| mapped(vm, this, |text| left(right(text)).to_string())),
    Row("lstrip", 0, 0, |vm, this, _| mapped(vm, this, |text| left(text).to_string())),
    Row("rstrip", 0, 0, |vm, this, _| mapped(vm, this, |text| right(text).to_string())),
    Row("chomp", 0, 1, |vm, this, args| {
        let string = vm.string(this)?;
        let end = match args.values.first() {
            None => b"\n".to_vec(),
            Some(Value::Nil) => return Ok(string.similar(string.bytes.borrow().clone())),
            Some(end) => vm.to_str(end)?.bytes.borrow().clone(),
        };
        let bytes = string.bytes.borrow();
        let mut left = bytes.as_slice();
        match end.as_slice() {
            b"" => {
                while let Some(rest) = left.strip_suffix(b"\r\n").or_else(|| left.strip_suffix(b"\n")) {
                    left = rest;
                }
            }
            b"\n" => left = chomped_bytes(left),
            end => left = left.strip_suffix(end).unwrap_or(left),
        }
        Ok(string.similar(left.to_vec()))
    }),
    Row("chop", 0, 0, |vm, this, _| {
        mapped(vm, this, |text| {
            let shorter = text.strip_suffix("\r\n");
            shorter.map_or_else(
                || {
                    let mut letters = text.chars();
                    letters.next_back();
                    letters.as_str().to_string()
                },
                str::to_string,
            )
        })
    }),
    Row("reverse", 0, 0, |vm, this, _| {
        let string = vm.string(this)?;
        let bytes = string.characters().iter().rev().flatten().copied().collect::<Vec<u8>>();
        Ok(string.similar(bytes))
    }),
    Row("succ", 0, 0, |vm, this, _| successor(vm, this)),
    Row("next", 0, 0, |vm, this, _| successor(vm, this)),
    Row("ord", 0, 0, |vm, this, _| {
        let string = vm.string(this)?;
        let first = string.bytes.borrow().first().copied();
        match (first, string.is_bytewise()) {
            (None, _) => Err(vm.argument_error("empty string")),
            (Some(byte), true) => Ok(Value::Int(i64::from(byte))),
            (Some(_), false) => Ok(Value::Int(string.with(|text| text.chars().next().map_or(0, i64::from_char)))),
        }
    }),
    Row("chr", 0, 0, |vm, this, _| {
        let string = vm.string(this)?;
        Ok(string.similar(string.characters().into_iter().next().unwrap_or_default()))
    }),
    Row("chars", 0, 0, |vm, this, args| {
        let string = vm.string(this)?;
        let parts = string.characters().into_iter().map(|it| string.similar(it)).collect();
        each_part(vm, this, args, parts)
    }),
    Row("each_char", 0, 0, |vm, this, args| {
        let string = vm.string(this)?;
        let parts = string.characters().into_iter().map(|it| string.similar(it)).collect();
        part_or_enumerator(vm, this, args, "each_char", parts)
    }),
    Row("grapheme_clusters", 0, 0, |vm, this, args| {
        let string = vm.string(this)?;
        let parts = string.characters().into_iter().map(|it| string.similar(it)).collect();
        each_part(vm, this, args, parts)
    }),
    Row("bytes", 0, 0, |vm, this, args| {
        let parts = vm.string(this)?.bytes.borrow().iter().map(|it| Value::Int(i64::from(*it))).collect();
        each_part(vm, this, args, parts)
    }),
    Row("each_byte", 0, 0, |vm, this, args| {
        let parts = vm.string(this)?.bytes.borrow().iter().map(|it| Value::Int(i64::from(*it))).collect();
        part_or_enumerator(vm, this, args, "each_byte", parts)
    }),
    Row("codepoints", 0, 0, |vm, this, args| {
        let string = vm.string(this)?;
        if !string.is_valid() && !string.is_bytewise() {
            let name = string.encoding.get().name();
            return Err(vm.argument_error(&format!("invalid byte sequence in {name}")));
        }
        let parts = if string.is_bytewise() {
            string.bytes.borrow().iter().map(|it| Value::Int(i64::from(*it))).collect()
        } else {
            string.with(|text| text.chars().map(|it| Value::Int(i64::from_char(it))).collect())
        };
        each_part(vm, this, args, parts)
    }),
    Row("lines", 0, -1, |vm, this, args| {
        let parts = lines(vm, this, args)?;
        each_part(vm, this, args, parts)
    }),
    Row("each_line", 0, -1, |vm, this, args| {
        if args.block.is_none() {
            return Ok(vm.enumerator_of(this, "each_line", args));
        }
        let parts = lines(vm, this, args)?;
        each_part(vm, this, args, parts)
    }),
    Row("upto", 1, 2, |vm, this, args| {
        if args.block.is_none() {
            return Ok(vm.enumerator_of(this, "upto", args));
        }
        let (start, end) = (vm.string(this)?.to_text(), vm.text(args.at(0))?);
        let parts = super::succ::strings_between(&start, &end, args.at(1).is_truthy());
        each_part(vm, this, args, parts.into_iter().map(Value::from).collect())
    }),
    Row("center", 1, 2, |vm, this, args| justified(vm, this, args, |missing| (missing / 2, missing - missing / 2))),
    Row("ljust", 1, 2, |vm, this, args| justified(vm, this, args, |missing| (0, missing))),
    Row("rjust", 1, 2, |vm, this, args| justified(vm, this, args, |missing| (missing, 0))),
    Row("encoding", 0, 0, |vm, this, _| {
        let name = vm.string(this)?.encoding.get().name();
        vm.encoding_named(name)
    }),
    Row("valid_encoding?", 0, 0, |vm, this, _| Ok(Value::Bool(vm.string(this)?.is_valid()))),
    Row("ascii_only?", 0, 0, |vm, this, _| Ok(Value::Bool(vm.string(this)?.is_ascii()))),
    Row("unicode_normalize", 0, 1, |vm, this, args| {
        check_normal(vm, this, args)?;
        Ok(this.clone())
    }),
    Row("b", 0, 0, |vm, this, _| Ok(Value::binary(vm.string(this)?.bytes.borrow().clone()))),
    Row("crypt", 1, 1, |vm, this, args| {
        let (password, setting) = (vm.string(this)?.bytes.borrow().clone(), vm.text(args.at(0))?);
        if setting.len() < 2 {
            return Err(vm.argument_error("salt too short (need >=2 bytes)"));
        }
        match bunraku_pki::password::crypt_like(&password, &setting) {
            Some(hash) => Ok(Value::binary(hash.into_bytes())),
            None => Err(vm.error("NotImplementedError", "this method of crypt is not known")),
        }
    }),
    Row("sum", 0, 1, |vm, this, args| {
        let bits = if args.values.is_empty() { 16 } else { vm.to_int(args.at(0))? };
        let sum: i64 = vm.string(this)?.bytes.borrow().iter().map(|it| i64::from(*it)).sum();
        Ok(Value::Int(if (1..63).contains(&bits) { sum & ((1 << bits) - 1) } else { sum }))
    }),
    Row("unpack", 0, -1, |vm, this, args| super::pack::unpack(vm, this, args, usize::MAX)),
    Row("unpack1", 0, -1, |vm, this, args| {
        let all = super::pack::unpack(vm, this, args, 1)?;
        Ok(vm.array(&all)?.items.borrow().first().cloned().into())
    }),
    Row("unicode_normalized?", 0, 1, |vm, this, args| {
        check_normal(vm, this, args)?;
        Ok(Value::Bool(true))
    }),
    Row("itself", 0, 0, |_, this, _| Ok(this.clone())),
];

/// Only ASCII, and what has no combining marks in the usual form, is known to be normal; other text is left to Ruby.
fn check_normal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome<()> {
    let is_composed = matches!(args.at(0), Value::Nil) || vm.to_s(args.at(0))? == "nfc";
    let string = vm.string(this)?;
    match string.encoding.get() {
        encoding @ (Encoding::Binary | Encoding::Utf16 | Encoding::Windows1252) => {
            let message = format!("Unicode Normalization not appropriate for {}", encoding.name());
            Err(vm.scoped_error("Encoding", "CompatibilityError", &message))
        }
        _ if string.is_ascii() => Ok(()),
        Encoding::Utf8 if is_composed && string.with(|text| text.chars().all(|letter| letter < '\u{300}')) => Ok(()),
        _ => Err(vm.error("NotImplementedError", "the normal forms of Unicode")),
    }
}

fn successor(vm: &mut Vm, this: &Value) -> Outcome {
    let string = vm.string(this)?;
    if string.encoding.get() == Encoding::Binary && !string.is_ascii() {
        let next = super::succ::succ_of_bytes(&string.bytes.borrow());
        return Ok(Value::binary(next));
    }
    mapped(vm, this, super::succ::succ)
}

/// The code of a character.
trait FromChar {
    fn from_char(letter: char) -> Self;
}

impl FromChar for i64 {
    fn from_char(letter: char) -> i64 {
        i64::from(u32::from(letter))
    }
}

fn is_blank(letter: char) -> bool {
    matches!(letter, ' ' | '\t'..='\r' | '\0')
}

/// Without white space in front.
pub(super) fn left(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

/// Without white space at the end.
pub(super) fn right(text: &str) -> &str {
    text.trim_end_matches(is_blank)
}

/// Without the end of the line.
fn chomped_bytes(bytes: &[u8]) -> &[u8] {
    let end = [b"\r\n".as_slice(), b"\n", b"\r"].into_iter().find_map(|end| bytes.strip_suffix(end));
    end.unwrap_or(bytes)
}

/// Without the end of the line.
pub(super) fn chomped(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r'])).unwrap_or(text)
}

/// With a capital first.
pub(super) fn lowercase(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// What `upcase` and its kin are told about languages.
fn case_option(vm: &mut Vm, args: Args<'_>) -> Outcome<Option<&'static str>> {
    let known = ["ascii", "turkic", "lithuanian", "fold"];
    match args.values.first() {
        None => Ok(None),
        _ if args.len() > 1 => Err(vm.argument_error("too many options")),
        Some(Value::Sym(name)) => match known.into_iter().find(|known| *known == name.as_str()) {
            Some(name) => Ok(Some(name)),
            None => Err(vm.argument_error("invalid option")),
        },
        Some(_) => Err(vm.argument_error("invalid option")),
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        None => String::new(),
        Some(first) => {
            let mut upper: Vec<char> = first.to_uppercase().collect();
            if upper.len() > 1 {
                let rest: Vec<char> = upper.split_off(1);
                upper.extend(rest.into_iter().flat_map(char::to_lowercase));
            }
            upper.into_iter().chain(letters.as_str().to_lowercase().chars()).collect()
        }
    }
}

/// With small and capital letters exchanged.
pub(super) fn swapped(text: &str) -> String {
    let swap = |letter: char| -> Vec<char> {
        if letter.is_uppercase() { letter.to_lowercase().collect() } else { letter.to_uppercase().collect() }
    };
    text.chars().flat_map(swap).collect()
}

fn mapped(vm: &mut Vm, this: &Value, work: impl FnOnce(&str) -> String) -> Outcome {
    let string = vm.string(this)?;
    if !string.is_valid() {
        let encoding = string.encoding.get().name();
        return Err(vm.argument_error(&format!("input string invalid ({encoding})").replace(" (UTF-8)", "")));
    }
    Ok(string.similar(string.with(work).into_bytes()))
}

fn each_part(vm: &mut Vm, this: &Value, args: Args<'_>, parts: Vec<Value>) -> Outcome {
    let Some(block) = args.block else { return Ok(Value::array(parts)) };
    for part in parts {
        vm.give(block, part)?;
    }
    Ok(this.clone())
}

fn part_or_enumerator(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str, parts: Vec<Value>) -> Outcome {
    if args.block.is_none() {
        return Ok(vm.enumerator_of(this, name, args));
    }
    each_part(vm, this, args, parts)
}

fn lines(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome<Vec<Value>> {
    let (values, keywords) = args.split_keywords();
    if let Some(Value::Hash(keywords)) = keywords {
        for (key, _) in keywords.pairs() {
            if !matches!(key, Value::Sym(name) if name.as_str() == "chomp") {
                let shown = vm.inspect(&key)?;
                return Err(vm.argument_error(&format!("unknown keyword: {shown}")));
            }
        }
    }
    if values.len() > 1 {
        return Err(vm.wrong_count(values.len(), 0, Some(1)));
    }
    let chomps = args.keywords && args.keyword("chomp").is_some_and(|it| it.is_truthy());
    let text = vm.string(this)?.to_text();
    let separator = match values.first() {
        None => "\n".to_string(),
        Some(Value::Nil) => return Ok(vec![Value::str(text)]),
        Some(separator) => vm.text(separator)?,
    };
    let mut parts = Vec::new();
    if separator.is_empty() {
        // Paragraphs, which empty lines separate.
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let end = rest.find("\n\n").map_or(rest.len(), |at| {
                let after = rest.get(at..).unwrap_or_default();
                at + after.len() - after.trim_start_matches('\n').len()
            });
            let (part, after) = rest.split_at(end);
            parts.push(Value::str(if chomps { part.trim_end_matches('\n') } else { part }));
            rest = after;
        }
        return Ok(parts);
    }
    for part in text.split_inclusive(separator.as_str()) {
        let part = match chomps {
            true if separator == "\n" => chomped(part),
            true => part.strip_suffix(separator.as_str()).unwrap_or(part),
            false => part,
        };
        parts.push(Value::str(part));
    }
    Ok(parts)
}

fn justified(vm: &mut Vm, this: &Value, args: Args<'_>, sides: fn(usize) -> (usize, usize)) -> Outcome {
    let string = vm.string(this)?;
    let width = vm.to_int(args.at(0))?;
    let pad = match args.get(1) {
        None => vec![b" ".to_vec()],
        Some(pad) => vm.to_str(pad)?.characters(),
    };
    if pad.is_empty() {
        return Err(vm.argument_error("zero width padding"));
    }
    let missing = usize::try_from(width).unwrap_or_default().saturating_sub(string.count());
    vm.count_made(missing.saturating_mul(4))?;
    let (before, after) = sides(missing);
    let side = |count: usize| pad.iter().cycle().take(count).flatten().copied().collect::<Vec<u8>>();
    let mut bytes = side(before);
    bytes.extend_from_slice(&string.bytes.borrow());
    bytes.extend(side(after));
    Ok(string.similar(bytes))
}

impl Str {
    /// A string of the same encoding.
    pub(super) fn similar(&self, bytes: Vec<u8>) -> Value {
        let made = Str::new(bytes);
        made.encoding.set(self.encoding.get());
        Value::Str(Rc::new(made))
    }

    /// Where characters begin, and the end.
    pub(super) fn bounds(&self) -> Vec<usize> {
        let bytes = self.bytes.borrow();
        if self.is_bytewise() {
            return (0..=bytes.len()).collect();
        }
        if matches!(self.encoding.get(), Encoding::Utf16Le | Encoding::Utf16Be) {
            let mut all: Vec<usize> = (0..bytes.len()).step_by(2).collect();
            all.push(bytes.len());
            return all;
        }
        let mut all = Vec::with_capacity(bytes.len() + 1);
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            for letter in chunk.valid().chars() {
                all.push(at);
                at += letter.len_utf8();
            }
            for _ in chunk.invalid() {
                all.push(at);
                at += 1;
            }
        }
        all.push(bytes.len());
        all
    }

    /// How many characters there are.
    pub(super) fn count(&self) -> usize {
        if self.is_bytewise() { self.bytes.borrow().len() } else { self.bounds().len() - 1 }
    }

    /// The characters, each as its bytes.
    pub(super) fn characters(&self) -> Vec<Vec<u8>> {
        let bounds = self.bounds();
        let bytes = self.bytes.borrow();
        let pairs = bounds.iter().zip(bounds.iter().skip(1));
        pairs.map(|(start, end)| bytes.get(*start..*end).unwrap_or_default().to_vec()).collect()
    }
}

impl Vm {
    /// The receiver of a method of `String`.
    pub(super) fn string(&mut self, value: &Value) -> Outcome<Rc<Str>> {
        match value {
            Value::Str(string) => Ok(string.clone()),
            Value::Sym(name) => Ok(Rc::new(Str::new(name.as_str()))),
            other => Err(self.no_conversion(other, "String")),
        }
    }
}

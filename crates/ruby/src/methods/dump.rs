//! `String#dump`, `undump`, and the letters that readers see.

use crate::interpreter::code::Args;
use crate::interpreter::regexp::Options;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Encoding, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("dump", 0, 0, |vm, this, _| {
        let string = vm.string(this)?;
        let is_text = string.encoding.get() == Encoding::Utf8;
        Ok(Value::str(dumped(&string.bytes.borrow(), is_text)))
    }),
    Row("undump", 0, 0, |vm, this, _| {
        let string = vm.string(this)?;
        let bytes = string.bytes.borrow().clone();
        match undumped(&bytes) {
            Ok(made) => Ok(Value::str(made)),
            Err(message) => Err(vm.error("RuntimeError", message)),
        }
    }),
    Row("grapheme_clusters", 0, 0, |vm, this, args| {
        let found = clusters(vm, this)?;
        match args.block {
            Some(_) => {
                vm.send_with(&found, Sym::new("each"), args, false)?;
                Ok(this.clone())
            }
            None => Ok(found),
        }
    }),
    Row("each_grapheme_cluster", 0, 0, |vm, this, args| {
        if args.block.is_none() {
            return Ok(vm.enumerator(this, "each_grapheme_cluster", &[]));
        }
        let found = clusters(vm, this)?;
        vm.send_with(&found, Sym::new("each"), args, false)?;
        Ok(this.clone())
    }),
];

/// What readers take for one letter: a flag, or a letter with its marks and what is joined to it.
const CLUSTER: &str = "[\u{1f1e6}-\u{1f1ff}]{2}|\\r\\n|\\P{M}(?:\u{200d}\\P{M}|[\\p{M}\u{1f3fb}-\u{1f3ff}])*|\\p{M}+";

fn clusters(vm: &mut Vm, this: &Value) -> Outcome {
    let pattern = Value::Regexp(vm.regexp(CLUSTER, Options::default())?);
    vm.send_with(this, Sym::new("scan"), Args::of(&[pattern]), false)
}

/// Letters of text are shown by their numbers, all other bytes as they are.
fn dumped(bytes: &[u8], is_text: bool) -> String {
    let mut made = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        let mut letters = chunk.valid().chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '"' | '\\' => made.extend(['\\', letter]),
                '#' if matches!(letters.peek(), Some('{' | '$' | '@')) => made.push_str("\\#"),
                ' '..='~' => made.push(letter),
                letter => match (NAMED.iter().find(|(_, named)| *named == letter), u32::from(letter)) {
                    (Some((name, _)), _) => made.extend(['\\', *name]),
                    (None, code) if code >= 128 && !is_text => {
                        let bytes = letter.to_string().into_bytes();
                        made.extend(bytes.iter().map(|byte| format!("\\x{byte:02X}")));
                    }
                    (None, code) if code < 128 => made.push_str(&format!("\\x{code:02X}")),
                    (None, code) if code > 0xffff => made.push_str(&format!("\\u{{{code:X}}}")),
                    (None, code) => made.push_str(&format!("\\u{code:04X}")),
                },
            }
        }
        for byte in chunk.invalid() {
            made.push_str(&format!("\\x{byte:02X}"));
        }
    }
    made + "\""
}

/// Letters that have an escape of their own.
const NAMED: [(char, char); 8] = [
    ('n', '\n'),
    ('r', '\r'),
    ('t', '\t'),
    ('f', '\u{c}'),
    ('v', '\u{b}'),
    ('b', '\u{8}'),
    ('a', '\u{7}'),
    ('e', '\u{1b}'),
];

fn undumped(bytes: &[u8]) -> Result<Vec<u8>, &'static str> {
    if !bytes.is_ascii() {
        return Err("non-ASCII character detected");
    }
    if bytes.contains(&0) {
        return Err("string contains null byte");
    }
    let text = String::from_utf8_lossy(bytes);
    let Some(inner) = text.strip_prefix('"') else {
        return Err("invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form");
    };
    let mut made = Vec::new();
    let mut rest = inner;
    // Bytes and letters by their numbers do not go together.
    let (mut has_byte, mut has_letter) = (false, false);
    loop {
        let mut letters = rest.chars();
        match letters.next() {
            None => return Err("unterminated dumped string"),
            Some('"') if letters.as_str().is_empty() => return Ok(made),
            Some('"') => {
                return Err("invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form");
            }
            Some('\\') => {
                rest = letters.as_str();
                has_byte |= rest.starts_with('x');
                has_letter |= rest.starts_with('u');
                if has_byte && has_letter {
                    return Err("hex escape and Unicode escape are mixed");
                }
                rest = unescaped(rest, &mut made)?;
            }
            Some(letter) => {
                made.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                rest = letters.as_str();
            }
        }
    }
}

/// Reads what follows a backslash; gives what is behind it.
fn unescaped<'t>(text: &'t str, made: &mut Vec<u8>) -> Result<&'t str, &'static str> {
    let mut letters = text.chars();
    match letters.next() {
        None => Err("invalid escape"),
        Some('x') => {
            let rest = letters.as_str();
            let digits = rest.bytes().take(2).take_while(u8::is_ascii_hexdigit).count();
            let byte = rest.get(..2).filter(|_| digits == 2).and_then(|it| u8::from_str_radix(it, 16).ok());
            made.push(byte.ok_or("invalid hex escape")?);
            rest.get(2..).ok_or("invalid hex escape")
        }
        Some('u') => {
            let rest = letters.as_str();
            let (codes, rest) = match rest.strip_prefix('{') {
                Some(rest) => rest.split_once('}').ok_or("unterminated Unicode escape")?,
                None => rest.split_at_checked(4).ok_or("invalid Unicode escape")?,
            };
            for code in codes.split_ascii_whitespace() {
                let letter = u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
                let letter = letter.ok_or("invalid Unicode codepoint")?;
                made.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Ok(rest)
        }
        Some(letter) => {
            let named = NAMED.iter().find(|(name, _)| *name == letter).map_or(letter, |(_, named)| *named);
            made.extend_from_slice(named.encode_utf8(&mut [0; 4]).as_bytes());
            Ok(letters.as_str())
        }
    }
}

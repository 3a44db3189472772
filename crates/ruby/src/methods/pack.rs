//! `pack` and `unpack`: values as bytes.

use crate::interpreter::code::Args;
use crate::interpreter::order::float_of;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Str, Value};
use crate::interpreter::{Outcome, Vm};

/// One directive: its letter, whether the large end comes first, and how often.
struct Directive {
    letter: char,
    is_big: bool,
    count: Option<usize>,
    is_all: bool,
}

fn directives(vm: &mut Vm, text: &str) -> Outcome<Vec<Directive>> {
    let mut all = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_whitespace() {
            continue;
        }
        if letter == '#' {
            while letters.next().is_some_and(|letter| letter != '\n') {}
            continue;
        }
        // Compatibility: what is no directive is passed over; Ruby 3.1 only warns.
        let is_known = "%aAZBbHhCcSsIiJjLlQqNnVvUmMuwxX@dDfFeEgG".contains(letter);
        let mut is_big = matches!(letter, 'N' | 'n' | 'g' | 'G');
        while let Some(mark @ ('<' | '>' | '!' | '_')) = letters.peek() {
            is_big |= *mark == '>';
            letters.next();
        }
        let is_all = letters.peek() == Some(&'*');
        if is_all {
            letters.next();
        }
        let mut count = None;
        while let Some(digit) = letters.peek().and_then(|it| it.to_digit(10)) {
            count = Some(count.unwrap_or(0usize).saturating_mul(10).saturating_add(digit as usize));
            letters.next();
        }
        vm.check_size(count.unwrap_or(0))?;
        if !is_known {
            continue;
        }
        all.push(Directive { letter, is_big, count, is_all });
    }
    Ok(all)
}

fn width(letter: char) -> usize {
    match letter {
        'C' | 'c' => 1,
        'S' | 's' | 'n' | 'v' => 2,
        'I' | 'i' | 'L' | 'l' | 'N' | 'V' | 'f' | 'F' | 'e' | 'g' => 4,
        _ => 8,
    }
}

/// `Array#pack`.
pub(super) fn pack(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let given = args.split_keywords().0.len();
    if given != 1 {
        return Err(vm.wrong_count(given, 1, Some(1)));
    }
    let pattern = vm.text(args.at(0))?;
    let mut values = vm.items(this)?.into_iter();
    let mut made: Vec<u8> = Vec::new();
    let mut is_unicode = false;
    for (index, it) in directives(vm, &pattern)?.into_iter().enumerate() {
        match it.letter {
            '%' => return Err(vm.argument_error("% is not supported")),
            'a' | 'A' | 'Z' | 'B' | 'b' | 'H' | 'h' | 'm' | 'M' | 'u' => {
                let Some(value) = values.next() else { return Err(vm.argument_error("too few arguments")) };
                let bytes = match (&value, it.letter) {
                    (Value::Nil, 'a' | 'A' | 'Z') => Vec::new(),
                    (other, 'M') => vm.to_s(other)?.into_bytes(),
                    (other, _) => vm.to_str(other)?.bytes.borrow().clone(),
                };
                made.extend(match it.letter {
                    'm' => base64(
                        &bytes,
                        if it.count == Some(0) { usize::MAX } else { (it.count.unwrap_or(45) / 3 * 3).max(3) },
                    ),
                    'M' => quoted(&bytes),
                    'u' => uuencoded(&bytes, it.count.unwrap_or(45)),
                    'H' | 'h' => hex_bytes(counted(&bytes, &it), it.letter == 'H'),
                    'B' | 'b' => bit_bytes(counted(&bytes, &it), it.letter == 'B'),
                    letter => {
                        let mut bytes = bytes;
                        let fill = if letter == 'A' { b' ' } else { 0 };
                        match (it.is_all, it.count) {
                            (true, _) => bytes.extend((letter == 'Z').then_some(0)),
                            (false, count) => bytes.resize(count.unwrap_or(1), fill),
                        }
                        bytes
                    }
                });
            }
            'x' => made.extend(vec![0; it.count.unwrap_or(1)]),
            'X' => made.truncate(made.len().saturating_sub(it.count.unwrap_or(1))),
            '@' => made.resize(it.count.unwrap_or(1), 0),
            letter => {
                is_unicode |= letter == 'U' && index == 0;
                let count = if it.is_all { usize::MAX } else { it.count.unwrap_or(1) };
                for turn in 0..count {
                    let Some(value) = values.next() else {
                        if it.is_all {
                            break;
                        }
                        let _ = turn;
                        return Err(vm.argument_error("too few arguments"));
                    };
                    if is_float(letter) {
                        let number = Value::Class(vm.core.object.clone());
                        let number = vm.send(&number, Sym::new("Float"), std::slice::from_ref(&value))?;
                        made.extend(float_bytes(float_of(&number), letter, it.is_big));
                        continue;
                    }
                    let number = match &value {
                        Value::Big(number) => {
                            let low = number.as_ref() & num_bigint::BigInt::from(u64::MAX);
                            u64::try_from(&low).unwrap_or_default() as i64
                        }
                        other => vm.to_int(other)?,
                    };
                    match letter {
                        'U' => match u32::try_from(number).ok().and_then(char::from_u32) {
                            Some(letter) => made.extend_from_slice(letter.to_string().as_bytes()),
                            None => return Err(vm.error("RangeError", "pack(U): value out of range")),
                        },
                        'w' => made.extend(compressed(number)),
                        letter => {
                            let mut bytes: Vec<u8> = number.to_le_bytes().into_iter().take(width(letter)).collect();
                            if it.is_big {
                                bytes.reverse();
                            }
                            made.extend(bytes);
                        }
                    }
                }
            }
        }
        vm.check_size(made.len())?;
    }
    let is_text = pattern.chars().all(|letter| "mMU0123456789* ".contains(letter)) && !pattern.is_empty();
    Ok(if is_unicode {
        Value::str(made)
    } else if is_text {
        ascii(made)
    } else {
        Value::binary(made)
    })
}

fn is_float(letter: char) -> bool {
    "dDfFeEgG".contains(letter)
}

fn float_bytes(number: f64, letter: char, is_big: bool) -> Vec<u8> {
    let mut bytes = match width(letter) {
        4 => (number as f32).to_le_bytes().to_vec(),
        _ => number.to_le_bytes().to_vec(),
    };
    if is_big {
        bytes.reverse();
    }
    bytes
}

/// Lines of so many bytes each, as uuencode writes them.
fn uuencoded(bytes: &[u8], line: usize) -> Vec<u8> {
    let line = if line <= 2 { 45 } else { line / 3 * 3 };
    let mut made = Vec::new();
    let sign = |bits: u32| if bits & 63 == 0 { b'`' } else { u8::try_from(32 + (bits & 63)).unwrap_or(b'`') };
    for part in bytes.chunks(line) {
        made.push(sign(u32::try_from(part.len()).unwrap_or(0)));
        for three in part.chunks(3) {
            let at = |index: usize| u32::from(three.get(index).copied().unwrap_or_default());
            let joined = at(0) << 16 | at(1) << 8 | at(2);
            made.extend([18, 12, 6, 0].map(|shift| sign(joined >> shift)));
        }
        made.push(b'\n');
    }
    made
}

/// The bytes that uuencoded lines stand for.
fn uudecoded(text: &[u8]) -> Vec<u8> {
    let mut made = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        let Some((length, signs)) = line.split_first() else { continue };
        let bits = |byte: u8| u32::from(byte.wrapping_sub(32) & 63);
        let mut bytes = Vec::new();
        for four in signs.chunks(4) {
            let at = |index: usize| four.get(index).map_or(0, |byte| bits(*byte));
            let joined = at(0) << 18 | at(1) << 12 | at(2) << 6 | at(3);
            bytes.extend(joined.to_be_bytes().into_iter().skip(1));
        }
        bytes.truncate(usize::try_from(bits(*length)).unwrap_or(0));
        made.extend(bytes);
    }
    made
}

fn ascii(bytes: Vec<u8>) -> Value {
    let made = Str::new(bytes);
    made.encoding.set(crate::interpreter::value::Encoding::Ascii);
    Value::Str(std::rc::Rc::new(made))
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base64, in lines that stand for so many bytes each.
pub(crate) fn base64(bytes: &[u8], line: usize) -> Vec<u8> {
    let mut made = Vec::new();
    for part in bytes.chunks(line) {
        for three in part.chunks(3) {
            let at = |index: usize| u32::from(three.get(index).copied().unwrap_or_default());
            let joined = at(0) << 16 | at(1) << 8 | at(2);
            for place in 0..4 {
                let sign = ALPHABET.get(((joined >> (18 - 6 * place)) & 63) as usize).copied().unwrap_or(b'=');
                made.push(if place as usize <= three.len() { sign } else { b'=' });
            }
        }
        if line != usize::MAX {
            made.push(b'\n');
        }
    }
    made
}

/// Base64 back; strictly, only what is entirely right.
pub(crate) fn from_base64(bytes: &[u8], is_strict: bool) -> Option<Vec<u8>> {
    let mut made = Vec::new();
    let (mut joined, mut count) = (0u32, 0);
    let mut signs = 0;
    for byte in bytes {
        if *byte == b'=' {
            signs += 1;
            if is_strict {
                continue;
            }
            break;
        }
        match ALPHABET.iter().position(|it| it == byte) {
            Some(value) => {
                if is_strict && signs > 0 {
                    return None;
                }
                joined = joined << 6 | value as u32;
                count += 1;
                if count == 4 {
                    made.extend_from_slice(joined.to_be_bytes().get(1..).unwrap_or_default());
                    (joined, count) = (0, 0);
                }
            }
            None if is_strict => return None,
            None => {}
        }
    }
    if is_strict && (!bytes.len().is_multiple_of(4) || signs > 2) {
        return None;
    }
    match count {
        2 => made.push((joined >> 4) as u8),
        3 => made.extend_from_slice(&[(joined >> 10) as u8, (joined >> 2) as u8]),
        _ => {}
    }
    Some(made)
}

fn quoted(bytes: &[u8]) -> Vec<u8> {
    let mut made = Vec::new();
    let mut column = 0;
    for byte in bytes {
        match byte {
            b'\n' => {
                made.push(b'\n');
                column = 0;
                continue;
            }
            b'=' | 0..=31 | 127..=255 if *byte != b'\t' => {
                made.extend_from_slice(format!("={byte:02X}").as_bytes());
                column += 3;
            }
            _ => {
                made.push(*byte);
                column += 1;
            }
        }
        if column > 72 {
            made.extend_from_slice(b"=\n");
            column = 0;
        }
    }
    if column > 0 {
        made.extend_from_slice(b"=\n");
    }
    made
}

/// The digits that a count asks for.
fn counted<'b>(digits: &'b [u8], directive: &Directive) -> &'b [u8] {
    let count = if directive.is_all { digits.len() } else { directive.count.unwrap_or(1).min(digits.len()) };
    digits.get(..count).unwrap_or(digits)
}

fn hex_bytes(digits: &[u8], high_first: bool) -> Vec<u8> {
    let value = |digit: u8| char::from(digit).to_digit(16).unwrap_or(u32::from(digit) & 15) as u8;
    let pair = |pair: &[u8]| {
        let (a, b) = (pair.first().map_or(0, |it| value(*it)), pair.get(1).map_or(0, |it| value(*it)));
        if high_first { a << 4 | b } else { b << 4 | a }
    };
    digits.chunks(2).map(pair).collect()
}

fn bit_bytes(digits: &[u8], high_first: bool) -> Vec<u8> {
    let byte = |digits: &[u8]| {
        digits.iter().enumerate().fold(0, |byte, (place, digit)| {
            let bit = digit & 1;
            byte | bit << if high_first { 7 - place } else { place }
        })
    };
    digits.chunks(8).map(byte).collect()
}

fn compressed(number: i64) -> Vec<u8> {
    let mut left = number.unsigned_abs();
    let mut made = vec![(left & 127) as u8];
    left >>= 7;
    while left > 0 {
        made.push((left & 127) as u8 | 128);
        left >>= 7;
    }
    made.reverse();
    made
}

/// `String#unpack`.
pub(super) fn unpack(vm: &mut Vm, this: &Value, args: Args<'_>, most: usize) -> Outcome {
    let given = args.split_keywords().0.len();
    if given != 1 {
        return Err(vm.wrong_count(given, 1, Some(1)));
    }
    let pattern = vm.text(args.at(0))?;
    let bytes = vm.string(this)?.bytes.borrow().clone();
    let mut rest: &[u8] = &bytes;
    let mut made = Vec::new();
    for it in directives(vm, &pattern)? {
        if made.len() >= most {
            break;
        }
        match it.letter {
            '%' => return Err(vm.argument_error("% is not supported")),
            'a' | 'A' | 'Z' => {
                let count = if it.is_all { rest.len() } else { it.count.unwrap_or(1).min(rest.len()) };
                let (taken, mut after) = rest.split_at(count);
                let taken = match it.letter {
                    'A' => {
                        let end = taken.iter().rposition(|byte| !matches!(byte, b' ' | 0)).map_or(0, |at| at + 1);
                        taken.get(..end).unwrap_or_default()
                    }
                    'Z' => match taken.iter().position(|byte| *byte == 0) {
                        Some(end) => {
                            if it.is_all {
                                after = taken.get(end + 1..).unwrap_or_default();
                            }
                            taken.get(..end).unwrap_or_default()
                        }
                        None => taken,
                    },
                    _ => taken,
                };
                made.push(Value::binary(taken.to_vec()));
                rest = after;
            }
            'H' | 'h' => {
                let most = if it.is_all { rest.len() * 2 } else { it.count.unwrap_or(1).min(rest.len() * 2) };
                let (taken, after) = rest.split_at(most.div_ceil(2));
                let digits = taken.iter().flat_map(|byte| {
                    let (high, low) = (byte >> 4, byte & 15);
                    let pair = if it.letter == 'H' { [high, low] } else { [low, high] };
                    pair.map(|digit| char::from_digit(u32::from(digit), 16).unwrap_or('0'))
                });
                made.push(ascii(digits.take(most).collect::<String>().into_bytes()));
                rest = after;
            }
            'B' | 'b' => {
                let most = if it.is_all { rest.len() * 8 } else { it.count.unwrap_or(1).min(rest.len() * 8) };
                let (taken, after) = rest.split_at(most.div_ceil(8));
                let digits = taken.iter().flat_map(|byte| {
                    (0..8).map(move |place| {
                        let shift = if it.letter == 'B' { 7 - place } else { place };
                        if (byte >> shift) & 1 == 1 { '1' } else { '0' }
                    })
                });
                made.push(ascii(digits.take(most).collect::<String>().into_bytes()));
                rest = after;
            }
            'm' => {
                match from_base64(rest, it.count == Some(0)) {
                    Some(bytes) => made.push(Value::binary(bytes)),
                    None => return Err(vm.argument_error("invalid base64")),
                }
                rest = &[];
            }
            'M' => {
                made.push(Value::binary(unquoted(rest)));
                rest = &[];
            }
            'U' => {
                let text = String::from_utf8_lossy(rest).into_owned();
                let most = if it.is_all { usize::MAX } else { it.count.unwrap_or(1) };
                let taken: Vec<char> = text.chars().take(most).collect();
                let size: usize = taken.iter().map(|letter| letter.len_utf8()).sum();
                made.extend(taken.iter().map(|letter| Value::Int(i64::from(u32::from(*letter)))));
                rest = rest.get(size..).unwrap_or_default();
            }
            'x' => match rest.get(it.count.unwrap_or(1)..) {
                Some(after) => rest = after,
                None => return Err(vm.argument_error("x outside of string")),
            },
            '@' => match bytes.get(it.count.unwrap_or(1)..) {
                Some(after) => rest = after,
                None => return Err(vm.argument_error("@ outside of string")),
            },
            'X' => match (bytes.len() - rest.len()).checked_sub(it.count.unwrap_or(1)) {
                Some(start) => rest = bytes.get(start..).unwrap_or_default(),
                None => return Err(vm.argument_error("X outside of string")),
            },
            'u' => {
                made.push(Value::binary(uudecoded(rest)));
                rest = &[];
            }
            'w' => return Err(vm.error("NotImplementedError", "this pack directive is not supported")),
            letter => {
                let size = width(letter);
                let mut left = if it.is_all { usize::MAX } else { it.count.unwrap_or(1) };
                while left > 0 {
                    if rest.len() < size {
                        if !it.is_all {
                            made.push(Value::Nil);
                            left -= 1;
                            continue;
                        }
                        break;
                    }
                    let (taken, after) = rest.split_at(size);
                    let mut bytes = taken.to_vec();
                    if it.is_big {
                        bytes.reverse();
                    }
                    if is_float(letter) {
                        let number = match <[u8; 8]>::try_from(bytes.as_slice()) {
                            Ok(eight) => f64::from_le_bytes(eight),
                            Err(_) => <[u8; 4]>::try_from(bytes.as_slice())
                                .map_or(0.0, |four| f64::from(f32::from_le_bytes(four))),
                        };
                        made.push(Value::Float(number));
                        rest = after;
                        left -= 1;
                        continue;
                    }
                    let number = bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
                    made.push(match letter {
                        'c' => Value::Int(i64::from(number as u8 as i8)),
                        's' => Value::Int(i64::from(number as u16 as i16)),
                        'l' | 'i' => Value::Int(i64::from(number as u32 as i32)),
                        'q' | 'j' => Value::Int(number as i64),
                        _ => Value::big(num_bigint::BigInt::from(number)),
                    });
                    rest = after;
                    left -= 1;
                }
            }
        }
    }
    Ok(Value::array(made))
}

fn unquoted(bytes: &[u8]) -> Vec<u8> {
    let mut made = Vec::new();
    let mut rest = bytes.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'=' {
            made.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'\n') | None => {}
            Some(high) => {
                let digits = [high, rest.next().unwrap_or(b'0')];
                made.extend(hex_bytes(&digits, true));
            }
        }
    }
    made
}

//! Parts of strings: slices, searches, splitting and sets of characters.

use std::rc::Rc;

use crate::interpreter::code::Args;
use crate::interpreter::convert::from_end;
use crate::interpreter::regexp::{Match, Regexp};
use crate::interpreter::session::Row;
use crate::interpreter::value::{Str, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("[]", 1, 2, slice),
    Row("slice", 1, 2, slice),
    Row("byteslice", 1, 2, |vm, this, args| {
        let string = vm.string(this)?;
        let bytes = Str::new(string.bytes.borrow().clone());
        bytes.encoding.set(crate::interpreter::value::Encoding::Binary);
        let part = slice(vm, &Value::Str(Rc::new(bytes)), args)?;
        match part {
            Value::Str(part) => Ok(string.similar(part.bytes.borrow().clone())),
            other => Ok(other),
        }
    }),
    Row("getbyte", 1, 1, |vm, this, args| {
        let string = vm.string(this)?;
        let index = vm.position(args.at(0), string.bytes.borrow().len())?;
        let found = index.and_then(|it| string.bytes.borrow().get(it).copied());
        Ok(found.map_or(Value::Nil, |byte| Value::Int(i64::from(byte))))
    }),
    Row("include?", 1, 1, |vm, this, args| {
        let (string, part) = (vm.string(this)?, vm.to_str(args.at(0))?);
        Ok(Value::Bool(position_of(&string.bytes.borrow(), &part.bytes.borrow(), 0).is_some()))
    }),
    Row("start_with?", 0, -1, |vm, this, args| {
        let string = vm.string(this)?;
        for start in args.values {
            let starts = match start {
                Value::Regexp(regexp) => {
                    let found = vm.find(regexp, &string, 0)?.filter(|found| found.range().0 == 0);
                    vm.leave_match(found.clone());
                    found.is_some()
                }
                other => string.bytes.borrow().starts_with(&vm.to_str(other)?.bytes.borrow()),
            };
            if starts {
                return Ok(Value::Bool(true));
            }
        }
        Ok(Value::Bool(false))
    }),
    Row("end_with?", 0, -1, |vm, this, args| {
        let string = vm.string(this)?;
        for end in args.values {
            if string.bytes.borrow().ends_with(&vm.to_str(end)?.bytes.borrow()) {
                return Ok(Value::Bool(true));
            }
        }
        Ok(Value::Bool(false))
    }),
    Row("delete_prefix", 1, 1, |vm, this, args| {
        let (string, part) = (vm.string(this)?, vm.to_str(args.at(0))?);
        let bytes = string.bytes.borrow();
        Ok(string.similar(bytes.strip_prefix(part.bytes.borrow().as_slice()).unwrap_or(&bytes).to_vec()))
    }),
    Row("delete_suffix", 1, 1, |vm, this, args| {
        let (string, part) = (vm.string(this)?, vm.to_str(args.at(0))?);
        let bytes = string.bytes.borrow();
        Ok(string.similar(bytes.strip_suffix(part.bytes.borrow().as_slice()).unwrap_or(&bytes).to_vec()))
    }),
    Row("index", 1, 2, |vm, this, args| index(vm, this, args, false)),
    Row("rindex", 1, 2, |vm, this, args| index(vm, this, args, true)),
    Row("byteindex", 1, 2, |vm, this, args| {
        let (string, part) = (vm.string(this)?, vm.to_str(args.at(0))?);
        Ok(position_of(&string.bytes.borrow(), &part.bytes.borrow(), 0).map_or(Value::Nil, Value::int))
    }),
    Row("=~", 1, 1, |vm, this, args| match args.at(0) {
        Value::Regexp(regexp) => super::regexp::position(vm, regexp, this),
        Value::Str(_) => Err(vm.type_error("type mismatch: String given")),
        other => vm.send(other, crate::interpreter::symbol::sym::MATCH, std::slice::from_ref(this)),
    }),
    Row("match", 1, 2, |vm, this, args| {
        let regexp = vm.pattern(args.at(0))?;
        let mut values = vec![this.clone()];
        values.extend_from_slice(args.values.get(1..).unwrap_or_default());
        super::regexp::matched(vm, &Value::Regexp(regexp), Args { values: &values, ..args })
    }),
    Row("match?", 1, 2, |vm, this, args| {
        let (regexp, string) = (vm.pattern(args.at(0))?, vm.string(this)?);
        let start = vm.byte_start(&string, args.get(1))?;
        let Some(start) = start else { return Ok(Value::Bool(false)) };
        Ok(Value::Bool(vm.is_found(&regexp, &string, start)?))
    }),
    Row("scan", 1, 1, scan),
    Row("split", 0, 2, split),
    Row("partition", 1, 1, |vm, this, args| {
        let string = vm.string(this)?;
        let (start, end) = match args.at(0) {
            Value::Regexp(regexp) => match vm.find(regexp, &string, 0)? {
                Some(found) => {
                    vm.leave_match(Some(found.clone()));
                    found.range()
                }
                None => return Ok(Value::array(vec![this.clone(), Value::str(""), Value::str("")])),
            },
            other => {
                let part = vm.separator(other)?;
                match position_of(&string.bytes.borrow(), &part.bytes.borrow(), 0) {
                    Some(at) => (at, at + part.bytes.borrow().len()),
                    None => return Ok(Value::array(vec![this.clone(), Value::str(""), Value::str("")])),
                }
            }
        };
        Ok(three_parts(&string, start, end))
    }),
    Row("rpartition", 1, 1, |vm, this, args| {
        let string = vm.string(this)?;
        let found = match args.at(0) {
            Value::Regexp(regexp) => last_match(vm, regexp, &string, usize::MAX)?.map(|found| found.range()),
            other => {
                let part = vm.separator(other)?;
                let at = last_position_of(&string.bytes.borrow(), &part.bytes.borrow(), usize::MAX);
                at.map(|at| (at, at + part.bytes.borrow().len()))
            }
        };
        match found {
            Some((start, end)) => Ok(three_parts(&string, start, end)),
            None => Ok(Value::array(vec![Value::str(""), Value::str(""), this.clone()])),
        }
    }),
    Row("tr", 2, 2, |vm, this, args| translate(vm, this, args, false)),
    Row("tr_s", 2, 2, |vm, this, args| translate(vm, this, args, true)),
    Row("delete", 1, -1, |vm, this, args| {
        let set = Sets::new(vm, args.values)?;
        let text = vm.string(this)?.to_text();
        Ok(Value::str(text.chars().filter(|it| !set.has(*it)).collect::<String>()))
    }),
    Row("squeeze", 0, -1, |vm, this, args| {
        let set = Sets::new(vm, args.values)?;
        let text = vm.string(this)?.to_text();
        let mut made = String::new();
        for letter in text.chars() {
            if !made.ends_with(letter) || !set.has(letter) {
                made.push(letter);
            }
        }
        Ok(Value::str(made))
    }),
    Row("count", 1, -1, |vm, this, args| {
        let set = Sets::new(vm, args.values)?;
        let text = vm.string(this)?.to_text();
        Ok(Value::int(text.chars().filter(|it| set.has(*it)).count()))
    }),
];

/// Where bytes are within others.
pub(super) fn position_of(bytes: &[u8], part: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    if part.is_empty() {
        return Some(from);
    }
    rest.windows(part.len()).position(|it| it == part).map(|at| at + from)
}

fn last_position_of(bytes: &[u8], part: &[u8], from: usize) -> Option<usize> {
    let last = bytes.len().checked_sub(part.len())?.min(from);
    (0..=last).rev().find(|at| bytes.get(*at..*at + part.len()) == Some(part))
}

fn last_match(vm: &mut Vm, regexp: &Rc<Regexp>, string: &Str, from: usize) -> Outcome<Option<Rc<Match>>> {
    for start in string.bounds().into_iter().rev().filter(|it| *it <= from) {
        vm.step()?;
        if let Some(found) = vm.find(regexp, string, start)?
            && found.range().0 == start
        {
            vm.leave_match(Some(found.clone()));
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn three_parts(string: &Str, start: usize, end: usize) -> Value {
    let bytes = string.bytes.borrow();
    let part = |from: usize, to: usize| string.similar(bytes.get(from..to).unwrap_or_default().to_vec());
    Value::array(vec![part(0, start), part(start, end), part(end, bytes.len())])
}

fn slice(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let string = vm.string(this)?;
    match slice_range(vm, &string, args)? {
        Some((start, end)) => {
            vm.count_made(end.saturating_sub(start))?;
            let bytes = string.bytes.borrow().get(start..end).unwrap_or_default().to_vec();
            Ok(string.similar(bytes))
        }
        None => Ok(Value::Nil),
    }
}

/// The bytes that `[]` means.
pub(super) fn slice_range(vm: &mut Vm, string: &Str, args: Args<'_>) -> Outcome<Option<(usize, usize)>> {
    let count = string.count();
    let by_characters = |start: usize, length: usize| {
        let bounds = string.bounds();
        let end = start.saturating_add(length).min(count);
        Some((bounds.get(start).copied()?, bounds.get(end).copied()?))
    };
    Ok(match args.values {
        [Value::Regexp(regexp)] => {
            let found = vm.find(regexp, string, 0)?;
            vm.leave_match(found.clone());
            found.map(|found| found.range())
        }
        [Value::Regexp(regexp), group, ..] => {
            let found = vm.find(regexp, string, 0)?;
            vm.leave_match(found.clone());
            match found {
                None => None,
                Some(found) => {
                    let index = super::regexp::group_index(vm, &found, group)?;
                    index.and_then(|index| found.groups.get(index).copied().flatten())
                }
            }
        }
        [Value::Str(part)] => {
            let part = part.bytes.borrow();
            position_of(&string.bytes.borrow(), &part, 0).map(|at| (at, at + part.len()))
        }
        [Value::Range(range)] => vm.extent(range, count)?.and_then(|(start, length)| by_characters(start, length)),
        [which] => vm.position(which, count)?.filter(|it| *it < count).and_then(|index| by_characters(index, 1)),
        [start, length, ..] => {
            let (start, length) = (vm.to_int(start)?, vm.to_int(length)?);
            match (from_end(start, count).filter(|it| *it <= count), usize::try_from(length)) {
                (Some(start), Ok(length)) => by_characters(start, length),
                _ => None,
            }
        }
        [] => None,
    })
}

fn index(vm: &mut Vm, this: &Value, args: Args<'_>, from_the_end: bool) -> Outcome {
    let string = vm.string(this)?;
    let (count, bounds) = (string.count(), string.bounds());
    let from = match args.get(1) {
        None if from_the_end => count,
        None => 0,
        Some(from) => {
            let number = vm.to_int(from)?;
            match from_end(number, count) {
                Some(from) if from_the_end => from.min(count),
                Some(from) if from <= count => from,
                _ => return Ok(Value::Nil),
            }
        }
    };
    let start = bounds.get(from).copied().unwrap_or_default();
    let found = match args.at(0) {
        Value::Regexp(regexp) if from_the_end => last_match(vm, regexp, &string, start)?.map(|found| found.range().0),
        Value::Regexp(regexp) => {
            let found = vm.find(regexp, &string, start)?;
            vm.leave_match(found.clone());
            found.map(|found| found.range().0)
        }
        other => {
            let part = vm.to_str(other)?;
            let (bytes, part) = (string.bytes.borrow(), part.bytes.borrow());
            if from_the_end { last_position_of(&bytes, &part, start) } else { position_of(&bytes, &part, start) }
        }
    };
    Ok(found.and_then(|at| bounds.iter().position(|it| *it == at)).map_or(Value::Nil, Value::int))
}

fn scan(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let (string, regexp) = (vm.string(this)?, vm.search_pattern(args.at(0))?);
    let all = vm.find_all(&regexp, &string)?;
    let mut made = Vec::new();
    for found in &all {
        let value = if found.groups.len() > 1 {
            Value::array((1..found.groups.len()).map(|it| found.value(it)).collect())
        } else {
            found.value(0)
        };
        match args.block {
            Some(block) => {
                vm.show_match(block, Some(found.clone()));
                vm.give(block, value)?;
            }
            None => made.push(value),
        }
    }
    vm.leave_match(all.last().cloned());
    Ok(if args.block.is_some() { this.clone() } else { Value::array(made) })
}

fn split(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let string = vm.string(this)?;
    let limit = match args.get(1) {
        None => 0,
        Some(limit) => vm.to_int(limit)?,
    };
    let text = string.to_text();
    if !string.is_valid() {
        return Err(vm.argument_error("invalid byte sequence in UTF-8"));
    }
    let most = usize::try_from(limit).ok().filter(|most| *most > 0);
    let mut parts: Vec<String> = match args.at(0) {
        _ if text.is_empty() => Vec::new(),
        _ if most == Some(1) => vec![text.clone()],
        Value::Nil => split_words(&text, most),
        Value::Str(separator) => {
            let separator = separator.to_text();
            match (separator.as_str(), most) {
                (" ", most) => split_words(&text, most),
                ("", Some(most)) => {
                    let mut rest = text.as_str();
                    let mut parts = Vec::new();
                    while parts.len() + 1 < most
                        && let Some(letter) = rest.chars().next()
                    {
                        parts.push(letter.to_string());
                        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
                    }
                    parts.push(rest.to_string());
                    parts
                }
                ("", None) => {
                    let mut parts: Vec<String> = text.chars().map(String::from).collect();
                    if limit < 0 {
                        parts.push(String::new());
                    }
                    parts
                }
                (separator, Some(most)) => text.splitn(most, separator).map(str::to_string).collect(),
                (separator, None) => text.split(separator).map(str::to_string).collect(),
            }
        }
        Value::Regexp(regexp) if regexp.source == " " && regexp.options == Default::default() => {
            let found = vm.find_all(regexp, &string)?;
            split_at(&text, &found, most, limit)
        }
        Value::Regexp(regexp) => {
            let found = vm.find_all(regexp, &string)?;
            split_at(&text, &found, most, limit)
        }
        other => {
            let class = vm.described(other);
            return Err(vm.type_error(&format!("wrong argument type {class} (expected Regexp)")));
        }
    };
    if limit == 0 {
        while parts.last().is_some_and(String::is_empty) {
            parts.pop();
        }
    }
    let parts: Vec<Value> = parts.into_iter().map(|part| string.similar(part.into_bytes())).collect();
    match args.block {
        None => Ok(Value::array(parts)),
        Some(block) => {
            for part in parts {
                vm.give(block, part)?;
            }
            Ok(this.clone())
        }
    }
}

fn split_words(text: &str, most: Option<usize>) -> Vec<String> {
    let is_blank = |letter: char| matches!(letter, ' ' | '\t'..='\r');
    let mut parts = Vec::new();
    let mut rest = text.trim_start_matches(is_blank);
    while !rest.is_empty() {
        if most.is_some_and(|most| parts.len() + 1 >= most) {
            parts.push(rest.to_string());
            return parts;
        }
        match rest.find(is_blank) {
            None => {
                parts.push(rest.to_string());
                return parts;
            }
            Some(end) => {
                let (part, after) = rest.split_at(end);
                parts.push(part.to_string());
                rest = after.trim_start_matches(is_blank);
            }
        }
    }
    parts.push(String::new());
    parts
}

fn split_at(text: &str, found: &[Rc<Match>], most: Option<usize>, _: i64) -> Vec<String> {
    let mut parts = Vec::new();
    let mut from = 0;
    let mut count = 1;
    for it in found {
        let (start, end) = it.range();
        if most.is_some_and(|most| count >= most) {
            break;
        }
        if start == end && (start == 0 && from == 0 || start >= text.len()) {
            if start >= text.len() {
                break;
            }
            continue;
        }
        if start == end && start == from {
            continue;
        }
        parts.push(text.get(from..start).unwrap_or_default().to_string());
        parts.extend((1..it.groups.len()).filter_map(|group| it.group(group)).map(str::to_string));
        from = end;
        count += 1;
    }
    parts.push(text.get(from..).unwrap_or_default().to_string());
    parts
}

/// A set of characters as `tr`, `delete` and `count` write it.
pub(super) struct Set {
    letters: Vec<char>,
    is_negated: bool,
}

impl Set {
    pub(super) fn new(vm: &mut Vm, value: &Value) -> Outcome<Set> {
        let text = vm.text(value)?;
        let letters: Vec<char> = text.chars().collect();
        let is_negated = letters.len() > 1 && letters.first() == Some(&'^');
        let mut rest = letters.iter().copied().skip(usize::from(is_negated)).peekable();
        let mut all: Vec<char> = Vec::new();
        while let Some(letter) = rest.next() {
            let (letter, is_escaped) = match letter {
                '\\' => match rest.next() {
                    Some(next) => (next, true),
                    None => ('\\', false),
                },
                letter => (letter, false),
            };
            if letter == '-' && !is_escaped && !all.is_empty() && rest.peek().is_some() {
                let (first, last) = (all.last().copied().unwrap_or('-'), rest.next().unwrap_or('-'));
                let last = if last == '\\' { rest.next().unwrap_or('\\') } else { last };
                if first > last {
                    return Err(
                        vm.argument_error(&format!("invalid range \"{first}-{last}\" in string transliteration"))
                    );
                }
                all.extend((first..=last).skip(1));
            } else {
                all.push(letter);
            }
        }
        Ok(Set { letters: all, is_negated })
    }

    fn has(&self, letter: char) -> bool {
        self.letters.contains(&letter) != self.is_negated
    }
}

/// Sets of characters: what all of them have counts; without any, everything.
struct Sets(Vec<Set>);

impl Sets {
    fn new(vm: &mut Vm, values: &[Value]) -> Outcome<Sets> {
        let mut all = Vec::new();
        for value in values {
            all.push(Set::new(vm, value)?);
        }
        Ok(Sets(all))
    }

    fn has(&self, letter: char) -> bool {
        self.0.iter().all(|set| set.has(letter))
    }
}

fn translate(vm: &mut Vm, this: &Value, args: Args<'_>, squeezes: bool) -> Outcome {
    let (from, to) = (Set::new(vm, args.at(0))?, vm.text(args.at(1))?);
    let to = if to.starts_with('^') && to.len() > 1 { to.chars().collect() } else { Set::new(vm, args.at(1))?.letters };
    let text = vm.string(this)?.to_text();
    let mut made = String::new();
    let mut last = None;
    for letter in text.chars() {
        if !from.has(letter) {
            made.push(letter);
            last = None;
            continue;
        }
        let place = if from.is_negated {
            usize::MAX
        } else {
            from.letters.iter().rposition(|it| *it == letter).unwrap_or_default()
        };
        let Some(into) = to.get(place).or_else(|| to.last()).copied() else { continue };
        if !squeezes || last != Some(into) {
            made.push(into);
        }
        last = Some(into);
    }
    Ok(Value::str(made))
}

impl Vm {
    /// What a string is parted at, where it is no regular expression.
    fn separator(&mut self, value: &Value) -> Outcome<Rc<Str>> {
        match value {
            Value::Str(_) | Value::Object(_) => self.to_str(value),
            other => {
                let class = self.described(other);
                Err(self.type_error(&format!("wrong argument type {class} (expected Regexp)")))
            }
        }
    }

    /// A pattern: a regular expression, or a string that is read as one.
    pub(super) fn pattern(&mut self, value: &Value) -> Outcome<Rc<Regexp>> {
        match value {
            Value::Regexp(regexp) => Ok(regexp.clone()),
            Value::Str(source) => {
                let source = source.to_text();
                self.regexp(&source, Default::default())
            }
            other => {
                let class = self.described(other);
                Err(self.type_error(&format!("wrong argument type {class} (expected Regexp)")))
            }
        }
    }

    /// A pattern that is looked for: a regular expression, or a string as it is.
    pub(super) fn search_pattern(&mut self, value: &Value) -> Outcome<Rc<Regexp>> {
        match value {
            Value::Str(text) => {
                let source = bunraku_pcore::regexp::escape(&text.to_text());
                self.regexp(&source, Default::default())
            }
            other => self.pattern(other),
        }
    }

    /// The byte that the number of a character means.
    pub(super) fn byte_start(&mut self, string: &Str, number: Option<&Value>) -> Outcome<Option<usize>> {
        let Some(number) = number else { return Ok(Some(0)) };
        let bounds = string.bounds();
        let index = self.position(number, bounds.len() - 1)?;
        Ok(index.and_then(|index| bounds.get(index).copied()))
    }
}

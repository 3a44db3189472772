//! `Regexp` and `MatchData`.

use std::rc::Rc;

use crate::interpreter::code::{Args, Proc, ProcKind};
use crate::interpreter::hash::{Entries, Key};
use crate::interpreter::regexp::{Match, Options, Regexp};
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) fn define(core: &Core) {
    core.add(&core.regexp, ROWS);
    core.add_own(&core.regexp, OWN);
    core.add(&core.match_data, MATCH);
    for (name, value) in [("IGNORECASE", 1), ("EXTENDED", 2), ("MULTILINE", 4)] {
        core.regexp.constants.borrow_mut().insert(Sym::new(name), Value::Int(value));
    }
}

const OWN: &[Row] = &[
    Row("new", 1, 3, new),
    Row("compile", 1, 3, new),
    Row("escape", 1, 1, |vm, _, args| {
        let text = vm.string(args.at(0))?.to_text();
        Ok(Value::str(bunraku_pcore::regexp::escape(&text)))
    }),
    Row("quote", 1, 1, |vm, _, args| {
        let text = vm.string(args.at(0))?.to_text();
        Ok(Value::str(bunraku_pcore::regexp::escape(&text)))
    }),
    Row("union", 0, -1, |vm, _, args| {
        let values = match args.values {
            [Value::Array(list)] => list.items.borrow().clone(),
            values => values.to_vec(),
        };
        let mut parts = Vec::new();
        for value in &values {
            parts.push(match value {
                Value::Regexp(regexp) if values.len() == 1 => return Ok(Value::Regexp(regexp.clone())),
                Value::Regexp(regexp) => regexp.to_s(),
                other => bunraku_pcore::regexp::escape(&vm.string(other)?.to_text()),
            });
        }
        let source = if parts.is_empty() { "(?!)".to_string() } else { parts.join("|") };
        Ok(Value::Regexp(vm.regexp(&source, Options::default())?))
    }),
    Row("try_convert", 1, 1, |vm, _, args| match args.at(0) {
        found @ Value::Regexp(_) => Ok(found.clone()),
        other if vm.responds_to(other, Sym::new("to_regexp")) => vm.send(other, Sym::new("to_regexp"), &[]),
        _ => Ok(Value::Nil),
    }),
    Row("last_match", 0, 1, |vm, _, args| {
        let Some(found) = vm.current_frame().and_then(|frame| frame.last_match.borrow().clone()) else {
            return Ok(Value::Nil);
        };
        let found = Value::Match(found);
        if args.values.is_empty() { Ok(found) } else { vm.send(&found, sym::AT, args.values) }
    }),
];

const ROWS: &[Row] = &[
    Row("match", 1, 2, matched),
    Row("match?", 1, 2, |vm, this, args| {
        if args.at(0).is_nil() {
            return Ok(Value::Bool(false));
        }
        let (regexp, string) = (vm.pattern(this)?, vm.string(args.at(0))?);
        let Some(start) = vm.byte_start(&string, args.get(1))? else { return Ok(Value::Bool(false)) };
        Ok(Value::Bool(vm.is_found(&regexp, &string, start)?))
    }),
    Row("=~", 1, 1, |vm, this, args| {
        let regexp = vm.pattern(this)?;
        position(vm, &regexp, args.at(0))
    }),
    Row("===", 1, 1, |vm, this, args| match args.at(0) {
        Value::Str(_) | Value::Sym(_) => {
            let regexp = vm.pattern(this)?;
            Ok(Value::Bool(position(vm, &regexp, args.at(0))?.is_truthy()))
        }
        _ => {
            vm.leave_match(None);
            Ok(Value::Bool(false))
        }
    }),
    Row("source", 0, 0, |vm, this, _| Ok(Value::str(vm.pattern(this)?.source.as_str()))),
    Row("to_s", 0, 0, |vm, this, _| Ok(Value::str(vm.pattern(this)?.to_s()))),
    Row("inspect", 0, 0, |vm, this, _| Ok(Value::str(vm.pattern(this)?.inspect()))),
    Row("options", 0, 0, |vm, this, _| {
        let options = vm.pattern(this)?.options;
        let number =
            i64::from(options.ignore_case) + 2 * i64::from(options.extended) + 4 * i64::from(options.multi_line);
        Ok(Value::Int(number))
    }),
    Row("casefold?", 0, 0, |vm, this, _| Ok(Value::Bool(vm.pattern(this)?.options.ignore_case))),
    Row("names", 0, 0, |vm, this, _| {
        Ok(Value::array(names(&*vm.pattern(this)?).into_iter().map(Value::from).collect()))
    }),
    Row("named_captures", 0, 0, |vm, this, _| {
        let regexp = vm.pattern(this)?;
        let mut entries = Entries::default();
        for name in names(&regexp) {
            let places = regexp.compiled.names().iter().enumerate().filter(|(_, it)| it.as_deref() == Some(&name));
            let places = places.map(|(index, _)| Value::int(index + 1)).collect();
            entries.insert(Key::str(&name), Value::array(places));
        }
        Ok(Value::hash(entries))
    }),
    Row("==", 1, 1, |_, this, args| Ok(Value::Bool(crate::interpreter::hash::is_eql(this, args.at(0))))),
    Row("eql?", 1, 1, |_, this, args| Ok(Value::Bool(crate::interpreter::hash::is_eql(this, args.at(0))))),
    Row("hash", 0, 0, super::object::hash_number),
    Row("encoding", 0, 0, |vm, _, _| vm.encoding_named("US-ASCII")),
    Row("freeze", 0, 0, |_, this, _| Ok(this.clone())),
];

const MATCH: &[Row] = &[
    Row("[]", 1, 2, |vm, this, args| {
        let found = vm.found(this)?;
        if args.len() == 2 || matches!(args.at(0), Value::Range(_)) {
            let all = groups(&found, 0);
            return vm.send(&Value::array(all), crate::interpreter::symbol::sym::AT, args.values);
        }
        Ok(group_index(vm, &found, args.at(0))?.map_or(Value::Nil, |index| found.value(index)))
    }),
    Row("to_a", 0, 0, |vm, this, _| Ok(Value::array(groups(&*vm.found(this)?, 0)))),
    Row("captures", 0, 0, |vm, this, _| Ok(Value::array(groups(&*vm.found(this)?, 1)))),
    Row("deconstruct", 0, 0, |vm, this, _| Ok(Value::array(groups(&*vm.found(this)?, 1)))),
    Row("named_captures", 0, -1, |vm, this, args| {
        let found = vm.found(this)?;
        let by_symbol = args.keywords && args.keyword("symbolize_names").is_some_and(|it| it.is_truthy());
        let mut entries = Entries::default();
        for name in names(&found.regexp) {
            let key = if by_symbol { Key::sym(&name) } else { Key::str(&name) };
            entries.insert(key, found.named(&name).into());
        }
        Ok(Value::hash(entries))
    }),
    Row("names", 0, 0, |vm, this, _| {
        Ok(Value::array(names(&vm.found(this)?.regexp).into_iter().map(Value::from).collect()))
    }),
    Row("pre_match", 0, 0, |vm, this, _| Ok(Value::str(vm.found(this)?.before()))),
    Row("post_match", 0, 0, |vm, this, _| Ok(Value::str(vm.found(this)?.after()))),
    Row("to_s", 0, 0, |vm, this, _| Ok(vm.found(this)?.value(0))),
    Row("string", 0, 0, |vm, this, _| {
        let text = Value::str(vm.found(this)?.text.as_bytes());
        text.freeze();
        Ok(text)
    }),
    Row("regexp", 0, 0, |vm, this, _| Ok(Value::Regexp(vm.found(this)?.regexp.clone()))),
    Row("size", 0, 0, |vm, this, _| Ok(Value::int(vm.found(this)?.groups.len()))),
    Row("length", 0, 0, |vm, this, _| Ok(Value::int(vm.found(this)?.groups.len()))),
    Row("begin", 1, 1, |vm, this, args| Ok(place(vm, this, args)?.map_or(Value::Nil, |(start, _)| Value::int(start)))),
    Row("end", 1, 1, |vm, this, args| Ok(place(vm, this, args)?.map_or(Value::Nil, |(_, end)| Value::int(end)))),
    Row("offset", 1, 1, |vm, this, args| {
        Ok(match place(vm, this, args)? {
            Some((start, end)) => Value::pair(Value::int(start), Value::int(end)),
            None => Value::pair(Value::Nil, Value::Nil),
        })
    }),
    Row("values_at", 0, -1, |vm, this, args| {
        let found = vm.found(this)?;
        let mut made = Vec::new();
        for which in args.values {
            made.push(group_index(vm, &found, which)?.map_or(Value::Nil, |index| found.value(index)));
        }
        Ok(Value::array(made))
    }),
    Row("==", 1, 1, |vm, this, args| {
        let found = vm.found(this)?;
        let Value::Match(other) = args.at(0) else { return Ok(Value::Bool(false)) };
        Ok(Value::Bool(found.text == other.text && found.groups == other.groups))
    }),
    Row("inspect", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
];

fn new(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    if let Value::Regexp(regexp) = args.at(0) {
        return Ok(Value::Regexp(regexp.clone()));
    }
    let source = vm.text(args.at(0))?;
    let options = match args.at(1) {
        Value::Int(bits) => Options { ignore_case: bits & 1 != 0, extended: bits & 2 != 0, multi_line: bits & 4 != 0 },
        // Compatibility: in Ruby 3.1 letters mean no more than that case does not matter.
        other => Options { ignore_case: other.is_truthy(), ..Options::default() },
    };
    Ok(Value::Regexp(vm.regexp(&source, options)?))
}

/// `match`, with what the block says of it.
pub(super) fn matched(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let regexp = vm.pattern(this)?;
    if args.at(0).is_nil() {
        vm.leave_match(None);
        return Ok(Value::Nil);
    }
    let string = vm.string(args.at(0))?;
    let found = match vm.byte_start(&string, args.get(1))? {
        Some(start) => vm.find(&regexp, &string, start)?,
        None => None,
    };
    vm.leave_match(found.clone());
    match (found, args.block) {
        (None, _) => Ok(Value::Nil),
        (Some(found), None) => Ok(Value::Match(found)),
        (Some(found), Some(block)) => {
            vm.show_match(block, Some(found.clone()));
            let value = vm.give(block, Value::Match(found.clone()))?;
            vm.leave_match(Some(found));
            Ok(value)
        }
    }
}

/// `=~`: the number of the character where a match begins.
pub(super) fn position(vm: &mut Vm, regexp: &Rc<Regexp>, value: &Value) -> Outcome {
    if value.is_nil() {
        vm.leave_match(None);
        return Ok(Value::Nil);
    }
    let string = vm.string(value)?;
    let found = vm.find(regexp, &string, 0)?;
    vm.leave_match(found.clone());
    Ok(found.map_or(Value::Nil, |found| Value::int(found.before().chars().count())))
}

fn names(regexp: &Regexp) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in regexp.compiled.names().iter().flatten() {
        if !all.contains(name) {
            all.push(name.clone());
        }
    }
    all
}

fn groups(found: &Match, from: usize) -> Vec<Value> {
    (from..found.groups.len()).map(|index| found.value(index)).collect()
}

/// The number of a group that a number or a name means.
pub(super) fn group_index(vm: &mut Vm, found: &Match, which: &Value) -> Outcome<Option<usize>> {
    match which {
        Value::Str(_) | Value::Sym(_) => {
            let name = vm.to_s(which)?;
            let places: Vec<usize> = found
                .regexp
                .compiled
                .names()
                .iter()
                .enumerate()
                .filter(|(_, it)| it.as_deref() == Some(name.as_str()))
                .map(|(index, _)| index + 1)
                .collect();
            let taken = places.iter().rev().find(|index| found.group(**index).is_some()).or(places.last());
            match taken {
                Some(index) => Ok(Some(*index)),
                None => Err(vm.error("IndexError", &format!("undefined group name reference: {name}"))),
            }
        }
        other => {
            let number = vm.to_int(other)?;
            Ok(crate::interpreter::convert::from_end(number, found.groups.len()))
        }
    }
}

fn place(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome<Option<(usize, usize)>> {
    let found = vm.found(this)?;
    let index = group_index(vm, &found, args.at(0))?;
    let Some(index) = index.filter(|index| *index < found.groups.len()) else {
        let number = vm.to_s(args.at(0))?;
        return Err(vm.error("IndexError", &format!("index {number} out of matches")));
    };
    let characters = |byte: usize| found.text.get(..byte).unwrap_or_default().chars().count();
    Ok(found.groups.get(index).copied().flatten().map(|(start, end)| (characters(start), characters(end))))
}

impl Vm {
    fn found(&mut self, value: &Value) -> Outcome<Rc<Match>> {
        match value {
            Value::Match(found) => Ok(found.clone()),
            _ => Err(self.type_error("a match is expected")),
        }
    }

    /// Shows a match to a block as its `$~`.
    pub(super) fn show_match(&mut self, block: &Rc<Proc>, found: Option<Rc<Match>>) {
        if let ProcKind::Code { frame, .. } = &block.kind {
            *frame.last_match.borrow_mut() = found;
        }
    }
}

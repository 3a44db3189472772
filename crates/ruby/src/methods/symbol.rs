//! `Symbol`: mostly what strings can do.

use crate::interpreter::code::Args;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("to_s", 0, 0, |vm, this, _| Ok(Value::Str(vm.string(this)?))),
    Row("name", 0, 0, |vm, this, _| {
        let name = Value::Str(vm.string(this)?);
        name.freeze();
        Ok(name)
    }),
    Row("id2name", 0, 0, |vm, this, _| Ok(Value::Str(vm.string(this)?))),
    Row("to_sym", 0, 0, |_, this, _| Ok(this.clone())),
    Row("intern", 0, 0, |_, this, _| Ok(this.clone())),
    Row("to_proc", 0, 0, |vm, this, _| Ok(vm.to_block(this)?.map_or(Value::Nil, Value::Proc))),
    Row("inspect", 0, 0, |vm, this, _| Ok(Value::str(vm.inspect_plain(this)?))),
    Row("<=>", 1, 1, |vm, this, args| match args.at(0) {
        Value::Sym(_) => Ok(super::comparable::sign(vm.compare(this, args.at(0))?)),
        _ => Ok(Value::Nil),
    }),
    Row("==", 1, 1, |_, this, args| Ok(Value::Bool(this.is_same(args.at(0))))),
    Row("length", 0, 0, |vm, this, args| as_string(vm, this, args, "length")),
    Row("size", 0, 0, |vm, this, args| as_string(vm, this, args, "length")),
    Row("empty?", 0, 0, |vm, this, args| as_string(vm, this, args, "empty?")),
    Row("[]", 1, 2, |vm, this, args| as_string(vm, this, args, "[]")),
    Row("slice", 1, 2, |vm, this, args| as_string(vm, this, args, "[]")),
    Row("=~", 1, 1, |vm, this, args| as_string(vm, this, args, "=~")),
    Row("match", 1, 2, |vm, this, args| as_string(vm, this, args, "match")),
    Row("match?", 1, 2, |vm, this, args| as_string(vm, this, args, "match?")),
    Row("start_with?", 0, -1, |vm, this, args| as_string(vm, this, args, "start_with?")),
    Row("end_with?", 0, -1, |vm, this, args| as_string(vm, this, args, "end_with?")),
    Row("encoding", 0, 0, |vm, this, args| {
        let is_ascii = matches!(this, Value::Sym(name) if name.as_str().is_ascii());
        if is_ascii { vm.encoding_named("US-ASCII") } else { as_string(vm, this, args, "encoding") }
    }),
    Row("upcase", 0, -1, |vm, this, args| symbol_of(vm, this, args, "upcase")),
    Row("downcase", 0, -1, |vm, this, args| symbol_of(vm, this, args, "downcase")),
    Row("capitalize", 0, -1, |vm, this, args| symbol_of(vm, this, args, "capitalize")),
    Row("swapcase", 0, -1, |vm, this, args| symbol_of(vm, this, args, "swapcase")),
    Row("succ", 0, 0, |vm, this, args| symbol_of(vm, this, args, "succ")),
    Row("next", 0, 0, |vm, this, args| symbol_of(vm, this, args, "succ")),
    Row("casecmp", 1, 1, |vm, this, args| compared(vm, this, args, "casecmp")),
    Row("casecmp?", 1, 1, |vm, this, args| compared(vm, this, args, "casecmp?")),
];

fn as_string(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str) -> Outcome {
    let string = Value::Str(vm.string(this)?);
    vm.send_with(&string, Sym::new(name), args, false)
}

fn symbol_of(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str) -> Outcome {
    let made = as_string(vm, this, args, name)?;
    let text = vm.to_s(&made)?;
    Ok(Value::Sym(vm.intern(&text)?))
}

fn compared(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str) -> Outcome {
    match args.at(0) {
        Value::Sym(other) => as_string(vm, this, Args::of(&[Value::str(other.as_str())]), name),
        _ => Ok(Value::Nil),
    }
}

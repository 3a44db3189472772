//! Questions of Ruby code to the compiler: `Bunraku.ask`.

use std::rc::Rc;

use bunraku_pcore::Value as PuppetValue;

use super::{HOST, SESSION, failure, values};
use crate::interpreter::class::Kind;
use crate::interpreter::code::Proc;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Stop, Vm};
use crate::sidecar::{Host, HostError, RubyBlock, RubyError, reply};

/// Questions that change nothing, however often they are asked.
const QUESTIONS: [&str; 18] = [
    "catalog_resource",
    "classes",
    "deprecate",
    "describe_mismatch",
    "dispatch",
    "fact",
    "find_file",
    "has_default",
    "has_function",
    "has_legacy_function",
    "is_instance",
    "log",
    "module_path",
    "parse_type",
    "resource",
    "setting",
    "variable",
    "variables",
];

const ROWS: &[Row] = &[
    Row("ask", 1, -1, |vm, _, args| match args.values.split_first() {
        Some((question, given)) => {
            let question = vm.to_s(question)?;
            ask(vm, &question, given, args.block)
        }
        None => Ok(Value::Nil),
    }),
    Row("from_scope", 0, 1, |vm, _, args| {
        let Some(block) = args.block else { return Ok(Value::Nil) };
        let before = std::mem::replace(&mut vm.puppet.is_at_top, args.at(0).is_truthy());
        let outcome = vm.call_block(block, &[]);
        vm.puppet.is_at_top = before;
        outcome
    }),
];

pub(super) fn define(vm: &mut Vm) {
    let module = vm.core.class_named("Bunraku", Kind::Module, None);
    vm.core.add_own(&module, ROWS);
}

/// Asks the host of the running call.
pub(super) fn ask(vm: &mut Vm, question: &str, args: &[Value], block: Option<&Rc<Proc>>) -> Outcome {
    let mut given = Vec::with_capacity(args.len());
    for arg in args {
        given.push(values::to_puppet(vm, arg)?);
    }
    let value = ask_puppet(vm, question, &given, block)?;
    values::from_puppet(vm, &value)
}

/// The same with values as Puppet has them.
pub(super) fn ask_puppet(
    vm: &mut Vm,
    question: &str,
    args: &[PuppetValue],
    block: Option<&Rc<Proc>>,
) -> Outcome<PuppetValue> {
    values::tell_changes(vm)?;
    if QUESTIONS.binary_search(&question).is_err() && !is_pure_call(question, args) {
        vm.puppet.effects += 1;
    }
    let block = block.map(|block| GivenBlock { block: block.clone() });
    let block = block.as_ref().map(|block| block as &dyn RubyBlock);
    let answered = host(vm, |host| reply(question, args, block, host));
    answered.map_err(|error| told(vm, error))
}

/// Whether a question may be asked twice: a call of a function that does nothing but compute, or of a lookup's context.
fn is_pure_call(question: &str, args: &[PuppetValue]) -> bool {
    // What a context keeps for a backend is the same the second time; only what it explains would be told twice.
    if question == "context" {
        return args.get(1).and_then(PuppetValue::as_str) != Some("explain");
    }
    let name = args.first().and_then(PuppetValue::as_str).unwrap_or_default();
    matches!(question, "call_function" | "call_legacy_function") && super::function::PURE.binary_search(&name).is_ok()
}

/// Lets the compiler do something; calls that it makes into Ruby come back to this session.
pub(super) fn host<T>(vm: &mut Vm, work: impl FnOnce(&mut dyn Host) -> T) -> T {
    let is_at_top = std::mem::take(&mut vm.puppet.is_at_top);
    let result = SESSION.set(vm, || {
        HOST.with(|host| {
            if is_at_top {
                host.at_top(true);
            }
            let result = work(host);
            if is_at_top {
                host.at_top(false);
            }
            result
        })
    });
    vm.puppet.is_at_top = is_at_top;
    result
}

/// An error of the compiler as an exception.
fn told(vm: &mut Vm, error: HostError) -> Box<Stop> {
    let HostError::Message { message, file, line, number, is_lookup_error } = error else {
        return Box::new(Stop::Unwind);
    };
    let number = number.and_then(|number| i64::try_from(number).ok());
    let raised = vm.puppet.raised.take().filter(|(known, ..)| *known == message && !known.is_empty());
    let reply = PuppetValue::hash([
        ("error".into(), message.into()),
        ("file".into(), file.map_or(PuppetValue::Undef, PuppetValue::from)),
        ("line".into(), line.map_or(PuppetValue::Undef, |line| PuppetValue::Integer(i64::from(line)))),
        ("number".into(), number.map_or(PuppetValue::Undef, PuppetValue::Integer)),
        ("data".into(), is_lookup_error.into()),
    ]);
    let made = values::from_puppet(vm, &reply).and_then(|reply| {
        let class = vm.constant_at("Bunraku::CompilerError")?;
        let exception = vm.send(&class, Sym::new("of"), &[reply])?;
        if let Some((_, file, line)) = &raised {
            let place = Value::array(vec![Value::str(format!("{file}:{line}:in `call'"))]);
            vm.send(&exception, Sym::new("set_backtrace"), &[place])?;
        }
        Ok(exception)
    });
    match made {
        Ok(exception) => Box::new(Stop::Raise(exception)),
        Err(stop) => stop,
    }
}

/// A block of Ruby that a function of Puppet calls.
struct GivenBlock {
    block: Rc<Proc>,
}

impl RubyBlock for GivenBlock {
    fn arity(&self) -> i64 {
        self.block.arity()
    }

    fn call(&self, host: &mut dyn Host, args: &[PuppetValue]) -> Result<PuppetValue, RubyError> {
        SESSION.with(|vm| {
            let result = super::within(vm, host, |vm| {
                let outcome = values::all_from_puppet(vm, args)
                    .and_then(|args| vm.call_block(&self.block, &args))
                    .and_then(|value| values::to_puppet(vm, &value));
                outcome.map_err(|stop| failure::of(vm, *stop, "a block"))
            });
            result.map_err(|failure| failure.into_error(None))
        })
    }
}

/// A lambda of Puppet as a block of Ruby.
pub(super) fn puppet_block(arity: i64) -> Rc<Proc> {
    Proc::native(arity, |vm, args| ask(vm, "call_block", args, None))
}

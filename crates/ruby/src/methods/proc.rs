//! `Proc`, `Method` and `UnboundMethod`.

use std::rc::Rc;

use crate::interpreter::class::Body;
use crate::interpreter::code::{Args, Proc, ProcKind};
use crate::interpreter::session::Row;
use crate::interpreter::symbol::sym;
use crate::interpreter::tree::Parameters;
use crate::interpreter::value::{MethodObject, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("call", 0, -1, call),
    Row("()", 0, -1, call),
    Row("yield", 0, -1, call),
    Row("[]", 0, -1, call),
    Row("===", 0, -1, call),
    Row("to_proc", 0, 0, |vm, this, _| Ok(vm.to_block(this)?.map_or(Value::Nil, Value::Proc))),
    Row("lambda?", 0, 0, |_, this, _| Ok(Value::Bool(matches!(this, Value::Proc(it) if it.is_lambda)))),
    Row("arity", 0, 0, |_, this, _| Ok(Value::Int(arity(this)))),
    Row("parameters", 0, 1, |_, this, _| Ok(parameters(this))),
    Row("curry", 0, 1, |vm, this, args| {
        let wanted = match args.values.first() {
            Some(count) => {
                let (count, known) = (vm.to_int(count)?, arity(this));
                let fits = if known < 0 { count >= -known - 1 } else { count == known };
                if !fits && matches!(this, Value::Proc(proc) if proc.is_lambda) {
                    let given = usize::try_from(count).unwrap_or(0);
                    let fewest = usize::try_from(if known < 0 { -known - 1 } else { known }).unwrap_or(0);
                    return Err(vm.wrong_count(given, fewest, (known >= 0).then_some(fewest)));
                }
                count
            }
            None => match arity(this) {
                count if count < 0 => -count - 1,
                count => count,
            },
        };
        Ok(curried(this.clone(), usize::try_from(wanted).unwrap_or_default(), Vec::new()))
    }),
    Row(">>", 1, 1, |vm, this, args| composed(vm, this, args.at(0))),
    Row("<<", 1, 1, |vm, this, args| composed(vm, args.at(0), this)),
    Row("ruby2_keywords", 0, 0, |_, this, _| Ok(this.clone())),
    Row("source_location", 0, 0, |_, this, _| {
        Ok(match this {
            Value::Proc(proc) => match &proc.kind {
                ProcKind::Code { code, frame, .. } => {
                    Value::pair(Value::str(&*frame.file), Value::Int(i64::from(code.line)))
                }
                _ => Value::Nil,
            },
            Value::Method(method) => match &method.method.body {
                Body::Code(code, _) => Value::pair(Value::str(&*code.path), Value::Int(i64::from(code.line))),
                _ => Value::Nil,
            },
            _ => Value::Nil,
        })
    }),
    Row("binding", 0, 0, |vm, _, _| Err(vm.error("NotImplementedError", "a binding cannot be taken from a proc"))),
    Row("==", 1, 1, |_, this, args| Ok(Value::Bool(is_equal(this, args.at(0))))),
    Row("eql?", 1, 1, |_, this, args| Ok(Value::Bool(is_equal(this, args.at(0))))),
];

/// Methods of method objects alone.
pub(super) const METHOD: &[Row] = &[
    Row("name", 0, 0, |vm, this, _| Ok(Value::Sym(vm.method_object(this)?.name))),
    Row("owner", 0, 0, |vm, this, _| {
        let owner = vm.method_object(this)?.method.owner.upgrade();
        Ok(owner.map_or(Value::Nil, Value::Class))
    }),
    Row("receiver", 0, 0, |vm, this, _| Ok(vm.method_object(this)?.receiver.clone().into())),
    Row("super_method", 0, 0, |vm, this, _| {
        let it = vm.method_object(this)?;
        let Some(receiver) = &it.receiver else { return Ok(Value::Nil) };
        let above = vm.find_super(&vm.class_of(receiver), &it.method);
        Ok(above.map_or(Value::Nil, |method| {
            Value::Method(Rc::new(MethodObject { receiver: Some(receiver.clone()), method, name: it.name }))
        }))
    }),
    Row("dup", 0, 0, |vm, this, _| {
        let class = vm.class_name(this);
        Err(vm.type_error(&format!("allocator undefined for {class}")))
    }),
    Row("original_name", 0, 0, |vm, this, _| Ok(Value::Sym(vm.method_object(this)?.method.name))),
    Row("unbind", 0, 0, |vm, this, _| {
        let it = vm.method_object(this)?;
        Ok(Value::Method(Rc::new(MethodObject { receiver: None, method: it.method.clone(), name: it.name })))
    }),
    Row("bind", 1, 1, |vm, this, args| {
        let it = vm.method_object(this)?;
        let receiver = Some(args.at(0).clone());
        Ok(Value::Method(Rc::new(MethodObject { receiver, method: it.method.clone(), name: it.name })))
    }),
    Row("bind_call", 1, -1, |vm, this, args| {
        let it = vm.method_object(this)?;
        let values = args.values.get(1..).unwrap_or_default();
        vm.invoke(args.at(0), &it.method, Args { values, ..args })
    }),
];

/// `Proc.new`.
pub(super) const OWN: &[Row] = &[Row("new", 0, -1, |vm, _, args| match args.block {
    Some(block) => Ok(Value::Proc(block.clone())),
    None => Err(vm.argument_error("tried to create Proc object without a block")),
})];

fn call(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    match this {
        Value::Proc(proc) => vm.call_block_with(proc, args.values, args.keywords, args.block),
        Value::Method(method) => match &method.receiver {
            Some(receiver) => vm.invoke(receiver, &method.method, args),
            None => Err(vm.type_error("an unbound method cannot be called")),
        },
        other => vm.send_with(other, sym::CALL, args, false),
    }
}

fn code_parameters(value: &Value) -> Option<(&Parameters, bool)> {
    match value {
        Value::Proc(proc) => match &proc.kind {
            ProcKind::Code { code, .. } => Some((&code.parameters, proc.is_lambda)),
            _ => None,
        },
        Value::Method(method) => match &method.method.body {
            Body::Code(definition, _) => Some((&definition.parameters, true)),
            Body::Proc(proc) => match &proc.kind {
                ProcKind::Code { code, .. } => Some((&code.parameters, true)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn arity(this: &Value) -> i64 {
    if let Some((parameters, is_strict)) = code_parameters(this) {
        let arity = parameters.arity();
        // A proc's optional parameters do not count, unless something follows them.
        if !is_strict && parameters.rest.is_none() && !parameters.optional.is_empty() && arity < 0 {
            let required = parameters.required.len() + parameters.last.len();
            return if required == 0 { if parameters.optional.is_empty() { 0 } else { arity } } else { arity };
        }
        if !is_strict && parameters.rest.is_none() && parameters.optional.is_empty() && arity < 0 {
            return -arity - 1;
        }
        return arity;
    }
    match this {
        Value::Proc(proc) => match &proc.kind {
            ProcKind::Native(_, arity) => *arity,
            ProcKind::Symbol(_) => -2,
            ProcKind::Method(method) => native_arity(method),
            ProcKind::Code { .. } => 0,
        },
        Value::Method(method) => native_arity(method),
        _ => -1,
    }
}

fn native_arity(method: &MethodObject) -> i64 {
    match &method.method.body {
        Body::Native(native) if i64::from(native.most) == i64::from(native.fewest) => i64::from(native.fewest),
        // Methods in C either say how many arguments they take or take any number.
        Body::Native(_) => -1,
        Body::Code(definition, _) => definition.parameters.arity(),
        Body::Writer(_) => 1,
        _ => 0,
    }
}

fn parameters(this: &Value) -> Value {
    let Some((parameters, is_strict)) = code_parameters(this) else {
        let parameter = |kind: &str| Value::array(vec![Value::sym(kind)]);
        return Value::array(match (this, arity(this)) {
            (Value::Method(_), count) if count >= 0 => (0..count).map(|_| parameter("req")).collect(),
            _ => vec![parameter("rest")],
        });
    };
    let all = parameters.names.iter().map(|(kind, name)| {
        let kind = if !is_strict && *kind == "req" { "opt" } else { kind };
        let mut pair = vec![Value::sym(kind)];
        let is_nameless = name.is_some_and(|name| matches!(name.as_str(), "*" | "**" | "&"));
        pair.extend(name.filter(|_| !is_nameless).map(Value::Sym));
        Value::array(pair)
    });
    Value::array(all.collect())
}

/// The parameters of a method as `inspect` shows them.
pub(crate) fn shown_parameters(method: &MethodObject) -> String {
    let value =
        Value::Method(Rc::new(MethodObject { receiver: None, method: method.method.clone(), name: method.name }));
    let Some((parameters, _)) = code_parameters(&value) else {
        let count = native_arity(method);
        return usize::try_from(count).map_or_else(|_| "*".to_owned(), |count| vec!["_"; count].join(", "));
    };
    let shown = parameters.names.iter().map(|(kind, name)| {
        let name = name.map_or("_", |name| name.as_str());
        match *kind {
            "opt" => format!("{name}=..."),
            "rest" if name == "*" => "*".to_owned(),
            "rest" => format!("*{name}"),
            "key" => format!("{name}: ..."),
            "keyreq" => format!("{name}:"),
            "keyrest" if name == "**" => "**".to_owned(),
            "keyrest" => format!("**{name}"),
            "block" if name == "&" => "&".to_owned(),
            "block" => format!("&{name}"),
            "nokey" => "**nil".to_owned(),
            _ => name.to_owned(),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn curried(function: Value, wanted: usize, given: Vec<Value>) -> Value {
    let made = Proc::native(-1, move |vm, values| {
        let mut all = given.clone();
        all.extend_from_slice(values);
        if all.len() >= wanted {
            vm.send(&function, sym::CALL, &all)
        } else {
            Ok(curried(function.clone(), wanted, all))
        }
    });
    Value::Proc(as_lambda(&made))
}

impl Proc {
    /// How many arguments it takes, as `arity` counts.
    pub(crate) fn arity(self: &Rc<Proc>) -> i64 {
        arity(&Value::Proc(self.clone()))
    }
}

/// The same proc as a lambda.
pub(super) fn as_lambda(proc: &Rc<Proc>) -> Rc<Proc> {
    let kind = match &proc.kind {
        ProcKind::Native(work, arity) => ProcKind::Native(work.clone(), *arity),
        ProcKind::Symbol(name) => ProcKind::Symbol(*name),
        ProcKind::Method(method) => ProcKind::Method(method.clone()),
        ProcKind::Code { code, frame, locals } => {
            ProcKind::Code { code: code.clone(), frame: frame.clone(), locals: locals.clone() }
        }
    };
    Rc::new(Proc { kind, is_lambda: true, tag: proc.tag })
}

fn composed(vm: &mut Vm, first: &Value, second: &Value) -> Outcome {
    for side in [first, second] {
        if !vm.responds_to(side, sym::CALL) {
            return Err(vm.type_error("callable object is expected"));
        }
    }
    let (first, second) = (first.clone(), second.clone());
    let made = Proc::native(-1, move |vm, values| {
        let value = vm.send(&first, sym::CALL, values)?;
        vm.send(&second, sym::CALL, &[value])
    });
    Ok(Value::Proc(as_lambda(&made)))
}

fn is_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Method(x), Value::Method(y)) => {
            let receivers = match (&x.receiver, &y.receiver) {
                (Some(a), Some(b)) => a.is_same(b),
                (None, None) => true,
                _ => false,
            };
            receivers && Rc::ptr_eq(&x.method, &y.method)
        }
        _ => a.is_same(b),
    }
}

impl Vm {
    fn method_object(&mut self, value: &Value) -> Outcome<Rc<MethodObject>> {
        match value {
            Value::Method(method) => Ok(method.clone()),
            _ => Err(self.type_error("a method is expected")),
        }
    }
}

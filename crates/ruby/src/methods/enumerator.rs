//! `Enumerator`, and `Enumerator::Lazy`, which asks for no more than is wanted.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::interpreter::class::{Class, Kind};
use crate::interpreter::code::{Args, Proc};
use crate::interpreter::iterate::packed;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::{Object, Value};
use crate::interpreter::{Outcome, Stop, Vm};

/// What an enumerator goes over.
pub(super) struct Source {
    pub(super) receiver: Value,
    pub(super) name: Sym,
    pub(super) args: Vec<Value>,
    /// Whether the last one is a hash of keywords.
    pub(super) keywords: bool,
    /// How many items `next` has given.
    given: Cell<usize>,
}

/// What a lazy enumerator does with each item.
struct Lazy {
    source: Value,
    steps: Vec<(Step, Value)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Map,
    Select,
    Reject,
    TakeWhile,
    DropWhile,
    FlatMap,
    FilterMap,
    Take,
    Drop,
    WithIndex,
}

pub(super) fn define(core: &Core) {
    let class = core.class_named("Enumerator", Kind::Class, Some(&core.object));
    class.includes.borrow_mut().push(core.enumerable.clone());
    core.add(&class, ROWS);
    core.add_own(
        &class,
        &[
            Row("new", 0, 1, |vm, _, args| {
                let block = Value::Proc(vm.block(args)?);
                Ok(vm.enumerator(&block, "<generator>", &[]))
            }),
            Row("produce", 0, 1, produce),
        ],
    );
    let lazy = Class::new(Some("Enumerator::Lazy"), Kind::Class, Some(class.clone()));
    core.add(&lazy, LAZY);
    let yielder = Class::new(Some("Enumerator::Yielder"), Kind::Class, Some(core.object.clone()));
    core.add(&yielder, YIELDER);
    let sequence = Class::new(Some("Enumerator::ArithmeticSequence"), Kind::Class, Some(class.clone()));
    core.add(&sequence, super::sequence::ROWS);
    class.constants.borrow_mut().insert(Sym::new("ArithmeticSequence"), Value::Class(sequence));
    class.constants.borrow_mut().insert(Sym::new("Lazy"), Value::Class(lazy));
    class.constants.borrow_mut().insert(Sym::new("Yielder"), Value::Class(yielder));
}

const ROWS: &[Row] = &[
    Row("each", 0, -1, |vm, this, args| match args.block {
        Some(block) => vm.run_source(this, block),
        None => Ok(this.clone()),
    }),
    Row("with_index", 0, 1, |vm, this, args| with_index(vm, this, args, "with_index")),
    Row("each_with_index", 0, 0, |vm, this, args| with_index(vm, this, args, "each_with_index")),
    Row("with_object", 1, 1, with_object),
    Row("each_with_object", 1, 1, with_object),
    Row("next", 0, 0, |vm, this, _| {
        let source = vm.source(this)?;
        let item = peek(vm, this, &source)?;
        source.given.set(source.given.get() + 1);
        Ok(item)
    }),
    Row("peek", 0, 0, |vm, this, _| {
        let source = vm.source(this)?;
        peek(vm, this, &source)
    }),
    Row("rewind", 0, 0, |vm, this, _| {
        vm.source(this)?.given.set(0);
        Ok(this.clone())
    }),
    Row("size", 0, 0, |vm, this, _| {
        let source = vm.source(this)?;
        match (&source.receiver, source.name.as_str()) {
            (Value::Proc(_), _) => Ok(Value::Nil),
            (_, "loop") => Ok(Value::Float(f64::INFINITY)),
            (Value::Int(count), "times") => Ok(Value::Int(*count.max(&0))),
            (Value::Array(_) | Value::Hash(_) | Value::Range(_), "each_slice" | "each_cons")
            | (Value::Int(_) | Value::Str(_), _) => Ok(Value::int(vm.items(this)?.len())),
            (Value::Array(_) | Value::Hash(_) | Value::Range(_), "cycle") => Ok(Value::Float(f64::INFINITY)),
            (Value::Array(_) | Value::Hash(_) | Value::Range(_), _) => vm.send(&source.receiver, sym::SIZE, &[]),
            _ => Ok(Value::Nil),
        }
    }),
    Row("inspect", 0, 0, inspect),
    Row("+", 1, 1, |vm, this, args| {
        let mut all = vm.items(this)?;
        all.extend(vm.items(args.at(0))?);
        Ok(vm.enumerator(&Value::array(all), "each", &[]))
    }),
];

const YIELDER: &[Row] = &[
    Row("<<", 1, 1, |vm, this, args| {
        yielded(vm, this, args)?;
        Ok(this.clone())
    }),
    Row("yield", 0, -1, yielded),
    Row("call", 0, -1, yielded),
];

/// What a block makes of what it made before, until it raises `StopIteration`.
fn produce(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let (block, first) = (vm.block(args)?, args.get(0).cloned());
    let generator = Proc::native(1, move |vm, values| {
        let yielder = values.first().cloned().unwrap_or(Value::Nil);
        let mut next = first.clone();
        loop {
            let made = match next {
                Some(value) => Ok(value),
                None => vm.call_block(&block, &[]),
            };
            let value = match made {
                Ok(value) => value,
                Err(stop) => return ended(vm, stop),
            };
            yielded(vm, &yielder, Args::of(std::slice::from_ref(&value)))?;
            next = match vm.give(&block, value) {
                Ok(value) => Some(value),
                Err(stop) => return ended(vm, stop),
            };
        }
    });
    Ok(vm.enumerator(&Value::Proc(generator), "<generator>", &[]))
}

/// `StopIteration` ends quietly.
fn ended(vm: &mut Vm, stop: Box<Stop>) -> Outcome {
    match &*stop {
        Stop::Raise(exception) if vm.is_a(exception, &vm.constant_class("StopIteration")) => Ok(Value::Nil),
        _ => Err(stop),
    }
}

fn yielded(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    match this.variable(sym::HIDDEN_RECEIVER) {
        Some(Value::Proc(block)) => vm.call_block(&block, args.values),
        _ => Ok(Value::Nil),
    }
}

fn inspect(vm: &mut Vm, this: &Value, _: Args<'_>) -> Outcome {
    let source = vm.source(this)?;
    if let Value::Proc(_) = source.receiver {
        let address = this.address().unwrap_or_default();
        return Ok(Value::str(format!("#<Enumerator: #<Enumerator::Generator:{address:#018x}>:each>")));
    }
    let mut shown = format!("#<Enumerator: {}:{}", vm.inspect(&source.receiver)?, source.name.as_str());
    if !source.args.is_empty() {
        let mut args = Vec::new();
        for arg in &source.args {
            args.push(vm.inspect(arg)?);
        }
        shown.push_str(&format!("({})", args.join(", ")));
    }
    Ok(Value::str(shown + ">"))
}

fn peek(vm: &mut Vm, this: &Value, source: &Source) -> Outcome {
    let wanted = source.given.get() + 1;
    let (items, value) = vm.collected_up_to(this, sym::EACH, &[], wanted)?;
    match items.into_iter().nth(wanted - 1) {
        Some(item) => Ok(item),
        None => Err(vm.with_details("StopIteration", "iteration reached an end", &[(sym::HIDDEN_RESULT, value)])),
    }
}

fn with_index(vm: &mut Vm, this: &Value, args: Args<'_>, name: &str) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, name, args.values)) };
    let start = match args.values.first() {
        None | Some(Value::Nil) => 0,
        Some(start) => vm.to_int(start)?,
    };
    let (block, index) = (block.clone(), Cell::new(start));
    let counted = Proc::native(-1, move |vm, values| {
        let number = index.replace(index.get() + 1);
        vm.call_block(&block, &[packed(values), Value::Int(number)])
    });
    vm.run_source(this, &counted)
}

fn with_object(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let Some(block) = args.block else { return Ok(vm.enumerator(this, "with_object", args.values)) };
    let (block, object) = (block.clone(), args.at(0).clone());
    let with = Proc::native(-1, move |vm, values| vm.call_block(&block, &[packed(values), object.clone()]));
    vm.run_source(this, &with)?;
    Ok(args.at(0).clone())
}

impl Vm {
    /// What a method gives to its block, as something to go over later.
    pub(crate) fn enumerator(&mut self, receiver: &Value, name: &str, args: &[Value]) -> Value {
        self.enumerator_of(receiver, name, Args::of(args))
    }

    /// Items that a method has found, as something to go over.
    pub(crate) fn generated(&mut self, items: Vec<Value>) -> Value {
        let generator = Proc::native(1, move |vm, values| {
            let yielder = values.first().cloned().unwrap_or(Value::Nil);
            for item in &items {
                yielded(vm, &yielder, Args::of(std::slice::from_ref(item)))?;
            }
            Ok(Value::Nil)
        });
        self.enumerator(&Value::Proc(generator), "<generator>", &[])
    }

    /// The numbers of a step that is always the same.
    pub(crate) fn arithmetic_sequence(&mut self, receiver: &Value, name: &str, args: Args<'_>) -> Outcome {
        let made = self.enumerator_of(receiver, name, args);
        let outer = Value::Class(self.constant_class("Enumerator"));
        let class = self.scoped_constant(&outer, Sym::new("ArithmeticSequence"))?;
        if let (Value::Object(object), Value::Class(class)) = (&made, class) {
            *object.class.borrow_mut() = class;
        }
        Ok(made)
    }

    /// The same for arguments that may end with keywords.
    pub(crate) fn enumerator_of(&mut self, receiver: &Value, name: &str, args: Args<'_>) -> Value {
        let class = self.constant_class("Enumerator");
        let object = Object::new(class);
        let source = Source {
            receiver: receiver.clone(),
            name: Sym::new(name),
            args: args.values.to_vec(),
            keywords: args.keywords,
            given: Cell::new(0),
        };
        *object.data.borrow_mut() = Some(Rc::new(source));
        Value::Object(Rc::new(object))
    }

    pub(super) fn source(&mut self, value: &Value) -> Outcome<Rc<Source>> {
        let found = match value {
            Value::Object(object) => object.data::<Source>(),
            _ => None,
        };
        found.ok_or_else(|| self.argument_error("uninitialized enumerator"))
    }

    fn run_source(&mut self, this: &Value, block: &Rc<Proc>) -> Outcome {
        let source = self.source(this)?;
        if let Value::Proc(generator) = &source.receiver
            && source.name.as_str() == "<generator>"
        {
            let outer = Value::Class(self.constant_class("Enumerator"));
            let class = self.scoped_constant(&outer, Sym::new("Yielder"))?;
            let class = self.class_argument(&class)?;
            let yielder = Value::Object(Rc::new(Object::new(class)));
            yielder.set_variable(sym::HIDDEN_RECEIVER, Value::Proc(block.clone()));
            return self.give(generator, yielder);
        }
        let args = Args { values: &source.args, block: Some(block), keywords: source.keywords };
        self.send_with(&source.receiver, source.name, args, true)
    }

    pub(crate) fn make_lazy(&mut self, source: &Value) -> Outcome {
        self.lazy_with(Lazy { source: source.clone(), steps: Vec::new() })
    }

    fn lazy_with(&mut self, lazy: Lazy) -> Outcome {
        let outer = Value::Class(self.constant_class("Enumerator"));
        let class = self.scoped_constant(&outer, Sym::new("Lazy"))?;
        let object = Object::new(self.class_argument(&class)?);
        *object.data.borrow_mut() = Some(Rc::new(lazy));
        Ok(Value::Object(Rc::new(object)))
    }

    fn lazy(&mut self, value: &Value) -> Outcome<Rc<Lazy>> {
        let found = match value {
            Value::Object(object) => object.data::<Lazy>(),
            _ => None,
        };
        found.ok_or_else(|| self.argument_error("uninitialized lazy enumerator"))
    }
}

const LAZY: &[Row] = &[
    Row("map", 0, 0, |vm, this, args| then(vm, this, args, Step::Map)),
    Row("collect", 0, 0, |vm, this, args| then(vm, this, args, Step::Map)),
    Row("select", 0, 0, |vm, this, args| then(vm, this, args, Step::Select)),
    Row("filter", 0, 0, |vm, this, args| then(vm, this, args, Step::Select)),
    Row("reject", 0, 0, |vm, this, args| then(vm, this, args, Step::Reject)),
    Row("take_while", 0, 0, |vm, this, args| then(vm, this, args, Step::TakeWhile)),
    Row("drop_while", 0, 0, |vm, this, args| then(vm, this, args, Step::DropWhile)),
    Row("flat_map", 0, 0, |vm, this, args| then(vm, this, args, Step::FlatMap)),
    Row("filter_map", 0, 0, |vm, this, args| then(vm, this, args, Step::FilterMap)),
    Row("take", 1, 1, |vm, this, args| then(vm, this, args, Step::Take)),
    Row("drop", 1, 1, |vm, this, args| then(vm, this, args, Step::Drop)),
    Row("with_index", 0, 1, |vm, this, args| then(vm, this, args, Step::WithIndex)),
    Row("each_with_index", 0, 0, |vm, this, args| then(vm, this, args, Step::WithIndex)),
    Row("each", 0, 0, |vm, this, args| {
        let block = vm.block(args)?;
        run_lazy(vm, this, &block)
    }),
    Row("to_a", 0, 0, |vm, this, _| Ok(Value::array(vm.collected(this, sym::EACH, &[])?))),
    Row("force", 0, 0, |vm, this, _| Ok(Value::array(vm.collected(this, sym::EACH, &[])?))),
    Row("lazy", 0, 0, |_, this, _| Ok(this.clone())),
    Row("eager", 0, 0, |vm, this, _| Ok(Value::array(vm.collected(this, sym::EACH, &[])?))),
    Row("size", 0, 0, |_, _, _| Ok(Value::Nil)),
    Row("inspect", 0, 0, |vm, this, _| {
        let lazy = vm.lazy(this)?;
        let mut shown = format!("#<Enumerator::Lazy: {}>", vm.inspect(&lazy.source)?);
        for (step, value) in &lazy.steps {
            let name = match step {
                Step::Map => "map",
                Step::Select => "select",
                Step::Reject => "reject",
                Step::TakeWhile => "take_while",
                Step::DropWhile => "drop_while",
                Step::FlatMap => "flat_map",
                Step::FilterMap => "filter_map",
                Step::Take => "take",
                Step::Drop => "drop",
                Step::WithIndex => "with_index",
            };
            let count = if let Value::Int(count) = value { format!("({count})") } else { String::new() };
            shown = format!("#<Enumerator::Lazy: {shown}:{name}{count}>");
        }
        Ok(Value::str(shown))
    }),
];

fn then(vm: &mut Vm, this: &Value, args: Args<'_>, step: Step) -> Outcome {
    let lazy = vm.lazy(this)?;
    let with = match (step, args.block) {
        (Step::Take | Step::Drop, _) => Value::int(vm.size_argument(args.at(0), "attempt to take negative size")?),
        (_, Some(block)) => Value::Proc(block.clone()),
        (Step::WithIndex, None) => Value::Nil,
        (_, None) => return Err(vm.argument_error("tried to call lazy map without a block")),
    };
    let mut steps = lazy.steps.clone();
    steps.push((step, with));
    vm.lazy_with(Lazy { source: lazy.source.clone(), steps })
}

fn run_lazy(vm: &mut Vm, this: &Value, block: &Rc<Proc>) -> Outcome {
    let lazy = vm.lazy(this)?;
    if lazy.steps.iter().any(|(step, count)| *step == Step::Take && matches!(count, Value::Int(0))) {
        return Ok(this.clone());
    }
    let (tag, block) = (vm.next_serial(), block.clone());
    let state = RefCell::new(vec![0i64; lazy.steps.len()]);
    let steps = lazy.steps.clone();
    let work = Proc::native(-1, move |vm, values| {
        let is_last = pass(vm, &steps, &state, 0, packed(values), &block)?;
        if is_last { Err(Box::new(Stop::Break(tag, Value::Nil))) } else { Ok(Value::Nil) }
    });
    let source = lazy.source.clone();
    match vm.send_with(&source, sym::EACH, Args::with_block(&[], Some(&work)), true).map_err(|stop| *stop) {
        Ok(_) => Ok(this.clone()),
        Err(Stop::Break(ended, _)) if ended == tag => Ok(this.clone()),
        Err(stop) => Err(Box::new(stop)),
    }
}

/// Takes an item through the steps from one on; whether it was the last one wanted.
fn pass(
    vm: &mut Vm,
    steps: &[(Step, Value)],
    state: &RefCell<Vec<i64>>,
    from: usize,
    item: Value,
    block: &Rc<Proc>,
) -> Outcome<bool> {
    let mut item = item;
    let mut is_last = false;
    for (index, (step, with)) in steps.iter().enumerate().skip(from) {
        let mut answer = || match with {
            Value::Proc(work) => vm.give(work, item.clone()),
            _ => Ok(Value::Nil),
        };
        let count = state.borrow().get(index).copied().unwrap_or_default();
        let count_up = || {
            if let Some(count) = state.borrow_mut().get_mut(index) {
                *count += 1;
            }
        };
        match step {
            Step::Map => item = answer()?,
            Step::Select if !answer()?.is_truthy() => return Ok(is_last),
            Step::Reject if answer()?.is_truthy() => return Ok(is_last),
            Step::Select | Step::Reject => {}
            Step::TakeWhile if !answer()?.is_truthy() => return Ok(true),
            Step::TakeWhile => {}
            Step::DropWhile => {
                if count == 0 {
                    if answer()?.is_truthy() {
                        return Ok(is_last);
                    }
                    count_up();
                }
            }
            Step::FilterMap => {
                item = answer()?;
                if !item.is_truthy() {
                    return Ok(is_last);
                }
            }
            Step::FlatMap => {
                if let made @ Value::Array(_) = answer()? {
                    for part in vm.items(&made)? {
                        if pass(vm, steps, state, index + 1, part, block)? {
                            return Ok(true);
                        }
                    }
                    return Ok(is_last);
                }
            }
            Step::Take => {
                count_up();
                if let Value::Int(most) = with {
                    is_last |= count + 1 >= *most;
                }
            }
            Step::Drop => {
                if let Value::Int(first) = with
                    && count < *first
                {
                    count_up();
                    return Ok(is_last);
                }
            }
            Step::WithIndex => {
                count_up();
                item = match with {
                    Value::Proc(work) => vm.call_block(work, &[item.clone(), Value::Int(count)])?,
                    _ => Value::pair(item.clone(), Value::Int(count)),
                };
            }
        }
    }
    vm.give(block, item)?;
    Ok(is_last)
}

//! Random numbers: the Mersenne twister, as Ruby has it, so that seeds give what they give there.

use crate::interpreter::class::Kind;
use crate::interpreter::code::Args;
use crate::interpreter::order::float_of;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::{Object, Value};
use crate::interpreter::{Outcome, Vm};
use std::cell::RefCell;
use std::rc::Rc;

const SIZE: usize = 624;
const MIDDLE: usize = 397;

/// The generator MT19937.
pub(crate) struct Twister {
    state: Vec<u32>,
    index: usize,
}

impl Twister {
    fn from_number(seed: u32) -> Twister {
        let mut state = Vec::with_capacity(SIZE);
        let mut last = seed;
        state.push(last);
        for index in 1..SIZE {
            last = 1_812_433_253u32.wrapping_mul(last ^ (last >> 30)).wrapping_add(index as u32);
            state.push(last);
        }
        Twister { state, index: SIZE }
    }

    /// As Ruby seeds it: by the 32 bit digits of the seed.
    pub(crate) fn new(seed: &num_bigint::BigInt) -> Twister {
        let mut key = seed.magnitude().to_u32_digits();
        // As Ruby has it: a last digit of one is taken for a guard.
        if key.len() > 1 && key.last() == Some(&1) {
            key.pop();
        }
        if let [] | [_] = &*key {
            return Twister::from_number(key.first().copied().unwrap_or_default());
        }
        let mut made = Twister::from_number(19_650_218);
        let at = |state: &[u32], index: usize| state.get(index).copied().unwrap_or_default();
        let (mut i, mut j) = (1, 0);
        for _ in 0..SIZE.max(key.len()) {
            let before = at(&made.state, i - 1);
            let mixed = (at(&made.state, i) ^ (before ^ (before >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(key.get(j).copied().unwrap_or_default())
                .wrapping_add(j as u32);
            if let Some(place) = made.state.get_mut(i) {
                *place = mixed;
            }
            (i, j) = made.advance(i, (j + 1) % key.len());
        }
        for _ in 0..SIZE - 1 {
            let before = at(&made.state, i - 1);
            let mixed =
                (at(&made.state, i) ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            if let Some(place) = made.state.get_mut(i) {
                *place = mixed;
            }
            (i, j) = made.advance(i, j);
        }
        if let Some(first) = made.state.first_mut() {
            *first = 0x8000_0000;
        }
        made
    }

    fn advance(&mut self, i: usize, j: usize) -> (usize, usize) {
        if i + 1 < SIZE {
            return (i + 1, j);
        }
        let last = self.state.last().copied().unwrap_or_default();
        if let Some(first) = self.state.first_mut() {
            *first = last;
        }
        (1, j)
    }

    fn next(&mut self) -> u32 {
        if self.index >= SIZE {
            for index in 0..SIZE {
                let at = |place: usize| self.state.get(place % SIZE).copied().unwrap_or_default();
                let joined = (at(index) & 0x8000_0000) | (at(index + 1) & 0x7fff_ffff);
                let mixed = at(index + MIDDLE) ^ (joined >> 1) ^ if joined & 1 == 1 { 0x9908_b0df } else { 0 };
                if let Some(place) = self.state.get_mut(index) {
                    *place = mixed;
                }
            }
            self.index = 0;
        }
        let mut value = self.state.get(self.index).copied().unwrap_or_default();
        self.index += 1;
        value ^= value >> 11;
        value ^= (value << 7) & 0x9d2c_5680;
        value ^= (value << 15) & 0xefc6_0000;
        value ^ (value >> 18)
    }

    /// From 0 up to 1.
    fn real(&mut self) -> f64 {
        let (a, b) = (self.next() >> 5, self.next() >> 6);
        (f64::from(a) * 67_108_864.0 + f64::from(b)) / 9_007_199_254_740_992.0
    }

    /// From 0 up to and with a limit.
    fn limited(&mut self, limit: u64) -> u64 {
        if limit == 0 {
            return 0;
        }
        let mask = u64::MAX >> limit.leading_zeros();
        loop {
            let mut value = 0;
            let mut is_within = true;
            for half in [1u32, 0] {
                if (mask >> (half * 32)) & 0xffff_ffff != 0 {
                    value |= u64::from(self.next()) << (half * 32);
                    value &= mask;
                    if limit < value {
                        is_within = false;
                        break;
                    }
                }
            }
            if is_within {
                return value;
            }
        }
    }
}

pub(super) fn define(core: &Core) {
    let class = core.class_named("Random", Kind::Class, Some(&core.object));
    core.add(&class, ROWS);
    core.add_own(
        &class,
        &[
            Row("rand", 0, 1, |vm, _, args| rand(vm, args.at(0))),
            Row("urandom", 1, 1, |vm, _, args| {
                let count = vm.size_argument(args.at(0), "negative string size (or size too big)")?;
                vm.check_size(count)?;
                let mut bytes = vec![0; count];
                match vm.outside("ask for random bytes")?.random(&mut bytes) {
                    Ok(()) => Ok(Value::binary(bytes)),
                    Err(error) => Err(vm.system_error(&error, "", "getrandom")),
                }
            }),
            Row("bytes", 1, 1, |vm, this, args| vm.send(this, Sym::new("urandom"), args.values)),
            Row("random_number", 0, 1, |vm, _, args| rand(vm, args.at(0))),
            Row("new_seed", 0, 0, |_, _, _| Ok(Value::Int(0x1234_5678))),
            Row("srand", 0, 1, |vm, _, args| seed(vm, args.at(0))),
        ],
    );
}

const ROWS: &[Row] = &[
    Row("initialize", 0, 1, |vm, this, args| {
        let seed = if args.values.is_empty() { Value::Int(0x1234_5678) } else { args.at(0).clone() };
        let number = match &seed {
            Value::Float(_) => num_bigint::BigInt::from(vm.to_int(&seed)?),
            other => crate::interpreter::iterate::to_big(other).unwrap_or_default(),
        };
        if let Value::Object(object) = this {
            *object.data.borrow_mut() = Some(Rc::new(RefCell::new(Twister::new(&number))));
        }
        this.set_variable(sym::HIDDEN_KEY, seed);
        Ok(Value::Nil)
    }),
    Row("rand", 0, 1, |vm, this, args| match this {
        Value::Object(object) => drawn(vm, object, args.at(0), false),
        _ => Ok(Value::Nil),
    }),
    Row("seed", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_KEY).into())),
    Row("bytes", 1, 1, |vm, this, args| {
        let count = vm.size_argument(args.at(0), "negative string size (or size too big)")?;
        vm.check_size(count)?;
        let Value::Object(object) = this else { return Ok(Value::Nil) };
        let Some(twister) = object.data::<RefCell<Twister>>() else { return Ok(Value::Nil) };
        let mut bytes = Vec::new();
        while bytes.len() < count {
            bytes.extend_from_slice(&twister.borrow_mut().next().to_le_bytes());
        }
        bytes.truncate(count);
        Ok(Value::binary(bytes))
    }),
];

/// A number from a generator: a float, or one below a limit or within a range.
fn drawn(vm: &mut Vm, object: &Object, limit: &Value, is_kernel: bool) -> Outcome {
    let Some(twister) = object.data::<RefCell<Twister>>() else {
        return Err(vm.argument_error("uninitialized random generator"));
    };
    let mut twister = twister.borrow_mut();
    Ok(match limit {
        Value::Nil | Value::Bool(false) => Value::Float(twister.real()),
        Value::Range(range) => match (&range.start, &range.end) {
            (Value::Int(start), Value::Int(end)) => {
                let end = if range.excludes_end { end - 1 } else { *end };
                if end < *start {
                    return Ok(Value::Nil);
                }
                Value::Int(start.wrapping_add(twister.limited(end.wrapping_sub(*start) as u64) as i64))
            }
            (start, end) => {
                let (start, end) = (float_of(start), float_of(end));
                Value::Float(twister.real() * (end - start) + start)
            }
        },
        Value::Float(limit) if !is_kernel => Value::Float(twister.real() * limit),
        other => {
            let limit = vm.to_int(other)?;
            let limit = if is_kernel { limit.unsigned_abs() } else { u64::try_from(limit).unwrap_or(0) };
            match limit {
                0 if is_kernel => Value::Float(twister.real()),
                0 => {
                    let shown = vm.inspect(other)?;
                    return Err(vm.argument_error(&format!("invalid argument - {shown}")));
                }
                limit => Value::Int(twister.limited(limit - 1) as i64),
            }
        }
    })
}

/// The session's own generator.
fn own(vm: &mut Vm) -> Outcome<Rc<Object>> {
    let name = crate::interpreter::symbol::Sym::new("__random");
    if let Some(Value::Object(object)) = vm.globals.get(&name) {
        return Ok(object.clone());
    }
    let made = vm.make("Random", &[])?;
    vm.globals.insert(name, made.clone());
    match made {
        Value::Object(object) => Ok(object),
        _ => Err(vm.type_error("a generator is expected")),
    }
}

/// `rand`.
pub(super) fn rand(vm: &mut Vm, limit: &Value) -> Outcome {
    let object = own(vm)?;
    drawn(vm, &object, limit, true)
}

/// `srand`: the seed before.
pub(super) fn seed(vm: &mut Vm, seed: &Value) -> Outcome {
    let before = own(vm)?.get(sym::HIDDEN_KEY);
    let made = vm.make("Random", std::slice::from_ref(seed))?;
    vm.globals.insert(crate::interpreter::symbol::Sym::new("__random"), made);
    Ok(before.into())
}

fn generator(vm: &mut Vm, args: Args<'_>) -> Outcome<Rc<Object>> {
    match if args.keywords { args.keyword("random") } else { None } {
        Some(Value::Object(object)) if object.data::<RefCell<Twister>>().is_some() => Ok(object),
        _ => own(vm),
    }
}

/// `Array#shuffle`.
pub(super) fn shuffle(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let mut items = vm.items(this)?;
    let object = generator(vm, args)?;
    if let Some(twister) = object.data::<RefCell<Twister>>() {
        for index in (1..=items.len()).rev() {
            let other = twister.borrow_mut().limited(index as u64 - 1) as usize;
            if other != index - 1 {
                items.swap(other, index - 1);
            }
        }
    }
    Ok(Value::array(items))
}

/// `Array#sample`.
pub(super) fn sample(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let (values, _) = args.split_keywords();
    if values.len() > 1 {
        return Err(vm.wrong_count(values.len(), 0, Some(1)));
    }
    match values.first() {
        None => {
            let items = vm.items(this)?;
            let object = generator(vm, args)?;
            let index = match object.data::<RefCell<Twister>>() {
                Some(twister) if !items.is_empty() => twister.borrow_mut().limited(items.len() as u64 - 1) as usize,
                _ => return Ok(Value::Nil),
            };
            Ok(items.get(index).cloned().into())
        }
        Some(count) => {
            let count = vm.size_argument(count, "negative sample number")?;
            let mut items = vm.items(this)?;
            let object = generator(vm, args)?;
            let Some(twister) = object.data::<RefCell<Twister>>() else { return Ok(Value::Nil) };
            let count = count.min(items.len());
            let below = |limit: usize| twister.borrow_mut().limited(limit as u64 - 1) as usize;
            if count > 16 {
                for index in 0..count {
                    let other = below(items.len() - index) + index;
                    items.swap(index, other);
                }
                items.truncate(count);
                return Ok(Value::array(items));
            }
            let drawn: Vec<usize> = (0..count).map(|index| below(items.len() - index)).collect();
            let (mut taken, mut picked): (Vec<usize>, Vec<Value>) = (Vec::new(), Vec::new());
            for mut index in drawn {
                let mut place = 0;
                while taken.get(place).is_some_and(|before| index >= *before) {
                    index += 1;
                    place += 1;
                }
                taken.insert(place, index);
                picked.extend(items.get(index).cloned());
            }
            Ok(Value::array(picked))
        }
    }
}

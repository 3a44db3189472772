//! `Numeric`: what numbers have in common with complex ones.

use crate::interpreter::order::float_of;
use crate::interpreter::session::Row;
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) const ROWS: &[Row] = &[
    Row("real", 0, 0, |_, this, _| Ok(this.clone())),
    Row("imaginary", 0, 0, |_, _, _| Ok(Value::Int(0))),
    Row("imag", 0, 0, |_, _, _| Ok(Value::Int(0))),
    Row("conj", 0, 0, |_, this, _| Ok(this.clone())),
    Row("conjugate", 0, 0, |_, this, _| Ok(this.clone())),
    Row("rect", 0, 0, |_, this, _| Ok(Value::pair(this.clone(), Value::Int(0)))),
    Row("rectangular", 0, 0, |_, this, _| Ok(Value::pair(this.clone(), Value::Int(0)))),
    Row("arg", 0, 0, |_, this, _| Ok(angle(this))),
    Row("angle", 0, 0, |_, this, _| Ok(angle(this))),
    Row("phase", 0, 0, |_, this, _| Ok(angle(this))),
    Row("abs2", 0, 0, |vm, this, _| vm.send(this, Sym::new("*"), std::slice::from_ref(this))),
    Row("polar", 0, 0, |vm, this, _| {
        let size = vm.send(this, Sym::new("abs"), &[])?;
        Ok(Value::pair(size, angle(this)))
    }),
    Row("i", 0, 0, |vm, this, _| complex(vm, Value::Int(0), this.clone())),
    Row("to_c", 0, 0, |vm, this, _| complex(vm, this.clone(), Value::Int(0))),
];

/// The same of integers alone.
pub(super) const INTEGER: &[Row] =
    &[Row("numerator", 0, 0, |_, this, _| Ok(this.clone())), Row("denominator", 0, 0, |_, _, _| Ok(Value::Int(1)))];

/// `nil` as a number.
pub(super) const NIL: &[Row] = &[
    Row("to_r", 0, 0, |vm, _, _| rational(vm)),
    Row("rationalize", 0, 1, |vm, _, _| rational(vm)),
    Row("to_c", 0, 0, |vm, _, _| complex(vm, Value::Int(0), Value::Int(0))),
    Row("^", 1, 1, |_, _, args| Ok(Value::Bool(args.at(0).is_truthy()))),
];

fn angle(number: &Value) -> Value {
    match float_of(number) {
        size if size.is_nan() => Value::Float(size),
        size if size.is_sign_negative() => Value::Float(std::f64::consts::PI),
        _ => Value::Int(0),
    }
}

fn complex(vm: &mut Vm, real: Value, imaginary: Value) -> Outcome {
    vm.require("(rational)")?;
    let main = vm.main.clone();
    vm.send(&main, Sym::new("Complex"), &[real, imaginary])
}

fn rational(vm: &mut Vm) -> Outcome {
    vm.require("(rational)")?;
    let main = vm.main.clone();
    vm.send(&main, Sym::new("Rational"), &[Value::Int(0)])
}

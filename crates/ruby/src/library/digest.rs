//! `Digest`: MD5, SHA1 and SHA2.

use std::rc::Rc;

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::interpreter::class::{Class, Kind};
use crate::interpreter::code::Args;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};
use crate::methods::pack::base64;

pub(super) fn define(core: &Core) {
    let module = core.class_named("Digest", Kind::Module, None);
    let within = |name: &str, above: &Rc<Class>| {
        let class = Class::new(Some(&format!("Digest::{name}")), Kind::Class, Some(above.clone()));
        module.constants.borrow_mut().insert(Sym::new(name), Value::Class(class.clone()));
        class
    };
    let base = within("Base", &core.object);
    core.add(&base, ROWS);
    core.add_own(&base, OWN);
    for name in ["MD5", "SHA1", "SHA256", "SHA384", "SHA512", "SHA2"] {
        within(name, &base);
    }
}

/// The bytes of a digest; the algorithm is the name of the class.
pub(super) fn digest(name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    Some(match name.rsplit("::").next()? {
        "MD5" => Md5::digest(bytes).to_vec(),
        "SHA1" => Sha1::digest(bytes).to_vec(),
        "SHA256" | "SHA2" => Sha256::digest(bytes).to_vec(),
        "SHA384" => Sha384::digest(bytes).to_vec(),
        "SHA512" => Sha512::digest(bytes).to_vec(),
        _ => return None,
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn of_class(vm: &mut Vm, class: &str, value: &Value) -> Outcome<Vec<u8>> {
    let bytes = vm.to_str(value)?.bytes.borrow().clone();
    digest(class, &bytes).ok_or_else(|| vm.error("RuntimeError", "Algorithm is not known"))
}

const OWN: &[Row] = &[
    Row("hexdigest", 1, 1, |vm, this, args| {
        let name = vm.to_s(this)?;
        Ok(Value::str(hex(&of_class(vm, &name, args.at(0))?)))
    }),
    Row("digest", 1, 1, |vm, this, args| {
        let name = vm.to_s(this)?;
        Ok(Value::binary(of_class(vm, &name, args.at(0))?))
    }),
    Row("base64digest", 1, 1, |vm, this, args| {
        let name = vm.to_s(this)?;
        Ok(Value::str(base64(&of_class(vm, &name, args.at(0))?, usize::MAX)))
    }),
];

const ROWS: &[Row] = &[
    Row("initialize", 0, 1, |vm, this, args| {
        this.set_variable(sym::HIDDEN_RESULT, Value::str(""));
        let name = match args.at(0) {
            Value::Nil => vm.class_name(this),
            bits => format!("SHA{}", vm.to_int(bits)?),
        };
        this.set_variable(sym::HIDDEN_NAME, Value::str(name));
        Ok(Value::Nil)
    }),
    Row("update", 1, 1, update),
    Row("<<", 1, 1, update),
    Row("reset", 0, 0, |_, this, _| {
        this.set_variable(sym::HIDDEN_RESULT, Value::str(""));
        Ok(this.clone())
    }),
    Row("hexdigest", 0, 1, |vm, this, args| Ok(Value::str(hex(&current(vm, this, args)?)))),
    Row("to_s", 0, 0, |vm, this, args| Ok(Value::str(hex(&current(vm, this, args)?)))),
    Row("digest", 0, 1, |vm, this, args| Ok(Value::binary(current(vm, this, args)?))),
    Row("base64digest", 0, 1, |vm, this, args| Ok(Value::str(base64(&current(vm, this, args)?, usize::MAX)))),
    Row("digest_length", 0, 0, |vm, this, args| Ok(Value::int(current(vm, this, args)?.len()))),
    Row("block_length", 0, 0, |vm, this, args| {
        Ok(Value::Int(if current(vm, this, args)?.len() > 32 { 128 } else { 64 }))
    }),
    Row("inspect", 0, 0, |vm, this, args| {
        let (class, digest) = (vm.class_name(this), current(vm, this, args)?);
        Ok(Value::str(format!("#<{class}: {}>", hex(&digest))))
    }),
];

fn update(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let added = vm.to_str(args.at(0))?.bytes.borrow().clone();
    if let Some(Value::Str(kept)) = this.variable(sym::HIDDEN_RESULT) {
        kept.bytes.borrow_mut().extend_from_slice(&added);
        let size = kept.bytes.borrow().len();
        vm.check_size(size)?;
    }
    Ok(this.clone())
}

fn current(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome<Vec<u8>> {
    let name = vm.to_s(&this.variable(sym::HIDDEN_NAME).into())?;
    let kept = match args.values.first() {
        Some(value) => value.clone(),
        None => this.variable(sym::HIDDEN_RESULT).into(),
    };
    of_class(vm, &name, &kept)
}

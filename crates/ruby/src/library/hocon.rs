//! `Hocon`, the gem with which Puppet reads HOCON.

use bunraku_notation::hocon;
use bunraku_pcore::Value as Data;

use crate::interpreter::class::Kind;
use crate::interpreter::hash::Entries;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) fn define(core: &Core) {
    let module = core.class_named("Hocon", Kind::Module, None);
    core.add_own(&module, OWN);
}

const OWN: &[Row] = &[Row("__value", 1, 1, |vm, this, args| {
    let text = vm.text(args.at(0))?;
    match hocon::value(&text) {
        Ok(value) => of_data(vm, &value),
        Err(message) => {
            let class = vm.scoped_constant(this, Sym::new("ConfigError"))?;
            match vm.scoped_constant(&class, Sym::new("ConfigParseError"))? {
                Value::Class(class) => Err(vm.exception(&class, Value::str(message))),
                _ => Err(vm.error("StandardError", &message)),
            }
        }
    }
})];

fn of_data(vm: &mut Vm, data: &Data) -> Outcome {
    vm.step()?;
    Ok(match data {
        Data::Boolean(it) => Value::Bool(*it),
        Data::Integer(it) => Value::Int(*it),
        Data::Float(it) => Value::Float(*it),
        Data::String(it) => Value::str(it.as_str()),
        Data::Array(items) => {
            let items = vm.deeper(|vm| items.iter().map(|item| of_data(vm, item)).collect::<Outcome<_>>())?;
            Value::array(items)
        }
        Data::Hash(hash) => {
            let entries = vm.deeper(|vm| {
                let mut entries = Entries::default();
                for (key, value) in hash.iter() {
                    let key = of_data(vm, key)?;
                    entries.insert(vm.key_to_add(&key)?, of_data(vm, value)?);
                }
                Ok(entries)
            })?;
            Value::hash(entries)
        }
        _ => Value::Nil,
    })
}

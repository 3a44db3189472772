//! Values that are only known on the agent: what the function promises to return is checked in their place.

use ecow::{EcoString, eco_format};

use bunraku_pcore::data_type::DataType;
use bunraku_pcore::data_types::StructType;
use bunraku_pcore::object::Object;
use bunraku_pcore::{Type, Value, inspect};

use crate::compilation::{Callee, Compilation};
use crate::foreign::Returned;
use crate::frame::Frame;
use crate::function::{Native, Signature, check_arity};
use crate::issues;
use crate::unwind::Outcome;

/// The call that a value stands for, if it is only known on the agent.
pub(super) fn deferred(value: &Value) -> Option<&Object> {
    match value {
        Value::Object(object) if object.object_type().name() == "Deferred" => Some(object),
        _ => None,
    }
}

impl Compilation<'_> {
    /// What the deferred values among parameters will be, in the order of the types. Where a function does not say what it
    /// returns nothing is known, which is told of.
    pub(super) fn deferred_types<'v>(
        &mut self,
        types: &StructType,
        given: impl Iterator<Item = (&'v EcoString, &'v Value)> + Clone,
    ) -> Outcome<Vec<(EcoString, Option<Type>)>> {
        let mut found = Vec::new();
        for member in &types.members {
            let value = given.clone().find(|(name, _)| **name == member.name).map(|(_, value)| value);
            let Some(object) = value.and_then(deferred) else { continue };
            let returned = self.deferred_type(object)?;
            if returned.is_none() {
                let name = object.get("name").unwrap_or_default();
                self.deprecate(&format!("{name}_deferred_warning"), |_| {
                    eco_format!(
                        "Deferred function {name} has no return_type, unable to guarantee value type during compilation.\
                         \n   (file & line not available)"
                    )
                });
            }
            found.push((member.name.clone(), returned));
        }
        Ok(found)
    }

    /// What the function of a deferred call says it returns for these arguments.
    fn deferred_type(&mut self, object: &Object) -> Outcome<Option<Type>> {
        let name = object.get("name").unwrap_or_default().to_string();
        let arguments = object.get("arguments");
        let args = match &arguments {
            Some(Value::Array(args)) => Some(args.as_slice()),
            _ => None,
        };
        let returned = match (self.callee(&name)?, args) {
            // Compatibility: in the reference's words, for it does not expect this.
            (Callee::Unknown, _) => {
                return Err(issues::runtime("undefined method `dispatcher' for NilClass:Class").into());
            }
            // Compatibility: no list of arguments, not even an empty one, fits nothing.
            (_, None) => Returned::NoDispatch,
            (Callee::Native(native), Some(args)) => self.returned_by_native(native, args)?,
            (Callee::Puppet(definition), Some(args)) => {
                let types = self.function_types(definition)?;
                match types.callable().is_callable_with(args, None) {
                    true => types.returned().cloned().map_or(Returned::Undeclared, Returned::Type),
                    false => Returned::NoDispatch,
                }
            }
            (Callee::Foreign(foreign), Some(args)) => foreign.returned(&name, args, &mut Frame::top(self))?,
        };
        match returned {
            Returned::Type(data_type) => Ok(Some(data_type)),
            Returned::Undeclared => Ok(None),
            Returned::NoDispatch => {
                let shown =
                    arguments.filter(|arguments| !arguments.is_undef()).map(|arguments| inspect::inspect(&arguments));
                let shown = shown.unwrap_or_default();
                Err(issues::runtime(eco_format!("No matching arity found for {name} with arguments {shown}")).into())
            }
        }
    }

    fn returned_by_native(&mut self, native: &Native, args: &[Value]) -> Outcome<Returned> {
        let resolved;
        let signatures = if native.names_types_of_modules()? {
            resolved = self.resolved_signatures(native)?;
            &*resolved
        } else {
            native.signatures()?
        };
        for signature in signatures {
            match signature {
                Signature::Arity(arity) if check_arity(native.function.name, *arity, args.len()).is_ok() => {
                    return Ok(Returned::Undeclared);
                }
                Signature::Typed(typed) if typed.callable.is_callable_with(args, None) => {
                    return Ok(typed.callable.returned.clone().map_or(Returned::Undeclared, Returned::Type));
                }
                Signature::Arity(_) | Signature::Typed(_) => {}
            }
        }
        Ok(Returned::NoDispatch)
    }
}

//! The signatures of a `new`: what its arguments are checked against, and named by in messages.

use bunraku_syntax::Issue;
use ecow::{EcoString, eco_format};

use crate::data_type::Type;
use crate::data_types::{CallableType, IntegerType, TupleType, TypeAlias};
use crate::issues;
use crate::mismatch::{Signature, describe_signatures};
use crate::parse::parse_type;
use crate::value::Value;

/// A type and a name; a name that ends with `?` is that of an optional parameter.
pub(super) type Parameter = (&'static str, &'static str);

/// The signatures of a `new`.
#[derive(Debug)]
pub(super) struct Constructor {
    /// What the reference calls the function in messages.
    name: &'static str,
    signatures: Vec<(CallableType, Vec<EcoString>)>,
    local_types: Vec<(&'static str, Type)>,
}

impl Constructor {
    /// Reads signatures. `local_types` are aliases that they, and later aliases, can use.
    pub(super) fn new(
        name: &'static str,
        local_types: &[Parameter],
        signatures: &[&[Parameter]],
    ) -> Result<Constructor, Issue> {
        let mut constructor = Constructor { name, signatures: Vec::new(), local_types: Vec::new() };
        for (alias_name, definition) in local_types {
            let alias = TypeAlias::new(*alias_name);
            alias.define(&constructor.read(definition)?)?;
            constructor.local_types.push((alias_name, Type::Alias(alias)));
        }
        for parameters in signatures {
            let types = parameters.iter().map(|(text, _)| constructor.read(text)).collect::<Result<Vec<_>, _>>()?;
            let names = parameters.iter().map(|(_, name)| name.trim_end_matches('?').into()).collect();
            let required = parameters.iter().filter(|(_, name)| !name.ends_with('?')).count();
            let count = |number: usize| i64::try_from(number).ok();
            let size = IntegerType { from: count(required), to: count(parameters.len()) };
            let parameters = Some(TupleType::new(types, Some(size)));
            constructor.signatures.push((CallableType { parameters, block: None, returned: None }, names));
        }
        Ok(constructor)
    }

    fn read(&self, text: &str) -> Result<Type, Issue> {
        parse_type(text, &mut |name: &str| {
            Ok(self.local_types.iter().find(|(known, _)| *known == name).map(|(_, local)| local.clone()))
        })
    }

    /// The local type with a name.
    pub(super) fn local_type(&self, name: &str) -> Option<&Type> {
        self.local_types.iter().find(|(known, _)| *known == name).map(|(_, local)| local)
    }

    /// The position of the first signature that accepts the arguments.
    pub(super) fn accepting(&self, args: &[Value]) -> Option<usize> {
        self.signatures.iter().position(|(callable, _)| callable.is_callable_with(args, None))
    }

    /// The types of the parameters of each signature.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &TupleType> {
        self.signatures.iter().filter_map(|(callable, _)| callable.parameters.as_ref())
    }

    /// No signature accepts the arguments.
    pub(super) fn mismatch(&self, args: &[Value]) -> Issue {
        let signatures: Vec<Signature<'_>> = self
            .signatures
            .iter()
            .map(|(callable, names)| Signature { callable, names, block_name: "block" })
            .collect();
        issues::runtime_error(describe_signatures(self.name, &signatures, args, None))
    }

    /// No signature accepts the arguments, and there is a better message for it.
    pub(super) fn rejection(&self, message: &str) -> Issue {
        issues::runtime_error(eco_format!("'{}' {message}", self.name))
    }

    /// A value that cannot be converted: text is shown, of everything else only the type.
    pub(super) fn cannot_convert(&self, value: &Value, target: &str) -> Issue {
        match value {
            Value::String(text) => self.rejection(&format!("The string '{text}' cannot be converted to {target}")),
            value => self.rejection(&cannot_convert_type(value, target)),
        }
    }
}

/// What is said of a value whose type cannot be converted.
pub(super) fn cannot_convert_type(value: &Value, target: &str) -> String {
    format!("Value of type {} cannot be converted to {target}", Type::infer_generalized(value))
}

/// Defines a function that gives a constructor, which is read once.
macro_rules! constructor {
    ($name:ident, $called:literal, [$($local:expr),* $(,)?], [$($signature:expr),* $(,)?]) => {
        pub(super) fn $name() -> Result<&'static $crate::convert::constructor::Constructor, bunraku_syntax::Issue> {
            static READ: std::sync::LazyLock<
                Result<$crate::convert::constructor::Constructor, bunraku_syntax::Issue>,
            > = std::sync::LazyLock::new(|| {
                $crate::convert::constructor::Constructor::new($called, &[$($local),*], &[$(&$signature),*])
            });
            READ.as_ref().map_err(Clone::clone)
        }
    };
}
pub(super) use constructor;

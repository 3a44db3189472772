//! Why the parameters given to a class or a defined type do not fit.

use super::compare::describe;
use super::{Kind, Mismatch, Step, join};
use crate::data_type::Type;
use crate::data_types::StructType;
use crate::hash::Hash;
use crate::value::Value;

/// Why the given parameters do not fit, after the name of what they are given to; nothing if they do.
///
/// `skip` says which values are not checked, for they are not known yet; with `is_partial` parameters may be missing.
pub fn describe_parameters(
    subject: &str,
    expected: &StructType,
    given: &Hash,
    is_partial: bool,
    skip: impl Fn(&Value) -> bool,
) -> Option<String> {
    let mut errors: Vec<Mismatch> = Vec::new();
    for name in given.keys().filter_map(Value::as_str).filter(|name| expected.member(name).is_none()) {
        errors.push(Mismatch::new(&[], Kind::InvalidParameter(name.into())));
    }
    for member in &expected.members {
        match given.get_str(&member.name) {
            Some(value) if skip(value) || member.value.is_instance(value) => {}
            Some(value) => {
                let path = [Step::Parameter(member.name.clone())];
                errors.extend(describe(&member.value, &Type::infer_detailed(value), &path));
            }
            None if is_partial || member.optional => {}
            None => errors.push(Mismatch::new(&[], Kind::MissingParameter(member.name.clone()))),
        }
    }
    match errors.as_slice() {
        [] => None,
        [error] => Some(format!("{subject}:{error}")),
        errors => Some(format!("{subject}:\n {}", join(errors))),
    }
}

//! Why the parameters given to a class or a defined type do not fit.

use super::compare::describe;
use super::{Kind, Mismatch, Step, join};
use crate::data_type::Type;
use crate::data_types::StructType;
use crate::hash::Hash;
use crate::value::Value;

/// Why the given parameters do not fit, after the name of what they are given to; nothing if they do.
///
/// `later` says of the values that are not known yet which type they will be of, if that is known; with `is_partial`
/// parameters may be missing.
pub fn describe_parameters(
    subject: &str,
    expected: &StructType,
    given: &Hash,
    is_partial: bool,
    later: impl Fn(&str) -> Option<Option<Type>>,
) -> Option<String> {
    let mut errors: Vec<Mismatch> = Vec::new();
    for name in given.keys().filter_map(Value::as_str).filter(|name| expected.member(name).is_none()) {
        errors.push(Mismatch::new(&[], Kind::InvalidParameter(name.into())));
    }
    for member in &expected.members {
        let path = [Step::Parameter(member.name.clone())];
        match (given.get_str(&member.name), later(&member.name)) {
            (Some(_), Some(None)) => {}
            (Some(_), Some(Some(returned))) => {
                if !member.value.generalize().is_assignable(&returned.generalize()) {
                    errors.extend(describe(&member.value, &returned, &path));
                }
            }
            (Some(value), None) if member.value.is_instance(value) => {}
            (Some(value), None) => errors.extend(describe(&member.value, &Type::infer_detailed(value), &path)),
            (None, _) if is_partial || member.optional => {}
            (None, _) => errors.push(Mismatch::new(&[], Kind::MissingParameter(member.name.clone()))),
        }
    }
    match errors.as_slice() {
        [] => None,
        [error] => Some(format!("{subject}:{error}")),
        errors => Some(format!("{subject}:\n {}", join(errors))),
    }
}

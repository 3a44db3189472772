//! Where a type does not fit another: goes down both of them as far as the reason can be told apart.

use super::{Kind, Mismatch, SizeKind, Step, merge_choices};
use crate::data_type::Type;
use crate::data_types::{ArrayType, CallableType, HashType, IntegerType, StructType, TupleType, TypeAlias};
use bunraku_syntax::deep;

/// How deep types are looked into; what lies below is described as a whole.
const DEPTH: usize = 100;

/// What does not fit; nothing if the actual type is assignable to the expected one.
pub(super) fn describe(expected: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    let mut unresolved = None;
    find_unresolved(expected, &mut Vec::new(), &mut unresolved);
    match unresolved {
        Some(name) => vec![Mismatch::new(path, Kind::UnresolvedTypeReference(name))],
        None => describe_normalized(&expected.normalize(), expected, actual, path),
    }
}

fn find_unresolved(data_type: &Type, seen: &mut Vec<*const TypeAlias>, found: &mut Option<ecow::EcoString>) {
    deep(|| match data_type {
        _ if found.is_some() => {}
        Type::Reference(reference) => *found = Some(reference.text.clone()),
        Type::Alias(alias) if seen.contains(&std::sync::Arc::as_ptr(alias)) => {}
        _ => {
            if let Type::Alias(alias) = data_type {
                seen.push(std::sync::Arc::as_ptr(alias));
            }
            data_type.children(&mut |child| find_unresolved(child, seen, found));
        }
    })
}

fn with(path: &[Step], step: Step) -> Vec<Step> {
    path.iter().cloned().chain([step]).collect()
}

/// `original` is the type that messages show: an alias, or the type before it was simplified.
fn describe_normalized(expected: &Type, original: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    deep(|| {
        let mismatch = || vec![Mismatch::data_type(path, original, actual)];
        if path.len() > DEPTH {
            return if expected.is_assignable(actual) { Vec::new() } else { mismatch() };
        }
        match expected {
            Type::Variant(variant) => describe_variant(&variant.types, original, actual, path),
            Type::Struct(members) => describe_struct(members, original, actual, path),
            Type::Hash(hash) => describe_hash(hash, original, actual, path),
            Type::Tuple(tuple) => describe_tuple(tuple, original, actual, path, SizeKind::Size),
            Type::Array(array) => describe_array(array, original, actual, path),
            Type::Callable(callable) => describe_callable(callable, original, actual, path),
            Type::Optional(optional) => match &optional.contained {
                Some(contained) if !matches!(actual, Type::Undef) => {
                    let original = if matches!(original, Type::Alias(_)) { original } else { expected };
                    describe_normalized(contained, original, actual, path)
                }
                _ => Vec::new(),
            },
            Type::Enum(_) | Type::Pattern(_) => vec![Mismatch::pattern(path, original, actual)],
            Type::Alias(alias) => describe_normalized(&alias.resolved().normalize(), expected, actual, path),
            _ if expected.is_assignable(actual) => Vec::new(),
            _ => mismatch(),
        }
    })
}

fn describe_variant(types: &[Type], original: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    let undef = matches!(original, Type::Optional(_)).then_some(&Type::Undef);
    let mut choices = Vec::new();
    for (index, option) in undef.into_iter().chain(types).enumerate() {
        let choice = describe(option, actual, &with(path, Step::Variant(index)));
        if choice.is_empty() {
            return choice;
        }
        choices.push(choice);
    }
    let merged = merge_choices(path.len(), SizeKind::Size, &choices);
    if matches!(original, Type::Alias(_)) && merged.len() == 1 {
        return vec![Mismatch::data_type(path, original, actual)];
    }
    merged
}

/// The mismatch of two sizes, if there is one.
fn describe_size(expected: IntegerType, actual: IntegerType, kind: SizeKind, path: &[Step]) -> Option<Mismatch> {
    let kind = match kind {
        SizeKind::Size => Kind::Size { expected, actual },
        SizeKind::Count => Kind::Count { expected, actual },
    };
    (!expected.covers(&actual)).then(|| Mismatch::new(path, kind))
}

fn describe_array(expected: &ArrayType, original: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    let size = |actual| describe_size(expected.size.unwrap_or(IntegerType::SIZE), actual, SizeKind::Size, path);
    match actual {
        Type::Tuple(tuple) => {
            let actual_size = tuple.size.unwrap_or(IntegerType::size(tuple.types.len()));
            if let Some(mismatch) = size(actual_size) {
                return vec![mismatch];
            }
            (tuple.types.iter().enumerate())
                .filter(|(_, element)| !expected.element.is_assignable(element))
                .flat_map(|(index, element)| describe(&expected.element, element, &with(path, Step::Index(index))))
                .collect()
        }
        Type::Array(array) => {
            let mismatch = || Mismatch::data_type(path, original, &Type::array(array.element.clone(), None));
            vec![size(array.size.unwrap_or(IntegerType::SIZE)).unwrap_or_else(mismatch)]
        }
        _ => vec![Mismatch::data_type(path, original, actual)],
    }
}

fn describe_hash(expected: &HashType, original: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    let size = |actual| describe_size(expected.size.unwrap_or(IntegerType::SIZE), actual, SizeKind::Size, path);
    match actual {
        Type::Struct(members) => {
            if let Some(mismatch) = size(members.size_range()) {
                return vec![mismatch];
            }
            let mut mismatches = Vec::new();
            for member in &members.members {
                let key = member.key_type();
                if !expected.key.is_assignable(&key) {
                    let step = Step::EntryKey(member.name.clone());
                    mismatches.extend(describe(&expected.key, &key, &with(path, step)));
                }
                if !expected.value.is_assignable(&member.value) {
                    let step = Step::Entry(member.name.clone());
                    mismatches.extend(describe(&expected.value, &member.value, &with(path, step)));
                }
            }
            mismatches
        }
        Type::Hash(hash) => {
            let widest = || Type::hash(hash.key.clone(), hash.value.clone(), None);
            let mismatch = || Mismatch::data_type(path, original, &widest());
            vec![size(hash.size.unwrap_or(IntegerType::SIZE)).unwrap_or_else(mismatch)]
        }
        _ => vec![Mismatch::data_type(path, original, actual)],
    }
}

fn describe_struct(expected: &StructType, original: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    match actual {
        Type::Struct(members) => describe_members(expected, members, path),
        Type::Hash(hash) => {
            let widest = || Type::hash(hash.key.clone(), hash.value.clone(), None);
            let actual_size = hash.size.unwrap_or(IntegerType::SIZE);
            let size = describe_size(expected.size_range(), actual_size, SizeKind::Size, path);
            vec![size.unwrap_or_else(|| Mismatch::data_type(path, original, &widest()))]
        }
        _ => vec![Mismatch::data_type(path, original, actual)],
    }
}

fn describe_members(expected: &StructType, actual: &StructType, path: &[Step]) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    for member in &expected.members {
        match actual.member(&member.name) {
            Some(given) => {
                if given.optional && !member.optional {
                    let step = Step::EntryKey(member.name.clone());
                    mismatches.extend(describe(&member.key_type(), &given.key_type(), &with(path, step)));
                }
                if !member.value.is_assignable(&given.value) {
                    let step = Step::Entry(member.name.clone());
                    mismatches.extend(describe(&member.value, &given.value, &with(path, step)));
                }
            }
            None if !member.optional => mismatches.push(Mismatch::new(path, Kind::MissingKey(member.name.clone()))),
            None => {}
        }
    }
    let extraneous = actual.members.iter().filter(|given| expected.member(&given.name).is_none());
    mismatches.extend(extraneous.map(|given| Mismatch::new(path, Kind::ExtraneousKey(given.name.clone()))));
    mismatches
}

fn describe_tuple(
    expected: &TupleType,
    original: &Type,
    actual: &Type,
    path: &[Step],
    size_kind: SizeKind,
) -> Vec<Mismatch> {
    let size = |actual| describe_size(expected.size_range(), actual, size_kind, path);
    match actual {
        Type::Tuple(tuple) if expected == &**tuple => Vec::new(),
        Type::Array(_) if expected.types.is_empty() => Vec::new(),
        Type::Tuple(tuple) => match size(tuple.size_range()) {
            Some(mismatch) => vec![mismatch],
            None => describe_elements(expected, &tuple.types, path),
        },
        Type::Array(array) => match size(array.size.unwrap_or(IntegerType::SIZE)) {
            Some(mismatch) => vec![mismatch],
            None => (expected.types.iter().enumerate())
                .flat_map(|(index, element)| describe(element, &array.element, &with(path, Step::Index(index))))
                .collect(),
        },
        _ => vec![Mismatch::data_type(path, original, actual)],
    }
}

fn describe_elements(expected: &TupleType, actual: &[Type], path: &[Step]) -> Vec<Mismatch> {
    let Some(last) = expected.types.len().checked_sub(1) else { return Vec::new() };
    let mut mismatches = Vec::new();
    for (index, element) in actual.iter().enumerate() {
        let position = index.min(last);
        if let Some(expected) = expected.types.get(position) {
            mismatches.extend(describe(expected, element, &with(path, Step::Index(position))));
        }
    }
    mismatches
}

fn describe_callable(expected: &CallableType, original: &Type, actual: &Type, path: &[Step]) -> Vec<Mismatch> {
    let Type::Callable(actual) = actual else { return vec![Mismatch::data_type(path, original, actual)] };
    if let (Some(parameters), Some(given)) = (&expected.parameters, &actual.parameters) {
        let parameter_type = Type::Tuple(parameters.clone().into());
        let given_type = Type::Tuple(given.clone().into());
        let mismatches = describe_tuple(parameters, &parameter_type, &given_type, path, SizeKind::Count);
        if !mismatches.is_empty() {
            return mismatches;
        }
    } else if expected.parameters.is_none() && expected.returned.is_none() {
        return Vec::new();
    }
    let returned = expected.returned.as_ref().unwrap_or(&Type::Any);
    let given_returned = actual.returned.as_ref().unwrap_or(&Type::Any);
    if !returned.is_assignable(given_returned) {
        return vec![Mismatch::data_type(&with(path, Step::Return), returned, given_returned)];
    }
    let block = expected.block.as_ref().unwrap_or(&Type::Undef);
    let given_block = actual.block.as_ref().unwrap_or(&Type::Undef);
    if given_block.is_assignable(block) {
        return Vec::new();
    }
    vec![Mismatch::data_type(&with(path, Step::Block), block, given_block)]
}

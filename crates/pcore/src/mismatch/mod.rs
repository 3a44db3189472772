//! The describer: says in the reference's words why a value or a call does not fit a type.

mod compare;
mod message;
mod parameters;
mod signature;

pub use parameters::describe_parameters;
pub use signature::{Signature, closest, describe_signatures, signature_text};

use ecow::EcoString;

use crate::data_type::Type;
use crate::data_types::IntegerType;
use crate::issues::{self, Issue};
use crate::value::Value;

/// Why a type is not accepted where another is expected; empty if it is.
pub fn describe_mismatch(subject: &str, expected: &Type, actual: &Type) -> String {
    let errors = compare::describe(expected, actual, &[Step::Subject(subject.into())]);
    match errors.as_slice() {
        [error] => error.to_string().trim().to_owned(),
        errors => join(errors),
    }
}

/// An issue if the value is not an instance of the type: `subject has wrong type, expects …`.
pub fn assert_instance(subject: &str, expected: &Type, value: &Value) -> Result<(), Issue> {
    if expected.is_instance(value) {
        return Ok(());
    }
    let subject = format!("{subject} has wrong type,");
    Err(issues::runtime_error(describe_mismatch(&subject, expected, &Type::infer_detailed(value))))
}

fn join(errors: &[Mismatch]) -> String {
    errors.iter().map(Mismatch::to_string).collect::<Vec<_>>().join("\n ")
}

/// One step of the way to the place where something does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Subject(EcoString),
    Entry(EcoString),
    EntryKey(EcoString),
    Parameter(EcoString),
    Return,
    Block,
    Index(usize),
    Variant(usize),
    Signature(usize),
}

impl Step {
    /// Whether this step is a choice between several types.
    fn is_choice(&self) -> bool {
        matches!(self, Step::Variant(_) | Step::Signature(_))
    }
}

/// Something that does not fit, and where.
#[derive(Clone, Debug)]
struct Mismatch {
    path: Vec<Step>,
    kind: Kind,
}

/// The ways in which something does not fit.
#[derive(Clone, Debug)]
enum Kind {
    MissingKey(EcoString),
    MissingParameter(EcoString),
    ExtraneousKey(EcoString),
    InvalidParameter(EcoString),
    UnexpectedBlock,
    MissingRequiredBlock,
    UnresolvedTypeReference(EcoString),
    Type { expected: Type, actual: Type },
    Pattern { expected: Type, actual: Type },
    Size { expected: IntegerType, actual: IntegerType },
    Count { expected: IntegerType, actual: IntegerType },
}

impl Mismatch {
    fn new(path: &[Step], kind: Kind) -> Mismatch {
        Mismatch { path: path.to_vec(), kind }
    }

    fn data_type(path: &[Step], expected: &Type, actual: &Type) -> Mismatch {
        Mismatch::new(path, Kind::Type { expected: expected.normalize(), actual: actual.normalize() })
    }

    fn pattern(path: &[Step], expected: &Type, actual: &Type) -> Mismatch {
        Mismatch::new(path, Kind::Pattern { expected: expected.normalize(), actual: actual.normalize() })
    }

    /// The path without choices: what two mismatches of different choices have in common.
    fn canonical_path(&self) -> impl Iterator<Item = &Step> {
        self.path.iter().filter(|step| !step.is_choice())
    }

    /// The same mismatch without one step of its path.
    fn without_step(mut self, position: usize) -> Mismatch {
        if position < self.path.len() {
            self.path.remove(position);
        }
        self
    }

    /// One mismatch for two of the same kind at the same place.
    fn merge(&self, other: &Mismatch) -> Option<Mismatch> {
        if !self.canonical_path().eq(other.canonical_path()) {
            return None;
        }
        let kind = match (&self.kind, &other.kind) {
            (
                Kind::Type { expected, actual },
                Kind::Type { expected: other, .. } | Kind::Pattern { expected: other, .. },
            ) => Kind::Type { expected: either(expected, other), actual: actual.clone() },
            (
                Kind::Pattern { expected, actual },
                Kind::Type { expected: other, .. } | Kind::Pattern { expected: other, .. },
            ) => Kind::Pattern { expected: either(expected, other), actual: actual.clone() },
            (
                Kind::Size { expected, actual },
                Kind::Size { expected: other, .. } | Kind::Count { expected: other, .. },
            ) => Kind::Size { expected: widest(expected, other), actual: *actual },
            (Kind::Count { expected, actual }, Kind::Count { expected: other, .. }) => {
                Kind::Count { expected: widest(expected, other), actual: *actual }
            }
            (kind, _) => kind.clone(),
        };
        Some(Mismatch::new(&self.path, kind))
    }
}

fn either(expected: &Type, other: &Type) -> Type {
    Type::variant([expected.clone(), other.clone()]).normalize()
}

fn widest(expected: &IntegerType, other: &IntegerType) -> IntegerType {
    IntegerType { from: Some(expected.from.unwrap_or(0)), to: expected.to }
        .span(&IntegerType { from: Some(other.from.unwrap_or(0)), to: other.to })
}

/// The kind of size mismatch that stands for several of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SizeKind {
    Size,
    Count,
}

/// Makes one mismatch of those of several choices, if they are about the same thing. `position` is that of the choice
/// in the path.
fn merge_choices(position: usize, size_kind: SizeKind, choices: &[Vec<Mismatch>]) -> Vec<Mismatch> {
    let is_size = |kind: &Kind| match size_kind {
        SizeKind::Size => matches!(kind, Kind::Size { .. } | Kind::Count { .. }),
        SizeKind::Count => matches!(kind, Kind::Count { .. }),
    };
    let kinds: [&dyn Fn(&Kind) -> bool; 4] = [
        &is_size,
        &|kind| matches!(kind, Kind::MissingRequiredBlock),
        &|kind| matches!(kind, Kind::UnexpectedBlock),
        &|kind| matches!(kind, Kind::Type { .. } | Kind::Pattern { .. }),
    ];
    for is_kind in kinds {
        let mut alike = choices.iter().flatten().filter(|mismatch| is_kind(&mismatch.kind));
        if alike.clone().count() != choices.len() {
            continue;
        }
        let Some(first) = alike.next() else { continue };
        if let Some(merged) = alike.try_fold(first.clone(), |merged, other| merged.merge(other)) {
            return vec![merged.without_step(position)];
        }
    }
    let mut all: Vec<Mismatch> = Vec::new();
    for mismatch in choices.iter().flatten() {
        let is_repeated = matches!(mismatch.kind, Kind::UnexpectedBlock | Kind::MissingRequiredBlock)
            && all.iter().any(|known| {
                std::mem::discriminant(&known.kind) == std::mem::discriminant(&mismatch.kind)
                    && known.canonical_path().eq(mismatch.canonical_path())
            });
        if !is_repeated {
            all.push(mismatch.clone());
        }
    }
    if all.len() == 1 { all.into_iter().map(|only| only.without_step(position)).collect() } else { all }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;
    use crate::parse::data_type;

    /// Both types are given as text; text that is the whole value has a type of its own.
    fn check(expected: &str, actual: &str, message: &str) {
        let (expected, actual) = (data_type(expected).unwrap(), data_type(actual).unwrap());
        assert_eq!(describe_mismatch("value", &expected, &actual), message);
    }

    #[test]
    fn says_what_does_not_fit() {
        check("Integer", "Integer[1, 2]", "");
        check("Integer", "String", "value expects an Integer value, got String");
        check("Integer[1, 5]", "Integer[7, 7]", "value expects an Integer[1, 5] value, got Integer[7, 7]");
        check("Optional[Integer]", "String", "value expects a value of type Undef or Integer, got String");
        check("Variant[Integer, Float]", "String", "value expects a value of type Integer or Float, got String");
        check("Variant[Enum[a], Enum[b]]", "String", "value expects a match for Enum['a', 'b'], got String");
        check("Array[Integer, 2]", "Tuple[Integer]", "value expects size to be at least 2, got 1");
        check("Array[Integer]", "Tuple[Integer, String]", "value index 1 expects an Integer value, got String");
        check("Type[Integer]", "Type[String]", "value expects a Type[Integer] value, got Type[String]");
        check("Foo", "String", "value references an unresolved type 'Foo'");
    }

    #[test]
    fn shows_the_way_to_what_does_not_fit() {
        check(
            "Struct[{a => Integer, b => Any}]",
            "Struct[{a => String, NotUndef[c] => Any}]",
            " value entry 'a' expects an Integer value, got String\n  value unrecognized key 'c'",
        );
        check(
            "Variant[Array[Integer], Array[String]]",
            "Tuple[Integer, String]",
            " value variant 0 index 1 expects an Integer value, got String\n  \
             value variant 1 index 0 expects a String value, got Integer",
        );
        check("Hash[String, Integer]", "Struct[{a => String}]", "value entry 'a' expects an Integer value, got String");
        check("Callable[Integer]", "Callable[Integer, Integer]", "value expects 1 argument, got 2");
    }
}

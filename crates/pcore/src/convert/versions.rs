//! `new` of `SemVer` and `SemVerRange`.

use bunraku_syntax::Issue;

use super::Context;
use super::constructor::constructor;
use crate::data_types::{Identifier, SemVer, SemVerRange};
use crate::value::Value;

constructor!(
    version,
    "new_Version",
    [
        ("PositiveInteger", "Integer[0,default]"),
        ("SemVerQualifier", r"Pattern[/\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z/]"),
        (
            "SemVerPattern",
            r"Pattern[/\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z/]"
        ),
        (
            "SemVerHash",
            "Struct[{major => PositiveInteger, minor => PositiveInteger, patch => PositiveInteger, \
             Optional[prerelease] => SemVerQualifier, Optional[build] => SemVerQualifier}]"
        ),
    ],
    [
        [("SemVerPattern", "str")],
        [
            ("PositiveInteger", "major"),
            ("PositiveInteger", "minor"),
            ("PositiveInteger", "patch"),
            ("SemVerQualifier", "prerelease?"),
            ("SemVerQualifier", "build?"),
        ],
        [("SemVerHash", "hash_args")],
    ]
);

constructor!(
    range,
    "new_VersionRange",
    [
        ("SemVerRangeString", "String[1]"),
        (
            "SemVerRangeHash",
            "Struct[{min => Variant[Default,SemVer], Optional[max] => Variant[Default,SemVer], \
             Optional[exclude_max] => Boolean}]"
        ),
    ],
    [
        [("SemVerRangeString", "str")],
        [("Variant[Default,SemVer]", "min"), ("Variant[Default,SemVer]", "max"), ("Boolean", "exclude_max?")],
        [("SemVerRangeHash", "hash_args")],
    ]
);

pub(super) fn new_version(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = version()?;
    match (constructor.accepting(args), args) {
        (Some(0), [Value::String(text)]) => SemVer::parse(text).map(Value::from),
        (Some(1), args) => Ok(version_of(|index| args.get(index)).into()),
        (Some(_), [hash]) => {
            let names = ["major", "minor", "patch", "prerelease", "build"];
            Ok(version_of(|index| names.get(index).and_then(|name| hash.get(name))).into())
        }
        (None, [Value::String(text)]) => {
            Err(constructor.rejection(&format!("The string '{text}' cannot be converted to a SemVer")))
        }
        _ => Err(constructor.mismatch(args)),
    }
}

/// A version of its parts in order.
fn version_of<'v>(part: impl Fn(usize) -> Option<&'v Value>) -> SemVer {
    let number = |index| match part(index) {
        Some(Value::Integer(number)) => u64::try_from(*number).unwrap_or(0),
        _ => 0,
    };
    // Compatibility: a qualifier with dots stays one identifier here.
    let text = |index| match part(index) {
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    };
    SemVer {
        major: number(0),
        minor: number(1),
        patch: number(2),
        prerelease: text(3).map(|text| vec![Identifier::Text(text)]),
        build: text(4).map(|text| vec![text]),
    }
}

pub(super) fn new_range(args: &[Value], _context: &mut dyn Context) -> Result<Value, Issue> {
    let constructor = range()?;
    let (min, max, exclude_max) = match (constructor.accepting(args), args) {
        (Some(0), [Value::String(text)]) => return SemVerRange::parse(text).map(Value::from),
        (Some(1), [min, max, rest @ ..]) => (Some(min), Some(max), rest.first()),
        (Some(_), [hash]) => (hash.get("min"), hash.get("max"), hash.get("exclude_max")),
        _ => return Err(constructor.mismatch(args)),
    };
    let bound = |bound: Option<&Value>, open: SemVer| match bound {
        Some(Value::SemVer(version)) => (**version).clone(),
        _ => open,
    };
    let exclude_max = exclude_max == Some(&Value::Boolean(true));
    Ok(SemVerRange::between(&bound(min, SemVer::MIN), &bound(max, SemVer::MAX), exclude_max).into())
}

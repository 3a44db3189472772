//! Classes of Ruby that templates ask values about.

use super::value::Value;

/// A class or module.
#[expect(clippy::enum_variant_names, reason = "the names are Ruby's")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Object,
    BasicObject,
    Kernel,
    Comparable,
    Enumerable,
    NilClass,
    TrueClass,
    FalseClass,
    Numeric,
    Integer,
    Float,
    String,
    Symbol,
    Array,
    Hash,
    Range,
    Regexp,
    MatchData,
    File,
    Json,
    Md5,
    Sha1,
    Sha256,
    IpAddress,
    Exception,
    StandardError,
    ArgumentError,
    AddressError,
    InvalidAddressError,
}

use Class::{
    AddressError, ArgumentError, Array, BasicObject, Comparable, Enumerable, Exception, FalseClass, File, Float, Hash,
    Integer, InvalidAddressError, IpAddress, Json, Kernel, MatchData, Md5, NilClass, Numeric, Object, Range, Regexp,
    Sha1, Sha256, StandardError, String, Symbol, TrueClass,
};

const NAMES: [(&str, Class); 29] = [
    ("Object", Object),
    ("BasicObject", BasicObject),
    ("Kernel", Kernel),
    ("Comparable", Comparable),
    ("Enumerable", Enumerable),
    ("NilClass", NilClass),
    ("TrueClass", TrueClass),
    ("FalseClass", FalseClass),
    ("Numeric", Numeric),
    ("Integer", Integer),
    ("Float", Float),
    ("String", String),
    ("Symbol", Symbol),
    ("Array", Array),
    ("Hash", Hash),
    ("Range", Range),
    ("Regexp", Regexp),
    ("MatchData", MatchData),
    ("File", File),
    ("JSON", Json),
    ("Digest::MD5", Md5),
    ("Digest::SHA1", Sha1),
    ("Digest::SHA256", Sha256),
    ("IPAddr", IpAddress),
    ("Exception", Exception),
    ("StandardError", StandardError),
    ("ArgumentError", ArgumentError),
    ("IPAddr::Error", AddressError),
    ("IPAddr::InvalidAddressError", InvalidAddressError),
];

impl Class {
    pub(super) fn named(name: &str) -> Option<Class> {
        NAMES.iter().find(|(known, _)| *known == name).map(|(_, class)| *class)
    }

    pub(super) fn name(self) -> &'static str {
        NAMES.iter().find(|(_, class)| *class == self).map_or("Object", |(name, _)| name)
    }

    /// The class of a value; nothing for values whose classes are not among these.
    pub(super) fn of(value: &Value) -> Option<Class> {
        Some(match value {
            Value::Nil => NilClass,
            Value::Boolean(true) => TrueClass,
            Value::Boolean(false) => FalseClass,
            Value::Integer(_) => Integer,
            Value::Float(_) => Float,
            Value::Symbol(_) => Symbol,
            Value::String(_) => String,
            Value::Array(_) => Array,
            Value::Hash(_) => Hash,
            Value::Range(_) => Range,
            Value::Regexp(_) => Regexp,
            Value::Match(_) => MatchData,
            Value::Opaque(class) => *class,
            _ => return None,
        })
    }

    /// Whether instances of this class are instances of another one, too.
    pub(super) fn is_a(self, other: Class) -> bool {
        self == other
            || matches!(other, Object | BasicObject | Kernel)
            || match self {
                Integer | Float => matches!(other, Numeric | Comparable),
                String | Symbol => other == Comparable,
                Array | Hash | Range => other == Enumerable,
                IpAddress => matches!(other, Comparable | Enumerable),
                InvalidAddressError => AddressError.is_a(other),
                AddressError => ArgumentError.is_a(other),
                ArgumentError => StandardError.is_a(other),
                StandardError => other == Exception,
                _ => false,
            }
    }
}

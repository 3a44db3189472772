//! The data type: what the manual calls `Integer[0, 10]` or `Array[String]`, and the one table that leads from it to
//! the file of the shelf `data_types/` where its rules are.

use std::fmt;
use std::sync::{Arc, LazyLock};

use ecow::EcoString;

use crate::data_types::{
    ArrayType, BooleanType, CallableType, ClassType, CollectionType, EnumType, FloatType, HashType, InitType,
    IntegerType, IterableType, IteratorType, NotUndefType, ObjectExtension, ObjectType, OptionalType, PatternType,
    RegexpType, ResourceType, RuntimeType, SemVerRange, SemVerType, SensitiveType, StringType, StructType,
    TimespanType, TimestampType, TupleType, TypeAlias, TypeReference, TypeSetType, TypeType, UriType, VariantType, any,
    binary_type, catalog_entry, default, numeric, scalar, scalar_data, semver_type, type_alias, undef, unit,
};
use crate::guard::Guard;
use crate::regexp::Regexp;
use crate::text::TypeWriter;
use crate::value::Value;

/// A data type. Parameters are shared, so that a type is two words and cheap to clone.
///
/// `==` in Rust is sameness of form; the language's own `==` is [`Type::equals`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Every value.
    Any,
    /// What is assignable to and from everything; the element type of an empty collection.
    Unit,
    /// `undef`.
    Undef,
    /// `default`.
    Default,
    /// Numbers, text, booleans, regular expressions and the like.
    Scalar,
    /// The scalars that plain data can hold.
    ScalarData,
    /// Integers and floats.
    Numeric,
    /// Classes and resources.
    CatalogEntry,
    /// Both booleans, or one of them.
    Boolean(BooleanType),
    /// Integers in a range.
    Integer(Arc<IntegerType>),
    /// Floats in a range.
    Float(Arc<FloatType>),
    /// Text.
    String(Arc<StringType>),
    /// One of several texts.
    Enum(Arc<EnumType>),
    /// Text that matches a regular expression.
    Pattern(Arc<PatternType>),
    /// A regular expression.
    Regexp(Arc<RegexpType>),
    /// A version.
    SemVer(Arc<SemVerType>),
    /// A range of versions.
    SemVerRange,
    /// A span of time.
    Timespan(Arc<TimespanType>),
    /// A moment.
    Timestamp(Arc<TimestampType>),
    /// Bytes.
    Binary,
    /// A uniform resource identifier.
    Uri(Arc<UriType>),
    /// An array or a hash.
    Collection(Arc<CollectionType>),
    /// An array with one type for all elements.
    Array(Arc<ArrayType>),
    /// An array with a type for each element.
    Tuple(Arc<TupleType>),
    /// A hash with one type for all keys and one for all values.
    Hash(Arc<HashType>),
    /// A hash with a type for each key.
    Struct(Arc<StructType>),
    /// Any of several types.
    Variant(Arc<VariantType>),
    /// A type or `undef`.
    Optional(Arc<OptionalType>),
    /// A type without `undef`.
    NotUndef(Arc<NotUndefType>),
    /// What can be iterated over.
    Iterable(Arc<IterableType>),
    /// A lazy sequence.
    Iterator(Arc<IteratorType>),
    /// What can be called.
    Callable(Arc<CallableType>),
    /// A data type as a value.
    Type(Arc<TypeType>),
    /// A value that must not be shown.
    Sensitive(Arc<SensitiveType>),
    /// What the `new` of a type accepts.
    Init(Arc<InitType>),
    /// A class of the catalog.
    Class(Arc<ClassType>),
    /// A resource of the catalog.
    Resource(Arc<ResourceType>),
    /// A type of the platform.
    Runtime(Arc<RuntimeType>),
    /// A type with attributes and functions.
    Object(Arc<ObjectType>),
    /// An object type with parameters.
    ObjectExtension(Arc<ObjectExtension>),
    /// Types that are defined together.
    TypeSet(Arc<TypeSetType>),
    /// A name for another type.
    Alias(Arc<TypeAlias>),
    /// A name that no loader has resolved.
    Reference(Arc<TypeReference>),
}

const _: () = assert!(size_of::<Type>() <= 16);

/// What each data type knows about itself. One implementation per file in `data_types/`.
///
/// Types made of other types in ways that concern every type (`Variant`, `Optional`, `NotUndef` and aliases on the
/// other side) are dealt with in `assignable.rs` before a type is asked.
pub trait DataType {
    /// The name without parameters, as messages show it.
    fn name(&self) -> &str;

    /// Whether a value is an instance.
    fn is_instance(&self, value: &Value) -> bool;

    /// Whether every instance of the other type is an instance of this one.
    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool;

    /// Writes the text form.
    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        writer.text(self.name())
    }
}

impl Type {
    /// The rules of this type.
    #[inline]
    pub fn data_type(&self) -> &dyn DataType {
        match self {
            Type::Any => &any::AnyType,
            Type::Unit => &unit::UnitType,
            Type::Undef => &undef::UndefType,
            Type::Default => &default::DefaultType,
            Type::Scalar => &scalar::ScalarType,
            Type::ScalarData => &scalar_data::ScalarDataType,
            Type::Numeric => &numeric::NumericType,
            Type::CatalogEntry => &catalog_entry::CatalogEntryType,
            Type::Boolean(boolean) => boolean,
            Type::Integer(range) => &**range,
            Type::Float(range) => &**range,
            Type::String(string) => &**string,
            Type::Enum(values) => &**values,
            Type::Pattern(patterns) => &**patterns,
            Type::Regexp(regexp) => &**regexp,
            Type::SemVer(versions) => &**versions,
            Type::SemVerRange => &semver_type::SemVerRangeType,
            Type::Timespan(range) => &**range,
            Type::Timestamp(range) => &**range,
            Type::Binary => &binary_type::BinaryType,
            Type::Uri(uri) => &**uri,
            Type::Collection(collection) => &**collection,
            Type::Array(array) => &**array,
            Type::Tuple(tuple) => &**tuple,
            Type::Hash(hash) => &**hash,
            Type::Struct(members) => &**members,
            Type::Variant(variant) => &**variant,
            Type::Optional(optional) => &**optional,
            Type::NotUndef(not_undef) => &**not_undef,
            Type::Iterable(iterable) => &**iterable,
            Type::Iterator(iterator) => &**iterator,
            Type::Callable(callable) => &**callable,
            Type::Type(meta) => &**meta,
            Type::Sensitive(sensitive) => &**sensitive,
            Type::Init(init) => &**init,
            Type::Class(class) => &**class,
            Type::Resource(resource) => &**resource,
            Type::Runtime(runtime) => &**runtime,
            Type::Object(object_type) => &**object_type,
            Type::ObjectExtension(extension) => &**extension,
            Type::TypeSet(type_set) => &**type_set,
            Type::Alias(alias) => &**alias,
            Type::Reference(reference) => &**reference,
        }
    }

    /// The name without parameters, as messages show it.
    pub fn name(&self) -> &str {
        self.data_type().name()
    }

    /// Whether the two are one and the same in memory; a cheap and sufficient reason for equality.
    pub(crate) fn is_same(&self, other: &Type) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
            && std::ptr::addr_eq(self.data_type(), other.data_type())
    }

    /// The type behind an alias, or the type itself.
    pub fn resolved(&self) -> &Type {
        let mut resolved = self;
        while let Type::Alias(alias) = resolved {
            resolved = alias.resolved();
        }
        resolved
    }

    /// `Boolean`.
    pub const BOOLEAN: Type = Type::Boolean(BooleanType { value: None });

    /// What JSON can hold.
    pub fn data() -> Type {
        type_alias::DATA.clone()
    }

    /// What rich data can hold.
    pub fn rich_data() -> Type {
        type_alias::RICH_DATA.clone()
    }

    /// The keys rich data can hold.
    pub fn rich_data_key() -> Type {
        type_alias::RICH_DATA_KEY.clone()
    }

    /// `Integer[from, to]`.
    pub fn integer(range: IntegerType) -> Type {
        static ANY: LazyLock<Arc<IntegerType>> = LazyLock::new(|| Arc::new(IntegerType::ANY));
        Type::Integer(if range.is_unbounded() { ANY.clone() } else { Arc::new(range) })
    }

    /// `Float[from, to]`.
    pub fn float(range: FloatType) -> Type {
        Type::Float(Arc::new(range))
    }

    /// `String`.
    pub fn string() -> Type {
        static ANY: LazyLock<Arc<StringType>> = LazyLock::new(|| Arc::new(StringType::Any));
        Type::String(ANY.clone())
    }

    /// `String[from, to]`.
    pub fn string_of_size(size: IntegerType) -> Type {
        Type::String(Arc::new(StringType::Size(size.to_size())))
    }

    /// The type of one text.
    pub fn string_value(text: impl Into<EcoString>) -> Type {
        Type::String(Arc::new(StringType::Value(text.into())))
    }

    /// `Enum[values]`.
    pub fn enumeration(values: impl IntoIterator<Item = EcoString>) -> Type {
        Type::Enum(Arc::new(EnumType::new(values, false)))
    }

    /// `Pattern[patterns]`.
    pub fn pattern(patterns: impl IntoIterator<Item = Arc<Regexp>>) -> Type {
        Type::Pattern(Arc::new(PatternType::new(patterns)))
    }

    /// `Regexp[pattern]`.
    pub fn regexp(pattern: Option<Arc<Regexp>>) -> Type {
        Type::Regexp(Arc::new(RegexpType { pattern }))
    }

    /// `SemVer[ranges]`.
    pub fn semver(ranges: Vec<SemVerRange>) -> Type {
        Type::SemVer(Arc::new(SemVerType::new(ranges)))
    }

    /// `Timespan[from, to]`.
    pub fn timespan(range: TimespanType) -> Type {
        Type::Timespan(Arc::new(range))
    }

    /// `Timestamp[from, to]`.
    pub fn timestamp(range: TimestampType) -> Type {
        Type::Timestamp(Arc::new(range))
    }

    /// `Collection[from, to]`.
    pub fn collection(size: Option<IntegerType>) -> Type {
        Type::Collection(Arc::new(CollectionType { size: size.map(IntegerType::to_size) }))
    }

    /// `Array[element, from, to]`.
    pub fn array(element: Type, size: Option<IntegerType>) -> Type {
        Type::Array(Arc::new(ArrayType::new(element, size)))
    }

    /// `Hash[key, value, from, to]`.
    pub fn hash(key: Type, value: Type, size: Option<IntegerType>) -> Type {
        Type::Hash(Arc::new(HashType::new(key, value, size)))
    }

    /// `Tuple[types, from, to]`.
    pub fn tuple(types: Vec<Type>, size: Option<IntegerType>) -> Type {
        Type::Tuple(Arc::new(TupleType::new(types, size)))
    }

    /// `Optional[contained]`.
    pub fn optional(contained: Type) -> Type {
        Type::Optional(Arc::new(OptionalType { contained: Some(contained) }))
    }

    /// `NotUndef[contained]`.
    pub fn not_undef(contained: Option<Type>) -> Type {
        Type::NotUndef(Arc::new(NotUndefType { contained: contained.filter(|contained| *contained != Type::Any) }))
    }

    /// `Type[contained]`.
    pub fn type_of(contained: Option<Type>) -> Type {
        Type::Type(Arc::new(TypeType { contained }))
    }

    /// `Iterable[element]`.
    pub fn iterable(element: Option<Type>) -> Type {
        Type::Iterable(Arc::new(IterableType { element }))
    }

    /// `Iterator[element]`.
    pub fn iterator(element: Option<Type>) -> Type {
        Type::Iterator(Arc::new(IteratorType { element }))
    }

    /// `Sensitive[contained]`; the contained type is generalized, so that it tells nothing of a secret.
    pub fn sensitive(contained: &Type) -> Type {
        Type::Sensitive(Arc::new(SensitiveType { contained: contained.generalize() }))
    }

    /// A resource reference, or the type of all resources of a kind if there is no title.
    pub fn resource(type_name: impl Into<EcoString>, title: Option<EcoString>) -> Type {
        Type::Resource(Arc::new(ResourceType::new(Some(type_name.into()), title)))
    }

    /// A reference to a class.
    pub fn class(name: impl Into<EcoString>) -> Type {
        Type::Class(Arc::new(ClassType { class_name: Some(name.into()) }))
    }

    /// A name that no loader has resolved.
    pub fn reference(text: impl Into<EcoString>) -> Type {
        Type::Reference(Arc::new(TypeReference { text: text.into() }))
    }
}

//! The data type: what the manual calls `Integer[0, 10]` or `Array[String]`.

use std::sync::Arc;

use ecow::EcoString;

/// A data type. Parameters are shared, so that a type is two words and cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Every value.
    Any,
    /// What is assignable to and from everything; the type of an ignored parameter.
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
    /// What JSON can hold.
    Data,
    /// What rich data can hold.
    RichData,
    /// The keys rich data can hold.
    RichDataKey,
    /// Integers in a range.
    Integer(Arc<IntegerType>),
    /// A list with one type for all elements.
    Array(Arc<ArrayType>),
    /// Any of several types.
    Variant(Arc<Vec<Type>>),
    /// A name that no loader has resolved.
    Reference(Arc<EcoString>),
}

/// `Integer[from, to]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntegerType {
    /// The lowest value, or `None` for no limit.
    pub from: Option<i64>,
    /// The highest value, or `None` for no limit.
    pub to: Option<i64>,
}

/// `Array[element, from, to]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArrayType {
    /// The type of every element.
    pub element: Type,
    /// How many elements there may be.
    pub size: Option<IntegerType>,
}

const _: () = assert!(size_of::<Type>() <= 16);

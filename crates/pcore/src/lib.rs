//! Values and data types of the Puppet language.
//!
//! `value.rs` says what a value is, `data_type.rs` what a data type is; the shelf `data_types/` has one file for each
//! type of the manual. Rules that cut across types (assignability, inference, common type) are one file each.

mod array;
mod assignable;
mod attributes;
mod by_name;
mod common;
pub mod compare;
pub mod convert;
pub mod data_type;
pub mod data_types;
mod display;
mod extent;
mod find;
pub mod format;
mod generalize;
pub mod guard;
pub mod hash;
mod infer;
pub mod inspect;
mod instance;
pub mod issues;
pub mod iterator;
mod kinds;
pub mod label;
pub mod letter_case;
pub mod limits;
mod lowercase;
pub mod member;
pub mod mismatch;
mod normalize;
pub mod number;
pub mod object;
pub mod order_map;
pub mod parameterize;
pub mod parse;
#[cfg(test)]
mod properties;
pub mod quote;
pub mod regexp;
mod regexps;
pub mod serialize;
pub mod text;
#[cfg(test)]
mod text_properties;
pub mod value;
mod visit;

pub use array::Array;
pub use bunraku_syntax::{deep, float_text};
pub use data_type::Type;
pub use extent::Extent;
pub use find::Find;
pub use hash::Hash;
pub use lowercase::lowercase;
pub use number::Number;
pub use order_map::OrderMap;
pub use regexp::Regexp;
pub use regexps::Regexps;
pub use value::Value;

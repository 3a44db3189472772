//! Values and data types of the Puppet language.
//!
//! `value.rs` says what a value is, `data_type.rs` what a data type is; the shelf `data_types/` has one file for each
//! type of the manual. Rules that cut across types (assignability, inference, common type) are one file each.

pub mod data_type;
pub mod hash;
pub mod iterator;
pub mod value;

pub use data_type::Type;
pub use hash::Hash;
pub use value::Value;

//! Text made under the control of a format: `sprintf`, and `String.new` with its formats for each data type.

pub mod sprintf;

//! Native functions: how they are declared, found, and called.

mod call;
mod convert;
mod declaration;
mod library;
mod signature;
mod stand_in;

pub use crate::eval::call::check_arity;
pub(crate) use call::BlockCode;
pub use call::{Block, Call, ForeignBlock};
pub use convert::{Arguments, FromValue, IntoOutcome};
pub use declaration::{Body, Dispatch, Function};
pub use library::{Library, Native};
pub use signature::{Role, Signature, Typed};
pub use stand_in::StandIns;

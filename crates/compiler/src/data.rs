//! The border to Hiera data: values for the parameters of classes.

use std::fmt::Debug;

use bunraku_pcore::Value;

use crate::frame::Frame;
use crate::unwind::Outcome;

/// Looks the parameters of classes up.
pub trait DataLookup: Debug + Send + Sync {
    /// The value of a key such as `apache::port`, if the data has one.
    fn lookup(&self, key: &str, frame: &mut Frame<'_, '_>) -> Outcome<Option<Value>>;
}

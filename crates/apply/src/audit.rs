//! What was seen of watched properties before.

use bunraku_pcore::Value;

use crate::property::identical;

/// Whether a watched state is as it was.
pub(crate) fn is_unchanged(before: &Value, now: &Value) -> bool {
    identical(before, now)
}

/// What is said about a watched property that somebody changed.
pub(crate) fn change(before: &str, now: &str) -> String {
    format!("audit change: previously recorded value {before} has been changed to {now}")
}

//! What was seen of watched properties before.

use bunraku_pcore::Value;

use crate::property::{identical, shown};

/// Whether a watched state is as it was.
pub(crate) fn is_unchanged(before: &Value, now: &Value) -> bool {
    identical(before, now)
}

/// What is said at the end of a change of a property that is watched too.
pub(crate) fn remark(before: Option<&Value>, now: &Value) -> String {
    match before {
        Some(before) if !before.is_undef() && !is_unchanged(before, now) => {
            format!(" (previously recorded value was {})", shown(before))
        }
        _ => String::new(),
    }
}

/// What is said about a watched property that somebody changed.
pub(crate) fn change(before: &str, now: &str) -> String {
    format!("audit change: previously recorded value {before} has been changed to {now}")
}

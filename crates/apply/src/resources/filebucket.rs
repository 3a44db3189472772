//! `filebucket`: where copies of replaced files would go; it has no state of its own.

use crate::fault::Outcome;
use crate::resource::Given;

/// Checks what was declared.
pub(super) fn validate(given: &Given<'_>) -> Outcome {
    match given.text("path") {
        Some(path) if path != "false" && !path.starts_with('/') => {
            Err(given.refuse("path", &format!("Filebucket paths must be absolute, not '{path}'")))
        }
        _ => Ok(()),
    }
}

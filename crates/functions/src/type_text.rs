//! Types that are given as text: where an error in the text is.

use bunraku_compiler::Unwind;
use bunraku_compiler::function::Call;
use bunraku_environment::Form;
use bunraku_syntax::{Issue, Location};

/// What went wrong when a type was read from text. A syntax error is at its place in the text, whatever the text is in.
pub(crate) fn located(call: &Call<'_, '_>, text: &str, issue: Issue) -> Unwind {
    let Ok(code) = call.frame.compilation.environment.inline(text, Form::Manifest) else { return issue.into() };
    let is_this =
        |error: &&bunraku_syntax::Diagnostic| error.issue == issue && matches!(error.location, Location::Span(_));
    match code.errors().find(is_this) {
        Some(error) => error.clone().into(),
        None => issue.into(),
    }
}

//! Data types from text.

use bunraku_pcore::Type;
use bunraku_pcore::parse::interpret;
use bunraku_syntax::{FileId, Issue, Source};

use crate::number::fail;

/// The data type a text names; names that only a program knows stay references.
pub(crate) fn parse(text: &str) -> Result<Type, Issue> {
    let source = Source::string(FileId::default(), text);
    let parsed = bunraku_syntax::parse(&source);
    if let Some(error) = parsed.diagnostics.first() {
        return fail(error.issue.message());
    }
    interpret(&parsed.program.body, text, &mut |_: &str| Ok::<_, Issue>(None))
}

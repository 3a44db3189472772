//! The style, as a specification: each file is one of its chapters, and what is not said in them stays as the author wrote
//! it. Every rule is local, and what it writes it would not change again.

mod breaks;
mod chains;
mod columns;
mod commas;
mod indentation;
mod lists;
mod quotes;
mod spaces;

use bunraku_syntax::ast::Program;

use crate::items::Items;
use crate::{Style, ignored, roles};

pub(crate) use quotes::in_single_quotes;
pub(crate) use spaces::ends_operand;

/// Decides where every item goes.
pub(crate) fn lay_out(items: &mut Items<'_>, program: &Program, style: &Style) {
    ignored::mark(items);
    chains::move_arrows(items);
    let neighbours = roles::mark(items, program);
    breaks::decide(items);
    lists::decide(items);
    commas::decide(items);
    spaces::decide(items);
    indentation::decide(items, style.indent);
    columns::neighbours(items, &neighbours);
    columns::arrows(items);
}

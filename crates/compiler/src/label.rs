//! What messages call an expression; for values see `bunraku_pcore::label`.

use ecow::EcoString;

use bunraku_syntax::ast::Expr;

pub use bunraku_pcore::label::{a_an, a_an_capitalized, host_class, label as value, type_label};

/// What messages call an expression.
pub fn expression(expr: &Expr) -> EcoString {
    bunraku_syntax::label(expr).into()
}

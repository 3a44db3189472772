//! `realize`: makes virtual resources real.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

function! {
    /// Makes the virtual resources with these references real.
    ///
    /// ```puppet
    /// realize User['luke'], User['leia']
    /// ```
    "realize" {
        "arity -2" as "(Any +$references) >> Any" => realize(call, *references),
    }
}

fn realize(call: &mut Call<'_, '_>, references: &[Value]) {
    call.frame.realize(references);
}

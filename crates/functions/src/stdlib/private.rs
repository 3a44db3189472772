//! `private`: fails if a class is used from another module.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::log::Level;
use bunraku_pcore::Value;

use crate::stdlib::assert_private::assert_private;

function! {
    /// Fails if the class or defined type is declared by another module than its own. `assert_private` has taken its place.
    ///
    /// ```puppet
    /// private()
    /// ```
    "private" of "stdlib" {
        "arity -1" => private(call, *args),
    }
}

fn private(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<()> {
    call.frame.log(
        Level::Warning,
        "private() DEPRECATED: This function will cease to function on Puppet 4; please use assert_private() before \
         upgrading to puppet 4 for backwards-compatibility, or migrate to the new parser's typing system."
            .into(),
        None,
    );
    assert_private(call, args.get(..1).unwrap_or_default())
}

//! `tag`: tags the surrounding class or defined type.

use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, function};
use bunraku_pcore::Value;

function! {
    /// Adds tags to the surrounding class or defined type, and so to everything it contains.
    ///
    /// ```puppet
    /// tag('web', 'dmz')
    /// ```
    "tag" {
        "arity -2" as "(Any +$tags) >> Any" => tag(call, *tags),
    }
}

fn tag(call: &mut Call<'_, '_>, tags: &[Value]) -> Outcome<()> {
    tags.iter().try_for_each(|tag| call.frame.tag(tag))
}

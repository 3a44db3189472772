//! `tagged`: asks for tags.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::letter_case::downcase;
use bunraku_pcore::{Value, inspect};

function! {
    /// Whether the catalog or the surrounding class or defined type has all of these tags.
    ///
    /// ```puppet
    /// if tagged('web') { include firewall::http }
    /// ```
    "tagged" {
        "arity -2" as "(Any +$tags) >> Boolean" => tagged(call, *tags),
    }
}

fn tagged(call: &mut Call<'_, '_>, tags: &[Value]) -> bool {
    tags.iter().all(|tag| call.frame.is_tagged(&downcase(&inspect::to_s(tag))))
}

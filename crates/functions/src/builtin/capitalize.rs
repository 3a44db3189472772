//! `capitalize`: writes the first letter as a capital and all others small.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::text;

function! {
    /// Writes the first letter as a capital and all others small.
    ///
    /// Each element is changed if the argument is a sequence. Numbers stay as they are.
    ///
    /// ```puppet
    /// capitalize('heLLO') # 'Hello'
    /// ```
    "capitalize" {
        "(Numeric $arg)" as ">> Variant[Numeric, String]" => capitalize(arg),
        "(String $arg)" as ">> String" => capitalize(arg),
        "(Iterable[Variant[String, Numeric]] $arg)" as ">> Array" => capitalize(arg),
    }
}

fn capitalize(arg: &Value) -> Result<Value, Issue> {
    text::map(arg, text::capitalize)
}

//! `camelcase`: joins words that are separated by `_` and writes each with a capital.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::text;

function! {
    /// Joins words that are separated by `_` and writes each with a capital.
    ///
    /// Each element is changed if the argument is a sequence. Numbers stay as they are.
    ///
    /// ```puppet
    /// camelcase('hello_world') # 'HelloWorld'
    /// ```
    "camelcase" {
        "(Numeric $arg)" as ">> Variant[Numeric, String]" => camelcase(arg),
        "(String $arg)" as ">> String" => camelcase(arg),
        "(Iterable[Variant[String, Numeric]] $arg)" as ">> Array" => camelcase(arg),
    }
}

fn camelcase(arg: &Value) -> Result<Value, Issue> {
    text::map(arg, |words| words.split('_').map(text::capitalize).collect())
}

//! `chomp`: removes one line end (`\n`, `\r` or `\r\n`) from the end of a string.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::text;

function! {
    /// Removes one line end (`\n`, `\r` or `\r\n`) from the end of a string.
    ///
    /// Each element is changed if the argument is a sequence. Numbers stay as they are.
    ///
    /// ```puppet
    /// chomp("hello\n") # 'hello'
    /// ```
    "chomp" {
        "(Numeric $arg)" as ">> Variant[Numeric, String]" => chomp(arg),
        "(String $arg)" as ">> String" => chomp(arg),
        "(Iterable[Variant[String, Numeric]] $arg)" as ">> Array" => chomp(arg),
    }
}

fn chomp(arg: &Value) -> Result<Value, Issue> {
    text::map(arg, |text| text::chomp(text).to_owned())
}

//! `strip`: removes white space from both ends of a text.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::text;

function! {
    /// Removes white space from both ends of a text.
    ///
    /// The text of each element is changed if the argument is a sequence. Numbers stay as they are.
    ///
    /// ```puppet
    /// strip('  a ') # 'a'
    /// ```
    "strip" {
        "(Numeric $arg)" => strip(arg),
        "(String $arg)" => strip(arg),
        "(Iterable[Variant[String, Numeric]] $arg)" => strip(arg),
    }
}

fn strip(arg: &Value) -> Result<Value, Issue> {
    text::map(arg, |text| text.trim_matches(text::is_blank).to_owned())
}

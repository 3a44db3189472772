//! `dig`: a value deep inside of data.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::navigate;

function! {
    /// Returns the value behind a list of keys and indexes, or `undef` if one of them leads nowhere.
    ///
    /// ```puppet
    /// {'a' => [{'b' => 1}]}.dig('a', 0, 'b') # 1
    /// ```
    "dig" {
        "(Optional[Collection] $data, Any *$arg)" as ">> Any" => dig(data, *arg),
    }
}

fn dig(data: &Value, keys: &[Value]) -> Result<Value, Issue> {
    Ok(navigate::dig(data, keys)?)
}

//! `join`: an array as one text.

use bunraku_compiler::function;
use bunraku_pcore::Value;

use crate::builtin::flatten::flatten;
use bunraku_pcore::inspect;

function! {
    /// Joins the elements of an array, and of arrays in it, to one text with a delimiter between them.
    ///
    /// ```puppet
    /// join(['a', ['b', 'c']], ',') # 'a,b,c'
    /// ```
    "join" {
        "(Array $arg, String $delimiter = undef)" => join(arg, delimiter),
    }
}

/// The elements as Ruby shows them, with a delimiter between them.
pub(crate) fn join(elements: &[Value], delimiter: Option<&str>) -> String {
    let flat = flatten(elements);
    let words: Vec<_> = flat.iter().map(inspect::to_s).collect();
    words.join(delimiter.unwrap_or_default())
}

//! `join`: an array as one text.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::deep;

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

/// The elements as Ruby shows them, with a delimiter between them; those of inner arrays too.
pub(crate) fn join(elements: &[Value], delimiter: Option<&str>) -> String {
    deep(|| {
        let text = |element: &Value| match element {
            Value::Array(inner) => join(inner, delimiter),
            other => inspect::to_s(other).into_owned(),
        };
        let words: Vec<String> = elements.iter().map(text).collect();
        words.join(delimiter.unwrap_or_default())
    })
}

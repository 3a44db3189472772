//! `join`: an array as one string.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::deep;

use bunraku_pcore::inspect;
use bunraku_pcore::limits::TEXT_SIZE;

function! {
    /// Joins the elements of an array, and of arrays in it, to one string with a delimiter between them.
    ///
    /// ```puppet
    /// join(['a', ['b', 'c']], ',') # 'a,b,c'
    /// ```
    "join" {
        "(Array $arg, String $delimiter = undef)" as ">> String" => join(arg, delimiter),
    }
}

/// The elements as Ruby shows them, with a delimiter between them; those of inner arrays too.
///
/// What would be longer than a string may be is cut where that is certain.
pub(crate) fn join(elements: &[Value], delimiter: Option<&str>) -> String {
    let mut text = String::new();
    write(elements, delimiter.unwrap_or_default(), &mut text);
    text
}

fn write(elements: &[Value], delimiter: &str, text: &mut String) {
    for (index, element) in elements.iter().enumerate() {
        if text.len() > TEXT_SIZE {
            return;
        }
        text.push_str(if index > 0 { delimiter } else { "" });
        match element {
            Value::Array(inner) => deep(|| write(inner, delimiter, text)),
            other => text.push_str(&inspect::to_s(other)),
        }
    }
}

//! `stdlib::xml_encode`: a string for XML.

use bunraku_compiler::function;

function! {
    /// Escapes what has a meaning in XML: in text, or with `attr` in an attribute, which is put into quotes.
    ///
    /// ```puppet
    /// stdlib::xml_encode('a < b', 'text') # 'a &lt; b'
    /// ```
    "stdlib::xml_encode" of "stdlib" {
        "(String $str, Enum['text', 'attr'] $type = undef) >> String" => xml_encode(str, r#type),
    }
}

fn xml_encode(text: &str, kind: Option<&str>) -> String {
    let is_attribute = kind == Some("attr");
    let mut encoded = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => encoded.push_str("&amp;"),
            '<' => encoded.push_str("&lt;"),
            '>' => encoded.push_str("&gt;"),
            '"' if is_attribute => encoded.push_str("&quot;"),
            '\'' if is_attribute => encoded.push_str("&apos;"),
            other => encoded.push(other),
        }
    }
    if is_attribute { format!("\"{encoded}\"") } else { encoded }
}

//! What a tag asks for: a plain value read in another way, or an object of a class that data may not have.

/// How a tagged scalar is read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ScalarTag<'t> {
    /// As if it had no tag.
    Plain,
    Text,
    Float,
    Base64,
    Symbol,
    /// As an object of this class.
    Class(&'t str),
}

/// How a tagged collection is read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CollectionTag<'t> {
    /// As if it had no tag.
    Plain,
    /// A sequence of pairs that stands for a hash.
    OrderedMap,
    /// A mapping of which the value of `str` is meant.
    Text,
    /// As an object of this class.
    Class(&'t str),
}

/// The meaning of the tag of a scalar with the given text.
pub(super) fn of_scalar<'t>(tag: &'t str, text: &'t str) -> ScalarTag<'t> {
    if let Some(class) = text_class(tag) {
        return if class.is_empty() { ScalarTag::Text } else { ScalarTag::Class(class) };
    }
    match tag {
        "!binary" | "tag:yaml.org,2002:binary" => ScalarTag::Base64,
        "!float" | "tag:yaml.org,2002:float" => ScalarTag::Float,
        "!ruby/object:BigDecimal" => ScalarTag::Class("BigDecimal"),
        "!ruby/object:DateTime" => ScalarTag::Class("DateTime"),
        "!ruby/object:Complex" => ScalarTag::Class("Complex"),
        "!ruby/object:Rational" => ScalarTag::Class("Rational"),
        "!ruby/encoding" => ScalarTag::Class("Encoding"),
        "!ruby/regexp" => ScalarTag::Class("Regexp"),
        "!ruby/range" => ScalarTag::Class("Range"),
        "!ruby/class" | "!ruby/module" if !text.is_empty() => ScalarTag::Class(text),
        _ if tag.starts_with("!ruby/sym") => ScalarTag::Symbol,
        _ => ScalarTag::Plain,
    }
}

/// The meaning of the tag of a sequence.
pub(super) fn of_sequence(tag: &str) -> CollectionTag<'_> {
    match tag {
        "!omap" | "tag:yaml.org,2002:omap" => CollectionTag::OrderedMap,
        _ => class_after(tag, &["!seq:", "!ruby/array:"]).map_or(CollectionTag::Plain, CollectionTag::Class),
    }
}

/// The meaning of the tag of a mapping.
pub(super) fn of_mapping(tag: &str) -> CollectionTag<'_> {
    if let Some(class) = text_class(tag) {
        return if class.is_empty() { CollectionTag::Text } else { CollectionTag::Class(class) };
    }
    match tag {
        "!ruby/object:Hash" => CollectionTag::Plain,
        "!ruby/range" => CollectionTag::Class("Range"),
        "!set" | "tag:yaml.org,2002:set" => CollectionTag::Class("Psych::Set"),
        "!omap" | "tag:yaml.org,2002:omap" => CollectionTag::Class("Psych::Omap"),
        _ => object_class(tag).map_or(CollectionTag::Plain, CollectionTag::Class),
    }
}

fn object_class(tag: &str) -> Option<&str> {
    for (prefix, default) in [("!ruby/struct", "Struct"), ("!ruby/object", "Object"), ("!ruby/exception", "Exception")]
    {
        if let Some(name) = tag.strip_prefix(prefix) {
            let name = name.strip_prefix(':').unwrap_or(name);
            return Some(if name.is_empty() { default } else { name });
        }
    }
    class_after(tag, &["!ruby/array:", "!map:", "!ruby/hash:", "!ruby/marshalable:", "!ruby/hash-with-ivars:"])
}

fn class_after<'t>(tag: &'t str, prefixes: &[&str]) -> Option<&'t str> {
    prefixes.iter().find_map(|prefix| tag.strip_prefix(prefix)).filter(|class| !class.is_empty())
}

/// The class named by `!str:Class`; empty for the plain text tags.
fn text_class(tag: &str) -> Option<&str> {
    if matches!(tag, "!str" | "!ruby/string" | "tag:yaml.org,2002:str") {
        return Some("");
    }
    tag.strip_prefix("!str:").or_else(|| tag.strip_prefix("!ruby/string:"))
}

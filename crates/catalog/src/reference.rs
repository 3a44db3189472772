//! A reference to a resource: `File[/etc/motd]`.

use std::fmt;

use ecow::EcoString;

/// Type and title of a resource, which identify it within a catalog.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference {
    /// The resource type with every segment capitalised: `Apache::Vhost`.
    pub type_name: EcoString,
    /// The title, as it was declared; that of a class is capitalised like a type.
    pub title: EcoString,
}

impl Reference {
    /// A reference from a type name in any case. The title of a class takes its canonical form.
    pub fn new(type_name: &str, title: &str) -> Self {
        let type_name = capitalize(type_name);
        let title = match type_name.as_str() {
            "Class" => capitalize(title),
            _ => title.into(),
        };
        Reference { type_name, title }
    }

    /// The class of the code outside of all definitions. Its title has a small letter, so no class of that name can be
    /// mistaken for it.
    pub fn main_class() -> Self {
        Reference { type_name: "Class".into(), title: "main".into() }
    }

    /// The reference as text: `Type[title]`.
    pub fn to_text(&self) -> EcoString {
        let mut text = EcoString::with_capacity(self.type_name.len() + self.title.len() + 2);
        for part in [&self.type_name, "[", &self.title, "]"] {
            text.push_str(part);
        }
        text
    }

    /// Reads `Type[title]`.
    pub fn parse(text: &str) -> Option<Self> {
        let (type_name, rest) = text.split_once('[')?;
        let title = rest.strip_suffix(']')?;
        let is_name = |segment: &str| {
            segment.starts_with(|it: char| it.is_ascii_alphabetic())
                && segment.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
        };
        let is_type = !title.is_empty() && type_name.split("::").all(is_name);
        is_type.then(|| Reference::new(type_name, title))
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_text())
    }
}

/// Capitalises every segment of a name: `a::b` becomes `A::B`, a leading `::` is dropped.
pub fn capitalize(name: &str) -> EcoString {
    let name = name.strip_prefix("::").unwrap_or(name);
    let mut is_start = true;
    let is_capitalized = name.bytes().all(|it| {
        let starts = std::mem::replace(&mut is_start, it == b':');
        it.is_ascii() && if starts { !it.is_ascii_lowercase() } else { !it.is_ascii_uppercase() }
    });
    if is_capitalized {
        return name.into();
    }
    let mut is_start = true;
    if name.is_ascii() {
        let mut result = EcoString::from(name);
        let text = result.make_mut();
        text.make_ascii_lowercase();
        for (index, it) in name.bytes().enumerate() {
            if std::mem::replace(&mut is_start, it == b':')
                && let Some(first) = text.get_mut(index..=index)
            {
                first.make_ascii_uppercase();
            }
        }
        return result;
    }
    let mut result = EcoString::with_capacity(name.len());
    for it in name.chars() {
        if is_start {
            result.extend(it.to_uppercase());
        } else {
            result.extend(it.to_lowercase());
        }
        is_start = it == ':';
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_canonical() {
        let check = |type_name, title, expected: &str| {
            assert_eq!(Reference::new(type_name, title).to_string(), expected);
        };
        check("file", "/a", "File[/a]");
        check("apache::vhost", "Mixed", "Apache::Vhost[Mixed]");
        check("class", "::apache::mod::ssl", "Class[Apache::Mod::Ssl]");
        check("class", "main", "Class[Main]");
    }

    #[test]
    fn text_is_read() {
        let check = |text, expected: Option<&str>| {
            assert_eq!(Reference::parse(text).map(|it| it.to_string()).as_deref(), expected);
        };
        check("File[/a[b]]", Some("File[/a[b]]"));
        check("apache::vhost[x]", Some("Apache::Vhost[x]"));
        check("File[]", None);
        check("a b[c]", None);
        check("nothing", None);
    }
}

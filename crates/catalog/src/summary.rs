//! A catalog in a few lines, for people.

use std::fmt::Write;

use indexmap::IndexMap;

use crate::catalog::Catalog;

/// How many resources of which types the catalog has, most frequent first, and its classes.
pub fn summary(catalog: &Catalog) -> String {
    let mut types: IndexMap<&str, usize> = IndexMap::new();
    for resource in catalog.resources() {
        *types.entry(&resource.reference.type_name).or_default() += 1;
    }
    types.sort_by(|name, count, other_name, other_count| other_count.cmp(count).then(name.cmp(other_name)));
    let mut text = String::new();
    // Writing to a string does not fail.
    _ = writeln!(text, "Catalog of {} in environment {}", catalog.name, catalog.environment);
    _ = writeln!(text, "{} resources of {} types, {} classes", catalog.len(), types.len(), catalog.classes.len());
    let width = types.values().map(|count| count.to_string().len()).max().unwrap_or(0);
    for (name, count) in &types {
        _ = writeln!(text, "  {count:>width$} {name}");
    }
    if !catalog.classes.is_empty() {
        _ = writeln!(text, "Classes: {}", catalog.classes.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Reference;
    use crate::resource::{Kind, Resource};

    #[test]
    fn types_are_counted() {
        let mut catalog = Catalog::new("web1", "production");
        for (type_name, title) in [("class", "main"), ("file", "/a"), ("file", "/b"), ("exec", "x")] {
            catalog.add(Resource::new(Reference::new(type_name, title), Kind::Unknown));
        }
        catalog.classes = vec!["settings".into(), "apache".into()];
        let expected = "Catalog of web1 in environment production\n4 resources of 3 types, 2 classes\n  \
                        2 File\n  1 Class\n  1 Exec\nClasses: settings, apache\n";
        assert_eq!(summary(&catalog), expected);
    }
}

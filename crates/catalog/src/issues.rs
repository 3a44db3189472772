//! What can be wrong with catalogs. Codes and texts are those of the reference where it has them.

use bunraku_syntax::Issue;

/// A catalog file is not JSON.
pub fn not_json(error: &str) -> Issue {
    Issue::new("CATALOG_NOT_JSON", format!("Could not deserialize catalog from json: {error}"))
}

/// JSON without resources.
pub fn not_a_catalog() -> Issue {
    Issue::new("NOT_A_CATALOG", "This is not a catalog: it has no resources")
}

/// A field of a catalog file is not of the shape it has in catalogs.
pub fn malformed(field: &str) -> Issue {
    Issue::new("NOT_A_CATALOG", format!("This is not a catalog: its '{field}' cannot be read"))
}

/// A resource of a catalog file lacks its type or title.
pub fn resource_without(what: &str) -> Issue {
    Issue::new("RESOURCE_INCOMPLETE", format!("No resource {what} provided in serialized data"))
}

/// None of the title patterns of a resource type fits.
pub fn title_not_matched(title: &str) -> Issue {
    Issue::new("RUNTIME_ERROR", format!("No set of title patterns matched the title \"{title}\"."))
}

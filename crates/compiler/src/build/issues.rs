//! What can go wrong while a catalog is built. Codes and texts are those of the reference where it has them; where it only has
//! a text, the code is empty.

use bunraku_syntax::Issue;
use std::fmt::Display;

macro_rules! issues {
    ($($(#[$doc:meta])* $name:ident($($parameter:ident),*) $code:literal $text:literal;)*) => {$(
        $(#[$doc])*
        pub(super) fn $name($($parameter: impl Display),*) -> Issue {
            Issue::new($code, format!($text))
        }
    )*};
}

issues! {
    /// A title is `undef`.
    missing_title() "MISSING_TITLE" "Missing title. The title expression resulted in undef";
    /// A title among others is `undef`.
    missing_title_at(index) "MISSING_TITLE_AT" "Missing title at index {index}. The title expression resulted in an undef title";
    /// A title is no text.
    illegal_title_type_at(index, actual) "ILLEGAL_TITLE_TYPE_AT" "Illegal title type at index {index}. Expected String, got {actual}";
    /// A title is empty.
    empty_string_title_at(index) "EMPTY_STRING_TITLE_AT" "Empty string title at {index}. Title strings must have a length greater than zero.";
    /// A title is used twice in one expression.
    duplicate_title(title) "DUPLICATE_TITLE" "The title '{title}' has already been used in this resource expression";
    /// An attribute is set twice in one body.
    duplicate_attribute(attribute) "DUPLICATE_ATTRIBUE" "The attribute '{attribute}' has already been set";
    /// What stands before the brace is no resource type.
    illegal_resource_type(actual) "ILLEGAL_RESOURCE_TYPE" "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {actual}";
    /// Something that is no resource is overridden.
    illegal_overridden_type(actual) "ILLEGAL_OVERRIDDEN_TYPE" "Resource Override can only operate on resources, got: {actual}";
    /// Something that is no resource is related.
    illegal_relationship_operand(operand) "ILLEGAL_RELATIONSHIP_OPERAND_TYPE" "Illegal relationship operand, can not form a relationship with {operand}. A Catalog type is required.";
    /// A data type that is no resource is related.
    not_catalog_type(data_type) "NOT_CATALOG_TYPE" "Illegal relationship operand, can not form a relationship with something of type {data_type}. A Catalog type is required.";
    /// Exported resources cannot be collected.
    no_storeconfigs() "RT_NO_STORECONFIGS" "You cannot collect exported resources without storeconfigs being set; the collection will be ignored";
    /// Resources cannot be exported.
    no_storeconfigs_export() "RT_NO_STORECONFIGS_EXPORT" "You cannot collect exported resources without storeconfigs being set; the export is ignored";
    /// A resource that another node exports is in the catalog already.
    duplicate_exported(reference) "" "A duplicate resource was found while collecting exported resources, with the type and title {reference}";
    /// A defined type has the name of the class that holds the settings.
    settings_redefined(place) "" "Definition 'settings' is already defined{place}; cannot be redefined as a class";
    /// A class is declared virtual.
    class_not_virtualizable() "CLASS_NOT_VIRTUALIZABLE" "Classes are not virtualizable";
    /// A tag has characters that no tag has.
    invalid_tag(tag) "" "Invalid tag '{tag}'";
    /// A default is set twice in one scope.
    duplicate_default(type_name, parameter) "" "Default already defined for {type_name} {{ {parameter} }}; cannot redefine";
    /// A body overrides what it does not inherit.
    only_subclasses_override() "" "Only subclasses can override parameters";
    /// An override sets a parameter twice.
    duplicate_parameter(name, reference) "" "Duplicate parameter '{name}' for on {reference}";
    /// A body overrides a parameter it has set itself.
    parameter_already_set(message) "" "{message}";
    /// What is overridden has been evaluated already.
    already_evaluated(message) "" "{message}";
    /// Nothing has the references that are overridden.
    unknown_overridden(references) "" "Could not find resource(s) {references} for overriding";
    /// Nothing has the references that are realized.
    unknown_realized(references) "" "Failed to realize virtual resources {references}";
    /// A native resource has an attribute that its type does not have.
    unknown_parameter(message) "" "{message}";
    /// A relationship parameter refers to nothing.
    unknown_related(reference, parameter) "" "Could not find resource '{reference}' in parameter '{parameter}'";
    /// The class after `inherits` does not exist.
    unknown_parent(parent, environment) "" "Could not find parent resource type '{parent}' of type hostclass in {environment}";
    /// A class inherits from itself.
    circular_inheritance(name) "" "The class '{name}' inherits from itself";
    /// No node definition fits.
    unknown_node(name) "" "Could not find node statement with name 'default' or '{name}'";
    /// Collectors and defined types make each other without end.
    endless_generation() "" "Somehow looped more than 1000 times while evaluating host catalog";
    /// A variable is set that only the compiler sets.
    reserved_variable(name) "" "Attempt to assign to a reserved variable name: '{name}'";
    /// A variable about the body itself is a parameter too.
    reassigned_variable(name) "" "Cannot reassign variable '${name}'";
    /// Something that a message of its own describes.
    described(message) "" "{message}";
}

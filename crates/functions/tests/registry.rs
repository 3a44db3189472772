//! The library has every function of the list, and no other.

use std::collections::BTreeSet;

use bunraku_compiler::function::{Function, Library};
use bunraku_functions::{builtin, modules, stdlib};

fn all() -> impl Iterator<Item = &'static Function> {
    builtin::ALL.iter().chain(stdlib::ALL).chain(modules::ALL)
}

#[test]
fn the_library_is_the_list() {
    let listed: BTreeSet<&str> = include_str!("names.txt").lines().collect();
    let found: BTreeSet<&str> = all().map(|function| function.name).collect();
    let missing: Vec<_> = listed.difference(&found).collect();
    let unlisted: Vec<_> = found.difference(&listed).collect();
    assert!(missing.is_empty() && unlisted.is_empty(), "missing: {missing:?}, not in the list: {unlisted:?}");
}

#[test]
fn every_signature_can_be_read_and_every_page_has_an_example() {
    let library = Library::new(&[builtin::ALL, stdlib::ALL, modules::ALL]);
    for native in library.iter() {
        let name = native.function.name;
        assert!(native.signatures().is_ok(), "{name}");
        assert!(native.function.documentation.contains("```"), "{name} has no example");
    }
}

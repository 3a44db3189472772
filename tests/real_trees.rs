//! Every manifest and template of the modules that Debian packages has the syntax tree the reference gives it: the digest
//! of its PN text is compared with the recorded one.

use std::fs;
use std::path::Path;

use bunraku::syntax::{FileId, Source, parse, parse_epp, pn};
use bunraku_tests::packages;
use bunraku_tests::score::{self, Corpora};
use sha2::{Digest, Sha256};

#[test]
fn trees_of_real_modules_are_the_recorded_ones() {
    packages::require_recorded();
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("real_modules/trees.txt");
    let recorded = fs::read_to_string(recorded).unwrap();
    let mut corpora = Corpora::new();
    let corpus = corpora.entry("real modules parse".to_owned()).or_default();
    for line in recorded.lines() {
        let (expected, path) = line.split_once(' ').unwrap();
        corpus.add(path, digest(path).as_deref() == Some(expected));
    }
    score::check(corpora);
}

/// The first half of the digest of a tree; nothing for a file with a syntax error.
fn digest(path: &str) -> Option<String> {
    let bytes = fs::read(Path::new(packages::MODULEPATH).join(path)).unwrap();
    let (source, refused) = Source::from_bytes(FileId(0), None, bytes);
    let parsed = if path.ends_with(".epp") { parse_epp(&source) } else { parse(&source) };
    let tree = pn::program(&parsed.program).to_compact();
    let digest = Sha256::digest(tree.as_bytes());
    let is_accepted = refused.is_none() && parsed.first_error().is_none();
    is_accepted.then(|| digest[..8].iter().map(|byte| format!("{byte:02x}")).collect())
}

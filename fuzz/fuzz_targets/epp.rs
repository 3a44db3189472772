//! Any bytes as a template: lexer, parser, validation and every form of the tree.
#![no_main]

use bunraku_syntax::{FileId, Source, dump, parse_epp, pn, validate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (source, _) = Source::from_bytes(FileId(0), None, bytes.to_vec());
    let parsed = parse_epp(&source);
    let _ = validate(&source, &parsed.program, &Default::default());
    let tree = pn::program(&parsed.program);
    let _ = (tree.to_pretty(), tree.to_json(), dump(&parsed.program));
});

//! Any bytes as a manifest: lexer, parser, validation and every form of the tree.
#![no_main]

use bunraku_syntax::{FileId, Source, dump, parse, pn, validate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (source, _) = Source::from_bytes(FileId(0), None, bytes.to_vec());
    let parsed = parse(&source);
    let found = validate(&source, &parsed.program, &Default::default());
    for diagnostic in parsed.diagnostics.iter().chain(&found) {
        let _ = diagnostic.span().map(|span| source.line_column(span.start));
    }
    let tree = pn::program(&parsed.program);
    let _ = (tree.to_pretty(), tree.to_json(), dump(&parsed.program));
});

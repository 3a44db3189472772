//! Round trips of trees: a tree that is written as PN is read back as the same tree, and a program that is laid out anew
//! has the same tree.

use std::fs;
use std::path::Path;

use bunraku::syntax::pn::Pn;
use bunraku::syntax::{FileId, Source, parse, parse_epp, pn};
use bunraku_tests::layout::{Chosen, Layout, Tidy, lay_out};
use bunraku_tests::packages;
use bunraku_tests::pn_reader::{read, tree_of};
use proptest::prelude::*;
use serde_json::Value as Json;

fn tree(code: &str) -> Pn {
    pn::program(&parse(&Source::string(FileId(0), code)).program)
}

/// Both forms of a tree are read back as that tree.
fn check_notation(tree: &Pn) {
    if tree.is_expressible() {
        let expected = Ok(tree_of(tree));
        assert_eq!(read(&tree.to_pretty()), expected);
        assert_eq!(read(&tree.to_compact()), expected);
    }
}

/// A program in another layout has no error, and the same tree. Tells whether it could be laid out.
fn check_layout(code: &str, layout: &mut dyn Layout) -> bool {
    let Some(written) = lay_out(code, layout) else { return false };
    let parsed = parse(&Source::string(FileId(0), written.as_str()));
    assert_eq!(parsed.first_error(), None, "{code}\n───\n{written}");
    assert_eq!(pn::program(&parsed.program), tree(code), "{code}\n───\n{written}");
    true
}

/// The programs of the recorded cases.
fn recorded() -> Vec<String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance");
    let mut programs = Vec::new();
    for name in ["parse", "operators", "control_flow", "catalog", "catalog_building", "types", "variables", "iteration"]
    {
        let text = fs::read_to_string(directory.join(format!("{name}.jsonl"))).unwrap();
        let cases = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
        programs.extend(cases.filter_map(|case| case["code"].as_str().map(str::to_owned)));
    }
    programs
}

#[test]
fn recorded_programs_keep_their_trees() {
    let programs = recorded();
    let mut laid_out = 0;
    for code in &programs {
        check_notation(&tree(code));
        laid_out += usize::from(check_layout(code, &mut Tidy));
    }
    assert!(laid_out > programs.len() / 2, "only {laid_out} of {}", programs.len());
}

#[test]
fn real_files_keep_their_trees() {
    packages::require_recorded();
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("real_modules/trees.txt");
    let recorded = fs::read_to_string(recorded).unwrap();
    let (mut all, mut laid_out) = (0, 0);
    for (_, path) in recorded.lines().filter_map(|line| line.split_once(' ')) {
        let code = fs::read_to_string(Path::new(packages::MODULEPATH).join(path)).unwrap();
        if path.ends_with(".epp") {
            check_notation(&pn::program(&parse_epp(&Source::string(FileId(0), code)).program));
            continue;
        }
        check_notation(&tree(&code));
        all += 1;
        laid_out += usize::from(check_layout(&code, &mut Tidy));
    }
    assert!(laid_out > all / 2, "only {laid_out} of {all}");
}

#[test]
fn a_slash_after_a_brace_stays_where_it_is() {
    assert_eq!(lay_out("{b => 2} / 7", &mut Tidy), None);
    assert_eq!(lay_out("1 / 7", &mut Tidy).as_deref(), Some("1\n/\n7"));
}

proptest! {
    // A program is found by its place among the recorded ones, which changes.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn programs_in_any_layout_keep_their_trees(index in any::<prop::sample::Index>(), choices in prop::collection::vec(any::<u8>(), 1..64)) {
        thread_local! {
            static PROGRAMS: Vec<String> = recorded();
        }
        PROGRAMS.with(|programs| check_layout(index.get::<String>(programs), &mut Chosen::new(&choices)));
    }
}

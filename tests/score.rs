//! `conformance/SCORE.md`: how many cases of each corpus are equal to the reference implementation, and which are not.
//!
//! It may only get better: a case that is not listed there as failing must pass. `UPDATE=1` writes it anew.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const HEAD: &str = "# Score\n\nWritten by the test runner: cases equal to the reference implementation.\n\n";

/// Corpora by name.
pub type Corpora = BTreeMap<String, Corpus>;

/// Passed cases of one corpus, and the names of those that fail.
#[derive(Default, PartialEq, Eq)]
pub struct Corpus {
    passed: usize,
    failed: Vec<String>,
}

impl Corpus {
    /// Counts a case.
    pub fn add(&mut self, id: &str, has_passed: bool) {
        if has_passed {
            self.passed += 1;
        } else {
            self.failed.push(id.to_owned());
        }
    }

    fn total(&self) -> usize {
        self.passed + self.failed.len()
    }
}

/// Compares the corpora that were run with what is committed; those of other test binaries stay as they are.
pub fn check(run: Corpora) {
    check_in("conformance/SCORE.md", "The reasons are in docs/spec-differences.md.", run);
}

/// The same with another file, and what it says of the failing cases.
pub fn check_in(file: &str, reasons: &str, run: Corpora) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let mut score = read(&committed);
    score.extend(run);
    let score = render(&score, reasons);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, score).unwrap();
    } else {
        assert!(score == committed, "the score differs from {file} (UPDATE=1 rewrites it):\n{score}");
    }
}

fn render(corpora: &Corpora, reasons: &str) -> String {
    let mut text = HEAD.to_owned();
    text.push_str("| corpus | passed | total |\n|---|---|---|\n");
    for (name, corpus) in corpora {
        writeln!(text, "| {name} | {} | {} |", corpus.passed, corpus.total()).unwrap();
    }
    let passed: usize = corpora.values().map(|corpus| corpus.passed).sum();
    let total: usize = corpora.values().map(Corpus::total).sum();
    writeln!(text, "| **all** | **{passed}** | **{total}** |\n\n## Failing\n\n{reasons}").unwrap();
    for (name, corpus) in corpora.iter().filter(|(_, corpus)| !corpus.failed.is_empty()) {
        writeln!(text, "\n- {name}: {}", corpus.failed.join(" ")).unwrap();
    }
    text
}

/// The inverse of [`render`].
fn read(text: &str) -> Corpora {
    let mut corpora = Corpora::new();
    for line in text.lines() {
        if let Some((name, failed)) = line.strip_prefix("- ").and_then(|rest| rest.split_once(": ")) {
            let corpus = corpora.entry(name.to_owned()).or_default();
            corpus.failed = failed.split(' ').map(str::to_owned).collect();
        }
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        if let [_, name, passed, _, _] = cells[..]
            && let Ok(passed) = passed.parse()
        {
            corpora.entry(name.to_owned()).or_default().passed = passed;
        }
    }
    corpora
}

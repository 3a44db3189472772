//! Problems as diagnostics, which all tools of the project show in the same forms.

use bunraku::render::{self, Checked};
use bunraku::{FileId, Issue, Severity, Source, Span};
use bunraku_lint::{Kind, Problem};

use super::shown::Shown;
use crate::report::{Format, machine_readable};

/// Problems, those of a file after each other, in one of the common forms; nothing in the plain one.
pub(super) fn diagnostics(files: &[Vec<Shown<'_>>], format: Format) -> String {
    let checked: Vec<Checked> = files.iter().filter_map(|file| checked(file)).collect();
    let findings: Vec<_> = checked.iter().flat_map(Checked::findings).collect();
    match format {
        Format::Human => findings
            .iter()
            .filter_map(|it| Some((it.diagnostic, it.sources.source(FileId(0))?)))
            .map(|(diagnostic, source)| render::human(diagnostic, source, true))
            .collect(),
        format => machine_readable(format, &findings),
    }
}

fn checked(file: &[Shown<'_>]) -> Option<Checked> {
    let linted = file.first()?.file;
    let source = Source::file(FileId(0), linted.path.as_str(), linted.text.as_str());
    let is_open = |shown: &&Shown<'_>| matches!(shown.problem.kind, Kind::Error | Kind::Warning);
    let diagnostics = file.iter().filter(is_open).map(|shown| {
        let Problem { kind, check, message, range: (start, end), .. } = shown.problem;
        let severity = if *kind == Kind::Error { Severity::Error } else { Severity::Warning };
        Issue::new(check, message.as_ref()).at(Span::new(FileId(0), *start, *end)).with_severity(severity)
    });
    Some(Checked { name: linted.path.clone(), diagnostics: diagnostics.collect(), source, is_fatal: false })
}

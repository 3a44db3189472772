//! A diagnostic with excerpts of the source, for people.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use bunraku_syntax::{Diagnostic, FileId, Severity, Source, Span, shortened};

/// How wide excerpts are; of longer lines the part around the error is shown.
const WIDTH: usize = 160;

/// The diagnostic as text for a terminal, with colours if that can show them.
pub fn human<'s>(
    diagnostic: &Diagnostic,
    source_of: impl Fn(FileId) -> Option<&'s Source>,
    is_colored: bool,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Deprecation => Level::WARNING.with_name("deprecation"),
    };
    let mut title = level.primary_title(shortened(diagnostic.issue.message()));
    if !diagnostic.issue.code().is_empty() {
        title = title.id(diagnostic.issue.code());
    }
    let source = diagnostic.file().and_then(&source_of);
    let group = Group::with_title(title);
    let mut groups = vec![match (diagnostic.span(), source) {
        (Some(span), Some(source)) => group.element(excerpt(source, span, AnnotationKind::Primary)),
        (None, Some(Source { path: Some(path), .. })) => group.element(Origin::path(path.as_str())),
        _ => group,
    }];
    for note in &diagnostic.notes {
        let group = Group::with_title(Level::NOTE.secondary_title(shortened(&note.message)));
        groups.push(match note.span.and_then(|span| Some((span, source_of(span.file)?))) {
            Some((span, source)) => group.element(excerpt(source, span, AnnotationKind::Context)),
            None => group,
        });
    }
    let renderer = if is_colored { Renderer::styled() } else { Renderer::plain() };
    format!("{}\n\n", renderer.term_width(WIDTH).render(&groups))
}

/// The line that a span begins on, with marks below the span.
fn excerpt<'s>(source: &'s Source, span: Span, kind: AnnotationKind) -> Snippet<'s, annotate_snippets::Annotation<'s>> {
    let (line, _) = source.line_column(span.start);
    let text = source.line(line);
    let first = source.line_start(line);
    let within = |offset: u32| {
        let at = (offset.saturating_sub(first) as usize).min(text.len());
        (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
    };
    let (start, end) = (within(span.start), within(span.end.max(span.start)));
    Snippet::source(text)
        .line_start(line as usize)
        .path(source.path.as_deref().unwrap_or("<stdin>"))
        .annotation(kind.span(start..end))
}

#[cfg(test)]
mod tests {
    use bunraku_syntax::{Issue, parse};
    use expect_test::{Expect, expect};

    use super::*;

    fn check(code: &str, expected: Expect) {
        let source = Source::file(FileId(0), "a.pp", code);
        let parsed = parse(&source);
        let shown: String = parsed.diagnostics.iter().map(|found| human(found, |_| Some(&source), false)).collect();
        expected.assert_eq(&shown);
    }

    #[test]
    fn marks_are_below_what_they_mean() {
        check(
            "notice(\"日本語日本語\" +)",
            expect![[r#"
            error[SYNTAX_ERROR]: Syntax error at ')'
             --> a.pp:1:18
              |
            1 | notice("日本語日本語" +)
              |                        ^

        "#]],
        );
        check(
            "\t$x = )",
            expect![[r#"
            error[SYNTAX_ERROR]: Syntax error at ')'
             --> a.pp:1:7
              |
            1 |     $x = )
              |          ^

        "#]],
        );
    }

    #[test]
    fn a_line_may_have_any_length() {
        for blanks in [0, 154, 155, 156, 157, 1_000, 100_000] {
            let source = Source::string(FileId(0), format!("$x ={}\"", " ".repeat(blanks)));
            for found in &parse(&source).diagnostics {
                let shown = human(found, |_| Some(&source), false);
                assert!(shown.lines().all(|line| line.len() < 400), "{shown}");
                assert!(shown.contains('^'), "{shown}");
            }
        }
    }

    #[test]
    fn a_long_message_is_cut() {
        let found = Issue::new("", "x".repeat(400_000)).nowhere();
        assert!(human(&found, |_| None, false).len() < 20_000);
    }
}

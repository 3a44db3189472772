//! A diagnostic with excerpts of the source, for people.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};

use super::Sources;
use crate::{At, Diagnostic, Fix, Severity, Source, shortened};

/// How wide excerpts are; of longer lines the part around the error is shown.
const WIDTH: usize = 160;

/// The diagnostic as text for a terminal, with colours if that can show them.
pub fn human(diagnostic: &Diagnostic, sources: &dyn Sources, is_colored: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Deprecation => Level::WARNING.with_name("deprecation"),
    };
    let mut title = level.primary_title(shortened(diagnostic.headline()));
    if !diagnostic.issue.code().is_empty() {
        title = title.id(diagnostic.issue.code());
    }
    let mut group = Group::with_title(title).elements(excerpts(diagnostic, sources));
    if let (None, Some(Source { path: Some(path), .. })) =
        (diagnostic.primary(), diagnostic.file().and_then(|file| sources.source(file)))
    {
        group = group.element(Origin::path(path.as_str()));
    }
    let mut groups = Vec::new();
    // A remark about data that a label shows is not made again.
    let is_labelled = |at: &At| matches!(at, At::Data(..)) && diagnostic.labels.iter().any(|label| label.at == *at);
    for note in &diagnostic.notes {
        if note.at.as_ref().is_some_and(is_labelled) {
            continue;
        }
        let message = shortened(&note.message);
        match note.at.as_ref().and_then(|at| Mark::new(at, "", false, sources)) {
            Some(mark) => {
                groups.push(Group::with_title(Level::NOTE.secondary_title(message)).element(excerpt(vec![mark])));
            }
            None => group = group.element(Level::NOTE.message(message)),
        }
    }
    let unplaced = diagnostic.issue.advice().filter(|_| diagnostic.primary().is_none());
    for help in unplaced.into_iter().chain(diagnostic.help.iter().map(|help| help.as_str())) {
        group = group.element(Level::HELP.message(shortened(help)));
    }
    groups.insert(0, group);
    groups.extend(diagnostic.fixes.iter().filter_map(|fix| suggestion(fix, sources)));
    let renderer = if is_colored { Renderer::styled() } else { Renderer::plain() };
    format!("{}\n\n", renderer.term_width(WIDTH).render(&groups))
}

/// The excerpts with the places that matter, one for each source, that with the fault first.
fn excerpts<'s>(diagnostic: &'s Diagnostic, sources: &'s dyn Sources) -> Vec<Snippet<'s, Annotation<'s>>> {
    let mut marks: Vec<Mark<'s>> = Vec::new();
    let labels = || diagnostic.labels.iter();
    let advice = diagnostic.issue.advice().unwrap_or_default();
    if let (false, Some(span)) = (labels().any(|label| label.is_primary), diagnostic.span()) {
        marks.extend(sources.source(span.file).map(|source| Mark::of(source, (span.start, span.end), advice, true)));
    }
    marks.extend(labels().filter_map(|label| {
        let message = if label.is_primary && label.message.is_empty() { advice } else { &label.message };
        Mark::new(&label.at, message, label.is_primary, sources)
    }));
    marks.sort_by_key(|mark| !mark.is_primary);
    let mut snippets = Vec::new();
    while let Some(first) = marks.first() {
        let source = first.source;
        let (same, others) = marks.into_iter().partition(|mark| std::ptr::eq(mark.source, source));
        snippets.push(excerpt(same));
        marks = others;
    }
    snippets
}

/// A range of a source with words about it.
struct Mark<'s> {
    source: &'s Source,
    range: (u32, u32),
    message: &'s str,
    is_primary: bool,
}

impl<'s> Mark<'s> {
    fn of(source: &'s Source, range: (u32, u32), message: &'s str, is_primary: bool) -> Self {
        Mark { source, range, message, is_primary }
    }

    fn new(at: &'s At, message: &'s str, is_primary: bool, sources: &'s dyn Sources) -> Option<Self> {
        match at {
            At::Code(span) => Some(Mark::of(sources.source(span.file)?, (span.start, span.end), message, is_primary)),
            At::Data(source, range) => Some(Mark::of(source, (range.start, range.end), message, is_primary)),
        }
    }

    /// The line it begins on.
    fn line(&self) -> u32 {
        self.source.line_number(self.range.0)
    }
}

/// The lines that marks of one source begin on. A mark ends with its line at the latest.
fn excerpt<'s>(marks: Vec<Mark<'s>>) -> Snippet<'s, Annotation<'s>> {
    let lines = || marks.iter().map(Mark::line);
    let (first, last) = (lines().min().unwrap_or(1), lines().max().unwrap_or(1));
    let Some(source) = marks.first().map(|mark| mark.source) else { return Snippet::source("") };
    let snippet = Snippet::source(lines_of(source, first, last))
        .line_start(first as usize)
        .path(source.path.as_deref().unwrap_or("<stdin>"));
    marks.iter().fold(snippet, |snippet, mark| {
        let kind = if mark.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let line = mark.line();
        let end = source.line_start(line) + source.line(line).len() as u32;
        let range = within(source, first, (mark.range.0, mark.range.1.min(end)));
        let annotation = kind.span(range);
        snippet.annotation(if mark.message.is_empty() { annotation } else { annotation.label(mark.message) })
    })
}

/// The text of some lines, without the last line break.
fn lines_of(source: &Source, first: u32, last: u32) -> &str {
    let end = source.line_start(last) as usize + source.line(last).len();
    source.text.get(source.line_start(first) as usize..end).unwrap_or_default()
}

/// A range of a source as one of the text that begins with a line of it, at boundaries of characters.
fn within(source: &Source, first: u32, (start, end): (u32, u32)) -> std::ops::Range<usize> {
    let begin = source.line_start(first) as usize;
    let boundary = |offset: u32| {
        let at = (offset as usize).clamp(begin, source.text.len());
        (begin..=at).rev().find(|at| source.text.is_char_boundary(*at)).unwrap_or(begin) - begin
    };
    let start_at = boundary(start);
    start_at..boundary(end).max(start_at)
}

/// The lines as they would be after a change.
fn suggestion<'s>(fix: &'s Fix, sources: &'s dyn Sources) -> Option<Group<'s>> {
    let (first, last) = (fix.edits.first()?.span, fix.edits.last()?.span);
    let source = sources.source(first.file)?;
    let (begin, end) = (source.line_number(first.start), source.line_number(last.end));
    let snippet = Snippet::source(lines_of(source, begin, end))
        .line_start(begin as usize)
        .path(source.path.as_deref().unwrap_or("<stdin>"));
    let snippet = fix.edits.iter().fold(snippet, |snippet, edit| {
        snippet.patch(Patch::new(within(source, begin, (edit.span.start, edit.span.end)), edit.replacement.as_str()))
    });
    Some(Group::with_title(Level::HELP.secondary_title(fix.message.as_str())).element(snippet))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::{FileId, Issue, Span};

    fn span(start: u32, end: u32) -> Span {
        Span::new(FileId(0), start, end)
    }

    fn check(code: &str, found: Diagnostic, expected: Expect) {
        let source = Source::file(FileId(0), "a.pp", code);
        expected.assert_eq(&human(&found, &source, false));
    }

    #[test]
    fn marks_are_below_what_they_mean() {
        let issue = || Issue::new("SYNTAX_ERROR", "Syntax error at ')'");
        check(
            "notice(\"日本語日本語\" +)",
            issue().at(span(29, 30)),
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
            issue().at(span(6, 7)),
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
    fn labels_notes_help_and_fixes_have_their_places() {
        let found = Issue::new("SYNTAX_ERROR", "Syntax error at 'mode'")
            .at(span(34, 38))
            .with_headline("expected `,` before `mode`")
            .with_primary("the comma is missing here", span(29, 29))
            .with_label("this resource", span(0, 4))
            .with_note("called from here", span(0, 4))
            .with_remark("a remark")
            .with_help("a piece of advice")
            .with_fix("add a comma", span(29, 29), ",");
        check(
            "file { '/x':\n  ensure => file\n  mode => '0644',\n}\n",
            found,
            expect![[r#"
            error[SYNTAX_ERROR]: expected `,` before `mode`
             --> a.pp:2:17
              |
            1 | file { '/x':
              | ---- this resource
            2 |   ensure => file
              |                 ^ the comma is missing here
              |
              = note: a remark
              = help: a piece of advice
            note: called from here
             --> a.pp:1:1
              |
            1 | file { '/x':
              | ----
            help: add a comma
              |
            2 |   ensure => file,
              |                 +

        "#]],
        );
    }

    #[test]
    fn a_line_may_have_any_length() {
        for blanks in [0, 154, 155, 156, 157, 1_000, 100_000] {
            let source = Source::string(FileId(0), format!("$x ={}\"", " ".repeat(blanks)));
            let found = Issue::new("UNCLOSED_QUOTE", "no").at(span(4 + blanks as u32, 5 + blanks as u32));
            let shown = human(&found, &source, false);
            assert!(shown.lines().all(|line| line.len() < 400), "{shown}");
            assert!(shown.contains('^'), "{shown}");
        }
    }

    #[test]
    fn a_long_message_is_cut() {
        let found = Issue::new("", "x".repeat(400_000)).nowhere();
        assert!(human(&found, &Source::string(FileId(0), ""), false).len() < 20_000);
    }
}

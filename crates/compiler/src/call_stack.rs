//! The calls that are being made, for the warnings that tell where one comes from.

use bunraku_syntax::{FileId, Span};

use crate::compilation::Compilation;

/// Where evaluation came from.
#[derive(Clone, Copy, Debug)]
enum Caller {
    /// A main manifest, which is evaluated from its beginning.
    Manifest(FileId),
    /// A call expression.
    Call(Span),
}

/// Calls and main manifests, the outermost first. Bodies of resources that are evaluated later begin anew.
#[derive(Debug, Default)]
pub struct CallStack(Vec<Caller>);

impl CallStack {
    pub(crate) fn enter_manifest(&mut self, file: FileId) {
        self.0.push(Caller::Manifest(file));
    }

    pub(crate) fn enter_call(&mut self, span: Span) {
        self.0.push(Caller::Call(span));
    }

    pub(crate) fn leave(&mut self) {
        self.0.pop();
    }

    /// The files and, except for the beginnings of main manifests, the places in them, the innermost first.
    pub(crate) fn callers(&self) -> impl Iterator<Item = (FileId, Option<Span>)> + '_ {
        self.0.iter().rev().map(|caller| match *caller {
            Caller::Manifest(file) => (file, None),
            Caller::Call(span) => (span.file, Some(span)),
        })
    }
}

impl Compilation<'_> {
    /// The files and lines of the calls being made, the innermost first.
    pub fn callers(&self) -> impl Iterator<Item = (&str, u32)> {
        self.calls.callers().map(|(file, span)| {
            let code = self.environment.code(file);
            let path = code.and_then(|code| code.path.as_deref()).unwrap_or("unknown");
            (path, code.zip(span).map_or(0, |(code, span)| code.line_number(span.start)))
        })
    }
}

//! `bunraku explain`: what the codes of errors and warnings mean, and what to do about them.

use std::process::ExitCode;

use bunraku::codes;
use bunraku::syntax::nearest;
use clap::Args;

use crate::output::print;
use crate::report::log;

/// Explain the code of an error or warning.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    bunraku explain ILLEGAL_REASSIGNMENT\n  \
    bunraku explain")]
pub(crate) struct Explain {
    /// The code, as messages on a terminal show it in brackets; all codes are listed if there is none
    code: Option<String>,
}

impl Explain {
    /// Runs the command: 1 if there is no such code.
    pub(crate) fn run(self) -> ExitCode {
        let Some(code) = self.code.map(|code| code.to_uppercase()) else {
            return written(codes::all().map(|(code, page)| format!("{code}: {}\n", summary(page))).collect());
        };
        if let Some(page) = codes::page(&code) {
            return written(format!("{code}\n\n{page}\n"));
        }
        let meant = nearest(&code, codes::all().map(|(code, _)| code));
        let meant = meant.map(|meant| format!(": did you mean {meant}?")).unwrap_or_default();
        log("Error", &format!("There is no code {code}{meant}"));
        ExitCode::FAILURE
    }
}

/// The first sentence of a page.
fn summary(page: &str) -> &str {
    page.split_once(". ").or(page.split_once('\n')).map_or(page, |(first, _)| first).trim_end_matches('.')
}

fn written(text: String) -> ExitCode {
    print(text).map_or_else(
        |message| {
            log("Error", &message);
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}

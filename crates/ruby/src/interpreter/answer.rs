//! Code that is run by itself, and what it answers.

use std::sync::Arc;

use bunraku_environment::World;

use super::{Stop, Vm};

/// What code comes to when it is run by itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The value of the last expression, as `inspect` shows it; nothing if an exception ended the code.
    pub result: Option<String>,
    /// What was written to standard output.
    pub output: Vec<u8>,
    /// The class and the message of the exception that ended the code.
    pub error: Option<(String, String)>,
}

/// Runs pieces of code one after another, as files at the top level that share their variables.
pub fn answer(sources: &[&str], path: &str) -> Answer {
    answer_in(sources, path, None, false)
}

/// The same with a world outside that the code may touch; messages about names suggest others if they are to.
pub fn answer_in(sources: &[&str], path: &str, world: Option<Arc<dyn World>>, suggests: bool) -> Answer {
    bunraku_syntax::with_ample_stack(|| {
        let mut vm = Vm::new();
        vm.world = world;
        vm.suggests = suggests;
        let outcome = vm.run_all(sources, path).and_then(|value| vm.inspect(&value));
        let (result, error) = match outcome {
            Ok(shown) => (Some(shown), None),
            Err(stop) => (None, Some(vm.told(*stop))),
        };
        Answer { result, output: std::mem::take(&mut vm.output), error }
    })
}

impl Vm {
    /// The class and the message of what ended a run.
    pub(crate) fn told(&mut self, stop: Stop) -> (String, String) {
        match stop {
            Stop::Raise(exception) => {
                let class = self.class_name(&exception);
                let message = self.message_of(&exception).unwrap_or_default();
                (class, message)
            }
            Stop::Limit(reason) => ("Limit".to_owned(), reason.to_owned()),
            Stop::Unsupported(what) => ("NotImplementedError".to_owned(), format!("{what} is not known here")),
            Stop::Unwind => ("Limit".to_owned(), "the call was left".to_owned()),
            Stop::Throw(tag, _) => {
                let tag = self.inspect(&tag).unwrap_or_default();
                ("UncaughtThrowError".to_owned(), format!("uncaught throw {tag}"))
            }
            Stop::Break(..) => ("LocalJumpError".to_owned(), "break from proc-closure".to_owned()),
            Stop::Return(..) => ("LocalJumpError".to_owned(), "unexpected return".to_owned()),
            Stop::Next(_) | Stop::Retry | Stop::Redo => ("LocalJumpError".to_owned(), "unexpected jump".to_owned()),
        }
    }
}

//! Where code is: the calls that led to it, and the backtraces of exceptions.

use std::rc::Rc;

use super::code::Frame;
use super::symbol::{Sym, sym};
use super::value::Value;
use super::{Stop, Vm};

/// How many lines a backtrace has at most.
const LONGEST: usize = 4096;

/// A call that goes on.
pub(crate) struct Level {
    /// The code that runs; nothing for a method of the interpreter's own.
    frame: Option<Rc<Frame>>,
    name: Sym,
    /// How many blocks the code is inside of.
    blocks: u32,
    /// The line of the code that called.
    line: u32,
}

impl Vm {
    /// Notes that code begins; `leave` has to follow.
    pub(crate) fn enter(&mut self, frame: &Rc<Frame>, blocks: u32) {
        let line = self.line;
        self.levels.push(Level { frame: Some(frame.clone()), name: frame.label, blocks, line });
    }

    /// Notes that a method of the interpreter's own begins; `leave` has to follow.
    pub(crate) fn enter_native(&mut self, name: Sym) {
        let line = self.line;
        self.levels.push(Level { frame: None, name, blocks: 0, line });
    }

    pub(crate) fn leave(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.line = level.line;
        }
    }

    /// The code that runs.
    pub(crate) fn current_frame(&self) -> Option<Rc<Frame>> {
        self.levels.iter().rev().find_map(|level| level.frame.clone())
    }

    /// Gives an exception that ends code its backtrace, unless it has one.
    pub(crate) fn trace(&mut self, stop: &Stop, native: Option<Sym>) {
        let Stop::Raise(exception) = stop else { return };
        if exception.variable(sym::HIDDEN_BACKTRACE).is_some_and(|it| !it.is_nil()) {
            return;
        }
        let native = native.filter(|name| !matches!(name.as_str(), "raise" | "fail" | "exit" | "abort" | "throw"));
        let lines = self.backtrace(native, 0).into_iter().map(Value::from).collect();
        exception.set_variable(sym::HIDDEN_BACKTRACE, Value::array(lines));
    }

    /// The calls that go on, the last one first; a number of them is left out.
    pub(crate) fn backtrace(&self, native: Option<Sym>, left_out: usize) -> Vec<String> {
        let file_below = |index: usize| {
            let code = self.levels.get(..=index).unwrap_or_default().iter().rev().find_map(|it| it.frame.as_ref());
            code.map_or_else(|| "main".into(), |frame| frame.file.clone())
        };
        let mut line = self.line;
        let mut all = Vec::new();
        let top = self.levels.len().saturating_sub(1);
        if let Some(name) = native {
            all.push(format!("{}:{line}:in `{}'", file_below(top), name.as_str()));
        }
        for (index, level) in self.levels.iter().enumerate().rev().take(LONGEST) {
            let name = level.name.as_str();
            let label = match level.blocks {
                0 => name.to_owned(),
                1 => format!("block in {name}"),
                many => format!("block ({many} levels) in {name}"),
            };
            all.push(format!("{}:{line}:in `{label}'", file_below(index)));
            line = level.line;
        }
        all.drain(..left_out.min(all.len()));
        all
    }
}

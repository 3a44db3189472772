//! Native functions that may stand in for functions of modules: which do, and why.

use std::fmt;

use bunraku_environment::Environment;
use ecow::EcoString;

use super::{Report, own_file, ruby_reason};
use crate::Library;

/// A function of a module for which a native function may stand in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandIn {
    /// Its name.
    pub name: EcoString,
    /// The module that has it.
    pub module: EcoString,
    /// The version of the module, if its metadata says so.
    pub version: Option<EcoString>,
    /// The file of the module that defines it.
    pub file: EcoString,
    /// What answers a call.
    pub way: Way,
}

/// What answers a call of a function that a module has in Ruby.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The native function: it was written from this very file.
    StandIn,
    /// The module's own code, without Ruby: the file is not a known one.
    WithoutRuby,
    /// The module's own code, by Ruby: the file is not a known one.
    Ruby,
    /// The native function, with a warning: the file is not a known one, and there is no Ruby to run it.
    LastResort,
}

impl Way {
    /// A name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Way::StandIn => "stand-in",
            Way::WithoutRuby => "without-ruby",
            Way::Ruby => "ruby",
            Way::LastResort => "last-resort",
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Way::StandIn => "a native function stands in: the file is known",
            Way::WithoutRuby => "the module's own code runs without Ruby: the file is not known",
            Way::Ruby => "Ruby runs the module's own code: the file is not known",
            Way::LastResort => "a native function answers with a warning: the file is not known, and there is no Ruby",
        })
    }
}

/// Adds a function that is called, unless it is there already or nothing could stand in for it.
pub(super) fn add(name: &str, environment: &Environment, library: &Library, has_ruby: bool, report: &mut Report) {
    let name = name.trim_start_matches("::");
    let Some(of) = library.get(name).and_then(|native| native.function.module) else { return };
    if report.stand_ins.iter().any(|known| known.name == name) {
        return;
    }
    let Some(file) = own_file(name, environment, library) else { return };
    // Another module's function of this name has nothing to do with it.
    let Some(module) = file.module.as_ref().filter(|module| *module == of) else { return };
    let metadata = environment.module(module).and_then(|module| module.metadata.as_ref());
    let way = match (library.stand_in(name, environment), ruby_reason(file, environment).is_some()) {
        (Some(_), _) => Way::StandIn,
        (None, false) => Way::WithoutRuby,
        (None, true) if has_ruby => Way::Ruby,
        (None, true) => Way::LastResort,
    };
    report.stand_ins.push(StandIn {
        name: name.into(),
        module: module.clone(),
        version: metadata.map(|metadata| metadata.version.as_str().into()),
        file: (&*file.path).into(),
        way,
    });
}

//! The stages of a compilation, in order.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bunraku_catalog::Catalog;
use bunraku_environment::{Code, Environment, LoadFailure};
use bunraku_hiera::Hiera;
use bunraku_pcore::Value;
use bunraku_syntax::{Diagnostic, Issue, Location, deep};

use crate::build::illegal_jump;
use crate::compilation::{Compilation, Findings};
use crate::eval::eval;
use crate::exported::ExportedResources;
use crate::failure::Failure;
use crate::foreign::Foreign;
use crate::frame::Frame;
use crate::function::Library;
use crate::issues::RUNTIME_ERROR;
use crate::limits::Limits;
use crate::log::Log;
use crate::node::Node;
use crate::profile::{Profile, Recorder};
use crate::settings::Settings;
use crate::shared_types::SharedTypes;
use crate::unwind::{Outcome, Unwind};

/// What a compilation may use besides an environment and its functions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'e> {
    /// Who runs functions, templates and resource types in Ruby.
    pub foreign: Option<&'e dyn Foreign>,
    /// The data of the environment, if it is shared with other compilations.
    pub hiera: Option<&'e Arc<Hiera>>,
    /// The types that the environment's code defines, if they are shared with other compilations.
    pub types: Option<&'e SharedTypes>,
    /// What other nodes export; without it nothing exported is collected.
    pub exported: Option<&'e ExportedResources>,
    /// Whether the catalog has the version that the environment's own command tells, which is run for it.
    pub is_versioned: bool,
    /// When the compilation must end.
    pub limits: Option<&'e Limits>,
    /// What is told where the time went.
    pub profile: Option<&'e Profile>,
}

/// What a compilation gave.
#[derive(Debug)]
pub struct Compiled {
    /// The catalog, or why there is none.
    pub catalog: Result<Catalog, Failure>,
    /// The value of the last statement outside of everything else.
    pub value: Value,
    /// What was said while compiling.
    pub logs: Vec<Log>,
}

/// Compiles the catalog of a node.
///
/// A panic is a bug of ours; it ends this compilation and nothing else.
pub fn compile(environment: &Environment, library: &Library, node: &Node, options: Options<'_>) -> Compiled {
    catch_unwind(AssertUnwindSafe(|| deep(|| compile_all(environment, library, node, options)))).unwrap_or_else(
        |panic| {
            let diagnostic = internal_error(panic.as_ref(), &node.name);
            failed(Failure::of(diagnostic, environment), Vec::new())
        },
    )
}

/// What is said about a bug of ours.
fn internal_error(panic: &(dyn Any + Send), node: &str) -> Diagnostic {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    let reason = text.unwrap_or("no reason is known");
    let message = format!("internal error while compiling for node {node}, please report it: {reason}");
    Issue::new("INTERNAL_ERROR", message).nowhere()
}

fn compile_all(environment: &Environment, library: &Library, node: &Node, options: Options<'_>) -> Compiled {
    match Compilation::new(environment, library, node) {
        Ok(mut compilation) => {
            compilation.foreign = options.foreign;
            compilation.shared_types = options.types;
            compilation.exported = options.exported;
            compilation.is_versioned = options.is_versioned;
            compilation.clock.limits = options.limits.cloned().unwrap_or_default();
            compilation.recorder = options.profile.map(|profile| Recorder::new(profile, &node.name));
            if let Some(hiera) = options.hiera {
                compilation = compilation.with_hiera(Arc::clone(hiera));
            }
            let refused = |issue: Issue, is_parse_failure| {
                failed(Failure::new(vec![issue.nowhere()], 0, is_parse_failure, environment), Vec::new())
            };
            match (compilation.version(), compilation.check_patterns()) {
                (Err(issue), _) => refused(issue, false),
                (_, Err(issue)) => refused(issue, true),
                (Ok(_), Ok(())) => run(compilation),
            }
        }
        Err(failure) => {
            let refused = |issue: Issue| Findings { errors: vec![issue.nowhere()], logs: Vec::new(), warnings: 0 };
            let Findings { errors: diagnostics, logs, warnings } = match failure {
                LoadFailure::Issue(issue) => refused(issue),
                LoadFailure::Diagnostics(diagnostics) => match Settings::of(environment) {
                    Ok(settings) => Findings::new(diagnostics, &settings),
                    Err(issue) => refused(issue),
                },
            };
            let is_in_text =
                |diagnostic: &Diagnostic| matches!(diagnostic.location, Location::Span(_) | Location::File(_));
            let is_parse_failure = diagnostics.iter().any(is_in_text);
            failed(Failure::new(diagnostics, warnings, is_parse_failure, environment), logs)
        }
    }
}

fn run(mut compilation: Compilation<'_>) -> Compiled {
    let outcome = compilation.evaluate();
    let logs = std::mem::take(&mut compilation.logs);
    let environment = compilation.environment;
    // What could not be read may be what was looked for in vain, or what would have won over what was found.
    let fault = environment.fault().cloned();
    let diagnostic = match (fault, outcome) {
        (Some(fault), _) => fault.nowhere(),
        (None, Err(unwind)) => compilation.diagnostic(unwind),
        (None, Ok(value)) => match compilation.into_catalog() {
            Ok(catalog) => return Compiled { catalog: Ok(catalog), value, logs },
            Err(issue) => issue.nowhere(),
        },
    };
    failed(Failure::of(diagnostic, environment), logs)
}

fn failed(failure: Failure, logs: Vec<Log>) -> Compiled {
    Compiled { catalog: Err(failure), value: Value::Undef, logs }
}

impl<'e> Compilation<'e> {
    /// The version of the code, if the catalog has one and the environment tells it.
    pub(crate) fn version(&self) -> Result<Option<&'e str>, Issue> {
        if self.is_versioned { self.environment.config_version() } else { Ok(None) }
    }

    /// The error that ended an evaluation, with what else there is to say about it.
    pub fn diagnostic(&mut self, unwind: Unwind) -> Diagnostic {
        let mut diagnostic = diagnostic(unwind);
        diagnostic.notes.append(&mut self.remarks);
        diagnostic
    }

    /// Evaluates the main manifests and nothing else, so that more code can follow.
    pub fn begin(&mut self) -> Outcome {
        self.prepare()?;
        self.evaluate_main()
    }

    /// Sets what every program can refer to: facts, settings, the main stage.
    pub fn prepare(&mut self) -> Outcome<()> {
        self.resolve_parameter_types()?;
        self.add_main_stage()?;
        self.set_node_parameters()?;
        self.create_settings_scope()
    }

    /// Evaluates more code at top scope, with all that it declares.
    pub fn evaluate_more(&mut self, code: &'e Code) -> Outcome {
        self.definitions.add(code).map_err(|failure| self.load_failure(failure))?;
        self.log_load_warnings();
        self.resolve_parameter_types()?;
        let value = eval(&code.program.body, &mut Frame::top(self)).map_err(illegal_jump)?;
        self.evaluate_generators()?;
        Ok(value)
    }

    /// The table of contents: what happens in a compilation, in the order in which it happens. Gives the value of the last
    /// statement of the main manifests.
    pub fn evaluate(&mut self) -> Outcome {
        let value = self.begin()?;
        self.evaluate_node_definition()?;
        self.declare_node_classes()?;
        self.evaluate_generators()?;
        self.finish()?;
        self.refuse_leftovers()?;
        self.check_relationships()?;
        self.check_references()?;
        self.check_late_aliases()?;
        self.resolve_rich_data()?;
        Ok(value)
    }
}

/// The error that ended an evaluation.
pub fn diagnostic(unwind: Unwind) -> Diagnostic {
    match illegal_jump(unwind) {
        Unwind::Error(diagnostic) => *diagnostic,
        // An error that no expression took up has no code in the reference.
        Unwind::Issue(issue) if issue.code() == RUNTIME_ERROR => Issue::new("", issue.message()).nowhere(),
        Unwind::Issue(issue) => issue.nowhere(),
        other => Issue::new("", format!("{other:?}")).nowhere(),
    }
}

//! Calls of templates and functions in code, and declarations of resources, as the index of a file has them.

use bunraku_environment::Environment;
use bunraku_index::{Definition, FileIndex, Kind, Use};
use bunraku_ruby::forecast;
use bunraku_syntax::Source;
use bunraku_syntax::ast::Program;
use ecow::{EcoString, eco_format};

use super::{Need, NeedKind, Report, resource_types, ruby_function, stand_ins};
use crate::Library;

/// Searches code for what needs Ruby.
#[derive(Clone, Copy)]
pub(super) struct Search<'s> {
    pub(super) environment: &'s Environment,
    pub(super) library: &'s Library,
    pub(super) has_ruby: bool,
}

impl Search<'_> {
    /// Adds what a file needs; what a class needs is said to be the class's.
    pub(super) fn read(&self, source: &Source, program: &Program, report: &mut Report) {
        let index = FileIndex::new(program);
        let first = report.needs.len();
        let mut function = "";
        for used in &index.uses {
            match used.kind {
                Kind::ResourceType => resource_types::add(&used.name, self.environment, report),
                Kind::Function => {
                    function = used.name.as_str();
                    if let Some(reason) = ruby_function(function, self.environment, self.library) {
                        let name = used.name.clone();
                        report.needs.push(need(NeedKind::Function, name, used, Some(reason), &index, source));
                    }
                    stand_ins::add(function, self.environment, self.library, self.has_ruby, report);
                }
                // The arguments of a call stand right behind its name.
                Kind::Template if function == "template" => {
                    if let Some(reason) = self.template_reason(&used.name) {
                        let name =
                            if used.name.is_empty() { source.slice(used.span).into() } else { used.name.clone() };
                        report.needs.push(need(NeedKind::Template, name, used, reason, &index, source));
                    }
                }
                Kind::InlineTemplate if function == "inline_template" => {
                    if let Some(reason) = inline_reason(&used.name) {
                        report.needs.push(need(NeedKind::Template, "inline".into(), used, reason, &index, source));
                    }
                }
                _ => {}
            }
        }
        if let Some(found) = report.needs.get_mut(first..) {
            found.sort_by_key(|need| need.line);
        }
    }

    /// Why a template may need Ruby: the reason, if it is known which one it is.
    fn template_reason(&self, name: &str) -> Option<Option<EcoString>> {
        if name.is_empty() {
            return Some(None);
        }
        let path = self.environment.find_template(name)?;
        let text = self.environment.world().read_text(&path).ok()?;
        forecast::of_template(&text).map(|reason| Some(super::shown(&reason, &path)))
    }
}

/// The same for one that is written in the code.
fn inline_reason(text: &str) -> Option<Option<EcoString>> {
    if text.is_empty() {
        return Some(None);
    }
    forecast::of_template(text).map(|reason| Some(super::shown(&reason, "inline")))
}

fn need(
    kind: NeedKind,
    name: EcoString,
    used: &Use,
    reason: Option<EcoString>,
    index: &FileIndex,
    source: &Source,
) -> Need {
    let file = source.path.clone().unwrap_or_default();
    let line = source.line_column(used.span.start).0;
    Need { kind, name, user: user_of(used, index, source), file, line, reason }
}

/// The definition around a use, or the file.
fn user_of(used: &Use, index: &FileIndex, source: &Source) -> EcoString {
    let around = index.definitions.iter().filter(|it| it.span.contains(used.span));
    let label = |definition: &Definition| {
        let name = &definition.name;
        Some(match definition.kind {
            Kind::Class => eco_format!("class {name}"),
            Kind::ResourceType => eco_format!("defined type {name}"),
            Kind::Function => eco_format!("function {name}"),
            Kind::Plan => eco_format!("plan {name}"),
            Kind::Node => "a node definition".into(),
            Kind::TypeAlias => eco_format!("type {name}"),
            _ => return None,
        })
    };
    let is_template = source.path.as_deref().is_some_and(|path| path.ends_with(".epp"));
    let file = if is_template { "this template" } else { "the main manifest" };
    around.rev().find_map(label).unwrap_or_else(|| file.into())
}

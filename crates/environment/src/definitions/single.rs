//! Files that hold one function or one type alias, and nothing else.

use bunraku_syntax::Issue;
use bunraku_syntax::ast::{self, ExprKind};

use super::Defined;
use crate::files::Code;
use crate::issues::{self, Entity};

/// The function a file is for.
pub(super) fn function<'e>(name: &str, code: &'e Code) -> Result<Defined<'e, ast::Function>, Issue> {
    let ast::Definition::Function(function) = only_definition(Entity::Function, name, code)? else {
        return Err(issues::loaded_other(Entity::Function, name, path(code)));
    };
    if *function.name != name {
        return Err(issues::loaded_wrong_name(Entity::Function, name, &function.name, path(code)));
    }
    refuse_logic(Entity::Function, name, code)?;
    Ok(Defined { name: name.into(), module: code.module.as_deref(), definition: function })
}

/// The type alias a file is for, by its name in lower case.
pub(super) fn type_alias<'e>(name: &str, code: &'e Code) -> Result<Defined<'e, ast::TypeAlias>, Issue> {
    let ast::Definition::TypeAlias(alias) = only_definition(Entity::Type, name, code)? else {
        return Err(issues::loaded_other(Entity::Type, name, path(code)));
    };
    if alias.name.to_lowercase() != name {
        return Err(issues::loaded_wrong_name(Entity::Type, name, &alias.name, path(code)));
    }
    refuse_logic(Entity::Type, name, code)?;
    Ok(Defined { name: name.into(), module: code.module.as_deref(), definition: alias })
}

fn only_definition<'e>(entity: Entity, name: &str, code: &'e Code) -> Result<&'e ast::Definition, Issue> {
    match code.definitions() {
        [] => Err(issues::loaded_empty(entity, name, path(code))),
        [definition] => Ok(definition),
        _ => Err(issues::loaded_more(entity, name, path(code))),
    }
}

fn refuse_logic(entity: Entity, name: &str, code: &Code) -> Result<(), Issue> {
    match code.program.body.kind {
        ExprKind::Definition(_) => Ok(()),
        _ => Err(issues::loaded_logic(entity, name, path(code))),
    }
}

fn path(code: &Code) -> &str {
    code.path.as_deref().unwrap_or_default()
}

//! The signatures of a Ruby function as the compiler's data types, so that calls are dispatched as those of any
//! other function.

use std::sync::Arc;

use bunraku_compiler::foreign::Returned;
use bunraku_compiler::function::{Block, Role, Typed, check_arity};
use bunraku_compiler::{Frame, Outcome, issues};
use bunraku_pcore::data_types::{CallableType, IntegerType, TupleType, TypeAlias};
use bunraku_pcore::{Type, Value, mismatch};

use crate::sidecar::{Dispatch, Function, ParameterKind, Signature};

/// A function and how it may be called.
#[derive(Debug)]
pub(crate) struct Callable {
    implementation: Implementation,
    /// One for each dispatch; empty for a function of the old kind.
    signatures: Vec<Typed>,
}

/// Who runs a function.
#[derive(Debug)]
pub(crate) enum Implementation {
    /// The helper, which has described it.
    Helper(Function),
    /// The interpreter of this program; the helper if need be.
    Interpreter(Function),
}

impl Implementation {
    pub(crate) fn function(&self) -> &Function {
        match self {
            Implementation::Helper(function) | Implementation::Interpreter(function) => function,
        }
    }

    /// Another function of the same file.
    pub(crate) fn other(&self, function: Function) -> Implementation {
        match self {
            Implementation::Helper(_) => Implementation::Helper(function),
            Implementation::Interpreter(_) => Implementation::Interpreter(function),
        }
    }
}

impl Callable {
    pub(crate) fn new(implementation: Implementation, frame: &mut Frame<'_, '_>) -> Outcome<Callable> {
        let mut signatures = Vec::new();
        if let Signature::New { dispatches, local_types, .. } = &implementation.function().signature {
            let mut aliases = Vec::new();
            for declaration in local_types {
                define_alias(declaration, &mut aliases, frame)?;
            }
            for dispatch in dispatches {
                signatures.push(typed(dispatch, &aliases, frame)?);
            }
        }
        Ok(Callable { implementation, signatures })
    }

    /// The function as its file declares it.
    pub(crate) fn function(&self) -> &Function {
        self.implementation.function()
    }

    /// The last thing a file of the new kind does is to create the function it is named for.
    pub(crate) fn check_name(&self, name: &str) -> Outcome<()> {
        let Function { path, name: found, signature, .. } = self.function();
        if matches!(signature, Signature::Old { .. }) || found == name {
            return Ok(());
        }
        let message = format!("The code loaded from {path} produced mis-matched name, expected '{name}', got {found}");
        Err(issues::runtime(message).into())
    }

    /// Whether the interpreter of this program runs it.
    pub(crate) fn is_interpreted(&self) -> bool {
        matches!(self.implementation, Implementation::Interpreter(_))
    }

    /// The dispatch that accepts the arguments; nothing for a function that chooses it itself.
    pub(crate) fn choose_for_call(&self, args: &[Value], block: Option<&Block<'_>>) -> Outcome<Option<usize>> {
        match self.function().signature {
            Signature::New { has_own_call: true, .. } => Ok(None),
            _ => self.choose(args, block).map(Some),
        }
    }

    /// The dispatch that accepts the arguments.
    pub(crate) fn choose(&self, args: &[Value], block: Option<&Block<'_>>) -> Outcome<usize> {
        if let Signature::Old { arity, .. } = self.function().signature {
            check_arity(&self.function().name, i32::try_from(arity).unwrap_or(-1), args.len())?;
            return Ok(0);
        }
        let block_type = block.map(Block::data_type);
        let accepts = |typed: &Typed| typed.callable.is_callable_with(args, block_type.as_ref());
        self.signatures.iter().position(accepts).ok_or_else(|| self.mismatch(args, block_type.as_ref()).into())
    }

    /// What it says it returns for these arguments.
    pub(crate) fn returned(&self, args: &[Value]) -> Returned {
        if let Signature::Old { arity, .. } = self.function().signature {
            let is_right = check_arity(&self.function().name, i32::try_from(arity).unwrap_or(-1), args.len()).is_ok();
            return if is_right { Returned::Undeclared } else { Returned::NoDispatch };
        }
        match self.signatures.iter().find(|typed| typed.callable.is_callable_with(args, None)) {
            Some(typed) => typed.callable.returned.clone().map_or(Returned::Undeclared, Returned::Type),
            None => Returned::NoDispatch,
        }
    }

    /// What a call gives: the value, if it is what the dispatch says it returns. A dispatch that matches wrong
    /// arguments returns the message about them.
    pub(crate) fn check_returned(&self, dispatch: Option<usize>, value: Value) -> Outcome {
        let Some(typed) = dispatch.and_then(|dispatch| self.signatures.get(dispatch)) else { return Ok(value) };
        let name = &self.function().name;
        if typed.role == Role::Mismatch {
            return Err(issues::runtime(format!("'{name}' {value}")).into());
        }
        if let Some(expected) = typed.callable.returned.as_ref().filter(|expected| !expected.is_instance(&value)) {
            let method = self.method(dispatch).unwrap_or(name);
            mismatch::assert_instance(&format!("value returned from function '{method}'"), expected, &value)?;
        }
        Ok(value)
    }

    /// The method of a dispatch, by which messages about what it returns name it.
    fn method(&self, dispatch: Option<usize>) -> Option<&str> {
        let Signature::New { dispatches, .. } = &self.function().signature else { return None };
        dispatches.get(dispatch?).map(|dispatch| dispatch.method.as_str())
    }

    fn mismatch(&self, args: &[Value], block_type: Option<&Type>) -> bunraku_syntax::Issue {
        let offered = self.signatures.iter().filter(|typed| typed.role == Role::Offered);
        let described: Vec<_> = offered
            .map(|typed| mismatch::Signature {
                callable: &typed.callable,
                names: &typed.names,
                block_name: &typed.block_name,
            })
            .collect();
        issues::runtime(mismatch::describe_signatures(&self.function().name, &described, args, block_type))
    }
}

/// `Port = Integer[1, 65535]`; it may refer to itself and to those before it.
fn define_alias(declaration: &str, aliases: &mut Vec<Type>, frame: &mut Frame<'_, '_>) -> Outcome<()> {
    let Some((name, right)) = declaration.split_once('=') else {
        let message = format!("Expected a type alias assignment on the form 'AliasType = T', got '{declaration}'");
        return Err(issues::runtime(message).into());
    };
    let alias: Arc<TypeAlias> = TypeAlias::new(name.trim());
    aliases.push(Type::Alias(alias.clone()));
    let right = frame.data_type(right.trim(), aliases)?;
    alias.define(&right)?;
    Ok(())
}

fn typed(dispatch: &Dispatch, aliases: &[Type], frame: &mut Frame<'_, '_>) -> Outcome<Typed> {
    let (mut types, mut names, mut least, mut most) = (Vec::new(), Vec::new(), 0, Some(0));
    for parameter in &dispatch.parameters {
        types.push(frame.data_type(&parameter.data_type, aliases)?);
        names.push(parameter.name.as_str().into());
        least += i64::from(matches!(parameter.kind, ParameterKind::Required | ParameterKind::RequiredRepeated));
        most = match parameter.kind {
            ParameterKind::Repeated | ParameterKind::RequiredRepeated => None,
            ParameterKind::Required | ParameterKind::Optional => most.map(|most: i64| most + 1),
        };
    }
    let size = IntegerType { from: Some(least), to: most };
    let block = match &dispatch.block {
        None => None,
        Some(block) => {
            let data_type = frame.data_type(&block.data_type, aliases)?;
            Some(if block.is_optional { Type::optional(data_type) } else { data_type })
        }
    };
    let returned = match &dispatch.return_type {
        None => None,
        Some(text) => Some(frame.data_type(text, aliases)?),
    };
    Ok(Typed {
        callable: CallableType { parameters: Some(TupleType::new(types, Some(size))), block, returned },
        names,
        block_name: dispatch.block.as_ref().map_or("block", |block| block.name.as_str()).into(),
        role: if dispatch.is_mismatch { Role::Mismatch } else { Role::Offered },
    })
}

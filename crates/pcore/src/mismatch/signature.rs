//! Why a call does not fit the signatures of a function.

use std::fmt::Write;

use ecow::EcoString;

use bunraku_syntax::Issue;

use super::compare::describe;
use super::{Kind, Mismatch, SizeKind, Step, merge_choices};
use crate::data_type::Type;
use crate::data_types::{CallableType, IntegerType, TupleType};
use crate::value::Value;

/// A signature of a function: its type and the names of its parameters.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'s> {
    /// The types of parameters, block and result.
    pub callable: &'s CallableType,
    /// The names of the parameters.
    pub names: &'s [EcoString],
    /// The name of the block parameter.
    pub block_name: &'s str,
}

impl Signature<'_> {
    /// An issue if a parameter is an `Init` that nothing can be asked of.
    pub fn check_inits(&self, args: &[Value]) -> Result<(), Issue> {
        let Some(tuple) = &self.callable.parameters else { return Ok(()) };
        let size = tuple.size_range();
        let count = i64::try_from(args.len()).unwrap_or(i64::MAX);
        if size.from.is_some_and(|from| count < from) || size.to.is_some_and(|to| count > to) {
            return Ok(());
        }
        for (index, arg) in args.iter().enumerate() {
            let Some(parameter) = tuple.type_at(index) else { break };
            parameter.check_inits_for(arg)?;
            if !parameter.is_instance(arg) {
                break;
            }
        }
        Ok(())
    }
}

/// Why none of the signatures accepts the arguments and the type of the block. `name` is that of the function;
/// a lambda is called `lambda`.
pub fn describe_signatures(name: &str, signatures: &[Signature<'_>], args: &[Value], block: Option<&Type>) -> String {
    let args: Vec<Type> = args.iter().map(Type::infer_detailed).collect();
    let mut choices: Vec<Vec<Mismatch>> = signatures
        .iter()
        .enumerate()
        .map(|(index, signature)| describe_arguments(signature, &args, &[Step::Signature(index)]))
        .collect();
    if choices.iter().any(Vec::is_empty) {
        add_block_mismatches(signatures, block, &mut choices);
    }
    let label = if name == "lambda" { "block".to_owned() } else { format!("'{name}'") };
    let merged = merge_choices(0, SizeKind::Count, &choices);
    if let [error] = merged.as_slice() {
        return format!("{label}{error}");
    }
    let (mut text, indent) = match signatures {
        [_] => (label, ""),
        _ => (format!("The function {label} was called with arguments it does not accept. It expects one of:"), "  "),
    };
    for (signature, errors) in signatures.iter().zip(choices) {
        let separator = if indent.is_empty() { " expects (" } else { "\n  (" };
        // Writing to a string does not fail.
        let _ = write!(text, "{separator}{})", signature_text(signature));
        for error in errors {
            let _ = write!(text, "\n{indent}  rejected:{}", error.without_step(0));
        }
    }
    text
}

/// The signature that comes closest to accepting the arguments, and the first argument that it does not.
pub fn closest<'s>(signatures: &[Signature<'s>], args: &[Value]) -> Option<(Signature<'s>, Option<usize>)> {
    let accepted = |signature: &Signature<'_>| {
        let any = TupleType::new(Vec::new(), None);
        let parameters = signature.callable.parameters.as_ref().unwrap_or(&any);
        let has_size = parameters.size_range().covers(&IntegerType::size(args.len()));
        let fits = |(index, argument): (usize, &Value)| {
            let position = index.min(parameters.types.len().saturating_sub(1));
            parameters.types.get(position).is_none_or(|parameter| parameter.is_instance(argument))
        };
        (has_size, args.iter().enumerate().take_while(|it| fits(*it)).count())
    };
    // Of equally close ones the first counts.
    let best = signatures.iter().rev().max_by_key(|signature| accepted(signature))?;
    let (has_size, count) = accepted(best);
    Some((*best, Some(count).filter(|count| has_size && *count < args.len())))
}

/// Adds what is wrong with the block, where the arguments are right.
fn add_block_mismatches(signatures: &[Signature<'_>], block: Option<&Type>, choices: &mut Vec<Vec<Mismatch>>) {
    let blocks: Vec<Vec<Mismatch>> = signatures
        .iter()
        .enumerate()
        .map(|(index, signature)| describe_block(signature, block, &[Step::Signature(index)]))
        .collect();
    if blocks.iter().all(|mismatches| !mismatches.is_empty()) {
        *choices = blocks;
        return;
    }
    for (choice, block) in choices.iter_mut().zip(blocks) {
        if choice.is_empty() {
            *choice = block;
        }
    }
}

fn describe_arguments(signature: &Signature<'_>, args: &[Type], path: &[Step]) -> Vec<Mismatch> {
    let any = TupleType::new(Vec::new(), None);
    let parameters = signature.callable.parameters.as_ref().unwrap_or(&any);
    let expected = parameters.size_range();
    let actual = IntegerType::size(args.len());
    if !expected.covers(&actual) {
        return vec![Mismatch::new(path, Kind::Count { expected, actual })];
    }
    for (index, argument) in args.iter().enumerate() {
        let position = index.min(parameters.types.len().saturating_sub(1));
        let Some(parameter) = parameters.types.get(position) else { continue };
        if parameter.is_assignable(argument) {
            continue;
        }
        let name = signature.names.get(position).cloned().unwrap_or_default();
        let step = [path, &[Step::Parameter(name)]].concat();
        let mismatches = describe(parameter, argument, &step);
        if !mismatches.is_empty() {
            return mismatches;
        }
    }
    Vec::new()
}

fn describe_block(signature: &Signature<'_>, block: Option<&Type>, path: &[Step]) -> Vec<Mismatch> {
    match (&signature.callable.block, block) {
        (None, Some(_)) => vec![Mismatch::new(path, Kind::UnexpectedBlock)],
        (Some(expected), Some(block)) => describe(expected, block, &[path, &[Step::Block]].concat()),
        (Some(expected), None) if !expected.accepts_undef() => vec![Mismatch::new(path, Kind::MissingRequiredBlock)],
        (_, None) => Vec::new(),
    }
}

/// The parameters of a signature as messages show them: `Integer x, String rest*`.
pub fn signature_text(signature: &Signature<'_>) -> String {
    let any = TupleType::new(Vec::new(), None);
    let parameters = signature.callable.parameters.as_ref().unwrap_or(&any);
    let size = parameters.size_range();
    if size.is_zero() {
        return String::new();
    }
    let count = if signature.names.is_empty() { parameters.types.len() } else { signature.names.len() };
    let mut texts: Vec<String> = Vec::new();
    for index in 0..count {
        let Some(mut data_type) = parameters.type_at(index) else { continue };
        let required = size.from.unwrap_or(0);
        let number = i64::try_from(index).unwrap_or(i64::MAX).saturating_add(1);
        let indicator = if size.to.is_none() && index + 1 == count {
            if required == number { "+" } else { "*" }
        } else if number > required {
            if let Type::Optional(optional) = data_type {
                data_type = optional.contained.as_ref().unwrap_or(data_type);
            }
            "?"
        } else {
            ""
        };
        let name = signature.names.get(index).map_or("", EcoString::as_str);
        texts.push(format!("{data_type} {name}{indicator}"));
    }
    match &signature.callable.block {
        Some(Type::Optional(optional)) => {
            if let Some(block) = &optional.contained {
                texts.push(format!("{block} {}?", signature.block_name));
            }
        }
        Some(block @ Type::Callable(_)) => texts.push(format!("{block} {}", signature.block_name)),
        _ => {}
    }
    texts.join(", ")
}

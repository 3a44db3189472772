//! The signature of a native function: its Puppet header, read once and turned into types to dispatch by.

use ecow::EcoString;

use bunraku_pcore::data_types::{CallableType, IntegerType, TupleType, TypeAlias};
use bunraku_pcore::parse::{Resolve, parse_type};
use bunraku_pcore::{Type, mismatch};
use bunraku_syntax::Issue;

use crate::issues;

/// How a native function may be called.
#[derive(Clone, Debug)]
pub enum Signature {
    /// By types.
    Typed(Typed),
    /// By the number of arguments alone, as 3.x functions: `-3` means at least two.
    Arity(i32),
}

/// The types and names of a signature.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The types of parameters, block and result.
    pub callable: CallableType,
    /// The names of the parameters, for messages.
    pub names: Vec<EcoString>,
    /// The name of the block.
    pub block_name: EcoString,
    /// What it is there for.
    pub role: Role,
}

/// What a signature is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// To be called, and to be shown when a call fits no signature.
    Offered,
    /// To be called. `hidden (…)` is a form that newer versions of the reference have; messages do not show it.
    Hidden,
    /// To say what is wrong with arguments that fit no other signature: `mismatch (…)`.
    Mismatch,
}

impl Signature {
    /// The signature as messages about a mismatch show it.
    pub fn described(&self) -> Option<mismatch::Signature<'_>> {
        match self {
            Signature::Typed(Typed { callable, names, block_name, role: Role::Offered }) => {
                Some(mismatch::Signature { callable, names, block_name })
            }
            Signature::Arity(_) | Signature::Typed(_) => None,
        }
    }

    /// Reads `(String $text, Integer $count = undef, Any *$rest, Callable &$block) >> Result` or `arity N`. Types that are
    /// not built in are found by their names; those that are not found stay references.
    pub fn parse<E: From<Issue>>(text: &str, resolve: &mut Resolve<'_, E>) -> Result<Signature, E> {
        if let Some(arity) = text.strip_prefix("arity ") {
            return Ok(arity.parse().map(Signature::Arity).map_err(|_| malformed(text))?);
        }
        let (role, text) = match (text.strip_prefix("hidden "), text.strip_prefix("mismatch ")) {
            (Some(text), _) => (Role::Hidden, text),
            (_, Some(text)) => (Role::Mismatch, text),
            _ => (Role::Offered, text),
        };
        let mut data_type = |text: &str| parse_type(text, &mut *resolve);
        let (parameters, returned) = match text.rsplit_once(") >> ") {
            Some((parameters, returned)) => (parameters, Some(data_type(returned)?)),
            None => (text.strip_suffix(')').ok_or_else(|| malformed(text))?, None),
        };
        let parameters = parameters.strip_prefix('(').ok_or_else(|| malformed(text))?;
        let mut typed = Typed {
            callable: CallableType { parameters: None, block: None, returned },
            names: Vec::new(),
            block_name: "block".into(),
            role,
        };
        let (mut types, mut least, mut most) = (Vec::new(), 0, Some(0));
        for parameter in split(parameters) {
            let (parameter, optional) = match parameter.strip_suffix(" = undef") {
                Some(parameter) => (parameter, true),
                None => (parameter, false),
            };
            let (type_text, name) = parameter.rsplit_once('$').ok_or_else(|| malformed(text))?;
            let type_text = type_text.trim_end();
            let (type_text, marker) = match type_text.char_indices().next_back() {
                Some((_, marker @ ('*' | '+' | '&'))) => (type_text.trim_end_matches(marker).trim_end(), Some(marker)),
                _ => (type_text, None),
            };
            let data_type = if type_text.is_empty() { Type::Any } else { data_type(type_text)? };
            if marker == Some('&') {
                typed.block_name = name.into();
                typed.callable.block = Some(if optional { Type::optional(data_type) } else { data_type });
                continue;
            }
            types.push(data_type);
            typed.names.push(name.into());
            least += i64::from(marker != Some('*') && !optional);
            most = if marker.is_some() { None } else { most.map(|most: i64| most + 1) };
        }
        let size = IntegerType { from: Some(least), to: most };
        typed.callable.parameters = Some(TupleType::new(types, Some(size)));
        Ok(Signature::Typed(typed))
    }
}

/// Reads `Name = Type`, an alias that only the signatures of one function know; it may refer to itself and to those before.
pub(crate) fn alias(text: &str, before: &[Type]) -> Result<Type, Issue> {
    let (name, definition) = text.split_once(" = ").ok_or_else(|| malformed(text))?;
    let alias = TypeAlias::new(name);
    let known: Vec<Type> = before.iter().cloned().chain([Type::Alias(alias.clone())]).collect();
    alias.define(&parse_type(definition, &mut |name| Ok::<_, Issue>(among(&known, name)))?)?;
    Ok(Type::Alias(alias))
}

/// The alias with this name.
pub(crate) fn among(aliases: &[Type], name: &str) -> Option<Type> {
    aliases.iter().find(|alias| alias.name().eq_ignore_ascii_case(name)).cloned()
}

fn malformed(text: &str) -> Issue {
    issues::runtime(format!("the signature '{text}' cannot be read"))
}

/// The parameters between commas that stand in no bracket or quote.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut quote, mut start) = (Vec::new(), 0_u32, None, 0);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '/') => quote = Some(character),
            (None, '[' | '{' | '(') => depth += 1,
            (None, ']' | '}' | ')') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default().trim());
    parts.retain(|part| !part.is_empty());
    parts
}

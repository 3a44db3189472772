//! Types from text and from the syntax tree. Unlike an evaluated expression a type that is read here may name types
//! that do not exist; they become references.

use std::borrow::Cow;
use std::sync::Arc;

use bunraku_syntax::ast::{self, Access, AttributeOperation, Expr, ExprKind, HashEntry, UnaryOperator};
use bunraku_syntax::{FileId, Location, Source, Span, deep};
use ecow::{EcoString, eco_format};

use crate::data_type::Type;
use crate::data_types::{ClassType, IntegerType, ObjectType, TupleType, TypeAlias, TypeSetType, capitalize_segments};
use crate::hash::Hash;
use crate::issues::{self, Issue};
use crate::label::host_class;
use crate::mismatch;
use crate::parameterize::{self, parameterize};
use crate::regexps::Regexps;
use crate::value::Value;

/// Finds the types that are not built in by their names: aliases, object types, resource types.
pub type Resolve<'r, E> = dyn FnMut(&str) -> Result<Option<Type>, E> + 'r;

/// Reads the type that an expression stands for; `text` is the source of the expression.
pub fn interpret<E: From<Issue>>(expr: &Expr, text: &str, resolve: &mut Resolve<'_, E>) -> Result<Type, E> {
    Reader { text, quoted: None, resolve, regexps: &Regexps::default() }.data_type(expr)
}

/// Reads a type from text; names that are not built in become references.
pub fn data_type(text: &str) -> Result<Type, Issue> {
    parse_type(text, &mut |_| Ok(None))
}

/// Reads a type from text. A syntax error keeps its code, unless the text ends too early.
pub fn parse_type<E: From<Issue>>(text: &str, resolve: &mut Resolve<'_, E>) -> Result<Type, E> {
    // A name is the most common case, and needs no parser.
    if text.starts_with(|first: char| first.is_ascii_uppercase())
        && let Some(found) = Type::by_name(text)
    {
        return Ok(found);
    }
    // Compatibility: the only way to give an array a size without the type of its elements.
    if text == "Array[1]" {
        return Ok(Type::array(Type::Any, Some(IntegerType { from: Some(1), to: None })));
    }
    let source = Source::string(FileId(0), text);
    let parsed = bunraku_syntax::parse(&source);
    match parsed.first_error() {
        Some(error) if matches!(error.location, Location::Span(_)) => Err(error.issue.clone().into()),
        Some(error) => Err(issues::runtime_error(error.issue.message()).into()),
        None => interpret(single(&parsed.program.body), text, resolve),
    }
}

/// The only statement of a block, or the block.
fn single(body: &Expr) -> &Expr {
    match &body.kind {
        ExprKind::Block(statements) => match &**statements {
            [only] => only,
            _ => body,
        },
        _ => body,
    }
}

/// The type that `type name = …` makes, before its right side is read: an alias, an object type or a type set.
pub fn declare(definition: &ast::TypeAlias) -> Type {
    declare_named(&definition.name, &definition.type_expr)
}

fn declare_named(name: &str, right: &Expr) -> Type {
    match definition_hash(right) {
        Some(("Object", _)) => Type::Object(ObjectType::declared(name)),
        Some(("TypeSet", _)) => Type::TypeSet(TypeSetType::declared(name)),
        _ => Type::Alias(TypeAlias::new(name)),
    }
}

/// Reads the right side of `type name = …` for a type that [`declare`] made. It may refer to that type.
pub fn define<E: From<Issue>>(
    declared: &Type,
    definition: &ast::TypeAlias,
    text: &str,
    regexps: &Regexps,
    resolve: &mut Resolve<'_, E>,
) -> Result<(), E> {
    let right = &definition.type_expr;
    // Compatibility: the reference quotes a type with parameters from the name of the alias to the last parameter.
    let quoted = match &right.kind {
        ExprKind::Access(access) => {
            access.keys.last().map(|last| Quoted { expr: right, start: definition.name.span.start, end: last.span.end })
        }
        _ => None,
    };
    define_right(declared, right, &mut Reader { text, quoted, resolve, regexps })
}

fn define_right<E: From<Issue>>(declared: &Type, right: &Expr, reader: &mut Reader<'_, '_, E>) -> Result<(), E> {
    match declared {
        Type::Alias(alias) => {
            let right = reader.data_type(right)?;
            Ok(alias.define(&right)?)
        }
        Type::Object(object_type) => match reader.value(definition_hash(right).map_or(right, |(_, hash)| hash))? {
            Value::Hash(hash) => Ok(object_type.define(&hash)?),
            _ => Err(reader.invalid(right)),
        },
        Type::TypeSet(type_set) => define_type_set(type_set, right, reader),
        _ => Ok(()),
    }
}

/// Reads a type set. Its types may refer to each other by their names in the set.
fn define_type_set<E: From<Issue>>(
    type_set: &TypeSetType,
    right: &Expr,
    reader: &mut Reader<'_, '_, E>,
) -> Result<(), E> {
    let Some((_, Expr { kind: ExprKind::Hash(entries), .. })) = definition_hash(right) else { return Ok(()) };
    let mut others = Hash::new();
    let mut types: Option<Vec<(EcoString, Type)>> = None;
    let mut rights: Vec<Cow<'_, Expr>> = Vec::new();
    for entry in entries {
        match (reader.value(&entry.key)?, &entry.value.kind) {
            (key, ExprKind::Hash(definitions)) if key.as_str() == Some("types") => {
                let types = types.get_or_insert_default();
                for inner in definitions {
                    let name = match &inner.key.kind {
                        ExprKind::TypeName(name) | ExprKind::Name(name) | ExprKind::String(name) => name.clone(),
                        _ => return Err(reader.invalid(&inner.key)),
                    };
                    let full_name = eco_format!("{}::{name}", type_set.set_name());
                    let right = inheriting(&inner.value);
                    types.push((name, declare_named(&full_name, &right)));
                    rights.push(right);
                }
            }
            (key, ExprKind::Hash(references)) if key.as_str() == Some("references") => {
                let entries = references.iter().map(|entry| match &entry.key.kind {
                    ExprKind::TypeName(alias) => Ok((alias.clone().into(), reader.value(&entry.value)?)),
                    _ => Ok((reader.value(&entry.key)?, reader.value(&entry.value)?)),
                });
                others.insert(key, Value::hash(entries.collect::<Result<Vec<_>, E>>()?));
            }
            (key, _) => {
                let value = reader.value(&entry.value)?;
                others.insert(key, value);
            }
        }
    }
    type_set.define(others, types.clone())?;
    let types = types.unwrap_or_default();
    let outer = &mut *reader.resolve;
    for reference in type_set.references() {
        // One that is not there is complained about when a type of the set is asked for.
        let _ = reference.resolve(type_set, outer(&reference.name)?);
    }
    let mut resolve = |name: &str| match type_set.get(name) {
        Some(data_type) => Ok(Some(data_type)),
        None => outer(name),
    };
    let mut reader = Reader { text: reader.text, quoted: None, resolve: &mut resolve, regexps: reader.regexps };
    for ((_, declared), right) in types.iter().zip(rights) {
        define_right(declared, &right, &mut reader)?;
    }
    Ok(())
}

/// In a type set `Parent {…}`, which elsewhere sets defaults of resources, is an object type with a parent.
fn inheriting(right: &Expr) -> Cow<'_, Expr> {
    let ExprKind::ResourceDefaults(defaults) = &right.kind else { return Cow::Borrowed(right) };
    let span = defaults.type_name.span;
    let parent = has_parent(defaults).then(|| (EcoString::from("parent"), defaults.type_name.clone(), span));
    let attributes = defaults.operations.iter().filter_map(|operation| match operation {
        AttributeOperation::Attribute { name, value, span, .. } => Some((name.name.clone(), value.clone(), *span)),
        AttributeOperation::Unfold { .. } => None,
    });
    let entry = |(name, value, span)| HashEntry { key: Expr { kind: ExprKind::Name(name), span }, value, arrow: span };
    let entries = parent.into_iter().chain(attributes).map(entry).collect();
    Cow::Owned(Expr { kind: ExprKind::Hash(entries), span: right.span })
}

fn has_parent(defaults: &ast::ResourceDefaults) -> bool {
    !matches!(&defaults.type_name.kind, ExprKind::TypeName(name) if name == "Object" || name == "TypeSet")
}

/// The hash of `Object[{…}]` or `TypeSet[{…}]`, or the hash alone, which stands for an object type.
fn definition_hash(right: &Expr) -> Option<(&'static str, &Expr)> {
    let access = match &right.kind {
        ExprKind::Hash(_) => return Some(("Object", right)),
        ExprKind::Access(access) => access,
        _ => return None,
    };
    let ExprKind::TypeName(name) = &access.left.kind else { return None };
    let kind = ["Object", "TypeSet"].into_iter().find(|kind| name == kind)?;
    match &*access.keys {
        [hash] if matches!(hash.kind, ExprKind::Hash(_)) => Some((kind, hash)),
        _ => None,
    }
}

struct Reader<'r, 's, E> {
    text: &'r str,
    quoted: Option<Quoted<'r>>,
    resolve: &'r mut Resolve<'s, E>,
    regexps: &'r Regexps,
}

/// The bytes that are quoted for an expression.
struct Quoted<'r> {
    expr: &'r Expr,
    start: u32,
    end: u32,
}

impl<E: From<Issue>> Reader<'_, '_, E> {
    fn data_type(&mut self, expr: &Expr) -> Result<Type, E> {
        match self.value(expr)? {
            Value::Type(data_type) => Ok(data_type),
            _ => Err(self.invalid(expr)),
        }
    }

    fn value(&mut self, expr: &Expr) -> Result<Value, E> {
        deep(|| {
            Ok(match &expr.kind {
                ExprKind::TypeName(name) => {
                    Value::Type(self.named(name)?.unwrap_or_else(|| Type::reference(name.clone())))
                }
                ExprKind::Access(access) => self.access(expr, access)?,
                ExprKind::Undef => Value::Undef,
                ExprKind::Default => Value::Default,
                ExprKind::Boolean(value) => Value::Boolean(*value),
                ExprKind::Integer { value, .. } => Value::Integer(*value),
                ExprKind::Float(value) => Value::Float(*value),
                ExprKind::String(text) | ExprKind::Name(text) => Value::String(text.clone()),
                ExprKind::Regexp(source) => Value::Regexp(self.regexps.get(source)?),
                ExprKind::Heredoc(heredoc) => self.value(&heredoc.text)?,
                ExprKind::Array(elements) => {
                    Value::array(elements.iter().map(|element| self.value(element)).collect::<Result<Vec<_>, _>>()?)
                }
                ExprKind::Hash(entries) => {
                    let entries = entries.iter().map(|entry| Ok((self.value(&entry.key)?, self.value(&entry.value)?)));
                    Value::hash(entries.collect::<Result<Vec<_>, E>>()?)
                }
                ExprKind::Unary(UnaryOperator::Minus, operand) => match self.value(operand)? {
                    Value::Integer(number) => Value::Integer(number.wrapping_neg()),
                    Value::Float(number) => Value::Float(-number),
                    _ => return Err(self.invalid(expr)),
                },
                _ => return Err(self.invalid(expr)),
            })
        })
    }

    fn named(&mut self, name: &str) -> Result<Option<Type>, E> {
        match Type::by_name(name) {
            Some(found) => Ok(Some(found)),
            None => (self.resolve)(name),
        }
    }

    fn access(&mut self, expr: &Expr, access: &Access) -> Result<Value, E> {
        let keys = access.keys.iter().map(|key| self.value(key)).collect::<Result<Vec<_>, _>>()?;
        let ExprKind::TypeName(name) = &access.left.kind else { return Err(self.invalid(expr)) };
        if ["typealias", "typereference"].iter().any(|other| name.eq_ignore_ascii_case(other)) {
            return Err(issues::runtime_error(eco_format!("Not a parameterized type <{name}>")).into());
        }
        let Some(base) = self.named(name)? else {
            return Ok(Type::reference(self.text_of(expr)).into());
        };
        match &base {
            Type::Resource(resource) if resource.type_name.is_none() => return Ok(resource_type(&keys)?),
            Type::Resource(resource) => {
                let [title] = &*keys else { return Err(wrong_count(name, "1", keys.len()).into()) };
                let type_name = resource.type_name.clone().unwrap_or_default();
                return Ok(Type::resource(type_name, given_title(title)).into());
            }
            Type::Class(_) => return Ok(class_type(&keys)?),
            Type::Array(_) | Type::Hash(_) if keys.len() == 2 => {
                if let Some(sized) = sized(&base, &keys) {
                    return Ok(sized?.into());
                }
            }
            // Compatibility: one parameter that is no number is nothing, which the type around this one may accept.
            Type::Integer(_) if matches!(&*keys, [only] if !matches!(only, Value::Integer(_) | Value::Default)) => {
                return Ok(Value::Undef);
            }
            Type::Float(_) if matches!(&*keys, [only] if !is_number(only)) => return Ok(Value::Undef),
            Type::Struct(_) if let [Value::Hash(members)] = &*keys => {
                let undef = |value: &Value| if value.is_undef() { Type::Undef.into() } else { value.clone() };
                let members = members.iter().map(|(name, value)| (name.clone(), undef(value)));
                return self.parameterized(&base, &[Value::hash(members)], expr);
            }
            Type::Regexp(_) if matches!(&*keys, [Value::Undef]) => return Ok(base.into()),
            Type::Enum(_) if keys.iter().any(is_array) => return Err(not_identifiers().into()),
            Type::Runtime(_)
                if let [given, _] = &*keys
                    && !matches!(given, Value::String(_)) =>
            {
                mismatch::assert_instance("Runtime 'runtime'", &Type::string(), given)?;
            }
            Type::Tuple(_) if let [only @ (Value::Integer(_) | Value::Default)] = &*keys => {
                let size = IntegerType::new(parameterize::limit(only).flatten(), None)?;
                return Ok(Type::Tuple(Arc::new(TupleType::new(Vec::new(), Some(size)))).into());
            }
            Type::Tuple(_) => return self.parameterized(&base, &element_types(keys), expr),
            Type::Pattern(_) => {
                if let Some(other) = keys.iter().find(|key| !is_pattern(key)) {
                    return Err(bad_pattern(other).into());
                }
            }
            _ => {}
        }
        if let Some((shown, required, count)) = expected_count(&base) {
            if !count.contains(&keys.len()) {
                return Err(wrong_count(shown, required, keys.len()).into());
            }
        } else if matches!(base, Type::Alias(_)) || !parameterize::is_parameterizable(&base) {
            return Err(issues::runtime_error(eco_format!("Not a parameterized type <{name}>")).into());
        }
        if keys.iter().any(is_array) && takes_no_array(&base) {
            return Err(self.invalid(expr));
        }
        self.parameterized(&base, &keys, expr)
    }

    fn parameterized(&self, base: &Type, keys: &[Value], expr: &Expr) -> Result<Value, E> {
        // A type is the same wherever it is read, so there is no zone of the machine.
        parameterize(base, keys, &|| None).map_err(|rejection| match (rejection.issue.code(), base) {
            (_, Type::Boolean(_)) => issues::runtime_error("Boolean parameter must be true or false").into(),
            ("BAD_TYPE_SPECIALIZATION", Type::Enum(_)) => not_identifiers().into(),
            ("RUNTIME_ERROR", _) => rejection.issue.into(),
            _ => self.invalid(expr),
        })
    }

    fn invalid(&self, expr: &Expr) -> E {
        let text = self.text_of(expr);
        issues::runtime_error(eco_format!("The expression <{text}> is not a valid type specification.")).into()
    }

    /// The text of an expression with all that belongs to it.
    fn text_of(&self, expr: &Expr) -> &str {
        let (start, end) = match &self.quoted {
            Some(quoted) if std::ptr::eq(quoted.expr, expr) => (quoted.start, quoted.end),
            _ => (expr.span.start, expr.span.end),
        };
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }
}

fn wrong_count(name: &str, required: &str, given: usize) -> Issue {
    issues::runtime_error(eco_format!(
        "Invalid number of type parameters specified: {name} requires {required}, {given} provided"
    ))
}

/// How the reference calls a type and how many parameters it requires, where it counts them.
fn expected_count(base: &Type) -> Option<(&'static str, &'static str, std::ops::RangeInclusive<usize>)> {
    Some(match base {
        Type::Array(_) => ("Array", "1 to 3", 1..=3),
        Type::Hash(_) => ("Hash", "2 to 4", 2..=4),
        Type::Collection(_) => ("Collection", "1 to 2", 1..=2),
        Type::Regexp(_) => ("Regexp", "1", 1..=1),
        Type::Enum(_) => ("Enum", "1 or more", 1..=usize::MAX),
        Type::Pattern(_) => ("Pattern", "1 or more", 1..=usize::MAX),
        Type::Variant(_) => ("Variant", "1 or more", 1..=usize::MAX),
        Type::Tuple(_) => ("Tuple", "1 or more", 1..=usize::MAX),
        Type::Struct(_) => ("Struct", "1", 1..=1),
        Type::Boolean(_) => ("Boolean", "1", 1..=1),
        Type::Integer(_) => ("Integer", "1 or 2", 1..=2),
        Type::Float(_) => ("Float", "1 or 2", 1..=2),
        Type::String(_) => ("String", "1 to 2", 1..=2),
        Type::Iterable(_) => ("Iterable", "1", 1..=1),
        Type::Iterator(_) => ("Iterator", "1", 1..=1),
        Type::Sensitive(_) => ("Sensitive", "0 to 1", 0..=1),
        Type::Optional(_) => ("Optional", "1", 1..=1),
        Type::NotUndef(_) => ("NotUndef", "0 to 1", 0..=1),
        Type::Type(_) => ("Type", "1", 1..=1),
        Type::Runtime(_) => ("Runtime", "2", 2..=2),
        Type::Timespan(_) => ("Timespan", "0 to 2", 0..=2),
        Type::Timestamp(_) => ("Timestamp", "0 to 2", 0..=2),
        Type::Object(object_type) if object_type.type_name().is_none() => ("Object", "1", 1..=1),
        Type::TypeSet(_) => ("Object", "1", 1..=1),
        Type::Uri(_) => ("URI", "1", 1..=1),
        Type::SemVer(_) => ("SemVer", "1 or more", 1..=usize::MAX),
        _ => return None,
    })
}

fn class_type(keys: &[Value]) -> Result<Value, Issue> {
    match keys {
        [Value::String(name)] => {
            let class_name = Some(name.strip_prefix("::").unwrap_or(name).into());
            Ok(Type::Class(Arc::new(ClassType { class_name })).into())
        }
        [other] => Err(issues::runtime_error(eco_format!("The class name cannot be a {}", host_class(other)))),
        _ => Err(wrong_count("Class", "1", keys.len())),
    }
}

/// Compatibility: an array or hash that has a size but no types has elements of the type `Default`.
fn sized(base: &Type, keys: &[Value]) -> Option<Result<Type, Issue>> {
    let [from, to] = keys else { return None };
    let size = IntegerType::new(parameterize::limit(from)?, parameterize::limit(to)?);
    Some(size.map(|size| match base {
        Type::Hash(_) => Type::hash(Type::Default, Type::Default, Some(size)),
        _ => Type::array(Type::Default, Some(size)),
    }))
}

/// The parameters of a tuple; one or two numbers at the end are its size.
///
/// Compatibility: a value stands for its type.
fn element_types(mut keys: Vec<Value>) -> Vec<Value> {
    let is_limit = |key: Option<&Value>| matches!(key, Some(Value::Integer(_) | Value::Default));
    let last = keys.len().saturating_sub(1);
    let limits = match keys.get(last.saturating_sub(1)) {
        before if last > 0 && is_limit(before) => 2,
        _ => usize::from(is_limit(keys.last())),
    };
    let elements = keys.len().saturating_sub(limits);
    for key in keys.iter_mut().take(elements) {
        // What has no type is refused with the other parameters.
        if let Ok(data_type) = parameterize::type_of(key) {
            *key = data_type.into();
        }
    }
    keys
}

/// Whether a list of parameters does not stand for the parameters, as it does in an expression.
fn takes_no_array(base: &Type) -> bool {
    let holds_values = matches!(base, Type::Boolean(_) | Type::String(_) | Type::Collection(_));
    let holds_types = matches!(base, Type::Array(_) | Type::Hash(_) | Type::Variant(_) | Type::Type(_));
    holds_values || holds_types || matches!(base, Type::Optional(_) | Type::NotUndef(_) | Type::Sensitive(_))
}

fn is_array(key: &Value) -> bool {
    matches!(key, Value::Array(_))
}

fn not_identifiers() -> Issue {
    issues::runtime_error("Enum parameters must be identifiers or strings")
}

fn is_number(key: &Value) -> bool {
    matches!(key, Value::Integer(_) | Value::Float(_) | Value::Default)
}

fn is_pattern(key: &Value) -> bool {
    matches!(key, Value::String(_) | Value::Regexp(_) | Value::Type(Type::Pattern(_) | Type::Regexp(_)))
}

fn bad_pattern(key: &Value) -> Issue {
    let class = host_class(key);
    issues::runtime_error(eco_format!("Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got '{class}"))
}

/// Compatibility: whatever stands for a title is one, by its text in the reference's own language.
fn given_title(title: &Value) -> Option<EcoString> {
    (!title.is_undef()).then(|| crate::inspect::to_s(title).into())
}

/// `Resource[kind, title]`; here the kind need not exist.
fn resource_type(keys: &[Value]) -> Result<Value, Issue> {
    let (kind, title) = match keys {
        [kind] => (kind, None),
        [kind, title] => (kind, given_title(title)),
        _ => return Err(wrong_count("Resource", "1 or 2", keys.len())),
    };
    let (type_name, title): (EcoString, _) = match kind {
        Value::String(name) => (name.clone(), title),
        Value::Type(Type::Reference(reference)) => referenced(&reference.text, title)?,
        Value::Type(Type::Resource(resource)) => (resource.type_name.clone().unwrap_or_default(), title),
        other => return Err(issues::runtime_error(eco_format!("The type name cannot be a {}", host_class(other)))),
    };
    let type_name = capitalize_segments(&type_name);
    if !parameterize::is_class_reference(&type_name) {
        return Err(issues::runtime_error(eco_format!("Illegal type name '{type_name}'")));
    }
    Ok(Type::resource(type_name, title).into())
}

/// The kind and the title that a reference has as text; a title in it goes before one that is given.
fn referenced(text: &str, title: Option<EcoString>) -> Result<(EcoString, Option<EcoString>), Issue> {
    let Some((name, _)) = text.split_once('[') else { return Ok((text.into(), title)) };
    let rest = text.get(name.len()..).unwrap_or_default();
    let source = Source::string(FileId(0), rest);
    let parsed = bunraku_syntax::parse(&source);
    let body = single(&parsed.program.body);
    let mut reader = Reader { text: rest, quoted: None, resolve: &mut |_| Ok(None), regexps: &Regexps::default() };
    match reader.value(body)? {
        Value::Array(keys) => match &***keys {
            [title] => Ok((name.into(), given_title(title))),
            _ => Err(wrong_count(&Type::reference(text).to_string(), "1", keys.len())),
        },
        _ => Err(reader.invalid(body)),
    }
}

/// Where types of a type set that are written `Parent {…}` name a parent once more.
pub fn second_parents(definition: &ast::TypeAlias) -> impl Iterator<Item = Span> {
    let entries = match definition_hash(&definition.type_expr) {
        Some(("TypeSet", Expr { kind: ExprKind::Hash(entries), .. })) => &entries[..],
        _ => &[],
    };
    let is_types = |key: &Expr| matches!(&key.kind, ExprKind::Name(name) | ExprKind::String(name) if name == "types");
    let types = entries.iter().filter(move |entry| is_types(&entry.key)).flat_map(|entry| match &entry.value.kind {
        ExprKind::Hash(types) => &types[..],
        _ => &[],
    });
    types.filter_map(|entry| {
        let ExprKind::ResourceDefaults(defaults) = &entry.value.kind else { return None };
        let names_parent = |operation: &AttributeOperation| matches!(operation, AttributeOperation::Attribute { name, .. } if name.name == "parent");
        (has_parent(defaults) && defaults.operations.iter().any(names_parent)).then_some(entry.value.span)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a type and prints it again.
    fn check(text: &str, expected: &str) {
        let actual = data_type(text).map_or_else(|issue| format!("error: {issue}"), |found| found.to_string());
        assert_eq!(actual, expected, "{text}");
    }

    #[test]
    fn prints_as_the_reference() {
        check("Integer[0, default]", "Integer[0]");
        check("Integer[default, 5]", "Integer[default, 5]");
        check("Float[1, 2.5]", "Float[1.0, 2.5]");
        check("STRING[1]", "String[1]");
        check("Enum[c, a, b, a]", "Enum['a', 'b', 'c']");
        check("Enum[a, true]", "Enum['a', true]");
        check("Array[String, 0, 0]", "Array[0, 0]");
        check("Array[Any]", "Array");
        check("Array[1]", "Array[Any, 1]");
        check("Array[1, 2]", "Array[Default, 1, 2]");
        check("Array[Integer, 1]", "Array[Integer, 1]");
        check("Hash[String, Data, 1, 2]", "Hash[String, Data, 1, 2]");
        check("Tuple[Integer, String, 1, default]", "Tuple[Integer, String, 1]");
        check(
            "Struct[{a => Integer, Optional[b] => String, c => Optional[Integer], NotUndef[d] => Any}]",
            "Struct[{'a' => Integer, Optional['b'] => String, 'c' => Optional[Integer], NotUndef['d'] => Any}]",
        );
        check("Variant[Integer, Variant[String, Integer]]", "Variant[Integer, String]");
        check("Callable[Integer, 1, 2, Callable]", "Callable[Integer, 1, 2, Callable]");
        check("Callable[[Integer], String]", "Callable[[Integer], String]");
        check("Callable[0, 0]", "Callable[0, 0]");
        check("Pattern[/a/, 'b']", "Pattern[/a/, /b/]");
        check("Resource[file, x]", "File['x']");
        check("Foo::Bar[1]", "TypeReference['Foo::Bar[1]']");
        check("Sensitive[String[1]]", "Sensitive[String]");
        check("Timespan[1, 2]", "Timespan['0-00:00:01.0', '0-00:00:02.0']");
    }

    #[test]
    fn says_what_is_wrong() {
        check("Array[2]", "error: The expression <Array[2]> is not a valid type specification.");
        check(
            "Array[String, 1, 2, 3]",
            "error: Invalid number of type parameters specified: Array requires 1 to 3, 4 provided",
        );
        check("Any[1]", "error: Not a parameterized type <Any>");
        check("foo bar", "error: The expression <foo bar> is not a valid type specification.");
        check("Integer[2, 1]", "error: 'from' must be less or equal to 'to'. Got (2, 1");
    }
}

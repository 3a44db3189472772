//! `Init[T]`: what the `new` of `T` accepts, and a `new` that takes all arguments as one value.

use bunraku_syntax::{Issue, deep};

use super::constructor::{Constructor, constructor};
use super::{Context, family, new_instance, unsupported};
use crate::data_type::{DataType, Type};
use crate::data_types::{InitType, ObjectType, TupleType};
use crate::guard::Guard;
use crate::instance::Opened;
use crate::issues;
use crate::value::Value;

constructor!(init, "new_Init", [], [[("Any", "value")]]);

/// Makes an instance of the contained type. An array stands for several arguments, unless it is a valid single one.
pub(super) fn new_init(init_type: &InitType, args: &[Value], context: &mut dyn Context) -> Result<Value, Issue> {
    let Some(contained) = &init_type.contained else { return Err(unsupported(&Type::Any)) };
    let signatures = checked_signatures(init_type, contained)?;
    match args {
        [value] if !init_type.args.is_empty() => {
            let args: Vec<Value> = std::iter::once(value).chain(&init_type.args).cloned().collect();
            new_instance(contained, &args, context)
        }
        [value @ Value::Array(elements)] if !is_single_argument(contained, &signatures, value) => {
            new_instance(contained, elements, context)
        }
        [value] => new_instance(contained, std::slice::from_ref(value), context),
        _ => Err(init()?.mismatch(args)),
    }
}

/// The parameters of the ways to call a `new`. An object type has a `new` of its own.
struct Signatures {
    shared: Option<&'static Constructor>,
    own: Vec<TupleType>,
}

impl Signatures {
    /// The signatures of the `new` of a type. A type without any cannot be in an `Init`.
    fn of(contained: &Type) -> Result<Signatures, Issue> {
        Signatures::within(contained, &mut Guard::default())
    }

    /// The same within a question that is being answered.
    fn within(contained: &Type, guard: &mut Guard) -> Result<Signatures, Issue> {
        let resolved = contained.resolved();
        let unsupported = || Err(unsupported_in_init(contained));
        match (resolved, family(resolved)) {
            (Type::Init(_) | Type::Optional(_) | Type::NotUndef(_), _) => unsupported(),
            (Type::Object(object_type), _) => Ok(Signatures::of_object(object_type, guard)),
            (Type::ObjectExtension(extension), _) => Ok(Signatures::of_object(&extension.base, guard)),
            (_, Some(family)) => Ok(Signatures { shared: Some((family.constructor)()?), own: Vec::new() }),
            (_, None) => unsupported(),
        }
    }

    fn of_object(object_type: &ObjectType, guard: &mut Guard) -> Signatures {
        Signatures { shared: None, own: object_type.constructor_parameters(guard).into() }
    }

    fn all(&self) -> impl Iterator<Item = &TupleType> {
        self.shared.into_iter().flat_map(Constructor::parameters).chain(&self.own)
    }

    /// The signatures that take one value and then the arguments of the `Init`.
    fn fitting<'c>(&'c self, init_type: &'c InitType) -> impl Iterator<Item = &'c TupleType> {
        let count = i64::try_from(init_type.args.len()).unwrap_or(i64::MAX).saturating_add(1);
        self.all().filter(move |tuple| {
            let size = tuple.size_range();
            let is_count = size.from.is_none_or(|from| from <= count) && size.to.is_none_or(|to| count <= to);
            let fits = |(index, arg): (usize, &Value)| {
                tuple.type_at(index + 1).is_some_and(|parameter| parameter.is_assignable(&Type::infer_detailed(arg)))
            };
            is_count && init_type.args.iter().enumerate().all(fits)
        })
    }
}

fn unsupported_in_init(contained: &Type) -> Issue {
    let name = contained.to_expanded_string();
    issues::runtime_error(format!("Creation of new instance of type '{name}' is not supported"))
}

/// The signatures of the contained type, which must accept the arguments of the `Init`.
fn checked_signatures(init_type: &InitType, contained: &Type) -> Result<Signatures, Issue> {
    let signatures = Signatures::of(contained)?;
    if !init_type.args.is_empty() && signatures.fitting(init_type).next().is_none() {
        return Err(issues::runtime_error(format!(
            "The type '{}' does not represent a valid set of parameters for {}.new()",
            Type::Init(init_type.clone().into()),
            contained.name()
        )));
    }
    Ok(signatures)
}

impl Type {
    /// An issue if this is an `Init` of a type that has no `new`, or none for the given arguments. Such a type can be
    /// written, but nothing can be asked of it.
    pub fn check_init(&self) -> Result<(), Issue> {
        match self {
            Type::Init(init) => match &init.contained {
                Some(contained) => checked_signatures(init, contained).map(drop),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// The same for one value: a type that offers several is asked for one after the other until one fits. What the value
    /// contains is not looked at.
    pub fn check_init_for(&self, value: &Value) -> Result<(), Issue> {
        match self.resolved() {
            Type::Init(_) => self.check_init(),
            Type::Variant(variant) if variant.types.iter().any(|option| matches!(option, Type::Init(_))) => {
                self.check_inits_for(value)
            }
            _ => Ok(()),
        }
    }

    /// The same for a value and all that it contains, in the order in which the reference asks.
    pub fn check_inits_for(&self, value: &Value) -> Result<(), Issue> {
        deep(|| match (self, value) {
            (Type::Alias(alias), _) if alias.is_circular() => Ok(()),
            (Type::Alias(alias), value) => alias.resolved().check_inits_for(value),
            (Type::Variant(variant), value) => {
                for option in &variant.types {
                    option.check_inits_for(value)?;
                    if option.is_instance(value) {
                        break;
                    }
                }
                Ok(())
            }
            (Type::Optional(_) | Type::NotUndef(_), Value::Undef) => Ok(()),
            (Type::Optional(optional), value) => optional.contained.iter().try_for_each(|it| it.check_inits_for(value)),
            (Type::NotUndef(not_undef), value) => {
                not_undef.contained.iter().try_for_each(|it| it.check_inits_for(value))
            }
            // Also behind one that does not fit, for the reference tells of each.
            (Type::Array(array), Value::Array(elements)) => {
                elements.iter().try_for_each(|element| array.element.check_inits_for(element))
            }
            (Type::Tuple(tuple), Value::Array(elements)) => {
                let mut elements = elements.iter().enumerate();
                elements.try_for_each(|(at, it)| {
                    tuple.type_at(at).map_or(Ok(()), |data_type| data_type.check_inits_for(it))
                })
            }
            (Type::Hash(hash), Value::Hash(entries)) => entries.iter().try_for_each(|(key, value)| {
                hash.key.check_inits_for(key).and_then(|()| hash.value.check_inits_for(value))
            }),
            _ => self.check_init(),
        })
    }

    /// An issue if there is such an `Init` anywhere in this type; what aliases stand for is not looked at.
    pub fn check_init_within(&self) -> Result<(), Issue> {
        let mut checked = self.resolved().check_init();
        if !matches!(self, Type::Alias(_)) {
            self.children(&mut |child| {
                if checked.is_ok() {
                    checked = child.check_init_within();
                }
            });
        }
        checked
    }
}

impl Type {
    /// Compatibility: where an `Init` cannot take a type, and has no signature of several parameters to try, the reference
    /// says neither yes nor no.
    pub fn leaves_open(&self, narrow: &Type) -> bool {
        let Type::Init(init) = self.resolved() else { return false };
        let Some(signatures) = init.contained.as_ref().and_then(|contained| Signatures::of(contained).ok()) else {
            return false;
        };
        let has_several = init.args.is_empty() && signatures.all().any(|tuple| !is_single(tuple));
        !has_several && is_open(self, narrow)
    }
}

fn is_open(init: &Type, narrow: &Type) -> bool {
    match narrow.resolved() {
        Type::Variant(_) | Type::Init(_) => false,
        Type::Optional(optional) if init.is_assignable(&Type::Undef) => {
            optional.contained.as_ref().is_some_and(|contained| is_open(init, contained))
        }
        Type::NotUndef(not_undef)
            if let Some(contained) = &not_undef.contained
                && !contained.is_assignable(&Type::Undef) =>
        {
            is_open(init, contained)
        }
        other => !init.is_assignable(other),
    }
}

/// Whether a value can be given to the `new` of the contained type, alone or as an array of arguments.
pub(crate) fn accepts_value(init_type: &InitType, value: &Value, opened: &Opened<'_>) -> bool {
    let Some(contained) = &init_type.contained else { return Type::rich_data().is_instance(value) };
    let Ok(signatures) = Signatures::of(contained) else { return false };
    if opened.is_instance(contained, value) {
        return true;
    }
    let takes_first = |tuple: &TupleType| tuple.type_at(0).is_some_and(|first| opened.is_instance(first, value));
    if !init_type.args.is_empty() {
        return signatures.fitting(init_type).any(takes_first);
    }
    signatures.all().any(|tuple| {
        if is_single(tuple) {
            return takes_first(tuple);
        }
        let as_arguments = matches!(value, Value::Array(elements) if tuple.contains(elements));
        let may_be_alone = tuple.size_range().contains_size(1);
        as_arguments || (may_be_alone && tuple.type_at(0).is_none_or(|first| opened.is_instance(first, value)))
    })
}

/// Whether every instance of a type can be given to the `new` of the contained type.
pub(crate) fn accepts_type(init_type: &InitType, other: &Type, guard: &mut Guard) -> bool {
    let Some(contained) = &init_type.contained else { return false };
    let Ok(signatures) = Signatures::within(contained, guard) else { return false };
    if contained.accepts(other, guard) {
        return true;
    }
    let mut accepts_first = |tuple: &TupleType| tuple.type_at(0).is_some_and(|first| first.accepts(other, guard));
    if !init_type.args.is_empty() {
        return signatures.fitting(init_type).any(accepts_first);
    }
    if signatures.all().filter(|tuple| is_single(tuple)).any(&mut accepts_first) {
        return true;
    }
    let alone = TupleType::new(vec![other.clone()], None);
    let mut several = signatures.all().filter(|tuple| !is_single(tuple));
    several.any(|tuple| tuple.is_assignable(other, guard) || tuple.accepts(&alone, guard))
}

fn is_single(tuple: &TupleType) -> bool {
    let size = tuple.size_range();
    (size.from, size.to) == (Some(1), Some(1))
}

fn accepts_first(tuple: &TupleType, value: &Value) -> bool {
    tuple.type_at(0).is_some_and(|parameter| parameter.is_instance(value))
}

fn is_single_argument(contained: &Type, signatures: &Signatures, value: &Value) -> bool {
    contained.is_instance(value) || signatures.all().any(|tuple| is_single(tuple) && accepts_first(tuple, value))
}

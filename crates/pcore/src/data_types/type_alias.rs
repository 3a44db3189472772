//! Type aliases: names for other types, which may refer to themselves; and the aliases every program knows.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, OnceLock, RwLock};

use ecow::{EcoString, eco_format};
use rustc_hash::FxHashMap;

use crate::data_type::{DataType, Type};
use crate::data_types::type_set;
use crate::guard::Guard;
use crate::issues::{self, Issue};
use crate::kinds::Kinds;
use crate::regexp::Regexp;
use crate::text::TypeWriter;
use crate::value::Value;

/// A name for another type.
///
/// A recursive alias contains itself, so that it is never freed; there are few of them, and they are part of an
/// environment.
pub struct TypeAlias {
    name: EcoString,
    is_builtin: bool,
    resolved: OnceLock<Type>,
    recursive: OnceLock<bool>,
    circular: OnceLock<bool>,
    /// What needs no closer look at the resolved type.
    whole: OnceLock<Kinds>,
    /// Whether other recursive aliases are assignable to this one, by their addresses.
    answers: RwLock<FxHashMap<usize, bool>>,
}

/// What an alias stands for as long as it is not resolved.
static UNRESOLVED: LazyLock<Type> = LazyLock::new(|| Type::reference("UnresolvedReference"));

impl TypeAlias {
    /// An alias that is still to be resolved; its own definition may already refer to it.
    pub fn new(name: impl Into<EcoString>) -> Arc<TypeAlias> {
        TypeAlias::unresolved(name.into(), false)
    }

    fn unresolved(name: EcoString, is_builtin: bool) -> Arc<TypeAlias> {
        let (resolved, recursive, circular, whole, answers) = Default::default();
        Arc::new(TypeAlias { name, is_builtin, resolved, recursive, circular, whole, answers })
    }

    /// Says what the alias stands for. Only the first definition counts.
    pub fn define(self: &Arc<TypeAlias>, definition: &Type) -> Result<(), Issue> {
        let definition = definition.normalize();
        let is_real = |option: &Type| has_real_type(option, &mut vec![Arc::as_ptr(self)]);
        if !is_real(&definition) {
            let message = eco_format!("Type alias '{}' cannot be resolved to a real type", self.name);
            return Err(issues::runtime_error(message));
        }
        // An option that is nothing but the alias itself adds nothing.
        let resolved = match &definition {
            Type::Variant(variant) => Type::variant(variant.types.iter().filter(|option| is_real(option)).cloned()),
            _ => definition,
        };
        self.resolved.get_or_init(|| resolved);
        Ok(())
    }

    /// The name of the alias.
    pub fn alias_name(&self) -> &EcoString {
        &self.name
    }

    /// The type the alias stands for.
    pub fn resolved(&self) -> &Type {
        self.resolved.get().unwrap_or(&UNRESOLVED)
    }

    /// The type the alias stands for, if it is resolved.
    pub(crate) fn definition(&self) -> Option<&Type> {
        self.resolved.get()
    }

    /// The kinds of values that are instances, all of them.
    pub(crate) fn whole(&self) -> Kinds {
        if let Some(known) = self.whole.get() {
            return *known;
        }
        let found = self.definition().and_then(|definition| Kinds::held_through_aliases(definition, &mut Vec::new()));
        found.map_or(Kinds::NONE, |found| *self.whole.get_or_init(|| found))
    }

    /// Whether this is `Data`.
    pub(crate) fn is_data(&self) -> bool {
        self.is_builtin && matches!(&*DATA, Type::Alias(data) if std::ptr::eq(&raw const **data, self))
    }

    /// Whether the alias refers to itself, directly or through others.
    pub fn is_recursive(&self) -> bool {
        self.leads_to_itself(&self.recursive, |_| true)
    }

    /// Whether the alias refers to itself without going into a value, as in `A = Variant[B, Integer]` and
    /// `B = Variant[A, String]`.
    pub(crate) fn is_circular(&self) -> bool {
        self.leads_to_itself(&self.circular, |data_type| {
            matches!(data_type, Type::Alias(_) | Type::Variant(_) | Type::Optional(_) | Type::NotUndef(_))
        })
    }

    fn leads_to_itself(&self, known: &OnceLock<bool>, goes_into: fn(&Type) -> bool) -> bool {
        if let Some(known) = known.get() {
            return *known;
        }
        match self.definition().and_then(|resolved| leads_to(resolved, self, goes_into, &mut Vec::new())) {
            // As long as something is unresolved the worst is assumed.
            None => true,
            Some(found) => *known.get_or_init(|| found),
        }
    }

    /// Whether another alias is assignable to this one, if that was found out before.
    pub(crate) fn known_answer(&self, other: &TypeAlias) -> Option<bool> {
        self.answers.read().ok()?.get(&other.address()).copied()
    }

    /// Keeps whether another alias is assignable to this one. Only resolved aliases are kept: they change no more, and
    /// being recursive they are never freed, so that an address means one alias.
    pub(crate) fn keep_answer(&self, other: &TypeAlias, answer: bool) {
        let is_resolved = |alias: &TypeAlias| alias.recursive.get() == Some(&true);
        if is_resolved(self)
            && is_resolved(other)
            && let Ok(mut answers) = self.answers.write()
        {
            answers.insert(other.address(), answer);
        }
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }
}

/// Whether there is anything but aliases and variants in a type.
fn has_real_type(data_type: &Type, seen: &mut Vec<*const TypeAlias>) -> bool {
    match data_type {
        Type::Alias(alias) => {
            let address = Arc::as_ptr(alias);
            if seen.contains(&address) {
                return false;
            }
            seen.push(address);
            has_real_type(alias.resolved(), seen)
        }
        Type::Variant(variant) => variant.types.iter().any(|option| has_real_type(option, seen)),
        _ => true,
    }
}

/// Whether an alias is found in a type; `None` as long as anything in it is unresolved.
fn leads_to(
    data_type: &Type,
    target: &TypeAlias,
    goes_into: fn(&Type) -> bool,
    seen: &mut Vec<*const TypeAlias>,
) -> Option<bool> {
    if !goes_into(data_type) {
        return Some(false);
    }
    if let Type::Alias(alias) = data_type {
        let address = Arc::as_ptr(alias);
        if std::ptr::eq(address, target) {
            return Some(true);
        }
        if seen.contains(&address) {
            return Some(false);
        }
        seen.push(address);
        alias.definition()?;
    }
    let mut found = Some(false);
    data_type.children(&mut |child| {
        if let Some(before) = found {
            found = leads_to(child, target, goes_into, seen).map(|now| before || now);
        }
    });
    found
}

fn builtin(name: &'static str, definition: impl FnOnce(Type) -> Vec<Type>) -> Type {
    let alias = TypeAlias::unresolved(name.into(), true);
    let options = definition(Type::Alias(alias.clone()));
    alias.resolved.get_or_init(|| Type::variant(options));
    Type::Alias(alias)
}

/// `Data`.
pub(crate) static DATA: LazyLock<Type> = LazyLock::new(|| {
    builtin("Data", |data| {
        vec![Type::ScalarData, Type::Undef, Type::hash(Type::string(), data.clone(), None), Type::array(data, None)]
    })
});

/// `RichDataKey`.
pub(crate) static RICH_DATA_KEY: LazyLock<Type> =
    LazyLock::new(|| builtin("RichDataKey", |_| vec![Type::string(), Type::Numeric]));

/// `RichData`.
pub(crate) static RICH_DATA: LazyLock<Type> = LazyLock::new(|| {
    builtin("RichData", |rich_data| {
        vec![
            Type::Scalar,
            Type::SemVerRange,
            Type::Binary,
            Type::sensitive(&Type::Any),
            Type::type_of(None),
            Type::TypeSet(type_set::DEFAULT.clone()),
            Type::Uri(Arc::default()),
            Type::Object(Arc::default()),
            Type::Undef,
            Type::Default,
            Type::hash(RICH_DATA_KEY.clone(), rich_data.clone(), None),
            Type::array(rich_data, None),
        ]
    })
});

/// `Puppet::LookupKey` and `Puppet::LookupValue`: older names of `RichDataKey` and `RichData`.
pub(crate) static LOOKUP_ALIASES: LazyLock<[Type; 2]> = LazyLock::new(|| {
    let alias = |name: &'static str, target: &Type| builtin(name, |_| vec![target.clone()]);
    [alias("Puppet::LookupKey", &RICH_DATA_KEY), alias("Puppet::LookupValue", &RICH_DATA)]
});

/// The names of things in the model of types itself, such as `Pcore::MemberName`.
pub(crate) static NAME_ALIASES: LazyLock<Vec<Type>> = LazyLock::new(|| {
    const QUALIFIED: &str = r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z";
    let names = [
        ("Pcore::MemberName", r"\A[a-z_]\w*\z"),
        ("Pcore::QRef", QUALIFIED),
        ("Pcore::SimpleTypeName", r"\A[A-Z]\w*\z"),
        ("Pcore::TypeName", QUALIFIED),
    ];
    let alias = |(name, pattern): (&'static str, &str)| {
        let alias = TypeAlias::new(name);
        alias.define(&Type::pattern([Arc::new(Regexp::new(pattern).ok()?)])).ok()?;
        Some(Type::Alias(alias))
    };
    names.into_iter().filter_map(alias).collect()
});

impl fmt::Debug for TypeAlias {
    // The definition may contain the alias, so only the name is shown.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("TypeAlias").field(&self.name).finish()
    }
}

impl PartialEq for TypeAlias {
    fn eq(&self, other: &TypeAlias) -> bool {
        self.name == other.name
    }
}

impl Eq for TypeAlias {}

impl Hash for TypeAlias {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl DataType for TypeAlias {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_instance(&self, value: &Value) -> bool {
        self.resolved().is_instance(value)
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        self.resolved().accepts(other, guard)
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        if self.is_builtin { writer.text(&self.name) } else { writer.alias(self) }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;
    use crate::parse::parse_type;

    /// Defines the alias `A`.
    fn define(definition: &str) -> Result<Type, Issue> {
        let alias = TypeAlias::new("A");
        let own = Type::Alias(alias.clone());
        let right = parse_type::<Issue>(definition, &mut |name| Ok((name == "A").then(|| own.clone())))?;
        alias.define(&right)?;
        Ok(own)
    }

    fn nested(depth: usize) -> Value {
        (0..depth).fold(Value::from(1), |inner, _| Value::array([inner]))
    }

    #[test]
    fn recursive_aliases_end() {
        let tree = define("Variant[Integer, Array[A]]").unwrap();
        assert!(tree.is_instance(&nested(50)));
        assert!(!tree.is_instance(&Value::array([nested(5), "x".into()])));
        assert!(Type::data().is_assignable(&tree) && !tree.is_assignable(&Type::data()));
        assert_eq!(tree.to_string(), "A = Variant[Integer, Array[A]]");
        let optional = define("Optional[A]").unwrap();
        assert!(optional.is_instance(&Value::Undef) && !optional.is_instance(&Value::from(1)));
        assert!(Type::Any.is_assignable(&optional));
    }

    #[test]
    fn an_alias_must_stand_for_something() {
        let message = "Type alias 'A' cannot be resolved to a real type";
        assert_eq!(define("A").unwrap_err().message(), message);
        assert_eq!(define("Variant[A, Integer]").unwrap().to_string(), "A = Integer");
    }
}

//! `new`: makes a value of a data type from other values. Each family of types has a file with its signatures, which are
//! the reference's, and what they do.

mod collections;
mod constructor;
mod init;
mod numbers;
mod text;
mod times;
mod versions;

use bunraku_syntax::Issue;

use crate::data_type::Type;
use crate::data_types::Timestamp;
use crate::issues;
use crate::mismatch::assert_instance;
use crate::value::Value;
use constructor::Constructor;

pub(crate) use init::{accepts_type, accepts_value};

/// What a conversion must ask of its surroundings.
pub trait Context {
    /// The present time.
    fn now(&self) -> Timestamp;

    /// The seconds by which the time zone of the machine is ahead of UTC.
    fn utc_offset(&self) -> i32;

    /// The type with a name that is not built in.
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Issue>;
}

/// Makes an instance of a type. A single argument that is an instance already is given back.
pub fn new_instance(data_type: &Type, args: &[Value], context: &mut dyn Context) -> Result<Value, Issue> {
    if let [only] = args
        && !matches!(data_type, Type::Init(_))
        && data_type.is_instance(only)
    {
        return Ok(only.clone());
    }
    let value = construct(data_type, args, context)?;
    if !data_type.is_instance(&value) {
        let subject = format!("Converted value from {}.new()", data_type.to_expanded_string());
        assert_instance(&subject, data_type, &value)?;
    }
    Ok(value)
}

/// Calls the constructor of a type, which does not look at the parameters of the type.
fn construct(data_type: &Type, args: &[Value], context: &mut dyn Context) -> Result<Value, Issue> {
    match data_type {
        Type::Object(object_type) => object_type.new_instance(args),
        Type::ObjectExtension(extension) => extension.base.new_instance(args),
        Type::Init(init) if init.contained.is_some() => init::new_init(init, args, context),
        Type::Alias(alias) => construct(alias.resolved(), args, context),
        Type::Optional(optional) if let Some(contained) = &optional.contained => construct(contained, args, context),
        Type::NotUndef(not_undef) if let Some(contained) = &not_undef.contained => construct(contained, args, context),
        _ => match family(data_type) {
            Some(family) => (family.construct)(args, context),
            None => Err(unsupported(data_type)),
        },
    }
}

/// The constructor that the types of a kind share.
struct Family {
    constructor: fn() -> Result<&'static Constructor, Issue>,
    construct: fn(&[Value], &mut dyn Context) -> Result<Value, Issue>,
}

fn family(data_type: &Type) -> Option<Family> {
    Some(match data_type {
        Type::Integer(_) => Family { constructor: numbers::integer, construct: numbers::new_integer },
        Type::Float(_) => Family { constructor: numbers::float, construct: numbers::new_float },
        Type::Numeric => Family { constructor: numbers::numeric, construct: numbers::new_numeric },
        Type::Boolean(_) => Family { constructor: numbers::boolean, construct: numbers::new_boolean },
        Type::String(_) => Family { constructor: text::string, construct: text::new_string },
        Type::Regexp(_) => Family { constructor: text::regexp, construct: text::new_regexp },
        Type::Binary => Family { constructor: text::binary, construct: text::new_binary },
        Type::Uri(_) => Family { constructor: text::uri, construct: text::new_uri },
        Type::Type(_) => Family { constructor: text::data_type, construct: text::new_type },
        Type::Sensitive(_) => Family { constructor: text::sensitive, construct: text::new_sensitive },
        Type::Unit | Type::NotUndef(_) => Family { constructor: text::unit, construct: text::new_unit },
        Type::Array(_) | Type::Tuple(_) => {
            Family { constructor: collections::array, construct: collections::new_array }
        }
        Type::Hash(_) | Type::Struct(_) => Family { constructor: collections::hash, construct: collections::new_hash },
        Type::SemVer(_) => Family { constructor: versions::version, construct: versions::new_version },
        Type::SemVerRange => Family { constructor: versions::range, construct: versions::new_range },
        Type::Timespan(_) => Family { constructor: times::timespan, construct: times::new_timespan },
        Type::Timestamp(_) => Family { constructor: times::timestamp, construct: times::new_timestamp },
        _ => return None,
    })
}

fn unsupported(data_type: &Type) -> Issue {
    let name = data_type.resolved();
    issues::runtime_error(format!("Creation of new instance of type '{name}' is not supported"))
}

//! `lookup`: a value from Hiera's data.

use ecow::{EcoString, eco_format};

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, Unwind};
use bunraku_hiera::{Request, Source, not_found};
use bunraku_pcore::{Hash, Type, Value, mismatch};

function! {
    /// Searches the data for one of several names and returns the first value that is found.
    ///
    /// The value can be checked against a data type, and merged from all levels of the hierarchy. What is not found comes
    /// from the lambda or the default value; if there is neither, the lookup fails.
    ///
    /// ```puppet
    /// lookup('ntp::servers', Array[String], 'unique')
    /// lookup('port', Integer, undef, 8080)
    /// lookup({ name => 'users', merge => { strategy => 'deep', knockout_prefix => '--' } })
    /// ```
    "lookup" where "NameType = Variant[String, Array[String]]"
        where "ValueType = Type"
        where "DefaultValueType = Any"
        where "MergeType = Variant[String[1], Hash[String, Scalar]]"
        where "BlockType = Callable[NameType]"
        where "OptionsWithName = Struct[{name => NameType, value_type => Optional[ValueType], \
               default_value => Optional[DefaultValueType], override => Optional[Hash[String, Any]], \
               default_values_hash => Optional[Hash[String, Any]], merge => Optional[MergeType]}]"
        where "OptionsWithoutName = Struct[{value_type => Optional[ValueType], \
               default_value => Optional[DefaultValueType], override => Optional[Hash[String, Any]], \
               default_values_hash => Optional[Hash[String, Any]], merge => Optional[MergeType]}]"
    {
        "(NameType $name, ValueType $value_type = undef, MergeType $merge = undef)" as ">> Any" => by_name(call, name, value_type, merge),
        "(NameType $name, Optional[ValueType] $value_type, Optional[MergeType] $merge, DefaultValueType $default_value)" as ">> Any" => with_default(call, name, value_type, merge, default_value),
        "(NameType $name, ValueType $value_type = undef, MergeType $merge = undef, BlockType &$block)" as ">> Any" => by_name(call, name, value_type, merge),
        "(OptionsWithName $options_hash, BlockType &$block = undef)" as ">> Any" => by_options(call, options_hash),
        "(Variant[String, Array[String]] $name, OptionsWithoutName $options_hash, BlockType &$block = undef)" as ">> Any" => by_name_and_options(call, name, options_hash),
    }
}

/// What a lookup asks for.
struct Query<'q> {
    name: &'q Value,
    value_type: Option<&'q Type>,
    merge: Option<&'q Value>,
    default: Option<&'q Value>,
    overrides: Option<&'q Hash>,
    default_values: Option<&'q Hash>,
}

fn by_name(call: &mut Call<'_, '_>, name: &Value, value_type: Option<&Type>, merge: Option<&Value>) -> Outcome {
    lookup(call, &Query { name, value_type, merge, default: None, overrides: None, default_values: None })
}

fn with_default(
    call: &mut Call<'_, '_>,
    name: &Value,
    value_type: &Value,
    merge: Option<&Value>,
    default: &Value,
) -> Outcome {
    let value_type = as_type(value_type);
    lookup(call, &Query { name, value_type, merge, default: Some(default), overrides: None, default_values: None })
}

fn by_options(call: &mut Call<'_, '_>, options: &Hash) -> Outcome {
    by_name_and_options(call, options.get_str("name").unwrap_or(&Value::Undef), options)
}

fn by_name_and_options(call: &mut Call<'_, '_>, name: &Value, options: &Hash) -> Outcome {
    let hash = |key| match options.get_str(key) {
        Some(Value::Hash(hash)) => Some(&**hash),
        _ => None,
    };
    lookup(
        call,
        &Query {
            name,
            value_type: options.get_str("value_type").and_then(as_type),
            merge: options.get_str("merge"),
            default: options.get_str("default_value"),
            overrides: hash("override"),
            default_values: hash("default_values_hash"),
        },
    )
}

fn as_type(value: &Value) -> Option<&Type> {
    match value {
        Value::Type(data_type) => Some(data_type),
        _ => None,
    }
}

fn lookup(call: &mut Call<'_, '_>, query: &Query<'_>) -> Outcome {
    let names: Vec<EcoString> = match query.name {
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(EcoString::from).collect(),
        name => name.as_str().map(EcoString::from).into_iter().collect(),
    };
    let request = Request {
        names: &names,
        merge: query.merge.filter(|merge| !merge.is_undef()),
        overrides: query.overrides,
        default_values: query.default_values,
        hiera_call: None,
    };
    if let Some(found) = call.frame.lookup(&request, call.span)? {
        let subject = match found.source {
            Source::Overrides => format!("Value found for key '{}' in override hash", found.name),
            Source::Data => "Found value".to_owned(),
            Source::DefaultValues => format!("Value found for key '{}' in default values hash", found.name),
        };
        return checked(&subject, query.value_type, found.value);
    }
    if call.block.is_some() {
        let value = call.yield_to_block(vec![query.name.clone()])?;
        return checked("Value returned from default block", query.value_type, value);
    }
    match query.default {
        Some(default) => checked("Default value", query.value_type, default.clone()),
        None => Err(absent(call, &names)),
    }
}

/// The failure of a lookup that finds nothing, with the key that was probably meant.
#[cold]
fn absent(call: &mut Call<'_, '_>, names: &[EcoString]) -> Unwind {
    let meant = names.first().and_then(|name| call.frame.nearest_key(name, call.span));
    let advice = meant.map_or_else(EcoString::new, |meant| eco_format!("did you mean `{meant}`?"));
    match not_found(names).into() {
        Unwind::Error(diagnostic) => diagnostic.with_primary(advice, call.span).into(),
        other => other,
    }
}

fn checked(subject: &str, expected: Option<&Type>, value: Value) -> Outcome {
    if let Some(expected) = expected {
        mismatch::assert_instance(subject, expected, &value)?;
    }
    Ok(value)
}

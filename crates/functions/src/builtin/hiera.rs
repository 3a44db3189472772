//! `hiera`, `hiera_array`, `hiera_hash` and `hiera_include`: the functions before `lookup`.

use ecow::EcoString;

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_hiera::{HieraCall, Request, not_found};
use bunraku_pcore::Value;

use crate::deprecation;
use crate::number::fail;

function! {
    /// Returns the first value that is found for a key. `lookup` does the same and more.
    ///
    /// ```puppet
    /// hiera('ntp::server', 'pool.ntp.org')
    /// ```
    HIERA: "hiera" {
        "(Tuple[String, Any, Any, 1, 3] $args)" as ">> Any" => of_array(call, args),
        "(String $key)" as ">> Any" => of_key(call, key),
        "(String $key, Any $default, Any $override = undef)" as ">> Any" => with_default(call, key, default, r#override),
        "(String $key, Callable[1, 1] &$default_block)" as ">> Any" => of_key(call, key),
        "(String $key, Any $override, Callable[1, 1] &$default_block)" as ">> Any" => with_override(call, key, r#override),
    }
}

function! {
    /// Returns all values that are found for a key as one array without repetitions.
    ///
    /// ```puppet
    /// hiera_array('users', [])
    /// ```
    HIERA_ARRAY: "hiera_array" {
        "(Tuple[String, Any, Any, 1, 3] $args)" as ">> Any" => of_array(call, args),
        "(String $key)" as ">> Any" => of_key(call, key),
        "(String $key, Any $default, Any $override = undef)" as ">> Any" => with_default(call, key, default, r#override),
        "(String $key, Callable[1, 1] &$default_block)" as ">> Any" => of_key(call, key),
        "(String $key, Any $override, Callable[1, 1] &$default_block)" as ">> Any" => with_override(call, key, r#override),
    }
}

function! {
    /// Returns all hashes that are found for a key merged into one.
    ///
    /// ```puppet
    /// hiera_hash('users', {})
    /// ```
    HIERA_HASH: "hiera_hash" {
        "(Tuple[String, Any, Any, 1, 3] $args)" as ">> Any" => of_array(call, args),
        "(String $key)" as ">> Any" => of_key(call, key),
        "(String $key, Any $default, Any $override = undef)" as ">> Any" => with_default(call, key, default, r#override),
        "(String $key, Callable[1, 1] &$default_block)" as ">> Any" => of_key(call, key),
        "(String $key, Any $override, Callable[1, 1] &$default_block)" as ">> Any" => with_override(call, key, r#override),
    }
}

function! {
    /// Includes the classes whose names are found for a key.
    ///
    /// ```puppet
    /// hiera_include('classes')
    /// ```
    HIERA_INCLUDE: "hiera_include" {
        "(Tuple[String, Any, Any, 1, 3] $args)" as ">> Any" => of_array(call, args),
        "(String $key)" as ">> Any" => of_key(call, key),
        "(String $key, Any $default, Any $override = undef)" as ">> Any" => with_default(call, key, default, r#override),
        "(String $key, Callable[1, 1] &$default_block)" as ">> Any" => of_key(call, key),
        "(String $key, Any $override, Callable[1, 1] &$default_block)" as ">> Any" => with_override(call, key, r#override),
    }
}

fn of_array(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome {
    let key = args.first().and_then(Value::as_str).unwrap_or_default();
    lookup(call, key, args.get(1), args.get(2))
}

fn of_key(call: &mut Call<'_, '_>, key: &str) -> Outcome {
    lookup(call, key, None, None)
}

fn with_default(call: &mut Call<'_, '_>, key: &str, default: &Value, levels: Option<&Value>) -> Outcome {
    lookup(call, key, Some(default), levels)
}

fn with_override(call: &mut Call<'_, '_>, key: &str, levels: &Value) -> Outcome {
    lookup(call, key, None, Some(levels))
}

fn lookup(call: &mut Call<'_, '_>, key: &str, default: Option<&Value>, levels: Option<&Value>) -> Outcome {
    let name = call.name;
    let version = release(call);
    let deprecated = format!(
        "The function '{name}' is deprecated in favor of using 'lookup'. \
         See https://puppet.com/docs/puppet/{version}/deprecated_language.html"
    );
    deprecation::warn(call, name, &deprecated);
    let merge = Value::from(match name {
        "hiera_array" | "hiera_include" => "unique",
        "hiera_hash" => "hash",
        _ => "first",
    });
    let names = [EcoString::from(key)];
    let override_levels = match levels {
        None | Some(Value::Undef) => Vec::new(),
        Some(Value::Array(levels)) => levels.iter().map(|level| ecow::eco_format!("{level}")).collect(),
        Some(level) => vec![ecow::eco_format!("{level}")],
    };
    let request = Request {
        names: &names,
        merge: Some(&merge),
        hiera_call: Some(HieraCall { override_levels }),
        ..Request::default()
    };
    let value = match call.frame.lookup(&request, call.span)? {
        Some(found) => found.value,
        None if call.block.is_some() => call.yield_to_block(vec![key.into()])?,
        None => match default {
            Some(default) => default.clone(),
            None => return Err(not_found(&names).into()),
        },
    };
    if name == "hiera_include" { include(call, key, value) } else { Ok(value) }
}

fn include(call: &mut Call<'_, '_>, key: &str, classes: Value) -> Outcome {
    match &classes {
        Value::Undef => Ok(fail(format!("Could not find data item {key}"))?),
        Value::Array(elements) if elements.is_empty() => Ok(Value::Undef),
        Value::String(text) if text.is_empty() => Ok(Value::Undef),
        _ => call.function("include", vec![classes], None),
    }
}

/// The release, as its manual is called: `8.28`.
fn release(call: &Call<'_, '_>) -> String {
    let version = call.frame.compilation.environment.settings.target.version();
    version.splitn(3, '.').take(2).collect::<Vec<_>>().join(".")
}

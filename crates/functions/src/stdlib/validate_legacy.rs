//! `validate_legacy`: checks a value by a data type and by an older function.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::{Call, Signature};
use bunraku_compiler::log::Level;
use bunraku_pcore::parse::data_type;
use bunraku_pcore::{Type, Value, mismatch};
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::stdlib::deprecation::deprecate;
use crate::validation;

function! {
    /// Fails unless a value is of a data type. The result of the older `validate_` function is compared with that, and a
    /// difference is reported.
    ///
    /// ```puppet
    /// validate_legacy(String, 'validate_re', 'one', '^one$')
    /// ```
    "validate_legacy" of "stdlib" {
        "(Type $target_type, String $function_name, Any $value, Any *$args)" as ">> Any" => validate_legacy(call, target_type, function_name, value, *args),
        "(String $type_string, String $function_name, Any $value, Any *$args)" as ">> Any" => by_text(call, type_string, function_name, value, *args),
        "hidden (Any *$args)" as "(Any +$values) >> Any" => refused(*args),
    }
}

fn by_text(call: &mut Call<'_, '_>, expected: &str, name: &str, value: &Value, args: &[Value]) -> Outcome<()> {
    validate_legacy(call, &data_type(expected)?, name, value, args)
}

fn validate_legacy(call: &mut Call<'_, '_>, expected: &Type, name: &str, value: &Value, args: &[Value]) -> Outcome<()> {
    let was_valid = was_valid(name, value, args)?;
    if expected.is_instance(value) {
        if !was_valid {
            let message = format!("Accepting previously invalid value for target type '{expected}'");
            call.frame.compilation.log(Level::Notice, &message);
        }
        return Ok(());
    }
    let subject = format!("validate_legacy({name})");
    let message = mismatch::describe_mismatch(&subject, expected, &Type::infer_detailed(value));
    if was_valid { deprecate(call, "validate_legacy", &message) } else { Ok(fail(message)?) }
}

/// Whether the older function accepts the value.
fn was_valid(name: &str, value: &Value, args: &[Value]) -> Result<bool, Issue> {
    let Some(check) = name.strip_prefix("validate_").and_then(validation::by_name) else {
        return fail(format!("undefined method `function_{name}' for Scope(Class[main]):Puppet::Parser::Scope"));
    };
    let all: Vec<Value> = std::iter::once(value).chain(args).cloned().collect();
    Ok(check(&all).is_ok())
}

/// Compatibility: the reference counts the place of the call as an argument.
fn refused(args: &[Value]) -> Result<(), Issue> {
    let signatures = ["Type $target_type", "String $type_string"].map(|first| {
        let text = format!("(Any $scope, {first}, String $function_name, Any $value, Any *$args)");
        Signature::parse(&text, &mut |_| Ok::<_, Issue>(None))
    });
    let signatures = signatures.into_iter().collect::<Result<Vec<_>, _>>()?;
    let described: Vec<_> = signatures.iter().filter_map(Signature::described).collect();
    let args: Vec<Value> = std::iter::once(Value::Undef).chain(args.iter().cloned()).collect();
    fail(mismatch::describe_signatures("validate_legacy", &described, &args, None))
}

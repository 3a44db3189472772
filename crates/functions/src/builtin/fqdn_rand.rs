//! `fqdn_rand`: a random number that is always the same for a node.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::builtin::join::join;
use crate::number::fail;
use crate::random::Random;
use crate::{legacy_arguments, text};

function! {
    /// Returns a number from 0 up to but without the given one. It is random, but the same each time for a node and seed.
    ///
    /// With a true third argument the name of the node counts without regard to case.
    ///
    /// ```puppet
    /// fqdn_rand(60, 'backup') # a minute for the cron job
    /// ```
    "fqdn_rand" {
        "arity -2" as "(Variant[Numeric, String] $max, Any *$seed) >> Integer" => fqdn_rand(call, *args),
    }
}

fn fqdn_rand(call: &mut Call<'_, '_>, args: &[Value]) -> Result<i64, Issue> {
    let maximum = legacy_arguments::to_i(args.first().unwrap_or(&Value::Undef))?;
    let downcase = args.get(2).is_some_and(Value::is_truthy);
    let name = node_name(call, downcase);
    let seed = [name, Value::Integer(maximum), args.get(1).cloned().unwrap_or_default()];
    below(maximum, Random::from_md5(&join(&seed, Some(":"))))
}

/// The full name of the node.
pub(crate) fn node_name(call: &Call<'_, '_>, downcase: bool) -> Value {
    let facts = &call.frame.compilation.node.facts;
    let name = facts.get_str("networking").and_then(|networking| networking.get("fqdn")).cloned().unwrap_or_default();
    match &name {
        Value::String(text) if downcase => Value::from(text::downcase(text)),
        _ => name,
    }
}

/// A number below a limit, which must be positive.
pub(crate) fn below(limit: i64, mut random: Random) -> Result<i64, Issue> {
    match u64::try_from(limit) {
        Ok(limit @ 1..) => Ok(random.below(limit).cast_signed()),
        _ => fail(format!("invalid argument - {limit}")),
    }
}

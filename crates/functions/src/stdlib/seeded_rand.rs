//! `seeded_rand`: a random number that is the same for a seed.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::builtin::fqdn_rand::below;
use crate::legacy_arguments;
use crate::number::fail;
use crate::predicate;
use crate::random::Random;

function! {
    /// Returns a number from 0 up to but without the given one, the same each time for a seed.
    ///
    /// ```puppet
    /// seeded_rand(100, 'a seed')
    /// ```
    "seeded_rand" of "stdlib" {
        "arity 2" as "(Variant[Integer, String] $max, Any $seed) >> Integer" => seeded_rand(*args),
    }
}

function! {
    /// Returns a number from 0 up to but without the given one, the same each time for a seed.
    ///
    /// ```puppet
    /// seeded_rand(100, 'a seed')
    /// ```
    NAMESPACED: "stdlib::seeded_rand" of "stdlib" {
        "(Integer[1] $max, String $seed)" as ">> Integer" => typed(max, seed),
    }
}

fn seeded_rand(args: &[Value]) -> Result<i64, Issue> {
    let [maximum, seed] = args else { return Ok(0) };
    let is_integer = predicate::is_integer(std::slice::from_ref(maximum))?;
    let limit = legacy_arguments::integer(Some(maximum));
    if !is_integer || limit <= 0 {
        return fail("seeded_rand(): first argument must be a positive integer");
    }
    let Value::String(seed) = seed else { return fail("seeded_rand(): second argument must be a string") };
    below(limit, Random::from_md5(seed))
}

fn typed(maximum: i64, seed: &str) -> Result<i64, Issue> {
    below(maximum, Random::from_md5(seed))
}

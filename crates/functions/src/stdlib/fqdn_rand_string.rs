//! `fqdn_rand_string`: a random string that is always the same for a node.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, limits};
use bunraku_syntax::Issue;

use crate::builtin::fqdn_rand::{below, node_name};
use crate::builtin::join::join;
use crate::legacy_arguments;
use crate::number::fail;
use crate::predicate;
use crate::random::Random;

function! {
    /// Returns a random string of a length, the same each time for a node and seeds. The second argument has the characters it is
    /// made of.
    ///
    /// ```puppet
    /// fqdn_rand_string(10)
    /// fqdn_rand_string(10, 'ABCDEF!@#$%^')
    /// fqdn_rand_string(10, '', 'custom seed')
    /// ```
    "fqdn_rand_string" of "stdlib" {
        "arity -2" as "(Any $length, Any *$charset_and_seeds) >> String" => fqdn_rand_string(call, *args),
    }
}

function! {
    /// Returns a random string of a length, the same each time for a node and seeds. The second argument has the characters it is
    /// made of.
    ///
    /// ```puppet
    /// fqdn_rand_string(10)
    /// fqdn_rand_string(10, 'ABCDEF!@#$%^')
    /// fqdn_rand_string(10, '', 'custom seed')
    /// ```
    NAMESPACED: "stdlib::fqdn_rand_string" of "stdlib" {
        "(Integer[1] $length, Optional[String] $charset = undef, Optional[Any] *$seed)" as ">> String" => typed(call, length, charset, *seed),
    }
}

/// The characters a string is made of if none are given.
const CHARACTERS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

fn fqdn_rand_string(call: &mut Call<'_, '_>, args: &[Value]) -> Result<String, Issue> {
    let [length, rest @ ..] = args else { return Ok(String::new()) };
    let length = match legacy_arguments::to_i(length) {
        Ok(number @ 1..) if predicate::is_integer(std::slice::from_ref(length))? => number,
        _ => return fail("fqdn_rand_string(): first argument must be a positive integer"),
    };
    let characters = match rest.first() {
        None => "",
        Some(Value::String(text)) => text.as_str(),
        Some(_) => return fail("fqdn_rand_string(): second argument must be undef or a string"),
    };
    let characters: Vec<char> = if characters.is_empty() { CHARACTERS } else { characters }.chars().collect();
    let count = i64::try_from(characters.len()).unwrap_or(i64::MAX);
    let name = node_name(call, false);
    let seeds = rest.get(1..).unwrap_or_default();
    // Each character takes a digest.
    limits::check_elements(length.unsigned_abs())?;
    let mut text = String::new();
    for position in 1..=length {
        call.frame.compilation.clock.step()?;
        let seed: Vec<Value> = seeds.iter().cloned().chain([Value::from(position.to_string())]).collect();
        let seed = [name.clone(), Value::Integer(count), join(&seed, Some(":")).into()];
        let chosen = below(count, Random::from_md5(&join(&seed, Some(":"))))?;
        text.extend(usize::try_from(chosen).ok().and_then(|index| characters.get(index)));
    }
    Ok(text)
}

fn typed(call: &mut Call<'_, '_>, length: i64, characters: Option<&str>, seeds: &[Value]) -> Result<String, Issue> {
    let given = [Value::Integer(length), characters.unwrap_or_default().into()];
    let args: Vec<Value> = given.into_iter().chain(seeds.iter().cloned()).collect();
    fqdn_rand_string(call, &args)
}

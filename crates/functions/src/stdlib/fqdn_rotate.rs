//! `fqdn_rotate`: an array or string turned by a random amount.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::builtin::join::join;
use crate::number::fail;
use crate::random::Random;

function! {
    /// Moves elements of an array, or characters of a string, from the front to the end. How many is random, but the same each
    /// time for a node and seeds.
    ///
    /// ```puppet
    /// fqdn_rotate(['a', 'b', 'c', 'd'])
    /// ```
    "fqdn_rotate" of "stdlib" {
        "arity -1" as "(Variant[String, Array] $value, Any *$seeds) >> Variant[String, Array]" => fqdn_rotate(call, *args),
    }
}

function! {
    /// Moves elements of an array, or characters of a string, from the front to the end. How many is random, but the same each
    /// time for a node and seeds.
    ///
    /// ```puppet
    /// fqdn_rotate(['a', 'b', 'c', 'd'])
    /// ```
    NAMESPACED: "stdlib::fqdn_rotate" of "stdlib" {
        "(String $input, Variant[Integer, String] *$seeds)" as ">> String" => typed(call),
        "(Array $input, Variant[Integer, String] *$seeds)" as ">> Array" => typed(call),
    }
}

fn fqdn_rotate(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome {
    let [value, seeds @ ..] = args else {
        return Ok(fail("fqdn_rotate(): Wrong number of arguments given (0 for 1)")?);
    };
    let mut seed = vec![call.frame.variable("::fqdn")?.unwrap_or_default()];
    seed.push(Value::array(seeds.iter().cloned()));
    let random = Random::from_md5(&join(&seed, Some(":")));
    match value {
        Value::Array(elements) => {
            let mut elements = elements.to_vec();
            rotate(&mut elements, random);
            Ok(elements.into())
        }
        Value::String(text) => {
            let mut letters: Vec<char> = text.chars().collect();
            rotate(&mut letters, random);
            Ok(letters.into_iter().collect::<String>().into())
        }
        _ => Ok(fail("fqdn_rotate(): Requires either array or string to work with")?),
    }
}

fn rotate<T>(elements: &mut [T], mut random: Random) {
    let count = random.below(u64::try_from(elements.len()).unwrap_or(0));
    elements.rotate_left(usize::try_from(count).unwrap_or(0).min(elements.len()));
}

fn typed(call: &mut Call<'_, '_>) -> Outcome {
    fqdn_rotate(call, call.args)
}

//! `shuffle`: an array or string in random order.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::entropy::Entropy;
use crate::number::fail;

function! {
    /// Returns the elements of an array, or the characters of a string, in random order.
    ///
    /// ```puppet
    /// shuffle([1, 2, 3])
    /// ```
    "shuffle" of "stdlib" {
        "arity -1" as "(Variant[String, Array] $value) >> Variant[String, Array]" => shuffle(call, *args),
    }
}

fn shuffle(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    let mut entropy = Entropy::new(call.frame.compilation.environment.world());
    match args.first() {
        None => fail("shuffle(): Wrong number of arguments given (0 for 1)"),
        Some(Value::Array(elements)) => {
            let mut elements = elements.to_vec();
            shuffle_all(&mut elements, &mut entropy)?;
            Ok(elements.into())
        }
        Some(Value::String(text)) => {
            let mut letters: Vec<char> = text.chars().collect();
            shuffle_all(&mut letters, &mut entropy)?;
            Ok(letters.into_iter().collect::<String>().into())
        }
        Some(_) => fail("shuffle(): Requires either array or string to work with"),
    }
}

fn shuffle_all<T>(elements: &mut [T], entropy: &mut Entropy<'_>) -> Result<(), Issue> {
    for index in 0..elements.len() {
        let left = u64::try_from(elements.len() - index).unwrap_or(1);
        let other = index + usize::try_from(entropy.below(left)?).unwrap_or(0);
        elements.swap(index, other);
    }
    Ok(())
}

//! `slice`: elements in groups of a size.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::iterator::Sequence;
use bunraku_pcore::{Value, limits};
use bunraku_syntax::Issue;

use crate::iteration::{elements, sequence};
use crate::number::fail;

function! {
    /// Returns an array of groups of so many elements, or calls the lambda with each group and returns the collection.
    ///
    /// The last group may be smaller. A lambda has one parameter for the group, or one for each element of it.
    ///
    /// ```puppet
    /// [1, 2, 3].slice(2)                             # [[1, 2], [3]]
    /// [1, 2, 3].slice(2) |$a, $b| { notice($a, $b) }
    /// ```
    "slice" {
        "(Hash $hash, Integer[1, default] $slice_size, Callable &$block = undef)" as ">> Any" => of_hash(call, hash, slice_size),
        "(Iterable $enumerable, Integer[1, default] $slice_size, Callable &$block = undef)" as ">> Any" => of_sequence(call, enumerable, slice_size),
    }
}

fn of_hash(call: &mut Call<'_, '_>, hash: &Value, size: i64) -> Outcome {
    slice(call, hash, size, &Value::array([]))
}

fn of_sequence(call: &mut Call<'_, '_>, sequence: &Value, size: i64) -> Outcome {
    slice(call, sequence, size, &Value::Undef)
}

fn slice(call: &mut Call<'_, '_>, collection: &Value, size: i64, filler: &Value) -> Outcome {
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let length = sequence(collection).len();
    if call.block.is_none() {
        limits::check_elements(length)?;
        return Ok(groups(collection, size).map(Value::from).collect::<Vec<Value>>().into());
    }
    limits::check_elements(length.min(size as u64))?;
    let serving = serving_size(call, size)?;
    call.each_until_break(groups(collection, size), |call, mut group| {
        if serving == 1 {
            call.yield_to_block(vec![group.into()])?;
        } else {
            group.resize(group.len().max(serving), filler.clone());
            call.yield_to_block(group)?;
        }
        Ok(())
    })?;
    Ok(collection.clone())
}

fn groups(collection: &Value, size: usize) -> impl Iterator<Item = Vec<Value>> {
    // Compatibility: no group is larger than the sequence says it is.
    let size = match stated_size(&sequence(collection)) {
        0 => size,
        stated => size.min(usize::try_from(stated).unwrap_or(usize::MAX)),
    };
    let mut elements = elements(collection);
    std::iter::from_fn(move || {
        let group: Vec<Value> = elements.by_ref().take(size).collect();
        (!group.is_empty()).then_some(group)
    })
}

/// How long a sequence says it is. Compatibility: a range leaves out its last element, and steps are rounded down.
fn stated_size(sequence: &Sequence) -> u64 {
    match sequence {
        Sequence::Range(range) => range.stated_size(),
        Sequence::Reversed(sequence) => stated_size(sequence),
        Sequence::Step(sequence, step) => stated_size(sequence) / (*step).max(1),
        Sequence::Array(elements) => u64::try_from(elements.len()).unwrap_or(u64::MAX),
        Sequence::Hash(entries) => u64::try_from(entries.len()).unwrap_or(u64::MAX),
    }
}

/// How many arguments the lambda gets: one for the group, or one for each of its elements.
fn serving_size(call: &Call<'_, '_>, size: usize) -> Result<usize, Issue> {
    let Some(block) = call.block else { return Ok(1) };
    let parameters = block.written_parameters();
    let takes_any_number = parameters.iter().any(|parameter| parameter.captures_rest || parameter.default.is_some());
    let serving = if takes_any_number { size } else { block.parameter_count() };
    if serving == 0 {
        return fail("slice(): block must define at least one parameter. Block has 0.");
    }
    if serving != 1 && serving != size {
        let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let names = names.join(", ");
        return fail(format!(
            "slice(): block must define one parameter, or the same number of parameters as the given size of the slice \
             ({size}). Block has {serving}; {names}"
        ));
    }
    Ok(serving)
}

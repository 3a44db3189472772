//! `new`: an instance of a data type, which a call of the type itself makes too.

use std::time::UNIX_EPOCH;

use bunraku_compiler::function::Call;
use bunraku_compiler::{Compilation, Outcome, function};
use bunraku_pcore::convert::{Context, new_instance};
use bunraku_pcore::data_types::Timestamp;
use bunraku_pcore::{Type, Value};
use bunraku_syntax::Issue;

function! {
    /// Makes an instance of a data type from the arguments, and calls the lambda with it if there is one.
    ///
    /// ```puppet
    /// new(Integer, '0xff')             # 255
    /// Integer.new('ff', 16)            # 255
    /// Timestamp('2016-08-24')          # the same for every type: a call of it is a call of new
    /// ```
    "new" {
        "(Type $type, Any *$args, Callable &$block = undef)" as ">> Any" => new(call, r#type, *args),
    }
}

fn new(call: &mut Call<'_, '_>, data_type: &Type, args: &[Value]) -> Outcome {
    let made = new_instance(data_type, args, &mut Surroundings(call.frame.compilation));
    let value = made.map_err(|issue| match (data_type, args) {
        (Type::Type(_), [Value::String(text)]) => call.frame.compilation.located_in_type(text, issue),
        _ => issue.into(),
    })?;
    if call.block.is_some() { call.yield_to_block(vec![value]) } else { Ok(value) }
}

/// The clock and the types of a compilation.
struct Surroundings<'c, 'e>(&'c mut Compilation<'e>);

impl Context for Surroundings<'_, '_> {
    fn now(&self) -> Timestamp {
        let now = self.0.environment.world().now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_nanoseconds(i128::try_from(now.as_nanos()).unwrap_or(0))
    }

    fn utc_offset(&self) -> i32 {
        self.0.environment.world().utc_offset()
    }

    /// Compatibility: a string is read without the loaders of modules, which leaves what has been asked for before.
    fn resolve(&mut self, name: &str) -> Result<Option<Type>, Issue> {
        Ok(self.0.known_data_type(name))
    }
}

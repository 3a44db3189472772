//! `time`: the present time.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns the present time in seconds since the start of 1970. A time zone makes no difference.
    ///
    /// ```puppet
    /// time() # 1311972653
    /// ```
    "time" of "stdlib" {
        "arity -1" as "(Any $time_zone = undef) >> Integer" => time(call, *args),
    }
}

function! {
    /// Returns the present time in seconds since the start of 1970. A time zone makes no difference.
    ///
    /// ```puppet
    /// time() # 1311972653
    /// ```
    NAMESPACED: "stdlib::time" of "stdlib" {
        "(Optional[String] $_timezone = undef)" as ">> Integer" => now(call),
    }
}

fn time(call: &mut Call<'_, '_>, args: &[Value]) -> Result<i64, Issue> {
    if args.len() > 1 {
        return fail(format!("time(): Wrong number of arguments given {} for 0 or 1", args.len()));
    }
    Ok(i64::try_from(call.frame.compilation.environment.world().epoch_seconds()).unwrap_or(i64::MAX))
}

fn now(call: &mut Call<'_, '_>) -> Result<i64, Issue> {
    time(call, &[])
}

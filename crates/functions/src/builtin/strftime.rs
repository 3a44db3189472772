//! `strftime`: times as strings.

use std::time::UNIX_EPOCH;

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_pcore::data_types::timestamp::Timezone;
use bunraku_pcore::data_types::{Timestamp, timespan};
use bunraku_syntax::Issue;

use crate::deprecation;

function! {
    /// Formats a `Timespan` or `Timestamp` by a format such as `%F %T`; a timestamp in UTC or in the given time zone.
    ///
    /// With the format first, the present time is formatted.
    ///
    /// ```puppet
    /// strftime(Timestamp('2016-08-24T12:13:14'), '%Y-%m-%d')   # '2016-08-24'
    /// Timespan({ hours => 3 }).strftime('%M')                  # '180'
    /// ```
    "strftime" {
        "(Timespan $time_object, String $format)" as ">> String" => of_timespan(time_object, format),
        "(Timestamp $time_object, String $format, String $timezone = undef)" as ">> String" => of_timestamp(call, time_object, format, timezone),
        "(String $format, String $timezone = undef)" as ">> String" => of_now(call, format, timezone),
    }
}

fn of_timespan(time: &Value, format: &str) -> Result<Value, Issue> {
    match time {
        Value::Timespan(timespan) => Ok(timespan.format(&timespan::Format::new(format)?)?.into()),
        _ => Ok(Value::Undef),
    }
}

fn of_timestamp(call: &mut Call<'_, '_>, time: &Value, format: &str, timezone: Option<&str>) -> Result<Value, Issue> {
    match time {
        Value::Timestamp(timestamp) => Ok(timestamp.format(format, zone(call, timezone))?.into()),
        _ => Ok(Value::Undef),
    }
}

fn of_now(call: &mut Call<'_, '_>, format: &str, timezone: Option<&str>) -> Result<String, Issue> {
    deprecation::warn_here(
        call,
        "legacy#strftime",
        "The argument signature (String format, [String timezone]) is deprecated for #strftime. See #strftime \
         documentation and Timespan type for more info",
    );
    let now = call.frame.compilation.environment.world().now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_nanoseconds(i128::try_from(now.as_nanos()).unwrap_or(0)).format(format, zone(call, timezone))
}

fn zone<'z>(call: &Call<'_, '_>, name: Option<&'z str>) -> Option<Timezone<'z>> {
    Timezone::new(name, || Some(call.frame.compilation.environment.world().utc_offset()))
}

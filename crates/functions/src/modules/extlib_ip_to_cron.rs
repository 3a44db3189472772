//! `extlib::ip_to_cron`: times that differ from node to node.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

use crate::number::leading_integer;

function! {
    /// Returns hours and minutes for cron, moved by the address of the node, for an interval in seconds.
    ///
    /// ```puppet
    /// extlib::ip_to_cron(3600)
    /// ```
    "extlib::ip_to_cron" of "extlib" {
        "(Integer[1] $runinterval = undef) >> Array" => ip_to_cron(call, runinterval),
    }
}

fn ip_to_cron(call: &mut Call<'_, '_>, interval: Option<i64>) -> Outcome {
    let facts = call.frame.variable("facts")?.unwrap_or_default();
    let networking = |name: &str| match &facts {
        Value::Hash(facts) => match facts.get_str("networking") {
            Some(Value::Hash(networking)) => networking.get_str(name).and_then(Value::as_str).map(str::to_owned),
            _ => None,
        },
        _ => None,
    };
    let address = networking("ip").unwrap_or_default();
    let octet = leading_integer(address.split('.').nth(3).unwrap_or_default());
    let interval = interval.unwrap_or(1800).max(1);
    Ok(if interval <= 3600 {
        Value::array(["*".into(), times(octet, 60, 3600 / interval)])
    } else {
        Value::array([times(octet, 24, 86_400 / interval), octet.rem_euclid(60).into()])
    })
}

/// So many times within a span, at equal distances, in order.
fn times(octet: i64, span: i64, count: i64) -> Value {
    let distance = span.checked_div(count).unwrap_or_default();
    let mut times: Vec<i64> =
        (1..=count).map(|number| (octet.rem_euclid(span) - distance * number).rem_euclid(span)).collect();
    times.sort_unstable();
    Value::array(times.into_iter().map(Value::Integer))
}

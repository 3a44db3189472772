//! `load_averages`: how many processes wanted to run.

use bunraku_pcore::Value;

use crate::fact::{Fact, structure};
use crate::host::Host;

pub(super) const FACTS: &[Fact] = &[Fact::new("load_averages", resolve)];

fn resolve(host: &Host<'_>) -> Value {
    let text = host.read("/proc/loadavg").unwrap_or_default();
    let loads = text.split_whitespace().map_while(|word| word.parse::<f64>().ok());
    structure(["1m", "5m", "15m"].into_iter().zip(loads.map(Value::from)))
}

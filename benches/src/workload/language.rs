//! Expressions: what a program spends its time with.

use super::Workload;

pub(super) fn reduction(count: usize) -> Workload {
    Workload::new(
        "reduce",
        format!("a hash of {} entries built by reduce", thousands(count)),
        50,
        format!("$h = Integer[1, {count}].reduce({{}}) |$m, $x| {{ $m + {{ \"k${{x}}\" => $x }} }}\nnotice($h.size)"),
    )
}

pub(super) fn cases() -> Workload {
    Workload::new(
        "case",
        "case over types, 100,000 times",
        50,
        "$r = Integer[1, 100000].map |$x| { case $x { String: { 's' } Float: { 'f' } Integer[0, 10]: { 'low' } \
         Integer: { 'i' } default: { 'd' } } }\nnotice($r.size)",
    )
}

pub(super) fn regexps() -> Workload {
    Workload::new(
        "regexps",
        "100,000 matches of a regular expression",
        50,
        "$r = Integer[1, 100000].filter |$x| { \"node${x}.example.com\" =~ /^node(\\d*)7\\./ }\nnotice($r.size)",
    )
}

pub(super) fn calls(count: usize) -> Workload {
    Workload::new(
        "calls",
        format!("{} calls of a function in Puppet", thousands(count)),
        50,
        format!(
            "function add(Integer $a, Integer $b) >> Integer {{ $a + $b }}\n\
             $sum = Integer[1, {count}].reduce(0) |$memo, $x| {{ add($memo, $x) }}\nnotice($sum)"
        ),
    )
}

pub(super) fn iterations(count: usize) -> Workload {
    Workload::new(
        "iteration",
        format!("map, filter and reduce over {} elements", thousands(count)),
        50,
        format!(
            "$a = Integer[1, {count}].map |$x| {{ $x * 2 }}\n$b = $a.filter |$x| {{ $x % 3 == 0 }}\n\
             $c = $b.reduce |$m, $x| {{ $m + $x }}\nnotice($c)"
        ),
    )
}

pub(super) fn interpolations(count: usize) -> Workload {
    Workload::new(
        "interpolation",
        format!("{} interpolated strings", thousands(count)),
        50,
        format!(
            "$s = Integer[1, {count}].map |$x| {{ \"item ${{x}} of ${{$x * 2}}: ${{facts}} \".length }}\nnotice($s.size)"
        ),
    )
}

/// A number as people write it: `1,000,000`.
pub(super) fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let first = digits.len() % 3;
    let mut text = digits.get(..first).unwrap_or_default().to_owned();
    for group in digits.as_bytes().get(first..).unwrap_or_default().chunks(3) {
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&String::from_utf8_lossy(group));
    }
    text
}

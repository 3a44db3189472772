//! Queries with dots: `os.release.major`, `networking.interfaces.eth0.bindings.0.address`.

use bunraku_pcore::Value;

/// The part of a value that a path of keys and indexes leads to.
pub fn dig<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, key| match value {
        Value::Hash(hash) => hash.get_str(key).or_else(|| hash.get(&Value::from(key.parse::<i64>().ok()?))),
        Value::Array(elements) => elements.get(key.parse::<usize>().ok()?),
        _ => None,
    })
}

/// The ways to take a query apart into the name of a fact and a path in it, the longest name first.
pub(crate) fn splits(query: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let query = query.trim_end_matches('.');
    let dots = query.rmatch_indices('.').filter_map(|(at, _)| Some((query.get(..at)?, query.get(at + 1..))));
    std::iter::once((query, None)).chain(dots)
}

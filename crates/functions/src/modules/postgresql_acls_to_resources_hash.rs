//! `postgresql::postgresql_acls_to_resources_hash`: rules of access as resources.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns a hash of rules of access, ready for `create_resources`, from lines of `pg_hba.conf`.
    ///
    /// ```puppet
    /// postgresql::postgresql_acls_to_resources_hash(['local all all md5'], 'test', 10)
    /// ```
    "postgresql::postgresql_acls_to_resources_hash" of "postgresql" {
        "(Array[String] $acls, String[1] $id, Integer[0] $offset)" => acls_to_resources_hash(acls, id, offset),
    }
}

fn acls_to_resources_hash(lines: &[Value], id: &str, offset: i64) -> Result<Hash, Issue> {
    let mut resources = Hash::new();
    for line in lines {
        // Compatibility: a line that is there twice counts as the first one.
        let index = lines.iter().position(|other| other == line).unwrap_or_default();
        let parts: Vec<&str> = line.as_str().unwrap_or_default().split_ascii_whitespace().collect();
        let [kind, database, user, address, rest @ ..] = parts.as_slice() else {
            return fail(format!(
                "postgresql::postgresql_acls_to_resources_hash(): acl line {index} does not have enough parts"
            ));
        };
        let order = i64::try_from(index).ok().and_then(|index| offset.checked_add(index)).unwrap_or(i64::MAX);
        let mut rule = vec![
            ("type", Value::from(*kind)),
            ("database", Value::from(*database)),
            ("user", Value::from(*user)),
            ("order", Value::from(format!("{order:03}"))),
        ];
        let options = match (*kind, rest) {
            ("local", options) => {
                rule.push(("auth_method", Value::from(*address)));
                options
            }
            (_, [mask, rest @ ..]) if mask.starts_with(|first: char| first.is_ascii_digit()) => {
                rule.push(("address", Value::from(format!("{address} {mask}"))));
                rule.push(("auth_method", rest.first().map_or(Value::Undef, |method| Value::from(*method))));
                rest.get(1..).unwrap_or_default()
            }
            (_, rest) => {
                rule.push(("address", Value::from(*address)));
                rule.push(("auth_method", rest.first().map_or(Value::Undef, |method| Value::from(*method))));
                rest.get(1..).unwrap_or_default()
            }
        };
        if !options.is_empty() {
            rule.push(("auth_option", Value::from(options.join(" "))));
        }
        let rule = Value::hash(rule.into_iter().map(|(key, value)| (Value::from(key), value)));
        resources.insert(format!("postgresql class generated rule {id} {index}").into(), rule);
    }
    Ok(resources)
}

//! What the body of a request must be made of, and what is wrong with it in the words of the library that the reference
//! checks bodies with.

use bunraku::Value;

use crate::request::is_environment_name;

/// Values are shown up to this length; of others only the class is told.
const LONGEST: usize = 19;

/// What a value must be.
#[derive(Debug)]
pub(crate) enum Kind {
    Text,
    Boolean,
    /// A string that can be the name of an environment.
    Environment,
    /// One of some strings, and how the reference shows them.
    OneOf(&'static [&'static str], &'static str),
    /// A hash with whatever is in it.
    Hash,
    /// A hash with these parts and no others.
    Parts(&'static [Part]),
}

/// A part of a hash.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) is_required: bool,
    pub(crate) kind: Kind,
}

/// A part that must be there.
pub(crate) const fn required(name: &'static str, kind: Kind) -> Part {
    Part { name, is_required: true, kind }
}

/// A part that may be there.
pub(crate) const fn optional(name: &'static str, kind: Kind) -> Part {
    Part { name, is_required: false, kind }
}

/// What is wrong with a value; nothing if it is right.
pub(crate) fn mistake(value: &Value, kind: &Kind) -> Option<String> {
    let unless = |is_right: bool, test: &str| (!is_right).then(|| format!("(not ({test} {}))", shown(value)));
    match kind {
        Kind::Text => unless(value.as_str().is_some(), "instance? java.lang.String"),
        Kind::Boolean => unless(matches!(value, Value::Boolean(_)), "instance? java.lang.Boolean"),
        Kind::Environment => mistake(value, &Kind::Text).or_else(|| {
            let test = "puppetlabs.services.master.master-core/valid-env-name?";
            unless(value.as_str().is_some_and(is_environment_name), test)
        }),
        Kind::OneOf(all, test) => unless(value.as_str().is_some_and(|it| all.contains(&it)), test),
        Kind::Hash => unless(matches!(value, Value::Hash(_)), "map?"),
        Kind::Parts(parts) => {
            let Value::Hash(given) = value else { return unless(false, "map?") };
            let wrong = parts.iter().filter_map(|part| match given.get_str(part.name) {
                Some(value) => Some((part.name.to_owned(), mistake(value, &part.kind)?)),
                None => part.is_required.then(|| (part.name.to_owned(), "missing-required-key".to_owned())),
            });
            let is_known = |key: &&Value| parts.iter().any(|part| key.as_str() == Some(part.name));
            let unknown = given.keys().filter(|key| !is_known(key));
            let unknown = unknown.map(|key| (key.to_string(), "disallowed-key".to_owned()));
            let wrong: Vec<String> = wrong.chain(unknown).map(|(name, what)| format!("{name:?} {what}")).collect();
            (!wrong.is_empty()).then(|| format!("{{{}}}", wrong.join(", ")))
        }
    }
}

/// A value as Clojure writes it.
fn shown(value: &Value) -> String {
    let (text, class) = match value {
        Value::Undef => return "nil".to_owned(),
        Value::String(text) => (format!("{:?}", text.as_str()), "java.lang.String"),
        Value::Array(elements) => {
            let all: Vec<String> = elements.iter().map(shown).collect();
            (format!("[{}]", all.join(" ")), "clojure.lang.PersistentVector")
        }
        Value::Hash(entries) => {
            let all: Vec<String> =
                entries.iter().map(|(key, value)| format!("{} {}", shown(key), shown(value))).collect();
            (format!("{{{}}}", all.join(", ")), "clojure.lang.PersistentArrayMap")
        }
        other => (other.to_string(), "java.lang.Object"),
    };
    if text.trim_matches('"').chars().count() > LONGEST { format!("a-{class}") } else { text }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_told_as_the_reference_tells_them() {
        const BODY: Kind = Kind::Parts(&[
            required("name", Kind::Text),
            optional("environment", Kind::Environment),
            optional("level", Kind::OneOf(&["a", "b"], "#{\"a\" \"b\"}")),
            required("keeps", Kind::Parts(&[required("facts", Kind::Boolean)])),
        ]);
        let check = |body: &str, expected: Option<&str>| {
            assert_eq!(mistake(&bunraku::json::read(body).unwrap(), &BODY).as_deref(), expected, "{body}");
        };
        check(r#"{"name": "n", "keeps": {"facts": true}}"#, None);
        check("{}", Some(r#"{"name" missing-required-key, "keeps" missing-required-key}"#));
        check("[]", Some("(not (map? []))"));
        check("null", Some("(not (map? nil))"));
        check(
            r#"{"name": 1, "keeps": {}}"#,
            Some(r#"{"name" (not (instance? java.lang.String 1)), "keeps" {"facts" missing-required-key}}"#),
        );
        check(
            r#"{"name": "n", "keeps": {"facts": "x"}, "level": "c", "more": 1}"#,
            Some(
                "{\"level\" (not (#{\"a\" \"b\"} \"c\")), \
             \"keeps\" {\"facts\" (not (instance? java.lang.Boolean \"x\"))}, \"more\" disallowed-key}",
            ),
        );
        check(
            r#"{"name": "n", "keeps": {"facts": true}, "environment": "a-b"}"#,
            Some(r#"{"environment" (not (puppetlabs.services.master.master-core/valid-env-name? "a-b"))}"#),
        );
        check(
            r#"{"name": "n", "keeps": "a string that is long"}"#,
            Some(r#"{"keeps" (not (map? a-java.lang.String))}"#),
        );
    }
}

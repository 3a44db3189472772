//! `regsubst`: replaces what a regular expression matches.

use std::sync::Arc;

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::issues::runtime_error;
use bunraku_pcore::regexp::escape;
use bunraku_pcore::{Regexp, Type, Value};
use bunraku_syntax::{Issue, deep};

use crate::builtin::split::regexp;
use crate::deprecation;
use crate::substitute::{Replacement, substitute};

function! {
    /// Replaces the first match of a pattern in a string, or in each string of an array.
    ///
    /// The replacement may refer to groups with `\\1` or `\\k<name>`, or be a hash from matched string to replacement. The
    /// flags are `G` for all matches, `I` to ignore case, `E` for extended patterns, `M` for a `.` that matches line ends.
    /// A `Sensitive` string gives a `Sensitive` result. The encoding is ignored.
    ///
    /// ```puppet
    /// regsubst('a.b.c', '\\.', '-', 'G')  # 'a-b-c'
    /// regsubst('abc', /(b)/, '<\\1>')     # 'a<b>c'
    /// ```
    "regsubst" {
        "(Variant[Array[Variant[String, Sensitive[String]]], Sensitive[Array[Variant[String, Sensitive[String]]]], \
          String, Sensitive[String]] $target, \
          String $pattern, Variant[String, Hash[String, String]] $replacement, \
          Optional[Pattern[/^[GEIM]*$/]] $flags = undef, Enum['N', 'E', 'S', 'U'] $encoding = undef)"
            as ">> Variant[String, Sensitive, Array]"
            => by_text_encoded(call, target, pattern, replacement, flags, encoding),
        "(Variant[Array[Variant[String, Sensitive[String]]], Sensitive[Array[Variant[String, Sensitive[String]]]], \
          String, Sensitive[String]] $target, \
          Variant[Regexp, Type[Regexp]] $pattern, Variant[String, Hash[String, String]] $replacement, \
          Pattern[/^G?$/] $flags = undef)"
            as ">> Variant[String, Sensitive, Array]"
            => by_regexp(call, target, pattern, replacement, flags),
    }
}

function! {
    /// Replaces the first match of a pattern in a string, or in each string of an array.
    ///
    /// The replacement may refer to groups with `\\1` or `\\k<name>`, or be a hash from matched string to replacement. The
    /// flags are `G` for all matches, `I` to ignore case, `E` for extended patterns, `M` for a `.` that matches line ends.
    /// A `Sensitive` string gives a `Sensitive` result.
    OPENVOX9: "regsubst" {
        "(Variant[Array[Variant[String, Sensitive[String]]], Sensitive[Array[Variant[String, Sensitive[String]]]], \
          String, Sensitive[String]] $target, \
          String $pattern, Variant[String, Hash[String, String]] $replacement, \
          Optional[Pattern[/^[GEIM]*$/]] $flags = undef)"
            as ">> Variant[String, Sensitive, Array]"
            => by_text(call, target, pattern, replacement, flags),
        "(Variant[Array[Variant[String, Sensitive[String]]], Sensitive[Array[Variant[String, Sensitive[String]]]], \
          String, Sensitive[String]] $target, \
          Variant[Regexp, Type[Regexp]] $pattern, Variant[String, Hash[String, String]] $replacement, \
          Pattern[/^G?$/] $flags = undef)"
            as ">> Variant[String, Sensitive, Array]"
            => by_regexp(call, target, pattern, replacement, flags),
    }
}

fn by_text_encoded(
    call: &mut Call<'_, '_>,
    target: &Value,
    pattern: &str,
    replacement: &Value,
    flags: Option<&str>,
    encoding: Option<&str>,
) -> Result<Value, Issue> {
    if encoding.is_some() {
        deprecation::warn(
            call,
            "regsubst_function_encoding",
            "The regsubst() function's encoding argument has been ignored since Ruby 1.9 and will be removed in a \
             future release",
        );
    }
    by_text(call, target, pattern, replacement, flags)
}

fn by_text(
    call: &mut Call<'_, '_>,
    target: &Value,
    pattern: &str,
    replacement: &Value,
    flags: Option<&str>,
) -> Result<Value, Issue> {
    let flags = flags.unwrap_or_default();
    let options: String = [('M', 'm'), ('I', 'i'), ('E', 'x')]
        .into_iter()
        .filter(|(flag, _)| flags.contains(*flag))
        .map(|(_, option)| option)
        .collect();
    let compilation = &mut call.frame.compilation;
    let regexp = if options.is_empty() {
        compilation.regexp(pattern)?
    } else {
        // The line end closes a comment that an extended pattern may end with.
        let end = if options.contains('x') { "\n" } else { "" };
        compilation.regexp(&format!("(?{options}:{pattern}{end})")).map_err(|issue| {
            // The message shows the pattern as it was given, with the options behind it.
            let shown = compilation.regexp(pattern).err().map(|plain| format!("{}{options}", plain.message()));
            shown.map_or(issue, runtime_error)
        })?
    };
    replace(target, &regexp, replacement, flags.contains('G'))
}

fn by_regexp(
    call: &mut Call<'_, '_>,
    target: &Value,
    pattern: &Value,
    replacement: &Value,
    flags: Option<&str>,
) -> Result<Value, Issue> {
    let pattern = match pattern {
        // Compatibility: the pattern of a type is a string to the reference, and is looked for as it is.
        Value::Type(Type::Regexp(data_type)) => {
            let text = data_type.pattern.as_ref().map(|pattern| pattern.to_pattern_text()).unwrap_or_default();
            call.frame.compilation.regexp(&escape(&text))?
        }
        pattern => regexp(call, pattern)?,
    };
    replace(target, &pattern, replacement, flags == Some("G"))
}

fn replace(target: &Value, pattern: &Regexp, replacement: &Value, is_global: bool) -> Result<Value, Issue> {
    deep(|| {
        Ok(match target {
            Value::Array(elements) => {
                let replaced = elements.iter().map(|element| replace(element, pattern, replacement, is_global));
                Value::from(replaced.collect::<Result<Vec<_>, _>>()?)
            }
            // Compatibility: a secret array comes back as a plain one, element by element.
            Value::Sensitive(secret) if matches!(**secret, Value::Array(_)) => {
                replace(secret, pattern, replacement, is_global)?
            }
            Value::Sensitive(secret) => Value::Sensitive(Arc::new(replace(secret, pattern, replacement, is_global)?)),
            text => {
                let replacement = match replacement {
                    Value::Hash(entries) => Replacement::Entries(entries),
                    other => Replacement::Template(other.as_str().unwrap_or_default()),
                };
                Value::from(substitute(text.as_str().unwrap_or_default(), pattern, &replacement, is_global)?)
            }
        })
    })
}

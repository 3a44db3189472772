//! `getvar`: the value of a variable by name, or a value deep inside of it.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::builtin::get::get;
use crate::number::fail;

function! {
    /// Returns the value of a variable, or what is behind further keys with dots between them; the default value if there
    /// is none.
    ///
    /// ```puppet
    /// getvar('facts.os.family')
    /// getvar('apache::version', '2.4')
    /// ```
    "getvar" {
        r"(Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] $get_string, Any $default_value = undef, Callable[1, 1] &$block = undef)" as ">> Any" => getvar(call, get_string, default_value),
        "mismatch (String $get_string, Any $default_value = undef, Callable &$block = undef)" => not_a_name(),
    }
}

fn getvar(call: &mut Call<'_, '_>, text: &str, default: Option<&Value>) -> Outcome {
    let end = text.find(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '_' | ':')));
    let (name, navigation) = text.split_at_checked(end.unwrap_or(text.len())).unwrap_or((text, ""));
    let navigation = navigation.strip_prefix('.').unwrap_or(navigation);
    match call.frame.variable(name)? {
        Some(value) => get(call, &value, navigation, default),
        None => Ok(default.cloned().unwrap_or_default()),
    }
}

fn not_a_name() -> Result<Value, Issue> {
    fail("The given string does not start with a valid variable name")
}

//! `glob`: the files that a pattern finds.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_environment::world::glob_readable;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;

function! {
    /// Returns the paths of files and directories on the server that match a pattern, or one of several.
    ///
    /// ```puppet
    /// glob('/etc/*.conf')
    /// ```
    "glob" of "stdlib" {
        "arity -1" as "(Variant[String, Array] $patterns) >> Array" => find(call, *args),
    }
}

fn find(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    let [patterns] = args else {
        return fail(format!("glob(): Wrong number of arguments given ({} for 1)", args.len()));
    };
    if !matches!(patterns, Value::String(_) | Value::Array(_)) {
        return fail("glob(): Requires either array or string to work");
    }
    let world = call.frame.compilation.environment.world();
    let mut paths = Vec::new();
    for pattern in legacy_arguments::list(patterns).iter().filter(|pattern| pattern.as_str() != Some("")) {
        paths.extend(glob_readable(world, legacy_arguments::text(Some(pattern))?)?.into_iter().map(Value::from));
    }
    Ok(paths.into())
}

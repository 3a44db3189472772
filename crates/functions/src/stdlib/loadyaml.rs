//! `loadyaml`: data from a YAML file or URL.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::document;
use crate::yaml;

function! {
    /// Returns the data of a YAML string file or URL, or the default if there is none or it cannot be read.
    ///
    /// ```puppet
    /// loadyaml('/etc/app/data.yaml', {})
    /// ```
    "loadyaml" of "stdlib" {
        "arity -2" as "(Any $path, Any $default = undef) >> Any" => loadyaml(call, *args),
    }
}

fn loadyaml(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    document::load(call, args, yaml::parse)
}

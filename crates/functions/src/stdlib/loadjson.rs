//! `loadjson`: data from a JSON file or URL.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::document;
use crate::json;

function! {
    /// Returns the data of a JSON string file or URL, or the default if there is none or it cannot be read.
    ///
    /// ```puppet
    /// loadjson('/etc/app/data.json', {})
    /// ```
    "loadjson" of "stdlib" {
        "arity -2" as "(Any $path, Any $default = undef) >> Any" => loadjson(call, *args),
    }
}

fn loadjson(call: &mut Call<'_, '_>, args: &[Value]) -> Result<Value, Issue> {
    document::load(call, args, json::parse)
}

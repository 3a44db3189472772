//! `find_template`: the path of a template of a module.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

function! {
    /// Returns the path of the first template that exists, or `undef`.
    ///
    /// A reference is `module/template`, for a template in the directory `templates` of the module, or an absolute path.
    ///
    /// ```puppet
    /// find_template('mysql/my.cnf.epp')
    /// ```
    "find_template" {
        "(String *$paths)" as ">> Optional[String]" => find_template(call, *paths),
        "(Array[String] *$paths_array)" as ">> Optional[String]" => find_template_of(call, paths_array),
    }
}

fn find_template(call: &mut Call<'_, '_>, references: &[Value]) -> Option<Value> {
    let environment = call.frame.compilation.environment;
    let paths =
        references.iter().filter_map(Value::as_str).filter_map(|reference| environment.find_template(reference));
    paths.into_iter().find(|path| environment.world().stamp(path).is_some()).map(Value::from)
}

fn find_template_of(call: &mut Call<'_, '_>, references: &[Value]) -> Option<Value> {
    find_template(call, references)
}

//! `module_directory`: the directory of a module.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

function! {
    /// Returns the directory of the first of the named modules that is installed, or `undef`.
    ///
    /// ```puppet
    /// module_directory('mysql', 'mariadb')
    /// ```
    "module_directory" {
        "(String *$names)" as ">> Optional[String]" => module_directory(call, *names),
        "(Array[String] *$names)" as ">> Optional[String]" => module_directory_of(call, names),
    }
}

fn module_directory(call: &mut Call<'_, '_>, names: &[Value]) -> Option<Value> {
    let environment = call.frame.compilation.environment;
    let mut modules = names.iter().filter_map(Value::as_str).filter_map(|name| environment.module(name));
    modules.next().map(|module| Value::from(module.path.as_str()))
}

fn module_directory_of(call: &mut Call<'_, '_>, names: &[Value]) -> Option<Value> {
    module_directory(call, names)
}

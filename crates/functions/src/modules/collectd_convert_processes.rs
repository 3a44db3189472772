//! `collectd_convert_processes`: processes as resources.

use bunraku_compiler::function;
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns processes as a hash for `create_resources`: an array of names and of hashes with a `name`.
    ///
    /// ```puppet
    /// collectd_convert_processes([{ 'name' => 'a', 'regex' => '.*' }, 'b'])
    /// # { 'a' => { 'regex' => '.*' }, 'b' => {} }
    /// ```
    "collectd_convert_processes" of "collectd" {
        "arity 1" as "(Any $processes) >> Hash" => collectd_convert_processes(processes),
    }
}

fn collectd_convert_processes(processes: &Value) -> Result<Value, Issue> {
    let processes = match processes {
        Value::Hash(_) => return Ok(processes.clone()),
        Value::Array(processes) => processes,
        _ => return fail("convert_process_array(): Needs an array as argument"),
    };
    let mut resources = Hash::new();
    for process in processes.iter() {
        match process {
            Value::String(_) => resources.insert(process.clone(), Hash::new().into()),
            Value::Hash(attributes) => {
                let mut attributes = Hash::clone(attributes);
                let name = attributes.remove(&"name".into()).unwrap_or_default();
                resources.insert(name, attributes.into())
            }
            _ => return fail("convert_process_array(): array element must be string or hash"),
        };
    }
    Ok(resources.into())
}

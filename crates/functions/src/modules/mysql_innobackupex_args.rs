//! `mysql::innobackupex_args`: the command line of a backup.

use bunraku_compiler::function;
use bunraku_pcore::{Value, inspect};

function! {
    /// Returns the arguments of `innobackupex` for a user, compression, a password, databases and further arguments.
    ///
    /// ```puppet
    /// mysql::innobackupex_args('root', true, 'secret', ['db'], [])
    /// ```
    "mysql::innobackupex_args" of "mysql" {
        "(Optional[String] $backupuser, Boolean $backupcompress, Optional[Variant[String, Sensitive[String]]] $backuppassword_unsensitive, Array[String[1]] $backupdatabases, Array[String[1]] $optional_args) >> Variant[String]" => innobackupex_args(backupuser, backupcompress, backuppassword_unsensitive, backupdatabases, optional_args),
    }
}

fn innobackupex_args(user: &Value, compress: bool, password: &Value, databases: &[Value], further: &[Value]) -> String {
    let mut line = String::new();
    if user.is_truthy() && password.is_truthy() {
        line = format!("--user=\"{}\" --password=\"{}\"", inspect::to_s(user), inspect::to_s(password));
    }
    if compress {
        line.push_str(" --compress");
    }
    if !databases.is_empty() {
        let names: Vec<&str> = databases.iter().filter_map(Value::as_str).collect();
        line.push_str(&format!(" --databases=\"{}\"", names.join(" ")));
    }
    for argument in further.iter().filter_map(Value::as_str) {
        line.push(' ');
        line.push_str(argument);
    }
    line
}

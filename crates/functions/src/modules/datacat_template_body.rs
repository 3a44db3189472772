//! `template_body`: the text of templates.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Returns the text of templates one after the other, without running them.
    ///
    /// ```puppet
    /// template_body('mysql/my.cnf.erb')
    /// ```
    "template_body" of "datacat" {
        "arity -1" as "(String *$templates) >> String" => template_body(call, *args),
    }
}

fn template_body(call: &mut Call<'_, '_>, args: &[Value]) -> Result<String, Issue> {
    let environment = call.frame.compilation.environment;
    let mut body = String::new();
    for reference in args {
        let Some(path) = reference.as_str().and_then(|reference| environment.find_template(reference)) else {
            return fail(format!("Could not find template '{}'", inspect::to_s(reference)));
        };
        match environment.world().read_text(&path) {
            Ok(text) => body.push_str(&text),
            Err(_) if environment.world().is_dir(&path) => {
                return fail(format!("Is a directory @ io_fread - {path}"));
            }
            Err(_) => return fail(format!("No such file or directory @ rb_sysopen - {path}")),
        }
    }
    Ok(body)
}

//! `epp`: renders a template of a module.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, Sight};
use bunraku_environment::{Code, Environment};
use bunraku_pcore::Hash;
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Renders an EPP template with the given parameters and returns the text.
    ///
    /// The reference is `module/template`, for a file in the folder `templates` of the module, or an absolute path; the
    /// ending `.epp` may be left out. The text is `Sensitive` if a value in it is.
    ///
    /// ```puppet
    /// epp('apache/vhost.epp', { 'port' => 8080 })
    /// ```
    "epp" {
        r"(String $path, Hash[Pattern[/^\w+$/], Any] $parameters = undef) >> Variant[String, Sensitive[String]]"
            => epp(call, path, parameters),
    }
}

fn epp(call: &mut Call<'_, '_>, path: &str, parameters: Option<&Hash>) -> Outcome {
    let code = find(call.frame.compilation.environment, path)?;
    check("epp", code)?;
    call.frame.render_template(code, parameters, Sight::Top)
}

fn find<'e>(environment: &'e Environment, path: &str) -> Result<&'e Code, Issue> {
    let path = match path {
        _ if path.ends_with(".epp") || environment.world().is_file(path) => path.to_owned(),
        _ => format!("{path}.epp"),
    };
    match environment.find_template(&path).filter(|found| environment.world().is_file(found)) {
        Some(found) => environment.template(&found),
        None => fail(format!("Could not find template '{path}'")),
    }
}

/// Fails if the template cannot be used.
pub(crate) fn check(function: &str, code: &Code) -> Result<(), Issue> {
    if let Some(error) = code.errors().next() {
        return fail(format!("{function}(): Invalid EPP: {}", error.issue.message()));
    }
    if !code.definitions().is_empty() {
        return fail(format!("{function}(): The EPP template contains illegal expressions (definitions)"));
    }
    Ok(())
}

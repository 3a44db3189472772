//! `epp`: renders a template of a module.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, TemplateScope, Unwind};
use bunraku_environment::{Code, Environment};
use bunraku_pcore::issues::runtime_error;
use bunraku_pcore::{Hash, Type, Value, mismatch};
use bunraku_syntax::{About, Issue};

function! {
    /// Renders an EPP template with the given parameters and returns the result.
    ///
    /// The reference is `module/template`, for a file in the directory `templates` of the module, or an absolute path; the
    /// ending `.epp` may be left out. The result is `Sensitive` if a value in it is.
    ///
    /// ```puppet
    /// epp('apache/vhost.epp', { 'port' => 8080 })
    /// ```
    "epp" {
        r"(String $path, Hash[Pattern[/^\w+$/], Any] $parameters = undef) >> Variant[String, Sensitive[String]]"
            // A `return` in a template gives anything.
            as "(String $path, Hash[String, Any] $parameters = undef) >> Any"
            => epp(call, path, parameters),
    }
}

fn epp(call: &mut Call<'_, '_>, path: &str, parameters: Option<&Hash>) -> Outcome {
    let code = find(call.frame.compilation.environment, path)?;
    check(call, "epp", code)?;
    let outcome = call.frame.render_template(code, parameters, TemplateScope::Top);
    rendered("epp", outcome)
}

/// What a template gave: its text, or any value at all that it was left with by `return()`.
pub(crate) fn rendered(function: &str, outcome: Outcome) -> Outcome {
    match outcome {
        Err(Unwind::Return(jump)) => Ok(jump.value),
        Ok(value @ (Value::String(_) | Value::Sensitive(_))) => Ok(value),
        Ok(other) => {
            let expected = Type::variant([Type::string(), Type::sensitive(&Type::string())]);
            mismatch::assert_instance(&format!("value returned from function '{function}'"), &expected, &other)?;
            Ok(other)
        }
        failed => failed,
    }
}

fn find<'e>(environment: &'e Environment, path: &str) -> Result<&'e Code, Issue> {
    let path = match path {
        _ if path.ends_with(".epp") || environment.world().is_file(path) => path.to_owned(),
        _ => format!("{path}.epp"),
    };
    match environment.find_template(&path).filter(|found| environment.world().is_file(found)) {
        Some(found) => environment.template(&found),
        None => {
            let issue = runtime_error(format!("Could not find template '{path}'"));
            let known = environment.references_like(&path, "templates");
            Err(issue.with_nearest(&path, known, |meant| meant).with_about(About::Argument(0)))
        }
    }
}

/// Fails if the template cannot be used.
pub(crate) fn check(call: &mut Call<'_, '_>, function: &str, code: &Code) -> Outcome<()> {
    if let Err(unwind) = call.frame.compilation.check_code(code) {
        return Err(match unwind {
            Unwind::Error(error) => {
                runtime_error(format!("{function}(): Invalid EPP: {}", error.issue.message())).into()
            }
            other => other,
        });
    }
    if !code.definitions().is_empty() {
        let message = format!("{function}(): The EPP template contains illegal expressions (definitions)");
        return Err(runtime_error(message).into());
    }
    Ok(())
}

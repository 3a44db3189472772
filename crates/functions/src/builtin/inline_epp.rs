//! `inline_epp`: renders a template that is given as a string.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, TemplateScope};
use bunraku_environment::Form;
use bunraku_pcore::Hash;

use crate::builtin::epp::{check, rendered};

function! {
    /// Renders the text of an EPP template with the given parameters. It sees the variables of the place of the call.
    ///
    /// ```puppet
    /// inline_epp('<%- | $x | -%><%= $x %>', { 'x' => 'testing' }) # 'testing'
    /// ```
    "inline_epp" {
        r"(String $template, Hash[Pattern[/^\w+$/], Any] $parameters = undef) >> Variant[String, Sensitive[String]]"
            // A `return` in a template gives anything.
            as "(String $template, Hash[String, Any] $parameters = undef) >> Any"
            => inline_epp(call, template, parameters),
    }
}

fn inline_epp(call: &mut Call<'_, '_>, template: &str, parameters: Option<&Hash>) -> Outcome {
    let code = call.frame.compilation.inline(template, Form::Template)?;
    check(call, "inline_epp", code)?;
    let outcome = call.frame.render_template(code, parameters, TemplateScope::Local);
    rendered("inline_epp", outcome)
}

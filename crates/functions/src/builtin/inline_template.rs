//! `inline_template`: what ERB templates that are given as strings render to.

use bunraku_compiler::foreign::Template;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, issues};
use bunraku_pcore::Value;

use crate::legacy_arguments;

function! {
    /// Renders ERB templates that are given as strings, one after the other. Variables are `@name` in them.
    ///
    /// ```puppet
    /// inline_template('<%= @facts["os"]["name"].downcase %>')
    /// ```
    "inline_template" {
        "arity -2" as "(String +$templates) >> Variant[String, Sensitive[String]]" => inline_template(call, *args),
    }
}

fn inline_template(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<String> {
    let mut rendered = String::new();
    for arg in args {
        rendered.push_str(&render(call, Template::Inline(legacy_arguments::text(Some(arg))?))?);
    }
    Ok(rendered)
}

/// The text of a template, for which the compilation needs someone who runs Ruby.
pub(super) fn render(call: &mut Call<'_, '_>, template: Template<'_>) -> Outcome<String> {
    let Some(foreign) = call.frame.compilation.foreign else {
        return Err(issues::runtime("ERB templates need Ruby, which this compilation does not run").into());
    };
    foreign.render(template, call.span, &mut call.frame).map(|text| text.to_string())
}

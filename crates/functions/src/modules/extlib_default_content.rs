//! `extlib::default_content`: a string, or else what a template gives.

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;

function! {
    /// Returns the string; if there is none, what the template renders to.
    ///
    /// ```puppet
    /// extlib::default_content($content, 'app/config.epp')
    /// ```
    "extlib::default_content" of "extlib" {
        "(Optional[String] $content, Optional[String] $template_name) >> Optional[String]" => default_content(call, content, template_name),
    }
}

fn default_content(call: &mut Call<'_, '_>, content: Option<&str>, template: Option<&str>) -> Outcome {
    if let Some(content) = content.filter(|content| !content.is_empty()) {
        return Ok(content.into());
    }
    match template.filter(|template| !template.is_empty()) {
        Some(template) if template.ends_with(".epp") => call.function_from_top("epp", vec![template.into()]),
        Some(template) => call.function_from_top("template", vec![template.into()]),
        None => Ok(Value::Undef),
    }
}

//! `template`: what ERB templates in the files of modules render to.

use bunraku_compiler::foreign::Template;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, issues};
use bunraku_pcore::Value;
use bunraku_syntax::About;

use super::inline_template::render;
use crate::legacy_arguments;

function! {
    /// Renders ERB templates of modules, one after the other. A template is named `module/file`, or by its absolute
    /// path; variables are `@name` in it.
    ///
    /// ```puppet
    /// template('apache/vhost.conf.erb')
    /// ```
    "template" {
        "arity -2" as "(String +$templates) >> Variant[String, Sensitive[String]]" => template(call, *args),
    }
}

fn template(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<String> {
    let mut rendered = String::new();
    for (index, arg) in args.iter().enumerate() {
        let name = legacy_arguments::text(Some(arg))?;
        let environment = call.frame.compilation.environment;
        let Some(path) = environment.find_template(name) else {
            let issue = issues::runtime(format!("Could not find template '{name}'"));
            let known = environment.references_like(name, "templates");
            return Err(issue.with_nearest(name, known, |meant| meant).with_about(About::Argument(index)).into());
        };
        let text = environment
            .text(&path)
            .map_err(|error| issues::runtime(format!("Could not read template '{name}': {error}")))?;
        rendered.push_str(&render(call, Template::File { name, path: &path, text: &text })?);
    }
    Ok(rendered)
}

//! What a file with a function of the old kind, `newfunction`, must look like to be called by its name.

use bunraku_compiler::{Unwind, issues};
use bunraku_syntax::{Issue, Product};
use ruby_prism::{CallNode, DefNode, Visit};

use crate::sidecar::{Function, Signature};

/// A file of the old kind has a call of `newfunction` and no methods.
///
/// Compatibility: a method is refused by an exception that ends the compilation, and its column is shown as its line.
pub(crate) fn check(path: &str, text: &str, product: Product) -> Result<(), Unwind> {
    let parsed = ruby_prism::parse(text.as_bytes());
    if parsed.errors().next().is_some() {
        // Ruby itself will say what is wrong.
        return Ok(());
    }
    let mut found = Found { text, method: None, has_newfunction: false };
    found.visit(&parsed.node());
    if let Some((method, line)) = found.method {
        let manual = match product {
            Product::Puppet => "https://puppet.com/docs/puppet",
            Product::OpenVox => "https://docs.openvoxproject.org/openvox",
        };
        let message = format!(
            "Illegal method definition of method '{method}' in source {path} on line {line} in legacy function. See \
             {manual}/latest/functions_refactor_legacy.html for more information"
        );
        return Err(Issue::new("", message).nowhere().into());
    }
    if !found.has_newfunction {
        let message = format!(
            "The code loaded from {path} does not seem to be a Puppet 3x API function - no 'newfunction' call."
        );
        return Err(issues::runtime(message).into());
    }
    Ok(())
}

/// The last thing a file of the old kind does is to define the function it is named for.
pub(crate) fn check_result(name: &str, path: &str, function: &Function) -> Result<(), Issue> {
    let Signature::Old { result, .. } = &function.signature else { return Ok(()) };
    if let Some(class) = result {
        return Err(issues::runtime(format!(
            "Illegal legacy function definition! The code loaded from {path} did not return the result of calling \
             'newfunction'. Got '{class}'"
        )));
    }
    if function.name != name {
        return Err(issues::runtime(format!(
            "The code loaded from {path} produced mis-matched name, expected 'function_{name}', got 'function_{}'",
            function.name
        )));
    }
    Ok(())
}

/// What is looked for in a file.
struct Found<'t> {
    text: &'t str,
    /// The first method, and where it is.
    method: Option<(String, String)>,
    has_newfunction: bool,
}

impl<'pr> Visit<'pr> for Found<'_> {
    fn visit_call_node(&mut self, node: &CallNode<'pr>) {
        self.has_newfunction |= node.name().as_slice() == b"newfunction";
        ruby_prism::visit_call_node(self, node);
    }

    fn visit_def_node(&mut self, node: &DefNode<'pr>) {
        if self.method.is_none() {
            let name = String::from_utf8_lossy(node.name().as_slice()).into_owned();
            let is_identifier = name.starts_with(|it: char| it.is_lowercase() || it == '_');
            let start = (node.name_loc().as_slice().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
            let line = self.text.get(..start).and_then(|before| before.rsplit('\n').next());
            self.method = Some(match is_identifier {
                true => (name, line.unwrap_or_default().len().to_string()),
                false => ("<unknown>".to_string(), "<unknown>".to_string()),
            });
        }
        ruby_prism::visit_def_node(self, node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_refused() {
        let check = |text: &str, expected: Option<&str>| {
            let found = check("f.rb", text, Product::Puppet).err().map(|unwind| match unwind {
                Unwind::Error(diagnostic) => diagnostic.issue.message().to_string(),
                Unwind::Issue(issue) => issue.message().to_string(),
                other => format!("{other:?}"),
            });
            let found = found.as_deref().map(|found| found.split(" in legacy").next().unwrap_or_default());
            assert_eq!(found, expected, "{text}");
        };
        check("newfunction(:f) { |args| 1 }", None);
        check("newfunction(:f) { |args| lambda { 1 }.call }", None);
        check("Puppet::Parser::Functions.newfunction(:f) { 1 }", None);
        check("def x() end", Some("Illegal method definition of method 'x' in source f.rb on line 4"));
        check(
            "module A\n  def self.x() end\nend\nnewfunction(:f)",
            Some("Illegal method definition of method 'x' in source f.rb on line 11"),
        );
        check(
            "class A\n  def ==(x) end\nend",
            Some("Illegal method definition of method '<unknown>' in source f.rb on line <unknown>"),
        );
        check(
            "1",
            Some("The code loaded from f.rb does not seem to be a Puppet 3x API function - no 'newfunction' call."),
        );
        check("def x(", None);
    }
}

//! `create_resources`: declares resources that a hash describes.

use ecow::{EcoString, eco_format};

use bunraku_compiler::build::Declaration;
use bunraku_compiler::function::Call;
use bunraku_compiler::{Outcome, function};
use bunraku_pcore::{Hash, Value};
use bunraku_syntax::Issue;
use bunraku_syntax::ast::ResourceForm;

use crate::number;

function! {
    /// Declares a resource for each entry of a hash from titles to attributes. The third argument has attributes for
    /// those that do not set them. A type that begins with `@` makes virtual resources, with `@@` exported ones.
    ///
    /// ```puppet
    /// create_resources('user', { 'luke' => { uid => 1000 } }, { ensure => present })
    /// ```
    "create_resources" {
        "arity -3" as "(String $type, Hash $resources, Hash $defaults = undef) >> Any" => create_resources(call, *args),
    }
}

fn create_resources(call: &mut Call<'_, '_>, args: &[Value]) -> Outcome<Value> {
    let (type_name, resources, defaults) = match args {
        [type_name, Value::Hash(resources)] => (type_name, resources, None),
        [type_name, Value::Hash(resources), Value::Hash(defaults)] => (type_name, resources, Some(&**defaults)),
        [_, Value::Hash(_), _] => return refuse("create_resources(): third argument, if provided, must be a hash"),
        [_, _] | [_, _, _] => return refuse("create_resources(): second argument must be a hash"),
        _ => {
            let count = args.len();
            return refuse(format!("create_resources(): wrong number of arguments ({count}; must be 2 or 3)"));
        }
    };
    let type_name = eco_format!("{type_name}").to_lowercase();
    let (type_name, form) = match (type_name.strip_prefix("@@"), type_name.strip_prefix('@')) {
        (Some(name), _) => (name, ResourceForm::Exported),
        (_, Some(name)) => (name, ResourceForm::Virtual),
        _ => (type_name.as_str(), ResourceForm::Regular),
    };
    for (title, attributes) in resources.iter() {
        let titles = match title {
            Value::Array(titles) => Vec::clone(titles),
            title => vec![title.clone()],
        };
        let attributes = merged(defaults, attributes)?;
        call.frame.create_resources(Declaration { type_name, titles, attributes, form, span: call.span })?;
    }
    Ok(Value::Undef)
}

/// The defaults come first; what a resource sets takes their place.
fn merged(defaults: Option<&Hash>, attributes: &Value) -> Result<Vec<(EcoString, Value)>, Issue> {
    let attributes = match attributes {
        Value::Hash(attributes) => attributes,
        // Compatibility: the words are those of Ruby.
        Value::Undef => return number::fail("no implicit conversion of nil into Hash"),
        other => {
            let class = bunraku_pcore::label::label(other);
            return number::fail(format!("no implicit conversion of {class} into Hash"));
        }
    };
    let mut merged = defaults.cloned().unwrap_or_default();
    for (name, value) in attributes.iter() {
        merged.insert(name.clone(), value.clone());
    }
    Ok(merged.iter().map(|(name, value)| (eco_format!("{name}"), value.clone())).collect())
}

fn refuse(message: impl Into<EcoString>) -> Outcome<Value> {
    Ok(number::fail(message)?)
}

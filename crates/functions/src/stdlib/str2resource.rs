//! `stdlib::str2resource`: the resource that a string refers to.

use std::sync::Arc;

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::data_types::ResourceType;
use bunraku_pcore::{Hash, Type, Value, inspect};

use crate::number::fail;
use crate::text;

function! {
    /// Returns the resource that a string such as `User[dan]` refers to; it must already be in the catalog.
    ///
    /// ```puppet
    /// stdlib::str2resource('File[/etc/passwd]')
    /// ```
    "stdlib::str2resource" of "stdlib" {
        "(String $res_string) >> Any" => str2resource(call, res_string),
    }
}

fn str2resource(call: &mut Call<'_, '_>, text: &str) -> Outcome {
    let parts = text.strip_suffix(']').and_then(|text| text.split_once('['));
    let Some((type_name, title)) = parts.filter(|(_, title)| !title.is_empty()) else {
        let shown = inspect::inspect_text(text);
        return Ok(fail(format!("No title provided and {shown} is not a valid resource reference"))?);
    };
    if !call.frame.is_declared_with(type_name, title, &Hash::new()) {
        let type_name = type_name.split("::").map(text::capitalize).collect::<Vec<_>>().join("::");
        return Ok(fail(format!(
            "stdlib::str2resource(): could not find {type_name}[{title}], this is parse order dependent and values \
             should not be quoted"
        ))?);
    }
    let resource = ResourceType::new(Some(type_name.to_lowercase().into()), Some(title.into()));
    Ok(Value::Type(Type::Resource(Arc::new(resource))))
}

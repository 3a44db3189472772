//! The key by which a resource must be unique beyond its title: what the attributes say that name it.

use bunraku_catalog::ResourceType;
use bunraku_pcore::Value;

use super::resource::Parameters;
use super::title::Named;
use ecow::EcoString;

/// The values of the naming attributes, sorted by their names. A parameter wins over what the title says.
pub(super) fn key(
    resource_type: &ResourceType,
    named: Named,
    parameters: Option<&Parameters>,
    title: &EcoString,
) -> Vec<Value> {
    let given = |name: &str| {
        let parameter = parameters.and_then(|parameters| parameters.get(name));
        parameter.map(|parameter| &parameter.value).filter(|value| !value.is_undef()).cloned()
    };
    let from_title =
        |name: &str| named.iter().find(|(key, _)| key == name).map(|(_, value)| Value::String(value.clone()));
    let mut names: Vec<&str> = resource_type.namevars.iter().map(AsRef::as_ref).collect();
    names.sort_unstable();
    let namevar = if let [namevar] = names.as_slice() { namevar } else { "name" };
    let value_of = |name: &str| given(name).or_else(|| from_title(name));
    let fallback = || value_of(namevar).or_else(|| value_of("name")).unwrap_or_else(|| Value::String(title.clone()));
    let values = names.iter().map(|name| match value_of(name) {
        None if *name == namevar || *name == "name" => fallback(),
        value => value.unwrap_or_default(),
    });
    values.collect()
}

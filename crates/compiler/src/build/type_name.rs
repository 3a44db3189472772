//! From the name of a resource type to what it is: native, or defined in the language.

use bunraku_catalog::ResourceType;
use bunraku_catalog::reference::capitalize;
use bunraku_catalog::resource_types::{builtin, builtin_of_puppet8};
use bunraku_environment::Target;
use ecow::EcoString;

use super::resource::Definition;
use crate::compilation::Compilation;
use crate::unwind::Outcome;

impl<'e> Compilation<'e> {
    /// The resource type of a name. A native one wins; names with `::` are never native.
    pub(super) fn find_resource_type(&mut self, name: &str) -> Outcome<Option<Definition<'e>>> {
        Ok(self.find_named_type(name)?.map(|(definition, _)| definition))
    }

    /// The resource type of a name, and its name as references have it.
    pub(super) fn find_named_type(&mut self, name: &str) -> Outcome<Option<(Definition<'e>, EcoString)>> {
        if let Some(known) = self.build.resource_types.get(name) {
            return Ok(Some(known.clone()));
        }
        let definition = match self.native_resource_type(name) {
            Some(native) => Definition::Native(native),
            None => match self.find_defined_type(name)? {
                Some(body) => Definition::Body(body),
                None => return Ok(None),
            },
        };
        let reference_name = match definition {
            Definition::Native(native) => capitalize(&native.name),
            Definition::Body(body) => capitalize(&self.build.bodies.get(body).name),
        };
        let found = (definition, reference_name);
        self.build.resource_types.insert(name.into(), found.clone());
        Ok(Some(found))
    }

    /// The resource type of a name that is not defined in Puppet.
    pub(crate) fn native_resource_type(&self, name: &str) -> Option<&'e ResourceType> {
        if name.contains(':') {
            return None;
        }
        let is_puppet8 = self.environment.settings.target == Target::Puppet8;
        let different = is_puppet8.then(|| builtin_of_puppet8(name)).flatten();
        different.or_else(|| builtin(name)).or_else(|| self.foreign?.resource_type(name))
    }

    /// Whether there is a resource type of this name.
    pub fn is_resource_type(&mut self, name: &str) -> Outcome<bool> {
        Ok(self.find_resource_type(name)?.is_some())
    }
}

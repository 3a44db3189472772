//! From the name of a resource type to what it is: native, or defined in the language.

use bunraku_catalog::ResourceType;
use bunraku_catalog::resource_types::builtin;

use super::resource::Definition;
use crate::compilation::Compilation;
use crate::unwind::Outcome;

impl<'e> Compilation<'e> {
    /// The resource type of a name. A native one wins; names with `::` are never native.
    pub(super) fn find_resource_type(&mut self, name: &str) -> Outcome<Option<Definition<'e>>> {
        if let Some(native) = self.native_resource_type(name) {
            return Ok(Some(Definition::Native(native)));
        }
        Ok(self.find_defined_type(name)?.map(Definition::Body))
    }

    /// The resource type of a name that is not defined in Puppet.
    pub(crate) fn native_resource_type(&self, name: &str) -> Option<&'e ResourceType> {
        if name.contains(':') {
            return None;
        }
        builtin().get(name).or_else(|| self.foreign?.resource_type(name))
    }

    /// Whether there is a resource type of this name.
    pub fn is_resource_type(&mut self, name: &str) -> Outcome<bool> {
        Ok(self.find_resource_type(name)?.is_some())
    }
}

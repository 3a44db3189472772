//! `group`: groups of users.

use crate::resource_type::{Attribute, ResourceType, Shape};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "group",
        [
            Attribute::property("ensure").values(["present", "absent"]).default_value("present"),
            Attribute::property("gid"),
            Attribute::property("members").features(["manages_members"]).shape(Shape::All),
            Attribute::property("attributes").features(["manages_aix_lam"]).shape(Shape::KeyValue),
            Attribute::parameter("auth_membership").boolean().default_value("false"),
            Attribute::parameter("name"),
            Attribute::parameter("allowdupe").boolean().default_value("false"),
            Attribute::parameter("ia_load_module").features(["manages_aix_lam"]),
            Attribute::parameter("attribute_membership").values(["inclusive", "minimum"]).default_value("minimum"),
            Attribute::parameter("system").boolean().default_value("false"),
            Attribute::parameter("forcelocal")
                .boolean()
                .features(["manages_local_users_and_groups"])
                .default_value("false"),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .features(["manages_aix_lam", "manages_local_users_and_groups", "manages_members", "system_groups"])
    .providers(["aix", "directoryservice", "groupadd", "ldap", "pw", "windows_adsi"])
}

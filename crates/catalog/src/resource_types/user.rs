//! `user`: users of the machine.

use crate::resource_type::{Attribute, ResourceType, Rule, Shape};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "user",
        [
            Attribute::property("ensure").values(["present", "absent", "role"]).computed_default(),
            Attribute::property("home"),
            Attribute::property("uid"),
            Attribute::property("gid"),
            Attribute::property("comment"),
            Attribute::property("shell").features(["manages_shell"]),
            Attribute::property("password").features(["manages_passwords"]),
            Attribute::property("password_min_age").features(["manages_password_age"]),
            Attribute::property("password_max_age").features(["manages_password_age"]),
            Attribute::property("password_warn_days").features(["manages_password_age"]),
            Attribute::property("groups").shape(Shape::List),
            Attribute::property("expiry")
                .values(["absent"])
                .patterns(["^\\d{4}-\\d{2}-\\d{2}$"])
                .features(["manages_expiry"]),
            Attribute::property("roles").features(["manages_roles"]).shape(Shape::List),
            Attribute::property("auths").features(["manages_solaris_rbac"]).shape(Shape::List),
            Attribute::property("profiles").features(["manages_solaris_rbac"]).shape(Shape::List),
            Attribute::property("keys").features(["manages_solaris_rbac"]).shape(Shape::KeyValue),
            Attribute::property("project").features(["manages_solaris_rbac"]),
            Attribute::property("attributes").features(["manages_aix_lam"]).shape(Shape::KeyValue),
            Attribute::property("salt").features(["manages_password_salt"]),
            Attribute::property("iterations").features(["manages_password_salt"]),
            Attribute::property("loginclass").features(["manages_loginclass"]),
            Attribute::parameter("name"),
            Attribute::parameter("membership").values(["inclusive", "minimum"]).default_value("minimum"),
            Attribute::parameter("system").boolean().default_value("false"),
            Attribute::parameter("allowdupe").boolean().default_value("false"),
            Attribute::parameter("managehome").boolean().default_value("false"),
            Attribute::parameter("role_membership").values(["inclusive", "minimum"]).default_value("minimum"),
            Attribute::parameter("auth_membership").values(["inclusive", "minimum"]).default_value("minimum"),
            Attribute::parameter("profile_membership").values(["inclusive", "minimum"]).default_value("minimum"),
            Attribute::parameter("key_membership").values(["inclusive", "minimum"]).default_value("minimum"),
            Attribute::parameter("ia_load_module").features(["manages_aix_lam"]),
            Attribute::parameter("attribute_membership").values(["inclusive", "minimum"]).default_value("minimum"),
            Attribute::parameter("forcelocal")
                .boolean()
                .features(["manages_local_users_and_groups"])
                .default_value("false"),
            Attribute::parameter("purge_ssh_keys").values(["true", "false"]).default_value("false"),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .features([
        "allows_duplicates",
        "manages_aix_lam",
        "manages_expiry",
        "manages_homedir",
        "manages_local_users_and_groups",
        "manages_loginclass",
        "manages_password_age",
        "manages_password_salt",
        "manages_passwords",
        "manages_roles",
        "manages_shell",
        "manages_solaris_rbac",
        "system_users",
    ])
    .providers([
        "aix",
        "directoryservice",
        "hpuxuseradd",
        "ldap",
        "openbsd",
        "pw",
        "user_role_add",
        "useradd",
        "windows_adsi",
    ])
    .autorequire("group", Rule::NameOrNumber("gid".into()))
    .autorequire("group", Rule::Attribute("groups".into()))
    .autorequire("user", Rule::Attribute("roles".into()))
}

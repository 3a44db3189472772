//! `file`: files, directories and links.

use crate::resource_type::{Attribute, ResourceType, Rule};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "file",
        [
            Attribute::property("ensure")
                .values(["absent", "file", "present", "directory", "link"])
                .alias("false", "absent")
                .patterns(["."]),
            Attribute::property("content"),
            Attribute::property("checksum_value"),
            Attribute::property("target").values(["notlink"]).patterns(["."]),
            Attribute::property("owner"),
            Attribute::property("group"),
            Attribute::property("mode"),
            Attribute::property("type"),
            Attribute::property("seluser").computed_default(),
            Attribute::property("selrole").computed_default(),
            Attribute::property("seltype").computed_default(),
            Attribute::property("selrange").computed_default(),
            Attribute::property("ctime"),
            Attribute::property("mtime"),
            Attribute::parameter("path"),
            Attribute::parameter("backup").default_value("false"),
            Attribute::parameter("recurse").values(["true", "false", "remote"]),
            Attribute::parameter("recurselimit").patterns(["^[0-9]+$"]),
            Attribute::parameter("max_files").patterns(["^[0-9]+$", "^-1$"]).default_value("0"),
            Attribute::parameter("replace").boolean().default_value("true"),
            Attribute::parameter("force").boolean().default_value("false"),
            Attribute::parameter("ignore"),
            Attribute::parameter("links").values(["follow", "manage"]).default_value("manage"),
            Attribute::parameter("purge").boolean().default_value("false"),
            Attribute::parameter("sourceselect").values(["first", "all"]).default_value("first"),
            Attribute::parameter("show_diff").boolean().default_value("true"),
            Attribute::parameter("staging_location"),
            Attribute::parameter("validate_cmd"),
            Attribute::parameter("validate_replacement").default_value("%"),
            Attribute::parameter("provider").computed_default(),
            Attribute::parameter("checksum")
                .values([
                    "sha256",
                    "sha256lite",
                    "md5",
                    "md5lite",
                    "sha1",
                    "sha1lite",
                    "sha512",
                    "sha384",
                    "sha224",
                    "mtime",
                    "ctime",
                    "none",
                    "etag",
                ])
                .computed_default(),
            Attribute::parameter("source"),
            Attribute::parameter("source_permissions")
                .values(["use", "use_when_creating", "ignore"])
                .default_value("ignore"),
            Attribute::parameter("selinux_ignore_defaults").values(["true", "false"]).default_value("false"),
        ],
    )
    .namevars(["path"])
    .titles_are_paths()
    .features(["manages_symlinks"])
    .providers(["posix", "windows"])
    .autorequire("file", Rule::NearestParent("path".into()))
    .autorequire("file", Rule::Attribute("target".into()))
    .autorequire("user", Rule::Attribute("owner".into()))
    .autorequire("group", Rule::Attribute("group".into()))
}

//! `sshkey`: known keys of other hosts.

use crate::resource_type::{Attribute, ResourceType};
use crate::title::TitlePattern;

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "sshkey",
        [
            Attribute::property("ensure").values(["present", "absent"]).computed_default(),
            Attribute::property("key"),
            Attribute::property("host_aliases"),
            Attribute::property("target").computed_default(),
            Attribute::parameter("type")
                .values([
                    "ssh-dss",
                    "ssh-ed25519",
                    "ssh-rsa",
                    "ecdsa-sha2-nistp256",
                    "ecdsa-sha2-nistp384",
                    "ecdsa-sha2-nistp521",
                    "sk-ecdsa-sha2-nistp256@openssh.com",
                    "sk-ssh-ed25519@openssh.com",
                ])
                .alias("dsa", "ssh-dss")
                .alias("ed25519", "ssh-ed25519")
                .alias("rsa", "ssh-rsa")
                .alias("ecdsa-sk", "sk-ecdsa-sha2-nistp256@openssh.com")
                .alias("ed25519-sk", "sk-ssh-ed25519@openssh.com"),
            Attribute::parameter("name"),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .module("sshkeys_core")
    .namevars(["type", "name"])
    .title_patterns([TitlePattern::new(r"^(.*?)@(.*)$", ["name", "type"]), TitlePattern::new(r"^([^@]+)$", ["name"])])
    .providers(["parsed"])
}

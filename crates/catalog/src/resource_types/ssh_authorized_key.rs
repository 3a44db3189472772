//! `ssh_authorized_key`: keys that may log in as a user.

use crate::resource_type::{Attribute, ResourceType, Rule, Shape};

pub(super) fn resource_type() -> ResourceType {
    ResourceType::new(
        "ssh_authorized_key",
        [
            Attribute::property("ensure").values(["present", "absent"]).computed_default(),
            Attribute::property("type")
                .values([
                    "ssh-dss",
                    "ssh-rsa",
                    "ecdsa-sha2-nistp256",
                    "ecdsa-sha2-nistp384",
                    "ecdsa-sha2-nistp521",
                    "ssh-ed25519",
                    "sk-ecdsa-sha2-nistp256@openssh.com",
                    "sk-ssh-ed25519@openssh.com",
                    "ssh-rsa-cert-v01@openssh.com",
                    "ssh-ed25519-cert-v01@openssh.com",
                    "ssh-dss-cert-v01@openssh.com",
                    "ecdsa-sha2-nistp256-cert-v01@openssh.com",
                    "ecdsa-sha2-nistp384-cert-v01@openssh.com",
                    "ecdsa-sha2-nistp521-cert-v01@openssh.com",
                ])
                .alias("dsa", "ssh-dss")
                .alias("rsa", "ssh-rsa")
                .alias("ed25519", "ssh-ed25519")
                .alias("ecdsa-sk", "sk-ecdsa-sha2-nistp256@openssh.com")
                .alias("ed25519-sk", "sk-ssh-ed25519@openssh.com"),
            Attribute::property("key"),
            Attribute::property("user"),
            Attribute::property("target").default_value("absent"),
            Attribute::property("options").computed_default().shape(Shape::All),
            Attribute::parameter("name"),
            Attribute::parameter("drop_privileges").boolean().default_value("true"),
            Attribute::parameter("provider").computed_default(),
        ],
    )
    .module("sshkeys_core")
    .providers(["parsed"])
    .autorequire("user", Rule::Attribute("user".into()))
}

//! Which distribution of Linux a machine has, by the files that distributions leave for this purpose.

use std::collections::BTreeMap;

use crate::host::Host;

/// Distributions after those whose rules they take over.
const LINEAGES: &[&[&str]] = &[
    &["debian"],
    &["debian", "elementary"],
    &["debian", "ubuntu"],
    &["debian", "ubuntu", "linuxmint"],
    &["debian", "raspbian"],
    &["debian", "devuan"],
    &["rhel"],
    &["rhel", "fedora"],
    &["rhel", "amzn"],
    &["rhel", "centos"],
    &["rhel", "ol"],
    &["rhel", "scientific"],
    &["rhel", "meego"],
    &["rhel", "oel"],
    &["rhel", "ovs"],
    &["rhel", "mariner"],
    &["rhel", "azurelinux"],
    &["sles"],
    &["sles", "opensuse"],
    &["sles", "sled"],
    &["archlinux"],
    &["gentoo"],
    &["alpine"],
    &["photon"],
    &["slackware"],
    &["mageia"],
    &["openwrt"],
];

/// Names that tell a family, wherever they stand in the name of a system.
const FAMILIES: &[(&str, &[&str])] = &[
    (
        "RedHat",
        &[
            "redhat",
            "rhel",
            "fedora",
            "centos",
            "scientific",
            "ascendos",
            "cloudlinux",
            "psbm",
            "oraclelinux",
            "ovs",
            "oel",
            "amazon",
            "xenserver",
            "xcp-ng",
            "virtuozzo",
            "photon",
            "mariner",
            "azurelinux",
        ],
    ),
    ("Debian", &["debian", "ubuntu", "huaweios", "linuxmint", "devuan", "kde"]),
    ("Suse", &["sles", "sled", "suse"]),
    ("Gentoo", &["gentoo"]),
    ("Archlinux", &["arch", "manjaro"]),
    ("Mandrake", &["mandrake", "mandriva", "mageia"]),
];

/// What `/etc/os-release` says, with the reference's changes to names.
#[derive(Debug, Default)]
pub(crate) struct OsRelease(BTreeMap<String, String>);

impl OsRelease {
    pub(crate) fn read(host: &Host<'_>) -> OsRelease {
        let mut fields = BTreeMap::new();
        for line in host.read("/etc/os-release").unwrap_or_default().lines().filter(|line| !line.starts_with('#')) {
            let line: String = line.trim().chars().filter(|letter| !matches!(letter, '\'' | '"')).collect();
            if let Some((name, value)) = line.split_once('=') {
                fields.insert(name.to_lowercase(), value.to_owned());
            }
        }
        let change = |fields: &mut BTreeMap<String, String>, name: &str, change: &dyn Fn(&str) -> String| {
            if let Some(value) = fields.get_mut(name) {
                *value = change(value);
            }
        };
        change(&mut fields, "name", &system_name);
        change(&mut fields, "version_id", &|version| {
            if version.contains('.') { version.to_owned() } else { format!("{version}.0") }
        });
        change(&mut fields, "id", &|id| match id.to_lowercase() {
            sap if sap.contains("sles_sap") => "sles".to_owned(),
            suse if suse.contains("opensuse") => "opensuse".to_owned(),
            _ => id.to_owned(),
        });
        OsRelease(fields)
    }

    /// The value of a field, by its name in small letters.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// The name of a system as the fact has it: `RedHat`, `Archlinux`, `SLES`.
fn system_name(name: &str) -> String {
    let lower = name.to_lowercase();
    let words: Vec<&str> = name.split_whitespace().collect();
    let begins = |starts: &[&str]| starts.iter().any(|start| lower.starts_with(start));
    let joined = |words: Option<&[&str]>| words.unwrap_or_default().concat();
    let name = if begins(&["sles"]) {
        "SLES".to_owned()
    } else if begins(&["red", "oracle", "arch", "manjaro"]) {
        joined(words.get(..words.len().min(2)))
    } else if lower.ends_with("azure linux") {
        joined(words.get(1..))
    } else if lower.ends_with("mariner") {
        joined(words.get(words.len().saturating_sub(1)..))
    } else {
        joined(words.get(..1))
    };
    match begins(&["arch", "manjaro"]) {
        true => capitalized(&name),
        false if begins(&["virtuozzo"]) => format!("{name}Linux"),
        false => name,
    }
}

/// Which distribution this is, and whose rules it follows.
#[derive(Debug, Default)]
pub(crate) struct Distribution {
    lineage: &'static [&'static str],
}

impl Distribution {
    pub(crate) fn detect(host: &Host<'_>) -> Distribution {
        let release = host.os_release();
        let known = |name: &str| LINEAGES.iter().find(|lineage| lineage.last() == Some(&name)).copied();
        let from_file = |(file, name)| host.read(file).map(|_| String::from(name));
        let id = [("/etc/arch-release", "archlinux"), ("/etc/devuan_version", "devuan")]
            .into_iter()
            .find_map(from_file)
            .or_else(|| release.get("id").map(str::to_lowercase))
            .or_else(|| from_file(("/etc/redhat-release", "rhel")))
            .or_else(|| Some(host.read("/etc/SuSE-release")?.split_whitespace().next()?.to_lowercase()));
        let alike = release.get("id_like").unwrap_or_default();
        let mut names = id.as_deref().into_iter().chain(alike.split_whitespace());
        Distribution { lineage: names.find_map(known).unwrap_or_default() }
    }

    /// Whether it is this distribution or one made of it.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.lineage.contains(&name)
    }

    /// The distribution itself, if it has rules of its own.
    pub(crate) fn name(&self) -> &'static str {
        self.lineage.last().copied().unwrap_or_default()
    }
}

/// The family of a system by its name.
pub(crate) fn family(name: &str) -> String {
    let lower = name.to_lowercase();
    let found = FAMILIES.iter().find(|(_, names)| names.iter().any(|name| lower.contains(name)));
    capitalized(found.map_or(name, |(family, _)| family))
}

/// The first letter large and all others small.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters.flat_map(char::to_lowercase)).collect()
}

//! `os.release`: every distribution has a file for it.

use bunraku_pcore::Value;

use crate::fact::structure;
use crate::host::Host;

/// The release of the system.
pub(super) fn of_system(host: &Host<'_>) -> Value {
    let version = host.os_release().get("version_id").map(str::to_owned);
    let first_line = |file: &str| host.read(file).as_deref().and_then(from_first_line);
    match host.distribution().name() {
        "ubuntu" | "" => whole(version),
        "debian" | "raspbian" | "elementary" => debian(host),
        "devuan" => parts(host.line("/etc/devuan_version").or(version)),
        "linuxmint" => parts(after(host, "/etc/linuxmint/info", "RELEASE=").or(version)),
        "amzn" => parts(amazon(host)),
        "ol" => parts(first_line("/etc/oracle-release").or(version)),
        "meego" => parts(first_line("/etc/meego-release").or(version)),
        "ovs" => parts(first_line("/etc/ovs-release").or(version)),
        "mariner" => parts(after(host, "/etc/mariner-release", "CBL-Mariner ").or(version)),
        "azurelinux" => parts(after(host, "/etc/azurelinux-release", "AZURELINUX_BUILD_NUMBER=").or(version)),
        "gentoo" => parts(first_line("/etc/gentoo-release").or(version)),
        "alpine" => parts(host.line("/etc/alpine-release").or(version)),
        "photon" => parts(photon(host).or(version)),
        "slackware" => parts(after(host, "/etc/slackware-version", "Slackware ").or(version)),
        "mageia" => parts(after(host, "/etc/mageia-release", "Mageia release ").or(version)),
        "openwrt" => parts(host.line("/etc/openwrt_version").filter(|text| starts_with_digit(text)).or(version)),
        "archlinux" => parts(Some(host.uname().release.clone()).filter(|release| !release.is_empty())),
        "sles" | "opensuse" | "sled" => suse(version.as_deref()),
        _ => parts(redhat(host).and_then(|release| release.version).or(version)),
    }
}

/// Compatibility: without a version the fact is there and its parts are not.
pub(super) fn whole(version: Option<String>) -> Value {
    Value::hash([("full".into(), version.clone().into()), ("major".into(), version.into())])
}

/// Full, major and minor version of a text with dots.
pub(super) fn parts(version: Option<String>) -> Value {
    let Some(full) = version else { return Value::Undef };
    let mut numbers = full.split('.').map(Value::from);
    let (major, minor) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
    structure([("full", Value::from(full.as_str())), ("major", major), ("minor", minor)])
}

pub(super) fn suse(version: Option<&str>) -> Value {
    let Some(version) = version else { return Value::Undef };
    let mut numbers = version.split('.');
    let (major, minor) = (numbers.next(), numbers.next_back());
    structure([("full", version.into()), ("major", major.into()), ("minor", minor.into())])
}

pub(super) fn debian(host: &Host<'_>) -> Value {
    let Some(full) = host.line("/etc/debian_version") else { return Value::Undef };
    let mut numbers = full.split('.');
    let major = numbers.next();
    // `12.04` is release 4.
    let minor = numbers.next().map(|minor| match minor.strip_prefix('0') {
        Some(rest) if rest.starts_with(|digit| matches!(digit, '1'..='9')) => rest,
        _ => minor,
    });
    structure([("full", Value::from(full.as_str())), ("major", major.into()), ("minor", minor.into())])
}

/// The version of Amazon's system. From 2023 on the package that has the file tells it.
pub(super) fn amazon(host: &Host<'_>) -> Option<String> {
    let version = host.read("/etc/system-release").as_deref().and_then(from_first_line);
    let from_package = || {
        let said = host.command("rpm", &["-q", "--qf", "%{VERSION}", "-f", "/etc/os-release"])?;
        Some(said.trim().to_owned()).filter(|version| starts_with_digit(version))
    };
    let version = if version.as_deref().is_some_and(|version| version != "2") { from_package() } else { version };
    version.or_else(|| host.os_release().get("version_id").map(str::to_owned))
}

fn photon(host: &Host<'_>) -> Option<String> {
    let version = after(host, "/etc/lsb-release", "DISTRIB_RELEASE=\"")?;
    let mut numbers = version.split('.');
    Some(format!("{}.{}", numbers.next()?, numbers.next()?))
}

/// The version after some words in a file.
fn after(host: &Host<'_>, file: &str, words: &str) -> Option<String> {
    let text = host.read(file)?;
    let rest = text.split_once(words)?.1;
    let version: String = rest.chars().take_while(|letter| letter.is_ascii_digit() || *letter == '.').collect();
    (!version.is_empty()).then_some(version)
}

fn from_first_line(text: &str) -> Option<String> {
    let text = text.trim();
    if text.ends_with("Rawhide") {
        return Some("Rawhide".to_owned());
    }
    let word = if text.contains("release") { "release " } else { "Amazon Linux " };
    let rest = text.split_once(word)?.1;
    let version: String = rest.chars().take_while(|letter| letter.is_ascii_digit() || *letter == '.').collect();
    starts_with_digit(&version).then_some(version)
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_digit())
}

/// What the release file of Red Hat's family says.
pub(super) struct RedHat {
    pub(super) description: String,
    pub(super) codename: Option<String>,
    pub(super) distributor: String,
    pub(super) name: String,
    pub(super) version: Option<String>,
}

pub(super) fn redhat(host: &Host<'_>) -> Option<RedHat> {
    host.read("/etc/redhat-release").map(|text| release_file(&text))
}

/// Reads `NAME release VERSION (CODENAME)`.
pub(super) fn release_file(text: &str) -> RedHat {
    let (name, rest) = text.split_once("release").unwrap_or((text, ""));
    let words: Vec<&str> = name.split_whitespace().filter(|word| !word.eq_ignore_ascii_case("linux")).collect();
    let codename = rest.split_once('(').and_then(|(_, after)| Some(after.rsplit_once(')')?.0));
    let codename = codename.map(|name| name.replace(['(', ')'], "")).filter(|name| !name.is_empty());
    RedHat {
        description: text.trim().to_owned(),
        codename,
        distributor: words.concat(),
        name: words.get(..words.len().min(2)).unwrap_or_default().concat(),
        version: rest.split_whitespace().next().map(str::to_owned),
    }
}

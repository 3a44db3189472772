//! `os.distro`: how the distribution describes itself.

use bunraku_pcore::Value;

use super::release::{RedHat, amazon, debian, parts, redhat, release_file, suse};
use crate::core::Question;
use crate::distribution::capitalized;
use crate::fact::{part, structure};
use crate::host::Host;

pub(super) fn resolve(host: &Host<'_>) -> Value {
    let distribution = host.distribution();
    let found = match distribution.name() {
        "amzn" => of_amazon(host),
        _ if distribution.is("debian") => of_debian(host),
        _ if distribution.is("rhel") => of_redhat(host),
        _ if distribution.is("sles") => of_suse(host),
        _ => [
            ("codename", lsb(host, "Codename").into()),
            ("description", lsb(host, "Description").into()),
            ("id", lsb(host, "Distributor ID").into()),
            ("release", parts(lsb(host, "Release"))),
        ],
    };
    structure(found.into_iter().chain([("specification", lsb(host, "LSB Version").into())]))
}

type Parts = [(&'static str, Value); 4];

fn described(codename: Value, description: Value, id: Value, release: Value) -> Parts {
    [("codename", codename), ("description", description), ("id", id), ("release", release)]
}

fn of_debian(host: &Host<'_>) -> Parts {
    let release = host.os_release();
    let version = release.get("version_id").map(str::to_owned);
    let codename = release.get("version_codename").map(str::to_owned);
    let release_parts = match host.distribution().name() {
        "ubuntu" | "linuxmint" => structure([("full", version.clone().into()), ("major", version.into())]),
        "devuan" => parts(lsb(host, "Release")),
        _ => debian(host),
    };
    described(
        codename.or_else(|| codename_of(release.get("version")?)).into(),
        release.get("pretty_name").into(),
        release.get("id").map(capitalized).into(),
        release_parts,
    )
}

/// The codename in a version such as `8 (jessie)` or `14.04.5 LTS, Trusty Tahr`.
fn codename_of(version: &str) -> Option<String> {
    let in_parentheses = version.strip_suffix(')').and_then(|rest| Some(rest.split_once('(')?.1));
    if let Some(name) = in_parentheses.filter(|name| !name.is_empty()) {
        return Some(name.replace(['(', ')'], ""));
    }
    let is_word = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let words: Vec<&str> = version.split(' ').collect();
    let pair = words.windows(2).find(|pair| pair.iter().all(is_word))?;
    pair.first().map(|word| word.to_lowercase())
}

fn of_redhat(host: &Host<'_>) -> Parts {
    let release = host.os_release();
    let file = redhat(host);
    let text = |of: fn(&RedHat) -> Option<String>| file.as_ref().and_then(of);
    let version = text(|file| file.version.clone()).or_else(|| release.get("version_id").map(str::to_owned));
    let is_oracle = host.distribution().name() == "ol";
    let description = match is_oracle {
        true => release.get("pretty_name").map(str::to_owned),
        false => text(|file| Some(file.description.clone())),
    };
    let id = match is_oracle {
        true => release.get("id").map(capitalized),
        false => text(|file| Some(file.distributor.clone())),
    };
    described(text(|file| file.codename.clone()).into(), description.into(), id.into(), parts(version))
}

fn of_amazon(host: &Host<'_>) -> Parts {
    let file = host.line("/etc/system-release").map(|text| release_file(&text));
    let text = |of: fn(&RedHat) -> Option<String>| Value::from(file.as_ref().and_then(of));
    described(
        text(|file| Some(file.codename.clone().unwrap_or_else(|| "n/a".to_owned()))),
        text(|file| Some(file.description.clone())),
        text(|file| Some(file.distributor.clone())),
        with_patch(amazon(host)),
    )
}

fn with_patch(version: Option<String>) -> Value {
    let patch = version.as_deref().and_then(|version| version.split('.').nth(2)).map(str::to_owned);
    let Value::Hash(release) = parts(version) else { return Value::Undef };
    let entries = release.iter().map(|(name, value)| (name.clone(), value.clone()));
    Value::hash(entries.chain(patch.map(|patch| ("patch".into(), patch.into()))))
}

fn of_suse(host: &Host<'_>) -> Parts {
    let release = host.os_release();
    let version = release.get("version_id");
    let codename = release.get("version_codename").filter(|name| !name.is_empty()).unwrap_or("n/a");
    let id = version.map(|version| if version.starts_with("12") { "SUSE LINUX" } else { "SUSE" });
    described(codename.into(), release.get("pretty_name").into(), id.into(), suse(version))
}

pub(in crate::core) const QUESTION: Question = ("lsb_release", &["-a"]);

/// A field of what `lsb_release` says, where that is installed.
fn lsb(host: &Host<'_>, name: &str) -> Option<String> {
    let said = host.command(QUESTION.0, QUESTION.1)?;
    let value = said.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    Some(value.trim_matches('\t').to_owned())
}

/// The names that `lsb_release` gave to these facts.
pub(super) fn legacy(host: &Host<'_>, os: &Value) -> Vec<(String, Value)> {
    let text = |name: &str| Value::from(lsb(host, name));
    let release = match host.distribution().name() {
        // Compatibility: Ubuntu's release is asked of the tool alone, and its first two numbers are the major one.
        "ubuntu" | "linuxmint" => {
            let full = lsb(host, "Release");
            let major = full.as_ref().map(|full| full.split('.').take(2).collect::<Vec<_>>().join("."));
            let minor = full.as_ref().and_then(|full| full.split('.').nth(2)).map(str::to_owned);
            [full.into(), major.into(), minor.into()]
        }
        _ => ["full", "major", "minor"]
            .map(|name| part(os, &format!("distro.release.{name}")).cloned().unwrap_or_default()),
    };
    let [full, major, minor] = release;
    [
        ("lsbdistcodename", text("Codename")),
        ("lsbdistdescription", text("Description")),
        ("lsbdistid", text("Distributor ID")),
        ("lsbdistrelease", full),
        ("lsbmajdistrelease", major),
        ("lsbminordistrelease", minor),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

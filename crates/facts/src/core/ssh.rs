//! `ssh`: the host keys of the machine, and their fingerprints as DNS has them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use bunraku_pcore::Value;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::fact::{Fact, Legacy, part, structure};
use crate::host::Host;

pub(super) const FACTS: &[Fact] = &[Fact {
    name: "ssh",
    resolve,
    aliases: &[],
    legacy: Some(Legacy { names: &["ssh*key", "sshfp_*"], resolve: legacy }),
}];

const DIRECTORIES: [&str; 5] = ["/etc/ssh", "/usr/local/etc/ssh", "/etc", "/usr/local/etc", "/etc/opt/ssh"];

fn resolve(host: &Host<'_>) -> Value {
    let files = DIRECTORIES.iter().flat_map(|directory| {
        ["rsa", "dsa", "ecdsa", "ed25519"].map(|name| format!("{directory}/ssh_host_{name}_key.pub"))
    });
    structure(files.filter_map(|file| key(&host.read(&file)?)))
}

fn key(text: &str) -> Option<(&'static str, Value)> {
    let mut words = text.split_whitespace();
    let (kind, key) = (words.next()?, words.next()?);
    let (name, number) = match kind {
        "ssh-rsa" => ("rsa", 1),
        "ssh-dss" => ("dsa", 2),
        "ecdsa-sha2-nistp256" | "ecdsa-sha2-nistp384" | "ecdsa-sha2-nistp521" => ("ecdsa", 3),
        "ssh-ed25519" => ("ed25519", 4),
        _ => return None,
    };
    // Compatibility: like Ruby, what follows the first character that is none of base64's is left out.
    let bytes = decoded(key);
    let hexadecimal = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let sha1 = format!("SSHFP {number} 1 {}", hexadecimal(&Sha1::digest(&bytes)));
    let sha256 = format!("SSHFP {number} 2 {}", hexadecimal(&Sha256::digest(&bytes)));
    let fingerprints = structure([("sha1", sha1.into()), ("sha256", sha256.into())]);
    Some((name, structure([("fingerprints", fingerprints), ("key", key.into()), ("type", kind.into())])))
}

fn decoded(key: &str) -> Vec<u8> {
    let digits: String =
        key.chars().take_while(|letter| letter.is_ascii_alphanumeric() || "+/".contains(*letter)).collect();
    let whole = digits.get(..digits.len() - usize::from(digits.len() % 4 == 1)).unwrap_or_default();
    let engine = base64::engine::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        base64::engine::general_purpose::NO_PAD.with_decode_allow_trailing_bits(true),
    );
    engine.decode(whole).or_else(|_| STANDARD_NO_PAD.decode(whole)).unwrap_or_default()
}

fn legacy(_: &Host<'_>, ssh: &Value) -> Vec<(String, Value)> {
    let Value::Hash(keys) = ssh else { return Vec::new() };
    let of_key = |(name, key): (&Value, &Value)| {
        let print = |kind| part(key, kind).and_then(Value::as_str).unwrap_or_default().to_owned();
        let both = format!("{}\n{}", print("fingerprints.sha1"), print("fingerprints.sha256"));
        [(format!("ssh{name}key"), key.get("key").cloned().unwrap_or_default()), (format!("sshfp_{name}"), both.into())]
    };
    keys.iter().flat_map(of_key).collect()
}

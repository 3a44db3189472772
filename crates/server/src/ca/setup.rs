//! A new authority, and the certificate of the server itself.

use std::path::Path;
use std::time::Duration;

use bunraku::{Settings, World};
use bunraku_pki::{Authority, Extension, RevocationList, SigningKey};

use super::directory::{PRIVATE, PUBLIC, create_directory, write};
use super::{CRL_VALIDITY, CertificateAuthority, Directory};
use crate::client::PP_CLI_AUTH;

/// How long the certificates of authorities are valid: fifteen years.
const AUTHORITY_VALIDITY: Duration = Duration::from_secs(15 * 365 * 86_400);
const DAY: Duration = Duration::from_secs(86_400);

/// What a new authority is made from.
pub struct Setup<'s> {
    /// The settings of the server.
    pub settings: &'s Settings,
    /// The clock and the source of random numbers.
    pub world: &'s dyn World,
}

impl Setup<'_> {
    /// Makes the files of a new authority: a root, and the authority that signs, which it vouches for.
    pub fn run(&self) -> Result<(), String> {
        let text = |name: &str| self.settings.text(name).map_err(|issue| issue.to_string());
        let directory = Directory::new(&text("cadir")?);
        let failed = |error: std::io::Error| format!("{}: {error}", directory.path("").display());
        directory.create().map_err(failed)?;
        let _lock = directory.lock().map_err(failed)?;
        check_vacant(&directory)?;
        let now = self.world.now();
        let (since, until) = (now.checked_sub(DAY).unwrap_or(now), now.checked_add(AUTHORITY_VALIDITY).unwrap_or(now));
        let mut random = [0; 7];
        self.world.random(&mut random).map_err(failed)?;
        let digits: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let root = Authority::make_root(&format!("Puppet Root CA: {digits}"), since, until)?;
        let authority = root.make_authority(&text("ca_name")?, &[2], since, until)?;
        let next = now.checked_add(CRL_VALIDITY).unwrap_or(now);
        let lists = [authority.revoke(None, &[], now, next)?, root.revoke(None, &[], now, until)?];
        let lists: String = lists.iter().map(RevocationList::to_pem).collect();
        let bundle = format!("{}{}", authority.certificate().to_pem(), root.certificate().to_pem());
        establish(&directory, &authority, Some(root.key()), &bundle, &lists)
    }
}

/// Refuses a directory in which there is an authority, or a part of one.
pub(super) fn check_vacant(directory: &Directory) -> Result<(), String> {
    let files = ["ca_crt.pem", "ca_key.pem", "ca_crl.pem", "serial", "inventory.txt"];
    match files.into_iter().map(|name| directory.path(name)).find(|path| path.exists()) {
        None => Ok(()),
        Some(path) => Err(format!(
            "Existing file at '{}'. Please delete these files if you really want to generate a new CA.",
            path.display()
        )),
    }
}

/// Writes the files of an authority that has issued nothing yet.
pub(super) fn establish(
    directory: &Directory,
    authority: &Authority,
    root_key: Option<&SigningKey>,
    bundle: &str,
    lists: &str,
) -> Result<(), String> {
    let mut files: Vec<(&str, String, u32)> = Vec::new();
    files.extend(root_key.map(|key| ("root_key.pem", key.to_pem(), PRIVATE)));
    files.extend([
        ("ca_pub.pem", authority.key().to_public_pem()?, PUBLIC),
        ("ca_crl.pem", lists.to_owned(), PUBLIC),
        ("infra_crl.pem", lists.to_owned(), PUBLIC),
        ("infra_inventory.txt", String::new(), PUBLIC),
        ("infra_serials", String::new(), PUBLIC),
        ("inventory.txt", String::new(), PUBLIC),
        ("serial", "0001".to_owned(), PUBLIC),
        ("ca_key.pem", authority.key().to_pem(), PRIVATE),
        // An authority is there when its certificate is: the last file.
        ("ca_crt.pem", bundle.to_owned(), PUBLIC),
    ]);
    for (name, content, mode) in files {
        directory
            .write(name, &content, mode)
            .map_err(|error| format!("{}: {error}", directory.path(name).display()))?;
    }
    Ok(())
}

impl CertificateAuthority {
    /// Gives the server its own key, certificate, and copies of what authorities say, as far as they are missing.
    pub fn equip_server(&self, settings: &Settings) -> Result<(), String> {
        let text = |name: &str| settings.text(name).map_err(|issue| issue.to_string());
        let certname = text("certname")?;
        let put = |path: &str, content: &str, mode: u32| {
            let path = Path::new(path);
            let parent = path.parent().unwrap_or(Path::new("/"));
            create_directory(parent)
                .and_then(|()| write(path, content, mode))
                .map_err(|error| format!("{}: {error}", path.display()))
        };
        let bundle = self.bundle().map_err(|refused| refused.message)?;
        put(&text("localcacert")?, &bundle, PUBLIC)?;
        let lists = self.directory.read("ca_crl.pem").map_err(|error| error.to_string())?;
        put(&text("hostcrl")?, &lists, PUBLIC)?;
        let certificate = text("hostcert")?;
        if Path::new(&certificate).exists() {
            return Ok(());
        }
        let configured = text("dns_alt_names")?;
        let further = configured.split(',').map(str::trim).filter(|name| !name.is_empty());
        let mut names = vec![format!("DNS:{certname}")];
        names.extend(further.map(|name| if name.contains(':') { name.to_owned() } else { format!("DNS:{name}") }));
        if names.len() == 1 {
            names.insert(0, "DNS:puppet".to_owned());
        }
        let extensions =
            [Extension::of_names(names.iter().map(String::as_str)), Extension::of_string(PP_CLI_AUTH, "true")];
        let (key, issued) = self.generate(&certname, &extensions, None).map_err(|refused| refused.message)?;
        put(&text("hostprivkey")?, &key.to_pem(), PRIVATE)?;
        put(&text("hostpubkey")?, &key.to_public_pem()?, PUBLIC)?;
        put(&certificate, &issued.to_pem(), PUBLIC)
    }
}

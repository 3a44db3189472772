//! The backend `eyaml_lookup_key`: YAML in which some texts are encrypted for the holder of a key, `ENC[PKCS7,…]`.

use std::io::ErrorKind;

use bunraku_environment::World;
use bunraku_pcore::{Hash, Value};
use bunraku_pki::PrivateKey;

use crate::error::Error;

/// The key to encrypted texts, and what to do with a text that is not encrypted.
pub(crate) struct Decryptor<'w> {
    world: &'w dyn World,
    options: &'w Hash,
    key: Option<PrivateKey>,
}

impl<'w> Decryptor<'w> {
    /// A decryptor with the options of a level; the key is read when the first text needs it.
    pub(crate) fn new(world: &'w dyn World, options: &'w Hash) -> Decryptor<'w> {
        Decryptor { world, options, key: None }
    }

    /// The text with all that is encrypted in it decrypted, or what went wrong. What is wrong never shows a secret.
    pub(crate) fn decrypt(&mut self, text: &str) -> Result<String, String> {
        let mut plain = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, token, after)) = next_token(rest) {
            plain.push_str(before);
            plain.push_str(&self.decrypt_token(token)?);
            rest = after;
        }
        plain.push_str(rest);
        if plain.ends_with('\n') {
            plain.pop();
            if plain.ends_with('\r') {
                plain.pop();
            }
        }
        Ok(plain)
    }

    fn decrypt_token(&mut self, token: &str) -> Result<String, String> {
        let (scheme, encoded) = token.split_once(',').unwrap_or(("PKCS7", token));
        if !scheme.eq_ignore_ascii_case("PKCS7") {
            return Err(format!("Encryption with {scheme} is not supported"));
        }
        let message = bunraku_pki::decode_base64(encoded).ok_or("the value is not valid Base64")?;
        let key = match &mut self.key {
            Some(key) => key,
            none => none.insert(read_key(self.world, self.options)?),
        };
        let bytes = bunraku_pki::decrypt(&message, key)?;
        String::from_utf8(bytes).map_err(|_| "the decrypted value is not UTF-8".to_owned())
    }
}

/// The failure of a level that names no file.
pub(crate) fn no_path() -> Error {
    Error::call(
        "'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when \
         using this lookup_key function",
    )
}

/// Whether a text has something encrypted in it.
pub(crate) fn is_encrypted(text: &str) -> bool {
    text.split_once("ENC[").is_some_and(|(_, rest)| rest.contains(']'))
}

/// What stands before the next `ENC[…]`, in it, and after it.
fn next_token(text: &str) -> Option<(&str, &str, &str)> {
    let mut start = 0;
    loop {
        let (skipped, rest) = text.split_at_checked(start)?;
        let (before, after) = rest.split_once("ENC[")?;
        let position = skipped.len().saturating_add(before.len());
        if let Some((token, after)) = after.split_once(']')
            && is_token(token)
        {
            return Some((text.get(..position)?, token, after));
        }
        start = position.saturating_add("ENC[".len());
    }
}

/// A scheme, if one is named, and Base64.
fn is_token(token: &str) -> bool {
    let (scheme, encoded) = token.split_once(',').unwrap_or(("PKCS7", token));
    let is_word = !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_word && !encoded.is_empty() && encoded.chars().all(|c| c.is_ascii_alphanumeric() || "+/ =\n".contains(c))
}

/// The private key of the options. The public one must be there as well, for the reference tells by it whom a text is
/// meant for.
fn read_key(world: &dyn World, options: &Hash) -> Result<PrivateKey, String> {
    for kind in ["public", "private"] {
        let names = [format!("pkcs7_{kind}_key"), format!("pkcs7_{kind}_key_env_var")];
        if names.iter().all(|name| options.get_str(name).is_none_or(Value::is_undef)) {
            return Err(format!("pkcs7_{kind}_key is not defined"));
        }
    }
    let key = PrivateKey::from_pem(&key_text(world, options, "private")?)?;
    key_text(world, options, "public")?;
    Ok(key)
}

/// The text of a key: from an environment variable, if there is one, or from a file.
fn key_text(world: &dyn World, options: &Hash, kind: &str) -> Result<String, String> {
    let option = |name: &str| options.get_str(name).and_then(Value::as_str);
    let variable = option(&format!("pkcs7_{kind}_key_env_var"));
    if let Some(text) = variable.and_then(|variable| world.variable(variable)) {
        return Ok(text);
    }
    let path = option(&format!("pkcs7_{kind}_key")).ok_or_else(|| match variable {
        Some(variable) => format!("the environment variable {variable} with the {kind} key is not set"),
        None => format!("pkcs7_{kind}_key is not a path"),
    })?;
    let bytes = world.read(path).map_err(|error| match error.kind() {
        _ if world.is_dir(path) => format!("Is a directory @ io_fread - {path}"),
        ErrorKind::NotFound => format!("No such file or directory @ rb_sysopen - {path}"),
        ErrorKind::PermissionDenied => format!("Permission denied @ rb_sysopen - {path}"),
        _ => format!("{path}: {error}"),
    })?;
    String::from_utf8(bytes).map_err(|_| format!("{path} is not a {kind} key"))
}

#[cfg(test)]
mod tests {
    use bunraku_environment::Memory;

    use super::*;

    const KEY: &str = include_str!("../../tests/eyaml/private_key.pkcs7.pem");
    const VALUE: &str = include_str!("../../tests/eyaml/value.txt");

    fn check(world: &Memory, options: &[(&str, &str)], text: &str, expected: Result<&str, &str>) {
        let options = options.iter().map(|(name, value)| (Value::from(*name), Value::from(*value))).collect();
        let result = Decryptor::new(world, &options).decrypt(text);
        assert_eq!(result.as_deref().map_err(String::as_str), expected, "{text}");
    }

    #[test]
    fn texts_are_decrypted() {
        let world = Memory::default().with_variable("EYAML_KEY", KEY);
        world.write("/keys/private.pem", KEY);
        world.write("/keys/public.pem", "of the same pair");
        world.write("/keys/bad.pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        let value = VALUE.trim();
        let public = ("pkcs7_public_key", "/keys/public.pem");
        let file = [public, ("pkcs7_private_key", "/keys/private.pem")];
        check(&world, &file, value, Ok("pässword"));
        check(&world, &file, &format!("a {value} b {value}"), Ok("a pässword b pässword"));
        check(&world, &file, &value.replace("PKCS7,", ""), Ok("pässword"));
        check(&world, &[public, ("pkcs7_private_key_env_var", "EYAML_KEY")], value, Ok("pässword"));
        check(&world, &file, "ENC[not base64!] plain\n", Ok("ENC[not base64!] plain"));
        check(&world, &file, "ENC[GPG,AAAA]", Err("Encryption with GPG is not supported"));
        check(&world, &file, "ENC[PKCS7,AAAA]", Err("the value is not a PKCS7 message"));
        let truncated: String = value.chars().take(210).chain("]".chars()).collect();
        check(&world, &file, &truncated, Err("the value is not a PKCS7 message"));
        check(&world, &[public, ("pkcs7_private_key", "/keys/bad.pem")], value, Err("the private key cannot be read"));
        let missing = "No such file or directory @ rb_sysopen - /keys/none.pem";
        check(&world, &[public, ("pkcs7_private_key", "/keys/none.pem")], value, Err(missing));
        check(&world, &[public], value, Err("pkcs7_private_key is not defined"));
        check(&world, &[("pkcs7_private_key", "/keys/private.pem")], value, Err("pkcs7_public_key is not defined"));
        let missing = "No such file or directory @ rb_sysopen - /none";
        check(&world, &[file[1], ("pkcs7_public_key", "/none")], value, Err(missing));
        world.write("/keys/other.pem", include_str!("../../tests/eyaml/private_key.pkcs8.pem"));
        check(&world, &[public, ("pkcs7_private_key", "/keys/other.pem")], value, Ok("pässword"));
    }
}

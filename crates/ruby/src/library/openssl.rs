//! `OpenSSL`: message authentication and keys from passwords; the rest is in Ruby.

use bunraku_pki::{Certificate, NamePart};
use num_bigint::{BigInt, Sign};

use crate::interpreter::class::Kind;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

use super::digest::digest;

/// How often a key may be hashed.
const MOST_ROUNDS: i64 = 10_000_000;
/// How long a key may be.
const LONGEST_KEY: usize = 1 << 16;

pub(super) fn define(core: &Core) {
    let module = core.class_named("OpenSSL", Kind::Module, None);
    core.add_own(&module, OWN);
}

const OWN: &[Row] = &[
    // What a certificate says: itself in DER, its holder and its issuer, its number and its validity.
    Row("__certificate", 1, 1, |vm, _, args| {
        let bytes = vm.to_str(args.at(0))?.bytes.borrow().clone();
        let found = match Certificate::from_der(bytes.clone()) {
            Some(certificate) => Ok(certificate),
            None => Certificate::from_pem(&String::from_utf8_lossy(&bytes)),
        };
        let certificate = match found {
            Ok(certificate) => certificate,
            Err(reason) => return Ok(Value::str(reason)),
        };
        let name = |parts: Vec<NamePart>| {
            let part = |it: NamePart| {
                Value::array(vec![Value::str(it.kind), Value::binary(it.value), Value::Int(i64::from(it.tag))])
            };
            Value::array(parts.into_iter().map(part).collect())
        };
        let (start, end) = certificate.validity().unwrap_or_default();
        Ok(Value::array(vec![
            Value::binary(certificate.as_der().to_vec()),
            name(certificate.subject_parts()),
            name(certificate.issuer_parts()),
            Value::big(BigInt::from_bytes_be(Sign::Plus, &certificate.serial())),
            Value::Int(start),
            Value::Int(end),
            Value::str(certificate.to_pem()),
        ]))
    }),
    Row("__digest", 2, 2, |vm, _, args| {
        let name = vm.to_s(args.at(0))?;
        let bytes = vm.to_str(args.at(1))?.bytes.borrow().clone();
        match digest(&name, &bytes) {
            Some(digest) => Ok(Value::binary(digest)),
            None => unknown(vm, &name),
        }
    }),
    Row("__hmac", 3, 3, |vm, _, args| {
        let name = vm.to_s(args.at(0))?;
        let key = vm.to_str(args.at(1))?.bytes.borrow().clone();
        let bytes = vm.to_str(args.at(2))?.bytes.borrow().clone();
        match hmac(&name, &key, &bytes) {
            Some(code) => Ok(Value::binary(code)),
            None => unknown(vm, &name),
        }
    }),
    // The name of the digest, the password, the salt, how often and how long.
    Row("__pbkdf2", 5, 5, |vm, _, args| {
        let name = vm.to_s(args.at(0))?;
        let password = vm.to_str(args.at(1))?.bytes.borrow().clone();
        let salt = vm.to_str(args.at(2))?.bytes.borrow().clone();
        let rounds = vm.to_int(args.at(3))?;
        let length = vm.size_argument(args.at(4), "negative length")?;
        if rounds > MOST_ROUNDS || length > LONGEST_KEY {
            return Err(vm.argument_error("the key would take too long"));
        }
        let mut key = Vec::new();
        let mut block = 1u32;
        while key.len() < length {
            let mut salted = salt.clone();
            salted.extend_from_slice(&block.to_be_bytes());
            let Some(mut last) = hmac(&name, &password, &salted) else { return unknown(vm, &name) };
            let mut sum = last.clone();
            for _ in 1..rounds {
                vm.step()?;
                last = hmac(&name, &password, &last).unwrap_or_default();
                sum.iter_mut().zip(&last).for_each(|(sum, byte)| *sum ^= byte);
            }
            key.extend_from_slice(&sum);
            block += 1;
        }
        key.truncate(length);
        Ok(Value::binary(key))
    }),
];

fn unknown(vm: &mut Vm, name: &str) -> Outcome {
    Err(vm.error("RuntimeError", &format!("Unsupported digest algorithm ({name}).: unknown object name")))
}

/// A code that says that who has the key has written the text.
fn hmac(name: &str, key: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    let block = if matches!(name, "SHA384" | "SHA512") { 128 } else { 64 };
    let mut key = if key.len() > block { digest(name, key)? } else { key.to_vec() };
    key.resize(block, 0);
    let mut inner: Vec<u8> = key.iter().map(|byte| byte ^ 0x36).collect();
    inner.extend_from_slice(bytes);
    let mut outer: Vec<u8> = key.iter().map(|byte| byte ^ 0x5c).collect();
    outer.extend_from_slice(&digest(name, &inner)?);
    digest(name, &outer)
}

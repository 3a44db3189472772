//! The methods `$5$` and `$6$`: many rounds of SHA-256 or SHA-512.

use sha2::digest::DynDigest;
use sha2::{Sha256, Sha512};

use super::{push_digest, push_letters};

/// The rounds that are made if the salt does not say how many.
const ROUNDS: u32 = 5000;
/// What a salt may ask for.
const LEAST_ROUNDS: u32 = 1000;
const MOST_ROUNDS: u32 = 999_999_999;

/// Which digest is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Sha256,
    Sha512,
}

impl Method {
    fn prefix(self) -> &'static str {
        match self {
            Method::Sha256 => "$5$",
            Method::Sha512 => "$6$",
        }
    }

    fn digest(self, parts: &[&[u8]]) -> Vec<u8> {
        let mut context: Box<dyn DynDigest> = match self {
            Method::Sha256 => Box::new(Sha256::default()),
            Method::Sha512 => Box::new(Sha512::default()),
        };
        parts.iter().for_each(|part| context.update(part));
        context.finalize().to_vec()
    }

    /// The order in which the bytes of the digest are written.
    fn order(self) -> Vec<[usize; 3]> {
        match self {
            Method::Sha256 => (0..10).map(|step| rotated([step, step + 10, step + 20], step)).collect(),
            Method::Sha512 => (0..21).map(|step| rotated([step, step + 21, step + 42], 2 * step)).collect(),
        }
    }
}

fn rotated(mut bytes: [usize; 3], by: usize) -> [usize; 3] {
    // Each group starts one place further than the one before.
    bytes.rotate_right(by % 3);
    bytes
}

pub(super) fn crypt(password: &[u8], salt: &str, method: Method) -> String {
    let (rounds, shown_rounds, salt) = rounds_of(salt);
    let salt: String = salt.chars().take(16).collect();
    let repeated = |digest: &[u8], length: usize| digest.iter().cycle().take(length).copied().collect::<Vec<u8>>();
    let alternate = method.digest(&[password, salt.as_bytes(), password]);
    let mut first = [password, salt.as_bytes()].concat();
    first.extend(repeated(&alternate, password.len()));
    let mut length = password.len();
    while length > 0 {
        first.extend_from_slice(if length & 1 == 1 { &alternate } else { password });
        length >>= 1;
    }
    let mut digest = method.digest(&[&first]);
    let password_bytes = repeated(&method.digest(&vec![password; password.len()]), password.len());
    let salt_count = 16 + usize::from(digest.first().copied().unwrap_or(0));
    let salt_bytes = repeated(&method.digest(&vec![salt.as_bytes(); salt_count]), salt.len());
    for round in 0..rounds {
        let is_odd = round % 2 == 1;
        let mut parts: Vec<&[u8]> = vec![if is_odd { &password_bytes } else { &digest }];
        if round % 3 != 0 {
            parts.push(&salt_bytes);
        }
        if round % 7 != 0 {
            parts.push(&password_bytes);
        }
        parts.push(if is_odd { &digest } else { &password_bytes });
        digest = method.digest(&parts);
    }
    let mut hash = format!("{}{shown_rounds}{salt}$", method.prefix());
    push_digest(&digest, &method.order(), &mut hash);
    let byte = |index: usize| u32::from(digest.get(index).copied().unwrap_or(0));
    match method {
        Method::Sha256 => push_letters(byte(31) << 8 | byte(30), 3, &mut hash),
        Method::Sha512 => push_letters(byte(63), 2, &mut hash),
    }
    hash
}

/// `rounds=N$salt` asks for a number of rounds.
fn rounds_of(salt: &str) -> (u32, String, &str) {
    let asked = salt.strip_prefix("rounds=").and_then(|rest| rest.split_once('$'));
    match asked.and_then(|(rounds, salt)| Some((rounds.parse::<u32>().ok()?, salt))) {
        Some((rounds, salt)) => {
            let rounds = rounds.clamp(LEAST_ROUNDS, MOST_ROUNDS);
            (rounds, format!("rounds={rounds}$"), salt)
        }
        None => (ROUNDS, String::new(), salt),
    }
}

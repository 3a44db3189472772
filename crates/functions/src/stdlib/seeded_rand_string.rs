//! `seeded_rand_string`: a random string that is the same for a seed.

use bunraku_compiler::function;
use bunraku_pcore::limits;
use bunraku_syntax::Issue;
use sha2::{Digest, Sha256};

use crate::random::Random;

function! {
    /// Returns a random string of a length, the same each time for a seed. The third argument has the characters it is made of.
    ///
    /// ```puppet
    /// seeded_rand_string(8, 'a seed')
    /// seeded_rand_string(5, '', 'abcdef')
    /// ```
    "seeded_rand_string" of "stdlib" {
        "(Integer[1] $length, String $seed, String[2] $charset = undef)" as ">> String" => seeded_rand_string(length, seed, charset),
    }
}

function! {
    /// Returns a random string of a length, the same each time for a seed. The third argument has the characters it is made of.
    ///
    /// ```puppet
    /// seeded_rand_string(8, 'a seed')
    /// seeded_rand_string(5, '', 'abcdef')
    /// ```
    NAMESPACED: "stdlib::seeded_rand_string" of "stdlib" {
        "(Integer[1] $length, String $seed, String[2] $charset = undef)" as ">> String" => seeded_rand_string(length, seed, charset),
    }
}

/// The characters a string is made of if none are given.
const CHARACTERS: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

fn seeded_rand_string(length: i64, seed: &str, characters: Option<&str>) -> Result<String, Issue> {
    limits::check_text(usize::try_from(length).unwrap_or(usize::MAX))?;
    let characters: Vec<char> = characters.unwrap_or(CHARACTERS).chars().collect();
    let mut random = Random::from_digest(&Sha256::digest(seed.as_bytes()));
    let count = u64::try_from(characters.len()).unwrap_or(1);
    let chosen = (0..length).map_while(|_| usize::try_from(random.below(count)).ok());
    Ok(chosen.filter_map(|index| characters.get(index)).collect())
}

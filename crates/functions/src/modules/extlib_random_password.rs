//! `extlib::random_password`: a random password.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;

use crate::random::Random;

function! {
    /// Returns a random text of letters and digits that are not easily mixed up.
    ///
    /// ```puppet
    /// extlib::random_password(10)
    /// ```
    "extlib::random_password" of "extlib" {
        "(Integer[1] $length) >> String" => random_password(call, length),
    }
}

/// The longest password that is made.
const LONGEST: i64 = 1_000_000;

fn random_password(call: &mut Call<'_, '_>, length: i64) -> String {
    let letters: Vec<char> =
        ('a'..='z').chain('A'..='Z').chain('0'..='9').filter(|letter| !"01OIl".contains(*letter)).collect();
    let mut random = Random::from_time(call.frame.compilation.environment.world().now());
    let count = u64::try_from(letters.len()).unwrap_or(1);
    let letter = |_| usize::try_from(random.below(count)).ok().and_then(|index| letters.get(index)).copied();
    (0..length.min(LONGEST)).filter_map(letter).collect()
}

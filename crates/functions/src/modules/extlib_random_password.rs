//! `extlib::random_password`: a random password.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_syntax::Issue;

use crate::entropy::Entropy;

function! {
    /// Returns a random string of letters and digits that are not easily mixed up.
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

fn random_password(call: &mut Call<'_, '_>, length: i64) -> Result<String, Issue> {
    let letters: Vec<char> =
        ('a'..='z').chain('A'..='Z').chain('0'..='9').filter(|letter| !"01OIl".contains(*letter)).collect();
    let mut entropy = Entropy::new(call.frame.compilation.environment.world());
    let count = u64::try_from(letters.len()).unwrap_or(1);
    let mut password = String::new();
    for _ in 0..length.min(LONGEST) {
        let index = entropy.below(count)?;
        password.extend(usize::try_from(index).ok().and_then(|index| letters.get(index)));
    }
    Ok(password)
}

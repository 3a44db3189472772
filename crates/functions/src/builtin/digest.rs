//! `digest`: the checksum of a string by the algorithm of the settings.

use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

use crate::number::fail;
use crate::{digest, legacy_arguments};

function! {
    /// Returns the checksum of a string by the algorithm that the setting `digest_algorithm` names.
    ///
    /// ```puppet
    /// digest('secret')
    /// ```
    "digest" {
        "arity 1" as "(String $text) >> String" => by_setting(call, *args),
    }
}

fn by_setting(call: &mut Call<'_, '_>, args: &[Value]) -> Result<String, Issue> {
    let text = legacy_arguments::text(args.first())?;
    let algorithm = call.frame.compilation.environment.settings.text("digest_algorithm")?;
    match digest::by_name(&algorithm, text.as_bytes()) {
        Some(digest) => Ok(digest),
        None => fail(format!("undefined method `{algorithm}' for Puppet::Util::Checksums:Module")),
    }
}

//! `sprintf`: a string by a format.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_pcore::format::sprintf::sprintf;
use bunraku_syntax::Issue;

use crate::legacy_arguments;

function! {
    /// Formats values by the directives of a format, as in C and with Ruby's additions.
    ///
    /// With names in the directives, the values come from one hash.
    ///
    /// ```puppet
    /// sprintf('%04d-%s', 7, 'a')                    # '0007-a'
    /// sprintf('%<x>s : %<y>d', {'x' => 'a', 'y' => 1}) # 'a : 1'
    /// ```
    "sprintf" {
        "arity -2" as "(String $format, Any *$values) >> Variant[String, Sensitive[String]]" => format(*args),
    }
}

fn format(args: &[Value]) -> Result<String, Issue> {
    sprintf(legacy_arguments::text(args.first())?, args.get(1..).unwrap_or_default())
}

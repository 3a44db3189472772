//! `import`: no longer there.

use bunraku_compiler::function;
use bunraku_pcore::Value;
use bunraku_syntax::Issue;

function! {
    /// Always fails; a directory of manifests has taken its place.
    ///
    /// ```puppet
    /// import 'other.pp' # an error
    /// ```
    "import" {
        "(Any *$args)" as "(Any *$files) >> Any" => import(),
    }
}

fn import() -> Result<Value, Issue> {
    Err(Issue::new(
        "DISCONTINUED_IMPORT",
        "Use of 'import' has been discontinued in favor of a manifest directory. See \
         http://links.puppet.com/puppet-import-deprecation",
    ))
}

//! `archive::parse_artifactory_url`: the parts of the URL of an artifact.

use bunraku_compiler::function;
use bunraku_pcore::{Regexp, Value};
use bunraku_syntax::Issue;

function! {
    /// Returns the parts of the URL of an artifact in a Maven 2 repository of Artifactory, or `undef` if it is no such URL.
    ///
    /// ```puppet
    /// archive::parse_artifactory_url('https://repo.example.com/artifactory/release/org/acme/tool/1.2/tool-1.2.jar')
    /// ```
    "archive::parse_artifactory_url" of "archive" {
        "(Variant[Stdlib::HTTPUrl, Stdlib::HTTPSUrl] $url)" as ">> Optional[Hash]" => parse_artifactory_url(url),
    }
}

/// Where a URL has what: a file lies in the folder of its revision, and its name repeats module and revision.
const LAYOUT: &str = concat!(
    r"(?<base_url>.*/artifactory)/(?<repository>[^/]+)/(?<org_path>.+?)/(?<module>[^/]+)/",
    r"(?<base_rev>[^/]+?)(?:-(?<folder_iteg_rev>SNAPSHOT))?/\k<module>-\k<base_rev>",
    r"(?:-(?<file_iteg_rev>SNAPSHOT|(?:[0-9]{8}.[0-9]{6})-(?:[0-9]+)))?(?:-(?<classifier>[^/]+?))?",
    r"\.(?<ext>(?!\d)[^\-/]+|7z)",
);

const PARTS: [&str; 9] = [
    "base_url",
    "repository",
    "org_path",
    "module",
    "base_rev",
    "folder_iteg_rev",
    "file_iteg_rev",
    "classifier",
    "ext",
];

fn parse_artifactory_url(url: &str) -> Result<Value, Issue> {
    let layout = Regexp::new(LAYOUT)?;
    let Some(captures) = layout.captures(url)? else { return Ok(Value::Undef) };
    let parts = PARTS.map(|part| {
        let found = layout.named(&captures, part);
        (Value::from(part), found.map_or(Value::Undef, Value::from))
    });
    Ok(Value::hash(parts))
}

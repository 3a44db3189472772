//! `staging_parse`: parts of the path of a file.

use bunraku_compiler::function;
use bunraku_environment::world;
use bunraku_pcore::data_types::Uri;
use bunraku_pcore::{Value, inspect};
use bunraku_syntax::Issue;

use crate::legacy_arguments;
use crate::number::fail;
use crate::path;

function! {
    /// Returns a part of the path of a file or URL: `filename`, `basename`, `extname` or `parent`.
    ///
    /// ```puppet
    /// staging_parse('https://example.com/a/b.zip', 'basename') # 'b'
    /// ```
    "staging_parse" of "staging" {
        "arity -1" as "(String $path, String $part = undef, String $extension = undef) >> String" => staging_parse(*args),
    }
}

fn staging_parse(args: &[Value]) -> Result<String, Issue> {
    if args.is_empty() || args.len() > 3 {
        return fail(format!("staging_parse(): Wrong number of arguments given ({} for 1, 2, 3)", args.len()));
    }
    let given = |index: usize| args.get(index).filter(|value| value.is_truthy());
    let source = match args.first() {
        Some(Value::String(source)) => source,
        other => return Err(legacy_arguments::undefined_method("gsub", other.unwrap_or(&Value::Undef))),
    };
    let uri = Uri::parse(&source.replace("\\", "/"))?;
    if uri.opaque.is_some() {
        let source = inspect::inspect_text(source);
        return fail(format!("staging_parse(): {source} has no URI 'path' component"));
    }
    let file = uri.path.as_str();
    let part = given(1).map_or("filename".into(), inspect::to_s);
    match part.as_ref() {
        "filename" => Ok(path::basename(file, "").to_owned()),
        "basename" => {
            let extension = given(2)
                .map_or_else(|| Ok(path::extname(file)), |extension| legacy_arguments::text(Some(extension)))?;
            Ok(path::basename(file, extension).to_owned())
        }
        "extname" => Ok(path::extname(file).to_owned()),
        "parent" => Ok(world::expand(&format!("/{}", file.trim_start_matches('/')), "..")),
        other => fail(format!("staging_parse(), unknown parse info {other}.")),
    }
}

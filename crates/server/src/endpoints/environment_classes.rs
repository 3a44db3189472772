//! `environment_classes`: the classes of an environment with their parameters, for consoles that let people choose.

use bunraku::syntax::ast::{Class, Definition, Expr, ExprKind, Parameter};
use bunraku::syntax::{FileNamespace, Product, Strict, ValidateOptions, parse, validate};
use bunraku::{Compiler, FileId, Severity, Source, pcore};
use serde_json::{Map, Value as Json, json};

use super::{Answer, environment};
use crate::files::Kind;
use crate::{Request, Response, Server};

pub(super) fn answer(server: &Server, request: &Request, _: &str) -> Answer {
    let (name, compiler) = environment(server, request)?;
    let files: Vec<Json> = manifests(server, &compiler).iter().filter_map(|path| file(server, path)).collect();
    tagged(request, &json!({ "files": files, "name": name }))
}

/// `environment_transports`: the transports of the Resource API, none of which is used without devices.
pub(super) fn transports(server: &Server, request: &Request, _: &str) -> Answer {
    let (name, _) = environment(server, request)?;
    tagged(request, &json!({ "name": name, "transports": [] }))
}

/// The answer with what tells a client next time that nothing has changed.
fn tagged(request: &Request, told: &Json) -> Answer {
    let text = told.to_string();
    let tag = Kind::Sha256.of_bytes(text.as_bytes());
    let known = request.header("if-none-match").map(|known| known.trim_matches('"').trim_end_matches("--gzip"));
    let response = match known == Some(tag.as_str()) {
        true => Response::empty(304),
        false => Response::new(200, "application/json", text),
    };
    Ok(response.with_header("ETag", tag))
}

/// Every manifest of an environment, sorted.
fn manifests(server: &Server, compiler: &Compiler) -> Vec<String> {
    let environment = compiler.environment();
    let mut found = Vec::new();
    let main = environment.settings.text("manifest").unwrap_or_default();
    let main = match (main.is_empty(), &environment.directory) {
        (true, Some(directory)) => format!("{directory}/manifests"),
        _ => main,
    };
    match server.world.is_file(&main) {
        true => found.push(main),
        false => below(server, &main, &mut found),
    }
    for module in environment.modules() {
        below(server, &format!("{}/manifests", module.path), &mut found);
    }
    found.sort();
    found.dedup();
    found
}

fn below(server: &Server, directory: &str, found: &mut Vec<String>) {
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in server.world.list(&directory).unwrap_or_default() {
            let path = format!("{directory}/{}", entry.name);
            match (entry.is_dir, entry.is_link) {
                (true, false) => directories.push(path),
                // Links to directories may lead back up.
                (true, true) => {}
                (false, _) if path.ends_with(".pp") => found.push(path),
                (false, _) => {}
            }
        }
    }
}

/// What one file defines, or what is wrong with it; nothing if it has vanished meanwhile.
fn file(server: &Server, path: &str) -> Option<Json> {
    let bytes = server.world.read(path).ok()?;
    let (source, unreadable) = Source::from_bytes(FileId(0), Some(path.into()), bytes);
    let parsed = parse(&source);
    let options = ValidateOptions {
        strict: Strict::Off,
        namespace: FileNamespace::Any,
        product: Product::default(),
        tasks: false,
    };
    let found = unreadable.into_iter().chain(parsed.first_error().cloned());
    let mistake = found.chain(validate(&source, &parsed.program, &options)).find(|it| it.severity == Severity::Error);
    let classes = match mistake {
        Some(mistake) => Err(mistake.located(Some(&source))),
        None => classes(&source, &parsed.program.definitions),
    };
    Some(match classes {
        Ok(classes) => json!({ "classes": classes, "path": path }),
        Err(error) => json!({ "error": error, "path": path }),
    })
}

fn classes(source: &Source, definitions: &[Definition]) -> Result<Vec<Json>, String> {
    let classes = definitions.iter().filter_map(|definition| match definition {
        Definition::Class(class) => Some(class),
        _ => None,
    });
    classes.map(|class| described(source, class)).collect()
}

fn described(source: &Source, class: &Class) -> Result<Json, String> {
    let parameters: Result<Vec<Json>, String> = class.parameters.iter().map(|it| parameter(source, it)).collect();
    Ok(json!({ "name": class.name.as_str(), "params": parameters? }))
}

/// Keys are sorted, as in the reference.
fn parameter(source: &Source, parameter: &Parameter) -> Result<Json, String> {
    let mut told = Map::new();
    if let Some(default) = &parameter.default {
        told.extend(literal(default).map(|value| ("default_literal".to_owned(), value)));
        told.insert("default_source".to_owned(), json!(source.slice(default.span)));
    }
    told.insert("name".to_owned(), json!(parameter.name.name.as_str()));
    if let Some(written) = &parameter.type_expr {
        let named = pcore::parse::interpret::<bunraku::Issue>(written, &source.text, &mut |_| Ok(None));
        let named = named.map_err(|issue| format!("The parameter '${}' is invalid: {issue}", parameter.name.name))?;
        told.insert("type".to_owned(), json!(named.to_string()));
    }
    Ok(Json::Object(told))
}

/// The value of an expression that JSON has, if it is written down as such.
fn literal(expr: &Expr) -> Option<Json> {
    Some(match &expr.kind {
        ExprKind::Boolean(value) => json!(value),
        ExprKind::Integer { value, .. } => json!(value),
        ExprKind::Float(value) => json!(value),
        ExprKind::String(text) | ExprKind::Name(text) => json!(text.as_str()),
        ExprKind::Array(elements) => Json::Array(elements.iter().map(element).collect::<Option<Vec<Json>>>()?),
        ExprKind::Hash(entries) => {
            let entry = |entry: &bunraku::syntax::ast::HashEntry| match literal(&entry.key)? {
                Json::String(key) => Some((key, element(&entry.value)?)),
                _ => None,
            };
            Json::Object(entries.iter().map(entry).collect::<Option<Map<String, Json>>>()?)
        }
        _ => return None,
    })
}

/// The same inside a collection, where `undef` is a value.
fn element(expr: &Expr) -> Option<Json> {
    match &expr.kind {
        ExprKind::Undef => Some(Json::Null),
        _ => literal(expr),
    }
}

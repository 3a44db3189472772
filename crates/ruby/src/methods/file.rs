//! `File`: what can be said of paths without looking at the disk.

use crate::interpreter::class::Kind;
use crate::interpreter::code::Args;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) fn define(core: &Core) {
    let io = core.class_named("IO", Kind::Class, Some(&core.object));
    let class = core.class_named("File", Kind::Class, Some(&io));
    core.add_own(&class, OWN);
    for name in ["SEPARATOR", "Separator"] {
        class.constants.borrow_mut().insert(Sym::new(name), Value::str("/"));
    }
    class.constants.borrow_mut().insert(Sym::new("PATH_SEPARATOR"), Value::str(":"));
    class.constants.borrow_mut().insert(Sym::new("ALT_SEPARATOR"), Value::Nil);
}

const OWN: &[Row] = &[
    Row("join", 0, -1, |vm, _, args| {
        let mut path: Option<String> = None;
        join(vm, args.values, &mut path)?;
        Ok(Value::str(path.unwrap_or_default()))
    }),
    Row("basename", 1, 2, |vm, _, args| {
        let path = vm.text(args.at(0))?;
        let name = basename(&path);
        let Some(suffix) = args.get(1) else { return Ok(Value::str(name)) };
        let suffix = vm.text(suffix)?;
        let short = match suffix.as_str() {
            ".*" => name.strip_suffix(extension(name)).unwrap_or(name),
            suffix => name.strip_suffix(suffix).filter(|it| !it.is_empty()).unwrap_or(name),
        };
        Ok(Value::str(short))
    }),
    Row("dirname", 1, 2, |vm, _, args| {
        let path = vm.text(args.at(0))?;
        let levels = if args.len() > 1 { vm.to_int(args.at(1))? } else { 1 };
        if levels < 0 {
            return Err(vm.argument_error(&format!("negative level: {levels}")));
        }
        let mut path = path.as_str();
        for _ in 0..levels.min(4096) {
            path = dirname(path);
        }
        Ok(Value::str(path))
    }),
    Row("extname", 1, 1, |vm, _, args| {
        let path = vm.text(args.at(0))?;
        Ok(Value::str(extension(basename(&path))))
    }),
    Row("split", 1, 1, |vm, _, args| {
        let path = vm.text(args.at(0))?;
        Ok(Value::pair(Value::str(dirname(&path)), Value::str(basename(&path))))
    }),
    Row("absolute_path?", 1, 1, |vm, _, args| Ok(Value::Bool(vm.text(args.at(0))?.starts_with('/')))),
    Row("path", 1, 1, |vm, _, args| Ok(Value::str(vm.text(args.at(0))?))),
    Row("expand_path", 1, 2, expand_path),
    Row("absolute_path", 1, 2, expand_path),
];

/// Paths one after another, with one slash between them.
fn join(vm: &mut Vm, parts: &[Value], path: &mut Option<String>) -> Outcome<()> {
    for part in parts {
        if let Value::Array(inner) = part {
            let inner = inner.items.borrow().clone();
            vm.deeper(|vm| join(vm, &inner, path))?;
            continue;
        }
        let part = vm.text(part)?;
        *path = Some(match path.take() {
            None => part,
            Some(before) if part.starts_with('/') => format!("{}{part}", before.trim_end_matches('/')),
            Some(before) if before.ends_with('/') => before + &part,
            Some(before) => format!("{before}/{part}"),
        });
    }
    Ok(())
}

fn basename(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rsplit('/').next() {
        _ if trimmed.is_empty() && !path.is_empty() => "/",
        Some(name) => name,
        None => trimmed,
    }
}

fn dirname(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rfind('/') {
        None if trimmed.is_empty() && !path.is_empty() => "/",
        None => ".",
        Some(at) => match trimmed.get(..at).unwrap_or_default().trim_end_matches('/') {
            "" => "/",
            directory => directory,
        },
    }
}

/// The part from the last point on; points at the start belong to the name.
fn extension(name: &str) -> &str {
    let start = name.len() - name.trim_start_matches('.').len();
    match name.rfind('.') {
        Some(at) if at > start && at + 1 < name.len() => name.get(at..).unwrap_or_default(),
        Some(at) if at > start => name.get(at..).unwrap_or_default(),
        _ => "",
    }
}

fn expand_path(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let path = vm.text(args.at(0))?;
    let full = match args.get(1) {
        _ if path.starts_with('/') => path,
        None | Some(Value::Nil) => String::new(),
        Some(base) => format!("{}/{path}", vm.text(base)?),
    };
    if !full.starts_with('/') {
        return Err(vm.error("NotImplementedError", "a path cannot be expanded from the current directory here"));
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in full.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    Ok(Value::str(format!("/{}", parts.join("/"))))
}

//! `File`: what can be said of paths without looking at the disk.

use crate::interpreter::class::Kind;
use crate::interpreter::code::Args;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

use super::glob;

pub(super) fn define(core: &Core) {
    let io = core.class_named("IO", Kind::Class, Some(&core.object));
    let class = core.class_named("File", Kind::Class, Some(&io));
    core.add_own(&class, OWN);
    super::file_disk::define(core, &io, &class);
    let flags = [
        ("FNM_NOESCAPE", glob::NO_ESCAPE),
        ("FNM_PATHNAME", glob::PATHNAME),
        ("FNM_DOTMATCH", glob::DOT_MATCH),
        ("FNM_CASEFOLD", glob::CASE_FOLD),
        ("FNM_EXTGLOB", glob::EXT_GLOB),
        ("RDONLY", 0),
        ("WRONLY", 1),
        ("RDWR", 2),
        ("CREAT", 0o100),
        ("EXCL", 0o200),
        ("TRUNC", 0o1000),
        ("APPEND", 0o2000),
        ("LOCK_SH", 1),
        ("LOCK_EX", 2),
        ("LOCK_NB", 4),
        ("LOCK_UN", 8),
    ];
    for (name, value) in flags {
        class.constants.borrow_mut().insert(Sym::new(name), Value::Int(value));
    }
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
        let path = vm.path_text(args.at(0))?;
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
        let path = vm.path_text(args.at(0))?;
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
        let path = vm.path_text(args.at(0))?;
        Ok(Value::str(extension(basename(&path))))
    }),
    Row("split", 1, 1, |vm, _, args| {
        let path = vm.path_text(args.at(0))?;
        Ok(Value::pair(Value::str(dirname(&path)), Value::str(basename(&path))))
    }),
    Row("fnmatch", 2, 3, fnmatch),
    Row("fnmatch?", 2, 3, fnmatch),
    Row("absolute_path?", 1, 1, |vm, _, args| Ok(Value::Bool(vm.path_text(args.at(0))?.starts_with('/')))),
    Row("path", 1, 1, |vm, _, args| Ok(Value::str(vm.path_text(args.at(0))?))),
    Row("expand_path", 1, 2, expand_path),
    Row("absolute_path", 1, 2, expand_path),
];

fn fnmatch(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let (pattern, name) = (vm.text(args.at(0))?, vm.path_text(args.at(1))?);
    let flags = if args.len() > 2 { vm.to_int(args.at(2))? } else { 0 };
    match glob::is_match(&pattern, &name, flags) {
        Some(is_match) => Ok(Value::Bool(is_match)),
        None => Err(vm.argument_error("the pattern takes too many steps")),
    }
}

/// Paths one after another, with one slash between them.
fn join(vm: &mut Vm, parts: &[Value], path: &mut Option<String>) -> Outcome<()> {
    for part in parts {
        if let Value::Array(inner) = part {
            let inner = inner.items.borrow().clone();
            vm.deeper(|vm| join(vm, &inner, path))?;
            continue;
        }
        let part = vm.path_text(part)?;
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
    let path = at_home(vm, args.at(0))?;
    let full = match args.get(1) {
        _ if path.starts_with('/') => path,
        None | Some(Value::Nil) => vm.full_path(&path),
        Some(base) => format!("{}/{path}", at_home(vm, base)?),
    };
    let full = if full.starts_with('/') { full } else { vm.full_path(&full) };
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

/// A path with the home directory in the place of `~`.
fn at_home(vm: &mut Vm, value: &Value) -> Outcome<String> {
    let path = vm.path_text(value)?;
    let Some(rest) = path.strip_prefix('~') else { return Ok(path) };
    let (user, rest) = rest.split_once('/').unwrap_or((rest, ""));
    let home = if user.is_empty() {
        match vm.variable("HOME")? {
            Some(home) => home,
            None => return Err(vm.argument_error("couldn't find HOME environment -- expanding `~'")),
        }
    } else {
        let accounts = vm.outside("look for users")?.read_text("/etc/passwd").unwrap_or_default();
        let found =
            accounts.lines().map(|line| line.split(':').collect::<Vec<_>>()).find(|it| it.first() == Some(&user));
        match found.and_then(|fields| fields.get(5).map(|home| (*home).to_owned())) {
            Some(home) => home,
            None => return Err(vm.argument_error(&format!("user {user} doesn't exist"))),
        }
    };
    Ok(if rest.is_empty() { home } else { format!("{home}/{rest}") })
}

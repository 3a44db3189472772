//! `Dir`.

use crate::interpreter::class::Kind;
use crate::interpreter::code::Args;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Vm};

pub(super) fn define(core: &Core) {
    let class = core.class_named("Dir", Kind::Class, Some(&core.object));
    core.add_own(&class, OWN);
}

const OWN: &[Row] = &[
    Row("glob", 1, 5, glob),
    Row("[]", 0, -1, glob),
    Row("entries", 1, 2, |vm, _, args| {
        let mut names = vec![Value::str("."), Value::str("..")];
        names.extend(children(vm, args.at(0))?);
        Ok(Value::array(names))
    }),
    Row("new", 1, 2, |vm, this, args| with_objects(vm, this, "new", args)),
    Row("open", 1, 2, |vm, this, args| with_objects(vm, this, "open", args)),
    Row("children", 1, 2, |vm, _, args| Ok(Value::array(children(vm, args.at(0))?))),
    Row("each_child", 1, 2, |vm, this, args| {
        let names = children(vm, args.at(0))?;
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "each_child", args.values)) };
        for name in names {
            vm.give(block, name)?;
        }
        Ok(Value::Nil)
    }),
    Row("foreach", 1, 2, |vm, this, args| {
        let names = children(vm, args.at(0))?;
        let Some(block) = args.block else { return Ok(vm.enumerator(this, "foreach", args.values)) };
        for name in [Value::str("."), Value::str("..")].into_iter().chain(names) {
            vm.give(block, name)?;
        }
        Ok(Value::Nil)
    }),
    Row("exist?", 1, 1, is_directory),
    Row("exists?", 1, 1, is_directory),
    Row("empty?", 1, 1, |vm, this, args| {
        let is_directory = is_directory(vm, this, args)?.is_truthy();
        Ok(Value::Bool(is_directory && children(vm, args.at(0))?.is_empty()))
    }),
    Row("mkdir", 1, 2, |vm, _, args| {
        let path = vm.path_text(args.at(0))?;
        let mode = if args.len() > 1 { u32::try_from(vm.to_int(args.at(1))?).unwrap_or(0o777) } else { 0o777 };
        let full = vm.full_path(&path);
        vm.change_files("dir_s_mkdir", &path, |files| files.create_directory(&full, mode))?;
        Ok(Value::Int(0))
    }),
    Row("rmdir", 1, 1, remove),
    Row("delete", 1, 1, remove),
    Row("unlink", 1, 1, remove),
    Row("pwd", 0, 0, |vm, _, _| Ok(Value::str(vm.full_path(".")))),
    Row("getwd", 0, 0, |vm, _, _| Ok(Value::str(vm.full_path(".")))),
    Row("home", 0, 1, |vm, _, _| match vm.variable("HOME")? {
        Some(home) => Ok(Value::str(home)),
        None => Err(vm.argument_error("couldn't find HOME environment -- expanding `~'")),
    }),
    Row("chdir", 0, 1, |vm, _, args| {
        let path = match args.at(0) {
            Value::Nil => vm.variable("HOME")?.unwrap_or_else(|| "/".to_owned()),
            path => vm.path_text(path)?,
        };
        let full = vm.full_path(&path);
        if !vm.outside("change the directory")?.is_dir(&full) {
            return Err(vm.system_error(&std::io::ErrorKind::NotFound.into(), "dir_s_chdir", &path));
        }
        let before = vm.directory.replace(full);
        let Some(block) = args.block else { return Ok(Value::Int(0)) };
        let outcome = vm.give(block, Value::str(path));
        vm.directory = before;
        outcome
    }),
];

/// Loads what directories are as objects and calls the method again, which is another one then.
fn with_objects(vm: &mut Vm, this: &Value, name: &str, args: Args<'_>) -> Outcome {
    vm.require("(io)")?;
    vm.send_with(this, Sym::new(name), args, true)
}

fn children(vm: &mut Vm, path: &Value) -> Outcome<Vec<Value>> {
    let path = vm.path_text(path)?;
    let full = vm.full_path(&path);
    let world = vm.outside("look at files")?;
    match world.list(&full) {
        Ok(entries) => Ok(entries.into_iter().map(|entry| Value::str(entry.name)).collect()),
        Err(error) => Err(vm.system_error(&error, "dir_initialize", &path)),
    }
}

fn is_directory(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let path = vm.path_text(args.at(0))?;
    let path = vm.full_path(&path);
    Ok(Value::Bool(vm.outside("look at files")?.is_dir(&path)))
}

fn remove(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let path = vm.path_text(args.at(0))?;
    let full = vm.full_path(&path);
    vm.change_files("dir_s_rmdir", &path, |files| files.remove_directory(&full))?;
    Ok(Value::Int(0))
}

fn glob(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let (values, keywords) = args.split_keywords();
    let mut base = vm.full_path(".");
    let mut flags = 0;
    if keywords.is_some() {
        if let Some(given) = args.keyword("base").filter(|it| !it.is_nil()) {
            let given = vm.path_text(&given)?;
            base = vm.full_path(&given);
        }
        if let Some(given) = args.keyword("flags") {
            flags = vm.to_int(&given)?;
        }
    }
    let mut patterns = Vec::new();
    for value in values {
        match value {
            Value::Array(array) => {
                for item in array.items.borrow().clone() {
                    patterns.push(vm.path_text(&item)?);
                }
            }
            Value::Int(given) => flags |= given,
            other => patterns.push(vm.path_text(other)?),
        }
    }
    let world = vm.outside("look at files")?;
    let mut all = Vec::new();
    for pattern in patterns {
        all.extend(super::glob::glob(vm, &*world, &base, &pattern, flags)?);
    }
    let all: Vec<Value> = all.into_iter().map(Value::from).collect();
    let Some(block) = args.block else { return Ok(Value::array(all)) };
    for path in all {
        vm.give(block, path)?;
    }
    Ok(Value::Nil)
}

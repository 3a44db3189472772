//! `File` and `IO`: what is asked of the disk, and what changes it.

use std::rc::Rc;
use std::time::{Duration, UNIX_EPOCH};

use bunraku_environment::world::{Access, Details, FileKind, Files, Writing};

use crate::interpreter::class::{Class, Kind};
use crate::interpreter::code::Args;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Encoding, Object, Value};
use crate::interpreter::{Outcome, Vm};

pub(super) fn define(core: &Core, io: &Rc<Class>, file: &Rc<Class>) {
    core.add_own(io, IO_OWN);
    core.add_own(file, OWN);
    let stat = Class::new(Some("File::Stat"), Kind::Class, Some(core.object.clone()));
    core.add(&stat, STAT);
    file.constants.borrow_mut().insert(Sym::new("Stat"), Value::Class(stat));
}

/// What is known of a path that is there.
fn found(vm: &mut Vm, value: &Value, follows: bool) -> Outcome<Option<Details>> {
    let path = vm.path_text(value)?;
    let path = vm.full_path(&path);
    let world = vm.outside("look at files")?;
    Ok(match world.files() {
        Some(files) => files.details(&path, follows).ok(),
        None => world.stamp(&path).map(|stamp| {
            let modified = stamp.modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
            Details {
                kind: if stamp.is_dir { FileKind::Directory } else { FileKind::File },
                size: stamp.length,
                mode: if stamp.is_dir { 0o40755 } else { 0o100644 },
                uid: 0,
                gid: 0,
                inode: 0,
                links: 1,
                modified,
                accessed: modified,
                changed: modified,
            }
        }),
    })
}

fn details(vm: &mut Vm, value: &Value, follows: bool, what: &str) -> Outcome<Details> {
    let path = vm.path_text(value)?;
    let full = vm.full_path(&path);
    match found(vm, value, follows)? {
        Some(details) => Ok(details),
        None => vm.with_files(what, &path, |files| files.details(&full, follows)),
    }
}

fn may(vm: &mut Vm, value: &Value, access: Access) -> Outcome {
    let path = vm.path_text(value)?;
    let path = vm.full_path(&path);
    let world = vm.outside("look at files")?;
    Ok(Value::Bool(match world.files() {
        Some(files) => files.may(&path, access),
        None => access == Access::Read && world.stamp(&path).is_some(),
    }))
}

fn kind_name(kind: FileKind) -> &'static str {
    match kind {
        FileKind::File => "file",
        FileKind::Directory => "directory",
        FileKind::Link => "link",
        FileKind::Pipe => "fifo",
        FileKind::Socket => "socket",
        FileKind::BlockDevice => "blockSpecial",
        FileKind::CharacterDevice => "characterSpecial",
    }
}

/// Does something with every path and says how many there were.
fn each_path(vm: &mut Vm, paths: &[Value], mut work: impl FnMut(&dyn Files, &str) -> std::io::Result<()>) -> Outcome {
    for path in paths {
        let path = vm.path_text(path)?;
        let full = vm.full_path(&path);
        vm.change_files("apply2files", &path, |files| work(files, &full))?;
    }
    Ok(Value::int(paths.len()))
}

macro_rules! asks {
    ($name:literal, $follows:literal, $test:expr) => {
        Row($name, 1, 1, |vm, _, args| {
            let test: fn(&Details) -> bool = $test;
            Ok(Value::Bool(found(vm, args.at(0), $follows)?.is_some_and(|it| test(&it))))
        })
    };
}

const OWN: &[Row] = &[
    Row("open", 1, -1, |vm, this, args| with_streams(vm, this, "open", args)),
    Row("new", 1, -1, |vm, this, args| {
        vm.require("(io)")?;
        let class = vm.class_argument(this)?;
        let made = vm.allocate(&class)?;
        vm.initialize(&made, args)?;
        Ok(made)
    }),
    asks!("exist?", true, |_| true),
    asks!("exists?", true, |_| true),
    asks!("file?", true, |it| it.kind == FileKind::File),
    asks!("directory?", true, |it| it.kind == FileKind::Directory),
    asks!("symlink?", false, |it| it.kind == FileKind::Link),
    asks!("pipe?", true, |it| it.kind == FileKind::Pipe),
    asks!("socket?", true, |it| it.kind == FileKind::Socket),
    asks!("blockdev?", true, |it| it.kind == FileKind::BlockDevice),
    asks!("chardev?", true, |it| it.kind == FileKind::CharacterDevice),
    asks!("zero?", true, |it| it.size == 0),
    asks!("empty?", true, |it| it.size == 0),
    asks!("setuid?", true, |it| it.mode & 0o4000 != 0),
    asks!("setgid?", true, |it| it.mode & 0o2000 != 0),
    asks!("sticky?", true, |it| it.mode & 0o1000 != 0),
    Row("readable?", 1, 1, |vm, _, args| may(vm, args.at(0), Access::Read)),
    Row("writable?", 1, 1, |vm, _, args| may(vm, args.at(0), Access::Write)),
    Row("executable?", 1, 1, |vm, _, args| may(vm, args.at(0), Access::Run)),
    Row("world_readable?", 1, 1, |vm, _, args| {
        let mode = found(vm, args.at(0), true)?.map(|it| it.mode & 0o777);
        Ok(mode.filter(|mode| mode & 0o4 != 0).map_or(Value::Nil, |mode| Value::Int(i64::from(mode))))
    }),
    Row("size", 1, 1, |vm, _, args| {
        Ok(Value::Int(i64::try_from(details(vm, args.at(0), true, "rb_file_s_size")?.size).unwrap_or(i64::MAX)))
    }),
    Row("size?", 1, 1, |vm, _, args| match found(vm, args.at(0), true)? {
        Some(it) if it.size > 0 => Ok(Value::Int(i64::try_from(it.size).unwrap_or(i64::MAX))),
        _ => Ok(Value::Nil),
    }),
    Row("ftype", 1, 1, |vm, _, args| {
        Ok(Value::str(kind_name(details(vm, args.at(0), false, "rb_file_s_ftype")?.kind)))
    }),
    Row("mtime", 1, 1, |vm, _, args| {
        let modified = details(vm, args.at(0), true, "rb_file_s_mtime")?.modified;
        Ok(vm.time_value(modified))
    }),
    Row("atime", 1, 1, |vm, _, args| {
        let accessed = details(vm, args.at(0), true, "rb_file_s_atime")?.accessed;
        Ok(vm.time_value(accessed))
    }),
    Row("ctime", 1, 1, |vm, _, args| {
        let changed = details(vm, args.at(0), true, "rb_file_s_ctime")?.changed;
        Ok(vm.time_value(changed))
    }),
    Row("stat", 1, 1, |vm, _, args| {
        let details = details(vm, args.at(0), true, "rb_file_s_stat")?;
        stat(vm, details)
    }),
    Row("lstat", 1, 1, |vm, _, args| {
        let details = details(vm, args.at(0), false, "rb_file_s_lstat")?;
        stat(vm, details)
    }),
    Row("identical?", 2, 2, |vm, _, args| {
        let (a, b) = (found(vm, args.at(0), true)?, found(vm, args.at(1), true)?);
        Ok(Value::Bool(matches!((a, b), (Some(a), Some(b)) if a.inode == b.inode && a.changed == b.changed)))
    }),
    Row("delete", 0, -1, |vm, _, args| each_path(vm, args.values, |files, path| files.remove_file(path))),
    Row("unlink", 0, -1, |vm, _, args| each_path(vm, args.values, |files, path| files.remove_file(path))),
    Row("chmod", 1, -1, |vm, _, args| {
        let mode = u32::try_from(vm.to_int(args.at(0))?).unwrap_or_default() & 0o7777;
        each_path(vm, args.after_first().values, |files, path| files.set_mode(path, mode))
    }),
    Row("chown", 2, -1, |vm, _, args| {
        let mut owner = [None; 2];
        for (place, value) in owner.iter_mut().zip(args.values) {
            *place = if value.is_nil() { None } else { u32::try_from(vm.to_int(value)?).ok() };
        }
        let [user, group] = owner;
        each_path(vm, args.values.get(2..).unwrap_or_default(), |files, path| files.set_owner(path, user, group))
    }),
    Row("utime", 2, -1, |vm, _, args| {
        let seconds = vm.send(args.at(1), Sym::new("to_f"), &[])?;
        let seconds = vm.float_argument(&seconds)?.clamp(0.0, 1e11);
        let time = Duration::from_secs_f64(seconds);
        each_path(vm, args.values.get(2..).unwrap_or_default(), |files, path| files.set_modified(path, time))
    }),
    Row("rename", 2, 2, |vm, _, args| {
        let (from, to) = (vm.path_text(args.at(0))?, vm.path_text(args.at(1))?);
        let full = (vm.full_path(&from), vm.full_path(&to));
        vm.change_files("rb_file_s_rename", &format!("({from}, {to})"), |files| files.rename(&full.0, &full.1))?;
        Ok(Value::Int(0))
    }),
    Row("symlink", 2, 2, |vm, _, args| {
        let (from, to) = (vm.path_text(args.at(0))?, vm.path_text(args.at(1))?);
        let full = vm.full_path(&to);
        vm.change_files("rb_file_s_symlink", &format!("({from}, {to})"), |files| files.link(&from, &full))?;
        Ok(Value::Int(0))
    }),
    Row("readlink", 1, 1, |vm, _, args| {
        let path = vm.path_text(args.at(0))?;
        let full = vm.full_path(&path);
        Ok(Value::str(vm.with_files("rb_readlink", &path, |files| files.read_link(&full))?))
    }),
    Row("realpath", 1, 2, real_path),
    Row("realdirpath", 1, 2, real_path),
    Row("umask", 0, 1, |_, _, _| Ok(Value::Int(0o022))),
    Row("truncate", 2, 2, |vm, _, args| {
        let path = vm.path_text(args.at(0))?;
        let length = vm.size_argument(args.at(1), "negative length")?;
        let mut bytes = read(vm, &path, "rb_file_s_truncate")?;
        vm.check_size(length)?;
        bytes.resize(length, 0);
        write(vm, &path, &bytes, WRITING)?;
        Ok(Value::Int(0))
    }),
];

const WRITING: Writing = Writing { appends: false, is_new: false, mode: 0o666 };

fn real_path(vm: &mut Vm, _: &Value, args: Args<'_>) -> Outcome {
    let mut path = vm.path_text(args.at(0))?;
    if !args.at(1).is_nil() && !path.starts_with('/') {
        path = format!("{}/{path}", vm.path_text(args.at(1))?);
    }
    let full = vm.full_path(&path);
    let world = vm.outside("look at files")?;
    if world.files().is_none() && world.stamp(&full).is_some() {
        return Ok(Value::str(full));
    }
    Ok(Value::str(vm.with_files("rb_check_realpath_internal", &path, |files| files.real_path(&full))?))
}

fn stat(vm: &mut Vm, details: Details) -> Outcome {
    let scope = Value::Class(vm.constant_class("File"));
    let class = vm.scoped_constant(&scope, Sym::new("Stat"))?;
    let object = Object::new(vm.class_argument(&class)?);
    *object.data.borrow_mut() = Some(Rc::new(details));
    Ok(Value::Object(Rc::new(object)))
}

fn kept(vm: &mut Vm, this: &Value) -> Outcome<Details> {
    let found = match this {
        Value::Object(object) => object.data::<Details>(),
        _ => None,
    };
    found.map(|it| *it).ok_or_else(|| vm.type_error("uninitialized File::Stat"))
}

macro_rules! tells {
    ($name:literal, $tell:expr) => {
        Row($name, 0, 0, |vm, this, _| {
            let tell: fn(&Details) -> Value = $tell;
            Ok(tell(&kept(vm, this)?))
        })
    };
}

fn number(number: u64) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

const STAT: &[Row] = &[
    Row("initialize", 1, 1, |vm, this, args| {
        let details = details(vm, args.at(0), true, "rb_file_s_stat")?;
        if let Value::Object(object) = this {
            *object.data.borrow_mut() = Some(Rc::new(details));
        }
        Ok(Value::Nil)
    }),
    tells!("mode", |it| Value::Int(i64::from(it.mode))),
    tells!("size", |it| number(it.size)),
    tells!("size?", |it| if it.size > 0 { number(it.size) } else { Value::Nil }),
    tells!("zero?", |it| Value::Bool(it.size == 0)),
    tells!("uid", |it| Value::Int(i64::from(it.uid))),
    tells!("gid", |it| Value::Int(i64::from(it.gid))),
    tells!("ino", |it| number(it.inode)),
    tells!("nlink", |it| number(it.links)),
    tells!("ftype", |it| Value::str(kind_name(it.kind))),
    tells!("file?", |it| Value::Bool(it.kind == FileKind::File)),
    tells!("directory?", |it| Value::Bool(it.kind == FileKind::Directory)),
    tells!("symlink?", |it| Value::Bool(it.kind == FileKind::Link)),
    tells!("pipe?", |it| Value::Bool(it.kind == FileKind::Pipe)),
    tells!("socket?", |it| Value::Bool(it.kind == FileKind::Socket)),
    tells!("world_readable?", |it| if it.mode & 0o4 != 0 {
        Value::Int(i64::from(it.mode & 0o777))
    } else {
        Value::Nil
    }),
    Row("mtime", 0, 0, |vm, this, _| {
        let it = kept(vm, this)?;
        Ok(vm.time_value(it.modified))
    }),
    Row("atime", 0, 0, |vm, this, _| {
        let it = kept(vm, this)?;
        Ok(vm.time_value(it.accessed))
    }),
    Row("ctime", 0, 0, |vm, this, _| {
        let it = kept(vm, this)?;
        Ok(vm.time_value(it.changed))
    }),
];

/// The bytes of a file.
fn read(vm: &mut Vm, path: &str, what: &str) -> Outcome<Vec<u8>> {
    let world = vm.outside("read files")?;
    let bytes = match world.read(&vm.full_path(path)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::IsADirectory && what == "rb_sysopen" => {
            return Err(vm.system_error(&error, "io_fread", path));
        }
        Err(error) => return Err(vm.system_error(&error, what, path)),
    };
    vm.count_made(bytes.len())?;
    Ok(bytes)
}

fn write(vm: &mut Vm, path: &str, bytes: &[u8], writing: Writing) -> Outcome<()> {
    let full = vm.full_path(path);
    vm.change_files("rb_sysopen", path, |files| files.write(&full, bytes, writing))
}

/// How a file is opened, as far as the keywords and the mode say.
fn encoding(vm: &mut Vm, args: Args<'_>) -> Outcome<Encoding> {
    if !args.keywords {
        return Ok(Encoding::Utf8);
    }
    if let Some(mode) = args.keyword("mode") {
        let mode = vm.to_s(&mode)?;
        if mode.contains('b') && !mode.contains(':') {
            return Ok(Encoding::Binary);
        }
        if let Some((_, name)) = mode.split_once(':') {
            return Ok(named(name));
        }
    }
    for name in ["encoding", "external_encoding"] {
        if let Some(given) = args.keyword(name) {
            let name = vm.to_s(&given)?;
            return Ok(named(&name));
        }
    }
    Ok(Encoding::Utf8)
}

fn named(name: &str) -> Encoding {
    let name = name.split(':').next().unwrap_or_default();
    let name = name.strip_prefix("bom|").or_else(|| name.strip_prefix("BOM|")).unwrap_or(name);
    Encoding::named(name).unwrap_or_default()
}

fn string(bytes: Vec<u8>, encoding: Encoding) -> Value {
    let value = Value::str(bytes);
    if let Value::Str(string) = &value {
        string.encoding.set(encoding);
    }
    value
}

/// Loads the library of streams and calls the method again, which it has put in the place of this one.
fn with_streams(vm: &mut Vm, this: &Value, name: &str, args: Args<'_>) -> Outcome {
    vm.require("(io)")?;
    vm.send_with(this, Sym::new(name), args, true)
}

const IO_OWN: &[Row] = &[
    Row("readlines", 1, -1, |vm, this, args| with_streams(vm, this, "readlines", args)),
    Row("foreach", 1, -1, |vm, this, args| with_streams(vm, this, "foreach", args)),
    Row("popen", 1, -1, |vm, this, args| with_streams(vm, this, "popen", args)),
    Row("copy_stream", 2, -1, |vm, this, args| with_streams(vm, this, "copy_stream", args)),
    Row("read", 1, 4, |vm, _, args| {
        let (values, _) = args.split_keywords();
        let path = vm.path_text(args.at(0))?;
        let (mut bytes, encoding) = (read(vm, &path, "rb_sysopen")?, encoding(vm, args)?);
        if let Some(offset) = values.get(2).filter(|it| !it.is_nil()) {
            let offset = vm.size_argument(offset, "negative offset")?.min(bytes.len());
            bytes.drain(..offset);
        }
        if let Some(length) = values.get(1).filter(|it| !it.is_nil()) {
            bytes.truncate(vm.size_argument(length, "negative length")?);
            return Ok(Value::binary(bytes));
        }
        Ok(string(bytes, encoding))
    }),
    Row("binread", 1, 3, |vm, _, args| {
        let path = vm.path_text(args.at(0))?;
        Ok(Value::binary(read(vm, &path, "rb_sysopen")?))
    }),
    Row("write", 2, 4, |vm, _, args| {
        let (path, text) = (vm.path_text(args.at(0))?, written(vm, args.at(1))?);
        let mode = if args.keywords { args.keyword("mode") } else { None };
        let appends = matches!(mode, Some(Value::Str(mode)) if mode.to_text().starts_with('a'));
        if let Some(offset) = args.split_keywords().0.get(2).filter(|it| !it.is_nil()) {
            let offset = vm.size_argument(offset, "negative offset")?;
            vm.check_size(offset.saturating_add(text.len()))?;
            let mut whole = read(vm, &path, "rb_sysopen").unwrap_or_default();
            whole.resize(whole.len().max(offset + text.len()), 0);
            whole.splice(offset..offset + text.len(), text.iter().copied());
            write(vm, &path, &whole, WRITING)?;
            return Ok(Value::int(text.len()));
        }
        write(vm, &path, &text, Writing { appends, ..WRITING })?;
        Ok(Value::int(text.len()))
    }),
    Row("binwrite", 2, 4, |vm, _, args| {
        let (path, text) = (vm.path_text(args.at(0))?, written(vm, args.at(1))?);
        write(vm, &path, &text, WRITING)?;
        Ok(Value::int(text.len()))
    }),
    Row("__read", 1, 1, |vm, _, args| {
        let path = vm.path_text(args.at(0))?;
        let world = vm.outside("read files")?;
        if world.is_dir(&vm.full_path(&path)) {
            return Ok(Value::Nil);
        }
        Ok(Value::str(read(vm, &path, "rb_sysopen")?))
    }),
    // A path, text, whether it goes behind what is there, whether the file must be new, and the permissions.
    Row("__write", 5, 5, |vm, _, args| {
        let (path, text) = (vm.path_text(args.at(0))?, written(vm, args.at(1))?);
        let mode = u32::try_from(vm.to_int(args.at(4))?).unwrap_or(0o666);
        write(vm, &path, &text, Writing { appends: args.at(2).is_truthy(), is_new: args.at(3).is_truthy(), mode })?;
        Ok(Value::Nil)
    }),
    // What is written to a standard stream.
    Row("__put", 2, 2, |vm, _, args| {
        let text = written(vm, args.at(1))?;
        match args.at(0) {
            Value::Int(1) => vm.write(&text)?,
            _ => vm.write_error(&text)?,
        }
        Ok(Value::int(text.len()))
    }),
    // The line of a string that begins at a byte: up to a separator, or to the end.
    Row("__line", 4, 4, |vm, _, args| {
        let (text, start) = (vm.to_str(args.at(0))?, vm.size_argument(args.at(1), "negative position")?);
        let bytes = text.bytes.borrow();
        let Some(rest) = bytes.get(start..).filter(|rest| !rest.is_empty()) else { return Ok(Value::Nil) };
        let length = match args.at(2) {
            Value::Nil => rest.len(),
            separator => {
                let separator = vm.to_str(separator)?.bytes.borrow().clone();
                // Without a separator it is a paragraph.
                let separator = if separator.is_empty() { b"\n\n".to_vec() } else { separator };
                let found = rest.windows(separator.len().max(1)).position(|part| part == separator);
                found.map_or(rest.len(), |at| at + separator.len())
            }
        };
        let length = match args.at(3) {
            Value::Nil => length,
            limit => length.min(vm.size_argument(limit, "negative limit")?),
        };
        Ok(string(rest.get(..length).unwrap_or_default().to_vec(), text.encoding.get()))
    }),
];

fn written(vm: &mut Vm, value: &Value) -> Outcome<Vec<u8>> {
    match value {
        Value::Str(text) => Ok(text.bytes.borrow().clone()),
        other => Ok(vm.to_s(other)?.into_bytes()),
    }
}

impl Vm {
    /// What is written to standard error.
    pub(crate) fn write_error(&mut self, bytes: &[u8]) -> Outcome<()> {
        self.errors.extend_from_slice(bytes);
        let size = self.errors.len();
        self.check_size(size)
    }
}

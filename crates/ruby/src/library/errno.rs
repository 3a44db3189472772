//! `Errno`: the errors of the operating system.

use crate::interpreter::class::{Class, Kind};
use crate::interpreter::code::Args;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::Value;
use crate::interpreter::{Outcome, Stop, Vm};

/// Names, numbers and texts.
const ERRORS: &[(&str, i64, &str)] = &[
    ("EPERM", 1, "Operation not permitted"),
    ("ENOENT", 2, "No such file or directory"),
    ("ESRCH", 3, "No such process"),
    ("EINTR", 4, "Interrupted system call"),
    ("EIO", 5, "Input/output error"),
    ("ENXIO", 6, "No such device or address"),
    ("E2BIG", 7, "Argument list too long"),
    ("ENOEXEC", 8, "Exec format error"),
    ("EBADF", 9, "Bad file descriptor"),
    ("ECHILD", 10, "No child processes"),
    ("EAGAIN", 11, "Resource temporarily unavailable"),
    ("ENOMEM", 12, "Cannot allocate memory"),
    ("EACCES", 13, "Permission denied"),
    ("EBUSY", 16, "Device or resource busy"),
    ("EEXIST", 17, "File exists"),
    ("EXDEV", 18, "Invalid cross-device link"),
    ("ENODEV", 19, "No such device"),
    ("ENOTDIR", 20, "Not a directory"),
    ("EISDIR", 21, "Is a directory"),
    ("EINVAL", 22, "Invalid argument"),
    ("EMFILE", 24, "Too many open files"),
    ("ETXTBSY", 26, "Text file busy"),
    ("EFBIG", 27, "File too large"),
    ("ENOSPC", 28, "No space left on device"),
    ("ESPIPE", 29, "Illegal seek"),
    ("EROFS", 30, "Read-only file system"),
    ("EPIPE", 32, "Broken pipe"),
    ("EDOM", 33, "Numerical argument out of domain"),
    ("ERANGE", 34, "Numerical result out of range"),
    ("ENAMETOOLONG", 36, "File name too long"),
    ("ENOSYS", 38, "Function not implemented"),
    ("ENOTEMPTY", 39, "Directory not empty"),
    ("ELOOP", 40, "Too many levels of symbolic links"),
    ("EPROTO", 71, "Protocol error"),
    ("ENOTSOCK", 88, "Socket operation on non-socket"),
    ("ENOTSUP", 95, "Operation not supported"),
    ("EADDRINUSE", 98, "Address already in use"),
    ("EADDRNOTAVAIL", 99, "Cannot assign requested address"),
    ("ENETDOWN", 100, "Network is down"),
    ("ENETUNREACH", 101, "Network is unreachable"),
    ("ECONNABORTED", 103, "Software caused connection abort"),
    ("ECONNRESET", 104, "Connection reset by peer"),
    ("ENOTCONN", 107, "Transport endpoint is not connected"),
    ("ETIMEDOUT", 110, "Connection timed out"),
    ("ECONNREFUSED", 111, "Connection refused"),
    ("EHOSTDOWN", 112, "Host is down"),
    ("EHOSTUNREACH", 113, "No route to host"),
    ("EALREADY", 114, "Operation already in progress"),
    ("EINPROGRESS", 115, "Operation now in progress"),
    ("ESTALE", 116, "Stale file handle"),
    ("EDQUOT", 122, "Disk quota exceeded"),
];

pub(crate) fn define(core: &Core) {
    let module = core.class_named("Errno", Kind::Module, None);
    let Some(Value::Class(above)) = core.object.constant(Sym::new("SystemCallError")) else { return };
    core.add(
        &above,
        &[
            Row("initialize", 0, 3, initialize),
            Row("errno", 0, 0, |_, this, _| Ok(this.variable(sym::HIDDEN_STATUS).into())),
        ],
    );
    core.add_own(
        &above,
        &[Row("new", 0, 3, |vm, this, args| {
            let mut class = vm.class_argument(this)?;
            // A number makes it the error of that number.
            let number =
                args.values.iter().find_map(|it| if let Value::Int(number) = it { Some(*number) } else { None });
            if *class.name.borrow() == Some("SystemCallError".to_string())
                && let Some((name, ..)) = ERRORS.iter().find(|(_, code, _)| Some(*code) == number)
            {
                let scope = Value::Class(vm.constant_class("Errno"));
                let found = vm.scoped_constant(&scope, Sym::new(name))?;
                class = vm.class_argument(&found)?;
            }
            let made = vm.allocate(&class)?;
            vm.initialize(&made, args)?;
            Ok(made)
        })],
    );
    for (name, number, _) in ERRORS {
        let class = Class::new(Some(&format!("Errno::{name}")), Kind::Class, Some(above.clone()));
        class.constants.borrow_mut().insert(Sym::new("Errno"), Value::Int(*number));
        module.constants.borrow_mut().insert(Sym::new(name), Value::Class(class));
    }
}

/// The error of a number. `plain` says that nothing stands between the text and what it is about.
pub(crate) fn raise(vm: &mut Vm, code: i32, detail: &str, is_plain: bool) -> Box<Stop> {
    let known = ERRORS.iter().find(|(_, number, _)| *number == i64::from(code));
    let (name, text) = known.map_or(("EIO", "Input/output error"), |(name, _, text)| (*name, *text));
    let scope = Value::Class(vm.constant_class("Errno"));
    let class = match vm.scoped_constant(&scope, Sym::new(name)) {
        Ok(Value::Class(class)) => class,
        Ok(_) => vm.core.standard_error.clone(),
        Err(stop) => return stop,
    };
    let between = if is_plain { " - " } else { " " };
    let stop = vm.exception(&class, Value::str(format!("{text}{between}{detail}")));
    if let Stop::Raise(exception) = &*stop {
        exception.set_variable(sym::HIDDEN_STATUS, Value::Int(i64::from(code)));
    }
    stop
}

fn initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let class = vm.class_name(this);
    let known = ERRORS.iter().find(|(name, ..)| class.rsplit("::").next() == Some(name));
    let texts: Vec<&Value> = args.values.iter().filter(|it| matches!(it, Value::Str(_))).collect();
    let number = args.values.iter().find(|it| matches!(it, Value::Int(_)));
    let mut message = match (known, number) {
        (Some((_, _, text)), _) => (*text).to_string(),
        (None, Some(number)) => format!("Unknown error {}", vm.to_s(number)?),
        (None, None) => "unknown error".to_string(),
    };
    if let Some(place) = texts.get(1) {
        message.push_str(&format!(" @ {}", vm.to_s(place)?));
    }
    if let Some(about) = texts.first() {
        message.push_str(&format!(" - {}", vm.to_s(about)?));
    }
    this.set_variable(sym::HIDDEN_MESSAGE, Value::str(message));
    this.set_variable(sym::HIDDEN_STATUS, known.map_or(Value::Nil, |(_, number, _)| Value::Int(*number)));
    Ok(Value::Nil)
}

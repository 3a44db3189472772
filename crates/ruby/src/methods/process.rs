//! Processes: `` `command` ``, `system` and what `Open3` and `IO.popen` are made of.

use std::rc::Rc;
use std::time::Duration;

use bunraku_environment::world::{Command, Output};

use crate::interpreter::class::{Class, Kind};
use crate::interpreter::code::Args;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::{Sym, sym};
use crate::interpreter::value::{Object, Value};
use crate::interpreter::{LONGEST, Outcome, Stop, Vm};

pub(super) fn define(core: &Core) {
    let module = core.class_named("Process", Kind::Module, None);
    let status = Class::new(Some("Process::Status"), Kind::Class, Some(core.object.clone()));
    core.add(&status, STATUS);
    let constants = [("CLOCK_REALTIME", 0), ("CLOCK_MONOTONIC", 1), ("CLOCK_PROCESS_CPUTIME_ID", 2), ("WNOHANG", 1)];
    {
        let mut all = module.constants.borrow_mut();
        all.insert(Sym::new("Status"), Value::Class(status));
        for (name, value) in constants {
            all.insert(Sym::new(name), Value::Int(value));
        }
    }
    core.add_own(&module, OWN);
}

/// The functions without a receiver.
pub(super) const KERNEL: &[Row] = &[
    Row("`", 1, 1, |vm, _, args| {
        let command = vm.text(args.at(0))?;
        let output = run(vm, &words(&command), &Settings::default())?;
        vm.write_error(&output.stderr)?;
        Ok(Value::str(output.stdout))
    }),
    Row("system", 1, -1, |vm, _, args| {
        let (command, settings) = read(vm, args)?;
        match run(vm, &command, &settings) {
            Ok(output) => {
                if !settings.hides_output {
                    vm.write(&output.stdout)?;
                }
                if !settings.hides_errors {
                    vm.write_error(&output.stderr)?;
                }
                Ok(Value::Bool(output.code == Some(0)))
            }
            Err(stop) if settings.raises => Err(stop),
            Err(stop) => match *stop {
                Stop::Raise(exception) if vm.is_named(&exception, "SystemCallError") => {
                    set_status(vm, Some(127));
                    Ok(Value::Nil)
                }
                stop => Err(Box::new(stop)),
            },
        }
    }),
];

const OWN: &[Row] = &[
    Row("pid", 0, 0, |vm, _, _| Ok(vm.process_number(0))),
    Row("ppid", 0, 0, |vm, _, _| Ok(vm.process_number(3))),
    Row("uid", 0, 0, |vm, _, _| account(vm, true)),
    Row("euid", 0, 0, |vm, _, _| account(vm, true)),
    Row("gid", 0, 0, |vm, _, _| account(vm, false)),
    Row("egid", 0, 0, |vm, _, _| account(vm, false)),
    Row("last_status", 0, 0, |vm, _, _| Ok(vm.globals.get(&Sym::new("$?")).cloned().into())),
    Row("clock_gettime", 1, 2, |vm, _, args| {
        let now = vm.outside("ask for the time")?.now();
        let since = now.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Ok(match args.at(1) {
            Value::Sym(unit) => match unit.as_str() {
                "second" => Value::Int(since.as_secs() as i64),
                "millisecond" => Value::Int(since.as_millis() as i64),
                "microsecond" => Value::Int(since.as_micros() as i64),
                "nanosecond" => Value::Int(since.as_nanos() as i64),
                "float_millisecond" => Value::Float(since.as_secs_f64() * 1e3),
                "float_microsecond" => Value::Float(since.as_secs_f64() * 1e6),
                _ => Value::Float(since.as_secs_f64()),
            },
            _ => Value::Float(since.as_secs_f64()),
        })
    }),
    Row("kill", 2, -1, |vm, _, args| {
        super::kernel::check_signal(vm, args.at(0))?;
        Err(vm.error("NotImplementedError", "no process can be sent a signal from here"))
    }),
    // The name of this host.
    Row("__host", 0, 0, |vm, _, _| {
        let world = vm.outside("ask for the name of the host")?;
        let name = world.machine().and_then(|machine| machine.uname()).map(|uname| uname.host);
        Ok(Value::str(name.unwrap_or_else(|| "localhost".to_owned())))
    }),
    // The addresses of this host.
    Row("__addresses", 0, 0, |vm, _, _| {
        let world = vm.outside("ask for addresses")?;
        let interfaces = world.machine().and_then(|machine| machine.interfaces().ok()).unwrap_or_default();
        let addresses =
            interfaces.iter().flat_map(|it| &it.addresses).map(|(address, _)| Value::str(address.to_string()));
        Ok(Value::array(addresses.collect()))
    }),
    // What `Open3` and `IO.popen` need: a command and its options; output, errors and status.
    Row("__run", 1, -1, |vm, _, args| {
        let (command, settings) = read(vm, args)?;
        let output = run(vm, &command, &settings)?;
        let status = vm.globals.get(&Sym::new("$?")).cloned().into();
        Ok(Value::array(vec![Value::str(output.stdout), Value::str(output.stderr), status]))
    }),
];

fn account(vm: &mut Vm, is_user: bool) -> Outcome {
    let world = vm.outside("see who runs it")?;
    let account = world.machine().and_then(|machine| machine.account()).unwrap_or_default();
    Ok(Value::Int(i64::from(if is_user { account.uid } else { account.gid })))
}

impl Vm {
    /// The number of this process, or of the one that started it.
    pub(crate) fn process_number(&self, field: usize) -> Value {
        let text = self.world.as_ref().and_then(|world| world.read_text("/proc/self/stat").ok()).unwrap_or_default();
        // The name, which may contain anything, stands in parentheses.
        let number = match field {
            0 => text.split(' ').next(),
            field => text.rsplit(')').next().and_then(|rest| rest.split(' ').nth(field - 1)),
        };
        Value::Int(number.and_then(|number| number.parse().ok()).unwrap_or_default())
    }
}

/// How a command is run.
#[derive(Default)]
struct Settings {
    input: Vec<u8>,
    directory: Option<String>,
    variables: Vec<(String, String)>,
    raises: bool,
    hides_output: bool,
    hides_errors: bool,
    /// Errors go where output goes.
    merges: bool,
    /// How long it may take, if that is not left to the world.
    limit: Option<Duration>,
}

/// What a command line writes, given a limit of time; nothing if it takes longer.
pub(crate) fn run_line(
    vm: &mut Vm,
    line: &str,
    variables: &[(&str, &str)],
    limit: Duration,
) -> Outcome<Option<(Vec<u8>, Vec<u8>)>> {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let settings = Settings { variables, limit: Some(limit), ..Settings::default() };
    let start = vm.outside("run processes")?.now();
    match run(vm, &words(line), &settings) {
        Ok(output) => Ok(Some((output.stdout, output.stderr))),
        Err(stop) => {
            let taken = vm.outside("run processes")?.now().duration_since(start).unwrap_or_default();
            let is_over = matches!(*stop, Stop::Raise(_)) && taken >= limit;
            if is_over { Ok(None) } else { Err(stop) }
        }
    }
}

/// The command and its settings from the arguments of a call: `[env,] command… [, options]`.
fn read(vm: &mut Vm, args: Args<'_>) -> Outcome<(Vec<String>, Settings)> {
    let mut settings = Settings::default();
    let mut values = args.values;
    if let Some((Value::Hash(given), rest)) = values.split_first() {
        let entries = given.entries.borrow().clone();
        for (key, value) in &entries {
            settings.variables.push((vm.to_s(&key.value)?, vm.to_s(value)?));
        }
        values = rest;
    }
    if let Some((Value::Hash(given), rest)) = values.split_last() {
        let entries = given.entries.borrow().clone();
        for (key, value) in &entries {
            match &key.value {
                Value::Sym(name) => match name.as_str() {
                    "stdin_data" => settings.input = vm.to_s(value)?.into_bytes(),
                    "chdir" => settings.directory = Some(vm.path_text(value)?),
                    "exception" => settings.raises = value.is_truthy(),
                    "out" => settings.hides_output = true,
                    "err" if matches!(value, Value::Array(_)) => settings.merges = true,
                    "err" => settings.hides_errors = true,
                    _ => {}
                },
                Value::Array(_) => {
                    settings.hides_output = true;
                    settings.hides_errors = true;
                }
                _ => settings.merges |= matches!(value, Value::Array(_)),
            }
        }
        values = rest;
    }
    let mut command = Vec::new();
    for value in values {
        match value {
            // A name with another one that the process is to see.
            Value::Array(pair) => command.push(vm.to_s(&pair.items.borrow().first().cloned().into())?),
            other => command.push(vm.text(other)?),
        }
    }
    if let [line] = &*command {
        command = words(line);
    }
    Ok((command, settings))
}

/// The words of a command line; what needs a shell is given to one, as Ruby does.
fn words(line: &str) -> Vec<String> {
    // Those that Ruby leaves to a shell.
    const BUILT_IN: &[&str] = &[
        "!", ".", ":", "break", "case", "continue", "do", "done", "elif", "else", "esac", "eval", "exec", "exit",
        "export", "fi", "for", "if", "in", "readonly", "return", "set", "shift", "then", "times", "trap", "unset",
        "until", "while",
    ];
    let first = line.split_whitespace().next().unwrap_or_default();
    let needs_shell =
        line.contains(|letter: char| "*?{}[]<>()~&|\\$;'`\"\n#=%".contains(letter)) || BUILT_IN.contains(&first);
    if needs_shell {
        return ["/bin/sh", "-c", line].map(str::to_owned).to_vec();
    }
    line.split_whitespace().map(str::to_owned).collect()
}

fn run(vm: &mut Vm, command: &[String], settings: &Settings) -> Outcome<Output> {
    let world = vm.outside("run processes")?;
    // A process may have done anything.
    vm.puppet.effects += 1;
    let Some((program, arguments)) = command.split_first() else {
        return Err(vm.system_error(&std::io::ErrorKind::NotFound.into(), "", ""));
    };
    let directory = match &settings.directory {
        Some(directory) => vm.full_path(directory),
        None => vm.full_path("."),
    };
    let changed: Vec<(String, String)> = match &vm.environment {
        Some(own) => own.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
        None => Vec::new(),
    };
    let variables: Vec<(&str, &str)> =
        changed.iter().chain(&settings.variables).map(|(name, value)| (&**name, &**value)).collect();
    let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let merged = format!("{} 2>&1", arguments.get(1).copied().unwrap_or_default());
    if settings.merges && program == "/bin/sh" && arguments.first() == Some(&"-c") {
        arguments = vec!["-c", &merged];
    }
    // What `Timeout` allows ends a process too.
    let left = vm.sleep_limit - vm.slept;
    let left = Duration::try_from_secs_f64(left).ok();
    let limit = settings.limit.into_iter().chain(left).min();
    let command = Command {
        program,
        arguments: &arguments,
        directory: Some(&directory),
        variables: &variables,
        input: &settings.input,
        limits: limit.map(|limit| (limit, LONGEST)),
        ..Command::default()
    };
    let start = world.now();
    let outcome = world.run(&command);
    if left.is_some() {
        let taken = world.now().duration_since(start).unwrap_or_default();
        vm.sleep_for(taken.as_secs_f64())?;
    }
    match outcome {
        Ok(mut output) => {
            if settings.merges && program != "/bin/sh" {
                output.stdout.append(&mut output.stderr);
            }
            vm.count_made(output.stdout.len() + output.stderr.len())?;
            set_status(vm, output.code);
            Ok(output)
        }
        Err(error) => Err(vm.system_error(&error, "", program)),
    }
}

/// Sets `$?`.
fn set_status(vm: &mut Vm, code: Option<i32>) {
    let scope = Value::Class(vm.constant_class("Process"));
    let Ok(Value::Class(class)) = vm.scoped_constant(&scope, Sym::new("Status")) else { return };
    let object = Object::new(class);
    object.set(sym::HIDDEN_STATUS, code.map_or(Value::Nil, |code| Value::Int(i64::from(code))));
    vm.globals.insert(Sym::new("$?"), Value::Object(Rc::new(object)));
}

fn code(this: &Value) -> Value {
    this.variable(sym::HIDDEN_STATUS).into()
}

const STATUS: &[Row] = &[
    Row("exitstatus", 0, 0, |_, this, _| Ok(code(this))),
    Row("success?", 0, 0, |_, this, _| {
        Ok(match code(this) {
            Value::Int(code) => Value::Bool(code == 0),
            _ => Value::Nil,
        })
    }),
    Row("exited?", 0, 0, |_, this, _| Ok(Value::Bool(!code(this).is_nil()))),
    Row("signaled?", 0, 0, |_, this, _| Ok(Value::Bool(code(this).is_nil()))),
    Row("termsig", 0, 0, |_, this, _| Ok(if code(this).is_nil() { Value::Int(9) } else { Value::Nil })),
    Row("stopsig", 0, 0, |_, _, _| Ok(Value::Nil)),
    Row("stopped?", 0, 0, |_, _, _| Ok(Value::Bool(false))),
    Row("coredump?", 0, 0, |_, _, _| Ok(Value::Bool(false))),
    Row("to_i", 0, 0, |_, this, _| {
        Ok(match code(this) {
            Value::Int(code) => Value::Int(code << 8),
            _ => Value::Int(9),
        })
    }),
    Row("pid", 0, 0, |_, _, _| Ok(Value::Int(2))),
    Row("==", 1, 1, |vm, this, args| {
        let number = vm.send(this, sym::TO_I, &[])?;
        Ok(Value::Bool(vm.equals(&number, args.at(0))? || this.is_same(args.at(0))))
    }),
    Row("to_s", 0, 0, |vm, this, _| {
        let code = vm.to_s(&code(this))?;
        Ok(Value::str(format!("pid 2 exit {code}")))
    }),
    Row("inspect", 0, 0, |vm, this, _| {
        let code = vm.to_s(&code(this))?;
        Ok(Value::str(format!("#<Process::Status: pid 2 exit {code}>")))
    }),
];

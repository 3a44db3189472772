//! How the program that users get is linked: whole, and with the functions that work needs beside each other.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn main() {
    let Some(layout) = layout() else { return };
    println!("cargo:rerun-if-changed={}", layout.display());
    if !is_release() {
        return;
    }
    for options in [sorted(&layout), whole()].into_iter().flatten().filter(|options| can_link_with(options)) {
        for option in &options {
            println!("cargo:rustc-link-arg-bins={option}");
        }
    }
}

/// Sorts functions by use. The system maps a program by blocks of 64 KB: unsorted, compiling a catalog touches two thirds
/// of all blocks for the sake of a few functions in each; sorted, a quarter. `layout.txt` lists the functions; the program
/// `layout` in `benches/` writes it. Names that the linker does not know, as those of another compiler, do no harm.
fn sorted(layout: &Path) -> Option<Vec<String>> {
    let names: Vec<String> = std::fs::read_to_string(layout).ok()?.lines().flat_map(with_neighbours).collect();
    let order = PathBuf::from(env::var_os("OUT_DIR")?).join("layout.txt");
    std::fs::write(&order, names.join("\n")).ok()?;
    let sorted = format!("-Wl,--symbol-ordering-file={}", order.display());
    Some(vec![sorted, "-Wl,--no-warn-symbol-ordering".to_owned()])
}

/// How far the numbers of functions move while a list is in use.
const DRIFT: usize = 100;

/// A function that several crates have for themselves gets a number behind its name, which every change of the code moves a
/// little: `String::push.1429` may be 1434 in the next build.
fn with_neighbours(name: &str) -> Vec<String> {
    match name.rsplit_once('.').and_then(|(base, number)| Some((base, number.parse::<usize>().ok()?))) {
        Some((base, number)) => {
            let numbers = number.saturating_sub(DRIFT)..=number.saturating_add(DRIFT);
            numbers.map(|number| format!("{base}.{number}")).collect()
        }
        None => vec![name.to_owned()],
    }
}

/// Puts the C library into the program, which then runs on systems with an older one, starts sooner and takes two
/// megabytes less. Rust's own way, `-C target-feature=+crt-static`, cannot be chosen for a single package, and without
/// `--target` it refuses procedural macros. So the linker is given scripts by the names of the shared libraries that Rust
/// asks for, which lead it to the others.
fn whole() -> Option<Vec<String>> {
    let directory = PathBuf::from(env::var_os("OUT_DIR")?).join("whole");
    std::fs::create_dir_all(&directory).ok()?;
    let scripts = [
        ("libc.so", "GROUP(-l:libc.a -l:libgcc_eh.a)"),
        ("libm.so", "INPUT(-l:libm.a)"),
        ("libgcc_s.so", "INPUT(-l:libgcc_eh.a)"),
    ];
    for (name, script) in scripts {
        std::fs::write(directory.join(name), format!("{script}\n")).ok()?;
    }
    Some(vec![format!("-L{}", directory.display()), "-static".to_owned(), "-no-pie".to_owned()])
}

/// The list, which is in this directory; the benchmarks, which are a program like this one, share it.
fn layout() -> Option<PathBuf> {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    package.ancestors().map(|directory| directory.join("crates/cli/layout.txt")).find(|path| path.exists())
}

/// Whether this is the build that users get, on a system whose linker is known to sort.
fn is_release() -> bool {
    let is = |name, value| env::var(name).is_ok_and(|known| known == value);
    let is_optimised = is("OPT_LEVEL", "3") || is("OPT_LEVEL", "s");
    is_optimised && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu")
}

/// Whether the linker knows the options: LLVM's does, others refuse them.
fn can_link_with(options: &[String]) -> bool {
    let (Some(compiler), Some(directory), Some(target)) =
        (env::var_os("RUSTC"), env::var_os("OUT_DIR"), env::var_os("TARGET"))
    else {
        return false;
    };
    let source = Path::new(&directory).join("empty.rs");
    if std::fs::write(&source, "fn main() {}\n").is_err() {
        return false;
    }
    let mut command = Command::new(compiler);
    command.arg(&source).arg("--target").arg(target).arg("--out-dir").arg(&directory);
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        command.arg("-C").arg(format!("linker={}", linker.display()));
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    command.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    for option in options {
        command.arg("-C").arg(format!("link-arg={option}"));
    }
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

//! Has the linker put the functions that work needs beside each other.
//!
//! The system maps a program by blocks of 64 KB. Unsorted, compiling a catalog touches two thirds of all blocks for the
//! sake of a few functions in each; sorted, a quarter. `layout.txt` lists the functions by use; the program `layout` in
//! `benches/` writes it. Names that the linker does not know, as those of another compiler, do no harm.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn main() {
    let Some(layout) = layout() else { return };
    println!("cargo:rerun-if-changed={}", layout.display());
    let options =
        [format!("-Wl,--symbol-ordering-file={}", layout.display()), "-Wl,--no-warn-symbol-ordering".to_owned()];
    if is_release() && can_link_with(&options) {
        for option in &options {
            println!("cargo:rustc-link-arg-bins={option}");
        }
    }
}

/// The list, which is in this folder; the benchmarks, which are a program like this one, share it.
fn layout() -> Option<PathBuf> {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    package.ancestors().map(|folder| folder.join("crates/cli/layout.txt")).find(|path| path.exists())
}

/// Whether this is the build that users get, on a system whose linker is known to sort.
fn is_release() -> bool {
    let is = |name, value| env::var(name).is_ok_and(|known| known == value);
    is("OPT_LEVEL", "3") && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu")
}

/// Whether the linker knows the options: LLVM's does, others refuse them.
fn can_link_with(options: &[String]) -> bool {
    let (Some(compiler), Some(folder), Some(target)) =
        (env::var_os("RUSTC"), env::var_os("OUT_DIR"), env::var_os("TARGET"))
    else {
        return false;
    };
    let source = Path::new(&folder).join("empty.rs");
    if std::fs::write(&source, "fn main() {}\n").is_err() {
        return false;
    }
    let mut command = Command::new(compiler);
    command.arg(&source).arg("--target").arg(target).arg("--out-dir").arg(&folder);
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

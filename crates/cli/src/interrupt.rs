//! What happens when somebody ends the program by a signal: nothing half-written is left, and the signal does the rest.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(unix)]
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
    low_level::emulate_default_handler,
};

/// The temporary directories of this process. Signals come to the process as a whole, so they are global.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// From now on files that are being written, and temporary directories, are removed when a signal ends the program.
/// Commands that write files ask for it; processes that code has started see the end of the program by themselves.
#[cfg(unix)]
pub(crate) fn remove_unfinished_files() -> Result<(), String> {
    let watch = || {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                bunraku::whole_file::abandon_all();
                for directory in temporary().drain(..) {
                    let _ = std::fs::remove_dir_all(directory);
                }
                // The program ends as it would have: the shell sees which signal it was (130, 143).
                let _ = emulate_default_handler(signal);
            }
        })
    };
    let watching = watch().map(drop);
    watching.map_err(|error: io::Error| format!("Could not watch for signals: {}", bunraku::reason(&error)))
}

#[cfg(not(unix))]
pub(crate) fn remove_unfinished_files() -> Result<(), String> {
    Ok(())
}

/// A directory that others cannot read, which goes with this value or with the program.
pub(crate) struct Temporary {
    pub(crate) path: PathBuf,
}

impl Temporary {
    /// A new directory of a name that nobody has.
    pub(crate) fn new(name: &str) -> io::Result<Self> {
        use std::hash::{BuildHasher, RandomState};
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        let number = RandomState::new().hash_one(std::process::id());
        let path = std::env::temp_dir().join(format!("{name}-{number:016x}"));
        let mut all = temporary();
        builder.create(&path)?;
        all.push(path.clone());
        Ok(Temporary { path })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
        temporary().retain(|path| *path != self.path);
    }
}

fn temporary() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

//! What happens when somebody ends the program by a signal: nothing half-written is left, and the signal does the rest.

#[cfg(unix)]
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
    low_level::emulate_default_handler,
};

/// From now on files that are being written are removed when a signal ends the program. Commands that write files ask
/// for it; processes that code has started see the end of the program by themselves.
#[cfg(unix)]
pub(crate) fn remove_unfinished_files() -> Result<(), String> {
    let watch = || {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                bunraku::whole_file::abandon_all();
                // The program ends as it would have: the shell sees which signal it was (130, 143).
                let _ = emulate_default_handler(signal);
            }
        })
    };
    watch().map(drop).map_err(|error: std::io::Error| format!("Could not watch for signals: {error}"))
}

#[cfg(not(unix))]
pub(crate) fn remove_unfinished_files() -> Result<(), String> {
    Ok(())
}

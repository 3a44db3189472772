//! This implementation, asked in the same process. A panic is a result like any other; a program that does not end is
//! shown, and ends the run.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

/// How long a program may take: far longer than any of the reference takes.
const LIMIT: Duration = Duration::from_secs(20);

/// The program that is running, and since when.
type Running = Arc<Mutex<Option<(Instant, Json)>>>;

/// Runs programs, watched by another thread.
pub(crate) struct Ours(Running);

impl Ours {
    pub(crate) fn start() -> Self {
        // The panic is shown as a difference, not where it happens.
        std::panic::set_hook(Box::new(|_| {}));
        let running = Running::default();
        let watched = Arc::clone(&running);
        thread::spawn(move || watch(&watched));
        Self(running)
    }

    /// What this implementation gives for the case.
    pub(crate) fn ask(&self, case: &Json) -> Json {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), case.clone()));
        let result = catch_unwind(AssertUnwindSafe(|| bunraku_tests::harness::run(case)));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
        result.unwrap_or_else(|_| json!({"panic": true}))
    }
}

fn watch(running: &Running) {
    loop {
        thread::sleep(Duration::from_secs(1));
        let running = running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, case)) = running.as_ref().filter(|(since, _)| since.elapsed() > LIMIT) {
            println!("─── does not end: {case}");
            std::process::exit(1);
        }
    }
}

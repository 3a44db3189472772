//! Where the time of compilations goes: for classes, defined types and functions, by the way that led to them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::compilation::Compilation;

/// How many different ways are kept; beyond them time counts for the one around it.
const MOST_WAYS: usize = 100_000;

/// What compilations took. It is filled by any number of them, also at the same time.
#[derive(Debug, Default)]
pub struct Profile(Mutex<BTreeMap<String, Duration>>);

impl Profile {
    /// A line for each way, `outer;inner MICROSECONDS`, with the time that was spent in its last part alone: the form that
    /// programs read which draw flame graphs.
    pub fn folded(&self) -> String {
        let ways = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ways.iter().map(|(way, time)| format!("{way} {}\n", time.as_micros())).collect()
    }

    fn add(&self, ways: BTreeMap<String, Duration>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (way, time) in ways {
            *all.entry(way).or_default() += time;
        }
    }
}

/// What one compilation does, as it does it; what it took goes to the profile in the end.
#[derive(Debug)]
pub(crate) struct Recorder<'e> {
    profile: &'e Profile,
    ways: BTreeMap<String, Duration>,
    /// The ends of the names in `way`, when each began, and how much of it went to what is inside.
    open: Vec<(usize, Instant, Duration)>,
    way: String,
}

impl<'e> Recorder<'e> {
    /// A recorder for the compilation for a node.
    pub(crate) fn new(profile: &'e Profile, node: &str) -> Box<Self> {
        let mut recorder = Box::new(Recorder { profile, ways: BTreeMap::new(), open: Vec::new(), way: String::new() });
        recorder.enter(node);
        recorder
    }

    fn enter(&mut self, name: &str) {
        self.open.push((self.way.len(), Instant::now(), Duration::ZERO));
        if !self.way.is_empty() {
            self.way.push(';');
        }
        // Both have a meaning in the form in which a profile is written.
        self.way.extend(name.chars().map(|letter| if matches!(letter, ';' | '\n' | ' ') { '_' } else { letter }));
    }

    fn leave(&mut self) {
        let Some((end, start, inner)) = self.open.pop() else { return };
        let all = start.elapsed();
        if self.ways.len() < MOST_WAYS || self.ways.contains_key(&self.way) {
            *self.ways.entry(self.way.clone()).or_default() += all.saturating_sub(inner);
            if let Some((.., inner)) = self.open.last_mut() {
                *inner += all;
            }
        }
        self.way.truncate(end);
    }
}

impl Drop for Recorder<'_> {
    fn drop(&mut self) {
        while !self.open.is_empty() {
            self.leave();
        }
        self.profile.add(std::mem::take(&mut self.ways));
    }
}

impl Compilation<'_> {
    /// What is evaluated from now on belongs to this.
    #[inline]
    pub(crate) fn enter<T: ToString + ?Sized>(&mut self, name: &T) {
        if let Some(recorder) = &mut self.recorder {
            recorder.enter(&name.to_string());
        }
    }

    /// The innermost thing that was entered is done.
    #[inline]
    pub(crate) fn leave(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.leave();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_counts_where_it_is_spent() {
        let profile = Profile::default();
        let mut recorder = Recorder::new(&profile, "node");
        recorder.enter("Class[a b]");
        recorder.enter("f");
        std::thread::sleep(Duration::from_millis(5));
        recorder.leave();
        drop(recorder);
        let folded = profile.folded();
        let time = |way: &str| {
            let line = folded.lines().find_map(|line| line.strip_prefix(way)?.trim_start().parse::<u64>().ok());
            line.unwrap_or(u64::MAX)
        };
        assert!(time("node;Class[a_b];f") >= 5_000, "{folded}");
        assert!(time("node;Class[a_b] ") < 5_000 && time("node ") < 5_000, "{folded}");
    }
}

//! A short run of every target without the fuzzer: the seeds, and some thousand mutations that are the same every time.
//! `BUNRAKU_FUZZ_SECONDS` makes it longer, with mutations of what was found by mutation, and `BUNRAKU_FUZZ_TARGETS` names the
//! targets.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test states its expectation")]

use std::fmt::Write;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use bunraku_fuzz_targets::{ALL, Target};

/// How many mutations each target gets.
const MUTATIONS: usize = 400;
/// How long a target may take over one input, on a busy machine and without optimisation.
const PATIENCE: Duration = Duration::from_secs(20);
/// What readers care about.
const SIGNS: &[&str] = &[
    "\0", "\n", "\r", "\t", " ", "'", "\"", "\\", "/", "%", "%{", "${", "$", "[", "]", "{", "}", "(", ")", "<", ">",
    "|", "=>", "::", ":", "-", "- ", "*", "&a", "*a", "#", "0", "-1", "1e999", "\u{feff}", "\u{e9}",
];

#[test]
fn every_target_survives() {
    let failures: String = std::thread::scope(|scope| {
        let run = |(name, target): &(&'static str, Target)| {
            let (name, target) = (*name, *target);
            // The name tells whose stack has overflowed.
            std::thread::Builder::new().name(name.into()).spawn_scoped(scope, move || survive(name, target)).unwrap()
        };
        let names = std::env::var("BUNRAKU_FUZZ_TARGETS").unwrap_or_default();
        let is_wanted = |name: &str| names.is_empty() || names.split(',').any(|wanted| wanted == name);
        let workers: Vec<_> = ALL.iter().filter(|(name, _)| is_wanted(name)).map(run).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{failures}");
}

/// Runs a target; gives the inputs it does not survive.
fn survive(name: &str, target: Target) -> String {
    let seeds = seeds(name);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut failures = String::new();
    let seconds = std::env::var("BUNRAKU_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut number = 0;
    let inputs = std::iter::from_fn(|| {
        number += 1;
        let is_over = number > seeds.len() + MUTATIONS && end.is_none_or(|end| Instant::now() > end);
        let mutation = |random: &mut Random| {
            let mut input = mutate(&seeds, random);
            // The longer it takes the further it goes.
            for _ in 0..random.below(1 + number / (MUTATIONS * 10)).min(20) {
                input = mutate(&[input], random);
            }
            input
        };
        (!is_over).then(|| seeds.get(number - 1).cloned().unwrap_or_else(|| mutation(&mut random)))
    });
    for input in inputs {
        let start = Instant::now();
        let survived = catch_unwind(AssertUnwindSafe(|| target(&input))).is_ok();
        if !survived || start.elapsed() > PATIENCE {
            let what = if survived { "is slow" } else { "panics" };
            writeln!(failures, "{name} {what} on {:?}", String::from_utf8_lossy(&input)).unwrap();
        }
    }
    failures
}

fn seeds(name: &str) -> Vec<Vec<u8>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../seeds").join(name);
    let mut paths: Vec<_> = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{name} has no seeds");
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// A seed with a few changes: a part taken out, doubled, or replaced by a part of another seed; a sign put in; a byte set.
fn mutate(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut input = random.pick(seeds).clone();
    for _ in 0..=random.below(4) {
        let start = random.below(input.len() + 1);
        let end = start + random.below((input.len() - start).min(24) + 1);
        let replacement: Vec<u8> = match random.below(5) {
            0 => Vec::new(),
            1 => input[start..end].repeat(2 + random.below(6)),
            2 => {
                let other = random.pick(seeds);
                let from = random.below(other.len() + 1);
                other[from..other.len().min(from + 24)].to_vec()
            }
            3 => random.pick(SIGNS).as_bytes().to_vec(),
            _ => vec![u8::try_from(random.below(256)).unwrap()],
        };
        input.splice(start..end, replacement);
    }
    input
}

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }
}

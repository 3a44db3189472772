//! Differential fuzzing: random programs run by this implementation and by the reference, with every difference made small
//! and shown once.
//!
//! `tests/differential/run --minutes 10 --seed 1 [--topic types]…`; `--cases FILE` compares the cases of a file instead,
//! and `--record FILE` appends what was found, as recorded cases, to a corpus.

mod difference;
mod generate;
mod grammar;
mod oracle;
mod ours;
mod random;
mod shrink;
mod tokens;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use difference::Difference;
use generate::Generator;
use oracle::Oracle;
use ours::Ours;

/// How many cases are run between two looks at the clock.
const BATCH: usize = 200;

#[derive(Default)]
struct Options {
    minutes: u64,
    seed: u64,
    topics: Vec<String>,
    cases: Option<PathBuf>,
    record: Option<PathBuf>,
    kinds: usize,
}

fn main() {
    match options(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(0) => {}
        Ok(_) => std::process::exit(1),
        Err(message) => {
            eprintln!("{message}");
            std::process::exit(2);
        }
    }
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { minutes: 1, seed: 1, kinds: 60, ..Options::default() };
    while let Some(option) = args.next() {
        let value = args.next().ok_or_else(|| format!("{option} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|error| format!("{option}: {error}"));
        match option.as_str() {
            "--minutes" => options.minutes = number()?,
            "--seed" => options.seed = number()?,
            "--kinds" => options.kinds = usize::try_from(number()?).unwrap_or(usize::MAX),
            "--topic" => options.topics.push(value),
            "--cases" => options.cases = Some(PathBuf::from(value)),
            "--record" => options.record = Some(PathBuf::from(value)),
            _ => return Err(format!("{option} is not an option")),
        }
    }
    Ok(options)
}

/// Runs until the time is over; gives the number of kinds of differences found.
fn run(options: &Options) -> Result<usize, String> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = home.join("differential");
    let script = directory.join("oracle.rb");
    let mut pair = Pair { ours: Ours::start(), reference: Oracle::start(&script)?, script };
    let mut findings = Findings { kinds: BTreeMap::new(), options };
    let mut programs = 0;
    if let Some(path) = &options.cases {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let cases: Vec<Json> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        for batch in cases.chunks(BATCH) {
            findings.look_at(batch, &mut pair)?;
        }
        programs = cases.len();
    } else {
        let corpora = home.join("conformance");
        let mut generator = Generator::new(&directory.join("grammar"), &corpora, &options.topics, options.seed)?;
        let end = Instant::now() + Duration::from_secs(60 * options.minutes);
        while Instant::now() < end && findings.kinds.len() < options.kinds {
            let batch: Vec<_> = (0..BATCH).map(|_| generator.next()).collect();
            findings.look_at(&batch, &mut pair)?;
            programs += batch.len();
        }
    }
    let differences: usize = findings.kinds.values().sum();
    println!("{programs} programs, {differences} differences of {} kinds", findings.kinds.len());
    Ok(findings.kinds.len())
}

/// How often each kind of difference was seen.
struct Findings<'o> {
    kinds: BTreeMap<String, usize>,
    options: &'o Options,
}

impl Findings<'_> {
    /// Compares the results of some cases; shows the first difference of each new kind.
    fn look_at(&mut self, cases: &[Json], pair: &mut Pair) -> Result<(), String> {
        for (case, difference) in cases.iter().zip(pair.compare(cases)?) {
            let Some(difference) = difference else { continue };
            if let Some(count) = self.kinds.get_mut(&difference.kind) {
                *count += 1;
                continue;
            }
            if !pair.confirms(case, &difference)? {
                continue;
            }
            self.kinds.insert(difference.kind.clone(), 1);
            let same = |candidates: &[Json]| {
                let found = pair.compare(candidates)?;
                Ok(found.into_iter().map(|found| found.is_some_and(|found| found.kind == difference.kind)).collect())
            };
            let small = shrink::shrink(case, same)?;
            if let Some(Some(difference)) = pair.compare(std::slice::from_ref(&small))?.first() {
                show(&small, difference);
                self.record(small, difference)?;
            }
        }
        Ok(())
    }

    fn record(&self, mut case: Json, difference: &Difference) -> Result<(), String> {
        let Some(path) = &self.options.record else { return Ok(()) };
        case["expect"] = difference.expected.clone();
        let file = fs::OpenOptions::new().create(true).append(true).open(path);
        file.and_then(|mut file| writeln!(file, "{case}")).map_err(|error| format!("{}: {error}", path.display()))
    }
}

/// The two implementations.
struct Pair {
    ours: Ours,
    reference: Oracle,
    /// What a new process of the reference is started with.
    script: PathBuf,
}

impl Pair {
    /// Asks a new process of the reference, to which no earlier program has done anything, for the same difference.
    fn confirms(&mut self, case: &Json, difference: &Difference) -> Result<bool, String> {
        self.reference = Oracle::start(&self.script)?;
        let found = self.compare(std::slice::from_ref(case))?;
        Ok(found.into_iter().flatten().any(|found| found.kind == difference.kind))
    }

    /// Runs the cases by both implementations.
    fn compare(&mut self, cases: &[Json]) -> Result<Vec<Option<Difference>>, String> {
        let expected = self.reference.ask(cases)?;
        let difference = |(case, expected): (&Json, &Json)| {
            let is_model = difference::is_model(expected);
            is_model.then(|| difference::between(expected, &self.ours.ask(case))).flatten()
        };
        Ok(cases.iter().zip(&expected).map(difference).collect())
    }
}

fn show(case: &Json, difference: &Difference) {
    let mut rest = case.clone();
    let code = rest.as_object_mut().and_then(|fields| fields.remove("code")).unwrap_or_default();
    println!("─── {rest}");
    println!("{}", code.as_str().unwrap_or_default());
    println!("  expected {}", difference.expected);
    println!("  got      {}", difference.got);
}

//! A process that lives long, as a server would: two environments whose files change all the time, compiled by four threads.
//!
//! It looks whether catalogs are what the command `bunraku` prints, and whether memory stays as it is:
//!
//! ```text
//! cargo run -p bunraku --example long_lived -- [--seconds 60] [--compilations N] [--bunraku target/debug/bunraku]
//! ```

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use bunraku::{Disk, Hash, Project, Request, RunMode, Settings, wire};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const ENVIRONMENTS: [&str; 2] = ["production", "staging"];
const THREADS: usize = 4;
const NODES: usize = 20;

/// What to do, and when to stop.
pub(crate) struct Work {
    /// How long to compile.
    pub(crate) seconds: u64,
    /// How many compilations are enough.
    pub(crate) compilations: usize,
    /// The command to compare with, if any.
    pub(crate) bunraku: Option<PathBuf>,
    /// How many kilobytes of private memory are too many on top of what the first third needs.
    pub(crate) growth: u64,
}

fn main() -> Result<()> {
    let mut work = Work { seconds: 60, compilations: usize::MAX, bunraku: None, growth: 4 << 10 };
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{option} needs a value"))?;
        match option.as_str() {
            "--seconds" => work.seconds = value.parse()?,
            "--compilations" => (work.compilations, work.seconds) = (value.parse()?, u64::MAX),
            "--bunraku" => work.bunraku = Some(value.into()),
            "--growth" => work.growth = value.parse()?,
            _ => return Err(format!("unknown option {option}").into()),
        }
    }
    let mut out = std::io::stdout();
    run(&work, &mut |line| _ = std::io::Write::write_all(&mut out, format!("{line}\n").as_bytes()))
}

/// Does the work and tells about it.
pub(crate) fn run(work: &Work, tell: &mut dyn FnMut(String)) -> Result<()> {
    let root = std::env::temp_dir().join(format!("bunraku-long-lived-{}", std::process::id()));
    let result = compile_for_long(work, &root, tell);
    std::fs::remove_dir_all(&root)?;
    result
}

fn compile_for_long(work: &Work, root: &Path, tell: &mut dyn FnMut(String)) -> Result<()> {
    for environment in ENVIRONMENTS {
        write_environment(&root.join(environment))?;
    }
    let mut settings = Settings::new(RunMode::Server);
    settings.set("environmentpath", root.to_string_lossy());
    settings.set("confdir", root.to_string_lossy());
    let project = Project::new(Arc::new(Disk), settings);
    // Whoever changes files is alone; compilations go on, but nobody compares meanwhile.
    let unchanged = RwLock::new(());
    let (done, changes, compared) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let (begin, mut memory) = (Instant::now(), Vec::new());
    let is_over = || begin.elapsed().as_secs() >= work.seconds || done.load(Ordering::Relaxed) >= work.compilations;
    std::thread::scope(|scope| -> Result<()> {
        let mut threads = Vec::new();
        for thread in 0..THREADS {
            let (project, done, is_over) = (&project, &done, &is_over);
            threads.push(scope.spawn(move || -> Result<()> {
                while !is_over() {
                    let number = done.fetch_add(1, Ordering::Relaxed);
                    let environment = environment(number + thread);
                    catalog(project, environment, number)?;
                }
                Ok(())
            }));
        }
        threads.push(scope.spawn(|| -> Result<()> {
            while !is_over() {
                let number = changes.fetch_add(1, Ordering::Relaxed);
                let guard = unchanged.write().unwrap_or_else(PoisonError::into_inner);
                change(&root.join(environment(number)), number)?;
                drop(guard);
                std::thread::sleep(Duration::from_millis(20));
            }
            Ok(())
        }));
        if let Some(bunraku) = &work.bunraku {
            let (project, unchanged, compared, is_over) = (&project, &unchanged, &compared, &is_over);
            threads.push(scope.spawn(move || -> Result<()> {
                while !is_over() {
                    let number = compared.fetch_add(1, Ordering::Relaxed);
                    let guard = unchanged.read().unwrap_or_else(PoisonError::into_inner);
                    compare(project, bunraku, root, environment(number), number)?;
                    drop(guard);
                    std::thread::sleep(Duration::from_millis(200));
                }
                Ok(())
            }));
        }
        // Memory is measured while all that goes on; a thread that has failed has said enough.
        while !is_over() && threads.iter().all(|thread| !thread.is_finished()) {
            std::thread::sleep(Duration::from_millis(if work.seconds > 30 { 1000 } else { 100 }));
            memory.push(private_kilobytes()?);
            if memory.len() % 10 == 0 {
                tell(report(&done, &changes, &compared, begin, memory.last().copied().unwrap_or(0)));
            }
        }
        for thread in threads {
            thread.join().map_err(|_| "a thread has panicked")??;
        }
        Ok(())
    })?;
    tell(report(&done, &changes, &compared, begin, private_kilobytes()?));
    let (early, late) = memory.split_at(memory.len() / 3);
    let most = |list: &[u64]| list.iter().copied().max().unwrap_or(0);
    tell(format!("at most {} kB in the first third, {} kB after it", most(early), most(late)));
    match most(late) > most(early) + work.growth {
        true => Err("private memory has grown".into()),
        false => Ok(()),
    }
}

fn report(done: &AtomicUsize, changes: &AtomicUsize, compared: &AtomicUsize, begin: Instant, memory: u64) -> String {
    let [done, changes, compared] = [done, changes, compared].map(|count| count.load(Ordering::Relaxed));
    let seconds = begin.elapsed().as_secs();
    format!("{seconds} s: {done} catalogs, {changes} changes, {compared} compared, {memory} kB private")
}

fn environment(number: usize) -> &'static str {
    let [first, second] = ENVIRONMENTS;
    if number.is_multiple_of(2) { first } else { second }
}

/// The catalog of a node as its agent gets it.
fn catalog(project: &Project, environment: &str, number: usize) -> Result<String> {
    let certname = &node_name(number);
    // Some facts are new every time.
    let facts: Hash = [("x".into(), i64::try_from(number)?.into())].into_iter().collect();
    let catalog = project.catalog(&Request { certname, facts: &facts, environment })?.outcome.catalog?;
    Ok(wire::to_json(&catalog, wire::Options { is_pretty: true, is_reproducible: true })?)
}

fn node_name(number: usize) -> String {
    format!("node{}.example.com", number % NODES)
}

/// Compares what a project gives with what the command prints.
fn compare(project: &Project, bunraku: &Path, root: &Path, environment: &str, number: usize) -> Result<()> {
    let name = node_name(number);
    let facts = root.join("facts.yaml");
    put(&facts, &format!("x: {number}\n"))?;
    let output = Command::new(bunraku)
        .args(["catalog", "compile", &name, "--reproducible", "--environment", environment, "--facts"])
        .arg(&facts)
        .arg("--environmentpath")
        .arg(root)
        .arg("--confdir")
        .arg(root)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let ours = catalog(project, environment, number)?;
    let theirs = String::from_utf8(output.stdout)?;
    match ours.trim() == theirs.trim() {
        true => Ok(()),
        false => Err(format!("the catalog of {name} in {environment} differs:\n{ours}\n{theirs}").into()),
    }
}

fn write_environment(root: &Path) -> Result<()> {
    put(&root.join("manifests/site.pp"), "include app\ninclude app::extra\n")?;
    put(
        &root.join("hiera.yaml"),
        "version: 5\nhierarchy:\n  - name: all\n    paths: ['nodes/%{trusted.certname}.yaml', 'nodes/%{clientcert}.yaml', all.yaml]\n",
    )?;
    put(
        &root.join("modules/app/lib/puppet/functions/app/shout.rb"),
        "Puppet::Functions.create_function(:'app::shout') do\n  dispatch :shout do\n    param 'String', :text\n  end\n  \
         def shout(text)\n    text.upcase\n  end\nend\n",
    )?;
    put(
        &root.join("modules/app/lib/puppet/type/gadget.rb"),
        "Puppet::Type.newtype(:gadget) do\n  newparam(:name, namevar: true)\n  newproperty(:size)\nend\n",
    )?;
    // A type that contains itself.
    put(&root.join("modules/app/types/tree.pp"), "type App::Tree = Variant[Integer, Array[App::Tree]]\n")?;
    for number in 0..8 {
        change(root, number)?;
    }
    Ok(())
}

/// Changes one of the files of an environment.
fn change(root: &Path, number: usize) -> Result<()> {
    match number / 2 % 4 {
        0 => put(
            &root.join("modules/app/manifests/init.pp"),
            &format!(
                "class app(App::Tree $tree, Integer $size) {{\n  notify {{ 'version': message => 'code {number}' }}\n  \
                 file {{ '/erb': content => template('app/a.erb') }}\n  \
                 file {{ '/epp': content => epp('app/b.epp', {{ 'size' => $size }}) }}\n  \
                 file {{ '/inline': content => inline_epp(\"${{facts['x']}} {number} <%= $size %>\", {{ 'size' => $size }}) }}\n  \
                 gadget {{ app::shout('one'): size => \"${{size}}\" }}\n  @@notify {{ 'exported': }}\n}}\n"
            ),
        ),
        1 => put(&root.join("data/all.yaml"), &format!("app::size: {number}\napp::tree: [1, [2, [{number}]]]\n")),
        2 => {
            put(&root.join("modules/app/templates/a.erb"), &format!("<%= @size + {number} %> of {number}\n"))?;
            put(&root.join("modules/app/templates/b.epp"), &format!("<%- | $size | -%>\n<%= $size %> of {number}\n"))
        }
        // A class that moves from one file to another.
        _ => {
            let class = format!("class app::extra {{ notify {{ 'extra': message => '{number}' }} }}\n");
            let (file, other) = ("modules/app/manifests/extra.pp", "modules/app/manifests/extra/deep.pp");
            put(&root.join(file), &class)?;
            let _ = std::fs::remove_file(root.join(other));
            if number.is_multiple_of(3) {
                put(&root.join(other), "class app::extra::deep {}\n")?;
            }
            Ok(())
        }
    }
}

/// Puts a file in its place at once, so that nobody reads half of it.
fn put(path: &Path, text: &str) -> Result<()> {
    std::fs::create_dir_all(path.parent().ok_or("a file without a directory")?)?;
    let part = path.with_extension("part");
    std::fs::write(&part, text)?;
    Ok(std::fs::rename(part, path)?)
}

/// How many kilobytes of memory this process has that are in no file, wherever the system keeps them.
fn private_kilobytes() -> Result<u64> {
    let rollup = std::fs::read_to_string("/proc/self/smaps_rollup")?;
    let mut kilobytes = 0;
    for line in rollup.lines().filter(|line| line.starts_with("Anonymous:") || line.starts_with("SwapPss:")) {
        kilobytes += line.split_whitespace().nth(1).ok_or("no number of kilobytes")?.parse::<u64>()?;
    }
    Ok(kilobytes)
}

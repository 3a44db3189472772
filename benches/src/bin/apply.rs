//! How long manifests take that change nothing, applied by Puppet and by Bunraku in turn: `apply [BUNRAKU [PUPPET]]`, on a
//! Debian with 200 packages, where Facter may read everything (`unshare -mpf --mount-proc`). Only the ratios say something.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bunraku_benches::ours::median;

/// How often each is asked; the median counts.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let ours = match arguments.next() {
        Some(path) => PathBuf::from(path),
        None => std::env::current_exe()?.with_file_name("bunraku"),
    };
    let theirs = PathBuf::from(arguments.next().unwrap_or_else(|| "puppet".to_owned()));
    let directory = std::env::temp_dir().join(format!("bunraku-apply-bench-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let measured = measure(&ours, &theirs, &directory);
    fs::remove_dir_all(&directory)?;
    measured
}

fn measure(ours: &Path, theirs: &Path, directory: &Path) -> Result<(), Box<dyn Error>> {
    let works = [
        ("`notify { 'x': }`", "notify { 'x': }".to_owned()),
        ("1,000 unchanged files", files(directory)),
        ("200 installed packages", packages()?),
        ("50 running services", services()),
    ];
    println!("| manifest | Bunraku | Puppet | times faster |\n|---|---|---|---|");
    for (name, code) in works {
        let manifest = directory.join("site.pp");
        fs::write(&manifest, code)?;
        let run = |program: &Path, own: &str| applied(program, &manifest, &directory.join(own));
        // The first run brings the machine into the state in which nothing is left to be done.
        run(ours, "ours")?;
        run(theirs, "theirs")?;
        let (mut times, mut reference) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            times.push(run(ours, "ours")?);
            reference.push(run(theirs, "theirs")?);
        }
        let (time, reference) = (median(times).as_secs_f64(), median(reference).as_secs_f64());
        println!("| {name} | {:.1} ms | {:.0} ms | {:.0} |", time * 1e3, reference * 1e3, reference / time);
    }
    Ok(())
}

/// How long a manifest takes.
fn applied(program: &Path, manifest: &Path, own: &Path) -> Result<Duration, Box<dyn Error>> {
    let mut command = Command::new(program);
    command.arg("apply");
    for name in ["confdir", "vardir", "publicdir"] {
        command.arg(format!("--{name}")).arg(own.join(name));
    }
    // Facts of modules that the machine has installed are no part of the work.
    command.arg("--basemodulepath").arg(own.join("modules"));
    let start = Instant::now();
    let output = command.arg(manifest).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output()?;
    let time = start.elapsed();
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || said.contains("Error: ") {
        return Err(format!("{}: {said}", program.display()).into());
    }
    Ok(time)
}

fn files(directory: &Path) -> String {
    let root = directory.join("files");
    let root = root.display();
    format!(
        "file {{ '{root}': ensure => directory }}\n\
         Integer[1, 1000].each |$n| {{ file {{ \"{root}/$n\": content => \"file $n\\n\", mode => '0640' }} }}\n"
    )
}

fn packages() -> Result<String, Box<dyn Error>> {
    let listed = Command::new("dpkg-query").args(["-W", "--showformat", "${Status} ${Package}\\n"]).output()?;
    let listed = String::from_utf8(listed.stdout)?;
    let names: Vec<&str> =
        listed.lines().filter_map(|line| line.strip_prefix("install ok installed ")).take(200).collect();
    if names.len() < 200 {
        return Err("fewer than 200 packages are installed".into());
    }
    Ok(names.iter().map(|name| format!("package {{ '{name}': ensure => installed }}\n")).collect())
}

/// Services with a command that tells their state, for these run where there is no systemd, too.
fn services() -> String {
    let services =
        "service { \"bench$n\": ensure => running, provider => base, start => '/bin/true', status => '/bin/true' }";
    format!("Integer[1, 50].each |$n| {{ {services} }}\n")
}

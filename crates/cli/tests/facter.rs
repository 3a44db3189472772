//! Facter's recorded answers, asked of the program in a sandbox: namespaces of its own, a copy-on-write view of this
//! machine, and kernel files that are made up. It needs the rights of an administrator.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What the sandbox has in place of this machine's own files.
const BASE: &str = "
rm -rf etc/facter etc/puppetlabs opt/puppetlabs usr/bin/lsb_release var/cache/facter etc/ssh/ssh_host_*
rm -f usr/bin/lspci usr/sbin/virt-what etc/os-release
printf 'PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\\nNAME=\"Debian GNU/Linux\"\\nVERSION_ID=\"12\"\\nVERSION=\"12 (bookworm)\"\\nVERSION_CODENAME=bookworm\\nID=debian\\n' > etc/os-release
echo 12.15 > etc/debian_version
printf '127.0.0.1\\tlocalhost\\n127.0.1.1\\tsandbox.example.com\\tsandbox\\n' > etc/hosts
rm -f etc/resolv.conf; : > etc/resolv.conf
rm -f etc/localtime; ln -s /usr/share/zoneinfo/Etc/UTC etc/localtime
mkdir -p case
";

/// Answers that tell releases of the recording machine, with ours: Facter's, Puppet's and that of the kernel.
fn with_own_releases(id: &str, text: &str) -> String {
    match id {
        "facts-101" => text.replace("4.3.0", "5.1.0"),
        "facts-129" => text.replace("7.23.0", "8.28.1"),
        "facts-078" => {
            let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
            let parts: Vec<&str> = release.split('.').take(2).collect();
            text.replace("6.18", &parts.join("."))
        }
        _ => text.to_owned(),
    }
}

/// An error that tells of a defect of the reference: a missing answer of `lscpu`, which nobody asks here.
const DEFECT: &str = "Facter::Resolvers::Linux::Lscpu";

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Stages a file so that the script can copy it; bytes do not go through the shell.
fn put(script: &mut String, staging: &Path, number: &mut usize, path: &str, entry: &Value) {
    *number += 1;
    let file = staging.join(number.to_string());
    let target = quoted(path.trim_start_matches('/'));
    writeln!(script, "mkdir -p \"$(dirname {target})\"").unwrap();
    if let Some(content) = entry.as_str().or_else(|| entry["content"].as_str()) {
        fs::write(&file, content).unwrap();
        writeln!(script, "rm -f {target}; cp {} {target}", quoted(file.to_str().unwrap())).unwrap();
        writeln!(script, "chmod {} {target}", entry["mode"].as_str().unwrap_or("0644")).unwrap();
    } else if let Some(link) = entry["target"].as_str() {
        writeln!(script, "ln -s {} {target}", quoted(link)).unwrap();
    } else {
        writeln!(script, "mkdir -p {target}").unwrap();
    }
}

/// The script that makes the sandbox of a case and asks one question after another.
fn script(case: &Value, staging: &Path) -> String {
    let root = staging.join("root");
    let root = root.to_str().unwrap();
    let mut script = format!(
        "set -e\nmount --make-rprivate /\nmount -t tmpfs tmpfs {root}\ncd {root}\nmkdir u w m\n\
         mount -t overlay overlay -o lowerdir=/,upperdir=u,workdir=w m\ncd m\n\
         hostname sandbox\nip link set lo up\nmount -t proc proc proc\nmount --bind /dev dev\n{BASE}cp {} usr/local/bin/facter\n",
        quoted(env!("CARGO_BIN_EXE_bunraku"))
    );
    let mut number = 0;
    let setup = &case["setup"];
    if let Some(run) = setup["run"].as_str() {
        writeln!(script, "chroot . /bin/sh -e -c {}", quoted(run)).unwrap();
    }
    for file in setup["files"].as_array().into_iter().flatten() {
        put(&mut script, staging, &mut number, file["path"].as_str().unwrap(), file);
    }
    for (path, text) in setup["environment"].as_object().into_iter().flatten() {
        put(&mut script, staging, &mut number, &format!("etc/puppet/code/environments/production/{path}"), text);
    }
    match setup["sys"].as_object() {
        Some(files) => {
            script.push_str("mount -t tmpfs tmpfs sys\nmkdir -p sys/block sys/class/net\n");
            for (path, text) in files {
                put(&mut script, staging, &mut number, &format!("sys/{path}"), text);
            }
        }
        None => script.push_str("mount -t sysfs sysfs sys\n"),
    }
    // The first process of the sandbox is one of this machine's, whose environment says nothing.
    let nothing = staging.join("environ");
    fs::write(&nothing, "").unwrap();
    let is_given = setup["proc"].get("1/environ").is_some();
    if !is_given {
        writeln!(script, "mount --bind {} proc/1/environ", quoted(nothing.to_str().unwrap())).unwrap();
    }
    for (path, text) in setup["proc"].as_object().into_iter().flatten() {
        number += 1;
        let file = staging.join(number.to_string());
        fs::write(&file, text.as_str().unwrap()).unwrap();
        writeln!(script, "mount --bind {} proc/{path}", quoted(file.to_str().unwrap())).unwrap();
    }
    for line in setup["net"].as_array().into_iter().flatten() {
        writeln!(script, "ip {}", line.as_str().unwrap()).unwrap();
    }
    script.push_str("set +e\n");
    for (at, step) in case["steps"].as_array().unwrap().iter().enumerate() {
        let words: Vec<String> =
            step["argv"].as_array().unwrap().iter().map(|word| quoted(word.as_str().unwrap())).collect();
        let mut variables = String::new();
        for (name, value) in step["env"].as_object().into_iter().flatten() {
            write!(variables, " {}", quoted(&format!("{name}={}", value.as_str().unwrap()))).unwrap();
        }
        let user = step["as"].as_str().map(|user| format!("--userspec={user}:{user} ")).unwrap_or_default();
        let out = staging.join(format!("answer.{at}"));
        let out = out.to_str().unwrap();
        writeln!(
            script,
            "chroot {user}. /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
             LANG=C.UTF-8 LC_ALL=C.UTF-8{variables} {} </dev/null >{out} 2>{out}.err; echo $? >{out}.exit",
            words.join(" ")
        )
        .unwrap();
    }
    script
}

/// The levels of messages.
fn levels(text: &str) -> Vec<&'static str> {
    ["WARN", "ERROR"].into_iter().filter(|level| text.contains(&format!("{level} "))).collect()
}

fn differences(case: &Value, directory: &Path) -> Option<String> {
    let id = case["id"].as_str().unwrap();
    let staging = directory.join(id);
    fs::create_dir_all(staging.join("root")).unwrap();
    let script = script(case, &staging);
    let run = Command::new("unshare").args(["-m", "-u", "-n", "-p", "-f", "/bin/sh", "-c", &script]).output().unwrap();
    let failure = String::from_utf8_lossy(&run.stderr).into_owned();
    for (at, step) in case["steps"].as_array().unwrap().iter().enumerate() {
        let answer = |end: &str| fs::read_to_string(staging.join(format!("answer.{at}{end}")));
        let Ok(exit) = answer(".exit") else { return Some(format!("{id}: no sandbox: {failure}")) };
        let stderr = step["expect_4_10"].get("stderr").and_then(Value::as_str);
        let is_defect = stderr.is_some_and(|text| text.contains(DEFECT));
        let newer = |name: &str| step["expect_4_10"].get(name).filter(|_| name == "stdout" || !is_defect);
        let expected = |name: &str| newer(name).or_else(|| step["expect"].get(name));
        let (stdout, stderr) = (answer("").unwrap(), answer(".err").unwrap());
        let text = |name| expected(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let wanted = with_own_releases(id, &text("stdout"));
        if stdout != wanted {
            return Some(format!("{id} stdout:\n{stdout}\nexpected:\n{wanted}\n{stderr}"));
        }
        if expected("exit").and_then(Value::as_i64) != exit.trim().parse().ok()
            || levels(&stderr) != levels(&text("stderr"))
        {
            return Some(format!("{id} exit {exit} {stderr}\nexpected: {:?} {}", expected("exit"), text("stderr")));
        }
    }
    None
}

#[test]
fn recorded_answers_are_equal() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/facts/facts.jsonl");
    let cases = fs::read_to_string(file).unwrap();
    let directory: PathBuf = std::env::temp_dir().join(format!("bunraku-facter-{}", std::process::id()));
    let cases: Vec<Value> = cases.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let wrong: Vec<String> = cases.iter().filter_map(|case| differences(case, &directory)).collect();
    fs::remove_dir_all(&directory).unwrap();
    assert!(cases.len() > 100, "the cases were not found");
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), cases.len(), wrong.join("\n---\n"));
}

//! Facter's command line, asked of Facter itself in the same run: forms of output, queries, configurations.
#![expect(clippy::unwrap_used, reason = "a test states its expectation")]

use std::fs;
use std::process::{Command, Output};

/// Values that are easily written wrong.
const VALUES: &str = r##"{"n": -1, "f": -1.5, "e": 1e10, "s": "-1", "em": "", "nul": null, "t": true, "ts": "true",
"no": "no", "ar": [], "h": {}, "nested": {"a": [{"b": 1, "c": [1, 2]}, "x", [1, [2]]], "k.x": 1, "é": "ü"},
"multi": "a\nb", "q": "a\"b'c", "c": "a: b", "hash": "# x", "date": "2020-01-01", "tm": "12:30:45", "ver": "1.10",
"hex": "0x1f", "oct": "017", "star": "*x", "sp": " lead", "bs": "a\\b", "fl": 100.0, "tab": "a\tb", "tilde": "~",
"pc": "50%", "null_s": "null", "dash": "- a", "curl": "{a}", "exp": "1e3", "dollar": "${x}"}"##;

const NAMES: &str = "n f e s em nul t ts no ar h nested multi q c hash date tm ver hex oct star sp bs fl tab tilde pc \
                     null_s dash curl exp dollar";

/// Files below the directory of the test.
const FILES: [(&str, &str); 7] = [
    ("ext/values.json", VALUES),
    ("ext/lines.txt", "k=v \n =x\nnoeq\n a = b\nQ=\"quoted\"\n"),
    ("ext/other.yml", "unread: 1\n"),
    ("whole.conf", "facts : { blocklist : [ \"os\", \"EC2\", \"file system\", \"nosuch\" ] }\n"),
    ("parts.conf", "facts : { blocklist : [ \"os.release\", \"networking.ip\", \"legacy\" ] }\n"),
    ("custom/facts.rb", CUSTOM),
    ("broken.conf", "facts { ttls = [ { \"os\" = 30 days } ]\n"),
];

/// Facts of which some are asked for: what the others say would be heard.
const CUSTOM: &str = "Facter.add(:some) { setcode { Facter.warn('some'); {'a' => {'b' => 1}} } }
Facter.add(:some_more) { setcode { raise 'nobody asked' } }
Facter.add('some.part') { setcode { Facter.warn('part'); 2 } }
";

const BLOCKED: &str = "os kernel timezone filesystems networking.ip operatingsystem lsbdistid lsbdistcodename osfamily";

/// Runs a program in a process table of its own, where Facter may read everything.
fn run(program: &str, directory: &str, arguments: &str) -> Output {
    let mut command = Command::new("unshare");
    command.args(["-m", "-p", "-f", "--mount-proc"]).args(program.split(' ')).args(arguments.split_whitespace());
    command.current_dir(directory).env("LANG", "C.UTF-8").env("LC_ALL", "C.UTF-8").output().unwrap()
}

/// How often each level is said; the reference may say the same several times.
fn levels(output: &Output) -> Vec<&'static str> {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    ["WARN", "ERROR"].into_iter().filter(|level| text.contains(&format!("] {level} "))).collect()
}

#[test]
fn answers_are_those_of_facter() {
    let directory = std::env::temp_dir().join(format!("bunraku-facter-options-{}", std::process::id()));
    for part in ["ext", "custom"] {
        fs::create_dir_all(directory.join(part)).unwrap();
    }
    FILES.iter().for_each(|(path, text)| fs::write(directory.join(path), text).unwrap());
    let place = directory.to_str().unwrap();
    let asked = [
        format!("--yaml --external-dir ext {NAMES} k unread Q"),
        format!("--json --external-dir ext {NAMES}"),
        format!("--hocon --external-dir ext {NAMES}"),
        format!("--external-dir ext {NAMES}"),
        "--hocon --external-dir ext nested".to_owned(),
        "--yaml --external-dir ext nul".to_owned(),
        format!("-c whole.conf --json {BLOCKED}"),
        format!("-c parts.conf --json {BLOCKED}"),
        "-c parts.conf --no-block --json os.name networking.ip kernel".to_owned(),
        format!("-c broken.conf --json {BLOCKED}"),
        "-c whole.conf --list-block-groups".to_owned(),
        "--custom-dir custom some.a.b".to_owned(),
        "--custom-dir custom --json some".to_owned(),
        "--custom-dir custom --json some.part".to_owned(),
        "--custom-dir custom --json some_more kernel".to_owned(),
        "help".to_owned(),
        "query os.family os.family".to_owned(),
        "--no-json os.".to_owned(),
        "--log-level bogus kernel".to_owned(),
        "-- kernel".to_owned(),
    ];
    let ours = format!("{} facter", env!("CARGO_BIN_EXE_bunraku"));
    let differences: Vec<String> = asked
        .iter()
        .filter_map(|arguments| {
            let (found, expected) = (run(&ours, place, arguments), run("facter", place, arguments));
            let text = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
            let is_equal = text(&found) == text(&expected)
                && found.status.code() == expected.status.code()
                && (levels(&found) == levels(&expected)
                    || levels(&expected).is_empty() && !arguments.starts_with("--custom-dir"));
            (!is_equal).then(|| {
                let errors = [&found, &expected].map(|output| String::from_utf8_lossy(&output.stderr).into_owned());
                format!(
                    "{arguments}\n{}\nexpected:\n{}\n{}",
                    text(&found),
                    text(&expected),
                    errors.join("\nexpected:\n")
                )
            })
        })
        .collect();
    fs::remove_dir_all(&directory).unwrap();
    assert!(differences.is_empty(), "{}", differences.join("\n---\n"));
}

//! `bunraku filebucket`: copies of files in a local directory, each under the checksum of its content, as Puppet keeps them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use bunraku::{RunMode, Settings, whole_file};
use clap::Args;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned, civil};
use sha2::Digest;

use crate::output::{print, tell, write_results};
use crate::report::log;
use crate::settings::SettingFlags;

/// Keep copies of files, and get them back.
///
/// The actions are `backup FILE …`, `get CHECKSUM`, `restore FILE CHECKSUM`, `diff A B` with checksums or files, and `list`.
#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    after_help = "Examples:\n  bunraku filebucket --local backup /etc/hosts\n  bunraku filebucket --local list --fromdate 2026-01-31\n  \
                  bunraku filebucket --bucket /srv/bucket restore /tmp/hosts CHECKSUM"
)]
pub(crate) struct Filebucket {
    /// What to do: backup, get, restore, diff or list
    #[arg(value_name = "ACTION")]
    action: String,
    /// Files or checksums
    #[arg(value_name = "ARGUMENT")]
    arguments: Vec<String>,
    /// Use the bucket of this machine, in clientbucketdir
    #[arg(short, long, overrides_with = "remote")]
    local: bool,
    /// Use the bucket of a server, which Bunraku does not do
    #[arg(short, long, overrides_with = "local")]
    remote: bool,
    /// Use the bucket in this directory
    #[arg(short, long, value_name = "DIR")]
    bucket: Option<PathBuf>,
    /// List only what was kept since this time
    #[arg(short, long, value_name = "TIME")]
    fromdate: Option<String>,
    /// List only what was kept until this time
    #[arg(short, long, value_name = "TIME")]
    todate: Option<String>,
    #[command(flatten)]
    settings: Box<SettingFlags>,
}

const ACTIONS: [&str; 5] = ["backup", "get", "restore", "diff", "list"];

impl Filebucket {
    /// Runs the command.
    pub(crate) fn run(self) -> ExitCode {
        match self.act() {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                log("Error", &format!("Could not run: {message}"));
                ExitCode::FAILURE
            }
        }
    }

    fn act(&self) -> Result<(), String> {
        if !ACTIONS.contains(&self.action.as_str()) {
            return Err(format!("Unknown action '{}': there are {}", self.action, ACTIONS.join(", ")));
        }
        let text = |issue: bunraku::Issue| issue.message().to_owned();
        let settings = self.settings.load(RunMode::User).map_err(text)?;
        let directory = match (&self.bucket, self.local) {
            (Some(directory), _) => directory.clone(),
            (None, true) => settings.text("clientbucketdir").map_err(text)?.into(),
            (None, false) => {
                return Err("buckets of servers are not used: give --local, or --bucket with a directory".to_owned());
            }
        };
        let algorithm = Algorithm::of(&settings.text("digest_algorithm").map_err(text)?)?;
        let bucket = Bucket { directory, algorithm };
        match (self.action.as_str(), self.arguments.as_slice()) {
            ("backup", []) => Err("You must specify a file to back up".to_owned()),
            ("backup", files) => files.iter().try_for_each(|file| bucket.back_up(file)),
            ("get", arguments) => {
                let content = bucket.read(arguments.first().map_or("", String::as_str))?;
                write_results(|output| output.write_all(&content))
            }
            ("restore", [file, rest @ ..]) => bucket.restore(file, rest.first().map_or("", String::as_str)),
            ("restore", []) => Err("You must specify a file to restore, and a checksum".to_owned()),
            ("diff", [one, other]) => bucket.diff(one, other, &settings),
            ("diff", _) => Err("Need exactly two arguments: filebucket diff <file_a> <file_b>".to_owned()),
            _ => bucket.list(self.fromdate.as_deref(), self.todate.as_deref()),
        }
    }
}

/// How content is named.
#[derive(Debug, Clone, Copy)]
enum Algorithm {
    Md5,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
}

impl Algorithm {
    fn of(name: &str) -> Result<Algorithm, String> {
        Ok(match name {
            "md5" => Algorithm::Md5,
            "sha224" => Algorithm::Sha224,
            "sha256" => Algorithm::Sha256,
            "sha384" => Algorithm::Sha384,
            "sha512" => Algorithm::Sha512,
            _ => return Err(format!("Unsupported digest_algorithm {name}")),
        })
    }

    fn sum(self, content: &[u8]) -> String {
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        match self {
            Algorithm::Md5 => hex(&md5::Md5::digest(content)),
            Algorithm::Sha224 => hex(&sha2::Sha224::digest(content)),
            Algorithm::Sha256 => hex(&sha2::Sha256::digest(content)),
            Algorithm::Sha384 => hex(&sha2::Sha384::digest(content)),
            Algorithm::Sha512 => hex(&sha2::Sha512::digest(content)),
        }
    }
}

/// Files by the checksum of their content.
struct Bucket {
    directory: PathBuf,
    algorithm: Algorithm,
}

impl Bucket {
    /// Where the content of a checksum and the paths that had it are.
    fn place(&self, sum: &str) -> Result<PathBuf, String> {
        let length = self.algorithm.sum(b"").len();
        if sum.len() != length || !sum.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)) {
            return Err(format!("Invalid checksum {sum:?}"));
        }
        let mut path = self.directory.clone();
        path.extend(sum.chars().take(8).map(String::from));
        Ok(path.join(sum))
    }

    fn back_up(&self, file: &str) -> Result<(), String> {
        let fail = |error: io::Error| format!("Could not back up {file}: {}", bunraku::reason(&error));
        let original = match fs::canonicalize(file) {
            Ok(original) => original,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                tell(format_args!("{file}: no such file\n"));
                return Ok(());
            }
            Err(error) => return Err(fail(error)),
        };
        let content = match fs::read(&original) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                tell(format_args!("{file}: cannot read file\n"));
                return Ok(());
            }
            content => content.map_err(fail)?,
        };
        let sum = self.algorithm.sum(&content);
        self.keep(&sum, &content, &original).map_err(fail)?;
        print(format!("{file}: {sum}\n"))
    }

    fn keep(&self, sum: &str, content: &[u8], original: &Path) -> io::Result<()> {
        let place = self.place(sum).map_err(io::Error::other)?;
        fs::DirBuilder::new().recursive(true).mode(0o770).create(&place)?;
        let contents = place.join("contents");
        if !contents.exists() {
            whole_file::write_for(&contents, content, |file| file.set_permissions(fs::Permissions::from_mode(0o440)))?;
        }
        let paths = place.join("paths");
        let known = fs::read(&paths).unwrap_or_default();
        let line = original.as_os_str().as_encoded_bytes();
        if !known.split(|byte| *byte == b'\n').any(|known| known == line) {
            let mut file = fs::OpenOptions::new().create(true).append(true).mode(0o640).open(&paths)?;
            file.write_all(&[line, b"\n"].concat())?;
        }
        Ok(())
    }

    fn read(&self, sum: &str) -> Result<Vec<u8>, String> {
        match fs::read(self.place(sum)?.join("contents")) {
            Ok(content) => Ok(content),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err("File not found".to_owned()),
            Err(error) => Err(format!("Could not read {sum}: {}", bunraku::reason(&error))),
        }
    }

    /// Writes content back. The file keeps its mode, and is left alone if it has the content already.
    fn restore(&self, file: &str, sum: &str) -> Result<(), String> {
        let content = self.read(sum)?;
        if fs::read(file).is_ok_and(|now| now == content) {
            return Ok(());
        }
        fs::write(file, content).map_err(|error| format!("Could not restore {file}: {}", bunraku::reason(&error)))
    }

    fn diff(&self, one: &str, other: &str, settings: &Settings) -> Result<(), String> {
        let side = |name: &str| {
            if Path::new(name).exists() {
                return Ok(PathBuf::from(name));
            }
            let contents = self.place(name)?.join("contents");
            contents.exists().then_some(contents).ok_or_else(|| format!("could not find {name}"))
        };
        let text = |name: &str| settings.text(name).map_err(|issue| issue.message().to_owned());
        let program = text("diff")?;
        let mut command = Command::new(&program);
        command.args(text("diff_args")?.split_whitespace()).args([side(one)?, side(other)?]);
        let output =
            command.output().map_err(|error| format!("Could not run {program}: {}", bunraku::reason(&error)))?;
        write_results(|written| written.write_all(&output.stdout))
    }

    /// Everything that was kept between two times, by path and time.
    fn list(&self, from: Option<&str>, to: Option<&str>) -> Result<(), String> {
        let parse = |given: Option<&str>, name: &str, default: Timestamp| match given {
            None => Ok(default),
            Some(text) => time(text).ok_or_else(|| format!("Error while parsing '{name}'")),
        };
        let to = parse(to, "todate", Timestamp::now())?;
        let from = parse(from, "fromdate", Timestamp::UNIX_EPOCH)?;
        if !self.directory.exists() {
            return Err("File not found".to_owned());
        }
        let mut found: BTreeMap<(String, Timestamp), String> = BTreeMap::new();
        let mut places = vec![(self.directory.clone(), 0)];
        while let Some((place, depth)) = places.pop() {
            let entries = fs::read_dir(&place)
                .map_err(|error| format!("Could not read {}: {}", place.display(), bunraku::reason(&error)))?;
            for entry in entries.flatten() {
                match entry.file_type() {
                    // Checksums are nine directories deep; a bucket has nothing below.
                    Ok(kind) if kind.is_dir() && depth < 9 => places.push((entry.path(), depth + 1)),
                    Ok(kind) if kind.is_file() && entry.file_name() == "paths" => {
                        let Some(changed) = entry.metadata().ok().and_then(|it| it.modified().ok()) else { continue };
                        let changed = Timestamp::try_from(changed).unwrap_or_default();
                        let seconds = Timestamp::from_second(changed.as_second()).unwrap_or_default();
                        let sum = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
                        if from <= seconds && seconds <= to {
                            let text = fs::read(entry.path()).unwrap_or_default();
                            for path in String::from_utf8_lossy(&text).lines() {
                                found.insert((path.to_owned(), changed), sum.clone());
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        let zone = TimeZone::system();
        let line = |((path, changed), sum): (&(String, Timestamp), &String)| {
            format!("{sum} {} {path}\n", changed.to_zoned(zone.clone()).strftime("%F %T"))
        };
        print(found.iter().map(line).collect::<String>())
    }
}

/// A day, or a time of a day, in the time zone of the machine.
fn time(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(stamp) = text.parse::<Timestamp>() {
        return Some(stamp);
    }
    let at = match text.parse::<civil::DateTime>() {
        Ok(at) => at,
        Err(_) => text.parse::<civil::Date>().ok()?.to_datetime(civil::Time::midnight()),
    };
    at.to_zoned(TimeZone::system()).ok().map(|zoned: Zoned| zoned.timestamp())
}

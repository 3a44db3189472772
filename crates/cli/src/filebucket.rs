//! `bunraku filebucket`: copies of files in a directory of this machine or on a server, each under the checksum of its
//! content, as Puppet keeps them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use bunraku::apply::{Level, Log};
use bunraku::{RunMode, Settings, whole_file};
use bunraku_agent::{Client, Failure, Identity, Server};
use clap::Args;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned, civil};
use sha2::Digest;

use crate::interrupt::Temporary;
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
                  bunraku filebucket --bucket /srv/bucket restore /tmp/hosts CHECKSUM\n  \
                  bunraku filebucket --server puppet.example.com get CHECKSUM"
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
    /// Use the bucket of the server, which is done if nothing else is said
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
        let name = settings.text("digest_algorithm").map_err(text)?;
        let algorithm = Algorithm::of(&name)?;
        let place = match (&self.bucket, self.local) {
            (Some(directory), _) => Place::Directory(directory.clone()),
            (None, true) => Place::Directory(settings.text("clientbucketdir").map_err(text)?.into()),
            (None, false) => Place::Server(Box::new(RefCell::new(Remote::connect(&settings, &name)?))),
        };
        let bucket = Bucket { place, algorithm };
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

/// Where a bucket is.
enum Place {
    Directory(PathBuf),
    Server(Box<RefCell<Remote>>),
}

/// The bucket of a server.
struct Remote {
    server: Server,
    environment: String,
    /// How the server names content.
    algorithm: String,
}

impl Remote {
    /// The server that the settings name, asked as whoever this machine is.
    fn connect(settings: &Settings, algorithm: &str) -> Result<Remote, String> {
        let (identity, _) = Identity::kept(settings)?;
        let log = Log::new(Level::Err, Vec::new());
        let client = Client::of("server", "serverport", &identity, settings, &log)?;
        let environment = settings.text("environment").map_err(|issue| issue.message().to_owned())?;
        Ok(Remote { server: Server::new(client), environment, algorithm: algorithm.to_owned() })
    }

    fn keep(&mut self, sum: &str, content: &[u8], original: &Path) -> Result<(), Failure> {
        let original = original.display().to_string();
        self.server.keep_copy(&format!("{}/{sum}", self.algorithm), &original, content, &self.environment)
    }

    fn read(&mut self, sum: &str) -> Result<Option<Vec<u8>>, Failure> {
        self.server.kept_copy(&format!("{}/{sum}", self.algorithm), &self.environment)
    }
}

/// Files by the checksum of their content.
struct Bucket {
    place: Place,
    algorithm: Algorithm,
}

impl Bucket {
    /// Refuses what is no checksum.
    fn check(&self, sum: &str) -> Result<(), String> {
        let length = self.algorithm.sum(b"").len();
        if sum.len() != length || !sum.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)) {
            return Err(format!("Invalid checksum {sum:?}"));
        }
        Ok(())
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
        match &self.place {
            Place::Directory(directory) => keep(&below(directory, &sum), &content, &original).map_err(fail)?,
            Place::Server(remote) => {
                let kept = remote.borrow_mut().keep(&sum, &content, &original);
                kept.map_err(|failure| format!("Could not back up {file}: {failure}"))?;
            }
        }
        print(format!("{file}: {sum}\n"))
    }

    fn read(&self, sum: &str) -> Result<Vec<u8>, String> {
        self.check(sum)?;
        let missing = || "File not found".to_owned();
        match &self.place {
            Place::Directory(directory) => match fs::read(below(directory, sum).join("contents")) {
                Ok(content) => Ok(content),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Err(missing()),
                Err(error) => Err(format!("Could not read {sum}: {}", bunraku::reason(&error))),
            },
            Place::Server(remote) => {
                let content = remote.borrow_mut().read(sum).map_err(|failure| failure.to_string())?;
                let content = content.ok_or_else(missing)?;
                match self.algorithm.sum(&content) == sum {
                    true => Ok(content),
                    false => Err(format!("the server has something else under {sum}")),
                }
            }
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
        let failed = |error: io::Error| format!("Could not show a difference: {}", bunraku::reason(&error));
        let temporary = Temporary::new("bunraku-filebucket").map_err(failed)?;
        let side = |name: &str| -> Result<PathBuf, String> {
            if Path::new(name).exists() {
                return Ok(PathBuf::from(name));
            }
            let content = self.read(name).map_err(|_| format!("could not find {name}"))?;
            let path = temporary.path.join(name);
            fs::write(&path, content).map_err(failed)?;
            Ok(path)
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
        let Place::Directory(directory) = &self.place else {
            return Err("Listing remote file buckets is not allowed".to_owned());
        };
        if !directory.exists() {
            return Err("File not found".to_owned());
        }
        let mut found: BTreeMap<(String, Timestamp), String> = BTreeMap::new();
        let mut places = vec![(directory.clone(), 0)];
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

/// Where the content of a checksum and the paths that had it are.
fn below(directory: &Path, sum: &str) -> PathBuf {
    let mut path = directory.to_owned();
    path.extend(sum.chars().take(8).map(String::from));
    path.join(sum)
}

fn keep(place: &Path, content: &[u8], original: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o770).create(place)?;
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

//! `mountpoints`: what is mounted where, and how full it is.

use bunraku_environment::world::{FileSystem, Machine};
use bunraku_pcore::Value;

use crate::fact::{Fact, structure};
use crate::host::Host;
use crate::message::Level;
use crate::units::{bytes, share, size};

pub(super) const FACTS: &[Fact] = &[Fact::new("mountpoints", |host| host.shared("mountpoints", resolve))];

/// A line of the kernel's table.
pub(super) struct Mount {
    pub(super) device: String,
    pub(super) path: String,
    kind: String,
    options: String,
}

/// How many file systems that do not answer are waited for.
const MOST_SILENT: u32 = 5;

fn resolve(host: &Host<'_>) -> Value {
    let mut silent = 0;
    structure(mounts(host).into_iter().map(|mount| {
        let ask = |machine: &dyn Machine| match silent {
            MOST_SILENT.. => Err(std::io::Error::other("others do not answer")),
            _ => machine.file_system(&mount.path),
        };
        let sizes = host.machine().map_or(Ok(FileSystem::default()), ask).unwrap_or_else(|error| {
            let is_silent = error.kind() == std::io::ErrorKind::TimedOut;
            silent += u32::from(is_silent);
            let level = if is_silent { Level::Warn } else { Level::Debug };
            let text = format!("Could not get stats for mountpoint {}, got {error}", mount.path);
            host.say(level, "Facter::Resolvers::Mountpoints", text);
            FileSystem::default()
        });
        let used = sizes.size.saturating_sub(sizes.free);
        let capacity = match used {
            used if used == used.saturating_add(sizes.available) => "100%".to_owned(),
            0 => "0%".to_owned(),
            used => share(used, used.saturating_add(sizes.available)),
        };
        let options = mount.options.split(',').map(|option| Value::from(option.trim()));
        let value = structure([
            ("available", size(sizes.available).into()),
            ("available_bytes", bytes(sizes.available)),
            ("capacity", capacity.into()),
            ("device", mount.device.into()),
            ("filesystem", mount.kind.into()),
            ("options", Value::array(options)),
            ("size", size(sizes.size).into()),
            ("size_bytes", bytes(sizes.size)),
            ("used", size(used).into()),
            ("used_bytes", bytes(used)),
        ]);
        (mount.path, value)
    }))
}

/// What is mounted, but for the kernel's own files.
pub(super) fn mounts(host: &Host<'_>) -> Vec<Mount> {
    let table = host.read("/proc/mounts").or_else(|| host.read("/etc/mtab")).unwrap_or_default();
    let mount = |line: &str| {
        let mut words = line.split_whitespace().map(unescaped);
        let (device, path, kind, options) = (words.next()?, words.next()?, words.next()?, words.next()?);
        let device = if device == "/dev/root" { root_device(host).unwrap_or(device) } else { device };
        Some(Mount { device, path, kind, options })
    };
    let is_kernels = |mount: &Mount| {
        let is_below = mount.path.starts_with("/proc") || mount.path.starts_with("/sys");
        is_below && mount.kind != "tmpfs" || mount.kind == "autofs"
    };
    table.lines().filter_map(mount).filter(|mount| !is_kernels(mount)).collect()
}

/// The device that the kernel was told to start from.
fn root_device(host: &Host<'_>) -> Option<String> {
    let line = host.read("/proc/cmdline")?;
    let root = line.split_whitespace().find_map(|word| word.strip_prefix("root="))?.to_owned();
    let Some((_, id)) = root.split_once('=') else { return Some(root) };
    let devices = host.command("blkid", &[])?;
    let device = devices.lines().find(|line| line.contains(id)).and_then(|line| line.split(':').next());
    Some(device.map_or(root.clone(), str::to_owned))
}

/// The kernel writes blanks and backslashes in paths as octal numbers.
fn unescaped(word: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .into_iter()
        .fold(word.to_owned(), |word, (escape, letter)| word.replace(escape, letter))
}

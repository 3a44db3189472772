//! System calls about the machine this program runs on.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::mpsc::channel;
use std::time::Duration;

use jiff::tz::TimeZone;
use nix::ifaddrs::getifaddrs;
use nix::sys::socket::SockaddrStorage;
use nix::unistd::{Gid, Group, Uid, User};
use rustix::fs::Access;

use super::machine::{Account, FileSystem, Interface, Machine, Uname};
use super::{Disk, World};

/// How long a file system may take to answer. A local one takes some millionths of a second.
const PATIENCE: Duration = Duration::from_secs(2);

impl Machine for Disk {
    fn uname(&self) -> Option<Uname> {
        let uname = nix::sys::utsname::uname().ok()?;
        let text = |text: &std::ffi::OsStr| text.to_string_lossy().into_owned();
        Some(Uname {
            kernel: text(uname.sysname()),
            host: text(uname.nodename()),
            release: text(uname.release()),
            version: text(uname.version()),
            machine: text(uname.machine()),
        })
    }

    fn account(&self) -> Option<Account> {
        let user = User::from_uid(Uid::current()).ok().flatten()?;
        let group = Group::from_gid(user.gid).ok().flatten().map(|group| group.name);
        Some(Account { uid: user.uid.as_raw(), user: user.name, gid: Gid::as_raw(user.gid), group })
    }

    fn interfaces(&self) -> io::Result<Vec<Interface>> {
        let mut interfaces: Vec<Interface> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for found in getifaddrs()? {
            let name = found.interface_name;
            let place = *places.entry(name.clone()).or_insert(interfaces.len());
            if place == interfaces.len() {
                interfaces.push(Interface { name, ..Interface::default() });
            }
            let Some(interface) = interfaces.get_mut(place) else { continue };
            let link = found.address.as_ref().and_then(SockaddrStorage::as_link_addr);
            if let Some(link) = link {
                interface.index = Some(link.ifindex());
                interface.mac = link.addr().map(written);
            }
            let address = |address: Option<SockaddrStorage>| address.as_ref().and_then(ip);
            if let (Some(address), Some(mask)) = (address(found.address), address(found.netmask)) {
                interface.addresses.push((address, mask));
            }
        }
        Ok(interfaces)
    }

    fn file_system(&self, path: &str) -> io::Result<FileSystem> {
        let (sender, answer) = channel();
        let path = path.to_owned();
        // Whoever waits for a server that is gone waits forever, and cannot be interrupted.
        std::thread::Builder::new().spawn(move || sender.send(rustix::fs::statvfs(path.as_str())))?;
        let stat = answer.recv_timeout(PATIENCE).map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
        let bytes = |blocks: u64| blocks.saturating_mul(stat.f_frsize);
        Ok(FileSystem { size: bytes(stat.f_blocks), free: bytes(stat.f_bfree), available: bytes(stat.f_bavail) })
    }

    fn time_zone(&self) -> Option<String> {
        let now = jiff::Timestamp::try_from(self.now()).ok()?;
        Some(TimeZone::system().to_offset_info(now).abbreviation().to_owned())
    }

    fn is_executable(&self, path: &str) -> bool {
        rustix::fs::access(path, Access::EXEC_OK).is_ok()
    }
}

fn ip(address: &SockaddrStorage) -> Option<IpAddr> {
    let v4 = address.as_sockaddr_in().map(|address| IpAddr::V4(address.ip()));
    v4.or_else(|| address.as_sockaddr_in6().map(|address| IpAddr::V6(address.ip())))
}

/// A hardware address as it is written.
fn written(bytes: [u8; 6]) -> String {
    bytes.map(|byte| format!("{byte:02x}")).join(":")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn the_machine_answers() {
        assert_eq!(Disk.uname().unwrap().kernel, std::fs::read_to_string("/proc/sys/kernel/ostype").unwrap().trim());
        assert!(Disk.interfaces().unwrap().iter().any(|interface| interface.name == "lo"));
        assert!(Disk.file_system("/").unwrap().size > 0);
        assert!(Disk.file_system("/nowhere").is_err());
        assert!(Disk.is_executable("/bin/sh") && !Disk.is_executable("/proc/meminfo"));
        assert_eq!(Disk.account().unwrap().uid == 0, Disk.is_privileged());
        assert!(!Disk.time_zone().unwrap().is_empty());
    }
}

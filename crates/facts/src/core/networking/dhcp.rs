//! The DHCP server that gave an interface its address, by the leases that clients keep.

use crate::host::Host;

const DIRECTORIES: [&str; 5] =
    ["/var/lib/dhclient", "/var/lib/dhcp", "/var/lib/dhcp3", "/var/lib/NetworkManager", "/var/db"];

/// The leases that clients keep, read once.
pub(super) struct Leases {
    /// Names and texts of files.
    files: Vec<(String, String)>,
}

impl Leases {
    pub(super) fn read(host: &Host<'_>) -> Leases {
        let mut files = Vec::new();
        for directory in DIRECTORIES {
            for entry in host.list(directory) {
                let is_lease = entry.name.contains("dhclient") || entry.name.contains("internal");
                if is_lease && entry.name.contains(".lease") {
                    files.extend(host.read(&format!("{directory}/{}", entry.name)).map(|text| (entry.name, text)));
                }
            }
        }
        Leases { files }
    }

    /// The server of an interface.
    pub(super) fn server(&self, host: &Host<'_>, name: &str, index: Option<usize>) -> Option<String> {
        let systemd = index.and_then(|index| host.read(&format!("/run/systemd/netif/leases/{index}")));
        systemd.as_deref().and_then(address).or_else(|| self.of_dhclient(name)).or_else(|| {
            let end = format!("{name}.lease");
            let (_, text) = self.files.iter().find(|(file, _)| file.contains("internal") && file.contains(&end))?;
            address(text)
        })
    }

    fn of_dhclient(&self, name: &str) -> Option<String> {
        let is_of = |line: &str| line.split_once("interface").is_some_and(|(_, rest)| rest.contains(name));
        self.files.iter().filter(|(file, _)| file.contains("dhclient")).find_map(|(_, text)| {
            text.lines().find(|line| is_of(line))?;
            let rest = text.split_once("dhcp-server-identifier ")?.1;
            let server: String = rest.chars().take_while(|letter| letter.is_ascii_digit() || *letter == '.').collect();
            (!server.is_empty()).then_some(server)
        })
    }
}

fn address(text: &str) -> Option<String> {
    text.lines().find_map(|line| line.trim().strip_prefix("SERVER_ADDRESS=")).map(str::to_owned)
}

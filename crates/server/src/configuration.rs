//! The configuration of a server: `puppet.conf`, and the files of Puppet Server where they are.

use std::time::Duration;

use bunraku::notation::hocon;
use bunraku::{Settings, Value, World};

use crate::ca::Policy;
use crate::versioned_code::VersionedCode;

/// How many catalogs may wait to be compiled before further ones are refused.
const MOST_QUEUED: usize = 1_000;
/// How long one catalog may take.
const COMPILE_TIME: Duration = Duration::from_secs(600);

/// What a server is to do.
#[derive(Debug, Clone)]
pub struct Configuration {
    /// The settings of `puppet.conf` and the command line.
    pub settings: Settings,
    /// The address to listen on.
    pub address: String,
    /// What the certificate authority allows.
    pub policy: Policy,
    /// The rules of `auth.conf` and where they are.
    pub authorization: Option<(String, Value)>,
    /// The programs that tell which state the code is in.
    pub versioned_code: Option<VersionedCode>,
    /// How many catalogs are compiled at the same time.
    pub compilers: usize,
    /// How many more may wait.
    pub most_queued: usize,
    /// How long one catalog may take.
    pub compile_time: Duration,
}

impl Configuration {
    /// The configuration that settings and the files next to `puppet.conf` give.
    pub fn load(settings: Settings, world: &dyn World) -> Result<Configuration, String> {
        let text = |name: &str| settings.text(name).map_err(|issue| issue.to_string());
        let files = Files::read(world, &text("confdir")?)?;
        let host = files.text("webserver.conf", "webserver", "ssl-host").unwrap_or_else(|| "0.0.0.0".to_owned());
        let port = match files.text("webserver.conf", "webserver", "ssl-port") {
            Some(port) if !settings.is_from_command_line("serverport") => port,
            _ => text("serverport")?,
        };
        let address = match host.contains(':') {
            true => format!("[{host}]:{port}"),
            false => format!("{host}:{port}"),
        };
        let seconds = |name: &str| match settings.value(name) {
            Ok(bunraku::SettingValue::Integer(seconds)) => u64::try_from(seconds).ok().map(Duration::from_secs),
            _ => None,
        };
        let ca = |key: &str| files.text("ca.conf", "certificate-authority", key);
        let is_on = |key: &str| ca(key).as_deref() == Some("true");
        let renewal =
            ca("auto-renewal-cert-ttl").and_then(|text| duration(&text)).unwrap_or(Duration::from_secs(90 * 86_400));
        let policy = Policy {
            allows_alternative_names: is_on("allow-subject-alt-names"),
            allows_authorization_extensions: is_on("allow-authorization-extensions"),
            allows_duplicates: settings.boolean("allow_duplicate_certs").map_err(|issue| issue.to_string())?,
            serves_infra_crl: is_on("enable-infra-crl"),
            renewal: (ca("allow-auto-renewal").as_deref() != Some("false")).then_some(renewal),
            validity: seconds("ca_ttl").unwrap_or(Duration::from_secs(5 * 365 * 86_400)),
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let versioned = |key: &str| files.text("puppetserver.conf", "versioned-code", key);
        let versioned_code = match (versioned("code-id-command"), versioned("code-content-command")) {
            (Some(code_id_command), Some(code_content_command)) => {
                Some(VersionedCode { code_id_command, code_content_command })
            }
            (None, None) => None,
            _ => {
                let message = "Both the code-id-command and the code-content-command of versioned-code must be set, or \
                               neither of them";
                return Err(message.to_owned());
            }
        };
        let queued = files.text("puppetserver.conf", "jruby-puppet", "max-queued-requests");
        Ok(Configuration {
            address,
            policy,
            authorization: files.take("auth.conf"),
            versioned_code,
            // One more than there are cores: what one node asks for does not take it.
            compilers: cores.saturating_add(1),
            most_queued: queued.and_then(|text| text.parse().ok()).filter(|most| *most > 0).unwrap_or(MOST_QUEUED),
            compile_time: COMPILE_TIME,
            settings,
        })
    }
}

/// The files of Puppet Server that are there, with their content.
struct Files(Vec<(&'static str, String, Value)>);

impl Files {
    fn read(world: &dyn World, confdir: &str) -> Result<Files, String> {
        // Debian has the directory in that of the agent, the vendor next to it.
        let directories = [format!("{confdir}/puppetserver/conf.d"), format!("{confdir}/../puppetserver/conf.d")];
        let mut files = Vec::new();
        for name in ["auth.conf", "ca.conf", "webserver.conf", "puppetserver.conf"] {
            let found =
                directories.iter().map(|directory| format!("{directory}/{name}")).find(|path| world.is_file(path));
            if let Some(path) = found {
                let text = world.read_text(&path).map_err(|error| format!("{path}: {error}"))?;
                files.push((name, path.clone(), hocon::value(&text).map_err(|error| format!("{path}: {error}"))?));
            }
        }
        Ok(Files(files))
    }

    fn text(&self, file: &str, section: &str, key: &str) -> Option<String> {
        let (_, _, value) = self.0.iter().find(|(name, ..)| *name == file)?;
        Some(value.get(section)?.get(key)?.to_string())
    }

    fn take(&self, file: &str) -> Option<(String, Value)> {
        self.0.iter().find(|(name, ..)| *name == file).map(|(_, path, value)| (path.clone(), value.clone()))
    }
}

/// A time with its unit: `5y`, `90d`, `12h`, `30m`, `45s`.
pub fn duration(text: &str) -> Option<Duration> {
    let unit = match text.chars().last()? {
        'y' => 365 * 86_400,
        'd' => 86_400,
        'h' => 3_600,
        'm' => 60,
        _ => 1,
    };
    let number: u64 = text.trim_end_matches(['y', 'd', 'h', 'm', 's']).parse().ok()?;
    number.checked_mul(unit).map(Duration::from_secs)
}

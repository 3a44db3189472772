//! The program that passes requests on, where machines do not reach web servers themselves.

use bunraku::{Disk, Settings, World};

use crate::url::{Url, encoded};

/// Who passes requests on, and what is asked for directly.
#[derive(Clone, Default)]
pub(crate) struct Proxy {
    /// Where it is: name and port.
    pub(crate) place: Option<(String, u16)>,
    /// Name and password, as HTTP encodes them.
    credentials: Option<String>,
    /// Servers that are asked directly, with commas between them.
    direct: String,
}

impl Proxy {
    /// What environment variables say, or else the settings.
    pub(crate) fn of(settings: &Settings) -> Result<Proxy, String> {
        let text = |name: &str| settings.text(name).map_err(|issue| issue.message().to_owned());
        let given = |name: &str| text(name).map(|text| (!text.is_empty() && text != "none").then_some(text));
        let variable = |name: &str| Disk.variable(name).or_else(|| Disk.variable(&name.to_uppercase()));
        let direct = match variable("no_proxy") {
            Some(direct) => direct,
            None => given("no_proxy")?.unwrap_or_default(),
        };
        if let Some(url) = variable("http_proxy").and_then(|url| Url::parse(&url)) {
            let credentials = url.authorization();
            return Ok(Proxy { place: Some((url.name().to_owned(), url.port)), credentials, direct });
        }
        let Some(host) = given("http_proxy_host")? else { return Ok(Proxy::default()) };
        let port = text("http_proxy_port")?;
        let port = port.parse().map_err(|_| format!("http_proxy_port is no port: {port}"))?;
        let credentials = match (given("http_proxy_user")?, given("http_proxy_password")?) {
            (Some(user), Some(password)) => Some(format!("Basic {}", encoded(&format!("{user}:{password}")))),
            _ => None,
        };
        Ok(Proxy { place: Some((host, port)), credentials, direct })
    }

    /// Where to go for something: nowhere else if it is asked for directly.
    pub(crate) fn place_for(&self, url: &Url) -> Option<&(String, u16)> {
        self.place.as_ref().filter(|_| !self.direct.split(',').any(|entry| is_named(entry.trim(), url)))
    }

    /// The header that says who asks.
    pub(crate) fn header(&self) -> String {
        self.credentials.as_ref().map_or_else(String::new, |it| format!("Proxy-Authorization: {it}\r\n"))
    }
}

/// Whether an entry stands for a server: its name, or the end of it, with or without a port.
fn is_named(entry: &str, url: &Url) -> bool {
    let (name, port) = match entry.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()) {
        Some((name, port)) => (name, port.parse::<u16>().ok()),
        None => (entry, None),
    };
    let name = name.trim_start_matches('*').to_lowercase();
    let is_all = entry == "*";
    (is_all || !name.is_empty() && url.name().to_lowercase().ends_with(&name)) && port.is_none_or(|it| it == url.port)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn some_are_asked_directly() {
        let url = Url::parse("http://web.Example.com:8080/").unwrap();
        for (entry, expected) in [
            ("example.com", true),
            (".example.com", true),
            ("*.example.com", true),
            ("*", true),
            ("web.example.com:8080", true),
            ("web.example.com:80", false),
            ("example.org", false),
            ("", false),
        ] {
            assert_eq!(is_named(entry, &url), expected, "{entry}");
        }
    }
}

//! Asks the MySQL or MariaDB server of this machine, through its client. Statements go through standard input: they may have
//! secrets in them, and arguments of commands are seen by everybody.

use std::cmp::Ordering;
use std::path::Path;

use crate::accounts::Accounts;
use crate::execution::{Execution, which};
use crate::fault::{Fault, Outcome};

/// Where the programs may be besides the usual places.
const FURTHER: &str = "/usr/libexec:/usr/local/libexec:/usr/local/bin:/usr/sbin:/usr/share/mysql/scripts";

/// The file with the password of the administrator.
pub(crate) fn defaults() -> String {
    in_home(".my.cnf")
}

/// A file in the home directory of root, as the fact `root_home` tells it.
fn in_home(name: &str) -> String {
    let entry = Accounts::default().entry("root");
    let home = entry.and_then(|entry| entry.passwd.into_iter().nth(5)).unwrap_or_default();
    format!("{home}/{name}")
}

/// The program of a name.
pub(crate) fn program(name: &str) -> Option<String> {
    which(name, None).or_else(|| which(name, Some(FURTHER)))
}

/// Whether this machine has the client.
pub(crate) fn has_client() -> bool {
    program("mysql").is_some()
}

/// Runs statements in the database of the server's own tables.
pub(crate) fn change(statement: &str) -> Outcome {
    run(&["--database=mysql"], &["-e"], statement).map(drop)
}

/// Asks for rows, each a line with tabs between.
pub(crate) fn query(statement: &str) -> Outcome<String> {
    run(&[], &["-NBe"], statement)
}

/// The same in a database.
pub(crate) fn query_in(database: &str, statement: &str) -> Outcome<String> {
    run(&[&format!("--database={database}")], &["-NBe"], statement)
}

fn run(before: &[&str], shown: &[&str], statement: &str) -> Outcome<String> {
    let client = program("mysql").ok_or_else(|| Fault::new("Command mysql_raw is missing"))?;
    let mut arguments = vec![client];
    let (login, defaults) = (in_home(".mylogin.cnf"), defaults());
    let has_login = Path::new(&login).is_file();
    if !has_login && Path::new(&defaults).is_file() {
        arguments.push(format!("--defaults-extra-file={defaults}"));
    }
    arguments.extend(before.iter().map(|it| (*it).to_owned()));
    let told = [arguments.join(" ").as_str(), &shown.join(" ")].join(" ");
    arguments.push("-NB".to_owned());
    let execution =
        Execution::new(&arguments).input(statement.to_owned()).shown(format!("{told} {}", hidden(statement)));
    let execution = if has_login { execution.variable("MYSQL_TEST_LOGIN_FILE", &login) } else { execution };
    execution.succeed()
}

/// A statement without the secrets in it.
fn hidden(statement: &str) -> String {
    for word in [" AS '", " PASSWORD '", "password = '"] {
        if let Some((before, rest)) = statement.split_once(word)
            && let Some((_, after)) = rest.split_once('\'')
        {
            return format!("{before}{word}[redacted]'{after}");
        }
    }
    statement.to_owned()
}

/// Which server it is, and its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Server {
    fork: &'static str,
    version: String,
}

impl Server {
    /// The server that is installed.
    pub(crate) fn installed() -> Outcome<Option<Server>> {
        let Some(program) = program("mysqld").or_else(|| program("mariadbd")) else { return Ok(None) };
        Execution::new(&[program.as_str(), "-V"]).succeed().map(|text| Server::told(&text))
    }

    fn told(text: &str) -> Option<Server> {
        let lowercase = text.to_lowercase();
        let fork = match () {
            () if lowercase.contains("mariadb") => "mariadb",
            () if lowercase.contains(" (percona") => "percona",
            () => "mysql",
        };
        let is_version = |word: &&str| {
            let parts: Vec<&str> = word.split('.').collect();
            parts.len() == 3 && parts.iter().all(|part| !part.is_empty() && part.chars().all(|it| it.is_ascii_digit()))
        };
        let words = text.split(|it: char| !it.is_ascii_digit() && it != '.');
        let version = words.map(|word| word.trim_matches('.')).find(is_version)?.to_owned();
        Some(Server { fork, version })
    }

    /// Whether it is one of some servers, and at least of the version that stands with it.
    pub(crate) fn is_at_least(&self, known: &[(&str, &str)]) -> bool {
        let version = known.iter().find(|(fork, _)| *fork == self.fork).map(|(_, version)| *version);
        version.is_some_and(|version| compare(&self.version, version).is_ge())
    }
}

fn compare(first: &str, second: &str) -> Ordering {
    let numbers = |text: &str| -> Vec<u64> { text.split('.').map(|it| it.parse().unwrap_or_default()).collect() };
    numbers(first).cmp(&numbers(second))
}

/// The name of a user as statements have it: `name@host` with each part in quotes.
pub(crate) fn user(name: &str) -> String {
    match name.rsplit_once('@') {
        Some((user, host)) => format!("'{user}'@'{host}'"),
        None => format!("'{name}'"),
    }
}

/// A value as statements have it.
pub(crate) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}

/// Whether there is a user of a name.
pub(crate) fn has_user(name: &str) -> Outcome<bool> {
    let rows = query("SELECT CONCAT(User, '@',Host) AS User FROM mysql.user")?;
    Ok(rows.lines().any(|row| row == name))
}

/// The name of a user with its host in lowercase; nothing if it is none.
pub(crate) fn user_name(text: &str) -> Option<String> {
    let (user, host) = text.rsplit_once('@')?;
    let is_host = |host: &str| {
        !host.is_empty()
            && host.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '%' | '.' | ':' | '-' | '/'))
    };
    let quote = user.chars().next().filter(|it| matches!(it, '\'' | '`' | '"'));
    let is_valid = match quote {
        Some(quote) => user.len() > 1 && user.ends_with(quote) && is_host(host),
        None if user.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '$' | '_')) => is_host(host),
        None => !host.is_empty(),
    };
    is_valid.then(|| format!("{user}@{}", host.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_tell_what_they_are() {
        let told = |text: &str| Server::told(text).map(|it| (it.fork, it.version));
        let mariadb = "mysqld  Ver 10.11.6-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)";
        assert_eq!(told(mariadb), Some(("mariadb", "10.11.6".to_owned())));
        let server = Server { fork: "mariadb", version: "10.11.6".to_owned() };
        assert!(server.is_at_least(&[("mysql", "5.7.6"), ("mariadb", "10.2.0")]));
        assert!(!server.is_at_least(&[("mysql", "5.7.6")]));
    }

    #[test]
    fn users_have_hosts() {
        assert_eq!(user_name("root@LocalHost").as_deref(), Some("root@localhost"));
        assert_eq!(user_name("a b@%").as_deref(), Some("a b@%"));
        assert_eq!(user_name("root"), None);
        assert_eq!(user("a@b"), "'a'@'b'");
        assert_eq!(hidden("CREATE USER 'a' AS '*SECRET' X"), "CREATE USER 'a' AS '[redacted]' X");
    }
}

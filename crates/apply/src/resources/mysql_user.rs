//! `mysql_user` of the mysql module: a user of the server of this machine.

use bunraku_pcore::Value;

use super::mysql_database::requires;
use crate::context::Context;
use crate::fault::{Fault, Outcome};
use crate::mysql::{self, Server};
use crate::property::{self, ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Given, Managed, Site};

pub(super) const PARAMETERS: &[&str] = &[
    "name",
    "ensure",
    "password_hash",
    "plugin",
    "max_user_connections",
    "max_connections_per_hour",
    "max_queries_per_hour",
    "max_updates_per_hour",
    "tls_options",
    "provider",
];

/// Limits of a user, as resources and as the server call them.
const LIMITS: [(&str, &str); 4] = [
    ("max_user_connections", "MAX_USER_CONNECTIONS"),
    ("max_connections_per_hour", "MAX_CONNECTIONS_PER_HOUR"),
    ("max_queries_per_hour", "MAX_QUERIES_PER_HOUR"),
    ("max_updates_per_hour", "MAX_UPDATES_PER_HOUR"),
];

const PASSWORD: &str = "password_hash";

struct User {
    name: String,
    properties: Vec<Property>,
    server: Option<Server>,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let name = given.name("name");
    let refused = || given.refuse("name", &format!("Invalid database user {name}."));
    let name = mysql::user_name(&name).ok_or_else(refused)?;
    let options = given.texts("tls_options");
    let is_alone = |option: &String| matches!(option.as_str(), "NONE" | "SSL" | "X509");
    if options.len() > 1 && options.iter().any(is_alone) {
        let reason = "`tls_options` `property`: The values NONE, SSL and X509 cannot be used with other options, you \
                      may only pick one of them.";
        return Err(given.refuse("tls_options", reason));
    }
    let names = [
        "ensure",
        PASSWORD,
        "plugin",
        "max_user_connections",
        "max_connections_per_hour",
        "max_queries_per_hour",
        "max_updates_per_hour",
        "tls_options",
    ];
    let mut properties = given.properties_of_described(&names);
    for property in properties.iter_mut().filter(|property| property.name == "tls_options") {
        property.is_list = true;
    }
    Ok(Box::new(User { name, properties, server: None }))
}

impl User {
    fn wanted(&self, name: &str) -> Option<String> {
        let property = self.properties.iter().find(|it| it.name == name && it.should.is_some())?;
        Some(property.should.iter().flatten().map(text_of).collect::<Vec<_>>().join(" AND "))
    }

    fn is_at_least(&self, known: &[(&str, &str)]) -> bool {
        self.server.as_ref().is_some_and(|server| server.is_at_least(known))
    }

    /// The values of all properties; nothing if there is no such user.
    fn row(&self) -> Outcome<Option<Vec<String>>> {
        let password = match self.is_at_least(&[("mysql", "5.7.6"), ("percona", "5.7.6"), ("mariadb", "10.2.16")]) {
            true => "AUTHENTICATION_STRING, PLUGIN",
            false => "PASSWORD /*!50508 , PLUGIN */",
        };
        let name = mysql::literal(&self.name);
        let rows = mysql::query(&format!(
            "SELECT MAX_USER_CONNECTIONS, MAX_CONNECTIONS, MAX_QUESTIONS, MAX_UPDATES, SSL_TYPE, SSL_CIPHER, \
             X509_ISSUER, X509_SUBJECT, {password} FROM mysql.user WHERE CONCAT(user, '@', host) = {name}"
        ))?;
        Ok(rows.lines().next().map(|row| row.split('\t').map(str::to_owned).collect()))
    }

    fn create(&self) -> Outcome {
        let name = mysql::user(&self.name);
        let password = self.wanted(PASSWORD);
        mysql::change(&match (self.wanted("plugin"), &password) {
            (Some(plugin), Some(password)) => format!("CREATE USER {name} IDENTIFIED WITH '{plugin}' AS '{password}'"),
            (Some(plugin), None) => format!("CREATE USER {name} IDENTIFIED WITH '{plugin}'"),
            (None, password) => {
                let password = password.as_deref().unwrap_or_default();
                match self.is_at_least(&[("mysql", "5.7.6"), ("percona", "5.7.6"), ("mariadb", "10.1.3")]) {
                    true => format!(
                        "CREATE USER IF NOT EXISTS {name} IDENTIFIED WITH 'mysql_native_password' AS '{password}'"
                    ),
                    false => format!("CREATE USER {name} IDENTIFIED BY PASSWORD '{password}'"),
                }
            }
        })?;
        let limit = |(own, known): &(&str, &str)| format!("{known} {}", self.wanted(own).unwrap_or("0".to_owned()));
        let limits = LIMITS.iter().map(limit).collect::<Vec<_>>().join(" ");
        mysql::change(&match self.is_at_least(&[("mysql", "5.7.6"), ("percona", "5.7.6")]) {
            true => format!("ALTER USER IF EXISTS {name} WITH {limits}"),
            false => format!("GRANT USAGE ON *.* TO {name} WITH {limits}"),
        })?;
        self.require(&self.wanted("tls_options").unwrap_or_else(|| "NONE".to_owned()))
    }

    fn require(&self, options: &str) -> Outcome {
        let name = mysql::user(&self.name);
        mysql::change(&match self.is_at_least(&[("mysql", "5.7.6"), ("percona", "5.7.6"), ("mariadb", "10.2.0")]) {
            true => format!("ALTER USER {name} REQUIRE {options}"),
            false => format!("GRANT USAGE ON *.* TO {name} REQUIRE {options}"),
        })
    }

    fn set_password(&self, password: &str) -> Outcome {
        let name = mysql::user(&self.name);
        let is_new = self.is_at_least(&[("mysql", "5.7.6"), ("percona", "5.7.6"), ("mariadb", "10.2.0")]);
        if is_new && !password.is_empty() && !password.starts_with('*') {
            return Err(Fault::new("Only mysql_native_password (*ABCD...XXX) hashes are supported."));
        }
        mysql::change(&match is_new {
            true => format!("ALTER USER {name} IDENTIFIED WITH mysql_native_password AS '{password}'"),
            false => format!("SET PASSWORD FOR {name} = '{password}'"),
        })
    }

    fn set_plugin(&self, plugin: &str) -> Outcome {
        let name = mysql::user(&self.name);
        let password = self.wanted(PASSWORD).unwrap_or_default();
        let is_native = plugin == "mysql_native_password";
        mysql::change(&match self.is_at_least(&[("mysql", "5.7.6"), ("percona", "5.7.6")]) {
            true if is_native => format!("ALTER USER {name} IDENTIFIED WITH '{plugin}' AS '{password}'"),
            true => format!("ALTER USER {name} IDENTIFIED WITH '{plugin}'"),
            false => {
                let password = if is_native { password } else { String::new() };
                let own = mysql::literal(&self.name);
                format!(
                    "UPDATE mysql.user SET plugin = '{plugin}', password = '{password}' WHERE CONCAT(user, '@', host) = {own}"
                )
            }
        })
    }

    fn drop(&self) -> Outcome {
        let name = mysql::user(&self.name);
        let is_new = self.is_at_least(&[("mysql", "5.7"), ("percona", "5.7"), ("mariadb", "10.1.3")]);
        mysql::change(&format!("DROP USER {}{name}", if is_new { "IF EXISTS " } else { "" }))
    }
}

/// What the server says about encryption, as resources have it.
fn options(row: &[String]) -> Value {
    let part = |place: usize| row.get(place).map(String::as_str).unwrap_or_default();
    let options: Vec<String> = match part(4) {
        "ANY" => vec!["SSL".to_owned()],
        "X509" => vec!["X509".to_owned()],
        "SPECIFIED" => [("CIPHER", 5), ("ISSUER", 6), ("SUBJECT", 7)]
            .into_iter()
            .filter(|(_, place)| !part(*place).is_empty())
            .map(|(word, place)| format!("{word} {}", part(place)))
            .collect(),
        _ => vec!["NONE".to_owned()],
    };
    Value::array(options.iter().map(|it| it.as_str().into()))
}

impl Managed for User {
    fn provider(&self) -> Option<&str> {
        Some("mysql")
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn requires(&self) -> Vec<(String, String)> {
        requires()
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        self.server = Server::installed()?;
        let row = self.row()?;
        let ensure = if row.is_some() { "present" } else { ABSENT };
        let row = row.unwrap_or_default();
        let part = |place: usize| row.get(place).map(|it| it.as_str().into()).unwrap_or_default();
        Values::of(&self.properties, Some(ensure.into()), |property| {
            Ok(match property.name {
                PASSWORD => part(8),
                "plugin" => part(9),
                "tls_options" => options(&row),
                name => part(LIMITS.iter().position(|(known, _)| *known == name).unwrap_or(usize::MAX)),
            })
        })
    }

    fn is_insync(&mut self, property: &Property, current: &Value, _: &Site, _: &mut Context<'_>) -> Outcome<bool> {
        if property.name == "tls_options"
            && let Value::Array(found) = current
        {
            let sorted = |values: &mut dyn Iterator<Item = &Value>| {
                let mut texts: Vec<String> = values.map(text_of).collect();
                texts.sort();
                texts
            };
            return Ok(sorted(&mut found.iter()) == sorted(&mut property.should.iter().flatten()));
        }
        Ok(property.matches(current))
    }

    fn sync(&mut self, property: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        let wanted = text_of(&property.desired());
        match property.name {
            "ensure" if is_absent(&property.desired()) => self.drop(),
            "ensure" => self.create(),
            PASSWORD => self.set_password(&wanted),
            "plugin" => self.set_plugin(&wanted),
            "tls_options" => self.require(&self.wanted("tls_options").unwrap_or_default()),
            name => {
                let limit = LIMITS.iter().find(|(own, _)| *own == name).map(|(_, known)| *known).unwrap_or_default();
                let user = mysql::user(&self.name);
                mysql::change(&format!("GRANT USAGE ON *.* TO {user} WITH {limit} {wanted}"))
            }
        }
    }

    fn change(&self, property: &Property, from: &Value, _: &mut Context<'_>) -> String {
        match property.name {
            PASSWORD if is_absent(from) => "created password".to_owned(),
            PASSWORD => "changed password".to_owned(),
            "ensure" => property::ensure_change(from, &property.desired()),
            name => property::change(name, from, &property.desired(), property::shown),
        }
    }

    fn shown(&self, property: &str, value: &Value, _: &mut Context<'_>) -> String {
        match property {
            PASSWORD => "[password hash redacted]".to_owned(),
            _ => property::shown(value),
        }
    }

    fn hides(&self, property: &Property) -> bool {
        property.name == PASSWORD
    }
}

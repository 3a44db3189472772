//! `mysql_grant` of the mysql module: what a user of the server of this machine may do.

use bunraku_pcore::Value;

use crate::context::Context;
use crate::fault::{Fault, Outcome};
use crate::mysql;
use crate::property::{self, ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Given, Managed, Site};

pub(super) const PARAMETERS: &[&str] = &["name", "ensure", "privileges", "table", "user", "options", "provider"];

struct Grant {
    /// The name that grants of the server have: user, host and table.
    name: String,
    user: String,
    table: String,
    properties: Vec<Property>,
    current: Option<Told>,
}

/// A grant as the server tells of it.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    user: String,
    table: String,
    privileges: Vec<String>,
    options: &'static str,
}

/// A privilege in the spelling that is compared: that for columns has them in order.
fn privilege(text: &str) -> String {
    let text = text.trim();
    match text.split_once('(') {
        Some((kind, columns)) => {
            let columns = columns.trim_end().trim_end_matches(')');
            let mut columns: Vec<&str> = columns.split(',').map(str::trim).collect();
            columns.sort_unstable();
            format!("{} ({})", kind.trim().to_uppercase(), columns.join(", "))
        }
        None => text.to_uppercase(),
    }
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let name = given.name("name").replace('\'', "");
    let is_present = given.text("ensure").as_deref() != Some(ABSENT);
    let mut privileges: Vec<String> = given.texts("privileges").iter().map(|it| privilege(it)).collect();
    if is_present && privileges.len() > 1 && privileges.iter().any(|it| it.contains("ALL")) {
        privileges = vec!["ALL".to_owned()];
    }
    privileges.retain(|it| !matches!(it.as_str(), "GRANT" | "GRANT OPTION"));
    privileges.sort();
    privileges.dedup();
    let wrong = |reason: &str| Err(Fault::new(format!("Could not create resource: {}: {reason}", given.reference)));
    for (parameter, is_missing) in [
        ("privileges", given.value("privileges").is_none()),
        ("table", given.value("table").is_none()),
        ("user", given.value("user").is_none()),
    ] {
        if is_present && is_missing {
            return Err(Fault::new(format!("`{parameter}` `parameter` is required.")));
        }
    }
    if privileges.len() > 1 && privileges.iter().any(|it| it == "PROXY") {
        return Err(Fault::new("`privileges` `parameter`: PROXY can only be specified by itself."));
    }
    let table = given.text("table").unwrap_or_default().replace('`', "");
    let user = match given.text("user") {
        Some(user) => match mysql::user_name(&user) {
            Some(user) => user,
            None => return wrong(&format!("Invalid database user {user}.")),
        },
        None => name.rsplit_once('/').map(|(user, _)| user.to_owned()).unwrap_or_default(),
    };
    if given.value("user").is_some() && !table.is_empty() && name != format!("{user}/{table}") {
        return Err(Fault::new("`name` `parameter` must match user@host/table format."));
    }
    let mut properties = given.properties_of_described(&["ensure", "privileges", "table", "user", "options"]);
    for property in properties.iter_mut().filter(|it| it.should.is_some()) {
        match property.name {
            "privileges" => property.should = Some(privileges.iter().map(|it| it.as_str().into()).collect()),
            "table" => property.should = Some(vec![table.as_str().into()]),
            "user" => property.should = Some(vec![user.as_str().into()]),
            _ => {}
        }
        property.is_list = matches!(property.name, "privileges" | "options");
    }
    Ok(Box::new(Grant { name, user, table, properties, current: None }))
}

/// Splits a list at commas that are in no parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    text.split(|letter: char| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    })
    .collect()
}

fn told(line: &str) -> Option<Told> {
    let line = line.replace(['\'', '`', '"'], "");
    let (privileges, rest) = line.strip_prefix("GRANT ")?.rsplit_once(" TO ")?;
    let (privileges, table) = privileges.rsplit_once(" ON ")?;
    let (user, host) = rest.split_once('@')?;
    let (host, rest) = host.split_once(' ').unwrap_or((host, ""));
    let mut privileges: Vec<String> = split(privileges)
        .into_iter()
        .map(|it| match it.trim() {
            "ALL PRIVILEGES" => "ALL".to_owned(),
            it if it.contains('(') => privilege(it),
            it => it.to_owned(),
        })
        .collect();
    privileges.sort();
    let options = if rest.contains("WITH GRANT OPTION") { "GRANT" } else { "NONE" };
    Some(Told { user: format!("{user}@{host}"), table: table.replace("\\\\", "\\"), privileges, options })
}

/// A table as statements have it.
fn quoted_table(table: &str, privileges: &[String]) -> String {
    if privileges.iter().any(|it| it == "PROXY") {
        return mysql::user(table);
    }
    if table == "*.*" {
        return table.to_owned();
    }
    let kind = ["FUNCTION ", "PROCEDURE "].into_iter().find(|kind| table.starts_with(kind)).unwrap_or_default();
    let name = table.strip_prefix(kind).unwrap_or(table);
    match name.rsplit_once('.') {
        Some((database, table)) => format!("{kind}`{database}`.{table}"),
        None => format!("{kind}{name}"),
    }
}

fn quoted_privileges(privileges: &[String]) -> String {
    match privileges.iter().any(|it| it == "ALL") {
        true => "ALL PRIVILEGES".to_owned(),
        false => privileges.join(", "),
    }
}

fn grant(user: &str, table: &str, privileges: &[String], options: &[String]) -> Outcome {
    let option = if options.iter().any(|it| it == "GRANT") { " WITH GRANT OPTION" } else { "" };
    let (table, user) = (quoted_table(table, privileges), mysql::user(user));
    mysql::change(&format!("GRANT {} ON {table} TO {user}{option}", quoted_privileges(privileges)))
}

fn revoke(user: &str, table: &str, privileges: &[String]) -> Outcome {
    let (table, user) = (quoted_table(table, privileges), mysql::user(user));
    let has = |name: &str| privileges.iter().any(|it| it == name);
    if has("ALL") && !has("PROXY") {
        mysql::change(&format!("REVOKE GRANT OPTION ON {table} FROM {user}"))?;
    }
    mysql::change(&format!("REVOKE {} ON {table} FROM {user}", quoted_privileges(privileges)))
}

impl Grant {
    fn wanted(&self, name: &str) -> Vec<String> {
        let property = self.properties.iter().find(|it| it.name == name);
        property.map(|it| it.should.iter().flatten().map(text_of).collect()).unwrap_or_default()
    }

    fn find(&self) -> Outcome<Option<Told>> {
        if !mysql::has_user(&self.user)? {
            return Ok(None);
        }
        let grants = match mysql::query(&format!("SHOW GRANTS FOR {};", mysql::user(&self.user))) {
            Err(fault) if fault.message.contains("There is no such grant defined for user") => return Ok(None),
            grants => grants?,
        };
        let mut grants = grants.lines().filter_map(told);
        Ok(grants.find(|it| format!("{}/{}", it.user, it.table) == self.name))
    }

    fn change_privileges(&self, current: &Told) -> Outcome {
        let wanted = self.wanted("privileges");
        let has_all = |list: &[String]| list.iter().any(|it| it == "ALL");
        let without = |list: &[String], others: &[String]| -> Vec<String> {
            list.iter().filter(|it| !others.contains(it)).cloned().collect()
        };
        let old = &current.privileges;
        let (gone, new) = match () {
            () if has_all(old) => (old.clone(), wanted),
            () if has_all(&wanted) => (Vec::new(), wanted),
            () => (without(old, &wanted), without(&wanted, old)),
        };
        if !gone.is_empty() {
            revoke(&current.user, &current.table, &gone)?;
        }
        match new.is_empty() {
            true => Ok(()),
            false => grant(&current.user, &current.table, &new, &[current.options.to_owned()]),
        }
    }
}

impl Managed for Grant {
    fn provider(&self) -> Option<&str> {
        Some("mysql")
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn requires(&self) -> Vec<(String, String)> {
        vec![("file".to_owned(), mysql::defaults()), ("mysql_user".to_owned(), self.user.clone())]
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        self.current = self.find()?;
        let ensure = if self.current.is_some() { "present" } else { ABSENT };
        let list = |texts: &[String]| Value::array(texts.iter().map(|it| it.as_str().into()));
        Values::of(&self.properties, Some(ensure.into()), |property| {
            let Some(current) = &self.current else { return Ok(ABSENT.into()) };
            Ok(match property.name {
                "privileges" => list(&current.privileges),
                "options" => list(&[current.options.to_owned()]),
                "table" => current.table.as_str().into(),
                _ => current.user.as_str().into(),
            })
        })
    }

    fn sync(&mut self, property: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        match (property.name, &self.current) {
            ("ensure", current) if is_absent(&property.desired()) => {
                let Some(current) = current else { return Ok(()) };
                let is_proxy = current.privileges.iter().any(|it| it == "PROXY");
                let all = if is_proxy { current.privileges.clone() } else { vec!["ALL".to_owned()] };
                revoke(&current.user, &current.table, &all)
            }
            ("ensure", _) => grant(&self.user, &self.table, &self.wanted("privileges"), &self.wanted("options")),
            ("privileges", Some(current)) => self.change_privileges(current),
            ("options", Some(current)) => {
                revoke(&current.user, &current.table, &["ALL".to_owned()])?;
                grant(&current.user, &current.table, &current.privileges, &self.wanted("options"))
            }
            _ => Ok(()),
        }
    }

    fn change(&self, property: &Property, from: &Value, _: &mut Context<'_>) -> String {
        match property.name {
            "ensure" => property::ensure_change(from, &property.desired()),
            name => property::change(name, from, &property.desired(), property::shown),
        }
    }

    fn flush(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome {
        mysql::query("FLUSH PRIVILEGES").map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_tell_of_grants() {
        let line = "GRANT SELECT (b, a), INSERT ON `d`.`t` TO `u`@`localhost` WITH GRANT OPTION";
        let expected = Told {
            user: "u@localhost".to_owned(),
            table: "d.t".to_owned(),
            privileges: vec!["INSERT".to_owned(), "SELECT (a, b)".to_owned()],
            options: "GRANT",
        };
        assert_eq!(told(line), Some(expected));
        assert_eq!(
            told("GRANT ALL PRIVILEGES ON *.* TO `r`@`%`").map(|it| it.privileges),
            Some(vec!["ALL".to_owned()])
        );
    }

    #[test]
    fn tables_are_quoted() {
        assert_eq!(quoted_table("d.*", &[]), "`d`.*");
        assert_eq!(quoted_table("*.*", &[]), "*.*");
        assert_eq!(quoted_table("PROCEDURE d.p", &[]), "PROCEDURE `d`.p");
        assert_eq!(quoted_table("u@h", &["PROXY".to_owned()]), "'u'@'h'");
    }
}

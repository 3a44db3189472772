//! `mysql_database` of the mysql module: a database of the server of this machine.

use crate::context::Context;
use crate::fault::Outcome;
use crate::mysql;
use crate::property::{ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Given, Managed, Site};

pub(super) const PARAMETERS: &[&str] = &["name", "ensure", "charset", "collate", "provider"];

struct Database {
    name: String,
    properties: Vec<Property>,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let mut properties = given.properties_of_described(&["ensure", "charset", "collate"]);
    for (name, usual) in [("charset", "utf8"), ("collate", "utf8_general_ci")] {
        match properties.iter_mut().find(|property| property.name == name) {
            Some(property) if property.should.is_none() => property.should = Some(vec![usual.into()]),
            Some(_) => {}
            None => properties.push(Property::new(name, usual.into())),
        }
    }
    Ok(Box::new(Database { name: given.name("name"), properties }))
}

impl Database {
    fn wanted(&self, name: &str) -> String {
        let property = self.properties.iter().find(|property| property.name == name);
        property.map(|property| text_of(&property.desired())).unwrap_or_default()
    }
}

impl Managed for Database {
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
        let is_there = mysql::query("show databases")?.lines().any(|name| name == self.name);
        let ensure = if is_there { "present" } else { ABSENT };
        let variables = match is_there {
            true => mysql::query_in(&self.name, "show variables like '%_database'")?,
            false => String::new(),
        };
        let value = |name: &str| {
            let mut rows = variables.lines().filter_map(|row| row.split_once('\t'));
            rows.find(|(known, _)| *known == name).map(|(_, value)| value.into()).unwrap_or_default()
        };
        Values::of(&self.properties, Some(ensure.into()), |property| {
            Ok(value(if property.name == "charset" { "character_set_database" } else { "collation_database" }))
        })
    }

    fn sync(&mut self, property: &Property, _: &Site, _: &mut Context<'_>) -> Outcome {
        let name = &self.name;
        let wanted = text_of(&property.desired());
        let statement = match property.name {
            "charset" => format!("alter database `{name}` CHARACTER SET {wanted}"),
            "collate" => format!("alter database `{name}` COLLATE {wanted}"),
            _ if is_absent(&property.desired()) => format!("drop database if exists `{name}`"),
            _ => {
                let (charset, collate) = (self.wanted("charset"), self.wanted("collate"));
                format!("create database if not exists `{name}` character set `{charset}` collate `{collate}`")
            }
        };
        mysql::query(&statement).map(drop)
    }
}

/// What comes before everything that the server has.
pub(super) fn requires() -> Vec<(String, String)> {
    vec![("file".to_owned(), mysql::defaults()), ("class".to_owned(), "mysql::server".to_owned())]
}

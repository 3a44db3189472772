//! `group`: groups of the machine, through `groupadd` and its kin.

use bunraku_pcore::Value;

use crate::accounts::Accounts;
use crate::context::Context;
use crate::execution::Execution;
use crate::fault::{Fault, Outcome};
use crate::property::{ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Given, Managed, Site};

struct Group {
    name: String,
    properties: Vec<Property>,
    allows_duplicates: bool,
    is_system: bool,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let mut properties = given.properties_of_present(&["ensure", "gid"]);
    for property in properties.iter_mut().filter(|property| property.name == "gid") {
        for value in property.should.iter_mut().flatten() {
            let text = text_of(value);
            let gid: i64 = text.parse().map_err(|_| given.refuse("gid", &format!("Invalid GID {text}")))?;
            *value = gid.into();
        }
    }
    Ok(Box::new(Group {
        name: given.name("name"),
        properties,
        allows_duplicates: given.flag("allowdupe") == Some(true),
        is_system: given.flag("system") == Some(true),
    }))
}

impl Group {
    fn run(&self, program: &str, options: Vec<String>, complaint: &str, context: &mut Context<'_>) -> Outcome {
        let arguments: Vec<String> = options.into_iter().chain([self.name.clone()]).collect();
        let outcome = Execution::provider(program, &arguments).and_then(|command| command.succeed().map(drop));
        context.accounts = Accounts::default();
        outcome.map_err(|fault| Fault::new(format!("{complaint}: {fault}")))
    }

    fn gid_options(&self) -> Vec<String> {
        let gid = self.properties.iter().find(|it| it.name == "gid" && it.should.is_some());
        let mut options: Vec<String> = Vec::new();
        if let Some(gid) = gid {
            options.extend(["-g".to_owned(), text_of(&gid.desired())]);
            options.extend(self.allows_duplicates.then(|| "-o".to_owned()));
        }
        options
    }
}

impl Managed for Group {
    fn provider(&self) -> Option<&str> {
        Some("groupadd")
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn retrieve(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        let found = context.accounts.group(&self.name);
        let ensure = if found.is_some() { "present" } else { ABSENT };
        Values::of(&self.properties, Some(ensure.into()), |_| {
            Ok(found.as_ref().map_or(Value::Undef, |group| i64::from(group.gid).into()))
        })
    }

    fn sync(&mut self, property: &Property, _: &Site, context: &mut Context<'_>) -> Outcome {
        let name = &self.name;
        match property.name {
            "ensure" if is_absent(&property.desired()) => {
                self.run("groupdel", Vec::new(), &format!("Could not delete group {name}"), context)
            }
            "ensure" => {
                let system = self.is_system.then(|| "-r".to_owned());
                let options = self.gid_options().into_iter().chain(system).collect();
                self.run("groupadd", options, &format!("Could not create group {name}"), context)
            }
            _ => self.run("groupmod", self.gid_options(), &format!("Could not set gid on group[{name}]"), context),
        }
    }
}

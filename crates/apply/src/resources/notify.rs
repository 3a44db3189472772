//! `notify`: a line in the log of every run.

use bunraku_pcore::Value;

use crate::context::Context;
use crate::fault::Outcome;
use crate::property::{ABSENT, Property, Values};
use crate::resource::{Given, Managed, Site};

struct Notify {
    /// Nothing if there is nothing to say.
    message: Option<Property>,
    has_path: bool,
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let message = match given.value("message") {
        Some(Value::Boolean(false)) => None,
        Some(Value::Array(elements)) if elements.is_empty() => None,
        // Compatibility: what is watched has no default.
        None if given.is_watched("message") => Some(Property::watched("message")),
        message => {
            let message = message.cloned().unwrap_or_else(|| Value::from(given.name("name").as_str()));
            Some(Property { is_sensitive: given.is_sensitive("message"), ..Property::new("message", message) })
        }
    };
    Ok(Box::new(Notify { message, has_path: given.flag("withpath") == Some(true) }))
}

impl Managed for Notify {
    fn properties(&self) -> Vec<Property> {
        self.message.iter().cloned().collect()
    }

    fn retrieve(&mut self, _: &Site, _: &mut Context<'_>) -> Outcome<Values> {
        let mut values = Values::new();
        values.set("message", ABSENT.into());
        Ok(values)
    }

    fn is_insync(&mut self, _: &Property, _: &Value, _: &Site, _: &mut Context<'_>) -> Outcome<bool> {
        Ok(false)
    }

    fn was_insync(&mut self, _: &Property, _: &Value, _: &Site, _: &mut Context<'_>) -> Outcome<bool> {
        // Saying something again puts nothing right.
        Ok(true)
    }

    fn sync(&mut self, property: &Property, site: &Site, context: &mut Context<'_>) -> Outcome {
        let message = match property.is_sensitive {
            true => "Sensitive [value redacted]".to_owned(),
            false => crate::property::text_of(&property.desired()),
        };
        match self.has_path {
            true => site.say_of(&mut context.log, "message", site.loglevel, message),
            false => context.log.say(site.loglevel, message),
        }
        Ok(())
    }
}

//! Exceptions: how the interpreter raises them, in Ruby's words.

use std::rc::Rc;

use super::class::Class;
use super::symbol::{Sym, sym};
use super::value::{Object, Value};
use super::{Outcome, Stop, Vm};

impl Vm {
    /// An exception of one of Ruby's own classes.
    pub(crate) fn error(&mut self, class: &str, message: &str) -> Box<Stop> {
        if class == "NotImplementedError" && self.puppet.is_serving {
            return self.unsupported(message.to_string());
        }
        let class = match self.core.object.constant(Sym::new(class)) {
            Some(Value::Class(class)) => class,
            _ => self.core.standard_error.clone(),
        };
        self.exception(&class, Value::str(message))
    }

    pub(crate) fn exception(&mut self, class: &Rc<Class>, message: Value) -> Box<Stop> {
        let object = Object::new(class.clone());
        object.set(sym::HIDDEN_MESSAGE, message);
        Box::new(Stop::Raise(Value::Object(Rc::new(object))))
    }

    pub(crate) fn argument_error(&mut self, message: &str) -> Box<Stop> {
        self.error("ArgumentError", message)
    }

    pub(crate) fn type_error(&mut self, message: &str) -> Box<Stop> {
        self.error("TypeError", message)
    }

    pub(crate) fn wrong_count(&mut self, given: usize, fewest: usize, most: Option<usize>) -> Box<Stop> {
        let expected = match most {
            Some(most) if most == fewest => fewest.to_string(),
            Some(most) => format!("{fewest}..{most}"),
            None => format!("{fewest}+"),
        };
        self.argument_error(&format!("wrong number of arguments (given {given}, expected {expected})"))
    }

    /// How a value is named in the message about a conversion.
    pub(crate) fn described(&self, value: &Value) -> String {
        match value {
            Value::Nil => "nil".to_string(),
            Value::Bool(value) => value.to_string(),
            other => self.class_name(other),
        }
    }

    pub(crate) fn no_conversion(&mut self, value: &Value, into: &str) -> Box<Stop> {
        let from = self.described(value);
        let from = if value.is_nil() && into == "Integer" { "from nil to integer".to_string() } else { from };
        match from.as_str() {
            "from nil to integer" => self.type_error("no implicit conversion from nil to integer"),
            from => self.type_error(&format!("no implicit conversion of {from} into {into}")),
        }
    }

    /// Refuses to change what is frozen, and notes that the object changes.
    pub(crate) fn check_frozen(&mut self, value: &Value) -> Outcome<()> {
        let is_given = value.head().is_some_and(|head| head.given.get());
        if value.is_frozen() || is_given && crate::bridge::values::is_fact(self, value) {
            let (class, shown) = (self.class_name(value), self.inspect(value)?);
            let message = format!("can't modify frozen {class}: {shown}");
            return Err(self.with_details("FrozenError", &message, &[(sym::HIDDEN_RECEIVER, value.clone())]));
        }
        if is_given {
            self.puppet.changed.push(value.clone());
        }
        Ok(())
    }

    /// The receiver as messages show it.
    pub(crate) fn receiver_shown(&mut self, value: &Value) -> Outcome<String> {
        Ok(match value {
            Value::Nil => "nil:NilClass".to_string(),
            Value::Bool(true) => "true:TrueClass".to_string(),
            Value::Bool(false) => "false:FalseClass".to_string(),
            Value::Object(_) if value.is_same(&self.main.clone()) => "main:Object".to_string(),
            Value::Class(class) if class.name.borrow().is_none() || class.is_singleton() => self.name_of(class),
            Value::Class(class) if class.is_module() => format!("{}:Module", self.name_of(class)),
            Value::Class(class) => format!("{}:Class", self.name_of(class)),
            other => {
                let shown = self.inspect(other)?;
                let class = self.class_name(other);
                if shown.starts_with('#') { shown } else { format!("{shown}:{class}") }
            }
        })
    }

    /// The message of an exception.
    pub(crate) fn message_of(&mut self, exception: &Value) -> Outcome<String> {
        let message = self.send(exception, sym::MESSAGE, &[])?;
        self.to_s(&message)
    }
}

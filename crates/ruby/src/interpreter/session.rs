//! Ruby's own classes, as a session finds them at its start.

use std::rc::Rc;

use super::class::{Body, Class, Kind, Method, Visibility};
use super::code::Args;
use super::symbol::Sym;
use super::value::Value;
use super::{Outcome, Vm};
use crate::methods;

/// A method that the interpreter brings along.
#[derive(Clone, Copy)]
pub(crate) struct Native {
    pub(crate) fewest: u8,
    /// The most arguments; any number if it is negative.
    pub(crate) most: i8,
    pub(crate) run: fn(&mut Vm, &Value, Args<'_>) -> Outcome,
}

/// A line of a table of methods: the name, how many arguments it takes, and what it does.
pub(crate) struct Row(
    pub(crate) &'static str,
    pub(crate) u8,
    pub(crate) i8,
    pub(crate) fn(&mut Vm, &Value, Args<'_>) -> Outcome,
);

/// Exceptions and what they are below of.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("ScriptError", "Exception"),
    ("LoadError", "ScriptError"),
    ("NotImplementedError", "ScriptError"),
    ("SyntaxError", "ScriptError"),
    ("NoMemoryError", "Exception"),
    ("SecurityError", "Exception"),
    ("SystemExit", "Exception"),
    ("SignalException", "Exception"),
    ("Interrupt", "SignalException"),
    ("SystemStackError", "Exception"),
    ("ArgumentError", "StandardError"),
    ("UncaughtThrowError", "ArgumentError"),
    ("EncodingError", "StandardError"),
    ("IOError", "StandardError"),
    ("EOFError", "IOError"),
    ("IndexError", "StandardError"),
    ("KeyError", "IndexError"),
    ("StopIteration", "IndexError"),
    ("LocalJumpError", "StandardError"),
    ("NameError", "StandardError"),
    ("NoMethodError", "NameError"),
    ("NoMatchingPatternError", "StandardError"),
    ("NoMatchingPatternKeyError", "NoMatchingPatternError"),
    ("RangeError", "StandardError"),
    ("FloatDomainError", "RangeError"),
    ("RegexpError", "StandardError"),
    ("RuntimeError", "StandardError"),
    ("FrozenError", "RuntimeError"),
    ("SystemCallError", "StandardError"),
    ("ThreadError", "StandardError"),
    ("FiberError", "StandardError"),
    ("ClosedQueueError", "StopIteration"),
    ("TypeError", "StandardError"),
    ("ZeroDivisionError", "StandardError"),
];

macro_rules! core {
    ($basic_object:ident, $object:ident, $($field:ident $name:literal $above:ident,)*) => {
        /// Ruby's own classes.
        pub(crate) struct Core {
            pub(crate) basic_object: Rc<Class>,
            pub(crate) object: Rc<Class>,
            pub(crate) kernel: Rc<Class>,
            pub(crate) comparable: Rc<Class>,
            pub(crate) enumerable: Rc<Class>,
            $(pub(crate) $field: Rc<Class>,)*
        }

        impl Core {
            pub(crate) fn new() -> Core {
                let $basic_object = Class::new(Some("BasicObject"), Kind::Class, None);
                let $object = Class::new(Some("Object"), Kind::Class, Some($basic_object.clone()));
                let [kernel, comparable, enumerable] = ["Kernel", "Comparable", "Enumerable"]
                    .map(|name| Class::new(Some(name), Kind::Module, None));
                $(let $field = Class::new(Some($name), Kind::Class, Some($above.clone()));)*
                let core = Core { $basic_object, $object, kernel, comparable, enumerable, $($field,)* };
                $(core.publish(&core.$field);)*
                core.fill();
                core
            }
        }
    };
}

core! {
    basic_object, object,
    module "Module" object, class "Class" module, nil "NilClass" object, true_class "TrueClass" object,
    false_class "FalseClass" object, numeric "Numeric" object, integer "Integer" numeric, float "Float" numeric,
    string "String" object, symbol "Symbol" object, array "Array" object, hash "Hash" object, range "Range" object,
    regexp "Regexp" object, match_data "MatchData" object, proc "Proc" object, method "Method" object,
    unbound_method "UnboundMethod" object, exception "Exception" object, standard_error "StandardError" exception,
    r#struct "Struct" object,
}

impl Core {
    fn publish(&self, class: &Rc<Class>) {
        if let Some(name) = &*class.name.borrow() {
            self.object.constants.borrow_mut().insert(Sym::new(name), Value::Class(class.clone()));
        }
    }

    fn fill(&self) {
        for class in [&self.basic_object, &self.object, &self.kernel, &self.comparable, &self.enumerable] {
            self.publish(class);
        }
        for (name, above) in EXCEPTIONS {
            if let Some(Value::Class(above)) = self.object.constant(Sym::new(above)) {
                self.publish(&Class::new(Some(name), Kind::Class, Some(above)));
            }
        }
        self.object.includes.borrow_mut().push(self.kernel.clone());
        for class in [&self.string, &self.numeric] {
            class.includes.borrow_mut().push(self.comparable.clone());
        }
        for class in [&self.array, &self.hash, &self.range, &self.r#struct] {
            class.includes.borrow_mut().push(self.enumerable.clone());
        }
        methods::define(self);
    }

    /// A new class or module under a name.
    pub(crate) fn class_named(&self, name: &str, kind: Kind, above: Option<&Rc<Class>>) -> Rc<Class> {
        let class = Class::new(Some(name), kind, above.cloned());
        self.publish(&class);
        class
    }

    /// Puts the methods of a table into a class.
    pub(crate) fn add(&self, class: &Rc<Class>, rows: &[Row]) {
        self.add_as(class, rows, Visibility::Public);
    }

    /// Puts the methods of a table into a class, for some callers only.
    pub(crate) fn add_as(&self, class: &Rc<Class>, rows: &[Row], visibility: Visibility) {
        for row in rows {
            let body = Body::Native(Native { fewest: row.1, most: row.2, run: row.3 });
            let name = Sym::new(row.0);
            let is_private =
                matches!(row.0, "initialize" | "initialize_copy" | "method_missing" | "respond_to_missing?");
            let visibility = if is_private { Visibility::Private } else { visibility };
            let owner = Rc::downgrade(class);
            class.add_method(name, Rc::new(Method { name, owner, visibility, body }));
        }
    }

    /// Puts the methods of a table into a class itself: `Class.name`.
    pub(crate) fn add_own(&self, class: &Rc<Class>, rows: &[Row]) {
        self.add(&self.meta(class), rows);
    }

    /// The class of a class, made when it is first asked for; it is below that of the superclass.
    pub(crate) fn meta(&self, class: &Rc<Class>) -> Rc<Class> {
        if let Some(known) = &*class.singleton.borrow() {
            return known.clone();
        }
        let above = match (class.is_module(), class.superclass.borrow().clone()) {
            (true, _) => self.module.clone(),
            (false, Some(superclass)) => self.meta(&superclass),
            (false, None) => self.class.clone(),
        };
        let kind = Kind::Singleton;
        let made = Class::new(None, kind, Some(above));
        *made.attached.borrow_mut() = Rc::downgrade(class);
        *class.singleton.borrow_mut() = Some(made.clone());
        made
    }
}

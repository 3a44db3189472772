//! The end of a session: classes, their constants and methods refer to each other in all directions, so nothing of them
//! would go by itself.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::Vm;
use super::class::Class;
use super::value::Value;

impl Drop for Vm {
    fn drop(&mut self) {
        let mut known: FxHashSet<usize> = FxHashSet::default();
        let mut waiting = vec![self.core.object.clone()];
        if let Value::Object(main) = &self.main {
            waiting.push(main.class.borrow().clone());
        }
        while let Some(class) = waiting.pop() {
            if known.insert(Rc::as_ptr(&class).addr()) {
                emptied(&class, &mut waiting);
            }
        }
    }
}

/// Takes everything out of a class; the classes among it are to follow.
fn emptied(class: &Class, waiting: &mut Vec<Rc<Class>>) {
    waiting.extend(class.superclass.take());
    waiting.extend(class.singleton.take());
    waiting.extend(class.includes.take());
    waiting.extend(class.prepends.take());
    class.methods.take();
    for variables in [&class.constants, &class.class_variables, &class.variables] {
        for (_, value) in variables.take() {
            match value {
                Value::Class(inner) => waiting.push(inner),
                Value::Object(object) => waiting.push(object.class.borrow().clone()),
                _ => {}
            }
        }
    }
}

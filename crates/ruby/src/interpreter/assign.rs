//! Assignments: to variables, to several at once, and those that read what they change.

use super::code::Place;
use super::tree::{Operator, Target, Targets, Update};
use super::value::Value;
use super::{Outcome, Vm};

impl Vm {
    pub(super) fn update(&mut self, update: &Update, at: Place<'_>) -> Outcome {
        let receiver = match &update.receiver {
            Some(receiver) => self.eval(receiver, at)?,
            None => at.frame.this.clone(),
        };
        if update.is_safe && receiver.is_nil() {
            return Ok(Value::Nil);
        }
        self.see(update.line);
        let (mut args, _) = self.arguments(&update.args, at)?;
        let present = self.send(&receiver, update.read, &args)?;
        let value = match update.operator {
            Operator::Or if present.is_truthy() => return Ok(present),
            Operator::And if !present.is_truthy() => return Ok(present),
            Operator::Or | Operator::And => self.eval(&update.value, at)?,
            Operator::Method(name) => {
                let value = self.eval(&update.value, at)?;
                self.send(&present, name, &[value])?
            }
        };
        args.push(value.clone());
        self.send(&receiver, update.write, &args)?;
        Ok(value)
    }

    pub(crate) fn assign_all(&mut self, targets: &Targets, items: &[Value], at: Place<'_>) -> Outcome<()> {
        let mut items = items.iter().cloned();
        for target in &targets.first {
            let value = items.next().unwrap_or(Value::Nil);
            self.assign(target, value, at)?;
        }
        if let Some(rest) = &targets.rest {
            let count = items.len().saturating_sub(targets.last.len());
            let taken: Vec<Value> = items.by_ref().take(count).collect();
            if let Some(target) = rest {
                self.assign(target, Value::array(taken), at)?;
            }
        }
        for target in &targets.last {
            let value = items.next().unwrap_or(Value::Nil);
            self.assign(target, value, at)?;
        }
        Ok(())
    }

    pub(crate) fn assign(&mut self, target: &Target, value: Value, at: Place<'_>) -> Outcome<()> {
        match target {
            Target::Nothing => {}
            Target::Local(depth, slot) => at.locals.set(*depth, *slot, value),
            Target::Variable(name) => {
                self.check_frozen(&at.frame.this)?;
                at.frame.this.set_variable(*name, value);
            }
            Target::Global(name) => {
                self.globals.insert(*name, value);
            }
            Target::ClassVariable(name) => self.set_class_variable(*name, value, at),
            Target::Constant(scope, name) => {
                let scope = match scope {
                    Some(scope) => Some(self.eval(scope, at)?),
                    None => None,
                };
                self.set_constant(scope, *name, value, at);
            }
            Target::Call(call) => {
                let (receiver, name, args, is_safe) = &**call;
                let receiver = self.eval(receiver, at)?;
                if *is_safe && receiver.is_nil() {
                    return Ok(());
                }
                let (mut args, _) = self.arguments(args, at)?;
                args.push(value);
                self.send(&receiver, *name, &args)?;
            }
            Target::Nested(targets) => {
                let items = self.spread(&value)?;
                self.assign_all(targets, &items, at)?;
            }
        }
        Ok(())
    }
}

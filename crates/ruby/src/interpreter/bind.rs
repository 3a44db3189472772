//! Arguments and the parameters that take them.

use super::code::{Args, Place};
use super::hash::{Entries, Key};
use super::tree::{Parameters, Target};
use super::value::Value;
use super::{Outcome, Vm};

impl Vm {
    /// Gives arguments to parameters: strictly for methods and lambdas, otherwise as blocks take them.
    pub(super) fn bind(
        &mut self,
        parameters: &Parameters,
        args: Args<'_>,
        is_strict: bool,
        at: Place<'_>,
    ) -> Outcome<()> {
        if self.bind_plain(parameters, args, is_strict, at) {
            return Ok(());
        }
        let (mut values, mut keywords) = match parameters.takes_keywords() {
            true => {
                let (values, keywords) = args.split_keywords();
                (values.to_vec(), keywords.cloned())
            }
            false => (args.values.to_vec(), None),
        };
        if parameters.no_keywords && args.keywords {
            return Err(self.argument_error("no keywords accepted"));
        }
        let (fewest, most) = parameters.extent();
        if !is_strict
            && values.len() == 1
            && (parameters.takes_several() || (parameters.takes_keywords() && fewest > 0))
            && let Some(lone) = values.first().cloned()
            && matches!(lone, Value::Array(_))
        {
            values = self.spread(&lone)?;
        }
        if is_strict && (values.len() < fewest || most.is_some_and(|most| values.len() > most)) {
            // Without a hash of keywords, a hash given as keywords counts as an argument.
            let missing: Vec<String> = parameters
                .keywords
                .iter()
                .filter(|it| it.default.is_none())
                .map(|it| it.name.as_str().to_string())
                .collect();
            if !missing.is_empty() {
                let expected = match most {
                    Some(most) if most == fewest => fewest.to_string(),
                    Some(most) => format!("{fewest}..{most}"),
                    None => format!("{fewest}+"),
                };
                let plural = if missing.len() == 1 { "keyword" } else { "keywords" };
                return Err(self.argument_error(&format!(
                    "wrong number of arguments (given {}, expected {expected}; required {plural}: {})",
                    values.len(),
                    missing.join(", ")
                )));
            }
            return Err(self.wrong_count(values.len(), fewest, most));
        }
        let mut items = values.into_iter();
        for target in &parameters.required {
            let value = items.next().unwrap_or(Value::Nil);
            self.assign(target, value, at)?;
        }
        for (slot, default) in &parameters.optional {
            let value = match items.len() > parameters.last.len() {
                true => items.next().unwrap_or(Value::Nil),
                false => self.eval(default, at)?,
            };
            at.locals.set(0, *slot, value);
        }
        if let Some(rest) = parameters.rest {
            let count = items.len().saturating_sub(parameters.last.len());
            let taken: Vec<Value> = items.by_ref().take(count).collect();
            if let Some(slot) = rest {
                at.locals.set(0, slot, Value::array(taken));
            }
        }
        for target in &parameters.last {
            let value = items.next().unwrap_or(Value::Nil);
            self.assign(target, value, at)?;
        }
        if parameters.takes_keywords() {
            self.bind_keywords(parameters, keywords.take(), at)?;
        }
        if let Some(slot) = parameters.block {
            at.locals.set(0, slot, args.block.map_or(Value::Nil, |block| Value::Proc(block.clone())));
        }
        Ok(())
    }

    /// Gives as many arguments to parameters that are nothing but variables; whether that was all.
    fn bind_plain(&mut self, parameters: &Parameters, args: Args<'_>, is_strict: bool, at: Place<'_>) -> bool {
        let count = parameters.required.len();
        let is_plain = parameters.extent() == (count, Some(count))
            && parameters.last.is_empty()
            && !parameters.takes_keywords()
            && !(parameters.no_keywords || parameters.block.is_some())
            && args.values.len() == count
            && (is_strict || count > 1 || !parameters.takes_several());
        if !is_plain || !parameters.required.iter().all(|target| matches!(target, Target::Local(0, _))) {
            return false;
        }
        for (target, value) in parameters.required.iter().zip(args.values) {
            if let Target::Local(_, slot) = target {
                at.locals.set(0, *slot, value.clone());
            }
        }
        true
    }

    fn bind_keywords(&mut self, parameters: &Parameters, keywords: Option<Value>, at: Place<'_>) -> Outcome<()> {
        let mut given = match keywords {
            Some(Value::Hash(hash)) => hash.entries.borrow().clone(),
            _ => Entries::default(),
        };
        let mut missing = Vec::new();
        for keyword in &parameters.keywords {
            let value = match (given.shift_remove(&Key::plain(Value::Sym(keyword.name))), &keyword.default) {
                (Some(value), _) => value,
                (None, Some(default)) => self.eval(default, at)?,
                (None, None) => {
                    missing.push(format!(":{}", keyword.name.as_str()));
                    continue;
                }
            };
            at.locals.set(0, keyword.slot, value);
        }
        let said = |names: &[String]| if names.len() == 1 { "keyword" } else { "keywords" };
        if !missing.is_empty() {
            return Err(self.argument_error(&format!("missing {}: {}", said(&missing), missing.join(", "))));
        }
        match parameters.keyword_rest {
            Some(Some(slot)) => at.locals.set(0, slot, Value::hash(given)),
            Some(None) => {}
            None if !given.is_empty() => {
                let mut unknown = Vec::new();
                for (key, _) in &given {
                    unknown.push(self.inspect(&key.value)?);
                }
                return Err(self.argument_error(&format!("unknown {}: {}", said(&unknown), unknown.join(", "))));
            }
            None => {}
        }
        Ok(())
    }
}

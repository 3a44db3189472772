//! Lambdas and functions written in Puppet: binding arguments to parameters and evaluating the body.

use ecow::EcoString;

use bunraku_pcore::data_types::{CallableType, IntegerType, TupleType};
use bunraku_pcore::{Type, Value, mismatch};
use bunraku_syntax::About;
use bunraku_syntax::ast::{Expr, Lambda, Parameter};

use crate::eval::assignment::RESERVED;
use crate::eval::{call, eval, eval_last, fail};
use crate::frame::Frame;
use crate::function::{Block, BlockCode};
use crate::issues;
use crate::scope::{Content, LayerId, Locals, Slots};
use crate::unwind::{Outcome, Unwind};

/// The evaluated types of a parameter list.
#[derive(Clone, Debug)]
pub(crate) struct Parameters {
    types: Vec<Type>,
    least: usize,
    most: Option<usize>,
    returned: Option<Type>,
    /// Whether every parameter accepts anything, so that arguments need no check.
    unchecked: bool,
    /// A parameter with the name of a variable that only the compiler sets.
    reserved: Option<EcoString>,
}

impl Parameters {
    /// Evaluates the types of a parameter list.
    pub(crate) fn evaluate(
        parameters: &[Parameter],
        return_type: Option<&Expr>,
        frame: &mut Frame<'_, '_>,
    ) -> Outcome<Parameters> {
        let (mut least, mut most) = (0, Some(0));
        let mut types = Vec::with_capacity(parameters.len());
        let mut in_optional = false;
        for parameter in parameters {
            let data_type = parameter.type_expr.as_ref().map_or(Ok(Type::Any), |expr| type_of(expr, frame))?;
            let (data_type, from, to) = match (parameter.captures_rest, data_type) {
                (true, Type::Array(array)) => {
                    let size = array.size.unwrap_or(IntegerType { from: Some(0), to: None });
                    let bound = |value: Option<i64>| value.and_then(|value| usize::try_from(value).ok());
                    (array.element.clone(), bound(size.from).unwrap_or(0), bound(size.to))
                }
                (true, other) => (other, 0, None),
                (false, other) => (other, usize::from(parameter.default.is_none()), Some(1)),
            };
            if from == 0 {
                in_optional = true;
            } else if in_optional {
                return fail(issues::required_parameter_after_optional(&parameter.name), parameter.name.span);
            }
            least += from;
            most = most.zip(to).map(|(most, to)| most + to);
            types.push(data_type);
        }
        let returned = return_type.map(|expr| type_of(expr, frame)).transpose()?;
        let unchecked = types.iter().all(|data_type| matches!(data_type, Type::Any));
        let is_reserved = |name: &&EcoString| RESERVED.contains(&name.as_str());
        let reserved = parameters.iter().map(|parameter| &parameter.name.name).find(is_reserved).cloned();
        Ok(Parameters { types, least, most, returned, unchecked, reserved })
    }

    /// So many parameters that take anything.
    pub(crate) fn untyped(least: usize, most: Option<usize>) -> Parameters {
        let types = vec![Type::Any; most.unwrap_or(least).max(1)];
        Parameters { types, least, most, returned: None, unchecked: true, reserved: None }
    }

    /// The type of what is returned, where it is declared.
    pub(crate) fn returned(&self) -> Option<&Type> {
        self.returned.as_ref()
    }

    /// The type of something with these parameters.
    pub(crate) fn callable_type(&self) -> Type {
        Type::Callable(std::sync::Arc::new(self.callable()))
    }

    pub(crate) fn callable(&self) -> CallableType {
        let bound = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let size = IntegerType { from: Some(bound(self.least)), to: self.most.map(bound) };
        let parameters = Some(TupleType::new(self.types.clone(), Some(size)));
        CallableType { parameters, block: None, returned: self.returned.clone() }
    }

    /// Whether so many arguments can be given.
    pub(crate) fn takes(&self, count: usize) -> bool {
        count >= self.least && self.most.is_none_or(|most| count <= most)
    }

    pub(crate) fn accepts(&self, args: &[Value]) -> bool {
        self.takes(args.len())
            && (self.unchecked
                || args.iter().enumerate().all(|(index, arg)| {
                    self.types.get(index).or(self.types.last()).is_none_or(|data_type| data_type.is_instance(arg))
                }))
    }
}

fn type_of(expr: &Expr, frame: &mut Frame<'_, '_>) -> Outcome<Type> {
    match eval(expr, frame)? {
        Value::Type(data_type) => Ok(data_type),
        other => Err(issues::runtime(format!("'{other}' is not a data type")).into()),
    }
}

/// Makes a block of a lambda at the place where the call is.
pub(crate) fn block<'a>(lambda: &'a Lambda, frame: &mut Frame<'_, '_>) -> Outcome<Block<'a>> {
    let parameters = Parameters::evaluate(&lambda.parameters, lambda.return_type.as_ref(), frame)?;
    Ok(Block { code: BlockCode::Lambda(lambda), parameters, scope: frame.scope, layer: frame.layer })
}

/// Calls a block with arguments.
pub(crate) fn call(block: &Block<'_>, args: Vec<Value>, frame: &mut Frame<'_, '_>) -> Outcome {
    frame.compilation.clock.step()?;
    let mut inner = frame.elsewhere(block.scope, block.layer);
    match block.code {
        BlockCode::Foreign(code) => code.call(args, &mut inner),
        BlockCode::Lambda(lambda) => {
            let (parameters, body) = (&lambda.parameters, &lambda.body);
            Closure { name: "lambda", parameters, types: &block.parameters, body }.call(args, &mut inner)
        }
    }
}

/// What a lambda and a function in Puppet have in common.
pub(crate) struct Closure<'a> {
    /// What messages call it.
    pub(crate) name: &'a str,
    /// Its parameters.
    pub(crate) parameters: &'a [Parameter],
    /// Their types.
    pub(crate) types: &'a Parameters,
    /// Its body.
    pub(crate) body: &'a Expr,
}

impl Closure<'_> {
    /// Calls it at a place: binds the arguments, evaluates the body and checks what it returns.
    pub(crate) fn call(&self, args: Vec<Value>, frame: &mut Frame<'_, '_>) -> Outcome {
        if let Some(name) = &self.types.reserved {
            let message = format!("Attempt to assign to a reserved variable name: '{name}'");
            return Err(issues::runtime(message).into());
        }
        frame.guarded(|frame| {
            let bound = self.bind(args, frame)?;
            frame.push_locals(bound);
            let locals = frame.layer;
            let value = match eval_last(self.body, frame) {
                Err(Unwind::Next(jump)) => jump.value,
                Err(Unwind::Break(span)) => {
                    frame.layer = locals;
                    frame.compilation.abandoned = self.first_argument(frame);
                    return Err(Unwind::Break(span));
                }
                outcome => outcome?,
            };
            self.check_returned(value)
        })
    }

    /// What the first argument was: `break()` ends a `reduce` with the value so far, which only the lambda holds.
    fn first_argument(&self, frame: &Frame<'_, '_>) -> Value {
        let first = self.parameters.first();
        let local = first.and_then(|parameter| frame.compilation.scopes.local(&parameter.name, frame.layer));
        match local {
            Some(Value::Array(rest)) if first.is_some_and(|first| first.captures_rest) => {
                rest.first().cloned().unwrap_or_default()
            }
            other => other.cloned().unwrap_or_default(),
        }
    }

    fn check_returned(&self, value: Value) -> Outcome {
        if let Some(expected) = &self.types.returned
            && !expected.is_instance(&value)
        {
            mismatch::assert_instance(&format!("value returned from {}", self.name), expected, &value)?;
        }
        Ok(value)
    }

    fn bind(&self, args: Vec<Value>, frame: &mut Frame<'_, '_>) -> Outcome<Locals> {
        let simple =
            args.len() == self.parameters.len() && !self.parameters.last().is_some_and(|last| last.captures_rest);
        if simple {
            if !self.types.accepts(&args) {
                return Err(self.mismatch(&args, None).into());
            }
            let mut bound = Locals::with_capacity(args.len());
            for (parameter, arg) in self.parameters.iter().zip(args) {
                bound.push((parameter.name.name.clone(), arg));
            }
            return Ok(bound);
        }
        let bound = self.bind_with_defaults(args, frame)?;
        let mut flat: Vec<Value> = Vec::with_capacity(bound.len());
        for (parameter, (_, value)) in self.parameters.iter().zip(&bound) {
            match value {
                Value::Array(elements) if parameter.captures_rest => flat.extend(elements.iter().cloned()),
                value => flat.push(value.clone()),
            }
        }
        if !self.types.accepts(&flat) {
            return Err(self.mismatch(&flat, None).into());
        }
        Ok(bound)
    }

    /// Binds from left to right; a default sees the parameters before it.
    fn bind_with_defaults(&self, args: Vec<Value>, frame: &mut Frame<'_, '_>) -> Outcome<Locals> {
        let names: Slots = self.parameters.iter().map(|parameter| (parameter.name.name.clone(), None)).collect();
        let content = Content::Parameters { parameters: names };
        let layer = frame.compilation.scopes.push(frame.scope, frame.layer, content);
        let mut args = args.into_iter();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let given = args.next();
            let value = if parameter.captures_rest {
                let rest: Vec<Value> = given.into_iter().chain(args.by_ref()).collect();
                match (&parameter.default, rest.as_slice()) {
                    // Compatibility: a lone undef counts as nothing given.
                    (Some(default), [] | [Value::Undef]) => {
                        match default_value(|_| self.name.into(), self.parameters, index, default, layer, frame)? {
                            array @ Value::Array(_) => array,
                            other => Value::array([other]),
                        }
                    }
                    _ => Value::from(rest),
                }
            } else {
                match (given, &parameter.default) {
                    (Some(value), _) => value,
                    (None, Some(default)) => {
                        default_value(|_| self.name.into(), self.parameters, index, default, layer, frame)?
                    }
                    (None, None) => {
                        return fail(issues::missing_required_parameter(&parameter.name), parameter.name.span);
                    }
                }
            };
            if let Some(slot) = frame.compilation.scopes.parameters_mut(layer).and_then(|slots| slots.get_mut(index)) {
                slot.1 = Some(value);
            }
        }
        let slots = frame.compilation.scopes.parameters_mut(layer).map(std::mem::take).unwrap_or_default();
        Ok(slots.into_iter().map(|(name, value)| (name, value.unwrap_or_default())).collect())
    }

    pub(crate) fn mismatch(&self, args: &[Value], block: Option<&Type>) -> bunraku_syntax::Issue {
        let names: Vec<EcoString> = self.parameters.iter().map(|parameter| parameter.name.name.clone()).collect();
        let callable = self.types.callable();
        let signature = mismatch::Signature { callable: &callable, names: &names, block_name: "block" };
        let declared = |issue: bunraku_syntax::Issue| match issue.about() {
            Some(About::Argument(index)) => {
                let position = index.min(self.parameters.len().saturating_sub(1));
                let parameter = self.parameters.get(position);
                parameter
                    .into_iter()
                    .fold(issue, |it, found| it.with_related("the parameter is declared here", found.span))
            }
            _ => issue,
        };
        declared(call::wrong_call(self.name, &[signature], args, block))
    }
}

/// The value of a default, which sees the parameters that already have one.
pub(crate) fn default_value(
    name: impl FnOnce(&Frame<'_, '_>) -> EcoString,
    parameters: &[Parameter],
    index: usize,
    expr: &Expr,
    layer: LayerId,
    frame: &mut Frame<'_, '_>,
) -> Outcome {
    let outcome = frame.guarded(|frame| {
        frame.layer = Some(layer);
        eval(expr, frame)
    });
    let Err(Unwind::Unevaluated(used)) = outcome else { return outcome };
    let name = name(frame);
    let is_before = parameters.iter().take(index).any(|parameter| *parameter.name == used);
    let message = if is_before {
        format!("{name}: expects a value for parameter ${used}")
    } else {
        let from = parameters.get(index).map_or("", |parameter| parameter.name.as_str());
        format!("{name}: default expression for ${from} tries to illegally access not yet evaluated ${used}")
    };
    Err(issues::runtime(message).into())
}

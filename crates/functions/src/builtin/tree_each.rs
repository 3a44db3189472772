//! `tree_each`: all values in nested data, each with its path.

use std::collections::VecDeque;
use std::sync::Arc;
use std::vec::IntoIter;

use bunraku_compiler::Outcome;
use bunraku_compiler::function;
use bunraku_compiler::function::Call;
use bunraku_pcore::iterator::{Iterator, Sequence};
use bunraku_pcore::parse::data_type;
use bunraku_pcore::{Hash, Type, Value, limits};
use bunraku_syntax::Issue;

use crate::number::fail;

function! {
    /// Gives all values in arrays, hashes and objects inside of each other, to another function or to the lambda.
    ///
    /// A lambda with one parameter gets the value, one with two the path before it. Options: `container_type`,
    /// `include_root`, `include_containers`, `include_values`, `order` (`depth_first` or `breadth_first`) and
    /// `include_refs`.
    ///
    /// ```puppet
    /// [1, [2, 3]].tree_each({'include_containers' => false}).map |$each| { $each[1] } # [1, 2, 3]
    /// ```
    "tree_each" where "OptionsType = Struct[{container_type => Optional[Type], include_root => Optional[Boolean], \
      include_containers => Optional[Boolean], include_values => Optional[Boolean], \
      order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}]" {
        "(Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options = undef, Callable[2, 2] &$block)" as ">> Any" => each_with_path(call, tree, options),
        "(Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options = undef, Callable[1, 1] &$block)" as ">> Any" => each_value(call, tree, options),
        "(Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options = undef)" as ">> Any" => iterator(tree, options),
    }
}

fn each_with_path(call: &mut Call<'_, '_>, tree: &Value, options: Option<&Hash>) -> Outcome {
    call.each_until_break(walk(tree, options)?, |call, (path, value)| {
        call.yield_to_block(vec![path, value])?;
        Ok(())
    })?;
    Ok(tree.clone())
}

fn each_value(call: &mut Call<'_, '_>, tree: &Value, options: Option<&Hash>) -> Outcome {
    call.each_until_break(walk(tree, options)?, |call, (_, value)| {
        call.yield_to_block(vec![value])?;
        Ok(())
    })?;
    Ok(tree.clone())
}

fn iterator(tree: &Value, options: Option<&Hash>) -> Result<Value, Issue> {
    let pairs = walk(tree, options)?.into_iter().map(|(path, value)| Value::array([path, value]));
    let sequence = Sequence::Array(Arc::new(pairs.collect()));
    Ok(Value::Iterator(Arc::new(Iterator::new(Type::Any, sequence))))
}

/// A key or index and the value there.
type Entry = (Value, Value);

/// What is visited, and in which order.
struct Walk<'o> {
    containers: Option<&'o Type>,
    with_root: bool,
    with_containers: bool,
    with_values: bool,
    with_references: bool,
    is_breadth_first: bool,
}

/// The types of what other values may be in.
fn container_type() -> Result<Type, Issue> {
    data_type("Variant[Array, Hash, Object]")
}

impl Walk<'_> {
    fn new(options: Option<&Hash>) -> Result<Walk<'_>, Issue> {
        let option = |name: &str| options.and_then(|options| options.get_str(name)).filter(|value| !value.is_undef());
        let flag = |name: &str| option(name).is_none_or(Value::is_truthy);
        let containers = match option("container_type") {
            Some(Value::Type(data_type)) => Some(data_type),
            _ => None,
        };
        if let Some(containers) = containers
            && !container_type()?.is_assignable(containers)
        {
            return fail(format!(
                "Only Array, Hash, and Object types can be used as container types. Got {containers}"
            ));
        }
        let (with_containers, with_values) = (flag("include_containers"), flag("include_values"));
        if !with_containers && !with_values {
            return fail("Options 'include_containers' and 'include_values' cannot both be false");
        }
        Ok(Walk {
            containers,
            with_root: with_containers && flag("include_root"),
            with_containers,
            with_values,
            with_references: option("include_refs").is_some_and(Value::is_truthy),
            is_breadth_first: option("order").and_then(Value::as_str) == Some("breadth_first"),
        })
    }

    /// The entries of a container; nothing if the value is none.
    fn entries(&self, value: &Value) -> Result<Option<Vec<Entry>>, Issue> {
        if self.containers.is_some_and(|containers| !containers.is_instance(value)) {
            return Ok(None);
        }
        Ok(Some(match value {
            Value::Array(elements) => (0_i64..).map(Value::Integer).zip(elements.iter().cloned()).collect(),
            Value::Hash(hash) => hash.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
            _ => match value.attributes(self.with_references)? {
                Some(attributes) => attributes.into_iter().map(|(name, value)| (name.into(), value)).collect(),
                None => return Ok(None),
            },
        }))
    }
}

/// All paths and values that the options ask for.
fn walk(tree: &Value, options: Option<&Hash>) -> Result<Vec<(Value, Value)>, Issue> {
    let walk = Walk::new(options)?;
    let mut visited = Vec::new();
    // Every path is an array of its own.
    let mut steps = 0;
    if walk.with_root {
        visited.push((Value::array([]), tree.clone()));
    }
    let Some(entries) = walk.entries(tree)? else { return Ok(visited) };
    let mut open: VecDeque<(Vec<Value>, IntoIter<Entry>)> = VecDeque::new();
    open.push_back((Vec::new(), entries.into_iter()));
    while let Some((path, entries)) = if walk.is_breadth_first { open.front_mut() } else { open.back_mut() } {
        let Some((key, value)) = entries.next() else {
            if walk.is_breadth_first {
                open.pop_front()
            } else {
                open.pop_back()
            };
            continue;
        };
        let mut path = path.clone();
        path.push(key);
        let inner = walk.entries(&value)?;
        // Compatibility: values are always visited when the nearest come first.
        if if inner.is_some() { walk.with_containers } else { walk.with_values || walk.is_breadth_first } {
            steps += path.len() as u64;
            limits::check_elements(steps)?;
            visited.push((Value::from(path.clone()), value));
        }
        if let Some(inner) = inner {
            open.push_back((path, inner.into_iter()));
        }
    }
    Ok(visited)
}

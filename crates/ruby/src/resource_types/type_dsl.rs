//! The declarations of `Puppet::Type.newtype`: parameters, properties, values, features and relationships.

use std::rc::Rc;

use super::interpreter::{Interpreter, Jump, Outcome};
use super::library::{Method, text};
use super::methods::Call;
use super::value::{Closure, This, Value};
use super::{ApplyTo, Attribute, AttributeKind, ResourceType, TitlePattern};

/// A resource type while its declaration is read.
#[derive(Default)]
pub(super) struct TypeBuilder<'pr> {
    pub(super) declared: ResourceType,
    /// Modules whose methods the class of the type has.
    pub(super) extended: Vec<Rc<str>>,
    methods: Vec<(String, Rc<Method<'pr>>)>,
    title_patterns: Option<Vec<TitlePattern>>,
}

impl<'pr> TypeBuilder<'pr> {
    pub(super) fn new(name: &str) -> Self {
        let declared = ResourceType { name: name.to_string(), isomorphic: true, ..ResourceType::default() };
        TypeBuilder { declared, ..TypeBuilder::default() }
    }

    /// A method of the class itself, the last definition of it.
    pub(super) fn method(&self, name: &str) -> Option<Rc<Method<'pr>>> {
        self.methods.iter().rev().find(|(known, _)| known == name).map(|(_, method)| method.clone())
    }

    pub(super) fn set_title_patterns(&mut self, patterns: Vec<TitlePattern>) {
        self.title_patterns = Some(patterns);
    }
}

impl<'pr> Interpreter<'_, 'pr> {
    /// `Puppet::Type.newtype(:name) do … end`
    pub(super) fn new_type(&mut self, call: &Call<'pr>) -> Outcome<'pr> {
        let name = call.argument(0);
        let Some(name) = name.text() else {
            return Ok(Value::Unknown);
        };
        let index = self.types.len();
        self.types.push(TypeBuilder::new(name));
        if let Some(block) = &call.block {
            self.call_block(block, Vec::new(), Some(This::Type(index)))?;
        }
        Ok(Value::This(This::Type(index)))
    }

    pub(super) fn add_type_method(&mut self, index: usize, method: Method<'pr>) {
        if let Some(builder) = self.types.get_mut(index) {
            let name = text(method.definition.name().as_slice());
            builder.methods.push((name, Rc::new(method)));
        }
    }

    /// Instance variables of the class that mean something to the reference.
    pub(super) fn set_type_variable(&mut self, this: &This, name: &[u8], value: &Value<'pr>) {
        let This::Type(index) = this else { return };
        let Some(builder) = self.types.get_mut(*index) else {
            return;
        };
        match name {
            b"@isomorphic" => builder.declared.isomorphic = value.truth().unwrap_or(true),
            b"@doc" => builder.declared.doc = value.text().unwrap_or_default().to_string(),
            _ => {}
        }
    }

    /// A call that declares something in a type or attribute; nothing if it is not one.
    pub(super) fn declare_in(&mut self, this: &This, call: &Call<'pr>) -> Result<Option<Value<'pr>>, Jump<'pr>> {
        match this {
            This::Type(index) => self.declare_in_type(*index, call),
            This::Attribute(index, attribute) => self.declare_in_attribute(*index, *attribute, call),
            This::Module(module)
                if matches!(&**module, "Puppet::Type" | "Puppet" | "Type") && call.name == "newtype" =>
            {
                self.new_type(call).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn declare_in_type(&mut self, index: usize, call: &Call<'pr>) -> Result<Option<Value<'pr>>, Jump<'pr>> {
        match call.name.as_str() {
            "newparam" => {
                return self.add_attribute(index, call, AttributeKind::Parameter).map(Some);
            }
            "newproperty" => {
                return self.add_attribute(index, call, AttributeKind::Property).map(Some);
            }
            "ensurable" => return self.ensurable(index, call.block.as_ref()).map(Some),
            "include" | "extend" => {
                self.mix_in(&This::Type(index), call)?;
                return Ok(Some(Value::Nil));
            }
            "respond_to?" => return Ok(Some(Value::Boolean(true))),
            _ => {}
        }
        let Some(builder) = self.types.get_mut(index) else {
            return Ok(None);
        };
        let declared = &mut builder.declared;
        let first = call.argument(0);
        let mut add = |list: fn(&mut ResourceType) -> &mut Vec<String>| {
            let list = list(declared);
            if let Some(name) = first.text().filter(|name| !list.iter().any(|known| known == name)) {
                list.push(name.to_string());
            }
        };
        match call.name.as_str() {
            "autorequire" => add(|declared| &mut declared.autorequire),
            "autobefore" => add(|declared| &mut declared.autobefore),
            "autosubscribe" => add(|declared| &mut declared.autosubscribe),
            "autonotify" => add(|declared| &mut declared.autonotify),
            "feature" => add(|declared| &mut declared.features),
            "apply_to_device" => declared.apply_to = ApplyTo::Device,
            "apply_to_host" => declared.apply_to = ApplyTo::Host,
            "apply_to_all" => declared.apply_to = ApplyTo::Both,
            "desc" | "doc=" => declared.doc = first.text().unwrap_or_default().to_string(),
            "name" => return Ok(Some(Value::symbol(&declared.name))),
            _ => return Ok(None),
        }
        Ok(Some(Value::Nil))
    }

    /// `newparam` and `newproperty`; a second declaration of the same name takes the place of the first.
    fn add_attribute(&mut self, index: usize, call: &Call<'pr>, kind: AttributeKind) -> Outcome<'pr> {
        let name = call.argument(0);
        let Some(name) = name.text() else {
            return Ok(Value::Unknown);
        };
        let mut attribute = Attribute::new(name, kind);
        let options = call.argument(1);
        attribute.namevar = options.entry("namevar").and_then(Value::truth) == Some(true);
        if let Some(features) = options.entry("required_features") {
            attribute.required_features = texts(&features.items());
        }
        // The one parent class of the reference that brings values along.
        if matches!(options.entry("parent"), Some(Value::Constant(parent)) if &**parent == "Puppet::Parameter::Boolean")
        {
            attribute.values = ["true", "false", "yes", "no"].map(str::to_string).to_vec();
        }
        self.insert_attribute(index, attribute, call.block.as_ref())
    }

    fn insert_attribute(
        &mut self,
        index: usize,
        attribute: Attribute,
        block: Option<&Rc<Closure<'pr>>>,
    ) -> Outcome<'pr> {
        let Some(builder) = self.types.get_mut(index) else {
            return Ok(Value::Unknown);
        };
        let attributes = &mut builder.declared.attributes;
        let place = attributes.iter().position(|known| known.name == attribute.name && known.kind == attribute.kind);
        let place = place.unwrap_or(attributes.len());
        match attributes.get_mut(place) {
            Some(known) => *known = attribute,
            None => attributes.push(attribute),
        }
        let this = This::Attribute(index, place);
        if let Some(block) = block {
            self.call_block(block, Vec::new(), Some(this.clone()))?;
        }
        Ok(Value::This(this))
    }

    /// `ensurable`, with the values `present` and `absent` unless a block names others.
    fn ensurable(&mut self, index: usize, block: Option<&Rc<Closure<'pr>>>) -> Outcome<'pr> {
        let mut ensure = Attribute::new("ensure", AttributeKind::Property);
        if block.is_none() {
            ensure.values = vec!["present".to_string(), "absent".to_string()];
        }
        self.insert_attribute(index, ensure, block)
    }

    fn declare_in_attribute(
        &mut self,
        index: usize,
        place: usize,
        call: &Call<'pr>,
    ) -> Result<Option<Value<'pr>>, Jump<'pr>> {
        if matches!(call.name.as_str(), "include" | "extend") {
            self.mix_in(&This::Attribute(index, place), call)?;
            return Ok(Some(Value::Nil));
        }
        let attribute = self.types.get_mut(index).and_then(|builder| builder.declared.attributes.get_mut(place));
        let Some(attribute) = attribute else {
            return Ok(None);
        };
        match call.name.as_str() {
            "newvalues" => call.arguments.iter().for_each(|value| add_value(attribute, value)),
            "newvalue" => add_value(attribute, &call.argument(0)),
            "defaultvalues" => {
                ["present", "absent"].iter().for_each(|value| add_value(attribute, &Value::symbol(value)))
            }
            "isnamevar" => attribute.namevar = true,
            "desc" => attribute.doc = call.argument(0).text().unwrap_or_default().to_string(),
            "required_features=" => attribute.required_features = texts(&call.argument(0).items()),
            "name" => return Ok(Some(Value::symbol(&attribute.name))),
            _ => return Ok(None),
        }
        Ok(Some(Value::Nil))
    }

    /// `include` and `extend`: the module's hook may declare more, its methods become the type's.
    fn mix_in(&mut self, this: &This, call: &Call<'pr>) -> Result<(), Jump<'pr>> {
        let hook = if call.name == "extend" { "extended" } else { "included" };
        for module in &call.arguments {
            let Value::Constant(module) = module else {
                continue;
            };
            if let (This::Type(index), "extend") = (this, call.name.as_str())
                && let Some(builder) = self.types.get_mut(*index)
            {
                builder.extended.push(module.clone());
            }
            if self.library.singleton_method(module, hook).is_some() {
                let call = Call { name: hook.to_string(), arguments: vec![Value::This(this.clone())], block: None };
                self.call_on_constant(module, call)?;
            }
        }
        Ok(())
    }

    /// Asks the type's own methods what they answer, once everything is declared.
    pub(super) fn finish_type(&mut self, index: usize) {
        let this = This::Type(index);
        let patterns = self.answer(&this, "title_patterns").and_then(|value| title_patterns(&value));
        let isomorphic = self.answer(&this, "isomorphic?").and_then(|value| value.truth());
        if let Some(builder) = self.types.get_mut(index) {
            builder.declared.isomorphic = isomorphic.unwrap_or(builder.declared.isomorphic);
            let patterns = patterns.or(builder.title_patterns.take());
            builder.declared.finish(patterns);
        }
    }

    /// The value of a method the declaration defines on the type.
    fn answer(&mut self, this: &This, name: &str) -> Option<Value<'pr>> {
        let method = self.method_of(this, name)?;
        let call = Call { name: name.to_string(), arguments: Vec::new(), block: None };
        self.call_method(&method, this.clone(), call).ok()
    }
}

/// Adds a value an attribute accepts, as text or as a pattern.
fn add_value(attribute: &mut Attribute, value: &Value<'_>) {
    if let Value::Regexp(pattern) = value {
        attribute.patterns.push(pattern.as_ref().clone());
    } else if let Some(text) = value.interpolated() {
        attribute.values.push(text);
    }
}

fn texts(values: &[Value<'_>]) -> Vec<String> {
    values.iter().filter_map(|value| value.text()).map(str::to_string).collect()
}

/// Title patterns as the reference has them: `[[/regexp/, [[:attribute], …]], …]`.
fn title_patterns(value: &Value<'_>) -> Option<Vec<TitlePattern>> {
    let Value::Array(patterns) = value else {
        return None;
    };
    let mut found = Vec::new();
    for pattern in patterns.iter() {
        let parts = pattern.items();
        let [Value::Regexp(regexp), Value::Array(targets)] = parts.as_slice() else {
            return None;
        };
        let attributes = targets.iter().map(|target| target.items().first()?.text().map(str::to_string));
        found.push(TitlePattern { pattern: regexp.as_ref().clone(), attributes: attributes.collect::<Option<_>>()? });
    }
    Some(found)
}

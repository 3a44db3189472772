//! Makes resources that can be applied of those of a catalog: values are checked and put into the form of their type, what
//! every catalog has is added, and the relationships are found.

use bunraku_catalog::graph::{Cause, Graph as Relationships, Relation};
use bunraku_catalog::reference::capitalize;
use bunraku_catalog::resource_type::{self, AttributeKind, ResourceType};
use bunraku_catalog::resource_types::builtin;
use bunraku_catalog::{Catalog, Edge, Kind, Parameters, Reference, Resource as Declaration, Tags};
use bunraku_pcore::Value;
use ecow::EcoString;
use rustc_hash::FxHashMap;

use crate::context::{Context, Known};
use crate::fault::{Fault, Outcome};
use crate::graph::Graph;
use crate::log::Level;
use crate::metaparameters;
use crate::property::text_of;
use crate::resource::{Body, Generated, Given, Resource, Site, Unmanageable, located};
use crate::resources;
use crate::ruby;

/// The schedules that every catalog has.
const SCHEDULES: [&str; 6] = ["puppet", "hourly", "daily", "weekly", "monthly", "never"];

/// Adds the schedules and the filebucket that every catalog has.
pub(crate) fn add_defaults(catalog: &mut Catalog) {
    let mut add = |type_name: &str, title: &str, parameters: &[(&str, &str)]| {
        let reference = Reference::new(type_name, title);
        if catalog.position(&reference).is_none() {
            let mut resource = Declaration::new(reference, Kind::CompilableType);
            for tag in [type_name, title] {
                resource.tags.add(tag);
            }
            resource.parameters = parameters.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
            catalog.add_new(resource);
        }
    };
    for schedule in SCHEDULES {
        match schedule {
            "puppet" => add("schedule", schedule, &[("period", "hourly"), ("repeat", "2")]),
            period => add("schedule", schedule, &[("period", period)]),
        }
    }
    add("filebucket", "puppet", &[]);
}

/// The resources of a run, in the order of the catalog, with what contains what.
pub(crate) struct Built {
    /// All resources; the numbers of those of the catalog are their places in it.
    pub(crate) resources: Vec<Resource>,
    /// The order in which they stand.
    pub(crate) order: Vec<usize>,
    /// The catalog they were made of, to which generated ones are added.
    pub(crate) catalog: Catalog,
    /// Which generated resource comes before or after the one that made it.
    generated_relations: Vec<(usize, usize)>,
}

/// Makes resources of those of a catalog. The first that is not valid ends it.
pub(crate) fn build(catalog: Catalog, context: &mut Context<'_>) -> Outcome<Built> {
    let mut containers = vec![None; catalog.len()];
    for edge in &catalog.edges {
        let places = (catalog.position(&edge.source), catalog.position(&edge.target));
        if let (Some(source), Some(target)) = places
            && let Some(container) = containers.get_mut(target)
        {
            // What is in several containers is shown in the first.
            container.get_or_insert(source);
        }
    }
    for declaration in catalog.resources() {
        declare(declaration, context);
    }
    check_paths(&catalog)?;
    let mut resources: Vec<Resource> = Vec::with_capacity(catalog.len());
    let order = (0..catalog.len()).collect();
    let mut built = Built { order, catalog, resources: Vec::new(), generated_relations: Vec::new() };
    for (place, declaration) in built.catalog.resources().enumerate() {
        let containment = containment(&built.catalog, &containers, place);
        let mut site = site(declaration, containment, context);
        if !declaration.parameters.contains_key("noop") {
            site.is_noop = inherited_noop(&built.catalog, &containers, place).unwrap_or(site.is_noop);
        }
        site.is_noop |= context.options.plans;
        let body = body(declaration, &site, context)?;
        resources.push(Resource { site, body });
    }
    built.resources = resources;
    Ok(built)
}

/// Refuses two files that are the same on the machine; who compiles compares paths as they are written.
fn check_paths(catalog: &Catalog) -> Outcome {
    let mut known: FxHashMap<String, &Declaration> = FxHashMap::default();
    for declaration in catalog.resources().filter(|it| it.reference.type_name == "File") {
        let reference = &declaration.reference;
        let path = resources::expanded(&declaration.get("path").map_or_else(|| reference.title.to_string(), text_of));
        let Some(other) = known.get(&path) else {
            _ = known.insert(path, declaration);
            continue;
        };
        let at = |message: String, place: &Declaration| located(message, place.file.as_deref(), place.line);
        return Err(Fault::new(if reference.title == path {
            let first = at(format!("Duplicate declaration: {reference} is already declared at"), other);
            at(format!("{first}; cannot redeclare"), declaration)
        } else {
            let second = at(format!("Cannot alias {reference} to [\"{path}\"] at"), declaration);
            at(format!("{second}; resource [\"File\", \"{path}\"] already declared"), other)
        }));
    }
    Ok(())
}

/// Lets resource types find a resource of the catalog.
pub(crate) fn declare(declaration: &Declaration, context: &mut Context<'_>) {
    let name = builtin(&declaration.reference.type_name.to_lowercase())
        .and_then(|known| known.uniqueness_key(&declaration.reference.title, |name| declaration.get(name)).ok())
        .and_then(|key| match key.as_slice() {
            [Value::String(name)] => Some(name.to_string()),
            _ => None,
        });
    let name = name.unwrap_or_else(|| declaration.reference.title.to_string());
    let known = Known { reference: declaration.reference.clone(), name, parameters: declaration.parameters.clone() };
    context.declared.add(known);
}

impl Built {
    /// Makes a resource of one that another resource generated; nothing if the catalog has it already.
    pub(crate) fn generated(
        &self,
        generated: Generated,
        parent: &Site,
        context: &mut Context<'_>,
    ) -> Outcome<Option<Resource>> {
        let Generated { reference, parameters } = generated;
        let type_name = reference.type_name.to_lowercase();
        if context.declared.find(&type_name, &reference.title).is_some() {
            return Ok(None);
        }
        let mut declaration = Declaration::new(reference, Kind::CompilableType);
        declaration.parameters = parameters;
        for tag in [&declaration.reference.type_name, &declaration.reference.title] {
            declaration.tags.add(tag);
        }
        declaration.tags.merge(&parent.tags);
        let is_named = |name: &&String| declaration.parameters.contains_key(name.as_str());
        declaration.sensitive_parameters =
            parent.sensitive.iter().filter(is_named).map(|it| it.as_str().into()).collect();
        let mut containment = parent.containment.clone();
        containment.pop();
        containment.push(declaration.reference.to_string());
        declare(&declaration, context);
        let site = site(&declaration, containment, context);
        let site = Site { is_noop: site.is_noop || parent.is_noop, ..site };
        let body = body(&declaration, &site, context)?;
        Ok(Some(Resource { site, body }))
    }

    /// Puts a generated resource into the catalog: next to the one that made it, in the same container.
    pub(crate) fn insert(&mut self, resource: Resource, parent: usize, is_before: bool) -> usize {
        let number = self.resources.len();
        let mut declaration = Declaration::new(resource.site.reference.clone(), Kind::CompilableType);
        declaration.parameters = resource.site.parameters.clone();
        declaration.tags = resource.site.tags.clone();
        let parent_reference = self.resources.get(parent).map(|it| it.site.reference.clone());
        let container = self.catalog.edges.iter().find(|edge| Some(&edge.target) == parent_reference.as_ref());
        if let Some(container) = container.map(|edge| edge.source.clone()) {
            self.catalog.edges.push(Edge { source: container, target: declaration.reference.clone() });
        }
        self.catalog.add_new(declaration);
        let place = self.order.iter().position(|it| *it == parent).unwrap_or(self.order.len());
        self.order.insert(if is_before { place } else { place + 1 }, number);
        self.resources.push(resource);
        number
    }

    /// Lets one resource of the catalog come before another.
    pub(crate) fn order(&mut self, first: usize, second: usize) {
        self.generated_relations.push((first, second));
    }

    /// Refuses relationships to resources that the catalog does not have.
    pub(crate) fn check_dependencies(&self) -> Outcome {
        let missing = Relationships::new(&self.catalog).missing;
        match missing.first().and_then(|(place, reference)| Some((self.resources.get(*place)?, reference))) {
            Some((Resource { site, .. }, reference)) => {
                Err(Fault::new(format!("Could not retrieve dependency '{reference}' of {}", site.label)))
            }
            None => Ok(()),
        }
    }

    /// The relationships of all resources, with containers still in them.
    pub(crate) fn graph(&self) -> Graph {
        let mut graph = Graph::default();
        for number in &self.order {
            graph.add(*number);
        }
        let found = Relationships::new(&self.catalog);
        let mut relations: Vec<_> = found.relationships().iter().filter(|it| it.cause != Cause::Containment).collect();
        let rank = |relation: Relation| match relation {
            Relation::Require => 0,
            Relation::Subscribe => 1,
            Relation::Before => 2,
            Relation::Notify => 3,
        };
        let places: FxHashMap<usize, usize> =
            self.order.iter().enumerate().map(|(place, number)| (*number, place)).collect();
        // What is written goes first, each resource in its turn; the rest in the order in which it was found.
        relations.sort_by_key(|it| match it.cause {
            Cause::Metaparameter(relation) => {
                let owner = if relation.is_on_first() { it.first() } else { it.second() };
                (0, places.get(&owner).copied().unwrap_or_default(), rank(relation))
            }
            _ => (1, 0, 0),
        });
        for (first, second) in &self.generated_relations {
            graph.connect(*first, *second, false);
        }
        for relation in relations {
            let tells = matches!(relation.cause, Cause::Metaparameter(Relation::Notify | Relation::Subscribe));
            graph.connect(relation.first(), relation.second(), tells);
        }
        self.add_requirements(&mut graph);
        graph
    }

    /// Adds what types of modules require by themselves.
    fn add_requirements(&self, graph: &mut Graph) {
        for number in &self.order {
            let Some(Resource { body: Body::Managed(managed), .. }) = self.resources.get(*number) else { continue };
            for (type_name, title) in managed.requires() {
                let required = self.catalog.position(&Reference::new(&type_name, &title));
                if let Some(required) = required.filter(|required| !graph.is_connected(*number, *required)) {
                    graph.connect(required, *number, false);
                }
            }
            for (type_name, title) in managed.notifies() {
                let told = self.catalog.position(&Reference::new(&type_name, &title));
                if let Some(told) = told.filter(|told| !graph.is_connected(*told, *number)) {
                    graph.connect(*number, told, true);
                }
            }
        }
    }

    /// The containers with what they contain, in order.
    pub(crate) fn containers(&self) -> Vec<(usize, Vec<usize>)> {
        let mut contents: indexmap::IndexMap<usize, Vec<usize>> = indexmap::IndexMap::new();
        for number in &self.order {
            if matches!(self.resources.get(*number), Some(Resource { body: Body::Container, .. })) {
                contents.insert(*number, Vec::new());
            }
        }
        for edge in &self.catalog.edges {
            let places = (self.catalog.position(&edge.source), self.catalog.position(&edge.target));
            if let (Some(source), Some(target)) = places
                && let Some(contents) = contents.get_mut(&source)
            {
                contents.push(target);
            }
        }
        contents.into_iter().collect()
    }
}

/// What the defined types around a resource say about `noop`.
fn inherited_noop(catalog: &Catalog, containers: &[Option<usize>], place: usize) -> Option<bool> {
    let mut next = containers.get(place).copied().flatten();
    for _ in 0..containers.len() {
        let container = catalog.at(next?)?;
        if container.kind != Kind::DefinedType {
            return None;
        }
        if let Some(noop) = container.get("noop").filter(|noop| !noop.is_undef()) {
            return Some(text_of(noop) == "true");
        }
        next = containers.get(next?).copied().flatten();
    }
    None
}

/// The names of the containers around a resource, and its own.
fn containment(catalog: &Catalog, containers: &[Option<usize>], place: usize) -> Vec<String> {
    let mut names = Vec::new();
    let mut next = Some(place);
    while let Some(place) = next.filter(|_| names.len() <= containers.len()) {
        if let Some(resource) = catalog.at(place) {
            names.push(match resource.is_class() {
                true => capitalize(&resource.reference.title).to_string(),
                false => resource.reference.to_string(),
            });
        }
        next = containers.get(place).copied().flatten();
    }
    names.reverse();
    names
}

fn site(declaration: &Declaration, mut containment: Vec<String>, context: &Context<'_>) -> Site {
    let text = |name: &str| declaration.get(name).map(text_of).filter(|text| !text.is_empty());
    let other = resources::reference(declaration);
    if let (Some(reference), Some(own)) = (&other, containment.last_mut()) {
        *own = reference.to_string();
    }
    let reference = other.as_ref().unwrap_or(&declaration.reference);
    let label = match declaration.is_class() {
        true => format!("Class[{}]", capitalize(&reference.title)),
        false => reference.to_string(),
    };
    let audit = match declaration.get("audit") {
        Some(Value::Array(names)) => names.iter().map(text_of).collect(),
        Some(name) if !name.is_undef() => vec![text_of(name)],
        _ => Vec::new(),
    };
    let mut tags: Tags = declaration.tags.clone();
    tags.add(&reference.type_name);
    Site {
        label,
        path: format!("/{}", containment.join("/")),
        containment,
        // Compatibility: code from the command line is in a file without a name.
        file: declaration.file.as_ref().map(ToString::to_string).or(declaration.line.map(|_| String::new())),
        line: declaration.line,
        tags,
        is_noop: text("noop").map_or(context.options.noop, |noop| noop == "true"),
        loglevel: text("loglevel").and_then(|level| Level::named(&level)).unwrap_or(Level::Notice),
        schedule: text("schedule"),
        audit,
        parameters: declaration.parameters.clone(),
        sensitive: secrets(declaration),
        reference: reference.clone(),
    }
}

/// The parameters whose values nobody may see: those that are marked, and those whose values are.
fn secrets(declaration: &Declaration) -> Vec<String> {
    let mut names: Vec<String> = declaration.sensitive_parameters.iter().map(ToString::to_string).collect();
    for (name, _) in declaration.parameters.iter().filter(|(_, value)| is_secret(value)) {
        if names.iter().all(|known| known != name.as_str()) {
            names.push(name.to_string());
        }
    }
    names
}

/// Whether a value is marked as secret, in a catalog or in the form that a catalog has as text.
fn is_secret(value: &Value) -> bool {
    match value {
        Value::Sensitive(_) => true,
        Value::Hash(hash) => hash.get_str("__ptype").and_then(Value::as_str) == Some("Sensitive"),
        _ => false,
    }
}

fn body(declaration: &Declaration, site: &Site, context: &mut Context<'_>) -> Outcome<Body> {
    let type_name = site.type_name();
    let is_native = resources::is_known(&type_name) || builtin(&type_name).is_some();
    match (declaration.kind, type_name.as_str()) {
        (_, "stage" | "class" | "node") | (Kind::DefinedType, _) => Ok(Body::Container),
        (_, "schedule" | "filebucket") => {
            manage(&declaration.parameters, site, context)?;
            Ok(Body::Passive)
        }
        // A catalog from elsewhere may have types nobody knows here.
        (Kind::Unknown, _) if !is_native => Ok(Body::Container),
        _ => manage(&declaration.parameters, site, context),
    }
}

/// Lets the type of a resource read its parameters. Those whose value is not known yet are left out.
pub(crate) fn manage(parameters: &Parameters, site: &Site, context: &mut Context<'_>) -> Outcome<Body> {
    let type_name = site.type_name();
    let given: Parameters = parameters
        .iter()
        .filter(|(_, value)| !is_deferred(value))
        .map(|(name, value)| (name.clone(), revealed(value)))
        .collect();
    let pending: Vec<String> =
        parameters.iter().filter(|(_, value)| is_deferred(value)).map(|(name, _)| name.to_string()).collect();
    let known = builtin(&type_name);
    let (file, line) = (site.file.as_deref(), site.line);
    if let Some(known) = known {
        warn_of_secrets(known, site, context);
    }
    let given = match known {
        Some(known) => canonical(known, &site.reference, given, (file, line))?,
        None => given,
    };
    let given = Given {
        reference: &site.reference,
        parameters: &given,
        sensitive: &site.sensitive,
        audit: &site.audit,
        file,
        line,
        is_noop: site.is_noop,
        pending: &pending,
    };
    metaparameters::check(&given, known)?;
    if let Some(known) = known {
        metaparameters::check_provider(&given, known, context.host)?;
    }
    let mut managed = resources::manage(&type_name, &given, context)?;
    if managed.is_none() && resources::is_left_to_ruby(&type_name, &given) {
        managed = ruby::manage(&given, &site.path, context)?;
    }
    match managed {
        Some(managed) => Ok(Body::Managed(managed)),
        None => Ok(Body::Unmanageable(match given.text("provider") {
            Some(provider) => Unmanageable::Provider(provider),
            None => Unmanageable::Type,
        })),
    }
}

/// Parameters whose secrets their types keep, though they are no properties.
const KEPT_SECRET: [(&str, &str); 4] =
    [("exec", "command"), ("exec", "unless"), ("exec", "onlyif"), ("file", "source")];

/// Says which secrets are not kept: only values of properties are hidden wherever they are shown.
fn warn_of_secrets(known: &ResourceType, site: &Site, context: &mut Context<'_>) {
    for name in &site.sensitive {
        let is_parameter = known.attribute(name).is_some_and(|it| it.kind == AttributeKind::Parameter);
        if is_parameter && !KEPT_SECRET.contains(&(&known.name, name.as_str())) {
            let message = format!(
                "Unable to mark '{name}' as sensitive: {name} is a parameter and not a property, and cannot be \
                 automatically redacted."
            );
            context.log.say_as(&format!("/{}", site.reference), Level::Warning, message);
        }
    }
}

/// Whether the value is found out only when the resource is applied.
pub(crate) fn is_deferred(value: &Value) -> bool {
    bunraku_syntax::deep(|| match value {
        Value::Object(object) => object.object_type().type_name().is_some_and(|name| name == "Deferred"),
        Value::Hash(hash) => {
            hash.get_str("__ptype").and_then(Value::as_str) == Some("Deferred") || hash.values().any(is_deferred)
        }
        Value::Array(elements) => elements.iter().any(is_deferred),
        Value::Sensitive(inner) => is_deferred(inner),
        _ => false,
    })
}

/// A value without the mark that it is secret: which parameters are is known by their names.
fn revealed(value: &Value) -> Value {
    match value {
        Value::Sensitive(inner) => (**inner).clone(),
        Value::Hash(hash) if is_secret(value) => hash.get_str("__pvalue").cloned().unwrap_or_default(),
        value => value.clone(),
    }
}

/// The parameters in the spelling of their type, each checked against the values it may have.
fn canonical(
    known: &ResourceType,
    reference: &Reference,
    given: Parameters,
    place: (Option<&str>, Option<u32>),
) -> Outcome<Parameters> {
    let wrong = |fault: String| Fault::new(located(fault, place.0, place.1));
    let given = resource_type::resolve(Some(known), reference, given).map_err(|issue| wrong(issue.to_string()))?;
    let mut parameters = Parameters::with_capacity(given.len());
    let order = |kind: AttributeKind| known.attributes.iter().filter(move |attribute| attribute.kind == kind);
    let attributes = order(AttributeKind::Property).chain(order(AttributeKind::Parameter));
    for attribute in attributes {
        if let Some(value) = given.get(&*attribute.name) {
            // Besides the values that it names, it takes paths, which the resource checks.
            if (&*known.name, &*attribute.name) == ("user", "purge_ssh_keys") {
                parameters.insert(EcoString::from(&*attribute.name), value.clone());
                continue;
            }
            let value = one_of(attribute, value)
                .map_err(|reason| worded(&known.name, &attribute.name, value).unwrap_or(reason))
                .map_err(|reason| wrong(format!("Parameter {} failed on {reference}: {reason}", &*attribute.name)))?;
            parameters.insert(EcoString::from(&*attribute.name), value);
        }
    }
    for (name, value) in given.iter() {
        if !parameters.contains_key(name.as_str()) {
            parameters.insert(name.clone(), value.clone());
        }
    }
    Ok(parameters)
}

/// What types say themselves about values that their attributes do not take.
fn worded(type_name: &str, attribute: &str, value: &Value) -> Option<String> {
    Some(match (type_name, attribute) {
        ("user", "expiry") => "Expiry dates must be YYYY-MM-DD or the string \"absent\"".to_owned(),
        ("user", "managehome") | ("resources", "purge") => {
            let shown = crate::property::inspected(value);
            format!("Munging failed for value {shown} in class {attribute}: expected a boolean value")
        }
        ("tidy", "recurse") => {
            let shown = crate::property::inspected(value);
            format!("Munging failed for value {shown} in class recurse: Invalid recurse value {shown}")
        }
        ("file", "recurse") => format!("Invalid recurse value {}", crate::property::inspected(value)),
        _ => return None,
    })
}

/// The value as the attribute spells it; an error if it may not have it.
fn one_of(attribute: &resource_type::Attribute, value: &Value) -> Result<Value, String> {
    if attribute.values.is_empty() && attribute.patterns.is_empty() {
        return Ok(value.clone());
    }
    if let Value::Array(elements) = value {
        let elements: Result<Vec<Value>, String> = elements.iter().map(|it| one_of(attribute, it)).collect();
        return elements.map(Value::array);
    }
    let text = text_of(value);
    if let Some((_, value)) = attribute.aliases.iter().find(|(spelling, _)| **spelling == *text) {
        return Ok(Value::from(&**value));
    }
    if attribute.is_boolean {
        return match text.to_lowercase().as_str() {
            "true" | "yes" => Ok(Value::Boolean(true)),
            "false" | "no" => Ok(Value::Boolean(false)),
            _ => Err(format!(
                "Invalid value {}. Valid values are true, false, yes, no.",
                crate::property::inspected(value)
            )),
        };
    }
    if attribute.values.iter().any(|it| **it == *text) {
        return Ok(value.clone());
    }
    let matches = |pattern: &str| crate::resources::matches(pattern, &text);
    if attribute.patterns.iter().any(|pattern| matches(pattern)) {
        return Ok(value.clone());
    }
    let mut message = format!("Invalid value {}.", crate::property::inspected(value));
    if !attribute.values.is_empty() {
        let values: Vec<&str> = attribute.values.iter().map(|value| &**value).collect();
        message.push_str(&format!(" Valid values are {}.", values.join(", ")));
    }
    if !attribute.patterns.is_empty() {
        let patterns: Vec<String> = attribute.patterns.iter().map(|pattern| format!("/{pattern}/")).collect();
        message.push_str(&format!(" Valid values match {}.", patterns.join(", ")));
    }
    Err(message)
}

//! Parameters that a class or defined type does not take: what is wrong, where it is given, and where it is declared.

use ecow::{EcoString, eco_format};

use bunraku_pcore::data_type::DataType;
use bunraku_pcore::data_types::StructType;
use bunraku_pcore::{Hash, Type, Value};
use bunraku_syntax::{Issue, nearest};

use super::body::BodyId;
use super::resource::ResourceId;
use crate::compilation::Compilation;

impl Compilation<'_> {
    /// The issue about parameters that do not fit, with the places that people need to see.
    #[cold]
    pub(super) fn wrong_parameters(
        &self,
        id: ResourceId,
        body: BodyId,
        types: &StructType,
        given: &Hash,
        issue: Issue,
    ) -> Issue {
        let resource = self.build.table.get(id);
        let declared = self.build.bodies.get(body).parameters;
        let declaration = |name: &str| declared.iter().find(|parameter| *parameter.name == name);
        let names = || given.keys().filter_map(Value::as_str);
        if let Some(unknown) = names().find(|name| types.member(name).is_none()) {
            let issue = self
                .at_attribute_name(issue, resource, unknown)
                .with_headline(eco_format!("{} has no parameter named '{unknown}'", resource.reference));
            let Some(meant) = nearest(unknown, types.members.iter().map(|member| &member.name)) else { return issue };
            let issue = issue.with_advice(eco_format!("did you mean `{meant}`?"));
            return match declaration(&meant) {
                Some(parameter) => issue.with_related(eco_format!("`{meant}` is declared here"), parameter.span),
                None => issue,
            };
        }
        let missing = declared.iter().filter(|it| it.default.is_none() && given.get_str(&it.name).is_none());
        let missing: Vec<_> = missing.collect();
        if !missing.is_empty() {
            let listed: Vec<EcoString> = missing.iter().map(|parameter| eco_format!("'{}'", parameter.name)).collect();
            let word = if listed.len() == 1 { "a value for parameter" } else { "values for parameters" };
            let headline = eco_format!("{} expects {word} {}", resource.reference, listed.join(", "));
            let issue = issue.with_headline(headline).with_advice("not given here");
            return missing.iter().fold(issue, |issue, parameter| issue.with_related("required", parameter.span));
        }
        let is_wrong = |name: &str, value: &Value| types.member(name).is_some_and(|it| !it.value.is_instance(value));
        let wrong = given.iter().filter_map(|(name, value)| Some((name.as_str()?, value)));
        let Some((name, value)) = wrong.into_iter().find(|(name, value)| is_wrong(name, value)) else { return issue };
        let actual = Type::infer(value).generalize();
        let label = eco_format!("this is {}", bunraku_syntax::a_an(DataType::name(actual.data_type())));
        let issue = self.at_attribute_value(issue, resource, name, label);
        match declaration(name) {
            Some(parameter) => issue.with_related("the parameter is declared here", parameter.span),
            None => issue,
        }
    }
}

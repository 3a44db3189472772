//! Functions without a receiver, and the scope: variables and functions of Puppet.

use bunraku_pcore::format::sprintf::sprintf;
use bunraku_pcore::{Number, Value as PuppetValue};
use bunraku_syntax::deep;
use ecow::EcoString;

use super::interpret::Interpreter;
use super::method::Method;
use super::show;
use super::tree::Kernel;
use super::value::{List, Outcome, Stop, Value, Walk};
use crate::sidecar::Variable;

/// Functions of Puppet that only compute, or write to the log, which can be taken back: calling one of them twice is
/// like calling it once, so the template can still be left to Ruby afterwards.
const PURE: &[&str] = &[
    "abs",
    "alert",
    "any2array",
    "any2bool",
    "apache::authz_core_config",
    "apache::bool2httpd",
    "apache::pw_hash",
    "base64",
    "basename",
    "bool2httpd",
    "bool2num",
    "bool2str",
    "camelcase",
    "capitalize",
    "ceiling",
    "chomp",
    "chop",
    "clamp",
    "compare",
    "concat",
    "convert_base",
    "count",
    "crit",
    "debug",
    "deep_merge",
    "delete",
    "delete_at",
    "delete_undef_values",
    "delete_values",
    "difference",
    "dig",
    "dirname",
    "dos2unix",
    "downcase",
    "emerg",
    "empty",
    "err",
    "extlib::cidr_to_netmask",
    "extlib::cidr_to_network",
    "extlib::ip_to_reverse",
    "extlib::is_in_cidr",
    "extlib::netmask_to_cidr",
    "extlib::sort_by_version",
    "extlib::to_ini",
    "extname",
    "flatten",
    "floor",
    "fqdn_rand",
    "fqdn_rotate",
    "grep",
    "has_key",
    "hash",
    "info",
    "intersection",
    "is_array",
    "is_bool",
    "is_float",
    "is_hash",
    "is_integer",
    "is_numeric",
    "is_service_default",
    "is_string",
    "join",
    "join_keys_to_values",
    "keys",
    "length",
    "lstrip",
    "max",
    "md5",
    "member",
    "memcached::max_memory",
    "merge",
    "min",
    "mysql::innobackupex_args",
    "mysql::password",
    "mysql::strip_hash",
    "normalize_ip_for_uri",
    "notice",
    "num2bool",
    "pick",
    "pick_default",
    "postgresql::postgresql_escape",
    "postgresql::postgresql_password",
    "prefix",
    "range",
    "regsubst",
    "reverse",
    "round",
    "rstrip",
    "sha1",
    "sha256",
    "shell_escape",
    "shellquote",
    "size",
    "sort",
    "split",
    "sprintf",
    "squeeze",
    "stdlib::crc32",
    "stdlib::extname",
    "stdlib::ip_in_range",
    "stdlib::sha256",
    "stdlib::xml_encode",
    "str2bool",
    "strip",
    "suffix",
    "swapcase",
    "systemd::systemd_escape",
    "to_bytes",
    "to_json",
    "to_json_pretty",
    "to_python",
    "to_ruby",
    "to_toml",
    "to_yaml",
    "type",
    "union",
    "unique",
    "unix2dos",
    "upcase",
    "uriescape",
    "values",
    "values_at",
    "versioncmp",
    "warning",
    "zip",
];

/// Functions that are not methods of the scope, whatever their names; asking for them is an error.
const NEW_ONLY: &[&str] = &["dig", "regsubst", "split", "type"];

impl Interpreter<'_, '_, '_> {
    /// A function of Ruby itself.
    pub(super) fn kernel(&mut self, kernel: Kernel, args: &[Value]) -> Outcome {
        Ok(match (kernel, args) {
            (Kernel::Array, [value]) => match value {
                Value::Nil => Value::array(Vec::new()),
                Value::Array(_) => value.clone(),
                Value::Hash(table) => {
                    Value::array(table.pairs().into_iter().map(|(key, value)| Value::pair(key, value)).collect())
                }
                Value::Range(range) => Value::array(self.range_items(range)?),
                Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::Symbol(_) | Value::String(_) => {
                    Value::array(vec![value.clone()])
                }
                _ => return Err(Stop::Unsupported),
            },
            (Kernel::String, [value]) => Value::string(show::to_s(value)?),
            (Kernel::Integer, [Value::Integer(number)]) => Value::Integer(*number),
            (Kernel::Integer, [Value::String(text)]) => {
                let number = Number::parse_ruby_integer(&text.get(), None).ok_or(Stop::Unsupported)?;
                Value::Integer(i64::try_from(number).map_err(|_| Stop::Unsupported)?)
            }
            (Kernel::Integer, [Value::Float(_)]) => return self.send_first(args, Method::ToI),
            (Kernel::Float, [Value::Integer(_) | Value::Float(_)]) => return self.send_first(args, Method::ToF),
            (Kernel::Float, [Value::String(text)]) => {
                Value::Float(Number::parse_ruby_float(&text.get()).ok_or(Stop::Unsupported)?)
            }
            (Kernel::Format, [Value::String(format), args @ ..]) => Value::string(self.format(&format.get(), args)?),
            (Kernel::HasVariable, [name]) => {
                let name = show::to_s(name)?;
                Value::Boolean(self.scope_variable(&name)?.is_some_and(|value| !matches!(value, Value::Nil)))
            }
            (Kernel::InstanceVariableGet, [Value::String(_) | Value::Symbol(_)]) => {
                let name = args.first().map_or(Err(Stop::Unsupported), show::to_s)?;
                let name = name.strip_prefix('@').filter(|name| !name.starts_with("__")).ok_or(Stop::Unsupported)?;
                self.variable_named(name)?
            }
            (Kernel::Classes, []) => Value::array(self.run.host.classes().into_iter().map(Value::string).collect()),
            (Kernel::AllTags, []) => Value::array(self.run.host.tags().into_iter().map(Value::string).collect()),
            // What it gives depends on what was required before.
            (Kernel::Require, [Value::String(name)])
                if matches!(name.get().as_str(), "digest" | "ipaddr" | "json" | "yaml") =>
            {
                Value::Output
            }
            _ => return Err(Stop::Unsupported),
        })
    }

    /// `to_json` and `to_yaml`, which native functions compute, too, for values that both know.
    pub(super) fn serialized(&mut self, value: &Value, function: &str) -> Outcome {
        if !is_plain_data(value, &mut Walk::default())? {
            return Err(Stop::Unsupported);
        }
        match self.run.host.call_native_function(function, vec![value.to_puppet()?]) {
            Some(PuppetValue::String(text)) => Ok(Value::string(text)),
            _ => Err(Stop::Unsupported),
        }
    }

    fn send_first(&mut self, args: &[Value], method: Method) -> Outcome {
        args.first().map_or(Err(Stop::Unsupported), |first| self.send(first, method, &[], None))
    }

    /// `format`, which is what Puppet's `sprintf` is, too.
    pub(super) fn format(&mut self, format: &str, args: &[Value]) -> Outcome<String> {
        let args = args.iter().map(|arg| match arg {
            Value::Hash(_) => Err(Stop::Unsupported),
            Value::Symbol(_) if format.contains('p') => Err(Stop::Unsupported),
            arg => arg.to_puppet(),
        });
        let args: Vec<PuppetValue> = args.collect::<Outcome<_>>()?;
        let is_simple = !format.contains(['<', '{', '*', '$']) && !has_wide_field(format);
        if !is_simple {
            return Err(Stop::Unsupported);
        }
        sprintf(format, &args).map_err(|_| Stop::Unsupported)
    }

    /// A method of the scope.
    pub(super) fn scope_method(&mut self, method: Method, args: &[Value]) -> Outcome {
        Ok(match (method, args) {
            (Method::Lookupvar | Method::At, [Value::String(name)]) => {
                let name = name.get();
                match self.scope_variable(&name)? {
                    Some(value) => value,
                    None => self.undefined(&name)?,
                }
            }
            (Method::IncludeP, [Value::String(name)]) => {
                let value = self.scope_variable(&name.get())?;
                Value::Boolean(value.is_some_and(|value| !matches!(value, Value::Nil)))
            }
            (Method::ExistP | Method::BoundP, [Value::String(name)]) => {
                Value::Boolean(self.scope_variable(&name.get())?.is_some())
            }
            (Method::Setvar | Method::SetAt, [Value::String(name), value]) => {
                self.run.set_scope_variable(name.get(), value.clone())?;
                value.clone()
            }
            (Method::ToHash, []) if !self.run.has_set_variables() => {
                let variables = self.run.host.variables().into_iter();
                let hash = variables.map(|(name, value)| (PuppetValue::string(name), value)).collect();
                self.given(&PuppetValue::Hash(std::sync::Arc::new(hash)))?
            }
            (Method::CallFunction, [Value::String(_) | Value::Symbol(_), arguments]) => {
                let name = args.first().map_or(Err(Stop::Unsupported), show::to_s)?;
                match arguments {
                    Value::Array(list) => self.puppet_function(&name, list)?,
                    // What is no list is spread as by `*`: a hash into its pairs.
                    Value::Hash(table) => {
                        let pair = |(key, value)| Value::Array(List::new(vec![key, value]));
                        let pairs = table.pairs().into_iter().map(pair).collect();
                        self.puppet_function(&name, &List::new(pairs))?
                    }
                    Value::Nil => self.puppet_function(&name, &List::new(Vec::new()))?,
                    other => self.puppet_function(&name, &List::new(vec![other.clone()]))?,
                }
            }
            _ => return Err(Stop::Unsupported),
        })
    }

    /// A variable of the scope; nothing if there is none.
    fn scope_variable(&mut self, name: &str) -> Outcome<Option<Value>> {
        let may_change = self.is_changing();
        self.run.scope_variable(name, may_change)
    }

    /// There is no such variable: an error, a warning or nothing, as the settings have it.
    fn undefined(&mut self, name: &str) -> Outcome {
        match self.run.host.setting("strict").as_str() {
            Some("off") => Ok(Value::Nil),
            Some("warning") => {
                let Variable::NotFound { name, reason } = self.run.host.variable(name) else {
                    return Err(Stop::Unsupported);
                };
                let message = format!("Undefined variable '{name}'; {reason}\n   (file & line not available)");
                self.run.host.log("warning", &message, Some(&format!("Variable: {name}")));
                Ok(Value::Nil)
            }
            _ => Err(Stop::Unsupported),
        }
    }

    /// `scope.function_name([…])`.
    pub(super) fn scope_function(&mut self, name: &EcoString, args: &[Value]) -> Outcome {
        match args {
            [Value::Array(list)] if !NEW_ONLY.contains(&name.as_str()) => self.puppet_function(name, list),
            _ => Err(Stop::Unsupported),
        }
    }

    /// Calls a function of Puppet.
    fn puppet_function(&mut self, name: &str, args: &List) -> Outcome {
        if !self.run.host.is_native_function(name) {
            return self.ruby_function(name, args);
        }
        match name {
            "template" => self.render_all(args, true),
            "inline_template" => self.render_all(args, false),
            _ if PURE.binary_search(&name).is_ok() => {
                let args = args.items().iter().map(Value::to_puppet).collect::<Outcome<_>>()?;
                let value = self.run.host.call_function(name, args, None).map_err(|_| Stop::Unsupported)?;
                match value {
                    PuppetValue::String(text) => Ok(Value::string(text)),
                    value => self.given(&value),
                }
            }
            _ => Err(Stop::Unsupported),
        }
    }

    /// Calls a function of a module that is written in Ruby; it cannot see what the template has set.
    fn ruby_function(&mut self, name: &str, args: &List) -> Outcome {
        if self.run.has_set_variables() {
            return Err(Stop::Unsupported);
        }
        let args: Vec<PuppetValue> = args.items().iter().map(Value::to_puppet).collect::<Outcome<_>>()?;
        let value = self.run.host.call_natively(name, &args).ok_or(Stop::Unsupported)?;
        self.given(&value)
    }

    /// Renders templates one after another, from files or given as they are.
    fn render_all(&mut self, templates: &List, are_files: bool) -> Outcome {
        let mut rendered = String::new();
        for template in templates.items() {
            let Value::String(template) = template else { return Err(Stop::Unsupported) };
            let template = template.get();
            let part = match are_files {
                true => self.run.host.read_template(&template).map(|text| self.run.render(&text)),
                false => Some(self.run.render(&template.as_str().into())),
            };
            rendered.push_str(&part.ok_or(Stop::Unsupported)??);
        }
        if templates.len() == 0 { Err(Stop::Unsupported) } else { Ok(Value::string(rendered)) }
    }
}

/// Whether a value is made of what Puppet has in the same way.
fn is_plain_data(value: &Value, walk: &mut Walk) -> Outcome<bool> {
    deep(|| {
        let all = |values: Vec<Value>, walk: &mut Walk| {
            for value in values {
                if !is_plain_data(&value, walk)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        match value {
            Value::Nil | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => Ok(true),
            Value::Array(list) => walk.inside(list.len(), |walk| all(list.items(), walk)),
            Value::Hash(table) => walk.inside(table.len(), |walk| {
                let (keys, values): (Vec<Value>, Vec<Value>) = table.pairs().into_iter().unzip();
                Ok(keys.iter().all(|key| matches!(key, Value::String(_))) && all(values, walk)?)
            }),
            _ => Ok(false),
        }
    })
}

/// Whether a field could become very wide.
fn has_wide_field(format: &str) -> bool {
    let digits = |part: &str| part.bytes().filter(u8::is_ascii_digit).count();
    format
        .split('%')
        .any(|part| digits(part.split(|letter: char| letter.is_ascii_alphabetic()).next().unwrap_or(part)) > 5)
}

#[cfg(test)]
mod tests {
    use super::PURE;

    #[test]
    fn pure_functions_are_found() {
        assert!(PURE.is_sorted());
    }
}

//! The short names of Puppet's certificate extensions, those of the site included.

use bunraku::notation::yaml;
use bunraku::{Value, World};
use bunraku_pki::oids::{AUTHORIZATION, NODE};

/// The names that a site has given to extensions of its own.
#[derive(Debug, Default, Clone)]
pub(crate) struct Oids(Vec<(String, String)>);

impl Oids {
    /// Reads `custom_trusted_oid_mapping.yaml`, if there is one.
    pub(crate) fn read(world: &dyn World, path: &str) -> Result<Oids, String> {
        let Ok(bytes) = world.read(path) else { return Ok(Oids::default()) };
        let wrong = |detail: &str| format!("Error loading custom OIDs mapping file '{path}': {detail}");
        let document = yaml::load(&bytes, path).map_err(|error| wrong(&error.message))?;
        let mapping = document.value.as_ref().and_then(|value| value.get("oid_mapping"));
        let Some(Value::Hash(mapping)) = mapping else { return Err(wrong("no such index 'oid_mapping'")) };
        let entry = |(oid, names): (&Value, &Value)| {
            let short = names.get("shortname").and_then(Value::as_str);
            let long = names.get("longname").and_then(Value::as_str);
            match (short, long) {
                (Some(short), Some(_)) => Ok((oid.to_string(), short.to_owned())),
                _ => Err(wrong(&format!("incomplete definition of oid '{oid}'"))),
            }
        };
        mapping.iter().map(entry).collect::<Result<_, _>>().map(Oids)
    }

    /// The short name of an extension, or its numbers.
    pub(crate) fn name(&self, oid: &str) -> String {
        let own = self.0.iter().find(|(known, _)| known == oid).map(|(_, name)| name.clone());
        let built_in = || {
            let number = oid.strip_prefix("1.3.6.1.4.1.34380.1.")?;
            match number.split_once('.')? {
                ("1", number) => NODE.get(number.parse::<usize>().ok()?.checked_sub(1)?).map(|name| (*name).to_owned()),
                ("3", number) => {
                    AUTHORIZATION.iter().find(|(known, _)| *known == number).map(|(_, name)| (*name).to_owned())
                }
                _ => None,
            }
        };
        built_in().or(own).unwrap_or_else(|| oid.to_owned())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test states its expectation")]
mod tests {
    use super::*;

    #[test]
    fn extensions_have_names() {
        let world = bunraku::Memory::from([(
            "/oids.yaml",
            "oid_mapping:\n  1.3.6.1.4.1.34380.1.2.1.1:\n    shortname: site_rack\n    longname: Rack\n",
        )]);
        let oids = Oids::read(&world, "/oids.yaml").unwrap();
        let check = |oid: &str, expected: &str| assert_eq!(oids.name(oid), expected);
        check("1.3.6.1.4.1.34380.1.1.13", "pp_role");
        check("1.3.6.1.4.1.34380.1.3.39", "pp_cli_auth");
        check("1.3.6.1.4.1.34380.1.2.1.1", "site_rack");
        check("1.3.6.1.4.1.34380.1.1.99", "1.3.6.1.4.1.34380.1.1.99");
        check("1.3.6.1.4.1.34380.1.1.0", "1.3.6.1.4.1.34380.1.1.0");
        assert!(Oids::read(&bunraku::Memory::from([("/o", "a: 1")]), "/o").is_err());
    }
}

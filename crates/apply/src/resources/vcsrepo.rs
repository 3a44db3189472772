//! `vcsrepo` of the vcsrepo module: a repository of Git. Those of other systems are left to Ruby.

mod git;

use bunraku_pcore::Value;

use self::git::{Git, Remotes};
use crate::context::Context;
use crate::execution::which;
use crate::fault::{Fault, Outcome};
use crate::log::Level;
use crate::property::{self, ABSENT, Property, Values, is_absent, text_of};
use crate::resource::{Given, Managed, Site};

pub(super) const PARAMETERS: &[&str] = &[
    "path",
    "name",
    "ensure",
    "source",
    "revision",
    "owner",
    "group",
    "user",
    "excludes",
    "force",
    "identity",
    "remote",
    "depth",
    "branch",
    "submodules",
    "provider",
];

const BARE: &str = "bare";
const LATEST: &str = "latest";

struct Repository {
    git: Git,
    properties: Vec<Property>,
    is_forced: bool,
}

/// Whether it is a repository that is managed here.
pub(super) fn is_suitable(given: &Given<'_>) -> bool {
    given.text("provider").as_deref() == Some("git") && which("git", None).is_some()
}

pub(super) fn build(given: &Given<'_>, _: &mut Context<'_>) -> Outcome<Box<dyn Managed>> {
    let path = given.name("path");
    if !path.starts_with('/') {
        return Err(given.refuse("path", &format!("Path must be absolute: {path}")));
    }
    let remote = given.text("remote").unwrap_or_else(|| "origin".to_owned());
    let remotes: Remotes = match given.value("source") {
        Some(Value::Hash(sources)) => sources.iter().map(|(name, url)| (text_of(name), text_of(url))).collect(),
        Some(source) => vec![(remote.clone(), text_of(source))],
        None => Vec::new(),
    };
    if !remotes.is_empty() && !remotes.iter().any(|(name, _)| *name == remote) {
        return Err(given.invalid(&format!("You must specify the URL for {remote} in the :source hash")));
    }
    let properties = given.properties(&["ensure", "revision"]);
    let ensure = given.text("ensure").unwrap_or_default();
    if !["present", BARE, ABSENT, LATEST, ""].contains(&ensure.as_str()) {
        let shown = property::inspected(&ensure.as_str().into());
        let reason = format!("Invalid value {shown}. Valid values are present, bare, absent, latest.");
        return Err(given.refuse("ensure", &reason));
    }
    Ok(Box::new(Repository {
        git: Git {
            path: path.into(),
            remote,
            remotes,
            revision: given.text("revision"),
            depth: given.text("depth").filter(|depth| depth.parse::<u32>().is_ok_and(|depth| depth > 0)),
            branch: given.text("branch"),
            is_bare: ensure == BARE,
            has_submodules: given.flag("submodules") != Some(false),
            identity: given.text("identity"),
            user: given.text("user"),
            owner: given.text("owner"),
            group: given.text("group"),
            excludes: given.value("excludes").map(|_| given.texts("excludes")),
        },
        properties,
        is_forced: given.flag("force") == Some(true),
    }))
}

impl Repository {
    fn wanted(&self) -> String {
        let property = self.properties.iter().find(|property| property.name == "ensure");
        property.map(|property| text_of(&property.desired())).unwrap_or_default()
    }

    /// Makes room for a repository.
    fn clear(&self, site: &Site, context: &mut Context<'_>) -> Outcome {
        if !self.git.is_path_taken() {
            return Ok(());
        }
        if !self.is_forced {
            return Err(Fault::new("Could not create repository (non-repository at path)"));
        }
        let message = format!("Removing {} to replace with vcsrepo.", self.git.path.display());
        context.log.say_as(&format!("{}(provider=git)", site.reference), Level::Notice, message);
        self.git.destroy()
    }

    fn create(&self, site: &Site, context: &mut Context<'_>) -> Outcome {
        let git = &self.git;
        if let (Some(revision), true) = (&git.revision, git.is_bare) {
            return Err(Fault::new(format!("Cannot set a revision ({revision}) on a bare repository")));
        }
        if git.remotes.is_empty() {
            let say = |context: &mut Context<'_>, message: &str| {
                context.log.say_as(&format!("{}(provider=git)", site.reference), Level::Notice, message);
            };
            self.clear_unless_repository(site, context)?;
            if git.is_bare && git.is_working_copy() {
                say(context, "Converting working copy repository to bare repository");
                git.convert_to_bare()?;
            } else if !git.is_bare && git.is_bare_repository() {
                say(context, "Converting bare repository to working copy repository");
                git.convert_to_working_copy(context)?;
            } else {
                git.initialize(context)?;
            }
        } else {
            self.clear(site, context)?;
            git.clone(context)?;
            git.update_remotes(context)?;
            if let Some(revision) = &git.revision {
                git.check_out(revision, context)?;
            }
            git.update_submodules(context)?;
        }
        git.finish(context)
    }

    fn clear_unless_repository(&self, site: &Site, context: &mut Context<'_>) -> Outcome {
        match self.git.is_working_copy() || self.git.is_bare_repository() {
            true => Ok(()),
            false => self.clear(site, context),
        }
    }
}

impl Managed for Repository {
    fn provider(&self) -> Option<&str> {
        Some("git")
    }

    fn properties(&self) -> Vec<Property> {
        self.properties.clone()
    }

    fn requires(&self) -> Vec<(String, String)> {
        ["git", "git-core"].map(|name| ("package".to_owned(), name.to_owned())).into()
    }

    fn retrieve(&mut self, _: &Site, context: &mut Context<'_>) -> Outcome<Values> {
        let git = &self.git;
        let ensure = match () {
            () if git.is_working_copy() && self.wanted() == LATEST && git.is_latest(context)? => LATEST,
            () if git.is_working_copy() => "present",
            () if git.is_bare_repository() => BARE,
            () => ABSENT,
        };
        Values::of(&self.properties, Some(ensure.into()), |_| Ok(git.current("HEAD", context)?.as_str().into()))
    }

    fn is_insync(&mut self, property: &Property, current: &Value, _: &Site, _: &mut Context<'_>) -> Outcome<bool> {
        Ok(match (property.name, property.desired().as_str()) {
            ("ensure", Some("present")) => !is_absent(current),
            _ => property.matches(current),
        })
    }

    fn sync(&mut self, property: &Property, site: &Site, context: &mut Context<'_>) -> Outcome {
        let wanted = text_of(&property.desired());
        if property.name == "revision" {
            return self.git.set_revision(&wanted, context);
        }
        let is_there = self.git.is_working_copy() || self.git.is_bare_repository();
        match wanted.as_str() {
            ABSENT => self.git.destroy(),
            BARE if is_there => Ok(()),
            BARE => self.create(site, context),
            LATEST if is_there && !self.is_forced => {
                self.git.update_references(context)?;
                let revision = match &self.git.revision {
                    Some(revision) => revision.clone(),
                    None => self.git.current("HEAD", context)?,
                };
                let message = format!("Updating to latest '{revision}' revision");
                site.say_of(&mut context.log, "ensure", Level::Notice, message);
                self.git.set_revision(&revision, context)
            }
            _ => {
                let message = format!("Creating repository from {wanted}");
                site.say_of(&mut context.log, "ensure", Level::Notice, message);
                self.create(site, context)
            }
        }
    }
}

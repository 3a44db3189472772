//! What a run of the agent asks of the server and of what was brought from it.

use std::cell::RefCell;
use std::path::PathBuf;

use bunraku::Value;
use bunraku::apply::{FileCopy, Host, WebAnswer, WebQuestion};
use bunraku::catalog::setting_type::SettingType;
use bunraku_agent::{Mirror, Server};

use crate::apply::ProjectHost;

/// The server of a run, and the files that were brought from it.
pub(super) struct Files {
    pub(super) server: Server,
    pub(super) mirror: Mirror,
    pub(super) environment: String,
}

/// The environment of a run of the agent.
pub(super) struct AgentHost<'a> {
    pub(super) project: ProjectHost<'a>,
    pub(super) files: RefCell<Files>,
}

impl Host for AgentHost<'_> {
    fn resolve(&self, value: &Value) -> Result<Value, String> {
        self.project.resolve(value)
    }

    fn file(&self, path: &str) -> Result<Option<PathBuf>, String> {
        let Files { server, mirror, .. } = &mut *self.files.borrow_mut();
        mirror.file(server, path)
    }

    fn web(&self, question: &WebQuestion<'_>) -> Result<WebAnswer, String> {
        self.project.web(question)
    }

    fn keep_copy(&self, copy: &FileCopy<'_>) -> Result<(), String> {
        let Files { server, environment, .. } = &mut *self.files.borrow_mut();
        let kept = server.keep_copy(&format!("sha256/{}", copy.sum), copy.path, copy.content, environment);
        kept.map_err(|failure| failure.to_string())
    }

    fn kept_copy(&self, sum: &str) -> Result<Option<Vec<u8>>, String> {
        let Files { server, environment, .. } = &mut *self.files.borrow_mut();
        server.kept_copy(&format!("sha256/{sum}"), environment).map_err(|failure| failure.to_string())
    }

    fn setting_type(&self, name: &str) -> Option<SettingType> {
        self.project.setting_type(name)
    }

    fn modulepath(&self) -> Vec<String> {
        self.project.modulepath()
    }

    fn libraries(&self) -> Vec<String> {
        self.project.libraries()
    }

    fn progress(&self, done: usize, all: usize, resource: &str) {
        self.project.progress(done, all, resource);
    }
}

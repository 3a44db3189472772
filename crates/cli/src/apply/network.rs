//! What a run asks of the network: web servers, and the filebucket of the server. Nothing is connected to before it is asked.

use std::cell::{OnceCell, RefCell};

use bunraku::Settings;
use bunraku::apply::{FileCopy, Level, Log, WebAnswer, WebQuestion};
use bunraku_agent::{Client, Identity, Server};
use bunraku_web::{Question, Url, Web};

/// What a run asks of the network.
pub(crate) struct Network {
    settings: Settings,
    environment: String,
    log: Log,
    web: OnceCell<Web>,
    /// The server, once it has been asked.
    server: RefCell<Option<Server>>,
}

impl Network {
    /// The network as settings describe it.
    pub(crate) fn new(settings: &Settings, environment: &str, log: &Log) -> Network {
        Network {
            settings: settings.clone(),
            environment: environment.to_owned(),
            log: log.clone(),
            web: OnceCell::new(),
            server: RefCell::new(None),
        }
    }

    /// The answer of a web server.
    pub(crate) fn web(&self, question: &WebQuestion<'_>) -> Result<WebAnswer, String> {
        let url = Url::parse(question.url);
        let url = url.ok_or_else(|| format!("bad URI(is not URI?): {:?}", question.url))?;
        let web = match self.web.get() {
            Some(web) => web,
            None => {
                let web = Web::of(&self.settings)?;
                self.web.get_or_init(|| web)
            }
        };
        let headers = [&[("Accept", "*/*")], question.headers].concat();
        let answer = web.ask(&url, &Question { method: question.method, headers: &headers, body: b"" })?;
        Ok(WebAnswer { status: answer.status, headers: answer.headers, body: answer.body })
    }

    /// Keeps a copy in the filebucket of the server.
    pub(crate) fn keep_copy(&self, copy: &FileCopy<'_>) -> Result<(), String> {
        self.with_server(|server| {
            let kept = server.keep_copy(&format!("sha256/{}", copy.sum), copy.path, copy.content, &self.environment);
            kept.map_err(|failure| failure.to_string())
        })
    }

    /// What the filebucket of the server has.
    pub(crate) fn kept_copy(&self, sum: &str) -> Result<Option<Vec<u8>>, String> {
        self.with_server(|server| {
            server.kept_copy(&format!("sha256/{sum}"), &self.environment).map_err(|failure| failure.to_string())
        })
    }

    fn with_server<T>(&self, ask: impl FnOnce(&mut Server) -> Result<T, String>) -> Result<T, String> {
        let mut known = self.server.borrow_mut();
        let server = match &mut *known {
            Some(server) => server,
            none => none.insert(self.connect()?),
        };
        ask(server)
    }

    /// The server that the settings name, as whoever this machine is according to its files.
    fn connect(&self) -> Result<Server, String> {
        let (identity, _) = Identity::kept(&self.settings).map_err(|reason| self.unreachable(&reason))?;
        Client::of("server", "serverport", &identity, &self.settings, &self.log).map(Server::new)
    }

    fn unreachable(&self, reason: &str) -> String {
        self.log.clone().say(Level::Err, format!("Failed to initialize SSL: {reason}"));
        self.log.clone().say(Level::Err, "Run `puppet agent -t`");
        Client::without_identity(&self.settings, &self.log, reason)
    }
}

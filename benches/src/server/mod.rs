//! Two servers of the same site: Bunraku and Puppet Server, one after the other.

pub mod client;

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;
use client::{ENVIRONMENTS, NODE};

/// Where Debian has Puppet Server.
const JAR: &str = "/usr/share/puppetserver/puppetserver.jar";
const FILES: &str = "/etc/puppet/puppetserver";

/// A site with three environments of 101 classes with 10 resources each, and an authority with certificates.
pub struct Site {
    root: PathBuf,
    program: PathBuf,
}

/// A server that answers.
pub struct Started {
    child: Child,
    /// Where it listens.
    pub port: u16,
    /// How long it took until it was ready.
    pub took: Duration,
}

impl Drop for Started {
    fn drop(&mut self) {
        // It is gone already, or goes now.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Started {
    /// The memory that the process has for itself or shares with few, in MB.
    pub fn memory(&self) -> Result<f64> {
        let text = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.child.id()))?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:")).ok_or("no Pss")?;
        Ok(line.trim().trim_end_matches(" kB").trim().parse::<f64>()? / 1024.0)
    }
}

impl Started {
    /// How long processors have worked for the process so far, in seconds.
    pub fn cpu(&self) -> Result<f64> {
        /// What Linux counts in: hundredths of a second, on every machine that it runs on here.
        const TICKS: f64 = 100.0;
        let text = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let rest = text.rsplit_once(')').ok_or("no name")?.1;
        let ticks = rest.split_whitespace().skip(11).take(2).map(str::parse::<f64>);
        Ok(ticks.sum::<std::result::Result<f64, _>>()? / TICKS)
    }
}

impl Site {
    /// Makes the site in a directory.
    pub fn make(root: &Path, program: &Path) -> Result<Site> {
        for environment in ENVIRONMENTS {
            let directory = root.join("code/environments").join(environment);
            fs::create_dir_all(directory.join("manifests"))?;
            fs::write(directory.join("environment.conf"), "modulepath = modules\nmanifest = manifests\n")?;
            let mut includes = String::new();
            for class in 0..101 {
                let resources: String = (0..10)
                    .map(|number| format!("  notify {{ 'n{class}-{number}': message => \"of ${{title}}\" }}\n"))
                    .collect();
                let manifests = directory.join(format!("modules/c{class}/manifests"));
                fs::create_dir_all(&manifests)?;
                fs::write(manifests.join("main.pp"), format!("class c{class}::main {{\n{resources}}}\n"))?;
                includes.push_str(&format!("include c{class}::main\n"));
            }
            fs::write(directory.join("manifests/site.pp"), includes)?;
        }
        let there = root.display();
        fs::create_dir_all(root.join("conf"))?;
        let settings = format!(
            "[main]\ncertname = puppet.bench.test\ncodedir = {there}/code\nssldir = {there}/ssl\n\
             environment_timeout = unlimited\n[server]\ncadir = {there}/ca\nvardir = {there}/var\n\
             dns_alt_names = localhost\n"
        );
        fs::write(root.join("conf/puppet.conf"), settings)?;
        let site = Site { root: root.to_owned(), program: program.to_owned() };
        site.run(&["ca", "setup"])?;
        site.run(&["ca", "generate", "--certname", NODE])?;
        Ok(site)
    }

    /// Where certificates are.
    pub fn ssl(&self) -> PathBuf {
        self.root.join("ssl")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(arguments).arg("--confdir").arg(self.root.join("conf"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Result<()> {
        match self.command(arguments).stdout(Stdio::null()).status()?.success() {
            true => Ok(()),
            false => Err(format!("{arguments:?} fails").into()),
        }
    }

    /// Starts our server.
    pub fn ours(&self) -> Result<Started> {
        let begun = Instant::now();
        let mut child = self.command(&["server", "--serverport", "0"]).stderr(Stdio::piped()).spawn()?;
        let mut lines =
            BufReader::new(child.stderr.take().ok_or("no messages")?).lines().map_while(std::result::Result::ok);
        let place = lines.find_map(|line| Some(line.rsplit_once("is ready on ")?.1.rsplit(':').next()?.parse::<u16>()));
        let took = begun.elapsed();
        // Somebody has to read what the server says, lest it waits.
        std::thread::spawn(move || lines.for_each(drop));
        let port = place.ok_or("the server does not start")??;
        Ok(Started { child, port, took })
    }

    /// Starts Puppet Server on the same files.
    pub fn theirs(&self, port: u16) -> Result<Started> {
        let (files, there) = (self.root.join("theirs"), self.root.display());
        fs::create_dir_all(files.join("conf.d"))?;
        for name in ["auth.conf", "ca.conf", "metrics.conf", "web-routes.conf"] {
            fs::copy(format!("{FILES}/conf.d/{name}"), files.join("conf.d").join(name))?;
        }
        let write = |name: &str, text: String| fs::write(files.join(name), text);
        write("conf.d/global.conf", format!("global: {{ logging-config: \"{there}/theirs/logback.xml\" }}\n"))?;
        write(
            "conf.d/webserver.conf",
            format!("webserver: {{ client-auth: want, ssl-host: 127.0.0.1, ssl-port: {port} }}\n"),
        )?;
        write(
            "conf.d/puppetserver.conf",
            format!(
                "jruby-puppet: {{\n  ruby-load-path: [/usr/lib/puppetserver/ruby/vendor_ruby]\n  \
                 gem-home: {there}/theirs/gems\n  \
                 gem-path: [\"{there}/theirs/gems\", /usr/lib/puppetserver/vendored-jruby-gems]\n  \
                 server-conf-dir: {there}/conf\n  server-code-dir: {there}/code\n  server-var-dir: {there}/theirs/var\n  \
                 server-run-dir: {there}/theirs/run\n  server-log-dir: {there}/theirs/log\n  max-active-instances: 2\n}}\n"
            ),
        )?;
        let logger = "<configuration><appender name=\"F\" class=\"ch.qos.logback.core.FileAppender\"><file>LOG</file>\
                      <encoder><pattern>%d %-5p %m%n</pattern></encoder></appender>\
                      <root level=\"info\"><appender-ref ref=\"F\"/></root></configuration>\n";
        write("logback.xml", logger.replace("LOG", &format!("{there}/theirs/server.log")))?;
        let begun = Instant::now();
        let child = Command::new("java")
            .args(["-Xms1g", "-Xmx1g", "-Djruby.logger.class=com.puppetlabs.jruby_utils.jruby.Slf4jLogger"])
            .args(["-Djruby.lib=/usr/share/jruby/lib", "-jar", JAR, "--config"])
            .arg(files.join("conf.d"))
            .args(["--bootstrap-config", &format!("{FILES}/services.d")])
            .stdout(Stdio::null())
            .spawn()?;
        let mut started = Started { child, port, took: Duration::ZERO };
        // It listens when it can answer.
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if begun.elapsed() > Duration::from_secs(600) {
                return Err("Puppet Server does not start".into());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        while client::load(port, &self.ssl(), 1, client::Until::Count(1)).is_err() {
            if begun.elapsed() > Duration::from_secs(600) {
                return Err("Puppet Server does not answer".into());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        started.took = begun.elapsed();
        Ok(started)
    }
}

//! `versus-puppetserver`: catalogs that Bunraku and Debian's Puppet Server compile for agents, in one run on one machine with
//! the same clients.
//!
//! Needs Debian's package `puppetserver`, and the program itself beside this one. Prints a table; only ratios count, for both
//! were measured under the same load. With the word `ours` it runs Bunraku alone.

use std::process::ExitCode;
use std::time::Duration;

use bunraku_benches::Result;
use bunraku_benches::comparison::{Scratch, program};
use bunraku_benches::server::client::{Load, Until, load};
use bunraku_benches::server::{Site, Started};

/// How many clients ask at the same time: two for each of two cores.
const CLIENTS: usize = 4;
/// How long each measurement lasts.
const TIME: Duration = Duration::from_secs(20);
/// How many catalogs are asked for to see whether memory grows.
const MANY: usize = 100_000;
/// The Java machine needs time until it is fast.
const WARM_UP: Duration = Duration::from_secs(60);
/// Where Puppet Server listens.
const PORT: u16 = 18_140;

fn main() -> ExitCode {
    let is_alone = std::env::args().nth(1).as_deref() == Some("ours");
    match compare(is_alone) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("Error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(is_alone: bool) -> Result<()> {
    let scratch = Scratch::new()?;
    let site = Site::make(&scratch.directory("server"), &program()?)?;
    let server = site.ours()?;
    let ours = measured("Bunraku", &site, &server, Duration::from_secs(3))?;
    let before = server.memory()?;
    let many = load(server.port, &site.ssl(), CLIENTS, Until::Count(MANY))?;
    println!(
        "Bunraku: {} catalogs over three environments in {:.0} s, Pss {before:.0} MB before, {:.0} MB after",
        many.times.len(),
        many.took.as_secs_f64(),
        server.memory()?
    );
    drop(server);
    if !is_alone {
        let server = site.theirs(PORT)?;
        let theirs = measured("Puppet Server", &site, &server, WARM_UP)?;
        println!("{:.0} times the catalogs per second", ours.0.rate() / theirs.0.rate());
        println!("{:.0} times the catalogs in the same time of processors", theirs.1 / ours.1);
    }
    Ok(())
}

/// As many catalogs as possible, then half as many. Gives how long processors worked for a catalog, too, in milliseconds:
/// what else the machine does matters less to that.
fn measured(name: &str, site: &Site, server: &Started, warm_up: Duration) -> Result<(Load, f64)> {
    load(server.port, &site.ssl(), CLIENTS, Until::Time(warm_up, None))?;
    let before = server.cpu()?;
    let full = load(server.port, &site.ssl(), CLIENTS, Until::Time(TIME, None))?;
    let work = (server.cpu()? - before) * 1_000.0 / full.times.len() as f64;
    let half = load(server.port, &site.ssl(), CLIENTS, Until::Time(TIME, Some(full.rate() / 2.0)))?;
    println!(
        "{name}: ready after {:.2} s; {:.1} catalogs per second, p50 {:.1} ms, p99 {:.1} ms; at half load p50 {:.1} ms, \
         p99 {:.1} ms; {} bytes each; {work:.2} ms of a processor each; Pss {:.0} MB",
        server.took.as_secs_f64(),
        full.rate(),
        full.percentile(0.5),
        full.percentile(0.99),
        half.percentile(0.5),
        half.percentile(0.99),
        full.bytes,
        server.memory()?
    );
    Ok((full, work))
}

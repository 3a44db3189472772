//! Measures what a call of the Ruby helper costs: `cargo run --profile fast -p bunraku-ruby --example round_trip`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bunraku_pcore::Value;
use bunraku_ruby::sidecar::{Host, HostError, HostResult, Options, RubyBlock, RubyEnvironment, Sidecar, Variable};

/// A host with one value for every variable.
struct Constant(Value);

impl Host for Constant {
    fn variable(&mut self, _: &str) -> Variable {
        Variable::Found(self.0.clone())
    }
    fn variables(&mut self) -> Vec<(String, Value)> {
        Vec::new()
    }
    fn call_function(&mut self, name: &str, _: Vec<Value>, _: Option<&dyn RubyBlock>) -> HostResult {
        Ok(Value::string(name))
    }
    fn call_block(&mut self, _: Vec<Value>) -> HostResult {
        Err(HostError::message("there is no block"))
    }
    fn log(&mut self, _: &str, _: &str, _: Option<&str>) {}
}

fn main() {
    let environment = RubyEnvironment { name: "production".to_string(), load_path: Vec::new(), settings: Vec::new() };
    let sidecar = Sidecar::new(Options::default(), Arc::new(environment));
    let mut host = Constant(Value::string("value"));
    let started = Instant::now();
    let _ = sidecar.render_template(None, "start", &mut host);
    report("start and first template", vec![started.elapsed()]);
    let rows = "<% 50.times do |i| -%>\n<%= i %>: <%= @a %> <%= @b %>\n<% end -%>\n";
    for (name, template) in [
        ("empty template", "x"),
        ("two variables", "<%= @a %> <%= @b %>"),
        ("fifty rows", rows),
        ("one call back", "<%= scope['a'] %>"),
        ("one function", "<%= scope.call_function('f', [1]) %>"),
    ] {
        let mut times = Vec::new();
        for _ in 0..2000 {
            let started = Instant::now();
            let _ = sidecar.render_template(Some(name), template, &mut host);
            times.push(started.elapsed());
        }
        report(name, times);
    }
}

#[expect(clippy::print_stdout, reason = "the report of a tool")]
fn report(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |part: usize| times.get(times.len() * part / 100).copied().unwrap_or_default().as_micros();
    println!("{name}: p50 {} us, p99 {} us", at(50), at(99));
}

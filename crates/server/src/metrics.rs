//! What the server counts, in the notation of Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Where the times of catalogs are counted up to, in milliseconds.
const BOUNDS: [u64; 10] = [5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 30_000];

/// Counters since the start.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Answers by the first digit of their status.
    answers: [AtomicU64; 6],
    compiled: AtomicU64,
    failed: AtomicU64,
    /// Catalogs by the time they took, and those that took longer than all bounds.
    times: [AtomicU64; BOUNDS.len() + 1],
    microseconds: AtomicU64,
}

impl Metrics {
    /// A request was answered.
    pub(crate) fn answered(&self, status: u16) {
        if let Some(count) = self.answers.get(usize::from(status / 100)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A catalog was compiled, or could not be.
    pub(crate) fn compiled(&self, took: Duration, is_catalog: bool) {
        let count = if is_catalog { &self.compiled } else { &self.failed };
        count.fetch_add(1, Ordering::Relaxed);
        let milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let place = BOUNDS.iter().position(|bound| milliseconds <= *bound).unwrap_or(BOUNDS.len());
        if let Some(count) = self.times.get(place) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.microseconds.fetch_add(u64::try_from(took.as_micros()).unwrap_or(0), Ordering::Relaxed);
    }

    /// All counters, with how many catalogs wait to be compiled.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        head(&mut text, "bunraku_http_responses_total", "counter", "Answers by the class of their status.");
        for (class, count) in self.answers.iter().enumerate().skip(2) {
            let _ = writeln!(text, "bunraku_http_responses_total{{status=\"{class}xx\"}} {}", read(count));
        }
        head(&mut text, "bunraku_catalogs_total", "counter", "Catalogs by what became of them.");
        for (outcome, count) in [("compiled", &self.compiled), ("failed", &self.failed)] {
            let _ = writeln!(text, "bunraku_catalogs_total{{outcome=\"{outcome}\"}} {}", read(count));
        }
        head(&mut text, "bunraku_catalog_seconds", "histogram", "How long catalogs take to compile.");
        let mut sum = 0;
        for (place, count) in self.times.iter().enumerate() {
            sum += read(count);
            let bound = BOUNDS.get(place).map_or_else(|| "+Inf".to_owned(), |bound| seconds(*bound, 1_000));
            let _ = writeln!(text, "bunraku_catalog_seconds_bucket{{le=\"{bound}\"}} {sum}");
        }
        let _ = writeln!(text, "bunraku_catalog_seconds_sum {}", seconds(read(&self.microseconds), 1_000_000));
        let _ = writeln!(text, "bunraku_catalog_seconds_count {sum}");
        text
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

/// A number of parts of a second, written as seconds.
fn seconds(parts: u64, in_second: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a time that is shown")]
    let seconds = parts as f64 / in_second as f64;
    seconds.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catalogs_are_counted_by_their_time() {
        let metrics = Metrics::default();
        metrics.answered(200);
        metrics.answered(404);
        metrics.compiled(Duration::from_millis(7), true);
        metrics.compiled(Duration::from_secs(60), false);
        let text = metrics.text();
        for line in [
            "bunraku_http_responses_total{status=\"2xx\"} 1",
            "bunraku_http_responses_total{status=\"4xx\"} 1",
            "bunraku_catalogs_total{outcome=\"failed\"} 1",
            "bunraku_catalog_seconds_bucket{le=\"0.005\"} 0",
            "bunraku_catalog_seconds_bucket{le=\"0.01\"} 1",
            "bunraku_catalog_seconds_bucket{le=\"+Inf\"} 2",
            "bunraku_catalog_seconds_sum 60.007",
            "bunraku_catalog_seconds_count 2",
        ] {
            assert!(text.lines().any(|it| it == line), "{line}\n{text}");
        }
    }
}

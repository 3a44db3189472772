//! "Did you mean": the known name that a mistyped one is closest to.

use ecow::EcoString;

/// Names longer than this are not compared: nobody mistypes them, and comparing takes time.
const LONGEST: usize = 128;

/// The candidate that differs least from a name, if it is close enough to be what was meant. Of equally close ones it is
/// the first in the alphabet.
pub fn nearest<T: AsRef<str>>(name: &str, candidates: impl IntoIterator<Item = T>) -> Option<EcoString> {
    if name.len() > LONGEST {
        return None;
    }
    let most = (name.chars().count() / 3).clamp(1, 3);
    let wanted = name.to_lowercase();
    let distance = |candidate: &str| match candidate.to_lowercase() {
        same if same == wanted => 0,
        other => strsim::osa_distance(&wanted, &other),
    };
    let near = candidates.into_iter().filter_map(|candidate| {
        let candidate = candidate.as_ref();
        if candidate == name || candidate.len() > LONGEST || candidate.len().abs_diff(name.len()) > most {
            return None;
        }
        Some((distance(candidate), EcoString::from(candidate))).filter(|(distance, _)| *distance <= most)
    });
    near.min().map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_close() {
        let check = |name: &str, known: &[&str], expected: Option<&str>| {
            assert_eq!(nearest(name, known).as_deref(), expected, "{name}");
        };
        check("docrot", &["docroot", "port"], Some("docroot"));
        check("owenr", &["owner", "group"], Some("owner"));
        check("jion", &["join", "json"], Some("join"));
        check("wbe", &["web"], Some("web"));
        check("OS", &["os"], Some("os"));
        check("x", &["y"], Some("y"));
        check("port", &["owner"], None);
        check("same", &["same"], None);
        check("b", &["d", "c"], Some("c"));
        check(&"x".repeat(200), &["x"], None);
    }
}

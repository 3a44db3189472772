//! Time zones as Ruby's date library names them: offsets, abbreviations, and a few names of places.

use std::sync::LazyLock;

use bunraku_syntax::Issue;

use crate::issues;
use crate::regexp::Regexp;

/// The names Ruby knows, sorted, with their minutes east of Greenwich.
#[rustfmt::skip]
const NAMES: &[(&str, i32)] = &[
    ("a", 60), ("acdt", 630), ("acst", 570), ("act", -300), ("acwst", 525), ("adt", -180), ("aedt", 660),
    ("aest", 600), ("afghanistan", 270), ("aft", 270), ("ahst", -600), ("akdt", -480), ("akst", -540),
    ("alaskan", -540), ("almt", 360), ("anast", 720), ("anat", 720), ("aoe", -720), ("aqtt", 300), ("arab", 180),
    ("arabian", 240), ("arabic", 180), ("art", -180), ("ast", -240), ("at", -120), ("atlantic", -240),
    ("aus central", 570), ("aus eastern", 600), ("awdt", 540), ("awst", 480), ("azores", -60), ("azost", 0),
    ("azot", -60), ("azst", 300), ("azt", 240), ("b", 120), ("bnt", 480), ("bot", -240), ("brst", -120),
    ("brt", -180), ("bst", 60), ("bt", 180), ("btt", 360), ("c", 180), ("canada central", -360), ("cape verde", -60),
    ("cast", 480), ("cat", 120), ("caucasus", 240), ("cct", 390), ("cdt", -300), ("cen. australia", 570),
    ("central", -360), ("central america", -360), ("central asia", 360), ("central europe", 60),
    ("central european", 60), ("central pacific", 660), ("cest", 120), ("cet", 60), ("chadt", 825), ("chast", 765),
    ("china", 480), ("chost", 540), ("chot", 480), ("chst", 600), ("chut", 600), ("cidst", -240), ("cist", -300),
    ("ckt", -600), ("clst", -180), ("clt", -240), ("cot", -300), ("cst", -360), ("cvt", -60), ("cxt", 420),
    ("d", 240), ("dateline", -720), ("davt", 420), ("ddut", 600), ("e", 300), ("e. africa", 180),
    ("e. australia", 600), ("e. europe", 120), ("e. south america", -180), ("eadt", 660), ("easst", -300),
    ("east", -360), ("eastern", -300), ("eat", 180), ("ect", -300), ("edt", -240), ("eest", 180), ("eet", 120),
    ("egst", 0), ("egt", -60), ("egypt", 120), ("ekaterinburg", 300), ("est", -300), ("f", 360), ("fet", 180),
    ("fiji", 720), ("fjst", 780), ("fjt", 720), ("fkst", -180), ("fkt", -240), ("fle", 120), ("fnt", -120),
    ("fst", 120), ("fwt", 60), ("g", 420), ("galt", -360), ("gamt", -540), ("get", 240), ("gft", -180),
    ("gilt", 720), ("gmt", 0), ("greenland", -180), ("greenwich", 0), ("gst", 600), ("gtb", 120), ("gyt", -240),
    ("h", 480), ("hadt", -540), ("hast", -600), ("hawaiian", -600), ("hdt", -540), ("hkt", 480), ("hovst", 480),
    ("hovt", 420), ("hst", -600), ("i", 540), ("ict", 420), ("idle", 720), ("idlw", -720), ("idt", 180),
    ("india", 330), ("iot", 360), ("iran", 210), ("irdt", 270), ("irkst", 540), ("irkt", 480), ("irst", 210),
    ("ist", 330), ("jerusalem", 120), ("jst", 540), ("k", 600), ("kgt", 360), ("korea", 540), ("kost", 660),
    ("krast", 480), ("krat", 420), ("kst", 540), ("kuyt", 240), ("l", 660), ("lhdt", 660), ("lhst", 630),
    ("lint", 840), ("m", 720), ("magst", 720), ("magt", 660), ("malay peninsula", 480), ("mart", -510),
    ("mawt", 300), ("mdt", -360), ("mest", 120), ("mesz", 120), ("met", 60), ("mewt", 60), ("mexico", -360),
    ("mez", 60), ("mht", 720), ("mmt", 390), ("mountain", -420), ("msd", 240), ("msk", 180), ("mst", -420),
    ("mut", 240), ("mvt", 300), ("myanmar", 390), ("myt", 480), ("n", -60), ("n. central asia", 360), ("nct", 660),
    ("ndt", -90), ("nepal", 345), ("new zealand", 720), ("newfoundland", -210), ("nfdt", 720), ("nft", 660),
    ("north asia", 420), ("north asia east", 480), ("novst", 420), ("novt", 420), ("npt", 345), ("nrt", 720),
    ("nst", -150), ("nt", -660), ("nut", -660), ("nzdt", 780), ("nzst", 720), ("nzt", 720), ("o", -120),
    ("omsst", 420), ("omst", 360), ("orat", 300), ("p", -180), ("pacific", -480), ("pacific sa", -240),
    ("pdt", -420), ("pet", -300), ("petst", 720), ("pett", 720), ("pgt", 600), ("phot", 780), ("pht", 480),
    ("pkt", 300), ("pmdt", -120), ("pmst", -180), ("pont", 660), ("pst", -480), ("pwt", 540), ("pyst", -180),
    ("q", -240), ("qyzt", 360), ("r", -300), ("ret", 240), ("romance", 60), ("rott", -180), ("russian", 180),
    ("s", -360), ("sa eastern", -180), ("sa pacific", -300), ("sa western", -240), ("sakt", 660), ("samoa", -660),
    ("samt", 240), ("sast", 120), ("sbt", 660), ("sct", 240), ("se asia", 420), ("sgt", 480), ("south africa", 120),
    ("sret", 660), ("sri lanka", 360), ("srt", -180), ("sst", -660), ("swt", 60), ("syot", 180), ("t", -420),
    ("taht", -600), ("taipei", 480), ("tasmania", 600), ("tft", 300), ("tjt", 300), ("tkt", 780), ("tlt", 540),
    ("tmt", 300), ("tokyo", 540), ("tonga", 780), ("tost", 840), ("tot", 780), ("trt", 180), ("tvt", 720),
    ("u", -480), ("ulast", 540), ("ulat", 480), ("us eastern", -300), ("us mountain", -420), ("ut", 0), ("utc", 0),
    ("uyst", -120), ("uyt", -180), ("uzt", 300), ("v", -540), ("vet", -240), ("vladivostok", 600), ("vlast", 660),
    ("vlat", 600), ("vost", 360), ("vut", 660), ("w", -600), ("w. australia", 480), ("w. central africa", 60),
    ("w. europe", 60), ("wadt", 480), ("wakt", 720), ("warst", -180), ("wast", 120), ("wat", 60), ("west", 60),
    ("west asia", 300), ("west pacific", 600), ("wet", 0), ("wft", 720), ("wgst", -120), ("wgt", -180), ("wib", 420),
    ("wit", 540), ("wita", 480), ("wt", 0), ("x", -660), ("y", -720), ("yakst", 600), ("yakt", 540),
    ("yakutsk", 540), ("yapt", 600), ("ydt", -480), ("yekst", 360), ("yekt", 300), ("yst", -540), ("z", 0),
];

/// Text at the start of which a time zone stands.
static ZONE: LazyLock<Result<Regexp, Issue>> = LazyLock::new(|| {
    Regexp::new(concat!(
        r"(?i)\A(?:(?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?",
        r"|(?-i:[[:alpha:].\s]+)(?:standard|daylight)\s+time\b",
        r"|(?-i:[[:alpha:]]+)(?:\s+dst)?\b)"
    ))
});

/// Splits off the time zone at the start of the text, be it known or not.
pub(super) fn split_zone(text: &str) -> Option<(&str, &str)> {
    let captures = ZONE.as_ref().ok()?.captures(text).ok()??;
    let (_, end) = captures.range(0)?;
    text.split_at_checked(end)
}

/// A time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timezone<'z> {
    /// By its name, or by an offset as text.
    Named(&'z str),
    /// By the seconds it is ahead of UTC.
    Offset(i32),
}

impl<'z> Timezone<'z> {
    /// The time zone with a name; nothing if that is empty. `current` stands for the zone of the machine, which only
    /// the caller can know.
    pub fn new(name: Option<&'z str>, current: impl FnOnce() -> Option<i32>) -> Option<Timezone<'z>> {
        let name = name.filter(|name| !name.is_empty())?;
        let offset = if name.eq_ignore_ascii_case("current") { current() } else { None };
        Some(offset.map_or(Timezone::Named(name), Timezone::Offset))
    }

    /// The seconds it is ahead of UTC.
    pub(super) fn utc_offset(self) -> Result<i32, Issue> {
        match self {
            Timezone::Named(name) => utc_offset(name),
            Timezone::Offset(seconds) => Ok(seconds),
        }
    }

    /// The offset for showing a clock, in whole minutes.
    pub(super) fn clock_offset(self) -> Result<i32, Issue> {
        let seconds = match self {
            Timezone::Named(name) => match clock_text(name) {
                Some(offset) => return offset,
                None => utc_offset(name)?,
            },
            Timezone::Offset(seconds) => seconds,
        };
        Ok(seconds.div_euclid(60) * 60)
    }
}

fn utc_offset(timezone: &str) -> Result<i32, Issue> {
    split_zone(timezone)
        .and_then(|(zone, _)| named_offset(zone))
        .ok_or_else(|| issues::runtime_error(format!("Illegal timezone '{timezone}'")))
}

/// An offset in the form of a clock, which is not checked as a time zone first.
fn clock_text(timezone: &str) -> Option<Result<i32, Issue>> {
    if let [sign @ (b'+' | b'-'), hours @ .., b':', tens, ones] = timezone.as_bytes()
        && let [ten_hours, hours] = hours
        && [ten_hours, hours, tens, ones].iter().all(|digit| digit.is_ascii_digit())
    {
        let number = |tens: &u8, ones: &u8| i32::from(tens - b'0') * 10 + i32::from(ones - b'0');
        let (hours, minutes) = (number(ten_hours, hours), number(tens, ones));
        if hours > 23 || minutes > 59 {
            return Some(Err(issues::runtime_error("utc_offset out of range")));
        }
        return Some(Ok((hours * 3600 + minutes * 60) * if *sign == b'-' { -1 } else { 1 }));
    }
    None
}

fn named_offset(zone: &str) -> Option<i32> {
    let lower = zone.to_ascii_lowercase();
    let (name, daylight) = match (lower.strip_suffix(" standard time"), lower.strip_suffix(" daylight time")) {
        (Some(name), _) => (name, false),
        (None, Some(name)) => (name, true),
        (None, None) => match lower.strip_suffix(" dst") {
            Some(name) => (name, true),
            None => (lower.as_str(), false),
        },
    };
    if let Ok(index) = NAMES.binary_search_by(|(known, _)| known.cmp(&name)) {
        let (_, minutes) = NAMES.get(index)?;
        return Some(minutes * 60 + if daylight { 3600 } else { 0 });
    }
    let digits = name.strip_prefix("gmt").or_else(|| name.strip_prefix("utc")).unwrap_or(name);
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, digits.strip_prefix('+')?),
    };
    numeric_offset(digits).map(|offset| sign * offset)
}

/// Reads `5`, `530`, `0530`, `053015`, `5:30`, `5:30:15` or `5.5`, all in hours.
fn numeric_offset(text: &str) -> Option<i32> {
    let below = |text: &str, limit: i32| text.parse::<i32>().ok().filter(|number| *number < limit);
    if let Some((hours, rest)) = text.split_once(':') {
        let (minutes, seconds) = rest.split_once(':').unwrap_or((rest, "0"));
        return Some(below(hours, 24)? * 3600 + below(minutes, 60)? * 60 + below(seconds, 60)?);
    }
    if let Some((hours, fraction)) = text.split_once([',', '.']) {
        let fraction: f64 = format!("0.{fraction}").parse().ok()?;
        return Some(below(hours, 24)? * 3600 + (fraction * 3600.0).round() as i32);
    }
    if text.len() <= 2 {
        return below(text, 100).map(|hours| hours * 3600);
    }
    let hour_length = 2 - text.len() % 2;
    let pair = |start: usize, length: usize| match text.get(start..start + length) {
        Some(digits) => digits.parse::<i32>().ok(),
        None => Some(0),
    };
    Some(pair(0, hour_length)? * 3600 + pair(hour_length, 2)? * 60 + pair(hour_length + 2, 2)?)
}

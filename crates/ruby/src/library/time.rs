//! `Time`.

use std::rc::Rc;

use num_bigint::BigInt;

use super::calendar::{Fields, days_of, fields_of};
use super::strftime::strftime;
use crate::interpreter::class::Kind;
use crate::interpreter::code::Args;
use crate::interpreter::iterate::to_big;
use crate::interpreter::session::{Core, Row};
use crate::interpreter::symbol::Sym;
use crate::interpreter::value::{Object, Value};
use crate::interpreter::{Outcome, Vm};

const SECOND: i128 = 1_000_000_000;

/// A time: nanoseconds since 1970 and the zone it is shown in.
#[derive(Clone)]
struct Moment {
    nanoseconds: i128,
    zone: Zone,
}

#[derive(Clone, PartialEq)]
enum Zone {
    Utc,
    /// That of the machine: seconds ahead of UTC and its name.
    Local(i64, Rc<str>),
    Fixed(i64),
}

impl Moment {
    fn fields(&self) -> Fields {
        let (offset, zone) = match &self.zone {
            Zone::Utc => (0, "UTC"),
            Zone::Local(offset, name) => (*offset, &**name),
            Zone::Fixed(offset) => (*offset, ""),
        };
        let epoch = i64::try_from(self.nanoseconds.div_euclid(SECOND)).unwrap_or(i64::MAX / 4);
        let nanosecond = i64::try_from(self.nanoseconds.rem_euclid(SECOND)).unwrap_or_default();
        fields_of(epoch.clamp(-(1 << 55), 1 << 55), nanosecond, offset, zone)
    }
}

pub(super) fn define(core: &Core) {
    let class = core.class_named("Time", Kind::Class, Some(&core.object));
    class.includes.borrow_mut().push(core.comparable.clone());
    core.add(&class, ROWS);
    core.add_own(&class, OWN);
}

const OWN: &[Row] = &[
    Row("now", 0, 1, |vm, this, args| {
        let zone = zone_keyword(vm, args)?;
        now(vm, this, zone)
    }),
    Row("at", 1, 4, |vm, this, args| {
        let zone = zone_keyword(vm, args)?;
        let (values, _) = args.split_keywords();
        let mut nanoseconds = match moment(values.first().unwrap_or(&Value::Nil)) {
            Some(other) => {
                return Ok(made(vm, this, Moment { zone: zone.unwrap_or(other.zone.clone()), ..(*other).clone() }));
            }
            None => exact(vm, values.first().unwrap_or(&Value::Nil))?,
        };
        if let Some(part) = values.get(1) {
            let unit = match values.get(2) {
                None => 1_000,
                Some(Value::Sym(unit)) => match unit.as_str() {
                    "millisecond" => 1_000_000,
                    "usec" | "microsecond" => 1_000,
                    "nsec" | "nanosecond" => 1,
                    other => return Err(vm.argument_error(&format!("unexpected unit: {other}"))),
                },
                Some(other) => {
                    let shown = vm.to_s(other)?;
                    return Err(vm.argument_error(&format!("unexpected unit: {shown}")));
                }
            };
            nanoseconds += exact(vm, part)? / (SECOND / unit);
        }
        let zone = zone.unwrap_or_else(|| local_zone(vm));
        Ok(made(vm, this, Moment { nanoseconds, zone }))
    }),
    Row("new", 0, 8, |vm, this, args| {
        let zone = zone_keyword(vm, args)?;
        let (values, _) = args.split_keywords();
        if values.is_empty() {
            return now(vm, this, zone);
        }
        let zone = match (zone, values.get(6)) {
            (Some(zone), _) => zone,
            (None, None | Some(Value::Nil)) => local_zone(vm),
            (None, Some(given)) => zone_of(vm, given)?,
        };
        from_parts(vm, this, values, zone)
    }),
    Row("utc", 1, 10, |vm, this, args| from_parts(vm, this, args.values, Zone::Utc)),
    Row("gm", 1, 10, |vm, this, args| from_parts(vm, this, args.values, Zone::Utc)),
    Row("local", 1, 10, |vm, this, args| {
        let zone = local_zone(vm);
        from_parts(vm, this, args.values, zone)
    }),
    Row("mktime", 1, 10, |vm, this, args| {
        let zone = local_zone(vm);
        from_parts(vm, this, args.values, zone)
    }),
];

macro_rules! part {
    ($name:literal, $part:ident) => {
        Row($name, 0, 0, |vm, this, _| Ok(Value::Int(fields(vm, this)?.$part)))
    };
}

macro_rules! day {
    ($name:literal, $number:literal) => {
        Row($name, 0, 0, |vm, this, _| Ok(Value::Bool(fields(vm, this)?.week_day == $number)))
    };
}

macro_rules! in_zone {
    ($name:literal, $most:literal, $zone:expr) => {
        Row($name, 0, $most, |vm, this, args| {
            let zone: fn(&mut Vm, Args<'_>) -> Outcome<Zone> = $zone;
            let (time, zone) = (of(vm, this)?, zone(vm, args)?);
            let moment = Moment { nanoseconds: time.nanoseconds, zone };
            let class = Value::Class(vm.class_of(this).real());
            if $name.starts_with("get") {
                return Ok(made(vm, &class, moment));
            }
            if let Value::Object(object) = this {
                *object.data.borrow_mut() = Some(Rc::new(moment));
            }
            Ok(this.clone())
        })
    };
}

const ROWS: &[Row] = &[
    part!("year", year),
    part!("month", month),
    part!("mon", month),
    part!("day", day),
    part!("mday", day),
    part!("hour", hour),
    part!("min", minute),
    part!("sec", second),
    part!("nsec", nanosecond),
    part!("tv_nsec", nanosecond),
    part!("wday", week_day),
    part!("yday", year_day),
    part!("utc_offset", offset),
    part!("gmt_offset", offset),
    part!("gmtoff", offset),
    part!("to_i", epoch),
    part!("tv_sec", epoch),
    day!("sunday?", 0),
    day!("monday?", 1),
    day!("tuesday?", 2),
    day!("wednesday?", 3),
    day!("thursday?", 4),
    day!("friday?", 5),
    day!("saturday?", 6),
    in_zone!("utc", 0, |_, _| Ok(Zone::Utc)),
    in_zone!("gmtime", 0, |_, _| Ok(Zone::Utc)),
    in_zone!("getutc", 0, |_, _| Ok(Zone::Utc)),
    in_zone!("getgm", 0, |_, _| Ok(Zone::Utc)),
    in_zone!("localtime", 1, zone_argument),
    in_zone!("getlocal", 1, zone_argument),
    Row("usec", 0, 0, |vm, this, _| Ok(Value::Int(fields(vm, this)?.nanosecond / 1000))),
    Row("tv_usec", 0, 0, |vm, this, _| Ok(Value::Int(fields(vm, this)?.nanosecond / 1000))),
    Row("subsec", 0, 0, |vm, this, _| {
        let nanosecond = fields(vm, this)?.nanosecond;
        if nanosecond == 0 { Ok(Value::Int(0)) } else { rational(vm, i128::from(nanosecond)) }
    }),
    Row("to_f", 0, 0, |vm, this, _| Ok(Value::Float(float(of(vm, this)?.nanoseconds)))),
    Row("to_r", 0, 0, |vm, this, _| {
        let nanoseconds = of(vm, this)?.nanoseconds;
        rational(vm, nanoseconds)
    }),
    Row("zone", 0, 0, |vm, this, _| {
        let zone = fields(vm, this)?.zone;
        Ok(if zone.is_empty() { Value::Nil } else { Value::str(zone) })
    }),
    Row("utc?", 0, 0, |vm, this, _| Ok(Value::Bool(of(vm, this)?.zone == Zone::Utc))),
    Row("gmt?", 0, 0, |vm, this, _| Ok(Value::Bool(of(vm, this)?.zone == Zone::Utc))),
    Row("dst?", 0, 0, |_, _, _| Ok(Value::Bool(false))),
    Row("isdst", 0, 0, |_, _, _| Ok(Value::Bool(false))),
    Row("+", 1, 1, |vm, this, args| {
        if moment(args.at(0)).is_some() {
            return Err(vm.type_error("time + time?"));
        }
        let change = exact(vm, args.at(0))?;
        changed(vm, this, |nanoseconds| nanoseconds + change)
    }),
    Row("-", 1, 1, |vm, this, args| match moment(args.at(0)) {
        Some(other) => Ok(Value::Float(float(of(vm, this)?.nanoseconds - other.nanoseconds))),
        None => {
            let change = exact(vm, args.at(0))?;
            changed(vm, this, |nanoseconds| nanoseconds - change)
        }
    }),
    Row("<=>", 1, 1, |vm, this, args| match moment(args.at(0)) {
        Some(other) => Ok(Value::Int(of(vm, this)?.nanoseconds.cmp(&other.nanoseconds) as i64)),
        None => Ok(Value::Nil),
    }),
    Row("==", 1, 1, is_equal),
    Row("eql?", 1, 1, is_equal),
    Row("hash", 0, 0, |vm, this, _| {
        let nanoseconds = of(vm, this)?.nanoseconds;
        Ok(Value::Int((nanoseconds ^ (nanoseconds >> 61)) as i64 >> 2))
    }),
    Row("round", 0, 1, |vm, this, args| rounded(vm, this, args, |unit| unit / 2)),
    Row("floor", 0, 1, |vm, this, args| rounded(vm, this, args, |_| 0)),
    Row("ceil", 0, 1, |vm, this, args| rounded(vm, this, args, |unit| unit - 1)),
    Row("strftime", 1, 1, |vm, this, args| {
        let (pattern, fields) = (vm.text(args.at(0))?, fields(vm, this)?);
        match strftime(&pattern, &fields) {
            Some(text) => {
                vm.count_made(text.len())?;
                Ok(Value::str(text))
            }
            None => Err(vm.argument_error(&format!("invalid format: {pattern}"))),
        }
    }),
    Row("to_s", 0, 0, |vm, this, _| {
        let pattern = if of(vm, this)?.zone == Zone::Utc { "%Y-%m-%d %H:%M:%S UTC" } else { "%Y-%m-%d %H:%M:%S %z" };
        Ok(Value::str(strftime(pattern, &fields(vm, this)?).unwrap_or_default()))
    }),
    Row("inspect", 0, 0, |vm, this, _| {
        let fields = fields(vm, this)?;
        let mut text = strftime("%Y-%m-%d %H:%M:%S", &fields).unwrap_or_default();
        if fields.nanosecond != 0 {
            text.push('.');
            text.push_str(format!("{:09}", fields.nanosecond).trim_end_matches('0'));
        }
        let zone = if of(vm, this)?.zone == Zone::Utc { " UTC" } else { " %z" };
        Ok(Value::str(text + &strftime(zone, &fields).unwrap_or_default()))
    }),
    Row("ctime", 0, 0, |vm, this, _| Ok(Value::str(strftime("%c", &fields(vm, this)?).unwrap_or_default()))),
    Row("asctime", 0, 0, |vm, this, _| Ok(Value::str(strftime("%c", &fields(vm, this)?).unwrap_or_default()))),
    Row("to_a", 0, 0, |vm, this, _| {
        let it = fields(vm, this)?;
        let numbers = [it.second, it.minute, it.hour, it.day, it.month, it.year, it.week_day, it.year_day];
        let mut all: Vec<Value> = numbers.into_iter().map(Value::Int).collect();
        all.push(Value::Bool(false));
        all.push(if it.zone.is_empty() { Value::Nil } else { Value::str(it.zone) });
        Ok(Value::array(all))
    }),
];

fn moment(value: &Value) -> Option<Rc<Moment>> {
    match value {
        Value::Object(object) => object.data::<Moment>(),
        _ => None,
    }
}

/// When a time is, since the epoch; nothing for other objects. Times of the same moment are equal in every zone.
pub(crate) fn nanoseconds(object: &Object) -> Option<i128> {
    object.data::<Moment>().map(|moment| moment.nanoseconds)
}

fn of(vm: &mut Vm, value: &Value) -> Outcome<Rc<Moment>> {
    moment(value).ok_or_else(|| vm.type_error("uninitialized Time"))
}

fn fields(vm: &mut Vm, value: &Value) -> Outcome<Fields> {
    Ok(of(vm, value)?.fields())
}

fn made(vm: &mut Vm, class: &Value, moment: Moment) -> Value {
    let class = match class {
        Value::Class(class) => class.clone(),
        _ => vm.constant_class("Time"),
    };
    let object = Object::new(class);
    *object.data.borrow_mut() = Some(Rc::new(moment));
    Value::Object(Rc::new(object))
}

impl Vm {
    /// A time of the system as a value, in the zone of the machine.
    pub(crate) fn time_value(&mut self, time: std::time::Duration) -> Value {
        let class = self.autoloaded(Sym::new("Time")).unwrap_or(Value::Nil);
        let zone = local_zone(self);
        made(self, &class, Moment { nanoseconds: i128::try_from(time.as_nanos()).unwrap_or_default(), zone })
    }
}

fn now(vm: &mut Vm, class: &Value, zone: Option<Zone>) -> Outcome {
    let world = vm.outside("ask for the time")?;
    let since = world.now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let zone = zone.unwrap_or_else(|| local_zone(vm));
    Ok(made(vm, class, Moment { nanoseconds: i128::try_from(since.as_nanos()).unwrap_or_default(), zone }))
}

fn changed(vm: &mut Vm, this: &Value, change: impl FnOnce(i128) -> i128) -> Outcome {
    let time = of(vm, this)?;
    let class = Value::Class(vm.class_of(this).real());
    Ok(made(vm, &class, Moment { nanoseconds: change(time.nanoseconds), zone: time.zone.clone() }))
}

fn is_equal(vm: &mut Vm, this: &Value, args: Args<'_>) -> Outcome {
    let nanoseconds = of(vm, this)?.nanoseconds;
    Ok(Value::Bool(moment(args.at(0)).is_some_and(|other| other.nanoseconds == nanoseconds)))
}

fn rounded(vm: &mut Vm, this: &Value, args: Args<'_>, add: fn(i128) -> i128) -> Outcome {
    let digits = if args.values.is_empty() { 0 } else { vm.to_int(args.at(0))? };
    let unit = 10i128.pow(u32::try_from((9 - digits).clamp(0, 9)).unwrap_or(0));
    changed(vm, this, |nanoseconds| (nanoseconds + add(unit)).div_euclid(unit) * unit)
}

fn float(nanoseconds: i128) -> f64 {
    let (whole, part) = (nanoseconds.div_euclid(SECOND), nanoseconds.rem_euclid(SECOND));
    format!("{whole}e0").parse::<f64>().map_or(0.0, |it| it + 0.0) + part as f64 / 1e9
}

/// A number of nanoseconds as a rational number of seconds.
fn rational(vm: &mut Vm, nanoseconds: i128) -> Outcome {
    vm.rational(&Value::big(BigInt::from(nanoseconds)), &Value::Int(1_000_000_000))
}

/// A number of seconds as nanoseconds.
fn exact(vm: &mut Vm, value: &Value) -> Outcome<i128> {
    match value {
        Value::Int(number) => Ok(i128::from(*number) * SECOND),
        Value::Float(number) if number.is_finite() && number.abs() < 1e18 => {
            Ok(number.trunc() as i128 * SECOND + (number.fract() * 1e9).round() as i128)
        }
        Value::Object(_) if vm.is_named(value, "Rational") => {
            let top = vm.send(value, Sym::new("numerator"), &[])?;
            let bottom = vm.send(value, Sym::new("denominator"), &[])?;
            let (top, bottom) = (to_big(&top).unwrap_or_default(), to_big(&bottom).unwrap_or_default());
            let nanoseconds = top * BigInt::from(SECOND) / bottom.max(BigInt::from(1));
            i128::try_from(nanoseconds).map_err(|_| vm.error("RangeError", "the time is too large"))
        }
        Value::Big(_) | Value::Float(_) => Err(vm.error("RangeError", "the time is too large")),
        other => {
            let class = vm.described(other);
            Err(vm.type_error(&format!("can't convert {class} into an exact number")))
        }
    }
}

fn local_zone(vm: &mut Vm) -> Zone {
    let Some(world) = &vm.world else { return Zone::Local(0, "UTC".into()) };
    let offset = i64::from(world.utc_offset());
    let name = if offset == 0 { None } else { world.machine().and_then(|machine| machine.time_zone()) };
    Zone::Local(offset, name.unwrap_or_else(|| "UTC".to_owned()).into())
}

fn zone_keyword(vm: &mut Vm, args: Args<'_>) -> Outcome<Option<Zone>> {
    match args.keyword("in").filter(|_| args.keywords) {
        None | Some(Value::Nil) => Ok(None),
        Some(given) => zone_of(vm, &given).map(Some),
    }
}

fn zone_argument(vm: &mut Vm, args: Args<'_>) -> Outcome<Zone> {
    match args.at(0) {
        Value::Nil => Ok(local_zone(vm)),
        given => zone_of(vm, given),
    }
}

/// A zone: `UTC`, a letter, `+HH:MM` or seconds.
fn zone_of(vm: &mut Vm, value: &Value) -> Outcome<Zone> {
    let Value::Str(text) = value else {
        let seconds = vm.to_int(value)?;
        if seconds.abs() >= 86_400 {
            return Err(vm.argument_error("utc_offset out of range"));
        }
        return Ok(Zone::Fixed(seconds));
    };
    let text = text.to_text();
    let read = |digits: &str| digits.parse::<i64>().ok();
    let zone = match text.as_bytes() {
        b"UTC" | b"Z" | b"-00:00" => Some(Zone::Utc),
        [letter @ b'A'..=b'I'] => Some(Zone::Fixed(i64::from(letter - b'A' + 1) * 3600)),
        [letter @ b'K'..=b'M'] => Some(Zone::Fixed(i64::from(letter - b'K' + 10) * 3600)),
        [letter @ b'N'..=b'Y'] => Some(Zone::Fixed(i64::from(letter - b'N' + 1) * -3600)),
        [sign @ (b'+' | b'-'), ..] => {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            let parts = (digits.get(..2), digits.get(2..4).unwrap_or("00"), digits.get(4..6).unwrap_or("00"));
            let is_fine = matches!(digits.len(), 2 | 4 | 6) && text.len() <= 9;
            match (parts.0.and_then(read), read(parts.1), read(parts.2)) {
                (Some(hours), Some(minutes), Some(seconds)) if is_fine && hours < 24 && minutes < 60 => {
                    let all = hours * 3600 + minutes * 60 + seconds;
                    Some(Zone::Fixed(if *sign == b'-' { -all } else { all }))
                }
                _ => None,
            }
        }
        _ => None,
    };
    let message =
        format!("\"+HH:MM\", \"-HH:MM\", \"UTC\" or \"A\"..\"I\",\"K\"..\"Z\" expected for utc_offset: {text}");
    zone.ok_or_else(|| vm.argument_error(&message))
}

/// A time of its parts: year, month, day, hour, minute, second.
fn from_parts(vm: &mut Vm, class: &Value, values: &[Value], zone: Zone) -> Outcome {
    let part = |vm: &mut Vm, index: usize, default: i64| match values.get(index) {
        None | Some(Value::Nil) => Ok(default),
        Some(text @ Value::Str(_)) => {
            let main = vm.main.clone();
            let number = vm.send(&main, Sym::new("Integer"), &[text.clone(), Value::Int(10)])?;
            vm.to_int(&number)
        }
        Some(other) => vm.to_int(other),
    };
    let year = part(vm, 0, 1970)?;
    let month = match values.get(1) {
        Some(Value::Str(name)) if name.bytes.borrow().first().is_some_and(u8::is_ascii_alphabetic) => {
            let name = name.to_text().to_lowercase();
            let found = super::strftime::MONTHS.iter().position(|it| it.get(..3) == Some(&capitalized(&name)));
            found.map_or(13, |index| index as i64 + 1)
        }
        _ => part(vm, 1, 1)?,
    };
    let (day, hour, minute) = (part(vm, 2, 1)?, part(vm, 3, 0)?, part(vm, 4, 0)?);
    let second = match values.get(5) {
        None | Some(Value::Nil) => 0,
        Some(Value::Str(_)) => i128::from(part(vm, 5, 0)?) * SECOND,
        Some(other) => exact(vm, other)?,
    };
    let range = |vm: &mut Vm, name: &str| Err(vm.argument_error(name));
    // Compatibility: what does not fit into the bits that Ruby has for a part is out of another range.
    if !(0..16).contains(&month) || !(0..32).contains(&day) || !(0..32).contains(&hour) || !(0..64).contains(&minute) {
        return range(vm, "argument out of range");
    }
    if !(1..=12).contains(&month) {
        return range(vm, "mon out of range");
    }
    if !(1..=31).contains(&day) {
        return range(vm, "mday out of range");
    }
    if !(0..=24).contains(&hour) || (hour == 24 && (minute > 0 || second > 0)) {
        return range(vm, "hour out of range");
    }
    if !(0..60).contains(&minute) {
        return range(vm, "min out of range");
    }
    if !(0..=60 * SECOND + SECOND - 1).contains(&second) {
        return range(vm, "sec out of range");
    }
    if year.abs() > 1 << 40 {
        return range(vm, "year too big to marshal");
    }
    let offset = match &zone {
        Zone::Utc => 0,
        Zone::Local(offset, _) | Zone::Fixed(offset) => *offset,
    };
    let seconds = days_of(year, month, day) * 86_400 + hour * 3600 + minute * 60 - offset;
    Ok(made(vm, class, Moment { nanoseconds: i128::from(seconds) * SECOND + second, zone }))
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
}

//! An event from the members of its object, encoded as perf does.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;

use super::error::{Error, ErrorKind};
use super::event::{Code, Event, scale};
use super::names::folded;
use super::reader::{Key, Object, objects, place};
use crate::syntax;

/// Members that perf's terms have by another name, in the order in which perf writes them.
const FIELDS: [(Key, &str); 12] = [
    (Key::AnyThread, "any"),
    (Key::PortMask, "ch_mask"),
    (Key::CounterMask, "cmask"),
    (Key::EdgeDetect, "edge"),
    (Key::FCMask, "fc_mask"),
    (Key::Invert, "inv"),
    (Key::NodeType, "type"),
    (Key::RdWrMask, "rdwrmask"),
    (Key::EnAllCores, "enallcores"),
    (Key::EnAllSlices, "enallslices"),
    (Key::SliceId, "sliceid"),
    (Key::ThreadMask, "threadmask"),
];

/// Registers that a core's event needs besides its own, and perf's term for the value of each.
const SECOND_REGISTERS: [(u64, &str); 4] =
    [(0x1a6, "offcore_rsp"), (0x1a7, "offcore_rsp"), (0x3f6, "ldlat"), (0x3f7, "frontend")];

/// Events that vendors describe by their fixed counter, and the codes by which Linux finds that counter or a general
/// one: those of the architecture, without a unit mask.
const ARCHITECTURAL: [(&str, &str); 5] = [
    ("INST_RETIRED.ANY", "event=0xc0"),
    ("CPU_CLK_UNHALTED.REF", "event=0x0,umask=0x3"),
    ("CPU_CLK_UNHALTED.THREAD", "event=0x3c"),
    ("CPU_CLK_UNHALTED.CORE", "event=0x3c"),
    ("CPU_CLK_UNHALTED.THREAD_ANY", "event=0x3c,any=0x1"),
];

/// The code that Linux's drivers of the uncore take for a counter that counts one event only.
const FIXED_OR_FREE: &str = "event=0xff";

/// The fault of an object.
struct Fault {
    key: Option<Key>,
    kind: ErrorKind,
}

impl Fault {
    fn of(key: Key, kind: ErrorKind) -> Fault {
        Fault { key: Some(key), kind }
    }
}

/// What the processors of an architecture have in common, by folded names; `None` is a metric.
pub(super) type Standard = HashMap<String, Option<Event>>;

/// The names of the metrics of a file.
pub(super) fn metrics(file: &str) -> Vec<String> {
    let mut names = Vec::new();
    // What is wrong is found where events are read.
    let _ = objects(file, |_, object| names.extend(object.text(Key::MetricName).map(folded)));
    names
}

/// The events of a file, as far as it could be read, and the errors in it.
pub(super) fn read(file: &str, standard: &Standard) -> (Vec<Event>, Vec<Error>) {
    let (mut events, mut faults) = (Vec::new(), Vec::new());
    let result = objects(file, |number, object| match event(&object, standard) {
        Ok(event) => events.extend(event),
        Err(fault) => faults.push((number, fault)),
    });
    let at = |(number, Fault { key, kind }): (usize, Fault)| {
        Error::new(file, place(file, number, key), Some(number), kind)
    };
    // A file of which everything is wrong is not read once for each of its errors.
    const MOST: usize = 20;
    let errors = faults.into_iter().take(MOST).map(at).chain(result.err());
    (events, errors.collect())
}

/// The event of an object; `None` if it describes something else, such as a metric.
fn event(object: &Object<'_>, standard: &Standard) -> Result<Option<Event>, Fault> {
    if object.is_other {
        return Err(Fault { key: None, kind: ErrorKind::NotAnObject });
    }
    let name = object.text(Key::EventName);
    let mut event = match (object.text(Key::ArchStdEvent), name) {
        (Some(known), name) => {
            let known = standard.get(&folded(known)).cloned().ok_or_else(|| {
                let name = known.to_owned();
                Fault::of(Key::ArchStdEvent, ErrorKind::NotStandard { name })
            })?;
            let Some(known) = known else { return Ok(None) };
            Event { name: name.map_or(known.name.clone(), str::to_owned), ..known }
        }
        (None, Some(name)) => Event { name: usual_name(name), ..Event::default() },
        (None, None) => return Ok(None),
    };
    if let Some(key) = object.nested {
        return Err(Fault::of(key, ErrorKind::NotAText { key: key.name() }));
    }
    describe(object, &mut event);
    event.is_deprecated = number(object, Key::Deprecated)? == 1
        || event.brief.starts_with("This event is deprecated");
    event.successor = successor(&event.brief).filter(|_| event.is_deprecated).map(str::to_owned);
    event.errata = object.text(Key::Errata).and_then(errata);
    let codes = [Key::EventCode, Key::ConfigCode, Key::EventidCode];
    if event.terms.is_empty() || codes.iter().any(|key| object.text(*key).is_some()) {
        program(object, &mut event)?;
    }
    Ok(Some(event))
}

/// The name by which perf knows an event: Intel's oldest files write two names otherwise.
fn usual_name(name: &str) -> String {
    if let Some(rest) = name.strip_prefix("OFFCORE_RESPONSE_0") {
        return format!("OFFCORE_RESPONSE{rest}");
    }
    let parts = name.strip_prefix("OFFCORE_RESPONSE:request=");
    match parts.and_then(|parts| parts.split_once(":response=")) {
        Some((request, response)) => format!("OFFCORE_RESPONSE.{request}.{response}"),
        None => name.to_owned(),
    }
}

fn describe(object: &Object<'_>, event: &mut Event) {
    let owned = |key| object.text(key).map(str::to_owned);
    let short = owned(Key::BriefDescription).or_else(|| owned(Key::Description));
    event.brief = short.unwrap_or(std::mem::take(&mut event.brief));
    event.text = owned(Key::PublicDescription).or(event.text.take());
    if event.brief.is_empty() {
        event.brief = event.text.take().unwrap_or_default();
    }
    event.text = event.text.take().filter(|text| *text != event.brief);
    event.unit = owned(Key::Unit).or(event.unit.take());
    event.counters = object.text(Key::Counter).and_then(counters).or(event.counters);
    let marks = |key, words: &[&str]| object.text(key).is_some_and(|text| words.contains(&text));
    event.is_precise |= marks(Key::PEBS, &["1", "2"]) || marks(Key::Precise, &["1"]);
    let latency = object.text(Key::RetirementLatencyMean).and_then(|text| text.parse().ok());
    event.latency = latency.filter(|mean: &f64| mean.is_finite()).or(event.latency);
    event.scale = object.text(Key::ScaleUnit).and_then(scale).or(event.scale.take());
}

/// Sets the terms and the codes of an event.
fn program(object: &Object<'_>, event: &mut Event) -> Result<(), Fault> {
    if event.is_of_core()
        && let Some((_, terms)) =
            ARCHITECTURAL.iter().find(|(name, _)| name.eq_ignore_ascii_case(&event.name))
    {
        // The counters of the file are those of the other way to count it.
        event.counters = None;
        event.terms = (*terms).to_owned();
        let code = number(object, Key::EventCode)?;
        let rest = number(object, Key::UMask)? | number(object, Key::AnyThread)? << 13;
        event.codes = vec![Code { event: code, rest, second: 0 }];
        return Ok(());
    }
    if let Some(terms) = of_one_counter(object, event) {
        event.terms = terms;
        return Ok(());
    }
    let settings = Settings::read(object)?;
    event.terms = settings.terms();
    event.codes = settings.codes();
    Ok(())
}

/// The settings of the registers that count an event.
struct Settings<'o> {
    /// The term that selects the event, without its unit mask, and its value.
    selector: (&'static str, u64),
    codes: Vec<u64>,
    extended: u64,
    umask: u64,
    fields: [(&'static str, u64); FIELDS.len()],
    /// The term and the value of the second register.
    second: Option<(&'static str, u64)>,
    filter: Option<Cow<'o, str>>,
}

impl<'o> Settings<'o> {
    fn read(object: &'o Object<'_>) -> Result<Settings<'o>, Fault> {
        let mut settings = Settings {
            extended: number(object, Key::ExtSel)?,
            codes: numbers(object, Key::EventCode)?,
            fields: fields(object)?,
            selector: ("event", 0),
            umask: 0,
            second: None,
            filter: None,
        };
        // If the channels have members of their own, the extension of the unit mask repeats them.
        let extension = if settings.has_channels() { 0 } else { number(object, Key::UMaskExt)? };
        settings.umask = number(object, Key::UMask)? | extension << 8;
        let (config, id) = (number(object, Key::ConfigCode)?, number(object, Key::EventidCode)?);
        settings.selector = match [Key::ConfigCode, Key::EventidCode].map(|key| object.text(key)) {
            [Some(_), _] => ("config", config),
            [None, Some(_)] => ("eventid", id),
            [None, None] => {
                let code = settings.codes.first().copied().unwrap_or(0);
                ("event", code | settings.extended << 8)
            }
        };
        let (register, value) = (number(object, Key::MSRIndex)?, number(object, Key::MSRValue)?);
        let second = SECOND_REGISTERS.iter().find(|(known, _)| *known == register);
        settings.second = second.map(|(_, name)| (*name, value));
        settings.filter = filter(object)?;
        Ok(settings)
    }

    /// The value of a field by perf's name of it.
    fn field(&self, wanted: &str) -> u64 {
        self.fields.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, value)| *value)
    }

    fn has_channels(&self) -> bool {
        self.field("ch_mask") != 0 || self.field("fc_mask") != 0
    }

    /// The settings as perf's terms.
    fn terms(&self) -> String {
        let (selector, value) = self.selector;
        let mut terms = format!("{selector}={value:#x}");
        let set = [("umask", self.umask)].into_iter().chain(self.fields);
        for (name, value) in set.filter(|(_, value)| *value != 0).chain(self.second) {
            let _ = write!(terms, ",{name}={value:#x}");
        }
        if let Some(filter) = &self.filter {
            let _ = write!(terms, ",{filter}");
        }
        terms
    }

    /// The settings as the bits of the registers, once for each code. Channels have other bits in each processor: their
    /// events have no codes and are found by name.
    fn codes(self) -> Vec<Code> {
        if self.has_channels() {
            return Vec::new();
        }
        let rest = self.umask & 0xff
            | self.umask >> 8 << 24
            | (self.field("edge") & 1) << 10
            | (self.extended & 1) << 13
            | (self.field("any") & 1) << 13
            | (self.field("inv") & 1) << 15
            | (self.field("cmask") & 0xff) << 16;
        let second = self.second.filter(|(name, _)| *name == "offcore_rsp");
        let second = second.map_or(0, |(_, value)| value);
        self.codes.into_iter().map(|event| Code { event, rest, second }).collect()
    }
}

fn fields(object: &Object<'_>) -> Result<[(&'static str, u64); FIELDS.len()], Fault> {
    let mut fields = FIELDS.map(|(_, name)| (name, 0));
    for ((_, value), (key, _)) in fields.iter_mut().zip(FIELDS) {
        *value = number(object, key)?;
    }
    Ok(fields)
}

/// The terms of an event of the uncore that has a counter for itself: one that software starts, or one that always
/// runs, which has a PMU of its own.
fn of_one_counter(object: &Object<'_>, event: &mut Event) -> Option<String> {
    let unit = event.unit.as_deref()?;
    if object.text(Key::CounterType) == Some("FREERUN") && !unit.contains("free_running") {
        // Linux's driver numbers kinds of these counters, and counters of a kind.
        let name = &event.name;
        let has = |word| name.contains(word);
        let part = name.split_once("PART").map(|(_, rest)| rest);
        let part = part.and_then(|rest| rest.chars().next()?.to_digit(16)).unwrap_or(0);
        let kind = if has("RDCAS") {
            2
        } else if has("WRCAS") {
            3
        } else if has("BANDWIDTH_IN") {
            2
        } else if has("BANDWIDTH_OUT") {
            3
        } else {
            1
        };
        let umask = kind << 4 | part;
        let kind = unit.to_lowercase();
        let kind = kind.strip_prefix("h_").unwrap_or(&kind);
        let number = name.split_once("_MC").and_then(|(_, rest)| rest.chars().next());
        let number = number.filter(char::is_ascii_digit).map(|number| format!("_{number}"));
        event.unit = Some(format!("{kind}_free_running{}", number.unwrap_or_default()));
        return Some(format!("{FIXED_OR_FREE},umask={umask:#x}"));
    }
    let counter = object.text(Key::Counter)?;
    counter.eq_ignore_ascii_case("fixed").then(|| FIXED_OR_FREE.to_owned())
}

/// Perf's terms for a filter. Intel's files also have the names of registers that must be set by hand, which are no
/// terms: such events are counted without a filter.
fn filter<'o>(object: &'o Object<'_>) -> Result<Option<Cow<'o, str>>, Fault> {
    let Some(filter) = object.text(Key::Filter) else { return Ok(None) };
    if filter.eq_ignore_ascii_case("filter1") {
        let value = number(object, Key::FILTER_VALUE)?;
        return Ok((value != 0).then(|| format!("config1={value:#x}").into()));
    }
    if !filter.contains('=') {
        return Ok(None);
    }
    match syntax::terms(filter) {
        Ok(_) => Ok(Some(filter.into())),
        Err(_) => Err(Fault::of(Key::Filter, ErrorKind::NotTerms)),
    }
}

/// The event that has replaced a deprecated one, by the vendor's words.
fn successor(brief: &str) -> Option<&str> {
    let (_, rest) = brief.split_once("Refer to new event ")?;
    let name = rest.split(char::is_whitespace).next()?.trim_end_matches(['.', ',', '[', ']']);
    (!name.is_empty()).then_some(name)
}

/// The numbers of errata, which Arm's files introduce with a word, and Intel's replace by 0 where there are none.
fn errata(text: &str) -> Option<String> {
    let numbers = text.trim_start_matches("Errata ").split(',').map(str::trim);
    let numbers: Vec<&str> = numbers.filter(|number| !matches!(*number, "" | "0")).collect();
    (!numbers.is_empty()).then(|| numbers.join(", "))
}

/// A number, 0 when it is not there; of several the first.
fn number(object: &Object<'_>, key: Key) -> Result<u64, Fault> {
    Ok(numbers(object, key)?.first().copied().unwrap_or(0))
}

/// The numbers between commas.
fn numbers(object: &Object<'_>, key: Key) -> Result<Vec<u64>, Fault> {
    let Some(text) = object.text(key) else { return Ok(Vec::new()) };
    let number = |text: &str| match text.get(..2) {
        Some("0x" | "0X") => u64::from_str_radix(&text[2..], 16).ok(),
        _ => text.parse().ok(),
    };
    let numbers: Option<Vec<u64>> = text.split(',').map(|text| number(text.trim())).collect();
    numbers.ok_or_else(|| Fault::of(key, ErrorKind::NotANumber { key: key.name() }))
}

/// `0,1,2,3`, or `Fixed counter 1`.
fn counters(text: &str) -> Option<u64> {
    const FIXED: &str = "fixed counter ";
    let is_fixed = text.get(..FIXED.len()).is_some_and(|start| start.eq_ignore_ascii_case(FIXED));
    let (text, shift) = if is_fixed { (&text[FIXED.len()..], 32) } else { (text, 0) };
    let mut counters = 0u64;
    for number in text.trim_end_matches(',').split(',') {
        let number = number.trim().parse::<u32>().ok().filter(|number| *number < 64 - shift)?;
        counters |= 1 << (number + shift);
    }
    (counters != 0).then_some(counters)
}

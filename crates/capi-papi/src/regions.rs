//! The high-level interface: counts for parts of a program by name, and the report when the program ends.

use std::cell::RefCell;
use std::ffi::c_int;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use counterpoint::Reporter;
use counterpoint::perf::output;
use counterpoint_capi::Current;

use crate::claim::Claimed;
use crate::codes::{EINVAL, EMISC, ENOEVNT, ESYS, Failed};
use crate::components::NAMES;
use crate::exports::{event_code, report_at_exit};
use crate::library::{self, HIGH_LEVEL, Library, RELEASE};
use crate::owned::Owned;
use crate::set::{self, Set};
use crate::{options, threads, timers};

/// The events if `PAPI_EVENTS` names none that can be counted.
const DEFAULTS: [&str; 5] =
    ["perf::TASK-CLOCK", "PAPI_TOT_INS", "PAPI_TOT_CYC", "PAPI_FP_INS", "PAPI_FP_OPS"];

/// The events that are counted, and the regions of all threads.
#[derive(Debug)]
struct Regions {
    /// The process that counts: one that was forked has regions of its own, if it enters any.
    process: u32,
    /// The events with the numbers of their components, those of a component together: a set has one component.
    events: Vec<(usize, String)>,
    threads: Claimed<Vec<(u32, Vec<Region>)>>,
}

impl Regions {
    /// Those of this process, if it has entered a region.
    fn get() -> Option<&'static Regions> {
        REGIONS.get().filter(|regions| regions.process == std::process::id())
    }
}

/// A region that has ended.
#[derive(Debug)]
struct Region {
    number: usize,
    parent: c_int,
    name: String,
    /// Cycles, nanoseconds, and the events: since the region began, at each read and at its end.
    reads: Vec<Vec<i64>>,
    values: Vec<i64>,
}

/// What a thread counts: its sets, the regions that it is in with their first values, and the number of the next.
#[derive(Debug, Default)]
struct Own {
    sets: Vec<Owned>,
    open: Vec<(Region, Vec<i64>)>,
    next: usize,
    has_begun: bool,
}

static REGIONS: Current<Regions> = Current::none();

thread_local! {
    static OWN: RefCell<Own> = RefCell::new(Own::default());
}

/// Enters a region.
pub(crate) fn begin(name: &str) -> Result<(), Failed> {
    let regions = started()?;
    OWN.with_borrow_mut(|own| {
        own.start(regions)?;
        let parent = own.open.last().map_or(-1, |(region, _)| region.number as c_int);
        let number = own.next;
        let (name, reads, values) = (name.to_owned(), Vec::new(), Vec::new());
        let first = own.read()?;
        own.has_begun = true;
        own.open.push((Region { number, parent, name, reads, values }, first));
        own.next += 1;
        Ok(())
    })
}

/// Notes the values of a region so far.
pub(crate) fn note(name: &str) -> Result<(), Failed> {
    OWN.with_borrow_mut(|own| {
        own.begun()?;
        let now = own.read()?;
        let mut open = own.open.iter_mut().rev();
        let (region, first) = open.find(|(region, _)| region.name == name).ok_or(EINVAL)?;
        region.reads.push(since(&now, first));
        Ok(())
    })
}

/// Leaves a region.
pub(crate) fn end(name: &str) -> Result<(), Failed> {
    let regions = Regions::get().ok_or(EMISC)?;
    OWN.with_borrow_mut(|own| {
        own.begun()?;
        let now = own.read()?;
        let place = own.open.iter().rposition(|(region, _)| region.name == name).ok_or(EINVAL)?;
        let (mut region, first) = own.open.remove(place);
        region.values = since(&now, &first);
        let mut threads = regions.threads.claim()?;
        let thread = threads::kernel_id();
        match threads.iter_mut().find(|(own, _)| *own == thread) {
            Some((_, ended)) => ended.push(region),
            None => threads.push((thread, vec![region])),
        }
        Ok(())
    })
}

/// Ends the counting of this thread.
pub(crate) fn stop() -> Result<(), Failed> {
    OWN.with_borrow_mut(|own| {
        own.open.clear();
        let was_alive = own.is_alive();
        own.sets.clear();
        if was_alive { Ok(()) } else { Err(ENOEVNT) }
    })
}

fn since(now: &[i64], first: &[i64]) -> Vec<i64> {
    now.iter().zip(first).map(|(now, first)| now.wrapping_sub(*first)).collect()
}

impl Own {
    /// Whether this thread has entered a region.
    fn begun(&self) -> Result<(), Failed> {
        if self.has_begun { Ok(()) } else { Err(EMISC) }
    }

    /// Whether the sets of this thread count.
    fn is_alive(&self) -> bool {
        self.sets.first().is_some_and(Owned::is_alive)
    }

    /// Starts the sets of this thread, when it enters its first region.
    fn start(&mut self, regions: &Regions) -> Result<(), Failed> {
        if self.is_alive() {
            return Ok(());
        }
        let library = Library::current()?;
        // Regions that were open when the library was ended have no end.
        self.open.clear();
        let started = regions.events.chunk_by(|a, b| a.0 == b.0).map(|events| {
            let codes = events.iter().map(|(_, event)| event_code(library, event));
            Owned::start(library, codes)
        });
        self.sets = started.collect::<Result<_, Failed>>()?;
        // The kernel gives the id of a thread that has ended to another one.
        let thread = threads::kernel_id();
        let ended = regions.threads.claim()?;
        let of_thread = ended.iter().filter(|(own, _)| *own == thread).flat_map(|(_, own)| own);
        let used = of_thread.map(|region| region.number + 1).max().unwrap_or(0);
        self.next = self.next.max(used);
        Ok(())
    }

    /// Cycles, nanoseconds and the counts of the events.
    fn read(&self) -> Result<Vec<i64>, Failed> {
        let mut values = vec![timers::real_cycles(), timers::real()];
        if self.sets.is_empty() {
            return Err(EINVAL);
        }
        self.sets.iter().try_for_each(|set| set.read(|_, value| values.push(value)))?;
        Ok(values)
    }
}

/// The events, which are looked up when the first region is entered.
fn started() -> Result<&'static Regions, Failed> {
    if let Some(regions) = Regions::get() {
        return Ok(regions);
    }
    let of_parent = REGIONS.get();
    if Library::current().is_err() {
        Library::start(RELEASE as c_int)?;
    }
    let library = Library::current()?;
    let wanted = std::env::var("PAPI_EVENTS").unwrap_or_default();
    let wanted = wanted.split(',').map(str::trim).filter(|name| !name.is_empty());
    let mut events = countable(library, wanted);
    if events.is_empty() {
        events = countable(library, DEFAULTS.into_iter());
    }
    if events.is_empty() {
        return Err(EMISC);
    }
    library::raise_level(HIGH_LEVEL);
    report_at_exit();
    let (process, threads) = (std::process::id(), Claimed::new(Vec::new()));
    let made = Box::leak(Box::new(Regions { process, events, threads }));
    // Another thread may have been quicker; what was made here has counted nothing.
    match REGIONS.exchange(of_parent, made) {
        Ok(()) => Ok(made),
        Err(first) => Ok(first.unwrap_or(made)),
    }
}

/// Those events that can be counted together with those before them, each in the set of its component.
fn countable<'a>(library: &Library, names: impl Iterator<Item = &'a str>) -> Vec<(usize, String)> {
    let mut sets = [const { None }; NAMES.len()];
    let mut component_if_countable = |name: &str| {
        let code = event_code(library, name)?;
        let component = set::component(library, code)?;
        let set = sets[component].get_or_insert_with(|| Set::new(options::of_new_set()));
        set.add(library, code).map(|()| component)
    };
    let mut events: Vec<(usize, String)> = names
        .filter_map(|name| component_if_countable(name).ok().map(|own| (own, name.to_owned())))
        .collect();
    events.sort_by_key(|(component, _)| *component);
    events
}

/// Writes the report, when the program ends.
pub(crate) fn report() {
    let Some(regions) = Regions::get() else { return };
    // Nobody can be told that it could not be written.
    let _ = write(regions);
}

fn write(regions: &Regions) -> Result<(), Failed> {
    let threads = regions.threads.claim()?;
    if threads.iter().all(|(_, ended)| ended.is_empty()) {
        return Ok(());
    }
    let directory =
        std::env::var_os("PAPI_OUTPUT_DIRECTORY").map_or_else(PathBuf::new, PathBuf::from);
    let directory = directory.join("papi_hl_output");
    std::fs::create_dir_all(&directory).map_err(|_| ESYS)?;
    let rank = Reporter::this_process().rank.unwrap_or(0);
    let path: &Path = &directory.join(format!("rank_{rank:06}.json"));
    let text = json(regions, &threads).map_err(|_| ESYS)?;
    let mut file = output::create(path).map_err(|_| ESYS)?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(|_| ESYS)
}

/// PAPI's report: each thread has its regions by their numbers, and each region its values.
fn json(regions: &Regions, threads: &[(u32, Vec<Region>)]) -> Result<String, std::fmt::Error> {
    let mut text = String::from("{\n  \"papi_version\":\"7.0.0.0\",\n");
    let host = counterpoint::perf::Host::local();
    let info = crate::hardware::read(&host);
    let model = String::from_utf8_lossy(&info.model_string).trim_end_matches('\0').to_owned();
    writeln!(text, "  \"cpu_info\":{},", quoted(&model))?;
    writeln!(text, "  \"max_cpu_rate_mhz\":\"{}\",", info.cpu_max_mhz)?;
    writeln!(text, "  \"min_cpu_rate_mhz\":\"{}\",", info.cpu_min_mhz)?;
    text.push_str("  \"event_definitions\":{");
    for (place, (component, event)) in regions.events.iter().enumerate() {
        let (component, ..) = NAMES[*component];
        let comma = if place == 0 { "" } else { "," };
        let name = quoted(event);
        write!(text, "{comma}\n    {name}:{{\"component\":\"{component}\",\"type\":\"delta\"}}")?;
    }
    text.push_str("\n  },\n  \"threads\":{");
    for (place, (_, ended)) in threads.iter().enumerate() {
        let comma = if place == 0 { "" } else { "," };
        write!(text, "{comma}\n    \"{place}\":{{\n      \"regions\":{{")?;
        let mut ended: Vec<&Region> = ended.iter().collect();
        ended.sort_by_key(|region| region.number);
        for (place, region) in ended.into_iter().enumerate() {
            text.push_str(if place == 0 { "" } else { "," });
            region.write(&regions.events, &mut text)?;
        }
        text.push_str("\n      }\n    }");
    }
    text.push_str("\n  }\n}\n");
    Ok(text)
}

impl Region {
    fn write(&self, events: &[(usize, String)], text: &mut String) -> std::fmt::Result {
        let Region { number, parent, name, .. } = self;
        write!(text, "\n        \"{number}\":{{\n          \"name\":{},", quoted(name))?;
        write!(text, "\n          \"parent_region_id\":\"{parent}\"")?;
        let names = ["cycles", "real_time_nsec"].into_iter();
        let names = names.chain(events.iter().map(|(_, event)| event.as_str()));
        for (place, (name, value)) in names.zip(&self.values).enumerate() {
            write!(text, ",\n          {}:", quoted(name))?;
            if self.reads.is_empty() {
                write!(text, "\"{value}\"")?;
                continue;
            }
            write!(text, "{{\"region_value\":\"{value}\"")?;
            for (number, read) in self.reads.iter().enumerate() {
                let value = read.get(place).copied().unwrap_or_default();
                write!(text, ",\"read_{}\":\"{value}\"", number + 1)?;
            }
            text.push('}');
        }
        text.push_str("\n        }");
        Ok(())
    }
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            char if char.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(char));
            }
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

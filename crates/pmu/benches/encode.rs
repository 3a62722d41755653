//! The cost of an encoding beside libpfm4: `cargo bench -p counterpoint-pmu --bench encode`.
//!
//! Interleaved rounds, in nanoseconds for one string of those that libpfm4 accepts too; without libpfm4, there are no limits.
//! The first string of a process includes finding its table, and has a process of its own in each round.

#![allow(unsafe_code, reason = "libpfm4 is the peer")]
#![allow(clippy::print_stdout, reason = "a benchmark says what it measured")]

use std::ffi::CString;
use std::hint::black_box;
use std::process::{Command, ExitCode};

use counterpoint_pmu::vendor::Events;
use counterpoint_pmu::{Context, Layer, Machine, Pmu, all, encode, find, program};

#[path = "../../../xtask/bench/library.rs"]
mod library;
#[path = "../../../xtask/bench/pfm.rs"]
mod pfm;
#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

use pfm::{Os, Pfm};
use row::{Limit, alone, compared};
use turns::{each, in_turn, once, pairs, scaled};

const ROUNDS: usize = 51;
/// This program with one of these encodes one string, here or in libpfm4, and prints what that took, in nanoseconds.
const FIRST: &str = "--first";
const FIRST_OF_LIBPFM4: &str = "--first-of-libpfm4";
/// The same for an event by its vendor's name.
const FIRST_OF_VENDOR: &str = "--first-of-vendor";
const STRING: &str = "spr::INST_RETIRED:ANY_P:u=1:k=1";

const OF_FIRST: Limit = Limit::Times(1.0 / 25.0);
const OF_STRING: Limit = Limit::Times(1.0 / 5.0);
const OF_KERNEL: Limit = Limit::Times(1.0 / 15.0);
/// With the string in full, whatever the event.
const OF_PRINTED: Limit = Limit::Times(1.0 / 4.0);
const OF_MISSPELT: Limit = Limit::Times(1.0);
/// In nanoseconds, and in microseconds.
const OF_NAME: Limit = Limit::Most(500.0);
const OF_FIRST_NAME: Limit = Limit::Most(100.0);
/// In milliseconds.
const ATTRIBUTES: Limit = Limit::Most(100.0);

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some(FIRST) => println!("{}", first()),
        Some(FIRST_OF_LIBPFM4) => println!("{}", first_of_libpfm4()),
        Some(FIRST_OF_VENDOR) => println!("{}", once(|| assert!(is_known(&vendors(), NAME)))),
        Some("--bench") => return measure(),
        _ => println!("skipped: run it with cargo bench"),
    }
    ExitCode::SUCCESS
}

fn measure() -> ExitCode {
    let libpfm4 = Pfm::system();
    let raw = Context::new(Layer::Raw);
    let perf = Context::new(Layer::PerfEvent);
    let ext = Context::new(Layer::PerfEventExt);
    let mut ok = first_strings(libpfm4.is_some());
    let report = |what: &str, strings: &[String], context: &Context, limit: Limit| {
        let case = Case::new(strings, context, libpfm4.as_ref());
        let codes = case.row(&format!("{what}, codes"), limit, false);
        codes & case.row(&format!("{what}, printed too"), OF_PRINTED, true)
    };
    for (name, context) in [("raw", &raw), ("perf", &perf), ("perf, all attributes", &ext)] {
        let strings = qualified(&["spr", "amd64_fam19h_zen4", "arm_n1"], context);
        assert!(strings.len() > 100);
        ok &= report(&format!("{name} layer"), &strings, context, OF_STRING);
    }
    let one = ["spr::BR_INST_RETIRED:COND:u=1:k=1".to_owned()];
    ok &= report("the same string", &one, &perf, OF_STRING);
    // libpfm4 has no modifier for the hypervisor of these.
    let kernel = qualified(&["perf"], &perf).into_iter().map(|string| string.replace(":h=0", ""));
    let (cache, plain): (Vec<_>, Vec<_>) = kernel.partition(|s| s.contains("_CACHE_"));
    assert!(cache.len() > 5 && plain.len() > 10);
    ok &= report("the kernel's events", &plain, &perf, OF_KERNEL);
    // With their default unit masks, which are added to the request.
    ok &= report("the kernel's cache events", &cache, &perf, OF_KERNEL);
    ok &= misspelt(libpfm4.as_ref());
    ok &= vendors_names();
    let (many, masks) = most_masks();
    ok &= report(&format!("an event of {masks} masks"), &[many], &perf, OF_STRING);
    let machine = Machine::default();
    let mut attributes = 0;
    let mut walk = || {
        attributes = all()
            .flat_map(Pmu::events)
            .map(|event| black_box(event.attributes(Layer::PerfEventExt, &machine)).len())
            .sum::<usize>();
    };
    let rounds: Vec<f64> = (0..5).map(|_| once(&mut walk) / 1e6).collect();
    ok &= alone(&format!("all {attributes} attributes"), "ms", &rounds, ATTRIBUTES);
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn first() -> f64 {
    let context = Context::new(Layer::PerfEvent);
    once(|| assert!(program(black_box(STRING), &context).is_ok()))
}

fn first_of_libpfm4() -> f64 {
    let string = CString::new(STRING).expect("it has no zero");
    let mut is_encoded = false;
    let ns = once(|| {
        is_encoded = Pfm::system().is_some_and(|pfm| pfm.accepts(&string, Os::PerfEvent, false));
    });
    assert!(is_encoded);
    ns
}

/// Of a unit mask with dots, in the file with the most events.
const NAME: &str = "OFFCORE_RESPONSE.DEMAND_DATA_RD.L3_MISS.ANY_SNOOP";

/// The events of Cascade Lake that are built in.
fn vendors() -> Events {
    let cpu = find("clx").and_then(Pmu::processor).expect("its processor");
    Events::built_in(&cpu)
}

fn is_known(events: &Events, name: &str) -> bool {
    events.named(black_box(name)).next().is_some()
}

/// An event by its vendor's name, with its terms, its unit and its counters.
fn vendors_names() -> bool {
    const CALLS: usize = 1000;
    let events = vendors();
    let warm: Vec<f64> =
        (0..ROUNDS).map(|_| each(CALLS, || assert!(is_known(&events, NAME)))).collect();
    let first: Vec<f64> = (0..ROUNDS).map(|_| own_process(FIRST_OF_VENDOR) / 1e3).collect();
    alone("a vendor's name", "ns", &warm, OF_NAME)
        & alone("the first vendor's name of a process", "µs", &first, OF_FIRST_NAME)
}

/// The nanoseconds that this program measures in a process of its own.
fn own_process(which: &str) -> f64 {
    let this = std::env::current_exe().expect("the path of this program");
    let output = Command::new(this).arg(which).output().expect("this program runs");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("nanoseconds")
}

/// The first string of a process, with what libpfm4 needs to start, but without loading either program.
fn first_strings(has_peer: bool) -> bool {
    let one = own_process;
    let name = "the first string of a process";
    if has_peer {
        let rounds = in_turn(ROUNDS, [&mut || one(FIRST), &mut || one(FIRST_OF_LIBPFM4)]);
        compared(name, "µs", "libpfm4", &scaled(&pairs(&rounds, 0, 1), 1e-3), OF_FIRST)
    } else {
        let rounds: Vec<f64> = (0..ROUNDS).map(|_| one(FIRST) / 1e3).collect();
        alone(name, "µs", &rounds, Limit::None)
    }
}

/// A name that no event has, with which nothing more is done than to refuse it.
fn misspelt(libpfm4: Option<&Pfm>) -> bool {
    const CALLS: usize = 200;
    let string = "spr::BR_INST_RETIRE:COND";
    let context = Context::new(Layer::PerfEvent);
    let of_c = CString::new(string).expect("it has no zero");
    let ours = || each(CALLS, || assert!(program(black_box(string), &context).is_err()));
    match libpfm4 {
        Some(pfm) => {
            let theirs =
                || each(CALLS, || assert!(!pfm.accepts(black_box(&of_c), Os::PerfEvent, false)));
            let rounds = in_turn(ROUNDS, [&mut { ours }, &mut { theirs }]);
            compared("a misspelt name", "ns", "libpfm4", &pairs(&rounds, 0, 1), OF_MISSPELT)
        }
        None => {
            let rounds: Vec<f64> = (0..ROUNDS).map(|_| ours()).collect();
            alone("a misspelt name", "ns", &rounds, Limit::None)
        }
    }
}

/// Fully qualified strings of this crate, fed back.
fn qualified(pmus: &[&str], context: &Context) -> Vec<String> {
    let mut strings = Vec::new();
    for pmu in pmus.iter().filter_map(|name| find(name)) {
        for event in pmu.events() {
            let masks = event.attributes(Layer::Raw, &context.machine);
            let mask = masks.first().map_or("", |mask| mask.name);
            let string = format!("{}::{}:{mask}", pmu.name, event.name);
            if let Ok(encoding) = encode(string.trim_end_matches(':'), context) {
                strings.push(encoding.fully_qualified);
            }
        }
    }
    strings.retain(|string| program(string, context).is_ok());
    strings
}

/// The event with the most unit masks that can be encoded with its last one.
fn most_masks() -> (String, usize) {
    let context = Context::new(Layer::PerfEvent);
    let mut best = (String::new(), 0);
    for pmu in all() {
        for event in pmu.events() {
            let attributes = event.attributes(Layer::Raw, &context.machine);
            let mut masks =
                attributes.iter().filter(|a| a.kind == counterpoint_pmu::AttributeKind::Umask);
            let count = masks.clone().count();
            let Some(last) = masks.next_back().filter(|_| count > best.1) else { continue };
            let string = format!("{}::{}:{}", pmu.name, event.name, last.name);
            if program(&string, &context).is_ok() {
                best = (string, count);
            }
        }
    }
    best
}

/// Strings to encode, which libpfm4 accepts too if there is one.
struct Case<'a> {
    strings: Vec<String>,
    of_c: Vec<CString>,
    context: &'a Context,
    libpfm4: Option<&'a Pfm>,
    os: Os,
}

impl<'a> Case<'a> {
    fn new(strings: &[String], context: &'a Context, libpfm4: Option<&'a Pfm>) -> Case<'a> {
        let os = match context.layer {
            Layer::Raw => Os::None,
            Layer::PerfEvent => Os::PerfEvent,
            Layer::PerfEventExt => Os::PerfEventExt,
        };
        let of_c = |string: &String| CString::new(string.as_str()).expect("it has no zero");
        let both = |of_c: &CString| libpfm4.is_none_or(|pfm| pfm.accepts(of_c, os, false));
        let cases = strings.iter().map(|string| (string.clone(), of_c(string)));
        let (strings, of_c) = cases.filter(|(_, of_c)| both(of_c)).unzip();
        Case { strings, of_c, context, libpfm4, os }
    }

    /// Codes and kernel fields; with `prints`, the string in full as well.
    fn row(&self, name: &str, limit: Limit, prints: bool) -> bool {
        if self.strings.is_empty() {
            println!("skipped: {name}: libpfm4 accepts none of these strings");
            return true;
        }
        let repeats = (500 / self.strings.len()).max(1);
        let a_string = |ns: f64| ns / self.strings.len() as f64;
        let mut ours = || {
            let encode = |string: &String| {
                if prints {
                    encode(black_box(string), self.context).is_ok()
                } else {
                    program(black_box(string), self.context).is_ok()
                }
            };
            a_string(each(repeats, || assert!(self.strings.iter().all(encode))))
        };
        match self.libpfm4 {
            Some(pfm) => {
                let encode = |string: &CString| pfm.accepts(black_box(string), self.os, prints);
                let mut theirs =
                    || a_string(each(repeats, || assert!(self.of_c.iter().all(encode))));
                let rounds = in_turn(ROUNDS, [&mut ours, &mut theirs]);
                compared(name, "ns", "libpfm4", &pairs(&rounds, 0, 1), limit)
            }
            None => {
                let rounds: Vec<f64> = (0..ROUNDS).map(|_| ours()).collect();
                alone(name, "ns", &rounds, Limit::None)
            }
        }
    }
}

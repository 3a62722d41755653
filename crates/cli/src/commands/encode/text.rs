//! An answer for people.

use super::answer::{Answer, Opened, Outcome, Refused};
use crate::show::{hex, marks, printable};
use counterpoint::pmu::{Encoding, PerfEncoding};
use std::io::{self, Write};

pub fn write(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    match &answer.outcome {
        Outcome::Libpfm { encoding, is_full_the_same } => {
            write_encoding(out, encoding, *is_full_the_same)
        }
        Outcome::Opened(events) => events.iter().try_for_each(|event| write_opened(out, event)),
        Outcome::Refused(refused) => write_refused(out, &answer.input, refused),
    }
}

fn write_encoding(
    out: &mut impl Write,
    encoding: &Encoding,
    is_full_the_same: bool,
) -> io::Result<()> {
    writeln!(out, "{}", encoding.canonical)?;
    if is_full_the_same && encoding.fully_qualified != encoding.canonical {
        writeln!(out, "  in full   {}", encoding.fully_qualified)?;
    }
    let codes: Vec<String> = encoding.codes.iter().map(|code| hex(*code)).collect();
    writeln!(out, "  codes     {}", codes.join(" "))?;
    if let Some(counters) = encoding.counters {
        writeln!(out, "  counters  mask {counters:#x}")?;
    }
    match &encoding.perf {
        Some(perf) => writeln!(out, "  perf      {}", words(perf)),
        None => Ok(()),
    }
}

fn write_opened(out: &mut impl Write, event: &Opened) -> io::Result<()> {
    writeln!(out, "{}", event.canonical)?;
    writeln!(out, "  codes     {:#x}", event.perf.config)?;
    if let Some(cpus) = &event.cpus {
        writeln!(out, "  CPUs      {cpus}")?;
    }
    writeln!(out, "  perf      {}", words(&event.perf))
}

/// Type and codes, and the other attributes that are set.
fn words(perf: &PerfEncoding) -> String {
    let mut words = format!("type {} config {:#x}", perf.kind, perf.config);
    for (name, word) in [("config1", perf.config1), ("config2", perf.config2)] {
        if word != 0 {
            words += &format!(" {name} {word:#x}");
        }
    }
    let flags = [
        ("exclude_user", perf.exclude_user),
        ("exclude_kernel", perf.exclude_kernel),
        ("exclude_hv", perf.exclude_hv),
        ("exclude_host", perf.exclude_host),
        ("exclude_guest", perf.exclude_guest),
        ("freq", perf.freq),
        ("exclusive", perf.exclusive),
        ("pinned", perf.pinned),
    ];
    for (name, _) in flags.iter().filter(|(_, is_set)| *is_set) {
        words += &format!(" {name}");
    }
    for (name, number) in [("period", perf.period), ("precise_ip", perf.precise_ip.into())] {
        if number != 0 {
            words += &format!(" {name} {number}");
        }
    }
    if let Some(cpu) = perf.cpu {
        words += &format!(" cpu {cpu}");
    }
    words
}

/// The string with its error marked, and the help.
fn write_refused(out: &mut impl Write, input: &str, refused: &Refused) -> io::Result<()> {
    writeln!(out, "{}", printable(input))?;
    writeln!(out, "{}", marks(input, refused.span.clone()))?;
    writeln!(out, "  {}: {}", refused.code, printable(&refused.message))?;
    match &refused.help {
        Some(help) => writeln!(out, "  help: {}", printable(help)),
        None => Ok(()),
    }
}

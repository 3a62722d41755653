//! Everything that is read of a recording, one thing a line: facts, events, records and samples, with tabs between fields.

#![allow(clippy::print_stdout, reason = "an example is a program")]

use counterpoint::perf::records::{Mmap, Operation, Record, Sample, Snoop};
use counterpoint_recording::file::{Facts, Reader};
use counterpoint_recording::{LocatedSample, Samples};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Result, Write, stdout};
use std::ops::ControlFlow;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: dump FILE")?;
    let mut out = BufWriter::new(stdout().lock());
    let mut kinds: BTreeMap<u32, u64> = BTreeMap::new();
    let mut reader = Reader::open(File::open(&path)?)?;
    reader.records(|raw| *kinds.entry(raw.kind).or_default() += 1)?;
    for (kind, count) in kinds {
        writeln!(out, "kind\t{kind}\t{count}")?;
    }
    let mut samples = Samples::open(&path)?;
    facts(&mut out, samples.facts())?;
    for (name, event) in samples.events().iter().zip(samples.attributes()) {
        let (kind, config, fields) = (event.kind(), event.config(), event.sample_type());
        writeln!(out, "event\t{name}\t{kind}\t{config:#x}\t{fields:#x}\t{}", event.ids.len())?;
    }
    let mut written = Ok(());
    samples.records(|of| {
        if written.is_ok() {
            written = record(&mut out, of);
        }
    })?;
    written?;
    let events = samples.events().to_vec();
    let mut written = Ok(());
    let remarks = samples.each(|LocatedSample { event, sample: of, .. }| {
        written = sample(&mut out, &events[event], of);
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    written?;
    remarks.iter().try_for_each(|remark| writeln!(out, "remark\t{remark}"))?;
    Ok(())
}

fn facts(out: &mut impl Write, facts: &Facts) -> Result<()> {
    writeln!(out, "hostname\t{}", facts.hostname)?;
    writeln!(out, "os release\t{}", facts.os_release)?;
    writeln!(out, "perf version\t{}", facts.version)?;
    writeln!(out, "arch\t{}", facts.arch)?;
    if let Some((available, online)) = facts.cpus {
        writeln!(out, "nrcpus avail\t{available}\nnrcpus online\t{online}")?;
    }
    writeln!(out, "cmdline\t{}", facts.command_line.join(" "))?;
    for of in &facts.build_ids {
        let id: String = of.id.iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(out, "build id\t{id}\t{}", String::from_utf8_lossy(&of.path))?;
    }
    Ok(())
}

fn record(out: &mut impl Write, record: &Record<'_>) -> Result<()> {
    match record {
        Record::Mmap(Mmap { pid, tid, start, length, offset, path, .. }) => writeln!(
            out,
            "mmap\t{pid}/{tid}\t{start:#x}\t{length:#x}\t{offset:#x}\t{}",
            path.display()
        ),
        Record::Comm(of) => {
            writeln!(out, "comm\t{}/{}\t{}", of.pid, of.tid, of.name.display())
        }
        Record::Fork(of) => writeln!(out, "fork\t{}:{}", of.pid, of.tid),
        Record::Exit(of) => writeln!(out, "exit\t{}:{}", of.pid, of.tid),
        Record::Switch(of) => {
            writeln!(out, "switch\t{}\tout={}", of.time, of.is_out)
        }
        Record::Lost { lost, .. } => writeln!(out, "lost\t{lost}"),
        _ => Ok(()),
    }
}

fn sample(out: &mut impl Write, event: &str, of: &Sample<'_>) -> Result<()> {
    write!(out, "sample\tevent={event}")?;
    let mut field = |name: &str, value: Option<u64>| match value {
        Some(value) => write!(out, "\t{name}={value:#x}"),
        None => Ok(()),
    };
    field("cpu", of.cpu.map(u64::from))?;
    field("time", of.time)?;
    field("pid", of.pid.map(u64::from))?;
    field("tid", of.tid.map(u64::from))?;
    field("ip", of.ip)?;
    field("period", of.period)?;
    field("addr", of.addr)?;
    field("weight", of.weight)?;
    field("latency", of.latencies.map(|[first, _]| first.into()))?;
    field("latency2", of.latencies.map(|[_, second]| second.into()))?;
    field("transaction", of.transaction)?;
    field("phys_addr", of.phys_addr)?;
    field("cgroup", of.cgroup)?;
    field("data_page_size", of.data_page_size)?;
    field("code_page_size", of.code_page_size)?;
    field("values", of.values.map(|values| values.iter().count() as u64))?;
    field("raw", of.raw.map(|bytes| bytes.len() as u64))?;
    field("stack", of.stack.map(|bytes| bytes.len() as u64))?;
    field("sp", of.registers.map(|registers| registers.sp()))?;
    if let Some(source) = of.data_src {
        let locked = source.is_locked().map_or("", |is| if is { "yes" } else { "no" });
        let operation = source.operation().map_or("", Operation::name);
        let level = source.level().map_or(String::new(), |level| level.to_string());
        let (snoop, tlb) = (source.snoop().map_or("", Snoop::name), source.tlb());
        let (tlb, blocked) = (tlb.unwrap_or_default(), source.blocked().unwrap_or_default());
        write!(out, "\tdata_src={:#x}\toperation={operation}\tlevel={level}", source.bits())?;
        write!(out, "\tsnoop={snoop}\ttlb={tlb}\tlocked={locked}\tblocked={blocked}")?;
    }
    if let Some(chain) = of.callchain {
        write!(out, "\tchain=")?;
        chain.iter().try_for_each(|(_, address)| write!(out, "{address:x},"))?;
    }
    if let Some(branches) = of.branches {
        write!(out, "\tbranches=")?;
        branches.iter().try_for_each(|(from, to)| write!(out, "{from:x}/{to:x},"))?;
    }
    writeln!(out)
}

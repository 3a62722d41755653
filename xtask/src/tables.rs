//! `cargo xtask tables LINUX PERFMON`: the tables of `crates/pmu/tables/VENDOR/processors`, and `metrics.txt` beside them, from
//! the vendors' files: a tree of Linux's sources and a checkout of Intel's perfmon. Prints the changes; with `--check`, writes
//! nothing.
//!
//! A processor is a line of a map. Of an event that both have, the facts are those of perfmon: Linux's files are made
//! from it, and lack bits for which their converter has no field.

mod facts;
mod machines;
mod metrics;

use crate::project::{arguments, root};
use crate::vendor_files::{Root, of_checkout, roots};
use facts::Facts;
use machines::{Processor, processors};
use metrics::Metrics;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub fn run() -> Result<(), String> {
    let (options, folders): (Vec<String>, Vec<String>) =
        arguments().partition(|argument| argument.starts_with('-'));
    let [linux, perfmon] = &folders[..] else {
        return Err("usage: cargo xtask tables [--check] LINUX PERFMON".to_string());
    };
    let release = release(Path::new(linux))?;
    let architectures = of_checkout(Path::new(linux));
    let intel = roots(Path::new(perfmon))?;
    let mut tables: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut metrics: BTreeMap<PathBuf, Metrics> = BTreeMap::new();
    for linux in roots(&architectures)? {
        for processor in processors(&linux, &intel) {
            let Some(folder) = processor.folder() else { continue };
            let path = root().join("crates/pmu/tables").join(folder);
            let text = table(&processor, &release, &linux, &intel)?;
            tables.insert(path.join(format!("processors/{}.txt", processor.name())), text);
            let metrics = metrics.entry(path.join("metrics.txt")).or_default();
            metrics.add(&processor, &linux)?;
        }
    }
    if tables.is_empty() {
        return Err(format!("{}: no processor is known", architectures.display()));
    }
    report(&tables)?;
    for (path, metrics) in metrics {
        let (different, all) = metrics.counts();
        let text = metrics.to_string();
        let is_same = fs::read_to_string(&path).is_ok_and(|before| before == text);
        let note = if is_same { "" } else { ", which differ from those here" };
        println!("{}: {all} metrics, {different} different ones{note}", path.display());
        tables.insert(path, text);
    }
    if options.iter().any(|option| option == "--check") { Ok(()) } else { write(&tables) }
}

/// `Linux 7.2`, from the makefile of a tree.
fn release(linux: &Path) -> Result<String, String> {
    let path = linux.join("Makefile");
    let makefile =
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let value = |key: &str| {
        let mut lines = makefile.lines().filter_map(|line| line.split_once('='));
        lines.find(|(known, _)| known.trim() == key).map(|(_, value)| value.trim())
    };
    let parts = value("VERSION").zip(value("PATCHLEVEL"));
    let (version, level) =
        parts.ok_or_else(|| format!("{}: it names no version", path.display()))?;
    Ok(format!("Linux {version}.{level}"))
}

/// The table of a processor.
fn table(
    processor: &Processor,
    release: &str,
    linux: &Root,
    intel: &[Root],
) -> Result<String, String> {
    let mut facts = Facts::default();
    if processor.is_of_linux() {
        facts.add(&linux.events_of(&processor.cpu)?)?;
    }
    for root in intel.iter().filter(|_| processor.is_intel()) {
        facts.add(&root.events_of(&processor.cpu)?)?;
    }
    let from = processor.source(release);
    Ok(format!("from {from}\non {}\n{facts}", processor.machines.join(" ")))
}

/// Prints how many events of each table are new, gone or different.
fn report(tables: &BTreeMap<PathBuf, String>) -> Result<(), String> {
    let mut count = 0;
    for (path, text) in tables {
        let before = fs::read_to_string(path).unwrap_or_default();
        let (old, new) = (facts::by_name(&before), facts::by_name(text));
        count += new.len();
        let added = new.keys().filter(|name| !old.contains_key(*name)).count();
        let gone: Vec<_> = old.keys().filter(|name| !new.contains_key(*name)).collect();
        let changed =
            new.iter().filter(|(name, facts)| old.get(*name).is_some_and(|old| old != *facts));
        let changed: Vec<_> = changed.map(|(name, _)| name).collect();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if added + gone.len() + changed.len() > 0 {
            println!("{name}: {added} new, {} gone, {} changed", gone.len(), changed.len());
            gone.iter().for_each(|(unit, name)| println!("  gone: {unit} {name}"));
            changed.iter().for_each(|(unit, name)| println!("  changed: {unit} {name}"));
        }
    }
    println!("{} processors, {count} events", tables.len());
    Ok(())
}

fn write(tables: &BTreeMap<PathBuf, String>) -> Result<(), String> {
    for (path, text) in tables {
        let wrong = |error: std::io::Error| format!("{}: {error}", path.display());
        fs::create_dir_all(path.parent().unwrap_or(path)).map_err(wrong)?;
        // A table that is half written would be taken for one.
        let beside = path.with_extension("new");
        fs::write(&beside, text).and_then(|()| fs::rename(&beside, path)).map_err(wrong)?;
    }
    Ok(())
}

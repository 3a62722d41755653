//! The names that the scripts offer.

use crate::show;
use clap::ValueEnum;
use counterpoint::listing::event_names;
use counterpoint::perf::Host;
use counterpoint::presets::Preset;
use counterpoint::{EventSet, Machine, Target, pmu};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// What an option names.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    Events,
    Pmus,
    Metrics,
    Groups,
}

impl Kind {
    /// The kind of the names that an option takes, by its long name.
    pub fn of_option(long: &str) -> Option<Kind> {
        match long {
            "event" | "stat" => Some(Kind::Events),
            "pmu" => Some(Kind::Pmus),
            "metric" => Some(Kind::Metrics),
            "group" => Some(Kind::Groups),
            _ => None,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Kind::Events => "events",
            Kind::Pmus => "pmus",
            Kind::Metrics => "metrics",
            Kind::Groups => "groups",
        }
    }
}

pub fn print(kind: Kind) -> io::Result<()> {
    let machine = Machine::new(Host::local());
    let names: BTreeSet<String> = match kind {
        Kind::Events => {
            let presets = Preset::all().iter().map(|preset| preset.name.to_string());
            event_names(&machine).into_iter().chain(presets).collect()
        }
        Kind::Pmus => {
            let own = machine.pmu_names().iter().cloned();
            own.chain(pmu::all().map(|pmu| pmu.name.to_string())).collect()
        }
        Kind::Metrics => metrics(machine, true),
        Kind::Groups => metrics(machine, false),
    };
    let mut out = show::stdout();
    names.iter().try_for_each(|name| writeln!(out, "{name}"))?;
    out.flush()
}

/// The groups of metrics, and the metrics.
fn metrics(machine: Machine, with_metrics: bool) -> BTreeSet<String> {
    let set = EventSet::with_machine(machine, Target::AllCpus);
    let mut names: BTreeSet<String> = set.metrics().groups().into_keys().collect();
    if with_metrics {
        names.extend(set.metrics().iter().map(|metric| metric.definition.name().to_string()));
    }
    names
}

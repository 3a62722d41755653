//! The use of memory, devices and CPUs by a command, as the kernel tells it when the command has ended.

use super::source::{Kind, Measure, Meter, Opening, Reading, Source};
use crate::counting::target::Target;
use crate::report::values::Reason;
use counterpoint_perf::Host;
use counterpoint_perf::process::{Usage, command_times};

/// The kind of these sources.
pub(super) struct Used;

/// A field of the usage.
#[derive(Debug)]
struct Field {
    name: &'static str,
    description: &'static str,
    unit: Option<&'static str>,
    value: fn(&Usage) -> Measure,
}

const FIELDS: [Field; 7] = [
    Field {
        name: "max_rss",
        description: "Greatest resident memory of the command, or of a child for which it waited",
        unit: Some("bytes"),
        value: |of| Measure::State(of.max_rss),
    },
    Field {
        name: "minor_faults",
        description: "Page faults of the command without input or output",
        unit: None,
        value: |of| Measure::Count(of.minor_faults),
    },
    Field {
        name: "major_faults",
        description: "Page faults of the command for which a file was read",
        unit: None,
        value: |of| Measure::Count(of.major_faults),
    },
    Field {
        name: "voluntary_switches",
        description: "Context switches of the command because of a wait",
        unit: None,
        value: |of| Measure::Count(of.voluntary_switches),
    },
    Field {
        name: "involuntary_switches",
        description: "Context switches of the command because another thread got the CPU",
        unit: None,
        value: |of| Measure::Count(of.involuntary_switches),
    },
    Field {
        name: "blocks_read",
        description: "Blocks of 512 bytes that the command read from devices",
        unit: None,
        value: |of| Measure::Count(of.blocks_read),
    },
    Field {
        name: "blocks_written",
        description: "Blocks of 512 bytes that the command writes to devices",
        unit: None,
        value: |of| Measure::Count(of.blocks_written),
    },
];

impl Kind for Used {
    fn word(&self) -> &'static str {
        "rusage"
    }

    fn all(&self, _: &Host) -> Vec<Source> {
        FIELDS.iter().map(source).collect()
    }

    fn find(&self, name: &str) -> Option<Source> {
        FIELDS.iter().find(|field| field.name.eq_ignore_ascii_case(name)).map(source)
    }

    fn check(&self, _: &Source, _: &Host) -> Result<(), Reason> {
        Ok(())
    }

    fn open(&self, sources: &[(usize, &Source)], opening: &Opening<'_>) -> Box<dyn Meter> {
        let field = |(place, source): &(usize, &Source)| {
            Some((*place, FIELDS.iter().find(|field| field.name == source.name())?))
        };
        let command = match opening.target {
            Target::Command(pid) => Some(*pid),
            _ => None,
        };
        Box::new(CommandUsage { fields: sources.iter().filter_map(field).collect(), command })
    }
}

fn source(field: &Field) -> Source {
    Source::new(&Used, field.name, field.description, field.unit.map(Into::into))
}

/// Reads what a command used from its start to its end: the kernel adds it up by itself.
#[derive(Debug)]
struct CommandUsage {
    /// The fields that are wanted, each with its place among the readings.
    fields: Vec<(usize, &'static Field)>,
    /// `None` for another target.
    command: Option<u32>,
}

impl Meter for CommandUsage {
    fn start(&mut self, _: &Host) {}

    fn stop(&mut self, _: &Host) {}

    fn read(&self, _: &Host, readings: &mut [Reading]) {
        let usage = match self.command {
            None => Err(Reason::NotACommand),
            Some(pid) => {
                let ended = command_times(pid).and_then(|times| times.ended);
                ended.map(|(_, usage)| usage).ok_or(Reason::NotEnded)
            }
        };
        for (place, field) in &self.fields {
            readings[*place] = usage.as_ref().map(field.value).map_err(Reason::clone);
        }
    }
}

//! The use of memory, devices and CPUs by a command, as the kernel tells it when the command has ended.

use super::source::{Kind, Measure, Meter, Opening, Reading, Source};
use crate::counting::target::Target;
use crate::report::values::Reason;
use counterpoint_perf::Host;
use counterpoint_perf::process::{Usage, command_times};
use std::time::Duration;

/// The kind of these sources.
pub(super) struct Used;

/// A field of the usage: its name, its description, its unit, and its value.
type Field = (&'static str, &'static str, Option<&'static str>, fn(&Usage) -> Measure);

/// The greatest resident memory, which the process has before it becomes the command, too.
const MAX_RSS: &str = "max_rss";

const FIELDS: [Field; 7] = [
    (
        MAX_RSS,
        "Greatest resident memory of the command, or of a child for which it waited",
        Some("bytes"),
        |of| Measure::State(of.max_rss),
    ),
    ("minor_faults", "Page faults of the command without input or output", None, |of| {
        Measure::count(of.minor_faults)
    }),
    ("major_faults", "Page faults of the command for which a file was read", None, |of| {
        Measure::count(of.major_faults)
    }),
    ("voluntary_switches", "Context switches of the command because of a wait", None, |of| {
        Measure::count(of.voluntary_switches)
    }),
    (
        "involuntary_switches",
        "Context switches of the command because another thread got the CPU",
        None,
        |of| Measure::count(of.involuntary_switches),
    ),
    ("blocks_read", "Blocks of 512 bytes that the command read from devices", None, |of| {
        Measure::count(of.blocks_read)
    }),
    ("blocks_written", "Blocks of 512 bytes that the command writes to devices", None, |of| {
        Measure::count(of.blocks_written)
    }),
];

impl Kind for Used {
    fn word(&self) -> &'static str {
        "rusage"
    }

    fn all(&self, _: &Host) -> Vec<Source> {
        FIELDS.iter().map(source).collect()
    }

    fn find(&self, name: &str) -> Option<Source> {
        FIELDS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)).map(source)
    }

    fn is_peak(&self, source: &Source) -> bool {
        source.name() == MAX_RSS
    }

    fn check(&self, _: &Source, _: &Host) -> Result<(), Reason> {
        Ok(())
    }

    fn open(&self, sources: &[(usize, &Source)], opening: &Opening<'_>) -> Box<dyn Meter> {
        let field = |(place, source): &(usize, &Source)| {
            Some((*place, FIELDS.iter().find(|(name, ..)| *name == source.name())?))
        };
        let command = match opening.target {
            Target::Command(pid) => Some(*pid),
            _ => None,
        };
        let fields = sources.iter().filter_map(field).collect();
        Box::new(CommandUsage { fields, command, is_held: opening.on_exec, held: None })
    }
}

fn source((name, description, unit, _): &Field) -> Source {
    Source::new(&Used, *name, *description, unit.map(Into::into))
}

/// Reads what a command used from its start to its end: the kernel adds it up by itself.
#[derive(Debug)]
struct CommandUsage {
    /// The fields that are wanted, each with its place among the readings.
    fields: Vec<(usize, &'static Field)>,
    /// `None` for another target.
    command: Option<u32>,
    /// True until the process becomes the command.
    is_held: bool,
    /// The resident memory of the process before, in bytes.
    held: Option<u64>,
}

impl CommandUsage {
    fn value(&self, (name, .., value): &Field, usage: &Usage) -> Reading {
        match self.held {
            Some(held) if *name == MAX_RSS => peak(usage, held).map(Measure::State),
            _ => Ok(value(usage)),
        }
    }
}

/// The greatest resident memory of a command that has ended, if it is more than that of the process before it became the command, in bytes.
pub(super) fn peak(usage: &Usage, held: u64) -> Result<u64, Reason> {
    // The kernel counts pages per CPU, so that both numbers are a little off.
    if usage.max_rss < held.saturating_add(held / 8) {
        let held = held >> 10;
        return Err(Reason::Failed(format!(
            "it is not more than the {held} KiB that the process had before it became the command, and hidden by them"
        )));
    }
    Ok(usage.max_rss)
}

/// The greatest resident memory of a process so far.
fn resident(host: &Host, pid: u32) -> Option<u64> {
    let status = host.text(format!("/proc/{pid}/status")).ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(value.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// Waits until a held process has come to where it waits: until then it has more memory at every moment.
pub(super) fn settle(host: &Host, pid: u32) {
    const TRIES: u32 = 100;
    const WAIT: Duration = Duration::from_micros(200);
    for _ in 0..TRIES {
        match host.task_stat(pid) {
            Ok(stat) if matches!(stat.state, 'R' | 'D') => std::thread::sleep(WAIT),
            _ => return,
        }
    }
}

impl Meter for CommandUsage {
    fn start(&mut self, host: &Host) {
        let wants_memory = self.fields.iter().any(|(_, (name, ..))| *name == MAX_RSS);
        if std::mem::take(&mut self.is_held)
            && wants_memory
            && let Some(pid) = self.command
        {
            settle(host, pid);
            self.held = resident(host, pid);
        }
    }

    fn stop(&mut self, _: &Host) {}

    fn read(&mut self, _: &Host, readings: &mut [Reading]) {
        let usage = match self.command {
            None => Err(Reason::NotACommand),
            Some(pid) => {
                let ended = command_times(pid).and_then(|times| times.ended);
                ended.map(|(_, usage)| usage).ok_or(Reason::NotEnded)
            }
        };
        for (place, field) in &self.fields {
            readings[*place] =
                usage.as_ref().map_err(Reason::clone).and_then(|usage| self.value(field, usage));
        }
    }
}

//! What a recording says of the time of its threads, with the names of where they ran and stopped.

use super::events::WAKING;
use crate::commands::samples::filter::FilterArgs;
use crate::commands::samples::frames::Frames;
use crate::failure::Failure;
use crate::show;
use counterpoint::perf::pmu_type;
use counterpoint::perf::records::{Record, Sample};
use counterpoint::profil::Stacks;
use counterpoint::profil::write::Symbol;
use counterpoint::symbols::Binaries;
use counterpoint::wall::{Amount, State, Switches, Wait, Wall};
use counterpoint_recording::file::{Event, Tracepoint};
use counterpoint_recording::{Remark, Samples};
use std::ops::{ControlFlow, Range};

/// The time of the threads of a recording.
pub struct Measured {
    pub wall: Wall,
    /// The places where threads ran and stopped; the addresses are numbers of [`Measured::names`].
    pub stacks: Stacks,
    pub names: Vec<Vec<Symbol>>,
    /// The numbers of `names` that are of the kernel.
    is_kernel: Vec<bool>,
    /// The events that were sampled while threads ran.
    pub clock: String,
    pub remarks: Vec<Remark>,
}

/// What an event of the file says.
enum Role {
    /// A thread runs here.
    Clock,
    /// A thread stops here.
    Stop,
    /// A thread is woken, whose number is at this place; and the place of the flags.
    Wake(Range<usize>, Option<Range<usize>>),
    Other,
}

/// `PERF_COUNT_SW_CONTEXT_SWITCHES`, which may have any name.
const SWITCHES: u64 = 3;
/// The first address of the kernel.
const KERNEL: u64 = 1 << 63;
/// `TRACE_FLAG_HARDIRQ` and `TRACE_FLAG_SOFTIRQ`: the kernel handled an interrupt, which has nothing to do with the thread that it interrupted.
const IN_INTERRUPT: u8 = 0x08 | 0x10;

impl Measured {
    /// Reads the file, which errors call `name`.
    pub fn read(
        mut samples: Samples,
        name: &str,
        filters: &FilterArgs,
        binaries: &Binaries,
    ) -> Result<Measured, Failure> {
        let failed = |error: &dyn std::fmt::Display| Failure::new(format!("{name}: {error}"));
        let roles = roles(&samples, name)?;
        let wanted = |pid, tid| filters.has_thread(pid, tid);
        let mut switches = Switches::default();
        samples
            .records(|record| {
                if thread(record).is_none_or(|(pid, tid)| wanted(pid, tid)) {
                    switches.take(record);
                }
            })
            .map_err(|error| failed(&error))?;
        let symbols = samples.symbols(binaries);
        let events = samples.events().iter().zip(&roles);
        let clocks = events.filter(|(_, role)| matches!(role, Role::Clock));
        let clock = clocks.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        let mut frames = Frames::default();
        let remarks = samples
            .each(|of| {
                let (sample, role) = (of.sample, &roles[of.event]);
                match role {
                    Role::Wake(pid, flags) => wake(&mut switches, sample, pid, flags.as_ref()),
                    Role::Clock | Role::Stop => {
                        if sample.pid.zip(sample.tid).is_some_and(|(pid, tid)| wanted(pid, tid)) {
                            let stack = frames.stack(&of);
                            match role {
                                Role::Stop => switches.stop(sample, stack),
                                _ => switches.run(sample, stack),
                            }
                        }
                    }
                    Role::Other => {}
                }
                ControlFlow::Continue(())
            })
            .map_err(|error| failed(&error))?;
        let wall = switches.finish().map_err(|error| {
            failed(&error)
                .help("record a shorter time, as with --timeout, or fewer samples: -F 100")
        })?;
        let named = |(event, address): &(usize, u64)| symbols[*event].frames(*address);
        let names = frames.addresses.iter().map(named).collect();
        let is_kernel = frames.addresses.iter().map(|(_, address)| *address >= KERNEL).collect();
        Ok(Measured { wall, stacks: frames.stacks, names, is_kernel, clock, remarks })
    }

    /// The functions of a stack, the innermost first, each with whether it is of the kernel.
    pub fn frames(&self, stack: u32) -> impl Iterator<Item = (&Symbol, bool)> {
        self.stacks.stack(stack as usize).flat_map(move |frame| {
            let at = frame.address as usize;
            self.names[at].iter().map(move |name| (name, self.is_kernel[at]))
        })
    }

    /// What a thread waited for.
    pub fn wait(&self, amount: &Amount) -> Option<Wait> {
        let stack = amount.stack.filter(|_| amount.state == State::Waiting)?;
        Wait::of(self.frames(stack).map(|(name, is_kernel)| (name.function.as_str(), is_kernel)))
    }
}

/// What each event says; refuses a file that does not say when threads run.
fn roles(samples: &Samples, name: &str) -> Result<Vec<Role>, Failure> {
    let events = samples.attributes().iter().zip(samples.events());
    if !samples.attributes().iter().any(Event::has_switches) {
        let text = format!("{name}: it does not say when threads stop and run");
        return Err(Failure::new(text).help(
            "record with counterpoint record --wall, or perf record --switch-events -e task-clock/freq=1000/,context-switches/period=1/ -g",
        ));
    }
    let role = |(event, name): (&Event, &String)| {
        let is = |known: &str| name == known || name.starts_with(&format!("{known}:"));
        let tracepoint = samples.facts().tracepoint(event);
        let is_switch = (event.kind(), event.config()) == (pmu_type::SOFTWARE, SWITCHES);
        if is_switch || is("sched:sched_switch") {
            Role::Stop
        } else if is(WAKING) || is("sched:sched_wakeup") {
            let field = |name| tracepoint.and_then(|of: &Tracepoint| of.field(name));
            field("pid").map_or(Role::Other, |pid| Role::Wake(pid, field("common_flags")))
        } else if event.is_tracepoint() || event.is_dummy() {
            Role::Other
        } else {
            Role::Clock
        }
    };
    Ok(events.map(role).collect())
}

/// The process and the thread of a record.
fn thread(record: &Record<'_>) -> Option<(u32, u32)> {
    match record {
        Record::Switch(of) => Some((of.pid, of.tid)),
        Record::Fork(of) | Record::Exit(of) => Some((of.pid, of.tid)),
        Record::Comm(of) => Some((of.pid, of.tid)),
        _ => None,
    }
}

/// Takes the wake-up of a thread, which the fields of a tracepoint tell.
fn wake(
    switches: &mut Switches,
    sample: &Sample<'_>,
    pid: &Range<usize>,
    flags: Option<&Range<usize>>,
) {
    let raw = sample.raw.unwrap_or(&[]);
    let pid = raw.get(pid.clone()).and_then(|bytes| bytes.try_into().ok()).map(u32::from_ne_bytes);
    let flags = flags.and_then(|at| raw.get(at.start).copied()).unwrap_or(0);
    if let (Some(time), Some(pid)) = (sample.time, pid) {
        switches.wake(time, pid, sample.tid.filter(|_| flags & IN_INTERRUPT == 0));
    }
}

/// The name of a file in errors.
pub fn printable(name: &str) -> String {
    show::printable(name).into_owned()
}

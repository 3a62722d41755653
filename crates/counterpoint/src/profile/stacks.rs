//! Finds the call stack of each sample, as addresses of the profile.
//!
//! # How a call stack is found
//!
//! 1. The kernel adds to a sample the call chain of the kernel and, for frame pointers, of the program; otherwise registers and a copy of the stack, or the calls that the processor recorded.
//! 2. `counterpoint::profile::stacks` turns each frame into an address of the profile when its sample has waited, with the mappings that the process had at its time (`profile::processes`). The callers that are also those of the last stack are not looked up again (`profile::known_callers`). Copies are unwound then, in the reader's thread, and are not kept.
//! 3. `profile::copies` opens the file of each module when the first frame is there, as `profile::code_files` finds it, and reads it once; the steps are those of the crate `unwind`. What it keeps serves all processes, because addresses are those of the profile.
//!    `unwind` follows the rules of `.eh_frame` and `.debug_frame` with `gimli`, expressions included, over all general registers; `framehop`, which it used before, does not evaluate expressions and goes on by the frame pointer, so that 425 of 425 stacks of a function with a realigned stack ended there. A stack ends at the first rule that cannot be followed, and the rule is named.
//! 4. `profil::Stacks` is a tree of addresses with counts. Names come at the end: `profil::write::CallTree` has a tree of functions, in which inlined functions are calls, and every view is made from it.

#[cfg(feature = "unwind")]
use super::copies::{End, Unwinding, sentence};
use super::known_callers::KnownCallers;
use super::pending::Pending;
use super::places::{Places, UNKNOWN, UNKNOWN_KERNEL};
#[cfg(feature = "unwind")]
use super::raw_stack::RawStack;
use super::request::{CallGraph, Profile};
use super::stack_times::{Counting, StackTimes};
use counterpoint_perf::Host;
use counterpoint_perf::records::Level;
use counterpoint_profil::Stacks;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The call stacks of a profile.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CallStacks {
    /// The stacks, of addresses in the profile's modules, and of [`UNKNOWN`] and [`UNKNOWN_KERNEL`].
    pub stacks: Stacks,
    /// The way in which they were found.
    pub graph: CallGraph,
    /// The stacks of each thread over time, with [`Profile::stacks_over_time`](super::Profile::stacks_over_time).
    pub times: Option<StackTimes>,
    /// The number of stacks whose outer frames are missing because the copy of the stack was too small, or the chain too long.
    pub truncated: u64,
    /// The number of stacks of [`CallGraph::FramePointers`] that have no caller: the code has no frame pointers, or the function is the first one of its thread.
    pub without_caller: u64,
    /// The number of stacks whose outermost frame is not in any file.
    pub unmapped: u64,
    /// The number of stacks whose outer frames are missing because a module has no unwind information, by module.
    pub without_information: BTreeMap<PathBuf, u64>,
    /// The number of stacks whose outer frames are missing because a rule of the unwind information could not be followed, by module and a sentence that names the rule.
    pub failed: BTreeMap<(PathBuf, String), u64>,
    /// The number of samples of programs without registers, whose stacks are only those of the kernel.
    pub without_registers: u64,
}

/// The number of different frames that are kept; each takes 80 bytes.
pub(crate) const MOST_FRAMES: usize = 1 << 20;
/// The usual value of `/proc/sys/kernel/perf_event_max_stack`.
const USUAL: usize = 127;

impl CallStacks {
    /// Returns true if callers were looked for, too.
    pub fn has_callers(&self) -> bool {
        !matches!(self.graph, CallGraph::Innermost)
    }

    /// The number of stacks whose outer frames are missing because the unwind information could not be applied, or there were no registers to apply it to.
    pub fn not_unwound(&self) -> u64 {
        self.failed.values().sum::<u64>() + self.without_registers
    }
}

/// Finds and counts the stacks of a profile.
#[derive(Clone)]
pub(crate) struct Counter {
    pub(crate) graph: CallGraph,
    pub(crate) counted: CallStacks,
    /// The modules in which there are frames.
    pub(crate) used: Vec<bool>,
    #[cfg(feature = "unwind")]
    unwinding: Option<Unwinding>,
    frames: Vec<u64>,
    known: KnownCallers,
    /// The most frames of a stack.
    longest: usize,
    times: Option<Counting>,
}

impl Counter {
    pub(crate) fn new(graph: CallGraph, profile: &Profile, host: &Host) -> Counter {
        let stacks = Stacks::with_limit(MOST_FRAMES);
        let longest = host.text("/proc/sys/kernel/perf_event_max_stack");
        Counter {
            graph,
            counted: CallStacks { stacks, graph, ..CallStacks::default() },
            used: Vec::new(),
            #[cfg(feature = "unwind")]
            unwinding: matches!(graph, CallGraph::Copies { .. }).then(Unwinding::new),
            frames: Vec::new(),
            known: KnownCallers::default(),
            longest: longest.ok().and_then(|text| text.trim().parse().ok()).unwrap_or(USUAL),
            times: profile.stack_intervals.map(Counting::new),
        }
    }

    /// The stacks since the last call.
    pub(crate) fn take_counted(&mut self) -> CallStacks {
        self.used.clear();
        // Its modules are not marked as used any more.
        self.known.forget();
        let (stacks, graph) = (Stacks::with_limit(MOST_FRAMES), self.graph);
        self.counted.times = self.times.as_mut().map(Counting::take_counted);
        std::mem::replace(&mut self.counted, CallStacks { stacks, graph, ..CallStacks::default() })
    }

    /// Counts the stack of a sample.
    pub(crate) fn count(&mut self, of: &Pending, weight: u64, places: &Places<'_>) {
        if of.stack.is_none() {
            return;
        }
        self.find(of, places);
        let squared = weight.saturating_mul(weight);
        let frame = self.counted.stacks.add(&self.frames, weight, squared);
        if let Some(times) = &mut self.times {
            times.count((of.pid, of.tid), of.time, frame.map(|frame| frame as u32), weight);
        }
    }

    /// Finds the stack of a sample, the innermost frame first; none if the sample was taken without one.
    pub(crate) fn find(&mut self, of: &Pending, places: &Places<'_>) -> &[u64] {
        self.frames.clear();
        let Some(raw) = &of.stack else { return &[] };
        let space = places.space.number;
        let shared = self.known.shared(raw, space);
        for (depth, address) in raw.chain[..raw.chain.len() - shared].iter().enumerate() {
            let level = if depth < raw.kernel { Level::Kernel } else { Level::User };
            // The first address, and the first of user code, is that of the instruction that ran; the others are behind a call.
            let is_exact = depth == 0 || depth == raw.kernel;
            let at = address.saturating_sub(u64::from(!is_exact));
            self.push(places.of(at, level), level);
        }
        self.frames.extend_from_slice(self.known.outermost(shared));
        self.known.keep(raw, space, &self.frames);
        let of_program = raw.chain.len() - raw.kernel;
        if raw.chain.len() >= self.longest {
            self.counted.truncated += 1;
        } else if of_program > 1 && self.frames.last() == Some(&UNKNOWN) {
            self.counted.unmapped += 1;
        } else if of_program == 1 && matches!(self.graph, CallGraph::FramePointers) {
            self.counted.without_caller += 1;
        }
        #[cfg(feature = "unwind")]
        self.unwind(raw, places);
        if self.frames.is_empty() {
            self.push(places.of(of.pc, of.level), of.level);
        }
        &self.frames
    }

    /// Adds a frame.
    fn push(&mut self, place: Option<(usize, u64)>, level: Level) {
        let unknown = if level == Level::Kernel { UNKNOWN_KERNEL } else { UNKNOWN };
        if let Some((module, _)) = place {
            if self.used.len() <= module {
                self.used.resize(module + 1, false);
            }
            self.used[module] = true;
        }
        self.frames.push(place.map_or(unknown, |(_, address)| address));
    }

    /// Adds the frames that the copy of the stack has.
    #[cfg(feature = "unwind")]
    fn unwind(&mut self, raw: &RawStack, places: &Places<'_>) {
        let Some(mut unwinding) = self.unwinding.take() else { return };
        let (counted, path) =
            (&mut self.counted, |module: usize| places.modules[module].path.clone());
        let Some(user) = &raw.user else {
            // Threads of the kernel have no user code.
            counted.without_registers += u64::from(raw.kernel == 0);
            self.unwinding = Some(unwinding);
            return;
        };
        match unwinding.unwind(user, places, self.longest) {
            End::Outermost => {}
            End::Unmapped => counted.unmapped += 1,
            End::Truncated => counted.truncated += 1,
            End::WithoutInformation(module) => {
                *counted.without_information.entry(path(module)).or_default() += 1;
            }
            End::Failed(module, error) => {
                let of = (path(module), sentence(error));
                *counted.failed.entry(of).or_default() += 1;
            }
        }
        for place in &unwinding.frames {
            self.push(*place, Level::User);
        }
        self.unwinding = Some(unwinding);
    }
}

//! Who asked for the blocks of memory of a recording that has probes of `malloc` and the like.

use crate::commands::samples::frames::Frames;
use counterpoint::memory::{Allocations, Allocator};
use counterpoint::profil::write::Symbol;
use counterpoint::profile::Symbols;
use counterpoint::symbols::ShortNames;
use counterpoint_recording::file::Event;
use counterpoint_recording::{LocatedSample, Samples};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The libraries whose functions allocate for others: what is before the dot in the names of their files.
const OF_CPP: [&str; 3] = ["libstdc++", "libc++", "libc++abi"];

/// How the names of functions begin that programs have from the libraries of C++ and Rust.
const OF_LANGUAGES: [&str; 12] = [
    "std::",
    "__gnu_cxx::",
    "operator new",
    "alloc::",
    "core::",
    "hashbrown::",
    "<alloc::",
    "<core::",
    "<std::",
    "__rust",
    "__rdl",
    "<hashbrown::",
];
/// The name of a function that is not known.
const UNKNOWN: &str = "[unknown]";

/// The allocations, and the functions that asked for them.
pub struct Sites<'s, 'b> {
    symbols: &'s [Symbols<'b>],
    events: Vec<Option<Probe>>,
    frames: Frames,
    /// The number of the site of each stack.
    of_stacks: HashMap<(usize, u32), Option<u32>>,
    numbers: HashMap<Site, u32>,
    pub allocations: Allocations,
}

/// A function, and its program or library.
pub type Site = (String, Option<PathBuf>);

/// What an event probes.
struct Probe {
    allocator: Allocator,
    /// The name of the file that has the function.
    file: String,
    is_return: bool,
    /// Callers are found by unwind information, and not by frame pointers, which libraries seldom have.
    is_unwound: bool,
}

/// Returns true if an event is a probe of an allocation.
pub fn is_probe(event: &str) -> bool {
    Allocator::of_event(event).is_some()
}

impl<'s, 'b> Sites<'s, 'b> {
    /// The events of a file, none of which is a probe of an allocation if its registers are those of another processor.
    pub fn new(symbols: &'s [Symbols<'b>], samples: &Samples) -> Sites<'s, 'b> {
        let is_native = samples.facts().is_native();
        let probe = |(event, attributes): (&String, &Event)| {
            let (allocator, probe) = Allocator::of_event(event).filter(|_| is_native)?;
            let file = Path::new(&probe.file).file_name()?.to_string_lossy().into_owned();
            let is_unwound = attributes.stack_bytes() > 0;
            Some(Probe { allocator, file, is_return: probe.at_return, is_unwound })
        };
        Sites {
            symbols,
            events: samples.events().iter().zip(samples.attributes()).map(probe).collect(),
            frames: Frames::default(),
            of_stacks: HashMap::new(),
            numbers: HashMap::new(),
            allocations: Allocations::default(),
        }
    }

    /// Takes a sample of any event.
    pub fn take(&mut self, of: &LocatedSample<'_>) {
        let Some(probe) = &self.events[of.event] else { return };
        let Probe { allocator, is_return, .. } = probe;
        if !is_return {
            return self.allocations.call(of.sample, *allocator);
        }
        let stack = self.frames.stack(of);
        let Sites { symbols, frames, of_stacks, numbers, .. } = self;
        let addresses = &frames.addresses;
        let site = *of_stacks.entry((of.event, stack)).or_insert_with(|| {
            let frames = frames.stacks.stack(stack as usize);
            let places = frames.map(|frame| addresses[frame.address as usize]);
            let mut names = places.flat_map(|(event, address)| symbols[event].frames(address));
            let site = site(&mut names, probe)?;
            let next = numbers.len() as u32;
            Some(*numbers.entry(site).or_insert(next))
        });
        self.allocations.returned(of.sample, *allocator, site);
    }

    /// The sites by their numbers, and the allocations.
    pub fn finish(self) -> (Vec<Site>, Allocations) {
        let mut sites: Vec<(u32, Site)> =
            self.numbers.into_iter().map(|(of, at)| (at, of)).collect();
        sites.sort_unstable();
        (sites.into_iter().map(|(_, site)| site).collect(), self.allocations)
    }
}

/// The innermost function of the program: not of the library that allocates, nor of that of a language; the last one if all are.
///
/// There is none of memory that the C library maps for itself: what it gives away of it are blocks of their own.
/// By frame pointers, the caller of a function of a library is not certain, and the function of the library is the one that is known.
fn site(names: &mut dyn Iterator<Item = Symbol>, probe: &Probe) -> Option<Site> {
    let Probe { allocator, file, is_unwound, .. } = probe;
    let mut last = None;
    for (depth, Symbol { function, module, .. }) in names.enumerate() {
        let function = ShortNames::new([function.clone()]).short(&function).to_string();
        let name = module.as_deref().unwrap_or_default();
        let library = name.split('.').next().unwrap_or_default();
        // A program that has its own allocator is not only that.
        let is_of_library = name == file && file.contains(".so") || OF_CPP.contains(&library);
        let is_of_language = OF_LANGUAGES.iter().any(|begin| function.starts_with(begin));
        let is_inner = is_of_library && *is_unwound || is_of_language && !is_of_library;
        if is_of_library && depth == 0 && *allocator == Allocator::Mmap {
            return None;
        }
        let is_known = function != UNKNOWN;
        if is_known || last.is_none() {
            last = Some((function, module.map(PathBuf::from)));
        }
        if !is_inner && is_known {
            break;
        }
    }
    last.filter(|(function, _)| function != UNKNOWN)
}

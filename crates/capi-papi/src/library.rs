//! The library that `PAPI_library_init` starts: the machine, its components, and the definitions of events.

use counterpoint::perf::Host;
use counterpoint::pmu::{Context, Layer, Privilege};
use counterpoint_capi::{Current, Lasting};
use std::fs;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

use crate::codes::{EINVAL, ENOINIT, Failed};
use crate::components::{Components, NAMES};
use crate::files::{self, Files};
use crate::layout::{ComponentInfo, ComponentInfo72, Kept};
use crate::presets::Presets;

/// `PAPI_is_initialized`: the low level, the high level, and threads.
pub(crate) const LOW_LEVEL: i32 = 1;
pub(crate) const HIGH_LEVEL: i32 = 2;
pub(crate) const THREADS: i32 = 4;

/// A started library. It is kept, and with it all that pointers of callers point to.
#[derive(Debug)]
pub(crate) struct Library {
    files: Files,
    pub(crate) host: Host,
    pub(crate) context: Context,
    pub(crate) components: Components,
    presets: Lasting<Presets>,
    pub(crate) described: [Lasting<Kept<ComponentInfo>>; NAMES.len()],
    /// For 7.2, and for 7.3, which has more presets.
    pub(crate) described_later: [[Lasting<Kept<ComponentInfo72>>; NAMES.len()]; 2],
    /// The one that was started next with other files.
    next: Lasting<Library>,
}

pub(crate) static CURRENT: Current<Library> = Current::none();
/// All that were started, each with the next: one with the same files is started again, so that starting and ending a thousand
/// times takes the memory of once.
static STARTED: Lasting<Library> = Lasting::new();
/// The number of times the library was started and ended.
pub(crate) static STARTS: AtomicU32 = AtomicU32::new(0);
pub(crate) static LEVEL: AtomicI32 = AtomicI32::new(0);

impl Library {
    /// The started library.
    #[inline]
    pub(crate) fn current() -> Result<&'static Library, Failed> {
        CURRENT.get().ok_or(ENOINIT)
    }

    /// The library with these files of definitions.
    pub(crate) fn with(files: Files) -> &'static Library {
        let mut place = &STARTED;
        loop {
            let library = place.get_or_make(|| Library::new(files.clone()));
            if library.files == files {
                return library;
            }
            place = &library.next;
        }
    }

    /// The library that is or would be started: the components can be asked for before.
    pub(crate) fn known() -> &'static Library {
        Library::current().unwrap_or_else(|_| Library::with(Files::of_process()))
    }

    /// Disables a component of the library that will be started.
    pub(crate) fn disable(component: usize) -> Result<(), Failed> {
        if Library::current().is_ok() {
            return Err(ENOINIT);
        }
        files::disable(component);
        Ok(())
    }

    /// Returns true if the program has disabled a component.
    pub(crate) fn is_disabled(&self, component: usize) -> bool {
        self.files.disabled[component]
    }

    /// The same with this file of user-defined events.
    pub(crate) fn with_events(&self, path: &str) -> Result<(), Failed> {
        fs::read(path).map_err(|_| EINVAL)?;
        let files = Files { events: Some(path.to_owned()), ..self.files.clone() };
        CURRENT.set(Some(Library::with(files)));
        Ok(())
    }

    /// Ends it.
    pub(crate) fn end() {
        CURRENT.set(None);
        STARTS.fetch_add(1, Ordering::Relaxed);
        LEVEL.store(0, Ordering::Relaxed);
    }

    fn new(files: Files) -> Library {
        let host = Host::local();
        let machine = counterpoint::Machine::new(host.clone());
        let mut context = Context::new(Layer::PerfEventExt);
        context.privilege = Privilege::USER | Privilege::KERNEL;
        context.machine = machine.tables().clone();
        let components = Components::of(&host, &context, files.disabled);
        Library {
            files,
            components,
            host,
            context,
            presets: Lasting::new(),
            described: [const { Lasting::new() }; NAMES.len()],
            described_later: [const { [const { Lasting::new() }; NAMES.len()] }; 2],
            next: Lasting::new(),
        }
    }

    /// The presets and the user-defined events.
    pub(crate) fn presets(&self) -> &'static Presets {
        self.presets.get_or_make(|| Presets::read(&self.files, &self.context))
    }
}

/// The number of times the library was started and ended: sets of an earlier start are gone.
pub(crate) fn starts() -> u32 {
    STARTS.load(Ordering::Relaxed)
}

/// The parts that are initialized.
pub(crate) fn level() -> i32 {
    LEVEL.load(Ordering::Relaxed)
}

/// Notes that more is initialized.
pub(crate) fn raise_level(more: i32) {
    LEVEL.fetch_or(more, Ordering::Relaxed);
}

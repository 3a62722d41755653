//! What `PAPI_library_init` starts: the machine, its components, and the definitions of events.

use counterpoint::perf::Host;
use counterpoint::pmu::{Context, Layer, Privilege};
use counterpoint_capi::{Current, Lasting};
use std::ffi::c_int;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};

use crate::codes::{EINVAL, ENOINIT, Failed};
use crate::components::{Components, NAMES};
use crate::describe;
use crate::layout::{ComponentInfo, ComponentInfo72, Kept};
use crate::presets::Presets;
use crate::{sets, threads};

/// The release that this library stands for where its caller does not say one.
pub(crate) const RELEASE: u32 = 7 << 24;

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
    described: [Lasting<Kept<ComponentInfo>>; NAMES.len()],
    /// For 7.2, and for 7.3, which has more presets.
    described_later: [[Lasting<Kept<ComponentInfo72>>; NAMES.len()]; 2],
    /// The one that was started next with other files.
    next: Lasting<Library>,
}

/// The files of definitions that the environment names, and the components that the program has disabled.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Files {
    /// `PAPI_CSV_EVENT_FILE`, in the place of the presets that are built in.
    pub(crate) presets: Option<String>,
    /// `PAPI_USER_EVENTS_FILE`
    pub(crate) events: Option<String>,
    /// The components that the program does not want, by their numbers.
    disabled: [bool; NAMES.len()],
}

impl Files {
    fn of_process() -> Files {
        let variable = |name| std::env::var(name).ok().filter(|path| !path.is_empty());
        Files {
            presets: variable("PAPI_CSV_EVENT_FILE"),
            events: variable("PAPI_USER_EVENTS_FILE"),
            disabled: DISABLED.each_ref().map(|disabled| disabled.load(Ordering::Relaxed)),
        }
    }
}

static DISABLED: [AtomicBool; NAMES.len()] = [const { AtomicBool::new(false) }; NAMES.len()];

/// Disables the components that `PAPI_DISABLE_COMPONENTS` names, as in PAPI 7.3; other words are passed over.
fn disable_unwanted() {
    let names = std::env::var("PAPI_DISABLE_COMPONENTS").unwrap_or_default();
    for name in names.split([',', ':']) {
        if let Some(component) = NAMES.iter().position(|(own, ..)| *own == name) {
            DISABLED[component].store(true, Ordering::Relaxed);
        }
    }
}

static CURRENT: Current<Library> = Current::none();
/// All that were started, each with the next: one with the same files is started again, so that starting and ending a thousand
/// times takes the memory of once.
static STARTED: Lasting<Library> = Lasting::new();
/// How often the library was started and ended.
static STARTS: AtomicU32 = AtomicU32::new(0);
static LEVEL: AtomicI32 = AtomicI32::new(0);
static VERSION: AtomicU32 = AtomicU32::new(RELEASE);
/// The process that has started it; 0 before the first start.
static PROCESS: AtomicU32 = AtomicU32::new(0);

impl Library {
    /// The started library.
    #[inline]
    pub(crate) fn current() -> Result<&'static Library, Failed> {
        CURRENT.get().ok_or(ENOINIT)
    }

    /// Starts it for a caller that was compiled for a version, unless it is started.
    pub(crate) fn start(version: c_int) -> Result<c_int, Failed> {
        let release = u32::try_from(version).map_err(|_| EINVAL)?;
        if release >> 24 != 7 || release >> 16 & 0xff > 3 {
            return Err(EINVAL);
        }
        let process = std::process::id();
        let forked = ![0, process].contains(&PROCESS.load(Ordering::Acquire));
        if CURRENT.get().is_some() && !forked {
            let same = VERSION.load(Ordering::Relaxed) >> 16 == release >> 16;
            return if same { Ok(version) } else { Err(EINVAL) };
        }
        if forked {
            // Threads that start the library of a new process at the same time each do so before they go on.
            sets::forget_all(process);
            threads::forget_all(process);
        }
        VERSION.store(release, Ordering::Relaxed);
        disable_unwanted();
        let library = Library::with(Files::of_process());
        let is_first = CURRENT.exchange(None, library).is_ok();
        let is_new = PROCESS.swap(process, Ordering::AcqRel) != process && forked;
        if is_new {
            CURRENT.set(Some(library));
        }
        if is_first || is_new {
            STARTS.fetch_add(1, Ordering::Relaxed);
        }
        LEVEL.fetch_or(LOW_LEVEL, Ordering::Relaxed);
        Ok(version)
    }

    /// The library with these files of definitions.
    fn with(files: Files) -> &'static Library {
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
        DISABLED[component].store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Whether the program has disabled a component.
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

    /// The structure of 7.0 for a component.
    pub(crate) fn describe(&self, component: usize) -> &'static ComponentInfo {
        &self.described[component].get_or_make(|| Kept(describe::component(self, component))).0
    }

    /// The structure of 7.2 and 7.3 for a component.
    pub(crate) fn describe_later(&self, component: usize) -> &'static ComponentInfo72 {
        let make = || Kept(describe::later(describe::component(self, component)));
        &self.described_later[usize::from(minor() >= 3)][component].get_or_make(make).0
    }

    /// The presets and the user-defined events.
    pub(crate) fn presets(&self) -> &'static Presets {
        self.presets.get_or_make(|| Presets::read(&self.files, &self.context))
    }
}

/// How often the library was started and ended: sets of an earlier start are gone.
pub(crate) fn starts() -> u32 {
    STARTS.load(Ordering::Relaxed)
}

/// What is initialized.
pub(crate) fn level() -> i32 {
    LEVEL.load(Ordering::Relaxed)
}

/// Notes that more is initialized.
pub(crate) fn raise_level(more: i32) {
    LEVEL.fetch_or(more, Ordering::Relaxed);
}

/// The version that the caller was compiled for.
pub(crate) fn version() -> u32 {
    VERSION.load(Ordering::Relaxed)
}

/// The release of PAPI 7 that the caller was compiled for.
pub(crate) fn minor() -> u32 {
    version() >> 16 & 0xff
}

/// Whether the caller was compiled for 7.2 or later, whose structures are larger.
pub(crate) fn is_later() -> bool {
    minor() >= 2
}

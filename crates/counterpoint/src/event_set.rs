use crate::counting::{Counting, Options};
use crate::profile::Profiles;
use crate::resolved::{self, Resolved, resolve};
use crate::{Error, Machine, Meanings, Target};
use counterpoint_perf::Host;

/// Events by name, and whose they are.
///
/// ```
/// use counterpoint::{EventSet, Target};
///
/// let mut counting = EventSet::new(Target::ThisThread).event("task-clock").event("page-faults").open()?;
/// let pages = vec![1_u8; 1 << 20];
/// let report = counting.read()?;
/// for row in &report.rows {
///     println!("{:?} {}", row.value, row.event);
/// }
/// assert!(pages.len() > 0 && report.rows[0].value.as_f64().is_some());
/// # Ok::<(), counterpoint::Error>(())
/// ```
pub struct EventSet {
    machine: Machine,
    target: Target,
    lists: Vec<String>,
    files: Vec<String>,
    options: Options,
    profiles: Profiles,
}

impl EventSet {
    /// No events yet, to be counted for `target` on this machine.
    pub fn new(target: Target) -> EventSet {
        EventSet::on(Host::local(), target)
    }

    /// The same on another host.
    pub fn on(host: Host, target: Target) -> EventSet {
        let options = Options { inherit: true, delayed: false };
        EventSet {
            machine: Machine::new(host),
            target,
            lists: Vec::new(),
            files: Vec::new(),
            options,
            profiles: Profiles::new(),
        }
    }

    /// Adds an event, or several as a list in perf's syntax: `cycles:u`, `{a,b}`, `pmu/event/`.
    #[doc(alias = "PAPI_add_named_event")]
    pub fn event(mut self, list: impl Into<String>) -> EventSet {
        self.lists.push(list.into());
        self
    }

    /// Makes the events of an event-definition file known by name; `text` is its content.
    ///
    /// What is wrong in it costs only the definitions that it stands in; [`counterpoint_definitions::parse`] tells.
    pub fn define(mut self, text: impl Into<String>) -> EventSet {
        self.files.push(text.into());
        self
    }

    /// Whether threads and children that start later are counted too; they are unless told otherwise.
    pub fn inherit(mut self, inherit: bool) -> EventSet {
        self.options.inherit = inherit;
        self
    }

    /// Whether counting waits for [`Counting::start`]; otherwise it has begun when [`EventSet::open`] returns, or begins with the exec of a held command.
    pub fn delayed(mut self, delayed: bool) -> EventSet {
        self.options.delayed = delayed;
        self
    }

    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    pub(crate) fn options(&self) -> Options {
        self.options
    }

    pub(crate) fn profiles(&self) -> &Profiles {
        &self.profiles
    }

    pub(crate) fn profiles_mut(&mut self) -> &mut Profiles {
        &mut self.profiles
    }

    /// The machine that the names are looked up on.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// What a name stands for here, attributes and modifiers after it aside. Nothing means that there is no such name,
    /// or that it is none: a raw code, an address, or terms of a PMU.
    pub fn meanings(&self, name: &str) -> Meanings {
        let definitions = resolved::definitions(&self.machine, &self.files, name);
        Meanings::of(&self.machine, name, definitions)
    }

    /// Looks all names up; nothing is opened.
    ///
    /// The error is the first name that is not found, or text that is no list of events.
    pub fn resolve(&self) -> Result<Resolved, Error> {
        resolve(&self.machine, &self.lists, &self.files)
    }

    /// Looks all names up and opens the events.
    ///
    /// An event that the kernel refuses is no error: its value says why there is none.
    pub fn open(&self) -> Result<Counting, Error> {
        self.open_resolved(self.resolve()?, &self.target)
    }

    /// Opens events that were looked up before, for another target.
    pub fn open_resolved(&self, resolved: Resolved, target: &Target) -> Result<Counting, Error> {
        Counting::open(&self.machine, resolved, target, self.options)
    }
}

use counterpoint_perf::{Attr, CpuSet, Exclude, Host, Placement};
use counterpoint_pmu::vendor::{Event, Events};
use counterpoint_pmu::{CpuId, Pmu, PmuKind, sysfs};
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::{fmt, io};

const DEVICES: &str = "/sys/bus/event_source/devices";

/// A host with its PMUs, which are read from sysfs when they are first needed.
pub struct Machine {
    host: Host,
    names: OnceCell<Vec<String>>,
    devices: OnceCell<Vec<Device>>,
    pub(super) standard: OnceCell<Standard>,
    pub(super) units: OnceCell<Vec<Unit>>,
    /// The counters of the units that were asked for, by the kernel's names.
    pub(super) unit_counters: RefCell<BTreeMap<String, u64>>,
    tables: OnceCell<counterpoint_pmu::Machine>,
    only_pmu: Option<&'static Pmu>,
    vendor: OnceCell<Events>,
    prefers_vendor: bool,
    vendor_source: Option<VendorSource>,
}

/// Reads the events of a machine's vendor when they are first needed.
type VendorSource = Box<dyn Fn(&Machine) -> Events + Send>;

/// A PMU of the machine, and the CPUs on which it counts.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Device {
    /// Its fields and named events.
    pub pmu: sysfs::Pmu,
    /// The CPUs on which a PMU that counts for whole packages is opened (file `cpumask`).
    pub cpumask: Option<CpuSet>,
    /// The CPUs of a PMU of only some cores, as on hybrid machines (file `cpus`).
    pub cpus: Option<CpuSet>,
}

/// The PMUs that a machine is expected to have, where it shows none of its cores: [`standard`](super::standard) knows them.
#[derive(Default)]
pub(super) struct Standard {
    pub(super) core: Option<Device>,
    /// The same by other names: kinds of cores, and the first PMU of Arm's cores.
    pub(super) cores: Vec<Device>,
    /// The PMUs beside the cores.
    pub(super) others: Vec<Device>,
}

/// A unit beside the cores, which stands for all of its boxes, of a machine that shows none.
pub(crate) struct Unit {
    pub(crate) device: Device,
    /// Its name in the tables, or what it would be: `srf_unc_cha`.
    pub(crate) table_name: String,
}

impl Unit {
    /// The kernel's name of its PMU, without the number of a box.
    pub(crate) fn name(&self) -> &str {
        &self.device.pmu.name
    }
}

/// The first type that the kernel assigns to no PMU.
pub(crate) const UNASSIGNED: u32 = 0x1000;

/// The type of the caches of a machine that is known by its PMUs of the tables.
const OF_CACHES: u32 = UNASSIGNED + 0x80;

impl Device {
    /// A placement at which its events can be tested: this thread, or a CPU of the `cpumask`.
    pub fn probe_placement(&self) -> Placement {
        probe_placement(self.cpumask.as_ref())
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").field("pmus", &self.pmu_names()).finish_non_exhaustive()
    }
}

impl Machine {
    /// The machine behind `host`.
    pub fn new(host: Host) -> Machine {
        Machine {
            host,
            names: OnceCell::new(),
            devices: OnceCell::new(),
            standard: OnceCell::new(),
            units: OnceCell::new(),
            unit_counters: RefCell::default(),
            tables: OnceCell::new(),
            only_pmu: None,
            vendor: OnceCell::new(),
            prefers_vendor: false,
            vendor_source: None,
        }
    }

    /// A machine that has only this PMU of the tables, and those of the caches that its cores share: names can be looked up,
    /// but nothing can be counted.
    pub fn of_pmu(pmu: &'static Pmu) -> Machine {
        let pmus =
            [pmu].into_iter().chain(pmu.architectural()).chain(pmu.shared_caches()).collect();
        Machine::of_pmus(pmus)
    }

    /// A machine that has only these PMUs of the tables.
    pub(crate) fn of_pmus(pmus: Vec<&'static Pmu>) -> Machine {
        let first = pmus.first().map(|pmu| (pmu, UNASSIGNED));
        let caches = pmus.iter().skip(1).filter(|pmu| pmu.kind == PmuKind::Uncore);
        let devices = first
            .into_iter()
            .chain(caches.map(|pmu| (pmu, OF_CACHES)))
            .flat_map(|(pmu, kind)| pmu.devices().map(move |name| (name.to_string(), kind)))
            .collect();
        let mut tables = counterpoint_pmu::Machine::with(pmus).showing(devices);
        tables.perf_events = true;
        // One thread on each core, so that the PMU has all its counters.
        let smt = (PathBuf::from("/sys/devices/system/cpu/smt/active"), b"0\n".to_vec());
        let machine = Machine::new(Host::with_files(BTreeMap::from([smt])));
        let only_pmu = tables.pmus.first().copied();
        Machine { tables: OnceCell::from(tables), only_pmu, ..machine }
    }

    /// The machine, with the facts of a host, but not its PMUs.
    pub(super) fn with_facts_of(self, host: Host) -> Machine {
        Machine { host, names: OnceCell::from(Vec::new()), ..self }
    }

    /// The PMU that counts all events, if nothing but a PMU of the tables is known of the machine.
    pub(crate) fn only_pmu(&self) -> Option<&'static Pmu> {
        self.only_pmu
    }

    /// The machine, with the events of its processor from a vendor's files.
    ///
    /// A name that they have means their event, though the tables have it too: vendors correct their codes.
    ///
    /// ```
    /// use counterpoint::pmu::{find, vendor::Events};
    /// use counterpoint::{EventSet, Machine, Target};
    ///
    /// let mut events = Events::default();
    /// let file = r#"[{"EventName": "NEW_EVENT.SLOW", "EventCode": "0x99", "UMask": "0x2", "Counter": "0,1"}]"#;
    /// assert!(events.add(file, None).is_empty());
    ///
    /// let machine = Machine::of_pmu(find("spr").unwrap()).with_vendor(events);
    /// let set = EventSet::with_machine(machine, Target::ThisThread);
    /// let resolved = set.event("new_event.slow:u,cpu/NEW_EVENT.SLOW,cmask=1/").resolve()?;
    /// let attrs: Vec<u64> = resolved.natives().iter().map(|native| native.boxes[0].attr.config).collect();
    /// assert_eq!(attrs, [0x299, 0x100_0299]);
    /// assert_eq!(resolved.natives()[0].counters, Some(0b11));
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    pub fn with_vendor(self, events: Events) -> Machine {
        let vendor = OnceCell::from(self.and_built_in(events));
        Machine { vendor, prefers_vendor: true, ..self }
    }

    /// Like [`Machine::with_vendor`], but the events are read when a name is looked up that nothing else has, and the
    /// names of the tables keep their meanings.
    pub fn with_vendor_source(self, read: impl Fn(&Machine) -> Events + Send + 'static) -> Machine {
        Machine { vendor_source: Some(Box::new(read)), ..self }
    }

    /// These events, and those of its processor that are built in.
    fn and_built_in(&self, events: Events) -> Events {
        match self.cpu() {
            Some(cpu) => events.and_built_in(&cpu),
            None => events,
        }
    }

    /// The events by the names of the processor's vendor: those from files that were given, and those that are built in.
    pub fn vendor(&self) -> &Events {
        let read = || self.vendor_source.as_ref().map(|read| read(self)).unwrap_or_default();
        self.vendor.get_or_init(|| self.and_built_in(read()))
    }

    /// The vendor's events that a name such as `NAME`, `NAME,field=1` or `pmu/NAME,field=1/` stands for, each with its terms
    /// and those that the name adds, as perf writes them between slashes. Whether the machine shows their PMU does not matter.
    pub fn vendor_terms<'m>(
        &'m self,
        written: &'m str,
    ) -> impl Iterator<Item = (Cow<'m, Event>, String)> + 'm {
        let inside = written.split_once('/').map_or(written, |(_, inside)| inside);
        let inside = inside.trim_end_matches('/');
        let (name, more) = inside.split_at(inside.find(',').unwrap_or(inside.len()));
        self.vendor().named(name).map(move |event| {
            let terms = format!("{}{}", event.terms, more.trim_end_matches(','));
            (event, terms)
        })
    }

    /// Returns true if the events of files come before the tables.
    pub(crate) fn prefers_vendor(&self) -> bool {
        self.prefers_vendor
    }

    /// The identity of the processor; if nothing but a PMU of the tables is known, of one that has it.
    pub fn cpu(&self) -> Option<CpuId> {
        self.tables().cpu.clone().or_else(|| self.only_pmu?.processor())
    }

    /// The host.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The names of all PMUs, sorted.
    pub fn pmu_names(&self) -> &[String] {
        self.names.get_or_init(|| self.host.names(DEVICES))
    }

    /// All PMUs, sorted by name.
    pub fn devices(&self) -> &[Device] {
        self.devices
            .get_or_init(|| self.pmu_names().iter().filter_map(|name| self.load(name)).collect())
    }

    /// The PMUs that `name` stands for: the PMU itself or its numbered boxes, with or without `uncore_`, or those that match a shell pattern.
    pub fn boxes(&self, name: &str) -> Vec<&Device> {
        let boxes = sysfs::boxes(self.pmu_names().iter().map(String::as_str), name);
        self.devices().iter().filter(|device| boxes.contains(&device.pmu.name.as_str())).collect()
    }

    /// The core PMUs; several on a hybrid machine, none if there is no hardware PMU.
    pub fn core_pmus(&self) -> Vec<&Device> {
        let names = self.core_names();
        self.devices().iter().filter(|device| names.contains(&device.pmu.name)).collect()
    }

    /// The core PMUs of a hybrid machine, on which a generic event must name its PMU; otherwise none.
    pub fn hybrid_pmus(&self) -> Vec<&Device> {
        if self.core_names().len() < 2 { Vec::new() } else { self.core_pmus() }
    }

    /// The facts of the machine that the event tables need: the PMUs of its processor, and their types in sysfs.
    pub fn tables(&self) -> &counterpoint_pmu::Machine {
        self.tables.get_or_init(|| {
            let text = |path: &str| self.host.text(path).ok();
            let cpu = text("/proc/cpuinfo").and_then(|cpuinfo| CpuId::from_cpuinfo(&cpuinfo));
            let of_cpu = cpu.map_or_else(Default::default, counterpoint_pmu::Machine::of);
            let kind = |name: &String| Some((name.clone(), self.kind(name)?));
            let devices: BTreeMap<String, u32> = self.pmu_names().iter().filter_map(kind).collect();
            let has_perf =
                !devices.is_empty() || text("/proc/sys/kernel/perf_event_paranoid").is_some();
            let mut machine = of_cpu.showing(devices);
            // A hybrid processor whose other cores are off has one PMU, that of its performance cores.
            if machine.devices.contains_key("cpu") {
                machine.pmus.retain(|pmu| pmu.devices().all(|device| device != "cpu_atom"));
            }
            machine.perf_events = has_perf;
            let events = |core| self.host.names(format!("{DEVICES}/{core}/events"));
            machine.core_events = self.core_names().iter().flat_map(events).collect();
            machine
        })
    }

    /// `perf_event_attr.type` of a PMU.
    fn kind(&self, name: &str) -> Option<u32> {
        self.host.text(format!("{DEVICES}/{name}/type")).ok()?.parse().ok()
    }

    pub(crate) fn core_names(&self) -> &[String] {
        self.host.core_pmus()
    }

    /// `None` if the list of its CPUs exists but cannot be read: opened on all CPUs, it would be counted several times.
    fn load(&self, name: &str) -> Option<Device> {
        let folder = format!("{DEVICES}/{name}");
        let kind = self.kind(name)?;
        let files = |sub: &str| -> Vec<(String, String)> {
            let text = |file: String| {
                let text = self.host.text(format!("{folder}/{sub}/{file}")).ok();
                (file, text)
            };
            let names = self.host.names(format!("{folder}/{sub}"));
            let (read, unread): (Vec<_>, Vec<_>) =
                names.into_iter().map(text).partition(|(_, text)| text.is_some());
            // Without its scale, the value of an event would be wrong.
            let is_whole = |file: &str| !unread.iter().any(|(lost, _)| sysfs::is_about(lost, file));
            let whole = read.into_iter().filter(|(file, _)| is_whole(file));
            whole.filter_map(|(file, text)| Some((file, text?))).collect()
        };
        let cpus = |file: &str| match self.host.text(format!("{folder}/{file}")) {
            Ok(list) => list.parse().ok().map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Some(None),
            Err(_) => None,
        };
        let (formats, events) = (files("format"), files("events"));
        Some(Device {
            pmu: sysfs::Pmu::from_files(name, kind, pairs(&formats), pairs(&events)),
            cpumask: cpus("cpumask")?,
            cpus: cpus("cpus")?,
        })
    }

    /// The number of a tracepoint in tracefs, for `perf_event_attr.config`.
    pub(crate) fn tracepoint(&self, system: &str, name: &str) -> Tracepoint {
        let mut readable = false;
        for root in ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"] {
            let events = format!("{root}/events");
            if let Ok(id) = self.host.text(format!("{events}/{system}/{name}/id")) {
                return id.parse().map_or(Tracepoint::Unreadable, Tracepoint::Id);
            }
            readable |= !self.host.names(&events).is_empty();
        }
        if readable { Tracepoint::Unknown } else { Tracepoint::Unreadable }
    }

    /// The names `subsystem:name` of all tracepoints; empty if tracefs cannot be read.
    pub fn tracepoints(&self) -> Vec<String> {
        let roots = ["/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events"];
        let Some(root) = roots.into_iter().find(|root| !self.host.names(root).is_empty()) else {
            return Vec::new();
        };
        let mut names = Vec::new();
        for system in self.host.names(root) {
            for name in self.host.names(format!("{root}/{system}")) {
                if !matches!(name.as_str(), "enable" | "filter") {
                    names.push(format!("{system}:{name}"));
                }
            }
        }
        names
    }
}

impl Device {
    /// The attributes of a named event; `None` if it has a parameter that the user must supply.
    pub fn attr(&self, event: &str) -> Option<Attr> {
        let term = counterpoint_pmu::syntax::Term {
            name: event.to_string(),
            value: counterpoint_pmu::syntax::Value::Flag,
            span: 0..0,
            value_span: 0..0,
        };
        let config = self.pmu.encode(&[term]).ok()?;
        Some(attr_of(&self.pmu, &config))
    }
}

/// This thread, or the first CPU on which a PMU that counts for whole packages is opened.
pub(crate) fn probe_placement(cpumask: Option<&CpuSet>) -> Placement {
    cpumask.and_then(|mask| mask.iter().next()).map_or(Placement::ThisThread, Placement::Cpu)
}

/// Encodes the terms of an event.
pub(crate) fn attr_of(pmu: &sysfs::Pmu, config: &sysfs::Config) -> Attr {
    Attr {
        kind: pmu.kind,
        config: config.config,
        config1: config.config1,
        config2: config.config2,
        config3: config.config3,
        config4: config.config4,
        exclude: Exclude::default(),
        ..Attr::default()
    }
}

fn pairs(files: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    files.iter().map(|(file, text)| (file.as_str(), text.as_str()))
}

pub(crate) enum Tracepoint {
    Id(u64),
    /// tracefs has no such tracepoint.
    Unknown,
    /// tracefs is not mounted, or this user may not read it.
    Unreadable,
}

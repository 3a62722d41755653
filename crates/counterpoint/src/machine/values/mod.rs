//! Machine values: facts of a machine that formulas use as numbers, each with its source.
//!
//! The names are the literals of perf's metric expressions (`#smt_on`), the inputs of likwid's groups (`inverseClock`), the constants of Intel's metrics (`SYSTEM_TSC_FREQ`), and `#` of PAPI's formulas.

mod clocks;
#[cfg(feature = "json")]
mod identifier;
mod place;
mod topology;

use crate::counting::target::Target;
use crate::machine::pmus::Machine;
use crate::report::values::Reason;
use counterpoint_perf::Host;
use place::{Found, Place, flag};

/// A fact of a machine that formulas use as a number.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MachineValue {
    /// The name, in the case in which its language writes it.
    pub name: &'static str,
    /// The number; a fact that is true or false is 1 or 0.
    pub value: f64,
    /// `Hz` or `s`; `None` for plain numbers.
    pub unit: Option<&'static str>,
    /// The source of the number, such as a file.
    pub source: String,
}

/// The highest clock rate in PAPI's formulas.
pub(crate) const CLOCK_RATE: &str = "#";

/// A name of a machine value, its unit, and how it is found.
type Known = (&'static str, Option<&'static str>, fn(&Place<'_>) -> Found);

const HZ: Option<&str> = Some("Hz");

const KNOWN: [Known; 22] = [
    (CLOCK_RATE, HZ, clocks::highest),
    // Literals of perf.
    ("smt_on", None, topology::smt_on),
    ("core_wide", None, topology::core_wide),
    ("target_cpu", None, topology::target_cpu),
    ("num_cpus", None, topology::present),
    ("num_cpus_online", None, topology::online),
    ("num_cores", None, topology::cores),
    ("num_dies", None, topology::dies),
    ("num_packages", None, topology::packages),
    ("slots", None, slots),
    ("system_tsc_freq", HZ, clocks::tsc),
    ("tsc_freq", HZ, clocks::tsc),
    ("has_pmem", None, has_pmem),
    // Inputs of likwid's groups, and the name without a capital that definitions have for the first.
    ("inverseClock", Some("s"), clocks::inverse),
    ("inverse_clock", Some("s"), clocks::inverse),
    ("num_sockets", None, topology::packages),
    ("num_numadomains", None, topology::nodes),
    // Constants of Intel's metrics.
    ("HYPERTHREADING_ON", None, topology::smt_on),
    ("THREADS_PER_CORE", None, topology::threads_per_core),
    ("SOCKET_COUNT", None, topology::packages),
    ("CORES_PER_SOCKET", None, topology::cores_per_package),
    ("CHAS_PER_SOCKET", None, chas),
];

const DEVICES: &str = "/sys/bus/event_source/devices";

impl Machine {
    /// The machine value with a name, which may begin with perf's `#`; case is ignored. `None` if no machine value has this name.
    ///
    /// The values that depend on what is counted (`core_wide`, `target_cpu`) are those of a process; [`Machine::value_for`] takes the target.
    ///
    /// ```
    /// use counterpoint::{Machine, perf::Host};
    /// let machine = Machine::new(Host::local());
    /// let online = machine.value("#num_cpus_online").unwrap()?;
    /// assert!(online.value >= 1.0);
    /// assert_eq!(online.source, "/sys/devices/system/cpu/online");
    /// assert!(machine.value("cycles").is_none());
    /// # Ok::<(), counterpoint::Reason>(())
    /// ```
    ///
    /// # Errors
    /// Returns what was looked at, if the machine does not show the value.
    pub fn value(&self, name: &str) -> Option<Result<MachineValue, Reason>> {
        self.value_for(name, &Target::ThisThread)
    }

    /// Like [`Machine::value`], for events that are counted for `target`.
    pub fn value_for(&self, name: &str, target: &Target) -> Option<Result<MachineValue, Reason>> {
        Some(find(self.host(), known_name(name)?, target))
    }

    /// The names of all machine values, without `#` except PAPI's clock rate.
    pub fn value_names() -> impl Iterator<Item = &'static str> {
        KNOWN.iter().map(|(name, ..)| *name)
    }
}

/// The usual name of a machine value; `None` if there is none with this name.
pub(crate) fn known_name(name: &str) -> Option<&'static str> {
    if name == CLOCK_RATE {
        return Some(CLOCK_RATE);
    }
    let bare = name.strip_prefix('#').unwrap_or(name);
    let mut names = KNOWN.iter().map(|(known, ..)| *known).filter(|known| *known != CLOCK_RATE);
    names.find(|known| known.eq_ignore_ascii_case(bare))
}

/// The value with this usual name.
pub(crate) fn find(
    host: &Host,
    name: &'static str,
    target: &Target,
) -> Result<MachineValue, Reason> {
    let unknown = |looked_at| Reason::UnknownMachineValue { name: name.to_string(), looked_at };
    let known = KNOWN.iter().find(|(known, ..)| *known == name);
    let (_, unit, of) = known.ok_or_else(|| unknown("the names of machine values".to_string()))?;
    match of(&Place { host, target }) {
        Ok((value, source)) => Ok(MachineValue { name, value, unit: *unit, source }),
        Err(_) if name == CLOCK_RATE => Err(Reason::UnknownClockRate),
        Err(looked_at) => Err(unknown(looked_at)),
    }
}

/// The number of operations that an Arm core can take up in a cycle: the width of its events of slots.
fn slots(Place { host, .. }: &Place<'_>) -> Found {
    let mut found: Option<(u64, String)> = None;
    for pmu in host.core_pmus() {
        let file = format!("{DEVICES}/{pmu}/caps/slots");
        let Some(slots) = host.text(&file).ok().as_deref().and_then(number) else { continue };
        // The processor has no such event.
        if slots == 0 {
            return Err(format!("{file}, which is 0"));
        }
        match &found {
            Some((other, first)) if *other != slots => {
                return Err(format!("{first} and {file}, which differ"));
            }
            _ => found = Some((slots, file)),
        }
    }
    let (slots, file) = found.ok_or_else(|| format!("{DEVICES}/armv8_pmuv3_*/caps/slots"))?;
    Ok((slots as f64, file))
}

/// A number in decimal, or in hexadecimal with `0x`.
fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// 1 if the firmware describes persistent memory: perf asks for the same table.
fn has_pmem(Place { host, .. }: &Place<'_>) -> Found {
    const TABLES: &str = "/sys/firmware/acpi/tables";
    let tables = host.names(TABLES);
    if !tables.is_empty() {
        return flag(tables.iter().any(|table| table == "NFIT"), format!("{TABLES}/NFIT"));
    }
    // In some containers the whole directory is hidden.
    let firmware = host.names("/sys/firmware");
    if firmware.is_empty() || firmware.iter().any(|name| name == "acpi") {
        Err(TABLES.to_string())
    } else {
        flag(false, "/sys/firmware, which has no acpi")
    }
}

/// The caching and home agents of a socket, each with its own PMU, which is one for all sockets.
fn chas(Place { host, .. }: &Place<'_>) -> Found {
    let is_cha = |name: &String| {
        let number = name.strip_prefix("uncore_cha_");
        number.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
    };
    let source = format!("{DEVICES}/uncore_cha_*");
    match host.names(DEVICES).iter().filter(|name| is_cha(name)).count() {
        0 => Err(source),
        boxes => Ok((boxes as f64, source)),
    }
}

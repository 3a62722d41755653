//! PAPI's names with a component: `perf_event:::cycles`, `rapl:::PACKAGE_ENERGY:PACKAGE0`.

use crate::error::Error;
use crate::names::error::NameError;
use crate::sources::kinds;
use counterpoint_pmu::find;
use std::borrow::Cow;

/// The energies of PAPI's component `rapl`, and the events of the PMU `power` that count them.
const ENERGIES: [(&str, &str); 5] = [
    ("PACKAGE_ENERGY", "energy-pkg"),
    ("PP0_ENERGY", "energy-cores"),
    ("PP1_ENERGY", "energy-gpu"),
    ("DRAM_ENERGY", "energy-ram"),
    ("PSYS_ENERGY", "energy-psys"),
];

/// Translates a PAPI name with a component to one without; returns other names unchanged.
///
/// The energy of one package has no name without a component: the name for all packages is returned.
///
/// # Errors
/// Returns an error for a component that is not supported, such as `cuda:::`, and for an energy that PAPI does not have.
///
/// ```
/// use counterpoint::events::without_component;
/// assert_eq!(without_component("perf_event:::perf::CYCLES:u")?, "perf::CYCLES:u");
/// assert_eq!(without_component("rapl:::DRAM_ENERGY:PACKAGE1")?, "power/energy-ram/");
/// assert_eq!(without_component("cycles")?, "cycles");
/// assert!(without_component("cuda:::sm__cycles_active").is_err_and(|e| e.is_unknown_event()));
/// # Ok::<(), counterpoint::Error>(())
/// ```
pub fn without_component(name: &str) -> Result<Cow<'_, str>, Error> {
    let Some((component, event)) = name.split_once(":::") else { return Ok(Cow::Borrowed(name)) };
    match &*component.to_ascii_lowercase() {
        "perf_event" | "perf_event_uncore" => Ok(Cow::Borrowed(event)),
        "rapl" => match energy(name) {
            Some(energy) => Ok(Cow::Owned(format!("power/{}/", energy.event))),
            None => Err(Error::from(NameError::UnknownEvent {
                name: name.to_string(),
                similar: energies(|_| true).collect(),
            })),
        },
        // Its names are those of sources.
        component if kinds::is_component(component) => Ok(Cow::Borrowed(name)),
        component if is_word(component) && find(component).is_none() => {
            Err(Error::from(NameError::UnknownComponent { name: component.to_string() }))
        }
        _ => Ok(Cow::Borrowed(name)),
    }
}

/// An energy of PAPI's component `rapl`.
pub(crate) struct Energy {
    /// The event of the PMU `power`.
    pub event: &'static str,
    /// The package; `None` for all packages.
    pub package: Option<u32>,
}

/// The energy that a name stands for: `rapl:::PACKAGE_ENERGY`, or that of one package with `:PACKAGE1`.
pub(crate) fn energy(name: &str) -> Option<Energy> {
    let name = of_rapl(name)?.to_ascii_uppercase();
    let (energy, package) = match name.split_once(':') {
        Some((energy, package)) => {
            (energy, Some(package.strip_prefix("PACKAGE")?.parse::<u32>().ok()?))
        }
        None => (name.as_str(), None),
    };
    let (_, event) = ENERGIES.iter().find(|(papi, _)| *papi == energy)?;
    Some(Energy { event, package })
}

/// Parses the text after `rapl:::`.
pub(crate) fn of_rapl(name: &str) -> Option<&str> {
    let (component, event) = name.split_once(":::")?;
    component.eq_ignore_ascii_case("rapl").then_some(event)
}

/// PAPI's names of the energies for which a PMU has events.
pub(crate) fn energies(has: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
    let named = ENERGIES.iter().filter(move |(_, event)| has(event));
    named.map(|(papi, _)| format!("rapl:::{papi}"))
}

pub(crate) fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

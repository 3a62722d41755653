//! Native events by their codes: each has the next code when it is first named or listed.

use counterpoint::perf::{Attr, Every, Exclude};
use counterpoint::pmu::{PerfEncoding, PmuKind, Program, kernel, program};
use counterpoint_capi::Lasting;
use std::ffi::c_int;

use crate::codes::{ENOCMP, ENOEVNT, ENOMEM, ENOSUPP, Failed};
use crate::components::{self, ENERGIES, Listed, NAMES, NUMBERS, UNCORE};
use crate::energies;
use crate::event_codes::NATIVE;
use crate::library::Library;

/// A native event.
#[derive(Debug)]
pub(crate) struct Native {
    pub(crate) code: c_int,
    /// The name that asked for it.
    asked: String,
    /// The name as it is shown: without the PMU of the cores.
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) component: usize,
    /// The place where it was listed, if it was.
    listed: Option<Listed>,
    /// The attribute that is opened; an event that lacks a unit mask is listed but cannot be opened.
    pub(crate) programmed: Result<Programmed, Failed>,
}

/// The attribute that is opened for an event.
#[derive(Debug)]
pub(crate) struct Programmed {
    pub(crate) attr: Attr,
    /// The CPUs that the name gives.
    pub(crate) cpus: Vec<u32>,
    /// The name gives levels, so that the domain of the set does not.
    names_user: bool,
    names_kernel: bool,
    /// It occurs in the kernel only: without the kernel, its count would be a false 0.
    is_kernel_only: bool,
    /// Its PMU does not tell levels apart.
    has_no_levels: bool,
    /// It needs a PMU of the processor's cores.
    needs_core: bool,
    /// The nanojoules of one count, if it is an energy.
    pub(crate) nanojoules: Option<f64>,
}

const CHUNK: usize = 256;

/// All native events of this process by their codes, in chunks. Nothing is removed, so that a code keeps its meaning.
static CHUNKS: [Lasting<[Lasting<Native>; CHUNK]>; 256] = [const { Lasting::new() }; 256];

/// The event with a code.
pub(crate) fn by_code(code: c_int) -> Result<&'static Native, Failed> {
    let index = (code as u32 ^ NATIVE) as usize;
    let chunk = CHUNKS.get(index / CHUNK).and_then(Lasting::get);
    chunk.and_then(|chunk| chunk[index % CHUNK].get()).ok_or(ENOEVNT)
}

/// The event with a name.
pub(crate) fn by_name(library: &Library, name: &str) -> Result<&'static Native, Failed> {
    // An event that was listed after it was named has a second code, which its name stands for from then on.
    if let Some(known) = all().filter(|native| native.asked == name).last() {
        return Ok(known);
    }
    if let Some(place) = place_of_energy(library, name)? {
        return energy(library, place);
    }
    if let Some((component, place)) = place_of_number(library, name)? {
        return number(library, component, place);
    }
    let (found, component, event) = look_up(library, name)?;
    let context = &library.context;
    let masks = library.components.mask_descriptions(found.pmu, event, context);
    let description = library.components.description(found.pmu, event, found.listed);
    keep(|code| Native {
        code,
        asked: name.to_owned(),
        name: library.components.shown(event),
        description: described(description, &masks),
        component,
        listed: None,
        programmed: Programmed::of(library, event),
    })
}

/// Checks that there is an event with a name that can be opened on this machine. It gets no code.
pub(crate) fn check(library: &Library, name: &str) -> Result<(), Failed> {
    if place_of_energy(library, name)?.is_some() {
        return Ok(());
    }
    if place_of_number(library, name)?.is_some() {
        return Ok(());
    }
    let (_, _, event) = look_up(library, name)?;
    let programmed = Programmed::of(library, event)?;
    if programmed.needs_core && !library.components.has_core { Err(ENOEVNT) } else { Ok(()) }
}

/// The place of an energy in its component's list, if a name is that of one.
fn place_of_energy(library: &Library, name: &str) -> Result<Option<usize>, Failed> {
    let (component, event) = components::of_name(name)?;
    match component {
        Some(ENERGIES) => {}
        None if energies::is_name(event) => {}
        _ => return Ok(None),
    }
    let mut all = library.components.energies().iter();
    all.position(|energy| energy.name == event).map(Some).ok_or(ENOEVNT)
}

/// The component and the place of a number in a file, if a name is that of one.
fn place_of_number(library: &Library, name: &str) -> Result<Option<(usize, usize)>, Failed> {
    let (Some(component), _) = components::of_name(name)? else { return Ok(None) };
    if !NUMBERS.contains(&component) {
        return Ok(None);
    }
    let mut all = library.components.numbers(component).iter();
    let place = all.position(|number| number.name == name).ok_or(ENOEVNT)?;
    Ok(Some((component, place)))
}

/// A number in a file by its component and its place.
pub(crate) fn number(
    library: &Library,
    component: usize,
    place: usize,
) -> Result<&'static Native, Failed> {
    let number = library.components.numbers(component).get(place).ok_or(ENOEVNT)?;
    if let Some(known) = all().find(|native| native.asked == number.name) {
        return Ok(known);
    }
    keep(|code| Native {
        code,
        asked: number.name.clone(),
        name: number.name.clone(),
        description: number.description.clone(),
        component,
        listed: Some(Listed { pmu: 0, event: place, attribute: None }),
        programmed: Ok(Programmed::without_levels(Attr::default(), Vec::new(), None)),
    })
}

/// An energy by its place.
pub(crate) fn energy(library: &Library, place: usize) -> Result<&'static Native, Failed> {
    let energy = library.components.energies().get(place).ok_or(ENOEVNT)?;
    let name = format!("{}:::{}", NAMES[ENERGIES].0, energy.name);
    if let Some(known) = all().find(|native| native.asked == name) {
        return Ok(known);
    }
    keep(|code| Native {
        code,
        asked: name.clone(),
        name: name.clone(),
        description: energy.description.clone(),
        component: ENERGIES,
        listed: Some(Listed { pmu: 0, event: place, attribute: None }),
        programmed: Ok(Programmed::without_levels(
            energy.attr.clone(),
            energy.cpus.clone(),
            Some(energy.nanojoules),
        )),
    })
}

/// The program of a name, its component, and the name without that.
fn look_up<'n>(library: &Library, name: &'n str) -> Result<(Program, usize, &'n str), Failed> {
    let (component, event) = components::of_name(name)?;
    let Ok(found) = program(event, &library.context) else { return Err(ENOEVNT) };
    let is_uncore = components::is_uncore(found.pmu.kind);
    if component.is_some_and(|component| (component == UNCORE) != is_uncore) {
        return Err(ENOEVNT);
    }
    let component = components::of_pmu(found.pmu);
    library.components.pmus(component)?.iter().find(|pmu| **pmu == found.pmu).ok_or(ENOEVNT)?;
    Ok((found, component, event))
}

/// An event of a component's list.
pub(crate) fn listed(
    library: &Library,
    component: usize,
    place: Listed,
) -> Result<&'static Native, Failed> {
    let is_it = |native: &&Native| native.component == component && native.listed == Some(place);
    if let Some(known) = all().find(is_it) {
        return Ok(known);
    }
    let pmu = *library.components.pmus(component)?.get(place.pmu).ok_or(ENOCMP)?;
    let entry = library.components.events(component, place.pmu)?.get(place.event).ok_or(ENOEVNT)?;
    if place.attribute.is_none() && !entry.is_alias() {
        // One that was named keeps its code, but for other names of an event, as in PAPI.
        let name = format!("{}::{}", pmu.name, entry.name);
        let mut named = all().filter(|native| native.listed.is_none());
        if let Some(known) = named.find(|native| native.asked == name) {
            return Ok(known);
        }
    }
    let (name, description) = match place.attribute {
        None => (format!("{}::{}", pmu.name, entry.name), entry.description.to_owned()),
        Some(attribute) => {
            let attributes = entry.attributes(&library.context);
            let (written, text) = attributes.get(attribute).ok_or(ENOEVNT)?;
            let name = format!("{}::{}:{written}", pmu.name, entry.name);
            (name, described(entry.description, std::slice::from_ref(text)))
        }
    };
    keep(|code| Native {
        code,
        name: library.components.shown(&name),
        description: description.clone(),
        component,
        listed: Some(place),
        programmed: Programmed::of(library, &name),
        asked: name.clone(),
    })
}

impl Native {
    /// The place in its component's list.
    pub(crate) fn place(&self, library: &Library) -> Option<Listed> {
        self.listed.or_else(|| library.components.place(self.component, &self.asked))
    }

    /// Returns true if it is a number in a file, for which no event is opened.
    pub(crate) fn is_number(&self) -> bool {
        NUMBERS.contains(&self.component)
    }

    /// The attribute that is opened, for a set that counts these levels.
    ///
    /// A number in a file has none.
    pub(crate) fn attr(&self, domain: c_int) -> Result<Attr, Failed> {
        if self.is_number() {
            return Err(ENOSUPP);
        }
        let programmed = self.programmed.as_ref().map_err(|failed| *failed)?;
        Ok(programmed.at(domain))
    }
}

impl Programmed {
    fn of(library: &Library, event: &str) -> Result<Programmed, Failed> {
        let found = program(event, &library.context).map_err(|_| ENOEVNT)?;
        let perf = found.perf.ok_or(ENOEVNT)?;
        let written = |level: &str| {
            let mut rest = event.split([':', '.']).skip(1);
            rest.any(|part| part.split('=').next().unwrap_or_default().eq_ignore_ascii_case(level))
        };
        let base = event.rsplit("::").next().unwrap_or(event);
        let base = base.split(':').next().unwrap_or(base);
        let of_kernel = kernel::find(base).filter(|_| found.pmu.kind == PmuKind::OsGeneric);
        const SOFTWARE: [u32; 3] = [1, 2, 5];
        Ok(Programmed {
            cpus: perf.cpu.into_iter().collect(),
            names_user: written("u"),
            names_kernel: written("k"),
            is_kernel_only: of_kernel.is_some_and(|event| event.kernel_only),
            has_no_levels: components::is_uncore(found.pmu.kind),
            needs_core: !components::is_uncore(found.pmu.kind) && !SOFTWARE.contains(&perf.kind),
            attr: attr(&perf),
            nanojoules: None,
        })
    }

    /// That of an energy or of a number in a file.
    fn without_levels(attr: Attr, cpus: Vec<u32>, nanojoules: Option<f64>) -> Programmed {
        Programmed {
            attr,
            cpus,
            names_user: false,
            names_kernel: false,
            is_kernel_only: false,
            has_no_levels: true,
            needs_core: false,
            nanojoules,
        }
    }

    fn at(&self, domain: c_int) -> Attr {
        let mut attr = self.attr.clone();
        if self.has_no_levels {
            attr.exclude = Exclude::default();
            return attr;
        }
        let [user, kernel, _, supervisor] = [1, 2, 4, 8].map(|level| domain & level != 0);
        if !self.names_user {
            attr.exclude.user = !user;
        }
        if !self.names_kernel {
            attr.exclude.kernel = !kernel && !self.is_kernel_only;
        }
        attr.exclude.hv = !supervisor;
        attr
    }
}

fn attr(perf: &PerfEncoding) -> Attr {
    let every = if perf.freq { Every::Frequency(perf.period) } else { Every::Period(perf.period) };
    let mut attr =
        Attr { config1: perf.config1, config2: perf.config2, ..Attr::new(perf.kind, perf.config) };
    attr.exclude.user = perf.exclude_user;
    attr.exclude.kernel = perf.exclude_kernel;
    attr.exclude.hv = perf.exclude_hv;
    attr.exclude.host = perf.exclude_host;
    attr.exclude.guest = perf.exclude_guest;
    attr.precise = perf.precise_ip;
    attr.pinned = perf.pinned;
    attr.exclusive = perf.exclusive;
    attr.every = every;
    attr
}

fn described(event: &str, masks: &[String]) -> String {
    match masks {
        [] => event.to_owned(),
        masks => format!("{event}, masks:{}", masks.join(":")),
    }
}

fn all() -> impl Iterator<Item = &'static Native> {
    let chunks = CHUNKS.iter().map_while(Lasting::get);
    chunks.flat_map(|chunk| chunk.iter().map_while(Lasting::get))
}

/// Keeps an event under the next code. Of threads that name an event at the same time, one gives it its code.
fn keep(make: impl Fn(c_int) -> Native) -> Result<&'static Native, Failed> {
    for (number, chunk) in CHUNKS.iter().enumerate() {
        let chunk = chunk.get_or_make(|| [const { Lasting::new() }; CHUNK]);
        for (place, slot) in chunk.iter().enumerate() {
            if slot.get().is_some() {
                continue;
            }
            let made = make((NATIVE as usize + number * CHUNK + place) as c_int);
            // Another thread may have been first since the look-up, here or at a place before.
            let is_it = |known: &Native| known.asked == made.asked && known.listed == made.listed;
            if let Some(known) = all().find(|known| is_it(known)) {
                return Ok(known);
            }
            let (asked, listed) = (made.asked.clone(), made.listed);
            let kept = slot.get_or_make(|| made);
            if kept.asked == asked && kept.listed == listed {
                return Ok(kept);
            }
        }
    }
    Err(ENOMEM)
}

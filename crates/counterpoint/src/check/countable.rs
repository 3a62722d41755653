//! How names are counted on a machine, which need not be here: nothing is opened.

use crate::counting::error::CountError;
use crate::counting::resolved::Resolved;
use crate::error::Error;
use crate::event_set::EventSet;
use crate::libraries::presets::Preset;
use crate::names::candidate::CandidateEvent;
use crate::names::ids::EventId;
use crate::names::native::Native;
use crate::planning::{Known, Planning, PmuPlan};
use crate::report::values::Reason;
use counterpoint_definitions::Expansion;
use counterpoint_perf::pmu_type;

/// How a name is counted; [`EventSet::countable`] returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Countable {
    /// The thing that has the name.
    pub kind: NameKind,
    /// The events to open, by their usual names.
    pub events: Vec<String>,
    /// The events of units that the machine does not show, such as its memory controllers, as `pmu/terms/`.
    pub unit_events: Vec<String>,
    /// The passes in which its events are counted: 1 if they fit together, 0 if no counter is needed, `None` if the tables do
    /// not have the counters of a PMU, or if not every driver of a core has the generic event.
    pub passes: Option<usize>,
    /// The event that has replaced a deprecated one.
    pub successor: Option<String>,
}

/// The thing that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameKind {
    /// An event, or a source such as a time.
    Event,
    /// A preset, or another definition.
    Definition,
    /// A metric, or a group of metrics.
    Metric,
    /// Events in braces, which are counted together or not at all.
    Group,
}

impl EventSet {
    /// How an event, a definition or a metric of this name is counted on the machine of the set.
    ///
    /// ```
    /// use counterpoint::{EventSet, Machine, Target, pmu};
    ///
    /// let spr = EventSet::with_machine(Machine::example(pmu::find("spr").unwrap()), Target::ThisThread);
    /// let preset = spr.countable("PAPI_L1_DCM")?;
    /// assert_eq!((&*preset.events, preset.passes), (&["spr::L1D:REPLACEMENT".to_string()][..], Some(1)));
    /// assert!(spr.countable("LS_DISPATCH").is_err_and(|error| error.is_unknown_event()));
    /// # Ok::<(), counterpoint::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns the reason why it cannot be counted.
    pub fn countable(&self, name: &str) -> Result<Countable, Error> {
        match self.resolve_list(name) {
            Ok(resolved) => {
                let is_defined = self.expansion(name).is_some();
                let is_group = name.trim_start().starts_with('{');
                let kind = match is_defined {
                    _ if is_group => NameKind::Group,
                    true => NameKind::Definition,
                    false => NameKind::Event,
                };
                self.planned(name, kind, &resolved)
            }
            Err(_) if !self.metrics().find(name).is_empty() => {
                let resolved = self.resolve_both(&[], &[name.to_string()])?;
                self.planned(name, NameKind::Metric, &resolved)
            }
            Err(error) => Err(error),
        }
    }

    /// The passes in which the events of these names are counted together: of names that [`EventSet::countable`] has found;
    /// `None` if the tables do not have the counters of a PMU.
    ///
    /// # Errors
    /// Returns the error of a name that cannot be looked up.
    pub fn passes_together<'c>(
        &self,
        names: impl IntoIterator<Item = (&'c str, &'c Countable)>,
    ) -> Result<Option<usize>, Error> {
        let (mut events, mut metrics) = (Vec::new(), Vec::new());
        for (name, countable) in names {
            match countable.kind {
                NameKind::Metric => metrics.push(name.to_string()),
                _ => events.push(name.to_string()),
            }
        }
        if events.is_empty() && metrics.is_empty() {
            return Ok(Some(0));
        }
        let resolved = self.resolve_both(&events, &metrics)?;
        let is_mapped = resolved.natives().iter().all(is_mapped);
        Ok(self.most_passes(&self.plan_resolved(&resolved)).filter(|_| is_mapped))
    }

    /// The presets that count what an event counts on this machine.
    ///
    /// ```
    /// use counterpoint::{EventSet, Machine, Target, pmu};
    ///
    /// let spr = EventSet::with_machine(Machine::example(pmu::find("spr").unwrap()), Target::ThisThread);
    /// assert_eq!(spr.presets_of("L1D.REPLACEMENT")[0].name, "PAPI_L1_DCM");
    /// ```
    pub fn presets_of(&self, event: &str) -> Vec<&'static Preset> {
        let native = |name: &str| -> Option<Native> {
            let resolved = self.resolve_list(name).ok()?;
            let [native] = resolved.natives() else { return None };
            Some(native.clone())
        };
        let Some(wanted) = native(event) else { return Vec::new() };
        let is_same = |preset: &&Preset| {
            self.expansion(preset.name).is_some_and(|of| of.formula.ops().len() == 1)
                && native(preset.name).is_some_and(|native| native.is_same(&wanted))
        };
        Preset::all().iter().filter(is_same).collect()
    }

    /// The definition that a name stands for, expanded to events.
    fn expansion(&self, name: &str) -> Option<Expansion> {
        let first = self.candidates(name).ok()?.into_iter().next()?.events.into_iter().next()?;
        match first {
            CandidateEvent::Definition { expansion, .. } => expansion.ok(),
            _ => None,
        }
    }

    fn planned(&self, name: &str, kind: NameKind, resolved: &Resolved) -> Result<Countable, Error> {
        let planning = self.plan_resolved(resolved);
        let no_counter = || {
            let is_impossible = planning.pmus.iter().any(|pmu| !pmu.plan.impossible.is_empty());
            const WHY: &str = "none of the free counters can count it";
            is_impossible.then(|| Reason::Failed(WHY.to_string()))
        };
        let unavailable = planning.unavailable.first().map(|(_, reason)| reason.clone());
        let split = || {
            let mut units = planning.pmus.iter().flat_map(|pmu| pmu.conflicting());
            const WHY: &str = "the events in braces do not fit on the counters together";
            units.next().map(|_| Reason::Failed(WHY.to_string()))
        };
        if let Some(reason) = unavailable.or_else(no_counter).or_else(split) {
            return Err(CountError::Uncountable { event: name.to_string(), reason }.into());
        }
        let successor = match kind {
            NameKind::Event => {
                self.machine().vendor().named(name).find_map(|of| of.successor.clone())
            }
            _ => None,
        };
        let (mut events, mut unit_events) = (Vec::new(), Vec::new());
        for native in resolved.natives() {
            match self.unit_event(native) {
                Some(event) => unit_events.push(event),
                None => events.push(native.id.to_string()),
            }
        }
        let is_mapped = resolved.natives().iter().all(is_mapped);
        let passes = self.most_passes(&planning).filter(|_| is_mapped);
        Ok(Countable { kind, events, unit_events, passes, successor })
    }

    /// An event of a unit that the machine does not show, of a vendor's name as `pmu/terms/`.
    fn unit_event(&self, native: &Native) -> Option<String> {
        let machine = self.machine();
        let kind = native.boxes.first()?.attr.kind;
        let unit = machine.units().iter().find(|unit| unit.device.pmu.kind == kind)?;
        if native.id.pmu.is_some() {
            return Some(native.id.to_string());
        }
        let mut named = machine.vendor_terms(&native.id.name);
        let (_, terms) = named.find(|(event, _)| event.is_on(unit.name(), false))?;
        Some(EventId::terms(unit.name(), &terms).with(native.id.modifiers).to_string())
    }

    /// The passes of the PMU that needs most; `None` if the counters of one are not known.
    fn most_passes(&self, planning: &Planning) -> Option<usize> {
        let units = self.machine().units();
        let is_unit = |name: &str| units.iter().any(|unit| unit.table_name == name);
        let passes = |pmu: &PmuPlan| match pmu.known {
            // A unit counts any one of its events.
            Known::Nothing if pmu.events.len() == 1 => is_unit(&pmu.pmu).then_some(1),
            Known::Nothing => None,
            _ => Some(pmu.plan.passes.len()),
        };
        planning.pmus.iter().map(passes).try_fold(0, |most, passes| Some(most.max(passes?)))
    }
}

/// Returns false for a generic hardware event of the kernel that not every driver of a core has: which ones a processor has
/// is in its driver, and not in the tables.
fn is_mapped(native: &Native) -> bool {
    /// Cycles, instructions, cache references and misses, and branch misses.
    const BY_ALL: [u64; 5] = [0, 1, 2, 3, 5];
    native.boxes.iter().all(|place| match place.attr.kind {
        // The PMU of a kind of cores is in the upper half.
        pmu_type::HARDWARE => BY_ALL.contains(&(place.attr.config & 0xffff_ffff)),
        pmu_type::HW_CACHE => false,
        _ => true,
    })
}

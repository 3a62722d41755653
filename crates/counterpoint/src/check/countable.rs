//! How names are counted on a machine, which need not be here: nothing is opened.

use crate::counting::error::CountError;
use crate::counting::resolved::Resolved;
use crate::error::Error;
use crate::event_set::EventSet;
use crate::libraries::presets::Preset;
use crate::metrics::Meaning;
use crate::names::candidate::CandidateEvent;
use crate::names::native::Native;
use crate::planning::{Known, Planning, PmuPlan};
use crate::report::values::Reason;
use counterpoint_definitions::Expansion;

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
    /// not have the counters of a PMU.
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
                let kind = if is_defined { NameKind::Definition } else { NameKind::Event };
                self.planned(name, kind, &resolved)
            }
            Err(_) if !self.metrics().find(name).is_empty() => self.countable_metric(name),
            Err(error) => self.of_unit(name).ok_or(error),
        }
    }

    /// The passes in which the events of these names are counted together: of names that [`EventSet::countable`] has found,
    /// those of units left out; `None` if the tables do not have the counters of a PMU.
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
                _ if !countable.unit_events.is_empty() => {
                    events.extend(countable.events.iter().cloned())
                }
                NameKind::Metric => metrics.push(name.to_string()),
                _ => events.push(name.to_string()),
            }
        }
        if events.is_empty() && metrics.is_empty() {
            return Ok(Some(0));
        }
        Ok(most_passes(&self.plan_resolved(&self.resolve_both(&events, &metrics)?)))
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
        if let Some(reason) = unavailable.or_else(no_counter) {
            return Err(CountError::Uncountable { event: name.to_string(), reason }.into());
        }
        let successor = match kind {
            NameKind::Event => {
                self.machine().vendor().named(name).find_map(|of| of.successor.clone())
            }
            _ => None,
        };
        let events = resolved.natives().iter().map(|native| native.id.to_string()).collect();
        let passes = most_passes(&planning);
        Ok(Countable { kind, events, unit_events: Vec::new(), passes, successor })
    }

    /// Like [`EventSet::countable`], also if events of the metric are those of units that the machine does not show.
    fn countable_metric(&self, name: &str) -> Result<Countable, Error> {
        let resolved = self.resolve_both(&[], &[name.to_string()])?;
        let error = match self.planned(name, NameKind::Metric, &resolved) {
            Ok(countable) => return Ok(countable),
            Err(error) => error,
        };
        let (mut of_cores, mut of_units) = (Vec::new(), Vec::new());
        for metric in self.metrics().find(name) {
            let Ok(needs) = self.metric_needs(&metric) else { return Err(error) };
            for term in needs.terms {
                match (term.meaning, self.of_unit(&term.name)) {
                    (Ok(Meaning::Event(_)), _) => of_cores.push(term.name),
                    (Ok(_), _) => {}
                    (Err(_), Some(unit)) => of_units.extend(unit.unit_events),
                    (Err(_), None) => return Err(error),
                }
            }
        }
        let kind = NameKind::Metric;
        let mut countable = match of_cores.as_slice() {
            [] => Countable {
                kind,
                events: of_cores,
                unit_events: Vec::new(),
                passes: Some(1),
                successor: None,
            },
            of_cores => self.planned(name, kind, &self.resolve_both(of_cores, &[])?)?,
        };
        countable.unit_events = of_units;
        Ok(countable)
    }

    /// An event of the vendor whose unit the machine does not show, as one that is not here shows none.
    fn of_unit(&self, name: &str) -> Option<Countable> {
        let machine = self.machine();
        if !machine.pmu_names().is_empty() {
            return None;
        }
        let mut events = machine.vendor_terms(name);
        let (event, terms) = events.find(|(event, _)| !event.is_of_core())?;
        // Of several names, a machine has one; the first is that of current kernels.
        let pmu = event.pmus().into_iter().next().unwrap_or_default();
        Some(Countable {
            kind: NameKind::Event,
            events: Vec::new(),
            unit_events: vec![format!("{pmu}/{terms}/")],
            passes: Some(1),
            successor: event.successor.clone(),
        })
    }
}

/// The passes of the PMU that needs most; `None` if the counters of one are not known.
fn most_passes(planning: &Planning) -> Option<usize> {
    let passes = |pmu: &PmuPlan| match pmu.known {
        Known::Nothing => None,
        _ => Some(pmu.plan.passes.len()),
    };
    planning.pmus.iter().map(passes).try_fold(0, |most, passes| Some(most.max(passes?)))
}

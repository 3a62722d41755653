//! The events that count the presets of a machine.

use crate::libraries::presets::Preset;
use crate::machine::pmus::Machine;
use crate::names::native::Native;
use crate::names::terms::{Found, term_on};
use crate::names::views::{self, View};
use crate::report::values::Reason;
use counterpoint_definitions::{Expansion, Origin};
use counterpoint_pmu::syntax::Modifiers;

/// The definition of a preset on a machine, or on one kind of its cores.
pub(crate) struct PresetFound {
    /// The core PMU, if there are several kinds of cores.
    pub core: Option<String>,
    /// True if it uses the kernel's own events.
    pub generic: bool,
    pub expansion: Expansion,
    pub natives: Result<Vec<Native>, Reason>,
}

/// The definitions of each preset, one for each kind of core; empty if no event counts it.
pub(crate) fn find_presets(machine: &Machine) -> Vec<(&'static Preset, Vec<PresetFound>)> {
    let views = views::views(machine, &[]);
    let found = |preset: &Preset, view: &View| {
        let definition = view.definitions.get(preset.name)?;
        let expansion = view.definitions.expand(&definition).ok()?;
        let term = |term: &String| match term_on(machine, term, view, Modifiers::default()) {
            Ok(Found::Native(native)) => Some(Ok(native)),
            Ok(Found::Source(_) | Found::Machine(_)) => None,
            Err(reason) => Some(Err(reason)),
        };
        let natives = expansion.terms.iter().filter_map(term).collect();
        let core = view.core.as_ref().map(|core| core.pmu.name.clone());
        let generic = *definition.origin() == Origin::BuiltIn;
        Some(PresetFound { core, generic, expansion, natives })
    };
    let all = Preset::all().iter();
    all.map(|preset| (preset, views.iter().filter_map(|view| found(preset, view)).collect()))
        .collect()
}

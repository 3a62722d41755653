//! The native events that presets and user-defined events are computed from on this machine.

use counterpoint::definitions::Expansion;

use crate::codes::{ENOEVNT, Failed};
use crate::event_codes::Named;
use crate::layout::{EventInfo, TERMS, put};
use crate::library::Library;
use crate::presets::{Presets, categories, preset};
use crate::{natives, release};

impl Presets {
    /// The formula and the events that it is computed from, if this machine has each of its events.
    pub(crate) fn expand(&self, library: &Library, named: Named) -> Result<Expansion, Failed> {
        let definition = self.definition(named)?;
        let expansion = self.definitions.expand(&definition).map_err(|_| ENOEVNT)?;
        expansion.terms.iter().try_for_each(|term| natives::check(library, term))?;
        Ok(expansion)
    }

    /// The structure that describes it.
    pub(crate) fn info(&self, library: &Library, named: Named) -> Result<EventInfo, Failed> {
        let mut info = EventInfo { event_code: named.code() as u32, ..EventInfo::EMPTY };
        put(&mut info.symbol, self.name(named)?);
        put(&mut info.derived, "NOT_DERIVED");
        if let Named::Preset(index) = named {
            let description = preset(index).map_or("", |preset| preset.description);
            put(&mut info.short_descr, description);
            put(&mut info.long_descr, description);
            // The bit of a category is that of its modifier, which is one more in 7.2.
            info.event_type = u32::from(categories(index)) << (3 + u32::from(release::is_later()));
        }
        let Ok(definition) = self.definition(named) else { return Ok(info) };
        // A description of the file is more than the one that every machine has.
        if let Some(text) = definition.short_description() {
            put(&mut info.short_descr, text);
        }
        if let Some(text) = definition.long_description() {
            put(&mut info.long_descr, text);
        }
        put(&mut info.note, definition.note().unwrap_or_default());
        put(&mut info.derived, definition.notation());
        let expansion = match (self.expand(library, named), named) {
            (Ok(expansion), _) => expansion,
            // An event of a user is there only if its terms are.
            (Err(failed), Named::User(_)) => return Err(failed),
            // A preset without terms is one that the machine does not have.
            (Err(_), Named::Preset(_)) => return Ok(info),
        };
        if definition.notation().ends_with("FIX") {
            put(&mut info.postfix, &positional(&expansion));
        }
        for (term, place) in expansion.terms.iter().take(TERMS).zip(0..) {
            let native = natives::by_name(library, term)?;
            info.code[place] = native.code as u32;
            put(&mut info.name[place], term);
            info.count += 1;
        }
        Ok(info)
    }
}

/// The formula in postfix notation, with `N0`, `N1`, … for the terms.
fn positional(expansion: &Expansion) -> String {
    let number = |input: &str| {
        let place = expansion.terms.iter().position(|term| term == input);
        place.map_or_else(|| input.to_owned(), |place| format!("N{place}"))
    };
    expansion.formula.rename_inputs(number).postfix().to_string()
}

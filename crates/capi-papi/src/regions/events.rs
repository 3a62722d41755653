//! The events that regions count.

use std::env;

use super::counted::Event;
use crate::codes::{EMISC, Failed, message};
use crate::components::{CPU, NAMES};
use crate::library::Library;
use crate::lookup::event_code;
use crate::opened::Options;
use crate::set::{self, Set};
use crate::{options, release};

/// The events if `PAPI_EVENTS` names none that can be counted.
const DEFAULTS: &str = "perf::TASK-CLOCK,PAPI_TOT_INS,PAPI_TOT_CYC,PAPI_FP_INS,PAPI_FP_OPS";

/// The events of `PAPI_EVENTS`, or else the usual ones, those of a component together.
pub(super) fn wanted(library: &Library) -> Result<Vec<Event>, Failed> {
    let wanted = env::var("PAPI_EVENTS").unwrap_or_default();
    let mut events = countable(library, &wanted, |name, failed| {
        let reason = message(failed.0, release::messages()).unwrap_or_default().to_string_lossy();
        super::report::say(&format!("PAPI_EVENTS: {name} is left out: {reason}"));
    });
    if events.is_empty() {
        events = countable(library, DEFAULTS, |_, _| ());
    }
    if events.is_empty() { Err(EMISC) } else { Ok(events) }
}

/// The options of a set of regions: `PAPI_MULTIPLEX` lets the events of the processor take turns.
pub(super) fn options_of(component: usize) -> Options {
    let takes_turns = component == CPU && env::var_os("PAPI_MULTIPLEX").is_some();
    Options { multiplexed: takes_turns.then_some(0), ..options::of_new_set() }
}

/// Those events of a list that can be counted together with those before them, each in the set of its component.
fn countable(library: &Library, list: &str, mut left_out: impl FnMut(&str, Failed)) -> Vec<Event> {
    let mut sets = [const { None }; NAMES.len()];
    let mut component_if_countable = |name: &str| {
        let code = event_code(library, name)?;
        let component = set::component(library, code)?;
        let set = sets[component].get_or_insert_with(|| Set::new(options_of(component)));
        set.add(library, code).map(|()| component)
    };
    let mut events = Vec::new();
    for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        let is_instant = item.ends_with("=instant");
        let name = item.strip_suffix("=instant").or(item.strip_suffix("=delta")).unwrap_or(item);
        match component_if_countable(name) {
            Ok(component) => events.push(Event { component, name: name.to_owned(), is_instant }),
            Err(failed) => left_out(name, failed),
        }
    }
    events.sort_by_key(|event| event.component);
    events
}

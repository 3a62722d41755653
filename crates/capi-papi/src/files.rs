//! The requests of the environment and the program before the library starts.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::components::NAMES;

/// The files of definitions that the environment names, and the components that the program has disabled.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Files {
    /// `PAPI_CSV_EVENT_FILE`, in the place of the presets that are built in.
    pub(crate) presets: Option<String>,
    /// `PAPI_USER_EVENTS_FILE`
    pub(crate) events: Option<String>,
    /// The components that the program does not want, by their numbers.
    pub(crate) disabled: [bool; NAMES.len()],
}

impl Files {
    pub(crate) fn of_process() -> Files {
        let variable = |name| std::env::var(name).ok().filter(|path| !path.is_empty());
        Files {
            presets: variable("PAPI_CSV_EVENT_FILE"),
            events: variable("PAPI_USER_EVENTS_FILE"),
            disabled: DISABLED.each_ref().map(|disabled| disabled.load(Ordering::Relaxed)),
        }
    }
}

static DISABLED: [AtomicBool; NAMES.len()] = [const { AtomicBool::new(false) }; NAMES.len()];

/// Disables the components that `PAPI_DISABLE_COMPONENTS` names, as in PAPI 7.3; other words are passed over.
pub(crate) fn disable_unwanted() {
    let names = std::env::var("PAPI_DISABLE_COMPONENTS").unwrap_or_default();
    for name in names.split([',', ':']) {
        if let Some(component) = NAMES.iter().position(|(own, ..)| *own == name) {
            DISABLED[component].store(true, Ordering::Relaxed);
        }
    }
}

/// Disables a component of the library that will be started.
pub(crate) fn disable(component: usize) {
    DISABLED[component].store(true, Ordering::Relaxed);
}

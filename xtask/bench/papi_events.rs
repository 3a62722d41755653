//! PAPI's file of events.

/// The file that its package installs.
const INSTALLED: &str = "/usr/share/papi/7.0/papi_events.csv";

/// The text of the file that `COUNTERPOINT_PAPI_EVENTS` names, or of the one that is installed; without any, says so.
///
/// # Panics
///
/// If the file that the variable names cannot be read.
pub(crate) fn text() -> Option<String> {
    let named = std::env::var_os("COUNTERPOINT_PAPI_EVENTS");
    let named = named.map(|path| std::fs::read_to_string(path).expect("the file of the variable"));
    let text = named.or_else(|| std::fs::read_to_string(INSTALLED).ok());
    if text.is_none() {
        println!("skipped: papi_events.csv: not installed (Debian: libpapi7.0)");
    }
    text
}

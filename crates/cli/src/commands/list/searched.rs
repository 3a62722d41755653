//! The words of an event that are searched.

use counterpoint::listing::Listed;

/// All that words are looked for in.
pub fn searched(event: &Listed) -> String {
    let texts =
        [event.name.as_str(), &event.group, event.description.as_deref().unwrap_or_default()];
    format!("{} {}", texts.join(" "), event.aliases.join(" "))
}

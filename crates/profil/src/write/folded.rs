//! Folded stacks, for flame graph tools.

use super::{Profile, functions};
use std::fmt::Write;

/// Folded stacks of one frame, with a line `function count` each, for flame graph tools.
///
/// Names are written unchanged, except that `;`, the separator of frames, becomes `:`, and control characters become blanks.
pub fn folded(profile: &Profile<'_>) -> String {
    let mut text = String::new();
    for function in functions(profile) {
        let _ = writeln!(text, "{} {}", frame(&function.function), function.count);
    }
    text
}

/// The name of a frame.
pub(super) fn frame(name: &str) -> String {
    name.replace(';', ":").replace(char::is_control, " ")
}

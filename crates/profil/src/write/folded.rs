use super::{Profile, functions};
use std::fmt::Write;

/// Folded stacks of one frame, `function count` a line: what flame graph tools read.
///
/// Names come as they are, except that `;`, which parts frames there, becomes `:`, and control characters become blanks.
pub fn folded(profile: &Profile<'_>) -> String {
    let mut text = String::new();
    for function in functions(profile) {
        let name = function.function.replace(';', ":").replace(char::is_control, " ");
        let _ = writeln!(text, "{name} {}", function.count);
    }
    text
}

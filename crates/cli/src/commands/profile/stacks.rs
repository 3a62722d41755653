//! Call stacks in texts and pictures.

use super::symbols::Symbols;
use crate::show;
use counterpoint::profil::write::{CallTree, Profile};
use counterpoint::profile::{CallStacks, Profiled};
use std::io::{self, Write};

/// The stacks of a profile by the names of their functions; `None` if none were asked for.
pub fn named(profiled: &Profiled, symbols: &Symbols<'_>) -> Option<CallTree> {
    let stacks = &profiled.stacks.as_ref()?.stacks;
    Some(CallTree::new(stacks, &|address| symbols.frames(address)))
}

/// A flame graph with a title.
pub fn flame_graph(tree: &CallTree, profile: &Profile<'_>) -> String {
    tree.flame_graph(&format!("{}: {} {}", profile.event, tree.total(), profile.unit()))
}

/// Writes the tree around a symbol, or a sentence if it is in no stack.
pub fn around(
    out: &mut dyn Write,
    what: &str,
    symbol: &str,
    tree: Option<CallTree>,
    unit: &str,
) -> io::Result<()> {
    let printed = show::printable(symbol);
    match tree {
        Some(tree) => write!(out, "\n {what} {printed}\n\n{}", tree.table(unit)),
        None => writeln!(out, "\n no stack contains a function {printed}"),
    }
}

/// Sentences about the stacks whose outer frames are missing.
pub fn remarks(stacks: &CallStacks, dwarf: bool) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut remark = |count: u64, why: String| {
        if count > 0 {
            let s = if count == 1 { " is" } else { "s are" };
            remarks.push(format!("{count} stack{s} cut off: {why}"));
        }
    };
    let (truncated, unmapped) = match dwarf {
        true => (
            "the copy of the stack ended (--call-graph dwarf,SIZE copies more), or there are too many frames",
            "a caller is in no file",
        ),
        false => (
            "there are more frames than the kernel follows (/proc/sys/kernel/perf_event_max_stack)",
            "a caller is in no file: the code has no frame pointers (use --call-graph dwarf), or was made at run time",
        ),
    };
    remark(stacks.truncated, truncated.to_string());
    remark(
        stacks.without_caller,
        "the code has no frame pointers (use --call-graph dwarf), or is the first of a thread"
            .to_string(),
    );
    remark(stacks.unmapped, unmapped.to_string());
    for (path, count) in &stacks.without_information {
        let lacks = match path.is_file() || !path.is_absolute() {
            true => "has no unwind information",
            false => "is not a file any more",
        };
        let path = path.to_string_lossy();
        remark(*count, format!("{} {lacks}", show::printable(&path)));
    }
    remark(stacks.failed, "the unwind information could not be applied".to_string());
    let (beyond, _) = stacks.stacks.beyond();
    if beyond > 0 {
        remarks.push(format!(
            "{beyond} samples are counted without their stacks, because there are more different frames than are kept"
        ));
    }
    remarks
}

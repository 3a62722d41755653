//! Call stacks in texts and pictures.

use super::asked;
use super::shown::Shown;
use crate::show;
use counterpoint::profil::write::{CallTree, Profile, TableSize};
use counterpoint::profile::Symbols;
use counterpoint::profile::{CallStacks, Profiled, is_anonymous};
use counterpoint::symbols::ShortNames;
use std::collections::HashMap;
use std::io::{self, Write};

/// The stacks of a profile by the names of their functions; `None` if no callers were asked for.
pub fn named(profiled: &Profiled, symbols: &Symbols<'_>) -> Option<CallTree> {
    let stacks = profiled.stacks.as_ref().filter(|stacks| stacks.has_callers())?;
    Some(CallTree::new(&stacks.stacks, &|address| symbols.frames(address)))
}

/// The same with the name of the thread as the outermost frame, or the node and the rank of several recordings; `None` if all samples are of one process.
pub fn by_thread(args: &Shown<'_>, profiled: &Profiled, symbols: &Symbols<'_>) -> Option<CallTree> {
    let stacks = profiled.stacks.as_ref().filter(|stacks| stacks.has_callers())?;
    let times = stacks.times.as_ref()?;
    let mut processes = times.threads.iter().map(|(pid, _)| pid);
    let first = processes.next()?;
    if processes.all(|pid| pid == first) {
        return None;
    }
    let known = profiled.threads.iter().flat_map(|of| &of.threads);
    let known: HashMap<(u32, u32), &str> =
        known.filter_map(|of| Some(((of.pid, of.tid), of.name.as_deref()?))).collect();
    let roots = |thread: &(u32, u32)| match args.ranks.map(|ranks| ranks.roots(thread.0)) {
        Some(roots) if !roots.is_empty() => roots,
        _ => vec![known.get(thread).copied().unwrap_or("[unknown]").to_string()],
    };
    let roots: Vec<Vec<String>> = times.threads.iter().map(roots).collect();
    let counts = times.counts.iter();
    let counts = counts.map(|of| (&*roots[of.thread as usize], of.frame as usize, of.count));
    Some(CallTree::of_groups(&stacks.stacks, counts, times.beyond, &|address| {
        symbols.frames(address)
    }))
}

/// A flame graph with a title.
pub fn flame_graph(tree: &CallTree, profile: &Profile<'_>) -> String {
    tree.flame_graph(&format!(
        "{}: {}{} {}",
        profile.event,
        profile.about(),
        tree.total(),
        profile.unit()
    ))
}

/// The direction in which the tree around a function is shown.
#[derive(Clone, Copy)]
pub enum Around {
    Callers,
    Callees,
}

impl Around {
    fn name(self) -> &'static str {
        match self {
            Around::Callers => "callers",
            Around::Callees => "callees",
        }
    }
}

/// Writes the tree around the functions that a text names, or a sentence if none is in a stack.
pub fn around(
    out: &mut dyn Write,
    around: Around,
    symbol: &str,
    (tree, names): (&CallTree, &ShortNames),
    size: &TableSize,
    unit: &str,
) -> io::Result<()> {
    let (what, printed) = (around.name(), show::printable(symbol));
    let wanted = match asked::functions(names, symbol) {
        Ok(wanted) => wanted,
        Err(instead) => {
            let instead = show::printable(&instead);
            return writeln!(out, "\n no stack contains a function {printed}: {instead}");
        }
    };
    let is_wanted = |function: &str| wanted.contains(function);
    let part = match around {
        Around::Callers => tree.callers(is_wanted),
        Around::Callees => tree.callees(is_wanted),
    };
    match part.map(|part| part.renamed(&|name| names.short(name).to_string())) {
        Some(part) => write!(out, "\n {what} of {printed}\n\n{}", part.table(size, unit)),
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
    let (truncated, unmapped) = if dwarf {
        (
            "the copy of the stack ended (--call-graph dwarf,SIZE copies more), or there are too many frames",
            "a caller is in no file",
        )
    } else {
        (
            "there are more frames than the kernel follows (/proc/sys/kernel/perf_event_max_stack)",
            "a caller is in no file: the code has no frame pointers (use --call-graph dwarf), or was made at run time",
        )
    };
    remark(stacks.truncated, truncated.to_string());
    remark(
        stacks.without_caller,
        "the code has no frame pointers (use --call-graph dwarf), or is the first of a thread"
            .to_string(),
    );
    remark(stacks.unmapped, unmapped.to_string());
    for (path, count) in &stacks.without_information {
        let name = path.to_string_lossy();
        let name = show::printable(&name);
        remark(
            *count,
            match is_anonymous(path) {
                true => format!("memory without a file ({name}) has no unwind information"),
                false if path.is_file() || !path.is_absolute() => {
                    format!("{name} has no unwind information")
                }
                false => format!("{name} is not a file any more"),
            },
        );
    }
    remark(stacks.without_registers, "the samples have no registers of the program".to_string());
    for ((path, why), count) in &stacks.failed {
        let name = path.to_string_lossy();
        let (name, why) = (show::printable(&name), show::printable(why));
        remark(*count, format!("{why}, in {name}"));
    }
    let (beyond, _) = stacks.stacks.beyond();
    if beyond > 0 {
        remarks.push(format!(
            "{beyond} samples are counted without their stacks, because there are more different frames than are kept"
        ));
    }
    remarks
}

//! The stacks of a profile as a flame graph.

use crate::page::{Flame, FlameFunction, Section};
use crate::show::grouped;
use counterpoint::profil::write::CallTree;
use counterpoint::symbols::ShortNames;
use std::collections::HashMap;

/// The most frames that a browser draws fast enough.
const MOST: usize = 50_000;

/// The flame graph, and a sentence if its narrowest frames are left out.
pub fn section(
    title: String,
    tree: &CallTree,
    names: &ShortNames,
    unit: &'static str,
) -> (Section, Option<String>) {
    let narrowest = narrowest(tree);
    let (mut modules, mut functions) = (Vec::new(), Vec::new());
    let (mut known_modules, mut known) = (HashMap::new(), HashMap::new());
    let mut frames = Vec::new();
    // Calls to add, with their depth and the samples to the left.
    let mut left: Vec<(usize, usize, u64)> = Vec::new();
    let push =
        |left: &mut Vec<(usize, usize, u64)>, calls: &[usize], depth: usize, mut start: u64| {
            let first = left.len();
            for call in calls {
                let width = tree.calls()[*call].whole();
                if width >= narrowest {
                    left.push((*call, depth, start));
                }
                start += width;
            }
            // The widest is taken first, so that its module has the first colour.
            left[first..].reverse();
        };
    push(&mut left, &tree.roots(), 0, 0);
    while let Some((index, depth, start)) = left.pop() {
        let call = &tree.calls()[index];
        let module = call.module.as_deref().unwrap_or("");
        let module = *known_modules.entry(module).or_insert_with(|| {
            modules.push(module.to_string());
            modules.len() - 1
        });
        let function = *known.entry((&call.function, module, call.inlined)).or_insert_with(|| {
            let name = names.short(&call.function).to_string();
            let full = (name != call.function).then(|| call.function.clone());
            functions.push(FlameFunction { name, full, module, inlined: call.inlined });
            functions.len() - 1
        });
        frames.push((function, depth, start, call.whole()));
        push(&mut left, &call.callees, depth + 1, start);
    }
    let hidden = tree.calls().len() - frames.len();
    let note = (hidden > 0).then(|| {
        let hidden = grouped(hidden as i128);
        format!("{hidden} frames with fewer than {narrowest} {unit} are not in the flame graph.")
    });
    let total = tree.total();
    (Section::Flame(Flame { title, unit, total, modules, functions, frames }), note)
}

/// The samples that a frame must have, so that there are not too many.
fn narrowest(tree: &CallTree) -> u64 {
    let mut widths: Vec<u64> = tree.calls().iter().map(|call| call.whole()).collect();
    match widths.len().checked_sub(MOST) {
        None | Some(0) => 0,
        Some(rest) => {
            let (_, widest, _) = widths.select_nth_unstable(rest - 1);
            *widest + 1
        }
    }
}

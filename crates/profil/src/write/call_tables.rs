//! Tables of text of call trees.

use super::CallTree;
use super::table::{Counts, TableSize, error, name};
use std::fmt::Write;

/// The share in percent below which [`CallTree::table`] leaves out a call.
const LEAST: f64 = 0.5;
/// The depth from which on calls are not indented any more.
const DEEPEST: usize = 500;

impl CallTree {
    /// A text table of the functions: shares of the function itself, and with the functions that it called, with their standard errors; `unit` is what the counts are, such as `samples`.
    ///
    /// If there are more functions than rows, those that only pass their samples on to one other are left out.
    pub fn table_of_functions(&self, size: &TableSize, unit: &str) -> String {
        let mut functions = self.functions();
        let all = functions.len();
        functions.retain(|of| of.whole_percent.0 >= size.percent);
        let found = functions.len();
        if found > size.rows {
            functions.retain(|of| !of.passes_on);
        }
        let passing = found - functions.len();
        let counts = Counts::new(self.total(), unit);
        let mut text =
            format!("\n   self   error  children   error  {}  function\n", counts.title());
        for of in functions.iter().take(size.rows) {
            let ((own, own_error), (whole, whole_error)) = (of.own_percent, of.whole_percent);
            let row = format!(
                "{own:>6.2}%  {}   {whole:>6.2}%  {}  {}  ",
                error(of.own, own_error),
                error(of.whole, whole_error),
                counts.text(of.whole)
            );
            let name = name(&of.function, of.inlined, of.module.as_deref(), size.left(&row));
            let _ = writeln!(text, "{row}{name}");
        }
        let shown = functions.len().min(size.rows);
        size.more(&mut text, shown, all, "function");
        if passing > 0 {
            let _ = writeln!(
                text,
                "        ({passing} of them have no samples of their own and call one other function)"
            );
        }
        text
    }

    /// A text table of the tree, of which each call is indented below the one above it; calls with less than 0.5 % of the total, or than the size has, are left out; `unit` is what the counts are, such as `samples`.
    pub fn table(&self, size: &TableSize, unit: &str) -> String {
        let least = if size.percent > 0.0 { size.percent } else { LEAST };
        let counts = Counts::new(self.total(), unit);
        let mut text = format!("   part   error  {}  function\n", counts.title());
        let mut left: Vec<(usize, usize)> =
            self.roots().into_iter().rev().map(|root| (root, 0)).collect();
        let mut hidden = 0;
        while let Some((index, depth)) = left.pop() {
            let call = &self.calls()[index];
            let (percent, of_percent) = call.part_of(self.sum());
            if percent < least {
                hidden += 1;
                continue;
            }
            let (error, count) = (error(call.whole(), of_percent), counts.text(call.whole()));
            let indent = " ".repeat(2 * depth.min(DEEPEST));
            let row = format!("{percent:>6.2}%  {error}  {count}  {indent}");
            let module = call.module.as_deref();
            let name = name(&call.function, call.inlined, module, size.left(&row));
            let _ = writeln!(text, "{row}{name}");
            left.extend(call.callees.iter().rev().map(|callee| (*callee, depth + 1)));
        }
        if hidden > 0 {
            let _ = writeln!(text, "        … and {hidden} with less than {least} %");
        }
        text
    }
}

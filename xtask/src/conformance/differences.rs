//! The list of known differences, `crates/pmu/DIFFERENCES.md`.

use crate::project::root;
use std::collections::BTreeSet;
use std::fs;

/// The texts between backquotes below a heading of the list of differences.
pub fn known_differences(heading: &str) -> Result<BTreeSet<String>, String> {
    let path = root().join("crates/pmu/DIFFERENCES.md");
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (_, section) = text.split_once(&format!("\n## {heading}\n")).unwrap_or_default();
    let section = section.split("\n## ").next().unwrap_or_default();
    Ok(section.split('`').skip(1).step_by(2).map(str::to_owned).collect())
}

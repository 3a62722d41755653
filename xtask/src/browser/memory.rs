//! The page of which data is accessed.

use super::headless::{Browser, outermost, succeeds};
use super::profile::program;
use std::path::Path;
use std::process::Command;

/// The objects are in the tables, and are the outermost frames of the graph.
pub fn page(browser: &Browser, folder: &Path) -> Result<(), String> {
    let page = folder.join("memory.html");
    let mut profile = Command::new(program());
    profile.args(["profile", "--memory", "-g", "--html"]).arg(&page);
    succeeds(profile.args(["--", "sh", "-c", "seq 50000 | sort -R | tail -1"]))?;
    let dom = browser.dom(&page)?;
    let headings = ["Objects", "Functions and the objects they access", "[heap]"];
    let headings = headings.map(|heading| format!(">{heading}<"));
    if let Some(heading) = headings.iter().find(|heading| !dom.contains(heading.as_str())) {
        return Err(format!("the page has no {heading}"));
    }
    browser.is_drawn(&page)?;
    // Two blanks, of which the readout has others, are behind the name of an object that has a file.
    let outermost = outermost(browser, &page)?;
    match outermost.iter().find(|name| !dom.contains(&format!(">{name}"))) {
        Some(name) => Err(format!("the outermost frame `{name}` is in no table")),
        None if outermost.contains("[heap]") => Ok(()),
        None => Err(format!("the heap is no outermost frame: {outermost:?}")),
    }
}

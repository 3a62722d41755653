//! The page of which data is accessed.

use super::headless::{Browser, answers, succeeds};
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
    answers(browser, &page, OUTERMOST, &["objects:true", "heap:true"]).map(|_| ())
}

/// Says whether the lowest frames are the objects of the table.
const OUTERMOST: &str = r#"
const flame = document.querySelector("svg.flame");
const readout = flame.parentElement.nextElementSibling;
const frames = [...flame.querySelectorAll("rect")];
const y = (frame) => Number(frame.getAttribute("y"));
const floor = Math.max(...frames.map(y));
const names = frames.filter((frame) => y(frame) === floor).map((frame) => {
  frame.dispatchEvent(new PointerEvent("pointerenter"));
  return readout.textContent;
});
const objects = [...document.querySelectorAll("table")][0].textContent;
const heap = names.some((name) => name.includes("[heap]"));
const answer = `objects:${names.length > 1 && objects.includes("[heap]")} heap:${heap}`;
"#;

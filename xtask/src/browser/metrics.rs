//! The page of metrics of functions.

use super::headless::{Browser, answers, succeeds};
use super::profile::program;
use std::path::Path;
use std::process::Command;

/// Reads a file again and again, and sorts it.
const WORK: &str = "for i in 1 2 3 4 5; do seq 50000 | sort -R | tail -1; done";
const METRICS: &str = "fixtures/definitions/metrics/first.metrics";

/// The metric is a column of the tables, is said of a frame, and gives frames their colours.
pub fn page(browser: &Browser, folder: &Path) -> Result<(), String> {
    let page = folder.join("function-metrics.html");
    let mut profile = Command::new(program());
    let metrics = crate::project::root().join(METRICS);
    profile.args(["profile", "-M", "fault_rate", "-g", "-F", "4000", "-f"]).arg(metrics);
    profile.arg("--html").arg(&page).args(["--", "sh", "-c", WORK]);
    succeeds(&mut profile)?;
    let dom = browser.dom(&page)?;
    let headings = ["Functions with what they called", "Lines", "fault_rate (faults per second)"];
    if let Some(heading) = headings.into_iter().find(|heading| !dom.contains(heading)) {
        return Err(format!("the page has no {heading}"));
    }
    browser.is_drawn(&page)?;
    answers(browser, &page, COLOURS, &["said:true", "painted:true", "back:true"]).map(|_| ())
}

/// Points at a frame, and chooses the metric for the colours.
const COLOURS: &str = r#"
const flame = document.querySelector("svg.flame");
const fills = () => [...flame.querySelectorAll("rect")].map((frame) => frame.getAttribute("style")).join();
flame.querySelector("rect").dispatchEvent(new PointerEvent("pointerenter"));
const said = flame.parentElement.nextElementSibling.textContent.includes("fault_rate (faults per second) ");
const colours = document.querySelector("select[aria-label='Colours of the flame graph']");
const choose = (value) => {
  colours.value = value;
  colours.dispatchEvent(new Event("change"));
  return fills();
};
const before = fills();
const painted = choose("0") !== before;
const answer = `said:${said} painted:${painted} back:${choose("") === before}`;
"#;

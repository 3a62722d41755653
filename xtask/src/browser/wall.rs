//! The page of where wall time goes.

use super::headless::{Browser, outermost, succeeds};
use super::profile::program;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A pipeline whose parts wait for each other.
const WORK: &str = "seq 300000 | sort -R | wc -l; sleep 0.1";

/// The states and threads are in its tables, and the outermost frames of the graph are the states.
pub fn page(browser: &Browser, folder: &Path) -> Result<(), String> {
    let (page, file) = (folder.join("wall.html"), folder.join("wall.perf"));
    let record = ["profile", "--wall", "--format", "perf", "-o"];
    let work = ["--", "sh", "-c", WORK];
    succeeds(Command::new(program()).args(record).arg(&file).args(work))?;
    let mut report = Command::new(program());
    report.args(["report", "--wall", "--format", "json", "--html"]).arg(&page).arg(&file);
    let output = report.output().map_err(|error| error.to_string())?;
    let result: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let dom = browser.dom(&page)?;
    let threads = result["threads"].as_array().into_iter().flatten();
    let names = threads
        .filter_map(|of| Some(format!("{} {}/{}", of["comm"].as_str()?, of["pid"], of["tid"])));
    let headings = ["States", "States of each thread", "Functions"];
    let headings = headings.into_iter().map(|heading| format!(">{heading}<"));
    let states = ["running", "waiting: sleep"].map(|state| format!(">{state}<"));
    if let Some(text) =
        headings.chain(names).chain(states).find(|text| !dom.contains(text.as_str()))
    {
        return Err(format!("the page has no {text}"));
    }
    browser.is_drawn(&page)?;
    let outermost = outermost(browser, &page)?;
    let known = ["running", "waiting", "run queue", "preempted", "not known"];
    let is_state = |name: &&String| known.iter().any(|known| name.starts_with(known));
    match outermost.iter().find(|name| !is_state(name)) {
        Some(name) => Err(format!("the outermost frame `{name}` is not a state")),
        None => Ok(()),
    }
}

//! The page of a profile.

use super::headless::{Browser, answers, succeeds};
use crate::project::root;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The text that is searched for in the flame graph: it is in some stacks of the profiled program, and not in all.
const SEARCHED: &str = "counterpoint_";

/// A profile with stacks: of this program, which a shell runs several times.
pub fn page(browser: &Browser, folder: &Path) -> Result<(), String> {
    let (page, json) = (folder.join("profile.html"), folder.join("profile.json"));
    let mut results = Command::new(program());
    profiled(results.arg("profile").args(JSON).arg(&json).arg("--html").arg(&page))?;
    is_right(browser, &page, &json)
}

/// The same of a recording.
pub fn report(browser: &Browser, folder: &Path) -> Result<(), String> {
    let (page, json) = (folder.join("report.html"), folder.join("report.json"));
    let file = folder.join("report.perf");
    profiled(Command::new(program()).args(["profile", "--format", "perf", "-o"]).arg(&file))?;
    let mut report = Command::new(program());
    succeeds(report.arg("report").arg(file).args(JSON).arg(&json).arg("--html").arg(&page))?;
    is_right(browser, &page, &json)
}

const JSON: [&str; 3] = ["--format", "json", "-o"];

pub fn program() -> PathBuf {
    root().join("target/debug/counterpoint")
}

/// Adds what is profiled, and runs it.
fn profiled(profile: &mut Command) -> Result<(), String> {
    let work = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do \"$0\" list > /dev/null; done";
    let options = ["-e", "task-clock:u", "-F", "2000", "--call-graph", "dwarf"];
    succeeds(profile.args(options).args(["--", "sh", "-c", work]).arg(program()))
}

/// Checks that a page shows what is in a profile, and does what its buttons say.
fn is_right(browser: &Browser, page: &Path, json: &Path) -> Result<(), String> {
    let text = fs::read_to_string(json).map_err(|error| error.to_string())?;
    let profile: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let dom = browser.dom(page)?;
    has_texts(&profile, &dom)?;
    add_up(&rectangles(&dom)?)?;
    browser.is_drawn(page)?;
    let words = [
        "zoomed:true",
        "back:true",
        "told:true",
        "marked:true",
        "narrowed:true",
        "turned:true",
        "sides:true",
        "threads:true",
        "keys:true",
        "added:true",
    ];
    let script = POINTER.replace("SEARCHED", SEARCHED);
    let answer = answers(browser, page, &script, &words)?;
    let found = answer.split("found:").nth(1).and_then(|rest| rest.split(' ').next());
    let found: f64 = found.and_then(|share| share.parse().ok()).ok_or("the search says nothing")?;
    let expected = share(&profile);
    if (found - expected).abs() < 0.006 && expected > 0.0 {
        Ok(())
    } else {
        Err(format!("the search finds {found} % of the samples, and not {expected} %"))
    }
}

/// The hottest functions by their full names, the threads and the headings of all parts.
fn has_texts(profile: &Value, dom: &str) -> Result<(), String> {
    let headings = ["<h2>Profile [samples]</h2>", "<h3>Functions</h3>"].map(str::to_string);
    let functions = profile["functions"].as_array().into_iter().flatten().take(20);
    let names = functions.filter_map(|of| {
        let name = of["function"].as_str()?.replace('&', "&amp;").replace('"', "&quot;");
        Some(format!("title=\"{}", name.replace('<', "&lt;").replace('>', "&gt;")))
    });
    let lane = ">counterpoint ".to_string();
    // Browsers write these two as they are in attributes, or not; a function beyond the rows of the table is in the data.
    let is_there = |text: &String| {
        let written = text.replace("&lt;", "<").replace("&gt;", ">");
        let data = written.trim_start_matches("title=\"").replace('<', "\\u003c");
        [text.as_str(), &written, &data].iter().any(|text| dom.contains(*text))
    };
    match headings.into_iter().chain(names).chain([lane]).find(|text| !is_there(text)) {
        Some(text) => Err(format!("the page has no {text}")),
        None => Ok(()),
    }
}

/// A frame as it is drawn.
struct Rectangle {
    x: f64,
    y: f64,
    width: f64,
}

fn rectangles(dom: &str) -> Result<Vec<Rectangle>, String> {
    let (_, flame) = dom.split_once("class=\"flame\"").ok_or("there is no flame graph")?;
    let flame = flame.split("</svg>").next().unwrap_or_default();
    let rectangle = |text: &str| {
        let number = |name: &str| {
            let (_, rest) = text.split_once(&format!(" {name}=\""))?;
            rest.split('"').next()?.parse().ok()
        };
        Some(Rectangle { x: number("x")?, y: number("y")?, width: number("width")? })
    };
    let all: Option<Vec<_>> =
        flame.split("<rect").skip(1).map(|text| rectangle(&format!(" {text}"))).collect();
    all.ok_or_else(|| "a frame has no place".to_string())
}

/// The frames above one are together not wider than it, and each frame is above one.
fn add_up(frames: &[Rectangle]) -> Result<(), String> {
    /// The gap between two frames, in pixels.
    const GAP: f64 = 0.51;
    let floor = frames.iter().map(|frame| frame.y).fold(0.0, f64::max);
    let rows = frames.iter().map(|frame| frame.y).fold(floor, f64::min);
    if frames.len() < 20 || floor - rows < 4.0 * 18.0 {
        return Err(format!("only {} frames are drawn", frames.len()));
    }
    let mut above = vec![0.0; frames.len()];
    for frame in frames.iter().filter(|frame| frame.y < floor) {
        let is_caller = |of: &Rectangle| {
            (of.y - frame.y - 18.0).abs() < 0.5
                && of.x <= frame.x + 0.01
                && frame.x + frame.width <= of.x + of.width + GAP
        };
        let caller = frames.iter().position(is_caller).ok_or("a frame is above none")?;
        above[caller] += frame.width;
    }
    match frames.iter().zip(above).find(|(frame, above)| *above > frame.width + GAP) {
        Some((frame, above)) => {
            Err(format!("the frames above one of {} are {above} wide together", frame.width))
        }
        None => Ok(()),
    }
}

/// The share of the samples, in percent, that have what is searched for in their stack.
fn share(profile: &Value) -> f64 {
    let has_word = |frame: &Value| {
        let (function, module) = (frame["function"].as_str(), frame["module"].as_str());
        let name = format!("{}  {}", function.unwrap_or(""), module.unwrap_or(""));
        name.to_lowercase().contains(SEARCHED)
    };
    let matches: Vec<bool> =
        profile["frames"].as_array().into_iter().flatten().map(has_word).collect();
    let (mut found, mut all) = (0.0, 0.0);
    for stack in profile["stacks"].as_array().into_iter().flatten() {
        let count = stack["count"].as_f64().unwrap_or(0.0);
        let mut frames = stack["frames"].as_array().into_iter().flatten();
        all += count;
        if frames.any(|frame| frame.as_u64().is_some_and(|frame| matches[frame as usize])) {
            found += count;
        }
    }
    100.0 * found / all
}

/// Points to a frame, clicks it, goes back, and searches; then turns the graph around, goes by the keys, and picks a function, a thread and a part of the time.
const POINTER: &str = r#"
const flame = document.querySelector("svg.flame");
const frames = () => [...flame.querySelectorAll("rect")];
const number = (frame, name) => Number(frame.getAttribute(name));
const drawn = () => frames().map((frame) => `${number(frame, "x")},${number(frame, "width")}`).join();
const search = document.querySelector(".tools input");
const all = document.querySelector(".tools button");
const [view, owner] = document.querySelectorAll(".tools select");
const choose = (select, value) => {
  select.value = value;
  select.dispatchEvent(new Event("change"));
};
const before = drawn();
const whole = flame.clientWidth;
const part = frames().find((frame) => number(frame, "width") < 0.6 * whole && number(frame, "width") > 0.02 * whole);
part.dispatchEvent(new PointerEvent("pointerenter"));
const readout = flame.parentElement.nextElementSibling;
const told = /^[0-9.]+ %  [0-9,]+ samples  ./.test(readout.textContent);
part.dispatchEvent(new MouseEvent("click"));
const row = frames().filter((frame) => number(frame, "y") === number(part, "y"));
const zoomed = row.length === 1 && number(row[0], "width") > whole - 1;
const sides = document.querySelectorAll(".sides table").length === 2 && document.querySelectorAll(".sides tbody tr").length > 1;
all.click();
const back = drawn() === before && all.disabled;
search.value = "SEARCHED";
search.dispatchEvent(new Event("input"));
const found = document.querySelector("span.found").textContent;
const marked = flame.querySelectorAll("rect.found").length > 0;
search.value = "";
search.dispatchEvent(new Event("input"));
let turned = true;
for (const { value } of view.options) {
  choose(view, value);
  const floor = Math.max(...frames().map((frame) => number(frame, "y")));
  const widths = frames().filter((frame) => number(frame, "y") === floor).map((frame) => number(frame, "width") + 0.5);
  // Frames that are narrower than half a pixel are not drawn: where the innermost lines are at the floor, about half of all.
  const sum = widths.reduce((sum, width) => sum + width, 0);
  turned &&= sum < 1.02 * whole + widths.length && sum > 0.25 * whole;
}
choose(view, "0");
const key = (name) => flame.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
["ArrowUp", "ArrowUp", "Enter"].forEach(key);
const isKeyed = flame.querySelectorAll("rect.focus").length === 1;
key("Escape");
const keys = isKeyed && drawn() === before;
const chosen = () => Number(document.querySelector(".chosen").textContent.split(" ")[0].replaceAll(",", ""));
const everything = chosen();
const single = [...owner.options].map(({ value }) => value).filter((value) => value !== "" && !value.includes(","));
let sum = 0;
for (const value of single) {
  choose(owner, value);
  sum += chosen();
}
const threads = single.length > 1 && sum === everything;
choose(owner, "");
const lanes = document.querySelector("svg");
const ticks = () => [...lanes.querySelectorAll("text")].map((text) => text.textContent).join();
const wide = ticks();
const pointer = (kind, x) => lanes.dispatchEvent(new PointerEvent(kind, { clientX: lanes.getBoundingClientRect().left + x }));
pointer("pointerdown", 300);
pointer("pointermove", 500);
pointer("pointerup", 500);
const narrowed = ticks() !== wide && chosen() > 0 && chosen() < everything;
const samples = [...document.querySelectorAll("table.functions")[0].querySelectorAll("tbody tr")].map((row) => Number(row.children[2].textContent.replaceAll(",", "")));
const added = samples.reduce((sum, value) => sum + value, 0) <= chosen();
const answer = `zoomed:${zoomed} back:${back} told:${told} marked:${marked} narrowed:${narrowed} turned:${turned} sides:${sides} threads:${threads} keys:${keys} added:${added} found:${found}`;
"#;

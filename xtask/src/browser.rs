//! `cargo xtask browser`: opens the pages that the program writes in a real browser.

mod headless;
mod memory;
mod metrics;
mod profile;
mod wall;

use crate::project::root;
use headless::{Browser, answers, succeeds};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

pub fn run() -> Result<(), String> {
    let browser = Browser::find()?;
    let build = ["build", "--quiet", "-p", "counterpoint-cli"];
    succeeds(Command::new("cargo").args(build).current_dir(root()))?;
    let folder = root().join("target/browser");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    for (name, check) in PAGES {
        check(&browser, &folder)?;
        println!("{name}: drawn without an error, and its numbers are those of the JSON");
    }
    Ok(())
}

type Check = fn(&Browser, &Path) -> Result<(), String>;

const PAGES: &[(&str, Check)] = &[
    ("stat -I --html", series),
    ("stat --html", whole),
    ("stat --sweep --html", swept),
    ("merge --html", ranks),
    ("profile --wall --html", wall::page),
    ("profile -M --html", metrics::page),
    ("profile --memory --html", memory::page),
    ("profile --html", profile::page),
    ("report --html", profile::report),
];

/// The charts of intervals, for each CPU if this user may count them.
fn series(browser: &Browser, folder: &Path) -> Result<(), String> {
    let page = folder.join("series.html");
    let work = "for i in 1 2 3; do dd if=/dev/zero of=/dev/null bs=4M count=20 status=none; sleep 0.1; done";
    let options = ["-I", "50", "-e", "task-clock,page-faults,PAPI_TOT_INS"];
    let rows = stat(&page, &[&options[..], &["--", "sh", "-c", work]].concat())?;
    let dom = browser.dom(&page)?;
    same_numbers(&rows, &dom, 3)?;
    let charts = dom.matches("<path ").count();
    let events = 2;
    if charts != events {
        return Err(format!("{charts} lines are drawn, and not those of {events} events"));
    }
    browser.is_drawn(&page)?;
    // A legend of one line is not shown; the header of a table sorts, and dragging zooms.
    answers(browser, &page, POINTER, &["zoomed:true", "back:true", "sorted:true"]).map(|_| ())
}

fn whole(browser: &Browser, folder: &Path) -> Result<(), String> {
    let page = folder.join("whole.html");
    let rows =
        stat(&page, &["-r", "3", "-e", "task-clock,page-faults,PAPI_TOT_INS", "--", "true"])?;
    same_numbers(&rows, &browser.dom(&page)?, 3)?;
    browser.is_drawn(&page)
}

/// A chart of each event over a parameter, whose points say their values and whose curves can be hidden.
fn swept(browser: &Browser, folder: &Path) -> Result<(), String> {
    let page = folder.join("swept.html");
    let options = ["-r", "3", "-e", "page-faults", "--sweep", "n=1,2,4", "--sweep", "m=a,b"];
    let lines = stat(&page, &[&options[..], &["--", "echo", "{n}", "{m}"]].concat())?;
    let dom = browser.dom(&page)?;
    let (points, events) = (dom.matches("<circle ").count(), 2);
    if points != events * 6 || lines.len() != events * 5 {
        return Err(format!("{points} points are drawn of {} lines", lines.len()));
    }
    browser.is_drawn(&page)?;
    answers(browser, &page, CURVES, &["said:true", "hidden:true", "back:true"]).map(|_| ())
}

/// Points at a value, and hides a curve.
const CURVES: &str = r#"
const chart = document.querySelector("svg");
const points = () => chart.querySelectorAll("circle").length;
chart.querySelector("circle").dispatchEvent(new PointerEvent("pointerenter"));
const said = document.querySelector(".readout").textContent.startsWith("m=a n=1: ");
const button = document.querySelector(".legend button");
button.click();
const hidden = points() === 3;
button.click();
const answer = `said:${said} hidden:${hidden} back:${points() === 6}`;
"#;

/// The ranks of a job, of which one is slow, with the regions of two threads.
fn ranks(browser: &Browser, folder: &Path) -> Result<(), String> {
    const RANKS: u64 = 3;
    const THREADS: u64 = 2;
    let mut command = Command::new(root().join("target/debug/counterpoint"));
    let page = folder.join("ranks.html");
    command.args(["merge", "--json", "--html"]).arg(&page);
    for rank in 0..RANKS {
        let time = if rank == 1 { 50_000_000 } else { 20_000_000 + rank };
        let process = format!("\"schema\":1,\"rank\":{rank},\"host\":\"n\",\"pid\":{rank}");
        let mut text = format!(
            "{{{process},\"region\":\"solve\",\"calls\":2,\"event\":\"task-clock\",\"value\":{time},\"status\":\"counted\",\"unit\":\"ns\",\"raw\":{time}}}\n"
        );
        for thread in 0..THREADS {
            let end = time as f64 / 1e9;
            text += &format!(
                "{{{process},\"thread\":{thread},\"timeline\":{{\"began_s\":{rank}.5,\"regions\":[\"solve\",\"io\"],\"visits\":[[1,0.001,0.002],[0,0.0,{end}]],\"left_out\":0}}}}\n"
            );
        }
        let file = folder.join(format!("rank-{rank}.jsonl"));
        fs::write(&file, text).map_err(|error| error.to_string())?;
        command.arg(file);
    }
    let output = command.output().map_err(|error| error.to_string())?;
    let json = String::from_utf8_lossy(&output.stdout);
    let row: Value = serde_json::from_str(json.lines().next().unwrap_or_default())
        .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let dom = browser.dom(&page)?;
    let rows: Vec<Value> = row["per_rank"].as_array().cloned().unwrap_or_default();
    same_numbers(&rows, &dom, 2)?;
    let (_, drawn) = dom.split_once("<h2>Regions of each thread</h2>").ok_or("no timeline")?;
    let (timeline, bars) = drawn.split_once("<h2>").ok_or("no bars")?;
    let count = |text: &str, what: &str| text.matches(what).count() as u64;
    // One rectangle of a timeline is the part that the pointer picks.
    let (spans, drawn_bars) = (count(timeline, "<rect ") - 1, count(bars, "<rect "));
    if (spans, drawn_bars) != (RANKS * THREADS * 2, RANKS) {
        return Err(format!("{spans} visits and {drawn_bars} bars are drawn"));
    }
    if !dom.contains("rank 1 on n takes 67 % longer than the mean in solve (task-clock)") {
        return Err("the slow rank is not named".to_string());
    }
    browser.is_drawn(&page)
}

/// Runs `stat` with a page and JSON, and returns the rows of the JSON.
fn stat(page: &Path, args: &[&str]) -> Result<Vec<Value>, String> {
    let json = page.with_extension("json");
    let page = page.display().to_string();
    let file = json.display().to_string();
    let options = ["stat", "--json", "-o", &file, "--html", &page];
    let mut command = Command::new(root().join("target/debug/counterpoint"));
    succeeds(command.args(options).args(args))?;
    let text = fs::read_to_string(json).map_err(|error| error.to_string())?;
    let lines = text.lines().filter(|line| !line.contains("\"summary\""));
    lines.map(|line| serde_json::from_str(line).map_err(|error| error.to_string())).collect()
}

/// Checks that the table of all values has the number of every row in this column, in the same order.
fn same_numbers(rows: &[Value], dom: &str, column: usize) -> Result<(), String> {
    let (_, table) = dom.rsplit_once("<h2>Values</h2>").ok_or("the page has no table of values")?;
    let drawn: Vec<&str> = table.split("<tr>").skip(2).collect();
    if drawn.len() != rows.len() {
        return Err(format!("{} rows are drawn of {}", drawn.len(), rows.len()));
    }
    for (row, drawn) in rows.iter().zip(drawn) {
        let cells: Vec<&str> = drawn.split("<td").skip(1).collect();
        let value = cells.get(column).ok_or("a row has no value")?;
        let number = value.split("data-value=\"").nth(1).and_then(|rest| rest.split('"').next());
        let drawn: Option<f64> = number.and_then(|number| number.parse().ok());
        if drawn != row["value"].as_f64() {
            return Err(format!("{drawn:?} is drawn for {row}"));
        }
    }
    Ok(())
}

/// Uses the pointer as a person does, and says what happened.
const POINTER: &str = r#"
const first = document.querySelector("svg");
const ticks = () => [...first.querySelectorAll("text")].map((text) => text.textContent).join();
const pointer = (kind, x) => first.dispatchEvent(new PointerEvent(kind, { clientX: first.getBoundingClientRect().left + x }));
const before = ticks();
pointer("pointerdown", 200);
pointer("pointermove", 400);
pointer("pointerup", 400);
const zoomed = ticks() !== before;
first.dispatchEvent(new MouseEvent("dblclick"));
const back = ticks() === before;
const body = document.querySelector("tbody");
const events = () => [...body.children].map((row) => row.children[0].textContent);
const head = document.querySelector("th");
head.click();
const down = events();
head.click();
const up = events();
const sorted = down.join() === [...up].reverse().join() && up.join() === [...up].sort((a, b) => a.localeCompare(b)).join();
const answer = `zoomed:${zoomed} back:${back} sorted:${sorted}`;
"#;

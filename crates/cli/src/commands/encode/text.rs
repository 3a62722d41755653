//! An answer, written for people.

use crate::show::{marks, printable};
use serde_json::Value;
use std::io::{self, Write};

pub fn write(out: &mut impl Write, answer: &Value) -> io::Result<()> {
    if answer["ok"] == false {
        return write_refusal(out, answer);
    }
    match answer["events"].as_array() {
        Some(events) => events.iter().try_for_each(|event| write_event(out, event)),
        None => write_event(out, answer),
    }
}

fn write_event(out: &mut impl Write, event: &Value) -> io::Result<()> {
    writeln!(out, "{}", text(&event["canonical"]))?;
    if event["fully_qualified"] != event["canonical"] {
        writeln!(out, "  in full   {}", text(&event["fully_qualified"]))?;
    }
    let codes: Vec<&str> = event["codes"].as_array().into_iter().flatten().map(text).collect();
    writeln!(out, "  codes     {}", codes.join(" "))?;
    if let Some(counters) = event["counters"].as_str() {
        writeln!(out, "  counters  mask {counters}")?;
    }
    if let Some(cpus) = event["cpus"].as_str() {
        writeln!(out, "  CPUs      {cpus}")?;
    }
    if event["perf"].is_object() {
        writeln!(out, "  perf      {}", perf(&event["perf"]))?;
    }
    Ok(())
}

/// Type and codes, and of the rest what is set.
fn perf(perf: &Value) -> String {
    let mut words = format!("type {} config {}", perf["type"], text(&perf["config"]));
    for key in ["config1", "config2"] {
        if perf[key] != "0x0" {
            words.push_str(&format!(" {key} {}", text(&perf[key])));
        }
    }
    let flags = ["exclude_user", "exclude_kernel", "exclude_hv", "exclude_host", "exclude_guest"];
    for key in flags.iter().chain(&["freq", "exclusive", "pinned"]) {
        if perf[key] == true {
            words.push_str(&format!(" {key}"));
        }
    }
    for key in ["period", "precise_ip"] {
        if perf[key] != 0 {
            words.push_str(&format!(" {key} {}", perf[key]));
        }
    }
    if perf["cpu"] != -1 {
        words.push_str(&format!(" cpu {}", perf["cpu"]));
    }
    words
}

/// The string with a mark under what is wrong, and what to type instead.
fn write_refusal(out: &mut impl Write, answer: &Value) -> io::Result<()> {
    let (input, error) = (text(&answer["input"]), &answer["error"]);
    let place = |index: usize| error["span"][index].as_u64().unwrap_or(0) as usize;
    writeln!(out, "{}", printable(input))?;
    writeln!(out, "{}", marks(input, place(0)..place(1)))?;
    let message = printable(text(&error["message"]));
    writeln!(out, "  {}: {message}", text(&error["kind"]))?;
    match error["help"].as_str() {
        Some(help) => writeln!(out, "  help: {}", printable(help)),
        None => Ok(()),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

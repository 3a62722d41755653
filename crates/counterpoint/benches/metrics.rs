//! Reading the metrics of a processor and of a tree of processors, and finding out what their events are; beside Python, which
//! compiles the same expressions.
//!
//! `COUNTERPOINT_METRICS` can name a vendor's own file, which is then measured too.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::pmu::{Pmu, find};
use counterpoint::{EventSet, Machine, Target, read_definitions};
use row::{Limit, least, row};
use std::hint::black_box;
use std::process::{Command, ExitCode};

#[path = "../../../xtask/bench/row.rs"]
mod row;

/// The number of metrics that vendors publish for a server processor.
const METRICS: usize = 323;
/// The number of files with metrics in the kernel's tree.
const FILES: usize = 77;

fn main() -> ExitCode {
    let spr = find("spr").unwrap();
    let events: Vec<String> = spr
        .events()
        .flat_map(|event| {
            let masks = event
                .attributes(counterpoint::pmu::Layer::Raw, &counterpoint::pmu::Machine::default());
            let masks: Vec<_> = masks
                .into_iter()
                .filter(|mask| mask.kind == counterpoint::pmu::AttributeKind::Umask)
                .map(|mask| format!("{}.{}", event.name, mask.name))
                .collect();
            masks
        })
        .filter(|event| event.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.'))
        .take(290)
        .collect();
    let expressions: Vec<String> = (0..METRICS).map(|nth| expression(nth, &events)).collect();
    let file = file(&expressions);
    let read = least(50, || read_definitions("spr-metrics.json", black_box(&file)));
    let resolve = least(50, || {
        let library = read_definitions("spr-metrics.json", black_box(&file));
        let set = EventSet::with_machine(Machine::of_pmu(spr), Target::AllCpus);
        let set = set.define(library).metric("All");
        let resolved = set.resolve().unwrap();
        (set, resolved)
    });
    if let Some(path) = std::env::var_os("COUNTERPOINT_METRICS") {
        published(&path, spr);
    }
    let tree = least(5, || {
        (0..FILES).map(|_| read_definitions("metrics.json", black_box(&file))).collect::<Vec<_>>()
    });
    let python = python(&expressions);
    let peer = python.map(|ms| ("Python's compile", ms));
    let kilobytes = file.len() / 1000;
    let within = [
        row(&format!("read {METRICS} metrics, {kilobytes} KB"), "ms", read, peer, Limit::None),
        row(&format!("read and resolve {METRICS} metrics"), "ms", resolve, None, Limit::Most(5.0)),
        row(&format!("read {FILES} files of metrics"), "ms", tree, None, Limit::Most(250.0)),
    ];
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The same for a file that a vendor publishes, such as `spr-metrics.json`.
fn published(path: &std::ffi::OsStr, spr: &'static Pmu) {
    let text = std::fs::read_to_string(path).expect("the file that the variable names");
    let metrics = read_definitions(path, &text).len();
    let ms = least(50, || {
        let library = read_definitions(path, black_box(&text));
        let set = EventSet::with_machine(Machine::of_pmu(spr), Target::AllCpus).define(library);
        let names: Vec<String> =
            set.metrics().iter().map(|metric| metric.definition.name().to_string()).collect();
        let resolved = set.resolve_both(&[], &names).unwrap();
        (set, resolved)
    });
    row(&format!("read and resolve {metrics} published metrics"), "ms", ms, None, Limit::None);
}

/// An expression in one of the forms that vendors use.
fn expression(nth: usize, events: &[String]) -> String {
    let event = |other: usize| &events[(nth * 7 + other * 31) % events.len()];
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(event);
    match nth % 6 {
        0 => format!("{a} / {b}"),
        1 => format!("1e3 * {a} / ({b} + {c})"),
        2 => format!("({a} / ({b} + {c} + {d} + {a}) - {e} / {b}) if #SMT_on else {a} / {b}"),
        3 => format!("max(0, 1 - (m{} + {a} / {b}))", nth - 1),
        4 => format!("({a} * min({b}, 9) + {c} * 24 + {d} * 100) * (1 + {e} / {c} / 2) / {b}"),
        _ => format!(
            "100 * ({a} + {b} + 2 * {c} + 4 * {d}) / (cpu@{e}\\\\,cmask\\\\=1@) * duration_time"
        ),
    }
}

fn file(expressions: &[String]) -> String {
    let metric = |(nth, expression): (usize, &String)| {
        format!(
            r#"{{"BriefDescription": "Metric {nth} of a processor, in words that nobody reads here, but that a file has", "MetricExpr": "{expression}", "MetricGroup": "All;Group{}", "MetricName": "m{nth}", "MetricThreshold": "m{nth} > 0.2 & m{} > 0.1", "ScaleUnit": "100%"}}"#,
            nth % 20,
            nth / 2
        )
    };
    let metrics: Vec<String> = expressions.iter().enumerate().map(metric).collect();
    format!("[\n{}\n]\n", metrics.join(",\n"))
}

/// Milliseconds in which Python compiles the expressions, with names that it can read.
fn python(expressions: &[String]) -> Option<f64> {
    let plain = |text: &String| {
        let name =
            |c: char| if c.is_ascii_alphanumeric() || " ()+-*/".contains(c) { c } else { '_' };
        text.replace("1e3", "1000.0").chars().map(name).collect::<String>()
    };
    let list: Vec<String> =
        expressions.iter().map(|e| format!("{:?}", plain(e).replace("_ ", ", "))).collect();
    let script = format!(
        "import time\ne = [{}]\nb = 1e9\nfor _ in range(20):\n    s = time.perf_counter()\n    for t in e: compile(t, 'm', 'eval')\n    b = min(b, time.perf_counter() - s)\nprint(b * 1e3)\n",
        list.join(",")
    );
    let output = Command::new("python3").arg("-c").arg(script).output();
    let ms =
        output.ok().and_then(|output| String::from_utf8(output.stdout).ok()?.trim().parse().ok());
    if ms.is_none() {
        println!("skipped: Python's compile: python3 is not installed, or failed");
    }
    ms
}

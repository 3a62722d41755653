//! Reading the metrics of a processor and of a tree of processors, and finding out what their events are; beside Python, which
//! compiles the same expressions.
//!
//! `COUNTERPOINT_METRICS` can name a vendor's own file, which is then measured too.

#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint::pmu::{Pmu, find};
use counterpoint::{EventSet, Machine, Target, read_definitions};
use row::{Limit, alone, compared};
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitCode, Stdio};
use turns::{in_turn, once, pairs, scaled};

#[path = "../../../xtask/bench/row.rs"]
mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 20;
/// Relative to Python's compilation of one file's expressions.
const READ: Limit = Limit::Times(0.8);
const RESOLVE: Limit = Limit::Times(1.8);
/// Of a set whose processor's metrics were read before.
const NEW_SET: Limit = Limit::Times(0.8);
/// The limit for each file of a tree, relative to the same.
const OF_EACH: f64 = 0.8;
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
    if let Some(path) = std::env::var_os("COUNTERPOINT_METRICS") {
        published(&path, spr);
    }
    let mut python = Python::new(&expressions);
    let rounds = in_turn(
        ROUNDS,
        [
            &mut || once(|| read_definitions("spr-metrics.json", black_box(&file))),
            &mut || {
                once(|| {
                    let library = read_definitions("spr-metrics.json", black_box(&file));
                    let set = EventSet::with_machine(Machine::of_pmu(spr), Target::AllCpus);
                    let set = set.define(library).metric("All");
                    let resolved = set.resolve().unwrap();
                    (set, resolved)
                })
            },
            &mut || {
                once(|| {
                    let read = |_| read_definitions("metrics.json", black_box(&file));
                    (0..FILES).map(read).collect::<Vec<_>>()
                })
            },
            &mut || {
                once(|| {
                    let machine = Machine::of_pmu(black_box(spr));
                    let set = EventSet::with_machine(machine, Target::AllCpus);
                    let found = set.metrics().find("tma_l3_bound").len();
                    assert_eq!(found, 1);
                    set
                })
            },
            &mut || python.as_mut().map_or(f64::NAN, Python::compile),
        ],
    );
    let kilobytes = file.len() / 1000;
    let row = |name: &str, nth: usize, limit: Limit| match python {
        Some(_) => {
            let rounds = scaled(&pairs(&rounds, nth, 4), 1e-6);
            compared(name, "ms", "Python's compile", &rounds, limit)
        }
        None => {
            let rounds: Vec<f64> = rounds.iter().map(|round| round[nth] / 1e6).collect();
            alone(name, "ms", &rounds, Limit::None)
        }
    };
    let within = [
        row(&format!("read {METRICS} metrics, {kilobytes} KB"), 0, READ),
        row(&format!("read and resolve {METRICS} metrics"), 1, RESOLVE),
        row(&format!("read {FILES} files of metrics"), 2, Limit::Times(FILES as f64 * OF_EACH)),
        row("a metric that is built in, in a new set", 3, NEW_SET),
    ];
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The same for a file that a vendor publishes, such as `spr-metrics.json`.
fn published(path: &std::ffi::OsStr, spr: &'static Pmu) {
    let text = std::fs::read_to_string(path).expect("the file that the variable names");
    let metrics = read_definitions(path, &text).len();
    let resolve = || {
        let library = read_definitions(path, black_box(&text));
        let set = EventSet::with_machine(Machine::of_pmu(spr), Target::AllCpus).define(library);
        let names: Vec<String> =
            set.metrics().iter().map(|metric| metric.definition.name().to_string()).collect();
        let resolved = set.resolve_both(&[], &names).unwrap();
        (set, resolved)
    };
    let rounds: Vec<f64> = (0..ROUNDS).map(|_| once(resolve) / 1e6).collect();
    alone(&format!("read and resolve {metrics} published metrics"), "ms", &rounds, Limit::None);
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

/// Python, which compiles the expressions when it is told to.
struct Python {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Python {
    /// Starts it, with names that it can read.
    fn new(expressions: &[String]) -> Option<Python> {
        let plain = |text: &String| {
            let name =
                |c: char| if c.is_ascii_alphanumeric() || " ()+-*/".contains(c) { c } else { '_' };
            text.replace("1e3", "1000.0").chars().map(name).collect::<String>()
        };
        let list: Vec<String> =
            expressions.iter().map(|e| format!("{:?}", plain(e).replace("_ ", ", "))).collect();
        let script = format!(
            "import sys, time\ne = [{}]\nfor line in sys.stdin:\n    s = time.perf_counter_ns()\n    for t in e: compile(t, 'm', 'eval')\n    print(time.perf_counter_ns() - s, flush=True)\n",
            list.join(",")
        );
        let mut python = Command::new("python3");
        python.arg("-c").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
        let Ok(mut child) = python.spawn() else {
            println!("skipped: Python's compile: python3 is not installed");
            return None;
        };
        let answers = BufReader::new(child.stdout.take()?);
        Some(Python { child, answers })
    }

    /// The nanoseconds in which it compiles all of them.
    fn compile(&mut self) -> f64 {
        let mut answer = String::new();
        self.child.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
        self.answers.read_line(&mut answer).unwrap();
        answer.trim().parse().unwrap()
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // At the end of its input it ends.
        drop(self.child.stdin.take());
        self.child.wait().unwrap();
    }
}

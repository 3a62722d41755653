//! The imbalance of each region of a job of 10,000 ranks with 200 values each, from one file of Parquet, beside the same with the mean of SQL, which is not exact and leaves out what was not measured.
//!
//! `cargo bench --bench imbalance` fails if the query takes more than a second.

#![allow(clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use counterpoint_datafusion::session;
use counterpoint_report::table::{Report, parquet::Writer};
use queries::row::{Limit, compared};
use queries::seconds;
use std::fs::File;
use std::path::Path;
use std::process::ExitCode;
use tokio::runtime::Runtime;

mod queries;

const RANKS: usize = 10_000;
const REGIONS: usize = 20;
const EVENTS: usize = 10;

/// The query of the chapter on many machines.
const QUERY: &str = "SELECT region, event, max(value) / cp_mean(value, status)['value'] - 1 AS imbalance FROM reports WHERE kind = 'value' AND thread IS NULL GROUP BY region, event";

fn main() -> ExitCode {
    if !std::env::args().any(|argument| argument == "--bench") {
        println!("skipped: run it with cargo bench");
        return ExitCode::SUCCESS;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("ranks.parquet");
    make(&file);
    let context = session(std::slice::from_ref(&file), folder).unwrap();
    let peer = QUERY.replace("cp_mean(value, status)['value']", "avg(value)");
    let runtime = Runtime::new().unwrap();
    let rounds = seconds(&runtime, &context, QUERY, &peer, REGIONS * EVENTS);
    let is_within =
        compared("imbalance of 10,000 ranks x 200", "s", "avg", &rounds, Limit::Most(1.0));
    let _ = std::fs::remove_file(&file);
    if is_within { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The table of what each rank reports.
fn make(file: &Path) {
    let mut writer = Writer::new(File::create(file).unwrap()).unwrap();
    for rank in 0..RANKS {
        let mut report = Report::new(format!("rank.{rank:05}.jsonl"));
        for region in 0..REGIONS {
            for event in 0..EVENTS {
                let value =
                    1_000_000_007 * (rank + 3) % (977 * (region + 1) * (event + 1)) + 100_000;
                let line = format!(
                    r#"{{"schema":1,"region":"region {region}","calls":12,"job":"4711","rank":{rank},"ranks":{RANKS},"host":"node{}","pid":{},"event":"event_{event}","canonical":"event_{event}","value":{value},"status":"counted","coverage":1.0,"unit":null,"raw":{value},"enabled_ns":10000000,"running_ns":10000000}}"#,
                    rank / 64,
                    rank + 1000
                );
                report.line(&line, |row| writer.push(row).unwrap()).unwrap();
            }
        }
    }
    writer.finish().unwrap();
}

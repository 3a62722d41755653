//! Two queries in turn.

#![allow(clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use datafusion::execution::context::SessionContext;
use tokio::runtime::Runtime;
use turns::{median, turns};

#[allow(dead_code, reason = "it has more than one benchmark needs")]
#[path = "../../../xtask/bench/row.rs"]
pub(crate) mod row;
#[allow(dead_code, reason = "it has more than one benchmark needs")]
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 5;

/// The median of the seconds that our query takes, and that of its peer; both have this number of rows.
pub(crate) fn medians(
    runtime: &Runtime,
    context: &SessionContext,
    ours: &str,
    peer: &str,
    rows: usize,
) -> (f64, f64) {
    let run = |sql: &str| {
        let answer = async { context.sql(sql).await.unwrap().collect().await.unwrap() };
        let found: usize = runtime.block_on(answer).iter().map(|batch| batch.num_rows()).sum();
        assert_eq!(found, rows, "{sql}");
    };
    let times = turns(ROUNDS, 1, || run(ours), || run(peer));
    let seconds = |nanoseconds: f64| nanoseconds / 1e9;
    (
        seconds(median(times.iter().map(|turn| turn.0))),
        seconds(median(times.iter().map(|turn| turn.1))),
    )
}

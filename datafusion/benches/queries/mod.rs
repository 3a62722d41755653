//! Two queries in turn.

#![allow(clippy::unwrap_used, reason = "a benchmark is a program of its own")]

use datafusion::execution::context::SessionContext;
use tokio::runtime::Runtime;
use turns::{scaled, turns};

#[path = "../../../xtask/bench/row.rs"]
pub(crate) mod row;
#[path = "../../../xtask/bench/turns.rs"]
mod turns;

const ROUNDS: usize = 5;

/// The seconds that our query and that of its peer take in each round; both have this number of rows.
pub(crate) fn seconds(
    runtime: &Runtime,
    context: &SessionContext,
    ours: &str,
    peer: &str,
    rows: usize,
) -> Vec<(f64, f64)> {
    let run = |sql: &str| {
        let answer = async { context.sql(sql).await.unwrap().collect().await.unwrap() };
        let found: usize = runtime.block_on(answer).iter().map(|batch| batch.num_rows()).sum();
        assert_eq!(found, rows, "{sql}");
    };
    scaled(&turns(ROUNDS, 1, || run(ours), || run(peer)), 1e-9)
}

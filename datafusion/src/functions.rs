//! All functions together, and how a session gets them.

use crate::aggregate::{cp_mean, cp_sum};
use crate::formula::cp_formula;
use crate::metric::cp_metric;
use crate::reports::{CpReports, Reports};
use datafusion::common::Result;
use datafusion::execution::context::SessionContext;
use datafusion::logical_expr::{AggregateUDF, ScalarUDF};
use std::sync::Arc;

/// Returns all functions of rows and all aggregates.
pub fn functions() -> (Vec<Arc<ScalarUDF>>, Vec<Arc<AggregateUDF>>) {
    (vec![cp_formula().into(), cp_metric().into()], vec![cp_sum().into(), cp_mean().into()])
}

/// Adds all functions to a session; `cp_reports` keeps what it reads in `reports`.
///
/// # Errors
///
/// There is none today; a later version may have names that a session refuses.
pub fn register(context: &SessionContext, reports: Arc<Reports>) -> Result<()> {
    let (scalar, aggregate) = functions();
    scalar.into_iter().for_each(|function| context.register_udf((*function).clone()));
    aggregate.into_iter().for_each(|function| context.register_udaf((*function).clone()));
    context.register_udtf("cp_reports", Arc::new(CpReports(reports)));
    Ok(())
}

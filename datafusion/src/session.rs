//! Sessions in which the functions are known.

use crate::{Reports, functions};
use datafusion::common::Result;
use datafusion::execution::context::SessionContext;
use datafusion::execution::{FunctionRegistry, SessionState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the table of the files that a query is about.
pub const REPORTS: &str = "reports";

/// Returns a session of the embedded engine, in which the reports and tables of `files` are the table [`REPORTS`].
///
/// Reports are kept as Parquet within `scratch` as long as the session.
///
/// # Errors
///
/// Returns an error that names the file which is not a report or a table.
pub fn session(files: &[PathBuf], scratch: &Path) -> Result<SessionContext> {
    with_reports(SessionContext::new(), files, scratch)
}

/// Returns a session whose queries run on the Ballista cluster of this scheduler, such as `localhost:50050`; its executors must be `counterpoint-executor`, and see the files of `scratch`.
///
/// # Errors
///
/// Returns an error if the scheduler does not answer, and those of [`session`].
#[cfg(feature = "ballista")]
pub async fn remote_session(
    scheduler: &str,
    files: &[PathBuf],
    scratch: &Path,
) -> Result<SessionContext> {
    use ballista::prelude::{SessionConfigExt, SessionContextExt};
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::prelude::SessionConfig;

    let config = SessionConfig::new_with_ballista();
    let state = SessionStateBuilder::new().with_default_features().with_config(config).build();
    let url = format!("df://{scheduler}");
    let context = SessionContext::remote_with_state(&url, with_functions(state)?).await?;
    with_reports(context, files, scratch)
}

fn with_reports(
    context: SessionContext,
    files: &[PathBuf],
    scratch: &Path,
) -> Result<SessionContext> {
    let reports = Arc::new(Reports::within(scratch)?);
    crate::register(&context, Arc::clone(&reports))?;
    if !files.is_empty() {
        context.register_table(REPORTS, reports.table(files)?)?;
    }
    Ok(context)
}

/// Returns the state of a session with the functions, for schedulers.
///
/// # Errors
///
/// Returns the error of the registry.
pub fn with_functions(mut state: SessionState) -> Result<SessionState> {
    let (scalar, aggregate) = functions();
    for function in scalar {
        state.register_udf(function)?;
    }
    for function in aggregate {
        state.register_udaf(function)?;
    }
    Ok(state)
}
